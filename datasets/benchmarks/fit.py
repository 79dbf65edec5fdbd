"""Fits the parameters of the belief, and writes them into its one file.

``python -m datasets.benchmarks.fit data/hands/*.jsonl.gz`` takes hands of takes and of simulated
films, which ``datasets.benchmarks.seen_hands`` gathered. It looks for the parameters under which
what was played is likeliest among all hypotheses about what was seen (maximum conditional
likelihood). The hypotheses come from the belief's beam search, which is run again after each round.
A weak prior draws each parameter to its value before the fit.

Groups of parameters are tried one after the other. A group is fitted only if that lowers the log
loss on films that it was not fitted on (cross-validation). The gain on all films, and on takes
alone, has to be larger than ``SURE`` standard errors. A parameter that is not fitted keeps its
value and its source.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from datasets.benchmarks.pauses import counted_pauses
from datasets.benchmarks.seen_hands import SeenHand, hands_in
from datasets.benchmarks.table_sheet import FIRST_SEED
from datasets.benchmarks.term_sums import TermSums, explained
from datasets.simulation.seen import EYES
from scorekeeper.errors import FormatError, ScorekeeperError
from vision.belief.hypotheses import Hypothesis
from vision.belief.likelihoods import PARAMETERS, USUAL, Likelihoods, Side, likelihoods_of

Floats = NDArray[np.float64]

FOLDS = 5
"""Parts of the films for the cross-validation; each is left out once."""

ROUNDS = 2
"""How often the parameters are fitted, and hypotheses are searched again with the result."""

SURE = 2.0
"""A group is fitted if its gain on films left out is larger than so many standard errors."""

TIGHT = 2.0
"""Standard deviation of the normal prior about a parameter's value before the fit, on the scale of
:func:`free_scale`."""

LEAST = 10
"""A parameter is fitted only if it takes part in the true hypotheses at least so many times."""

LIKE_ALL = 10.0
"""How many plays the mean of all sides counts for, in :func:`shares_right`."""

GROUPS: dict[str, tuple[str, ...]] = {
    "misread": ("misread",),
    "pictures": ("trust", "unread"),
    "place": tuple(f"side {side}" for side in Side if side is not Side.THROWN),
    "existence": ("nothing", "doubted", "foreign", "twice", "again", "shown"),
    "order": ("early", "overlooked"),
    "suits and words": ("another_suit", "unheard"),
}
"""Parameters that are fitted together. ``side thrown`` is not fitted: a card that was seen to come
from its seat is the usual case, which is 0 by definition."""


class Explained(NamedTuple):
    """A hand, and the hypotheses about it."""

    hand: SeenHand
    hypotheses: Sequence[Hypothesis]


def free_scale(names: Sequence[str], values: Floats) -> Floats:
    """The parameters on an unbounded scale: log odds of a share, logarithm of a factor."""
    scale = values.copy()
    for place, name in enumerate(names):
        if name == "misread":
            scale[place] = np.log(values[place] / (1 - values[place]))
        elif name == "trust":
            scale[place] = np.log(values[place])
    return scale


def own_scale(names: Sequence[str], scale: Floats) -> Floats:
    """The parameters back from the scale of :func:`free_scale`."""
    values = scale.copy()
    for place, name in enumerate(names):
        if name == "misread":
            values[place] = 1 / (1 + np.exp(-scale[place]))
        elif name == "trust":
            values[place] = np.exp(scale[place])
    return values


def fitted(sums: TermSums, weights: Floats, free: Sequence[str], before: Floats) -> Floats:
    """The values of the parameters under which the truth is likeliest.

    Args:
        sums: the hypotheses of all hands.
        weights: how much each hand counts.
        free: names of the parameters that are fitted.
        before: the values of all parameters before; the search begins there, and the prior's mean
            lies there.
    """
    places = [sums.names.index(name) for name in free]
    if not places:
        return before
    scale = free_scale(sums.names, before)

    def loss(moved: Floats) -> float:
        now = scale.copy()
        now[places] = moved
        drawn = 0.5 * float(np.sum(((moved - scale[places]) / TIGHT) ** 2))
        return float(weights @ sums.losses(own_scale(sums.names, now))) + drawn

    bounds = [(None, 0.0) if name not in ("misread", "trust") else (None, None) for name in free]
    found = minimize(loss, scale[places], method="L-BFGS-B", bounds=bounds)
    scale[places] = found.x
    return own_scale(sums.names, scale)


def folds_of(films: Sequence[str]) -> list[int]:
    """The fold of each hand; all hands of a film are in the same one."""
    order = sorted(set(films), key=lambda film: (film.split()[:3], film))
    turn = {film: number % FOLDS for number, film in enumerate(order)}
    return [turn[film] for film in films]


def left_out(
    hands: Sequence[Explained], weights: Floats, free: Sequence[str], before: Likelihoods
) -> Floats:
    """The log loss of each hand under parameters that were fitted without its fold, in nats."""
    folds = np.array(folds_of([each.hand.film for each in hands]))
    losses = np.zeros(len(hands))
    values = np.array(list(before.values().values()))
    for fold in range(FOLDS):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if not len(outside):
            continue
        sums = TermSums([hands[n] for n in inside], before)
        found = fitted(sums, weights[inside], free, values)
        losses[outside] = TermSums([hands[n] for n in outside], before).losses(found)
    return losses


def gain_of(before: Floats, after: Floats, films: Sequence[str], some: NDArray[np.bool_]) -> tuple[
    float, float
]:  # fmt: skip
    """How much smaller the mean log loss is afterwards, and the standard error of that.

    The error counts films, not hands, as independent, because hands of one film are alike. ``some``
    says which hands count.
    """
    names = np.array(films)[some]
    gains = (before - after)[some]
    sums = np.array([gains[names == film].sum() for film in dict.fromkeys(names)])
    mean = float(gains.mean())
    counts = np.array([(names == film).sum() for film in dict.fromkeys(names)])
    off = sums - mean * counts
    return mean, float(np.sqrt((off**2).sum()) / len(gains))


def shares_right(
    hands: Sequence[SeenHand], weights: Floats
) -> tuple[dict[str, float], dict[str, int]]:
    """The share of the plays that the table wrote that is true, by where the card lay.

    The share of a rarely seen side is drawn to the share of all sides, as if ``LIKE_ALL`` more
    plays with that share had been seen.

    Args:
        hands: the hands.
        weights: how much each hand counts.

    Returns:
        The shares, and the number of plays that each was counted on, by names of parameters.
    """
    right, count, plays = Counter[str](), Counter[str](), Counter[str]()
    for hand, weight in zip(hands, weights, strict=True):
        for each in hand.committed:
            for side in (each.side, "all"):
                right[side] += weight * each.right
                count[side] += weight
                plays[side] += 1
    usual = right["all"] / max(count["all"], 1)
    shares = {
        f"right {side}": (right[side] + LIKE_ALL * usual) / (count[side] + LIKE_ALL)
        for side in Side
    }
    return shares, {f"right {side}": plays[side] for side in Side}


def is_of_take(film: str) -> bool:
    """Whether a film is a take: painted and read by the models, not simulated."""
    return film.split()[2] not in EYES


class Fit:
    """One fit of the parameters.

    Args:
        hands: the hands that it is fitted to.
        takes: how much a hand of a take counts; a simulated hand counts 1. Takes are few, and
            nearer to real films.

    Attributes:
        films: the film of each hand.
        takes: of each hand, whether it is of a take.
        weights: how much each hand counts.
        explained: the hands and their hypotheses.
        unreachable: how many hands were left out, because no hypothesis of theirs is true.
    """

    def __init__(self, hands: Sequence[SeenHand], takes: float) -> None:
        self._hands = hands
        self.films = [hand.film for hand in hands]
        self.takes = np.array([is_of_take(film) for film in self.films])
        self.weights = np.where(self.takes, takes, 1.0)
        self.explained: list[Explained] = []
        self._counts: dict[str, int] = {}
        self.unreachable = 0

    def explain(self, *sets: Likelihoods) -> None:
        """Searches the hypotheses of all hands under each of the given sets of parameters.

        Hands of which no hypothesis is true are left out: nothing can be fitted to them.
        """
        every = [Explained(hand, explained(hand, sets)) for hand in self._hands]
        kept = [
            number
            for number, each in enumerate(every)
            if len(TermSums([each], USUAL).truth) and TermSums([each], USUAL).truth.any()
        ]
        self.unreachable = len(every) - len(kept)
        self.explained = [every[number] for number in kept]
        self.films = [self.explained[n].hand.film for n in range(len(kept))]
        self.takes = np.array([is_of_take(film) for film in self.films])
        self._hands = [each.hand for each in self.explained]
        self.weights = self.weights[kept]

    def groups_that_help(self, before: Likelihoods) -> tuple[list[str], list[str]]:
        """The groups whose fit helps on films left out, and what was found, in words."""
        chosen: list[str] = []
        told: list[str] = []
        losses = left_out(self.explained, self.weights, (), before)
        told.append(f"as they are: {self.means(losses)}")
        while left := [name for name in GROUPS if name not in chosen and self.free_of([name])]:
            passed: dict[str, Floats] = {}
            for name in left:
                free = self.free_of([*chosen, name])
                after = left_out(self.explained, self.weights, free, before)
                gains = [gain_of(losses, after, self.films, some) for some in self._parts()]
                told.append(
                    f"{' and '.join((*chosen, name))}: {self.means(after)}; gain of all, of takes: "
                    + ", ".join(f"{gain:.4f} ± {error:.4f}" for gain, error in gains)
                )
                if all(gain > SURE * error for gain, error in gains):
                    passed[name] = after
            if not passed:
                break
            best = max(passed, key=lambda name: float(self.weights @ (losses - passed[name])))
            chosen.append(best)
            losses = passed[best]
        return chosen, told

    def free_of(self, groups: Sequence[str]) -> list[str]:
        """The parameters of some groups that were seen often enough to be fitted."""
        if not self._counts:
            sums = TermSums(self.explained, USUAL)
            self._counts = sums.counted(np.array(list(USUAL.values().values())))
        names = [name for group in groups for name in GROUPS[group]]
        return [name for name in names if self._counts[name] >= LEAST]

    def _parts(self) -> list[NDArray[np.bool_]]:
        """Which hands a gain is measured on: all, and those of takes if there are any."""
        return [np.ones(len(self.films), bool), *([self.takes] if self.takes.any() else [])]

    def means(self, losses: Floats) -> str:
        """The mean log losses of takes and of simulated hands, in words."""
        parts = [("takes", self.takes), ("simulated", ~self.takes)]
        return ", ".join(
            f"{name} {losses[some].mean():.4f} ({some.sum()} hands)"
            for name, some in parts
            if some.any()
        )


def write(
    path: Path, likelihoods: Likelihoods, counts: dict[str, int], free: Sequence[str], source: str
) -> None:
    """Writes the parameters that are free, with their source, and the counts of all."""
    told = json.loads(path.read_text("utf-8"))
    for name, value in likelihoods.values().items():
        told[name]["count"] = counts[name]
        if name in free:
            told[name] |= {"value": round(float(value), 4), "source": source}
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Fit the parameters of the belief to hands that were gathered."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.fit", description=main.__doc__)
    parser.add_argument(
        "hands", type=Path, nargs="+", help="files of datasets.benchmarks.seen_hands"
    )
    parser.add_argument("--takes", type=float, default=3.0, help="weight of a hand of a take")
    parser.add_argument("--groups", help="names of groups, with commas: fit these, choose none")
    parser.add_argument("--to", type=Path, default=PARAMETERS, help="the file of the parameters")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    try:
        hands = list(hands_in(options.hands))
        if any(int(hand.film.split()[-1]) >= FIRST_SEED for hand in hands):
            raise FormatError("seeds of the scoring sheet are among them")
        fit = Fit(hands, options.takes)
        fit.explain(USUAL)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.fit: {error}", file=sys.stderr)
        return 2
    print(f"{len(fit.explained)} hands; of {fit.unreachable} more no hypothesis is true")
    if options.groups:
        chosen, told = options.groups.split(","), list[str]()
    else:
        chosen, told = fit.groups_that_help(USUAL)
    print("\n".join(told))
    free = fit.free_of(chosen)
    now, before = USUAL, np.array(list(USUAL.values().values()))
    for _ in range(ROUNDS if free else 0):
        sums = TermSums(fit.explained, USUAL)
        values = fitted(sums, fit.weights, free, before)
        now = likelihoods_of(dict(zip(sums.names, map(float, values), strict=True)))
        fit.explain(USUAL, now)
    sums = TermSums(fit.explained, USUAL)
    shares, plays = shares_right([each.hand for each in fit.explained], fit.weights)
    counts = sums.counted(np.array(list(now.values().values()))) | plays
    paused, pauses = counted_pauses(fit.explained)
    shares, counts = shares | paused, counts | pauses
    now = likelihoods_of(now.values() | shares)
    print(f"before {fit.means(sums.losses(before))}")
    print(f"fitted {fit.means(sums.losses(np.array(list(now.values().values()))))}")
    for name, value in now.values().items():
        was = USUAL.values()[name]
        moved = f" -> {value:.4f}" if name in free or name in shares else ""
        print(f"  {name}: {was:.4f}{moved} (counted {counts[name]} times)")
    if not options.dry:
        takes = int(fit.takes.sum())
        source = (
            f"maximum likelihood on {takes} hands of takes and {len(fit.takes) - takes} of "
            "simulated films (datasets.benchmarks.fit)"
        )
        write(options.to, now, counts, free, source)
        source = f"counted on the same {len(fit.takes)} hands (datasets.benchmarks.fit)"
        write(options.to, now, counts, list(shares), source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
