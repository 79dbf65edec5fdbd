"""Draws the indices of cards: their letters, their size, and the corners that they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.vector import Picture

Mask = NDArray[np.uint8]
Colour = tuple[int, int, int]

INDEX_FAMILIES = {
    "english": {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    "french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "french_ace": {"A": "A", "J": "V", "Q": "D", "K": "R"},
    "german": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "german_one": {"A": "1", "J": "B", "Q": "D", "K": "K"},
}
_FAMILY_WEIGHTS = {"english": 2, "french": 4, "french_ace": 1, "german": 2, "german_one": 1}

Body = Literal["pips", "none", "one", "other"]

_SIZES: tuple[tuple[float, tuple[float, float]], ...] = (
    (0.45, (0.075, 0.15)), (0.25, (0.04, 0.075)), (0.12, (0.15, 0.22)), (0.18, (0.22, 0.42)),
)  # fmt: skip
"""Share of printings, and height of their indices (from, to) as a part of the card's: usual, small,
large, and so large that an index fills a quarter of the card."""

JUMBO, SMALL = 0.22, 0.075
"""An index at least so tall (``JUMBO``) leaves no room for pips; one less tall than ``SMALL`` is
small. Parts of the card's height."""

LEGIBLE = 0.06
"""A camera over a table can hardly read an index less tall, as a part of the card's height. The
reader then has to go by the picture, so that has to show the same card."""


def draw_family(rng: Random) -> str:
    """A random language of index letters, by its name in :data:`INDEX_FAMILIES`."""
    return rng.choices(list(_FAMILY_WEIGHTS), list(_FAMILY_WEIGHTS.values()))[0]


@dataclass(frozen=True)
class IndexStyle:
    """How a printing's indices look.

    Attributes:
        tall: height of the rank's characters, as a part of the card's.
        four: whether they stand in all four corners, not in two.
        beside: whether the suit's sign stands beside the rank, not below it.
        sign: height of that sign, as a part of the rank's; 0 where there is none.
        inset: distance from the card's left edge, as a part of its width.
        top: distance from its upper edge, as a part of its height.
        widest: width that the rank may take, as a part of the card's.
        body: what a number card shows in its middle: its pips, nothing, one large pip, or the pips
            of another number.
    """

    tall: float
    four: bool
    beside: bool
    sign: float
    inset: float
    top: float
    widest: float
    body: Body

    @property
    def jumbo(self) -> bool:
        """Whether the indices leave hardly any room for pips."""
        return self.tall >= JUMBO


_BODIES: tuple[Body, ...] = ("pips", "none", "one", "other")
_USUAL, _TRAINED, _JUMBO = (90, 2, 5, 3), (72, 4, 17, 7), (3, 3, 3, 1.5)
"""How often a printing's number cards have which body, in the order of ``_BODIES``: usually; in
training, for a reader that rarely sees one pip beside another number than an ace takes it for one;
and beside jumbo indices."""


def draw_style(rng: Random, *, trained: bool = False) -> IndexStyle:
    """Draw how the indices of a printing look.

    Args:
        rng: draws it.
        trained: whether a network is trained on it.
    """
    low, high = rng.choices([size for _, size in _SIZES], [share for share, _ in _SIZES])[0]
    tall = rng.uniform(low, high)
    jumbo = tall >= JUMBO
    four = rng.random() < 0.35 and tall < 0.12
    shares = _JUMBO if jumbo else _TRAINED if trained else _USUAL
    body = rng.choices(_BODIES, shares)[0]
    if tall < SMALL:  # what leaves pips out has larger indices
        body = "pips"
    return IndexStyle(
        tall=tall,
        four=four,
        beside=rng.random() < (0.4 if jumbo else 0.06) and not four,
        sign=0.0 if rng.random() < 0.06 else rng.uniform(0.35 if jumbo else 0.55, 0.95),
        inset=rng.uniform(0.025, 0.065),
        top=rng.uniform(0.025, 0.06),
        widest=0.43 if jumbo else 0.3,
        body=body,
    )


def scaled(mask: Mask, height: float, max_width: float) -> Mask:
    """A mask scaled to a height, and narrowed where it would be too wide."""
    width = min(mask.shape[1] * height / mask.shape[0], max_width)
    size = (max(round(width), 1), max(round(height), 1))
    way = cv2.INTER_AREA if height < mask.shape[0] else cv2.INTER_LINEAR
    return cv2.resize(mask, size, interpolation=way).astype(np.uint8)


def stamp(target: Picture, mask: Mask, colour: Colour, x: float, y: float) -> None:
    """Blend a colour onto a picture through a mask (0–255) whose centre comes to (x, y)."""
    left, top = round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1 = min(left + mask.shape[1], target.shape[1])
    y1 = min(top + mask.shape[0], target.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    view = target[y0:y1, x0:x1, :3]
    view[:] = view * (1 - share) + np.array(colour, np.float32) * share


def print_indices(
    picture: Picture, style: IndexStyle, glyph: Mask, pip: Mask, colour: Colour
) -> None:
    """Print a rank and a suit's sign into the corners of a white card, over what is there.

    Args:
        picture: the card; changed.
        style: how the indices look.
        glyph: the rank's coverage, 0–255.
        pip: the sign's coverage, 0–255.
        colour: the ink (BGR).
    """
    height, width = picture.shape[:2]
    rank = scaled(glyph, height * style.tall, width * style.widest)
    size = height * style.tall * style.sign
    if not style.beside:  # the column ends before it reaches the opposite corner's
        size = min(size, height * (0.62 - style.tall))
    sign = scaled(pip, size, size) if size else None
    left, top = width * style.inset, height * style.top
    # Narrow letters stand in the middle of a column.
    column = max(rank.shape[1], height * style.tall * 0.55, size)
    places = [(rank, left + column / 2, top + rank.shape[0] / 2)]
    if sign is not None:
        if style.beside:
            x = left + column + sign.shape[1] * 0.6
            places.append((sign, x, top + rank.shape[0] / 2))
        else:
            gap = max(height * 0.008, rank.shape[0] * 0.08)
            places.append((sign, left + column / 2, top + rank.shape[0] + gap + sign.shape[0] / 2))
    views = [picture, picture[::-1, ::-1]]
    if style.four:
        views += [picture[:, ::-1], picture[::-1]]
    for number, view in enumerate(views):
        for mask, x, y in places:
            ink = mask[:, ::-1] if number >= 2 else mask  # a view from the right is mirrored
            y0, x0 = round(y - ink.shape[0] / 2) - 2, round(x - ink.shape[1] / 2) - 2
            box = view[max(y0, 0) : y0 + ink.shape[0] + 4, max(x0, 0) : x0 + ink.shape[1] + 4, :3]
            box[:] = 255
            stamp(view, ink, colour, x, y)


@dataclass(frozen=True)
class IndexBox:
    """Where a corner's rank stands on a card: pixels, and its ink's colour (BGR)."""

    x: int
    y: int
    width: int
    height: int
    colour: Colour


def find_index(card: Picture) -> IndexBox | None:
    """Find the rank's characters in the upper left corner of a card, by their ink.

    Returns:
        Their box, or ``None`` where the corner does not hold one clear index.
    """
    height, width = card.shape[:2]
    region = card[: int(height * 0.24), : int(width * 0.26)]
    paper = np.median(card[4 : height // 3, width // 20 : width // 3, :3].reshape(-1, 3), axis=0)
    ink = np.abs(region[..., :3].astype(np.int16) - paper).max(axis=2) > 70
    ink &= region[..., 3] > 200
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    boxes = []
    for label in range(1, count):
        x, y, w, h, area = (int(value) for value in stats[label])
        inside = x > 1 and y > 1 and x + w < region.shape[1] - 1 and y + h < region.shape[0] - 1
        if inside and area > 25 and 0.035 * height < h < 0.17 * height and y < 0.12 * height:
            boxes.append((y, x, w, h, label))
    if not boxes:
        return None
    top, left, w, h, label = min(boxes, key=lambda box: box[0] + box[1])
    members = [label]
    for y, x, other_w, other_h, other in boxes:  # the 1 and the 0 of a ten
        if other != label and abs(y - top) < 0.2 * h and abs(other_h - h) < 0.35 * h:
            right = max(left + w, x + other_w)
            left, w = min(left, x), right - min(left, x)
            members.append(other)
    colour = np.median(region[np.isin(labels, members)][:, :3], axis=0)
    return IndexBox(left, top, w, h, (int(colour[0]), int(colour[1]), int(colour[2])))
