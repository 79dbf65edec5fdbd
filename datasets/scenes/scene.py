"""A picture with its cards, and folders of them.

A folder holds JPEG pictures and one ``labels.jsonl``, as the real photographs' folders do.
"""

import argparse
import json
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.cards.decks import SPLITS
from datasets.scenes.geometry import Points
from datasets.scenes.textures import Image

PICTURES_A_DECK = 12
"""How many scenes in a row, and how many stills of a film, show the same deck."""

Maker = Callable[[argparse.Namespace, int], Iterator[tuple[str, "Scene"]]]
"""A function that yields the scenes of one worker, each with the name of its file.

Its arguments are the command's options and the worker's number, from 0."""


@dataclass(frozen=True)
class SceneCard:
    """A card of a scene.

    Attributes:
        card: its name.
        corners: shape (4, 2), in pixels, clockwise from the upper left of the card as it is read.
            They may lie outside the picture, or be covered.
        visible: the share of its area that can be seen, 0–1.
        readable: whether an index, or most of the card, can be seen.
        tilt: the angle between its normal and the line of sight, in degrees.
    """

    card: str
    corners: Points
    visible: float
    readable: bool
    tilt: float = 0.0


@dataclass(frozen=True)
class Scene:
    """A picture (BGR) and its cards, the lowest first."""

    picture: Image
    cards: tuple[SceneCard, ...]


def _label(photo: str, scene: Scene) -> dict[str, object]:
    """A line of ``labels.jsonl``: as for real photographs, with more about each card."""
    height, width = scene.picture.shape[:2]
    cards = []
    for card in scene.cards:
        low = np.maximum(card.corners.min(axis=0), 0)
        high = np.minimum(card.corners.max(axis=0), (width, height))
        cards.append(
            {
                "card": card.card,
                "box": [round(float(v), 1) for v in (*low, *high)],
                "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in card.corners],
                "visible": round(card.visible, 3),
                "readable": card.readable,
                "tilt": round(card.tilt, 1),
            }
        )
    return {"photo": photo, "size": [width, height], "cards": cards}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of all commands that write scenes."""
    parser.add_argument("--cache", type=Path, required=True, help="the decks' cache")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", choices=SPLITS, default="train")
    parser.add_argument("--workers", type=int, default=1)


def write_scenes(make: Maker, options: argparse.Namespace) -> int:
    """Write scenes to the folder ``out``, beside those that are there.

    Args:
        make: called in each of the ``workers`` processes, so it has to belong to a module.
        options: those of :func:`add_options`, and others that ``make`` uses.

    Returns:
        How many scenes were written.
    """
    options.out.mkdir(parents=True, exist_ok=True)
    parts = [(make, options, part) for part in range(options.workers)]
    if options.workers == 1:
        made = [_write_part(*parts[0])]
    else:
        with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
            made = pool.starmap(_write_part, parts)
    lines = sorted(line for part in made for line in part)
    with (options.out / "labels.jsonl").open("a", encoding="utf-8") as labels:
        labels.writelines(line + "\n" for line in lines)
    return len(lines)


def _write_part(make: Maker, options: argparse.Namespace, part: int) -> list[str]:
    cv2.setNumThreads(1)
    lines = []
    for name, scene in make(options, part):
        cv2.imwrite(str(options.out / name), scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 94])
        lines.append(json.dumps(_label(name, scene)))
    return lines
