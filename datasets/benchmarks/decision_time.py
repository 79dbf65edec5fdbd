"""How long the watching table takes to decide, for each picture: without eyes and tracking.

``python -m datasets.benchmarks.decision_time`` watches simulated films of four players in a bar,
and prints quantiles in milliseconds of one core. Let nothing else run beside it.
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
    """Counts the time that a call takes, over all calls.

    Attributes:
        took: seconds, of each call.
    """

    def __init__(self) -> None:
        self.took: list[float] = []

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, counted."""

        def counted(*arguments: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return call(*arguments, **named)
            finally:
                self.took.append(time.perf_counter() - began)

        return counted


def decisions(run: Run) -> tuple[Stopwatch, Stopwatch]:
    """From now on, all looks of a film's table are timed, and the tracking in each of them."""
    looks, tracking = Stopwatch(), Stopwatch()
    table = run.table
    table.see = looks.timed(table.see)  # type: ignore[method-assign]
    table.watcher.update = tracking.timed(table.watcher.update)  # type: ignore[method-assign]
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
