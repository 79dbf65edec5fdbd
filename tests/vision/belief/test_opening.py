"""A deal is found by an empty table and by the backs that then come before the seats."""

import pytest

from tests.vision.tabletop import BEFORE, Tabletop, told

DEALT = ("0 deal 3",)
FOUR = ("trut", 4, *DEALT)  # seat 1 leads
TWO = ("trut", 2, *DEALT)
FOUR_OVER = (*FOUR, "1 trut", "2 lie_down", "0 lie_down")  # seat 1 deals, and seat 2 leads


def test_a_hand_is_opened_after_the_table_was_empty_and_backs_lie_before_the_seats():
    table = Tabletop(*FOUR, "1 trut", "2 lie_down", "0 lie_down")
    table.run(2)
    assert table.deal() == ["1 deal 3"]


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((-8, 0, 8), []),
        ((-8, 0), ["too_few_backs V-6"]),
        ((-12, -4, 4, 12), ["too_many_backs V-6"]),
        ((-3, 0), []),  # one more card may lie in the heap
        ((-6, 0), []),  # one more may lie between two that touch
        ((-3, -1, 1, 3), []),  # one card may have two outlines
    ],
    ids=["right", "one too few", "one too many", "a heap of two", "a fan of two", "a heap of four"],
)
def test_v_6_backs_are_counted_where_they_lie_apart(places, told):
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    table.run(2)
    dealer = table.log.match.dealer
    for x in (-8, 0, 8):
        table.put("back", at=(x, 20 if dealer == 0 else -20), turn=0.0)
        table.run(0.3)
    for x in places:
        table.put("back", at=(x, -20 if dealer == 0 else 20), turn=0.0)
        table.run(0.3)
    table.run(3)
    assert table.hints() == told


def test_v_7_cards_of_a_trick_that_is_kept_face_down_were_not_shown_in_dealing():
    table = Tabletop("trut", 2)
    table.run(2)
    assert table.deal(2) == ["0 deal 3"]  # one back of each was not seen
    table.put("KS", 1, KS=0.5, QS=0.45)
    table.run(1)
    table.put("8H", 0)
    table.run(2)
    table.take()
    table.put("back", at=(12, 30))
    table.run(3)
    assert table.asked() == ["card"]


def test_leftovers_that_are_cleared_one_by_one_are_no_lead():
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    table.run(2)
    table.put("back", at=(0, -25))
    table.run(0.4)
    first, *rest = [table.put(card, at=(x, 25)) for card, x in (("JD", -9), ("JC", 0), ("7H", 9))]
    table.run(7)
    table.take(*rest)
    table.run(0.5)
    table.take(first)
    table.run(4)
    assert sum(len(each.asked) for each in table.happened) == 0


@pytest.mark.parametrize("size", [1, 3])
def test_ts_3_after_a_tap_the_size_of_the_deal_is_counted(size):
    table = Tabletop("truc_spain", 4)
    table.run(2)
    table.say(f"{table.log.match.cutter} tap")
    table.run(0.3)
    assert table.deal(size) == [f"0 deal {size}"]
    assert table.log.match.hand.size == size


def test_v_3_a_card_that_was_taken_away_before_the_deal_is_none_of_the_hand():
    table = Tabletop("trut", 2)
    table.run(2)
    table.put("back", at=(30, 0))
    table.run(1)
    table.put("KS", 1)
    table.run(2)
    table.take()
    table.run(2)
    assert table.deal() == ["0 deal 3"]
    assert table.run(2) == []


def test_v_3_leftovers_shown_with_others_face_down_are_none_of_the_next_hand():
    table = Tabletop(*FOUR_OVER)
    table.run(2)
    for seat, card in ((0, "back"), (1, "back"), (2, "KS")):
        table.put(card, seat)
        table.run(1)
    table.run(1)
    table.take()
    table.run(2)
    assert table.deal() == ["1 deal 3"]
    assert table.run(2) == []


def test_a_card_that_lies_alone_before_another_seat_than_the_leader_is_asked_about():
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    table.put("KS", 3)
    table.run(8)
    assert table.asked() == []
    table.run(6)
    assert table.asked() == ["deal"]


def test_v_3_tricks_that_lie_there_when_the_watching_begins_anew_are_asked_about():
    table = Tabletop("le_truc_ace", 2)
    for y in (25, -25):
        table.put("back", at=(0, y))
    table.restart()
    assert table.run(5) == []
    assert table.asked() == ["deal"]


def test_leftovers_of_several_seats_are_no_trick():
    table = Tabletop("trut", 4)
    table.run(3)
    for seat, cards in ((1, ("KS", "8H")), (2, ("9D", "QC"))):
        x, y = ((-28, 0), (0, -25))[seat - 1]
        for number, card in enumerate(cards):
            table.put(card, at=(x + 4 * number, y))
        table.run(1.5)
    table.run(20)
    assert table.asked() == []


@pytest.mark.parametrize(
    ("game", "said", "fan", "written", "asked"),
    [
        ("trut", (), 0, ["0 deal 3"], []),
        ("truc_spain", ("1 tap",), 0, [], ["deal"]),
        ("truc_spain", ("1 tap",), 5, ["0 deal 3"], []),
    ],
    ids=["one size", "two sizes", "two sizes, and more than one card"],
)
def test_backs_in_heaps_that_nobody_can_tell_apart_open_a_hand(game, said, fan, written, asked):
    table = Tabletop(game, 4, *said)
    table.run(2)
    heaps = [(seat, table.put("back", seat, turn=0.0)) for seat in range(4)]
    upper = table.put("back", 2, turn=0.0) if fan else None
    events = []
    for step in range(70):  # the finder outlines one part of each heap, then another
        for seat, name in [*heaps, (2, upper)] if upper else heaps:
            x, y = ((0, 25), (-28, 0), (0, -25), (28, 0))[seat]
            x += fan if name == upper else 0
            table.cards[name][1:4] = [x + 3 * (step % 2) - 1.5, y, 0.7 * (step % 2)]
        table.run(0.05)
        events += [told(event) for event in table.happened[-1].events]
    assert not any(table.table.tracker.backs(table.table.plane).values())
    assert events == written
    assert table.asked() == asked


@pytest.mark.parametrize("before", [True, False], ids=["from the beginning", "since the hand"])
def test_a_card_that_nobody_takes_away_does_not_delay_the_next_hand(before):
    table = Tabletop(*FOUR)
    if before:
        table.put("9C", at=(35, 30))
    table.run(2)
    table.put("KS", 1)
    table.run(1)
    if not before:
        table.put("9C", at=(35, 30))
        table.run(1)
    table.by_hand("2 trut", "3 lie_down", "1 lie_down")
    table.take("KS")
    table.run(9)
    assert table.deal() == ["1 deal 3"]


@pytest.mark.parametrize(
    ("seats", "backs", "leads", "written"),
    [
        (4, (0, 1, 2), True, ["0 deal 3", "1 play KS"]),
        (4, (0, 1, 2), False, []),
        (4, (0, 1), True, []),
        (2, (0,), True, []),
    ],
    ids=["all but one, and the lead", "no lead", "two of four", "one of two"],
)
def test_where_the_leader_leads_the_backs_of_one_may_have_been_overlooked(
    seats, backs, leads, written
):
    table = Tabletop("trut", seats)
    table.run(2)
    for seat in backs:
        table.put("back", seat)
    table.run(2)
    table.take()
    table.run(1)
    if leads:
        table.put("KS", 1)
    assert table.run(3) == written


def test_leftovers_that_were_shown_and_taken_do_not_hide_the_lead_of_the_next_hand():
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    for seat, cards in ((3, ("JD", "8S")), (0, ("AC", "9H"))):
        for x, card in enumerate(cards):
            left, top = BEFORE[4][seat]
            table.put(card, at=(left + 8 * x, top))
            table.run(0.4)
    table.run(2)
    table.take()
    table.run(1)
    for seat in (0, 2, 3):
        table.put("back", seat)
    table.run(2)
    table.take()
    table.run(1)
    table.put("KS", 2)
    assert table.run(3) == ["1 deal 3", "2 play KS"]


def test_a_pack_that_is_taken_for_a_joker_is_no_card_of_the_hand():
    table = Tabletop(*FOUR_OVER)
    table.run(2)
    table.put("XJ", at=(15, 30))
    for card, seat in (("KS", 2), ("8H", 3)):
        table.run(1.5)
        table.put(card, seat)
    table.run(3)
    table.answer("1 deal 3")
    table.run(4)
    assert [event.in_words() for event in table.log.events[5:]] == ["play KS", "play 8H"]
    assert (table.asked(), table.hints()) == ([], [])


@pytest.mark.parametrize("game", ["le_truc_ace", "truc_spain"])
def test_lb_2_the_cards_cut_for_the_first_deal_are_no_trick_and_no_play(game):
    table = Tabletop(game, 4)
    table.put("back", at=(0, 0))  # the pack that is cut
    table.run(1)
    for seat, card in enumerate(("QS", "JH", "KC", "AD")):
        table.put(card, seat)
        table.run(0.8)
    table.run(4)
    table.take()
    table.run(2)
    if game == "truc_spain":
        table.say(f"{table.log.match.cutter} cut")
    assert table.deal()[-1:] == ["0 deal 3"]
    leader = table.log.match.first_leader
    table.put("7S", leader)
    assert table.run(1) == [f"{leader} play 7S"]
    assert not any(each.asked for each in table.happened)


def test_cards_that_were_taken_up_before_the_hand_was_over_are_no_pack_that_deals():
    table = Tabletop(*FOUR)
    dealt = [table.put("back", seat) for seat in (0, 2)]
    table.run(1)
    table.take(*dealt)
    table.run(0.2)
    table.by_hand("1 trut", "2 lie_down", "0 lie_down")
    table.run(1)
    for x in (-2, 2):  # thrown in
        table.put("back", at=(-28 + x, 3 * x))
        table.run(0.4)
    assert table.run(4) == []


def test_a_card_that_slides_as_it_is_dealt_is_no_heap():
    table = Tabletop("truc_spain", 4, "1 tap")
    table.run(2)
    written = []
    for seat in (3, 2, 1, 0):
        slid = table.put("back", seat)
        x = table.cards[slid][1]
        for step in range(10):  # it settles before it has come to rest
            table.cards[slid][1] = x + 1.7 * (step % 2)
            written += table.run(0.05)
        written += table.run(0.3)
    assert written + table.run(4) == ["0 deal 1"]
    assert table.asked() == []


def test_nobody_is_asked_for_a_deal_while_cards_are_dealt():
    table = Tabletop(*FOUR_OVER)
    table.run(3)
    for seat, card in ((2, "9H"), (3, "JD")):  # backs that are read badly
        table.put(card, seat)
        table.run(0.4)
    for step in range(6):
        table.put("back", at=((-28 - 5 * step, 12) if step % 2 else (5 * step, 28)))
        table.run(0.6)
    assert table.asked() == []
    table.run(2)
    assert table.asked() == ["deal"]


@pytest.mark.parametrize(
    ("taken", "asked"), [((), []), (("back",), ["deal"])], ids=["it lies there", "it is taken up"]
)
def test_nobody_is_asked_for_a_deal_while_the_pack_lies_where_it_lay(taken, asked):
    table = Tabletop(*TWO)
    table.put("back", at=(-15, -20))
    table.run(1)
    table.by_hand("1 trut", "0 lie_down")
    table.run(3)
    for name in taken:
        table.take(name)
    for seat, card in ((1, "8H"), (0, "KS")):
        table.put(card, seat)
        table.run(2)
    table.run(3)
    assert table.asked() == asked


@pytest.mark.parametrize("order", [(2, 3, 0, 1), (3, 0, 2, 1)], ids=["first", "third"])
def test_a_back_that_is_taken_for_a_face_in_dealing_is_no_lead(order):
    table = Tabletop(*FOUR_OVER)
    table.run(2)
    for seat in order:
        name = table.put("KH" if seat == 2 else "back", seat)
        assert table.run(0.6) == []
        if seat == 2:
            misread = name
    table.cards[misread][0] = "back"
    assert table.run(3) == ["1 deal 3"]
    table.take()
    table.run(2)
    table.put("8D", 2)
    assert table.run(1) == ["2 play 8D"]


@pytest.mark.parametrize(("lies", "dealt"), [(True, True), (False, False)])
def test_a_deal_is_told_by_the_pack_alone_only_where_it_lies_there_again(lies, dealt):
    table = Tabletop(*TWO)
    pack = table.put("back", at=(-15, -20))
    table.run(1)
    table.by_hand("1 trut", "0 lie_down")
    table.run(3)
    table.take(pack)
    table.run(2.5)
    again = table.put("back", at=(15, 20))
    table.run(0.5)
    if not lies:
        table.take(again)  # a sleeve was taken for a back
        table.run(0.6)
    assert bool(table.run(2)) == dealt


@pytest.mark.parametrize("wait", [0.1, 0.8, 1.5])
def test_v_7_the_pack_that_is_laid_down_after_the_lead_makes_no_misdeal_of_it(wait):
    table = Tabletop("trut", 4)
    table.run(3)
    for aside in (-3, 0, 3):
        for x, y in ((0, 30), (-33, 0), (0, -30), (33, 0)):
            table.put("back", at=(x + aside, y))
            table.run(0.3)
    written = table.run(wait)
    table.put("KS", 1, KS=0.9, JS=0.1)
    written += table.run(0.2)
    table.put("back", at=(20, 20))
    assert written + table.run(9) == ["1 play KS"]
    assert table.hints() == []
