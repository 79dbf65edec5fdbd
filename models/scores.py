"""The figures that say how good models are, and how they are counted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.benchmarks.intervals import share_of_films
from datasets.scenes.photos import Match, Reading

SURE = 0.9
"""A reading of at least this probability counts as sure."""


NAMED = 0.5
"""A reading of at least this probability is shown by its name; a less likely one as unread."""


def calibration_error(
    probabilities: NDArray[np.floating], right: NDArray[np.bool_], bins: int = 15
) -> float:
    """The expected calibration error: the mean gap of probability and truth, over equal bins.

    Args:
        probabilities: shape (N,): of the likeliest reading of each card.
        right: shape (N,): whether that reading was right.
        bins: how many bins there are between 0 and 1.
    """
    if len(probabilities) == 0:
        return 0.0
    places = np.minimum((probabilities * bins).astype(int), bins - 1)
    gap = 0.0
    for place in range(bins):
        inside = places == place
        if inside.any():
            gap += abs(float(probabilities[inside].mean() - right[inside].mean())) * inside.sum()
    return float(gap / len(probabilities))


def log_chances(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Logarithms of the probabilities that logits of shape (N, classes) stand for."""
    scaled = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True)), np.float64)


def log_loss(logits: NDArray[np.floating], classes: NDArray[np.integer]) -> float:
    """The mean negative log likelihood of the true classes, in nats.

    Args:
        logits: shape (N, classes).
        classes: shape (N,), the true ones.
    """
    return -float(log_chances(logits)[np.arange(len(classes)), classes].mean())


def best_temperature(logits: NDArray[np.floating], classes: NDArray[np.integer]) -> float:
    """The temperature, a divisor of the logits, with the least log loss; see :func:`log_loss`."""
    return float(min(np.geomspace(0.2, 5, 121), key=lambda each: log_loss(logits / each, classes)))


@dataclass
class Tally:
    """What was counted over some pictures.

    Attributes:
        cards: cards that were asked for.
        found: cards of these that have a reading.
        rank_right: cards whose likeliest rank is right.
        rank_told: cards whose rank is right, and whose reading is likely enough to be shown.
        suits_known: cards whose label has a suit.
        card_right: cards of these whose rank and suit are right.
        extra: readings that belong to no card.
        sure: cards with a sure reading.
        sure_wrong: cards of these whose rank is wrong.
        milliseconds: how long each picture took.
    """

    cards: int = 0
    found: int = 0
    rank_right: int = 0
    rank_told: int = 0
    suits_known: int = 0
    card_right: int = 0
    extra: int = 0
    sure: int = 0
    sure_wrong: int = 0
    milliseconds: list[float] = field(default_factory=list)
    _given: list[tuple[float, bool, bool]] = field(default_factory=list)
    _alike: dict[int, list[bool]] = field(default_factory=dict)

    def add(
        self,
        matches: Iterable[Match],
        extra: Sequence[Reading],
        milliseconds: float | None = None,
        *,
        deck: int | None = None,
    ) -> None:
        """Count one picture, or some cards of one.

        Args:
            matches: The cards.
            extra: What was read where no card lies.
            milliseconds: What the picture took.
            deck: A number that all pictures of one deck share; None where the deck has no other
                picture. Cards of one deck tend to be right or wrong together, which widens the
                interval.
        """
        alike = self._alike.setdefault(-1 - len(self._alike) if deck is None else deck, [])
        for match in matches:
            alike.append(match.rank_right)
            self.cards += 1
            self.found += match.reading is not None
            self.rank_right += match.rank_right
            if match.card_right is not None:
                self.suits_known += 1
                self.card_right += match.card_right
            if match.reading is not None:
                probability = match.reading.probability
                self.rank_told += match.rank_right and probability >= NAMED
                self._given.append((probability, match.rank_right, True))
                if probability >= SURE:
                    self.sure += 1
                    self.sure_wrong += not match.rank_right
        self.extra += len(extra)
        self._given += [(reading.probability, False, False) for reading in extra]
        if milliseconds is not None:
            self.milliseconds.append(milliseconds)

    def row(self) -> dict[str, float | int | None]:
        """The figures; shares are 0–1.

        ``rank_right`` counts the likeliest rank; ``rank_told`` counts it only where it is likely
        enough for ``trucam read`` to show it. ``precision`` is the share of shown readings that lie
        on a card. ``calibration_error`` counts a reading that lies on no card as wrong.
        """
        right = [sum(alike) for alike in self._alike.values()]
        _, low, high = share_of_films(right, [len(alike) for alike in self._alike.values()])
        named = [on_card for probability, _, on_card in self._given if probability >= NAMED]
        return {
            "cards": self.cards,
            "found": self.found / max(self.cards, 1),
            "rank_right": self.rank_right / max(self.cards, 1),
            "rank_low": low,
            "rank_high": high,
            "rank_told": self.rank_told / max(self.cards, 1),
            "card_right": self.card_right / self.suits_known if self.suits_known else None,
            "extra": self.extra,
            "precision": sum(named) / len(named) if named else None,
            "sure": self.sure / max(self.cards, 1),
            "sure_wrong": self.sure_wrong / max(self.sure, 1),
            "calibration_error": calibration_error(
                np.array([probability for probability, _, _ in self._given]),
                np.array([right for _, right, _ in self._given]),
            ),
            "milliseconds": float(np.median(self.milliseconds)) if self.milliseconds else None,
        }


def markdown(rows: dict[str, dict[str, float | int | None]]) -> str:
    """A Markdown table with one line for each named row; shares become percentages."""
    columns = list(dict.fromkeys(key for row in rows.values() for key in row))
    lines = ["| on | " + " | ".join(column.replace("_", " ") for column in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for name, row in rows.items():
        cells = [_cell(key, row.get(key)) for key in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(key: str, value: float | int | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return str(value)
    if key.endswith("milliseconds"):
        return f"{value:.0f}"
    if key == "calibration_error":
        return f"{value:.3f}"
    if key in ("ratio", "seconds", "minutes", "things_a_photo"):
        return f"{value:.2f}"
    return f"{100 * value:.1f} %"
