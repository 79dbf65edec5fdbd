"""Whose a card in the middle is: of whoever reached over the table when it came (V-1)."""

import pytest

from tests.vision.tabletop import Tabletop


@pytest.mark.parametrize(
    ("reaching", "written"),
    [({1}, ["1 play KS"]), ({0, 1}, ["1 play KS"]), (set(), ["1 play KS"]), ({2}, [])],
)
def test_v_1_a_card_in_the_middle_is_of_whoever_alone_reached_over_the_table(reaching, written):
    table = Tabletop("trut", 4, "0 deal 3")
    table.reaching = frozenset(reaching)
    table.put("KS", at=(1, 1))
    assert table.run(1) == written
    table.reaching = frozenset()
    if not written:
        assert table.hints() == ["not_due V-1"]
        table.put("QS", 1)
        assert table.run(1) == ["1 play QS", "2 play KS"]
