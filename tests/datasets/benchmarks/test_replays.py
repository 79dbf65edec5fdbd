"""A take is given to a table again: it writes the same, or the difference is told."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from datasets.benchmarks.replays import (
    Replay,
    SharedLog,
    laid_in_words,
    stands,
    steps,
    watched,
)
from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.benchmarks.taps import CAREFUL, Taps
from datasets.simulation.seen import EYES
from datasets.simulation.seen import watched as glances_of
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start
from scorekeeper.errors import FormatError, StaleAppend
from tests.scorekeeper.talk import event
from tests.vision.evidence.test_take_keeper import Kept
from vision.belief.courses import by_course, course_of
from vision.belief.hypotheses import Hypothesis, Play
from vision.capture.sources import Frame
from vision.evidence.take_keeper import TakeKeeper, TakenTable
from vision.evidence.takes import Appended, Beginning, Moment, Word

HEADER = Header(game="trut", seats=("Ana", "Bea"))
EVENING, BY_MAIL = 3 * 3600, 20_000_000
"""The seconds of an evening, and the bytes that can be sent by mail."""
PLACE = np.eye(3)


def film(path, game: str, seats: int, seed: int, hands: int, *, taps: Taps = CAREFUL):
    """Watches a simulated film and keeps a take of it; returns what was written."""
    stage = filmed(game, seats, "bar", seed, hands)
    run = Run(stage, Tally(), answer=True, taps=taps)
    keeper = TakeKeeper(path)
    keeper.begin(run.log.match.header)
    width, height = stage.camera.size
    keeper.frame(Frame(np.zeros((height, width, 3), np.uint8), 0.0, 0))
    run.table = TakenTable(run._plane(0.0), run.log, keeper)
    for glance in glances_of(stage, EYES["floors"]):
        at = round(glance.at, 3)
        run.go_on(at)
        run.table.plane = run._plane(at)
        arms = frozenset(hand.seat for _, hand, _ in stage.passing(glance.at))
        happened = run.table.see(
            at, glance.detections, lambda points: points[:, 0] < 64, lambda arms=arms: arms
        )
        run.take(at, at + 1 / 15, happened)
    run.finish()
    keeper.heard(run.log)
    keeper.close()
    return run


@pytest.mark.parametrize(
    ("game", "seats", "seed", "hands"), [("trut", 4, 3, 1), ("truc_spain", 2, 12, 2)]
)
def test_the_same_code_writes_the_same_events_to_the_letter(tmp_path, game, seats, seed, hands):
    run = film(tmp_path / "take.gz", game, seats, seed, hands, taps=Taps(untapped=0.3))
    told = list(watched(tmp_path / "take.gz"))
    replay = told[-1][0]
    assert [each.bare() for each in replay.log.events] == [each.bare() for each in run.log.events]
    assert (tmp_path / "take.gz").stat().st_size / run.stage.ends * EVENING < BY_MAIL
    assert [hand.number for _, hand in told] == list(range(1, len(told) + 1))
    assert all(hand.alike for _, hand in told)


def test_what_is_written_otherwise_now_is_told_once_and_then_put_as_it_was(tmp_path):
    top = Kept(tmp_path / "take.gz")
    for dealer, card in ((0, "KS"), (1, "8S")):
        top.by_hand(f"{dealer} deal 3")
        top.run(0.5)
        top.put(card, 1 - dealer)
        top.run(1.0)
        top.by_hand("concede 0")
        top.take()
        top.run(1.0)
    top.keeper.close()
    written = '[1,{"do":"play","seat":1,"card":"KS"'
    assert top.text().count(written) == 1
    text = top.text().replace(written, written.replace("KS", "QS"))  # as if it had written a queen
    top.path.write_bytes(gzip.compress(text.encode()))
    first, second = (hand for _, hand in watched(top.path))
    assert ([each.in_words() for each in first.then[:2]], first.alike) == (
        ["deal 3", "play QS"], False,
    )  # fmt: skip
    assert [each.in_words() for each in first.now[:2]] == ["deal 3", "play KS"]
    assert ([each.in_words() for each in second.now[:2]], second.alike) == (
        ["deal 3", "play 8S"], True,
    )  # fmt: skip


def test_where_others_were_quicker_then_they_are_again():
    log = SharedLog(HEADER, [event("0 deal 3")])
    log.coming.extend([(False, event("1 play KS")), (True, event("0 play 7S"))])
    with pytest.raises(StaleAppend):
        log.say([event("1 play QS")], 1)
    assert [each.in_words() for each in log.events] == ["deal 3", "play KS"]
    log.say([event("0 play 7S")], 2)
    assert not log.coming


def replay_of(*said: str) -> Replay:
    beginning = Beginning({}, HEADER, tuple(map(event, said)))
    return Replay(beginning)


def told(*texts: str) -> Appended:
    return Appended(tuple((False, event(text)) for text in texts))


def test_what_people_say_is_said_again():
    replay = replay_of("0 deal 3")
    assert list(replay.go_on(told("1 play KS", "0 play 7S"))) == []
    assert [each.in_words() for each in replay.log.events] == ["deal 3", "play KS", "play 7S"]


def test_a_correction_brings_what_differs_to_what_people_said():
    replay = replay_of("0 deal 3")
    replay.then.take(event("1 play KS"))
    replay.log.take(event("1 play QS"))  # the table of today reads the card as a queen
    list(replay.go_on(told("undo", "1 play JS")))
    assert replay.log.match.steps.event == event("1 play JS")
    (hand,) = replay.end()
    assert hand.alike
    assert hand.put_right


def test_a_call_is_said_also_where_what_is_written_differs():
    replay = replay_of("0 deal 3")
    replay.then.take(event("1 play KS"))
    replay.log.take(event("1 play QS"))
    list(replay.go_on(told("0 trut")))
    assert [each.in_words() for each in replay.log.events] == ["deal 3", "play QS", "trut"]


def test_a_new_hand_begins_as_it_was_written_then():
    replay = replay_of("0 deal 3")
    replay.then.take(event("1 play KS"))
    replay.log.take(event("1 play QS"))
    (hand,) = [each for text in ("concede 0", "1 deal 3") for each in replay.go_on(told(text))]
    assert (hand.number, hand.alike, hand.put_right) == (1, False, False)
    assert [each.in_words() for each in hand.then][:2] == ["deal 3", "play KS"]
    assert [each.in_words() for each in hand.now][:2] == ["deal 3", "play QS"]
    assert stands(replay.log.events) == stands(replay.then.events)
    assert replay.log.match.hand_number == 2


def test_a_painted_film_is_told_of():
    with pytest.raises(FormatError, match=r"datasets\.benchmarks\.corpus"):
        Replay(Beginning({"game": "trut"}, None, ()))


def test_each_line_comes_with_what_was_appended_while_it_was_judged():
    moment = Moment(1.0, (), None, None, PLACE)
    word = Word(1.0, event("0 fold"))
    first, second = told("1 play KS"), told("0 play 7S")
    assert [(line, len(came)) for line, came in steps([moment, first, second, word, moment])] == [
        (moment, 1), (second, 0), (word, 0), (moment, 0),
    ]  # fmt: skip


def test_stories_that_lay_the_same_ranks_are_one_but_for_one_that_ended():
    match = start(HEADER)
    one = Hypothesis(match, 0.0, (Play(1, "KS", 1, 0.0), Play(0, "7S", 2, 0.0)))
    suit = one._replace(plays=(Play(1, "KH", 1, 0.0), Play(0, "7S", 2, 0.0)))
    other = one._replace(plays=(Play(1, "JS", 1, 0.0),))
    ended = one._replace(ended=True)
    (first, best), (second, rest), (third, over) = by_course([one, suit, other, ended])
    assert (first, second, third) == pytest.approx((1 / 2, 1 / 4, 1 / 4))
    assert (best, over) == (one, ended)
    course = course_of(best)
    assert laid_in_words(course, ended=False) == "seat 1 laid K, then seat 0 laid 7"
    assert laid_in_words(course_of(rest)[1:], ended=False) == "nobody laid one more"
    assert laid_in_words(course[2:], ended=over.ended) == "the hand ended"


@pytest.mark.parametrize(
    ("place", "read"),
    [
        ((20, -25), {"7S": 0.97}),  # before the seat that is not due: it is too early
        ((0, 25), {"7S": 0.5, "8S": 0.45}),  # is asked about
        ((0, 25), {"2D": 0.97}),  # is not of the pack
    ],
)
def test_a_face_that_was_not_played_is_seen_as_some_other_card_of_its_kind(tmp_path, place, read):
    top = Kept(tmp_path / "take.gz", "trut", 2)
    top.by_hand("0 deal 3")
    top.run(0.5)
    top.put("KS", 1)
    top.put("7S", at=place, **read)
    top.run(8.0)
    hints, asked = top.hints(), top.asked()
    top.keeper.close()
    replay = list(watched(top.path))[-1][0]
    assert [each.bare() for each in replay.log.events] == [each.bare() for each in top.log.events]
    assert [each.split(": ", 1)[0][-4:] for each in replay.story].count("hint") == len(hints)
    assert [each.kind for each in replay.table.questions] == asked
    assert hints or asked
