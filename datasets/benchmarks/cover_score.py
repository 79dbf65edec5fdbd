"""Scores ``vision.occlusion.cover`` on a film: what hands cover, and when nothing has changed.

``python -m datasets.benchmarks.cover_score --film film.mp4`` watches a film and compares what is
said to be covered with where the film's hands are painted. The cards come from the film's truth:
each is known from half a second after it came to rest until a second after it was taken.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.films.covering import Pose
from datasets.films.film import read_frames, read_truth
from datasets.films.props import hand_outline, hand_picture
from datasets.films.stage import Seen, Stage, card_outline, pose_at
from scorekeeper.errors import ScorekeeperError
from vision.geometry.table_plane import Plane, Points
from vision.occlusion.cover import Cover, FrameState
from vision.tracking.tracked_card import NOTHING, TrackedCard

KNOWN_AFTER, KNOWN_FOR = 0.5, 1.0
"""How long after it came to rest a card is known, and how long after it left, in seconds."""

MOSTLY = 0.35
"""A card counts as covered where at least this share of its points is: see ``TrackerSettings``."""

_POINTS = np.array([(a, b) for b in (0.1, 0.37, 0.63, 0.9) for a in (0.12, 0.5, 0.88)])
"""Points at which a card is probed for cover, shape (12, 2), as parts of its width and height."""

_SMALL = 4  # the masks of hands are so many times smaller than a frame
_EDGE = 3  # points so near a hand's outline, in pixels of a mask, do not count


class Hands:
    """Says where a film's hands are painted.

    Args:
        stage: the film's truth.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        ends = stage.to_frame(np.array([[0.0, -stage.card[1] / 2], [0.0, stage.card[1] / 2]]))
        cm = float(np.linalg.norm(ends[0] - ends[1])) / stage.card[1]
        self._shapes = [
            np.ascontiguousarray(hand_picture(f"{stage.seed} {seat}", cm)[..., 3])
            for seat in range(len(stage.header.seats))
        ]

    def mask(self, at: float) -> NDArray[np.uint8]:
        """The mask of all hands at a time, shape (height / 4, width / 4): 255 where a hand is."""
        stage = self.stage
        size = (stage.camera.size[0] // _SMALL, stage.camera.size[1] // _SMALL)
        mask = np.zeros(size[::-1], np.uint8)
        for _, hand, pose in stage.passing(at):
            shape = self._shapes[hand.seat]
            rows, columns = shape.shape
            source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
            target = stage.to_frame(hand_outline(pose), at, pose.lift) / _SMALL
            matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
            mask = np.maximum(mask, cv2.warpPerspective(shape, matrix, size))
        return np.where(mask > 127, 255, 0).astype(np.uint8)


class CoverScore:
    """Compares frame by frame, and counts.

    Args:
        stage: the film's truth.

    Attributes:
        stage: the film's truth.
        hands: where its hands are painted.
        counts: for each kind of point or card, whether each was said to be covered.
        rests: how many frames there were, and how many were looked at, by what happened.
        spent: processor time for each frame, in seconds.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage, self.hands = stage, Hands(stage)
        self.counts: dict[str, list[bool]] = defaultdict(list)
        self.rests: Counter[str] = Counter()
        self.spent: list[float] = []

    def cards(self, at: float) -> list[TrackedCard]:
        """The cards that the table knows at a time, with those that have just gone."""
        known = []
        for number, lying in enumerate(self.stage.lying):
            if not lying.rests + KNOWN_AFTER <= at < lying.leaves + KNOWN_FOR:
                continue
            lay = min(at, lying.leaves - 1e-3)
            pose = pose_at(lying.keys, lay)
            assert pose is not None
            known.append(self._steady(number, pose, at, max(at - lying.leaves, 0.0)))
        seen = {card.number: card for card in self.stage.at(at)}
        return [self._as_seen(card, seen.get(card.id), at) for card in known]

    def _steady(self, number: int, pose: Pose, at: float, missing: float) -> TrackedCard:
        lying = self.stage.lying[number]
        quad = card_outline(pose, self.stage.card)
        return TrackedCard(
            id=number, place=(pose.x, pose.y), turn=pose.turn, quad=quad,
            corners=self.stage.to_frame(quad, at, pose.lift), came=(pose.x, pose.y),
            evidence=NOTHING, detections=9, since=lying.rests,
            appeared=lying.rests, seen=at - missing, missing=missing,
        )  # fmt: skip

    def _as_seen(self, card: TrackedCard, seen: Seen | None, at: float) -> TrackedCard:
        """The card as a table would have it: missing where less than 0.6 of it is visible."""
        if seen is None or seen.visible >= 0.6 or card.missing:
            return card
        return self._steady(card.id, seen.pose, at, missing=1.0)

    def add(self, at: float, state: FrameState, cards: list[TrackedCard]) -> None:
        """Compares what was said of a frame with where its hands are painted."""
        hands = self.hands.mask(at)
        disc = np.ones((2 * _EDGE + 1, 2 * _EDGE + 1), np.uint8)
        surely, perhaps = cv2.erode(hands, disc), cv2.dilate(hands, disc)
        others = self._other_outlines(at)
        for card in cards:
            points = _points(card.corners)
            on = np.floor(points / _SMALL).astype(int)
            on = np.clip(on, 0, np.array(hands.shape)[::-1] - 1)
            said = state.covered(points)
            under = surely[on[:, 1], on[:, 0]] > 0
            free = perhaps[on[:, 1], on[:, 0]] == 0
            for number, outline, lifted in others:
                if number != card.id and (lifted or number > card.id):
                    free &= ~_inside(points, outline)
            lying = self.stage.lying[card.id]
            new = at - lying.rests < 2 * KNOWN_AFTER
            sort = "gone" if at >= lying.leaves else "new" if new else "there"
            self.counts["points under hands, said to be covered"] += said[under].tolist()
            self.counts[f"free points, said to be covered, card {sort}"] += said[free].tolist()
            if under.mean() >= 0.6:
                self.counts["cards under hands, found covered"].append(said.mean() >= MOSTLY)
            if free.all():
                name = f"free cards, taken for covered, card {sort}"
                self.counts[name].append(bool(said.mean() >= MOSTLY))
        self._rest(at, state)

    def _other_outlines(self, at: float) -> list[tuple[int, Points, bool]]:
        stage = self.stage
        return [
            (c.number, stage.to_frame(card_outline(c.pose, stage.card), at, c.pose.lift), c.moving)
            for c in stage.at(at)
        ]

    def _rest(self, at: float, state: FrameState) -> None:
        """Counts changed frames: of all, of quiet ones, and of those after a card came or went."""
        stage = self.stage
        happened = [t for card in stage.lying for t in (card.rests, card.leaves)]
        self.rests["all"] += 1
        self.rests["looks"] += state.changed
        busy = (
            at < 3.0
            or any(-3.0 < t - at < 0.3 for t in happened)
            or any(
                stage.passing(at - before, kind)
                for before in np.arange(0.0, 3.1, 0.25)
                for kind in ("hand", "head")
            )
        )
        if not busy:
            self.rests["quiet"] += 1
            self.rests["quiet looks"] += state.changed
        recent = max((t for t in happened if t <= at), default=-np.inf)
        if at - recent < 1.0:
            self.rests["after a card"] += 1
            self.rests["looks after a card"] += state.changed

    def lines(self) -> list[str]:
        """What was counted, in words."""
        told = [f"{n}: {np.mean(v):.3f} of {len(v)}" for n, v in sorted(self.counts.items()) if v]
        rests = self.rests
        told.append(
            f"frames looked at: {rests['looks'] / rests['all']:.3f} of {rests['all']}; "
            f"where nobody did anything for 3 s {rests['quiet looks'] / max(rests['quiet'], 1):.3f}"
            f" of {rests['quiet']}; in the second after a card came or went "
            f"{rests['looks after a card'] / max(rests['after a card'], 1):.3f}"
        )
        spent = np.array(self.spent) * 1000
        told.append(f"{np.median(spent):.2f} ms a frame, p95 {np.quantile(spent, 0.95):.2f} ms")
        return told


def _points(quad: Points) -> Points:
    across, down = _POINTS[:, :1], _POINTS[:, 1:]
    upper = quad[0] * (1 - across) + quad[1] * across
    lower = quad[3] * (1 - across) + quad[2] * across
    return np.asarray(upper * (1 - down) + lower * down, np.float64)


def _inside(points: Points, quad: Points) -> NDArray[np.bool_]:
    outline = quad.astype(np.float32)
    return np.array([
        cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in points
    ])  # fmt: skip


def scored(stage: Stage, film: Path, every: int) -> CoverScore:
    """Watches one frame in ``every`` of a film.

    Raises:
        CaptureError: the film cannot be read.
    """
    score, cover = CoverScore(stage), Cover()
    for at, frame in read_frames(film, every):
        cards = score.cards(at)
        plane = Plane(stage.homography(at), stage.outline, len(stage.header.seats))
        began = time.thread_time()
        state = cover.update(at, frame, plane, cards)
        score.spent.append(time.thread_time() - began)
        score.add(at, state, cards)
    return score


def main(arguments: list[str] | None = None) -> int:
    """Watch a film, and compare what is said to be covered with its truth."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.cover_score", description=main.__doc__
    )
    parser.add_argument("--film", type=Path, required=True, help="with its .truth.jsonl beside it")
    parser.add_argument("--every", type=int, default=2, help="take every so manieth frame")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        stage = read_truth(options.film.with_suffix(".truth.jsonl"))
        score = scored(stage, options.film, options.every)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.cover_score: {error}", file=sys.stderr)
        return 2
    print(f"{score.rests['all']} frames of {options.film.name} ({stage.grade})")
    print("\n".join(score.lines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
