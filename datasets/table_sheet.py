"""The scoring sheet of the watching table: many films of every game, grade and number of seats.

``make evaluate-table`` fills it. Each film is finished business: it is written to a file at once,
under a key of all that decides its outcome, also the program's own code. So a run that was
interrupted goes on where it was, and a changed program starts anew. No table and no amount may be
tuned on its films: their seeds begin at 100,000, all others below.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from datasets.grades import GRADES
from datasets.seen import EYES, MEASURED, eyes_of, watched
from datasets.sheet_table import markdown, row_figures
from datasets.table_pixels import Studio, watch_painted
from datasets.table_score import HANDS_PER_FILM, both_ways, filmed
from scorekeeper.rules import GAMES

FIRST_SEED = 100_000
"""Films of the sheet have this seed and the following ones."""

HANDS, HANDS_READ = 2000, 40
"""Of each row, where nothing else is asked for; of films that models read."""

MODELS = "models"
"""Eyes: the models that ship, which read painted films."""

PAINTED_HANDS = 4
"""How long a painted film is."""

ROOT = Path(__file__).resolve().parent.parent


class Row(NamedTuple):
    """One line of the sheet."""

    eyes: str
    grade: str
    seats: int
    game: str


def code_of(*entries: Path, root: Path = ROOT) -> str:
    """A hash of the sources of modules and of all of the project that they import.

    Args:
        entries: the files to begin with.
        root: the folder that the project's packages lie in.
    """
    left, seen = list(entries), dict[Path, str]()
    while left:
        path = left.pop()
        if path in seen:
            continue
        text = path.read_bytes()
        seen[path] = hashlib.sha256(text).hexdigest()
        for name in _imported(ast.parse(text)):
            file = root / (name.replace(".", "/") + ".py")
            if file.is_file():
                left.append(file)
    told = sorted(f"{path.relative_to(root).as_posix()} {text}" for path, text in seen.items())
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


class Journal:
    """The films that are finished, in a file of JSON lines.

    Args:
        path: of the file; it is made where there is none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
                if line.endswith("\n"):  # the last one may have been cut off
                    entry = json.loads(line)
                    self._done[_name(entry["key"])] = entry["result"]

    def get(self, key: Mapping[str, object]) -> dict[str, Any] | None:
        """What came of a film, or None where it is not finished."""
        return self._done.get(_name(key))

    def add(self, key: Mapping[str, object], result: dict[str, Any]) -> None:
        """Keeps what came of a film."""
        self._done[_name(key)] = result
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"key": key, "result": result}, ensure_ascii=False) + "\n"
        with self._path.open("a+b") as file:
            if file.tell() and not self._path.read_bytes().endswith(b"\n"):
                line = "\n" + line
            file.write(line.encode())


def _name(key: Mapping[str, object]) -> str:
    return json.dumps(key, sort_keys=True)


def watch_film(row: Row, seed: int, hands: int, studio: Studio) -> dict[str, Any]:
    """Watches one film.

    Args:
        row: whose.
        seed: of the film.
        hands: how many it has at most.
        studio: what films are painted of that models read.

    Returns:
        Two tallies, ``answering`` and ``alone``, of which see ``both_ways``, and the seconds of
        processor time that watching ``took``.
    """
    stage = filmed(row.game, row.seats, row.grade, seed, hands)
    if row.eyes == MODELS:
        return watch_painted(stage, studio)
    glances = list(watched(stage, eyes_of(row.eyes, row.grade)))
    began = time.process_time()
    return {**both_ways(stage, glances), "took": round(time.process_time() - began, 2)}


class Sheet:
    """Fills a sheet.

    Args:
        journal: of the films.
        code: hash of what decides.
        studio: what films are painted of that models read.
    """

    def __init__(self, journal: Journal, code: str, studio: Studio) -> None:
        self.journal, self.code, self.studio = journal, code, studio

    def key(self, row: Row, seed: int) -> dict[str, object]:
        """All that decides what comes of a film."""
        painted = row.eyes == MODELS
        settings = self.studio.settings() if painted else asdict(eyes_of(row.eyes, row.grade))
        film = PAINTED_HANDS if painted else HANDS_PER_FILM
        return {
            **row._asdict(), "seed": seed, "film": film, "code": self.code, "settings": settings,
        }  # fmt: skip

    def finished(self, row: Row) -> list[dict[str, Any]]:
        """What came of the films of a row, up to the first one that is not finished."""
        found = []
        while (result := self.journal.get(self.key(row, FIRST_SEED + len(found)))) is not None:
            found.append(result)
        return found

    def fill(self, row: Row, hands: int, pool: ProcessPoolExecutor | None, most: int) -> None:
        """Watches films of a row until it has so many hands.

        Args:
            row: which.
            hands: how many at least.
            pool: processes to do it in; None for this one.
            most: how many of them there are.
        """
        film = PAINTED_HANDS if row.eyes == MODELS else HANDS_PER_FILM
        if pool is None:
            while self._hands(done := self.finished(row)) < hands:
                seed = FIRST_SEED + len(done)
                self.journal.add(self.key(row, seed), watch_film(row, seed, film, self.studio))
            return
        under_way: dict[Future[dict[str, Any]], int] = {}
        seed = FIRST_SEED
        while (missing := hands - self._hands(self.finished(row))) > 0:
            while len(under_way) < most and len(under_way) * film < missing:
                if self.journal.get(self.key(row, seed)) is None:
                    under_way[pool.submit(watch_film, row, seed, film, self.studio)] = seed
                seed += 1
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                self.journal.add(self.key(row, under_way.pop(future)), future.result())

    @staticmethod
    def _hands(films: Sequence[Mapping[str, Any]]) -> int:
        return sum(film["answering"]["hands"] for film in films)


def write_sheet(sheet: Sheet, rows: Sequence[Row], out: Path) -> str:
    """Writes ``table.md`` and ``table.json``: all rows that have a film; returns the first."""
    figures = [row_figures(row._asdict(), films) for row in rows if (films := sheet.finished(row))]
    text = markdown(figures)
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(text, encoding="utf-8")
    data = {"code": sheet.code, "first_seed": FIRST_SEED, "rows": figures}
    (out / "table.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return text


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
    parser = argparse.ArgumentParser(prog="datasets.table_sheet", description=main.__doc__)
    names = [*EYES, MEASURED, MODELS]
    parser.add_argument(
        "--hands", type=int, help=f"of each row, at least; else {HANDS}, of models {HANDS_READ}"
    )
    parser.add_argument("--games", type=_names(list(GAMES)), default=list(GAMES))
    parser.add_argument("--grades", type=_names(list(GRADES)), default=list(GRADES))
    parser.add_argument("--seats", type=_names(["2", "4"]), default=["2", "4"])
    parser.add_argument("--eyes", type=_names(names), default=["floors", "perfect", MODELS])
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--models", type=Path, default=Path("vision/weights"))
    parser.add_argument("--cache", type=Path, default=Path("data/decks"), help="the decks' cache")
    parser.add_argument("--rate", type=float, help="frames read a second; else as many as can be")
    parser.add_argument("--out", type=Path, default=Path("build/evaluation"))
    options = parser.parse_args(arguments)
    studio = Studio(options.models, options.cache, options.rate)
    rows = [
        Row(eyes, grade, int(seats), game)
        for eyes in options.eyes
        for grade in options.grades
        for seats in options.seats
        for game in options.games
    ]
    try:
        journal = Journal(options.out / "table.jsonl")
    except (OSError, ValueError, KeyError) as error:
        print(f"datasets.table_sheet: cannot read the journal: {error}", file=sys.stderr)
        return 2
    sheet = Sheet(journal, code_of(ROOT / "datasets" / "table_sheet.py"), studio)
    pool = None
    if options.processes > 1:
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(options.processes, spawn)
    try:
        for row in rows:
            began = time.monotonic()
            usual = HANDS_READ if row.eyes == MODELS else HANDS
            sheet.fill(row, options.hands or usual, pool, options.processes)
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
