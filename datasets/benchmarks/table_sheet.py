"""The scoring sheet of the watching table: many films of every game, grade and number of seats.

``make evaluate-table`` fills it. The result of each film is written to a file at once, under a key
of everything that it depends on, with a hash of the program's code. So an interrupted run goes on
where it was, and a changed program starts from the beginning. Nothing may be tuned on these films:
their seeds begin at 100,000.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import multiprocessing
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from datasets.benchmarks.breaks import UNBROKEN, Breaks
from datasets.benchmarks.sheet_table import markdown, row_figures
from datasets.benchmarks.table_pixels import (
    PAINTED_HANDS,
    Studio,
    add_studio,
    studio_of,
    watch_painted,
)
from datasets.benchmarks.table_score import HANDS_PER_FILM, Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.benchmarks.taps import CAREFUL, Taps, add_options, of_options
from datasets.films.grades import GRADES
from datasets.films.stage import Stage
from datasets.simulation.seen import EYES, Glance, watched
from scorekeeper.engine.packs import FRENCH
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import GAMES

FIRST_SEED = 100_000
"""Seed of the first film of each row; the following films have the next ones."""

HANDS, HANDS_READ = 2000, 40
"""How many hands a row has at least, unless asked otherwise; and a row whose films models read."""

MODELS = "models"
"""Name of the eyes that are the shipped models; they read painted films."""

FOLDER = Path(__file__).resolve().parent


class Row(NamedTuple):
    """One line of the sheet.

    Attributes:
        eyes: name of simulated eyes, or :data:`MODELS`.
        grade: name of the films' grade.
        seats: two or four players.
        game: name of the game.
        pack: the suits that are played with.
        taps: how carefully people tap what they say.
        breaks: how often the watching breaks off; of simulated eyes.
    """

    eyes: str
    grade: str
    seats: int
    game: str
    pack: str = FRENCH
    taps: Taps = CAREFUL
    breaks: Breaks = UNBROKEN


def code_of(*entries: Path, root: Path = FOLDER.parents[1]) -> str:
    """A hash of some source files and of all files of the project that they import.

    Args:
        entries: the files to begin with.
        root: the folder of the project's packages.
    """
    left, seen = list(entries), dict[Path, str]()
    while left:
        path = left.pop()
        if path in seen:
            continue
        text = path.read_bytes()
        seen[path] = hashlib.sha256(text).hexdigest()
        for name in _imported(text):
            file = root / (name.replace(".", "/") + ".py")
            if file.is_file():
                left.append(file)
    told = sorted(f"{path.relative_to(root).as_posix()} {text}" for path, text in seen.items())
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


@cache  # the two hashes have most of their sources in common
def _imported(text: bytes) -> frozenset[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


class Journal:
    """The results of finished films, in a file of JSON lines.

    Args:
        path: the file; the first result creates it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[str, dict[str, Any]] = {}
        data = path.read_bytes() if path.exists() else b""
        self._whole = data.rfind(b"\n") + 1  # the last line may have been cut off
        for line in data[: self._whole].splitlines():
            entry = json.loads(line)
            self._done[_name(entry["key"])] = entry["result"]

    def get(self, key: Mapping[str, object]) -> dict[str, Any] | None:
        """The result of a film; None where it is not finished."""
        return self._done.get(_name(key))

    def add(self, key: Mapping[str, object], result: dict[str, Any]) -> None:
        """Writes the result of a film."""
        self._done[_name(key)] = result
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.truncate(self._whole)
            file.write(json.dumps({"key": key, "result": result}).encode() + b"\n")
            self._whole = file.tell()


def _name(key: Mapping[str, object]) -> str:
    return json.dumps(key, sort_keys=True)


def both_ways(
    stage: Stage, glances: Sequence[Glance], *, taps: Taps = CAREFUL, breaks: Breaks = UNBROKEN
) -> dict[str, dict[str, object]]:
    """Watches a film twice: with a person who answers the questions, and without one.

    Args:
        stage: the film.
        glances: what the eyes see of it, frame by frame.
        taps: how carefully people tap what they say.
        breaks: how often the watching breaks off.

    Returns:
        The tallies ``answering`` and ``alone``.
    """
    answering = Tally()
    Run(stage, answering, answer=True, taps=taps, breaks=breaks).watch(glances)
    alone = answering
    if answering.answered:  # where nobody had to answer, both are the same
        alone = Tally()
        Run(stage, alone, answer=False, taps=taps, breaks=breaks).watch(glances)
    return {"answering": answering.to_json(), "alone": alone.to_json()}


def watch_film(row: Row, seed: int, hands: int, studio: Studio) -> dict[str, Any]:
    """Watches one film.

    Args:
        row: the row that it belongs to.
        seed: the film's seed.
        hands: how many hands it has at most.
        studio: what films are painted and read with, for models.

    Returns:
        Of simulated eyes: the tallies ``answering`` and ``alone`` of ``both_ways``, and the seconds
        of processor time that watching ``took``. Of models: see ``watch_painted``.
    """
    stage = filmed(row.game, row.seats, row.grade, seed, hands, row.pack, studio.resolution)
    if row.eyes == MODELS:
        return watch_painted(stage, studio, row.taps)
    glances = list(watched(stage, EYES[row.eyes]))
    began = time.process_time()
    return {
        **both_ways(stage, glances, taps=row.taps, breaks=row.breaks),
        "took": round(time.process_time() - began, 2),
    }


class Sheet:
    """Fills a sheet.

    Args:
        journal: the results of finished films.
        codes: hashes of the code that watches simulated films, and of that for painted films.
        studio: what films are painted and read with, for models.
        hands: how many hands a row has at least; None for the usual number.

    Attributes:
        journal: the results of finished films.
        codes: hashes of the code.
        studio: what films are painted and read with.
    """

    def __init__(
        self,
        journal: Journal,
        codes: tuple[str, str],
        studio: Studio,
        hands: int | None = None,
    ) -> None:
        self.journal, self.codes, self.studio, self._hands = journal, codes, studio, hands

    def hands(self, row: Row) -> int:
        """How many hands a row has at least."""
        return self._hands or (HANDS_READ if row.eyes == MODELS else HANDS)

    @staticmethod
    def film(row: Row) -> int:
        """How many hands a film of a row has at most."""
        return PAINTED_HANDS if row.eyes == MODELS else HANDS_PER_FILM

    def key(self, row: Row, seed: int) -> dict[str, object]:
        """Everything that a film's result depends on; it names the result in the journal."""
        painted = row.eyes == MODELS
        settings = self.studio.settings() if painted else asdict(EYES[row.eyes])
        return {
            **row._asdict(), "seed": seed, "film": self.film(row), "code": self.codes[painted],
            "settings": settings,
        }  # fmt: skip

    def finished(self, row: Row) -> list[dict[str, Any]]:
        """The results of a row's first films: as many as it needs, or as are finished."""
        found: list[dict[str, Any]] = []
        hands = 0
        while hands < self.hands(row):
            result = self.journal.get(self.key(row, FIRST_SEED + len(found)))
            if result is None:
                break
            found.append(result)
            hands += result["answering"]["hands"]
        return found

    def fill(self, row: Row, pool: ProcessPoolExecutor | None, most: int) -> None:
        """Watches the films of a row that are not finished.

        Args:
            row: the row.
            pool: the processes that watch; None for this process alone.
            most: how many films are watched at the same time.
        """
        under_way: dict[Future[dict[str, Any]], int] = {}
        seed = FIRST_SEED
        while (missing := self.hands(row) - _hands(self.finished(row))) > 0:
            while len(under_way) < most and len(under_way) * self.film(row) < missing:
                if self.journal.get(self.key(row, seed)) is None:
                    task = (row, seed, self.film(row), self.studio)
                    if pool is None:
                        self.journal.add(self.key(row, seed), watch_film(*task))
                        break
                    under_way[pool.submit(watch_film, *task)] = seed
                seed += 1
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                self.journal.add(self.key(row, under_way.pop(future)), future.result())
        for future, seed in under_way.items():
            self.journal.add(self.key(row, seed), future.result())


def _hands(films: Sequence[Mapping[str, Any]]) -> int:
    return sum(film["answering"]["hands"] for film in films)


def write_sheet(sheet: Sheet, rows: Sequence[Row], out: Path) -> str:
    """Writes ``table.md`` and ``table.json`` with the rows that have a film; returns the former."""
    figures = [row_figures(row._asdict(), films) for row in rows if (films := sheet.finished(row))]
    text = markdown(figures)
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(text, encoding="utf-8")
    data = {"codes": sheet.codes, "first_seed": FIRST_SEED, "rows": figures}
    (out / "table.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return text


def _possible(rows: Sequence[Row], studio: Studio) -> list[Row]:
    """The rows that can be filled; prints what the others lack."""
    lacks: dict[str, str] = {}
    if not (studio.models / "manifest.json").is_file():
        lacks[MODELS] = f"there are no models in {studio.models}"
    elif not (studio.cache / "decks.json").is_file():
        lacks[MODELS] = f"there are no decks in {studio.cache}; datasets.cards.decks draws them"
    for eyes in dict.fromkeys(row.eyes for row in rows if row.eyes in lacks):
        print(f"Eyes {eyes} are left out: {lacks[eyes]}.", file=sys.stderr)
    return [row for row in rows if row.eyes not in lacks]


def _names(known: Sequence[str]) -> Any:
    def read(text: str) -> list[str]:
        names = text.split(",")
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(
                f"there is no {unknown[0]}; there are {', '.join(known)}"
            )
        return names

    return read


def main(arguments: list[str] | None = None) -> int:
    """Fill the scoring sheet of the watching table, or go on filling it."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.table_sheet", description=main.__doc__
    )
    names = [*EYES, MODELS]
    parser.add_argument(
        "--hands", type=int, help=f"of each row, at least; else {HANDS}, of models {HANDS_READ}"
    )
    parser.add_argument("--games", type=_names(list(GAMES)), default=list(GAMES))
    parser.add_argument(
        "--packs", type=_names(list(SUIT_SYSTEMS)), default=list(SUIT_SYSTEMS),
        help="that games are played with",
    )  # fmt: skip
    parser.add_argument("--grades", type=_names(list(GRADES)), default=list(GRADES))
    parser.add_argument("--seats", type=_names(["2", "4"]), default=["2", "4"])
    parser.add_argument(
        "--eyes", type=_names(names), default=["floors", "stubborn", "perfect", MODELS]
    )
    add_options(parser)
    parser.add_argument(
        "--killed", type=float, default=0.0,
        help="share of hands in which the watching process dies; of simulated eyes",
    )  # fmt: skip
    parser.add_argument(
        "--paused", type=float, default=0.0,
        help="share of hands in which it gets no picture for a while; of simulated eyes",
    )  # fmt: skip
    parser.add_argument("--processes", type=int, default=1)
    add_studio(parser)
    parser.add_argument("--rate", type=float, help="frames read a second; else as many as can be")
    parser.add_argument("--shown", action="store_true", help="the deck is shown before each match")
    parser.add_argument("--out", type=Path, default=Path("build/evaluation"))
    options = parser.parse_args(arguments)
    breaks = Breaks(options.killed, options.paused)
    if any(breaks) and MODELS in options.eyes:
        parser.error("--killed and --paused are for simulated eyes alone: name them with --eyes")
    studio = studio_of(options, rate=options.rate, shown=options.shown)
    rows = [
        Row(eyes, grade, int(seats), game, pack, of_options(options), breaks)
        for eyes in options.eyes
        for grade in options.grades
        for seats in options.seats
        for game in options.games
        if int(seats) in GAMES[game].rules.players
        for pack in options.packs
        if pack in GAMES[game].rules.suit_systems
    ]
    rows = _possible(rows, studio)
    try:
        journal = Journal(options.out / "table.jsonl")
    except (OSError, ValueError, KeyError) as error:
        print(f"datasets.benchmarks.table_sheet: cannot read the journal: {error}", file=sys.stderr)
        return 2
    codes = (code_of(FOLDER / "table_score.py"), code_of(FOLDER / "table_pixels.py"))
    sheet = Sheet(journal, codes, studio, options.hands)
    pool = None
    if options.processes > 1:
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(options.processes, spawn)
    try:
        for row in rows:
            began = time.monotonic()
            sheet.fill(row, pool, options.processes)
            write_sheet(sheet, rows, options.out)
            print(f"{' '.join(map(str, row))}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on from here.", file=sys.stderr)
        return 130
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        print(write_sheet(sheet, rows, options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
