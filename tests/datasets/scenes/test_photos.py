"""Counting readings against labelled photographs."""

from pathlib import Path

import numpy as np
import pytest

from datasets.scenes.photos import PhotoCard, Reading, match, read_photos


def _quad(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


KING = PhotoCard("K?", (0, 0, 100, 140))
NINE = PhotoCard("9H", (80, 0, 180, 140))
STRIP = PhotoCard("7?", (90, 0, 110, 140))


@pytest.mark.parametrize(
    ("labels", "readings", "ranks", "cards", "extra"),
    [
        ([KING], [Reading("KS", 0.9, _quad(0, 0, 100, 140))], [True], [None], 0),
        ([NINE], [Reading("9S", 0.9, _quad(80, 0, 180, 140))], [True], [False], 0),
        ([NINE], [Reading("8H", 0.9, _quad(80, 0, 180, 140))], [False], [False], 0),
        ([NINE], [], [False], [False], 0),
        ([KING], [Reading("KS", 0.9, _quad(200, 0, 300, 140))], [False], [None], 1),
        (  # a box counts once: the second reading of the king is one too many
            [KING],
            [Reading("KS", 0.6, _quad(5, 0, 95, 140)), Reading("KS", 0.9, _quad(0, 0, 99, 140))],
            [True],
            [None],
            1,
        ),
        (  # both lie in both boxes: each reading takes the label of its rank
            [KING, NINE],
            [
                Reading("9H", 0.99, _quad(40, 0, 140, 140)),
                Reading("KS", 0.5, _quad(0, 0, 100, 140)),
            ],
            [True, True],
            [None, True],
            0,
        ),
        (  # a covered card's box shows a strip; the corners are the whole card's
            [STRIP],
            [Reading("7C", 0.9, _quad(10, 0, 110, 140))],
            [True],
            [None],
            0,
        ),
        ([STRIP], [Reading("8C", 0.9, _quad(10, 0, 110, 140))], [False], [None], 1),
    ],
)
def test_readings_are_counted_once_and_by_their_middles(
    labels: list[PhotoCard],
    readings: list[Reading],
    ranks: list[bool],
    cards: list[bool | None],
    extra: int,
) -> None:
    matches, others = match(labels, readings)
    assert [m.rank_right for m in matches] == ranks
    assert [m.card_right for m in matches] == cards
    assert len(others) == extra


def test_a_broken_label_is_named_by_its_line(tmp_path: Path) -> None:
    lines = ['{"photo": "a.jpg", "cards": []}', '{"photo": "b.jpg", "cards": [{"card": "KS"}]}']
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    with pytest.raises(ValueError, match="line 2"):
        read_photos(tmp_path)


def test_photos_are_chosen_by_prefix(tmp_path: Path) -> None:
    lines = ['{"photo": "train/a.jpg", "cards": []}', '{"photo": "measure/b.jpg", "cards": []}']
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    assert [photo.path.name for photo in read_photos(tmp_path, "measure/")] == ["b.jpg"]


@pytest.mark.parametrize(
    ("cards", "boxes"),
    [
        ('{"card": "7O"}', [(0, 0, 225, 300)]),
        ('{"card": "7O", "box": [1, 2, 3, 4]}', [(1, 2, 3, 4)]),
        ('{"card": "7O"}, {"card": "KS"}', None),
    ],
)
def test_the_only_card_of_a_photo_needs_no_box(
    tmp_path: Path, cards: str, boxes: list[tuple[float, ...]] | None
) -> None:
    line = f'{{"photo": "a.jpg", "size": [225, 300], "cards": [{cards}]}}'
    (tmp_path / "labels.jsonl").write_text(line + "\n")
    if boxes is None:
        with pytest.raises(ValueError, match=r"labels\.jsonl, line 1"):
            read_photos(tmp_path)
    else:
        assert [card.box for card in read_photos(tmp_path)[0].cards] == boxes
