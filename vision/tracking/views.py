"""What the pictures of one card say together: a picture that repeats another adds hardly anything.

A reader that takes a jack for a queen does so again in the next picture, for the light and the
glare are the same. So pictures that say the same are put together as one view of the card, which
counts for little more than one picture. What differs is another view, and counts for itself. All
views together have a limit, too (``TrackerSettings.most_of_all``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from vision.packs import BACK
from vision.tracking.tracked_card import TrackerSettings

Readings = Sequence[tuple[str, float]]
"""Plain names of cards and their probabilities, see ``vision.detection.detections.Detection``."""

_ALL_READ = 8
"""The probability that readings leave over is shared by this many cards that they do not name."""

_BACK = 0.05
"""A back is given at least this part of the probability that the likeliest rank leaves over."""


def rank_chance(readings: Readings) -> float:
    """How likely the likeliest rank is, 0–1; a back counts as one."""
    ranks: dict[str, float] = {}
    for name, chance in readings:
        rank = name if name == BACK else name[:-1]
        ranks[rank] = ranks.get(rank, 0.0) + chance
    return max(ranks.values(), default=0.0)


class _View:
    """Pictures that say the same. Gains are by the name of a card, see ``Views._gains``.

    Args:
        readings: what the first picture says.
        gains: the gains of the first picture.
        settings: the tracker's settings.

    Attributes:
        readings: what the first picture says.
        first: the gains of the first picture.
        pictures: how many there are.
        weight: how many pictures they count for.
        sums: the sums of their gains.
        shares: the means of their gains, times ``weight``.
    """

    def __init__(self, readings: Readings, gains: dict[str, float], settings: TrackerSettings):
        self.readings, self.first, self._settings = readings, gains, settings
        self.sums: dict[str, float] = {}
        self.pictures = 0
        self.weight, self.shares = 0.0, dict[str, float]()

    def apart(self, gains: Mapping[str, float], least: float) -> float:
        """How far a picture is from the first one: the largest difference of a gain.

        Args:
            gains: of the picture.
            least: a distance that need not be told from larger ones: then the rest is skipped,
                which saves time.
        """
        first, far = self.first, 0.0
        for name, gain in gains.items():
            away = abs(gain - first.get(name, 0.0))
            if away > far:
                far = away
                if far >= least:
                    return far
        for name, gain in first.items():
            if name not in gains and abs(gain) > far:
                far = abs(gain)
        return far

    def add(self, gains: Mapping[str, float], pictures: int = 1) -> None:
        """Takes in the gains of a picture, or the sums of those of several."""
        settings, sums = self._settings, self.sums
        for name, gain in gains.items():
            sums[name] = sums.get(name, 0.0) + gain
        self.pictures = pictures = self.pictures + pictures
        self.weight = weight = min(1 + (pictures - 1) * settings.independence, settings.most)
        self.shares = {name: total / pictures * weight for name, total in sums.items()}


class Views:
    """The readings of one card, picture by picture.

    Args:
        settings: the tracker's settings.

    Attributes:
        settings: the tracker's settings.
        pictures: how many there were in which something was read.
    """

    def __init__(self, settings: TrackerSettings) -> None:
        self.settings = settings
        self.pictures = 0
        self._views: list[_View] = []
        self._evidence: dict[str, float] | None = None
        self._sum: tuple[str, float, float] | None = None

    def add(self, readings: Readings, trust: float = 1.0) -> None:
        """Takes in what a picture says.

        Args:
            readings: plain names of cards and their probabilities; empty where nothing was read.
            trust: the weight of the picture, 0–1.
        """
        if not readings:
            return
        self.pictures += 1
        for view in self._views:
            if view.readings == readings:  # word for word: no view is nearer
                self._add(view, view.first)
                return
        gains = {name: gain * trust for name, gain in self._gains(readings).items()}
        nearest, least = None, math.inf
        for view in self._views:
            apart = view.apart(gains, least)
            if apart < least:
                nearest, least = view, apart
        settings = self.settings
        full = len(self._views) >= settings.most_views
        if nearest is not None and (full or least <= settings.alike):
            self._add(nearest, gains)
        else:
            self._views.append(_View(readings, gains, settings))
            self._add(self._views[-1], gains)

    def _gains(self, readings: Readings) -> dict[str, float]:
        """By how much a picture makes each card likelier than one that it does not name.

        Returns:
            For each card that it names, and for a back, a natural logarithm, 0 or more.
        """
        chances = dict(readings)
        doubt = max(1.0 - rank_chance(readings), 0.0)
        chances[BACK] = max(chances.get(BACK, 0.0), _BACK * doubt)
        rest = max(1.0 - sum(chances.values()), 0.0)
        floor = max(rest / _ALL_READ, self.settings.floor)
        return {name: math.log(max(chance, floor) / floor) for name, chance in chances.items()}

    def _add(self, view: _View, gains: Mapping[str, float]) -> None:
        view.add(gains)
        self._evidence = self._sum = None

    def join(self, other: Views) -> None:
        """Takes over what pictures of the same card say."""
        self.pictures += other.pictures
        for view in other._views:
            if len(self._views) < self.settings.most_views:
                self._views.append(view)
            else:
                nearest = min(self._views, key=lambda each: each.apart(view.first, math.inf))
                nearest.add(view.sums, view.pictures)
        self._evidence = self._sum = None

    @property
    def evidence(self) -> dict[str, float]:
        """How much likelier the pictures are if it is that card than if it is one never read.

        In natural logarithms, by name. A view of few pictures among many counts less: it may be of
        the moment in which a hand, or its shadow, was over the card.
        """
        if self._evidence is None:
            lasting = self.settings.lasting * self.pictures
            shares: dict[str, float] = {}
            weight = 0.0
            for view in self._views:
                part = min(view.pictures / lasting, 1.0)
                weight += part * view.weight
                for name, share in view.shares.items():
                    shares[name] = shares.get(name, 0.0) + part * share
            part = min(self.settings.most_of_all / max(weight, 1e-9), 1.0)
            self._evidence = {name: share * part for name, share in shares.items()}
        return self._evidence

    @property
    def best(self) -> str:
        """The likeliest card; empty where nothing was read."""
        return self._summed()[0]

    def chances(self, *, by_rank: bool = False) -> dict[str, float]:
        """The probability of each card that it may be; by rank, where only that matters."""
        evidence = self.evidence
        top = max(evidence.values(), default=0.0)
        found: dict[str, float] = {}
        for name, value in evidence.items():
            key = name[:-1] if by_rank and name != BACK else name
            found[key] = found.get(key, 0.0) + math.exp(value - top)
        total = sum(found.values())
        return {name: weight / total for name, weight in found.items()}

    def chance(self, name: str) -> float:
        """How likely it is that card, 0–1."""
        _, top, total = self._summed()
        return math.exp(self.evidence.get(name, 0.0) - top) / total if total else 0.0

    def _summed(self) -> tuple[str, float, float]:
        """The likeliest card, its evidence, and the sum of all likelihoods, where its own is 1."""
        if self._sum is None:
            evidence = self.evidence
            best = max(evidence, key=evidence.__getitem__, default="")
            top = evidence.get(best, 0.0)
            self._sum = best, top, sum([math.exp(value - top) for value in evidence.values()])
        return self._sum
