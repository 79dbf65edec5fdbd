"""The screens' typeface without the slash in its zero: a score of 10 shall not read as 1Ø.

``python build_font.py FONT.woff2`` changes a file of Atkinson Hyperlegible Next in place, at every
weight. It needs fontTools and Brotli.
"""

from __future__ import annotations

import sys
from typing import Any

from fontTools.ttLib import TTFont

ZERO = "zero"
"""The one of equal width is made of it."""
OUTLINE = 16
"""Points of the outer contour, which is symmetrical."""


def main(path: str) -> None:
    """Draws the zero of a font anew."""
    font = TTFont(path)
    _open(font, ZERO)
    font.save(path)


def _open(font: Any, name: str) -> None:
    """Gives a zero one counter, with the edges of the two that the slash had made.

    A variable font keeps the outline of its main weight, and for each other weight how far each
    point moves; the four points behind the outline are the glyph's metrics.
    """
    glyph = font["glyf"][name]
    points = [tuple(point) for point in glyph.coordinates]
    if len(glyph.endPtsOfContours) == 2:
        return  # it is open already
    main = _with_counter(points)
    for variation in font["gvar"].variations[name]:
        moves = variation.coordinates
        if None in moves:
            raise SystemExit(f"{name}: this font leaves moves out; save it with all of them first")
        moved = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(points, moves, strict=False)]
        there = _with_counter(moved)
        variation.coordinates = [
            (round(x - x0), round(y - y0)) for (x, y), (x0, y0) in zip(there, main, strict=True)
        ] + moves[len(points) :]
    rounded = [(round(x), round(y)) for x, y in main]
    on_curve = list(glyph.flags[:OUTLINE])
    glyph.coordinates = type(glyph.coordinates)(rounded)
    glyph.flags = type(glyph.flags)(on_curve + on_curve[:1] + on_curve[:0:-1])
    glyph.endPtsOfContours = [OUTLINE - 1, 2 * OUTLINE - 1]
    glyph.numberOfContours = 2
    glyph.recalcBounds(font["glyf"])


def _with_counter(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The outer contour, and behind it the same one, made smaller and turned round."""
    outer, inner = points[:OUTLINE], points[OUTLINE:]
    (x0, x1), (y0, y1) = _edges(outer)
    (left, right), (low, high) = _edges(inner)
    counter = [
        (left + (x - x0) * (right - left) / (x1 - x0), low + (y - y0) * (high - low) / (y1 - y0))
        for x, y in outer
    ]
    return outer + counter[:1] + counter[:0:-1]


def _edges(points: list[tuple[float, float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    xs, ys = zip(*points, strict=True)
    return (min(xs), max(xs)), (min(ys), max(ys))


if __name__ == "__main__":
    main(sys.argv[1])
