"""The score of a match as a chart: an SVG for a page, or a picture of its own for sharing.

A strict Content-Security-Policy forbids inline styles, so colours and sizes are attributes here,
and a page may style the classes ``side-0``, ``side-1``, ``target`` and ``grid``. The sides differ
by colour, by dashes and by marks, never by colour alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from html import escape
from itertools import pairwise
from typing import NamedTuple

from scorekeeper.engine.state import Match
from scorekeeper.games.scoring import Score
from scorekeeper.messages import JOINER, N_
from scorekeeper.reports.statistics import PlayedGame, chronicle
from scorekeeper.text.names import together
from scorekeeper.text.phrases import Voice

FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
WINNER_STAR = "★"
MOST_TICKS = 8
UNITS = {"points": N_("Points after each hand"), "tokens": N_("Longs after each hand")}
COLUMN_WIDTH = 0.6
"""Width of a text column (see ``_width``), on average at most, as a share of the font's size."""


class Style(NamedTuple):
    """Colours and sizes of a chart.

    Attributes:
        width: Width of the chart in its own units; a page may scale it.
        height: Height of the chart.
        top: Height of the head, which names the sides and their scores.
        font: Size of the letters at the axes.
        name: Size of the letters of names.
        ink: Colour of letters and axes.
        sides: Colour of each side.
        paper: Colour of the background; None to leave it transparent.
    """

    width: int
    height: int
    top: int
    font: int
    name: int
    ink: str
    sides: tuple[str, str]
    paper: str | None


# A phone shows PAGE at two thirds of its size, so its letters are large.
# The sides' colours have a contrast of 3 or more to white and to near black.
PAGE = Style(480, 350, 64, 16, 16, "currentColor", ("#2f7de1", "#d2580f"), None)
PICTURE = Style(1200, 630, 232, 20, 40, "#1f1d1a", ("#1d5fbf", "#b4460a"), "#fffdf7")


class Area(NamedTuple):
    """Where the lines are drawn, and to what scale.

    Attributes:
        left: Where the first game begins.
        right: Where the latest hand ends.
        top: Where the highest score is.
        bottom: Where the score 0 is.
        hands: How many hands the match has.
        games: How many games it has; between two games there is a gap.
        highest: The highest score that the chart shows.
    """

    left: float
    right: float
    top: float
    bottom: float
    hands: int
    games: int
    highest: float

    @property
    def gap(self) -> float:
        """The width between two games."""
        return (self.right - self.left) / 40

    @property
    def step(self) -> float:
        """The width of a hand."""
        room = self.right - self.left - self.gap * (self.games - 1)
        return room / max(1, self.hands)

    def x(self, game: int, hand: int) -> float:
        """Where a hand ends; games and hands are counted through the whole match, from 1."""
        return round(self.left + self.gap * (game - 1) + self.step * hand, 1)

    def y(self, score: float) -> float:
        """How high a score is."""
        return round(self.bottom - (self.bottom - self.top) * score / self.highest, 1)


def score_chart(
    match: Match, code: str, *, picture: bool = False, evening: date | None = None
) -> str:
    """Draws the score of a match after each hand, as an SVG element.

    Args:
        match: The match, in progress or over.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
        picture: Whether it stands alone, 1200 by 630, with its own background, title and colours.
        evening: When it was played; shown in the picture.
    """
    return "\n".join(_Chart(match, code, PICTURE if picture else PAGE).lines(evening))


class _Chart(Voice):
    def __init__(self, match: Match, code: str, look: Style) -> None:
        super().__init__(match.seated, code)
        self.match = match
        self.look = look
        self.games = chronicle(match).games
        self.area = self._area()

    def _area(self) -> Area:
        look = self.look
        scores = [mark.scores for game in self.games for mark in game.marks]
        highest = max(self._height(score) for both in scores for score in both)
        side = 2.5 * look.font
        return Area(
            left=side,
            right=look.width - side,
            top=look.top + 2.4 * look.font,
            bottom=look.height - 2.8 * look.font,
            hands=self.match.hand_number,
            games=len(self.games),
            highest=max(highest, self.rules.target),
        )

    def lines(self, evening: date | None) -> Iterator[str]:
        """Yields the lines of the SVG, in the order of drawing."""
        look = self.look
        size = f' width="{look.width}" height="{look.height}"' if look.paper else ""
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img"{size} '
            f'viewBox="0 0 {look.width} {look.height}" font-family="{FONT}" '
            f'font-size="{look.font}" fill="{look.ink}" stroke-linejoin="round">'
        )
        yield f"<title>{escape(self._title())}</title>"
        yield f"<desc>{escape(self._description())}</desc>"
        if look.paper is not None:
            yield f'<rect width="{look.width}" height="{look.height}" fill="{look.paper}"/>'
            yield self._text(2.5 * look.font, 52, self.say(self.header.title).text, size=28)
            if evening is not None:
                right = look.width - 2.5 * look.font
                yield self._text(right, 52, evening.isoformat(), size=28, anchor="end")
        for side in (0, 1):
            yield from self._name(side)
        yield from self._axes()
        for game in self.games:
            yield from self._game(game)
        yield "</svg>"

    # --- words ---

    def _title(self) -> str:
        sides = " – ".join(self.side(side) for side in (0, 1))
        return self.say("Score of {sides}, hand by hand", sides=sides).text

    def _description(self) -> str:
        told = [self.say(self.header.title).text + "."]
        for game in self.games:
            first, second = (f"{self.side(s)} {self.score(game.scores[s])}" for s in (0, 1))
            told.append(
                self.say(
                    "Game {n}, hands played {hands}: {first}; {second}.",
                    n=game.number,
                    hands=len(game.hands),
                    first=first,
                    second=second,
                ).text
            )
        return " ".join(told)

    def _result(self, side: int) -> str:
        """The result beside a side's name: its score, or its games in a match of several."""
        if self.header.best_of == 1:
            return self.score(self.match.scores[side])
        return self.count("{n} game", "{n} games", self.match.games_won[side])

    # --- the head ---

    def _name(self, side: int) -> Iterator[str]:
        """A side's line and mark, its name, and its result."""
        look = self.look
        left, right = 2.5 * look.font, look.width - 2.5 * look.font
        y = look.top - (2 - 1.5 * side) * look.name
        start, middle = left + 3 * look.name, y - 0.35 * look.name
        yield self._line(side, f"M{left:.1f} {middle:.1f}H{left + 2.4 * look.name:.1f}")
        yield self._mark(side, left + 1.2 * look.name, middle, 0.3 * look.name)
        result = self._result(side)
        if self.match.winner == side:
            result = f"{WINNER_STAR} {result}"
        room = (right - start) / (COLUMN_WIDTH * look.name) - _width(result) - 1
        yield self._text(
            start, y, _fitted(self.names[side::2], int(room), self.code), size=look.name
        )
        yield self._text(right, y, result, size=look.name, anchor="end", bold=True)

    # --- the axes ---

    def _axes(self) -> Iterator[str]:
        area, look = self.area, self.look
        for score in _ticks(self.rules.target, area.highest):
            y = area.y(score)
            target = score == self.rules.target
            name = "target" if target else "grid"
            strength = f'stroke-width="{look.font / 9:.1f}"' if target else 'stroke-opacity="0.2"'
            yield (
                f'<path class="{name}" d="M{area.left:.1f} {y}H{area.right:.1f}" fill="none" '
                f'stroke="{look.ink}" {strength}/>'
            )
            yield self._text(
                area.left - 0.5 * look.font, y + 0.35 * look.font, score, anchor="end", bold=target
            )
        hands = [(game.number, hand.number) for game in self.games for hand in game.hands]
        every = round_up(len(hands) / ((area.right - area.left) / (3 * look.font)))
        for game, hand in hands:
            if hand % every == 0 or len(hands) == 1:
                yield self._text(
                    area.x(game, hand), area.bottom + 1.3 * look.font, hand, anchor="middle"
                )
        unit = self.say(UNITS[self.rules.counting.unit])
        middle, y = (area.left + area.right) / 2, area.bottom + 2.5 * look.font
        yield self._text(middle, y, unit.text, anchor="middle")

    # --- the games ---

    def _game(self, game: PlayedGame) -> Iterator[str]:
        area, look = self.area, self.look
        opening, latest = game.marks[0].hand, game.marks[-1].hand
        left, right = area.x(game.number, opening), area.x(game.number, latest)
        if game.number > 1:
            x = left - area.gap / 2
            yield (
                f'<path class="grid" d="M{x:.1f} {area.top:.1f}V{area.bottom:.1f}" fill="none" '
                f'stroke="{look.ink}" stroke-opacity="0.5"/>'
            )
        if len(self.games) > 1:
            yield from self._heading(game, left, right)
        for side in (0, 1):
            path = [f"M{left} {area.y(self._height(game.marks[0].scores[side]))}"]
            marks = []
            for mark in game.marks[1:]:
                x, y = area.x(game.number, mark.hand), area.y(self._height(mark.scores[side]))
                path.append(f"H{x}V{y}")
                marks.append((x, y))
            yield self._line(side, "".join(path))
            yield from self._marks(side, marks, area.y(0))

    def _heading(self, game: PlayedGame, left: float, right: float) -> Iterator[str]:
        """The name and the final score of a game above it; shorter where there is little room."""
        look = self.look
        told = "–".join(str(score.points) for score in game.scores)
        words = (self.say("Game {n}", n=game.number).text + f": {told}", told, str(game.number))
        room = (right - left + self.area.gap) / (COLUMN_WIDTH * look.font)
        fitting = next((text for text in words if _width(text) < room), None)
        if fitting is not None:
            middle, y = (left + right) / 2, look.top + 1.2 * look.font
            yield self._text(middle, y, fitting, anchor="middle")

    def _marks(self, side: int, places: list[tuple[float, float]], y: float) -> Iterator[str]:
        """A mark wherever a side's score has changed, and at the last place."""
        size = min(0.3 * self.look.font, 0.4 * self.area.step)
        for number, place in enumerate(places, 1):
            if place[1] != y or number == len(places):
                yield self._mark(side, *place, size)
            y = place[1]

    # --- what everything is drawn with ---

    def _line(self, side: int, path: str) -> str:
        """A line of a side. The second side's is thin, dashed and on top, so that both show."""
        thick = self.look.font / (3.5 if side == 0 else 5)
        gaps = f' stroke-dasharray="{1.5 * thick:.1f} {1.5 * thick:.1f}"' if side else ""
        return (
            f'<path class="side-{side}" d="{path}" fill="none" stroke="{self.look.sides[side]}" '
            f'stroke-width="{thick:.1f}"{gaps}/>'
        )

    def _height(self, score: Score) -> float:
        """A score as one number: points, or Longs with a part of one for each Small (TR-15)."""
        counting = self.rules.counting
        return counting.amount_of(score) / counting.parts

    def _mark(self, side: int, x: float, y: float, size: float) -> str:
        """A dot for the first side, a square on its corner for the second."""
        colour = f'class="side-{side}" fill="{self.look.sides[side]}"'
        if side == 0:
            return f'<circle {colour} cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'
        half = 1.4 * size
        path = f"M{x - half:.1f} {y:.1f}l{half:.1f} {-half:.1f} {half:.1f} {half:.1f} "
        return f'<path {colour} d="{path}{-half:.1f} {half:.1f}z"/>'

    def _text(
        self,
        x: float,
        y: float,
        text: object,
        *,
        size: float | None = None,
        anchor: str = "start",
        bold: bool = False,
    ) -> str:
        more = "" if size is None else f' font-size="{size:g}"'
        more += "" if anchor == "start" else f' text-anchor="{anchor}"'
        more += ' font-weight="bold"' if bold else ""
        return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(str(text))}</text>'


def _ticks(target: int, highest: float) -> list[int]:
    """The scores at which the chart has a line: the target, and round ones not too near to it."""
    step = round_up(highest / MOST_TICKS)
    ticks = [score for score in range(0, int(highest) + 1, step) if abs(score - target) > step / 2]
    return sorted({*ticks, target})


def round_up(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20 … that is at least this large."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if factor * step >= least:
                return factor * step
        step *= 10


def _width(text: str) -> int:
    """Columns that a text takes: two for a wide character, none for one that joins another."""
    return sum(_columns(before, character) for before, character in pairwise(f" {text}"))


def _columns(before: str, character: str) -> int:
    if JOINER in (before, character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fitted(names: Sequence[str], room: int, code: str) -> str:
    """The one or two names of a side, cut to so many columns; a short name leaves its room."""
    room -= (len(names) - 1) * _width(together(("", ""), code))
    share = max(room // len(names), room - min(map(_width, names)))
    whole = sum(map(_width, names)) <= room
    return together([name if whole else _cut(name, share) for name in names], code)


def _cut(text: str, room: int) -> str:
    """A text, cut to so many columns; an ellipsis stands for the rest."""
    if _width(text) <= room:
        return text
    most = min(len(text), 20 * max(1, room))  # a text may have endless characters without width
    kept = next(end for end in range(most, -1, -1) if _width(text[:end]) < max(1, room))
    return text[:kept].rstrip(f" {JOINER}") + "…"
