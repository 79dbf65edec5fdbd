"""Checks whether the table's probabilities are calibrated: at 99 %, one play in 100 may be false.

``python -m datasets.benchmarks.reliability data/hands/*.jsonl.gz --to docs/reliability.svg`` takes
hands that ``datasets.benchmarks.seen_hands`` gathered. It gives each play that the table wrote the
probability that the table would state now. It prints log loss and expected calibration error, for
each kind of eyes and for all. The diagram shows how often plays of each stated probability were
true.

A play is true if it was really played after what was written before it. So a false play counts once
as false; the plays that are written after it are judged by themselves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from datasets.benchmarks.intervals import share_of_films
from datasets.benchmarks.seen_hands import SeenHand, hands_in
from scorekeeper.errors import ScorekeeperError
from vision.belief.likelihoods import USUAL, Likelihoods, stated

Floats = NDArray[np.float64]

BINS = 10
"""Number of bins; each has as many plays as the others."""

SURE = 1e-6
"""For the log loss a probability lies at least so far from 0 and 1, where a loss is infinite."""


class Play(NamedTuple):
    """A play that the table wrote.

    Attributes:
        film: names its film, see ``SeenHand``.
        chance: the probability that the table states for it, 0–1.
        right: whether it is true.
    """

    film: str
    chance: float
    right: bool


class Bin(NamedTuple):
    """Plays with about the same stated probability.

    Attributes:
        count: how many plays.
        stated: the mean of their stated probabilities, 0–1.
        right: the share of them that is true, 0–1.
        low: lower end of the 95 % interval of that share; see ``datasets.benchmarks.intervals``.
        high: upper end of that interval.
    """

    count: int
    stated: float
    right: float
    low: float
    high: float


def plays_in(hands: Iterable[SeenHand], likelihoods: Likelihoods | None) -> list[Play]:
    """The plays that were written in some hands.

    Args:
        hands: the hands.
        likelihoods: the parameters by which the probabilities are computed again; None for those
            that were stated when the hands were gathered.
    """
    return [
        Play(
            hand.film,
            each.chance if likelihoods is None else stated(each.read, each.side, likelihoods),
            each.right,
        )
        for hand in hands
        for each in hand.committed
    ]


def log_loss(plays: Sequence[Play]) -> float:
    """The mean negative log probability that was stated for the truth, in nats."""
    chances = np.clip([each.chance for each in plays], SURE, 1 - SURE)
    right = np.array([each.right for each in plays])
    return float(-np.log(np.where(right, chances, 1 - chances)).mean())


def bins_of(plays: Sequence[Play]) -> list[Bin]:
    """The plays in bins by their stated probability, the lowest first."""
    order = sorted(plays, key=lambda play: play.chance)
    edges = np.linspace(0, len(order), min(BINS, len(order)) + 1).astype(int)
    found: list[Bin] = []
    for begin, end in pairwise(edges):
        some = order[begin:end]
        films: dict[str, list[Play]] = {}
        for play in some:
            films.setdefault(play.film, []).append(play)
        shares = share_of_films(
            [sum(play.right for play in each) for each in films.values()],
            [len(each) for each in films.values()],
        )
        mean = float(np.mean([play.chance for play in some]))
        found.append(Bin(len(some), mean, *shares))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: the mean gap of stated and true, bins weighed by plays."""
    whole = sum(each.count for each in bins)
    return sum(each.count * abs(each.stated - each.right) for each in bins) / whole


def eyes_of_film(film: str) -> str:
    """The kind of eyes that saw a film: a name of simulated eyes, or the kind of a take's deck."""
    return film.split()[2]


def told(name: str, plays: Sequence[Play]) -> str:
    """The figures of some plays, as a line of a table."""
    bins = bins_of(plays)
    right = sum(play.right for play in plays)
    mean = float(np.mean([play.chance for play in plays]))
    return (
        f"| {name} | {len(plays):,} | {mean:.2%} | {right / len(plays):.2%} | "
        f"{log_loss(plays):.4f} | {calibration_error(bins):.4f} |"
    )


HEAD = (
    "| eyes | plays | stated | true | log loss | expected calibration error |\n"
    "|---|--:|--:|--:|--:|--:|"
)

SIZE, EDGE = 420, 56
"""Width and height of the diagram and of its margins, in pixels."""


def _along(share: float, least: float) -> float:
    """Where a share lies on an axis, 0–1.

    The axis is logarithmic in the share that is missing to 1, so that 99 % and 99.9 % lie apart.
    """
    return float(np.clip(np.log(max(1 - share, least) / 0.5) / np.log(least / 0.5), 0, 1))


def drawn(groups: Mapping[str, Sequence[Bin]], least: float = 1e-3) -> str:
    """Draws the diagram as an SVG.

    The stated probability runs to the right and the true share upwards. Perfectly calibrated
    probabilities lie on the diagonal.

    Args:
        groups: bins by the name of their group.
        least: the axes end where this share is missing to 1.
    """
    inner = SIZE - 2 * EDGE

    def x(share: float) -> float:
        return EDGE + inner * _along(share, least)

    def y(share: float) -> float:
        return SIZE - EDGE - inner * _along(share, least)

    ticks = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE + 20 * len(groups)}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{SIZE}" height="{SIZE + 20 * len(groups)}" fill="#fff"/>',
    ]
    for tick in ticks:
        label = f"{tick:.1%}".replace(".0%", "%")
        parts.append(
            f'<path d="M{x(tick):.1f} {EDGE}V{SIZE - EDGE}M{EDGE} {y(tick):.1f}H{SIZE - EDGE}" '
            'stroke="#ddd"/>'
            f'<text x="{x(tick):.1f}" y="{SIZE - EDGE + 16}" text-anchor="middle">{label}</text>'
            f'<text x="{EDGE - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{label}</text>'
        )
    parts.append(
        f'<path d="M{x(0.5)} {y(0.5)}L{x(1)} {y(1)}" stroke="#888" stroke-dasharray="4 3"/>'
        f'<text x="{SIZE / 2}" y="{SIZE - 12}" text-anchor="middle">stated probability</text>'
        f'<text transform="translate(13 {SIZE / 2}) rotate(-90)" text-anchor="middle">'
        "share that was true</text>"
    )
    for number, (name, bins) in enumerate(groups.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{x(each.stated):.1f},{y(each.right):.1f}" for each in bins)
        wide = 2 if name == "all" else 1
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{wide}"/>'
        )
        for each in bins:
            parts.append(
                f'<path d="M{x(each.stated):.1f} {y(each.low):.1f}V{y(each.high):.1f}" '
                f'stroke="{colour}" stroke-opacity=".4"/>'
                f'<circle cx="{x(each.stated):.1f}" cy="{y(each.right):.1f}" r="3" '
                f'fill="{colour}"/>'
            )
        row = SIZE + 20 * number + 6
        count = sum(each.count for each in bins)
        parts.append(
            f'<circle cx="{EDGE}" cy="{row}" r="4" fill="{colour}"/>'
            f'<text x="{EDGE + 12}" y="{row + 4}">{name}: {count:,} plays</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


COLOURS = ("#222222", "#1b6ca8", "#b4480f", "#2b7a3d", "#7a3d9c", "#8a6d00")


def main(arguments: list[str] | None = None) -> int:
    """Compare stated probabilities with the truth, and draw it."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.reliability", description=main.__doc__
    )
    parser.add_argument("hands", type=Path, nargs="+", help="files of seen_hands")
    parser.add_argument("--as-gathered", action="store_true", help="what was stated then")
    parser.add_argument("--to", type=Path, help="the diagram, an SVG")
    options = parser.parse_args(arguments)
    likelihoods = None if options.as_gathered else USUAL
    try:
        plays = plays_in(hands_in(options.hands), likelihoods)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.reliability: {error}", file=sys.stderr)
        return 2
    if not plays:
        print("datasets.benchmarks.reliability: these hands hold no plays", file=sys.stderr)
        return 2
    groups: dict[str, list[Play]] = {}
    for play in plays:
        groups.setdefault(eyes_of_film(play.film), []).append(play)
    print(HEAD)
    for name, some in sorted(groups.items()):
        print(told(name, some))
    print(told("all", plays))
    if options.to:
        shown = {name: bins_of(some) for name, some in [("all", plays), *sorted(groups.items())]}
        options.to.write_text(drawn(shown), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
