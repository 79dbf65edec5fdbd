"""Counts a deck that is laid before the camera: which cards were shown, and what is wrong with it.

What all pictures show is added up, so on a small table the deck can be shown in parts. A card
counts once two pictures in a row show it at the same place. So a card that is being moved, or is
under a hand, does not count.

A deck has each card once. So of two cards that are read alike the surer one gets the name, and the
other one the likeliest name that is left, or none: then a person is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detection.deck_check import DeckCheck, check_deck
from vision.detection.deck_templates import STRANGE, settle
from vision.detection.likeness import correlations, patterns
from vision.detection.spread import SpreadCard
from vision.opencv import load_opencv
from vision.packs import BACK, UNREAD

READ_FROM = 0.5
"""Probability under which a card counts as not read."""

SURE_FROM = 0.9
"""Probability from which nobody needs to check a reading."""

SAID = 2.0
"""The weight of what a person says: more than any probability, so that it always wins."""

SAME_PLACE = 0.3
"""How far a card may seem to move between two pictures, as a share of its height."""

OTHERS_LAID = 2
"""If so many pictures in a row show hardly any card where one lay before, others are laid: then a
card that lies where an earlier one lay, and looks like it, is another one. In one picture alone
somebody may lean over the table."""


@dataclass(frozen=True)
class Counted:
    """A card that was shown.

    Attributes:
        number: Its number in this count, which links name.
        readings: What it may be with probabilities, the likeliest first.
        crop: Its picture, a PNG.
        middle: Where it lay last, in pixels.
        reach: How far from there a card still counts as the same one, in pixels.
        said: What a person said that it is; None where nobody did.
        left_out: Whether a person said that it is none of the deck.
        card: Which card it is; ``UNREAD`` where that is not known.
        chance: How sure that is, 0–1; 1 where a person said it.
    """

    number: int
    readings: tuple[tuple[str, float], ...]
    crop: bytes
    middle: NDArray[np.float64]
    reach: float
    said: str | None = None
    left_out: bool = False
    card: str = UNREAD
    chance: float = 0.0

    @classmethod
    def of(cls, seen: SpreadCard) -> Counted:
        """A card of a picture, without number and name."""
        edges = seen.corners - np.roll(seen.corners, 1, axis=0)
        reach = SAME_PLACE * float(np.linalg.norm(edges, axis=1).max())
        readings = seen.readings or ((UNREAD, 0.0),)
        return cls(0, readings, seen.crop, seen.corners.mean(axis=0), reach)

    @property
    def read(self) -> str:
        """What it was read as."""
        return self.readings[0][0]

    @property
    def read_surely(self) -> bool:
        """Whether its reading is sure."""
        return self.readings[0][1] >= SURE_FROM

    @property
    def sure(self) -> bool:
        """Whether nobody needs to check it."""
        return self.said is not None or (self.chance >= SURE_FROM and self.card == self.read)

    @property
    def version(self) -> str:
        """Changes with its picture."""
        return sha256(self.crop).hexdigest()[:8]

    @property
    def picture(self) -> Any:
        """Its picture, BGR."""
        return _decoded(self.crop)

    def chance_of(self, name: str, *, without: Collection[str]) -> float:
        """How likely it is this card, 0–1.

        Args:
            name: The card.
            without: Cards that others surely are.
        """
        if self.said is not None:
            return 1.0
        if self.read_surely and name != self.read:
            return 0.0  # what is left of a sure reading says little
        chances = dict(self.readings)
        others = sum(p for card, p in self.readings if card in without and card != name)
        return chances[name] / max(1.0 - others, chances[name])

    def is_like(self, other: Counted) -> bool:
        """Whether both look alike."""
        return bool(correlations(patterns([self.picture]), other.picture)[0] >= STRANGE)

    def lies_as(self, other: Counted) -> bool:
        """Whether the other one is the same card, which lies where it lay."""
        if float(np.linalg.norm(self.middle - other.middle)) >= self.reach:
            return False
        if self.read_surely and other.read_surely:  # cards of one number may look alike
            return self.read == other.read
        return self.is_like(other)


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
            self._shown: dict[int, Counted] = {}  # all that was shown face up, by number
            self._before: list[Counted] = []  # what the latest picture showed
            self._there: set[int] = set()  # the numbers of those that lie in it
            self._beside = defaultdict[int, set[int]](set)  # of each, what lay there with it
            self._spreads: list[set[int]] = [set()]  # numbers of those that lay there together
            self._strange = 0  # so many pictures in a row show none of these spreads
            self._face_down = 0  # how many cards lie face down in it

    def add(self, seen: Sequence[SpreadCard]) -> None:
        """Takes in what one picture shows."""
        with self._lock:
            found = [Counted.of(card) for card in seen]
            self._face_down = sum(each.read == BACK for each in found)
            found = [each for each in found if each.read != BACK]
            still = [each for each in found if any(one.lies_as(each) for one in self._before)]
            self._before, self._there = found, set()
            if (spread := self._spread_of(found)) is not None:
                for each in still:
                    self._count(each, spread)
            for number in self._there:
                self._beside[number] |= self._there
            self._name()

    def _spread_of(self, found: Sequence[Counted]) -> set[int] | None:
        """The spread that is seen: the numbers of its cards, to which others may be added.

        It is one of those that lay there before, if half of its cards are seen where they lay, or
        if most of what is seen was there. Else it is a new one; None while that is not clear.
        """

        def seen_of(spread: set[int]) -> int:
            known = [self._shown[number] for number in spread]
            return sum(any(one.lies_as(each) for one in known) for each in found)

        likeliest = max(self._spreads, key=seen_of)
        seen = seen_of(likeliest)
        if 2 * seen >= len(likeliest) or 2 * seen > len(found):
            self._strange = 0
            return likeliest
        self._strange += 1
        if self._strange < OTHERS_LAID:
            return None
        if self._spreads[-1]:
            self._spreads.append(set())
        return self._spreads[-1]

    def _count(self, each: Counted, spread: set[int]) -> None:
        """Counts a card that lies still, in a spread."""
        lying = (self._shown[number] for number in spread - self._there)
        same = [known for known in lying if known.lies_as(each)]
        if same:
            known = max(same, key=lambda known: (known.read == each.read, known.number))
            surer = each.readings[0][1] >= known.readings[0][1]
            each = replace(each if surer else known, middle=each.middle, reach=each.reach)
            each = replace(each, number=known.number, said=known.said, left_out=known.left_out)
        else:
            each = replace(each, number=len(self._shown) + 1)
        self._shown[each.number] = each
        self._there.add(each.number)
        spread.add(each.number)

    def _name(self) -> None:
        """Names all that was shown, where each card of the pack is there once."""
        pending = []  # those whose name depends on the others'
        for each in list(self._shown.values()):
            chance = each.readings[0][1]
            foreign = each.read not in self.pack and chance >= READ_FROM and each.said is None
            named = replace(each, card=each.read if foreign else UNREAD, chance=chance)
            self._shown[each.number] = named
            if not foreign and not each.left_out:
                pending.append(named)
        readings = [
            each.readings if each.said is None else ((each.said, SAID),) for each in pending
        ]
        names = settle(readings, [each.picture for each in pending], self.pack)
        sure = {
            name
            for name, each in zip(names, readings, strict=True)
            if name is not None and dict(each)[name] >= SURE_FROM
        }
        for name, each in zip(names, pending, strict=True):
            if name is not None and (chance := each.chance_of(name, without=sure)) >= READ_FROM:
                self._shown[each.number] = replace(each, card=name, chance=chance)

    def put_right(self, number: int, card: str | None) -> bool:
        """Takes a person's word on what a card is, or that it is none of the deck.

        Args:
            number: The card's number.
            card: Which card it is; None where it is none of the deck.

        Returns:
            Whether the count has this card.
        """
        with self._lock:
            if number not in self._shown:
                return False
            for each in self._shown.values():
                if each.number == number:
                    each = replace(each, said=card, left_out=card is None)
                elif each.said == card:
                    each = replace(each, said=None)
                self._shown[each.number] = each
            self._name()
            return True

    @property
    def cards(self) -> Mapping[int, Counted]:
        """The cards that count, by number."""
        with self._lock:
            return self._counted()

    def _counted(self) -> dict[int, Counted]:
        return {
            number: each
            for number, each in self._shown.items()
            if each.card != UNREAD and not each.left_out
        }

    @property
    def unread(self) -> Mapping[int, Counted]:
        """The cards that a person may name, by number: their name is ``UNREAD``.

        They could not be read, or were read as a card that another one is.
        """
        with self._lock:
            return self._unread()

    def _unread(self) -> dict[int, Counted]:
        counted = {each.card: each for each in self._counted().values()}
        return {
            number: each
            for number, each in self._shown.items()
            if each.card == UNREAD
            and not each.left_out
            and not ((known := counted.get(each.read)) and self._is_moved(each, known))
        }

    def _is_moved(self, each: Counted, known: Counted) -> bool:
        """Whether it is a card that was counted, and has lain at two places."""
        both = known.number in self._beside[each.number]
        return each.read_surely and not both and known.is_like(each)

    def check(self) -> DeckCheck:
        """What was shown of the pack, and what waits for a person."""
        with self._lock:
            shown = [each.card for each in self._counted().values()]
            there = [self._shown[number] for number in self._there]
            twice = [
                each.read
                for each in there
                if each.card == UNREAD
                and not each.left_out
                and each.read_surely
                and any(one.card == each.read for one in there)
            ]
            lacking: list[str] = []
            if not self.pack <= set(shown):
                unread = len(self._unread()) - len(twice)
                lacking = [UNREAD] * unread + [BACK] * self._face_down
            return check_deck([[*shown, *twice, *lacking]], [self.pack])

    def crops(self) -> Mapping[str, Any]:
        """The pictures of the cards of the pack, BGR, by name: what a deck is learned from."""
        return {each.card: each.picture for each in self.cards.values() if each.card in self.pack}


@lru_cache(maxsize=128)
def _decoded(crop: bytes) -> Any:
    cv2: Any = load_opencv()
    return cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR)
