"""What a page of corrections offers if an event was missed."""

from __future__ import annotations

import pytest

from tests.scorekeeper.page import HAND, Page, labelled
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, event


@pytest.mark.parametrize(
    ("game", "seats", "texts", "before", "labels"),
    [
        (
            LT_ACE,
            2,
            "0 deal 3, 1 play KS, 0 play 9H",
            "0 play 9H",
            ["Ana raises to 2, Bea accepts", "Ana raises to 2, Bea refuses"],
        ),
        (
            LT_ACE,
            2,
            "0 deal 3, 1 play KS",
            "1 play KS",
            [
                "Bea asks for new cards, Ana grants new cards, Ana deals 3 cards",
                "Bea asks for new cards, Ana refuses new cards",
                "the deal is void, Ana deals 3 cards",
            ],
        ),
        (
            TRUT,
            4,
            "0 deal 3, 1 play KS, 2 play 9H",
            "2 play 9H",
            [
                "Ana truts, Bea sees",
                "Ana truts, Bea folds, Dani sees",
                "Ana truts, Bea folds, Dani folds",
            ],
        ),
        (TRUC, 4, "1 cut, 0 deal 3, 3 play 4S", "3 play 4S", ["Dani calls truc, Carles accepts"]),
        (TRUC, 2, "1 cut, 0 deal 3", "0 deal 3", ["Ana deals 3 cards"]),
    ],
)
def test_what_was_missed_comes_with_its_answers(
    game: str, seats: int, texts: str, before: str, labels: list[str]
) -> None:
    page = Page(game, texts, seats)
    found = [offer.label for offer in page.gap(before)]
    assert set(labels) <= set(found)
    assert len(found) == len(set(found))
    opened = ("raises to 2", "truc", "asks for new cards", "grants new cards", "truts", "the pack")
    assert not [label for label in found if label.endswith(opened)]


def test_what_leaves_everything_standing_comes_first() -> None:
    page = Page(LT_ACE, HAND)
    counts = [len(offer.left_out) for offer in page.gap("0 play AD")]
    assert counts == sorted(counts)
    assert counts[0] == 0 < counts[-1]
    first = page.gap("0 play AD")[0]
    assert first.label == "Ana raises to 2, Bea accepts"
    assert first.changes == (
        "Hand 1: worth 2 points instead of 1 point.",
        "Score: Ana 0 points; Bea 2 points.",
    )


def test_a_missed_card_is_offered_by_rank() -> None:
    page = Page(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H, 1 play AC")
    offer = labelled(page.gap("1 play AC"), "Bea plays 8")
    assert offer.falls_away == ("Bea plays A♣",)
    page = Page(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H, 1 play AC")
    page.make(labelled(page.gap(None), "Ana plays A"))
    assert page.stands[-1] == event("0 play AD")


def test_at_the_end_an_offer_may_wait_for_its_answer() -> None:
    labels = [offer.label for offer in Page(LT_ACE, "0 deal 3").gap(None)]
    assert "Bea raises to 2" in labels
    assert "Bea raises to 2, Ana accepts" not in labels


def test_a_missed_rejection_ends_the_hand_and_says_so() -> None:
    offer = labelled(Page(LT_ACE, HAND).gap("0 play AD"), "Ana raises to 2, Bea refuses")
    assert offer.falls_away == ("Ana plays A♦", "Ana plays J♦", "Bea plays Q♣")
    assert "Hand 1: Ana instead of Bea." in offer.changes


def test_TR_14_a_missed_trut_puts_a_long_at_stake() -> None:
    page = Page(TRUT, "0 deal 3, 1 play KS, 0 play 9H")
    offer = labelled(page.gap("0 play 9H"), "Ana truts, Bea sees")
    assert offer.changes == ("Hand 1: worth a Long instead of a Small.",)
