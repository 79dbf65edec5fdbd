"""The belief keeps the rules V-1 to V-13; each test bears the number of its rule."""

import pytest

from scorekeeper.engine.match import can
from scorekeeper.errors import LedgerError
from tests.scorekeeper.playouts import HEADERS
from tests.vision.tabletop import Tabletop
from vision.belief.context import RefereeContext
from vision.belief.likelihoods import USUAL, Side

DEALT = ("0 deal 3",)
FOUR = ("trut", 4, *DEALT)  # seat 1 leads
TWO = ("trut", 2, *DEALT)


def test_a_card_before_the_seat_that_is_due_is_played_and_says_why():
    table = Tabletop(*FOUR)
    table.put("KS", 1)
    assert table.run() == ["1 play KS"]
    (proposal,) = [p for each in table.happened for p in each.proposals]
    assert "seat 1 is due" in proposal.why
    usual = USUAL.right[Side.OWN]  # the share of such plays that are right
    assert 0.99 * usual < proposal.chance <= usual


@pytest.mark.parametrize("place", [(0, 0), (6, -4), (-30, 22.0)])
def test_v_1_the_middle_and_the_border_belong_to_whoever_is_due(place):
    table = Tabletop(*FOUR)
    table.put("KS", at=place)
    assert table.run() == ["1 play KS"]


def test_v_1_a_card_thrown_onto_one_that_was_laid_belongs_to_whoever_is_due():
    table = Tabletop(*FOUR)
    table.put("KS", at=(-28, 0))
    table.run(1)
    table.put("QS", at=(-25, 2))
    assert table.run() == ["2 play QS"]


def test_v_2_a_card_counts_once_a_hand():
    table = Tabletop(*FOUR)
    table.put("KS", at=(0, 1))
    table.run()
    table.cards["KS"][1] = 9  # pushed
    assert table.run(2) == []
    table.take()
    table.run(2)
    table.put("KS", at=(9, 1))  # it comes back where it was
    assert table.run(3) == []
    assert table.asked() == []


def test_v_3_between_two_hands_no_card_is_played():
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    for card in ("KS", "QS", "8D"):
        table.put(card, 1)
    assert table.run(4) == []
    assert table.asked() == []
    table.by_hand("1 deal 3")
    table.put("AD", 0)
    assert table.run(2) == ["0 play AD"]  # what lay there belongs to no hand


def test_v_4_a_card_waits_for_the_answer_and_is_offered_then():
    table = Tabletop("le_truc_ace", 2, *DEALT, "1 raise 2")
    table.put("KS", 1)
    assert table.run(2) == []
    table.say("0 accept")
    assert table.run(0.2) == ["0 accept", "1 play KS"]


def test_v_4_a_card_that_waits_is_dropped_with_the_hand():
    table = Tabletop("le_truc_ace", 2, *DEALT, "1 raise 2")
    table.put("KS", 1)
    table.run(2)
    table.say("0 reject")
    assert table.run(3) == ["0 reject"]


def test_ts_13_a_card_of_the_answerer_accepts():
    table = Tabletop("truc_spain", 2, "1 cut", "0 deal 3", "1 truc")
    table.put("KS", 1)
    assert table.run() == ["1 play KS"]
    table.put("2S", 0)
    table.run()
    assert table.log.match.hand.value == 2


def test_v_5_a_card_that_was_laid_stays_laid_when_it_is_taken_up():
    table = Tabletop(*FOUR)
    table.put("KS", 1)
    table.run()
    table.take()
    assert table.run(2) == []
    assert [str(one.card) for one in table.log.match.hand.tricks[0].plays] == ["KS"]


def test_v_7_a_card_shown_in_dealing_is_no_lead_and_misdeal_is_offered(monkeypatch):
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    table.run(2)
    for place in [(0, 30), (0, -30)]:
        table.put("back", at=place)
        table.run(0.4)
    table.put("AS", at=(4, 28))
    written = table.run(0.4)
    table.put("back", at=(4, -30))
    written += table.run(4)
    assert written == ["1 deal 3"]
    assert "exposed V-7" in table.hints()
    assert table.run(18) == []
    assert table.asked() == ["exposed"]  # and not what it is, too
    with monkeypatch.context() as patch:
        patch.setattr(table.log, "say", full_disk)
        with pytest.raises(LedgerError):
            table.answer("misdeal")
    table.run(0.1)
    assert table.answer("misdeal") == ["misdeal"]  # what could not be written is asked again


def full_disk(events: object, seen: int) -> None:
    raise LedgerError("The disk is full.")


def test_v_7_a_card_that_is_taken_up_again_is_not_asked_about():
    table = Tabletop(*TWO, "1 trut", "0 lie_down")
    table.run(2)
    for place in [(0, 30), (0, -30)]:
        table.put("back", at=place)
        table.run(0.4)
    shown = table.put("AS", at=(4, 28))
    table.run(0.4)
    table.put("back", at=(4, -30))
    table.run(4)
    table.take(shown)
    table.run(5)
    assert sum(len(each.asked) for each in table.happened) == 0


def test_v_1_a_card_in_the_middle_belongs_to_the_seat_that_threw_it():
    table = Tabletop(*FOUR)
    table.throw("KS", (40, 2), (4, 2))  # seat 3 throws, and seat 1 is due
    assert table.run(3) == []
    assert table.asked() == ["early"]
    assert table.table.questions[0].seat == 3
    assert table.answer("hold") == []
    table.put("QS", 1)
    table.put("JS", 2)
    assert table.run(1) == ["1 play QS", "2 play JS", "3 play KS"]


def test_v_1_a_card_belongs_to_the_seat_that_threw_it_wherever_it_lies():
    table = Tabletop(*FOUR)
    table.throw("KS", (-45, 2), (4, 22))  # seat 1 throws, and it lies before seat 0
    assert table.run() == ["1 play KS"]


def test_v_1_a_card_thrown_onto_another_stays_so_when_that_one_is_taken_away():
    table = Tabletop(*FOUR)
    lower = table.put("KS", at=(-28, 0))
    table.run(1)
    table.put("QS", at=(-25, 2), QS=0.5, JS=0.45)
    table.run()
    table.take(lower)
    table.run(4)
    assert table.asked() == ["card"]
    assert table.answer("2 play QS") == ["2 play QS"]


def test_v_1_one_flight_explains_only_one_card():
    table = Tabletop(*FOUR)
    under = table.put("9D", at=(-4, 5))
    table.unseen.add(under)  # a hand covers it
    table.throw("AS", (0, 38), (-1, 5))  # seat 0 throws, and seat 1 is due
    table.run(0.3)
    table.unseen.clear()
    assert table.run(0.6) == ["1 play 9D"]


def test_v_1_nothing_is_thrown_onto_a_trick_that_was_taken_away():
    table = Tabletop(*TWO)
    table.throw("KS", (0, -38), (0, 22))
    assert table.run() == ["1 play KS"]
    table.put("QS", 0)
    assert table.run() == ["0 play QS"]
    table.take()
    table.run(1.4)
    assert len(table.table.cards) == 2  # they are missed, and may lie under a hand
    table.put("9D", at=(0, 20))  # of seat 0, and seat 1 is due
    assert table.run(1) == []


def test_v_2_a_card_that_was_seen_to_come_is_not_the_one_that_lay_there_before():
    table = Tabletop(*TWO)
    first = table.put("KC", 1, KS=0.6, KC=0.4)
    table.run()
    x, y = table.cards[first][1:3]
    table.put("QS", 0)
    table.run()
    table.take()
    table.run(3)
    table.throw("KS", (x + 1.5, -45), (x + 1.5, y))
    assert "1 play KS" in table.run()


def test_v_13_a_card_that_is_read_as_the_one_below_it_is_no_second_outline_of_that():
    table = Tabletop(*FOUR)
    table.put("KS", at=(-28, 0), KS=0.999)
    table.run()
    table.throw("QS", (-26, -40), (-26, -1), KS=0.7, QS=0.25)
    table.run(0.3)
    table.cards["QS"][4] = {"QS": 0.999}
    assert table.run(2) == ["2 play QS"]


def test_v_8_a_card_of_another_pack_gives_a_hint_and_is_never_played():
    table = Tabletop(*TWO)
    table.put("2H", 1)
    assert table.run(3) == []
    assert table.hints() == ["wrong_pack C-9"]


def test_v_9_cards_seen_in_another_order_are_played_in_the_order_of_the_seats():
    table = Tabletop(*FOUR)
    late = table.put("KS", 1)
    table.unseen.add(late)
    table.put("QS", 2)
    assert table.run(1) == []
    table.unseen.clear()
    assert table.run(1) == ["1 play KS", "2 play QS"]
    assert table.asked() == []


def test_v_11_a_play_entered_by_hand_is_the_card_that_lies_there():
    table = Tabletop(*FOUR)
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(0.2)
    table.by_hand("1 play JS")
    assert table.run(4) == []
    assert table.asked() == []


def test_v_11_a_play_taken_back_is_not_proposed_again_while_its_card_lies_there():
    table = Tabletop(*FOUR)
    table.put("KS", 1)
    table.run()
    table.by_hand("undo")
    assert table.run(4) == []
    table.take()
    table.run(2)
    table.put("KS", 1)
    assert table.run() == ["1 play KS"]


def test_v_11_a_corrected_card_stays_bound():
    table = Tabletop(*FOUR)
    table.put("KS", 1)
    table.run()
    table.by_hand("undo", "1 play JS")
    assert table.run(3) == []
    assert table.asked() == []
    table.put("QS", 2)
    assert table.run() == ["2 play QS"]


def test_v_11_after_a_restart_the_cards_are_bound_to_the_written_plays():
    table = Tabletop(*FOUR, "1 play KS", "2 play QS")
    table.put("KS", 1)
    table.put("QS", 2)
    assert table.run(2) == []
    table.put("7D", 3)
    assert table.run() == ["3 play 7D"]


def test_v_11_cards_laid_after_a_restart_are_not_bound_to_earlier_plays():
    table = Tabletop(
        "le_truc_ace", 2, "0 deal 3", "1 play KS", "0 play 7D", "1 play 8S", "0 play QD"
    )
    table.run(3)
    table.put("JH", 0)
    assert table.run(1) == ["0 play JH"]


def test_v_11_an_end_that_was_undone_leaves_the_cards_bound():
    table = Tabletop("truc_spain", 2, "1 tap", "0 deal 1")
    table.put("KS", 1)
    table.put("QS", 0)
    assert table.run(1) == ["1 play KS", "0 play QS"]
    table.by_hand("undo")
    assert table.run(3) == []


def test_v_2_a_card_whose_suit_was_guessed_and_that_is_seen_elsewhere_while_covered_is_the_same():
    table = Tabletop(*FOUR)
    laid = table.put("QC", 1, QC=0.9, QS=0.1)
    assert table.run(1) == ["1 play QC"]
    assert table.log.events[-1].remarks["_suit"] == "guessed"
    table.put("9D", 2)
    assert table.run(1) == ["2 play 9D"]
    table.covered = lambda points: points[:, 0] < 600  # a sleeve lies over that side
    table.unseen.add(laid)
    table.run(3)
    table.put("QC", 3, QC=0.999)
    assert table.run(3) == []
    assert table.asked() == []


def test_v_2_a_card_that_looks_like_one_on_the_table_is_asked_about():
    table = Tabletop(*FOUR)
    table.put("KS", 1)
    table.run(1)
    table.put("QD", 2, KS=0.995, QD=0.0002)
    assert table.run(3) == []
    assert table.asked() == ["card"]


def test_v_12_a_suit_in_doubt_is_guessed_and_never_asked_about():
    table = Tabletop(*FOUR)
    table.put("KS", 1, KS=0.5, KC=0.49)
    assert table.run() == ["1 play KS"]
    assert table.log.events[-1].remarks["_suit"] == "guessed"
    table.put("KC", 2, KC=0.005, KS=0.99)  # the suits of both are misread
    assert table.run(1)[-1] == "2 play KS"
    plays = table.log.match.hand.tricks[0].plays
    assert {str(one.card) for one in plays} & {"KS"} == {"KS"}
    assert len({str(one.card) for one in plays}) == 2
    assert table.asked() == []


def test_v_13_a_card_that_cannot_be_recognized_is_asked_about():
    table = Tabletop(*FOUR)
    table.put("KS", 1, KS=0.5, JS=0.45)
    assert table.run(1.2) == []
    assert table.run(2) == []
    assert table.asked() == ["card"]
    assert table.answer("1 play JS") == ["1 play JS"]
    assert table.run(2) == []


def test_v_13_a_card_that_looks_like_others_may_be_any_that_is_left():
    table = Tabletop(*FOUR)
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(3)
    (question,) = table.table.questions
    ranks = [choice.event.card.rank for choice in question.choices if choice.event]
    assert ranks[:2] == ["K", "J"]
    left = {name[:-1] for name in RefereeContext(table.log.match, 0).possible}
    assert sorted(ranks) == sorted(left)
    (seven,) = [str(c.event.card) for c in question.choices if c.event and c.event.card.rank == "7"]
    assert table.answer(f"1 play {seven}") == [f"1 play {seven}"]


def test_v_13_a_card_that_is_gone_before_it_was_recognized_is_asked_about():
    table = Tabletop(*FOUR)
    card = table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(0.9)
    table.take(card)
    table.run(1.5)
    assert table.asked() == ["card"]
    table.put("QS", 2)
    assert table.run(2) == []
    assert table.answer("1 play JS") == ["1 play JS"]
    assert table.run(0.2) == ["2 play QS"]


def test_v_13_a_card_that_comes_back_while_it_is_asked_about_is_one_card():
    table = Tabletop(*FOUR)
    card = table.put("KS", at=(-28, 0), KS=0.5, JS=0.45)
    table.run(0.9)
    table.take(card)
    table.run(1.5)
    table.put("KS", at=(-28, 0))
    assert table.run(2) == ["1 play KS"]
    assert table.asked() == []


def test_a_question_is_withdrawn_by_a_clear_view():
    table = Tabletop(*FOUR)
    card = table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(3)
    table.cards[card][4] = {"KS": 0.999}
    assert table.run(6) == ["1 play KS"]
    assert sum(len(each.withdrawn) for each in table.happened) == 1


def test_a_card_waits_until_the_card_before_it_is_recognized():
    table = Tabletop(*FOUR)
    table.put("KS", at=(0, 0), KS=0.5, JS=0.45)
    table.run(0.5)
    table.put("QS", at=(8, 2))
    assert table.run(3) == []
    table.answer("1 play KS")
    assert table.run(1) == ["2 play QS"]


def test_backs_laid_down_while_an_offer_waits_ask_whether_that_means_no():
    table = Tabletop("le_truc_ace", 2, *DEALT, "1 raise 2")
    table.run(0.2)
    table.put("back", 0)
    assert table.run(3) == []
    assert table.asked() == ["reject"]
    assert table.answer("0 reject") == ["0 reject"]


def test_a_word_waits_for_the_card_before_it():
    table = Tabletop("le_truc_ace", 2, *DEALT)
    table.put("KS", 1)
    table.run(0.1)
    table.say("0 raise 2")
    assert table.run(1) == ["1 play KS", "0 raise to 2"]


def test_a_word_against_the_rules_is_refused_in_the_end():
    table = Tabletop(*TWO)
    table.say("0 retrut")  # a player does not raise his own trut
    table.say("0 see")
    table.by_hand("0 trut")
    assert table.run(8) == []
    assert table.hints() == ["refused format"] * 2


@pytest.mark.parametrize("header", HEADERS, ids=lambda h: f"{h.game}-{len(h.seats)}")
def test_what_is_expected_follows_from_what_is_legal(header):
    table = Tabletop(header.game, len(header.seats))
    expected = RefereeContext(table.log.match, 0)
    assert len(expected.pack) in (table.log.match.rules.pack_size, 80)
    for words, deal in expected.deals:
        assert words or can(table.log.match, deal)
    assert not expected.due


HARDLY_READ = {"KS": 0.4, "JS": 0.3, "QS": 0.3}


@pytest.mark.parametrize("back", [False, True], ids=["alone", "a second outline looks like a back"])
def test_v_1_a_card_thrown_onto_one_that_is_hardly_read_is_not_taken_for_that(back):
    table = Tabletop("trut", 2, "0 deal 3")  # seat 1 leads
    table.put("KS", at=(8, -17), **HARDLY_READ)
    assert table.run(1.2) == []
    if back:
        table.put("back", at=(6, -19))
    table.put("8H", at=(9, -20.5))
    assert table.run(1) == []
    assert table.run(1.5) == []
    assert table.asked() == ["card"]
    assert table.answer("1 play KS") == ["1 play KS"]
    assert table.run(1) == ["0 play 8H"]
