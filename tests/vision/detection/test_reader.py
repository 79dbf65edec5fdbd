"""``CardReader`` refuses models that it cannot use, and reads unsure cards several times."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import vision
from vision.detection.crops import READER_VIEW
from vision.detection.detections import Detection, one_a_card
from vision.detection.outlines import Found
from vision.detection.reader import AT_ONCE, BY_SCORE, CardReader, Crops
from vision.detection.sessions import ModelError

GOOD = {"file": "finder.onnx", "sha256": hashlib.sha256(b"weights").hexdigest()}

WHOLE = json.dumps({"version": 3, "finder": GOOD, "refiner": GOOD, "reader": GOOD})


@pytest.mark.parametrize(
    ("manifest", "weights", "message"),
    [
        (None, None, "no models"),
        ("{", None, "no models"),
        (json.dumps({"version": 1}), None, "version 1, not 3"),
        (json.dumps({"version": 3}), None, "no finder and no refiner and no reader"),
        (json.dumps({"version": 3, "finder": GOOD, "refiner": GOOD}), None, "no reader"),
        (WHOLE, None, "cannot read"),
        (WHOLE, b"weight", "damaged"),
    ],
)
def test_unusable_models(
    tmp_path: Path, manifest: str | None, weights: bytes | None, message: str
) -> None:
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    if weights is not None:
        (tmp_path / "finder.onnx").write_bytes(weights)
    with pytest.raises(ModelError, match=message) as caught:
        CardReader(tmp_path)
    assert "\n" not in str(caught.value)


def outline(x: float = 0, y: float = 0, tall: float = 90) -> np.ndarray:
    corners = np.array([[0, 0], [0.7, 0], [0.7, 1], [0, 1]], np.float32) * np.float32(tall)
    return corners + np.array([x, y], np.float32)


@pytest.mark.parametrize(
    ("second", "kept"),
    [
        (Detection(outline(4), 0.9, (("QS", 0.9),)), ["KS"]),  # two readings of one place
        (Detection(outline(10, 20, 40), 0.9, (("KS", 0.5),)), ["KS"]),  # a part of the same card
        (Detection(outline(10, 20, 40), 0.9, (("9H", 0.9),)), ["9H", "KS"]),  # one lies on another
        (Detection(outline(40), 0.9, (("back", 0.9),)), ["KS", "back"]),
        (Detection(outline(40), 0.9, (("KS", 0.5),)), ["KS"]),
        (Detection(outline(200), 0.9, (("KS", 0.9),)), ["KS", "KS"]),  # for the table to ask about
    ],
)
def test_what_was_seen_twice_is_given_once(second: Detection, kept: list[str]) -> None:
    first = Detection(outline(), 0.95, (("KS", 0.95),))
    assert sorted(each.card for each in one_a_card([first, second])) == kept


class Unsure(CardReader):
    """Finds a card whose outline moves to the right; reads each outline as the test says."""

    def __init__(self, *logits: list[float], across: list[float] | None = None) -> None:
        self.classes, self.refinements = ("KS", "QS", "unknown"), len(logits)
        # The last outline is read first; then, where that is not sure, the ones before it.
        self._logits = [logits[-1], *logits[:-1], across or [0, 0, 0]]
        self.read_so_far = 0

    def refine(self, frame, found):
        return found

    def _outline(self, frame, region=None, skip=None, how=None, resize=None):
        return [[Found(outline(20 * step, 20), 0.9)] for step in range(self.refinements + 1)]

    def read_crops(self, crops, frames=None):
        logits = np.array([self._logits[self.read_so_far]], np.float32)
        self.read_so_far += 1
        return Crops(logits, np.array([False]))


class Settles(CardReader):
    """Refining moves a card by so many pixels each time; counts the cards that are refined."""

    def __init__(self, monkeypatch, *moves: tuple[float, float, float]) -> None:
        self.moves, self.longest, self.threshold, self.refinements = moves, 64, 0.1, 3
        self.refined: list[int] = []
        found = [Found(outline(150 * place), 0.9) for place in range(len(moves))]
        self._finder = SimpleNamespace(run=lambda *_: (np.zeros((1, 1, 1, 1)), [None]))
        monkeypatch.setattr("vision.detection.reader.decode", lambda *_, **__: found)

    def refine(self, frame, found):
        step = len(self.refined)
        self.refined.append(len(found))
        return [
            Found(card.corners + np.float32(self.moves[int(card.corners[0, 0]) // 150][step]), 0.9)
            for card in found
        ]


def test_corners_are_refined_until_they_settle(monkeypatch) -> None:
    reader = Settles(monkeypatch, (9, 9, 9), (9, 0.5, 9), (0.5, 9, 9))
    (first, second, third) = reader._outline(np.zeros((200, 500, 3), np.uint8))[-1]
    assert reader.refined == [3, 2, 1]
    corners = [float(card.corners[0, 1]) for card in (first, second, third)]
    assert corners == [outline()[0, 1] + far for far in (27, 9.5, 0.5)]


def test_outlines_get_a_cards_size_when_they_are_found_and_whenever_they_are_refined(
    monkeypatch,
) -> None:
    reader = Settles(monkeypatch, (9, 9, 9))
    asked: list[float] = []

    def higher(corners):
        asked.append(float(corners[0, 1]))
        return corners - np.float32([0, 1])

    (card,) = reader._outline(np.zeros((200, 500, 3), np.uint8), resize=higher)[-1]
    top = outline()[0, 1]
    assert asked == [top, top + 8, top + 16, top + 24]
    assert float(card.corners[0, 1]) == top + 23


def test_what_is_no_outline_any_more_is_not_made_as_large_as_a_card(monkeypatch) -> None:
    reader = Settles(monkeypatch, (9, 9, 9))
    (card,) = reader._outline(
        np.zeros((200, 500, 3), np.uint8), resize=lambda corners: corners * 0
    )[-1]
    assert float(card.corners[0, 1]) == outline()[0, 1] + 27


class Glances(CardReader):
    """Reads a crop, whichever way up, as its upper left pixel says."""

    def __init__(self, monkeypatch, ways: dict[int, tuple[list[float], float]]) -> None:
        self._reader, self.read_so_far = None, []
        monkeypatch.setattr("vision.detection.reader.sharpened", lambda crop, frames: crop)

        def run(_, crops, *outputs):
            self.read_so_far.append([int(crop[0, 0, 0]) for crop in crops])
            seen = [ways[int(crop[0, 0, 0])] for crop in crops]
            cards, turned = zip(*seen, strict=True)
            return [np.array(cards, np.float32), np.array(turned, np.float32)]

        monkeypatch.setattr("vision.detection.reader._run", run)


@pytest.mark.parametrize(
    ("way", "other", "logits", "upside_down", "looks"),
    [
        (([9, 0], 5), None, [9, 0], True, [[1]]),
        (([9, 0], -5), None, [9, 0], False, [[1]]),
        (([2, 0], -5), ([4, 0], 5), [3, 0], False, [[1], [2]]),
        (([9, 0], -1), ([7, 0], -4), [8, 0], True, [[1], [2]]),
    ],
    ids=["sure, on its head", "sure, upright", "not sure which card", "not sure which end is up"],
)
def test_a_card_is_read_both_ways_up_where_one_is_not_sure(
    monkeypatch, way, other, logits, upside_down, looks
) -> None:
    crop = np.zeros((4, 4, 3), np.uint8)
    crop[0, 0], crop[-1, -1] = 1, 2
    seen = Glances(monkeypatch, {1: way, 2: other})
    crops = seen.read_crops([crop])
    assert (crops.logits.tolist(), crops.upside_down.tolist()) == ([logits], [upside_down])
    assert seen.read_so_far == looks


FRAME = np.zeros((200, 300, 3), np.uint8)


def test_a_sure_card_is_read_once() -> None:
    reader = Unsure([0, 0, 0], [0, 0, 0], [9, 0, 0])
    (detection,) = reader.read(FRAME)
    assert (detection.card, reader.read_so_far) == ("KS", 1)
    assert detection.corners[0].tolist() == [60, 20]


def test_an_unsure_card_is_read_by_its_earlier_outlines_too() -> None:
    reader = Unsure([9, 0, 0], [6, 0, 0], [0, 0.5, 0])
    (detection,) = reader.read(FRAME)
    assert (detection.card, reader.read_so_far) == ("KS", 4)
    assert 0.7 < detection.probability < 0.8  # the mean of the three
    assert detection.corners[0].tolist() == [20, 20]  # the outline that shows it best


@pytest.mark.parametrize(
    ("across", "card", "first", "least", "most"),
    [
        ([0, 9, 0], "QS", [20, 110], 0.6, 0.8),
        ([0, 1.5, 0], "KS", [20, 20], 0.5, 0.6),
        ([0, 0, 9], "KS", [20, 20], 0.5, 0.6),
    ],
    ids=["sure", "hardly surer", "no card"],
)
def test_an_unsure_card_may_lie_across(across, card, first, least, most) -> None:
    reader = Unsure([1, 0, 0], [1, 0, 0], across=across)
    (detection,) = reader.read(FRAME)
    assert detection.card == card
    assert least < detection.probability < most
    assert detection.corners[0].tolist() == first


def test_a_card_does_not_lie_across_where_the_tables_cards_say_how_it_lies() -> None:
    reader = Unsure([1, 0, 0], [1, 0, 0], across=[0, 9, 0])
    (detection,) = reader.read(FRAME, resize=lambda corners: outline(40, 20))
    assert (detection.card, reader.read_so_far) == ("KS", 2)


def test_what_is_read_counts_less_the_less_sure_the_finder_was() -> None:
    for score in (1, 0.8, 0.3):
        found = [Found(outline(), score)]
        (detection,) = Unsure([4, 0, 0]).name(FRAME, found, pack=None)
        likely = np.exp(4 * score**BY_SCORE)
        assert detection.probability == pytest.approx(likely / (likely + 2), abs=1e-5)


@pytest.mark.parametrize("last", [[0, 0, 9], [0, 0, 0.5]], ids=["sure", "unsure"])
def test_what_is_no_card_is_left_out(last) -> None:
    reader = Unsure([0, 0, 9], [0, 0, 9], last)
    assert (reader.read(FRAME), reader.read_so_far) == ([], 1)


def test_many_cards_are_looked_at_a_few_at_a_time_and_each_answer_is_its_own() -> None:
    reader = CardReader(Path(vision.__file__).parent / "weights", threads=1)
    draw, size = np.random.default_rng(1), (READER_VIEW.height, READER_VIEW.width, 3)
    crops = [draw.integers(0, 256, size, np.uint8) for _ in range(AT_ONCE + 3)]
    together, alone = reader.read_crops(crops), [reader.read_crops([crop]) for crop in crops]
    for part in ("logits", "upside_down"):
        each = np.concatenate([getattr(one, part) for one in alone])
        np.testing.assert_allclose(getattr(together, part), each, atol=1e-4)
