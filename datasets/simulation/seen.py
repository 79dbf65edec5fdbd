"""Simulates imperfect eyes: what a reader would report of a film, without painting it.

``watched(stage, eyes)`` yields, frame by frame, the detections that
``vision.detection.reader.CardReader`` could have made of the film: with wrong readings, missed
cards, doubles, and cards where none lies. An error mostly stays until the card, or what covers it,
moves: a reader that takes a jack for a queen does so again in the next frame. So many frames do not
make a wrong reading right.

``python -m datasets.simulation.seen --game trut --seats 4 --hands 50`` prints how good the
detections of a film are, and how fast they are made.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.films.covering import Pose
from datasets.films.director import direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, pack_of, play_match
from datasets.films.stage import BACK, Seen, Stage
from datasets.scenes.geometry import Points
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import start
from scorekeeper.games.cards import parse_card
from scorekeeper.games.rules import GAMES
from vision.detection.detections import Detection


@dataclass(frozen=True, kw_only=True)
class Eyes:
    """How good the eyes are; shares are of readings, each of one card in one frame, 0–1.

    The probability that a reading states is drawn first, and then the reading is right with just
    that probability. So the stated probabilities are calibrated.

    Attributes:
        rate: how many frames a second are looked at.
        lag: from a frame until it is known what is seen in it, in seconds.
        rank_right: the share of ranks that are read right: from, to. It is drawn once for a film,
            because some decks are easier to read than others.
        suit_right: the share of suits that are read right.
        back_right: the share of cards face down that are taken for backs.
        back_false: the share of cards face up that are taken for backs.
        unreadable: the share of right ranks where no index can be seen; above a half.
        blurred: the share of right ranks of moving cards; above a half.
        spread: how much readings differ: near 0 each is either sure or hardly better than a guess;
            if it is large, all are about as sure.
        stubborn: the share of frames in which a resting card has the same reading as before, until
            it, or what covers it, moves.
        miss: the share of uncovered resting cards that are not found.
        miss_moving: the share of moving cards that are not found.
        miss_cover: the share of half covered cards that are not found, on top of these.
        least: a card of which a smaller share is visible is not found.
        corner: about the standard deviation of the corners of an uncovered resting card, as a part
            of its height.
        double: the share of cards that are reported twice.
        false: how many false cards a frame has, on average.
        haunted: how many places of a table look like a card again and again, on average.
        mistaken: the share of a deck's faces that are taken for another one in every frame.
    """

    rate: float = 15.0
    lag: float = 0.0
    rank_right: tuple[float, float] = (1.0, 1.0)
    suit_right: float = 1.0
    back_right: float = 1.0
    back_false: float = 0.0
    unreadable: float = 1.0
    blurred: float = 1.0
    spread: float = 0.5
    stubborn: float = 0.0
    miss: float = 0.0
    miss_moving: float = 0.0
    miss_cover: float = 0.0
    least: float = 0.15
    corner: float = 0.0
    double: float = 0.0
    false: float = 0.0
    haunted: float = 0.0
    mistaken: float = 0.0


EYES: dict[str, Eyes] = {
    "perfect": Eyes(),
    # The least that real eyes must reach: 93–98 % of ranks, corners within 3 % of the height.
    "floors": Eyes(
        lag=0.07, rank_right=(0.93, 0.98), suit_right=0.97, back_right=0.985, back_false=0.003,
        unreadable=0.55, blurred=0.6, spread=0.6, stubborn=0.7, miss=0.02, miss_moving=0.4,
        miss_cover=0.25, least=0.2, corner=0.02, double=0.01, false=0.01, haunted=0.3,
    ),
}  # fmt: skip
EYES["stubborn"] = replace(EYES["floors"], stubborn=1.0)
EYES["deceived"] = replace(EYES["floors"], stubborn=0.95, mistaken=0.04)
"""Eyes by name. ``perfect`` sees the truth. ``floors`` is as good as real eyes must be at least.
``stubborn`` reads a still card the same in every frame, as real eyes nearly do. ``deceived`` takes
two cards of fifty for others all evening."""

_ALIKE = (("J", "Q", "K"), ("10", "9"), ("9", "8"), ("8", "7"), ("7", "6"), ("6", "5"),
          ("5", "4"), ("4", "3"), ("3", "2"), ("2", "A"))  # fmt: skip
_SUITS_ALIKE = {"H": "D", "D": "H", "S": "C", "C": "S", "O": "U", "U": "O", "E": "B", "B": "E"}
_LEAST_SURE = 0.5  # least probability of the likeliest rank
_TURNED = [2, 3, 0, 1]  # the order of a card's corners if it is seen upside down
_SECOND, _THIRD = 0.7, 0.2  # the next ranks' shares of the probability that the first one leaves


class Glance(NamedTuple):
    """What the eyes report of one frame.

    Attributes:
        at: the frame's time, in seconds of the film.
        known: when it is reported, in seconds: later by the eyes' lag.
        detections: the cards, those with the highest score first.
    """

    at: float
    known: float
    detections: tuple[Detection, ...]


class _Look(NamedTuple):
    """What stays the same of a card until it, or what covers it, moves.

    Attributes:
        readings: its names and their probabilities.
        offsets: the errors of its corners, shape (4, 2), as parts of its height.
        turned: whether it is seen upside down.
    """

    readings: tuple[tuple[str, float], ...]
    offsets: NDArray[np.float64]
    turned: bool


class Watcher:
    """Looks at a stage with given eyes; the same stage, eyes and seed give the same detections.

    Args:
        stage: the film's truth.
        eyes: how good the eyes are.
        seed: decides the errors.
    """

    def __init__(self, stage: Stage, eyes: Eyes, seed: int = 0) -> None:
        self.stage, self.eyes = stage, eyes
        self._rng = Random(f"eyes {seed} {stage.seed} {stage.grade}")
        self._draw = np.random.default_rng(self._rng.getrandbits(64))
        self.rank_right = self._rng.uniform(*eyes.rank_right)
        """The share of ranks that these eyes read right with this deck."""
        spanish = any(event.card is not None and event.card.spanish for event in stage.events)
        pack = pack_of(start(stage.header)._replace(spanish=spanish))
        self._ranks = sorted({card.rank for card in pack})
        self._suits = sorted({card.suit for card in pack})
        self._alike = {
            rank: [other for pair in _ALIKE if rank in pair for other in pair
                   if other != rank and other in self._ranks]
            for rank in self._ranks
        }  # fmt: skip
        middle = stage.to_frame(np.array([[0.0, -0.5], [0.0, 0.5]]))
        self._tall = float(np.linalg.norm(middle[1] - middle[0])) * stage.card[1]
        self._looks: dict[int, tuple[object, _Look]] = {}
        self._placed: dict[object, Points] = {}
        self._haunted = self._haunted_places()
        self._normals = np.empty(0)
        self._printed: dict[tuple[str, str], str] = {card: str(card) for card in pack}
        chance = Random(f"mistaken {seed} {stage.seed}")
        self._taken_for = {
            card: card._replace(rank=chance.choice(self._alike[card.rank] or self._ranks))
            for card in sorted(pack) if chance.random() < eyes.mistaken
        }  # fmt: skip

    def frames(self, begin: float = 0.0, end: float | None = None) -> Iterator[Glance]:
        """Yields what is seen, frame by frame, between two times (seconds; None: to the end)."""
        ends = self.stage.ends if end is None else end
        for number in range(math.ceil(begin * self.eyes.rate), math.ceil(ends * self.eyes.rate)):
            at = number / self.eyes.rate
            yield Glance(at, at + self.eyes.lag, tuple(self._glance(at)))

    def _glance(self, at: float) -> list[Detection]:
        found: list[Detection] = []
        for card in self.stage.at(at):
            found += self._card(card, at)
        found += self._false(at)
        found.sort(key=lambda detection: -detection.score)
        return found

    def _card(self, card: Seen, at: float) -> list[Detection]:
        eyes, rng = self.eyes, self._rng
        if card.visible < eyes.least:
            return []
        cover = 1 - card.visible
        miss = eyes.miss_moving if card.moving else eyes.miss
        miss = 1 - (1 - miss) * (1 - min(eyes.miss_cover * (cover / 0.5) ** 2, 1.0))
        if rng.random() < miss:
            return []
        corners = self._corners(card.top, at)
        look = self._look(card)
        readings = look.readings
        if card.moving or rng.random() >= eyes.stubborn:
            readings = self._read(card)
        offsets = look.offsets
        if eyes.corner:
            jitter = self._normal(8).reshape(4, 2)
            offsets = offsets + jitter * (eyes.corner * (0.8 if card.moving else 0.4))
        corners = corners + offsets * (self._tall * (1 + 2 * cover))
        if look.turned:
            corners = corners[_TURNED]
        score = min(0.97, max(0.25, 0.95 - 0.6 * cover - abs(rng.gauss(0, 0.03))))
        seen = [Detection(corners.astype(np.float32), score, readings)]
        if rng.random() < eyes.double:
            away = 0.12 * self._normal(2) * self._tall
            other = np.asarray(corners + away, np.float32)
            seen.append(Detection(other, score * 0.6, self._read(card)))
        return seen

    def _normal(self, count: int) -> NDArray[np.float64]:
        """Normally distributed numbers; they are drawn in large blocks, which is much faster."""
        if len(self._normals) < count:
            more = self._draw.standard_normal(4096)
            self._normals = np.concatenate([self._normals, more])
        drawn, self._normals = self._normals[:count], self._normals[count:]
        return drawn

    def _corners(self, pose: Pose, at: float) -> Points:
        key = (pose, self.stage.shift(at))
        if key not in self._placed:
            if len(self._placed) > 2000:
                self._placed.clear()
            self._placed[key] = self.stage.card_at(pose, at)
        return self._placed[key]

    def _look(self, card: Seen) -> _Look:
        """How a card looks; it is drawn again when the card, or what covers it, has moved."""
        resting = None if card.moving else card.pose
        key = (resting, card.readable, round(card.visible * 5))
        kept = self._looks.get(card.number)
        if kept is None or kept[0] != key:
            corner = self.eyes.corner
            offsets = self._normal(8).reshape(4, 2) * corner * 0.9
            turned = corner > 0 and self._rng.random() < 0.3
            kept = (key, _Look(self._read(card), offsets, turned))
            self._looks[card.number] = kept
        return kept[1]

    def _read(self, card: Seen) -> tuple[tuple[str, float], ...]:
        """Draws the readings of a card: names with their probabilities, the likeliest first."""
        eyes, rng = self.eyes, self._rng
        name = card.lying.card
        if name == BACK:
            if rng.random() < eyes.back_right:
                return ((BACK, 0.99),)
            return self._named(rng.choice(self._ranks), rng.choice(self._suits), 0.55, 0.6)
        right = self.rank_right
        if card.moving:
            right = min(right, eyes.blurred)
        elif not card.readable:
            right = min(right, eyes.unreadable)
        if rng.random() < eyes.back_false:
            return ((BACK, 0.6), (name, 0.3))
        truth = self._taken_for.get(shown := parse_card(name), shown)
        return self._named(truth.rank, truth.suit, right, eyes.suit_right)

    def _named(
        self, rank: str, suit: str, rank_right: float, suit_right: float
    ) -> tuple[tuple[str, float], ...]:
        """Draws readings whose likeliest rank is right with the probability that it states."""
        ranks = self._ranked(rank, rank_right)
        rng = self._rng
        p = self._sure(suit_right)
        other = _SUITS_ALIKE[suit]
        if rng.random() >= 0.85:
            other = rng.choice([each for each in self._suits if each != suit])
        suits = [(suit, p), (other, 1 - p)]
        if rng.random() >= p:  # the likeliest is the wrong one
            suits = [(other, p), (suit, 1 - p)]
        named = [
            (self._printed[r, s], round(p_rank * p_suit, 5))
            for r, p_rank in ranks
            for s, p_suit in suits
        ]
        named.sort(key=itemgetter(1), reverse=True)
        return tuple(reading for reading in named[:6] if reading[1] > 0.0005)

    def _ranked(self, truth: str, right: float) -> list[tuple[str, float]]:
        p = self._sure(right)
        rng = self._rng
        if p >= 0.9999:
            return [(truth, p)]
        others = self._confused(truth)
        if rng.random() < p:
            first, second, third = truth, others[0], others[1]
        else:
            first = others[0]
            chance = rng.random()
            if chance < _SECOND:
                second, third = truth, others[1]
            elif chance < _SECOND + _THIRD:
                second, third = others[1], truth
            else:
                second, third = others[1], others[2]
        rest = 1 - p
        ranks = [(first, p), (second, rest * _SECOND), (third, rest * _THIRD)]
        return sorted(ranks, key=lambda each: -each[1])

    def _confused(self, truth: str) -> list[str]:
        """Three other ranks, mostly with one first that looks like the true one."""
        alike = list(self._alike[truth])
        self._rng.shuffle(alike)
        if self._rng.random() < 0.2:
            alike = []
        rest = [rank for rank in self._ranks if rank != truth and rank not in alike]
        self._rng.shuffle(rest)
        return [*alike, *rest][:3]

    def _sure(self, right: float) -> float:
        """Draws a probability of at least a half; its mean is the share that is read right."""
        if right >= 1:
            return 1.0
        mean = max((right - _LEAST_SURE) / (1 - _LEAST_SURE), 0.01)
        spread = self.eyes.spread
        drawn = self._rng.betavariate(mean * spread, (1 - mean) * spread)
        return _LEAST_SURE + (1 - _LEAST_SURE) * drawn

    # --- what is no card ---------------------------------------------------------------------

    def _haunted_places(self) -> list[tuple[Pose, str]]:
        count = int(self._draw.poisson(self.eyes.haunted))
        wide, deep = self.stage.table
        return [
            (Pose(self._rng.uniform(-0.45, 0.45) * wide, self._rng.uniform(-0.45, 0.45) * deep,
                  self._rng.uniform(0, 2 * math.pi), 0.0), self._rng.choice(self._ranks))
            for _ in range(count)
        ]  # fmt: skip

    def _false(self, at: float) -> list[Detection]:
        rng, found = self._rng, []
        for pose, rank in self._haunted:
            # Such a card appears now and then, each time for about a second.
            if math.sin(at * 0.9 + pose.x) > 0.93 and rng.random() < 0.5:
                found.append(self._no_card(pose, rank, at))
        if rng.random() < self.eyes.false:
            hands = self.stage.passing(at)
            wide, deep = self.stage.table
            spot = (rng.uniform(-0.5, 0.5) * wide, rng.uniform(-0.5, 0.5) * deep)
            if hands and rng.random() < 0.6:
                spot = hands[0][2][:2]
            pose = Pose(*spot, rng.uniform(0, 2 * math.pi), 0.0)
            found.append(self._no_card(pose, rng.choice(self._ranks), at))
        return found

    def _no_card(self, pose: Pose, rank: str, at: float) -> Detection:
        corners = self._corners(pose, at)
        score = self._rng.uniform(0.2, 0.5)
        readings = self._named(rank, self._rng.choice(self._suits), 0.55, 0.6)
        return Detection(corners.astype(np.float32), score, readings)


def watched(stage: Stage, eyes: Eyes, seed: int = 0) -> Iterator[Glance]:
    """Yields what eyes see of a stage, frame by frame."""
    return Watcher(stage, eyes, seed).frames()


def main(arguments: list[str] | None = None) -> int:
    """Make a simulated film, and say how good its detections are and how fast it was made."""
    parser = argparse.ArgumentParser(prog="datasets.simulation.seen", description=main.__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    parser.add_argument("--eyes", choices=list(EYES), default="floors")
    parser.add_argument("--rate", type=float, help="frames looked at, a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=50)
    options = parser.parse_args(arguments)
    eyes = EYES[options.eyes]
    eyes = eyes if options.rate is None else replace(eyes, rate=options.rate)
    started, busy = time.perf_counter(), 0.0
    hands = frames = cards = ranks = 0
    seconds = 0.0
    seed = options.seed
    while hands < options.hands:
        header = Header(game=options.game, seats=NAMES[: options.seats], best_of=5)
        record = play_match(header, seed, min(options.hands - hands, 20))
        stage = direct(record.header, record.events, grade=options.grade, seed=seed)
        began = time.process_time()
        glances = list(watched(stage, eyes))
        busy += time.process_time() - began
        frames += len(glances)
        for glance in glances:
            right, read = _right_ranks(stage, glance)
            cards, ranks = cards + read, ranks + right
        hands += sum(event.do == "deal" for event in record.events)
        seconds += stage.ends
        seed += 1
    took = time.perf_counter() - started
    print(
        f"{hands} hands, {seconds / hands:.1f} s each; {frames} frames made in {busy:.1f} s of "
        f"processor time ({hands / busy:.1f} hands, {frames / busy:.0f} frames a second), "
        f"{took:.1f} s with this count; "
        f"ranks right {ranks / max(cards, 1):.4f} of {cards} readings of free cards at rest"
    )
    return 0


def _right_ranks(stage: Stage, glance: Glance) -> tuple[int, int]:
    """Of the uncovered cards at rest, how many have their right rank, and how many any reading."""
    right = read = 0
    free = [card for card in stage.at(glance.at)
            if card.lying.face == "up" and not card.moving and card.visible > 0.99]  # fmt: skip
    for card in free:
        middle = stage.to_frame(np.array([[card.pose.x, card.pose.y]]), glance.at)[0]
        near = [
            detection
            for detection in glance.detections
            if np.linalg.norm(detection.corners.mean(axis=0) - middle) < 12
        ]
        if near:
            read += 1
            right += near[0].card[:-1] == card.lying.card[:-1]
    return right, read


if __name__ == "__main__":
    sys.exit(main())
