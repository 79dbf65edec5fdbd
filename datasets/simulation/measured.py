"""How good real eyes are on a film: the parameters of ``datasets.simulation.seen.Eyes``, measured.

``python -m datasets.simulation.measured --film film.mp4 --models vision/weights --every 6`` reads
every sixth frame of a film with the models that ship and compares with the film's truth. Of the
films that the scoring sheet has read with them, ``datasets.simulation.table_eyes`` makes eyes that
err as they do.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from itertools import islice
from operator import itemgetter
from pathlib import Path

import numpy as np

from datasets.films.covering import Pose
from datasets.films.film import read_frames, read_truth
from datasets.films.matches import pack_of
from datasets.films.stage import BACK, Seen, Stage
from scorekeeper.engine.match import start
from scorekeeper.errors import ScorekeeperError
from vision.detection.detections import Detection
from vision.detection.reader import CardReader

_NEAR = 0.35  # of a card's height: how far a detection's middle may be from the card's
_UNSURE = 0.9  # a rank that is read with less is unsure
_ALIKE = 0.15  # what two readings of the same view may differ by
_CELL = 4.0  # centimetres
_AGAIN = 10  # frames in which a place was taken for a card: it is haunted


class Measured:
    """What was counted so far.

    Args:
        stage: the truth.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.counts: dict[str, list[float]] = defaultdict(list)
        self._last: dict[int, str] = {}
        self._unsure: dict[int, tuple[Pose, str, float]] = {}
        self.places: Counter[tuple[int, int]] = Counter()
        """Where what is no card was taken for one that lies face up, on a grid of the table."""
        self.frames = self.false = 0

    def add(self, at: float, detections: list[Detection]) -> None:
        """Compares what was seen in a frame with what was there."""
        self.frames += 1
        left = [(s, s.corners.mean(axis=0).tolist()) for s in detections]
        free = []
        # A card of which little is seen must not take its neighbour's detection.
        for card in sorted(self.stage.at(at), key=lambda card: -card.visible):
            corners = self.stage.card_at(card.top, at)
            tall, middle = math.dist(corners[0], corners[3]), corners.mean(axis=0).tolist()
            near = [(math.dist(place, middle), s) for s, place in left]
            near = [each for each in near if each[0] < _NEAR * tall]
            kind = _kind(card)
            if card.visible > 0.15:
                self.counts[f"found, {kind}"].append(bool(near))
            if not card.moving and 0.35 < card.visible < 0.65:
                self.counts["found, half covered"].append(bool(near))
            if near:
                _, found = min(near, key=itemgetter(0))
                left = [each for each in left if each[0] is not found]
                self._compare(card, kind, found, corners, tall)
                if kind == "free":
                    free.append((middle, _NEAR * tall))
        for middle, reach in free:
            others = [each for each in left if math.dist(each[1], middle) >= reach]
            self.counts["doubled, free"].append(len(others) < len(left))
            left = others
        self.false += len(left)
        faces = [each for each in left if each[0].readings and each[0].card != BACK]
        self.counts["false faces"].append(len(faces))
        matrix = self.stage.homography(at)
        for _, middle in faces:
            x, y, w = matrix @ (*middle, 1.0)
            self.places[round(x / w / _CELL), round(y / w / _CELL)] += 1

    def _compare(
        self, card: Seen, kind: str, found: Detection, corners: np.ndarray, tall: float
    ) -> None:
        if not found.readings:  # it lies as it lay, and was not read anew
            return
        if card.lying.card == BACK:
            self.counts["backs right"].append(found.card == BACK)
            return
        if kind == "free":
            self.counts["taken for backs"].append(found.card == BACK)
        rank = found.card[:-1]
        right = rank == card.lying.card[:-1]
        self.counts[f"rank right, {kind}"].append(right)
        if kind == "free":
            both = (found.corners, np.roll(found.corners, 2, axis=0))
            self.counts["corner error"].append(
                min(float(np.linalg.norm(c - corners, axis=1).mean()) / tall for c in both)
            )
            chance = sum(chance for name, chance in found.readings if name[:-1] == rank)
            self.counts["probability"].append(chance)
            before = self._unsure.pop(card.number, None)
            if before is not None and before[0] == card.pose:
                alike = before[1] == rank and abs(before[2] - chance) < _ALIKE
                self.counts["alike after unsure"].append(alike)
            if chance < _UNSURE:
                self._unsure[card.number] = (card.pose, rank, chance)
            if found.probability >= 0.9:
                self.counts["rank right where p is 0.9 or more"].append(right)
            if right:
                self.counts["suit right"].append(found.card == card.lying.card)
            if self._last.get(card.number, card.lying.card[:-1]) != card.lying.card[:-1]:
                self.counts["wrong again after wrong"].append(not right)
            self._last[card.number] = rank

    def to_json(self) -> dict[str, object]:
        """The counts: of each the sum, the number, and the sum of squares; and medians."""
        sums = {
            name: [float(np.sum(values)), len(values), float(np.square(values, dtype=float).sum())]
            for name, values in sorted(self.counts.items())
        }
        errors = self.counts["corner error"]
        return {
            "frames": self.frames,
            "sums": sums,
            "corner": float(np.median(errors)) if errors else 0.0,
            "haunted": sum(count >= _AGAIN for count in self.places.values()),
        }

    def lines(self) -> list[str]:
        """What was measured, in words."""
        told = [
            f"{name}: {np.mean(values):.3f} of {len(values)}"
            for name, values in sorted(self.counts.items())
            if name not in ("corner error", "false faces")
        ]
        if errors := self.counts["corner error"]:
            told.append(f"corner error, free: median {np.median(errors):.3f} of the height")
        told.append(f"detections that are no card: {self.false / max(self.frames, 1):.3f} a frame")
        return told


def _kind(card: Seen) -> str:
    if card.moving:
        return "moving"
    if card.visible > 0.95:
        return "free"
    return "covered, an index seen" if card.readable else "covered"


def measure(stage: Stage, reader: CardReader, film: Path, every: int, most: int) -> Measured:
    """Reads some frames of a film.

    Args:
        stage: its truth.
        reader: the models.
        film: its file.
        every: every so-manieth frame is read.
        most: frames at most.

    Raises:
        CaptureError: it is no film that can be read.
    """
    spanish = any(event.card is not None and event.card.spanish for event in stage.events)
    pack = [str(card) for card in pack_of(start(stage.header)._replace(spanish=spanish))]
    measured = Measured(stage)
    for at, frame in islice(read_frames(film, every), most):
        measured.add(at, reader.read(frame, pack=pack))
    return measured


def main(arguments: list[str] | None = None) -> int:
    """Read a film and compare with its truth."""
    parser = argparse.ArgumentParser(prog="datasets.simulation.measured", description=main.__doc__)
    parser.add_argument("--film", type=Path, required=True, help="with its .truth.jsonl beside it")
    parser.add_argument("--models", type=Path, default=Path("vision/weights"))
    parser.add_argument("--every", type=int, default=6, help="read every so manieth frame")
    parser.add_argument("--most", type=int, default=1000, help="frames to read at most")
    options = parser.parse_args(arguments)
    try:
        stage = read_truth(options.film.with_suffix(".truth.jsonl"))
        reader = CardReader(options.models, threads=1)
        measured = measure(stage, reader, options.film, options.every, options.most)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.simulation.measured: {error}", file=sys.stderr)
        return 2
    print(f"{measured.frames} frames of {options.film.name} ({stage.grade})")
    print("\n".join(measured.lines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
