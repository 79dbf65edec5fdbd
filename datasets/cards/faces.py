"""Packs of cards in many printings, made from the decks of a shelf.

A :class:`Pack` is one imaginary printing. It has one deck's art on paper of its own colour. It may
have other indices (``1 R D V``, ``1 B D K`` …) in another font, or suits in four colours, or all
its cards may be drawn here around the deck's court pictures. Pictures are BGRA,
:data:`~datasets.cards.decks.CARD_HEIGHT` pixels tall.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.decks import CARD_HEIGHT, CATALOGUE, Deck, Shelf, Split
from datasets.cards.indices import (
    INDEX_FAMILIES,
    LEGIBLE,
    SMALL,
    Colour,
    draw_family,
    draw_style,
    find_index,
    print_indices,
    scaled,
    stamp,
)
from datasets.cards.labels import BACK, FRENCH_CARDS, JOKER, rank_of, suit_of
from datasets.cards.shapes import french_pip
from datasets.cards.vector import Picture

PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.0), (0.5, 1.0)],
    "3": [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "5": [(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)],
    "6": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "7": [(0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "8": [(0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)],
    "9": [(x, y) for y in (0, 1 / 3, 2 / 3, 1) for x in (0, 1)] + [(0.5, 0.5)],
    "10": [(x, y) for y in (0, 1 / 3, 2 / 3, 1) for x in (0, 1)] + [(0.5, 1 / 6), (0.5, 5 / 6)],
}
"""Where the pips of a number card stand: x and y, 0–1 across and down the area of the pips."""
_RED, _BLACK, _GREEN, _BLUE = (30, 25, 205), (28, 24, 24), (40, 125, 20), (190, 80, 20)  # BGR
_ORANGE = (30, 140, 235)
_ORNATE_TO = 0.13
"""Indices taller than this part of the card leave no room for a decorated ace."""


def blank_card(rng: Random, width: int, paper: Colour) -> Picture:
    """An empty card of :data:`CARD_HEIGHT` with rounded corners, perhaps with a thin outline."""
    card = np.zeros((CARD_HEIGHT, width, 4), np.uint8)
    radius = round(width * rng.uniform(0.04, 0.09))
    shape = np.zeros((CARD_HEIGHT, width), np.uint8)
    cv2.rectangle(shape, (radius, 0), (width - 1 - radius, CARD_HEIGHT - 1), 255, -1)
    cv2.rectangle(shape, (0, radius), (width - 1, CARD_HEIGHT - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, CARD_HEIGHT - 1 - radius):
            cv2.circle(shape, (x, y), radius, 255, -1, cv2.LINE_AA)
    card[..., :3] = paper
    card[..., 3] = shape
    return card


class Pack:
    """One printing of a deck; the same seed gives the same printing.

    Training printings may show the pips of another number card, or the court of another deck. So
    the reader learns to trust the index where it does not know the picture.

    Args:
        shelf: provides the fonts.
        deck: the deck whose art is used.
        rng: draws everything that this printing's look depends on.
        plain: whether the art stays as it is, apart from the paper's colour.
        strangers: decks whose court pictures may replace this deck's. Where the indices are
            legible, the picture may be of any rank.
        letters: language of the index letters, by its name in ``INDEX_FAMILIES``; then all cards
            are drawn here. None for any language.

    Attributes:
        deck: the deck whose art is used.
    """

    def __init__(
        self,
        shelf: Shelf,
        deck: Deck,
        rng: Random,
        *,
        plain: bool = False,
        strangers: Sequence[Deck] = (),
        letters: str | None = None,
    ) -> None:
        self.deck, self._plain = deck, plain
        self._seed = rng.getrandbits(48)
        self._faces: dict[str, Picture] = {}
        self._signs: dict[str, NDArray[np.uint8]] = {}
        choice = rng.random()
        drawn = 0.6 if strangers else 0.35
        self._drawn = deck.courts_only or (not plain and choice < drawn)
        self._rewritten = not plain and drawn <= choice < drawn + 0.28
        if letters is not None:
            self._drawn, self._rewritten = True, False
        strange = Random(f"{self._seed} strangers").random() < 0.6 and not deck.courts_only
        self._strangers = tuple(strangers) if strange else ()
        self._language = letters or deck.indices or draw_family(rng)
        self._texts = INDEX_FAMILIES[self._language]
        if not shelf.fonts:  # a cache of photographed cards
            self._drawn = self._rewritten = False
        if self._drawn or self._rewritten:
            self._alphabet = shelf.alphabet(deck.split, Random(f"{self._seed} alphabet"))
        self._index_scale = rng.uniform(0.85, 1.35)
        self._colours = {"C": _BLACK, "S": _BLACK, "D": _RED, "H": _RED}
        if rng.random() < 0.2:
            self._colours |= rng.choice(
                [
                    {"C": _GREEN, "D": _BLUE},
                    {"S": _GREEN, "D": _ORANGE},
                    {"C": _GREEN, "D": _ORANGE},
                ]
            )
        self._paper = _paper(rng)
        self._fade = rng.uniform(0.0, 0.14) if rng.random() < 0.4 else 0.0
        self._style = draw_style(rng, trained=bool(strangers))
        if deck.split != "train" and self._style.body == "other":  # such a deck is sold nowhere
            self._style = replace(self._style, body="pips")
        self._outlined = rng.random() < 0.15
        self._width = round(CARD_HEIGHT * rng.uniform(0.62, 0.72))
        self._pip_scale, self._one = rng.uniform(0.13, 0.19), rng.uniform(1.2, 2.4)
        self._court_frame = rng.random() < 0.6
        self._court_wide = rng.random() < 0.35
        self._grand = {suit for suit in "CDHS" if rng.random() < (0.5 if suit == "S" else 0.15)}
        self._spread = (rng.uniform(0.29, 0.34), rng.uniform(0.13, 0.2))

    @property
    def indices(self) -> str:
        """The kind of its indices: ``as printed``, ``jumbo``, ``small``, or else their language."""
        if not (self._drawn or self._rewritten):
            return "as printed"
        if self._drawn and self._style.jumbo:
            return "jumbo"
        return "small" if self._drawn and self._style.tall < SMALL else self._language

    @property
    def letters(self) -> str | None:
        """Which letters its aces and courts carry, by their name in ``INDEX_FAMILIES``.

        Empty where they carry none, None where that is not known.
        """
        if self._drawn:
            return self._language
        if self._rewritten:  # of some cards the printed letter stays
            return None
        told = CATALOGUE["letters"].get(self.deck.name, "english")
        return {"none": "", "other": None}.get(told, told)

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards of this pack that can be drawn, jokers and backs left out."""
        if self.deck.courts_only:
            return FRENCH_CARDS
        return tuple(c for c in self.deck.cards if c != BACK and not c.startswith(JOKER))

    def face(self, card: str) -> Picture:
        """The picture of a card; the caller must not write into it."""
        if card not in self._faces:
            self._faces[card] = self._make(card)
        return self._faces[card]

    def _make(self, card: str) -> Picture:
        name = card
        if card not in self.cards and card not in self.deck.cards:
            raise KeyError(f"{self.deck.name} has no {card}")
        if self._drawn and card in FRENCH_CARDS:
            picture = self._draw(name)
        else:
            picture = np.array(self.deck.face(name))
            if self._rewritten and card in FRENCH_CARDS:
                self._rewrite(picture, rank_of(card))
        if card != BACK:
            suit = suit_of(card) or ""
            adorned = suit in self._grand and rank_of(card) == "A"
            large = self._drawn and self._style.tall > _ORNATE_TO
            if adorned and not self._plain and not large:
                ornate(picture, Random(f"{self._seed} grand"), suit, self._colours[suit])
            if not self._outlined:
                _erase_outline(picture)
            ink = picture[..., :3].astype(np.float32)
            ink += (255 - ink) * self._fade
            picture[..., :3] = ink * (np.array(self._paper, np.float32) / 255)
        return picture

    def _glyph(self, rank: str) -> NDArray[np.uint8]:
        return self._alphabet[self._texts.get(rank, rank)]

    def _rewrite(self, picture: Picture, rank: str) -> None:
        """Print another rank into both corners, if both have a clear index; else change nothing."""
        found = find_index(picture)
        turned = picture[::-1, ::-1]
        opposite = find_index(turned)
        if found is None or opposite is None or abs(found.height - opposite.height) > 4:
            return
        mirrored = picture[:, ::-1]
        others = [find_index(mirrored), find_index(mirrored[::-1, ::-1])]
        if any(o is not None and abs(o.height - found.height) <= 4 for o in others):
            return  # four corners whose upper right ones would stay as they were
        for view, box in ((picture, found), (turned, opposite)):
            paper = np.median(view[6:60, 6:60, :3].reshape(-1, 3), axis=0)
            view[
                max(box.y - 2, 0) : box.y + box.height + 2,
                max(box.x - 2, 0) : box.x + box.width + 2,
                :3,
            ] = paper
            limit = max(2 * (box.x + box.width / 2 - 3), box.width)
            glyph = scaled(self._glyph(rank), box.height * min(self._index_scale, 1.15), limit)
            stamp(view, glyph, box.colour, box.x + box.width / 2, box.y + box.height / 2)

    def _draw(self, card: str) -> Picture:
        """Draw a card: its indices and pips here, a court's picture from a deck."""
        rank, suit = rank_of(card), suit_of(card) or ""
        picture = blank_card(Random(f"{self._seed} {suit}"), self._width, (255, 255, 255))
        colour = self._colours[suit]
        if rank in PIPS:
            self._draw_pips(picture, rank, suit, colour)
        else:
            self._draw_court(picture, card)
        print_indices(picture, self._style, self._glyph(rank), self._pip(suit), colour)
        return picture

    def _pip(self, suit: str) -> NDArray[np.uint8]:
        """A suit's sign; all of a printing have one shape."""
        if suit not in self._signs:
            self._signs[suit] = french_pip(suit, Random(f"{self._seed} {suit}"), 128)
        return self._signs[suit]

    def _draw_court(self, picture: Picture, card: str) -> None:
        """Lay a court's picture, cut out of a deck's card, between this card's indices."""
        art = self._court(card)
        height, width = art.shape[:2]
        art = art[int(height * 0.06) : int(height * 0.94), int(width * 0.17) : int(width * 0.83)]
        beside = 0.09 if self._court_wide else min(0.1 + self._style.tall * 0.55, 0.24)
        x0, y0 = round(self._width * beside), round(CARD_HEIGHT * 0.06)
        size = (self._width - 2 * x0, CARD_HEIGHT - 2 * y0)
        court = cv2.resize(art, size, interpolation=cv2.INTER_AREA)
        share = court[..., 3:].astype(np.uint16)
        court = (court[..., :3] * share + 255 * (255 - share)) // 255
        picture[y0 : y0 + size[1], x0 : x0 + size[0], :3] = court
        if self._court_frame:
            cv2.rectangle(
                picture, (x0, y0), (x0 + size[0], y0 + size[1]), (*_BLACK, 255), 2, cv2.LINE_AA
            )

    def _court(self, card: str) -> Picture:
        """The card that a court's picture is cut from: the deck's, or a stranger's.

        A stranger's card may be any court where the index is legible.
        """
        lent = [
            (each, name)
            for each in self._strangers
            for name in each.cards
            if name == card or (name[0] in "JQK" and self._style.tall >= LEGIBLE)
        ]
        if not lent:
            return self.deck.face(card)
        rng = Random(f"{self._seed} {card}")
        deck, name = rng.choice(lent)
        art = deck.face(name)
        if rng.random() < 0.5:
            art = art[:, ::-1]
        if rng.random() < 0.3:
            art = art[..., [*rng.sample(range(3), 3), 3]]
        return art

    def _draw_pips(self, picture: Picture, rank: str, suit: str, colour: Colour) -> None:
        margin_x, margin_y = self._spread
        size = CARD_HEIGHT * self._pip_scale
        body = self._style.body
        if body == "none":
            return
        if body == "other":
            rank = Random(f"{self._seed} {rank} {suit} body").choice(list(PIPS))
        if self._style.jumbo:
            margin_y, size = max(margin_y, 0.27), size * 0.7
        if rank == "A" or body == "one":
            rank, size = "A", size * self._one
        pip = scaled(self._pip(suit), size, size)
        for x, y in PIPS[rank]:
            at = (
                self._width * (margin_x + x * (1 - 2 * margin_x)),
                CARD_HEIGHT * (margin_y + y * (1 - 2 * margin_y)),
            )
            stamp(picture, pip if y <= 0.5 else pip[::-1], colour, *at)


def ornate(picture: Picture, rng: Random, suit: str, colour: Colour) -> None:
    """Give an ace a large, decorated pip and lines of print, as aces of spades have; in place."""
    height, width = picture.shape[:2]
    x0, x1 = round(width * 0.2), round(width * 0.8)
    y0, y1 = round(height * 0.12), round(height * 0.88)
    picture[y0:y1, x0:x1, :3] = np.median(picture[y0:y1, x0:x1, :3].reshape(-1, 3), axis=0)
    size = round(height * rng.uniform(0.25, 0.42))
    pip = french_pip(suit, rng, size)
    limit = width * rng.uniform(0.45, 0.62)
    middle = (width / 2, height * rng.uniform(0.46, 0.54))
    stamp(picture, scaled(pip, size, limit), colour, *middle)
    for share in (rng.uniform(0.7, 0.85), rng.uniform(0.4, 0.6), rng.uniform(0.15, 0.35)):
        white = rng.random() < 0.7
        inner = scaled(french_pip(suit, rng, 128), size * share, limit * share)
        stamp(picture, inner, (250, 250, 250) if white else colour, *middle)
    for y in (middle[1] - size * 0.68, middle[1] + size * 0.62, middle[1] + size * 0.72):
        if rng.random() < 0.7:
            text = "".join(rng.choice("ABCDEGILMNOPRSTUY ") for _ in range(rng.randint(6, 24)))
            scale = rng.uniform(0.2, 0.55) if len(text) > 12 else rng.uniform(0.4, 1.0)
            font, thick = cv2.FONT_HERSHEY_TRIPLEX, 1
            (wide, _), _ = cv2.getTextSize(text, font, scale, thick)
            scale *= min(1.0, 0.6 * width / max(wide, 1))
            at = (round(width / 2 - min(wide, 0.6 * width) / 2), round(y))
            cv2.putText(picture, text, at, font, scale, (*colour, 255), thick, cv2.LINE_AA)


def _erase_outline(picture: Picture) -> None:
    """Paint over a card's edge, in place: drawn decks have an outline there, real ones do not."""
    solid = (picture[..., 3] > 200).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (11, 11))
    core = cv2.erode(solid, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    height, width = picture.shape[:2]
    inner = picture[height // 40 : height // 40 + 6, width // 4 : -width // 4, :3]
    picture[core == 0, :3] = np.median(inner.reshape(-1, 3), axis=0)


def _paper(rng: Random) -> Colour:
    """A paper's colour (BGR): mostly white, sometimes cream or greyish."""
    if rng.random() < 0.5:
        return (255, 255, 255)
    base = rng.randint(225, 255)
    return (base - rng.randint(0, 35), base - rng.randint(0, 12), base)


def draw_pack(
    shelf: Shelf, suits: str, split: Split, rng: Random, letters: str | None = None
) -> Pack:
    """A random printing of a random deck of one split; see :class:`Pack`."""
    decks = shelf.of(suits, split)
    if not decks:
        raise ValueError(f"no {suits} deck for {split} in the cache")
    weights = {deck.family: deck.weight for deck in decks}
    families = sorted(weights)
    family = rng.choices(families, [weights[family] for family in families])[0]
    deck = rng.choice([deck for deck in decks if deck.family == family])
    return Pack(shelf, deck, rng, strangers=strangers(shelf, split, suits), letters=letters)


def strangers(shelf: Shelf, split: Split, *suits: str) -> list[Deck]:
    """The decks with these suits that lend their pictures to other printings, in training only.

    A deck that always carries the same letters lends none: from its pictures a reader could tell
    the letters beside them.
    """
    if split != "train":
        return []
    decks = [deck for each in suits for deck in shelf.of(each, split)]
    return [deck for deck in decks if not deck.indices]
