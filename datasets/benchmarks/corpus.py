"""The corpus of takes: what every change of the watching table is measured on first.

``python -m datasets.benchmarks.corpus record --cache data/decks --photographed build/photographed``
paints films, reads them with the models that ship, and keeps what the watching table was given
(``datasets.benchmarks.takes``). An interrupted command goes on where it was.

``python -m datasets.benchmarks.corpus watch`` gives all takes to the watching table as the code is
now, and prints one line for each column. ``--to FILE`` keeps the figures; ``--against FILE`` shows
older ones beside them. With ``--untapped 0.2`` every fifth word is not tapped; ``--late`` and
``--twice`` have words tapped late or twice. ``--only printed-trut-4-bar`` takes only the takes
whose files' names begin so.

A table may be tuned on takes, so their seeds lie below those of the scoring sheet
(``datasets.benchmarks.table_sheet``).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from datasets.benchmarks.intervals import share_of_films
from datasets.benchmarks.table_pixels import Studio, add_resolution
from datasets.benchmarks.takes import opened_take, record, watch
from datasets.benchmarks.tally import Tally
from datasets.benchmarks.taps import Taps, add_options, of_options
from datasets.cards.vector import DrawingError
from scorekeeper.engine.packs import FRENCH, SPANISH
from scorekeeper.errors import FormatError, ScorekeeperError
from scorekeeper.games.rules import GAMES

FIRST_SEED, MOST_TAKES = 80_000, 10_000
"""The seed of the first take, and how many takes there may be; the seeds follow one another."""

PAINTED, PRINTED, PHOTOGRAPHED, LETTERED = "painted", "printed", "photographed", "1rdv"

DECKS = ("gnome-anglo_poker", "gnome-lattmann", "gnome-tigullio")
"""Painted films use these decks in turn; no model was trained on them. (A fourth one is left out:
its number cards have no pips, and a camera over a table can hardly resolve its indices.)"""


class Column(NamedTuple):
    """A kind of films, which are counted together.

    Attributes:
        grade: name of the films' grade, see ``datasets.films.grades``.
        seats: two or four players.
        deck: what the cards look like. ``painted``: one of ``DECKS`` as it is. ``printed``: a
            random printing of any test deck, as in the scoring sheet. ``photographed``: a deck that
            was cut out of photographs, see ``models.photographed``. ``1rdv``: like ``printed``,
            with the letters 1 R D V. ``spanish``: a Spanish deck that the project draws; the
            printed Spanish test deck is left to the scoring sheet.
    """

    grade: str
    seats: int
    deck: str

    def __str__(self) -> str:
        return f"{self.grade} {self.seats} {self.deck}"

    @property
    def pack(self) -> str:
        """The suits that are played with, one of ``SUIT_SYSTEMS``."""
        return SPANISH if self.deck == SPANISH else FRENCH

    @property
    def games(self) -> list[str]:
        """The games that can be played with so many seats and such a pack."""
        return [
            name
            for name, game in GAMES.items()
            if self.seats in game.rules.players and self.pack in game.rules.suit_systems
        ]

    def game(self, turn: int) -> str:
        """The game of take number ``turn``, from 0: all games in turn."""
        return self.games[turn % len(self.games)]

    def studio(self, options: argparse.Namespace, turn: int) -> Studio | None:
        """What a take is painted from and read with; None where no cache of its decks is given."""
        cache = options.photographed if self.deck == PHOTOGRAPHED else options.cache
        if cache is None:
            return None
        return Studio(
            options.models, cache, options.rate, resolution=options.resolution,
            deck=DECKS[turn % len(DECKS)] if self.deck == PAINTED else None,
            letters="french" if self.deck == LETTERED else None,
            split="calibrate" if self.deck == SPANISH else "test",
        )  # fmt: skip


COLUMNS = (
    Column("bar", 4, PAINTED),
    Column("bar", 4, PHOTOGRAPHED),
    Column("bar", 2, PAINTED),
    Column("home", 4, PAINTED),
    Column("bar", 4, PRINTED),
    Column("home", 2, PRINTED),
    Column("home", 4, PHOTOGRAPHED),
    Column("bar", 2, PHOTOGRAPHED),
    Column("bar", 4, LETTERED),
    Column("home", 2, SPANISH),
    Column("home", 4, LETTERED),
    Column("bar", 2, SPANISH),
)
"""The order in which takes are recorded. A bar with four players, the hardest, comes most often. If
the order changes, the corpus has to be recorded again."""


class Planned(NamedTuple):
    """A take that is to be recorded.

    Attributes:
        column: the kind of film.
        turn: chooses the game and the deck. It is the number of the round plus the column's place
            in the round, so that the columns of one round play different games.
        seed: the film's seed.
    """

    column: Column
    turn: int
    seed: int

    @property
    def file(self) -> str:
        """The name of the take's file."""
        grade, seats, deck = self.column
        return f"{deck}-{self.column.game(self.turn)}-{seats}-{grade}-{self.seed}.json.gz"


def planned(takes: int) -> list[Planned]:
    """The plan of the first so many takes."""
    count = len(COLUMNS)
    return [
        Planned(COLUMNS[number % count], number // count + number % count, FIRST_SEED + number)
        for number in range(takes)
    ]


def record_corpus(options: argparse.Namespace) -> None:
    """Records the takes of the plan that are not in the folder yet.

    Raises:
        DrawingError: there are no decks.
        FormatError: the folder holds takes of another plan.
        ModelError: there are no models.
    """
    plan = planned(options.takes)
    known = {each.file for each in planned(MOST_TAKES)}
    other = [path.name for path in options.folder.glob("*.json.gz") if path.name not in known]
    if other:
        raise FormatError(f"{other[0]} is of another corpus: name an empty --folder")
    for each in plan:
        column, turn, seed = each
        path, studio = options.folder / each.file, column.studio(options, turn)
        if studio is None or path.exists() or not each.file.startswith(options.only):
            continue
        film = {
            "game": column.game(turn), "seats": column.seats, "grade": column.grade, "seed": seed,
            "pack": column.pack,
        }  # fmt: skip
        tally = record(path, film, studio, deck=column.deck)
        print(f"{path}: {told(tally)}", flush=True)


def column_of(path: Path) -> Column:
    """The column that a take belongs to.

    Raises:
        FormatError: the file is no take.
    """
    with opened_take(path) as (film, _):
        return Column(film["grade"], film["seats"], film["deck"])


def watch_take(path: Path, taps: Taps, trace: bool) -> Tally:
    """Gives one take to the watching table, and counts what comes of it.

    Args:
        path: the take's file.
        taps: how carefully people tap what they say.
        trace: whether each failure is described in full.
    """
    tally = Tally()
    with opened_take(path) as (film, moments):
        watch(film, moments, tally, taps=taps, trace=trace)
    return tally


def told(tally: Tally) -> str:
    """The main figures of a tally, in words."""
    return (
        f"{tally.hands} hands: {tally.right} right, {tally.untouched} without a touch, "
        f"{tally.false_plays} false plays, {sum(tally.questions.values())} questions, "
        "p50 {:.2f}, p95 {:.2f} s".format(*np.quantile(tally.delays or [np.nan], [0.5, 0.95]))
    )


def joined(tallies: Iterable[Tally]) -> Tally:
    """The sum of tallies."""
    whole = Tally()
    for tally in tallies:
        for each in fields(Tally):
            setattr(whole, each.name, getattr(whole, each.name) + getattr(tally, each.name))
    return whole


def figures(tallies: list[Tally]) -> dict[str, Any]:
    """The figures of some takes together, by their names; ``right`` is share, from, to."""
    whole = joined(tallies)
    hands = [tally.hands for tally in tallies]
    right = share_of_films([tally.right for tally in tallies], hands)
    p50, p95 = np.quantile(whole.delays or [np.nan], [0.5, 0.95])
    return {
        "hands": whole.hands,
        "untouched": round(whole.untouched / whole.hands, 4),
        "right": [round(each, 4) for each in right],
        "false": round(100 * whole.false_plays / whole.hands, 2),
        "put right": whole.put_right,
        "questions": round(sum(whole.questions.values()) / whole.hands, 3),
        "p50": round(float(p50), 2),
        "p95": round(float(p95), 2),
    }


def sheet(columns: dict[str, dict[str, Any]], before: dict[str, dict[str, Any]]) -> str:
    """The figures of the columns as a Markdown table, with the older ones in brackets."""
    heads = (
        "takes", "hands", "no touch", "answered (95 %)", "false plays of 100 hands",
        "put right", "questions a hand", "p50; p95",
    )  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1)]
    for name, now in columns.items():
        was = before.get(name, {})

        def cell(key: str, form: str, now: dict[str, Any] = now, was: dict[str, Any] = was) -> str:
            return form.format(now[key]) + (f" ({form.format(was[key])})" if was else "")

        share, low, high = now["right"]
        answered = f"{share:.1%}" + (f" ({was['right'][0]:.1%})" if was else "")
        lines.append(
            f"| {name} | {now['hands']} | {cell('untouched', '{:.1%}')} | "
            f"{answered} [{low:.1%}–{high:.1%}] | {cell('false', '{:.1f}')} | "
            f"{cell('put right', '{}')} | {cell('questions', '{:.2f}')} | "
            f"{cell('p50', '{:.2f}')}; {cell('p95', '{:.2f}')} |"
        )
    return "\n".join(lines)


def watch_corpus(options: argparse.Namespace) -> None:
    """Watches all takes, and prints their figures.

    Raises:
        FormatError: one of the files is no take.
        OSError: a file cannot be read.
    """
    paths = sorted(path for path in options.folder.glob(options.only + "*.json.gz"))
    if not paths:
        raise FormatError(f"{options.folder} holds no takes: record some first")
    columns = [str(column_of(path)) for path in paths]
    watching = partial(watch_take, taps=of_options(options), trace=options.trace)
    with ProcessPoolExecutor(options.workers) as pool:
        every = list(pool.map(watching, paths))
    found: dict[str, list[Tally]] = {name: [] for name in sorted(columns)}
    for path, name, tally in zip(paths, columns, every, strict=True):
        found[name].append(tally)
        if options.trace or options.each:
            print(f"{path.name}: {told(tally)}")
            print("".join(f"  {failure}\n" for failure in tally.failures), end="")
    now = {name: figures(tallies) for name, tallies in {**found, "all": every}.items()}
    before = json.loads(options.against.read_text("utf-8")) if options.against else {}
    print(sheet(now, before))
    asked = Counter[str]()
    for tally in every:
        asked.update(tally.questions)
    print("questions: " + ", ".join(f"{kind} {count}" for kind, count in asked.most_common()))
    if options.to:
        options.to.write_text(json.dumps(now, indent=1) + "\n", "utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Record the corpus of takes, or watch it."""
    parser = argparse.ArgumentParser(prog="datasets.benchmarks.corpus", description=main.__doc__)
    does = parser.add_subparsers(dest="do", required=True)
    recording = does.add_parser("record", help="paint films, and keep what was read of them")
    recording.add_argument("--takes", type=int, default=240)
    recording.add_argument("--models", type=Path, default=Path("vision/weights"))
    recording.add_argument("--cache", type=Path, default=Path("data/decks"))
    recording.add_argument("--photographed", type=Path, help="the cache of a photographed deck")
    recording.add_argument("--rate", type=float, default=10.0, help="frames read a second")
    add_resolution(recording)
    recording.set_defaults(run=record_corpus)
    watching = does.add_parser("watch", help="watch all takes")
    add_options(watching)
    watching.add_argument("--each", action="store_true", help="tell of each take")
    watching.add_argument("--trace", action="store_true", help="tell each failure in full")
    watching.add_argument("--workers", type=int, help="processes; else as many as cores")
    watching.add_argument("--to", type=Path, help="file to keep the figures in")
    watching.add_argument("--against", type=Path, help="file with the figures of before")
    watching.set_defaults(run=watch_corpus)
    for each in (recording, watching):
        each.add_argument("--folder", type=Path, default=Path("data/takes"), help="of the takes")
        each.add_argument("--only", default="", help="takes whose files' names begin so")
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (ScorekeeperError, DrawingError, OSError, json.JSONDecodeError) as error:
        print(f"datasets.benchmarks.corpus: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
