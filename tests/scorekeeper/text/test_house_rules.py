"""Options for what the sources of the rules leave open; by default the game is as in the source."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, undone
from scorekeeper.errors import RuleError
from scorekeeper.games.cards import Card
from scorekeeper.text.assistant import Assistant
from scorekeeper.text.choices import next_match
from scorekeeper.text.house_rules import OPTIONS, as_text
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.rulebook import Rulebook
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, TRUC, TRUT, deal, legal, say, table

DECLINED = [({}, 1), ({"declined": 1}, 1), ({"declined": 2}, 2), ({"declined": 3}, 3)]
"""Options, and the points that the other side gets if a side declines at eleven."""


@pytest.mark.parametrize(("options", "points"), DECLINED, ids=str)
@pytest.mark.parametrize("seats", [2, 4])
def test_TS18_the_price_of_declining_at_eleven(seats: int, options: dict[str, Any], points) -> None:
    match = deal(table(TRUC, seats, scores=(11, 8), options=options))
    declined = say(match, "0 decline")
    assert [score.points for score in declined.scores] == [11, 8 + points]
    assert declined.hand.award == ("points", points)
    assert [score.points for score in say(match, "0 play_on").scores] == [11, 8]


def test_TS18_a_declined_eleven_can_end_the_game() -> None:
    match = say(deal(table(TRUC, 2, scores=(10, 11), options={"declined": 2})), "1 decline")
    assert (match.winner, match.scores[0].points) == (0, 12)
    assert legal(match) == []


SMALL_REMAINDER = [
    (LT_ACE, ("raise_by_two",), (3, 11), {}, []),
    (LT_ACE, ("raise_by_two",), (3, 11), {"small_remainder": True}, ["1 remainder"]),
    (LT_ACE, (), (3, 11), {"small_remainder": True}, ["1 remainder"]),
    (LT_ACE, (), (11, 11), {"small_remainder": True}, ["1 remainder"]),
    (LT_ACE, (), (0, 10), {"small_remainder": True}, ["1 raise 2"]),
    (LT_ACE, (), (3, 11), {"small_remainder": True, "remainder": "off"}, []),
    (LT_ACE, (), (0, 0), {"small_remainder": True}, ["1 raise 2"]),
    (LT_SEVEN, (), (3, 11), {"small_remainder": True}, ["1 remainder"]),
]
"""Game, variants, score, options, and what seat 1 may offer at a value of 1."""


@pytest.mark.parametrize(("game", "variants", "scores", "options", "expected"), SMALL_REMAINDER)
def test_LT17_a_remainder_no_larger_than_the_value(
    game, variants, scores, options, expected
) -> None:
    match = deal(table(game, scores=scores, variants=variants, options=options))
    offers = [text for text in legal(match) if "raise" in text or "remainder" in text]
    assert offers == expected


BLUFFS = [
    ("1 remainder, 0 reject", (3, 12)),
    ("1 remainder, 0 accept, 1 play AS, 0 play KS, 1 play AH, 0 play KH", (3, 12)),
    ("1 remainder, 0 accept, 1 play KS, 0 play AS, 0 play AH, 1 play KH", (12, 11)),
]
"""The events after seat 1, at 3 to 11, has offered the one point it needs; the final score."""


@pytest.mark.parametrize(("said", "scores"), BLUFFS)
def test_LT17_what_such_a_remainder_brings(said, scores) -> None:
    match = deal(table(LT_ACE, scores=(3, 11), options={"small_remainder": True}))
    assert tuple(score.points for score in say(match, said).scores) == scores


ANY = {"offers_in_turn": "any"}
IN_TURN = [
    ({}, "1 raise 2, 0 accept", ["1 play"]),
    (ANY, "1 raise 2, 0 accept", ["1 play", "1 raise 4"]),
    (ANY, "1 raise 2, 0 accept, 1 raise 4, 0 accept", ["1 play", "1 raise 8"]),
    (ANY, "1 raise 2, 0 accept, 1 play KS", ["0 play", "0 raise 4"]),
    (ANY | {"reraise": "alternate"}, "1 raise 2, 0 accept", ["1 play"]),
    ({"late_call": True}, "1 raise 2, 0 accept, 1 play KS", ["0 play", "0 raise 4"]),
    (ANY | {"late_call": True}, "1 raise 2, 0 accept, 1 play KS",
     ["0 play", "0 raise 4", "1 raise 4"]),
]  # fmt: skip
"""Options, the events after the deal, and what is legal then."""


@pytest.mark.parametrize(("options", "said", "expected"), IN_TURN)
def test_LT12_offers_in_one_turn(options, said, expected) -> None:
    match = say(deal(table(LT_ACE, options=options)), said)
    assert legal(match) == expected


def test_LT12_offers_in_one_turn_end_at_the_remainder() -> None:
    match = deal(table(LT_ACE, options=ANY))
    for offer in ("raise 2", "raise 4", "raise 8", "remainder"):
        match = say(match, f"1 {offer}, 0 accept")
    assert legal(match) == ["1 play"]


NEXT_DEALER = [
    (LT_ACE, 2, {}, 0, 1),
    (LT_ACE, 2, {}, 1, 1),
    (LT_ACE, 2, {"next_dealer": "winner"}, 0, 0),
    (LT_ACE, 2, {"next_dealer": "winner"}, 1, 1),
    (LT_ACE, 2, {"next_dealer": "loser"}, 0, 1),
    (LT_ACE, 2, {"next_dealer": "loser"}, 1, 0),
    (TRUT, 4, {"next_dealer": "loser"}, 0, 1),
    (TRUT, 4, {"next_dealer": "loser"}, 1, 2),
    (TRUT, 4, {"next_dealer": "winner"}, 0, 2),
    (TRUC, 4, {"next_dealer": "winner"}, 0, 2),
    (TRUC, 4, {"next_dealer": "winner"}, 1, 3),
    (TRUC, 4, {"next_dealer": "loser"}, 1, 2),
]
"""Game, players, options, the side that wins the first game in its first hand, the next dealer."""


@pytest.mark.parametrize(("game", "seats", "options", "winner", "dealer"), NEXT_DEALER)
def test_A4_who_deals_the_next_game(game, seats, options, winner, dealer) -> None:
    first = deal(table(game, seats, best_of=3, options=options | {"target": 1}))
    match = say(first, "void_hand", f"award {winner} 3")
    assert (match.games_won[winner], match.winner) == (1, None)
    assert match.dealer == dealer
    again = deal(match)
    assert (again.current().dealer, again.hand_number) == (dealer, 2)
    assert undone(again, 1 + again.rules.asks_cut).dealer == dealer


def test_A4_a_hand_that_ends_the_game_passes_the_deal_like_an_award() -> None:
    options = {"next_dealer": "loser", "target": 1}
    won = say(deal(table(TRUT, 2, best_of=3, options=options, tokens=((0, 2), (0, 0)))), "0 trut")
    match = say(won, "1 lie_down")
    assert (match.games_won, match.dealer) == ((1, 0), 1)
    over = say(deal(match), "1 trut, 0 lie_down, 0 deal 3, 0 trut, 1 lie_down")
    assert next_match(over).first_dealer == over.dealer


SIDE = {"answerer": "side"}
ANSWERERS = [
    (4, {}, "3 truc", ["2 accept", "3 play", "2 reject"]),
    (4, SIDE, "3 truc", ["0 accept", "2 accept", "3 play", "0 reject", "2 reject"]),
    (4, SIDE, "3 truc, 3 play 6O",
     ["0 accept", "2 accept", "2 play", "0 reject", "2 reject", "2 retruc"]),
    (4, SIDE, "3 truc, 0 accept", ["3 play"]),
    (4, SIDE, "3 truc, 3 play 6O, 0 accept", ["2 play", "2 retruc"]),
    (4, SIDE, "3 play 6O, 3 truc, 2 retruc",
     ["1 accept", "3 accept", "2 play", "1 reject", "3 reject"]),
    (4, SIDE | {"reraise_as_answer": "always"}, "3 truc",
     ["0 accept", "2 accept", "3 play", "0 reject", "2 reject", "0 retruc", "2 retruc"]),
    (2, SIDE, "1 truc", ["0 accept", "1 play", "0 reject"]),
]  # fmt: skip
"""Players, options, the events after the deal, and what is legal then."""


@pytest.mark.parametrize(("seats", "options", "said", "expected"), ANSWERERS)
def test_TS12_who_answers(seats, options, said, expected) -> None:
    match = say(deal(table(TRUC, seats, options=options)), said)
    assert legal(match) == expected


def test_TS12_the_partners_no_ends_the_hand() -> None:
    match = say(deal(table(TRUC, 4, options=SIDE)), "3 truc, 0 reject")
    assert match.hand.award == ("points", 1)
    assert match.hand.winner == 1


SEES = [
    ({}, "2 trut", ["3 lie_down", "3 see"]),
    ({}, "2 trut, 3 lie_down", ["1 lie_down", "1 see"]),
    ({"first_to_see": "dealer"}, "2 trut", ["1 lie_down", "1 see"]),
    ({"first_to_see": "dealer"}, "2 trut, 1 lie_down", ["3 lie_down", "3 see"]),
    ({"first_to_see": "dealer"}, "3 trut", ["2 lie_down", "2 see"]),
    ({"first_to_see": "either"}, "2 trut", ["1 lie_down", "3 lie_down", "1 see", "3 see"]),
    ({"first_to_see": "either"}, "2 trut, 3 see", ["1 play"]),
    ({"first_to_see": "either"}, "2 trut, 1 lie_down", ["1 deal 3"]),
]
"""Options, the events after seat 0 has dealt, and what is legal then."""


@pytest.mark.parametrize(("options", "said", "expected"), SEES)
def test_TR10_who_answers_a_trut(options, said, expected) -> None:
    match = say(deal(table(TRUT, 4, options=options)), said)
    assert legal(match) == expected


FORTIAL_SEES = [
    ({}, 0, ["1 lie_down", "1 see"]),
    ({}, 2, ["3 lie_down", "3 see"]),
    ({"first_to_see": "dealer"}, 2, ["1 lie_down", "1 see"]),
    ({"first_to_see": "either"}, 2, ["1 lie_down", "3 lie_down", "1 see", "3 see"]),
]
"""Options, who truts at fortial, and what is legal then."""


@pytest.mark.parametrize(("options", "truter", "expected"), FORTIAL_SEES)
def test_TR20_who_answers_a_trut_at_fortial(options, truter, expected) -> None:
    match = deal(table(TRUT, 4, tokens=((6, 2), (0, 0)), options=options))
    match = say(match, "2 trut" if truter == 2 else "2 pass, 0 trut")
    assert legal(match) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, ["Dani", "Bea"]), ({"first_to_see": "either"}, ["Bea / Dani"])],
    ids=str,
)
def test_TR20_the_deals_steps_name_who_answers(options, expected) -> None:
    match = deal(table(TRUT, 4, tokens=((6, 2), (0, 0)), options=options))
    steps = Assistant(match.header, "en").steps(say(match, "2 trut"))
    told = [step.text.text for step in steps if "sees the trut" in step.text.text
            or "may still see" in step.text.text]  # fmt: skip
    assert [text.split(" sees")[0].split(" may")[0] for text in told] == expected


AGAIN = "1 ask, 0 grant, 0 deal 3"
REDEALS = [
    (2, {}, [AGAIN], False),
    (2, {"redeals": 2}, [AGAIN], True),
    (2, {"redeals": 2}, [AGAIN, AGAIN], False),
    (2, {"redeals": 2}, ["1 ask, 0 refuse"], False),
    (2, {"redeals": 3}, [AGAIN, AGAIN], True),
    (2, {"redeals": 3}, [AGAIN, "1 i_play"], False),
    (2, {"redeals": 3, "redeal": False}, [], False),
    (4, {"redeals": 3}, [], True),
    (4, {"redeals": 3}, [AGAIN], False),  # the pack has no twelve cards left for a third deal
]
"""Players, options, the events after the deal, and whether the leader may ask for new cards."""


@pytest.mark.parametrize(("seats", "options", "said", "may_ask"), REDEALS)
def test_LT5_how_often_new_cards_may_be_asked_for(seats, options, said, may_ask) -> None:
    match = say(deal(table(LT_ACE, seats, options=options)), *said)
    assert ("1 ask" in legal(match)) == may_ask
    assert "1 play" in legal(match)


def test_LT5_what_is_said_of_asking_too_often() -> None:
    twice = say(deal(table(LT_ACE, options={"redeals": 2})), AGAIN, AGAIN)
    with pytest.raises(RuleError, match="often enough"):
        say(twice, "1 ask")


def test_LT5_a_misdeal_of_new_cards_is_no_other_request() -> None:
    match = say(deal(table(LT_ACE, options={"redeals": 2})), AGAIN, "misdeal, 0 deal 3")
    assert "1 ask" in legal(match)


VOID_THIRD = {"third_spoiled": "void"}
THIRDS = [
    (TRUT, {}, "D N S", 0),
    (TRUT, VOID_THIRD, "D N S", None),
    (TRUT, VOID_THIRD, "N D S", None),
    (TRUT, VOID_THIRD, "D N D", 0),
    (TRUT, VOID_THIRD, "D S", 0),
    (TRUT, VOID_THIRD, "S D", 0),
    (TRUT, VOID_THIRD, "S S N", 1),
    (LT_ACE, VOID_THIRD, "D N S", None),
    (TRUC, {}, "D N S", 1),
    (TRUC, VOID_THIRD, "D N S", None),
    (TRUC, VOID_THIRD, "N D S", None),
    (TRUC, VOID_THIRD, "S S S", 1),
    (TRUC, VOID_THIRD | {"hand_rule": "first_trick"}, "N D S", None),
    (TRUT, VOID_THIRD | {"hand_rule": "next_winner"}, "N D S", None),
]
"""Game, options, tricks of the dealer (D), the other side (N) or spoiled (S), and who wins."""


@pytest.mark.parametrize(("game", "options", "tricks", "winner"), THIRDS)
def test_T3_one_trick_each_and_a_spoiled_third(game, options, tricks, winner) -> None:
    match = deal(table(game, options=options))
    for trick, tie in zip(tricks.split(), "QA7", strict=False):
        best = {"D": 0, "N": 1}.get(trick)
        for seat in (match.current().turn, 1 - match.current().turn):
            used = [p.card for t in match.current().tricks for p in t.plays]
            rank = tie if best is None else "K" if seat == best else "J"
            card = next(Card(rank, suit) for suit in "SHDC" if Card(rank, suit) not in used)
            match = apply(match, Event("play", seat, card=card))
    assert not match.in_progress
    assert match.hand.winner == winner
    assert match.hand.end == ("void" if winner is None else "decided")


def test_T3_what_is_told_of_it() -> None:
    match = say(deal(table(TRUT, options=VOID_THIRD)), "1 play KS, 0 play 9S, 1 play QS, 0 play 8S")
    last = say(match, "0 play AS, 1 play AH")
    told = [sentence.text for sentence in Narrator(last.header, "en").tell(match, last.event, last)]
    assert "One trick each and the third spoiled: the hand is void, and nobody scores." in told
    assert not any("claimed" in text for text in told)


CUSTOMS = [
    (LT_ACE, 2, 1, ["LT-21", "LT-20", "LV-5"]),
    (LT_SEVEN, 4, 3, ["LT-21", "LT-20"]),
    (TRUT, 4, 1, ["TR-8", "TR-12", "LV-5"]),
    (TRUC, 4, 1, ["TS-13", "TS-9", "TS-2", "LV-5"]),
    (TRUC, 2, 5, ["TS-13", "TS-9"]),
]
"""Game, players, games of the match, and the rules that the book cites on customs."""


@pytest.mark.parametrize(("game", "seats", "best_of", "rules"), CUSTOMS)
def test_the_rulebook_tells_customs(game, seats, best_of, rules) -> None:
    book = Rulebook(table(game, seats, best_of=best_of).header, "en")
    told = dict(book.sections())["At the table"]
    assert [rule for sentence in told for rule in sentence.rules] == rules


OPEN_OPTIONS = [
    (LT_ACE, {"small_remainder": True}, "as a bluff"),
    (LT_ACE, {"offers_in_turn": "any"}, "another after each yes"),
    (LT_ACE, {"redeals": 2}, "up to 2 times"),
    (TRUT, {"next_dealer": "loser"}, "the side that lost it deals"),
    (TRUT, {"first_to_see": "dealer"}, "from the dealer's left: one who sees"),
    (TRUT, {"retrut": "two_longs"}, "two Longs are at stake. No printed rules say"),
    (TRUT, {"third_spoiled": "void"}, "the third spoiled: the hand is void"),
    (TRUC, {"answerer": "side"}, "the first answer counts"),
    (TRUC, {"declined": 2}, "the other side scores 2"),
]
"""Game, option, and words that are in the rulebook only with this option."""


@pytest.mark.parametrize(("game", "options", "words"), OPEN_OPTIONS)
def test_the_rulebook_tells_each_option(game, options, words) -> None:
    (name,) = options
    option = next(one for one in OPTIONS if one.name == name and one.labels)
    label = option.labels[as_text(options[name])].words

    def book(**header: object) -> dict[str, str]:
        seats = option.players[0]
        sections = Rulebook(table(game, seats, **header).header, "en").sections()
        return {heading: "\n".join(map(str, told)) for heading, told in sections}

    changed, printed = book(options=options), book()
    assert f": {label}. Also possible: " in changed.pop("House rules")
    assert f": {label}. Also possible: " not in printed["House rules"]
    assert label in printed.pop("House rules")
    assert any(words in told for told in changed.values())
    assert not any(words in told for told in printed.values())
