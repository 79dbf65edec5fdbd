"""Packs of cards in many printings, made from the decks of a shelf.

A :class:`Pack` is one imaginary printing: one deck's art on a paper of its own colour, perhaps with
other indices (``1 R D V``, ``1 B D K`` …) in another font, four colours, or number cards that are
drawn anew around the deck's court pictures. Pictures are BGRA, :data:`~datasets.decks.CARD_HEIGHT`
pixels tall.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards import BACK, FRENCH_CARDS, JOKER, rank_of, suit_of
from datasets.decks import CARD_HEIGHT, Deck, Shelf, Split
from datasets.shapes import french_pip
from datasets.vector import Picture

INDEX_FAMILIES = {
    "english": {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    "french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "french_ace": {"A": "A", "J": "V", "Q": "D", "K": "R"},
    "german": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "german_one": {"A": "1", "J": "B", "Q": "D", "K": "K"},
}

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
"""Where the pips of a number card stand: 0–1 across and down the part of it that they fill."""
_RED, _BLACK, _GREEN, _BLUE = (30, 25, 205), (28, 24, 24), (40, 125, 20), (190, 80, 20)  # BGR
_ORANGE = (30, 140, 235)

Colour = tuple[int, int, int]

# Decks whose court pictures are the English letters themselves keep English indices.
_LETTERED_FAMILIES = frozenset({"simplistic"})
# How often a family is drawn, where not once: what is on real tables comes more often.
_FAMILY_WEIGHTS = {
    "anglo": 4, "standard": 3, "paris": 4, "anglo_modern": 2, "berlin": 2,
    "ornamental": 0.5, "tango": 0.5, "egyptians": 0.5, "simplistic": 0.5, "oxygen": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class IndexBox:
    """Where a corner's rank stands on a card: pixels, and its ink's colour (BGR)."""

    x: int
    y: int
    width: int
    height: int
    colour: Colour


def find_index(card: Picture) -> IndexBox | None:
    """Find the rank's characters in the upper left corner of a card, by their ink.

    Returns:
        Their box, or ``None`` where the corner does not hold one clear index.
    """
    height, width = card.shape[:2]
    region = card[: int(height * 0.24), : int(width * 0.26)]
    paper = np.median(card[4 : height // 3, width // 20 : width // 3, :3].reshape(-1, 3), axis=0)
    ink = np.abs(region[..., :3].astype(np.int16) - paper).max(axis=2) > 70
    ink &= region[..., 3] > 200
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    boxes = []
    for label in range(1, count):
        x, y, w, h, area = (int(value) for value in stats[label])
        inside = x > 1 and y > 1 and x + w < region.shape[1] - 1 and y + h < region.shape[0] - 1
        if inside and area > 25 and 0.035 * height < h < 0.17 * height and y < 0.12 * height:
            boxes.append((y, x, w, h, label))
    if not boxes:
        return None
    top, left, w, h, label = min(boxes, key=lambda box: box[0] + box[1])
    members = [label]
    for y, x, other_w, other_h, other in boxes:  # the 1 and the 0 of a ten
        if other != label and abs(y - top) < 0.2 * h and abs(other_h - h) < 0.35 * h:
            right = max(left + w, x + other_w)
            left, w = min(left, x), right - min(left, x)
            members.append(other)
    colour = np.median(region[np.isin(labels, members)][:, :3], axis=0)
    return IndexBox(left, top, w, h, (int(colour[0]), int(colour[1]), int(colour[2])))


def stamp(target: Picture, mask: NDArray[np.uint8], colour: Colour, x: float, y: float) -> None:
    """Blend a colour onto a picture through a mask (0–255) whose centre comes to (x, y)."""
    left, top = round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1 = min(left + mask.shape[1], target.shape[1])
    y1 = min(top + mask.shape[0], target.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    share = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    view = target[y0:y1, x0:x1, :3]
    view[:] = view * (1 - share) + np.array(colour, np.float32) * share


def scaled(mask: NDArray[np.uint8], height: float, max_width: float) -> NDArray[np.uint8]:
    """A mask scaled to a height, and narrowed where it would be too wide."""
    width = min(mask.shape[1] * height / mask.shape[0], max_width)
    size = (max(round(width), 1), max(round(height), 1))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


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

    Args:
        shelf: where fonts come from.
        deck: whose art is used.
        rng: draws everything that this printing's look depends on.
        plain: leave the art as it is (but for the paper's colour).
        strangers: decks whose court pictures, of any rank, may stand behind this one's indices: so
            one learns to trust the indices of a deck whose pictures one does not know.
    """

    def __init__(
        self,
        shelf: Shelf,
        deck: Deck,
        rng: Random,
        *,
        plain: bool = False,
        strangers: Sequence[Deck] = (),
    ) -> None:
        self.deck, self._plain = deck, plain
        self._seed = rng.getrandbits(48)
        self._faces: dict[str, Picture] = {}
        choice = rng.random()
        drawn = 0.5 if strangers else 0.3
        self._drawn = not plain and choice < drawn
        self._rewritten = not plain and drawn <= choice < drawn + 0.35
        strange = Random(f"{self._seed} strangers").random() < 0.6
        self._strangers = tuple(strangers) if strange else ()
        family = rng.choice(["english", "french", "french", "french_ace", "german", "german_one"])
        if deck.family in _LETTERED_FAMILIES:
            family = "english"
        self._texts = INDEX_FAMILIES[family]
        fonts = sorted(shelf.glyphs)
        self._glyphs = shelf.glyphs[rng.choice(fonts)] if fonts else {}
        if not self._glyphs:
            self._drawn = self._rewritten = False
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
        self._four_corners = rng.random() < 0.35
        self._index_height = rng.uniform(0.075, 0.11 if self._four_corners else 0.16)
        self._outlined = rng.random() < 0.15
        self._width = round(CARD_HEIGHT * rng.uniform(0.62, 0.72))
        self._pip_scale = rng.uniform(0.13, 0.19)
        self._small_pip = rng.uniform(0.55, 0.9)
        self._court_frame = rng.random() < 0.6
        self._grand_ace = rng.random() < 0.5
        self._spread = (rng.uniform(0.29, 0.34), rng.uniform(0.13, 0.2))

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards of this pack that can be drawn, jokers and backs left out."""
        return tuple(c for c in self.deck.cards if c != BACK and not c.startswith(JOKER))

    def face(self, card: str) -> Picture:
        """The picture of a card; the caller must not write into it."""
        if card not in self._faces:
            self._faces[card] = self._make(card)
        return self._faces[card]

    def _make(self, card: str) -> Picture:
        name = card
        if card not in self.deck.cards:
            raise KeyError(f"{self.deck.name} has no {card}")
        if self._drawn and card in FRENCH_CARDS:
            picture = self._draw(name)
        else:
            picture = np.array(self.deck.face(name))
            if self._rewritten and card in FRENCH_CARDS:
                self._rewrite(picture, rank_of(card))
        if card != BACK:
            if card == "AS" and self._grand_ace and not self._plain:
                ornate(picture, Random(f"{self._seed} grand"), self._colours["S"])
            if not self._outlined:
                _erase_outline(picture)
            ink = picture[..., :3].astype(np.float32)
            ink += (255 - ink) * self._fade
            picture[..., :3] = ink * (np.array(self._paper, np.float32) / 255)
        return picture

    def _glyph(self, rank: str) -> NDArray[np.uint8]:
        return self._glyphs[self._texts.get(rank, rank)]

    def _rewrite(self, picture: Picture, rank: str) -> None:
        """Replace the rank in every corner that has a clear one; all corners, or none."""
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
        """Draw a card anew: indices and pips by parameters, a court's picture from the deck."""
        rank, suit = rank_of(card), suit_of(card) or ""
        rng = Random(f"{self._seed} {suit}")
        picture = blank_card(rng, self._width, (255, 255, 255))
        colour = self._colours[suit]
        index = CARD_HEIGHT * self._index_height
        column = self._width * min(0.07 + self._index_height * 0.55, 0.16)
        if rank in PIPS:
            self._draw_pips(picture, rank, french_pip(suit, rng, 128), colour)
        else:
            art = self._court(card)
            height, width = art.shape[:2]
            art = art[
                int(height * 0.06) : int(height * 0.94), int(width * 0.17) : int(width * 0.83)
            ]
            x0, y0 = round(column * 2 + 2), round(CARD_HEIGHT * 0.06)
            size = (self._width - 2 * x0, CARD_HEIGHT - 2 * y0)
            picture[y0 : y0 + size[1], x0 : x0 + size[0], :3] = cv2.resize(
                art, size, interpolation=cv2.INTER_AREA
            )[..., :3]
            if self._court_frame:
                cv2.rectangle(
                    picture, (x0, y0), (x0 + size[0], y0 + size[1]), (*_BLACK, 255), 2, cv2.LINE_AA
                )
        glyph = scaled(self._glyph(rank), index, column * 1.75)
        pip = scaled(
            french_pip(suit, Random(f"{self._seed} {suit}"), 96),
            index * self._small_pip,
            column * 1.7,
        )
        views = [picture, picture[::-1, ::-1]]
        y = CARD_HEIGHT * 0.045 + index / 2
        for view in views:
            stamp(view, glyph, colour, column, y)
            stamp(view, pip, colour, column, y + index / 2 + pip.shape[0] / 2 + 4)
            if self._four_corners:
                stamp(view, glyph, colour, self._width - column, y)
                under = y + index / 2 + pip.shape[0] / 2 + 4
                stamp(view, pip, colour, self._width - column, under)
        return picture

    def _court(self, card: str) -> Picture:
        """The deck's picture of a court, or any court's of a stranger."""
        if not self._strangers:
            return self.deck.face(card)
        rng = Random(f"{self._seed} {card}")
        deck = rng.choice(self._strangers)
        art = deck.face(rng.choice([name for name in deck.cards if name[0] in "JQK"]))
        if rng.random() < 0.5:
            art = art[:, ::-1]
        if rng.random() < 0.3:
            art = art[..., [*rng.sample(range(3), 3), 3]]
        return art

    def _draw_pips(
        self, picture: Picture, rank: str, pip: NDArray[np.uint8], colour: Colour
    ) -> None:
        margin_x, margin_y = self._spread
        size = CARD_HEIGHT * self._pip_scale * (1.5 if rank == "A" else 1)
        pip = scaled(pip, size, size)
        for x, y in PIPS[rank]:
            at = (
                self._width * (margin_x + x * (1 - 2 * margin_x)),
                CARD_HEIGHT * (margin_y + y * (1 - 2 * margin_y)),
            )
            stamp(picture, pip if y <= 0.5 else pip[::-1], colour, *at)


def ornate(picture: Picture, rng: Random, colour: Colour) -> None:
    """Give an ace the large, decorated pip and the printer's lines that aces of spades have."""
    height, width = picture.shape[:2]
    x0, x1 = round(width * 0.2), round(width * 0.8)
    y0, y1 = round(height * 0.12), round(height * 0.88)
    picture[y0:y1, x0:x1, :3] = np.median(picture[y0:y1, x0:x1, :3].reshape(-1, 3), axis=0)
    size = round(height * rng.uniform(0.25, 0.42))
    pip = french_pip("S", rng, size)
    limit = width * rng.uniform(0.45, 0.62)
    middle = (width / 2, height * rng.uniform(0.46, 0.54))
    stamp(picture, scaled(pip, size, limit), colour, *middle)
    for share in (rng.uniform(0.7, 0.85), rng.uniform(0.4, 0.6), rng.uniform(0.15, 0.35)):
        white = rng.random() < 0.7
        inner = scaled(french_pip("S", rng, 128), size * share, limit * share)
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
    """Paint over a card's outermost ring: drawn decks have an outline there, real ones are cut."""
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


def draw_pack(shelf: Shelf, suits: str, split: Split, rng: Random) -> Pack:
    """A random printing of a random deck of one side of the split."""
    decks = shelf.of(suits, split)
    if not decks:
        raise ValueError(f"no {suits} deck for {split} in the cache")
    families = sorted({deck.family for deck in decks})
    weights = [_FAMILY_WEIGHTS.get(family, 1) for family in families]
    family = rng.choices(families, weights)[0]
    deck = rng.choice([deck for deck in decks if deck.family == family])
    return Pack(shelf, deck, rng, strangers=strangers(shelf, split, suits))


def strangers(shelf: Shelf, split: Split, *suits: str) -> list[Deck]:
    """The decks with these suits that lend their pictures to other printings: for training only."""
    if split != "train":
        return []
    decks = [deck for each in suits for deck in shelf.of(each, split)]
    return [deck for deck in decks if deck.family not in _LETTERED_FAMILIES]
