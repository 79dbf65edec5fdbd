"""The score of the tracker: what is counted for simulated eyes with known errors."""

from __future__ import annotations

from datasets.benchmarks.steady_score import Kept
from datasets.films.director import direct
from datasets.films.matches import NAMES, play_match
from datasets.simulation.seen import EYES, Eyes, watched
from scorekeeper.engine.header import Header
from vision.geometry.table_plane import Plane
from vision.tracking.tracker import Tracker


def kept(eyes: Eyes, grade: str = "calm", hands: int = 3) -> Kept:
    record = play_match(Header(game="trut", seats=NAMES[:2], best_of=5), 2, hands, misdeals=0)
    stage = direct(record.header, record.events, grade=grade, seed=2)
    tracker, counted = Tracker(), Kept(stage)
    plane = Plane(stage.homography(), stage.outline, 2)
    for glance in watched(stage, eyes):
        counted.add(glance.at, tracker.update(glance.at, glance.detections, plane))
    return counted


def test_with_perfect_eyes_played_cards_are_known_once_and_kept():
    counted = kept(EYES["perfect"])
    stage = counted.stage
    known = {owner for owner in counted.owners.values() if owner is not None}
    assert {n for n, card in enumerate(stage.lying) if card.event is not None} <= known
    assert counted.false == counted.lost == 0
    assert all(counted.right)
    assert max(counted.delays) < 1.0


def test_cards_that_are_none_are_counted_as_such():
    assert kept(Eyes(haunted=300.0), hands=1).false > 0


def test_cards_that_are_missed_for_long_are_counted_as_lost():
    assert kept(Eyes(miss=0.9), "home").lost > 0


def test_what_was_counted_is_told():
    counted = kept(EYES["perfect"])
    lines = counted.lines(counted.stage.ends)
    up = [c for c in counted.stage.lying if c.card != "back" and c.leaves - c.rests > 0.7]
    assert f"of {len(up)} face up" in lines[0]
    assert "lost while they lay there: 0" in lines[2]
