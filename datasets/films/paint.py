"""Paints the frames of a stage.

What does not change is painted only once: the table until the camera is nudged, and the lying cards
until one comes or goes. A frame copies that picture and adds what moves.
"""

from __future__ import annotations

import math
from itertools import takewhile
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.decks import Shelf, Split
from datasets.cards.vector import Picture
from datasets.films.automatic import Automatic
from datasets.films.covering import Pose
from datasets.films.grades import GRADES
from datasets.films.props import (
    MARKER_CM,
    Faces,
    blend,
    hand_outline,
    hand_picture,
    light_field,
    set_table,
    warp,
)
from datasets.films.stage import Seen, Stage, pose_at
from datasets.scenes.geometry import Points
from datasets.scenes.textures import Image

_LAYERS = 4  # copies of a card that are painted as the side of a heap
_BLURRED = 2.5  # pixels between two copies of a moving thing, whose mean is its blur
_SHADE = 0.35  # how much a card's shadow darkens the table, 0–1
_GRAIN_ROOM = 96  # pixels by which the field of noise is larger than a frame


class Painter:
    """Paints frames of one stage.

    Args:
        stage: what happens in the film.
        shelf: the decks.
        split: the split whose decks may be used, if none is named.
        deck: name of a deck; None for any.
        letters: language of the index letters, if no deck is named; None for any.
        markers: ids of the corner markers (AprilTag 36h11), clockwise from the far left corner;
            None for a table without markers.
        marker_cm: side of a marker's black square, in centimetres.
        rate: frames a second; it decides how long the shutter is open.
        automatic: whether the camera focuses and exposes by itself.

    Attributes:
        stage: what happens in the film.
        grade: how it is filmed.
        rate: frames a second.
        size: width and height of a frame, in pixels.
        faces: the cards' pictures.

    Raises:
        DrawingError: there is no such deck.
    """

    def __init__(
        self, stage: Stage, shelf: Shelf, *, split: Split = "test", deck: str | None = None,
        letters: str | None = None, markers: tuple[int, ...] | None = None, rate: float = 30.0,
        marker_cm: float = MARKER_CM, automatic: bool = False,
    ) -> None:  # fmt: skip
        self.stage, self.grade, self.rate = stage, GRADES[stage.grade], rate
        rng = Random(f"film {stage.seed} {stage.grade}")
        self._draw = np.random.default_rng(rng.getrandbits(64))
        self.size = stage.camera.size
        self._scale = self.size[1] / 720  # settings in pixels are for 720 rows
        edge = np.array([[0.0, -stage.card[1] / 2], [0.0, stage.card[1] / 2]])
        ends = stage.to_frame(edge)
        tall = float(np.linalg.norm(ends[0] - ends[1]))
        self.card_height = tall
        """Height of a card in the middle of the table, in pixels."""
        spanish = any(event.card is not None and event.card.spanish for event in stage.events)
        self.faces = Faces(
            shelf,
            split,
            rng,
            spanish=spanish,
            deck=deck,
            letters=letters,
            tall=tall,
            size=stage.card,
        )
        self._table = set_table(stage, self.grade, rng, self._draw, markers, marker_cm)
        self._field = light_field(rng, self.grade, self.size)
        self._table = cv2.multiply(
            self._table, cv2.cvtColor(self._field, cv2.COLOR_GRAY2BGR), dtype=cv2.CV_8U
        ).astype(np.uint8)
        cm = tall / self.stage.card[1]
        seats = len(stage.header.seats)
        self._hand = [hand_picture(f"{stage.seed} {seat}", cm) for seat in range(seats)]
        self._shade_towards = (rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6))
        self._blur = rng.uniform(*self.grade.blur) * self._scale
        self._quality = rng.randint(*self.grade.quality)
        self._grain = self._make_grain(rng.uniform(*self.grade.noise))
        self._steps = Random(f"grain {stage.seed}")
        self._nudged: tuple[object, Image] | None = None
        self._base: tuple[object, Image] | None = None
        self._lut: tuple[object, NDArray[np.uint8]] | None = None
        self._automatic = Automatic(stage) if automatic else None

    def _make_grain(self, deviation: float) -> Image:
        """Noise with mean 128, larger than a frame: each frame takes another part of it."""
        width, height = self.size
        shape = (height + _GRAIN_ROOM, width + _GRAIN_ROOM)
        bright = self._draw.standard_normal((*shape, 1), np.float32)
        tint = self._draw.standard_normal((*shape, 3), np.float32) * np.float32(0.5)
        grain = cv2.GaussianBlur(bright + tint, (0, 0), 0.55)
        grain *= deviation / float(grain.std())
        return np.clip(np.round(grain + 128), 0, 255).astype(np.uint8)

    def frame(self, at: float) -> Image:
        """The picture at a time (seconds), BGR, 8 bits; it is fastest with rising times."""
        stage = self.stage
        cards = stage.at(at)
        resting = list(takewhile(lambda card: not card.moving, cards))
        frame = self._with_cards(at, resting).copy()
        for card in cards[len(resting) :]:  # a card that is pushed slides below those on it
            if card.moving:
                self._moving_card(frame, card, at)
            else:
                self._card(frame, card, [card.pose], at)
        for _, hand, pose in stage.passing(at, "head"):
            self._head(frame, pose, hand.size, at)
        for _, hand, pose in stage.passing(at, "hand"):
            self._moving_hand(frame, hand.seat, hand.keys, pose, at)
        return self._filmed(frame, at)

    def _bare(self, at: float) -> Image:
        """The table without cards, as the camera sees it at a time."""
        shift = self.stage.shift(at)
        if self._nudged is None or self._nudged[0] != shift:
            picture = self._table
            if shift[1:] != (0.0, 0.0, 0.0):
                width, height = self.size
                c, s = math.cos(shift.turn), math.sin(shift.turn)
                x, y = width / 2, height / 2
                matrix = np.array(
                    [[c, -s, x - c * x + s * y + shift.x], [s, c, y - s * x - c * y + shift.y]]
                )
                picture = cv2.warpAffine(
                    picture, matrix, self.size, flags=cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_REPLICATE,
                ).astype(np.uint8)  # fmt: skip
            self._nudged = (shift, picture)
        return self._nudged[1]

    def _with_cards(self, at: float, cards: list[Seen]) -> Image:
        key = (self.stage.shift(at), [(card.number, card.pose) for card in cards])
        if self._base is None or self._base[0] != key:
            base = self._bare(at).copy()
            for card in cards:
                self._card(base, card, [card.pose], at)
            self._base = (key, base)
        return self._base[1]

    def _card(self, frame: Image, card: Seen, poses: list[Pose], at: float) -> None:
        stage, picture = self.stage, self.faces.of(card.lying.card)
        thick = card.lying.height
        self._cast(frame, poses[0], thick, at)
        if thick:
            side = picture.copy()
            side[..., :3] = side[..., 3:] // 255 * np.array([176, 188, 192], np.uint8)
            for layer in range(_LAYERS):
                low = poses[0]._replace(lift=poses[0].lift + thick * layer / _LAYERS)
                self._lay(frame, side, [stage.card_at(low, at)])
        raised = [pose._replace(lift=pose.lift + thick) for pose in poses]
        self._lay(frame, picture, [stage.card_at(pose, at) for pose in raised])

    def _lay(self, frame: Image, picture: Picture, places: list[Points]) -> None:
        x, y = places[0].mean(axis=0)
        column = min(max(int(x), 0), self.size[0] - 1)
        row = min(max(int(y), 0), self.size[1] - 1)
        laid = warp(picture, places, self.size, float(self._field[row, column]))
        if laid is not None:
            blend(frame, *laid)

    def _cast(self, frame: Image, pose: Pose, thick: float, at: float) -> None:
        """Paint a card's soft shadow, which lies farther from the card the higher that is."""
        lift = pose.lift + thick
        dx, dy = (part * (0.15 + 0.45 * lift) for part in self._shade_towards)
        fallen = pose._replace(x=pose.x + dx, y=pose.y + dy, lift=0.0)
        self._darken(frame, self.stage.card_at(fallen, at), 0.2 + 0.3 * lift, _SHADE)

    def _darken(self, frame: Image, outline: Points, soft: float, by: float) -> None:
        """Darken a polygon, in place.

        Args:
            frame: the picture.
            outline: the polygon's corners, in pixels.
            soft: how soft its edges are, in centimetres.
            by: how much it is darkened, 0–1.
        """
        sigma = max(soft * self.card_height / self.stage.card[1], 0.8)
        pad = int(sigma * 2.5) + 1
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - pad, 0)
        high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + pad, self.size)
        if (high - low).min() < 2:
            return
        small = 4 if sigma > 6 else 1
        extent = (high - low) // small + 1
        mask = np.full((int(extent[1]), int(extent[0])), 255, np.uint8)
        polygon = ((outline - low) / small).round().astype(np.int32)
        cv2.fillConvexPoly(mask, polygon, round(255 * (1 - by)))
        side = 2 * max(round(sigma / small), 1) + 1
        mask = cv2.blur(cv2.blur(mask, (side, side)), (side, side))
        view = frame[low[1] : high[1], low[0] : high[0]]
        if small > 1:
            mask = cv2.resize(mask, (view.shape[1], view.shape[0]))
        mask = mask[: view.shape[0], : view.shape[1]]
        view[:] = cv2.multiply(view, cv2.cvtColor(mask, cv2.COLOR_GRAY2BGR), scale=1 / 255)

    def _moving_card(self, frame: Image, card: Seen, at: float) -> None:
        later = pose_at(card.lying.keys, at + self.grade.exposure / self.rate) or card.pose
        ends = self.stage.card_at(card.pose, at), self.stage.card_at(later, at)
        self._card(frame, card, _between(card.pose, later, ends, most=16), at)

    def _moving_hand(self, frame: Image, seat: int, keys: tuple, pose: Pose, at: float) -> None:
        stage = self.stage
        later = pose_at(keys, at + self.grade.exposure / self.rate) or pose
        ends = tuple(stage.to_frame(hand_outline(p), at, p.lift) for p in (pose, later))
        poses = _between(pose, later, (ends[0][:2], ends[1][:2]), most=3)
        places = [stage.to_frame(hand_outline(p), at, p.lift) for p in poses]
        fallen = pose._replace(x=pose.x + self._shade_towards[0] * pose.lift,
                               y=pose.y + self._shade_towards[1] * pose.lift)  # fmt: skip
        shadow = hand_outline(fallen)
        shadow = shadow[0] * 0.3 + (shadow - shadow[0]) * 1.0 + shadow[0] * 0.7
        across = (shadow[1] - shadow[0]) * 0.28
        narrow = np.array([shadow[0] + across, shadow[1] - across, shadow[2] - across,
                           shadow[3] + across])  # fmt: skip
        self._darken(frame, stage.to_frame(narrow, at), 0.5 + 0.3 * pose.lift, 0.25)
        self._lay(frame, self._hand[seat], places)

    def _head(self, frame: Image, pose: Pose, size: float, at: float) -> None:
        angles = np.linspace(0, 2 * math.pi, 16, endpoint=False)
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * size + (pose.x, pose.y)
        self._darken(frame, self.stage.to_frame(ring, at), 5.0, 0.4)

    def _filmed(self, frame: Image, at: float) -> Image:
        """A frame after the light, the lens, the sensor and the compression."""
        gain, warm = self.stage.light(at)
        key = (round(gain, 3), round(warm, 3))
        if self._lut is None or self._lut[0] != key:
            tint = np.array([1 - warm, 1.0, 1 + warm]) * gain
            levels = np.arange(256)[:, None] * tint
            self._lut = (key, np.clip(levels.round(), 0, 255).astype(np.uint8)[None])
        frame = cv2.LUT(frame, self._lut[1])
        blur = self._blur
        if self._automatic is not None:
            frame = self._automatic.light(frame, at)
            blur = math.hypot(blur, self._automatic.blur(at) * self._scale)
        if blur > 0.25:
            frame = cv2.GaussianBlur(frame, (0, 0), blur)
        width, height = self.size
        x, y = (self._steps.randrange(_GRAIN_ROOM) for _ in range(2))
        grain = self._grain[y : y + height, x : x + width]
        frame = cv2.addWeighted(frame, 1.0, grain, 1.0, -128.0)
        if self._quality:
            _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
            frame = cv2.imdecode(data, cv2.IMREAD_COLOR)
        return frame.astype(np.uint8, copy=False)


def _between(first: Pose, last: Pose, ends: tuple[Points, Points], *, most: int) -> list[Pose]:
    """The poses of a moving thing during an exposure, the middle of which is the frame's time.

    Args:
        first: its pose at the frame's time.
        last: its pose one exposure later.
        ends: the corners of both, in pixels.
        most: how many poses there are at most.
    """
    far = float(np.abs(ends[1] - ends[0]).max())
    count = min(max(round(far / _BLURRED), 1), most)
    shares = [(i + 0.5) / count - 0.5 for i in range(count)] if count > 1 else [0.0]
    return [Pose(*(a + (b - a) * share for a, b in zip(first, last, strict=True)))
            for share in shares]  # fmt: skip
