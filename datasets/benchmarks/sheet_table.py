"""Computes the figures of the scoring sheet from its films, and writes them as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from datasets.benchmarks.breaks import Breaks
from datasets.benchmarks.intervals import quantile_of_films, rate_of_films, share_of_films
from datasets.benchmarks.taps import Taps

Film = Mapping[str, Any]
"""The result of one film, as ``datasets.benchmarks.table_sheet.watch_film`` returns it."""

_LEGEND = """\
Hands are compared with what was played, rank by rank. *No touch*: right, and no question stood for
two seconds. *Answered*: right after somebody answered every question that did. *Nobody*: right
where nobody answers any; painted films are not watched that way. *False plays*: cards that were
written and not played, of 100 hands; in brackets the hands in which such a card was the first
mistake (nobody stops it, so that others follow). *Put right*: cards of 100 hands that were taken
for others at first, and put right by the next pictures; no false plays. *Questions*: asked, of a
hand. *Delay*: from a card's rest to its event, in seconds. From – to: the 95 % interval, with the
hands divided by the design effect of films (hands of one film share a deck); of delays by drawing
films anew."""


def row_figures(row: Mapping[str, object], films: Sequence[Film]) -> dict[str, Any]:
    """The figures of a row.

    Args:
        row: the row's eyes, grade, seats, game and so on.
        films: the results of its films.

    Returns:
        The row with its figures. A share, a rate or a quantile is value, from, to, with a 95 %
        interval; a count is a number.
    """

    def counts(name: str, run: str = "answering") -> list[float]:
        return [float(film[run][name]) for film in films if run in film]

    def questions(run: str) -> list[float]:
        return [float(sum(film[run]["questions"].values())) for film in films]

    kinds: Counter[str] = Counter()
    for film in films:
        kinds.update(film["answering"]["questions"])
    hands, alone = counts("hands"), counts("hands", "alone")
    nobody = share_of_films(counts("right", "alone"), alone) if alone else None
    unchecked = rate_of_films(counts("false_plays", "alone"), alone) if alone else None
    delays = [film["answering"]["delays"] for film in films]
    return {
        **row,
        "hands": int(sum(hands)),
        "films": len(films),
        "cards": int(sum(counts("cards"))),
        "cards_right": share_of_films(counts("cards_right"), counts("cards")),
        "tricks_right": share_of_films(counts("tricks_right"), counts("tricks")),
        "untouched": share_of_films(counts("untouched"), hands),
        "answered": share_of_films(counts("right"), hands),
        "lost_beside": int(sum(counts("lost_beside"))),
        "corrected": int(sum(counts("corrected"))),
        "nobody": nobody,
        "false_plays": rate_of_films(counts("false_plays"), hands),
        "false_plays_alone": unchecked,
        "put_right": rate_of_films(counts("put_right"), hands),
        "spoiled": rate_of_films(counts("spoiled"), hands),
        "questions": rate_of_films(questions("answering"), hands),
        "touches": rate_of_films(counts("answered"), hands),
        "kinds": dict(kinds.most_common()),
        "delay_median": quantile_of_films(delays, 0.5),
        "delay_p95": quantile_of_films(delays, 0.95),
        "film_seconds": round(sum(counts("seconds"))),
        "frames": int(sum(counts("frames"))),
        "frames_a_second": sum(counts("frames")) / max(sum(film["took"] for film in films), 1e-9),
    }


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    """The sheet as Markdown, with a table for each kind of eyes."""
    parts = ["# The watching table, scored\n", _LEGEND]
    for eyes in dict.fromkeys(row["eyes"] for row in rows):
        parts.append(f"\n## Eyes: {eyes}\n")
        parts.append(
            "| grade, seats, game, pack | hands (films) | cards | tricks | no touch | answered "
            "| nobody | false plays | put right | questions | delay p50 | p95 |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|---|"
        )
        parts += [_line(row) for row in rows if row["eyes"] == eyes]
    return "\n".join(parts) + "\n"


def _line(row: Mapping[str, Any]) -> str:
    cells = [
        f"{row['grade']} {row['seats']} {row['game']}, {row['pack']}{_careless(row)}",
        f"{row['hands']} ({row['films']})",
        f"{row['cards_right'][0]:.2%}",
        f"{row['tricks_right'][0]:.2%}",
        _share(row["untouched"]),
        _share(row["answered"]),
        f"{row['nobody'][0]:.1%}" if row["nobody"] else "–",
        f"{_rate(row['false_plays'], 100, 1)} [{100 * row['spoiled'][0]:.1f}]",
        f"{100 * row['put_right'][0]:.1f}",
        _rate(row["questions"], 1, 3),
        f"{row['delay_median'][0]:.2f}",
        f"{row['delay_p95'][0]:.2f} ({row['delay_p95'][1]:.2f}–{row['delay_p95'][2]:.2f})",
    ]
    return f"| {' | '.join(cells)} |"


def _careless(row: Mapping[str, Any]) -> str:
    taps = Taps(*row.get("taps", ()))
    text = f", {taps.in_words()}" if any(taps) else ""
    breaks = Breaks(*row.get("breaks", ()))
    text += f", {breaks.in_words()}" if any(breaks) else ""
    if not taps.careful:
        text += f"; {row['lost_beside']} hands lost beside those"
    if taps.misanswered:
        text += f"; the record corrected {row['corrected']} times"
    return text


def _share(value: Sequence[float]) -> str:
    return f"{value[0]:.1%} ({value[1]:.1%}–{value[2]:.1%})"


def _rate(value: Sequence[float], times: float, digits: int) -> str:
    rate, low, high = (f"{times * each:.{digits}f}" for each in value)
    return f"{rate} ({low}–{high})"
