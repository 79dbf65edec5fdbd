"""Cuts decks out of photographs and adds them to a cache of decks.

``python -m datasets.cards.photographed --cache DIR --photos DIR --family neapolitan`` runs after
``datasets.cards.decks``. It takes a folder of photographs that ``models.harvest`` wrote, which says
where each card's corners are. The cache then holds photographs: it is not for the repository.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.decks import CARD_HEIGHT
from datasets.cards.faces import blank_card
from datasets.cards.labels import SPANISH_CARDS
from datasets.cards.vector import Picture
from vision.detection.crops import Image, View, flatten

PAPER, WHITE = 0.7, 245.0
"""The paper's brightness is this quantile of a card's pixels; it becomes ``WHITE``, of 255."""


def in_white_light(face: Image) -> Image:
    """A card as white light would show it, so that cards of different photos match."""
    paper = np.quantile(face.reshape(-1, 3), PAPER, axis=0)
    return np.clip(face * (WHITE / np.maximum(paper, 1.0)), 0, 255).astype(np.uint8)


def rounded(face: Image) -> Picture:
    """A flattened card (BGR) as pictures of a cache are: BGRA, empty outside its round corners."""
    picture: Picture = blank_card(Random(0), face.shape[1], (255, 255, 255))
    picture[..., :3] = face
    return picture


def straightened(photo: Image, corners: NDArray[np.float64]) -> Picture:
    """A card of a photo that shows it upright, as pictures of a cache are."""
    if corners[:2, 1].mean() > corners[2:, 1].mean():
        corners = np.roll(corners, 2, axis=0)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    width = round(CARD_HEIGHT * float((sides[0] + sides[2]) / (sides[1] + sides[3])))
    return rounded(in_white_light(flatten(photo, corners, View(width, CARD_HEIGHT, 0.0))))


def add_decks(cache: Path, photos: Path, family: str) -> int:
    """Add as many decks to a cache as there are photographs of the rarest card.

    Args:
        cache: a folder that ``datasets.cards.decks`` wrote.
        photos: a folder that ``models.harvest`` wrote, of upright Spanish-suited cards.
        family: the name that the decks share; each adds its number.

    Returns:
        The number of decks.
    """
    seen: dict[str, list[Picture]] = {}
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        photo = cv2.imread(str(photos / entry["photo"]), cv2.IMREAD_COLOR)
        if photo is None:
            raise OSError(f"{photos / entry['photo']} is no picture")
        for card in entry["cards"]:
            if card["readable"] and card["card"] in SPANISH_CARDS:
                face = straightened(photo.astype(np.uint8), np.array(card["corners"]))
                seen.setdefault(card["card"], []).append(face)
    decks = min((len(faces) for faces in seen.values()), default=0)
    cards = sorted(seen)
    known = json.loads((cache / "decks.json").read_text())
    catalogue = [entry for entry in known if entry["family"] != family]
    for number in range(decks):
        name = f"{family}-{number:02}"
        folder = cache / name
        folder.mkdir(exist_ok=True)
        for card in cards:
            cv2.imwrite(str(folder / f"{card}.png"), seen[card][number])
        entry = {"name": name, "family": family, "suits": "spanish", "split": "train"}
        catalogue.append({**entry, "cards": cards, "weight": 1.0})
    catalogue.sort(key=lambda entry: str(entry["name"]))
    (cache / "decks.json").write_text(json.dumps(catalogue, indent=1))
    return decks


def main(arguments: list[str] | None = None) -> int:
    """Add photographed decks to a cache."""
    parser = argparse.ArgumentParser(prog="datasets.cards.photographed", description=main.__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="folder of the drawn decks")
    parser.add_argument("--photos", type=Path, required=True, help="folder of models.harvest")
    parser.add_argument("--family", required=True, help="name of the photographed decks")
    options = parser.parse_args(arguments)
    print(f"{add_decks(options.cache, options.photos, options.family)} decks of {options.family}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
