"""A deal that the camera did not see is found by what people do in the hand."""

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import legal_events
from tests.scorekeeper.talk import NAMES
from tests.vision.tabletop import BEFORE, Tabletop
from vision.watched_table import ListLog

FOUR_OVER = ("trut", 4, "0 deal 3", "1 trut", "2 lie_down", "0 lie_down")  # seat 1 deals, 2 leads
TWO_OVER = ("trut", 2, "0 deal 3", "1 trut", "0 lie_down")  # seat 1 deals, and seat 0 leads


def test_a_trick_of_a_hand_whose_deal_nobody_has_seen_is_asked_about():
    table = Tabletop(*TWO_OVER)
    table.run(3)
    table.put("8H", 1)
    table.run(1.5)
    table.put("KS", 0)
    table.run(3)
    assert table.asked() == ["deal"]
    assert table.answer("1 deal 3") == ["1 deal 3"]
    assert table.run(1) == ["0 play KS", "1 play 8H"]


@pytest.mark.parametrize(
    ("said", "seats", "written", "asked"),
    [
        (TWO_OVER, (0, 1), ["1 deal 3", "0 play KS", "1 play 8H"], []),
        (TWO_OVER, (1, 0), [], ["deal"]),
        (("trut", 2), (1, 0), [], []),
    ],
    ids=["in turn", "out of turn", "before the first hand, perhaps cut for the deal"],
)
def test_cards_that_are_laid_in_turn_tell_that_their_hand_was_dealt(said, seats, written, asked):
    table = Tabletop(*said)
    table.run(3)
    events = []
    for card, seat in zip(("KS", "8H"), seats, strict=True):
        table.put(card, seat)
        events += table.run(1.5)
    assert (events + table.run(1), table.asked()) == (written, asked)


@pytest.mark.parametrize(
    ("reaches", "at", "written"),
    [
        ({2}, (-3, 2), ["1 deal 3", "2 play KS", "3 play 8H"]),
        ({1, 2}, (-3, 2), []),
        ({2}, (1, -24), []),
    ],
    ids=["in the middle", "the first one's owner is not clear", "before another seat"],
)
def test_of_cards_in_turn_only_the_first_has_to_be_clearly_of_its_seat(reaches, at, written):
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    table.reaching = frozenset(reaches)
    table.put("KS", at=(3, 2))
    table.run(0.5)
    table.reaching = frozenset()
    table.run(1.8)
    table.put("8H", at=at)
    assert table.run(1.2) == written


def test_cards_in_turn_are_no_hand_while_the_pack_lies_untouched():
    """They may be leftovers that people show: nobody has dealt."""
    table = Tabletop("trut", 2, "0 deal 3", "1 trut")
    table.put("back", at=(15, 20))
    table.run(1)
    table.say("0 lie_down")
    table.run(3)
    for card, seat in (("KS", 0), ("8H", 1)):
        table.put(card, seat)
        assert table.run(2.3) == []
    assert table.asked() == []
    table.run(10)
    assert table.asked() == ["deal"]


def test_what_one_player_shows_card_by_card_is_no_trick():
    table = Tabletop(*TWO_OVER)
    table.run(3)
    for card, x in (("KS", -8), ("8H", 0), ("9C", 8)):
        table.put(card, at=(x, -25))
        table.run(2.3)
    assert table.asked() == []


@pytest.mark.parametrize(
    ("backs", "patience"), [(True, 6), (False, 12)], ids=["backs came", "no back came"]
)
def test_of_a_lead_that_lies_there_the_table_asks_after_a_while(backs, patience):
    """Only the cards of seat 1 were seen, if any."""
    table = Tabletop(*TWO_OVER)
    table.run(3)
    if backs:
        own = [table.put("back", at=(x, -25)) for x in (-7, 0, 7)]
        table.run(1)
        table.take(*own)
        table.run(2)
    table.put("KS", 0)
    table.run(patience - 0.5)
    assert table.asked() == []
    table.run(1.5)
    assert table.asked() == ["deal"]


@pytest.mark.parametrize(
    ("said", "shown"), [(("0 deal 3", "1 trut"), 0), ((), 1)], ids=["a hand is over", "cut"]
)
def test_it_asks_later_of_a_card_beside_cards_that_nobody_dealt(said, shown):
    """The pack lies untouched, and a player laid down his hand; or people cut for the deal."""
    table = Tabletop("trut", 2, *said)
    table.put("back", at=(15, 20))
    table.run(1)
    if said:
        table.say("0 lie_down")
    table.run(3)
    table.put("back", 1 - shown)
    table.run(1)
    table.put("KS", shown)
    table.run(10)
    assert table.asked() == []
    table.run(3)
    assert table.asked() == ["deal"]


def test_when_the_match_is_over_nobody_is_asked_about_a_deal():
    log = ListLog(Header(game="trut", seats=NAMES[:2], best_of=1))
    while legal := {each.do: each for each in legal_events(log.match)}:
        word = next(each for each in ("deal", "lie_down", "trut") if each in legal)
        log.say([legal[word]], len(log.events))
    table = Tabletop("trut", 2, log=log)
    table.run(3)
    for card, seat in (("KS", 0), ("8H", 1)):
        table.put(card, seat)
        table.run(1.5)
    assert table.run(12) == []
    assert table.asked() == []


@pytest.mark.parametrize(
    ("seats", "asked", "written"),
    [
        ((1, 2, 3), ["deal"], ["1 play KS", "2 play 8H", "3 play 9C"]),
        ((2, 1, 3), [], []),
        ((1, 2), [], []),
    ],
    ids=["in turn", "out of turn, cut for the deal", "two, perhaps cut"],
)
def test_three_cards_in_turn_tell_that_the_first_hand_was_dealt(seats, asked, written):
    table = Tabletop("trut", 4)  # seat 1 leads
    table.run(3)
    for card, seat in zip(("KS", "8H", "9C"), seats, strict=False):
        table.put(card, seat)
        table.run(1.5)
    assert table.run(1) == []
    assert table.asked() == asked
    if asked:
        assert table.answer("0 deal 3") == ["0 deal 3"]
    assert table.run(1) == written


@pytest.mark.parametrize(("reaches", "asked"), [(0, ["deal"]), (1, [])], ids=["of both", "of one"])
def test_a_trick_of_a_hand_whose_deal_nobody_has_seen_may_lie_before_one_seat(reaches, asked):
    """Two cards at once before one seat are leftovers, unless different seats reached for them."""
    table = Tabletop("truc_spain", 2, "1 tap")
    table.run(3)
    table.put("7C", at=(0.5, -19))
    table.run(0.7)
    table.reaching = frozenset({reaches})
    table.put("6C", at=(-2.5, -18.5), turn=0.3)
    table.run(0.5)
    table.reaching = frozenset()
    table.run(2.5)
    assert table.asked() == asked


def test_what_is_said_only_in_a_hand_tells_that_it_was_dealt():
    table = Tabletop("trut", 2)
    table.run(3)
    table.say("1 trut")
    assert table.run(0.5) == ["0 deal 3", "1 trut"]
    deal, _ = (each for one in table.happened for each in one.proposals)
    assert deal.at == pytest.approx(table.at, abs=0.5)  # no back was seen


def half_a_trick_without_a_deal() -> Tabletop:
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    for card, seat in (("8H", 3), ("KS", 2)):  # if they were laid in turn, nobody would be asked
        table.put(card, seat)
        table.run(1.5)
    table.run(2)
    return table


def test_a_question_for_the_deal_stands_until_it_is_answered():
    table = half_a_trick_without_a_deal()
    table.take()
    table.run(5)
    assert table.asked() == ["deal"]


@pytest.mark.parametrize("gathered", [True, False])
def test_v_13_a_hand_whose_deal_nobody_has_seen_is_caught_up_with(gathered):
    """Its cards are written even if they were taken away before somebody answered (V-5)."""
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    for seat, card in ((3, "8H"), (2, "KS"), (0, "9D"), (1, "QC")):
        table.put(card, seat)
        table.run(1.0)
    if gathered:
        table.take()
        table.run(2)
    assert table.answer("1 deal 3") == ["1 deal 3"]
    assert table.run(1) == ["2 play KS", "3 play 8H", "0 play 9D", "1 play QC"]


def test_cards_from_before_the_deal_are_ignored_once_people_deny_a_deal():
    table = half_a_trick_without_a_deal()
    assert table.answer("no") == []
    table.run(5)
    assert table.asked() == []
    table.take()
    table.run(3)
    assert table.deal() == ["1 deal 3"]
    assert table.run(2) == []


@pytest.mark.parametrize(
    ("said", "cards", "written", "asked"),
    [
        (("trut", 2), 3, ["0 deal 3"], []),
        (("trut", 2), 2, [], ["deal"]),
        (TWO_OVER, 3, ["1 deal 3"], []),
    ],
    ids=["the first deal", "two cards of three", "the second deal"],
)
def test_cards_were_dealt_before_the_watching_began(said, cards, written, asked):
    table = Tabletop(*said)
    for seat, (x, y) in enumerate(BEFORE[2]):
        for number in range(cards):
            table.put("back", at=(x + 7 * number - 7, y + seat))
    table.restart()
    assert table.run(4) == written
    assert table.asked() == asked


def test_v_14_backs_that_are_hardly_read_are_no_trick_while_cards_are_dealt():
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    for card, at in (("KS", (-33, 0)), ("9D", (0, -30))):
        table.put("back", at=at, **{"back": 0.7, card: 0.29})
        table.run(0.3)
    assert table.run(6) == []
    assert table.asked() == []
