"""Labels in the formats of other detectors, with which the finder is compared."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("ultralytics")
pytestmark = pytest.mark.filterwarnings("ignore")

CORNERS = np.array([[10.0, 20], [30, 20], [30, 60], [-10, 60]])


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("single", "0 0.15000 0.40000 0.30000 0.40000"),
        ("obb", "0 0.10000 0.20000 0.30000 0.20000 0.30000 0.60000 0.00000 0.60000"),
    ],
)
def test_a_card_is_written_as_parts_of_the_picture(kind: str, line: str) -> None:
    from models.rivals import label_line

    assert label_line(kind, "AC", CORNERS, (100, 100)) == line


def test_a_corner_outside_the_picture_is_no_key_point() -> None:
    from models.rivals import label_line

    values = label_line("pose", "AC", CORNERS, (100, 100)).split()
    assert len(values) == 1 + 4 + 4 * 3
    assert [values[index] for index in (7, 10, 13, 16)] == ["2.00000"] * 3 + ["0.00000"]


def test_an_outline_begins_with_a_shorter_edge_and_runs_clockwise() -> None:
    from models.rivals import _as_card

    card = np.array([[0.0, 0], [20, 0], [20, 30], [0, 30]])
    for turned in (card, np.roll(card, 1, axis=0), card[::-1]):
        quad = _as_card(turned)
        edges = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        assert edges.tolist() == [20, 30, 20, 30]
        (x0, y0), (x1, y1), (x2, y2) = quad[:3]
        assert (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1) > 0
