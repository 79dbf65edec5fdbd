"""A deck that was shown once: what its own cards look like, kept under a name.

The reader has learned what all kinds of cards look like; a deck that it never saw it reads less
well. Of a deck that was shown, one flattened picture a card is kept. The reader's features of a
card on the table are compared with those of every card shown, and the nearest ones count together
with what the reader says.

A deck is a folder with one PNG a card, so a person can look at it. Features belong to one version
of the reader, so they are computed anew after an update.
"""

from __future__ import annotations

import contextlib
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
from vision.errors import VisionError
from vision.read import NO_CARDS, CardReader, Image

WEIGHT = 4.0
"""How many logits a likeness (cosine) of one counts. Twice as much reads a little better on decks
never trained on, but of what is then called sure more than 1 % is wrong."""

_NAME = re.compile(r"\w[\w .-]{0,39}")
_FEATURES = "features.npz"


class DeckError(VisionError):
    """A deck that cannot be kept under this name, or is not kept at all."""


class KnownDeck:
    """What the cards of one deck look like to the reader.

    Args:
        cards: the name of each card that was shown; one may be there more than once.
        features: shape (cards, features), of length one.
        weight: how many logits a likeness of one counts.
    """

    def __init__(
        self, cards: Sequence[str], features: NDArray[np.float32], weight: float = WEIGHT
    ) -> None:
        self.cards, self.features, self._weight = tuple(cards), features, weight

    def evidence(
        self, features: NDArray[np.float32], classes: Sequence[str]
    ) -> NDArray[np.float32]:
        """What likeness adds to the reader's logits.

        Args:
            features: shape (N, features), of cards on the table.
            classes: of the reader.

        Returns:
            Shape (N, classes). The likeliest card gets nothing and the others less than that; a
            card that was not shown counts like the least alike. Whether it is a card of the pack
            at all, likeness does not say.
        """
        likeness = features @ self.features.T
        names = list(dict.fromkeys(self.cards))
        best = np.stack(
            [likeness[:, [c == name for c in self.cards]].max(axis=1) for name in names], axis=1
        )
        added = np.repeat(best.min(axis=1, keepdims=True), len(classes), axis=1)
        for column, name in enumerate(names):
            if name in classes:
                added[:, classes.index(name)] = best[:, column]
        added -= best.max(axis=1, keepdims=True)
        added[:, [name in NO_CARDS for name in classes]] = 0
        return np.asarray(added * self._weight, np.float32)


def decks_folder() -> Path:
    """Where decks are kept: in the user's data folder."""
    return platformdirs.user_data_path("trucam", appauthor=False) / "decks"


def deck_names(folder: Path | None = None) -> list[str]:
    """The names of the decks that are kept."""
    folder = folder or decks_folder()
    return sorted(path.name for path in folder.glob("*") if any(path.glob("*.png")))


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


def open_deck(name: str, reader: CardReader, folder: Path | None = None) -> KnownDeck:
    """The deck that is kept under a name, as this reader sees it.

    Raises:
        DeckError: no deck is kept under this name, or its pictures are damaged.
    """
    folder = folder or decks_folder()
    place = folder / check_name(name)
    pictures = sorted(place.glob("*.png"))
    if not pictures:
        known = ", ".join(deck_names(folder)) or "–"
        raise DeckError(
            N_("No deck is kept under the name {name}; the decks are: {known}."),
            name=repr(name),
            known=known,
        )
    cards = [path.stem for path in pictures]
    stored = place / _FEATURES
    try:
        with np.load(stored, allow_pickle=False) as entry:
            if str(entry["reader"]) == reader.version and entry["cards"].tolist() == cards:
                return KnownDeck(cards, np.asarray(entry["features"], np.float32))
    except (OSError, ValueError, KeyError):
        pass  # not there yet, or damaged: it is made of the pictures
    crops = []
    for path in pictures:
        picture = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
        if picture is None:
            raise DeckError(
                N_("The deck {name} is damaged: {file} is no picture. Show it anew."),
                name=repr(name),
                file=path.name,
            )
        crops.append(picture.astype(np.uint8))
    features = reader.read_crops(crops).features
    with contextlib.suppress(OSError):  # a deck that cannot be written to is only slower to open
        np.savez(stored, reader=reader.version, cards=cards, features=features.astype(np.float16))
    return KnownDeck(cards, features)


def settle(
    readings: Sequence[Sequence[tuple[str, float]]], pack: Collection[str]
) -> list[str | None]:
    """Names the cards of a deck that was spread out, where each card is there once.

    Args:
        readings: of each card that was seen, the likeliest first.
        pack: the cards that there are.

    Returns:
        A name for each, the surest first chosen; ``None`` where none of its readings is left.
    """
    left = set(pack)
    names: list[str | None] = [None] * len(readings)
    pairs = sorted(
        ((p, i, card) for i, each in enumerate(readings) for card, p in each if card in left),
        key=lambda pair: -pair[0],
    )
    for _, index, card in pairs:
        if names[index] is None and card in left:
            names[index] = card
            left.discard(card)
    return names
