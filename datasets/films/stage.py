"""The truth of a film: the path of every card and every hand, and every word.

A :class:`Stage` holds it. Places are centimetres of the table's plane: the origin is its middle, x
runs to the right, y towards seat 0. Angles are radians clockwise as the camera sees them; a card at
0 is upright for seat 0. Times are seconds of the film's clock. ``datasets.films.director`` makes
stages, ``datasets.films.film`` renders them, and ``datasets.simulation.seen`` turns them into
detections.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.films.covering import (
    ALL,
    ARM,
    INDICES,
    POINTS,
    Pose,
    mask_of,
    under_card,
    under_hand,
)
from datasets.scenes.geometry import Camera, Points, solve_homography
from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.errors import FormatError
from scorekeeper.messages import N_

FRENCH_CARD, SPANISH_CARD = (6.3, 8.8), (6.1, 9.5)
"""Width and height of cards, in centimetres."""

THICKNESS = 0.03
"""Thickness of a card in a heap, in centimetres."""

BACK = "back"
AT = "_at"
"""Remark of an event: when it happened, in seconds of the film."""


class Key(NamedTuple):
    """Where something is at one time; between two keys it moves, slowly at both ends."""

    at: float
    x: float
    y: float
    turn: float
    lift: float

    @property
    def pose(self) -> Pose:
        """The key without its time."""
        return Pose(*self[1:])


def pose_at(keys: Sequence[Key], at: float) -> Pose | None:
    """The pose at a time; None before the first key and after the last one."""
    if not keys or not keys[0].at <= at < keys[-1].at:
        return None
    before, after = _around(keys, at)
    if before[1:] == after[1:]:
        return before.pose
    share = (at - before.at) / (after.at - before.at)
    share = share * share * (3 - 2 * share)
    return Pose(*(a + (b - a) * share for a, b in zip(before[1:], after[1:], strict=True)))


def _around(keys: Sequence[Key], at: float) -> tuple[Key, Key]:
    """The keys before and after a time that lies between the first and the last of them."""
    place = bisect_right(keys, Key(at, math.inf, 0.0, 0.0, 0.0))
    return keys[place - 1], keys[place]


@dataclass(frozen=True)
class Lying:
    """A card on the table, from when a hand brings it to when a hand takes it.

    Attributes:
        card: its name; ``back`` where it is face down.
        face: ``up`` or ``down``.
        seat: whose it is; None for what belongs to nobody.
        event: place of its play among the stage's events; None for what is no play: remaining or
            exposed cards, backs, the pack.
        keys: its path.
        rests: when it comes to rest.
        leaves: when it is taken away.
        thick: how many cards lie in one heap.
    """

    card: str
    face: str
    seat: int | None
    event: int | None
    keys: tuple[Key, ...]
    rests: float
    leaves: float
    thick: int = 1

    @property
    def height(self) -> float:
        """How high a heap is, in centimetres; 0 for one card."""
        return self.thick * THICKNESS if self.thick > 1 else 0.0


@dataclass(frozen=True)
class Passing:
    """What comes between camera and table: a hand with its arm, or the shadow of a head.

    Attributes:
        kind: ``hand`` or ``head``.
        seat: whose it is.
        keys: its path: of a hand, the finger tips and the direction from the wrist to them, as an
            angle of a card; of a head, the middle of its shadow.
        size: of a shadow, its radius in centimetres; of a hand, 1.
    """

    kind: str
    seat: int
    keys: tuple[Key, ...]
    size: float = 1.0


class Shift(NamedTuple):
    """How far the picture has moved, from a time on: pixels, and radians about its middle."""

    at: float
    x: float
    y: float
    turn: float


_UNMOVED = Shift(0.0, 0.0, 0.0, 0.0)


class Light(NamedTuple):
    """How bright (1 is usual) and how warm (0 is usual) the light is at a time."""

    at: float
    gain: float
    warm: float


class Seen(NamedTuple):
    """A card at one moment.

    Attributes:
        number: its place in ``Stage.lying``.
        lying: the card.
        pose: where it is.
        moving: whether it is being carried or pushed.
        under_cards: the share of its area that other cards cover, 0–1.
        under_hands: the share of its area that hands cover, 0–1.
        free: the mask of the points that are seen, see ``datasets.films.covering``.
    """

    number: int
    lying: Lying
    pose: Pose
    moving: bool
    under_cards: float
    under_hands: float
    free: int

    @property
    def top(self) -> Pose:
        """Where the face is that the camera sees: of a heap, the face of its uppermost card."""
        return self.pose._replace(lift=self.pose.lift + self.lying.height)

    @property
    def visible(self) -> float:
        """The share of its area that is seen, 0–1."""
        return self.free.bit_count() / POINTS

    @property
    def readable(self) -> bool:
        """Whether an index, or most of the card, can be seen."""
        return self.visible > 0.75 or any(self.free & index == index for index in INDICES)

    def cut(self, inside: NDArray[np.bool_]) -> Seen:
        """The card as a part of the picture shows it.

        Args:
            inside: Whether each point of ``GRID`` lies in that part, shape (N,).
        """
        return self._replace(free=self.free & mask_of(inside))


@dataclass(frozen=True)
class Stage:
    """The truth of a film.

    Attributes:
        header: who plays what.
        grade: name of its grade, see ``datasets.films.grades``.
        seed: the seed that it was made with.
        table: width and depth of the table, in centimetres.
        camera: the camera before any nudge.
        events: the events of the match that are not taken back, in order, each with the remark
            ``_at``: for a card, when it came to rest, or when its seat was due if it came earlier;
            for a deal, when its last card came to rest; for a word, when it was said.
        lying: every card, in the order in which they came; a later one lies above.
        hands: hands, and shadows of heads.
        shifts: nudges of the camera, in order.
        lights: how the light changes, in order.
        ends: when the film ends, in seconds.
        card: width and height of a card, in centimetres.
    """

    header: Header
    grade: str
    seed: int
    table: tuple[float, float]
    camera: Camera
    events: tuple[Event, ...]
    lying: tuple[Lying, ...]
    hands: tuple[Passing, ...]
    shifts: tuple[Shift, ...]
    lights: tuple[Light, ...]
    ends: float
    card: tuple[float, float] = FRENCH_CARD

    @property
    def calls(self) -> tuple[Event, ...]:
        """What people said: all events except plays and deals, which a camera sees."""
        return tuple(event for event in self.events if event.do not in ("play", "deal"))

    @property
    def outline(self) -> Points:
        """The table's corners, clockwise from the far left one, shape (4, 2), centimetres."""
        x, y = self.table[0] / 2, self.table[1] / 2
        return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])

    def at(self, at: float) -> list[Seen]:
        """The cards on the table or above it, the lowest first, and how much of each is seen."""
        place = bisect_right(self._changes, at)
        if place not in self._quiet:
            seen = self._seen_at(at)
            if any(card.moving for card in seen) or self.passing(at):
                return seen
            self._quiet[place] = seen  # until something moves
        return list(self._quiet[place])

    def _seen_at(self, at: float) -> list[Seen]:
        cards = [(number, self.lying[number], pose_at(self.lying[number].keys, at))
                 for number in self._card_buckets.get(int(at), ())]  # fmt: skip
        there = [(number, card, pose) for number, card, pose in cards if pose is not None]
        # A carried card is above those that lie; those lie in the order in which they came.
        there.sort(key=lambda each: (each[2].lift > 0.5, each[0]))
        reaching = [(hand, math.cos(hand.turn), math.sin(hand.turn))
                    for _, _, hand in self.passing(at)]  # fmt: skip
        seen = []
        for place, (number, card, pose) in enumerate(there):
            mask = 0
            for _, _, other in there[place + 1 :]:
                if abs(other.x - pose.x) < 11 and abs(other.y - pose.y) < 11:
                    mask |= under_card(pose, other, self.card)
            hidden = 0
            for hand, c, s in reaching:
                dx, dy = pose.x - hand.x, pose.y - hand.y
                if abs(dx * c + dy * s) <= 9 and -9 < dy * c - dx * s < ARM + 9:
                    hidden |= under_hand(pose, hand, self.card)
            seen.append(_seen(number, card, pose, at, mask, hidden))
        return seen

    def passing(self, at: float, kind: str = "hand") -> list[tuple[int, Passing, Pose]]:
        """The hands, or shadows, at a time: place in ``hands``, which it is, and where."""
        found = []
        for number in self._hand_buckets.get(int(at), ()):
            hand = self.hands[number]
            pose = pose_at(hand.keys, at) if hand.kind == kind else None
            if pose is not None:
                found.append((number, hand, pose))
        return found

    def shift(self, at: float) -> Shift:
        """How far nudges have moved the picture by a time."""
        if not self.shifts or at < self.shifts[0].at:
            return _UNMOVED
        place = bisect_right(self.shifts, at, key=lambda shift: shift.at)
        return self.shifts[place - 1]

    def light(self, at: float) -> tuple[float, float]:
        """Gain and warmth of the light at a time."""
        place = bisect_right(self.lights, at, key=lambda light: light.at)
        if place == 0 or place == len(self.lights):
            return self.lights[-1][1:] if place and self.lights else (1.0, 0.0)
        before, after = self.lights[place - 1], self.lights[place]
        share = (at - before.at) / max(after.at - before.at, 1e-9)
        return (
            before.gain + (after.gain - before.gain) * share,
            before.warm + (after.warm - before.warm) * share,
        )

    def to_frame(self, points: Points, at: float = 0.0, lift: float = 0.0) -> Points:
        """Where points of the table, or so far above it, lie in the frame at a time.

        Args:
            points: shape (N, 2), in centimetres.
            at: the time.
            lift: how far they are above the table, in centimetres.

        Returns:
            Shape (N, 2), in pixels.
        """
        return moved(self.camera.project(_raised(points, lift)), self.shift(at), self.camera.size)

    def card_at(self, pose: Pose, at: float) -> Points:
        """A card's corners in the frame at a time, clockwise from its upper left, shape (4, 2)."""
        return self.to_frame(card_outline(pose, self.card), at, max(pose.lift, 0.0))

    def tilt_of(self, pose: Pose) -> float:
        """The angle between a card's normal and the line of sight, in degrees."""
        return self.camera.tilt_of(_raised(card_outline(pose, self.card), max(pose.lift, 0.0)))

    def homography(self, at: float = 0.0) -> Points:
        """The 3×3 matrix from pixels of the frame at a time to centimetres of the table."""
        shift = self.shift(at)
        if shift not in self._homographies:
            matrix = solve_homography(self.to_frame(self.outline, at), self.outline)
            self._homographies[shift] = matrix / matrix[2, 2]
        return self._homographies[shift]

    @functools.cached_property
    def _homographies(self) -> dict[Shift, Points]:
        return {}

    @functools.cached_property
    def _changes(self) -> list[float]:
        """All times at which a card or a hand begins or ends a movement."""
        times = {key.at for thing in (*self.lying, *self.hands) for key in thing.keys}
        return sorted(times.union(*((card.rests, card.leaves) for card in self.lying)))

    @functools.cached_property
    def _quiet(self) -> dict[int, list[Seen]]:
        """The cards at times when nothing moves, by the number of changes before."""
        return {}

    @functools.cached_property
    def _card_buckets(self) -> dict[int, list[int]]:
        return _buckets([card.keys for card in self.lying])

    @functools.cached_property
    def _hand_buckets(self) -> dict[int, list[int]]:
        return _buckets([hand.keys for hand in self.hands])

    def to_json(self) -> Iterable[dict[str, object]]:
        """The stage as objects, one a line of a truth file."""
        camera = asdict(self.camera)
        yield {
            "stage": 1, "header": self.header.to_json(), "grade": self.grade, "seed": self.seed,
            "table": self.table, "camera": camera, "shifts": self.shifts, "lights": self.lights,
            "ends": self.ends, "card": self.card,
        }  # fmt: skip
        for event in self.events:
            yield {"event": event.to_json()}
        for card in self.lying:
            yield {"lying": asdict(card)}
        for hand in self.hands:
            yield {"hand": asdict(hand)}


def stage_from_json(lines: Iterable[dict[str, object]]) -> Stage:
    """Reads a stage as :meth:`Stage.to_json` wrote it.

    Raises:
        FormatError: the lines are no stage.
    """
    lines = iter(lines)
    first: dict = dict(next(lines, {}))
    if first.get("stage") != 1:
        raise FormatError(N_("this is no truth of a film: its first line has no stage"))
    header = parse_header(first["header"])
    events, lying, hands = [], [], []
    for line in lines:
        if "event" in line:
            event = parse_event(line["event"], verbs=header.verbs, seats=len(header.seats))
            events.append(event)
        else:
            kind = "lying" if "lying" in line else "hand"
            data: dict = dict(line[kind])  # type: ignore[call-overload]
            data["keys"] = tuple(Key(*key) for key in data["keys"])
            (lying if kind == "lying" else hands).append(
                (Lying if kind == "lying" else Passing)(**data)
            )
    camera = Camera(**{**first["camera"], "size": tuple(first["camera"]["size"])})
    return Stage(
        header, first["grade"], first["seed"], tuple(first["table"]), camera, tuple(events),
        tuple(lying), tuple(hands), tuple(Shift(*s) for s in first["shifts"]),
        tuple(Light(*s) for s in first["lights"]), first["ends"],
        tuple(first["card"]),
    )  # fmt: skip


def card_outline(pose: Pose, size: tuple[float, float]) -> Points:
    """A card's corners on the table, clockwise from its upper left, shape (4, 2), centimetres."""
    x, y = size[0] / 2, size[1] / 2
    return _turned(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), pose)


def moved(pixels: Points, shift: Shift, size: tuple[int, int]) -> Points:
    """Pixels after a nudge of the camera."""
    if shift.turn == 0:
        return pixels + np.array([shift.x, shift.y])
    c, s = math.cos(shift.turn), math.sin(shift.turn)
    middle = np.array(size) / 2
    turned = (pixels - middle) @ np.array([[c, s], [-s, c]])
    return np.asarray(turned + middle + (shift.x, shift.y), np.float64)


def _raised(points: Points, lift: float) -> Points:
    """Points of the table, raised by ``lift``, in the camera's coordinates, shape (N, 3)."""
    points = np.asarray(points, np.float64)
    return np.column_stack([points[:, 0], -points[:, 1], np.full(len(points), lift)])


def _turned(points: Points, pose: Pose) -> Points:
    c, s = math.cos(pose.turn), math.sin(pose.turn)
    return points @ np.array([[c, s], [-s, c]]) + (pose.x, pose.y)


def _buckets(ways: Iterable[Sequence[Key]]) -> dict[int, list[int]]:
    """For each second, the places of the paths that have begun and not ended in it."""
    buckets: dict[int, list[int]] = {}
    for number, keys in enumerate(ways):
        for second in range(int(keys[0].at), int(keys[-1].at) + 1):
            buckets.setdefault(second, []).append(number)
    return buckets


def _seen(number: int, card: Lying, pose: Pose, at: float, cards: int, hands: int) -> Seen:
    moving = not card.rests <= at < card.leaves or pose.lift > 0.5
    return Seen(
        number, card, pose, moving or _pushed(card, at), cards.bit_count() / POINTS,
        hands.bit_count() / POINTS, ALL & ~(cards | hands),
    )  # fmt: skip


def _pushed(card: Lying, at: float) -> bool:
    before, after = _around(card.keys, at)
    return before[1:] != after[1:]
