"""A card in a heap is not found in every look, for each look turns the picture another way."""

import pytest

from tests.vision.tabletop import Tabletop


def heaped(name: str, sure: float, looks: str) -> Tabletop:
    """A card on another one, which is found in the looks that have a letter.

    Ten looks a second: ``x`` as it is, ``b`` as a back beside it, ``t`` as a back that is turned.
    """
    table = Tabletop("trut", 2, "0 deal 3")
    table.put("9D", at=(0, 0))
    table.run(1)
    card = table.put(name, at=(3, 5), **({name: sure} if sure < 1 else {}))
    for look in looks:
        x, y = (3.4, 5.9) if look == "b" else (3, 5)
        table.cards[card][1:4] = x, y, 0.8 if look == "t" else 0.1
        table.cards[card][4] = {name: sure} if look == "x" else {"back": 0.85}
        (table.unseen.add if look == "." else table.unseen.discard)(card)
        table.run(0.05)
        table.unseen.add(card)
        table.run(0.05)
    return table


@pytest.mark.parametrize(
    ("looks", "sure", "comes"),
    {
        "every other look": ("x.x.x.", 0.999, True),
        "one look of four": ("x...x...x...", 0.999, True),
        "two, and once more after a while": ("xx......x...", 0.999, True),
        "another outline in between": ("xxb...x", 0.999, True),
        "another outline by turns": ("xbx.bx", 0.999, True),
        "an outline that is turned by turns": ("xtx.tx", 0.999, True),
        "two only": ("xx..........", 0.999, False),
        "one of ten": ("x.........x.........x", 0.999, False),
        "hardly read": ("x...x...x...", 0.6, False),
    }.values(),
)
def test_a_card_that_is_found_now_and_then_comes_to_rest(looks, sure, comes):
    table = heaped("AS", sure, looks)
    appeared = [c.card.best for each in table.happened for c in each.changes]
    assert ("AS" in appeared) == comes, appeared


def test_a_back_that_is_found_now_and_then_is_none():
    table = heaped("back", 0.999, "x...x...x...x...")
    assert [card.best for card in table.table.cards] == ["9D"]
