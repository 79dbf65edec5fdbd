"""Packs: which can play a game, which cards are refused, and older records with such cards."""

from __future__ import annotations

import io
from types import MappingProxyType

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, replay, start, verify
from scorekeeper.engine.packs import PACK_SUITS, suits_of
from scorekeeper.errors import CardNotInPack, RuleError
from scorekeeper.games.cards import SUIT_SYSTEMS, Card, parse_card
from scorekeeper.games.rules import GAMES
from scorekeeper.history import corrections
from scorekeeper.history.record import read_record, to_line, write_record
from scorekeeper.history.suits import enter_card, foreign
from scorekeeper.text.i18n import LANGUAGES, language
from tests.scorekeeper.page import Page, said
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, TRUC, TRUT, deal, event, say, table

BOTH = ("french", "spanish")
PACKS = [
    (LT_ACE, {}, ("french",)),
    (LT_SEVEN, {}, ("french",)),
    (LT_SEVEN, {"options": {"alias": {"8": "6"}}}, ("french",)),
    (TRUT, {}, ("french",)),
    (TRUC, {}, BOTH),
]
"""Game, more fields of its header, and the kinds of packs that have all its ranks."""
OTHERS = [
    (LT_ACE, {}, "7O"),
    (LT_SEVEN, {}, "6E"),
    (TRUT, {}, "7O"),
    (TRUT, {}, "8B"),
    (TRUT, {PACK_SUITS: "spanish"}, "10U"),
    (TRUC, {PACK_SUITS: "french"}, "7O"),
    (TRUC, {PACK_SUITS: "spanish"}, "7S"),
]
"""Game, remarks of its header, and a card that is not in the pack of that table."""


def dealt(game: str, **header: object):
    return deal(table(game, **header))


@pytest.mark.parametrize(("game", "more", "systems"), PACKS)
def test_a_pack_can_play_a_game_that_needs_no_rank_which_it_has_not(game, more, systems) -> None:
    match = table(game, **more)
    assert match.rules.suit_systems == systems
    for system in systems:  # every card of the pack can be written and read again
        for suit in SUIT_SYSTEMS[system]:
            for rank in match.rules.printed:
                card = Card(rank, suit)
                assert parse_card(str(card)) == card


def test_every_game_can_be_played_with_some_pack() -> None:
    assert all(game.rules.suit_systems for game in GAMES.values())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("chosen", ["french", "spanish", "x", ["spanish"], None])
def test_suits_are_those_that_were_chosen_where_they_can_play_the_game(game, chosen) -> None:
    match = table(game, remarks=MappingProxyType({PACK_SUITS: chosen}))
    fit = match.rules.suit_systems
    assert suits_of(match) == SUIT_SYSTEMS[chosen if chosen in fit else fit[0]]


@pytest.mark.parametrize(("game", "remarks", "card"), OTHERS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_of_another_pack_is_refused_in_one_sentence(game, remarks, card, code) -> None:
    match = dealt(game, remarks=MappingProxyType(remarks))
    play = Event("play", match.turn or match.first_leader, card=parse_card(card))
    with pytest.raises(CardNotInPack) as refused:
        verify(match, play)
    assert refused.value.rule == "C-9"
    sentence = refused.value.sentence(language(code).gettext)
    assert card in sentence
    assert "{" not in sentence
    if code != "en":
        assert language(code).gettext(refused.value.reason) != refused.value.reason
    with pytest.raises(RuleError):
        apply(match, play)


TYPED = [
    (TRUT, "french", "7", "O", "C-9"),
    (TRUT, "french", "10", "O", "C-9"),
    (TRUT, "french", "2", None, "C-9"),
    (TRUT, "spanish", "10", None, None),
    (TRUC, "spanish", "10", None, "C-9"),
    (TRUC, "spanish", "10", "O", "C-9"),
    (TRUC, "spanish", "9", None, "C-9"),
    (TRUC, "spanish", "J", None, None),
    (TRUC, "french", "10", "S", "C-9"),
    (TRUC, "french", "J", "S", None),
    (TRUC, "french", "J", "", "format"),
    (TRUC, "french", "J", "SC", "format"),
    (LT_ACE, "french", "10", "S", None),
]
"""Game, suits of its pack, a rank and a suit as a person types them, and the rule that refuses."""


@pytest.mark.parametrize(("game", "chosen", "rank", "suit", "rule"), TYPED)
def test_every_rank_and_suit_that_can_be_typed_is_played_or_refused(
    game, chosen, rank, suit, rule
) -> None:
    match = dealt(game, remarks=MappingProxyType({PACK_SUITS: chosen}))
    seat = match.turn or match.first_leader
    if rule is None:
        (play,) = enter_card(match, (), seat, rank, suit)
        assert apply(match, play).current().tricks[0].plays[0].card.rank == rank
        return
    with pytest.raises(RuleError) as refused:
        enter_card(match, (), seat, rank, suit)
    assert refused.value.rule == rule
    assert str(refused.value)


HELD = [
    (LT_ACE, "0 deal 3, 1 play 7O, 0 play 8S, 0 play KH", [(2, "7O")]),
    (LT_SEVEN, "0 deal 3, 1 play KS, 0 play 9S, 1 play KH", []),
    (TRUT, "0 deal 3, 1 play 7O, 0 play 8O, 1 play 1E", [(2, "7O"), (3, "8O"), (4, "1E")]),
    (TRUT, "0 deal 3, 1 play 7O, undo, 1 play 7S", []),
    (TRUT, "0 deal 3, 1 play 7O, 0 play 10H, undo, 0 play JH", [(2, "7O")]),
]
"""Game, events of an older record, and the cards that it names."""


@pytest.mark.parametrize(("game", "texts", "names"), HELD)
def test_a_record_that_holds_one_counts_as_it_did_and_says_so(game, texts, names) -> None:
    events = said(texts)
    header = table(game).header
    match = replay(header, events)
    laid = [play for trick in match.current().tricks for play in trick.plays]
    stand = corrections.standing(events)
    assert [play.card for play in laid] == [one.event.card for one in stand if one.event.card]
    assert [(seq, str(card)) for seq, card in foreign(match.rules, stand)] == names
    reading = read_record(io.BytesIO("".join(write_record(header, events)).encode()))
    assert reading.match == match
    assert [warning.split(":")[0] for warning in reading.warnings] == [
        f"line {seq + 1}" for seq, _ in names
    ]
    assert all("C-9" in warning and "\n" not in warning for warning in reading.warnings)


def test_after_such_a_card_the_hand_goes_on_with_the_games_pack() -> None:
    match = replay(table(TRUT).header, said("0 deal 3, 1 play 7O"))
    match = say(match, "0 play 7S, 0 play 10H, 1 play 10S")
    with pytest.raises(RuleError, match="C-9"):
        say(match, "1 play 8O")
    assert match.spanish is False


def test_one_kind_of_suits_is_still_asked_of_a_record() -> None:
    with pytest.raises(RuleError, match="one record uses one kind of suits"):
        replay(table(TRUT).header, said("0 deal 3, 1 play 7S, 0 play 7O"))


CORRECTED = [
    ("1 play 7O", "1 play 7D", ["7D", "10H"]),
    ("0 deal 3", "0 deal 3", ["7O", "10H"]),
    ("0 play 10H", "0 play 10S", ["7O", "10S"]),
]
"""The wrong play, the right one, and the cards of the trick after the correction."""


@pytest.mark.parametrize(("wrong", "right", "cards"), CORRECTED)
def test_a_correction_keeps_such_a_card_or_puts_it_right(wrong, right, cards) -> None:
    page = Page(TRUT, "0 deal 3, 1 play 7O, 0 play 10H")
    made = corrections.replace(page.match, page.events, page.seq(wrong), event(right))
    assert made.left_out == ()
    assert [str(play.card) for play in made.match.current().tricks[0].plays] == cards


def test_a_header_that_names_suits_which_cannot_play_the_game_opens() -> None:
    header = table(TRUT, remarks=MappingProxyType({PACK_SUITS: "spanish"})).header
    reading = read_record(io.BytesIO(to_line(header.to_json()).encode()))
    assert suits_of(reading.match) == suits_of(start(table(TRUT).header))
