"""What a page of corrections offers when an event is tapped, and what it announces."""

from __future__ import annotations

import pytest

from scorekeeper.history.corrections import standing
from scorekeeper.history.repairs import Kind, latest_of_seat, repairs, take_back_latest, undo_last
from tests.scorekeeper.page import HAND, Page, labelled, said
from tests.scorekeeper.playouts import bare
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, TRUC, TRUT, event

# --- a card ---


def test_a_card_is_replaced_by_any_of_the_pack_that_was_not_played() -> None:
    offers = Page(LT_ACE, HAND).tap("0 play 9H")
    assert [o.label for o in offers if o.kind is Kind.RANK] == [
        f"Ana plays {rank}" for rank in ("A", "K", "Q", "J", "10", "8", "7")
    ]
    exact = {str(o.fix.events[0].card) for o in offers if o.kind is Kind.CARD}
    pack = {f"{rank}{suit}" for rank in (*"AKQJ987", "10") for suit in "CDHS"}
    assert exact == pack - {"KS", "9H", "8C", "AD", "JD", "QC"}


@pytest.mark.parametrize(
    ("game", "texts", "tapped", "first"),
    [
        (TRUC, "1 cut, 0 deal 3, 1 play 12O, 0 play 4E", "0 play 4E", "Ana plays 3"),
        (TRUC, "1 cut, 0 deal 3, 1 play 12O", "1 play 12O", "Bea plays 3"),
        (TRUT, "0 deal 3, 1 play KS", "1 play KS", "Bea plays 7"),
    ],
)
def test_C_8_cards_are_offered_in_the_order_of_the_game(
    game: str, texts: str, tapped: str, first: str
) -> None:
    assert Page(game, texts).tap(tapped)[0].label == first


def test_C_9_the_printed_ranks_are_offered() -> None:
    page = Page(LT_SEVEN, "0 deal 3, 1 play 8S", options={"alias": {"8": "6"}})
    ranks = [o.label.split()[-1] for o in page.tap("1 play 8S", Kind.RANK)]
    assert ranks == ["7", "A", "K", "Q", "J", "10", "9"]


def test_V_2_a_rank_is_not_offered_when_all_four_of_it_were_played() -> None:
    page = Page(TRUT, "0 deal 3, 1 play KS, 0 play KH, 0 play KD, 1 play KC, 1 play 7S")
    offers = page.tap("1 play 7S")
    assert not [o for o in offers if o.fix.events and o.fix.events[0].card[0] == "K"]  # type: ignore[index]
    assert labelled(offers, "Bea plays A")


READ = {"_readings": [["AH", 0.2], ["10H", 0.7], ["KS", 0.1], ["5H", 0.3], "x", ["ZZ", 1], [1, 2]]}


def test_likely_readings_come_first_and_stay_with_the_card() -> None:
    page = Page(LT_ACE, HAND)
    page.events[2] = page.events[2]._replace(remarks=READ)
    offers = page.tap("0 play 9H")
    assert [(o.label, o.chance) for o in offers[:3]] == [
        ("Ana plays 10♥", 0.7),
        ("Ana plays A♥", 0.2),
        ("Ana plays A", 0.0),
    ]
    page.make(offers[0])
    assert page.tap("0 play 10H")[0].label == "Ana plays A♥"


def test_V_12_a_rank_alone_is_marked_as_a_guess() -> None:
    page = Page(LT_ACE, HAND)
    page.make(labelled(page.tap("0 play 9H"), "Ana plays K"))
    event = standing(page.events)[2].event
    assert (str(event.card), event.remarks["_suit"]) == ("KC", "guessed")


@pytest.mark.parametrize("tapped", ["0 play 9H", "1 play QC"])
def test_V_12_an_exact_card_is_offered_where_another_one_was_only_guessed(tapped: str) -> None:
    page = Page(LT_ACE, HAND)
    page.events[3] = page.events[3]._replace(remarks={"_suit": "guessed"})
    seat = event(tapped).seat
    made = page.make(labelled(page.tap(tapped), f"{NAMES[seat or 0]} plays 8♣"))
    assert made.left_out == ()
    cards = [e.card for e in page.stands if e.card]
    assert [str(c) for c in cards].count("8C") == 1
    assert [c.rank for c in cards].count("8") == 2
    again = take_back_latest(page.match, page.events, "en")
    assert again is not None
    page.make(again)
    assert page.stands == said(HAND)


def test_a_changed_winner_is_told_beforehand_with_what_falls_away() -> None:
    page = Page(LT_ACE, HAND + ", 1 deal 3")
    offer = labelled(page.tap("0 play JD"), "Ana plays 10♦")
    assert (offer.left_out, offer.changes) == ((), ())
    offer = labelled(page.tap("1 play QC"), "Bea plays 10♣")
    assert offer.falls_away == ()
    assert offer.changes == (
        "Trick 3: Ana instead of Bea.",
        "Hand 1: Ana instead of Bea.",
        "Score: Ana 1 point; Bea 0 points.",
    )
    offer = labelled(page.tap("1 play KS"), "Bea plays 8♠")
    assert offer.falls_away == ("Bea plays 8♣", "Ana plays J♦")
    assert offer.changes == (
        "Trick 1: Ana instead of Bea.",
        "Trick 3: still open instead of Bea.",
        "Hand 1: Ana instead of Bea.",
        "Score: Ana 1 point; Bea 0 points.",
    )


def test_C_11_a_spoiled_trick_is_told() -> None:
    offer = labelled(Page(LT_ACE, HAND).tap("0 play 9H"), "Ana plays K♥")
    assert offer.changes[0] == "Trick 1: spoiled instead of Bea."


def test_many_events_that_fall_away_are_counted() -> None:
    page = Page(LT_ACE, HAND + ", 1 deal 3, 0 play KS, 1 play 9H")
    remove = page.tap("0 deal 3", Kind.REMOVE)[0]
    assert len(remove.left_out) == 9
    assert remove.falls_away[6:] == ("Bea deals 3 cards", "Ana plays K♠", "1 more event")
    assert remove.changes[0] == "Hand 1: not dealt instead of Bea."


def test_events_of_a_hand_whose_opening_falls_away_are_told_where_they_go_astray() -> None:
    texts = "award 0 11, award 1 11, 0 deal 3, 1 play KS, 0 play 9H, 1 play 8C, 0 play 7D"
    page = Page(LT_ACE, texts + ", 1 deal 3, 0 play QS", best_of=3)
    offer = labelled(page.tap("0 play 7D"), "Ana plays A♦")
    assert offer.falls_away == ("Bea deals 3 cards",)
    assert offer.changes == (
        "Now in a different hand: Ana plays Q♠.",
        "Trick 2: Ana instead of Bea.",
        "Hand 1: still open instead of Bea.",
        "Score: Ana 11 points; Bea 11 points.",
        "Games: 0 to 0.",
        "The game goes on.",
    )


# --- another seat, out, undo ---


@pytest.mark.parametrize(
    ("game", "seats", "texts", "labels"),
    [
        (TRUT, 4, "0 deal 3, 2 trut", ["Ana truts", "Bea truts", "Dani truts"]),
        (LT_ACE, 4, "0 deal 3, 1 raise 2, 0 accept", ["Carles accepts"]),
        (LT_ACE, 2, "0 deal 3, 1 play KS", []),
        (TRUC, 4, "1 cut, 0 deal 3, 3 truc, 2 accept", []),
        (TRUC, 4, "1 cut, 0 deal 3, 3 play 4S, 3 truc", ["Carles calls truc"]),
    ],
)
def test_an_event_is_given_to_another_seat_where_the_rules_allow_it(
    game: str, seats: int, texts: str, labels: list[str]
) -> None:
    page = Page(game, texts, seats)
    tapped = texts.split(",")[-1].strip()
    assert [offer.label for offer in page.tap(tapped, Kind.SEAT)] == labels


def test_it_was_not_me_finds_the_latest_event_of_the_seat_in_this_hand() -> None:
    page = Page(TRUT, "0 deal 3, 1 trut, 2 see, 1 play KS", 4)
    mine = latest_of_seat(page.match, page.events, 2, "en")
    assert mine is not None
    found, offers = mine
    assert found.words == "Carles sees"
    remove = next(offer for offer in offers if offer.kind is Kind.REMOVE)
    assert remove.falls_away == ("Bea plays K♠",)
    assert latest_of_seat(page.match, page.events, 3, "en") is None


def test_undoing_the_last_event_is_not_offered_beside_removing_it() -> None:
    page = Page(LT_ACE, HAND)
    kinds = [[offer.kind for offer in repairs(page.match, page.events, seq, "en")]
             for seq in (len(page.events) - 1, len(page.events))]  # fmt: skip
    assert all(found.count(Kind.REMOVE) == 1 for found in kinds)
    assert [found.count(Kind.UNDO) for found in kinds] == [1, 0]


def test_undo_to_a_place_is_one_correction_that_is_taken_back_too() -> None:
    page = Page(LT_ACE, HAND)
    offer = page.tap("1 play 8C", Kind.UNDO)[0]
    assert offer.label == "Undo everything from here on: Bea plays 8♣"
    assert bare(list(offer.left_out)) == said(HAND)[3:]
    assert offer.changes[-1] == "Score: Ana 0 points; Bea 0 points."
    made = page.make(offer)
    assert {e.do for e in made.events} == {"undo"}
    assert page.stands == said(HAND)[:3]
    back = take_back_latest(page.match, page.events, "en")
    assert back is not None
    assert back.changes[0] == ("Restored: Bea plays 8♣, Ana plays A♦, Ana plays J♦, Bea plays Q♣.")
    page.make(back)
    assert page.stands == said(HAND)


LAST_POINT = "award 0 11, award 1 11, 0 deal 3, 1 play KS, 0 play 9H, 1 play 8C, 0 play 7D"


@pytest.mark.parametrize(
    ("texts", "best_of", "words"),
    [
        (HAND, 1, ["Hand 1: still open instead of Bea."]),
        (LAST_POINT, 3, ["Games: 0 to 0.", "The game goes on."]),
        (LAST_POINT, 1, ["The game goes on.", "The match goes on."]),
        (HAND.rpartition(",")[0] + ", end_match", 3, ["The match goes on."]),
    ],
)
def test_the_latest_event_is_undone_across_the_end_of_a_hand_a_game_and_a_match(
    texts: str, best_of: int, words: list[str]
) -> None:
    page = Page(LT_ACE, texts, best_of=best_of)
    offer = undo_last(page.match, page.events, "en")
    assert offer is not None
    assert offer.label == f"Undo: {offer.falls_away[0]}"
    assert set(words) <= set(offer.changes)
    page.make(offer)
    assert page.match.in_progress
    assert page.stands == said(texts)[:-1]


def test_a_game_of_a_later_hand_is_undone_with_it() -> None:
    page = Page(LT_ACE, LAST_POINT + ", 1 deal 3, 0 play KS", best_of=3)
    page.make(page.tap("0 play 9H", Kind.UNDO)[0])
    assert page.match.games_won == (0, 0)
    assert page.stands == said(LAST_POINT)[:4]


def test_nothing_stands_and_nothing_is_undone() -> None:
    page = Page(LT_ACE, "")
    assert undo_last(page.match, page.events, "en") is None
    assert take_back_latest(page.match, page.events, "en") is None


def test_taking_back_says_what_goes_and_what_returns_and_is_taken_back_itself() -> None:
    page = Page(LT_ACE, HAND)
    page.make(labelled(page.tap("1 play QC"), "Bea plays 10♣"))
    back = take_back_latest(page.match, page.events, "en")
    assert back is not None
    assert back.changes == (
        "Restored: Bea plays Q♣.",
        "Removed again: Bea plays 10♣.",
        "Trick 3: Bea instead of Ana.",
        "Hand 1: Bea instead of Ana.",
        "Score: Ana 0 points; Bea 1 point.",
    )
    page.make(back)
    again = take_back_latest(page.match, page.events, "en")
    assert again is not None
    page.make(again)
    assert page.stands[-1] == event("1 play 10C")


def test_a_correction_of_which_nothing_stands_is_passed_over() -> None:
    page = Page(LT_ACE, HAND)
    page.make(labelled(page.tap("1 play KS"), "Bea plays Q♠"))
    page.make(page.gap(None)[0])  # the next deal
    page.events += said("undo")
    back = take_back_latest(page.match, page.events, "en")
    assert back is not None
    assert back.changes[:2] == ("Restored: Bea plays K♠.", "Removed again: Bea plays Q♠.")


def test_V_21_what_was_before_a_substitute_is_offered_under_the_name_of_then() -> None:
    page = Page(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H, 0 player Eva, 1 play 8C, 0 play JD")
    (offer,) = page.tap("0 play 9H", Kind.REMOVE)
    assert offer.label == "Remove: Ana plays 9♥"
    (offer,) = page.tap("0 play JD", Kind.REMOVE)
    assert offer.label == "Remove: Eva plays J♦"
    assert offer.changes == ("Trick 2: still open instead of Eva.",)
