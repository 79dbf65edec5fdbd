"""Spanish cards drawn by the project itself, in many random styles.

A style has its own suit signs (oros are disks, copas goblets, espadas swords, bastos clubs),
colours, fonts, numbers in two corners, simple figures for sota (10), caballo (11) and rey (12), and
the *pinta*: the gaps in the frame that name the suit (none for oros, one for copas, two for
espadas, three for bastos). Pictures are BGRA, :data:`~datasets.decks.CARD_HEIGHT` pixels tall.
"""

from random import Random

import cv2
import numpy as np

from datasets.cards import SPANISH_CARDS, rank_of, suit_of
from datasets.decks import CARD_HEIGHT, Shelf
from datasets.faces import Colour, blank_card, scaled, stamp
from datasets.shapes import star
from datasets.vector import Picture

_SIGN = 192  # pixels: the size a suit sign is drawn at

_ROWS: dict[int, list[tuple[float, float]]] = {
    1: [(0.5, 0.5)],
    2: [(0.5, 0.0), (0.5, 1.0)],
    3: [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    4: [(0, 0), (1, 0), (0, 1), (1, 1)],
    5: [(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)],
    6: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    7: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25)],
    8: [(x, y) for y in (0, 1 / 3, 2 / 3, 1) for x in (0, 1)],
    9: [(x, y) for y in (0, 1 / 3, 2 / 3, 1) for x in (0, 1)] + [(0.5, 0.5)],
}
_PINTA = {"O": 0, "U": 1, "E": 2, "B": 3}
_YELLOWS: list[Colour] = [(20, 190, 235), (40, 170, 220), (60, 200, 250), (10, 150, 200)]
_REDS: list[Colour] = [(30, 30, 200), (40, 20, 170), (20, 50, 220)]
_BLUES: list[Colour] = [(190, 110, 30), (160, 60, 20), (200, 160, 90)]
_GREENS: list[Colour] = [(50, 130, 30), (40, 100, 20), (70, 160, 60)]
_BROWNS: list[Colour] = [(30, 70, 120), (20, 50, 90)]
_SKIN: Colour = (170, 200, 240)
_INK: Colour = (30, 30, 30)


def _fill(picture: Picture, points: list[tuple[float, float]], colour: Colour, line: int) -> None:
    array = np.round(np.array(points) * _SIGN).astype(np.int32)
    cv2.fillPoly(picture, [array], (*colour, 255), cv2.LINE_AA)
    if line:
        cv2.polylines(picture, [array], True, (*_INK, 255), line, cv2.LINE_AA)


def _disk(picture: Picture, x: float, y: float, radius: float, colour: Colour, line: int) -> None:
    centre, size = (round(x * _SIGN), round(y * _SIGN)), round(radius * _SIGN)
    cv2.circle(picture, centre, size, (*colour, 255), -1, cv2.LINE_AA)
    if line:
        cv2.circle(picture, centre, size, (*_INK, 255), line, cv2.LINE_AA)


class SpanishPack:
    """One printing of a Spanish deck of 48; the same seed gives the same printing.

    Args:
        shelf: where fonts come from.
        rng: draws everything that this printing's look depends on.
    """

    cards = SPANISH_CARDS

    def __init__(self, shelf: Shelf, rng: Random) -> None:
        if not shelf.glyphs:
            raise ValueError("the cache holds no index characters")
        self._glyphs = shelf.glyphs[rng.choice(sorted(shelf.glyphs))]
        self._seed = rng.getrandbits(48)
        self._line = rng.choice([0, 2, 3, 4])
        self._yellow, self._red = rng.choice(_YELLOWS), rng.choice(_REDS)
        self._blue, self._green = rng.choice(_BLUES), rng.choice(_GREENS)
        self._brown = rng.choice(_BROWNS)
        tint = rng.randint(228, 255)
        self._paper: Colour = (tint - rng.randint(0, 25), tint - rng.randint(0, 8), tint)
        self._width = round(CARD_HEIGHT * rng.uniform(0.62, 0.68))
        self._frame = rng.uniform(0.05, 0.09)
        self._frame_line = rng.choice([1, 2, 3])
        self._index_height = rng.uniform(0.05, 0.085)
        self._index_inside = rng.random() < 0.6
        self._gap = rng.uniform(0.07, 0.14)
        self._signs = {suit: self._sign(suit, Random(f"{self._seed} {suit}")) for suit in "OUEB"}
        self._cache: dict[str, Picture] = {}

    def face(self, card: str) -> Picture:
        """The picture of a card; the caller must not write into it."""
        if card not in self._cache:
            self._cache[card] = self._draw(card)
        return self._cache[card]

    def _sign(self, suit: str, rng: Random) -> Picture:
        draw = {"O": self._oro, "U": self._copa, "E": self._espada, "B": self._basto}[suit]
        picture = np.zeros((_SIGN, _SIGN, 4), np.uint8)
        draw(picture, rng)
        return picture

    def _oro(self, picture: Picture, rng: Random) -> None:
        _disk(picture, 0.5, 0.5, 0.47, self._yellow, max(self._line, 2))
        _disk(
            picture, 0.5, 0.5, rng.uniform(0.36, 0.42), rng.choice([self._yellow, self._paper]), 2
        )
        _disk(picture, 0.5, 0.5, rng.uniform(0.28, 0.34), self._yellow, 2)
        points = rng.choice([6, 8, 12, 16])
        mask = cv2.resize(star(points, rng.uniform(0.5, 0.8)), (_SIGN // 2, _SIGN // 2))
        inner = rng.choice([self._red, self._brown, self._green])
        stamp(picture, mask.astype(np.uint8), inner, _SIGN / 2, _SIGN / 2)
        _disk(picture, 0.5, 0.5, rng.uniform(0.06, 0.12), self._yellow, 2)

    def _copa(self, picture: Picture, rng: Random) -> None:
        wide, waist = rng.uniform(0.36, 0.45), rng.uniform(0.52, 0.62)
        cup, foot = rng.choice([(self._yellow, self._red), (self._red, self._yellow),
                                (self._red, self._green), (self._yellow, self._blue)])  # fmt: skip
        bowl = [(0.5 - wide, 0.12), (0.5 + wide, 0.12), (0.5 + wide * 0.9, 0.38)]
        bowl += [(0.57, waist), (0.43, waist), (0.5 - wide * 0.9, 0.38)]
        _fill(picture, bowl, cup, self._line)
        _fill(picture, [(0.45, waist), (0.55, waist), (0.56, 0.78), (0.44, 0.78)], foot, self._line)
        base = rng.uniform(0.24, 0.34)
        _fill(picture, [(0.44, 0.76), (0.56, 0.76), (0.5 + base, 0.94), (0.5 - base, 0.94)],
              foot, self._line)  # fmt: skip
        band = [(0.5 - wide * 0.95, 0.24), (0.5 + wide * 0.95, 0.24)]
        band += [(0.5 + wide * 0.9, 0.34), (0.5 - wide * 0.9, 0.34)]
        _fill(picture, band, foot, self._line)
        centre = (_SIGN // 2, round(0.12 * _SIGN))
        size = (round(wide * _SIGN), round(0.07 * _SIGN))
        cv2.ellipse(picture, centre, size, 0, 0, 360, (*self._brown, 255), -1, cv2.LINE_AA)

    def _espada(self, picture: Picture, rng: Random) -> None:
        half = rng.uniform(0.05, 0.09)
        blade = [(0.5 - half, 0.7), (0.5 - half, 0.14), (0.5, 0.02), (0.5 + half, 0.14)]
        _fill(picture, [*blade, (0.5 + half, 0.7)], self._blue, max(self._line, 2))
        guard = rng.uniform(0.16, 0.26)
        hilt = rng.choice([self._yellow, self._red])
        _fill(picture, [(0.5 - guard, 0.68), (0.5 + guard, 0.68), (0.5 + guard, 0.75),
                        (0.5 - guard, 0.75)], hilt, self._line)  # fmt: skip
        _fill(picture, [(0.45, 0.75), (0.55, 0.75), (0.54, 0.92), (0.46, 0.92)],
              rng.choice([self._red, self._brown]), self._line)  # fmt: skip
        _disk(picture, 0.5, 0.94, 0.055, hilt, self._line)

    def _basto(self, picture: Picture, rng: Random) -> None:
        woods = [(self._green, self._red), (self._brown, self._green)]
        woods += [(self._green, self._yellow), (self._red, self._green)]
        wood, leaf = rng.choice(woods)
        left: list[tuple[float, float]] = []
        right: list[tuple[float, float]] = []
        for step in range(9):
            y = 0.04 + 0.92 * step / 8
            half = 0.17 - 0.1 * step / 8 + (0.03 if step % 2 else 0) * rng.uniform(0.3, 1)
            left.append((0.5 - half, y))
            right.append((0.5 + half, y))
        _fill(picture, left + right[::-1], wood, max(self._line, 2))
        for _ in range(rng.randint(2, 5)):
            y, side = rng.uniform(0.12, 0.8), rng.choice([-1, 1])
            x = 0.5 + side * rng.uniform(0.03, 0.13)
            _disk(picture, x, y, rng.uniform(0.03, 0.06), leaf, self._line)

    def _draw(self, card: str) -> Picture:
        number, suit = int(rank_of(card)), suit_of(card) or "O"
        picture = blank_card(Random(self._seed), self._width, self._paper)
        self._draw_frame(picture, _PINTA[suit])
        if number >= 10:
            self._draw_figure(picture, number, suit)
        else:
            self._draw_signs(picture, number, suit)
        index = scaled(self._glyphs[str(number)], CARD_HEIGHT * self._index_height, 40)
        margin = self._frame * self._width
        inset = index.shape[1] / 2 + 5
        x = margin + inset if self._index_inside else max(margin * 0.55, index.shape[1] / 2 + 2)
        y = CARD_HEIGHT * 0.04 + margin * 0.5 + index.shape[0] / 2
        for view in (picture, picture[::-1, ::-1]):
            box = view[int(y - index.shape[0] / 2) - 2 : int(y + index.shape[0] / 2) + 3,
                       max(int(x - inset), 0) : int(x + inset), :3]  # fmt: skip
            box[:] = self._paper
            stamp(view, index, _INK, x, y)
        return picture

    def _draw_frame(self, picture: Picture, gaps: int) -> None:
        margin = round(self._frame * self._width)
        right, bottom = self._width - margin, CARD_HEIGHT - margin
        cv2.rectangle(picture, (margin, margin), (right, bottom), (*_INK, 255), self._frame_line)
        inner = right - margin
        gap = self._gap * inner
        for place in range(gaps):
            centre = margin + inner * (place + 1) / (gaps + 1)
            x0, x1 = round(centre - gap / 2), round(centre + gap / 2)
            for y in (margin, bottom):
                picture[y - 3 : y + 4, x0:x1, :3] = self._paper

    def _paste(self, picture: Picture, sign: Picture, x: float, y: float, height: float) -> None:
        """Lay a sign (BGRA) on the card, its centre at (x, y), scaled to a height in pixels."""
        size = max(round(height), 2)
        sign = cv2.resize(sign, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8)
        left, top = round(x - size / 2), round(y - size / 2)
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + size, picture.shape[1]), min(top + size, picture.shape[0])
        part = sign[y0 - top : y1 - top, x0 - left : x1 - left]
        share = part[..., 3:].astype(np.float32) / 255
        view = picture[y0:y1, x0:x1, :3]
        view[:] = view * (1 - share) + part[..., :3] * share

    def _draw_signs(self, picture: Picture, number: int, suit: str) -> None:
        sign = self._signs[suit]
        rows = len({y for _, y in _ROWS[number]})
        height = {1: 0.5, 2: 0.36, 3: 0.26}.get(rows, 0.2) * CARD_HEIGHT
        if suit in "EB" and number in (2, 4, 5, 6):
            height *= 1.25
        width_limit = self._width * (0.75 if number == 1 else 0.36 if suit in "OU" else 0.6)
        height = min(height, width_limit) if suit in "OU" else height
        margin_x = 0.3
        margin_y = 0.5 * height / CARD_HEIGHT + 0.09
        for x, y in _ROWS[number]:
            turned = sign[::-1] if suit in "EB" and y > 0.5 and number != 1 else sign
            at = (
                self._width * (margin_x + x * (1 - 2 * margin_x)),
                CARD_HEIGHT * (margin_y + y * (1 - 2 * margin_y)),
            )
            self._paste(picture, turned, *at, height)

    def _draw_figure(self, picture: Picture, number: int, suit: str) -> None:
        """A sota stands, a caballo rides, a rey wears a crown and a wide robe."""
        rng = Random(f"{self._seed} {number} {suit}")
        figure = np.zeros((_SIGN, _SIGN, 4), np.uint8)
        dress = rng.sample([self._red, self._blue, self._green, self._yellow], 2)
        line = max(self._line, 2)
        if number == 11:
            horse = [(0.15, 0.6), (0.2, 0.45), (0.1, 0.38), (0.2, 0.3), (0.32, 0.42), (0.7, 0.5)]
            horse += [(0.85, 0.6), (0.8, 0.96), (0.72, 0.96), (0.7, 0.72), (0.38, 0.72)]
            horse += [(0.34, 0.96), (0.26, 0.96), (0.26, 0.68)]
            coat = rng.choice([self._brown, (230, 230, 235), (90, 90, 90), (60, 110, 170)])
            _fill(figure, horse, coat, line)
            body = [(0.42, 0.22), (0.62, 0.22), (0.66, 0.55), (0.56, 0.78), (0.44, 0.55)]
            _fill(figure, body, dress[0], line)
            head = (0.52, 0.14)
        else:
            half = 0.3 if number == 12 else 0.2
            robe = [(0.4, 0.2), (0.6, 0.2), (0.5 + half, 0.9 if number == 12 else 0.62)]
            robe += [(0.5 - half, 0.9 if number == 12 else 0.62)]
            _fill(figure, robe, dress[0], line)
            if number == 10:
                for x in (0.42, 0.58):
                    leg = [(x - 0.05, 0.62), (x + 0.05, 0.62), (x + 0.04, 0.97), (x - 0.07, 0.97)]
                    _fill(figure, leg, dress[1], line)
            else:
                belt = [(0.42, 0.25), (0.58, 0.25), (0.57, 0.9), (0.43, 0.9)]
                _fill(figure, belt, dress[1], line)
            head = (0.5, 0.13)
        _disk(figure, *head, 0.07, _SKIN, line)
        x, y = head
        if number == 12:
            crown = [(x - 0.1, y - 0.12), (x - 0.05, y - 0.07), (x, y - 0.13), (x + 0.05, y - 0.07)]
            crown += [(x + 0.1, y - 0.12), (x + 0.08, y - 0.03), (x - 0.08, y - 0.03)]
            _fill(figure, crown, self._yellow, line)
        else:
            hat = [
                (x - 0.1, y - 0.04),
                (x - 0.05, y - 0.11),
                (x + 0.07, y - 0.1),
                (x + 0.1, y - 0.03),
            ]
            _fill(figure, hat, dress[1], line)
        if rng.random() < 0.5:
            figure = figure[:, ::-1]
        tall = CARD_HEIGHT * 0.8
        figure = cv2.resize(figure, (_SIGN, round(_SIGN * 1.25))).astype(np.uint8)
        canvas = np.zeros((figure.shape[0], figure.shape[0], 4), np.uint8)
        offset = (canvas.shape[1] - _SIGN) // 2
        canvas[:, offset : offset + _SIGN] = figure
        self._paste(picture, canvas, self._width / 2, CARD_HEIGHT * 0.54, tall)
        side = rng.choice([0.28, 0.72])
        size = CARD_HEIGHT * rng.uniform(0.2, 0.28)
        self._paste(picture, self._signs[suit], self._width * side, CARD_HEIGHT * 0.24, size)
