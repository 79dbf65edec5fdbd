"""Fits how much the likeness of two backs counts: ``vision.detection.known_back``.

``python -m models.backs --models DIR --scenes DIR [DIR …]`` reads scenes and stills of training
decks. It compares everything that the reader calls a back with the surest true backs of the same
scene. A logistic regression then tells backs from other things by that likeness. Its three weights
are printed; ``known_back`` keeps them as ``PATTERN``, ``TINT`` and ``NEITHER``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from datasets.cards.labels import BACK
from datasets.scenes.scene import Scene
from models.data import StoredScenes
from models.measures import SAME_BACK
from vision.detection.crops import flatten
from vision.detection.detections import Detection
from vision.detection.known_back import appearance_of, likeness
from vision.detection.outlines import overlaps
from vision.detection.reader import CardReader

REFERENCES = 3
"""How many of a scene's surest true backs the others are compared with."""


def pairs_of(reader: CardReader, scene: Scene) -> Iterator[tuple[tuple[float, float], bool]]:
    """Compares what the reader calls a back with the surest true backs of its scene.

    Yields:
        For each pair: the likeness of the patterns, the likeness of the colours, and whether both
        are backs.
    """
    detections = [each for each in reader.read(scene.picture) if each.card == BACK]
    crops = [flatten(scene.picture, each.corners) for each in detections]
    kinds = [_is_back(each, scene) for each in detections]
    sure = [n for n, kind in enumerate(kinds) if kind]
    sure.sort(key=lambda n: -detections[n].probability * detections[n].score)
    if not sure:
        return
    looks = appearance_of(crops)
    pattern, tint = likeness(looks, looks)
    for reference in sure[:REFERENCES]:
        for n, kind in enumerate(kinds):
            if n != reference and kind is not None:
                yield (float(pattern[reference, n]), float(tint[reference, n])), kind


def _is_back(detection: Detection, scene: Scene) -> bool | None:
    """Whether a detection is a true back.

    None where it fits no back, but its middle lies on a card: such a detection is left out.
    """
    quads = [(card.card, card.corners.astype(np.float32)) for card in scene.cards]
    if any(
        name == BACK and overlaps(detection.corners, quad)[0] > SAME_BACK for name, quad in quads
    ):
        return True
    x, y = (float(value) for value in detection.corners.mean(axis=0))
    on_card = any(cv2.pointPolygonTest(quad, (x, y), False) >= 0 for _, quad in quads)
    return None if on_card else False


def fit(alike: NDArray[np.float64], same: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fits a logistic regression in which backs and other things weigh the same in total.

    Args:
        alike: shape (N, 2): the likeness of patterns and of colours, for N pairs.
        same: shape (N,): whether both of a pair are backs.

    Returns:
        Shape (3,): the weight of the pattern, the weight of the colours, and a constant, in logits.
    """
    inputs = np.column_stack([alike, np.ones(len(alike))])
    shares = np.where(same, 1 / same.sum(), 1 / (~same).sum())
    signs = np.where(same, 1.0, -1.0)

    def loss(weights: NDArray[np.float64]) -> float:
        return float((shares * np.logaddexp(0, -signs * (inputs @ weights))).sum())

    return np.asarray(minimize(loss, np.zeros(3)).x, np.float64)


def main(arguments: list[str] | None = None) -> int:
    """Fit how much the likeness of two backs counts."""
    parser = argparse.ArgumentParser(prog="models.backs", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True, help="folders of scenes")
    parser.add_argument("--limit", type=int, default=400, help="scenes of each folder at most")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = CardReader(options.models, threads=1)
    found = [
        pair
        for folder in options.scenes
        for scene, _ in zip(StoredScenes(folder), range(options.limit), strict=False)
        for pair in pairs_of(reader, scene)
    ]
    alike, same = np.array([each for each, _ in found]), np.array([kind for _, kind in found])
    weights = fit(alike, same)
    logits = np.column_stack([alike, np.ones(len(alike))]) @ weights
    print(f"{int(same.sum())} pairs of backs, {int((~same).sum())} of a back and a thing")
    print("pattern {:.1f}, colours {:.1f}, constant {:.1f}".format(*weights))
    for name, kind in (("backs", same), ("things", ~same)):
        at = np.percentile(logits[kind], [1, 5, 25, 50, 75, 95, 99]).round(1)
        print(f"{name}: logits at 1, 5, 25, 50, 75, 95, 99 of a hundred: {at.tolist()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
