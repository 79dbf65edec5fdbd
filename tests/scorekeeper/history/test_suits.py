"""V-12: a card that is entered by rank gets a free suit, and another one if that card is played."""

from __future__ import annotations

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import Said, Source, is_guessed, marked
from scorekeeper.engine.state import Match
from scorekeeper.errors import (
    CardAlreadyPlayed,
    CardNotInPack,
    FormatError,
    NotYourTurn,
    WrongPhase,
)
from scorekeeper.history import corrections
from scorekeeper.history.suits import enter_card
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, TRUC, TRUT, event


class Hands:
    """A match in which people enter the cards."""

    def __init__(self, game: str, texts: str = "", seats: int = 2, **header: object) -> None:
        self.header = Header(game=game, seats=NAMES[:seats], **header)  # type: ignore[arg-type]
        self.events = [event(text.strip()) for text in texts.split(",") if text.strip()]

    @property
    def match(self) -> Match:
        """The match after all events."""
        return replay(self.header, self.events)

    def enter(self, *cards: str) -> tuple[Event, ...]:
        """Enters ``1 K`` or ``1 K S``, each by itself; returns what the last one appended."""
        said: tuple[Event, ...] = ()
        for text in cards:
            seat, rank, *suit = text.split()
            said = enter_card(self.match, self.events, int(seat), rank, *suit)
            self.events += said
        return said

    @property
    def cards(self) -> list[str]:
        """The cards that are not taken back; a question mark follows a guessed suit."""
        stands = [one.event for one in corrections.standing(self.events)]
        return [f"{e.card}{'?' * is_guessed(e)}" for e in stands if e.card is not None]


@pytest.mark.parametrize(
    ("game", "texts", "entered", "cards"),
    [
        (LT_ACE, "0 deal 3", ["1 K"], ["KC?"]),
        (LT_ACE, "0 deal 3, 1 play KC", ["0 K"], ["KC", "KD?"]),
        (TRUC, "1 cut, 0 deal 3, 1 play 12O", ["0 K"], ["12O", "12U?"]),
        (LT_ACE, "0 deal 3", ["1 K S", "0 K"], ["KS", "KC?"]),
        # The exact card stays; the guessed one gets another suit.
        (LT_ACE, "0 deal 3", ["1 K", "0 K C"], ["KD?", "KC"]),
        (LT_ACE, "0 deal 3", ["1 K", "0 K", "1 K C"], ["KH?", "KD?", "KC"]),
        (LT_ACE, "0 deal 3", ["1 K", "0 K", "1 K D", "0 K C"], ["KS?", "KH?", "KD", "KC"]),
    ],
)
def test_V_12_a_free_suit_is_taken(
    game: str, texts: str, entered: list[str], cards: list[str]
) -> None:
    hands = Hands(game, texts)
    hands.enter(*entered)
    assert hands.cards == cards


def test_V_12_a_guess_makes_room_in_one_group_that_is_taken_back_as_a_whole() -> None:
    hands = Hands(LT_ACE, "0 deal 3")
    hands.enter("1 K")
    said = hands.enter("0 K C")
    assert [e.do for e in said] == ["undo", "play", "play"]
    assert len({e.group for e in said}) == 1
    made = corrections.take_back(hands.match, hands.events, str(said[0].group))
    hands.events += made.events
    assert hands.cards == ["KC?"]


def test_V_12_a_guess_that_makes_room_keeps_the_circumstances_of_its_moment() -> None:
    hands = Hands(LT_ACE, "0 deal 3")
    hands.enter("1 K")
    hands.events[-1] = marked(hands.events[-1], Said.now(Source.PHONE, "Bea"))
    hands.enter("0 K C")
    moved = corrections.standing(hands.events)[1].event
    assert {k: v for k, v in moved.remarks.items() if k != "_group"} == dict(
        hands.events[1].remarks
    )


def test_V_2_a_fifth_card_of_a_rank_is_none_of_the_pack() -> None:
    hands = Hands(LT_ACE, "0 deal 3")
    hands.enter("1 K", "0 K", "1 K", "0 K")
    for card in ("1 K", "1 K S"):
        with pytest.raises(CardAlreadyPlayed, match="all four cards of the rank K"):
            hands.enter(card)


def test_V_2_an_exact_card_that_was_known_is_refused() -> None:
    with pytest.raises(CardAlreadyPlayed, match="seat 1 has played that card"):
        Hands(LT_ACE, "0 deal 3, 1 play KS").enter("0 K S")


def test_V_2_the_next_hand_has_all_cards_again() -> None:
    hands = Hands(TRUT, "0 deal 3")
    hands.enter("1 9", "0 7", "0 7", "1 9")
    hands.events.append(event("1 deal 3"))
    hands.enter("0 7 C")
    assert hands.cards == ["9C?", "7C?", "7D?", "9D?", "7C"]


@pytest.mark.parametrize(
    ("texts", "card", "error"),
    [
        ("", "1 K", WrongPhase),
        ("0 deal 3", "0 K", NotYourTurn),
        ("0 deal 3", "1 2", CardNotInPack),
        ("0 deal 3", "1 2 S", CardNotInPack),
        ("0 deal 3", "1 X", FormatError),
        ("0 deal 3", "1 K X", FormatError),
        ("0 deal 3, 1 play KS", "0 K O", CardNotInPack),
    ],
)
def test_what_the_rules_forbid_is_refused_with_their_sentence(
    texts: str, card: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Hands(LT_ACE, texts).enter(card)


def test_C_9_an_eight_that_stands_for_the_six_is_the_same_card() -> None:
    hands = Hands(LT_SEVEN, "0 deal 3", options={"alias": {"8": "6"}})
    assert hands.match.rules.printed == ("7", "8", "A", "K", "Q", "J", "10", "9")
    hands.enter("1 8", "0 6")
    assert hands.cards == ["8C?", "6D?"]
