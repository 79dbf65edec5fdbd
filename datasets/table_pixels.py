"""Films that are painted while they are watched, and read by the models that ship.

A live camera gives the newest picture: while one is being read, the others pass. So frames are
painted when the reader is free again, as fast as it really was in processor time, and no others.
``python -m datasets.table_pixels --hour`` says how many pictures a second are read in an hour of
film, and whether the memory grows.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import psutil

from datasets.decks import Shelf, open_shelf
from datasets.grades import GRADES
from datasets.matches import pack_of
from datasets.measured import Measured
from datasets.paint import Painter
from datasets.seen import Glance
from datasets.stage import Stage
from datasets.table_score import Run, Tally, both_ways, filmed
from datasets.vector import DrawingError
from scorekeeper.errors import ScorekeeperError
from scorekeeper.match import start
from scorekeeper.rules import GAMES
from vision.read import CardReader

CAMERA_RATE = 30.0
"""Frames a second that the camera gives."""

HOUR_SEED = 90_000
"""Of the first film of an hour."""


class Pace(NamedTuple):
    """How long the work took.

    Attributes:
        painting: seconds of processor time.
        reading: the same, of each frame that was read.
    """

    painting: list[float]
    reading: list[float]


def looked_at(
    stage: Stage, painter: Painter, reader: CardReader, pace: Pace, *, rate: float | None = None
) -> Iterator[Glance]:
    """Yields what a reader says of the frames that it gets to see.

    Args:
        stage: the film.
        painter: paints it.
        reader: reads it.
        pace: gets how long each frame took.
        rate: frames read a second, to have the same each time; None: as many as the reader can.
    """
    pack = [str(card) for card in pack_of(start(stage.header))]
    number, free = 0, 0.0
    while (at := number / CAMERA_RATE) < stage.ends:
        began = time.process_time()
        frame = painter.frame(at)
        painted = time.process_time()
        sightings = reader.read(frame, pack=pack)
        took = time.process_time() - painted
        pace.painting.append(painted - began)
        pace.reading.append(took)
        free = max(free, at) + (took if rate is None else 1 / rate)
        yield Glance(at, free, tuple(sightings))
        number = max(number + 1, math.floor(free * CAMERA_RATE + 1e-6))


class Studio(NamedTuple):
    """What films are painted of, and read with.

    Attributes:
        models: the folder of the models.
        cache: the decks.
        rate: frames read a second; None: as many as the reader can.
    """

    models: Path
    cache: Path
    rate: float | None = None

    def settings(self) -> dict[str, object]:
        """All of it that decides what is read."""
        manifest = (self.models / "manifest.json").read_bytes()
        return {"weights": hashlib.sha256(manifest).hexdigest()[:16], "rate": self.rate}


@functools.lru_cache(maxsize=1)
def _opened(studio: Studio) -> tuple[Shelf, CardReader]:
    cv2.setNumThreads(1)
    return open_shelf(studio.cache), CardReader(studio.models, threads=1)


def watch_painted(stage: Stage, studio: Studio) -> dict[str, Any]:
    """Watches a film that is painted of a deck which no model was trained on.

    Args:
        stage: the film.
        studio: what it is painted of, and read with.

    Returns:
        As ``datasets.table_sheet.watch_film``; and what was ``measured`` of the models, with the
        seconds of processor time that ``painting`` took.

    Raises:
        DrawingError: there are no decks.
        ModelError: there are no models.
    """
    shelf, reader = _opened(studio)
    painter = Painter(stage, shelf, split="test", rate=CAMERA_RATE)
    pace, measured = Pace([], []), Measured(stage)
    glances = list(looked_at(stage, painter, reader, pace, rate=studio.rate))
    for glance in glances:
        measured.add(glance.at, list(glance.sightings))
    began = time.process_time()
    result = both_ways(stage, glances)
    took = time.process_time() - began + sum(pace.reading)
    seen = {
        **measured.to_json(), "deck": painter.faces.name,
        "rate": round(len(glances) / stage.ends, 2),
        "lag": round(float(np.mean([g.known - g.at for g in glances])), 4),
    }  # fmt: skip
    return {
        **result,
        "took": round(took, 2),
        "painting": round(sum(pace.painting), 2),
        "measured": seen,
    }


def watch_for(seconds: float, grade: str, game: str, seats: int, studio: Studio) -> str:
    """Watches films one after the other, and says how fast, and how much memory it took.

    Args:
        seconds: of film.
        grade: of the films.
        game: that is played.
        seats: two or four.
        studio: what they are painted of, and read with.
    """
    shelf, reader = _opened(studio)
    pace, tally, memory, seed = Pace([], []), Tally(), [], HOUR_SEED
    began = time.process_time()
    while tally.seconds < seconds:
        stage = filmed(game, seats, grade, seed)
        painter = Painter(stage, shelf, split="test", rate=CAMERA_RATE)
        glances = looked_at(stage, painter, reader, pace, rate=studio.rate)
        Run(stage, tally, answer=True).watch(glances)
        memory.append((tally.seconds, resident()))
        print(f"{tally.seconds:.0f} s of film, {memory[-1][1]:.1f} MiB", flush=True)
        seed += 1
    took = time.process_time() - began
    reading = np.array(pace.reading)
    settled = [size for at, size in memory if at >= seconds / 6] or [memory[-1][1]]
    return (
        f"{tally.seconds:.0f} s of film in {took:.0f} s of processor time: painting "
        f"{np.mean(pace.painting) * 1e3:.0f} ms a frame, reading {reading.mean() * 1e3:.0f} ms "
        f"(p95 {np.quantile(reading, 0.95) * 1e3:.0f} ms), {tally.frames / tally.seconds:.1f} "
        f"frames read a second of film; {tally.right} of {tally.hands} hands right; memory "
        f"{settled[0]:.1f} MiB after the first films, {settled[-1]:.1f} MiB at the end "
        f"({settled[-1] / settled[0] - 1:+.1%})"
    )


def resident() -> float:
    """The memory that this process has now, in MiB."""
    return float(psutil.Process().memory_info().rss / 2**20)


def main(arguments: list[str] | None = None) -> int:
    """Watch painted films with the models that ship."""
    parser = argparse.ArgumentParser(prog="datasets.table_pixels", description=main.__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    parser.add_argument("--models", type=Path, default=Path("vision/weights"))
    parser.add_argument("--cache", type=Path, default=Path("data/decks"))
    parser.add_argument("--rate", type=float, help="frames read a second; else as many as it can")
    parser.add_argument("--seconds", type=float, default=300.0, help="of film")
    parser.add_argument("--hour", action="store_true", help="an hour of film")
    options = parser.parse_args(arguments)
    studio = Studio(options.models, options.cache, options.rate)
    seconds = 3600.0 if options.hour else options.seconds
    try:
        print(watch_for(seconds, options.grade, options.game, options.seats, studio))
    except (ScorekeeperError, DrawingError, OSError) as error:
        print(f"datasets.table_pixels: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
