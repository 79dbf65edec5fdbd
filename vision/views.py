"""What the pictures of one card say together: news counts, what was said before hardly does.

A reader that takes a jack for a queen does so again in the next picture, for the light and the
glare are the same. A picture that says what an earlier one said is of the same view of the card;
only what differs is another view, and counts for itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from vision.packs import BACK
from vision.steady import WatchSettings

_ALL_READ = 8
"""What readings leave over is of so many cards that were not named."""

_BACK = 0.05
"""Of the doubt about a rank, so much is that it may be no face at all."""


class _View:
    """Pictures that say the same."""

    def __init__(self, gains: dict[str, float]) -> None:
        self.first = gains
        self.sums = dict(gains)
        self.pictures = 1

    def apart(self, gains: Mapping[str, float]) -> float:
        first, far = self.first, 0.0
        for name, gain in gains.items():
            far = max(far, abs(gain - first.get(name, 0.0)))
        for name, gain in first.items():
            if name not in gains:
                far = max(far, abs(gain))
        return far

    def add(self, gains: Mapping[str, float]) -> None:
        for name, gain in gains.items():
            self.sums[name] = self.sums.get(name, 0.0) + gain
        self.pictures += 1


class Views:
    """The readings of one card, picture by picture.

    Args:
        settings: the watcher's amounts.

    Attributes:
        pictures: how many there were.
    """

    def __init__(self, settings: WatchSettings) -> None:
        self.settings = settings
        self.pictures = 0
        self._views: list[_View] = []
        self._evidence: dict[str, float] | None = None
        self._sum: tuple[str, float, float] | None = None

    def add(self, readings: Mapping[str, float]) -> None:
        """Takes in what a picture says.

        Args:
            readings: plain names of cards to their probabilities; empty where nothing was read.
        """
        if not readings:
            return
        settings = self.settings
        readings = dict(readings)
        ranks: dict[str, float] = {}
        for name, chance in readings.items():
            rank = name if name == BACK else name[:-1]
            ranks[rank] = ranks.get(rank, 0.0) + chance
        doubt = max(1.0 - max(ranks.values()), 0.0)
        readings[BACK] = max(readings.get(BACK, 0.0), _BACK * doubt)
        rest = max(1.0 - sum(readings.values()), 0.0)
        floor = max(rest / _ALL_READ, settings.floor)
        gains = {name: math.log(max(chance, floor) / floor) for name, chance in readings.items()}
        self.pictures += 1
        self._evidence = self._sum = None
        if self._views:
            apart, _, nearest = min(
                (view.apart(gains), n, view) for n, view in enumerate(self._views)
            )
            full = len(self._views) >= settings.most_views
            if full or apart <= settings.alike:
                nearest.add(gains)
                return
        self._views.append(_View(gains))

    def join(self, other: Views) -> None:
        """Takes over what pictures of the same card say."""
        self.pictures += other.pictures
        self._views += other._views
        self._evidence = self._sum = None

    @property
    def evidence(self) -> dict[str, float]:
        """How much likelier the pictures are if it is that card than if it is one never read."""
        if self._evidence is None:
            found = dict[str, float]()
            weights = [self._weight(view) for view in self._views]
            part = min(self.settings.most_of_all / max(sum(weights), 1e-9), 1.0)
            for view, weight in zip(self._views, weights, strict=True):
                for name, total in view.sums.items():
                    found[name] = found.get(name, 0.0) + total / view.pictures * weight * part
            self._evidence = found
        return self._evidence

    def _weight(self, view: _View) -> float:
        """What a view counts for: a brief one little, for it is a blink or a hand's shadow."""
        settings = self.settings
        lasting = min(view.pictures / settings.lasting, 1.0)
        return lasting * min(1 + (view.pictures - 1) * settings.independence, settings.most)

    @property
    def best(self) -> str:
        """What it is most likely; empty where nothing was read."""
        return self._summed()[0]

    def chances(self, *, by_rank: bool = False) -> dict[str, float]:
        """All that it may be with their probabilities; of the ranks, where only those matter."""
        evidence = self.evidence
        top = max(evidence.values(), default=0.0)
        found: dict[str, float] = {}
        for name, value in evidence.items():
            key = name[:-1] if by_rank and name != BACK else name
            found[key] = found.get(key, 0.0) + math.exp(value - top)
        total = sum(found.values())
        return {name: weight / total for name, weight in found.items()}

    def chance(self, name: str) -> float:
        """How likely it is that card."""
        _, top, total = self._summed()
        return math.exp(self.evidence.get(name, 0.0) - top) / total if total else 0.0

    def _summed(self) -> tuple[str, float, float]:
        """The likeliest card, its evidence, and the sum of all likelihoods in parts of its own."""
        if self._sum is None:
            evidence = self.evidence
            best = max(evidence, key=lambda name: evidence[name], default="")
            top = evidence.get(best, 0.0)
            self._sum = best, top, sum(math.exp(value - top) for value in evidence.values())
        return self._sum
