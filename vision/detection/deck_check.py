"""A deck check: the cards of a pack spread out in pictures; what is missing, foreign, or double."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from vision.packs import BACK, JOKER, UNREAD, index_order


@dataclass(frozen=True)
class DeckCheck:
    """What was seen of a pack.

    Attributes:
        seen: Cards of the pack that were seen.
        missing: Cards of the pack that were not seen.
        foreign: Cards that do not belong to the pack, jokers too.
        doubled: Cards that lie twice or more in one picture.
        unread: How many cards face up could not be read.
        face_down: How many cards lie face down.
    """

    seen: tuple[str, ...]
    missing: tuple[str, ...]
    foreign: tuple[str, ...]
    doubled: tuple[str, ...]
    unread: int
    face_down: int

    @property
    def right(self) -> bool:
        """Whether the pack is complete, and nothing else was there."""
        return not (self.missing or self.foreign or self.doubled or self.unread or self.face_down)


def check_deck(photos: Sequence[Sequence[str]], packs: Sequence[Collection[str]]) -> DeckCheck:
    """Compares the cards of one or more pictures with a pack.

    Args:
        photos: For each picture the cards in it, by their plain names. A card that is in two
            pictures is one card: people photograph a spread in parts that overlap.
        packs: The packs that it may be; the one that fits best is taken.
    """
    counts = [Counter(cards) for cards in photos]
    cards = set().union(*counts) - {UNREAD, BACK}
    pack = max(packs, key=lambda pack: len(cards & set(pack)))
    most = {card: max(count[card] for count in counts) for card in cards}
    return DeckCheck(
        seen=_in_order(cards & set(pack)),
        missing=_in_order(set(pack) - cards),
        foreign=_in_order(cards - set(pack)),
        doubled=_in_order(card for card in cards if most[card] > 1 and card != JOKER),
        unread=sum(count[UNREAD] for count in counts),
        face_down=sum(count[BACK] for count in counts),
    )


def _in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards by suit, then by rank as people sort them; jokers at the end."""
    return tuple(sorted(cards, key=lambda card: (card == JOKER, card[-1], index_order(card[:-1]))))
