"""Score the exported models, through the same code that reads cards at the table.

``python -m models.evaluate --models DIR --photos DIR --scenes DIR --out DIR`` writes
``scores.md`` and ``scores.json``. ``--photos`` is the folder of the real sets, ``--scenes`` one
that ``datasets.scenes --split test`` wrote. ``--calibrate`` also tells the reader's best
temperature.
"""

import argparse
import json
import sys
import time
from collections.abc import Collection
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards import BACK, FRENCH_CARDS, SPANISH_CARDS, rank_of
from datasets.photos import Photo, Reading, match, read_photos, smaller, upright_boxes
from datasets.scenes import SceneCard
from models.data import StoredScenes
from models.scores import Tally, best_temperature, calibration_error, markdown
from vision.flatten import flatten
from vision.locate import Found
from vision.read import CardReader, Sighting

Row = dict[str, float | int | None]

_PIQUET = tuple(c for c in FRENCH_CARDS if rank_of(c) in {"A", "K", "Q", "J", "10", "9", "8", "7"})
SETS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("edje", "edje", "", _PIQUET),
    ("anglo-table/measure", "anglo-table", "measure/", FRENCH_CARDS),
    ("spanish", "spanish", "", SPANISH_CARDS),
)
"""Name, folder, prefix of the photos, and the pack that is known, of each real set."""

FACTORS = {"anglo-table/measure": (1, 2, 3, 4)}
"""By how much a set is made smaller, where not by 1 alone."""


def _readings(sightings: list[Sighting]) -> list[Reading]:
    return [Reading(s.card, s.probability, s.corners) for s in sightings if s.card != BACK]


def score_photos(
    reader: CardReader, photos: list[Photo], pack: Collection[str], factor: float = 1
) -> Row:
    """The whole pipeline on labelled photographs made smaller by a factor."""
    tally = Tally()
    for photo in photos:
        picture = photo.picture()
        if factor != 1:
            picture = smaller(picture, factor)
        started = time.perf_counter()
        sightings = reader.read(picture, pack=pack)
        seconds = time.perf_counter() - started
        readings = [
            Reading(r.card, r.probability, r.corners * factor) for r in _readings(sightings)
        ]
        tally.add(*match(photo.cards, readings), seconds * 1000)
    return tally.row()


def score_boxes(reader: CardReader, photos: list[Photo], pack: Collection[str]) -> Row:
    """The reader alone, on cards that stand upright and free, cut out by their labelled boxes."""
    tally = Tally()
    for photo, card in upright_boxes(photos):
        x0, y0, x1, y1 = card.box
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
        picture = photo.picture()
        started = time.perf_counter()
        sightings = reader.name(picture, [Found(corners, 1.0)], pack=pack)
        seconds = time.perf_counter() - started
        tally.add(*match([card], _readings(sightings)), seconds * 1000)
    return tally.row()


def _tall(card: SceneCard) -> float:
    return float(np.linalg.norm(card.corners - np.roll(card.corners, -1, axis=0), axis=1).max())


def read_scene_cards(
    reader: CardReader, scenes: StoredScenes, limit: int
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float64]]:
    """The reader alone, on readable cards of scenes cut out by their true corners.

    Returns:
        Logits (N, classes), true classes (N,), and heights in pixels (N,).
    """
    logits, truth, heights = [], [], []
    for number in range(min(limit, len(scenes))):
        scene = scenes[number]
        cards = [card for card in scene.cards if card.readable]
        if not cards:
            continue
        crops = [flatten(scene.picture, card.corners) for card in cards]
        logits.append(reader.read_crops(crops).logits)
        truth += [reader.classes.index(card.card) for card in cards]
        heights += [_tall(card) for card in cards]
    return np.concatenate(logits), np.array(truth), np.array(heights)


def score_reader(
    reader: CardReader, scenes: StoredScenes, limit: int
) -> tuple[dict[str, Row], float]:
    """Rows for French and Spanish cards by size, and the best temperature."""
    logits, truth, heights = read_scene_cards(reader, scenes, limit)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    given, sure = chances.argmax(axis=1), chances.max(axis=1)
    ranks = np.array([rank_of(name) for name in reader.classes])
    kinds = np.array(
        ["french" if n in FRENCH_CARDS else "spanish" if n in SPANISH_CARDS else "other"
         for n in reader.classes]
    )  # fmt: skip
    rows: dict[str, Row] = {}
    for kind in ("french", "spanish"):
        for name, low, high in (("≥ 80 px", 80, 9999), ("40–80 px", 40, 80)):
            chosen = (kinds[truth] == kind) & (heights >= low) & (heights < high)
            if not chosen.any():
                continue
            right = ranks[given[chosen]] == ranks[truth[chosen]]
            confident = sure[chosen] >= 0.9
            rows[f"scenes of test decks, {kind}, {name}, true corners"] = {
                "cards": int(chosen.sum()),
                "rank_right": float(right.mean()),
                "card_right": float((given[chosen] == truth[chosen]).mean()),
                "sure": float(confident.mean()),
                "sure_wrong": float((~right[confident]).mean()) if confident.any() else 0.0,
                "calibration_error": calibration_error(sure[chosen], right),
            }
    return rows, best_temperature(logits, truth)


def score_finder(reader: CardReader, scenes: StoredScenes, limit: int) -> dict[str, Row]:
    """Cards found in scenes (half visible at least), by size; and how well their corners lie."""
    rows: dict[str, Row] = {}
    bins = {"≥ 80 px": (80, 9999), "40–80 px": (40, 80)}
    wanted = dict.fromkeys(bins, 0)
    errors: dict[str, list[float]] = {name: [] for name in bins}
    false = given = 0
    for number in range(min(limit, len(scenes))):
        scene = scenes[number]
        found = reader.locate(scene.picture)
        used: set[int] = set()
        given += len(found)
        for card in scene.cards:
            tall = _tall(card)
            best, error = None, 0.35
            for index, candidate in enumerate(found):
                if index not in used:
                    gap = _corner_error(candidate.corners, card.corners) / tall
                    if gap < error:
                        best, error = index, gap
            if best is not None:
                used.add(best)
            if card.visible < 0.5:
                continue
            for name, (low, high) in bins.items():
                if low <= tall < high:
                    wanted[name] += 1
                    if best is not None:
                        errors[name].append(error)
        false += len(found) - len(used)
    for name in bins:
        rows[f"scenes of test decks, finder, {name}"] = {
            "cards": wanted[name],
            "found": len(errors[name]) / max(wanted[name], 1),
            "corner_error": float(np.median(errors[name])) if errors[name] else None,
        }
    rows["scenes of test decks, finder, all"] = {"precision": 1 - false / max(given, 1)}
    return rows


def _corner_error(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """The mean distance of four corners, whichever end they begin with, in pixels."""
    return min(
        float(np.linalg.norm(np.roll(first, turn, axis=0) - second, axis=1).mean())
        for turn in (0, 2)
    )


def main(arguments: list[str] | None = None) -> int:
    """Score exported models."""
    parser = argparse.ArgumentParser(prog="models.evaluate", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--photos", type=Path, help="folder of the real sets")
    parser.add_argument("--scenes", type=Path, help="folder of scenes of test decks")
    parser.add_argument("--out", type=Path, help="folder for scores.md and scores.json")
    parser.add_argument("--limit", type=int, default=10**9, help="scenes or photos at most")
    parser.add_argument("--longest", type=int, default=640, help="the finder's input, in pixels")
    parser.add_argument("--threshold", type=float, default=0.3)
    parser.add_argument("--refinements", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--boxes", action="store_true", help="also the reader alone on photos")
    parser.add_argument("--calibrate", action="store_true")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = CardReader(
        options.models,
        threads=options.threads,
        longest=options.longest,
        threshold=options.threshold,
        refinements=options.refinements,
    )
    rows: dict[str, Row] = {}
    if options.photos is not None:
        for name, folder, prefix, pack in SETS:
            photos = read_photos(options.photos / folder, prefix)[: options.limit]
            for factor in FACTORS.get(name, (1,)):
                title = name if factor == 1 else f"{name}, smaller by {factor}"
                rows[title] = score_photos(reader, photos, pack, factor)
                print(markdown({title: rows[title]}), flush=True)
            if options.boxes and any(upright_boxes(photos)):
                title = f"{name}, upright boxes, reader alone"
                rows[title] = score_boxes(reader, photos, pack)
    if options.scenes is not None:
        scenes = StoredScenes(options.scenes)
        read_rows, temperature = score_reader(reader, scenes, options.limit)
        rows |= read_rows | score_finder(reader, scenes, options.limit)
        if options.calibrate:
            print(f"best temperature, on top of the exported one: {temperature:.3f}")
    table = markdown(rows)
    print(table)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "scores.md").write_text(table, encoding="utf-8")
        (options.out / "scores.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
