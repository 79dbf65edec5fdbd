"""``Placing`` finds the table: by markers, where a person showed it, or from straight above."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tabletop import SCALE, corners, plane
from vision.detection.detections import Detection
from vision.geometry.markers import Marker
from vision.geometry.placing import LOOKS, Placing, corners_of
from vision.geometry.table_plane import CORNERS, Plane

SIZE = (1280, 720)


def markers(shift: float = 0.0) -> dict[int, np.ndarray]:
    """The four corner markers, 6 cm wide, 10 cm inside the table's edges, from straight above."""
    square = np.array([[-3, -3], [3, -3], [3, 3], [-3, 3]], float)
    middles = [(-40, -30), (40, -30), (40, 30), (-40, 30)]
    return {
        number: (square + middle + (80, 45)) * SCALE + shift
        for number, middle in zip(CORNERS, middles, strict=True)
    }


def cards(*places: tuple[float, float]) -> list[Detection]:
    return [Detection(corners(x, y, 0.1), 0.9, (("KS", 0.9),)) for x, y in places]


def look(placing: Placing, marks, seen=(), times: int = LOOKS) -> list[str]:
    return [placing.look(marks, seen, SIZE) for _ in range(times)]


def middle(found: Plane | None) -> np.ndarray:
    assert found is not None
    return found.to_table(np.array([[640.0, 360.0]]))[0]


def test_four_markers_show_the_table_once_they_agree_for_a_while():
    placing = Placing(2)
    assert placing.lack
    assert look(placing, markers()) == ["unseen"] * (LOOKS - 1) + ["found"]
    assert placing.lack is None
    assert np.abs(middle(placing.plane)).max() < 0.1


@pytest.mark.parametrize("first", [True, False])
def test_of_two_markers_of_one_number_the_outer_one_is_the_tables(first):
    own = [Marker(number, quad) for number, quad in markers().items()]
    other = Marker(2, markers()[2] - 8 * SCALE)
    found = corners_of([other, *own] if first else [*own, other])
    assert sorted(found) == [0, 1, 2, 3]
    assert np.array_equal(found[2], markers()[2])


def test_markers_that_are_being_laid_are_waited_for():
    placing = Placing(2)
    states = [placing.look(markers(shift=12.0 * n), (), SIZE) for n in range(3 * LOOKS)]
    assert set(states) == {"unseen"}


def test_three_markers_are_named_and_a_card_does_not_stand_in_for_the_fourth():
    placing = Placing(2)
    some = {number: quad for number, quad in markers().items() if number != 2}
    look(placing, some, cards((0, 10)), 3 * LOOKS)
    assert placing.plane is None
    assert placing.lack.fields == {"numbers": "3"}


def test_without_markers_a_camera_straight_above_needs_a_card_for_the_scale():
    placing = Placing(2)
    assert set(look(placing, {})) == {"unseen"}
    assert look(placing, {}, cards((0, 10), (20, -5)))[-1] == "found"
    assert np.abs(middle(placing.plane)).max() < 0.5


def test_a_table_that_was_shown_stays_until_all_markers_are_there():
    shown = plane(2)
    placing = Placing(2, plane=shown)
    some = {number: quad for number, quad in markers().items() if number < 2}
    assert set(look(placing, some)) == {"steady"}
    assert placing.plane is shown
    assert look(placing, markers())[-1] == "found"
    assert placing.plane is not shown


BACK = (("back", 1.0),)
UNSURE = (("KS", 0.8), ("KC", 0.2))
KING = (("KS", 0.95),)


@pytest.mark.parametrize(
    ("seen", "grown"),
    [
        pytest.param([(KING, 2.0)], 2.0, id="larger-than-usual"),
        pytest.param([(KING, 0.5)], 0.5, id="smaller"),
        pytest.param([(KING, 1.1)], 1.0, id="right-but-for-the-outline"),
        pytest.param([(KING, 2.0), (BACK, 0.4), (UNSURE, 0.4)], 2.0, id="beside-litter"),
        pytest.param([(BACK, 2.0)], 1.0, id="litter-alone"),
    ],
)
def test_a_card_says_how_large_a_shown_table_is(seen, grown):
    shown = plane(2)
    placing = Placing(2, plane=shown)
    lying = [
        Detection(
            10 * n + (corners(0, 0, 0.1) - corners(0, 0, 0.1).mean(axis=0)) / scale, 0.9, read
        )
        for n, (read, scale) in enumerate(seen)
    ]
    states = look(placing, {}, lying, LOOKS)
    assert states == ["steady"] * (LOOKS - 1) + ["steady" if grown == 1 else "found"]
    size = np.ptp(placing.plane.outline, axis=0) / np.ptp(shown.outline, axis=0)
    assert np.allclose(size, grown, rtol=0.02)
    assert set(look(placing, {}, [Detection(lying[0].corners * 3, 0.9, KING)], 2 * LOOKS)) == (
        {"found", "steady"} if seen[0][0] is BACK else {"steady"}  # it is told once
    )


@pytest.mark.parametrize("seen", [1, 2, 4])
def test_a_nudge_is_followed_where_two_markers_are_seen(seen):
    placing = Placing(2)
    look(placing, markers())
    nudged = {number: quad for number, quad in markers(shift=24.0).items() if number < seen}
    states = look(placing, nudged)
    assert ("corrected" in states) == (seen >= 2)
    expected = np.array([3.0, 3.0]) if seen >= 2 else np.zeros(2)  # 24 pixels are 3 cm
    assert np.allclose(-middle(placing.plane), expected, atol=0.1)


@pytest.mark.parametrize(
    ("size", "known"),
    [((1280, 720), True), ((1920, 1080), True), ((720, 1280), False), ((1280, 960), False)],
)
def test_a_place_that_was_kept_holds_for_pictures_of_its_shape(size, known):
    placing = Placing(2, plane=replace(plane(2), size=(1280, 720)))
    placing.fit(size)
    assert (placing.plane is not None, placing.lack is None) == (known, known)
    if known:
        there = plane(2).to_frame(np.array([[10.0, 5.0]])) * (size[0] / 1280)
        assert placing.plane.to_table(there) == pytest.approx(np.array([[10.0, 5.0]]))


def test_the_place_is_known_again_when_pictures_have_its_shape_again():
    placing = Placing(2)
    look(placing, markers())
    for size, known in (((720, 1280), False), (SIZE, True), ((640, 360), True)):
        placing.fit(size)
        assert (placing.plane is not None, placing.lack is None) == (known, known)


@pytest.mark.parametrize(
    ("laid", "state"),
    [((), "steady"), ((1,), "steady"), ((1, 2), "found"), ((0, 1, 2, 3), "corrected")],
    ids=["none", "one is pushed", "two are laid elsewhere", "the camera is nudged"],
)
def test_sheets_that_are_laid_elsewhere_are_no_nudge(laid, state):
    placing = Placing(2)
    look(placing, markers())
    moved = {n: quad - (20 * SCALE, 0) if n in laid else quad for n, quad in markers().items()}
    assert {*look(placing, moved), "steady"} == {state, "steady"}
    here, there = placing.plane.to_table(moved[0][[0, 1]])
    assert np.linalg.norm(there - here) == pytest.approx(6.0, abs=0.1)


@pytest.mark.parametrize(("begun", "state"), [(False, "found"), (True, "steady")])
def test_a_sheet_elsewhere_was_pushed_or_before_the_first_hand_was_still_in_a_hand(begun, state):
    last = CORNERS[2]
    held = {n: quad - (15 * SCALE if n == last else 0, 0) for n, quad in markers().items()}
    placing = Placing(2)
    look(placing, held)
    states = [placing.look(markers(), (), SIZE, begun=begun) for _ in range(LOOKS)]
    assert states[-1] == state
    there = placing.plane.to_table(markers()[last])
    assert np.allclose(there, placing.plane.markers[last], atol=0.1) == (not begun)
