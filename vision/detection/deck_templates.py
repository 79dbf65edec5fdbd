"""A deck that was shown once: what its own cards look like, kept under a name.

The reader has learned from many decks; a deck that it never saw it reads less well, the courts most
of all. When a deck is shown, one flattened picture of each card is kept. A card on the table is
then compared with each of these, and how alike they look is added to what the reader says.

A deck is kept as a folder with one PNG for each card, so a person can look at it.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import platformdirs
from numpy.typing import NDArray

from scorekeeper.messages import N_
from vision.detection.likeness import correlations, patterns
from vision.detection.reader import NO_CARDS, Image
from vision.errors import VisionError

WEIGHT = 20.0
"""Logits that a likeness of 1 counts for. Measured on frames of painted films, with a deck that was
never trained on, and on photographs: with 30 no more cards are read right, and more of what is then
called sure is wrong."""

STRANGE = 0.8
"""A card of which no picture was shown counts as if it were this much alike, or as the likest shown
card if that is less. Of pairs of pictures of one card 99.5 in 100 are at least this much alike; of
the same rank in two suits 27, and of two ranks 1.7."""

SAME = 0.9
"""Two pictures that are this much alike may be of one card. Of pairs of pictures of one card 84 in
100 are, of the same rank in two suits 7, and of two ranks 0.25."""

UNLIKE = 0.6
"""A likeness below this counts as this: it tells nothing, for the card is covered, or of another
deck, as when people open a new one in mid-evening. Of cards that lie open, 95 of 100 are at least
0.84 alike to their own pictures."""

PICTURES = 3
"""Most pictures that are kept of one card: the first one and the latest ones. Each takes time to
compare, and a wrong one goes in time."""

_NAME = re.compile(r"\w[\w .-]{0,39}")


class DeckError(VisionError):
    """A deck that cannot be kept under this name, or is not kept at all."""


class KnownDeck:
    """What the cards of one deck look like.

    Args:
        cards: the name of each card that was shown; one may be there more than once.
        crops: the flattened picture of each, see ``vision.detection.crops``.
    """

    def __init__(self, cards: Sequence[str], crops: Sequence[Image]) -> None:
        self.cards = tuple(cards)
        self._shown = patterns(crops)

    def taught(self, card: str, crop: Image) -> KnownDeck:
        """The deck with one more picture of a card that a person has named.

        Pictures of other cards that look like it go, for they were named wrongly. Where there are
        ``PICTURES`` of the card already, the second of them goes.
        """
        return self._with(card, crop, without=self._taken_for(card, crop))

    def learned(self, card: str, crop: Image) -> KnownDeck:
        """The deck with one more picture of a card, as it was read.

        The deck stays as it is where the picture looks like another card's.
        """
        return self if self._taken_for(card, crop) else self._with(card, crop)

    def _taken_for(self, card: str, crop: Image) -> list[int]:
        """The places of the pictures of other cards that a picture of this card looks like."""
        alike = self.likeness(crop)
        return [n for n, name in enumerate(self.cards) if name != card and alike[n] >= SAME]

    def _with(self, card: str, crop: Image, *, without: Collection[int] = ()) -> KnownDeck:
        more = KnownDeck((card,), (crop,))
        kept = [n for n in range(len(self.cards)) if n not in without]
        same = [n for n in kept if self.cards[n] == card]
        if len(same) >= PICTURES:
            kept.remove(same[1])
        more.cards = (*(self.cards[n] for n in kept), card)
        more._shown = np.concatenate([self._shown[kept], more._shown])
        return more

    def likeness(self, crop: Image) -> NDArray[np.float32]:
        """How alike a card is to each picture of the deck, whichever way up it lies.

        Args:
            crop: its flattened picture.

        Returns:
            Shape (pictures,): normalized correlations, −1 to 1.
        """
        return correlations(self._shown, crop)

    def evidence(self, crops: Sequence[Image], classes: Sequence[str]) -> NDArray[np.float32]:
        """What likeness adds to the reader's logits.

        Args:
            crops: flattened pictures of N cards on the table.
            classes: what the reader can name.

        Returns:
            Shape (N, classes), 0 or less: 0 for the likest card. Backs, jokers and what is no card
            get 0 too, for likeness does not say whether it is a card of the pack at all.
        """
        added = np.zeros((len(crops), len(classes)), np.float32)
        cards = [column for column, name in enumerate(classes) if name not in NO_CARDS]
        for row, crop in zip(added, crops, strict=True):
            likeness = self.likeness(crop).clip(min=UNLIKE)
            row[cards] = min(STRANGE, likeness.max())
            for name in set(self.cards) & set(classes):
                row[classes.index(name)] = likeness[[card == name for card in self.cards]].max()
            row[cards] -= likeness.max()
        return added * np.float32(WEIGHT)


def decks_folder() -> Path:
    """Where decks are kept: in the user's data folder."""
    return platformdirs.user_data_path("trucam", appauthor=False) / "decks"


def deck_names(folder: Path | None = None) -> list[str]:
    """The names of the decks that are kept."""
    folder = folder or decks_folder()
    named = (path for path in folder.glob("*") if _NAME.fullmatch(path.name))
    return sorted(path.name for path in named if any(path.glob("*.png")))


def check_name(name: str) -> str:
    """The name, where a folder can be called so.

    Raises:
        DeckError: it cannot.
    """
    if not _NAME.fullmatch(name) or name.endswith("."):
        raise DeckError(
            N_(
                "A deck cannot be called {name}: letters, digits, spaces, dots and hyphens, "
                "40 at most, a letter or digit first."
            ),
            name=repr(name),
        )
    return name


def keep_deck(name: str, crops: Mapping[str, Image], folder: Path | None = None) -> Path:
    """Keep a deck under a name; an older one of this name goes.

    Args:
        name: of the deck.
        crops: for each card its flattened picture.
        folder: of all decks.

    Returns:
        The deck's folder.
    """
    place = (folder or decks_folder()) / check_name(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
    try:
        for card, crop in crops.items():
            done, data = cv2.imencode(".png", crop)
            assert done
            (new / f"{card}.png").write_bytes(data.tobytes())
        if place.exists():
            shutil.rmtree(place)
        new.rename(place)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return place


def forget_deck(name: str, folder: Path | None = None) -> None:
    """Deletes the deck that is kept under a name.

    Raises:
        DeckError: no deck is kept under this name, or it cannot be deleted.
    """
    try:
        shutil.rmtree(_kept_at(name, folder))
    except OSError as error:
        raise DeckError(
            N_("The deck {name} cannot be deleted: {why}."),
            name=repr(name),
            why=error.strerror or str(error),
        ) from None


def open_deck(name: str, folder: Path | None = None) -> KnownDeck:
    """The deck that is kept under a name.

    Raises:
        DeckError: no deck is kept under this name, or its pictures are damaged.
    """
    kept = deck_pictures(name, folder)
    return KnownDeck(list(kept), list(kept.values()))


def deck_pictures(name: str, folder: Path | None = None) -> dict[str, Image]:
    """The pictures of a deck that is kept under a name, by the cards' names.

    Raises:
        DeckError: no deck is kept under this name, or its pictures are damaged.
    """
    kept = {}
    for path in sorted(_kept_at(name, folder).glob("*.png")):
        try:
            data = np.fromfile(path, np.uint8)
        except OSError:  # as where another table deletes the deck just now
            data = np.empty(0, np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if picture is None:
            raise DeckError(
                N_("The deck {name} is damaged: {file} is no picture. Show it anew."),
                name=repr(name),
                file=path.name,
            )
        kept[path.stem] = picture.astype(np.uint8)
    return kept


def _kept_at(name: str, folder: Path | None) -> Path:
    """The folder of the deck that is kept under a name.

    Raises:
        DeckError: there is none.
    """
    folder = folder or decks_folder()
    place = folder / check_name(name)
    if any(place.glob("*.png")):
        return place
    known = ", ".join(deck_names(folder))
    if not known:
        raise DeckError(N_("No deck is kept yet, so none is called {name}."), name=repr(name))
    raise DeckError(
        N_("No deck is kept under the name {name}; the decks are: {known}."),
        name=repr(name),
        known=known,
    )


def keep_learned(
    name: str, learned: Mapping[str, Image], *, known: str | None, cards: Collection[str],
    folder: Path | None = None,
) -> int:  # fmt: skip
    """Keep a deck under a name as it was learned while people played.

    Args:
        name: of the deck.
        learned: flattened pictures by card.
        known: name of the deck that the table reads with, or None: of cards that were not seen
            since, its pictures are kept too, unless another table has deleted it.
        cards: those that the table still knows: a picture of another one was taken for a card
            that people named, and has gone.
        folder: of all decks.

    Returns:
        How many cards are kept; 0 and nothing else where no card is known.
    """
    before = deck_pictures(known, folder) if known in deck_names(folder) else {}
    pictures = {card: shown for card, shown in before.items() if card in cards} | dict(learned)
    if not pictures:
        return 0
    keep_deck(name, pictures, folder)
    return len(pictures)


def settle(
    readings: Sequence[Sequence[tuple[str, float]]], crops: Sequence[Image], pack: Collection[str]
) -> list[str | None]:
    """Names the cards of a deck that was spread out, where each card is there once.

    The surest reading of all is given first, then the next. Photos may overlap: a picture that is
    read as a card that has its picture already, and looks like that, shows the same card again.

    Args:
        readings: the names of each card that was seen with their probabilities, the likeliest
            first.
        crops: the flattened picture of each.
        pack: the cards that there are.

    Returns:
        A name for each; ``None`` for a card that is shown again, and where no reading is left.
    """
    left = set(pack)
    names: list[str | None] = [None] * len(readings)
    again: set[int] = set()
    pairs = sorted(
        ((p, i, card) for i, each in enumerate(readings) for card, p in each if card in left),
        key=lambda pair: -pair[0],
    )
    for _, index, card in pairs:
        if names[index] is None and index not in again and card in left:
            names[index] = card
            left.discard(card)
            same = [
                n for n, each in enumerate(readings) if n != index and each and each[0][0] == card
            ]
            if same:
                alike = correlations(patterns([crops[n] for n in same]), crops[index]) >= STRANGE
                again |= {n for n, is_alike in zip(same, alike, strict=True) if is_alike}
    return names
