"""``Cover`` tells what hands cover and what moves, on drawn tables with hands, light and noise."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.tabletop import corners, plane
from vision.geometry.table_plane import Plane
from vision.occlusion.cover import Cover, FrameState
from vision.tracking.covered import samples
from vision.tracking.tracked_card import NOTHING, TrackedCard

RATE = 10.0
SMALL = 0.5
"""The scale of frames against those of ``tests.vision.tabletop``: small ones are painted faster."""
WOOD, FELT = (70, 100, 140), (45, 60, 40)
SKIN, SLEEVE = (120, 150, 205), (60, 50, 45)


class Scene:
    """A table from straight above, painted frame by frame, and what ``Cover`` says of it.

    Args:
        colour: the colour of the table: blue, green and red.
        noise: the standard deviation of the noise, in grey levels.
    """

    def __init__(self, colour: tuple[int, int, int] = WOOD, noise: float = 3.0) -> None:
        self.rng = np.random.default_rng(5)
        grain = self.rng.normal(0, 6, (90, 160)).astype(np.float32)
        self.table = np.asarray(colour, np.float32) + cv2.resize(grain, (640, 360))[..., None]
        self.noise = self.rng.normal(0, noise, (400, 680, 3)).astype(np.float32)
        self.gain, self.shadow = 1.0, None
        self.cards: dict[int, tuple[float, float, tuple[int, int, int]]] = {}
        self.pips = ((0.2, 0.2), (0.5, 0.5), (0.8, 0.8))
        self.stripes = 0.0
        self.known: set[int] = set()
        self.hand: tuple[float, float, tuple[int, int, int]] | None = None
        self.shift = 0
        self.at = 0.0
        self.cover = Cover()
        self.plane = Plane(plane(2).homography @ np.diag([2.0, 2.0, 1.0]), plane(2).outline, 2)
        self.looks: list[FrameState] = []

    def put(self, x: float, y: float, *, paper=(225, 230, 230), known: bool = True) -> int:
        """Lays an upright card; returns its number."""
        number = len(self.cards) + 1
        self.cards[number] = (x, y, paper)
        if known:
            self.known.add(number)
        return number

    def frame(self) -> np.ndarray:
        """The frame that the camera sees now."""
        picture = self.table.copy()
        for x, y, paper in self.cards.values():
            quad = corners(x, y, 0.0) * SMALL
            cv2.fillConvexPoly(picture, quad.round().astype(np.int32), paper)
            for across, down in self.pips:
                spot = quad[0] + (quad[1] - quad[0]) * across + (quad[3] - quad[0]) * down
                cv2.circle(picture, spot.round().astype(int).tolist(), 4, (30, 30, 180), -1)
            left, top, right, bottom = (*quad[0].round().astype(int), *quad[2].round().astype(int))
            picture[top:bottom:2, left:right] -= self.stripes
            picture[top + 1 : bottom : 2, left:right] += self.stripes
        if self.shadow is not None:
            mask = np.ones(picture.shape[:2], np.float32)
            cv2.circle(mask, self.shadow, 75, 0.6, -1)
            picture *= cv2.GaussianBlur(mask, (0, 0), 12)[..., None]
        if self.hand is not None:
            x, y, colour = self.hand
            tip = (corners(x, y, 0.0).mean(axis=0) * SMALL).round().astype(int)
            low, high = (int(tip[0] - 17), int(tip[1] - 20)), (int(tip[0] + 17), 360)
            cv2.rectangle(picture, low, high, colour, -1)
        if self.shift:
            picture = np.roll(picture, self.shift, axis=1)
        row, column = self.rng.integers(0, 40, 2)
        noise = self.noise[row : row + 360, column : column + 640]
        picture *= self.gain
        picture += noise
        return np.clip(picture, 0, 255, out=picture).astype(np.uint8)

    def steady(self, number: int, missing: float = 0.0) -> TrackedCard:
        """A card as the tracker knows it."""
        x, y, _ = self.cards[number]
        quad = corners(x, y, 0.0) * SMALL + np.array([self.shift, 0.0])
        return TrackedCard(
            id=number, place=(x, y), turn=0.0, came=(x, y), quad=self.plane.to_table(quad),
            corners=quad, evidence=NOTHING, detections=5, since=0.0, appeared=0.0,
            seen=self.at - missing, missing=missing,
        )  # fmt: skip

    def run(self, seconds: float, gone: tuple[TrackedCard, ...] = ()) -> list[FrameState]:
        """Lets time pass; returns what ``Cover`` said of each frame."""
        looks = []
        for _ in range(round(seconds * RATE)):
            self.at += 1 / RATE
            under = {n for n in self.known if self.hand and self._is_under(n)}
            cards = [self.steady(n, 1.0 if n in under else 0.0) for n in sorted(self.known)]
            looks.append(self.cover.update(self.at, self.frame(), self.plane, [*cards, *gone]))
        self.looks += looks
        return looks

    def _is_under(self, number: int) -> bool:
        assert self.hand is not None
        x, y, *_ = self.cards[number]
        return abs(x - self.hand[0]) < 4 and y > self.hand[1] - 5

    def covered(self, number: int, corners_of: TrackedCard | None = None) -> float:
        """The share of a card's place that is covered now, as ``Cover`` says."""
        card = corners_of or self.steady(number)
        return float(self.looks[-1].covered(samples(card.corners)).mean())


@cache
def _watched(colour: tuple[int, int, int], noise: float) -> tuple[Scene, int]:
    scene = Scene(colour, noise)
    scene.run(4)
    number = scene.put(0.0, 10.0)
    scene.run(2)
    return scene, number


def watched(colour: tuple[int, int, int] = WOOD, noise: float = 3.0) -> tuple[Scene, int]:
    """A table that was seen bare and then with a card, and the number of that card."""
    return deepcopy(_watched(colour, noise))


@pytest.mark.parametrize("table", [WOOD, FELT], ids=["wood", "felt"])
@pytest.mark.parametrize("hand", [SKIN, SLEEVE], ids=["skin", "sleeve"])
@pytest.mark.parametrize("rests", [0.3, 6.0])
def test_a_hand_covers_a_card_while_it_moves_and_while_it_rests(table, hand, rests):
    scene, card = watched(table)
    assert scene.covered(card) == 0
    scene.hand = (0.0, 4.0, hand)
    scene.run(rests)
    assert scene.covered(card) > 0.8
    scene.hand = None
    scene.run(0.3)
    assert scene.covered(card) < 0.1


@pytest.mark.parametrize("table", [WOOD, FELT], ids=["wood", "felt"])
@pytest.mark.parametrize("arm", [SKIN, SLEEVE], ids=["skin", "sleeve"])
def test_it_is_told_who_reaches_over_the_table_while_the_arm_moves(table, arm):
    scene, _ = watched(table)
    assert scene.looks[-1].reaching() == set()
    scene.hand = (0.0, 4.0, arm)
    scene.run(0.3)
    assert scene.looks[-1].reaching() == {0}
    scene.run(2.0)  # it rests on the edge: whoever lays a card moves
    assert scene.looks[-1].reaching() == set()


@pytest.mark.parametrize("table", [WOOD, FELT], ids=["wood", "felt"])
def test_a_card_whose_place_was_never_seen_bare_leaves_the_table_bare(table):
    scene = Scene(table)
    early = scene.put(0, 10, known=False)  # it lies there before anybody reads it
    scene.run(5)
    later = scene.put(0, 10, paper=(210, 225, 225))
    scene.run(2)
    taken = scene.steady(later)
    scene.cards.clear()
    scene.known.clear()
    scene.run(1, gone=(replace(taken, missing=0.9),))
    assert scene.covered(early, taken) > 0.8
    scene.run(1, gone=(replace(taken, missing=1.9),))
    assert scene.covered(early, taken) < 0.1


@pytest.mark.parametrize("table", [WOOD, FELT, (200, 210, 215)], ids=["wood", "felt", "cloth"])
def test_where_a_card_was_taken_nothing_covers_the_table(table):
    scene, card = watched(table)
    taken = scene.steady(card, missing=0.5)
    del scene.cards[card]
    scene.known.clear()
    scene.run(0.5, gone=(taken,))
    assert scene.covered(card, taken) < 0.1


def test_a_card_that_lay_there_from_the_beginning_leaves_no_ghost():
    """Before it was read, the card was taken for a part of the table."""
    scene = Scene()
    card = scene.put(0, 10, known=False)
    scene.run(5)
    scene.known.add(card)
    scene.run(1)
    assert scene.covered(card) < 0.1
    taken = scene.steady(card, missing=0.5)
    del scene.cards[card]
    scene.known.clear()
    scene.run(1.2, gone=(taken,))
    assert scene.covered(card, taken) < 0.1


def test_a_shadow_covers_nothing():
    scene, card = watched()
    scene.shadow = tuple(scene.steady(card).corners.mean(axis=0).round().astype(int).tolist())
    scene.run(1)
    assert scene.covered(card) < 0.2


@pytest.mark.parametrize("middle", [(320, 300), (340, 60)], ids=["near", "far"])
def test_the_shadow_of_a_head_on_the_edge_reaches_over_nothing(middle):
    scene = Scene()
    whole = scene.plane
    scene.plane = Plane(whole.homography, whole.outline * 0.7, 2)  # the floor is seen, too
    scene.run(6)
    scene.shadow = middle
    for _ in range(8):  # it comes nearer
        scene.run(0.1)
        assert scene.looks[-1].reaching() == set()


@pytest.mark.parametrize("gain", [0.7, 1.3])
def test_a_lamp_covers_nothing_and_hides_no_hand(gain):
    scene, card = watched(noise=2.0)
    scene.gain = gain
    scene.run(1)
    assert scene.covered(card) < 0.1
    scene.hand = (0.0, 4.0, SKIN)
    scene.run(0.5)
    assert scene.covered(card) > 0.8


def test_a_hand_that_rested_while_the_table_was_learned_is_forgotten():
    scene = Scene()
    scene.hand = (0.0, 4.0, SKIN)
    scene.run(4)
    scene.hand = None
    scene.run(7)
    card = scene.put(0, 10)
    scene.run(1)
    taken = scene.steady(card, missing=0.5)
    del scene.cards[card]
    scene.known.clear()
    scene.run(0.5, gone=(taken,))
    assert scene.covered(card, taken) < 0.1


def test_after_a_nudge_that_was_corrected_hands_are_told_at_once():
    scene, card = watched()
    scene.shift = 6
    moved = np.array([[1, 0, -6.0], [0, 1, 0], [0, 0, 1]])
    scene.plane = Plane(scene.plane.homography @ moved, scene.plane.outline, 2)
    scene.run(1)
    assert scene.covered(card) < 0.1
    scene.hand = (0.0, 4.0, SKIN)
    scene.run(0.5)
    assert scene.covered(card) > 0.6


def test_after_a_nudge_that_nobody_corrected_the_table_is_learned_anew():
    scene = Scene()
    scene.table[:, ::20] = 20.0  # boards, so that a shift is seen
    scene.run(4)
    scene.shift = 7
    scene.run(8)
    card = scene.put(0, 10)
    scene.run(1)
    taken = scene.steady(card, missing=0.5)
    del scene.cards[card]
    scene.known.clear()
    scene.run(0.5, gone=(taken,))
    assert scene.covered(card, taken) < 0.1


SPANS = ((0.0, 0.5), (1.2, 2.2), (2.5, 4.0))
"""The seconds in which every picture is looked at, then five a second, then one in four seconds."""


@pytest.mark.parametrize("noise", [0.0, 3.0, 9.0])
def test_a_still_picture_needs_no_look_but_a_rare_one(noise):
    scene, _ = watched(noise=noise)
    scene.run(2)
    looks = scene.run(12)
    assert sum(look.changed for look in looks) <= 3
    assert max(look.moving for look in looks) == 0


def test_what_came_to_rest_is_looked_at_all_the_time_then_now_and_then_then_rarely():
    scene = Scene()
    scene.run(6)
    scene.put(10, -10, known=False)
    looks = [look.changed for look in scene.run(4)]
    first, then, last = (looks[round(a * RATE) : round(b * RATE)] for a, b in SPANS)
    assert all(first)
    assert 0.5 * 5 <= sum(then) <= 1.5 * 5
    assert sum(last) <= 1


def test_light_that_drifts_needs_no_look():
    scene = Scene()
    scene.run(3)
    changed = 0
    for _ in range(60):
        scene.gain *= 1.004
        changed += scene.run(1 / RATE)[0].changed
    assert changed <= 2


@pytest.mark.parametrize(
    ("table", "paper"),
    [(WOOD, (225, 230, 230)), (FELT, (58, 70, 50)), ((200, 210, 215), (225, 230, 230))],
    ids=["a white card", "a dark card on dark felt", "a white card on a white cloth"],
)
@pytest.mark.parametrize("noise", [2.0, 9.0])
def test_a_card_that_appears_between_two_frames_is_looked_at(table, paper, noise):
    scene = Scene(table, noise)
    scene.run(6)
    scene.put(10, -10, paper=paper, known=False)
    looks = scene.run(0.5)
    assert looks[0].changed
    assert looks[0].moving > 0


def test_a_slow_push_is_looked_at():
    scene, card = watched()
    scene.run(3)
    looked = 0
    for _ in range(60):  # half a centimetre a second
        x, y, paper = scene.cards[card]
        scene.cards[card] = (x + 0.05, y, paper)
        looked += scene.run(1 / RATE)[0].changed
    assert looked > 45


def test_a_card_swapped_for_another_is_looked_at():
    scene, _ = watched()
    scene.run(3)
    scene.pips = scene.pips[:2]
    assert scene.run(0.1)[0].changed


def test_what_happens_beside_the_table_moves_nothing():
    scene = Scene()
    narrow = np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]], float)
    scene.plane = Plane(scene.plane.homography, narrow, 2)
    scene.run(6)
    scene.put(40, 0, known=False)
    looks = scene.run(0.5)
    assert not any(look.moving for look in looks)


def test_pictures_of_another_size_begin_anew():
    scene, card = watched()
    small = cv2.resize(scene.frame(), (400, 300))
    look = scene.cover.update(scene.at + 0.1, small, scene.plane, [scene.steady(card)])
    assert look.changed
    assert look.covered(np.array([[0.0, 0.0], [399.0, 299.0]])).shape == (2,)


@pytest.mark.parametrize("table", [WOOD, FELT, (200, 210, 215)], ids=["wood", "felt", "cloth"])
def test_a_card_lies_until_it_is_taken(table):
    """On a white cloth a white card is hardly visible: then ``Cover`` claims nothing."""
    scene, card = watched(table)
    assert scene.looks[-1].lies(card) or table[0] == 200
    assert not scene.looks[-1].lies(card + 7)  # which nobody knows
    taken = scene.steady(card, missing=0.0)
    del scene.cards[card]
    scene.known.clear()
    for look in scene.run(1.0, gone=(taken,)):
        assert not look.lies(card)


@pytest.mark.parametrize(
    "what", ["a shadow", "a lamp", "a hand on its edge", "another card on its edge"]
)
def test_a_card_is_known_to_lie_there_in_spite_of(what):
    scene, card = watched()
    if what == "a shadow":
        middle = scene.steady(card).corners.mean(axis=0)
        scene.shadow = tuple(middle.round().astype(int).tolist())
    elif what == "a lamp":
        scene.gain = 0.75
    elif what == "a hand on its edge":
        scene.hand = (5.0, 4.0, SKIN)
    else:
        scene.put(3.8, 10, paper=(60, 60, 200), known=False)
    scene.run(0.5)
    assert scene.looks[-1].lies(card)


@pytest.mark.parametrize("hand", [SKIN, SLEEVE], ids=["skin", "sleeve"])
def test_of_a_card_under_a_hand_nobody_says_that_it_lies(hand):
    scene, card = watched()
    scene.hand = (0.0, 4.0, hand)
    scene.run(3.0)
    assert not scene.looks[-1].lies(card)


def test_regions_are_where_something_moved_lately():
    scene = Scene()
    scene.run(6)
    scene.put(10, -10, known=False)
    (left, top, right, bottom), *others = scene.run(0.5)[-1].regions
    quad = corners(10, -10, 0.0) * SMALL
    assert not others
    assert np.abs(np.array([left, top]) - quad.min(axis=0)).max() < 20
    assert np.abs(np.array([right, bottom]) - quad.max(axis=0)).max() < 20
    assert scene.run(1.9)[-1].regions == ()


def test_what_lay_there_from_the_beginning_has_not_come_and_what_was_laid_has():
    scene = Scene()
    scene.put(-20, 10, known=False)
    scene.run(4)
    scene.put(20, 10, known=False)
    scene.hand = (-20, 20, SKIN)
    scene.run(1)
    scene.hand = None
    shown = scene.run(0.5)[-1]
    assert shown.bare(scene.steady(1).corners) > 0.9
    at_the_edge = corners(-51, 0, 0.0) * SMALL  # a third of it lies beside the table
    assert shown.bare(at_the_edge.astype(float)) > 0.9
    assert shown.bare(scene.steady(2).corners) < 0.3


def test_before_the_table_is_known_nothing_has_come():
    scene = Scene()
    scene.put(20, 10, known=False)
    assert scene.run(0.5)[-1].bare(scene.steady(1).corners) is None


@pytest.mark.parametrize("stripes", [20, 35])
def test_a_striped_back_on_a_cloth_as_grey_has_come_and_lies(stripes):
    """Seen small, such a back has the colour of the cloth."""
    cloth = (180, 190, 195)
    scene = Scene(cloth)
    scene.pips, scene.stripes = (), stripes
    scene.run(4)
    card = scene.put(0, 10, paper=cloth, known=False)
    shown = scene.run(0.5)[-1]
    assert shown.bare(scene.steady(card).corners) < 0.5
    scene.known.add(card)
    scene.run(1.5)
    assert scene.looks[-1].lies(card)
    del scene.cards[card]
    scene.known.clear()
    taken = scene.run(0.5)[-1]
    assert taken.bare(corners(0, 10, 0.0) * SMALL) > 0.9
    assert not taken.lies(card)
