"""``CardSearch``: where it looks for cards, and which detections it believes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.vision.tabletop import corners, plane
from vision.detection.detections import Detection
from vision.detection.outlines import Found
from vision.detection.reader import Region
from vision.occlusion.cover import FrameState
from vision.occlusion.regions import ENOUGH, EVERY, SELDOM, CardSearch
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.tracker import Tracker

FRAME = np.zeros((720, 1280, 3), np.uint8)
PLANE = plane(2)
TABLE = (222, 22, 1058, 698)


class Eyes:
    """A reader that returns the detections of the test, and remembers where it looked."""

    def __init__(self, *detections: Detection) -> None:
        self.detections = list(detections)
        self.regions: list[Region] = []
        self.turns: list[int] = []
        self.read_cards = 0

    def read(self, frame, *, before, pack, deck, region, skip, how, resize):
        self.regions.append(region)
        self.turns.append(how.turn)
        self.resize = resize
        read = [s for s in self.detections if not skip(Found(s.corners, s.score))]
        self.read_cards += len(read)
        return read


def seen(card: str, x: float, y: float, chance: float = 0.97) -> Detection:
    return Detection(corners(x, y, 0.0), 0.9, ((card, chance), ("back", 0.01)))


def steady(card: str, x: float, y: float, *, read: int = 5) -> TrackedCard:
    """A tracked card."""
    tracker = Tracker()
    for at in range(read):
        tracker.update(at / 10, [seen(card, x, y)], PLANE)
    return tracker.cards[0]


def look(*regions: Region, lies: bool = False, bare: float | None = 0.0) -> FrameState:
    free = np.zeros(1, np.bool_)
    return FrameState(
        True, lambda points: np.repeat(free, len(points)), 0.1, regions, lambda card: lies,
        lambda outline: bare, frozenset,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("moved", "looked_at"),
    [
        ((), [TABLE]),
        (((600, 300, 640, 340),), [(530, 230, 710, 410)]),
        (((230, 300, 240, 340),), [(222, 230, 310, 410)]),
        (((600, 300, 640, 340), (700, 320, 710, 330)), [(530, 230, 780, 410)]),
        (
            ((300, 300, 310, 310), (900, 300, 910, 310)),
            [(230, 230, 380, 380), (830, 230, 980, 380)],
        ),
        (((240, 40, 1000, 600),), [TABLE]),
    ],
    ids=["nothing", "a hand", "at the edge", "two near", "two apart", "nearly everything"],
)
def test_it_looks_where_something_moved(moved, looked_at):
    eyes = Eyes()
    search = CardSearch(eyes)
    search.look(0.0, FRAME, PLANE, (), look())
    eyes.regions.clear()
    search.look(0.1, FRAME, PLANE, (), look(*moved))
    assert eyes.regions == looked_at


def test_it_looks_where_something_may_be_a_card():
    eyes = Eyes()
    search = CardSearch(eyes)
    search.look(0.0, FRAME, PLANE, (), look())
    search.look(0.1, FRAME, PLANE, (), look(), doubtful=[corners(0, 10, 0.0)])
    left, top, right, bottom = eyes.regions[-1]
    around = np.array([left, top, -right, -bottom])
    edges = np.array([*corners(0, 10, 0.0).min(axis=0), *-corners(0, 10, 0.0).max(axis=0)])
    assert (edges - around > 40).all()
    assert (edges - around < 100).all()


def test_what_may_be_a_card_beside_the_table_is_not_looked_at():
    eyes = Eyes()
    search = CardSearch(eyes)
    search.look(0.0, FRAME, PLANE, (), look())
    eyes.regions.clear()
    places = [(-75, -38), (75, -38), (-75, 38), (75, 38)]
    doubtful = [corners(x, y, 0.0) for x, y in places]
    search.look(0.1, FRAME, PLANE, (), look((600, 300, 640, 340)), doubtful=doubtful)
    assert eyes.regions == [(530, 230, 710, 410)]


def test_all_of_the_table_is_looked_at_now_and_then():
    eyes = Eyes()
    search = CardSearch(eyes)
    for at in np.arange(0, 10 * EVERY, 0.1):
        search.look(float(at), FRAME, PLANE, (), look((600, 300, 640, 340)))
    assert 10 <= eyes.regions.count(TABLE) <= 11


def test_a_table_that_is_not_in_the_picture_leaves_all_of_it():
    eyes = Eyes()
    away = type(PLANE)(PLANE.homography @ np.array([[1, 0, 9000.0], [0, 1, 0], [0, 0, 1]]),
                       PLANE.outline, 2)  # fmt: skip
    CardSearch(eyes).look(0.0, FRAME, away, (), look())
    assert eyes.regions == [(0, 0, 1280, 720)]


@pytest.mark.parametrize(
    ("found", "lies", "told"),
    [
        ([], True, [("", 0.0)]),
        ([], False, []),
        ([seen("KS", 0.2, 10)], True, [("KS", 0.2)]),
        ([seen("KS", 3.5, 10)], True, [("KS", 0.0)]),
        ([seen("KS", 3.5, 10)], False, [("KS", 3.5)]),
        ([seen("7H", 3.5, 10)], True, [("7H", 3.5), ("", 0.0)]),
        ([seen("KS", 30, 10)], True, [("KS", 30), ("", 0.0)]),
        ([seen("JD", 2, 10, 0.3)], True, [("", 0.0)]),
        ([seen("JD", 2, 10, 0.3)], False, [("JD", 2.0)]),
        ([seen("JD", 2, 10, 0.8)], True, [("JD", 2.0)]),
    ],
    ids=[
        "missed",
        "gone",
        "seen",
        "guessed askew",
        "pushed",
        "one on it",
        "another such",
        "hardly read",
        "hardly read, and it does not lie",
        "read as another",
    ],
)
def test_a_known_card_that_is_missed_lies_where_it_lay(found, lies, told):
    known = steady("KS", 0, 10)
    detections = CardSearch(Eyes(*found)).look(0.0, FRAME, PLANE, (known,), look(lies=lies))
    places = [PLANE.to_table(s.corners).mean(axis=0)[0] for s in detections]
    assert [s.card for s in detections] == [card for card, _ in told]
    assert places == pytest.approx([x for _, x in told], abs=0.1)


@pytest.mark.parametrize(
    ("card", "bare", "knows", "told"),
    [
        ("back", 0.95, False, []),
        ("back", 0.8, False, ["back"]),
        ("back", 0.95, True, ["back"]),
        ("back", None, False, []),  # the table is not known yet
        ("KS", 0.95, False, ["KS"]),  # what lay there from the beginning may be read late
    ],
    ids=["never moved", "came", "known", "from the beginning", "a face"],
)
def test_what_never_moved_cannot_have_been_dealt(card, bare, knows, told):
    known = (steady("back", 0, 10),) if knows else ()
    search = CardSearch(Eyes(seen(card, 0, 10)))
    looks = [search.look(at / 10, FRAME, PLANE, known, look(bare=bare)) for at in range(SELDOM)]
    assert [s.card for s in looks[-1]] == told


@pytest.mark.parametrize(
    ("chance", "bare", "knows", "told"),
    [
        (0.7, 0.95, False, []),
        (0.97, 0.95, False, ["KS"]),
        (0.7, 0.6, False, ["KS"]),
        (0.7, None, False, ["KS"]),
        (0.7, 0.95, True, ["KS"]),
    ],
    ids=["a thing", "clearly a card", "came", "from the beginning", "known"],
)
def test_a_face_that_is_hardly_read_where_nothing_came_is_a_thing(chance, bare, knows, told):
    known = (steady("KS", 0, 10),) if knows else ()
    search = CardSearch(Eyes(seen("KS", 0, 10, chance)))
    looks = [search.look(at / 10, FRAME, PLANE, known, look(bare=bare)) for at in range(SELDOM)]
    assert [s.card for s in looks[-1]] == told


@pytest.mark.parametrize(("bare", "times"), [(0.95, 30 / SELDOM), (0.5, 30), (None, 30)])
def test_what_never_moved_is_read_seldom(bare, times):
    eyes = Eyes(seen("KS", 0, 10))
    search = CardSearch(eyes)
    for number in range(30):
        search.look(number / 10, FRAME, PLANE, (), look(bare=bare))
    assert eyes.read_cards == times


def test_a_card_that_lies_covered_by_another_is_not_given_up():
    tracker, eyes = Tracker(), Eyes(seen("KS", 0, 10))
    search = CardSearch(eyes)
    changes = []
    for number in range(80):
        if number == 20:
            eyes.detections = [seen("7H", 3.5, 10)]
        detections = search.look(number / 10, FRAME, PLANE, tracker.cards, look(lies=True))
        changes += tracker.update(number / 10, detections, PLANE)
    assert sorted(card.best for card in tracker.cards) == ["7H", "KS"]
    assert not any(change.kind == "vanished" for change in changes)


@pytest.mark.parametrize(("lies", "times"), [(True, 30 / SELDOM), (False, 30)])
def test_a_card_that_is_known_well_and_lies_is_read_seldom(lies, times):
    eyes, known = Eyes(seen("KS", 0, 10)), steady("KS", 0, 10, read=ENOUGH)
    search = CardSearch(eyes)
    for number in range(30):
        told = search.look(number / 10, FRAME, PLANE, (known,), look(lies=lies))
        assert len(told) == 1
    assert eyes.read_cards == pytest.approx(times, abs=1)


def test_each_look_is_turned_by_a_quarter_from_the_one_before():
    eyes = Eyes()
    search = CardSearch(eyes)
    for number in range(5):
        search.look(number / 10, FRAME, PLANE, [], look())
    assert [after - before for before, after in pairwise(eyes.turns)] == [1, 1, -3, 1]


def test_once_some_cards_have_shown_their_size_what_is_found_is_made_as_large():
    eyes = Eyes()
    search = CardSearch(eyes)
    whole = corners(3, -7, 0.4)
    middle = whole.mean(axis=0)
    figure = (middle + (whole - middle) / 2).astype(np.float32)
    search.look(0.0, FRAME, PLANE, [], look((300, 300, 340, 340)))
    assert np.array_equal(eyes.resize(figure), figure)
    tracker = Tracker()
    lying = [
        seen(card, x, 10)
        for card, x in zip(("KS", "8D", "AC", "7H"), (-20, -8, 4, 16), strict=True)
    ]
    for at in range(ENOUGH + 3):
        tracker.update(at / 10, lying, PLANE)
    search.look(2.0, FRAME, PLANE, tracker.cards, look((300, 300, 340, 340)))
    assert eyes.resize(figure) == pytest.approx(whole, abs=0.05)


@pytest.mark.parametrize(
    "other",
    [{}, {"sure": False}, {"missing": 0.3}, {"evidence": {"back": 9.0}}, {"detections": 2}],
    ids=["well", "covered", "not now", "face down", "hardly"],
)  # fmt: skip
def test_only_cards_that_are_seen_well_show_their_size(other):
    card = replace(steady("KS", 0, 0, read=ENOUGH + 3), **other)
    eyes = Eyes()
    search = CardSearch(eyes)
    lying = [replace(card, id=number) for number in range(8)]
    search.look(0.0, FRAME, PLANE, lying, look((300, 300, 340, 340)))
    whole = corners(3, -7, 0.4)
    figure = (whole.mean(axis=0) + (whole - whole.mean(axis=0)) / 2).astype(np.float32)
    assert np.array_equal(eyes.resize(figure), figure) == bool(other)
