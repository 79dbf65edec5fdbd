"""Confidence intervals: as in published tables for independent hands, wider if films differ."""

import math

import pytest

from datasets.benchmarks.intervals import (
    design_effect,
    quantile_of_films,
    rate_between,
    rate_of_films,
    share_between,
    share_of_films,
)


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (15, 20, 0.5313, 0.8881), (0, 0, 0.0, 1.0)],
)
def test_a_share_by_wilson(right, count, low, high):
    assert share_between(right, count) == pytest.approx((low, high), abs=1e-3)


@pytest.mark.parametrize(
    ("times", "low", "high"),
    [(0, 0.0, 3.69), (1, 0.03, 5.57), (10, 4.80, 18.39), (100, 81.36, 121.63)],
    ids=str,
)
def test_a_rate_by_the_tables_of_poisson(times, low, high):
    """Byar's approximation is good from 1 on; for 0 the exact upper limit is 3.69, Byar's 3.66."""
    found = rate_between(times, 1)
    assert found[0] == pytest.approx(low, abs=0.06)
    assert found[1] == pytest.approx(high, rel=0.02)
    assert rate_between(times, 100)[1] == pytest.approx(found[1] / 100)


def test_films_that_are_alike_count_as_so_many_hands():
    assert design_effect([9, 9, 9], [10, 10, 10], 0.09) == 1
    assert share_of_films([9, 9, 9], [10, 10, 10])[1:] == share_between(27, 30)


def test_films_that_are_all_right_or_all_wrong_count_as_films():
    right = [10, 0] * 10
    effect = design_effect(right, [10] * 20, 0.25)
    assert effect == pytest.approx(10 * 20 / 19)
    share, low, high = share_of_films(right, [10] * 20)
    assert share == 0.5
    assert (low, high) == pytest.approx(share_between(10, 20), abs=0.02)


def test_a_film_that_goes_wrong_often_widens_the_interval_of_a_rate():
    even, bad = [1] * 20, [20] + [0] * 19
    assert rate_of_films(even, [10] * 20)[0] == rate_of_films(bad, [10] * 20)[0] == 0.1
    assert rate_of_films(bad, [10] * 20)[2] > 2 * rate_of_films(even, [10] * 20)[2]


def test_a_quantile_lies_in_its_interval_and_draws_the_same_each_time():
    films = [[0.1 * film + 0.01 * card for card in range(10)] for film in range(12)]
    value, low, high = quantile_of_films(films, 0.5)
    assert low < value < high
    assert quantile_of_films(films, 0.5) == (value, low, high)
    assert all(math.isnan(each) for each in quantile_of_films([[], []], 0.5))
