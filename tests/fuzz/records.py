"""Mutated records. Each must be refused in a sentence, or be read by all that reads a match."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

from scorekeeper.history.disputes import may_be_shown
from scorekeeper.history.record import Reading, RecordError, read_record, write_record
from scorekeeper.history.repairs import insertions, repairs, take_back_latest, undo_last
from scorekeeper.history.timeline import timeline
from scorekeeper.reports.answer import answer
from scorekeeper.reports.cases import agreements, cases
from scorekeeper.reports.explain import explain
from scorekeeper.reports.spreadsheets import match_sheet
from scorekeeper.reports.statistics import chronicle
from scorekeeper.text.i18n import LANGUAGES
from tests.fuzz.mutate import Mutator, as_json
from tests.scorekeeper.playouts import HEADERS, playout

GOLDEN = [
    [json.loads(line) for line in path.read_text().splitlines()]
    for path in sorted((Path(__file__).parents[1] / "golden").glob("*.jsonl"))
]
LONGEST = 60
"""A mutated record has at most about so many lines."""
USUAL = 3
"""About the mean number of lines: short records are read quickly, and show most errors."""


def corpus(seed: int) -> list[list[bytes]]:
    """The lines of valid records: whole evenings, and random matches of each game."""
    made = [
        [
            header.to_json(),
            *(event.to_json() for event in playout(header, Random(seed), LONGEST, operator=0.3)),
        ]
        for header in HEADERS
    ]
    return [[as_json(line) for line in lines[:LONGEST]] for lines in (*GOLDEN, *made)]


class Records:
    """Mutates records and reads them.

    Args:
        seed: Decides all that is random.

    Attributes:
        taken: How many mutated records were valid.
    """

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._mutator = Mutator(self._chance)
        self._corpus = corpus(seed)
        self._tokens = [json.loads(line) for lines in self._corpus for line in lines]
        self.taken = 0

    def next(self) -> bytes:
        """The next mutated record."""
        chance = self._chance
        whole = chance.choice(self._corpus)
        lines = whole[: 1 + min(int(chance.expovariate(1 / USUAL)), len(whole) - 1)]
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            # Late lines are mutated most often: nothing is read after a line that is refused.
            place = max(0, len(lines) - 1 - int(chance.expovariate(0.7)))
            what = chance.random() if lines else 1.0
            if what < 0.75:
                lines[place] = self._changed(lines[place])
            elif what < 0.82:
                lines.insert(place, chance.choice(lines))
            elif what < 0.88:
                lines.append(as_json(chance.choice(self._tokens)))
            elif what < 0.93:
                del lines[place]
            elif what < 0.96:
                lines[place] = self._mutator.bytes(lines[place])
            elif what < 0.97:  # nested deeper than Python's reader of JSON goes
                lines[place] = b"[" * 30_000
            else:
                lines[place : place + 1] = [as_json(self._mutator.value())]
        end = b"" if chance.random() < 0.02 else b"\n"
        return b"\n".join(lines) + end

    def _changed(self, line: bytes) -> bytes:
        try:
            return as_json(self._mutator.json(json.loads(line)))
        except (ValueError, RecursionError):  # this line is no JSON any more
            return self._mutator.bytes(line)

    def check(self, record: bytes) -> None:
        """Reads a mutated record.

        Raises:
            Exception: Any exception is an error that was found.
        """
        try:
            reading = read_record(io.BytesIO(record))
        except RecordError as error:
            if "\n" in str(error) or not str(error).isprintable():
                raise AssertionError(f"the refusal is no line: {str(error)!r}") from None
            return
        self.taken += 1
        read_by_all(reading, LANGUAGES[self.taken % len(LANGUAGES)])


def read_by_all(reading: Reading, code: str) -> None:
    """Makes all that is ever made of a match; checks that its export is read as the same match."""
    match, events = reading.match, reading.events
    exported = "".join(write_record(match.header, events)).encode()
    again = read_record(io.BytesIO(exported))
    if (again.match.header, again.events) != (match.header, events):
        raise AssertionError("what is exported is not what is read again")
    json.dumps(answer(match), allow_nan=False)
    "\n".join(explain(match, code)).encode()
    "".join(match_sheet(match)).encode()
    chronicle(match)
    shown = timeline(match, events, code)
    cases(match, events, code)
    agreements(match, events, code)
    may_be_shown(match.header, events)
    undo_last(match, events, code)
    take_back_latest(match, events, code)
    insertions(match, events, None, code)
    for entry in shown[-1:]:
        repairs(match, events, entry.seq, code)
