"""The names of the cards, as the labels of every picture use them.

French-suited cards are ``<rank><suit>`` with ranks ``A 2 … 10 J Q K`` and suits ``C D H S``; an
index ``1``, ``V``, ``D``, ``R`` or ``B`` printed on the card does not change its name. Spanish ones
are ``1 … 12`` and ``O U E B`` (oros, copas, espadas, bastos). ``XJ`` is a joker, ``back`` a card
face down, ``unknown`` a crop in which no card can be read.
"""

from scorekeeper.games.cards import FRENCH_SUITS, RANKS, SPANISH_SUITS, Card

FRENCH_CARDS = tuple(str(Card(rank, suit)) for suit in FRENCH_SUITS for rank in RANKS)
SPANISH_CARDS = tuple(
    sorted(
        (str(Card(rank, suit)) for suit in SPANISH_SUITS for rank in RANKS if rank != "10"),
        key=lambda name: (SPANISH_SUITS.index(name[-1]), int(name[:-1])),
    )
)
JOKER = "XJ"
BACK = "back"
UNKNOWN = "unknown"

CLASSES = (*FRENCH_CARDS, *SPANISH_CARDS, JOKER, BACK, UNKNOWN)
"""Every class of the reader, in the order of its outputs (103)."""


def rank_of(card: str) -> str:
    """The rank of a card's name; ``XJ``, ``back`` and ``unknown`` are their own rank."""
    return card if card in (JOKER, BACK, UNKNOWN) else card[:-1]


def suit_of(card: str) -> str | None:
    """The suit's letter of a card's name, ``None`` for what has no suit or an unknown one."""
    if card in (JOKER, BACK, UNKNOWN) or card.endswith("?"):
        return None
    return card[-1]
