"""Fits how much the finder's score weighs what the reader says, on calibration decks.

The reader's logits are multiplied by a power of the finder's score, because an outline that the
finder doubts may be wrong. ``python -m models.by_score --models vision/weights --scenes DIR …``
reads scenes and stills of ``--split calibrate``. It prints the power under which the true cards are
likeliest: the value of ``BY_SCORE`` in ``vision/detection/reader.py``.
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.labels import UNKNOWN
from datasets.scenes.scene import Scene
from models.data import StoredScenes
from models.scores import SURE, log_chances, log_loss
from vision.detection.detections import Detection
from vision.detection.outlines import overlaps
from vision.detection.reader import BY_SCORE, CardReader

SAME_CARD = 0.3
"""An outline that overlaps every card less than this (intersection over union) shows none."""


class Answers(NamedTuple):
    """What the reader said of N outlines.

    Attributes:
        logits: shape (N, classes): the reader's, before the finder's score weighs them.
        scores: shape (N,): the finder's scores, 0–1.
        truth: shape (N,): the true classes, as places among the reader's classes.
    """

    logits: NDArray[np.float64]
    scores: NDArray[np.float64]
    truth: NDArray[np.int64]

    def weighed(self, power: float) -> NDArray[np.float64]:
        """The logits, shape (N, classes), multiplied by this power of the scores."""
        return np.asarray(self.logits * self.scores[:, None] ** power)

    def log_loss(self, power: float) -> float:
        """The mean negative log likelihood of the truth, in nats."""
        return log_loss(self.weighed(power), self.truth)

    def sure(self, power: float) -> tuple[float, float]:
        """The share of answers that are sure, and the share of the sure ones that are wrong."""
        chances = log_chances(self.weighed(power))
        sure = chances.max(axis=1) >= np.log(SURE)
        wrong = chances.argmax(axis=1) != self.truth
        return float(sure.mean()), float(wrong[sure].mean()) if sure.any() else 0.0


def _true_card(scene: Scene, detection: Detection) -> str | None:
    """The card that an outline shows; None where too little of that card is visible to read it.

    Of several cards under an outline it is the one that overlaps most and is least covered.
    """
    shares = [
        (overlaps(detection.corners, card.corners.astype(np.float32))[0], card)
        for card in scene.cards
    ]
    under = [(share * (1 + card.visible), card) for share, card in shares if share >= SAME_CARD]
    if not under:
        return UNKNOWN
    _, card = max(under, key=lambda each: each[0])
    return card.card if card.readable else None


def ask(reader: CardReader, scenes: StoredScenes) -> Answers:
    """Reads all scenes; answers about cards that cannot be read are left out."""
    logits, scores, truth = [], [], []
    for number in range(len(scenes)):
        scene = scenes[number]
        for detection in reader.read(scene.picture, keep=len(reader.classes)):
            card = _true_card(scene, detection)
            if card is not None:
                chances = dict(detection.readings)
                row = np.log([max(chances[name], 1e-12) for name in reader.classes])
                logits.append(row / detection.score**BY_SCORE)
                scores.append(detection.score)
                truth.append(reader.classes.index(card))
    return Answers(np.array(logits), np.array(scores), np.array(truth))


def main(arguments: list[str] | None = None) -> int:
    """Fit the power of the finder's score."""
    parser = argparse.ArgumentParser(prog="models.by_score", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    answers = ask(CardReader(options.models, threads=1), StoredScenes(*options.scenes))
    best = float(min(np.linspace(0, 2, 101), key=answers.log_loss))
    print("| power | log loss | sure | wrong of these |\n|--:|--:|--:|--:|")
    for power in (0.0, BY_SCORE, best):
        sure, wrong = answers.sure(power)
        print(f"| {power:.2f} | {answers.log_loss(power):.4f} | {sure:.1%} | {wrong:.2%} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
