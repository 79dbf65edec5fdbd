"""Which cards a named pack has, and what the check of a deck says."""

import pytest

from scorekeeper.errors import FormatError
from vision.detection.deck_check import DeckCheck, check_deck
from vision.packs import BACK, JOKER, PACKS, UNREAD, packs_of


@pytest.mark.parametrize(
    ("name", "sizes", "has", "lacks"),
    [
        ("32", [32], "AS 7C 8D", "6S 2H 1O"),
        ("40", [40], "2S KD 7H", "8H 10C"),
        ("52", [52], "2S 10C 8H", "1O"),
        ("es40", [40], "1O 7B 10U 12E", "8O 9O AS"),
        ("es48", [48], "8O 9O 12E", "KS"),
        ("le_truc_ace", [32], "7S 8S", "6S"),
        ("le_truc_seven", [32], "6S 7S", "8S"),
        ("trut", [32], "7S 8S", "6S"),
        ("truc_spain", [40, 40], "3S 10O", "8S 9O 10C"),
    ],
)
def test_packs(name, sizes, has, lacks):
    packs = packs_of(name)
    cards = frozenset().union(*packs)
    assert [len(pack) for pack in packs] == sizes
    assert set(has.split()) <= cards
    assert not set(lacks.split()) & cards


def test_unknown_pack():
    with pytest.raises(FormatError, match="no pack"):
        packs_of("tarot")


def test_every_pack_is_right_when_all_of_it_is_there():
    for packs in PACKS.values():
        for pack in packs:
            assert check_deck([sorted(pack)], packs).right


FULL = sorted(PACKS["32"][0])


@pytest.mark.parametrize(
    ("photos", "field", "expected"),
    [
        pytest.param([FULL[1:]], "missing", (FULL[0],), id="one-missing"),
        pytest.param([[*FULL, "2S"]], "foreign", ("2S",), id="one-foreign"),
        pytest.param([[*FULL, JOKER]], "foreign", (JOKER,), id="a-joker"),
        pytest.param([[*FULL, "AS"]], "doubled", ("AS",), id="there-twice"),
        pytest.param([FULL[:20], FULL[15:]], "doubled", (), id="parts-that-overlap"),
        pytest.param([[*FULL, UNREAD]], "unread", 1, id="not-read"),
        pytest.param([[*FULL, BACK, BACK]], "face_down", 2, id="face-down"),
    ],
)
def test_deck_check(photos, field, expected):
    check = check_deck(photos, PACKS["32"])
    assert getattr(check, field) == expected
    assert check.right == (expected == ())


def test_cards_are_listed_by_suit_and_rank():
    check = check_deck([[]], PACKS["es40"])
    assert check.missing[:4] == ("1B", "2B", "3B", "4B")
    assert check == DeckCheck((), check.missing, (), (), 0, 0)


def test_the_kind_of_suits_is_seen_from_the_cards():
    assert check_deck([["1O", "2O", "AS"]], packs_of("truc_spain")).foreign == ("AS",)
