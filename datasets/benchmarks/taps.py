"""Simulates how people tap what they say: some words never, some late, some twice (V-22)."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from datasets.films.stage import AT
from scorekeeper.engine.events import Event

LATE = 1.0, 4.0
"""How long after a word it is tapped, if late: from, to, in seconds."""

AGAIN = 0.2, 1.0
"""How long after a tap the same word is tapped once more: from, to, in seconds."""


class Tap(NamedTuple):
    """A tap of a word.

    Attributes:
        at: when it is tapped, in seconds of the film.
        event: what is tapped.
        word: what was said; another player may tap it.
    """

    at: float
    event: Event
    word: Event

    @property
    def careful(self) -> bool:
        """Whether it was tapped when it was said, by whoever said it."""
        return self.event is self.word and self.at == self.word.remarks[AT]


class Taps(NamedTuple):
    """How carefully people tap: shares of the words that they say, 0–1.

    Attributes:
        untapped: the share that nobody taps.
        late: the share that is tapped late; see ``LATE``.
        twice: the share that is tapped once more (see ``AGAIN``), by the same player or, of four
            players, by the partner.
        misanswered: the share of the table's questions that are answered wrongly; see
            ``datasets.benchmarks.mistakes``.
    """

    untapped: float = 0.0
    late: float = 0.0
    twice: float = 0.0
    misanswered: float = 0.0

    @property
    def careful(self) -> bool:
        """Whether each word is tapped once, when it is said."""
        return not (self.untapped or self.late or self.twice)

    def of(self, events: Iterable[Event], seats: int, seed: int) -> list[Tap]:
        """The taps of a film, in the order of their times.

        Args:
            events: all events of the film, with their times.
            seats: how many players there are.
            seed: decides which words are not tapped, late or repeated.
        """
        chance = Random(f"taps {seed}")
        tapped: list[Tap] = []
        for event in events:
            if event.do in ("play", "deal"):
                continue
            # Every word draws the same count of numbers, so that one share does not change the
            # choices of another.
            forgotten, late, twice, by, again, other = (chance.random() for _ in range(6))
            if forgotten < self.untapped:
                continue
            at = event.remarks[AT]
            if late < self.late:
                at += LATE[0] + by * (LATE[1] - LATE[0])
            tapped.append(Tap(at, event, event))
            if twice < self.twice:
                at += AGAIN[0] + again * (AGAIN[1] - AGAIN[0])
                by_other = seats == 4 and other < 0.5
                tapped.append(Tap(at, _by_partner(event) if by_other else event, event))
        return sorted(tapped, key=lambda tap: tap.at)

    def in_words(self) -> str:
        """The shares that are not 0, in words."""
        kinds = (
            "the words not tapped", "the words tapped late", "the words tapped twice",
            "the questions answered wrongly",
        )  # fmt: skip
        parts = [f"{share:.0%} of {what}" for share, what in zip(self, kinds, strict=True) if share]
        return ", ".join(parts)


CAREFUL = Taps()
"""Every word is tapped once, when it is said."""


def _by_partner(event: Event) -> Event:
    return event if event.seat is None else event._replace(seat=(event.seat + 2) % 4)


def add_options(parser: ArgumentParser) -> None:
    """Adds an option for each share."""
    parser.add_argument("--untapped", type=float, default=0.0, help="share that nobody taps")
    parser.add_argument("--late", type=float, default=0.0, help="share that is tapped late")
    parser.add_argument("--twice", type=float, default=0.0, help="share that is tapped twice")
    parser.add_argument("--misanswered", type=float, default=0.0, help="share of wrong answers")


def of_options(options: Namespace) -> Taps:
    """The shares that the options ask for."""
    return Taps(options.untapped, options.late, options.twice, options.misanswered)
