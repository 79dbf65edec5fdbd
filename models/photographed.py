"""Cut a deck out of labelled photographs, to make films of really printed cards.

``python -m models.photographed --models DIR --photos DIR --prefix measure/ --out CACHE`` finds the
cards of each photo that lie free. Of each card it keeps the sharpest picture, straightened, under
the name that the label gives it. The result is a cache like that of ``datasets.cards.decks`` with
this one deck, for ``make evaluate-table EYES=models CACHE=…``. It holds photographs: it is not for
the repository.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.cards.decks import CARD_HEIGHT
from datasets.cards.labels import FRENCH_CARDS
from datasets.cards.photographed import in_white_light, rounded
from datasets.scenes.photos import PhotoCard, read_photos
from models.harvest import assign
from vision.detection.crops import Image, View, flatten
from vision.detection.detections import Detection
from vision.detection.outlines import overlaps
from vision.detection.reader import CardReader

NAME = "photographed"

CARD_WIDTH = round(CARD_HEIGHT * 63 / 88)
"""Width of a straightened card, in pixels: the photographed cards have poker size, 63×88 mm."""

FREE = 0.02
"""A card lies free where it shares no larger part with any other (of the smaller one's area)."""

SLANT = (0.6, 0.82)
"""Width by height (from, to) in the picture of a card that is seen well from above."""

DROWNED = 254
"""A pixel whose channels all reach this value is overexposed: the light hides what is printed."""


def lying_free(
    labels: tuple[PhotoCard, ...], detections: list[Detection], size: tuple[int, int]
) -> Iterator[tuple[str, Detection]]:
    """The cards of a photo that overlap no other card and are seen from above.

    Args:
        labels: the photo's labels.
        detections: the cards that were found in it.
        size: width and height of the photo, in pixels.

    Yields:
        The card's name from its label, and the detection.
    """
    for label, detection in assign(labels, detections, size):
        others = [each for each in detections if each is not detection]
        if any(overlaps(detection.corners, each.corners)[1] > FREE for each in others):
            continue
        sides = np.linalg.norm(detection.corners - np.roll(detection.corners, -1, axis=0), axis=1)
        if SLANT[0] <= (sides[0] + sides[2]) / (sides[1] + sides[3]) <= SLANT[1]:
            yield label.card, detection


def quality(face: Image) -> float:
    """How much fine detail a picture of a card shows; overexposed pixels lower it."""
    drowned = float((face.min(axis=2) >= DROWNED).mean())
    detail = cv2.Laplacian(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var()
    return float(detail) * (1 - drowned) ** 4


def write_deck(faces: dict[str, Image], cache: Path) -> None:
    """Writes a cache that has this deck alone.

    Args:
        faces: a card's name to its picture, shape (``CARD_HEIGHT``, ``CARD_WIDTH``, 3), BGR.
        cache: the folder.
    """
    folder = cache / NAME
    folder.mkdir(parents=True, exist_ok=True)
    for card, face in faces.items():
        cv2.imwrite(str(folder / f"{card}.png"), rounded(face))
    entry = {"name": NAME, "family": NAME, "suits": "french", "split": "test"}
    (cache / "decks.json").write_text(json.dumps([{**entry, "cards": sorted(faces)}], indent=1))


def main(arguments: list[str] | None = None) -> int:
    """Cut a deck out of labelled photographs."""
    parser = argparse.ArgumentParser(prog="models.photographed", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--photos", type=Path, required=True, help="folder with labels.jsonl")
    parser.add_argument("--prefix", default="", help="only photos whose names begin so")
    parser.add_argument("--out", type=Path, required=True, help="the cache to write")
    options = parser.parse_args(arguments)
    reader, view = CardReader(options.models), View(CARD_WIDTH, CARD_HEIGHT, 0.0)
    best: dict[str, tuple[float, Image]] = {}
    for photo in read_photos(options.photos, options.prefix):
        picture = photo.picture()
        size = (picture.shape[1], picture.shape[0])
        for card, detection in lying_free(photo.cards, reader.read(picture), size):
            face = flatten(picture, detection.corners, view)
            good = quality(face)
            if card not in best or good > best[card][0]:
                best[card] = good, in_white_light(face)
    missing = [card for card in FRENCH_CARDS if card not in best]
    write_deck({card: face for card, (_, face) in best.items()}, options.out)
    print(f"{len(best)} cards" + (f"; none lies free of {' '.join(missing)}" if missing else ""))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
