"""``Health`` names what is wrong with a picture; a complaint neither flickers nor comes wrongly."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from datasets.benchmarks.hardship import blurred, dimmed, glaring, noisy
from datasets.benchmarks.heights import lay
from datasets.scenes.geometry import Camera, card_corners
from datasets.scenes.textures import surface
from vision.detection.detections import Detection
from vision.geometry.drift import Drift
from vision.health import SENTENCES, Health, Limits, Problem, measure

SIZE = (960, 540)
Cards = list[tuple[str, np.ndarray]]


def face(rank: str) -> np.ndarray:
    """A plain card: white paper, two indices, a pip in the middle."""
    card = np.full((400, 280, 3), 225, np.uint8)
    for _ in range(2):
        cv2.putText(card, rank, (14, 70), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (30, 30, 30), 7)
        cv2.circle(card, (40, 110), 18, (40, 40, 190), -1)
        cv2.circle(card, (140, 130), 34, (40, 40, 190), -1)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


@cache
def table(tall: float = 110, seed: int = 1, shift: float = 0.0) -> tuple[np.ndarray, Cards]:
    """Four cards on wood or cloth in good light, each so many pixels tall."""
    camera = Camera(1000.0, 8800 / tall, 0.1, 0.0, SIZE)
    picture = (surface(np.random.default_rng(seed), SIZE[1], SIZE[0]) * 0.7).astype(np.uint8)
    cards = []
    for number, rank in enumerate("AKQJ"):
        place = camera.on_table((200 + 190 * number, 270))
        turn = seed + number * math.pi / 3
        corners = camera.project(card_corners(6.2, 8.8, place, turn))
        lay(picture, face(rank), corners)
        cards.append((f"{rank}S", corners))
    if shift:
        picture = np.roll(picture, round(shift), axis=1)
        cards = [(name, corners + np.array([shift, 0])) for name, corners in cards]
    return noisy(picture, seed), cards


def seen(cards: Cards, sure: float = 0.99) -> list[Detection]:
    return [Detection(corners.astype(np.float32), 0.9, ((name, sure),)) for name, corners in cards]


def problems(health: Health, picture: np.ndarray, detections: list[Detection], start: float = 0.0,
         seconds: float = 5.0) -> list[Problem]:  # fmt: skip
    """The complaints after a picture was checked for some seconds, twice a second."""
    said = []
    for half in range(round(seconds * 2)):
        said = health.check(start + half / 2, picture, detections)
    return [complaint.problem for complaint in said]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("tall", [70, 110, 200])
def test_nothing_is_said_about_a_good_picture(tall: float, seed: int) -> None:
    picture, cards = table(tall, seed)
    assert problems(Health(), picture, seen(cards)) == []


Change = Callable[[np.ndarray, Cards], np.ndarray]
DEGRADED = [
    pytest.param(lambda picture, _: dimmed(picture, 0.12), Problem.DARK, id="in the dark"),
    pytest.param(lambda picture, _: dimmed(picture, 4.0), Problem.BRIGHT, id="overexposed"),
    pytest.param(lambda picture, cards: glaring(picture, 0.3, cards), Problem.GLARE, id="glare"),
    pytest.param(lambda picture, cards: glaring(picture, 0.3, cards[:1]), Problem.GLARE,
                 id="glare on one card"),
    pytest.param(lambda picture, _: blurred(picture, 3.5), Problem.BLUR, id="out of focus"),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("change", "problem"), DEGRADED)
def test_each_degraded_picture_is_named(change: Change, problem: Problem, seed: int) -> None:
    picture, cards = table(seed=seed)
    assert problems(Health(), change(picture, cards), seen(cards)) == [problem]


@pytest.mark.parametrize("tall", [25, 33, 45])
def test_cards_that_are_too_small_are_named(tall: float) -> None:
    picture, cards = table(tall)
    assert Problem.SMALL in problems(Health(), picture, seen(cards))


def test_a_dark_table_without_cards_is_named() -> None:
    picture, _ = table()
    assert problems(Health(), dimmed(picture, 0.08), []) == [Problem.DARK]
    assert problems(Health(), picture, []) == []


def test_only_the_table_is_asked_about_light() -> None:
    class Plane:
        outline = np.array([[-10.0, -10], [10, -10], [10, 10], [-10, 10]])

        def to_frame(self, points: np.ndarray) -> np.ndarray:
            return points * 20 + (640, 360)

    picture = np.full((720, 1280, 3), 20, np.uint8)
    picture[:100, :100] = 255  # a window beside the table
    assert measure(picture, []).bare == pytest.approx(255)
    assert measure(picture, [], Plane()).bare == pytest.approx(20)


def test_backs_say_nothing_about_focus_and_size() -> None:
    picture, cards = table(25)
    backs = [Detection(corners.astype(np.float32), 0.9, (("back", 0.99),)) for _, corners in cards]
    assert problems(Health(), picture, backs) == []


@pytest.mark.parametrize(
    ("sure", "named"), [(0.99, False), (0.9, False), (0.78, True), (0.5, True)]
)
def test_a_deck_that_is_read_badly_is_named(sure: float, named: bool) -> None:
    picture, cards = table()
    health = Health(Limits(readings=10))
    said = problems(health, picture, seen(cards, sure), seconds=12)
    assert said == ([Problem.DECK] if named else [])


def test_cards_that_were_not_read_say_nothing_about_the_deck() -> None:
    picture, cards = table()
    unread = [replace(each, readings=()) for each in seen(cards)]
    said = problems(Health(Limits(readings=10)), picture, seen(cards) + unread, seconds=12)
    assert said == []


def test_in_bad_light_the_deck_is_not_blamed() -> None:
    picture, cards = table()
    health = Health(Limits(readings=10))
    assert problems(health, dimmed(picture, 0.12), seen(cards, 0.5), seconds=12) == [Problem.DARK]


# Time


def test_a_complaint_comes_after_a_while_and_goes_after_a_while() -> None:
    picture, cards = table()
    dark, detections, health = dimmed(picture, 0.12), seen(cards), Health()
    said = {}
    for half in range(40):
        at = half / 2
        shown = dark if 4 <= at < 10 else picture
        said[at] = [complaint.problem for complaint in health.check(at, shown, detections)]
    assert [at for at in said if said[at]] == [half / 2 for half in range(12, 26)]  # 6 … 12.5


@pytest.mark.parametrize(("every", "named"), [(2, False), (3, False), (9, True)])
def test_a_hand_that_darkens_the_table_for_a_moment_is_not_named(every: int, named: bool) -> None:
    picture, cards = table()
    dark, detections, health = dimmed(picture, 0.12), seen(cards), Health()
    ever = False
    for half in range(60):
        shown = picture if half % every == 0 else dark
        ever |= bool(health.check(half / 2, shown, detections))
    assert ever == named


def test_two_bad_looks_that_lie_apart_are_no_complaint() -> None:
    picture, cards = table()
    soft, health = blurred(picture, 3.5), Health()
    for second in (0, 60):
        assert Problem.BLUR not in problems(health, soft, seen(cards), start=second, seconds=0.5)
        assert problems(health, picture, [], start=second + 1) == []  # nothing is measured
    assert Problem.BLUR in problems(health, soft, seen(cards), start=120)


def test_backs_on_a_dark_table_take_no_complaint_back() -> None:
    picture, _ = table()
    dim, health = dimmed(picture, 0.2), Health()
    dark = dimmed(picture, 0.08)
    assert problems(health, dark, []) == [Problem.DARK]
    for half in range(20):  # the white borders of what lies face down are brighter than the table
        said = health.check(10 + half / 2, dim, [], empty=False)
    assert [complaint.problem for complaint in said] == [Problem.DARK]


def test_between_the_two_limits_nothing_changes() -> None:
    picture, cards = table()
    detections, health = seen(cards), Health(Limits(dark=(100.0, 140.0)))
    between, bad = dimmed(picture, 0.54), dimmed(picture, 0.3)
    level = measure(between, detections).dark
    assert level is not None
    assert 105 < level < 135
    assert problems(health, between, detections) == []
    assert problems(health, bad, detections, 10) == [Problem.DARK]
    assert problems(health, between, detections, 20, 30) == [Problem.DARK]
    assert problems(health, picture, detections, 60) == []


# The camera


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("shift", "named"), [(2, False), (20, True), (60, True)])
def test_a_camera_that_was_moved_is_named(shift: float, named: bool, seed: int) -> None:
    health = Health()
    picture, cards = table(seed=seed)
    assert problems(health, picture, seen(cards)) == []
    moved, shifted = table(seed=seed, shift=shift)
    assert problems(health, moved, seen(shifted), 10) == ([Problem.MOVED] if named else [])
    health.placed()
    assert problems(health, moved, seen(shifted), 20) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("degrees", "named"), [(0.2, False), (2.0, True), (-3.0, True)])
def test_a_camera_that_was_twisted_is_named(degrees: float, named: bool, seed: int) -> None:
    health = Health()
    picture, cards = table(seed=seed)
    middle = (picture.shape[1] / 2, picture.shape[0] / 2)
    twist = cv2.getRotationMatrix2D(middle, degrees, 1)
    twisted = cv2.warpAffine(picture, twist, SIZE, borderMode=cv2.BORDER_REFLECT)
    assert problems(health, picture, seen(cards)) == []
    assert problems(health, twisted, [], 10) == ([Problem.MOVED] if named else [])


@pytest.mark.parametrize("seed", range(3))
def test_other_cards_and_less_light_are_no_move(seed: int) -> None:
    drift = Drift()
    picture, _ = table(seed=seed)
    bare = noisy((surface(np.random.default_rng(seed), *SIZE[::-1]) * 0.7).astype(np.uint8), 9)
    assert drift.update(bare) == 0
    for shown in (picture, dimmed(picture, 0.6), dimmed(bare, 0.4)):
        shift = drift.update(shown)
        assert shift is None or shift < 0.002


def test_a_picture_that_has_nothing_in_common_with_the_first_one_tells_nothing() -> None:
    drift, chance = Drift(), np.random.default_rng(3)
    drift.update(chance.integers(0, 255, (720, 1280, 3), np.uint8))
    assert drift.update(chance.integers(0, 255, (720, 1280, 3), np.uint8)) is None


@pytest.mark.parametrize("seed", [2, 4])  # wood; a plain cloth looks alike everywhere
@pytest.mark.parametrize("elsewhere", ["far", "turned", "another table"])
def test_a_camera_that_shows_other_things_was_moved_and_may_be_put_back(
    elsewhere: str, seed: int
) -> None:
    health, (picture, cards) = Health(), table(seed=seed)
    other = {
        "far": table(seed=seed, shift=300)[0],
        "turned": np.ascontiguousarray(picture[::-1, ::-1]),
        "another table": table(seed=seed + 1)[0],
    }[elsewhere]
    assert problems(health, picture, seen(cards)) == []
    assert problems(health, other, [], 10) == [Problem.MOVED]
    assert problems(health, picture, seen(cards), 20) == []


def test_in_the_dark_and_after_it_no_camera_was_moved() -> None:
    drift = Drift()
    picture, _ = table()
    for shown in (picture, picture, np.zeros_like(picture), picture):
        shift = drift.update(shown)
        assert shift is None or shift < 0.002


def test_light_that_wanders_until_nothing_is_left_of_the_first_picture_is_no_move() -> None:
    drift, before, after = Drift(), table(seed=2)[0], table(seed=3)[0]
    for share in np.linspace(0, 1, 40):
        shift = drift.update(cv2.addWeighted(before, 1 - share, after, share, 0))
        assert shift is not None
        assert shift < 0.004


def test_a_first_frame_that_was_dark_is_no_measure_for_good() -> None:
    drift = Drift()
    picture, _ = table()
    drift.update(np.zeros_like(picture))
    for _ in range(2):
        drift.update(picture)
    shift = drift.update(np.roll(picture, 40, axis=1))
    assert shift is not None
    assert shift > 0.03


def test_a_frame_of_another_size_begins_anew() -> None:
    drift = Drift()
    picture, _ = table()
    drift.update(picture)
    assert drift.update(picture[:400, 100:]) == 0


@pytest.mark.parametrize("problem", Problem)
def test_every_complaint_says_what_is_wrong_and_what_to_do(problem: Problem) -> None:
    assert all(text.endswith(".") for text in SENTENCES[problem])
