"""Splits the time from a card at rest to a phone into stages; see ``vision.process.trace``."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple


class LookTaken(NamedTuple):
    """A look at a frame: when the frame was taken, and when the look began and ended.

    ``spent`` is the processor time of the look, in seconds.
    """

    taken: float
    began: float
    ended: float
    spent: float


class Way(NamedTuple):
    """A card from table to screen: its match and event, when it came to rest, and the change."""

    match: int
    seq: int
    rested: float
    number: int


class Trace:
    """What a trace says.

    Args:
        file: The file of the trace.
    """

    def __init__(self, file: Path) -> None:
        self.looks: list[LookTaken] = []
        self.proposed: list[tuple[float, int]] = []
        self.written: dict[tuple[int, int], float] = {}
        self.drawn: dict[int, float] = {}
        self._of_film = False  # whether the times of frames are a film's, not the clock's
        taken = None
        for line in file.read_text().splitlines():
            at, spent, stage, about = json.loads(line)
            if stage == "taken":
                taken = about["at"], at, spent
            elif stage == "looked" and taken is not None:
                self.looks.append(LookTaken(taken[0], taken[1], at, spent - taken[2]))
            elif stage == "lap":
                self._of_film = True
            elif stage == "proposed":
                self.proposed.append((at, about["seq"]))
            elif stage == "written":
                self.written[about["match"], about["seq"]] = at
            elif stage == "drawn" and about["screen"] == "board":
                self.drawn.setdefault(about["number"], at)

    def report(self, ways: Iterable[Way], came: Mapping[int, float]) -> list[str]:
        """A line for each stage, with its times.

        Args:
            ways: The cards.
            came: When each change came to the phone, by the number of the change.
        """
        begins = [look.began for look in self.looks]
        stages: dict[str, list[float]] = {}
        looks: list[LookTaken] = []
        counts = []
        for way in ways:
            written = self.written.get((way.match, way.seq))
            if written is None:
                continue  # a person entered this event
            proposed = max(at for at, seq in self.proposed if seq == way.seq and at <= written)
            its = self.looks[bisect_left(begins, way.rested) : bisect_left(begins, proposed)]
            counts.append(len(its))
            looks += its
            began = its[0].began if its else proposed
            drawn = self.drawn.get(way.number, came[way.number])
            ends = {"waits for the look under way": began, "is looked at": proposed,
                    "is written": written, "is drawn": drawn,
                    "is sent to the phone": came[way.number]}  # fmt: skip
            before = way.rested
            for stage, end in ends.items():
                stages.setdefault(stage, []).append(end - before)
                before = end
        lines = [f"  {stage}:  {spread(found)}" for stage, found in stages.items()]
        if counts:
            lines += [
                f"  looks at it:  median {median(counts):g}, most {max(counts)}",
                f"  one look:  {spread(look.ended - look.began for look in looks)}",
                f"  of the processor:  {spread(look.spent for look in looks)}",
            ]
            if not self._of_film:
                age = spread(look.began - look.taken for look in looks)
                lines.append(f"  a picture is old when it is looked at:  {age}")
        return lines


def spread(seconds: Iterable[float]) -> str:
    """The median, the 95th percentile and the longest of some times, as text."""
    found: Sequence[float] = sorted(seconds)
    p95 = found[min(int(len(found) * 0.95), len(found) - 1)]
    return f"p50 {median(found) * 1e3:5.0f}, p95 {p95 * 1e3:5.0f}, max {found[-1] * 1e3:5.0f} ms"
