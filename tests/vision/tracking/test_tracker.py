"""The tracker tells which cards rest, which detection is which card, and what is hidden or gone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.tabletop import WATCHED, Tabletop, corners
from vision.belief.posterior import is_sure
from vision.detection.detections import Detection
from vision.tracking.covered import covered_by
from vision.tracking.tracked_card import TrackerSettings


def watched(seats=2):
    return Tabletop("trut", seats)


def kinds(table):
    return [(change.kind, change.card.best) for each in table.happened for change in each.changes]


def test_a_card_appears_once_when_it_has_come_to_rest():
    table = watched()
    card = table.put("KS", 0)
    table.run(2)
    assert kinds(table) == [("appeared", "KS")]
    settled = next(c for each in table.happened for c in each.changes).at
    assert settled - WATCHED == pytest.approx(0.05 + TrackerSettings().settle_alone, abs=0.051)
    assert table.table.cards[0].place == pytest.approx(tuple(table.cards[card][1:3]), abs=0.01)


@pytest.mark.parametrize(
    ("other", "step", "rests"),
    [(9, 0, [1, 2, 2]), (9, 0.3, [1, 2, 2]), (9, 0.6, [1, 1, 2]), (-22, 0, [1, 1, 2])],
)
def test_two_of_ten_looks_a_second_show_that_a_card_rests_which_lies_alone(other, step, rests):
    table = watched()
    table.put("QH", at=(0, other))
    table.run(1)
    table.put("KS", at=(3, -18))
    for number, (moves, lying) in enumerate(zip((0, step, 0), rests, strict=True)):
        table.cards["KS"][1] += moves
        table.table.see(table.at + 0.1 * number, table._detections(), None, None)
        assert len(table.table.cards) == lying


def test_a_card_that_is_carried_does_not_appear_before_it_rests():
    table = watched()
    table.put("KS", at=(-30, 20))
    for _ in range(12):
        table.cards["KS"][1] += 4
        table.run(0.05)
    assert kinds(table) == []
    table.run(0.5)
    assert kinds(table) == [("appeared", "KS")]


def test_a_card_that_is_seen_once_is_none():
    table = watched()
    table.put("KS", 0)
    table.run(0.1)
    table.take()
    table.run(2)
    assert kinds(table) == []


def test_v_2_a_card_that_is_pushed_while_another_flies_past_is_the_same_card():
    table = watched()
    card = table.put("QD", at=(20, 2))
    table.run(2)
    table.unseen.add(card)
    other = table.put("9H", at=(0, -18))
    table.run(0.05)
    for x, y in ((5, -12), (10, -5), (15, 0)):
        table.cards[other][1:3] = x, y
        table.run(0.05)
    table.take(other)
    table.unseen.clear()
    table.cards[card][1:3] = 17, 3
    table.run(1)
    assert kinds(table) == [("appeared", "QD"), ("moved", "QD")]


@pytest.mark.parametrize(("missed", "gone"), [(0.6, False), (1.2, True)])
def test_a_card_is_gone_when_it_was_missed_long_enough_in_clear_view(missed, gone):
    table = watched()
    table.put("KS", 0)
    table.run()
    table.unseen.add("KS")
    table.run(missed)
    assert (("vanished", "KS") in kinds(table)) == gone


def test_a_card_under_a_hand_is_not_gone_however_long_it_lies_there():
    table = watched()
    table.put("KS", 0)
    table.run()
    table.unseen.add("KS")
    mask = np.zeros((720, 1280), bool)
    mask[500:, 500:800] = True
    table.covered = covered_by(mask)
    table.run(5)
    assert kinds(table) == [("appeared", "KS")]
    table.covered = covered_by(np.zeros((72, 128), bool), 0.1)
    table.run(1)
    assert kinds(table)[-1] == ("vanished", "KS")


def test_a_card_under_another_one_is_not_gone():
    table = watched()
    table.put("KS", at=(0, 20))
    table.run()
    table.put("QS", at=(1.2, 20.5), turn=0.6)
    table.unseen.add("KS")
    table.run(4)
    assert kinds(table) == [("appeared", "KS"), ("appeared", "QS")]


@pytest.mark.parametrize("way", [(5, 0), (12, -9), (0, -30)])
def test_a_pushed_card_keeps_its_identity(way):
    table = watched()
    table.put("KS", at=(-5, 15))
    table.run()
    (before,) = table.table.cards
    table.cards["KS"][1] += way[0]
    table.cards["KS"][2] += way[1]
    table.run(1)
    (after,) = table.table.cards
    assert after.id == before.id
    assert "vanished" not in [kind for kind, _ in kinds(table)]


@pytest.mark.parametrize("read", [{"QS": 0.95, "KS": 0.05}, {"KC": 0.99, "KS": 0.01}])
def test_a_card_that_is_misread_where_it_lies_is_the_same_card(read):
    table = watched()
    card = table.put("KS", 0, KS=0.999)
    table.run()
    table.cards[card][4] = read
    table.run(3)
    assert kinds(table) == [("appeared", "KS")]


def test_a_pushed_card_whose_suit_is_misread_keeps_its_identity():
    table = watched()
    card = table.put("KS", at=(-5, 15), KS=0.999)
    table.run()
    table.cards[card][1] += 1.5
    table.cards[card][4] = {"KC": 0.999}
    table.run(1)
    assert [kind for kind, _ in kinds(table)] == ["appeared", "moved"]


@pytest.mark.parametrize(("upper", "at"), [("QS", (0.6, 20.3)), ("KC", (2.5, 19.0))])
def test_a_card_that_lands_on_another_is_another(upper, at):
    table = watched()
    card = table.put("KS", at=(0, 20), turn=0.1)
    table.run()
    table.unseen.add(card)
    table.put(upper, at=at, turn=0.3)
    table.run(1)
    assert [card.best for card in table.table.cards] == ["KS", upper]


def test_a_pile_that_is_taken_away_is_gone_at_once():
    table = watched()
    for number, card in enumerate(("KS", "QS", "JS", "7D")):
        table.put(card, at=(0.9 * number, 15), turn=0.1 + 0.2 * number)
        if number:
            table.unseen.add(("KS", "QS", "JS")[number - 1])
        table.run(0.6)
    assert len(table.table.cards) == 4
    table.take()
    table.run(TrackerSettings().gone_in_group + 0.7)
    assert table.table.cards == ()


def test_where_a_card_came_from_is_known_when_it_was_seen_on_its_way():
    table = watched()
    table.throw("KS", (40, 5), (4, 5))
    table.run(0.5)
    (steady,) = table.table.cards
    assert steady.came[0] > steady.place[0] + 20


def test_a_detection_aside_of_the_way_does_not_hide_where_a_card_came_from():
    table = watched()
    card = table.put("KS", at=(40, 5))
    for step in range(9):
        table.cards[card][1] -= 4
        if step == 5:
            false = table.put("7D", at=(0, -25))
        table.run(0.05)
        if step == 5:
            table.take(false)
    table.run(0.5)
    (steady,) = table.table.cards
    assert steady.came[0] > steady.place[0] + 20


@pytest.mark.parametrize("upper", ["KC", "QS"])
def test_a_card_that_was_seen_to_come_is_not_the_one_below_it_that_was_pushed(upper):
    table = watched()
    lower = table.put("KS", at=(0, 20), KS=0.999)
    table.run()
    table.throw(upper, (36, 19), (1.2, 19.5))
    table.unseen.add(lower)
    table.run(1)
    assert [card.best for card in table.table.cards] == ["KS", upper]


def test_what_the_finder_hardly_takes_for_a_card_must_lie_longer():
    table = watched()
    table.put("KS", 0)
    detections = [type(each)(each.corners, 0.3, each.readings) for each in table._detections()]
    tracker, plane = table.table.tracker, table.table.plane
    seen = {at: tracker.update(at, detections, plane) for at in (0.05 * n for n in range(30))}
    (appeared,) = [at for at, changes in seen.items() if changes and changes[0].kind == "appeared"]
    assert appeared == pytest.approx(TrackerSettings().unsure, abs=0.06)


def test_a_card_that_lands_beside_another_is_another():
    table = watched()
    table.put("KS", at=(0, 20))
    table.run()
    table.put("QS", at=(1.5, 20.5), turn=0.15)
    table.run(1)
    assert [card.best for card in table.table.cards] == ["KS", "QS"]


def looking(table, *seen):
    """Shows the tracker a frame with only some cards, each with a reading; returns the changes."""
    table.at += 0.05
    cards = {name: (x, y) for name, (_, x, y, *_) in table.cards.items()}
    detections = []
    for name, reading, off, score in seen:
        (x, y), (dx, dy) = cards[name], off
        quad = corners(x + dx, y + dy, table.cards[name][3])
        detections.append(Detection(quad, score, ((reading, 0.99),)))
    return table.table.tracker.update(table.at, detections, table.table.plane)


def test_v_2_a_card_that_lands_beside_another_and_is_misread_as_it_at_first_is_another():
    table = watched()
    table.put("JC", at=(0, 20))
    table.run()
    upper = table.put("AC", at=(1, 17.8), JC=0.55, AC=0.4)
    table.unseen.add("JC")  # a hand is over it
    table.run(0.05)
    table.unseen.clear()
    table.cards[upper][4] = {"AC": 0.99}
    table.run(1)
    assert [card.best for card in table.table.cards] == ["JC", "AC"]
    assert table.table.cards[0].place == pytest.approx((0, 20), abs=0.1)


def test_a_card_keeps_the_detection_at_its_own_place_over_one_nearby():
    table = watched()
    table.put("3D", at=(0, 20))
    for read in ["3D", "3D", "2D", "2D"]:
        second = [("3D", "2D", (1.2, 1.1), 0.6)] if read == "3D" else []
        looking(table, ("3D", read, (0, 0), 0.9), *second)
    looking(table, ("3D", "3D", (0, 0), 0.9))
    (card,) = table.table.tracker.cards
    assert card.chances()["2D"] == pytest.approx(card.chances()["3D"], abs=0.1)


def test_v_2_a_second_outline_that_the_finder_is_not_sure_of_carries_no_card_away():
    table = watched()
    table.put("9H", at=(0, 20))
    table.run()
    for read in ["10S"] * 2 + ["9H"] * 20:  # an elbow pushes it, and it is seen twice
        second = [("9H", "9H", (1.8, 1.4), 0.45)] if read == "9H" else []
        looking(table, ("9H", read, (2.1, 0), 0.9), *second)
    assert [card.best for card in table.table.tracker.cards] == ["9H"]


def test_v_2_a_card_whose_outline_came_to_lie_a_little_off_is_the_same_card_when_misread():
    table = watched()
    table.put("7S", at=(0, 20))
    table.run(2)
    for _ in range(5):
        looking(table, ("7S", "7S", (0.2, 0.6), 0.9))
    for _ in range(10):
        looking(table, ("7S", "JS", (0.2, 0.6), 0.9))
    assert [kind for kind, _ in kinds(table)] == ["appeared"]
    assert len(table.table.tracker.cards) == 1


def test_v_2_a_turned_card_that_half_looks_like_the_one_it_comes_to_lie_on_is_not_that_one():
    table = watched()
    lower = table.put("7D", at=(0, 20), turn=0.1)
    table.run(1)
    table.unseen.add(lower)
    upper = table.put("8D", at=(0.6, 20), turn=0.7, **{"7D": 0.55, "8D": 0.35})
    table.run(0.05)
    table.unseen.clear()
    table.cards[upper][4] = {"8D": 0.999}
    table.run(1)
    assert kinds(table) == [("appeared", "7D"), ("appeared", "8D")]


def a_hand_passes_over(table, card):
    """For a moment hands cover everything, and the card is not seen."""
    table.covered = covered_by(np.ones((720, 1280), bool))
    table.unseen.add(card)
    table.run(0.3)
    table.covered = covered_by(np.zeros((720, 1280), bool))
    table.unseen.clear()


def test_v_2_what_a_card_was_misread_as_before_a_hand_was_there_is_no_card_on_it():
    table = watched()
    card = table.put("7S", at=(0, 20), **{"7S": 0.999})
    for read in [*["7S"] * 40, "9D", "7S", "7S"]:
        table.cards[card][4] = {read: 0.999}
        table.run(0.05)
    a_hand_passes_over(table, card)
    table.cards[card][4] = {"9D": 0.999}
    table.run(0.5)
    assert len(table.table.cards) == 1


@pytest.mark.parametrize(
    ("reads", "seen"),
    [
        ([("7S", 0.9), *[("8S", 0.999)] * 12], ["7S"]),  # seen as itself: none lies on it
        ([*[("7H", 0.98)] * 2, *[("7H", 0.9)] * 10], ["7S", "7H"]),  # less clearly later on
    ],
)
def test_v_2_a_card_on_which_another_one_may_lie_after_a_hand_was_there(reads, seen):
    table = watched()
    card = table.put("7S", at=(0, 20), **{"7S": 0.999})
    table.run(1)
    a_hand_passes_over(table, card)
    for name, chance in reads:
        table.cards[card][4] = {name: chance}
        table.run(0.05)
    assert [card.best for card in table.table.cards] == seen


def test_a_back_that_is_turned_over_is_a_new_card():
    table = watched()
    name = table.put("back", 0)
    table.run()
    table.cards[name][0] = "KS"
    table.run(1)
    assert kinds(table) == [("appeared", "back"), ("vanished", "back"), ("appeared", "KS")]


@pytest.mark.parametrize(
    ("upper", "read", "hand", "seen"),
    [
        ("9D", 0.999, True, ["KS", "9D"]),
        ("KH", 0.999, True, ["KS", "KH"]),
        ("9D", 0.999, False, ["KS"]),  # it is misread all at once
        ("9D", 0.95, True, ["KS"]),  # this may be glare
        ("KC", 0.999, True, ["KS"]),  # and this the light
    ],
)
def test_what_is_beyond_doubt_another_card_after_a_hand_was_there_lies_exactly_on_it(
    upper, read, hand, seen
):
    table = watched()
    lower = table.put("KS", at=(0, 20), KS=0.999)
    table.run(1)
    table.unseen.add(lower)
    if hand:
        table.covered = covered_by(np.ones((720, 1280), bool))
        table.run(0.3)
        table.covered = covered_by(np.zeros((720, 1280), bool))
    table.put(upper, at=(0, 20), **{upper: read, "KS": (1 - read) / 2})
    table.run(0.8)
    assert [card.best for card in table.table.cards] == seen
    table.run(3)
    assert "vanished" not in [kind for kind, _ in kinds(table)]


def test_backs_are_counted_before_each_seat():
    table = watched(4)
    for x in (-4, 0, 4):
        table.put("back", at=(x, 28))
    table.put("back", 1)
    table.run(1)
    assert table.table.tracker.backs(table.table.plane) == {0: 3, 1: 1, 2: 0, 3: 0}


def test_readings_add_up_and_repeated_ones_add_little():
    table = watched()
    table.put("KS", 0, KS=0.7, JS=0.3)
    odds = [np.log(0.7 / 0.3)]
    for seconds in (0.4, 5):
        table.run(seconds)
        (card,) = table.table.cards
        odds.append(card.evidence["KS"] - card.evidence["JS"])
    assert odds[0] < odds[1] < odds[2] <= odds[0] * TrackerSettings().most + 1e-6


@pytest.mark.parametrize(
    ("wide", "tall", "sure"),
    [(1.0, 1.0, True), (0.9, 1.1, True), (1.0, 1.4, False), (1.3, 1.0, False), (0.75, 1.0, False)],
)
def test_readings_of_misshapen_outlines_are_never_sure(wide, tall, sure):
    table = watched()
    table.put("9D", at=(0, 0), turn=0.0)
    (detection,) = table._detections()
    middle = detection.corners.mean(axis=0)
    outline = ((detection.corners - middle) * (wide, tall) + middle).astype(np.float32)
    for frame in range(60):  # the views differ, as with a moving camera
        chance = (0.9995, 0.998, 0.99, 0.96)[frame // 15]
        seen = type(detection)(outline, 0.9, (("9D", chance), ("7D", 1 - chance)))
        table.table.tracker.update(frame / 20, [seen], table.table.plane)
    (card,) = table.table.tracker.cards
    assert card.best == "9D"
    assert is_sure(card.chances().values()) == sure


def test_an_outline_that_is_too_large_is_no_card_on_the_table():
    table = watched()
    table.put("KS", 0)
    detections = table._detections()
    middle = detections[0].corners.mean(axis=0)
    large = detections[0].corners * 1.6 - middle * 0.6
    held = type(detections[0])(large.astype(np.float32), 0.9, detections[0].readings)
    changes = [
        change
        for frame in range(40)
        for change in table.table.tracker.update(frame / 20, [held], table.table.plane)
    ]
    assert changes == []


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["put", "take", "push", "wait"]), max_size=12), st.integers(0, 99))
def test_in_the_end_the_tracker_knows_what_lies_there(acts, seed):
    table = watched()
    table.noise = 0.15
    table.rng.seed(seed)
    deck = [f"{rank}{suit}" for rank in ("7", "8", "A", "K") for suit in "CDHS"]
    places = [(x, y) for x in (-40, -20, 0, 20, 40) for y in (-25, 0, 25)]
    for act in acts:
        if act == "put":
            table.put(deck.pop(), at=places.pop())
        elif act == "take" and table.cards:
            table.take(next(iter(table.cards)))
        elif act == "push" and table.cards:
            next(iter(table.cards.values()))[1] += 3.0
        table.run(0.8)
    table.run(3)
    assert sorted(card.best for card in table.table.cards) == sorted(table.cards)
