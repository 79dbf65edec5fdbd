"""``Answerer`` answers the table's questions by what was really played in a film."""

from __future__ import annotations

import pytest

from datasets.benchmarks.answerer import Answerer
from datasets.benchmarks.played import Played
from datasets.benchmarks.table_score import filmed
from vision.belief.proposals import Choice, Question

STAGE = filmed("trut", 2, "calm", 4, 3)
SPANISH = filmed("truc_spain", 2, "calm", 5, 3)
LAID_DOWN = filmed("trut", 2, "calm", 4, 2)
"""A film in whose second hand a player folds."""


def answerer(stage=STAGE) -> tuple[Answerer, Played]:
    played = Played(stage)
    return Answerer(stage, played), played


def question(kind: str, choices: tuple[Choice, ...], seat: int | None = None, trick=None):
    return Question(1, kind, seat, choices, 7, 0.0, trick)


def plays_of(played: Played, hand: int):
    return [event for event in played.of(hand) if event.do == "play"]


@pytest.mark.parametrize(("wrong", "chosen"), [(True, 1), (False, 0)])
def test_the_latest_play_was_another_card_where_it_was(wrong: bool, chosen: int):
    who, played = answerer()
    events = played.events
    place = next(n for n, event in enumerate(events) if event.do == "play")
    laid = events[place]
    other = next(e for e in events[place:] if e.do == "play" and e.card != laid.card)
    stands = [*events[:place], laid._replace(card=other.card) if wrong else laid]
    asked = question("early", (Choice("drop"), Choice("instead", laid.bare())), laid.seat)
    assert who.choice(asked, 0, stands, played.times[place] + 1) == chosen


@pytest.mark.parametrize(("trick", "chosen"), [(1, 1), (4, 2)], ids=["laid", "a fourth card"])
def test_the_card_that_was_laid_to_a_trick_before(trick: int, chosen: int):
    who, played = answerer()
    laid, *others = plays_of(played, 0)
    other = next(each for each in others if each.card.rank != laid.card.rank)
    choices = (Choice("revise", laid._replace(card=other.card)), Choice("stay", laid), Choice("no"))
    asked = question("doubted", choices, laid.seat, trick)
    assert who.choice(asked, 0, (), 60.0) == chosen


def test_what_comes_next_is_known_though_words_before_it_were_never_tapped():
    who, played = answerer(SPANISH)
    begin, end = played.span(0)
    events = played.events[begin:end]
    calls = [n for n, each in enumerate(events) if each.do not in ("play", "deal")]
    place = next(n for n in calls[1:] if any(e.do == "play" for e in events[:n]))
    missed = calls[0]
    stands = [*events[:missed], *events[missed + 1 : place]]
    asked = question("answer", (Choice("hold"), Choice("word", events[place].bare())))
    assert who.choice(asked, 0, stands, played.times[begin + place] + 1) == 1
    card = next(each for each in events[place:] if each.do == "play")
    asked = question("card", (Choice("no"), Choice("play", card.bare())), card.seat)
    assert who.choice(asked, 0, stands, played.times[end - 1]) == 1


@pytest.mark.parametrize(
    ("hand", "later", "chosen"),
    [(0, 0.1, 0), (1, 0.1, 0), (1, -0.1, 1)],
    ids=["the hand before is still compared", "its own", "the deal is not over"],
)
def test_a_deal_is_known_though_nobody_tapped_the_cut(hand: int, later: float, chosen: int):
    who, played = answerer(SPANISH)
    begin, end = played.span(1)
    place = next(n for n in range(begin, end) if played.events[n].do == "deal")
    deal = played.events[place]
    choices = (Choice("deal", deal.bare(), before=(played.events[place - 1].bare(),)), Choice("no"))
    stands = played.events[:begin]
    assert (
        who.choice(question("deal", choices), hand, stands, played.times[place] + later) == chosen
    )


@pytest.mark.parametrize(("later", "chosen"), [(-0.1, "no"), (0.1, "side")])
def test_nobody_lay_down_while_the_hand_goes_on(later: float, chosen: str):
    who, played = answerer(LAID_DOWN)
    _, end = played.span(1)
    word, stands = played.events[end - 1], played.events[: end - 1]
    assert word.do == "lie_down"
    asked = question("thrown", (Choice("side", word.bare(), side=word.seat), Choice("no")))
    place = who.choice(asked, 1, stands, played.ended[1] + later)
    assert place is not None
    assert asked.choices[place].word == chosen
