"""A deck that is counted before the camera: what was shown so far, and what is wrong with it.

Pictures add up: who has a small table lays the cards in parts. A card counts once it was read alike
in two pictures at one place, so that one on its way, or under a hand, does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detection.deck_check import DeckCheck, check_deck
from vision.detection.spread import SpreadCard
from vision.opencv import load_opencv
from vision.packs import BACK, UNREAD

READ_FROM = 0.5
"""Probability under which a card counts as not read."""

SURE_FROM = 0.9
"""Probability from which nobody need look at it again."""

SAME_PLACE = 0.3
"""Middles nearer to each other than this part of a card's height are of one place."""


@dataclass(frozen=True)
class Counted:
    """A card that was shown.

    Attributes:
        number: Names it.
        card: Its name.
        chance: How sure that is, 0–1; 1 where a person said it.
        read: What it was read as.
        crop: Its picture, a PNG.
        middle: Where it lay last, in pixels.
        reach: So far from there it is the same card.
    """

    number: int
    card: str
    chance: float
    read: str
    crop: bytes
    middle: NDArray[np.float64]
    reach: float

    @property
    def version(self) -> str:
        """Changes with its picture."""
        return sha256(self.crop).hexdigest()[:8]

    @property
    def sure(self) -> bool:
        """Whether nobody need look at it again."""
        return self.chance >= SURE_FROM

    def is_at(self, middle: NDArray[np.float64]) -> bool:
        """Whether a place is where it lay last."""
        return float(np.linalg.norm(self.middle - middle)) < self.reach


class Counting:
    """Counts a deck. May be used by several threads.

    Args:
        pack: The cards that it should have.
    """

    def __init__(self, pack: frozenset[str]) -> None:
        self.pack = pack
        self._lock = Lock()
        self.start_over()

    def start_over(self) -> None:
        """Forgets what was shown."""
        with self._lock:
            self._cards: dict[int, Counted] = {}
            self._said: list[tuple[Counted, str | None]] = []
            self._before: list[Counted] = []
            self._now: list[str] = []
            self._twice: set[str] = set()
            self._last = 0

    def add(self, seen: Sequence[SpreadCard]) -> None:
        """Takes in what one picture shows."""
        with self._lock:
            found = [each for card in seen if (each := self._look(card)) is not None]
            self._now = [each.card for each in found]
            still = [
                each
                for each in found
                if each.card not in (BACK, UNREAD)
                and any(one.card == each.card and one.is_at(each.middle) for one in self._before)
            ]
            self._before = found
            alike = Counter(each.card for each in still)
            self._twice |= {card for card, count in alike.items() if count > 1}
            for each in still:
                self._count(each)

    def _look(self, seen: SpreadCard) -> Counted | None:
        """A card of a picture, by the name that it goes by; None where it was left out."""
        read, chance = seen.readings[0] if seen.readings else (UNREAD, 0.0)
        middle = seen.corners.mean(axis=0)
        edges = seen.corners - np.roll(seen.corners, 1, axis=0)
        height = float(np.linalg.norm(edges, axis=1).max())
        card = read if chance >= READ_FROM else UNREAD
        found = Counted(0, card, chance, read, seen.crop, middle, SAME_PLACE * height)
        for other, said in self._said:  # a person knows better what lies there
            another = chance >= SURE_FROM and read not in (other.read, said)  # laid there since
            if other.is_at(middle) and not another:
                return None if said is None else replace(found, card=said, chance=1.0)
        return found

    def _count(self, each: Counted) -> None:
        for number, known in self._cards.items():
            if known.card == each.card:
                if each.chance >= known.chance:
                    self._cards[number] = replace(each, number=number)
                return
        self._last += 1
        self._cards[self._last] = replace(each, number=self._last)

    def put_right(self, number: int, card: str | None) -> bool:
        """Says what a card is, or that it is none of the deck.

        Args:
            number: Which one.
            card: Its name; None to leave it out.

        Returns:
            Whether it was still there.
        """
        with self._lock:
            known = self._cards.pop(number, None)
            if known is None:
                return False
            self._said = [(other, said) for other, said in self._said
                          if not other.is_at(known.middle)]  # fmt: skip
            self._said.append((known, card))
            self._before = []
            self._twice.discard(known.card)
            if card is not None:
                others = [each for each in self._cards.values() if each.card != card]
                right = replace(known, card=card, chance=1.0)
                self._cards = {each.number: each for each in (*others, right)}
            return True

    @property
    def cards(self) -> Mapping[int, Counted]:
        """The cards that were shown, by number."""
        with self._lock:
            return dict(self._cards)

    def check(self) -> DeckCheck:
        """What was shown of the pack, and what is wrong in the latest picture."""
        with self._lock:
            shown = [card.card for card in self._cards.values()]
            lacking = [name for name in self._now if name in (UNREAD, BACK)]
            return check_deck([[*shown, *sorted(self._twice), *lacking]], [self.pack])

    def crops(self) -> Mapping[str, Any]:
        """The pictures of the cards of the pack, BGR, by name: what a deck is learned from."""
        cv2: Any = load_opencv()
        return {
            each.card: cv2.imdecode(np.frombuffer(each.crop, np.uint8), cv2.IMREAD_COLOR)
            for each in self.cards.values()
            if each.card in self.pack
        }
