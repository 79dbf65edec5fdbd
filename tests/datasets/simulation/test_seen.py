"""Simulated eyes err as often as their settings say."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from datasets.films.director import direct
from datasets.films.matches import NAMES, play_match
from datasets.films.stage import BACK, Seen, Stage
from datasets.scenes.geometry import Points
from datasets.simulation.seen import EYES, Eyes, Watcher, main, watched
from scorekeeper.engine.header import Header
from vision.detection.detections import Detection


@pytest.fixture(scope="module")
def stage() -> Stage:
    record = play_match(Header(game="trut", seats=NAMES, best_of=5), 2, 6, misdeals=0)
    stage = direct(record.header, record.events, grade="home", seed=2)
    vars(stage)["at"] = cache(stage.at)  # all tests read the same moments, and change nothing
    return stage


def pairs(stage: Stage, eyes: Eyes, seed: int = 0) -> Iterator[tuple[Seen, list[Detection]]]:
    """Yields each card of each frame, and the detections whose middle is at the card's middle."""
    truths: dict[object, Points] = {}  # most cards lie still for long
    for glance in watched(stage, eyes, seed):
        middles = np.array([detection.corners.mean(axis=0) for detection in glance.detections])
        for card in stage.at(glance.at):
            key = (card.top, stage.shift(glance.at))
            if key not in truths:
                place = np.array([[card.pose.x, card.pose.y]])
                truths[key] = stage.to_frame(place, glance.at, card.top.lift)[0]
            far = np.linalg.norm(middles.reshape(-1, 2) - truths[key], axis=1)
            near = [glance.detections[number] for number in np.flatnonzero(far < 5)]
            yield card, near


def test_perfect_eyes_see_every_card_as_it_is(stage):
    for card, near in pairs(stage, EYES["perfect"]):
        if card.visible >= EYES["perfect"].least:
            assert card.lying.card in {detection.card for detection in near}


def test_a_heap_is_seen_where_its_upper_card_is(stage):
    heaps = 0
    for glance in watched(stage, EYES["perfect"]):
        for card in stage.at(glance.at):
            if card.lying.thick > 1 and card.visible == 1:
                upper = stage.card_at(card.pose._replace(lift=card.lying.height), glance.at)
                assert card.moving or any(
                    np.abs(seen.corners - upper).max() < 1e-3 for seen in glance.detections
                )
                heaps += 1
    assert heaps > 50


def test_what_is_wholly_covered_is_not_seen(stage):
    hidden = 0
    for glance in watched(stage, EYES["perfect"]):
        cards = stage.at(glance.at)
        assert len(glance.detections) == sum(c.visible >= EYES["perfect"].least for c in cards)
        hidden += sum(c.visible < EYES["perfect"].least for c in cards)
    assert hidden > 0


def test_the_same_seed_sees_the_same_and_another_one_another(stage):
    def told(seed: int) -> list[object]:
        return [
            (glance.at, [(s.card, s.probability, s.corners.tolist()) for s in glance.detections])
            for glance in Watcher(stage, EYES["floors"], seed).frames(20.0, 40.0)
        ]

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_ranks_are_right_as_often_as_the_eyes_say_and_they_know_it(stage):
    """The eyes ``floors`` read 93–98 % of ranks right; their probabilities are true on average."""
    eyes = replace(EYES["floors"], rank_right=(0.95, 0.95), double=0.0, stubborn=0.0)
    right, sure = [], []
    for seed in range(2):
        for card, near in pairs(stage, eyes, seed):
            if card.lying.face == "up" and not card.moving and card.visible > 0.99 and near:
                if near[0].card == BACK:
                    continue
                rank = near[0].card[:-1]
                right.append(rank == card.lying.card[:-1])
                sure.append(sum(p for name, p in near[0].readings if name[:-1] == rank))
    assert len(right) > 3000
    assert np.mean(right) == pytest.approx(0.95, abs=0.015)
    assert np.mean(sure) == pytest.approx(float(np.mean(right)), abs=0.015)
    unsure = [hit for hit, p in zip(right, sure, strict=True) if p < 0.8]
    assert np.mean(unsure) < 0.75


def test_misses_grow_with_cover(stage):
    eyes = replace(EYES["floors"], corner=0.0, double=0.0)
    seen: dict[bool, list[bool]] = {False: [], True: []}
    for seed in range(2):
        for card, near in pairs(stage, eyes, seed):
            if not card.moving and card.visible > eyes.least:
                if card.visible > 0.99:
                    seen[False].append(bool(near))
                elif card.visible < 0.6:
                    seen[True].append(bool(near))
    assert 0.01 < 1 - np.mean(seen[False]) < 0.035
    assert 1 - np.mean(seen[True]) > 0.1


def test_corners_are_off_by_about_three_hundredths_of_the_height(stage):
    eyes = replace(EYES["floors"], double=0.0, false=0.0, haunted=0.0)
    far = []
    watcher = Watcher(stage, eyes)
    for glance in watcher.frames():
        for card in stage.at(glance.at):
            if card.moving or card.visible < 0.99:
                continue
            truth = watcher._corners(card.pose, glance.at)
            tall = np.linalg.norm(truth[0] - truth[3])
            near = [
                s for s in glance.detections
                if np.linalg.norm(s.corners.mean(axis=0) - truth.mean(axis=0)) < 0.1 * tall
            ]  # fmt: skip
            for detection in near[:1]:
                both = (detection.corners, np.roll(detection.corners, 2, axis=0))
                errors = [np.linalg.norm(c - truth, axis=1).mean() for c in both]
                far.append(min(errors) / tall)
    assert 0.02 < float(np.median(far)) < 0.035


def test_a_card_that_lies_still_is_read_wrong_again_and_again(stage):
    """Errors last: the frames of a card agree far more often than independent errors would."""
    eyes = replace(EYES["floors"], rank_right=(0.8, 0.8), double=0.0)
    stays: list[bool] = []
    last: dict[int, str] = {}
    for card, near in pairs(stage, eyes):
        if card.lying.face == "up" and not card.moving and card.visible > 0.99 and near:
            wrong = near[0].card[:-1] != card.lying.card[:-1]
            if card.number in last and last[card.number] != card.lying.card[:-1]:
                stays.append(wrong)
            last[card.number] = near[0].card[:-1]
    assert len(stays) > 50
    assert np.mean(stays) > 0.4


def test_stubborn_eyes_read_a_card_that_lies_still_the_same_in_each_frame(stage):
    eyes = replace(EYES["stubborn"], double=0.0, false=0.0, haunted=0.0)
    read: dict[object, set[object]] = {}
    for card, near in pairs(stage, eyes):
        if not card.moving and card.visible == 1 and near:
            read.setdefault((card.number, card.pose), set()).add(near[0].readings)
    assert len(read) > 20
    assert sum(len(readings) == 1 for readings in read.values()) > 0.9 * len(read)


def test_there_are_false_cards_doubles_and_backs_that_are_taken_for_cards(stage):
    eyes = replace(EYES["floors"], false=0.2, double=0.2, back_right=0.8)
    plain = replace(eyes, false=0.0, double=0.0, haunted=0.0)

    def count(eyes: Eyes) -> int:
        return sum(len(glance.detections) for glance in watched(stage, eyes))

    assert count(eyes) > 1.15 * count(plain)
    backs = [near[0].card for card, near in pairs(stage, eyes) if card.lying.card == BACK and near]
    assert 0.5 < np.mean([name == BACK for name in backs]) < 0.95


def test_readings_are_of_the_pack_and_their_probabilities_fall(stage):
    for glance in watched(stage, EYES["floors"]):
        assert glance.known == pytest.approx(glance.at + EYES["floors"].lag)
        for detection in glance.detections:
            values = [p for _, p in detection.readings]
            assert values == sorted(values, reverse=True)
            assert 0 < sum(values) <= 1.001
            assert detection.corners.shape == (4, 2)
            ranks = {name[:-1] for name, _ in detection.readings if name != BACK}
            assert ranks <= set(stage.header.rules.order)


def test_the_command_counts_what_it_made(capsys):
    assert main(["--hands", "2", "--eyes", "perfect", "--seats", "2"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("2 hands")
    assert "ranks right 1.0000" in told
