"""Charts of a player's figures: horizontal bars and columns, as SVG elements for a phone's page.

One unit is a pixel of a phone's screen, so that the letters are as large as the page's. Won, lost
and refused differ by their pattern, never by colour alone. See also ``charts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from html import escape
from typing import NamedTuple

from webui.presenters.charts import FONT, PAGE, round_up

WIDTH = 360
FONT_SIZE = 13
BAR = 22
"""Height of a bar."""
ROW, WORDS = 78, 22
"""Height of a bar with its label and its words; height of the words alone."""
HEIGHT, HEAD, FOOT, SIDE = 200, 28, 22, 24
"""A chart of columns: its height, that of its head and of its foot, the width of its scale."""
SAMPLE = 4
"""Width of the sample before some words, with the gaps around it, in letters."""
LABEL = 58
"""Width of the label of a column."""


class Kind(Enum):
    """How a part of a bar is drawn: its colour, and its pattern (full, striped or empty)."""

    WON = (PAGE.sides[0], "full")
    LOST = (PAGE.sides[1], "striped")
    REFUSED = ("currentColor", "empty")


class Part(NamedTuple):
    """A part of a bar.

    Attributes:
        kind: How it is drawn.
        size: The number that it stands for.
        words: That number in words; empty where the bar's label says it.
    """

    kind: Kind
    size: int
    words: str


class Bar(NamedTuple):
    """A horizontal bar.

    Attributes:
        label: What it counts.
        whole: How many there are; the parts may be fewer.
        parts: Its parts, from left to right.
    """

    label: str
    whole: str
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """The sum of its parts."""
        return sum(part.size for part in self.parts)


class Column(NamedTuple):
    """A column: matches won at the bottom, matches lost above.

    Attributes:
        label: The evening, month or year.
        won: How many were won.
        lost: How many were lost.
    """

    label: str
    won: int
    lost: int


def bars(name: str, title: str, rows: Sequence[Bar], *, one_scale: bool = False) -> str:
    """Draws bars below each other, each with its label and its parts in words.

    Args:
        name: The chart's name, which no other chart of the page has.
        title: What it shows.
        rows: The bars; at least one of them is not 0.
        one_scale: Whether all bars have one scale. If not, each bar has the full width, and only
            its parts can be compared.
    """
    heights = [ROW if any(part.words for part in row.parts) else ROW - WORDS for row in rows]
    told = (f"{row.label} {row.whole}: {_told(row.parts)}." for row in rows)
    lines = [*_opening(name, title, " ".join(told), sum(heights) - 8)]
    most = max(row.size for row in rows)
    for number, row in enumerate(rows):
        top = sum(heights[:number])
        longest = most if one_scale else max(1, row.size)
        lines.append(_text(0, top + 14, row.label, size=15, bold=True))
        lines.append(_text(WIDTH, top + 14, row.whole, size=15, bold=True, anchor="end"))
        x = 0.0
        for part in row.parts:
            wide = (WIDTH - 2) * part.size / longest
            lines += _block(name, part.kind, x + 1, top + 21, wide, BAR)
            x += wide
        lines += _words(name, row.parts, top + 48)
    return "\n".join([*lines, "</svg>"])


def columns(name: str, title: str, found: Sequence[Column], whole: Sequence[Part]) -> str:
    """Draws columns beside each other, with a scale, and as many labels as there is room for.

    Args:
        name: As for ``bars``.
        title: As for ``bars``.
        found: The columns; at least one of them is not 0.
        whole: What was won and lost in all, which is the chart's legend.
    """
    told = [f"{column.label}: {column.won} – {column.lost}." for column in found]
    lines = [*_opening(name, title, " ".join([f"{_told(whole)}.", *told]), HEIGHT)]
    lines += _words(name, whole, 2)
    highest = max(column.won + column.lost for column in found)
    step = round_up(highest / 4)
    highest = step * -(-highest // step)
    bottom, unit = HEIGHT - FOOT, (HEIGHT - FOOT - HEAD - 8) / highest
    for score in range(0, highest + 1, step):
        y = bottom - unit * score
        lines.append(
            f'<path class="grid" d="M{SIDE} {y:.1f}H{WIDTH}" stroke="currentColor" '
            f'stroke-opacity="{0.6 if score == 0 else 0.2}"/>'
        )
        lines.append(_text(SIDE - 5, y + 4, score, anchor="end"))
    room = (WIDTH - SIDE) / len(found)
    every = round_up(LABEL / room)
    for place, column in enumerate(found):
        wide = min(0.75 * room, 40)
        left = SIDE + room * (place + 0.5) - wide / 2
        low, high = unit * column.won, unit * column.lost
        lines += _block(name, Kind.WON, left, bottom - low, wide, low)
        lines += _block(name, Kind.LOST, left, bottom - low - high, wide, high)
        if (len(found) - 1 - place) % every == 0:  # the latest one has its label
            x = min(max(left + wide / 2, LABEL / 2), WIDTH - LABEL / 2)
            lines.append(_text(x, HEIGHT - 5, column.label, anchor="middle"))
    return "\n".join([*lines, "</svg>"])


def _opening(name: str, title: str, told: str, height: float) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" '
        f'viewBox="0 0 {WIDTH} {height:g}" font-family="{FONT}" font-size="{FONT_SIZE}" '
        f'fill="currentColor">'
    )
    yield f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"
    yield (
        f'<pattern id="stripes-{name}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="3.5" height="6" '
        f'fill="{Kind.LOST.value[0]}"/></pattern>'
    )


def _block(name: str, kind: Kind, x: float, y: float, wide: float, high: float) -> Iterator[str]:
    """A part of a bar or column; nothing where its size is 0."""
    if wide <= 0 or high <= 0:
        return
    colour, filling = kind.value
    fill = {"full": colour, "striped": f"url(#stripes-{name})", "empty": "none"}[filling]
    yield (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{fill}" '
        f'stroke="{colour}" stroke-width="1.5"/>'
    )


def _words(name: str, parts: Sequence[Part], y: float) -> Iterator[str]:
    """The legend: the parts in words beside each other, each after a sample of its pattern."""
    told = [part for part in parts if part.words]
    letters = sum(len(part.words) + SAMPLE for part in told)
    x = 0.0
    for part in told:
        yield from _block(name, part.kind, x + 1, y + 2, 11, 11)
        yield _text(x + 18, y + 12, part.words)
        x += WIDTH * (len(part.words) + SAMPLE) / letters


def _told(parts: Sequence[Part]) -> str:
    return ", ".join(part.words or str(part.size) for part in parts)


def _text(
    x: float,
    y: float,
    text: object,
    *,
    size: float = FONT_SIZE,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    more = "" if size == FONT_SIZE else f' font-size="{size:g}"'
    more += "" if anchor == "start" else f' text-anchor="{anchor}"'
    more += ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(str(text))}</text>'
