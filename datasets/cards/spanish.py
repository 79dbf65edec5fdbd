"""Draws Spanish cards in many random styles.

A style has its own suit signs, colours and font, numbers in two corners, and figures for sota (10),
caballo (11) and rey (12). Its frame has the *pinta*: gaps that tell the suit (none for oros, one
for copas, two for espadas, three for bastos). Pictures are BGRA,
:data:`~datasets.cards.decks.CARD_HEIGHT` pixels tall.
"""

from collections.abc import Sequence
from random import Random

import cv2
import numpy as np

from datasets.cards.decks import CARD_HEIGHT, Deck, Shelf, Split
from datasets.cards.faces import blank_card
from datasets.cards.indices import LEGIBLE, scaled, stamp
from datasets.cards.labels import SPANISH_CARDS, rank_of, suit_of
from datasets.cards.lent import figure as lent_figure
from datasets.cards.lent import recoloured, whole_face
from datasets.cards.shapes import star
from datasets.cards.spanish_layouts import layout
from datasets.cards.spanish_signs import (
    INK,
    SIGN,
    SKIN,
    cut_signs,
    disk,
    draw_palette,
    draw_signs,
    fill,
)
from datasets.cards.vector import Picture

_LENT, _MISLEADING = 0.35, 0.25
"""Share of printings whose faces are taken from printed cards; and share of printings in which half
of the cards show the signs or the figure of another card, so that the reader learns to read the
numbers."""

_PINTA = {"O": 0, "U": 1, "E": 2, "B": 3}


class SpanishPack:
    """One printing of a Spanish deck of 48; the same seed gives the same printing.

    Args:
        shelf: provides the fonts.
        rng: draws everything that this printing's look depends on.
        split: the split whose fonts its numbers have.
        strangers: decks whose signs and figures it may have. Where the numbers are legible, a
            figure may be of any rank, so that the reader learns to trust the numbers where it does
            not know the figures.

    Attributes:
        cards: names of the 48 cards.
        lent: whether its faces are taken from printed cards, where a stranger has the card.
        misleading: whether half of the cards show the signs or the figure of another card of their
            suit. No such cards are sold; they teach the reader to trust the numbers.
    """

    cards = SPANISH_CARDS

    def __init__(
        self, shelf: Shelf, rng: Random, *, split: Split = "train", strangers: Sequence[Deck] = ()
    ) -> None:
        self._alphabet = shelf.alphabet(split, rng)
        self._seed = rng.getrandbits(48)
        self._ink = draw_palette(rng)
        self._width = round(CARD_HEIGHT * rng.uniform(0.62, 0.68))
        self._frame = rng.uniform(0.05, 0.09)
        self._frame_line = rng.choice([1, 2, 3])
        low, high = rng.choices(((0.04, 0.085), (0.028, 0.04), (0.085, 0.13)), (6, 2, 2))[0]
        self._index_height = rng.uniform(low, high)
        self._numbered = rng.random() < 0.92  # some decks have no numbers: players count the signs
        self._index_inside = rng.random() < 0.6
        self._gap = rng.uniform(0.07, 0.14)
        coloured = rng.choice([self._ink.red, self._ink.blue])
        self._number_ink = coloured if rng.random() < 0.15 else INK
        self._spanish = [deck for deck in strangers if deck.suits == "spanish"]
        self._legible = self._numbered and self._index_height >= LEGIBLE
        self._lenders = tuple(strangers) if self._legible else self._spanish
        self.lent = bool(self._spanish) and rng.random() < _LENT
        misleads = self._legible and rng.random() < _MISLEADING
        self.misleading = misleads and split == "train"  # other splits have only what is sold
        self._signs: dict[str, list[Picture]] = {}
        self._cache: dict[str, Picture] = {}

    def _signs_of(self, suit: str) -> list[Picture]:
        if suit not in self._signs:
            self._signs[suit] = self._make_signs(suit)
        return self._signs[suit]

    def _make_signs(self, suit: str) -> list[Picture]:
        rng = Random(f"{self._seed} {suit}")
        if self._spanish and rng.random() < 0.4:
            signs = cut_signs(rng.choice(self._spanish), suit, rng)
            if signs:
                return signs
        return draw_signs(suit, self._ink, rng)

    def face(self, card: str) -> Picture:
        """The picture of a card; the caller must not write into it."""
        if card not in self._cache:
            self._cache[card] = self._draw(card)
        return self._cache[card]

    def _draw(self, card: str) -> Picture:
        number, suit = int(rank_of(card)), suit_of(card) or "O"
        picture = blank_card(Random(self._seed), self._width, self._ink.paper)
        self._draw_frame(picture, _PINTA[suit])
        shown = self._shown(number, suit)
        if not (self.lent and self._draw_whole(picture, f"{shown}{suit}")):
            (self._draw_court if shown >= 10 else self._draw_signs)(picture, shown, suit)
        if self._numbered:
            self._print_number(picture, number)
        return picture

    def _print_number(self, picture: Picture, number: int) -> None:
        """Print a card's number in two corners, inside the frame or on it."""
        tall = CARD_HEIGHT * self._index_height
        index = scaled(self._alphabet[str(number)], tall, max(40, tall * 1.2))
        margin = self._frame * self._width
        inset = index.shape[1] / 2 + 5
        x = margin + inset if self._index_inside else max(margin * 0.55, index.shape[1] / 2 + 2)
        y = CARD_HEIGHT * 0.04 + margin * 0.5 + index.shape[0] / 2
        for view in (picture, picture[::-1, ::-1]):
            box = view[int(y - index.shape[0] / 2) - 2 : int(y + index.shape[0] / 2) + 3,
                       max(int(x - inset), 0) : int(x + inset), :3]  # fmt: skip
            box[:] = self._ink.paper
            stamp(view, index, self._number_ink, x, y)

    def _draw_frame(self, picture: Picture, gaps: int) -> None:
        margin = round(self._frame * self._width)
        right, bottom = self._width - margin, CARD_HEIGHT - margin
        cv2.rectangle(picture, (margin, margin), (right, bottom), (*INK, 255), self._frame_line)
        inner = right - margin
        gap = self._gap * inner
        for place in range(gaps):
            centre = margin + inner * (place + 1) / (gaps + 1)
            x0, x1 = round(centre - gap / 2), round(centre + gap / 2)
            for y in (margin, bottom):
                picture[y - 3 : y + 4, x0:x1, :3] = self._ink.paper

    def _paste(
        self, picture: Picture, sign: Picture, x: float, y: float, tall: float, turn: float = 0
    ) -> None:
        """Lay a picture on the card.

        Args:
            picture: the card; changed.
            sign: what is laid on it, BGRA.
            x: where its middle lies, in pixels.
            y: likewise.
            tall: its height, in pixels.
            turn: how far it is turned clockwise, in degrees.
        """
        size = (max(round(tall * sign.shape[1] / sign.shape[0]), 1), max(round(tall), 2))
        sign = cv2.resize(sign, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        if turn % 360:
            side = int(np.ceil(np.hypot(*sign.shape[:2]))) + 2
            matrix = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), -turn, 1)
            matrix[:, 2] += (side - np.array(size)) / 2
            sign = cv2.warpAffine(sign, matrix, (side, side)).astype(np.uint8)
        left, top = round(x - sign.shape[1] / 2), round(y - sign.shape[0] / 2)
        x0, y0 = max(left, 0), max(top, 0)
        x1 = min(left + sign.shape[1], picture.shape[1])
        y1 = min(top + sign.shape[0], picture.shape[0])
        part = sign[y0 - top : y1 - top, x0 - left : x1 - left]
        share = part[..., 3:].astype(np.float32) / 255
        view = picture[y0:y1, x0:x1, :3]
        view[:] = view * (1 - share) + part[..., :3] * share

    def _shown(self, number: int, suit: str) -> int:
        """The number whose signs or figure a card shows: its own, or a misleading one."""
        rng = Random(f"{self._seed} {suit} {number} shown")
        if not self.misleading or rng.random() < 0.5:
            return number
        return rng.randint(10, 12) if number >= 10 else rng.randint(1, 9)

    def _draw_whole(self, picture: Picture, card: str) -> bool:
        """Lay a printed card's face inside the frame; false where no deck lends one."""
        art = whole_face(self._spanish, card, Random(f"{self._seed} {card} whole"))
        if art is None:
            return False
        room = self._width * (1 - 1.6 * self._frame)
        tall = min(CARD_HEIGHT * 0.92, room * art.shape[0] / art.shape[1])
        art = recoloured(art, self._ink.paper, Random(f"{self._seed} inks"))
        self._paste(picture, art, self._width / 2, CARD_HEIGHT / 2, tall)
        return True

    def _draw_signs(self, picture: Picture, number: int, suit: str) -> None:
        signs = self._signs_of(suit)
        rng = Random(f"{self._seed} {suit} {number}")
        places = layout(number, rng, long=suit in "EB")
        beside = min(
            (abs(a.x - b.x) for a in places for b in places if abs(a.x - b.x) > 0.05), default=0.8
        )
        if number in (4, 6, 8) and rng.random() < 0.25:  # a flower between the signs
            flower = scaled(star(rng.choice([5, 6, 8]), rng.uniform(0.4, 0.8)), 34, 34)
            stamp(picture, flower, self._ink.red, self._width / 2, CARD_HEIGHT / 2)
        for turn, place in enumerate(places):
            sign = signs[turn % len(signs)]
            tall = place.tall * CARD_HEIGHT
            if not place.turn % 180:  # no wider than there is room
                tall = min(tall, beside * self._width * 1.05 * sign.shape[0] / sign.shape[1])
            middle = (place.x * self._width, place.y * CARD_HEIGHT)
            self._paste(picture, sign, *middle, tall, place.turn)

    def _draw_court(self, picture: Picture, number: int, suit: str) -> None:
        """Draw a figure, its own or a stranger's, and the suit's sign beside its head."""
        rng = Random(f"{self._seed} {number} {suit}")
        own = not self._lenders or rng.random() < 0.45
        if own:
            figure = self._figure(number, rng)
            tall, middle = CARD_HEIGHT * 0.8, CARD_HEIGHT * 0.54
        else:
            rank = None if self._legible else str(number)
            figure = lent_figure(self._lender(rng), suit, rng, rank)
            room = self._width * (1 - 2 * self._frame) * rng.uniform(0.75, 0.95)
            limit = room * figure.shape[0] / figure.shape[1]
            tall, middle = min(CARD_HEIGHT * 0.86, limit), CARD_HEIGHT / 2
        self._paste(picture, figure, self._width / 2, middle, tall)
        side = rng.choice([0.28, 0.72])
        size = CARD_HEIGHT * rng.uniform(0.18, 0.28)
        self._paste(picture, self._signs_of(suit)[0], self._width * side, CARD_HEIGHT * 0.24, size)

    def _lender(self, rng: Random) -> Deck:
        """The deck that lends a figure: half of the time a Spanish one, if there is one."""
        spanish = self._spanish if rng.random() < 0.5 else ()
        return rng.choice(spanish or self._lenders)

    def _figure(self, number: int, rng: Random) -> Picture:
        """Draw a figure: a sota stands, a caballo rides, a rey has a crown and a wide robe."""
        figure = np.zeros((SIGN, SIGN, 4), np.uint8)
        dress = rng.sample([self._ink.red, self._ink.blue, self._ink.green, self._ink.yellow], 2)
        line = max(self._ink.line, 2)
        if number == 11:
            horse = [(0.15, 0.6), (0.2, 0.45), (0.1, 0.38), (0.2, 0.3), (0.32, 0.42), (0.7, 0.5)]
            horse += [(0.85, 0.6), (0.8, 0.96), (0.72, 0.96), (0.7, 0.72), (0.38, 0.72)]
            horse += [(0.34, 0.96), (0.26, 0.96), (0.26, 0.68)]
            coat = rng.choice([self._ink.brown, (230, 230, 235), (90, 90, 90), (60, 110, 170)])
            fill(figure, horse, coat, line)
            body = [(0.42, 0.22), (0.62, 0.22), (0.66, 0.55), (0.56, 0.78), (0.44, 0.55)]
            fill(figure, body, dress[0], line)
            head = (0.52, 0.14)
        else:
            half = 0.3 if number == 12 else 0.2
            robe = [(0.4, 0.2), (0.6, 0.2), (0.5 + half, 0.9 if number == 12 else 0.62)]
            robe += [(0.5 - half, 0.9 if number == 12 else 0.62)]
            fill(figure, robe, dress[0], line)
            if number == 10:
                for x in (0.42, 0.58):
                    leg = [(x - 0.05, 0.62), (x + 0.05, 0.62), (x + 0.04, 0.97), (x - 0.07, 0.97)]
                    fill(figure, leg, dress[1], line)
            else:
                belt = [(0.42, 0.25), (0.58, 0.25), (0.57, 0.9), (0.43, 0.9)]
                fill(figure, belt, dress[1], line)
            head = (0.5, 0.13)
        disk(figure, *head, 0.07, SKIN, line)
        x, y = head
        if number == 12:
            crown = [(x - 0.1, y - 0.12), (x - 0.05, y - 0.07), (x, y - 0.13), (x + 0.05, y - 0.07)]
            crown += [(x + 0.1, y - 0.12), (x + 0.08, y - 0.03), (x - 0.08, y - 0.03)]
            fill(figure, crown, self._ink.yellow, line)
        else:
            hat = [
                (x - 0.1, y - 0.04),
                (x - 0.05, y - 0.11),
                (x + 0.07, y - 0.1),
                (x + 0.1, y - 0.03),
            ]
            fill(figure, hat, dress[1], line)
        if rng.random() < 0.5:
            figure = figure[:, ::-1]
        return cv2.resize(figure, (SIGN, round(SIGN * 1.25))).astype(np.uint8)
