"""Where the signs of Spanish number cards stand."""

from random import Random

import pytest

from datasets.cards.spanish_layouts import layout


@pytest.mark.parametrize("long", [True, False], ids=["espadas and bastos", "oros and copas"])
@pytest.mark.parametrize("number", range(1, 10))
def test_a_number_card_has_as_many_signs_as_it_says_and_all_on_the_card(number, long):
    for seed in range(40):
        places = layout(number, Random(seed), long=long)
        assert len(places) == number
        assert all(0 < place.x < 1 and 0 < place.y < 1 for place in places)
        assert all(0.1 < place.tall < 0.9 for place in places)


def test_decks_lay_the_same_number_in_several_ways():
    ways = {tuple(layout(7, Random(seed), long=True)) for seed in range(40)}
    assert len(ways) > 10
