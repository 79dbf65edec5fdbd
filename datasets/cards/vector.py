"""Drawing SVG art to pixels with ``rsvg-convert`` (Debian: ``librsvg2-bin``).

All pictures are BGRA with 8 bits a channel. Their alpha is straight unless a function says that
they are premultiplied.
"""

import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorekeeper.games.cards import RANKS

Picture = NDArray[np.uint8]

SHEET_COLUMNS, SHEET_ROWS = 13, 5
_KDE_SUITS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
_KDE_RANKS = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}


class DrawingError(RuntimeError):
    """A picture could not be drawn."""


def render_svg(source: Path | str, *options: str) -> Picture:
    """Draw an SVG file, or SVG text, with the given options of ``rsvg-convert``."""
    program = shutil.which("rsvg-convert")
    if program is None:
        raise DrawingError("rsvg-convert is missing: install librsvg2-bin")
    is_text = isinstance(source, str)
    command = [program, *options] + ([] if isinstance(source, str) else [str(source)])
    done = subprocess.run(
        command,
        input=source.encode() if isinstance(source, str) else None,
        capture_output=True,
        check=False,
    )
    picture = decode(done.stdout) if done.returncode == 0 and done.stdout else None
    if picture is None:
        what = "SVG text" if is_text else str(source)
        raise DrawingError(f"{what}: {done.stderr.decode(errors='replace').strip()}")
    return picture


def decode(data: bytes) -> Picture | None:
    """A picture file's bytes as BGRA, ``None`` where it is no picture."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        return None
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA)
    elif picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return picture.astype(np.uint8)


def premultiplied(picture: Picture) -> Picture:
    """A BGRA picture with its colours multiplied by its coverage.

    A picture has to be in this form when it is scaled, turned or laid into another one. With
    straight alpha the black of its transparent pixels would darken its edges.
    """
    share = picture[..., 3:].astype(np.uint16)
    made = picture.copy()
    made[..., :3] = (picture[..., :3] * share + 127) // 255
    return made


def trim(picture: Picture, threshold: int = 8) -> Picture:
    """Cut away the rows and columns in which alpha nowhere exceeds the threshold (0–255)."""
    x, y, width, height = cv2.boundingRect((picture[..., 3] > threshold).astype(np.uint8))
    return picture[y : y + height, x : x + width]


def draw_sheet(path: Path, height: int) -> dict[str, Picture]:
    """Cut a GNOME sheet (13×5: clubs, diamonds, hearts, spades, jokers and back) into cards.

    Args:
        path: the SVG or SVGZ file.
        height: the height of a cell in the result, in pixels.

    Returns:
        Card names (``XJ`` and ``XJ2`` for two jokers) to pictures of one card each.
    """
    probe = render_svg(path, "-w", str(SHEET_COLUMNS * 20))
    width = round(height * SHEET_ROWS * probe.shape[1] / probe.shape[0])
    sheet = render_svg(path, "-w", str(width))
    cell_height, cell_width = sheet.shape[0] / SHEET_ROWS, sheet.shape[1] / SHEET_COLUMNS

    def cell(row: int, column: int) -> Picture:
        top, left = round(row * cell_height), round(column * cell_width)
        return trim(sheet[top : round(top + cell_height), left : round(left + cell_width)])

    cards = {
        rank + suit: cell(row, column)
        for row, suit in enumerate("CDHS")
        for column, rank in enumerate(RANKS)
    }
    for column, name in enumerate(("XJ", "XJ2", "back")):
        picture = cell(4, column)
        if picture.size and picture[..., 3].mean() > 127:
            cards[name] = picture
    return cards


def draw_elements(path: Path, height: int) -> dict[str, Picture]:
    """Draw the cards of a KDE deck, each an element with its own id (``queen_heart``, ``back``).

    The cards keep one common scale: the one that makes the ten of spades ``height`` pixels tall.
    """
    probe = 800
    ten = trim(render_svg(path, "--export-id", "10_spade", "-h", str(probe)))
    zoom = round(probe * height / ten.shape[0])
    names = {
        rank + suit: f"{_KDE_RANKS.get(rank, rank)}_{_KDE_SUITS[suit]}"
        for suit in "CDHS"
        for rank in RANKS
    }
    cards = {
        name: trim(render_svg(path, "--export-id", element, "-h", str(zoom)))
        for name, element in names.items()
    }
    for name, element in {"back": "back", "XJ": "black_joker", "XJ2": "red_joker"}.items():
        try:
            cards[name] = trim(render_svg(path, "--export-id", element, "-h", str(zoom)))
        except DrawingError:  # not every deck has one
            continue
    return cards


def draw_glyph(text: str, family: str, *, bold: bool, height: int = 96) -> Picture:
    """The coverage (0–255, one channel) of a few characters in a font, trimmed to their ink."""
    weight = "bold" if bold else "normal"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{height * 4}" height="{height * 2}">'
        f'<text x="{height // 2}" y="{height * 3 // 2}" font-size="{height}" '
        f'font-family="{family}" font-weight="{weight}">{text}</text></svg>'
    )
    return np.ascontiguousarray(trim(render_svg(svg))[..., 3])


def tinted(
    picture: Picture, *, hue: float = 0.0, strength: float = 1.0, lightness: float = 1.0
) -> Picture:
    """A picture in other inks.

    Args:
        picture: BGRA.
        hue: degrees by which hues turn, halved as OpenCV has them (0–180).
        strength: factor of how far colours are from grey.
        lightness: factor of how bright they are.
    """
    tones = cv2.cvtColor(np.ascontiguousarray(picture[..., :3]), cv2.COLOR_BGR2HSV).astype(float)
    tones *= [1, strength, lightness]
    tones[..., 0] = (tones[..., 0] + hue) % 180
    colours = cv2.cvtColor(np.clip(tones, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)
    return np.dstack([colours, picture[..., 3]]).astype(np.uint8)
