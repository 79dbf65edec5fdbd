"""Draws what a film shows: table and floor, things, markers, hands, the cards' faces.

All pictures are BGR or BGRA with 8 bits. A BGRA picture that is laid into a frame is premultiplied:
its colours are already multiplied by its coverage.
"""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.backs import draw_back
from datasets.cards.decks import Shelf, Split
from datasets.cards.faces import Pack, draw_pack
from datasets.cards.labels import BACK
from datasets.cards.spanish import SpanishPack
from datasets.cards.vector import DrawingError, Picture, premultiplied
from datasets.films.covering import ARM, Pose
from datasets.films.grades import Grade
from datasets.films.stage import Stage
from datasets.scenes import textures, things
from datasets.scenes.geometry import Points
from datasets.scenes.textures import Image
from vision.geometry.markers import CORNER_CM

MARKER_CM = CORNER_CM
"""Side of a corner marker's black square, as the sheet of markers has it."""

_QUIET = 28 / 160  # white paper around a marker's square, as a part of its side
_TOPS = (textures.wood, textures.wood, textures.felt, textures.felt, textures.plain,
         textures.pattern)  # fmt: skip
_CALM_TOPS = (textures.wood, textures.felt, textures.plain)


class Faces:
    """The pictures of one pack's cards at the size that they have in a film.

    Args:
        shelf: the decks.
        split: the split whose decks may be used, if none is named.
        rng: draws the deck, its printing and its back.
        spanish: whether the match is played with Spanish cards.
        deck: name of a deck, whose art stays as it is; None for a random printing of any deck.
        letters: language of the index letters of such a printing with French suits, see
            ``datasets.cards.faces.Pack``; None for any.
        tall: height of a card in the film, in pixels.
        size: width and height of a card, in centimetres.

    Raises:
        DrawingError: there is no such deck, or none that has these suits.
    """

    def __init__(
        self, shelf: Shelf, split: Split, rng: Random, *, spanish: bool, deck: str | None,
        letters: str | None, tall: float, size: tuple[float, float],
    ) -> None:  # fmt: skip
        suits = "spanish" if spanish else "french"
        self._pack: Pack | SpanishPack
        if letters is not None and not (spanish or shelf.fonts):
            raise DrawingError("there are no fonts in the cache to draw index letters with")
        if deck is not None:
            named = [d for d in shelf.decks if d.name == deck and d.suits == suits]
            if not named:
                there = ", ".join(d.name for d in shelf.decks if d.suits == suits) or "none"
                raise DrawingError(f"there is no {suits} deck {deck}; there are: {there}")
            self._pack = Pack(shelf, named[0], rng, plain=True)
        elif shelf.of(suits, split):
            self._pack = draw_pack(shelf, suits, split, rng, None if spanish else letters)
        elif split == "test" and shelf.of(suits, "unseen"):  # no model was trained on either
            self._pack = draw_pack(shelf, suits, "unseen", rng, None if spanish else letters)
        elif spanish:
            self._pack = SpanishPack(shelf, rng, split=split)
        else:
            raise DrawingError(f"there is no {suits} deck for {split} in the cache")
        of_deck = isinstance(self._pack, Pack) and BACK in self._pack.deck.cards
        use_own = of_deck and rng.random() < 0.5
        self._back = self._pack.face(BACK) if use_own else draw_back(rng)  # type: ignore[arg-type]
        self._rows = max(round(tall * 1.15), 24)
        self._columns = round(self._rows * size[0] / size[1])
        self._made: dict[str, Picture] = {}

    @property
    def name(self) -> str:
        """The deck's name."""
        return self._pack.deck.name if isinstance(self._pack, Pack) else "drawn Spanish"

    def of(self, card: str) -> Picture:
        """A card's picture, premultiplied; the caller must not write into it."""
        if card not in self._made:
            picture = self._back if card == BACK else self._pack.face(card)
            small = cv2.resize(
                premultiplied(picture), (self._columns, self._rows), interpolation=cv2.INTER_AREA
            )
            self._made[card] = small.astype(np.uint8)
        return self._made[card]


def set_table(
    stage: Stage, grade: Grade, rng: Random, draw: np.random.Generator,
    markers: tuple[int, ...] | None, marker_cm: float = MARKER_CM,
) -> Image:  # fmt: skip
    """Draws the table without cards, as the camera sees it before any nudge.

    Args:
        stage: the film.
        grade: how many things lie on the table.
        rng: draws kinds and places.
        draw: draws textures.
        markers: ids of the corner markers, clockwise from the far left corner; None for none.
        marker_cm: side of a marker's black square, in centimetres.
    """
    width, height = stage.camera.size
    floor = rng.choice(_TOPS)(draw, height, width)
    floor = (floor * rng.uniform(0.25, 0.7)).astype(np.uint8)
    scale = width / stage.table[0] * 1.1
    size = (round(stage.table[0] * scale), round(stage.table[1] * scale))
    kinds = _CALM_TOPS if grade.things[1] < 2 else _TOPS
    top = rng.choice(kinds)(draw, size[1], size[0])
    rim = max(round(scale * 0.8), 2)
    cv2.rectangle(top, (0, 0), (size[0] - 1, size[1] - 1), tuple(v * 0.6 for v in
                  top.mean(axis=(0, 1))), rim)  # fmt: skip
    _lay_things(stage, grade, rng, draw, top, scale)
    if markers is not None:
        _lay_markers(stage, top, scale, markers, marker_cm)
    corners = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    seen = stage.to_frame(stage.outline).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    mask = cv2.warpPerspective(np.full(top.shape[:2], 255, np.uint8), matrix, (width, height))
    shadow = cv2.GaussianBlur(mask, (0, 0), height / 40)
    floor = (floor * (1 - 0.55 * shadow[..., None] / 255.0)).astype(np.uint8)
    warped = cv2.warpPerspective(top, matrix, (width, height), flags=cv2.INTER_LINEAR)
    share = mask[..., None].astype(np.float32) / 255
    return (floor * (1 - share) + warped * share).astype(np.uint8)


def _lay_things(
    stage: Stage, grade: Grade, rng: Random, draw: np.random.Generator, top: Image, scale: float
) -> None:
    """Lay things near the table's corners, where no card is put; in place."""
    wide, deep = stage.table[0] / 2, stage.table[1] / 2
    for _ in range(rng.randint(*grade.things)):
        thing, tall = things.random_thing(draw)
        tall = min(tall, 13.0)
        x = rng.choice([-1, 1]) * rng.uniform(0.66, 1.0) * (wide - tall * 0.45)
        y = rng.choice([-1, 1]) * rng.uniform(0.7, 1.0) * (deep - tall * 0.45)
        half = tall / 2 * np.array([thing.shape[1] / thing.shape[0], 1.0])
        turn = rng.uniform(0, 2 * math.pi)
        c, s = math.cos(turn), math.sin(turn)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ [[c, s], [-s, c]]
        at = ((corners + np.array([x + wide, y + deep])) * scale).astype(np.float32)
        shade = np.zeros(top.shape[:2], np.uint8)
        cv2.fillConvexPoly(shade, (at + scale * 0.4).astype(np.int32), 110)
        shade = cv2.GaussianBlur(shade, (0, 0), scale * 0.4)
        top[:] = (top * (1 - shade[..., None] / 255.0)).astype(np.uint8)
        lay(top, premultiplied(thing), at)


def marker_places(stage: Stage, side: float = MARKER_CM) -> Points:
    """The middles of the corner markers, clockwise from the far left corner, in centimetres.

    Args:
        stage: the film with its table.
        side: side of a marker's black square, in centimetres.
    """
    return np.sign(stage.outline) * (np.abs(stage.outline) - side * (0.5 + _QUIET) - 0.5)


def _lay_markers(stage: Stage, top: Image, scale: float, ids: tuple[int, ...], side: float) -> None:
    """Lay markers (AprilTag 36h11) on white paper into the corners, upright for seat 0."""
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, (x, y) in zip(ids, marker_places(stage, side), strict=True):
        tag = cv2.aruco.generateImageMarker(tags, number, 160)
        tag = cv2.copyMakeBorder(tag, 28, 28, 28, 28, cv2.BORDER_CONSTANT, value=255)
        paper = np.full((*tag.shape, 4), 255, np.uint8)
        paper[..., :3] = tag[..., None] // 255 * 210 + 25
        half = side * (0.5 + _QUIET)
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        middle = np.array([x, y]) + np.array(stage.table) / 2
        lay(top, paper, ((corners + middle) * scale).astype(np.float32))


def light_field(rng: Random, grade: Grade, size: tuple[int, int]) -> NDArray[np.float32]:
    """How bright each part of the picture is, shape (height, width): about 1 at its brightest."""
    width, height = size
    y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
    cx, cy = rng.uniform(0.2, 0.8) * width, rng.uniform(0.1, 0.9) * height
    far = np.hypot(x - cx, y - cy) / math.hypot(width, height)
    field = 1 + 0.04 - rng.uniform(*grade.uneven) * far * 1.5
    return cv2.resize(field, size, interpolation=cv2.INTER_LINEAR).astype(np.float32)


def hand_picture(seed: str, scale: float) -> Picture:
    """A hand that points up, its finger tips in the middle of the upper edge, with a long arm.

    Args:
        seed: decides whose hand it is.
        scale: pixels to a centimetre.

    Returns:
        A premultiplied picture, 16 cm wide and as long as ``datasets.films.covering.ARM``.
    """
    width, length = round(16 * scale), round(ARM * scale)
    size = 7.0 * scale
    for attempt in range(12):
        draw = np.random.default_rng(Random(f"{seed} {attempt}").getrandbits(64))
        canvas = np.full((length, width, 3), 90, np.uint8)
        mask = things.draw_hand(draw, canvas, (width / 2, size * 0.12), -math.pi / 2, size)
        fingers = (mask[round(size * 0.45)] > 127).sum() / scale
        if 3.5 < fingers < 8:
            break
    wrist = round(size * 3.2)
    canvas[wrist:] = canvas[wrist - 1]
    mask[wrist:] = mask[wrist - 1]
    shade = np.linspace(1.0, 0.8, length - wrist, dtype=np.float32)
    canvas[wrist:] = canvas[wrist:] * shade[:, None, None]
    picture = np.dstack([canvas, cv2.GaussianBlur(mask, (0, 0), 0.8)])
    return premultiplied(picture.astype(np.uint8))


def hand_outline(pose: Pose) -> Points:
    """Where the corners of :func:`hand_picture` lie on the table, shape (4, 2), in centimetres."""
    corners = np.array([[-8.0, 0.0], [8, 0], [8, ARM], [-8, ARM]])
    c, s = math.cos(pose.turn), math.sin(pose.turn)
    return corners @ np.array([[c, s], [-s, c]]) + np.array([pose.x, pose.y])


def lay(frame: Image, picture: Picture, corners: Points) -> None:
    """Lay a premultiplied picture into a frame with its corners at given pixels, in place."""
    spread = warp(picture, [corners], (frame.shape[1], frame.shape[0]))
    if spread is not None:
        blend(frame, *spread)


def warp(
    picture: Picture, corners: list[Points], size: tuple[int, int], gain: float = 1.0
) -> tuple[Picture, int, int] | None:
    """Warp a picture to one place, or to the mean of several if it moves during the exposure.

    Args:
        picture: the picture, BGRA, premultiplied.
        corners: its corners at each place, shape (4, 2), in pixels of the frame.
        size: width and height of the frame.
        gain: factor of its brightness.

    Returns:
        The part that lies in the frame, with its left and top; None where nothing does.
    """
    points = np.concatenate(corners)
    low = np.maximum(np.floor(points.min(axis=0)) - 1, 0).astype(int)
    high = np.minimum(np.ceil(points.max(axis=0)) + 1, size).astype(int)
    if (high - low).min() < 2:
        return None
    extent = (int(high[0] - low[0]), int(high[1] - low[1]))
    rows, columns = picture.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    total: NDArray[np.float32] | None = None
    layer: Picture | None = None
    for place in corners:
        matrix = cv2.getPerspectiveTransform(
            source.astype(np.float32), (place - low - 0.5).astype(np.float32)
        )
        layer = cv2.warpPerspective(picture, matrix, extent, flags=cv2.INTER_LINEAR)
        if len(corners) > 1:
            total = layer.astype(np.float32) if total is None else cv2.add(
                total, layer, dtype=cv2.CV_32F)  # fmt: skip
    if total is not None:
        layer = cv2.convertScaleAbs(total, alpha=1 / len(corners))
    assert layer is not None
    if gain != 1.0:
        layer = cv2.multiply(layer, (gain, gain, gain, 1.0))
    return layer.astype(np.uint8, copy=False), int(low[0]), int(low[1])


def blend(frame: Image, layer: Picture, left: int, top: int) -> None:
    """Lay a warped, premultiplied picture over a frame, in place."""
    height, width = layer.shape[:2]
    view = frame[top : top + height, left : left + width]
    rest = cv2.cvtColor(255 - layer[..., 3], cv2.COLOR_GRAY2BGR)
    view[:] = cv2.add(cv2.multiply(view, rest, scale=1 / 255), layer[..., :3].copy())
