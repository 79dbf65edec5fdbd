"""A simulated table for tests: cards are put down and taken away, and time passes.

No pictures are drawn: the watching table gets detections of the cards.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from tests.scorekeeper.talk import NAMES, event
from vision.detection.detections import Detection
from vision.geometry.table_plane import Plane
from vision.watched_table import Happened, ListLog, Log, WatchingTable

SCALE = 8.0
OUTLINE = np.array([[-50, -40], [50, -40], [50, 40], [-50, 40]], float)
BEFORE = {4: [(0, 25), (-28, 0), (0, -25), (28, 0)], 2: [(0, 25), (0, -25)]}
"""Where each seat lays its cards, by the number of seats; x and y in centimetres."""


WATCHED = 1.2
"""The bare table is watched for so many seconds before a test begins: what comes then did not lie
there before the first look."""


def plane(seats: int) -> Plane:
    """The table seen from straight above; a centimetre is 8 pixels."""
    homography = np.array([[1 / SCALE, 0, -80], [0, 1 / SCALE, -45], [0, 0, 1]])
    return Plane(homography, OUTLINE, seats)


def corners(x: float, y: float, turn: float) -> np.ndarray:
    """The corners of a card, in pixels; shape (4, 2).

    Args:
        x: The middle of the card, in centimetres.
        y: The same.
        turn: By how much the card is turned, in radians.
    """
    quad = np.array([[-3.15, -4.4], [3.15, -4.4], [3.15, 4.4], [-3.15, 4.4]])
    c, s = math.cos(turn), math.sin(turn)
    return ((quad @ np.array([[c, s], [-s, c]]) + (x + 80, y + 45)) * SCALE).astype(np.float32)


class Tabletop:
    """A watched table with cards on it; hands cover nothing, unless a test sets ``covered``.

    Args:
        game: id of the game.
        seats: two or four.
        *said: events before the watching begins, written as for ``tests.scorekeeper.talk.event``.
        noise: standard deviation of each corner, in centimetres. If it is not 0, one card in fifty
            is not detected in a frame.
        log: where events go; None for a new ``ListLog``.

    Attributes:
        at: the time, in seconds.
        cards: what lies there: name, to what it is, x, y, turn and other readings.
        unseen: names of the cards that are not detected.
        covered: tells what hands cover, as for ``WatchingTable.see``; None if nothing does.
        reaching: the seats that reach over the table.
        happened: what came of each frame.
    """

    def __init__(
        self, game: str, seats: int, *said: str, noise: float = 0.0, log: Log | None = None
    ) -> None:
        self.seats, self.noise, self.rng = seats, noise, Random(7)
        self.log = log or ListLog(Header(game=game, seats=NAMES[:seats]))
        self.by_hand(*said)
        self.restart()
        self.at = 0.0
        self.cards: dict[str, list] = {}
        self.unseen: set[str] = set()
        self.scores: dict[str, float] = {}  # how sure the finder is of some cards; 0.9 of others
        self.covered = None
        self.reaching: frozenset[int] = frozenset()
        self.happened: list[Happened] = []
        self.run(WATCHED)

    def restart(self) -> None:
        """Begins to watch anew, with the cards that lie on the table."""
        self.table = WatchingTable(plane(self.seats), self.log)

    def pause(self) -> None:
        """Lets time pass in which no frame is seen."""
        self.at += 2.5

    def put(self, card: str, seat: int | None = None, *, at=None, turn=0.1, **read: float) -> str:
        """Puts a card on the table.

        Args:
            card: what it is.
            seat: the seat before which it lies; ignored if ``at`` is given.
            at: where it lies, x and y in centimetres.
            turn: by how much it is turned, in radians.
            **read: what it is read as, and how likely; without it, as what it is.

        Returns:
            Its name, for ``take``: a second card of the same kind gets another name.
        """
        if at is None:
            x, y = BEFORE[self.seats][seat or 0]
            at = (x + self.rng.uniform(-1, 1), y + self.rng.uniform(-1, 1))
        name = card if card not in self.cards else f"{card}#{len(self.cards)}"
        self.cards[name] = [card.partition("#")[0], *at, turn, read]
        return name

    def throw(
        self, card: str, start: tuple[float, float], to: tuple[float, float], **read: float
    ) -> str:
        """Throws a card: it is seen on its way. The arguments and the result are as for ``put``."""
        name = self.put(card, at=start, **read)
        for step in range(1, 10):
            share = step / 9
            self.cards[name][1:3] = [a + (b - a) * share for a, b in zip(start, to, strict=True)]
            self.run(0.05)
        return name

    def take(self, *names: str) -> None:
        """Takes cards away; all cards if none is named."""
        for name in names or tuple(self.cards):
            del self.cards[name]

    def run(self, seconds: float = 0.6) -> list[str]:
        """Shows frames for so many seconds, 20 a second; returns the events that were written."""
        written: list[str] = []
        for _ in range(round(seconds * 20)):
            self.at += 0.05
            happened = self.table.see(
                self.at, self._detections(), self.covered, lambda: self.reaching
            )
            self.happened.append(happened)
            written += [told(each) for each in happened.events]
        return written

    def say(self, text: str) -> None:
        """A player says something, such as a call."""
        self.table.declare(event(text), self.at)

    def by_hand(self, *texts: str) -> None:
        """A person enters events on a phone."""
        for text in texts:
            self.log.say([event(text)], self.log.read()[0])

    def asked(self) -> list[str]:
        """The kinds of the questions that are open."""
        return [question.kind for question in self.table.questions]

    def answer(self, word: str) -> list[str]:
        """Answers the first open question.

        Args:
            word: the word of a choice, or its event as ``told`` writes it.

        Returns:
            The events that were written.
        """
        question = self.table.questions[0]
        words = [told(c.event) if c.event else c.word for c in question.choices]
        return [told(e) for e in self.table.answer(question.id, words.index(word), self.at)]

    def hints(self) -> list[str]:
        """Kind and rule of each hint so far."""
        return [f"{hint.kind} {hint.rule}" for each in self.happened for hint in each.hints]

    def deal(self, cards: int = 3) -> list[str]:
        """Deals so many cards to everybody, face down; the players then take them up.

        Returns:
            The events that were written.
        """
        backs, written = [], []
        for number in range(cards):
            for seat in range(self.seats):
                x, y = BEFORE[self.seats][seat]
                backs.append(self.put("back", at=(x * 1.2 + number * 3 - 3, y * 1.2)))
                written += self.run(0.3)
        written += self.run(3.0)
        self.take(*backs)
        return written + self.run(1.2)

    def _detections(self) -> list[Detection]:
        seen = []
        for name, (card, x, y, turn, read) in self.cards.items():
            if name in self.unseen or (self.noise and self.rng.random() < 0.02):
                continue
            quad = corners(x, y, turn)
            if self.noise:
                quad = quad + np.array([
                    [self.rng.gauss(0, self.noise * SCALE) for _ in range(2)] for _ in range(4)
                ])  # fmt: skip
            readings = sorted((read or {card: 0.97}).items(), key=lambda each: -each[1])
            score = self.scores.get(name, 0.9)
            seen.append(Detection(quad.astype(np.float32), score, tuple(readings)))
        return seen


def told(said: Event) -> str:
    """An event as the tests write it: ``1 play KS``."""
    return f"{said.seat} {said.in_words()}" if said.seat is not None else said.in_words()
