"""Reads real photographs with labels, and compares readings with the labels.

A set is a folder with ``labels.jsonl``, one photo a line::

    {"photo": "x.jpg", "size": [960, 720], "cards": [{"card": "KS", "box": [x0, y0, x1, y1]}]}

Boxes are left, top, right and bottom in pixels. ``K?`` is a king of unknown suit. A card may lack
its box if it is the photo's only card; then it may lie anywhere in the photo.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.labels import rank_of, suit_of

Corners = NDArray[np.floating]


@dataclass(frozen=True)
class PhotoCard:
    """A labelled card: its name, and its box as left, top, right, bottom in pixels."""

    card: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Photo:
    """A labelled photograph: its file and its cards."""

    path: Path
    cards: tuple[PhotoCard, ...]

    def picture(self) -> NDArray[np.uint8]:
        """The pixels, BGR, turned upright by their EXIF mark."""
        picture = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if picture is None:
            raise OSError(f"{self.path} is no picture")
        return picture.astype(np.uint8)


def read_photos(folder: Path, prefix: str = "") -> list[Photo]:
    """The photos of a set whose names begin with ``prefix``.

    Raises:
        OSError: the folder has no labels.
        ValueError: a label is not as described above.
    """
    photos = []
    with (folder / "labels.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            entry = json.loads(line)
            try:
                cards = []
                for card in entry["cards"]:
                    whole = (0, 0, *entry["size"]) if len(entry["cards"]) == 1 else ()
                    x0, y0, x1, y1 = (float(value) for value in card.get("box", whole))
                    cards.append(PhotoCard(card["card"], (x0, y0, x1, y1)))
                if entry["photo"].startswith(prefix):
                    photos.append(Photo(folder / entry["photo"], tuple(cards)))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{folder.name}/labels.jsonl, line {number}: {error}") from error
    return photos


@dataclass(frozen=True)
class Reading:
    """What was read in a photo: a card's name, how sure, and its corners, shape (4, 2), pixels."""

    card: str
    probability: float
    corners: Corners


@dataclass(frozen=True)
class Match:
    """A label and the reading that was counted for it, if any."""

    label: PhotoCard
    reading: Reading | None

    @property
    def rank_right(self) -> bool:
        """Whether the rank was read right."""
        return self.reading is not None and rank_of(self.reading.card) == rank_of(self.label.card)

    @property
    def card_right(self) -> bool | None:
        """Whether rank and suit were read right; ``None`` where the suit is not known."""
        if suit_of(self.label.card) is None:
            return None
        return self.reading is not None and self.reading.card == self.label.card


def belongs(reading: Reading, label: PhotoCard) -> bool:
    """Whether the middle of a reading lies in a label's box."""
    x0, y0, x1, y1 = label.box
    x, y = reading.corners.mean(axis=0)
    return bool(x0 <= x <= x1 and y0 <= y <= y1)


def _encloses(reading: Reading, label: PhotoCard) -> bool:
    x0, y0, x1, y1 = label.box
    outline = np.asarray(reading.corners, np.float32)
    return cv2.pointPolygonTest(outline, ((x0 + x1) / 2, (y0 + y1) / 2), False) >= 0


def match(
    labels: Sequence[PhotoCard], readings: Sequence[Reading]
) -> tuple[list[Match], list[Reading]]:
    """Matches readings with labels, each label with one reading at most.

    The surest reading chooses first. It takes the first of these that is still free:

    1. a label of its own card in whose box its middle lies;
    2. a label of its own rank in whose box its middle lies;
    3. a label of its own rank whose box's middle lies within its corners, because the box of a
       covered card goes round the visible part only;
    4. any label in whose box its middle lies.

    Of several such labels it takes the one whose box's middle is nearest.

    Returns:
        A match for each label, in the labels' order, and the readings that belong to no label.
    """
    taken: dict[int, Reading] = {}
    extra = []
    for reading in sorted(readings, key=lambda reading: -reading.probability):
        free = [index for index in range(len(labels)) if index not in taken]
        same = [i for i in free if rank_of(labels[i].card) == rank_of(reading.card)]
        choices = (
            [i for i in same if labels[i].card == reading.card and belongs(reading, labels[i])]
            or [i for i in same if belongs(reading, labels[i])]
            or [i for i in same if _encloses(reading, labels[i])]
            or [i for i in free if belongs(reading, labels[i])]
        )
        if not choices:
            extra.append(reading)
            continue
        middle = reading.corners.mean(axis=0)
        taken[min(choices, key=lambda i: _distance(middle, labels[i]))] = reading
    return [Match(label, taken.get(index)) for index, label in enumerate(labels)], extra


def _distance(point: Corners, label: PhotoCard) -> float:
    x0, y0, x1, y1 = label.box
    return float(np.hypot(point[0] - (x0 + x1) / 2, point[1] - (y0 + y1) / 2))


def smaller(picture: NDArray[np.uint8], factor: float) -> NDArray[np.uint8]:
    """A photo made smaller by a factor, as a camera farther away would see it."""
    size = (round(picture.shape[1] / factor), round(picture.shape[0] / factor))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def upright_boxes(photos: Sequence[Photo]) -> Iterator[tuple[Photo, PhotoCard]]:
    """Yields labelled cards whose box has the shape of an upright card and meets no other box."""
    for photo in photos:
        for card in photo.cards:
            x0, y0, x1, y1 = card.box
            tall = (y1 - y0) / max(x1 - x0, 1.0)
            others = [other.box for other in photo.cards if other is not card]
            free = all(x1 < a or c < x0 or y1 < b or d < y0 for a, b, c, d in others)
            if 1.3 <= tall <= 1.48 and free:
                yield photo, card
