"""Simulates people who answer the table's questions wrongly, and correct the record soon after."""

from __future__ import annotations

from bisect import bisect
from random import Random

from datasets.benchmarks.played import Played
from datasets.benchmarks.tally import said
from scorekeeper.history.corrections import rewrite, standing
from vision.belief.proposals import Question
from vision.watched_table import ListLog

CORRECTED_AFTER = 2.0, 8.0
"""How long after a wrong answer people correct the record: from, to, in seconds."""

NOTICED_AFTER = 1.0
"""What happened within so many seconds before a correction and is not written yet is left to the
table."""


class Mistakes:
    """Wrong answers, and their corrections.

    Args:
        share: the share of questions that are answered wrongly, 0–1.
        seed: decides which, how, and how soon the record is corrected.

    Attributes:
        due: when the record will be corrected, in seconds; None while no answer was wrong.
    """

    def __init__(self, share: float, seed: int) -> None:
        self._share, self._chance = share, Random(f"mistakes {seed}")
        self.due: float | None = None

    def choice(self, question: Question, right: int | None, now: float) -> int | None:
        """The place of the answer that is given, which may be a wrong one.

        Args:
            question: what is asked.
            right: the place of the right answer; None where there is none.
            now: the time, in seconds.
        """
        wrong = [place for place in range(len(question.choices)) if place != right]
        if right is None or not wrong or self._chance.random() >= self._share:
            return right
        self.due = now + self._chance.uniform(*CORRECTED_AFTER)
        return self._chance.choice(wrong)

    def put_right(self, log: ListLog, played: Played, now: float) -> bool:
        """Corrects the record as a person does: from the first event that is wrong or missing.

        Args:
            log: the record.
            played: what was played.
            now: the time, in seconds.

        Returns:
            Whether there was anything to correct.

        Raises:
            RuleError: the rules do not allow it.
        """
        self.due = None
        stand = standing(log.events)
        until = min(bisect(played.times, now), len(stand))
        until = max(until, bisect(played.times, now - NOTICED_AFTER))
        pairs = list(zip((one.event for one in stand), played.events, strict=False))
        if len(stand) >= until and all(said(one) == said(done) for one, done in pairs):
            return False
        # From a guessed suit on: that card may have been played by somebody else (V-12).
        alike = (one.bare() == done.bare() for one, done in pairs)
        place = next((n for n, same in enumerate(alike) if not same), len(stand))
        wanted = [event.bare() for event in played.events[place:until]]
        if place < len(stand):
            wanted = list(rewrite(log.match, log.events, stand[place].seq, wanted).events)
        log.say(wanted, len(log.events))
        return True
