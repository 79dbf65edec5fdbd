"""A disputed trick or call as one picture to share: a photo, the referee's sentences, their rules.

The server draws an SVG, as it has no fonts. The device that shares the picture makes a PNG of it,
with its own fonts (``static/picture.js``).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap

from scorekeeper.engine.header import Header
from scorekeeper.reports.cases import Case, Exhibit
from scorekeeper.text.phrases import Voice
from webui.presenters.charts import FONT

WIDTH, MARGIN = 1200, 60
STILL = 675
"""Height of the photo, 16:9 at full width."""
PAPER, INK, SOFT, RED = "#fffdf7", "#1f1d1a", "#5a5348", "#b3141e"
LETTER_WIDTH = 0.52
"""Width of a letter, on average at most, as a share of the font's size."""


def poster(header: Header, code: str, case: Case, told: Sequence[str], still: Path | None) -> str:
    """Draws a trick or a call with its verdict, as an SVG document.

    Args:
        header: Who plays what.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
        case: The trick or call.
        told: What was seen of its event, in sentences.
        still: The photo, with the card outlined; None where there is none.
    """
    return "\n".join(_Poster(header, code).lines(case, told, still))


def where(voice: Voice, case: Case) -> str:
    """The number of a case's hand, and of its trick."""
    if case.number:
        return voice.say("Hand {n}, trick {m}", n=case.hand, m=case.number).text
    return voice.say("Hand {n}", n=case.hand).text


class _Poster(Voice):
    """Draws from top to bottom; the picture becomes as high as its contents."""

    def lines(self, case: Case, told: Sequence[str], still: Path | None) -> Iterator[str]:
        picture = self._picture(still)
        self._y = STILL + 20.0 if picture else 30.0
        drawn = [*self._words(case, told)]
        height = round(self._y + 40)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="{FONT}" fill="{INK}">'
        )
        yield f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
        yield from picture
        yield from drawn
        yield "</svg>"

    def _picture(self, still: Path | None) -> list[str]:
        """The whole photo, on black; its data are inside, so that the file needs no other file."""
        try:
            data = b"" if still is None else still.read_bytes()
        except OSError:
            data = b""
        if not data:
            return []
        return [
            f'<rect width="{WIDTH}" height="{STILL}" fill="#000"/>',
            f'<image width="{WIDTH}" height="{STILL}" '
            f'href="data:image/jpeg;base64,{b64encode(data).decode()}"/>',
        ]

    def _words(self, case: Case, told: Sequence[str]) -> Iterator[str]:
        title = self.say(self.header.title).text
        yield from self._text(f"{title} · {where(self, case)}", size=30, colour=SOFT)
        said = " · ".join(map(self._card, case.exhibits))
        yield from self._text(said, size=46, bold=True)
        for sentence in case.verdict:
            yield from self._text(str(sentence), size=38)
        self._y += 20
        for line in told:
            yield from self._text(line, size=28, colour=SOFT)

    def _card(self, exhibit: Exhibit) -> str:
        card = exhibit.event.card
        if card is None:
            return exhibit.words
        shown = self.guessed(card) if exhibit.suit is None else self.card(card)
        return f"{self.name(exhibit.event.seat)} {shown}"

    def _text(
        self, text: str, *, size: int, bold: bool = False, colour: str = INK
    ) -> Iterator[str]:
        """A paragraph, broken into lines."""
        self._y += 0.35 * size
        weight = ' font-weight="bold"' if bold else ""
        for line in wrap(text, int((WIDTH - 2 * MARGIN) / (LETTER_WIDTH * size))):
            self._y += 1.25 * size
            yield (
                f'<text x="{MARGIN}" y="{self._y:.0f}" font-size="{size}"{weight} '
                f'fill="{colour}">{escape(line)}</text>'
            )
