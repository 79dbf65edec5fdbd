"""Draws a contact sheet, to look at training pictures.

``python -m datasets.scenes.sheet --cache DIR --out sheet.png`` shows scenes with the outline and
the name of every card; ``--faces`` shows cards of some printings instead.
"""

import argparse
import sys
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.cards.decks import SPLITS, Shelf, open_shelf
from datasets.cards.faces import draw_pack
from datasets.cards.spanish import SpanishPack
from datasets.cards.vector import Picture
from datasets.scenes.maker import SceneMaker
from datasets.scenes.scene import Scene
from datasets.scenes.textures import Image

_PAPER = 40  # brightness of the grey sheet, of 255


def mark(scene: Scene) -> Image:
    """A copy of the scene's picture with outlines and names.

    A card is outlined in green, or in orange if it is not readable; its upper edge is red.
    """
    picture = np.array(scene.picture)
    for card in scene.cards:
        corners = np.round(card.corners).astype(np.int32)
        tint = (60, 220, 60) if card.readable else (0, 160, 255)
        cv2.polylines(picture, [corners], True, tint, 1, cv2.LINE_AA)
        cv2.line(picture, corners[0].tolist(), corners[1].tolist(), (0, 0, 255), 1, cv2.LINE_AA)
        middle = card.corners.mean(axis=0).astype(int).tolist()
        cv2.putText(picture, card.card, middle, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 200), 1)
    return picture


def tile(pictures: list[Image], columns: int, width: int, height: int) -> Image:
    """Lay pictures out in rows, each scaled to fit a cell."""
    rows = -(-len(pictures) // columns)
    sheet = np.full((rows * height, columns * width, 3), _PAPER, np.uint8)
    for index, picture in enumerate(pictures):
        scale = min(width / picture.shape[1], height / picture.shape[0])
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        x, y = index % columns * width, index // columns * height
        sheet[y : y + size[1], x : x + size[0]] = cv2.resize(
            picture, size, interpolation=cv2.INTER_AREA
        )
    return sheet


def _opaque(face: Picture) -> Image:
    share = face[..., 3:].astype(np.float32) / 255
    return (face[..., :3] * share + (60, 110, 60) * (1 - share)).astype(np.uint8)


def face_sheet(shelf: Shelf, seed: int, packs: int) -> Image:
    """A sheet with a row of twelve cards for each of ``packs`` printings."""
    pictures = []
    for number in range(packs):
        rng = Random(f"sheet {seed} {number}")
        suits = "spanish" if number % 3 == 2 else "french"
        pack = SpanishPack(shelf, rng) if suits == "spanish" else draw_pack(
            shelf, suits, "train", rng
        )  # fmt: skip
        pictures += [_opaque(pack.face(card)) for card in rng.sample(list(pack.cards), 12)]
    return tile(pictures, 12, 120, 180)


def main(arguments: list[str] | None = None) -> int:
    """Write a contact sheet."""
    parser = argparse.ArgumentParser(prog="datasets.scenes.sheet", description=main.__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="the decks' cache")
    parser.add_argument("--out", type=Path, required=True, help="picture to write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first scene")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--split", choices=SPLITS, default="train")
    parser.add_argument("--faces", action="store_true", help="show decks, not scenes")
    parser.add_argument("--plain", action="store_true", help="no outlines")
    options = parser.parse_args(arguments)
    shelf = open_shelf(options.cache)
    if options.faces:
        sheet = face_sheet(shelf, options.seed, max(options.count // 4, 1))
    else:
        maker = SceneMaker(shelf, options.seed, options.split)
        scenes = [maker.make(options.first + number * 5) for number in range(options.count)]
        pictures = [scene.picture if options.plain else mark(scene) for scene in scenes]
        sheet = tile(pictures, 5, 400, 300)
    if not cv2.imwrite(str(options.out), sheet):
        print(f"cannot write {options.out}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
