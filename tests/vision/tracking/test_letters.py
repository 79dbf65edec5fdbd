"""``Letters`` tells which letters a deck prints, by the corners of its cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scorekeeper.text.printings import PRINTINGS
from tests.vision.tabletop import corners
from vision.detection.detections import Detection
from vision.tracking.letters import Letters
from vision.tracking.tracked_card import TrackedCard

KNOWN = ("", *"1ABDJKQRV")
TOLD = [name for name, each in PRINTINGS.items() if {each.sign(r) for r in "AKQJ"} <= set(KNOWN)]
"""The printings whose letters the reader can tell."""


def seen(name: str, cards: Sequence[str], sure: float = 0.9) -> Letters:
    """``Letters`` after some cards of a deck with that printing were seen."""
    letters = Letters(PRINTINGS.values(), KNOWN)
    for card in cards:
        letters.add(card, {PRINTINGS[name].sign(card[:-1]): sure, "B": (1 - sure) / 2})
    return letters


@pytest.mark.parametrize("name", TOLD)
def test_every_printing_is_told_by_an_ace_and_courts(name: str) -> None:
    assert seen(name, ["AS", "AD", "KH", "KS", "QD", "QS", "JC", "JD"]).printing == name


@pytest.mark.parametrize(
    ("name", "cards", "told"),
    [
        ("french", ["KH", "JD", "AS", "AH"], True),
        ("english", ["KH", "QD", "JC"], True),  # no other deck has a Q
        ("english", ["QH", "QD"], False),  # two cards are few
        ("french", ["KH", "JD", "QS", "AS"], False),  # one ace may be misread
        ("french", ["KH", "QD", "AS", "AH"], False),  # and one king
        ("french", ["KH", "KD", "KS", "KC"], False),  # of one rank
        ("french", ["KH", "QD", "JC", "KS"], False),  # 1 or A?
        ("german", ["QH", "QD", "JC", "KS", "AS", "AH"], True),
        ("french", ["7H", "8D", "9C", "10S"], False),  # whose numbers are everywhere the same
        ("french", [], False),
    ],
)
def test_a_printing_is_told_once_it_is_sure(name: str, cards: list[str], told: bool) -> None:
    assert seen(name, cards).printing == (name if told else None)


@pytest.mark.parametrize("sure", [0.1, 0.34])
def test_what_is_hardly_seen_says_little(sure: float) -> None:
    assert seen("french", ["KH", "QD", "AS"], sure).printing is None


def test_the_same_card_seen_often_is_one_card() -> None:
    once, often = Letters(PRINTINGS.values(), KNOWN), Letters(PRINTINGS.values(), KNOWN)
    once.add("KH", {"R": 0.6, "K": 0.2})
    for _ in range(50):
        often.add("KH", {"R": 0.6, "K": 0.2})
    assert often.chances() == pytest.approx(once.chances())


def test_one_card_that_is_misread_does_not_decide() -> None:
    letters = seen("french", ["KH", "QD", "AS", "JC", "AD", "QC"])
    letters.add("JH", {"J": 0.99})
    assert letters.printing == "french"


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ((), set()),
        (("", *"AKQJ"), set()),
        (("", *"AKQJDB"), {"english", "german"}),
        (KNOWN, {*TOLD}),
    ],
)
def test_only_letters_that_the_reader_knows_are_told(known: tuple[str, ...], told: set) -> None:
    assert set(Letters(PRINTINGS.values(), known).chances()) == told


def steady(number: int, card: str, x: float, *, missing: float = 0.0) -> TrackedCard:
    quad = corners(x, 0, 0)
    return TrackedCard(
        id=number, place=(x, 0.0), turn=0.0, came=(x, 0.0), quad=quad.astype(float),
        corners=quad, evidence={card: 9.0}, detections=9, since=0.0, appeared=0.0, seen=1.0,
        missing=missing,
    )  # fmt: skip


def detection(card: str, x: float, letter: str, *, p: float = 0.999) -> Detection:
    return Detection(corners(x, 0, 0), 0.9, ((card, p),), {letter: 0.95})


def test_each_card_that_lies_there_counts_once() -> None:
    letters = Letters(PRINTINGS.values(), KNOWN)
    views = [detection("KH", 0, "R"), detection("QD", 10, "D"), detection("AS", 20, "1")]
    cards = [steady(1, "KH", 0), steady(2, "QD", 10), steady(3, "AS", 20)]
    letters.see(cards[:2], views)
    assert letters.printing is None
    views[:2] = detection("KH", 0, "K"), detection("QD", 10, "Q")
    letters.see(cards, views)
    assert max(letters.chances(), key=letters.chances().__getitem__) == "french"


@pytest.mark.parametrize(
    "view",
    [
        detection("KH", 0, "R", p=0.9),  # it may be another card
        detection("QD", 0, "D"),  # or two lie there
        detection("KH", 30, "R"),  # seen elsewhere
        Detection(corners(0, 0, 0), 0.9, (("KH", 0.999),)),  # by a reader that tells no letters
    ],
)
def test_what_is_not_sure_to_be_the_card_does_not_count(view: Detection) -> None:
    letters = Letters(PRINTINGS.values(), KNOWN)
    letters.see([steady(1, "KH", 0)], [view])
    letters.see([steady(1, "KH", 0, missing=1.0)], [detection("KH", 0, "R")])
    assert np.ptp(list(letters.chances().values())) == 0
