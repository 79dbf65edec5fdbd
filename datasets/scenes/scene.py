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
"""So many scenes in a row, and so many stills of a film, have one deck."""

Maker = Callable[[argparse.Namespace, int], Iterator[tuple[str, "Scene"]]]
"""Makes the scenes of one worker, with the names of their files."""


@dataclass(frozen=True)
class SceneCard:
    """A card of a scene.

    Attributes:
        card: its name.
        corners: shape (4, 2), pixels, clockwise from the upper left of the card as it is read; they
            may lie outside the picture, or under something.
        visible: the share of its area that can be seen, 0–1.
        readable: whether an index, or nearly all of the card, can be seen.
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
    """A line of ``labels.jsonl``: as the real photographs' labels, with corners beside the box."""
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
        make: a function of a module, called in each of the ``workers`` processes.
        options: see :func:`add_options`; ``make`` may know more of them.

    Returns:
        How many.
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
