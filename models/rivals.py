"""Compares the finder with other ways to find cards, with the same start and the same budget.

``python -m models.rivals --scenes DIR --test DIR --models DIR --out DIR`` trains, on the same
pictures and on as many of them,

* the **finder** of this project,
* ``yolo26n-obb``: one class, oriented boxes,
* ``yolo26n-pose``: one class, the four corners as key points,
* ``yolo26n``: a single stage, one class a card,

All begin with the exported finder's backbone and upper neck, and with heads of random weights.
Then they are measured on scenes of test decks: recall, precision, corner error with and without the
exported refiner, and how many ranks the exported reader gets right at a tilt of 40° or more. What
the training of each took is given in minutes of processor time.

A part that is done is not trained again; one that was stopped goes on. ``single.onnx`` is what
``models.evaluate --baseline`` takes. Ultralytics' own settings are kept, except those that would
mirror a card.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import models.settings
import models.train
from datasets.benchmarks.intervals import share_between
from datasets.cards.labels import BACK, CLASSES, UNKNOWN, rank_of
from models.data import FinderBatches, FinderSettings, StoredScenes
from models.measures import Row, corner_error, tall_of
from models.networks import load_weights
from models.scores import markdown
from models.warm import first_pictures, load_exported
from vision.detection.crops import to_tensor
from vision.detection.outlines import Found, decode, fit, is_outline
from vision.detection.reader import CardReader

Finds = Callable[[NDArray[np.uint8]], list[Found]]

RIVALS = {"obb": "yolo26n-obb.yaml", "pose": "yolo26n-pose.yaml", "single": "yolo26n.yaml"}
LEAST_SCORE = 0.2
LEAST_VISIBLE = 0.12
NAMES = [name for name in CLASSES if name != UNKNOWN]
BATCH = 16


def label_line(kind: str, card: str, corners: NDArray[np.float64], size: tuple[int, int]) -> str:
    """One card in Ultralytics' notation: class, then box, corners or both, as parts of the size."""
    points = corners / np.array(size)
    low, high = np.clip(points.min(axis=0), 0, 1), np.clip(points.max(axis=0), 0, 1)
    box = [*((low + high) / 2), *(high - low)]
    if kind == "obb":
        values = np.clip(points, 0, 1).reshape(-1).tolist()
    elif kind == "pose":
        inside = ((points >= 0) & (points <= 1)).all(axis=1)
        keys = [(*np.clip(p, 0, 1), 2.0 if i else 0.0) for p, i in zip(points, inside, strict=True)]
        values = box + [value for key in keys for value in key]
    else:
        values = box
    name = NAMES.index(card) if kind == "single" else 0
    return " ".join([str(name), *(f"{value:.5f}" for value in values)])


def chosen_scenes(scenes: Path, out: Path, count: int) -> Path:
    """Writes a folder whose labels name the first ``count`` scenes of another: all train on it."""
    folder = out / "scenes"
    folder.mkdir(parents=True, exist_ok=True)
    lines = (scenes / "labels.jsonl").read_text().splitlines()[:count]
    entries = [json.loads(line) for line in lines]
    for entry in entries:
        entry["photo"] = str((scenes / entry["photo"]).resolve())
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    (folder / "labels.jsonl").write_text(text)
    return folder


def prepare(kind: str, scenes: Path, out: Path) -> Path:
    """Write the scenes' labels in Ultralytics' format, beside links to the pictures.

    Args:
        kind: which rival, one of ``RIVALS``.
        scenes: the folder of the scenes.
        out: the folder of the comparison.

    Returns:
        The file that describes the data to Ultralytics.
    """
    about = out / kind / "data.yaml"
    if about.is_file():
        return about
    pictures, labels = out / kind / "images", out / kind / "labels"
    for folder in (pictures, labels):
        folder.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate((scenes / "labels.jsonl").read_text().splitlines()):
        entry = json.loads(line)
        link = pictures / f"{number:07d}.jpg"
        if not link.is_symlink():
            link.symlink_to((scenes / entry["photo"]).resolve())
        size = (int(entry["size"][0]), int(entry["size"][1]))
        lines = [
            label_line(kind, card["card"], np.array(card["corners"], float), size)
            for card in entry["cards"]
            if card["visible"] >= LEAST_VISIBLE
        ]
        (labels / f"{number:07d}.txt").write_text("\n".join(lines))
    names = NAMES if kind == "single" else ["card"]
    text = {"path": str((out / kind).resolve()), "train": "images", "val": "images"}
    text |= {"names": dict(enumerate(names))}
    if kind == "pose":
        text["kpt_shape"] = [4, 3]
    about.write_text(json.dumps(text))  # JSON is YAML
    return about


def shared_layers(models_folder: Path, scenes: StoredScenes, longest: int) -> nn.Sequential:
    """The exported finder's backbone and upper neck, which all rivals have too."""
    settings = FinderSettings(BATCH, longest, LEAST_VISIBLE, (0.8, 1.7), 0)
    pictures = first_pictures(FinderBatches(scenes, settings), 2)
    layers = load_exported("finder", models_folder, pictures).layers
    assert isinstance(layers, nn.Sequential)
    return layers


def train_rival(
    kind: str, about: Path, out: Path, epochs: int, longest: int, shared: nn.Sequential
) -> None:
    """Train one rival with Ultralytics."""
    from ultralytics import YOLO

    last = out / kind / "run" / "weights" / "last.pt"
    if last.is_file():
        YOLO(str(last)).train(resume=True)
        return
    rival, start = YOLO(RIVALS[kind]), out / kind / "start.pt"
    network: Any = rival.model
    network.model[: len(shared)].load_state_dict(shared.state_dict())
    rival.save(str(start))
    YOLO(str(start)).train(
        data=str(about), epochs=epochs, imgsz=longest, batch=BATCH, pretrained=False, amp=False,
        workers=0, val=False, plots=False, device="cpu", project=str(out / kind), name="run",
        exist_ok=True, fliplr=0.0, flipud=0.0, mosaic=0.0, degrees=45.0, verbose=False,
    )  # fmt: skip


def train_finder(scenes: Path, out: Path, epochs: int, longest: int, shared: nn.Sequential) -> None:
    """Train this project's finder, with a new head, on as many pictures."""
    steps = max(len(StoredScenes(scenes)) * epochs // BATCH, 1)
    changes = {
        "finder.longest": longest,
        "finder.batch": BATCH,
        "finder.steps": steps,
        "run.warmup": min(100, steps // 4),
    }
    sets = [f"{key}={value}" for key, value in changes.items()]
    if not (out / "finder" / "finder.pt").is_file():
        settings = models.settings.load(models.settings.DEFAULT, sets)
        start = models.train.Trainer("finder", settings, out / "finder", torch.device("cpu"))
        layers = start.network.layers
        assert isinstance(layers, nn.Sequential)
        layers.load_state_dict(shared.state_dict())
        start.average = {k: v.detach().clone() for k, v in start.network.state_dict().items()}
        start.save()
    folders = ["--scenes", str(scenes), "--out", str(out / "finder")]
    models.train.main(["finder", *folders, *(part for each in sets for part in ("--set", each))])


def open_finder(folder: Path, longest: int) -> Finds:
    """A function that finds cards in a picture (BGR) with the trained finder."""
    network, _ = load_weights(folder / "finder.pt")

    def finds(picture: NDArray[np.uint8]) -> list[Found]:
        small, fitted = fit(picture, longest)
        with torch.no_grad():
            heat, outlines = network(torch.from_numpy(to_tensor([small])))
        maps = heat.sigmoid()[0, 0].numpy(), outlines[0].numpy()
        return decode(*maps, fitted, threshold=LEAST_SCORE)

    return finds


def open_rival(kind: str, weights: Path, longest: int) -> Finds:
    """A function that finds cards in a picture (BGR) with a trained rival."""
    from ultralytics import YOLO

    model = YOLO(str(weights))

    def finds(picture: NDArray[np.uint8]) -> list[Found]:
        (result,) = model.predict(
            picture, imgsz=longest, conf=LEAST_SCORE, device="cpu", verbose=False
        )
        if kind == "obb":
            outlines = result.obb.xyxyxyxy.numpy()
            scores = result.obb.conf.numpy()
        else:
            scores = result.boxes.conf.numpy()
            if kind == "pose":
                outlines = result.keypoints.xy.numpy().reshape(-1, 4, 2)
            else:
                boxes = result.boxes.xyxy.numpy()
                outlines = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
        cards = [
            Found(_as_card(outline), float(score))
            for outline, score in zip(outlines, scores, strict=True)
        ]
        return [card for card in cards if is_outline(card.corners)]

    return finds


def _as_card(outline: NDArray[np.floating]) -> NDArray[np.float32]:
    """Four corners clockwise, shape (4, 2), in such an order that the first edge is a short one."""
    quad = np.ascontiguousarray(outline, np.float32)
    if cv2.contourArea(quad, oriented=True) < 0:
        quad = quad[::-1]
    edges = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return np.ascontiguousarray(np.roll(quad, -1, axis=0) if edges[0] > edges[1] else quad)


def measure(finds: Finds, reader: CardReader, scenes: StoredScenes, refined: int) -> Row:
    """Measures one way of finding cards.

    Args:
        finds: finds the cards of a picture.
        reader: refines and reads them.
        scenes: the scenes to find cards in.
        refined: how many times the corners are refined.
    """
    errors: list[float] = []
    wanted = given = used_all = tilted = tilted_right = 0
    for number in range(len(scenes)):
        scene = scenes[number]
        found = finds(scene.picture)
        for _ in range(refined):
            found = reader.refine(scene.picture, found)
        used: dict[int, int] = {}
        for index, card in sorted(enumerate(scene.cards), key=lambda each: -each[1].visible):
            gaps = [
                (corner_error(each.corners, card.corners) / tall_of(card), i)
                for i, each in enumerate(found)
                if i not in used
            ]
            gap, best = min(gaps, default=(1.0, -1))
            if gap < 0.35:
                used[best] = index
            if card.visible >= 0.5:
                wanted += 1
                errors += [gap] if gap < 0.35 else []
        given, used_all = given + len(found), used_all + len(used)
        of_card = {index: i for i, index in used.items()}
        for index, card in enumerate(scene.cards):
            if card.card == BACK or not card.readable or card.tilt < 40:
                continue
            tilted += 1
            if index in of_card:
                named = reader.name(scene.picture, [found[of_card[index]]], pack=None)
                tilted_right += bool(named) and rank_of(named[0].card) == rank_of(card.card)
    low, high = share_between(tilted_right, tilted)
    return {
        "cards": wanted,
        "found": len(errors) / max(wanted, 1),
        "precision": used_all / max(given, 1),
        "corner_error": float(np.median(errors)) if errors else None,
        "tilted_cards": tilted,
        "tilted_rank_right": tilted_right / max(tilted, 1),
        "tilted_low": low,
        "tilted_high": high,
    }


def main(arguments: list[str] | None = None) -> int:
    """Train and measure the finder and its rivals."""
    parser = argparse.ArgumentParser(prog="models.rivals", description=main.__doc__)
    parser.add_argument("--scenes", type=Path, required=True, help="stored scenes to train on")
    parser.add_argument("--test", type=Path, required=True, help="scenes of test decks")
    parser.add_argument("--models", type=Path, required=True, help="exported models")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20_000, help="scenes at most")
    parser.add_argument("--epochs", type=int, default=10, help="how often each scene is seen")
    parser.add_argument("--longest", type=int, default=320, help="of training pictures, in pixels")
    parser.add_argument("--parts", nargs="+", default=["finder", *RIVALS])
    options = parser.parse_args(arguments)
    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)
    reader = CardReader(options.models, threads=threads)
    scenes, rows = StoredScenes(options.test), {}
    training = chosen_scenes(options.scenes, options.out, options.count)
    shared = shared_layers(options.models, StoredScenes(training), options.longest)
    for part in options.parts:
        folder: Path = options.out / part
        folder.mkdir(parents=True, exist_ok=True)
        done = folder / "done.json"
        if not done.is_file():
            started = time.process_time()
            if part == "finder":
                train_finder(training, options.out, options.epochs, options.longest, shared)
            else:
                about = prepare(part, training, options.out)
                train_rival(part, about, options.out, options.epochs, options.longest, shared)
            done.write_text(json.dumps({"minutes": (time.process_time() - started) / 60}))
        minutes = json.loads(done.read_text())["minutes"]
        finds = (
            open_finder(folder, options.longest)
            if part == "finder"
            else open_rival(part, folder / "run" / "weights" / "last.pt", options.longest)
        )
        for refined in (0, reader.refinements):
            name = f"{part}, {'refined' if refined else 'as found'}"
            rows[name] = measure(finds, reader, scenes, refined) | {"minutes": minutes}
            print(markdown({name: rows[name]}), flush=True)
    if "single" in options.parts:
        _export_single(options.out, options.longest)
    (options.out / "rivals.md").write_text(markdown(rows))
    (options.out / "rivals.json").write_text(json.dumps(rows, indent=1))
    print(markdown(rows))
    return 0


def _export_single(out: Path, longest: int) -> None:
    """Write the single-stage detector as ``single.onnx``."""
    from ultralytics import YOLO

    weights = out / "single" / "run" / "weights" / "last.pt"
    written: Any = YOLO(str(weights)).export(
        format="onnx", imgsz=longest, nms=False, simplify=False
    )
    Path(written).replace(out / "single.onnx")


if __name__ == "__main__":
    sys.exit(main())
