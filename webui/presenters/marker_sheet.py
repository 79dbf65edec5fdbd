"""The sheet to print and cut out: markers for the table's corners, and calling cards for each seat.

It is a PDF of rectangles and embedded fonts, so that it prints sharply.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fontTools.ttLib import TTFont
from fpdf import FPDF

from scorekeeper.engine.header import Header, parse_header
from scorekeeper.games.rules import Rules, game_of
from scorekeeper.messages import N_
from scorekeeper.text.glossary import TERMS
from scorekeeper.text.i18n import capital, language
from vision.geometry.markers import CALL_CM, CORNER_CM, CORNER_IDS, call_id, calls_of
from vision.opencv import load_opencv
from webui.presenters.table_words import LABELS

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height, in millimetres."""
FONTS = Path(str(files("webui"))) / "static" / "fonts"
UNUSED_TABLES = frozenset({"GDEF", "GPOS", "GSUB"})
"""Tables of a font that no PDF made here uses: where letters are kerned, joined or changed."""
MARGIN = 12.0
MODULES = 8
"""Squares along the side of a marker, its black border included."""
CARD = (62.0, 80.0)
CORNER = 82.0
"""What people cut out, in millimetres: a calling card's width and height, the side of a corner."""
COLUMNS, ROWS = 3, 3
"""Calling cards beside and below each other on a page."""
RULER = 100.0
"""Length of the line with which people check the size of the print, in millimetres."""
INK, GREY, CUT = 20, 105, 165
"""Shades of grey: text, small text, lines to cut along."""

READ_FROM_CM: Mapping[int, int] = {720: 100, 1080: 160}
"""The greatest height in centimetres from which a camera reads calling cards, by its lines.

Measured with ``python -m datasets.benchmarks.heights``: up to there, 95 % or more of the cards are
read in any one frame. The camera sees 70 degrees from left to right.
"""

TERM_OF: Mapping[str, str] = {"lie_down": "fold", "reject": "refuse an offer"}
"""The word of the glossary that explains a verb, where it is not the verb itself."""

CORNER_PLACES = (
    N_("Far corner, left"),
    N_("Far corner, right"),
    N_("Near corner, right"),
    N_("Near corner, left"),
)
"""Where each corner lies, seen from seat 1 (the first name)."""

HOW_TO = (
    N_("Print at 100%, without fitting to the page: the line below must be 10 cm long."),
    N_("Cut along the grey lines and leave the white edge around each black square."),
    N_("Lay the four corners on the corners of the table, as below, seen from the first seat."),
    N_("To say something, lay that card down face up, in sight of the camera, for a second. Take "
       "it back afterwards; the same card counts again once it has been gone for two seconds."),
    N_("Cards that are not in use lie face down, or out of sight."),
)  # fmt: skip
FROM_WHERE = N_(
    "A camera of 720 lines reads the calling cards from up to {low} cm above the table, one of "
    "1080 lines from up to {high} cm (measured; angle of view {angle}°)."
)
SUBTITLE = N_("markers for the camera")
RAISE_HINT = N_("the next value; a higher one is said on a phone")


@dataclass(frozen=True)
class CallCard:
    """One calling card.

    Attributes:
        number: The number of its marker.
        words: The call.
        meaning: What the call means, in small type; may be empty.
    """

    number: int
    words: str
    meaning: str


def call_cards(rules: Rules, seat: int, code: str) -> list[CallCard]:
    """The calling cards of one seat, in the words of the buttons on the phones."""
    translate = language(code).gettext
    meanings = {term.word: term.meaning for term in TERMS}
    cards = []
    for do in calls_of(rules):
        words = translate(LABELS.get(do) or do.replace("_", " "))
        meaning = meanings.get(TERM_OF.get(do, do), "")
        if do == "raise" and rules.step == "any":
            meaning = RAISE_HINT
        small = translate(meaning) if meaning else ""
        cards.append(CallCard(call_id(do, seat), capital(words), small))
    return cards


class Sheet:
    """The sheet of one table: a page for the corners, and one for each seat.

    Args:
        header: The game, its house rules, and who plays; names may be empty.
        code: The language.
        paper: One of ``PAPERS``.
    """

    def __init__(self, header: Header, code: str, paper: str = "a4") -> None:
        self._header, self._code = header, code
        self._rules = header.rules
        self._translate = language(code).gettext
        self._width, self._height = PAPERS[paper]
        self._pdf = FPDF(unit="mm", format=PAPERS[paper])
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(MARGIN)
        for name in ("hyperlegible", "hyperlegible-ext"):  # the other one has Ł, ş, ő
            self._add_font(name)
        self._pdf.set_fallback_fonts(["hyperlegible-ext"])
        title = f"{self._translate(game_of(header.game).title)} · trucam"
        self._pdf.set_title(title)
        self._pdf.set_lang(code)
        self._pdf.set_creator("trucam")

    def draw(self) -> bytes:
        """The whole sheet as a PDF."""
        self._corner_page()
        for seat in range(len(self._header.seats)):
            self._seat_pages(seat)
        return bytes(self._pdf.output())

    @property
    def pages(self) -> int:
        """How many pages were drawn."""
        return self._pdf.pages_count

    def _add_font(self, name: str) -> None:
        """Adds both weights of a font, without what the PDF would leave out in the end.

        Kerning and ligatures go first, as giving each its weight takes five times as long as all
        the rest.
        """
        with (
            TemporaryDirectory(prefix="trucam-") as folder,
            TTFont(FONTS / f"{name}.woff2", recalcTimestamp=False) as font,
        ):
            for table in UNUSED_TABLES & set(font.keys()):
                del font[table]
            font.flavor = None  # not packed
            path = Path(folder, f"{name}.ttf")
            font.save(path)
            for style, weight in (("", 400.0), ("B", 700.0)):
                self._pdf.add_font(name, style, path, variations={"wght": weight})

    def _heading(self, title: str) -> float:
        """Begins a page with a title; returns the height at which its contents begin."""
        pdf = self._pdf
        pdf.add_page()
        self._text(title, 19, bold=True, at=(MARGIN, MARGIN))
        return pdf.get_y() + 2

    def _text(
        self,
        text: str,
        size: float,
        *,
        at: tuple[float, float],
        width: float = 0.0,
        bold: bool = False,
        shade: int = INK,
        align: str = "L",
    ) -> None:
        """Writes text, broken into lines of ``width``; 0 for the width of the page."""
        pdf = self._pdf
        pdf.set_font("hyperlegible", "B" if bold else "", size)
        pdf.set_text_color(shade)
        pdf.set_xy(*at)
        pdf.multi_cell(
            width or self._width - 2 * MARGIN,
            size * 0.44,  # millimetres a line, from points
            text,
            align=align,
            new_x="LMARGIN",
            new_y="NEXT",
        )

    def _said_of(self, who: str, words: str) -> str:
        """Joins a heading and its text with the colon of the language."""
        return self._translate("{who}: {words}").format(who=who, words=words)

    def _corner_page(self) -> None:
        pdf, translate = self._pdf, self._translate
        game = translate(game_of(self._header.game).title)
        top = self._heading(self._said_of(game, translate(SUBTITLE)))
        lines = [
            *(translate(line) for line in HOW_TO),
            translate(FROM_WHERE).format(low=READ_FROM_CM[720], high=READ_FROM_CM[1080], angle=70),
        ]
        for line in lines:
            self._text("•", 10.5, at=(MARGIN, top))
            self._text(line, 10.5, at=(MARGIN + 4, top), width=self._width - 2 * MARGIN - 4)
            top = pdf.get_y() + 1.0
        self._ruler(top + 6)
        side = CORNER
        left = (self._width - 2 * side) / 2
        below = self._height - MARGIN - 2 * side
        # As they lie on the table, seen from the first seat: far corners above, near ones below.
        spots = {0: (0, 0), 1: (1, 0), 2: (1, 1), 3: (0, 1)}
        for number in CORNER_IDS:
            column, row = spots[number]
            x, y = left + column * side, below + row * side
            self._cut(x, y, side, side)
            black = CORNER_CM * 10
            self._marker(number, x + (side - black) / 2, y + 8.5, black)
            words = f"{number + 1}. {translate(CORNER_PLACES[number])}"
            self._text(words, 10, at=(x, y + side - 8.5), width=side, align="C", shade=GREY)

    def _ruler(self, y: float) -> None:
        """A line of 10 cm with a mark at each centimetre."""
        pdf = self._pdf
        x = (self._width - RULER) / 2
        pdf.set_draw_color(INK)
        pdf.set_line_width(0.3)
        pdf.line(x, y, x + RULER, y)
        for centimetre in range(11):
            tall = 3.5 if centimetre % 5 == 0 else 2.0
            pdf.line(x + centimetre * 10, y - tall, x + centimetre * 10, y)
        self._text("10 cm", 9, at=(x + RULER + 2, y - 3.5), width=15, shade=GREY)

    def _seat_pages(self, seat: int) -> None:
        translate = self._translate
        name = self._header.seats[seat].strip()
        who = translate(N_("Seat {number}")).format(number=seat + 1)
        cards = call_cards(self._rules, seat, self._code)
        left = (self._width - COLUMNS * CARD[0]) / 2
        for first in range(0, len(cards), COLUMNS * ROWS):
            top = self._heading(self._said_of(who, name) if name else who)
            for place, card in enumerate(cards[first : first + COLUMNS * ROWS]):
                row, column = divmod(place, COLUMNS)
                self._card(card, who, left + column * CARD[0], top + 2 + row * CARD[1])

    def _card(self, card: CallCard, who: str, x: float, y: float) -> None:
        black, (width, height) = CALL_CM * 10, CARD
        self._cut(x, y, width, height)
        edge = black / MODULES  # one white square around the black ones is part of a marker
        self._marker(card.number, x + (width - black) / 2, y + edge, black)
        size = self._fitting(card.words, width - 5, 15.0)
        below = y + black + 2 * edge - 0.5
        self._text(card.words, size, at=(x + 2.5, below), width=width - 5, bold=True, align="C")
        if card.meaning:
            under = self._pdf.get_y()
            self._text(card.meaning, 7.5, at=(x + 3, under), width=width - 6, shade=GREY,
                       align="C")  # fmt: skip
        self._text(who, 9, at=(x + 2, y + height - 5.0), width=width - 4, bold=True, align="C")

    def _fitting(self, text: str, width: float, size: float) -> float:
        """The largest type, up to ``size`` points, in which a text is one line."""
        pdf = self._pdf
        while size > 9:
            pdf.set_font("hyperlegible", "B", size)
            if pdf.get_string_width(text) + 2 * pdf.c_margin <= width:
                break
            size -= 0.5
        return size

    def _cut(self, x: float, y: float, width: float, height: float) -> None:
        """The lines along which people cut."""
        self._pdf.set_draw_color(CUT)
        self._pdf.set_line_width(0.15)
        self._pdf.rect(x, y, width, height)

    def _marker(self, number: int, x: float, y: float, black: float) -> None:
        """Draws a marker: a black square, and its white squares row by row."""
        pdf, unit = self._pdf, black / MODULES
        pdf.set_fill_color(0)
        pdf.rect(x, y, black, black, style="F")
        pdf.set_fill_color(255)
        for row, start, length in white_runs(number):
            pdf.rect(x + start * unit, y + row * unit, length * unit, unit, style="F")


def white_runs(number: int) -> Sequence[tuple[int, int, int]]:
    """The white squares of a marker: for each run of them its row, first column and length."""
    cv2: Any = load_opencv()
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    bits = cv2.aruco.generateImageMarker(family, number, MODULES)
    runs = []
    for row in range(MODULES):
        column = 0
        while column < MODULES:
            start = column
            while column < MODULES and bits[row, column]:
                column += 1
            if column > start:
                runs.append((row, start, column - start))
            column += 1
    return runs


def main() -> None:
    """Draws a sheet for another process: JSON on standard input, the PDF on standard output.

    The JSON is a list: a header, a language, and one of ``PAPERS`` (A4 for anything else).
    """
    header, code, paper = json.load(sys.stdin)
    sheet = Sheet(parse_header(header), code, paper if paper in PAPERS else "a4")
    sys.stdout.buffer.write(sheet.draw())


if __name__ == "__main__":
    main()
