"""Gives an exported reader a head that tells which letters a deck prints: R or K, 1 or A.

``python -m models.letters --models runs/next/onnx --cache data/decks`` takes a few minutes of one
core. The rest of the reader stays as it is, so what it says of cards does not change in a single
bit. A card has its letter in the upper left corner, whichever end is up. So the head looks at that
corner of an early layer's map, in which places are still kept apart. ``--measure`` only says how
good the head of a reader is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from datasets.benchmarks.intervals import share_between
from datasets.cards.decks import Shelf, Split, open_shelf
from datasets.cards.indices import INDEX_FAMILIES
from datasets.cards.labels import rank_of
from datasets.cards.vector import DrawingError
from datasets.scenes.letters import LETTERS, Lettered, lettered
from models.disturb import disturb
from models.export import halve_weights
from scorekeeper.text.printings import FRENCH, PRINTINGS, printings_of
from vision.detection.crops import to_tensor
from vision.detection.reader import CardReader
from vision.detection.runtime import onnxruntime
from vision.detection.sessions import ModelError
from vision.tracking.letters import MARKED, RANK_SURE, Letters

LAYER = "network.layers.4.cv2.conv.weight"
"""The convolution whose map the head reads: 128 channels, one cell for 8×8 pixels of the crop."""

ROWS, COLUMNS = 10, 8
"""Cells of the corner that the head reads, of 28×20 in all: large enough for large indices."""

LEARNED, CARDS = 1200, 16
MEASURED = 160
"""How many printings it learns from, how many cards of each, and how many it is measured with."""

EPOCHS, BATCH, RATE, DECAY, SMOOTHING = 10, 256, 1e-3, 1.0, 0.03
_HEAD = "letters"
_PARTS = ("starts", "ends", "axes", "weight", "bias")
Array = NDArray[Any]


class Crops(NamedTuple):
    """Crops with their truth.

    Attributes:
        crops: shape (N, height, width, 3), BGR, as the reader takes them.
        cards: the truth of each crop.
    """

    crops: Array
    cards: list[Lettered]


def draw(shelf: Shelf, split: Split, printings: int, seed: int = 1) -> Crops:
    """Draws crops of so many printings of a split's decks, disturbed as in training."""
    rng = np.random.default_rng(seed)
    cards = list(lettered(shelf, split, printings, CARDS, seed))
    return Crops(np.stack([disturb(rng, each.crop) for each in cards]), cards)


def without_head(model: onnx.ModelProto) -> None:
    """Removes a reader's head for letters, if it has one."""
    graph = model.graph
    for kind in (graph.node, graph.initializer, graph.output):
        for each in [each for each in kind if each.name.startswith(_HEAD)]:
            kind.remove(each)


def _map(model: onnx.ModelProto) -> str:
    """The name of the tensor that the head reads.

    Raises:
        ModelError: the network has no such layer.
    """
    for node in model.graph.node:
        if node.op_type == "Conv" and node.input[1] == LAYER:
            made = node.output[0]
            for after in model.graph.node:  # the convolution's result times its sigmoid
                if after.op_type == "Mul" and made in after.input:
                    return str(after.output[0])
    raise ModelError(f"this reader has no layer {LAYER}: letters cannot be told from it")


def features(model: onnx.ModelProto, crops: Array) -> Array:
    """The layer's map in the corner of N crops.

    Returns:
        Shape (N, 2, values), float16: of each crop as it is, and of the crop turned by half.
    """
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    name = _map(model)
    probe.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(probe.SerializeToString(), options)
    found = []
    for first in range(0, len(crops), 32):
        part = crops[first : first + 32]
        both = [np.ascontiguousarray(crop) for crop in (*part, *part[:, ::-1, ::-1])]
        (seen,) = session.run([name], {"picture": to_tensor(both)})
        corner = seen[:, :, :ROWS, :COLUMNS].reshape(2, len(part), -1)
        found.append(corner.transpose(1, 0, 2).astype(np.float16))
    return np.concatenate(found)


def fit(seen: Array, letters: Sequence[str]) -> tuple[Array, Array]:
    """Fits a multinomial logistic regression.

    Args:
        seen: shape (N, 2, values), from :func:`features`.
        letters: the true letter of each crop, one of :data:`LETTERS`.

    Returns:
        Weights, shape (letters, values), and biases, shape (letters,).
    """
    few = seen[:3000].reshape(-1, seen.shape[2]).astype(np.float32)
    mean, spread = torch.tensor(few.mean(0)), torch.tensor(few.std(0) + 0.02)
    truth = torch.tensor([LETTERS.index(letter) for letter in letters])
    head = torch.nn.Linear(seen.shape[2], len(LETTERS))
    torch.nn.init.zeros_(head.weight)
    learning = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=DECAY)
    slower = torch.optim.lr_scheduler.ExponentialLR(learning, 0.75)
    rng = np.random.default_rng(0)
    for _ in range(EPOCHS):
        order = rng.permutation(2 * len(seen))
        for first in range(0, len(order), BATCH):
            crop, way = np.divmod(order[first : first + BATCH], 2)
            picked = torch.tensor(seen[crop, way].astype(np.float32))
            loss = torch.nn.functional.cross_entropy(
                head((picked - mean) / spread), truth[crop], label_smoothing=SMOOTHING
            )
            learning.zero_grad()
            loss.backward()
            learning.step()
        slower.step()
    with torch.no_grad():
        weight = head.weight / spread
        return weight.numpy(), (head.bias - weight @ mean).numpy()


def attach(model: onnx.ModelProto, weight: Array, bias: Array) -> None:
    """Adds the output ``letters`` to a reader: logits in the order of :data:`LETTERS`."""
    graph, source = model.graph, _map(model)
    values = (
        np.array([0, 0]), np.array([ROWS, COLUMNS]), np.array([2, 3]),
        weight.astype(np.float32), bias.astype(np.float32),
    )  # fmt: skip
    names = [f"{_HEAD}_{part}" for part in _PARTS]
    graph.initializer.extend(map(numpy_helper.from_array, values, names))
    nodes = (
        ("Slice", [source, *names[:3]], f"{_HEAD}_corner", {}),
        ("Flatten", [f"{_HEAD}_corner"], f"{_HEAD}_flat", {}),
        ("Gemm", [f"{_HEAD}_flat", *names[3:]], _HEAD, {"transB": 1}),
    )
    for kind, inputs, output, more in nodes:
        graph.node.append(
            helper.make_node(kind, inputs, [output], name=f"{_HEAD}_{kind.lower()}", **more)
        )
    shape = ["cards", len(LETTERS)]
    graph.output.append(helper.make_tensor_value_info(_HEAD, TensorProto.FLOAT, shape))
    halve_weights(model)
    for node in graph.node:  # named, so that without_head finds it
        if node.op_type == "Cast" and node.output[0].startswith(_HEAD):
            node.name = f"{node.output[0]}_cast"
    onnx.checker.check_model(model)


def measure(reader: CardReader, drawn: Crops) -> Iterator[str]:
    """Tells how often a card's letter is right, and how many cards tell a deck's letters, in lines.

    A letter counts only where the rank was read right.
    """
    right: dict[str, list[bool]] = defaultdict(list)
    decks: dict[int, list[tuple[Lettered, dict[str, float]]]] = defaultdict(list)
    for first in range(0, len(drawn.crops), 32):
        seen = reader.read_crops(list(drawn.crops[first : first + 32]))
        for card, logits, chances in zip(
            drawn.cards[first : first + 32], seen.logits, seen.letters, strict=True
        ):
            read = reader.classes[int(logits.argmax())]
            told = dict(zip(reader.letters, map(float, chances), strict=True))
            rank = rank_of(card.card)
            if rank_of(read) != rank or rank not in MARKED:
                continue
            if card.letter:
                possible = {each[rank] for each in INDEX_FAMILIES.values()}
                best = max(possible, key=lambda letter: told.get(letter, 0.0))
                for kind in (f"rank {rank}", f"indices {card.kind}", "all"):
                    right[kind].append(best == card.letter)
            sure = 1 / np.exp(logits - logits.max()).sum()
            if sure >= RANK_SURE and card.family:
                decks[card.printing].append((card, told))
    for kind in sorted(right):
        low, high = share_between(sum(right[kind]), len(right[kind]))
        share = sum(right[kind]) / len(right[kind])
        yield f"{kind}: {share:.1%} ({low:.1%}-{high:.1%}) of {len(right[kind])} letters right"
    yield from _decks(decks.values())


def _decks(decks: Collection[list[tuple[Lettered, dict[str, float]]]]) -> Iterator[str]:
    """Tells after so many cards of how many decks the letters are known, and how often wrongly."""
    for count in (3, 4, 6, 8, 12):
        told = wrong = of = 0
        for number, cards in enumerate(decks):
            if len(cards) < count:
                continue
            letters = Letters(printings_of(FRENCH), LETTERS)
            for card, seen in Random(f"{number} {count}").sample(cards, count):
                letters.add(card.card, seen)
            of += 1
            if letters.printing is not None:
                told += 1
                wrong += _signs(letters.printing) != dict(INDEX_FAMILIES[cards[0][0].family])
        if of:
            yield f"after {count} cards: {told} of {of} decks told, {wrong} of them wrongly"


def _signs(printing: str) -> dict[str, str]:
    return {rank: PRINTINGS[printing].sign(rank) for rank in MARKED}


def main(arguments: list[str] | None = None) -> int:
    """Give an exported reader its head for letters, or measure the one that it has."""
    parser = argparse.ArgumentParser(prog="models.letters", description=main.__doc__)
    parser.add_argument("--models", type=Path, required=True, help="exported models; changed")
    parser.add_argument("--cache", type=Path, required=True, help="the decks' cache")
    parser.add_argument("--printings", type=int, default=LEARNED, help="that it learns from")
    parser.add_argument("--measure", action="store_true", help="change nothing")
    options = parser.parse_args(arguments)
    try:
        shelf = open_shelf(options.cache)
        if not options.measure:
            _make(options.models, shelf, options.printings)
        reader = CardReader(options.models, threads=1)
        if not reader.letters:
            raise ModelError(f"the reader in {options.models} tells no letters")
        for split in ("test", "unseen"):
            if shelf.of("french", split):
                print(f"{split} decks", *measure(reader, draw(shelf, split, MEASURED)), sep="\n  ")
    except (DrawingError, ModelError) as error:
        print(f"models.letters: {error}", file=sys.stderr)
        return 2
    return 0


def told(models: Path, letters: Sequence[str] = ()) -> None:
    """Writes the hash of the reader's file, and the letters that it tells, into the manifest."""
    manifest = json.loads((models / "manifest.json").read_text(encoding="utf-8"))
    reader = manifest["reader"]
    reader["sha256"] = hashlib.sha256((models / reader["file"]).read_bytes()).hexdigest()
    reader.pop("letters", None)
    if letters:
        reader["letters"] = list(letters)
    text = json.dumps(manifest, indent=1) + "\n"
    (models / "manifest.json").write_text(text, encoding="utf-8")


def _make(models: Path, shelf: Shelf, printings: int) -> None:
    CardReader(models, threads=1)  # raises where the models cannot be used
    manifest = json.loads((models / "manifest.json").read_text(encoding="utf-8"))
    path = models / manifest["reader"]["file"]
    model = onnx.load(path)
    without_head(model)
    _map(model)
    drawn = draw(shelf, "train", printings)
    attach(model, *fit(features(model, drawn.crops), [card.letter for card in drawn.cards]))
    onnx.save(model, path)
    told(models, LETTERS)


if __name__ == "__main__":
    sys.exit(main())
