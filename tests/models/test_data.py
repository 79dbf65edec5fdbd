"""The batches on which the networks are trained."""

import cv2
import numpy as np
import pytest

from datasets.cards.labels import CLASSES, UNKNOWN
from datasets.scenes.scene import Scene, SceneCard
from models.data import (
    FinderBatches,
    FinderSettings,
    ReaderBatches,
    ReaderSettings,
    RefinerSettings,
    roughened,
)
from models.disturb import cover, hold
from models.targets import target_maps
from vision.detection.crops import READER_VIEW
from vision.detection.outlines import Fit, decode, fit


def _card(x: float, y: float, turn: float, visible: float = 1.0) -> SceneCard:
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-28.0, -40], [28, -40], [28, 40], [-28, 40]])
    return SceneCard("KS", corners @ [[c, s], [-s, c]] + (x, y), visible, True)


class Fake:
    """Grey scenes with one card each."""

    def __len__(self) -> int:
        return 20

    def __getitem__(self, number: int) -> Scene:
        picture = np.full((240, 320, 3), 90, np.uint8)
        picture[80:160, 130:186] = 230
        return Scene(picture, (_card(158, 120, 0),))


@pytest.mark.parametrize("turn", [0.0, 0.7, 1.6, 3.0, 5.0])
def test_cards_are_read_back_out_of_their_maps(turn: float) -> None:
    cards = [_card(70, 80, turn), _card(190, 150, turn + 1)]
    heat, outlines, _, _, _ = target_maps(cards, 256, 0.1)
    found = decode(heat, outlines, Fit(1.0, 256, 256), threshold=0.9)
    assert len(found) == 2
    for card in cards:
        gaps = [
            np.abs(np.roll(card.corners, half, axis=0) - other.corners).max()
            for other in found
            for half in (0, 2)
        ]
        assert min(gaps) < 1e-3


def test_a_card_that_hardly_shows_is_neither_asked_for_nor_forbidden() -> None:
    heat, _, weight, _, asked = target_maps([_card(100, 100, 0, visible=0.05)], 256, 0.1)
    assert heat.max() == 0
    assert weight.max() == 0
    assert asked[12, 12] == 0
    assert asked[0, 0] == 1


def test_batches_depend_on_the_step_alone() -> None:
    reader = [ReaderBatches(Fake(), ReaderSettings(8, 0.02, 0.1, 5), 8) for _ in range(2)]
    finder = [FinderBatches(Fake(), FinderSettings(2, 128, 0.1, (0.8, 1.2), 5)) for _ in range(2)]
    for first, second in (reader, finder):
        second[0]  # an earlier request makes no difference
        for one, other in zip(first[3], second[3], strict=True):
            assert np.array_equal(one, other)
        assert not np.array_equal(first[3][0], first[4][0])


def test_batches_have_the_shapes_that_the_networks_take() -> None:
    crops, classes, flips = ReaderBatches(Fake(), ReaderSettings(8, 0.02, 0.1, 5), 8)[0]
    assert crops.shape == (8, 3, READER_VIEW.height, READER_VIEW.width)
    assert crops.dtype == np.float32
    assert 0 <= crops.min() <= crops.max() <= 1
    assert classes.shape == flips.shape == (8,)
    pictures, *maps = FinderBatches(Fake(), FinderSettings(2, 128, 0.1, (0.8, 1.2), 5))[0]
    assert pictures.shape == (2, 3, 128, 128)
    assert [part.shape for part in maps] == [(2, 16, 16), (2, 8, 16, 16)] + [(2, 16, 16)] * 3


@pytest.mark.parametrize("zoom", [0.45, 0.6, 0.8])
def test_the_finder_learns_from_pictures_as_sharp_as_those_that_it_reads(zoom: float) -> None:
    rng = np.random.default_rng(7)
    fine = cv2.GaussianBlur(rng.integers(0, 256, (512, 512, 3), np.uint8), (0, 0), 0.7)

    class Fine(Fake):
        def __getitem__(self, number: int) -> Scene:
            return Scene(fine, (_card(256, 256, 0),))

    settings = FinderSettings(6, 512, 0.1, (zoom, zoom), 5)
    learned, *_ = FinderBatches(Fine(), settings)[0]
    read, _ = fit(fine, round(512 * zoom))
    middle = np.s_[:, 206:306, 206:306]

    def contrast(picture: np.ndarray) -> float:
        """Of its finest details."""
        red = picture.astype(np.float32)
        return float(cv2.Laplacian(red, cv2.CV_32F).std() / red.mean())

    sharp = np.mean([contrast(picture[middle][0]) for picture in learned])
    assert sharp == pytest.approx(contrast(read[60:-60, 60:-60, 2]), rel=0.2)


def test_outlines_for_the_finder_are_where_its_pictures_show_the_cards() -> None:
    settings = FinderSettings(8, 256, 0.1, (0.5, 1.5), 5)
    pictures, heat, outlines, *_ = FinderBatches(Fake(), settings)[0]
    tried = 0
    for picture, *maps in zip(pictures, heat, outlines, strict=True):
        (card,) = decode(*maps, Fit(1.0, 256, 256), threshold=0.9)
        paper = np.zeros((256, 256), np.uint8)
        paper[picture.mean(axis=0) > picture.mean(axis=0).max() * 0.75] = 1
        inside = (card.corners > 4).all() and (card.corners < 252).all()
        if inside:
            y, x = np.nonzero(paper)
            assert card.corners.mean(axis=0) == pytest.approx(
                (x.mean() + 0.5, y.mean() + 0.5), abs=0.3
            )
            tried += 1
    assert tried > 3


def test_a_share_of_pictures_comes_from_photographs() -> None:
    class Photos(Fake):
        def __getitem__(self, number: int) -> Scene:
            asked.append(number)
            return super().__getitem__(number)

    asked: list[int] = []
    settings = FinderSettings(4, 128, 0.1, (0.8, 1.2), 5, photo_share=0.25)
    pictures, *_ = FinderBatches(Fake(), settings, Photos())[3]
    assert (len(pictures), len(asked)) == (4, 1)


def test_a_share_of_crops_shows_things_that_are_no_cards() -> None:
    unknown = CLASSES.index(UNKNOWN)
    shares = {}
    for things in (0.0, 0.2):
        settings = ReaderSettings(40, 0.02, 0.0, 5, things=things)
        batches = ReaderBatches(Fake(), settings, 8)
        shares[things] = float(np.mean([batches[step][1] == unknown for step in range(6)]))
    assert shares[0.0] == 0
    assert 0.1 < shares[0.2] < 0.3


def test_what_a_finder_outlined_and_is_no_card_teaches_the_reader_and_stays_from_the_finder() -> (
    None
):
    class Outlined(Fake):
        def __getitem__(self, number: int) -> Scene:
            scene = super().__getitem__(number)
            wrong = SceneCard(UNKNOWN, scene.cards[0].corners + 60, 0.0, False)
            return Scene(scene.picture, (*scene.cards, wrong))

    batches = ReaderBatches(Outlined(), ReaderSettings(40, 0.02, 0.0, 5), 8)
    share = np.mean([batches[step][1] == CLASSES.index(UNKNOWN) for step in range(6)])
    assert 0.05 < share < 0.3
    settings = FinderSettings(2, 128, 0.1, (0.8, 1.2), 5)
    with_wrong, without = (FinderBatches(source, settings)[0] for source in (Outlined(), Fake()))
    assert all(np.array_equal(one, other) for one, other in zip(with_wrong, without, strict=True))


@pytest.mark.parametrize(("apart", "shows_none"), [(3, False), (40, True)])
def test_a_hidden_card_shows_none_unless_a_card_lies_just_as_it_does(
    monkeypatch, apart: int, shows_none: bool
) -> None:
    class Heap(Fake):
        def __getitem__(self, number: int) -> Scene:
            scene = super().__getitem__(number)
            (above,) = scene.cards
            below = SceneCard("KS", above.corners + apart, 0.1, False)
            return Scene(scene.picture, (below, above))

    monkeypatch.setattr("models.data.outline_of_none", lambda rng, scene: None)
    batches = ReaderBatches(Heap(), ReaderSettings(40, 0.02, 1.0, 5), 8)
    classes = np.concatenate([batches[step][1] for step in range(3)])
    assert (CLASSES.index(UNKNOWN) in classes) == shows_none


@pytest.mark.parametrize("seed", range(8))
def test_what_covers_a_card_leaves_an_index_free(seed: int) -> None:
    crop, other = np.full((160, 112, 3), 250, np.uint8), np.full((160, 112, 3), 10, np.uint8)
    covered = cover(np.random.default_rng(seed), crop, other)
    upper, lower = covered[2:42, 2:28], covered[-42:-2, -28:-2]
    assert max(upper.mean(), lower.mean()) > 150
    assert covered.mean() < 245


@pytest.mark.parametrize("seed", range(20))
def test_a_finger_hides_a_part_of_a_crop_and_never_both_indices(seed: int) -> None:
    crop = np.full((160, 112, 3), 250, np.uint8)
    held = hold(np.random.default_rng(seed), crop).astype(int)
    covered = np.abs(held - 250).max(axis=2) > 110  # the finger, without its shadow
    assert 0.02 < covered.mean() < 0.4
    corners = covered[:32, :22], covered[-32:, -22:]
    assert min(corner.mean() for corner in corners) < 0.1


def test_rough_outlines_may_go_round_a_part_of_a_card_that_ends_at_its_edge():
    card = np.array([[0.0, 0], [60, 0], [60, 90], [0, 90]])
    settings = RefinerSettings(96, 0.0, 0.0, 0.0, 0.0, seed=0, parts=1.0)
    for seed in range(20):
        rough = roughened(np.random.default_rng(seed), card, settings)
        sides = np.ptp(rough, axis=0) / np.exp(-0.1)  # outlines are a tenth too small
        whole = np.isclose(sides, (60, 90))
        assert whole.sum() == 1
        assert 0.4 <= float((sides / (60, 90))[~whole][0]) <= 0.85
