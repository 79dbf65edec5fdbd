"""A reader's network gets a second output for letters, and reads cards as before."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.bench import six_cards
from vision.detection.crops import flatten
from vision.detection.reader import CardReader
from vision.detection.sessions import ModelError

onnx = pytest.importorskip("onnx")
pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")
WEIGHTS = Path(__file__).parents[2] / "vision" / "weights"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A copy of the models that ship, whose reader has no output for letters."""
    from models.letters import without_head

    folder = tmp_path / "models"
    shutil.copytree(WEIGHTS, folder)
    rewrite(folder, without_head)
    return folder


def rewrite(folder: Path, change, letters: tuple[str, ...] = ()) -> None:
    from models.letters import told

    model = onnx.load(folder / "reader.onnx")
    change(model)
    onnx.save(model, folder / "reader.onnx")
    told(folder, letters)


@pytest.fixture
def crops() -> list[np.ndarray]:
    frame, outlines = six_cards(None, 0)
    return [flatten(frame, corners) for corners in outlines]


def test_what_is_read_stays_the_same_to_the_last_bit(models: Path, crops) -> None:
    from datasets.scenes.letters import LETTERS
    from models.letters import COLUMNS, ROWS, attach, without_head

    before = CardReader(models, threads=1)
    old = before.read_crops(crops)
    assert (before.letters, old.letters) == ((), None)
    rng = np.random.default_rng(0)
    weight = rng.normal(0, 0.01, (len(LETTERS), 128 * ROWS * COLUMNS))
    rewrite(models, lambda model: attach(model, weight, np.zeros(len(LETTERS))), LETTERS)
    after = CardReader(models, threads=1)
    new = after.read_crops(crops)
    assert np.array_equal(new.logits, old.logits)
    assert np.array_equal(new.upside_down, old.upside_down)
    assert new.letters is not None
    assert new.letters.shape == (len(crops), len(LETTERS))
    assert new.letters.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    detections = after.read(six_cards(None, 0)[0])
    assert all(0 < sum(each.letters.values()) <= 1.001 for each in detections)

    rewrite(models, without_head, LETTERS)  # the file names letters, but the output is missing
    with pytest.raises(ModelError, match=r"make them again with models\.letters"):
        CardReader(models, threads=1)


def test_letters_are_told_apart() -> None:
    from datasets.scenes.letters import LETTERS
    from models.letters import fit

    rng = np.random.default_rng(1)
    letters = ["K", "R"] * 400
    seen = rng.normal(0, 1, (800, 2, 300)).astype(np.float16)
    seen[::2, :, :100] += 1
    weight, bias = fit(seen, letters)
    logits = seen.mean(axis=1).astype(np.float32) @ weight.T + bias
    told = [LETTERS[place] for place in logits.argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(told, letters, strict=True)]) > 0.95


def test_another_network_is_refused_in_one_sentence() -> None:
    from models.letters import features

    graph = onnx.helper.make_graph([], "other", [], [])
    with pytest.raises(ModelError, match="letters cannot be told from it"):
        features(onnx.helper.make_model(graph), np.zeros((1, 160, 112, 3), np.uint8))
