"""Makes films of matches: a video as a camera over the table would see it, and its truth.

``python -m datasets.films.film --game trut --seats 4 --grade home --seed 1 --hands 3 --out
film.mp4`` writes the video, its truth (``film.truth.jsonl``), the record of the match
(``film.record.jsonl``) and what people said, with times (``film.calls.jsonl``). A ``.webm`` is VP8,
which browsers play. An ``.mp4`` is MPEG-4 part 2, which is written ten times as fast; with
``--crf`` it is H.264, which all browsers play and which makes the smallest files. The same
arguments give the same film.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import av
import cv2

from datasets.cards.decks import SPLITS, open_shelf
from datasets.cards.vector import DrawingError
from datasets.films.director import TABLE, direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, MatchRecord, play_match
from datasets.films.paint import Painter
from datasets.films.props import MARKER_CM
from datasets.films.stage import Stage, stage_from_json
from datasets.scenes.textures import Image
from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS, SPANISH
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.rules import GAMES
from scorekeeper.history.record import read_record, write_record
from vision.capture.captures import VideoCapture

CODECS = {".mp4": "mp4v", ".webm": "VP80"}
"""The codec by the ending of a file's name."""


def write_film(
    painter: Painter, path: Path, *, seconds: float | None = None, crf: int | None = None
) -> int:
    """Writes a film.

    Args:
        painter: paints its frames.
        path: the file, ``.mp4`` or ``.webm``.
        seconds: how long the film is at most; None for all of it.
        crf: x264's measure of the quality of an ``.mp4``, 0 the best, 51 the worst; None for
            MPEG-4 part 2.

    Returns:
        The number of frames.

    Raises:
        DrawingError: the file cannot be written.
    """
    codec = CODECS.get(path.suffix)
    if codec is None:
        raise DrawingError(f"a film is an .mp4 or a .webm file, not {path.name}")
    path.parent.mkdir(parents=True, exist_ok=True)
    ends = painter.stage.ends if seconds is None else min(seconds, painter.stage.ends)
    count = int(ends * painter.rate)
    frames = (painter.frame(number / painter.rate) for number in range(count))
    if crf is not None and path.suffix == ".mp4":
        _write_h264(path, frames, painter, crf)
        return count
    fourcc = cv2.VideoWriter.fourcc(*codec)
    writer = cv2.VideoWriter(str(path), fourcc, painter.rate, painter.size)
    if not writer.isOpened():
        raise DrawingError(f"cannot write {path}")
    try:
        for frame in frames:
            writer.write(frame)
    finally:
        writer.release()
    return count


def _write_h264(path: Path, frames: Iterable[Image], painter: Painter, crf: int) -> None:
    """Writes frames as H.264, with a key frame each second so that a browser can jump to it."""
    rate = Fraction(painter.rate).limit_denominator(1001)
    options = {"crf": str(crf), "preset": "medium", "g": str(round(rate))}
    with av.open(str(path), "w", options={"movflags": "faststart"}) as film:
        stream: Any = film.add_stream("h264", rate, options=options)
        stream.width, stream.height = painter.size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.thread_count = 1  # the file would depend on the number of threads
        for frame in frames:
            film.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="bgr24")))
        film.mux(stream.encode(None))


def write_truth(stage: Stage, path: Path) -> None:
    """Writes a stage as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in stage.to_json())


def read_truth(path: Path) -> Stage:
    """Reads what :func:`write_truth` wrote.

    Raises:
        FormatError: the file is no truth of a film.
    """
    with path.open(encoding="utf-8") as lines:
        return stage_from_json(json.loads(line) for line in lines)


def read_frames(path: Path, every: int) -> Iterator[tuple[float, Image]]:
    """Reads one frame in ``every`` of a film.

    Yields:
        The frame's time, in seconds, and the picture.

    Raises:
        CaptureError: the film cannot be read.
    """
    with closing(VideoCapture(path)) as film:
        number = 0
        while (at := film.skip()) is not None:
            picture = film.take() if number % every == 0 else None
            if picture is not None:
                yield at, picture
            number += 1


def _record(options: argparse.Namespace) -> MatchRecord:
    if options.record is not None:
        with options.record.open("rb") as stream:
            reading = read_record(stream)
        return MatchRecord(reading.match.header, tuple(reading.events))
    remarks = MappingProxyType({PACK_SUITS: SPANISH} if options.spanish else {})
    header = Header(
        game=options.game, seats=NAMES[: options.seats], best_of=5, remarks=remarks,
        variants=tuple(options.variant), first_dealer=options.seed % options.seats,
    )  # fmt: skip
    return play_match(header, options.seed, options.hands)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def _ids(text: str) -> tuple[int, ...]:
    ids = tuple(int(part) for part in text.split(","))
    if len(ids) != 4:
        raise ValueError(text)
    return ids


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="datasets.films.film", description=main.__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument("--spanish", action="store_true", help="a Spanish pack")
    parser.add_argument("--record", type=Path, help="film this record instead of a random match")
    parser.add_argument("--hands", type=int, default=3, help="of the random match")
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="film.mp4 or film.webm")
    parser.add_argument("--cache", type=Path, default=Path("data/decks"), help="the decks' cache")
    parser.add_argument("--split", choices=SPLITS, default="test", help="which decks may be used")
    parser.add_argument("--deck", help="name of one deck of the cache")
    parser.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH")
    parser.add_argument("--rate", type=float, default=30.0, help="frames a second")
    parser.add_argument(
        "--table", type=_size, default=TABLE, metavar="WxD", help="width and depth, centimetres"
    )
    parser.add_argument("--tilt", type=float, help="of the camera, radians; 0 looks straight down")
    parser.add_argument("--roll", type=float, help="of the camera, radians; 0 has seat 0 below")
    parser.add_argument(
        "--markers",
        type=_ids,
        metavar="A,B,C,D",
        help="AprilTag 36h11 in the corners, clockwise from the far left",
    )
    parser.add_argument("--marker-cm", type=float, default=MARKER_CM, help="a square's side")
    parser.add_argument(
        "--automatic", action="store_true", help="the camera focuses and exposes by itself"
    )
    parser.add_argument("--seconds", type=float, help="stop after so much film")
    parser.add_argument("--crf", type=int, help="an .mp4 as H.264, 0 the best, 51 the worst")
    parser.add_argument("--no-video", action="store_true", help="the truth and the record alone")
    return parser.parse_args(arguments)


def _write_beside(options: argparse.Namespace, stage: Stage) -> None:
    out: Path = options.out
    write_truth(stage, out.with_suffix(".truth.jsonl"))
    out.with_suffix(".record.jsonl").write_text(
        "".join(write_record(stage.header, stage.events)), encoding="utf-8"
    )
    calls: Iterable[str] = (json.dumps(call.to_json()) + "\n" for call in stage.calls)
    out.with_suffix(".calls.jsonl").write_text("".join(calls), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Film a match, from its record or played at random."""
    options = _arguments(arguments)
    cv2.setNumThreads(1)
    try:
        record = _record(options)
        stage = direct(
            record.header, record.events, grade=options.grade, seed=options.seed,
            size=options.size, table=options.table, tilt=options.tilt, roll=options.roll,
        )  # fmt: skip
        if options.no_video:
            _write_beside(options, stage)
            print(f"{stage.ends:.1f} s, {len(stage.lying)} cards laid")
            return 0
        painter = Painter(
            stage, open_shelf(options.cache), split=options.split, deck=options.deck,
            markers=options.markers, marker_cm=options.marker_cm, rate=options.rate,
            automatic=options.automatic,
        )  # fmt: skip
        started, began = time.perf_counter(), time.process_time()
        frames = write_film(painter, options.out, seconds=options.seconds, crf=options.crf)
        took, busy = time.perf_counter() - started, time.process_time() - began
        _write_beside(options, stage)
    except (ScorekeeperError, DrawingError, OSError) as error:
        print(f"datasets.films.film: {error}", file=sys.stderr)
        return 2
    filmed = frames / options.rate
    print(
        f"{painter.faces.name}, cards {painter.card_height:.0f} px tall: {frames} frames, "
        f"{filmed:.1f} s of film in {took:.1f} s, {busy:.1f} s of processor time "
        f"({filmed / max(busy, 1e-9):.2f} x real time)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
