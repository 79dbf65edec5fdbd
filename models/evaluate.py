"""The scoring sheet: exported models, through the same code that reads cards at the table.

``python -m models.evaluate --models DIR --photos DIR --scenes DIR --out DIR`` writes ``scores.md``
and ``scores.json``; ``make evaluate`` does so for the models that ship.

* ``--photos`` is the folder of the sets of real photographs.
* ``--scenes`` is a folder that ``datasets.scenes.maker --split test`` wrote, ``--stills`` one of
  ``datasets.films.stills``. Both are read in several looks, as ``trucam read`` reads photographs,
  and in one look, as a table is read.
* ``--calibrate`` is such a folder of ``--split calibrate``; the reader's best temperature is fitted
  on it.
* ``--baseline`` is the plain alternative, a single-stage detector (``models.rivals``).

Where one of them is missing, its rows are left out and a line says so.
"""

import argparse
import json
import sys
from pathlib import Path

import cv2

from datasets.cards.decks import SPLITS, open_shelf
from datasets.scenes.photos import read_photos, upright_boxes
from models.data import StoredScenes
from models.measures import (
    FACTORS,
    SETS,
    Eyes,
    PhotoEyes,
    Row,
    score_backs,
    score_boxes,
    score_finder,
    score_learning,
    score_photos,
    score_reader,
    score_scenes,
    score_strays,
    score_together,
)
from models.printed import score_printings
from models.scores import markdown
from models.single import SingleStage
from vision.detection.photo_reader import StillReader
from vision.detection.reader import LEAST_SCORE, CardReader

PRINTINGS = 240
"""How many new French printings the reader is shown with ``--cache``."""

Rows = dict[str, Row]


def _photo_rows(reader: CardReader, rivals: dict[str, Eyes], options: argparse.Namespace) -> Rows:
    rows: Rows = {}
    still = StillReader(reader)  # as ``trucam read`` does
    for name, folder, prefix, pack in SETS:
        if not (options.photos / folder / "labels.jsonl").is_file():
            print(f"left out: no {folder} in {options.photos}")
            continue
        photos = read_photos(options.photos / folder, prefix)[: options.limit]
        for factor in FACTORS.get(name, (1,)):
            title = name if factor == 1 else f"{name}, smaller by {factor}"
            for who, eyes in ({"": still, " · one look": reader} | rivals).items():
                rows[title + who] = score_photos(eyes, photos, pack, factor)
                print(markdown({title + who: rows[title + who]}).splitlines()[-1], flush=True)
        if options.boxes and any(upright_boxes(photos)):
            rows[f"{name}, upright boxes, reader alone"] = score_boxes(reader, photos, pack)
        rows[f"{name}, together"] = score_together(still, photos, pack)
        if options.learn:
            for when, row in score_learning(still, photos, pack).items():
                rows[f"{name}, {when}"] = row
    return rows


def _ways(reader: CardReader) -> dict[str, Eyes]:
    """How a drawn picture is read: as ``trucam read`` reads photographs, and as tables are."""
    return {"": PhotoEyes(reader), " · one look": reader}


def _scene_rows(reader: CardReader, rivals: dict[str, Eyes], options: argparse.Namespace) -> Rows:
    scenes = StoredScenes(options.scenes)
    found, _ = score_reader(reader, scenes, options.limit)
    rows = {
        who: score_scenes(eyes, scenes, options.limit)
        for who, eyes in (_ways(reader) | rivals).items()
    }
    ordered = {name + who: rows[who][name] for name in rows[""] for who in rows}
    found |= score_finder(reader, scenes, options.limit) | ordered
    return {f"scenes of test decks, {name}": row for name, row in found.items()}


def _still_rows(reader: CardReader, rivals: dict[str, Eyes], options: argparse.Namespace) -> Rows:
    stills = StoredScenes(options.stills)
    rows = {
        f"{name}{who}": row
        for who, eyes in (_ways(reader) | rivals).items()
        for name, row in score_scenes(eyes, stills, options.limit).items()
    } | score_backs(reader, stills, options.limit)
    return {f"stills of films with test decks, {name}": row for name, row in rows.items()}


def main(arguments: list[str] | None = None) -> int:
    """Score exported models."""
    parser = argparse.ArgumentParser(prog="models.evaluate", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="folder with manifest.json")
    parser.add_argument("--photos", type=Path, help="folder of the real sets")
    parser.add_argument("--scenes", type=Path, help="folder of scenes of test decks")
    parser.add_argument("--stills", type=Path, help="folder of stills of films with test decks")
    parser.add_argument("--calibrate", type=Path, help="folder of scenes to fit probabilities on")
    parser.add_argument("--cache", type=Path, help="the decks' cache: the reader on new printings")
    parser.add_argument(
        "--split", choices=SPLITS, default="test", help="whose printings, with --cache"
    )
    parser.add_argument("--baseline", type=Path, help="ONNX file of a single-stage detector")
    parser.add_argument("--out", type=Path, help="folder for scores.md and scores.json")
    parser.add_argument("--limit", type=int, default=10**9, help="scenes or photos at most")
    parser.add_argument("--longest", type=int, default=448, help="the finder's input, in pixels")
    parser.add_argument("--threshold", type=float, default=LEAST_SCORE)
    parser.add_argument("--refinements", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--boxes", action="store_true", help="also the reader alone on photos")
    parser.add_argument("--learn", action="store_true", help="also after learning each set's deck")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader = CardReader(
        options.models,
        threads=options.threads,
        longest=options.longest,
        threshold=options.threshold,
        refinements=options.refinements,
    )
    rivals: dict[str, Eyes] = {}
    if options.baseline is not None and options.baseline.is_file():
        rivals[" · single stage"] = SingleStage(options.baseline, threads=options.threads)
    else:
        print("left out: the single-stage detector, for there is none here")
    rows: Rows = {"calling cards on drawn tables": score_strays(reader, min(40, options.limit))}
    for name, part in (("photos", _photo_rows), ("scenes", _scene_rows), ("stills", _still_rows)):
        folder = getattr(options, name)
        if folder is None or not folder.is_dir():
            print(f"left out: {name}, for there are none here")
            continue
        rows |= part(reader, rivals, options)
    if options.cache is not None:
        shelf = open_shelf(options.cache)
        rows |= score_printings(reader, shelf, options.split, min(PRINTINGS, options.limit))
    table = markdown(rows)
    print(table)
    if options.calibrate is not None and options.calibrate.is_dir():
        _, temperature = score_reader(reader, StoredScenes(options.calibrate), options.limit)
        print(f"best temperature, on top of the exported one: {temperature:.3f}")
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "scores.md").write_text(table, encoding="utf-8")
        (options.out / "scores.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
