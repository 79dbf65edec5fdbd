"""Scores how well cards are tracked on a film that the models read.

It counts cards that are found, lost, taken for new ones, and given up late. ``python -m
datasets.benchmarks.steady_score --film film.mp4 --how regions`` watches a film with the models that
ship, in one of three ways:

* ``whole``: every frame is read as a whole, and the tracker does not know what is covered.
* ``covered``: every frame is read as a whole, and ``vision.occlusion.cover`` says what is covered.
* ``regions``: only parts of changed frames are read, as ``vision.occlusion.regions`` chooses them.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from datasets.films.film import read_frames, read_truth
from datasets.films.matches import pack_of
from datasets.films.stage import BACK, Stage, pose_at
from scorekeeper.engine.match import start
from scorekeeper.errors import ScorekeeperError
from vision.detection.reader import CardReader
from vision.geometry.table_plane import Plane
from vision.occlusion.cover import Cover
from vision.occlusion.regions import CardSearch
from vision.tracking.tracked_card import Change, TrackedCard
from vision.tracking.tracker import Tracker

HOWS = ("whole", "covered", "regions")

_NEAR_CM = 3.0  # a tracked card is a card of the truth if it lies within so many centimetres of it
_LONG = 0.7  # a card counts if it lies for so many seconds
_DUE = 1.0  # a card that came to rest in so many last seconds of the film does not count


class Kept:
    """Counts what became of the cards of a film.

    Args:
        stage: the film's truth.

    Attributes:
        stage: the film's truth.
        owners: the true card of each tracked card, by its id; None where there is none.
        delays: from a card's rest until it was known, in seconds.
        late: from a card's leaving until it was given up, in seconds.
        right: of each card that was given up, whether its rank was right then.
        lost: cards that were given up while they lay there.
        again: cards that were taken for new ones.
        false: tracked cards where none lies.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.owners: dict[int, int | None] = {}
        self.delays: list[float] = []
        self.late: list[float] = []
        self.right: list[bool] = []
        self.lost = self.again = self.false = 0

    def add(self, at: float, changes: Iterable[Change]) -> None:
        """Counts what the tracker reported of a frame."""
        for change in changes:
            if change.kind == "appeared":
                self._appeared(at, change.card)
            elif change.kind == "vanished":
                self._vanished(at, change.card)

    def _appeared(self, at: float, card: TrackedCard) -> None:
        owner = self._owner(at, card)
        if owner is None:
            self.false += 1
        elif owner in self.owners.values():
            self.again += 1
        else:
            self.delays.append(at - self.stage.lying[owner].rests)
        self.owners[card.id] = owner

    def _owner(self, at: float, card: TrackedCard) -> int | None:
        """The true card that lies there, rather one of that name if there are several."""
        there = []
        for number, lying in enumerate(self.stage.lying):
            if lying.rests - 0.3 <= at < lying.leaves + 0.1:
                pose = pose_at(lying.keys, min(max(at, lying.rests), lying.leaves - 1e-3))
                assert pose is not None
                apart = math.dist(pose[:2], card.place)
                if apart < _NEAR_CM:
                    there.append((lying.card != card.best, apart, number))
        return min(there)[2] if there else None

    def _vanished(self, at: float, card: TrackedCard) -> None:
        owner = self.owners.get(card.id)
        if owner is None:
            return
        lying = self.stage.lying[owner]
        if at < lying.leaves:
            self.lost += 1
        else:
            self.late.append(at - lying.leaves)
            ranks = (name if name == BACK else name[:-1] for name in (card.best, lying.card))
            self.right.append(len(set(ranks)) == 1)

    def lines(self, ends: float) -> list[str]:
        """What was counted up to a time (seconds), in words."""
        lying = self.stage.lying
        due = {
            number
            for number, card in enumerate(lying)
            if card.leaves - card.rests > _LONG and card.rests < ends - _DUE
        }
        up = {number for number in due if lying[number].card != BACK}
        known = {owner for owner in self.owners.values() if owner is not None}
        return [
            f"cards known: {len(up & known)} of {len(up)} face up, "
            f"{len((due - up) & known)} of {len(due - up)} face down",
            f"known {_spread(self.delays)} after they came to rest",
            f"lost while they lay there: {self.lost}; taken for another one: {self.again}; "
            f"where none is: {self.false}",
            f"given up {_spread(self.late)} after they left; rank right then: "
            f"{np.mean(self.right or [0]):.3f} of {len(self.right)}",
        ]


def _spread(seconds: list[float]) -> str:
    if not seconds:
        return "never"
    return f"{np.median(seconds):.2f} s (median; 90 %: {np.quantile(seconds, 0.9):.2f} s)"


class Eyes:
    """Reads a film's frames in one of three ways, and tracks the cards.

    Args:
        reader: the models.
        how: one of ``HOWS``.
        pack: names of the cards that are played with.
    """

    def __init__(self, reader: CardReader, how: str, pack: list[str]) -> None:
        self.reader, self.how, self.pack = reader, how, pack
        self.tracker, self.cover, self.search = Tracker(), Cover(), CardSearch(reader)
        self.spent: list[float] = []

    def see(self, at: float, frame: np.ndarray, plane: Plane) -> list[Change]:
        """Reads one frame (BGR); returns the changes of the tracked cards."""
        cards = self.tracker.cards
        look = None if self.how == "whole" else self.cover.update(at, frame, plane, cards)
        began = time.thread_time()
        if look is None or self.how != "regions":
            detections = self.reader.read(frame, pack=self.pack)
        elif look.changed:
            detections = self.search.look(at, frame, plane, cards, look, pack=self.pack)
        else:
            return []
        self.spent.append(time.thread_time() - began)
        return self.tracker.update(at, detections, plane, look and look.covered)


def main(arguments: list[str] | None = None) -> int:
    """Watch a film with real eyes, and say what became of its cards."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.steady_score", description=main.__doc__
    )
    parser.add_argument("--film", type=Path, required=True, help="with its .truth.jsonl beside it")
    parser.add_argument("--models", type=Path, default=Path("vision/weights"))
    parser.add_argument("--how", choices=HOWS, default="regions")
    parser.add_argument("--longest", type=int, default=448, help="of the finder's input, pixels")
    parser.add_argument("--every", type=int, default=3, help="take every so manieth frame")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so much film")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        stage = read_truth(options.film.with_suffix(".truth.jsonl"))
        reader = CardReader(options.models, threads=1, longest=options.longest)
        spanish = any(event.card is not None and event.card.spanish for event in stage.events)
        pack = [str(card) for card in pack_of(start(stage.header)._replace(spanish=spanish))]
        eyes, kept, taken, at = Eyes(reader, options.how, pack), Kept(stage), 0, 0.0
        for at, frame in read_frames(options.film, options.every):
            if at >= options.seconds:
                break
            plane = Plane(stage.homography(at), stage.outline, len(stage.header.seats))
            kept.add(at, eyes.see(at, frame, plane))
            taken += 1
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.steady_score: {error}", file=sys.stderr)
        return 2
    spent = np.array(eyes.spent) * 1000
    print(
        f"{options.film.name} ({stage.grade}), {options.how}, {options.longest} px: "
        f"{len(spent)} of {taken} frames read, "
        f"{np.mean(spent):.0f} ms each, p95 {np.quantile(spent, 0.95):.0f} ms"
    )
    print("\n".join(kept.lines(at)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
