"""Makes players' names, as people type them, fit for every screen and every record."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count, islice

from scorekeeper.engine.said import HOST
from scorekeeper.messages import JOINER
from scorekeeper.text.i18n import language

LONGEST_NAME = 24
"""Most visible characters of a name; each may consist of several Unicode code points."""

LONGEST_CHARACTER = 12
"""Most code points of one visible character: a family of four with skin tones has eleven."""

SOUND_OF_I = re.compile(r"h?[ií](?![aeiou])", re.IGNORECASE)
"""Before names that begin so, Spanish says ``e`` instead of ``y``: Inés, Hilario; not Iago."""

SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)


def tidy_names(names: Sequence[str], code: str) -> tuple[str, ...]:
    """Returns a name for each seat, all of them different.

    Emoji and the letters of any script are kept. Control characters are removed, and names are cut
    to ``LONGEST_NAME``. A player without a name is "Player 1", by the seat. Of two equal names the
    second gets a number: "Ana", "Ana 2". Names that are tidy already are not changed.

    Args:
        names: What was typed, one text for each seat.
        code: Language of "Player 1", one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    nobody = language(code).gettext("Player {n}")
    wished = [tidy_name(name) or nobody.format(n=seat) for seat, name in enumerate(names, start=1)]
    told: list[str] = []
    for seat, name in enumerate(wished):
        taken = {other.casefold() for other in (*told, *wished[seat + 1 :])}
        if any(name.casefold() == other.casefold() for other in told):
            numbered = (_with_number(name, n) for n in count(2))
            name = next(new for new in numbered if new.casefold() not in taken)
        told.append(name)
    return tuple(told)


def together(names: Sequence[str], code: str) -> str:
    """Joins names by "and" in a language: ``Ana & Carles``, ``Ana et Carles``.

    Args:
        names: At least one name.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    *others, last = names
    if not others:
        return last
    message = language(code).gettext("{names} & {last}")
    if code == "es" and SOUND_OF_I.match(last):
        message = message.replace(" y ", " e ")
    return message.format(names=", ".join(others), last=last)


def visible_characters(text: str) -> Iterator[str]:
    """Yields the text in pieces that are each seen as one character.

    A letter with its accents is one, and so is an emoji of several code points. This is a short
    form of Unicode's rules for grapheme clusters (UAX #29), which is enough for names.
    """
    piece = ""
    for sign in text:
        if piece and not _belongs_to(piece, sign):
            yield piece
            piece = ""
        piece += sign
    if piece:
        yield piece


def _belongs_to(piece: str, sign: str) -> bool:
    if sign == JOINER or piece.endswith(JOINER) or ord(sign) in SKIN_TONES:
        return True
    if ord(sign) in FLAG_LETTERS:  # a flag is a pair of letters
        return len(piece) == 1 and ord(piece) in FLAG_LETTERS
    return unicodedata.category(sign).startswith("M")


def tidy_name(name: str, longest: int = LONGEST_NAME) -> str:
    """The name on one line, without what no screen shows; empty if nothing visible is left.

    Args:
        name: What was typed.
        longest: Most visible characters that are kept.
    """
    kept = "".join(s for s in name if s.isprintable() or s.isspace() or s == JOINER)
    text = _cut(unicodedata.normalize("NFC", " ".join(kept.split())), longest)
    text = text.title() if text == HOST else text  # remarks use this word for the host
    return text if any(unicodedata.category(sign)[0] in "LNPS" for sign in text) else ""


def _cut(text: str, length: int) -> str:
    """At most so many visible characters of a text, without blanks or joiners at its ends."""
    pieces = islice(visible_characters(text.strip(f" {JOINER}")), length)
    # Dozens of accents on one letter would cover the lines above and below it.
    kept = (piece if len(piece) <= LONGEST_CHARACTER else piece[0] for piece in pieces)
    return "".join(kept).strip(f" {JOINER}")


def _with_number(name: str, n: int) -> str:
    return f"{_cut(name, LONGEST_NAME - len(f' {n}'))} {n}"
