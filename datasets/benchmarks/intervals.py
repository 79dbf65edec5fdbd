"""95 % intervals of what is counted in films, of which each has many hands.

Hands of one film share a deck, a table and a camera, so they are not independent. Where films
differ more than independent hands would, the number of hands is divided by how much more (the
design effect, Kish 1965; never below 1) before the interval is computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Z = 1.96  # standard deviations on each side of a 95 % interval
RESAMPLES = 300  # of the films, for the interval of a quantile


def share_between(right: float, count: float) -> tuple[float, float]:
    """Wilson's interval of a share: from, to.

    Args:
        right: how many have the property.
        count: how many there are.
    """
    if not count:
        return 0.0, 1.0
    p = right / count
    middle = (p + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z * math.sqrt(p * (1 - p) / count + Z * Z / (4 * count * count)) / (1 + Z * Z / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def rate_between(times: float, count: float) -> tuple[float, float]:
    """Byar's interval of a rate (Poisson): from, to.

    Args:
        times: how often it happened.
        count: in how many hands, or other units, it was counted.
    """
    if not count:
        return 0.0, math.inf
    low = 0.0
    if times:
        low = times * (1 - 1 / (9 * times) - Z / (3 * math.sqrt(times))) ** 3
    more = times + 1
    high = more * (1 - 1 / (9 * more) + Z / (3 * math.sqrt(more))) ** 3
    return max(low, 0.0) / count, high / count


def design_effect(parts: Sequence[float], wholes: Sequence[float], usual: float) -> float:
    """How much larger the variance between films is than for independent hands; 1 at least.

    Args:
        parts: how many were counted, film by film.
        wholes: of how many, film by film.
        usual: the variance of one independent hand: p (1 - p) for a share p; for a rate of rare
            events, the rate.
    """
    part, whole = np.asarray(parts, np.float64), np.asarray(wholes, np.float64)
    if len(part) < 2 or usual <= 0 or not whole.sum():
        return 1.0
    off = part - whole * part.sum() / whole.sum()
    seen = len(part) / (len(part) - 1) * float((off**2).sum())
    return max(seen / (usual * float(whole.sum())), 1.0)


def share_of_films(right: Sequence[float], counts: Sequence[float]) -> tuple[float, float, float]:
    """A share over some films with its interval: share, from, to.

    Args:
        right: how many have the property, film by film.
        counts: how many there are, film by film.
    """
    count = sum(counts)
    p = sum(right) / count if count else math.nan
    effect = design_effect(right, counts, p * (1 - p)) if count else 1.0
    return (p, *share_between(sum(right) / effect, count / effect))


def rate_of_films(times: Sequence[float], counts: Sequence[float]) -> tuple[float, float, float]:
    """A rate over some films with its interval: rate, from, to.

    Args:
        times: how often it happened, film by film.
        counts: in how many hands, or other units, film by film.
    """
    count = sum(counts)
    rate = sum(times) / count if count else math.nan
    effect = design_effect(times, counts, rate) if count else 1.0
    return (rate, *rate_between(sum(times) / effect, count / effect))


def quantile_of_films(films: Sequence[Sequence[float]], q: float) -> tuple[float, float, float]:
    """A quantile with its interval, by bootstrap over the films: quantile, from, to.

    Args:
        films: the values of each film.
        q: which quantile, 0–1.
    """
    values = [np.asarray(film, np.float64) for film in films if len(film)]
    if not values:
        return math.nan, math.nan, math.nan
    draw = np.random.default_rng(0)
    drawn = [
        np.quantile(
            np.concatenate([values[i] for i in draw.integers(len(values), size=len(values))]), q
        )
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(np.quantile(np.concatenate(values), q)), float(low), float(high)
