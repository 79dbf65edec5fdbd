"""Simulated people answer wrongly, and correct the record soon after."""

from __future__ import annotations

import pytest

from datasets.benchmarks.mistakes import CORRECTED_AFTER, NOTICED_AFTER, Mistakes
from datasets.benchmarks.played import Played
from datasets.benchmarks.table_score import filmed
from scorekeeper.engine.events import Event
from scorekeeper.games.cards import parse_card
from scorekeeper.history.corrections import standing
from vision.belief.proposals import Choice, Question
from vision.watched_table import ListLog

STAGE = filmed("trut", 2, "calm", 3, 2)
"""Two hands of two tricks: KD 8H KS KC, and 7S 7H JD 7D."""
PLAYED = Played(STAGE)
FIRST = next(n for n, event in enumerate(STAGE.events) if event.do == "play")
"""The place of the first play."""


def asked(choices: int) -> Question:
    return Question(1, "card", 0, tuple(Choice("play") for _ in range(choices)), 7, 0.0)


def misread(place: int) -> Event:
    return STAGE.events[place].bare()._replace(card=parse_card("AH"))


EVENTS = [event.bare() for event in STAGE.events]


@pytest.mark.parametrize(
    ("written", "corrected"),
    [
        (EVENTS[: FIRST + 3], False),
        ([*EVENTS[:FIRST], misread(FIRST), *EVENTS[FIRST + 1 : FIRST + 3]], True),
        ([*EVENTS[: FIRST + 2], misread(FIRST + 2)], True),
        (EVENTS[: FIRST + 1], True),
        ([*EVENTS[: FIRST + 3], misread(FIRST + 3)], True),
    ],
    ids=["nothing wrong", "the first play", "the latest play", "two missing", "one too many"],
)
def test_v_11_the_record_is_right_after_a_correction(written: list[Event], corrected: bool):
    log, now = ListLog(STAGE.header, written), PLAYED.times[FIRST + 2] + NOTICED_AFTER
    assert Mistakes(1.0, 1).put_right(log, PLAYED, now) == corrected
    stand = [one.event.bare() for one in standing(log.events)]
    assert stand == EVENTS[: FIRST + 3]


def test_what_has_just_happened_is_left_to_the_table():
    log, now = ListLog(STAGE.header, EVENTS[:FIRST]), PLAYED.times[FIRST] + NOTICED_AFTER / 2
    assert not Mistakes(1.0, 1).put_right(log, PLAYED, now)
    assert log.events == EVENTS[:FIRST]


def test_every_answer_is_wrong_and_corrected_some_seconds_later():
    mistakes = Mistakes(1.0, 1)
    for right in range(3):
        assert mistakes.choice(asked(3), right, 50.0) in {0, 1, 2} - {right}
        assert CORRECTED_AFTER[0] <= mistakes.due - 50 <= CORRECTED_AFTER[1]


@pytest.mark.parametrize(
    ("share", "choices", "right"), [(0.0, 3, 1), (1.0, 1, 0), (1.0, 3, None)],
    ids=["nobody errs", "there is no other answer", "no answer is right"],
)  # fmt: skip
def test_the_right_answer_is_given(share: float, choices: int, right: int | None):
    mistakes = Mistakes(share, 1)
    assert mistakes.choice(asked(choices), right, 50.0) == right
    assert mistakes.due is None


def test_a_share_of_the_answers_is_wrong():
    mistakes = Mistakes(0.3, 5)
    wrong = sum(mistakes.choice(asked(4), 2, 0.0) != 2 for _ in range(1000))
    assert 250 < wrong < 350
