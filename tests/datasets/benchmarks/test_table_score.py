"""The score of a watching table: what is counted for records with known mistakes."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import pytest

from datasets.benchmarks.table_score import Run, filmed, main
from datasets.benchmarks.table_sheet import both_ways
from datasets.benchmarks.tally import Tally, in_both
from datasets.benchmarks.taps import Taps
from datasets.films.stage import Stage
from datasets.simulation.seen import EYES, Glance, watched
from scorekeeper.engine.events import Event
from scorekeeper.games.cards import parse_card
from vision.belief.proposals import Choice, Question
from vision.tracking.tracked_card import Change
from vision.watched_table import Happened


@pytest.fixture(scope="module")
def stage() -> Stage:
    """A stage of two hands of two tricks: KD 8H KS KC, and 7S 7H JD 7D."""
    film = filmed("trut", 2, "calm", 3, 2)
    cards = [str(event.card) for event in film.events if event.do == "play"]
    assert cards == ["KD", "8H", "KS", "KC", "7S", "7H", "JD", "7D"]
    return film


def written(stage: Stage, mistakes: dict[int, Event | None]) -> Tally:
    """The tally of a film whose first hand has these mistakes, by place in the record."""
    tally = Tally()
    run = Run(stage, tally, answer=True)
    second = run.played.begins[1]
    events = [mistakes.get(place, event) for place, event in enumerate(stage.events[:second])]
    run.log.events = [event for event in events if event is not None]
    run._note(math.nan)
    run.close_hand()
    return tally


def play(seat: int, card: str) -> Event:
    return Event("play", seat, card=parse_card(card))


@pytest.mark.parametrize(
    ("mistakes", "counts"),
    [
        ({}, {"right": 1, "cards_right": 4, "tricks_right": 2, "false_plays": 0, "spoiled": 0}),
        ({2: play(0, "8C")}, {"right": 1, "cards_right": 4, "tricks_right": 2, "false_plays": 0}),
        (
            {2: play(0, "7H")},
            {"right": 0, "cards_right": 3, "tricks_right": 1, "false_plays": 1, "spoiled": 1},
        ),
        ({4: None}, {"right": 0, "cards_right": 3, "tricks_right": 1, "false_plays": 0}),
        (
            {2: play(0, "9H"), 3: play(0, "QS"), 4: None},
            {"right": 0, "cards_right": 1, "tricks_right": 0, "false_plays": 2, "spoiled": 1},
        ),
        ({1: None, 2: None, 3: None, 4: None}, {"cards_right": 0, "false_plays": 0, "spoiled": 0}),
        ({0: None, 1: None, 2: None, 3: None, 4: None}, {"right": 0, "tricks_right": 0}),
    ],
    ids=["as played", "another suit", "another rank", "last card missed", "two wrong, one missed",
         "no card", "nothing"],
)  # fmt: skip
def test_a_record_that_is_known_is_counted_as_it_is(stage, mistakes, counts):
    tally = written(stage, mistakes)
    assert {name: getattr(tally, name) for name in counts} == counts
    assert (tally.hands, tally.cards, tally.tricks) == (1, 4, 2)
    assert bool(tally.failures) == (not tally.right)


def test_what_was_written_wrong_is_put_right_for_the_next_hand(stage):
    run = Run(stage, Tally(), answer=True)
    run.log.events = [stage.events[0], play(1, "9C")]
    run._note(math.nan)
    run.close_hand()
    assert run.log.events == list(stage.events[: run.played.begins[1]])
    assert run.log.match.hand_number == 1
    assert not run.log.match.in_progress


def test_a_deal_that_is_seen_early_belongs_to_the_next_hand(stage):
    run = Run(stage, tally := Tally(), answer=True)
    run.log.events = list(stage.events[: run.played.begins[1] + 1])
    run._note(math.nan)
    run.close_hand()
    assert (tally.right, tally.tricks, tally.tricks_right) == (1, 2, 2)
    assert len(run.log.events) == run.played.begins[1] + 1


def test_the_delay_is_from_the_cards_rest_to_when_it_was_known(stage):
    run = Run(stage, tally := Tally(), answer=True)
    for event, late in zip(
        stage.events[: run.played.begins[1]], (0.1, 0.2, 0.3, 0.4, None), strict=True
    ):
        run.log.events.append(event)
        run._note(math.nan if late is None else float(event.remarks["_at"]) + late)
    run.close_hand()
    assert tally.delays == pytest.approx([0.2, 0.3, 0.4])  # of cards that nobody had to answer for


def test_a_card_that_is_written_again_with_another_suit_was_known_before(stage):
    run = Run(stage, tally := Tally(), answer=True)
    for event in stage.events[:4]:
        run.log.events.append(event)
        run._note(float(event.remarks["_at"]) + 0.2)
    run.log.events += [Event("undo"), stage.events[3], stage.events[4]]
    run._note(float(stage.events[4].remarks["_at"]) + 0.2)
    run.close_hand()
    assert tally.delays == pytest.approx([0.2, 0.2, 0.2, 0.2])


class Asking:
    """A table that has asked a question, and records the answers."""

    def __init__(self, question: Question) -> None:
        self.questions: tuple[Question, ...] = (question,)
        self.answers: list[int] = []

    def answer(self, question: int, choice: int, at: float) -> tuple[Event, ...]:
        self.answers.append(choice)
        self.questions = ()
        return ()


def asked(stage: Stage, *, stands: float, answer: bool = True) -> tuple[Tally, Sequence[int]]:
    """A hand that is written without a mistake, with a question that is open for so long."""
    question = Question(1, "early", 1, (Choice("hold"), Choice("drop")), 7, 20.0)
    run = Run(stage, tally := Tally(), answer=answer)
    laid = next(seen.pose for seen in stage.at(22.0) if seen.lying.event is not None)
    run.table = Asking(question)  # type: ignore[assignment]
    came = Change("appeared", 22.0, SimpleNamespace(id=7, place=(laid.x, laid.y)))  # type: ignore[arg-type]
    run.take(20.0, 20.0, Happened(asked=(question,), changes=(came,)))
    for step in range(1, round(stands * 10)):
        run.take(20.0 + step / 10, 0.0, Happened())
    answers = run.table.answers
    run.table = SimpleNamespace(questions=())  # type: ignore[assignment]
    run.take(20.0 + stands, 0.0, Happened(withdrawn=(question,)))
    run.log.events = list(stage.events[: run.played.begins[1]])
    run._note(math.nan)
    run.close_hand()
    return tally, answers


@pytest.mark.parametrize(
    ("stands", "answer", "untouched", "answers"),
    [(1.5, True, 1, []), (2.5, True, 0, [0]), (2.5, False, 0, []), (1.5, False, 1, [])],
)
def test_a_question_that_is_cleared_up_in_time_is_no_touch(
    stage, stands, answer, untouched, answers
):
    tally, given = asked(stage, stands=stands, answer=answer)
    assert tally.right == 1
    assert tally.untouched == untouched
    assert given == answers
    assert tally.answered == len(answers)
    assert sum(tally.questions.values()) == 1


@pytest.mark.parametrize("game", ["trut", "truc_spain"])
def test_with_perfect_eyes_at_a_calm_table_nobody_has_to_touch_a_phone(game):
    film = filmed(game, 2, "calm", 5, 3)
    result = both_ways(film, list(watched(film, EYES["perfect"])))
    assert result["answering"] == result["alone"]
    assert result["alone"]["untouched"] == result["alone"]["hands"] == 3
    assert result["alone"]["cards_right"] == result["alone"]["cards"] > 0
    assert 0 < min(result["alone"]["delays"]) < max(result["alone"]["delays"]) < 1


def test_blind_eyes_get_nothing_right(stage):
    result = both_ways(stage, list(watched(stage, replace(EYES["perfect"], least=2.0))))
    assert result["alone"]["right"] == result["alone"]["cards_right"] == 0


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [("", "ab", 0), ("abc", "abc", 3), ("abc", "ac", 2), ("abcd", "bXcd", 3), ("ab", "ba", 1)],
)
def test_what_two_sequences_have_in_common_keeps_its_order(one, other, both):
    assert in_both(one, other) == in_both(other, one) == both


def test_the_command_tells_what_it_counted(capsys):
    assert main(["--hands", "1", "--grade", "calm", "--eyes", "perfect", "--seed", "4"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(
        "trut french 2 calm perfect: 1 hands; right 100.0%, with no touch 100.0%"
    )


@pytest.mark.parametrize(
    ("seed", "hands"), [(1, 3), (3, 3)], ids=["a deal that is told early", "cards thrown far"]
)
def test_V_14_nobody_is_asked_who_folded_while_a_hand_goes_on(seed, hands):
    tally = Tally()
    stage = filmed("trut", 4, "bar", seed, hands)
    Run(stage, tally, answer=False).watch(watched(stage, EYES["floors"]))
    assert tally.hands == hands
    assert not {"cleared", "thrown"} & set(tally.questions)


@cache
def calm_film(game: str, seats: int) -> tuple[Stage, Sequence[Glance]]:
    """Four hands, and what perfect eyes see of them."""
    stage = filmed(game, seats, "calm", 31, 4)
    return stage, tuple(watched(stage, EYES["perfect"]))


@pytest.mark.parametrize(
    "taps", [Taps(untapped=0.2), Taps(late=0.2), Taps(twice=0.5)],
    ids=["not tapped", "tapped late", "tapped twice"],
)  # fmt: skip
def test_v_22_hands_are_right_though_people_tap_carelessly(taps):
    """Right by plays and score: a call that others imply need not be tapped."""
    for game, seats in (("trut", 2), ("truc_spain", 4)):
        stage, glances = calm_film(game, seats)
        Run(stage, tally := Tally(), answer=True, taps=taps).watch(glances)
        assert tally.hands == tally.right == 4
        assert not tally.lost_beside


def test_v_22_a_second_tap_on_the_pack_is_no_word_of_the_next_hand():
    stage, tally = filmed("truc_spain", 2, "calm", 7500, 3), Tally()
    Run(stage, tally, answer=True, taps=Taps(twice=1.0)).watch(watched(stage, EYES["floors"]))
    assert tally.hands == tally.right == 3
