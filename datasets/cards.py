"""The names of the cards, as the labels of every picture use them.

French-suited cards are ``<rank><suit>`` with ranks ``A 2 … 10 J Q K`` and suits ``C D H S``; an
index ``1``, ``V``, ``D``, ``R`` or ``B`` printed on the card does not change its name. Spanish ones
are ``1 … 12`` and ``O U E B`` (oros, copas, espadas, bastos). ``XJ`` is a joker, ``back`` a card
face down, ``unknown`` a crop in which no card can be read.
"""

FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FRENCH_SUITS = ("C", "D", "H", "S")
SPANISH_RANKS = tuple(str(number) for number in range(1, 13))
SPANISH_SUITS = ("O", "U", "E", "B")

FRENCH_CARDS = tuple(rank + suit for suit in FRENCH_SUITS for rank in FRENCH_RANKS)
SPANISH_CARDS = tuple(rank + suit for suit in SPANISH_SUITS for rank in SPANISH_RANKS)
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
