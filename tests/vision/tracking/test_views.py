"""``Views`` weighs what all pictures of a card say together."""

import math

import pytest

from vision.packs import BACK
from vision.tracking.tracked_card import TrackerSettings
from vision.tracking.views import Views

STUBBORN = {"QS": 0.9, "JS": 0.1}


def seen(*pictures):
    views = Views(TrackerSettings())
    for readings in pictures:
        views.add(tuple(readings.items()))
    return views


def odds(views, one, other):
    return views.evidence[one] - views.evidence[other]


def test_nothing_read_is_nothing_known():
    views = seen({})
    assert (views.best, views.pictures, views.evidence) == ("", 0, {})
    assert views.chance("KS") == 0.0


def test_a_picture_that_says_the_same_a_hundred_times_hardly_says_more_than_once():
    once, often = seen(STUBBORN), seen(*[STUBBORN] * 100)
    assert odds(once, "QS", "JS") == pytest.approx(math.log(9), rel=0.05)
    assert odds(often, "QS", "JS") <= odds(once, "QS", "JS") * TrackerSettings().most + 1e-9
    assert often.pictures == 100


def test_another_view_counts_for_itself():
    other = {"JS": 0.999, "QS": 0.0005}
    assert seen(*[STUBBORN] * 100, *[other] * 12).best == "JS"


@pytest.mark.parametrize(("others", "part"), [(0, 1.0), (19, 2 / 2.36), (39, 0.5), (199, 0.1)])
def test_one_picture_among_many_others_is_a_blink_or_a_hands_shadow(others, part):
    views = seen(*[{"9D": 0.9, "8D": 0.1}] * others, STUBBORN)
    assert odds(views, "QS", "JS") == pytest.approx(math.log(9) * part)


def test_however_many_views_there_are_they_count_for_a_few_pictures():
    likely = [{"QS": 0.6 + 0.02 * (n % 5), "JS": 0.3 - 0.02 * (n % 7)} for n in range(400)]
    assert odds(seen(*likely), "QS", "JS") < 1.5 * TrackerSettings().most_of_all


def test_a_doubt_that_each_picture_has_stays_one_however_many_there_are():
    """Readings from a film: the index cannot be read, and unlikely readings are noise."""
    pictures = [
        {"KC": 0.687, "JC": 0.267, "QC": 0.023, "JS": 0.014},
        {"KC": 0.617, "JC": 0.371, "JS": 0.003, "QC": 0.002},
        {"KC": 0.707, "JC": 0.267, "JS": 0.01, "KS": 0.005},
        {"KC": 0.771, "JC": 0.217, "QC": 0.002, "KS": 0.001},
        {"KC": 0.919, "KS": 0.042, "JC": 0.032, "JS": 0.004},
        {"KC": 0.558, "JC": 0.427, "JS": 0.004, "QC": 0.002},
        {"KC": 0.604, "JC": 0.363, "JS": 0.015, "KS": 0.009},
        {"KC": 0.567, "JC": 0.356, "JS": 0.049, "KS": 0.006},
    ]
    assert 0.65 < seen(*pictures).chance("KC") < 0.93  # each by itself 0.5–0.9


def test_what_differs_by_no_more_than_noise_is_the_same_view():
    pictures = [{"QS": 0.9 + 0.002 * n, "JS": 0.1 - 0.002 * n} for n in range(20)]
    assert odds(seen(*pictures), "QS", "JS") < 1.6 * math.log(9)


@pytest.mark.parametrize(
    ("face", "best"), [({"KH": 0.5, "JH": 0.4}, BACK), ({"KH": 0.9999, "JH": 0.0001}, "KH")]
)
def test_a_face_that_is_hardly_read_may_be_a_back(face, best):
    assert seen(face, {BACK: 0.95}).best == best


def test_views_of_the_same_card_are_put_together():
    views = seen(STUBBORN)
    views.join(seen({"JS": 0.999, "QS": 0.0005}, {"JS": 0.999, "QS": 0.0005}))
    assert (views.best, views.pictures) == ("JS", 3)


@pytest.mark.parametrize("joined", [False, True], ids=["picture by picture", "put together"])
def test_a_card_that_lies_there_for_long_is_no_heap_of_views(joined):
    pictures = [{"QS": 1 - 0.5**n, "JS": 0.5**n} for n in range(1, 60)]
    views = seen(*pictures[:1] if joined else pictures)
    for picture in pictures[1:] if joined else ():
        views.join(seen(picture))
    assert views.pictures == sum(view.pictures for view in views._views) == len(pictures)
    assert len(views._views) <= TrackerSettings().most_views
    assert views.best == "QS"
