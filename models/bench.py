"""How long reading takes: one frame of six cards, and the start of the program.

``python -m models.bench --models vision/weights`` prints the median time of finding and reading six
cards in a frame of 1280×720, as a ratio to one bare pass of ``yolo26n`` over 640×640 pixels in the
same run; how far the corners of those cards are off; and how long import, loading and the first
reading take in a new process. ``--cache DIR`` takes cards of a test deck instead of ones drawn
here.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.cards.decks import CARD_HEIGHT, open_shelf
from datasets.cards.faces import PIPS, Pack, blank_card
from datasets.cards.indices import stamp
from datasets.cards.labels import rank_of
from datasets.cards.shapes import french_pip
from datasets.cards.vector import Picture, premultiplied
from datasets.scenes.geometry import CARD_HEIGHT_CM, Camera, Points, card_corners
from datasets.scenes.textures import wood
from models.measures import Row, corner_error
from models.scores import markdown
from vision.detection.reader import CardReader
from vision.detection.runtime import onnxruntime

SIZE = (1280, 720)
TALL = 150
"""Height of a card in the frame, in pixels: about what a webcam over a table sees."""

CARDS = ("AS", "10H", "7D", "6C", "9H", "8S")

_START = """
import sys, time
started = time.perf_counter()
from pathlib import Path
import cv2
from vision.detection.runtime import onnxruntime
from vision.detection.reader import CardReader
reader = CardReader(Path(sys.argv[1]), threads=int(sys.argv[2]), longest=int(sys.argv[3]))
reader.read(cv2.imread(sys.argv[4]))
print(time.perf_counter() - started)
"""


def drawn_card(card: str) -> Picture:
    """A plain number card: its pips, and an index in two corners."""
    width = round(CARD_HEIGHT * 0.7)
    picture = blank_card(Random(1), width, (255, 255, 255))
    colour = (30, 25, 205) if card[-1] in "DH" else (28, 24, 24)
    rank, size = rank_of(card), 90 if rank_of(card) == "A" else 62
    pip = french_pip(card[-1], Random(2), size)
    for x, y in PIPS[rank]:
        at = (width * (0.31 + 0.38 * x), CARD_HEIGHT * (0.17 + 0.66 * y))
        stamp(picture, pip if y <= 0.5 else pip[::-1], colour, *at)
    ink = np.zeros((60, 100), np.uint8)
    font = cv2.FONT_HERSHEY_DUPLEX
    (wide, _), _ = cv2.getTextSize(rank, font, 1.5, 3)
    cv2.putText(ink, rank, (50 - wide // 2, 50), font, 1.5, 255, 3, cv2.LINE_AA)
    small = french_pip(card[-1], Random(2), 34)
    for view in (picture, picture[::-1, ::-1]):
        stamp(view, ink, colour, 32, 40)
        stamp(view, small, colour, 32, 92)
    return picture


def six_cards(cache: Path | None, seed: int) -> tuple[NDArray[np.uint8], list[Points]]:
    """Draws a frame of six cards that do not touch.

    Args:
        cache: the decks' cache, for cards of a test deck; None for cards that are drawn here.
        seed: decides the table and where the cards lie.

    Returns:
        The frame (BGR), and for each card its corners in the frame, shape (4, 2).
    """
    rng = Random(seed)
    draw = np.random.default_rng(seed)
    faces: Callable[[str], Picture] = drawn_card
    if cache is not None:
        shelf = open_shelf(cache)
        faces = Pack(shelf, shelf.of("french", "test")[0], rng, plain=True).face
    focal = 1100.0
    camera = Camera(focal, focal * CARD_HEIGHT_CM / TALL, 0.35, 0.05, SIZE)
    frame = wood(draw, SIZE[1], SIZE[0])
    outlines = []
    for index, card in enumerate(CARDS):
        face = premultiplied(faces(card))
        size = (round(TALL * face.shape[1] / face.shape[0]), TALL)
        face = cv2.resize(face, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        place = ((index % 3 - 1) * 14.0 + rng.gauss(0, 1), (0.5 - index // 3) * 15.0)
        width = CARD_HEIGHT_CM * face.shape[1] / face.shape[0]
        world = card_corners(width, CARD_HEIGHT_CM, place, rng.uniform(0, 2 * math.pi))
        corners = camera.project(world)
        height = face.shape[0]
        source = np.array(
            [[0, 0], [face.shape[1], 0], [face.shape[1], height], [0, height]], np.float32
        )
        matrix = cv2.getPerspectiveTransform(source - 0.5, corners.astype(np.float32) - 0.5)
        laid = cv2.warpPerspective(face, matrix, SIZE, flags=cv2.INTER_LINEAR)
        share = laid[..., 3:].astype(np.float32) / 255
        frame = np.minimum(frame * (1 - share) + laid[..., :3], 255).astype(np.uint8)
        outlines.append(corners)
    return cv2.GaussianBlur(frame, (0, 0), 0.7).astype(np.uint8), outlines


def median_ms(*works: Callable[[], object], runs: int) -> list[float]:
    """The median time of each function, in milliseconds.

    Every run calls all of them in turn, because a machine is faster at some times than at others.
    """
    spent: list[list[float]] = [[] for _ in works]
    for number in range(runs + 1):
        for times, work in zip(spent, works, strict=True):
            started = time.perf_counter()
            work()
            if number:  # the first one is slower
                times.append(time.perf_counter() - started)
    return [float(np.median(times)) * 1000 for times in spent]


def bare_yolo(folder: Path, threads: int) -> Callable[[], object]:
    """A function that runs an untrained ``yolo26n`` once over 640×640 pixels.

    Raises:
        ImportError: Ultralytics is not installed.
    """
    import models.networks  # noqa: F401, isort: skip  (it mends torchvision's operators)
    from ultralytics import YOLO

    written = YOLO("yolo26n.yaml").export(format="onnx", imgsz=640, nms=False, simplify=False)
    path = folder / "yolo26n.onnx"
    shutil.move(str(written), path)  # the temporary folder may be on another disk
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name, picture = session.get_inputs()[0].name, np.zeros((1, 3, 640, 640), np.float32)
    return lambda: session.run(None, {name: picture})


def main(arguments: list[str] | None = None) -> int:
    """Time the reading of six cards, and the start."""
    parser = argparse.ArgumentParser(prog="models.bench", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--cache", type=Path, help="the decks' cache: cards of a test deck")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--longest", type=int, default=448)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--out", type=Path, help="folder for bench.json")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = CardReader(options.models, threads=options.threads, longest=options.longest)
    frame, _ = six_cards(options.cache, 1)
    errors, found = [], 0
    for seed in range(20):
        picture, truth = six_cards(options.cache, seed)
        seen = reader.locate(picture)
        for corners in truth:
            gaps = [corner_error(each.corners, corners) for each in seen]
            tall = max(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1))
            gap = min(gaps, default=1e9) / float(tall)
            found += gap < 0.35
            errors += [gap] if gap < 0.35 else []
    (ours,) = median_ms(lambda: reader.read(frame), runs=options.runs)
    row: Row = {
        "cards_found": found / 120,
        "corner_error": float(np.median(errors)) if errors else None,
        "milliseconds": ours,
    }
    with tempfile.TemporaryDirectory() as folder:
        try:
            bare_pass = bare_yolo(Path(folder), options.threads)
            ours, bare = median_ms(lambda: reader.read(frame), bare_pass, runs=options.runs)
            row |= {
                "milliseconds": ours, "bare_yolo26n_milliseconds": bare, "ratio": ours / bare
            }  # fmt: skip
        except ImportError:
            print("left out: the bare yolo26n, for Ultralytics is not installed")
        path = Path(folder) / "six.png"
        cv2.imwrite(str(path), frame)
        spent = []
        for _ in range(5):
            command = [sys.executable, "-c", _START, str(options.models), str(options.threads),
                       str(options.longest), str(path)]  # fmt: skip
            run = subprocess.run(command, check=True, capture_output=True, text=True)
            spent.append(float(run.stdout))
    row["seconds"] = float(np.median(spent))
    print(markdown({"six cards, 1280×720; start to first reading in seconds": row}))
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "bench.json").write_text(json.dumps(row, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
