"""The plane of the table: its zones, how it is found and corrected, and its file."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.calibration import PlaneKeeper, keep_plane, open_plane
from vision.geometry.table_plane import (
    MARKER_CM,
    Plane,
    PlaneError,
    from_above,
    from_clicks,
    from_markers,
    mapped,
    scaled_by_cards,
    turned,
)

OUTLINE = np.array([[-40, -30], [40, -30], [40, 30], [-40, 30]], float)
SLANTED = np.array([[11.0, 1.5, 640], [0.4, 8.5, 360], [0.0002, 0.0014, 1]])
"""The homography from centimetres to pixels of a camera that stands before seat 0."""


def plane(seats=4, **more):
    return Plane(np.linalg.inv(SLANTED), OUTLINE, seats, **more)


def square(x, y, angle, side=MARKER_CM):
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    c, s = np.cos(angle), np.sin(angle)
    return corners @ np.array([[c, s], [-s, c]]) + (x, y)


def markers(noise=0.0, seed=1):
    rng = np.random.default_rng(seed)
    places = [(-36, -26, 0.3), (36, -26, -0.4), (36, 26, 1.7), (-36, 26, 3.0)]
    return {
        number: mapped(SLANTED, square(*place)) + rng.normal(0, noise, (4, 2))
        for number, place in enumerate(places)
    }


@pytest.mark.parametrize(
    ("seats", "point", "seat"),
    [
        (4, (0, 22), 0), (4, (-25, 0), 1), (4, (0, -22), 2), (4, (25, 0), 3),
        (4, (2, 3), None), (4, (0, 45), None), (4, (-30, 10), 1), (4, (-16, 20), 0),
        (2, (30, 12), 0), (2, (-30, -12), 1), (2, (0, -2), None),
    ],
)  # fmt: skip
def test_v_1_a_point_has_one_owner_or_none(seats, point, seat):
    assert plane(seats).zone(point).seat == seat


def test_v_1_the_border_runs_through_the_corners_of_the_table():
    assert plane().zone((20, 15)).border == pytest.approx(0)
    assert plane(2).zone((20, 7)).border == pytest.approx(7)


@given(st.floats(-39, 39), st.floats(-29, 29), st.integers(0, 3))
def test_turning_the_table_turns_the_seats(x, y, turn):
    here, there = plane().zone((x, y)), turned(plane(), turn)
    pixel = plane().to_frame(np.array([[x, y]]))
    zone = there.zone(there.to_table(pixel)[0])
    if here.border > 1e-6 and here.seat is not None and zone.seat is not None:
        assert zone.seat == (here.seat - turn) % 4


def test_four_markers_show_the_plane_however_they_are_turned():
    found = from_markers(markers(), 4)
    cards = np.array([[-20, -10], [15, 12], [0, 0], [30, -20]], float)
    seen = found.to_table(mapped(SLANTED, cards))
    assert np.abs(seen - cards).max() < 0.01


def test_all_sixteen_corners_average_the_noise_of_the_picture():
    worst = []
    for seed in range(8):
        found = from_markers(markers(noise=0.4, seed=seed), 4)
        points = np.array([[-20, -10], [15, 12], [0, 0]], float)
        apart = found.to_table(mapped(SLANTED, points))
        worst.append(np.abs(apart - points).max())
    assert np.median(worst) < 1.0


def test_a_missing_marker_is_named():
    seen = markers()
    del seen[2]
    with pytest.raises(PlaneError, match=r"does not see 3\."):
        from_markers(seen, 4)


def test_clicks_must_go_around():
    corners = mapped(SLANTED, OUTLINE)
    assert from_clicks(corners, 4, size_cm=(80, 60)).zone((0, 20)).seat == 0
    with pytest.raises(PlaneError, match="all around"):
        from_clicks(corners[[0, 2, 1, 3]], 4)
    with pytest.raises(PlaneError, match="clockwise"):
        from_clicks(corners[::-1], 4)


def card(x, y, angle):
    corners = np.array([[-3.15, -4.4], [3.15, -4.4], [3.15, 4.4], [-3.15, 4.4]])
    c, s = np.cos(angle), np.sin(angle)
    return corners @ np.array([[c, s], [-s, c]]) + (x, y)


def test_cards_put_a_guessed_size_right():
    guessed = from_clicks(mapped(SLANTED, OUTLINE), 4, size_cm=(100, 100))
    cards = [mapped(SLANTED, card(x, y, a)) for x, y, a in [(0, 5, 0.4), (15, -9, 2), (-20, 3, 1)]]
    found = scaled_by_cards(guessed, cards)
    assert np.abs(found.outline - OUTLINE).max() < 0.1


@pytest.mark.parametrize("size", [(6.3, 8.8), (6.1, 9.5), (5.7, 8.8)], ids=str)
@pytest.mark.parametrize("turn", [0.0, 0.6, 0.7, 0.78, 0.84])
def test_one_card_askew_makes_no_table_narrow(size, turn):
    """Near 45° its edges cannot tell the scale across from the scale along."""
    shown = from_clicks(mapped(SLANTED, OUTLINE), 4, size_cm=np.ptp(OUTLINE, axis=0))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
    c, s = np.cos(turn), np.sin(turn)
    quad = half @ np.array([[c, s], [-s, c]]) + (0, 5)
    grown = np.ptp(scaled_by_cards(shown, [mapped(SLANTED, quad)]).outline, axis=0)
    assert np.allclose(grown / np.ptp(OUTLINE, axis=0), 1, atol=0.16)


def test_from_above_the_scale_is_a_cards():
    above = np.array([[8.0, 0, 640], [0, 8.0, 360], [0, 0, 1]])
    found = from_above((1280, 720), [mapped(above, card(5, 5, 0.7))], 2)
    assert found.to_table(np.array([[640.0, 360], [720, 360]])) == pytest.approx(
        np.array([[0, 0], [10, 0]]), abs=1e-5
    )
    tilted = np.array([[8.0, 0, 640], [0, 5.0, 360], [0, 0, 1]])
    with pytest.raises(PlaneError, match="straight down"):
        from_above((1280, 720), [mapped(tilted, card(5, 5, 0.0))], 2)
    with pytest.raises(PlaneError, match="Lay a card"):
        from_above((1280, 720), [], 2)


@pytest.mark.parametrize(("seen", "state"), [((0, 1, 2, 3), "corrected"), ((1, 3), "corrected"),
                                             ((1,), "unseen")])  # fmt: skip
def test_a_nudge_is_followed_by_two_markers_and_more(seen, state):
    keeper = PlaneKeeper(from_markers(markers(), 4))
    c, s = np.cos(0.02), np.sin(0.02)
    nudged = {n: markers()[n] @ np.array([[c, s], [-s, c]]) + (14, -9) for n in seen}
    before = keeper.plane.to_table(np.array([[500.0, 300]]))
    states = [keeper.check_markers(nudged) for _ in range(3)]
    assert states[-1] == state
    there = np.array([[500.0, 300]]) @ np.array([[c, s], [-s, c]]) + (14, -9)
    right = np.abs(keeper.plane.to_table(there) - before).max() < 0.05
    assert right == (state == "corrected")


@pytest.mark.parametrize("seen", [(0, 1, 2, 3), (0, 1, 2), (1, 2)], ids=str)
@pytest.mark.parametrize("push", [12, 60])
def test_a_marker_that_is_pushed_is_no_nudge(seen, push):
    plane = from_markers(markers(), 4)
    keeper = PlaneKeeper(plane)
    pushed = {n: markers()[n] + (push if n == 1 else 0) for n in seen}
    assert {keeper.check_markers(pushed) for _ in range(4)} == {"steady"}
    assert keeper.plane is plane


def test_a_hand_on_a_marker_for_a_moment_is_no_nudge():
    keeper = PlaneKeeper(from_markers(markers(), 4))
    nudged = {number: corners + 20 for number, corners in markers().items()}
    assert keeper.check_markers(nudged) == "steady"
    assert keeper.check_markers(markers()) == "steady"
    assert keeper.check_markers(nudged) == "steady"


def test_the_plane_of_a_camera_is_kept(tmp_path):
    assert open_plane("cam 0", tmp_path) is None
    keep_plane("cam 0", from_markers(markers(), 4), tmp_path)
    opened = open_plane("cam 0", tmp_path)
    assert opened is not None
    assert opened.homography == pytest.approx(from_markers(markers(), 4).homography)
    assert sorted(opened.markers) == [0, 1, 2, 3]
    assert opened.size is None
    keep_plane("cam", replace(opened, size=(1280, 720)), tmp_path)
    assert open_plane("cam", tmp_path).size == (1280, 720)


@pytest.mark.parametrize(
    "begins", ["http://cameras.example/" + "a" * 50, "rtsp://10.0.0.7/?camera="],
    ids=["after sixty letters", "in what is not shown"],
)  # fmt: skip
def test_two_cameras_are_kept_apart_however_late_their_names_differ(tmp_path, begins):
    keep_plane(f"{begins}1", plane(), tmp_path)
    assert open_plane(f"{begins}2", tmp_path) is None
    assert open_plane(f"{begins}1", tmp_path) is not None


@pytest.mark.parametrize("text", ["", "[]", '{"version": 9}', '{"version": 1, "homography": 3}'])
def test_a_damaged_file_is_said_so(tmp_path, text):
    keep_plane("cam", plane(), tmp_path).write_text(text)
    with pytest.raises(PlaneError, match="damaged"):
        open_plane("cam", tmp_path)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(-35, 35), st.floats(-25, 25)), min_size=1, max_size=5))
def test_there_and_back_is_the_same_place(points):
    there = plane().to_frame(np.array(points))
    assert plane().to_table(there) == pytest.approx(np.array(points), abs=1e-6)
