"""Turn labelled photographs, which have boxes, into training pictures, which have corners.

``python -m models.harvest --models DIR --photos DIR --prefix train/ --out DIR`` finds the cards of
each photo with exported models. It keeps those whose outline fills a labelled box and whose rank is
read as the label says. The result is a folder like those of ``datasets.scenes.maker``, for
``models.train … --photos``.

* A labelled card that was not found stays in it as a box of which nothing is visible. So the finder
  is neither asked for it nor told that nothing lies there.
* Where a photo's only card has no box, it is the largest of the surest outlines that have a card's
  shape.
* What was outlined away from all labels is no card; the reader learns to call it ``unknown``.

The folder holds photographs: it is not for the repository.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.labels import UNKNOWN, rank_of
from datasets.scenes.photos import PhotoCard, read_photos
from vision.detection.detections import Detection
from vision.detection.outlines import Found
from vision.detection.reader import CardReader

_Outlined = TypeVar("_Outlined", Found, Detection)

LEAST_OVERLAP = 0.75
"""An outline belongs to a label where their boxes overlap so much (intersection over union)."""

_SLANT, _ONLY_SHARE = (0.45, 0.8), 0.12
"""Width by height (from, to) of the outline of a photo's only card, seen from above; and the least
part of the photo's area that it takes."""

_APART, _LEAST_SCORE = 0.1, 0.04
"""An outline that shares no larger part of its box with any label is no card; the finder's score
from which on such outlines are collected."""

# Places of x and y in a box, for its corners clockwise from the upper left.
_CORNERS_OF_BOX = ((0, 1), (2, 1), (2, 3), (0, 3))

Box = tuple[float, float, float, float]


def bounding_box(corners: NDArray[np.floating], size: tuple[int, int]) -> Box:
    """The axis-parallel box around corners, clipped to a picture of ``size`` (width, height)."""
    low = np.clip(corners.min(axis=0), 0, size)
    high = np.clip(corners.max(axis=0), 0, size)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def overlap(first: Box, second: Box) -> float:
    """Intersection over union of two boxes."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (first, second)]
    return width * height / (sum(areas) - width * height)


def assign(
    labels: tuple[PhotoCard, ...], found: list[_Outlined], size: tuple[int, int]
) -> list[tuple[PhotoCard, _Outlined]]:
    """Pairs each label with the found card that fills its box best; the best pairs come first.

    A label or a found card is in one pair at most; ``size`` is the photo's width and height.
    """
    pairs = sorted(
        (
            (overlap(label.box, bounding_box(card.corners, size)), i, j)
            for i, label in enumerate(labels)
            for j, card in enumerate(found)
        ),
        reverse=True,
    )
    used_labels: set[int] = set()
    used_found: set[int] = set()
    chosen = []
    for share, i, j in pairs:
        if share < LEAST_OVERLAP:
            break
        if i in used_labels or j in used_found:
            continue
        used_labels.add(i)
        used_found.add(j)
        chosen.append((labels[i], found[j]))
    return chosen


def only_card(found: list[Found], size: tuple[int, int]) -> Found | None:
    """The one card of a photo that shows it upright: the largest of the surest outlines."""
    surest = max((card.score for card in found), default=0.0)
    for card in sorted(found, key=lambda each: -cv2.contourArea(each.corners)):
        if card.score < surest / 2:
            continue
        sides = np.linalg.norm(card.corners - np.roll(card.corners, -1, axis=0), axis=1)
        slant = (sides[0] + sides[2]) / (sides[1] + sides[3])
        share = cv2.contourArea(card.corners) / (size[0] * size[1])
        if _SLANT[0] <= slant <= _SLANT[1] and share >= _ONLY_SHARE:
            upper, lower = card.corners[:2].mean(axis=0), card.corners[2:].mean(axis=0)
            turned = card.corners if upper[1] < lower[1] else np.roll(card.corners, 2, axis=0)
            return Found(turned, card.score)
    return None


def elsewhere(
    labels: tuple[PhotoCard, ...], found: list[Found], size: tuple[int, int]
) -> list[Found]:
    """The outlines that share next to nothing with any labelled box, and so are of no card."""
    apart = []
    for card in found:
        left, top, right, bottom = bounding_box(card.corners, size)
        area = (right - left) * (bottom - top)
        shared = [
            max(min(right, x1) - max(left, x0), 0.0) * max(min(bottom, y1) - max(top, y0), 0.0)
            for x0, y0, x1, y1 in (label.box for label in labels)
        ]
        if area > 0 and max(shared, default=0.0) <= _APART * area:
            apart.append(card)
    return apart


def main(arguments: list[str] | None = None) -> int:
    """Make training pictures of labelled photographs."""
    parser = argparse.ArgumentParser(prog="models.harvest", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--photos", type=Path, required=True, help="folder with labels.jsonl")
    parser.add_argument("--prefix", default="", help="only photos whose names begin so")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    reader, eager = CardReader(options.models), CardReader(options.models, threshold=_LEAST_SCORE)
    options.out.mkdir(parents=True, exist_ok=True)
    kept = labelled = 0
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as lines:
        for number, photo in enumerate(read_photos(options.photos, options.prefix)):
            picture = photo.picture()
            size = (picture.shape[1], picture.shape[0])
            outlines = eager.locate(picture)
            labels = photo.cards
            pairs: list[tuple[PhotoCard, Found | Detection]]
            if [label.box for label in labels] == [(0.0, 0.0, *map(float, size))]:
                only = only_card(outlines, size)
                if only is None:
                    continue
                labels = (PhotoCard(labels[0].card, bounding_box(only.corners, size)),)
                pairs = [(labels[0], only)]
            else:
                pairs = [
                    (label, each)
                    for label, each in assign(labels, reader.read(picture), size)
                    if rank_of(each.card) == rank_of(label.card)
                ]
            labelled += len(labels)
            kept += len(pairs)
            left = [label for label in labels if all(label is not pair[0] for pair in pairs)]
            name = f"{number:05d}.jpg"
            cv2.imwrite(str(options.out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
            cards = [
                {
                    "card": label.card,
                    "box": label.box,
                    "corners": [[round(float(v), 2) for v in corner] for corner in card.corners],
                    "visible": 1.0,
                    "readable": True,
                }
                for label, card in pairs
            ]
            cards += [
                {
                    "card": label.card,
                    "box": label.box,
                    "corners": [[label.box[i] for i in at] for at in _CORNERS_OF_BOX],
                    "visible": 0.0,
                    "readable": False,
                }
                for label in left
            ]
            cards += [
                {
                    "card": UNKNOWN,
                    "corners": [[round(float(v), 2) for v in corner] for corner in card.corners],
                    "visible": 0.0,
                    "readable": False,
                }
                for card in elsewhere(labels, outlines, size)
            ]
            lines.write(json.dumps({"photo": name, "size": size, "cards": cards}) + "\n")
    print(f"{kept} of {labelled} labelled cards")
    return 0


if __name__ == "__main__":
    sys.exit(main())
