"""Paints films and watches them with everything that watches a real table.

A live camera gives its newest picture; pictures that come while one is being watched are lost. So
here a frame is painted only when the observer is free again, by the time that it really took.

``python -m datasets.benchmarks.table_pixels`` prints how many frames a second are watched and read
while something moves, how much of one core watching takes between two moves, and whether the memory
grows. ``--hour`` watches an hour of film. In films nothing rests for long; ``--still`` watches a
table on which nothing happens at all.
"""

from __future__ import annotations

import argparse
import functools
import gc
import hashlib
import math
import sys
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import psutil

from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.tally import Tally
from datasets.benchmarks.taps import CAREFUL, Taps
from datasets.cards.decks import Shelf, Split, open_shelf
from datasets.cards.indices import INDEX_FAMILIES
from datasets.cards.vector import DrawingError
from datasets.films.grades import GRADES
from datasets.films.paint import Painter
from datasets.films.shown import show_deck
from datasets.films.stage import Stage
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.rules import GAMES
from vision.capture.sources import Frame
from vision.detection.reader import CardReader
from vision.geometry.mirror import Mirror
from vision.geometry.placing import Placing
from vision.geometry.table_plane import CORNERS
from vision.occlusion.cover import Cover
from vision.pipeline import Observer
from vision.watched_table import Log

CAMERA_RATE = 30.0
"""How many frames a second the camera gives."""

PAINTED_HANDS = 4
"""How many hands a painted film has at most."""

HOUR_SEED = 90_000
"""Seed of the first film that is watched for a time; the following films have the next ones."""

SETTLING = 10.0
"""A still table is found and read within so many seconds; they do not count."""

STILL_PICTURES = 30
"""How many pictures of a still table are painted; they differ in their noise alone."""


@dataclass
class Pace:
    """How long painting and watching took; times are as ``Studio.now`` has them, in seconds.

    Attributes:
        painting: how long painting each frame took.
        watching: how long watching each frame took.
        looks: how many frames the reader looked at.
        moving: seconds of film in which cards or hands moved, and the frames and looks in them.
        still: seconds of film in which nothing moved, and how long watching took in them.
    """

    painting: array[float] = field(default_factory=lambda: array("f"))
    watching: array[float] = field(default_factory=lambda: array("f"))
    looks: int = 0
    moving: tuple[float, int, int] = (0.0, 0, 0)
    still: tuple[float, float] = (0.0, 0.0)

    def add(self, passed: float, took: float, *, moves: bool, looked: bool) -> None:
        """Adds a frame.

        Args:
            passed: seconds of film from it to the next frame that is watched.
            took: how long watching it took, in seconds.
            moves: whether anything moved in it.
            looked: whether the reader looked at it.
        """
        self.watching.append(took)
        self.looks += looked
        if moves:
            seconds, frames, looks = self.moving
            self.moving = (seconds + passed, frames + 1, looks + looked)
        else:
            self.still = (self.still[0] + passed, self.still[1] + took)

    def told(self) -> str:
        """All figures, in words."""
        seconds, frames, looks = self.moving
        watching = np.array(self.watching)
        return (
            f"painting {np.mean(self.painting) * 1e3:.0f} ms a frame; watching "
            f"{watching.mean() * 1e3:.0f} ms (p95 {np.quantile(watching, 0.95) * 1e3:.0f} ms); "
            f"while something moves {frames / max(seconds, 1e-9):.1f} frames a second, "
            f"{looks / max(seconds, 1e-9):.1f} of them read; between two moves "
            f"{self.still[1] / max(self.still[0], 1e-9):.0%} of one core"
        )


class Studio(NamedTuple):
    """What films are painted with, and read with.

    Attributes:
        models: the folder of the models.
        cache: the folder of the decks.
        rate: how many frames a second are read; None for as many as the reader can.
        shown: whether the deck is shown, and learned, before the match.
        deck: name of the deck; None for a random printing of any deck of ``split``.
        letters: language of such a printing's index letters, see ``datasets.cards.indices``; None
            for any.
        split: whose decks are used where no deck is named.
        resolution: rows of the films' pictures, in pixels.
        automatic: whether the camera focuses and exposes by itself.
        threads: how many threads watching may use. One is measured in processor time; several are
            measured by the clock, so nothing else may run on the machine.
    """

    models: Path
    cache: Path
    rate: float | None = None
    shown: bool = False
    deck: str | None = None
    letters: str | None = None
    split: Split = "test"
    resolution: int = 720
    automatic: bool = False
    threads: int = 1

    def now(self) -> float:
        """The time that watching is measured with, in seconds."""
        return time.process_time() if self.threads == 1 else time.perf_counter()

    def painter(self, shelf: Shelf, stage: Stage) -> Painter:
        """The painter of a film, on whose table markers lie in the corners.

        Raises:
            DrawingError: there is no such deck.
        """
        return Painter(
            stage, shelf, split=self.split, deck=self.deck, letters=self.letters,
            rate=CAMERA_RATE, markers=CORNERS, automatic=self.automatic,
        )  # fmt: skip

    def settings(self) -> dict[str, object]:
        """Those settings that decide what is read, for a film's key in the journal."""
        manifest = (self.models / "manifest.json").read_bytes()
        weights = hashlib.sha256(manifest).hexdigest()[:16]
        settings = {"weights": weights, "rate": self.rate, "shown": self.shown}
        for name in ("deck", "letters"):
            if (chosen := getattr(self, name)) is not None:
                settings[name] = chosen
        if self.resolution != 720:  # older keys have no resolution: all films had 720 rows
            settings["resolution"] = self.resolution
        if self.automatic:
            settings["automatic"] = True
        return settings


def add_resolution(parser: argparse.ArgumentParser) -> None:
    """Adds the option that says how large a film's pictures are."""
    parser.add_argument(
        "--resolution", type=int, choices=(720, 1080), default=720, help="rows of a picture"
    )


def add_studio(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say what films are painted with, and read with."""
    parser.add_argument("--models", type=Path, default=Path("vision/weights"))
    parser.add_argument("--cache", type=Path, default=Path("data/decks"), help="the decks' cache")
    parser.add_argument("--deck", help="that films are painted of; else any that is for testing")
    parser.add_argument(
        "--letters",
        choices=list(INDEX_FAMILIES),
        help="language of the letters on French-suited cards; french is 1 R D V",
    )
    parser.add_argument(
        "--automatic", action="store_true", help="the camera focuses and exposes by itself"
    )
    add_resolution(parser)


def studio_of(options: argparse.Namespace, **others: Any) -> Studio:
    """What the options of :func:`add_studio` ask for; ``others`` are fields of the studio."""
    return Studio(
        options.models, options.cache, deck=options.deck, letters=options.letters,
        resolution=options.resolution, automatic=options.automatic, **others,
    )  # fmt: skip


@functools.lru_cache(maxsize=1)
def opened(studio: Studio) -> tuple[Shelf, CardReader]:
    """The decks and the reader; a process opens them once."""
    cv2.setNumThreads(studio.threads)
    return open_shelf(studio.cache), CardReader(studio.models, threads=studio.threads)


def prepared(stage: Stage, studio: Studio, log: Log) -> tuple[Painter, Observer]:
    """The painter of a film and its observer, which finds the table by markers in its corners.

    Args:
        stage: the film.
        studio: what it is painted with, and read with.
        log: the match's record, which the observer writes.

    Raises:
        DrawingError: there are no decks.
        ModelError: there are no models.
    """
    shelf, reader = opened(studio)

    paint = functools.partial(studio.painter, shelf)
    deck = show_deck(stage, reader, paint).deck if studio.shown else None
    placing = Placing(len(stage.header.seats))
    return paint(stage), Observer(
        reader, log, placing, cover=Cover(), mirror=Mirror(reader), deck=deck
    )


def watch_stage(
    stage: Stage, studio: Studio, tally: Tally, pace: Pace, *, trace: bool = False,
    taps: Taps = CAREFUL, attach: Callable[[Run], None] = lambda run: None,
) -> str:  # fmt: skip
    """Paints a film and watches it; a simulated person answers the questions.

    Args:
        stage: the film.
        studio: what it is painted with, and read with.
        tally: counts what comes of it.
        pace: counts how long it took.
        trace: whether each failure is described in full.
        taps: how carefully people tap what they say.
        attach: called with the run when its table is found, before a card is seen.

    Returns:
        The name of the deck that it was painted with.

    Raises:
        DrawingError: there are no decks.
        ModelError: there are no models.
    """
    run = Run(stage, tally, answer=True, trace=trace, taps=taps)
    painter, observer = prepared(stage, studio, run.log)
    number, free = 0, 0.0
    while (at := number / CAMERA_RATE) < stage.ends:
        run.go_on(at)
        began = studio.now()
        frame = painter.frame(at)
        painted = studio.now()
        seen = observer.see(Frame(frame, at, number))
        took = studio.now() - painted
        pace.painting.append(painted - began)
        free = max(free, at) + (took if studio.rate is None else 1 / studio.rate)
        if observer.table is not None and observer.table is not run.table:
            run.table = observer.table
            attach(run)
        run.take(at, free, seen.happened)
        number = max(number + 1, math.floor(free * CAMERA_RATE + 1e-6))
        moves = bool(stage.passing(at)) or any(card.moving for card in stage.at(at))
        pace.add(number / CAMERA_RATE - at, took, moves=moves, looked=seen.looked)
    run.finish()
    return painter.faces.name


def watch_painted(stage: Stage, studio: Studio, taps: Taps = CAREFUL) -> dict[str, Any]:
    """Watches a film for the scoring sheet; see ``watch_stage``.

    Returns:
        The tally ``answering``, the seconds that watching ``took``, the name of the ``deck``, and
        the ``pace``.
    """
    tally, pace = Tally(), Pace()
    deck = watch_stage(stage, studio, tally, pace, taps=taps)
    seconds, frames, looks = pace.moving
    return {
        "answering": tally.to_json(),
        "took": round(sum(pace.watching), 2),
        "deck": deck,
        "pace": {
            "moving": [round(seconds, 1), frames, looks],
            "still": [round(each, 2) for each in pace.still],
            "painting": round(sum(pace.painting), 2),
        },
    }


def watch_for(seconds: float, game: str, seats: int, grade: str, studio: Studio) -> str:
    """Watches films one after the other; tells in words how fast, and how much memory it took.

    Args:
        seconds: how much film, at least.
        game: name of the game.
        seats: two or four players.
        grade: name of the films' grade.
        studio: what they are painted with, and read with.
    """
    tally, pace, memory, seed = Tally(), Pace(), list[tuple[float, float]](), HOUR_SEED
    for deck in opened(studio)[0].of("french", "test"):  # loaded now: it is no growth of watching
        for card in deck.cards:
            deck.face(card)
    while tally.seconds < seconds:
        stage = filmed(game, seats, grade, seed, PAINTED_HANDS, resolution=studio.resolution)
        watch_stage(stage, studio, tally, pace, trace=True)
        gc.collect()
        memory.append((tally.seconds, resident()))
        print(f"{tally.seconds:.0f} s of film, {memory[-1][1]:.1f} MiB", flush=True)
        seed += 1
    settled = [size for at, size in memory if at >= seconds / 6] or [memory[-1][1]]
    return "\n".join(tally.failures) + (
        f"\n{tally.seconds:.0f} s of film, {tally.right} of {tally.hands} hands right; "
        f"{pace.told()}; memory {settled[0]:.1f} MiB after the first films, {settled[-1]:.1f} MiB "
        f"at the end ({settled[-1] / settled[0] - 1:+.1%})"
    )


def watch_still(seconds: float, game: str, seats: int, grade: str, studio: Studio) -> str:
    """Watches a table on which cards lie and nothing moves; tells how much of one core that takes.

    Args:
        seconds: how long, after the first ``SETTLING`` seconds.
        game: name of the game.
        seats: two or four players.
        grade: name of the picture's grade.
        studio: what it is painted with, and read with.
    """
    stage = filmed(game, seats, grade, HOUR_SEED, 1, resolution=studio.resolution)
    run = Run(stage, Tally(), answer=False)
    painter, observer = prepared(stage, studio, run.log)
    lying = stillest(stage)
    pictures = [painter.frame(lying) for _ in range(STILL_PICTURES)]
    took, looks = 0.0, 0
    for number in range(round((SETTLING + seconds) * CAMERA_RATE)):
        at = number / CAMERA_RATE
        began = time.process_time()
        seen = observer.see(Frame(pictures[number % STILL_PICTURES], at, number))
        if at >= SETTLING:
            took += time.process_time() - began
            looks += seen.looked
    return (
        f"{len(stage.at(lying))} cards lie still for {seconds:.0f} s: {took / seconds:.0%} of one "
        f"core, {looks / seconds:.2f} looks a second"
    )


def stillest(stage: Stage) -> float:
    """Of all moments at which nothing moves, the one with the most cards, in seconds."""
    times = [
        at
        for at in np.arange(0, stage.ends, 0.25).tolist()
        if not stage.passing(at) and not any(card.moving for card in stage.at(at))
    ]
    return max(times, key=lambda at: len(stage.at(at)))


def resident() -> float:
    """The resident memory of this process, in MiB."""
    return float(psutil.Process().memory_info().rss / 2**20)


def main(arguments: list[str] | None = None) -> int:
    """Watch painted films with the models that ship."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.table_pixels", description=main.__doc__
    )
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    add_studio(parser)
    parser.add_argument("--rate", type=float, help="frames read a second; else as many as it can")
    parser.add_argument("--shown", action="store_true", help="show the deck before the match")
    parser.add_argument("--threads", type=int, default=1, help="that watching may use")
    parser.add_argument("--seconds", type=float, default=300.0, help="of film")
    parser.add_argument("--hour", action="store_true", help="an hour of film")
    parser.add_argument("--still", action="store_true", help="a table where nothing happens")
    options = parser.parse_args(arguments)
    studio = studio_of(options, rate=options.rate, shown=options.shown, threads=options.threads)
    seconds = 3600.0 if options.hour else options.seconds
    try:
        watch = watch_still if options.still else watch_for
        print(watch(seconds, options.game, options.seats, options.grade, studio))
    except (ScorekeeperError, DrawingError, OSError) as error:
        print(f"datasets.benchmarks.table_pixels: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
