"""Counts a deck that is laid before the camera: which cards were shown, and what is wrong with it.

The counts of all pictures are added up, so on a small table the deck can be shown in parts. A card
counts once two pictures in a row show it at the same place with the same reading. So a card that is
being moved, or is under a hand, does not count.
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
"""Probability from which nobody needs to check a reading."""

SAME_PLACE = 0.3
"""How far a card may seem to move between two pictures, as a share of its height."""


@dataclass(frozen=True)
class Counted:
    """A card that was shown.

    Attributes:
        number: Its number in this count, which links name.
        card: Which card it is.
        chance: How sure that is, 0–1; 1 where a person said it.
        read: What it was read as.
        crop: Its picture, a PNG.
        middle: Where it lay last, in pixels.
        reach: How far from there a card still counts as the same one, in pixels.
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
        """Whether nobody needs to check it."""
        return self.chance >= SURE_FROM

    def is_at(self, middle: NDArray[np.float64]) -> bool:
        """Whether it lay last at this place."""
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
            self._cards: dict[int, Counted] = {}  # those that count, by number
            self._unread: dict[int, Counted] = {}  # those that nobody has named yet, by number
            # What people said of cards: the card as it was then, and what it is, or None for a
            # card that is none of the deck.
            self._said: list[tuple[Counted, str | None]] = []
            self._before: list[Counted] = []  # what the latest picture showed
            self._now: list[str] = []  # the names of these
            self._twice: set[str] = set()  # names that two cards had at the same time
            self._last = 0  # the latest number

    def add(self, seen: Sequence[SpreadCard]) -> None:
        """Takes in what one picture shows."""
        with self._lock:
            found = [each for card in seen if (each := self._named(card)) is not None]
            self._now = [each.card for each in found]
            still = [
                each
                for each in found
                if each.card != BACK
                and any(one.card == each.card and one.is_at(each.middle) for one in self._before)
            ]
            self._before = found
            alike = Counter(each.card for each in still if each.card != UNREAD)
            self._twice |= {card for card, count in alike.items() if count > 1}
            for each in still:
                self._count(each)

    def _named(self, seen: SpreadCard) -> Counted | None:
        """A card of a picture with its name: as a person said, or else as it was read.

        None where a person said that it is none of the deck.
        """
        read, chance = seen.readings[0] if seen.readings else (UNREAD, 0.0)
        middle = seen.corners.mean(axis=0)
        edges = seen.corners - np.roll(seen.corners, 1, axis=0)
        height = float(np.linalg.norm(edges, axis=1).max())
        card = read if chance >= READ_FROM else UNREAD
        found = Counted(0, card, chance, read, seen.crop, middle, SAME_PLACE * height)
        for other, said in self._said:
            another = chance >= SURE_FROM and read not in (other.read, said)  # laid there later
            if other.is_at(middle) and not another:
                return None if said is None else replace(found, card=said, chance=1.0)
        return found

    def _count(self, each: Counted) -> None:
        """Counts a card; one that could not be read keeps its number once it is read or named."""
        number = next((n for n, one in self._unread.items() if one.is_at(each.middle)), None)
        if number is not None:
            del self._unread[number]
        for known in self._cards.values():
            if known.card == each.card:
                if each.chance >= known.chance:
                    self._cards[known.number] = replace(each, number=known.number)
                return
            if each.card == UNREAD and known.card == each.read and known.is_at(each.middle):
                return  # it was read before, and is read less well now
        if number is None:
            self._last = number = self._last + 1
        into = self._unread if each.card == UNREAD else self._cards
        into[number] = replace(each, number=number)

    def put_right(self, number: int, card: str | None) -> bool:
        """Takes a person's word on what a card is, or that it is none of the deck.

        Args:
            number: The card's number.
            card: Which card it is; None where it is none of the deck.

        Returns:
            Whether the count still had this card.
        """
        with self._lock:
            known = self._cards.pop(number, None) or self._unread.pop(number, None)
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
        """The cards that count, by number."""
        with self._lock:
            return dict(self._cards)

    @property
    def unread(self) -> Mapping[int, Counted]:
        """The cards that could not be read, by number, until they are read or a person names them.

        Their name is ``UNREAD``.
        """
        with self._lock:
            return dict(self._unread)

    def check(self) -> DeckCheck:
        """What was shown of the pack, and what the latest picture has that cannot be read."""
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
