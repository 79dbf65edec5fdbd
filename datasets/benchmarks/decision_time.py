"""Times how long the watching table takes to decide after each picture.

Reading the picture and tracking the cards are left out. ``python -m
datasets.benchmarks.decision_time`` watches simulated films of four players in a bar and prints
quantiles in milliseconds. They are taken by the clock: let nothing else run beside it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.simulation.seen import EYES, watched
from scorekeeper.games.rules import GAMES

QUANTILES = 0.5, 0.95, 0.99


class Stopwatch:
    """Measures how long each call of a function takes.

    Attributes:
        took: how long each call took, in seconds.
    """

    def __init__(self) -> None:
        self.took: list[float] = []

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps a function so that each of its calls is measured."""

        def counted(*arguments: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return call(*arguments, **named)
            finally:
                self.took.append(time.perf_counter() - began)

        return counted


def decisions(run: Run) -> tuple[Stopwatch, Stopwatch]:
    """Times a table's calls from now on.

    Returns:
        The times of all that the table does with each picture, and of the tracking in it.
    """
    looks, tracking = Stopwatch(), Stopwatch()
    table = run.table
    table.see = looks.timed(table.see)  # type: ignore[method-assign]
    table.tracker.update = tracking.timed(table.tracker.update)  # type: ignore[method-assign]
    return looks, tracking


def main(arguments: list[str] | None = None) -> int:
    """Time the decisions of the watching table on simulated films."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.decision_time", description=main.__doc__
    )
    parser.add_argument("--seed", type=int, default=6000)
    parser.add_argument("--hands", type=int, default=10, help="of each game")
    options = parser.parse_args(arguments)
    took: list[float] = []
    for name, game in GAMES.items():
        if 4 not in game.rules.players:
            continue
        stage = filmed(name, 4, "bar", options.seed, options.hands)
        run = Run(stage, Tally(), answer=True)
        looks, tracking = decisions(run)
        run.watch(list(watched(stage, EYES["floors"])))
        took += np.subtract(looks.took, tracking.took).tolist()
    p50, p95, p99 = np.quantile(took, QUANTILES) * 1e3
    print(
        f"{len(took)} pictures: a decision takes p50 {p50:.2f}, p95 {p95:.2f}, p99 {p99:.2f}, "
        f"at most {max(took) * 1e3:.1f} ms"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
