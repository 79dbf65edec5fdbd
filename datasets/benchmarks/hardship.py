"""Measures how bad pictures may get before cards are misread; the limits of health come from here.

``python -m datasets.benchmarks.hardship --cache DIR --models DIR`` lays cards of test decks on
tables and makes the same tables darker, brighter, more blurred, smaller and so on, step by step.
For each step it prints the share of cards that are found with their right rank, beside the measures
of ``vision.health``.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.benchmarks.heights import lay
from datasets.cards.decks import Shelf, open_shelf
from datasets.cards.faces import draw_pack
from datasets.scenes.geometry import CARD_HEIGHT_CM, Camera, Points, card_corners
from datasets.scenes.textures import Image, surface
from vision.detection.detections import Detection
from vision.detection.reader import CardReader
from vision.health import Measures, measure

SIZE = (1280, 720)
TALL = 110.0  # height of a card in the picture, in pixels, if no other one is asked for
COLUMNS, ROWS = 3, 2


def table(shelf: Shelf, number: int, tall: float = TALL) -> tuple[Image, list[tuple[str, Points]]]:
    """Draws a table with six cards in good light, seen from above.

    Args:
        shelf: the decks.
        number: decides the table and its cards.
        tall: height of a card in the picture, in pixels.

    Returns:
        The picture (BGR), and each card's name and corners in it, shape (4, 2).
    """
    rng = Random(f"hardship {number}")
    draw = np.random.default_rng(number)
    focal = 1000.0
    camera = Camera(focal, focal * CARD_HEIGHT_CM / tall, rng.uniform(0, 0.3), 0.0, SIZE)
    picture = (surface(draw, SIZE[1], SIZE[0]) * 0.8).astype(np.uint8)
    pack = draw_pack(shelf, "french", "test", rng)
    names = rng.sample([name for name in pack.cards if name[:-1] not in ("2", "3", "4", "5")], 6)
    cards = []
    for index, name in enumerate(names):
        spot = (
            SIZE[0] / 2 + (index % COLUMNS - 1) * TALL * 2 + rng.gauss(0, 8),
            SIZE[1] / 2 + (index // COLUMNS - 0.5) * TALL * 2 + rng.gauss(0, 8),
        )
        face = pack.face(name)
        wide = CARD_HEIGHT_CM * face.shape[1] / face.shape[0]
        turn = rng.uniform(0, 2 * math.pi)
        corners = camera.project(card_corners(wide, CARD_HEIGHT_CM, camera.on_table(spot), turn))
        share = face[..., 3:].astype(np.float32) / 255
        opaque = (face[..., :3] * share + 200 * (1 - share)) * 0.88
        lay(picture, opaque.astype(np.uint8), corners)
        cards.append((name, corners))
    return noisy(picture, number), cards


def noisy(picture: Image, number: int, strength: float = 2.0) -> Image:
    """Adds the noise of a camera's sensor, which does not depend on the light."""
    grain = np.random.default_rng(number).normal(0, strength, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def dimmed(picture: Image, share: float) -> Image:
    """A picture in this share of its light; the sensor's noise stays as strong."""
    return noisy((picture * share).clip(0, 255).astype(np.uint8), 1)


def blurred(picture: Image, sigma: float) -> Image:
    """A picture blurred with a Gaussian of ``sigma`` pixels."""
    return noisy(cv2.GaussianBlur(picture, (0, 0), sigma).astype(np.uint8), 2)


def glaring(picture: Image, radius: float, cards: list[tuple[str, Points]]) -> Image:
    """A picture with a lamp's reflection on each card; the radius is a part of a card's height."""
    shine = np.zeros(picture.shape[:2], np.float32)
    for _, corners in cards:
        x, y = (corners[0] * 0.65 + corners[2] * 0.35).round().astype(int).tolist()
        cv2.circle(shine, (x, y), round(radius * TALL), 400, -1)
    shine = cv2.GaussianBlur(shine, (0, 0), 4)
    return np.clip(picture + shine[..., None], 0, 255).astype(np.uint8)


def true_detections(cards: list[tuple[str, Points]]) -> list[Detection]:
    """The detections of a perfect reader."""
    return [Detection(corners.astype(np.float32), 1.0, ((name, 1.0),)) for name, corners in cards]


def right(reader: CardReader, picture: Image, cards: list[tuple[str, Points]]) -> int:
    """How many cards are found and read with their right rank."""
    count = 0
    seen = reader.read(picture)
    for name, corners in cards:
        middle = corners.mean(axis=0)
        near = [s for s in seen if np.linalg.norm(s.corners.mean(axis=0) - middle) < TALL / 4]
        count += bool(near) and near[0].card[:-1] == name[:-1]
    return count


Step = Callable[[Image, list[tuple[str, Points]]], Image]
DARKER = (1.0, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05)
BRIGHTER = (1.15, 1.3, 1.6, 2.0, 2.5, 3.5, 5.0)
BLURS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
LAMPS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
TALLS = (160.0, 110.0, 80.0, 65.0, 55.0, 48.0, 42.0, 36.0, 30.0)


def steps() -> Iterator[tuple[str, float, Step]]:
    """The changes that are made to a table: the kind, how strong it is, and the function."""
    for share in (*DARKER, *BRIGHTER):
        yield "light", share, lambda picture, _, share=share: dimmed(picture, share)
    for sigma in BLURS:
        yield "blur", sigma, lambda picture, _, sigma=sigma: blurred(picture, sigma)
    for radius in LAMPS:
        yield "lamp", radius, lambda picture, cards, radius=radius: glaring(picture, radius, cards)


def mean_measures(all_measures: list[Measures]) -> Mapping[str, float]:
    """The medians of the measures over some pictures, by the measures' names."""
    names = ("dark", "bright", "glare", "blur", "small")
    return {
        name: round(float(np.median([getattr(each, name) for each in all_measures])), 3)
        for name in names
    }


def main(arguments: list[str] | None = None) -> int:
    """Print how reading suffers, step by step."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.hardship", description=main.__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="the decks' cache")
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--tables", type=int, default=10)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    shelf, reader = open_shelf(options.cache), CardReader(options.models, threads=1)
    usual = [table(shelf, number) for number in range(options.tables)]
    changes = [(kind, much, [(change(picture, cards), cards) for picture, cards in usual])
               for kind, much, change in steps()]  # fmt: skip
    changes += [("tall", tall, [table(shelf, number, tall) for number in range(options.tables)])
                for tall in TALLS]  # fmt: skip
    for kind, much, tables in changes:
        total = sum(len(cards) for _, cards in tables)
        good = sum(right(reader, picture, cards) for picture, cards in tables)
        found = [measure(picture, true_detections(cards)) for picture, cards in tables]
        print(f"{kind} {much}: {good / total:.1%} right, {dict(mean_measures(found))}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
