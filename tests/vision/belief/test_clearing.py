"""V-14: the hand has ended, and nobody has tapped how, when the table is cleared or dealt anew."""

import pytest

from scorekeeper.engine.events import Event
from tests.vision.tabletop import Tabletop, told
from vision.belief.clearing import THIN
from vision.watched_table import LOOKS_AT_ONCE, MOST_AT_ONCE


def answers(table: Tabletop) -> list[str]:
    return [choice.key for choice in table.table.questions[0].choices]


def say(table: Tabletop, key: str) -> list[str]:
    """Answers the first question by the key of a choice; returns what is written then."""
    question = table.table.questions[0]
    keys = [choice.key for choice in question.choices]
    return [told(each) for each in table.table.answer(question.id, keys.index(key), table.at)]


def trick(table: Tabletop, *cards: str, leader: int = 1) -> list[str]:
    """Both players play a card, and the trick is taken away; returns what is written."""
    written = []
    for number, card in enumerate(cards):
        table.put(card, (leader + number) % 2)
        written += table.run(1.5)
    table.take(*cards)
    return written + table.run(3)


@pytest.fixture
def table() -> Tabletop:
    """A hand of Trut for two, dealt by Ana. Bea has led, and Ana has won the trick."""
    table = Tabletop("trut", 2)
    table.run(3)
    assert table.deal() == ["0 deal 3"]
    assert trick(table, "KS", "7D") == ["1 play KS", "0 play 7D"]
    return table


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("side 1", ["0 trut", "1 lie down"]),
        ("side 0", ["1 trut", "0 lie down"]),
    ],
)
def test_the_next_deal_asks_who_lay_down_and_waits(table, answer, words):
    assert table.deal() == []
    assert table.asked() == ["cleared"]
    assert answers(table) == ["side 0", "side 1", "no"]
    table.put("QS", 0)
    table.run(2)
    table.put("9S", 1)
    assert table.run(2) == []
    assert say(table, answer) == words
    assert table.run(0.1) == ["1 deal 3", "0 play QS", "1 play 9S"]
    assert table.asked() == []


def test_the_end_may_be_tapped_instead_of_answering_the_question(table):
    table.deal()
    table.put("QS", 0)
    table.run(2)
    table.by_hand("0 trut")
    assert table.run(1) == []
    assert answers(table) == ["side 0", "side 1", "no"]
    table.by_hand("1 lie_down")
    assert table.run(0.1) == ["1 deal 3", "0 play QS"]


def test_a_whole_hand_that_was_played_before_the_answer_is_written_after_it(table):
    table.deal()
    assert trick(table, "QS", "8S", leader=0) == []
    assert trick(table, "9S", "AS") == []
    table.run(2)
    assert say(table, "side 0") == ["1 trut", "0 lie down"]
    assert table.run(0.1) == ["1 deal 3", "0 play QS", "1 play 8S", "1 play 9S", "0 play AS"]


def test_no_play_is_taken_back_for_an_end_that_is_not_likelier(table):
    """The cards of the second trick might be shown after the end, but a trick is likelier."""
    assert trick(table, "JC", "QH", leader=0) == ["0 play JC", "1 play QH"]
    table.deal()
    assert say(table, "side 1") == ["0 trut", "1 lie down"]


def test_the_end_and_the_next_deal_may_be_entered_between_two_looks(table):
    table.deal()
    assert table.asked() == ["cleared"]
    table.by_hand("0 trut", "1 lie_down", "1 deal 3")
    table.put("QS", 0)
    assert table.run(3) == ["0 play QS"]
    assert table.asked() == []


@pytest.mark.parametrize("seats_of_backs", [1, 2])
def test_backs_that_lie_there_when_the_watching_begins_anew_are_no_deal(table, seats_of_backs):
    for x in (-20, 20):
        for y in (25, -25)[:seats_of_backs]:
            table.put("back", at=(x, y))
    table.put("back", at=(0, 33))
    table.restart()
    assert table.run(4) == []
    assert table.asked() == []
    table.put("QS", 0)
    assert table.run(1) == ["0 play QS"]


def test_two_ends_that_nobody_tapped_are_asked_about_one_after_the_other(table):
    table.deal()
    trick(table, "QS", "8S", leader=0)
    table.deal()
    table.put("9S", 1)
    table.run(2)
    say(table, "side 0")
    assert table.run(0.1) == ["1 deal 3", "0 play QS", "1 play 8S"]
    assert table.asked() == ["cleared"]
    say(table, "side 1")
    assert table.run(0.1) == ["0 deal 3", "1 play 9S"]
    assert table.asked() == []


def test_what_was_held_back_for_minutes_is_judged_over_many_frames_and_in_order(table):
    """No frame may take so long that the camera counts as stuck."""
    table.deal()
    trick(table, "QS", "8S", leader=0)
    table.run(2 * LOOKS_AT_ONCE * THIN)
    judge, judged = table.table.belief.see, []
    table.table.belief.see = lambda look, *now: judged.append(look.at) or judge(look, *now)
    say(table, "side 0")
    table.put("9S", 1)
    first = table.run(0.05)
    assert 0 < len(judged) <= LOOKS_AT_ONCE + MOST_AT_ONCE
    assert first + table.run(1) == ["1 deal 3", "0 play QS", "1 play 8S", "1 play 9S"]
    assert judged == sorted(judged)
    assert judged[-1] == table.at


def test_cards_that_are_dealt_onto_the_last_one_that_lay_there_are_of_the_next_hand(table):
    """They hide for long that it has gone."""
    table.put("QS", 0)
    assert table.run(90) == ["0 play QS"]
    table.take("QS")
    assert table.deal() == []
    assert say(table, "side 1") == ["0 trut", "1 lie down"]
    assert table.run(0.2) == ["1 deal 3"]


def test_a_hand_that_goes_on_is_judged_as_it_was_seen_and_not_asked_about_again(table):
    table.deal()
    table.put("QS", 0)
    table.run(2)
    assert say(table, "no") == []
    assert table.run(0.1) == ["0 play QS"]
    table.put("9S", 1)
    assert table.run(2) == ["1 play 9S"]
    assert table.asked() == []


def test_the_last_card_of_the_hand_may_have_been_overlooked(table):
    table.put("KH", 0)
    table.run(2)
    table.take()
    table.run(0.5)
    table.deal()
    assert table.asked() == ["cleared", "unseen"]


def test_where_the_pack_is_cut_first_the_deal_is_found_too():
    table = Tabletop("truc_spain", 2, "1 cut", "0 deal 3")
    table.run(1)
    trick(table, "KS", "7D")
    table.deal()
    assert table.asked() == ["cleared"]
    assert say(table, "side 1") == ["0 truc", "1 reject"]
    assert table.run(0.1) == ["0 cut", "1 deal 3"]


def test_cards_that_players_lay_face_down_are_no_deal(table):
    for seat in (0, 1):  # they lay their cards down for a while
        for number in (0, 1):
            table.put("back", at=(number * 5, 30 - 60 * seat))
            table.run(0.3)
    table.run(4)
    assert table.asked() == []
    table.take()
    table.run(2)
    table.put("KH", 0)
    assert table.run() == ["0 play KH"]


@pytest.fixture
def packed() -> Tabletop:
    """The same as ``table``, but the pack lies on the table."""
    table = Tabletop("trut", 2)
    table.run(3)
    table.deal()
    table.put("back", at=(14, 30))
    table.run(1.5)
    assert trick(table, "KS", "7D") == ["1 play KS", "0 play 7D"]
    return table


def test_a_table_that_is_cleared_asks_before_the_next_deal(packed):
    assert packed.asked() == []
    packed.take()
    packed.run(6)
    assert packed.asked() == ["cleared"]
    assert say(packed, "side 0") == ["1 trut", "0 lie down"]
    packed.run(1)
    assert packed.asked() == []
    assert packed.deal() == ["1 deal 3"]


def test_an_answer_that_comes_while_the_next_hand_is_dealt_loses_no_card_of_it(packed):
    packed.take()
    packed.run(6)
    for seat in (0, 1):
        packed.put("back", at=(0, 30 - 60 * seat))
        packed.run(0.3)
    say(packed, "side 0")
    written = []
    for number in (1, 2):
        for seat in (0, 1):
            packed.put("back", at=(number * 4, 30 - 60 * seat))
            written += packed.run(0.3)
    assert written + packed.run(3) == ["1 deal 3"]


def test_an_end_that_is_tapped_after_the_question_withdraws_it(packed):
    packed.take()
    packed.run(6)
    packed.by_hand("0 trut", "1 lie_down")
    packed.run(1)
    assert packed.asked() == []
    assert packed.deal() == ["1 deal 3"]


def test_a_card_that_is_played_after_the_question_withdraws_it(packed):
    packed.take()
    packed.run(6)
    packed.put("KH", 0)
    assert packed.run() == ["0 play KH"]
    assert packed.asked() == []


def test_a_cleared_table_is_asked_about_once(packed):
    packed.take()
    packed.run(6)
    say(packed, "no")
    packed.run(20)
    assert packed.asked() == []
    packed.put("KH", 0)
    assert packed.run() == ["0 play KH"]


@pytest.mark.parametrize("keeps", ["table", "packed"])
def test_a_trick_that_is_taken_is_no_end_however_long_the_leader_thinks(keeps, request):
    table = request.getfixturevalue(keeps)  # where no pack lies, nothing tells it from the end
    table.run(30)
    assert table.asked() == []


@pytest.fixture
def shown(table) -> Tabletop:
    """Bea folds aloud. Ana, who leads, shows her cards at once, and the first looks like a play."""
    table.put("JC", at=(0, 20))
    assert table.run(0.5) == ["0 play JC"]
    table.put("9H", at=(4, 21))
    return table


def test_cards_shown_at_once_are_no_answer_and_what_looked_like_a_play_is_taken_back(shown):
    assert shown.run(3) == []
    assert shown.asked() == ["thrown"]
    shown.take()
    shown.run(3)
    assert shown.asked()[0] == "thrown"
    assert say(shown, "side 1") == ["undo", "0 trut", "1 lie down"]
    shown.run(2)
    assert shown.deal() == ["1 deal 3"]


def test_a_card_thrown_onto_the_latest_play_a_moment_later_is_no_hand_thrown_in(table):
    table.put("JC", at=(0, 20))
    assert table.run(0.75) == ["0 play JC"]
    table.put("9H", at=(4, 21))
    assert table.run(3) == ["1 play 9H"]
    assert table.asked() == []


def test_a_card_that_whoever_is_due_lays_at_once_onto_the_latest_play_is_no_hand_thrown_in(table):
    table.put("JC", at=(0, 20))
    assert table.run(0.5) == ["0 play JC"]
    table.reaching = frozenset({1})
    table.put("9H", at=(4, 21))
    table.run(0.3)
    table.reaching = frozenset()
    table.run(5)
    assert "thrown" not in table.asked()


def test_cards_shown_at_once_whose_owner_is_not_due_are_no_plays(table):
    table.put("JC", at=(0, -20))  # of Bea, who lies down
    table.put("9H", at=(4, -21))
    assert table.run(3) == []
    assert table.asked() == ["thrown"]
    table.take()
    table.run(3)
    table.deal()
    assert table.asked() == ["cleared"]
    assert say(table, "side 1") == ["0 trut", "1 lie down"]


def show_hands(table: Tabletop, first: int = 0) -> list[str]:
    """Both players show the rest of their hands at once; returns what is written."""
    written, y = [], 20 - 40 * first
    for card, place in (
        ("JC", (0, y)), ("9H", (4, y + 1)), ("8H", (0, -y)), ("QS", (4, 1 - y)),
    ):  # fmt: skip
        table.put(card, at=place)
        written += table.run(0.4)
    return written + table.run(4)


@pytest.mark.parametrize(
    ("first", "written"),
    [
        pytest.param(0, ["0 play JC"], id="of whoever is due"),
        pytest.param(1, [], id="of the other one"),
    ],
)
def test_hands_that_are_shown_are_taken_back_as_a_whole(table, first, written):
    """Bea folds aloud; both show their hands, and this looks as if the hand went on."""
    assert show_hands(table, first) == written
    assert table.asked()[0] == "thrown"
    assert say(table, "side 1") == ["undo"] * len(written) + ["0 trut", "1 lie down"]
    table.take()
    table.run(2)
    assert table.deal() == ["1 deal 3"]


def test_what_people_say_after_it_is_not_taken_back(table):
    show_hands(table)
    table.by_hand("0 trut")
    table.run(0.1)
    before = [event for choice in table.table.questions[0].choices for event in choice.before]
    assert Event("undo") not in before


def test_who_says_that_the_hand_goes_on_is_not_asked_again(table):
    show_hands(table)
    assert say(table, "no") == []
    table.run(5)
    assert "thrown" not in table.asked()


def test_a_hand_that_goes_on_after_all_takes_them_as_plays(shown):
    shown.run(3)
    say(shown, "no")
    assert shown.run(0.1) == ["1 play 9H"]
    assert shown.asked() == []


@pytest.mark.parametrize(
    ("game", "said", "keys"),
    [
        ("trut", ["0 deal 3"], ["side 0", "side 1", "misdeal", "no"]),
        ("trut", ["0 deal 3", "1 play KS", "0 trut"], ["side 0", "side 1", "no"]),
        ("trut", ["0 deal 3", "1 play KS", "0 trut", "1 see"], ["side 0", "side 1", "no"]),
        ("le_truc_ace", ["0 deal 3", "1 play KS"], ["side 0", "side 1", "no"]),
    ],
)
def test_the_answers_are_the_sides_that_may_have_folded(game, said, keys):
    table = Tabletop(game, 2, *said)
    table.table.clearing.holds_back = True
    table.run(0.1)
    assert answers(table) == keys


def test_a_deal_that_is_written_before_its_last_card_is_no_deal_of_the_next_hand():
    """The backs lie in heaps, so no single one comes to rest; then the players take them up."""
    table = Tabletop("trut", 2)
    table.run(3)
    for seat in (1, 0):
        table.put("back", seat)
        table.run(0.4)
    table.by_hand("0 deal 3")
    table.run(0.2)
    heap = [table.put("back", at=(x, y)) for x, y in ((4.0, 20.0), (4.0, -20.0))]
    for step in range(80):
        for name in heap:
            table.cards[name][1] += (-1.5, 1.5)[step // 3 % 2]
        table.run(0.05)
    table.take()
    table.run(2.0)
    assert table.asked() == []
    table.put("KS", 1)
    assert table.run(2.0) == ["1 play KS"]
