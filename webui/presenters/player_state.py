"""What a player's page shows of all evenings: figures with their meanings, and charts of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple, TypeVar

from babel.dates import format_date

from scorekeeper.messages import N_
from scorekeeper.reports.statistics import Calls
from scorekeeper.reports.tallies import Tally
from scorekeeper.text.i18n import language
from webui.presenters.player_charts import Bar, Column, Kind, Part, bars, columns

Key = TypeVar("Key")
MOST_COLUMNS = 24
"""Most columns of a chart: if there are more evenings, a column is a month, or else a year."""
SPANS: Sequence[tuple[Callable[[date], date], str, str]] = (
    (lambda day: day, "d LLL", N_("Matches won and lost, evening by evening")),
    (lambda day: day.replace(day=1), "LLL yy", N_("Matches won and lost, month by month")),
    (lambda day: day.replace(month=1, day=1), "yyyy", N_("Matches won and lost, year by year")),
)
"""Spans of time for a column: its first day, the format of its label, the title of the chart."""


class Figure(NamedTuple):
    """One figure.

    Attributes:
        label: What it is called.
        value: The figure.
        meaning: What is counted, in a sentence.
    """

    label: str
    value: str
    meaning: str


class Section(NamedTuple):
    """Figures that belong together.

    Attributes:
        title: What they are about.
        chart: An SVG element, or None where there is nothing to draw.
        figures: The figures.
    """

    title: str
    chart: str | None
    figures: tuple[Figure, ...]


class CallWords(NamedTuple):
    """The words for one kind of calls: labels with meanings, and ``refused`` for the chart."""

    title: str
    made: tuple[str, str]
    made_refused: tuple[str, str]
    made_won: tuple[str, str]
    answered: tuple[str, str]
    answered_refused: tuple[str, str]
    answered_won: tuple[str, str]
    refused: str


RAISES = CallWords(
    N_("Raises"),
    (
        N_("Raises made"),
        N_("Raises, remainders and calls such as truc; some are neither won nor lost: void hands."),
    ),
    (
        N_("refused by the other side"),
        N_("The other side said no: the hand was won without showing the cards."),
    ),
    (
        N_("accepted by the other side"),
        N_("The other side said yes; the hand then went to the player's side, or to the other."),
    ),
    (N_("Raises answered"), N_("Raises of the other side to which this player said yes or no.")),
    (N_("refused by this player"), N_("This player said no and gave the hand up.")),
    (
        N_("accepted by this player"),
        N_("This player said yes; the hand then went to the player's own side, or to the other."),
    ),
    N_("refused {n}"),
)
TRUTS = CallWords(
    N_("Truts"),
    (N_("Truts made"), N_("Truts and retruts; some are neither won nor lost: void hands.")),
    (N_("not seen"), N_("The other side folded: the hand was won without showing the cards.")),
    (
        N_("seen"),
        N_("The other side saw; the hand then went to the player's side, or to the other."),
    ),
    (N_("Truts answered"), N_("Truts of the other side which this player saw, or folded to.")),
    (N_("folded by this player"), N_("This player folded; a partner may still have seen.")),
    (
        N_("seen by this player"),
        N_("This player saw; the hand then went to the player's own side, or to the other."),
    ),
    N_("not seen {n}"),
)


def sections(career: Mapping[tuple[date, str], Tally], code: str) -> list[Section]:
    """What a player's page shows; figures of what never came up are left out.

    Args:
        career: As ``scorekeeper.reports.tallies.career`` returns it.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    return [*filter(None, _Sections(career, code).all())]


def by_evening(career: Mapping[tuple[date, str], Tally]) -> dict[date, Tally]:
    """A career by evening, whatever the games, the latest last."""
    return _added((day, tally) for (day, _), tally in career.items())


def by_game(career: Mapping[tuple[date, str], Tally]) -> dict[str, Tally]:
    """A career by game, on all evenings."""
    return _added((game, tally) for (_, game), tally in career.items())


class _Sections:
    def __init__(self, career: Mapping[tuple[date, str], Tally], code: str) -> None:
        self.code, self.say = code, language(code).gettext
        self.evenings = by_evening(career)
        self.total = sum(career.values(), Tally())

    def all(self) -> Sequence[Section | None]:
        """All sections; None for what never came up."""
        total = self.total
        return (
            self._matches(),
            self._tricks(),
            self._calls("raises", RAISES, total.raises, total.raises_answered),
            self._calls("truts", TRUTS, total.truts, total.truts_answered),
            self._scores(),
        )

    def _matches(self) -> Section:
        total, of = self.total, self.say(N_("{n} of {all}"))
        chart = None
        if total.matches:
            span = next(
                (span for span in SPANS if len(self._columns(*span[:2])) <= MOST_COLUMNS),
                SPANS[-1],
            )
            found = self._columns(*span[:2])[-MOST_COLUMNS:]
            whole = (
                self._part(Kind.WON, sum(c.won for c in found), N_("matches won {n}")),
                self._part(Kind.LOST, sum(c.lost for c in found), N_("matches lost {n}")),
            )
            chart = columns("matches", self.say(span[2]), found, whole)
        return Section(
            self.say(N_("Matches")),
            chart,
            (
                self._figure(
                    N_("Matches won"),
                    of.format(n=total.matches_won, all=total.matches),
                    N_("Matches that were played to their end."),
                ),
                self._figure(
                    N_("Games won"),
                    of.format(n=total.games_won, all=total.games),
                    N_("Games that a side won, also in matches that were left."),
                ),
                self._figure(
                    N_("Hands won"),
                    of.format(n=total.hands_won, all=total.hands),
                    N_("Hands in which this player's side scored; all others count as played."),
                ),
                self._figure(
                    N_("Evenings"),
                    len(self.evenings),
                    N_("An evening ends at six in the morning."),
                ),
            ),
        )

    def _columns(self, start: Callable[[date], date], pattern: str) -> list[Column]:
        spans = _added((start(day), tally) for day, tally in self.evenings.items())
        return [
            Column(
                format_date(day, pattern, locale=self.code),
                tally.matches_won,
                tally.matches - tally.matches_won,
            )
            for day, tally in spans.items()
        ]

    def _tricks(self) -> Section | None:
        total = self.total
        found = (
            (
                N_("Tricks won"), total.tricks_won, Kind.WON,
                N_("Tricks won by this player's own card; where partners tie, the first one's."),
            ),
            (
                N_("Tricks spoiled"), total.tricks_spoiled, Kind.LOST,
                N_("Tricks that nobody won, where this player laid the last of the equal cards."),
            ),
            (
                N_("Spoiled tricks claimed"), total.tricks_claimed, Kind.WON,
                N_("Spoiled tricks that this player brought the side by winning another trick."),
            ),
        )  # fmt: skip
        if not any(count for _, count, _, _ in found):
            return None
        rows = [Bar(self.say(label), str(n), (Part(kind, n, ""),)) for label, n, kind, _ in found]
        return Section(
            self.say(N_("Tricks")),
            bars("tricks", self.say(N_("Tricks")), rows, one_scale=True),
            tuple(self._figure(label, count, meaning) for label, count, _, meaning in found),
        )

    def _calls(self, name: str, words: CallWords, made: Calls, answered: Calls) -> Section | None:
        if not made.made and not answered.made:
            return None
        rows = [
            Bar(self.say(label), str(calls.made), self._parts(calls, words.refused))
            for (label, _), calls in ((words.made, made), (words.answered, answered))
        ]
        both = self.say(N_("won {won}, lost {lost}"))
        figures = (
            (words.made, made.made),
            (words.made_refused, made.refused),
            (words.made_won, both.format(won=made.won, lost=made.lost)),
            (words.answered, answered.made),
            (words.answered_refused, answered.refused),
            (words.answered_won, both.format(won=answered.won, lost=answered.lost)),
        )
        title = self.say(words.title)
        drawn = any(row.size for row in rows)
        return Section(
            title,
            bars(name, title, rows) if drawn else None,
            tuple(self._figure(label, value, meaning) for (label, meaning), value in figures),
        )

    def _parts(self, calls: Calls, refused: str) -> tuple[Part, ...]:
        return (
            self._part(Kind.REFUSED, calls.refused, refused),
            self._part(Kind.WON, calls.won, N_("won {n}")),
            self._part(Kind.LOST, calls.lost, N_("lost {n}")),
        )

    def _part(self, kind: Kind, size: int, words: str) -> Part:
        return Part(kind, size, self.say(words).format(n=size))

    def _scores(self) -> Section | None:
        total = self.total
        found = [
            one
            for one in (
                (
                    N_("Points"), total.points, total.points_lost,
                    N_("Points of this player's side and of the other, in all games of points."),
                ),
                (
                    N_("Longs"), total.longs, total.longs_lost,
                    N_("Longs of this player's side and of the other, also those made of Smalls."),
                ),
                (
                    N_("Smalls"), total.smalls, total.smalls_lost,
                    N_("Hands that brought this player's side, or the other, a Small."),
                ),
            )
            if one[1] or one[2]
        ]  # fmt: skip
        if not found:
            return None
        rows = [
            Bar(
                self.say(label),
                "",
                (
                    self._part(Kind.WON, won, N_("{n} for")),
                    self._part(Kind.LOST, lost, N_("{n} against")),
                ),
            )
            for label, won, lost, _ in found
        ]
        title = self.say(N_("Points, Longs and Smalls"))
        return Section(
            title,
            bars("scores", title, rows),
            tuple(self._figure(label, f"{won} – {lost}", text) for label, won, lost, text in found),
        )

    def _figure(self, label: str, value: object, meaning: str) -> Figure:
        return Figure(self.say(label), str(value), self.say(meaning))


def _added(found: Iterable[tuple[Key, Tally]]) -> dict[Key, Tally]:
    tallies: dict[Key, Tally] = {}
    for key, tally in found:
        tallies[key] = tallies.get(key, Tally()) + tally
    return tallies
