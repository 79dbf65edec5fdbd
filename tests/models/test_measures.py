"""The figures of a reader, with fake readers whose errors are known."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.scenes.photos import Photo, PhotoCard
from datasets.scenes.scene import Scene, SceneCard
from models.bench import SIZE, drawn_card, six_cards
from models.measures import (
    PhotoEyes,
    score_backs,
    score_finder,
    score_learning,
    score_photos,
    score_scenes,
    score_strays,
    score_together,
)
from tests.vision.detection.test_known_back import BOOK, RED
from vision.detection.detections import Detection
from vision.detection.outlines import Found

BOX = np.array([[20, 10], [80, 10], [80, 100], [20, 100]], np.float32)


@pytest.fixture
def photos(tmp_path: Path) -> list[Photo]:
    """Three photos of one king each."""
    path = tmp_path / "king.png"
    cv2.imwrite(str(path), np.full((120, 200, 3), 200, np.uint8))
    return [Photo(path, (PhotoCard("KS", (20, 10, 80, 100)),)) for _ in range(3)]


class Sees:
    """A reader that sees the same in every picture; with a learned deck, it sees kings."""

    def __init__(self, *cards: tuple[str, float, float]) -> None:
        self.cards = cards

    def read(self, frame, *, pack, deck=None, keep=5):
        return [
            Detection(BOX + np.float32(x), 0.9, (("KS" if deck else card, p),))
            for card, p, x in self.cards
        ]


def test_what_lies_on_no_card_counts_against_precision_and_calibration(photos) -> None:
    row = score_photos(Sees(("KS", 1.0, 0), ("7H", 0.8, 100), ("8H", 0.1, 100)), photos, ["KS"])
    assert (row["cards"], row["found"], row["rank_right"], row["extra"]) == (3, 1, 1, 6)
    assert row["precision"] == pytest.approx(0.5)  # unsure readings do not count as named
    assert row["calibration_error"] == pytest.approx((0 + 0.8 + 0.1) / 3)


def test_what_is_named_beside_all_cards_counts_as_a_thing_and_a_back_does_too(photos) -> None:
    seen = Sees(("KS", 0.4, 0), ("back", 0.9, 100), ("7H", 0.6, 100), ("8H", 0.4, 100))
    row = score_photos(seen, photos, ["KS"])
    assert (row["rank_right"], row["rank_told"], row["things_a_photo"]) == (1, 0, 2)


def test_photos_together_are_read_as_those_of_one_deck(photos) -> None:
    class Sees:
        def __init__(self):
            self.photo = 0

        def read(self, frame, *, pack, keep):
            self.photo += 1
            doubt = (("12E", 0.5), ("KS", 0.4))
            return [Detection(BOX, 0.9, doubt if self.photo == 1 else (("KS", 0.97),))]

    row = score_together(Sees(), photos, ["KS"])
    assert (row["cards"], row["rank_right"], row["things_a_photo"]) == (3, 1, 0)


def test_a_thing_beside_backs_counts_until_they_are_weighed_together() -> None:
    places = [np.float32([160 * place, 0]) for place in range(3)]
    box = np.array([[0, 0], [160, 0], [160, 224], [0, 224]], np.float32)
    cards = tuple(SceneCard("back", box.astype(float) + at, 1.0, False) for at in places[:2])

    class Scenes:
        def __len__(self):
            return 1

        def __getitem__(self, number):
            return Scene(np.hstack([RED, RED, BOOK]), cards)

    class Reader:
        def read(self, frame, **how):
            return [Detection(box + at, 0.9, (("back", 0.8),)) for at in places]

    rows = score_backs(Reader(), Scenes(), 9)
    assert rows["backs by themselves"] == {"cards": 2, "found": 1, "things_a_photo": 1}
    assert rows["backs of one deck"] == {"cards": 2, "found": 1, "things_a_photo": 0}
    for eyes, things in ((Reader(), 1), (PhotoEyes(Reader()), 0)):
        rows = score_scenes(eyes, Scenes(), 9)
        assert rows["all"]["things_a_photo"] == things
        assert rows["backs, at most half covered"]["rank_right"] == 1


def test_an_outline_is_found_for_one_card_and_for_the_one_that_is_seen() -> None:
    box = np.array([[0, 0], [70, 0], [70, 100], [0, 100]], np.float32)
    cards = tuple(  # the hidden one was laid first
        SceneCard("back", box.astype(float) + at, seen, False) for at, seen in ((4, 0.1), (0, 1.0))
    )

    class Scenes:
        def __len__(self):
            return 1

        def __getitem__(self, number):
            return Scene(np.zeros((120, 120, 3), np.uint8), cards)

    class Reader:
        def locate(self, frame):
            return [Found(box + 1, 0.9)]

        def read(self, frame, *, keep):
            return [Detection(box + 1, 0.9, (("back", 0.8),))]

    outlines = score_finder(Reader(), Scenes(), 1)["outlines, ≥ 80 px"]
    assert (outlines["cards"], outlines["found"]) == (1, 1)
    assert score_backs(Reader(), Scenes(), 1)["backs by themselves"]["found"] == 0.5


def test_corners_of_a_smaller_photo_are_those_of_the_photo(photos) -> None:
    class Half(Sees):
        def read(self, frame, *, pack, deck=None):
            assert frame.shape == (60, 100, 3)
            return [Detection(BOX / 2, 0.9, (("KS", 0.9),))]

    assert score_photos(Half(), photos, ["KS"], 2)["rank_right"] == 1


def test_what_was_shown_is_put_right_and_does_not_count(photos) -> None:
    eyes = Sees(("QS", 0.6, 0))
    rows = score_learning(eyes, photos, ["KS", "QS"])
    before, after = rows["before learning 1 cards"], rows["after learning 1 cards"]
    assert (before["cards"], before["rank_right"], after["rank_right"]) == (2, 0, 1)


def test_nothing_is_learned_where_nothing_is_seen(photos) -> None:
    assert score_learning(Sees(), photos, ["KS"]) == {}


def test_scenes_are_counted_by_what_their_cards_are_like() -> None:
    card = SceneCard("KS", BOX.astype(float), 1.0, True, 30.0)
    back = SceneCard("back", BOX + 100.0, 1.0, False)
    picture = np.full((240, 240, 3), 230, np.uint8)

    class Scenes:
        def __len__(self):
            return 1

        def __getitem__(self, number):
            return Scene(picture, (card, back))

    rows = score_scenes(Sees(("KS", 0.9, 0), ("8H", 0.6, 100)), Scenes(), 5)
    assert set(rows) == {
        "all", "French, ≥ 80 px, at most a third covered", "covered: free", "size: 80–160 px",
        "tilt: 20–40°", "light: bright", "backs, at most half covered",
    }  # fmt: skip
    backs = rows.pop("backs, at most half covered")
    assert (backs["cards"], backs["found"], backs["rank_right"]) == (1, 1, 0)
    assert all((row["cards"], row["rank_right"]) == (1, 1) for row in rows.values())
    assert rows["all"]["extra"] == 0  # a back that is taken for a card is on a card


def test_what_is_too_fine_for_a_frame_of_six_cards_is_grey_in_it(monkeypatch) -> None:
    checks = np.full((400, 280, 4), 255, np.uint8)
    checks[..., :3] = np.indices((400, 280)).sum(axis=0)[..., None] % 2 * 255
    monkeypatch.setattr("models.bench.drawn_card", lambda card: checks)
    frame, outlines = six_cards(None, 1)
    for corners in outlines:
        x, y = corners.mean(axis=0).astype(int)
        assert frame[y - 20 : y + 20, x - 20 : x + 20].std() < 6


def test_six_cards_have_no_edge_of_their_own(monkeypatch) -> None:
    blank = np.full((400, 280, 4), 255, np.uint8)
    monkeypatch.setattr("models.bench.drawn_card", lambda card: blank)
    monkeypatch.setattr("models.bench.wood", lambda draw, *size: np.full((*size, 3), 255, np.uint8))
    assert six_cards(None, 1)[0].min() > 250


def test_six_cards_lie_in_the_frame() -> None:
    frame, outlines = six_cards(None, 1)
    assert frame.shape == (SIZE[1], SIZE[0], 3)
    assert len(outlines) == 6
    for corners in outlines:
        assert (corners > 0).all()
        assert (corners < SIZE).all()
        x, y = corners.mean(axis=0).astype(int)
        assert frame[y - 20 : y + 20, x - 20 : x + 20].std() > 10  # a pip, not the bare table
    assert drawn_card("10H").shape[2] == 4


@pytest.mark.parametrize(
    ("said", "named", "sure"),
    [("unknown 0.4", 0, 0), ("KS 0.6", 2, 0), ("KS 0.95", 2, 2), ("back 0.95", 0, 0)],
)
def test_calling_cards_that_are_named_are_counted(said: str, named: int, sure: int) -> None:
    card, probability = said.split()
    row = score_strays(Sees((card, float(probability), 0)), 2)
    assert row == {"things": 12, "named": named, "named_sure": sure}
