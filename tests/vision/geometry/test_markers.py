"""Markers are found in pictures; a calling card counts once each time that it is laid."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from random import Random

import cv2
import numpy as np
import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.match import legal_events, moments, replay
from scorekeeper.errors import RuleError
from scorekeeper.games.rules import GAMES, OPERATOR_VERBS, make_rules
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, say, table
from vision.geometry.markers import (
    CALL_NUMBERS,
    CORNER_IDS,
    CallingCards,
    Declared,
    Marker,
    MarkerSearch,
    call_id,
    call_of,
    calls_of,
    event_of,
    find_markers,
    is_used,
)

FAMILY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def paper(*laid: tuple[int, float, tuple[int, int]], side: int = 60) -> np.ndarray:
    """A picture of a grey table with markers: number, turn in degrees, and middle."""
    frame = np.full((360, 640, 3), 110, np.uint8)
    for number, turn, middle in laid:
        card = np.full((side * 5 // 4, side * 5 // 4), 255, np.uint8)
        edge = side // 8
        card[edge : edge + side, edge : edge + side] = cv2.aruco.generateImageMarker(
            FAMILY, number, side
        )
        half = len(card) / 2
        matrix = cv2.getRotationMatrix2D((half - 0.5, half - 0.5), turn, 1)
        matrix[:, 2] += np.array(middle) - half
        cv2.warpAffine(
            cv2.cvtColor(card, cv2.COLOR_GRAY2BGR), matrix, (640, 360), frame,
            borderMode=cv2.BORDER_TRANSPARENT,
        )  # fmt: skip
    return frame


@pytest.mark.parametrize("turn", [0, 17, 90, 143, 180, 261])
def test_markers_are_found_with_their_corners_from_their_own_upper_left(turn: float) -> None:
    (marker,) = find_markers(paper((33, turn, (300, 200))))
    angle = np.radians(-turn)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    true = np.array([[-30, -30], [30, -30], [30, 30], [-30, 30]]) @ spin.T + (300, 200)
    assert marker.id == 33
    assert np.abs(marker.corners - true).max() < 1.0
    assert marker.side == pytest.approx(60, abs=1)


@pytest.mark.parametrize("angle", [12, 45])
@pytest.mark.parametrize("side", [16, 24, 40, 120, 180])
def test_markers_of_any_size_are_found(side: int, angle: int) -> None:
    (marker,) = find_markers(paper((33, angle, (320, 180)), side=side))
    assert marker.side == pytest.approx(side, rel=0.08)


def test_all_printed_markers_are_told_apart_and_others_are_left_out() -> None:
    frame = paper((3, 0, (80, 80)), (79, 30, (240, 80)), (15, 0, (400, 80)), (80, 0, (560, 80)),
                  (0, 0, (80, 240)), (586, 0, (240, 240)), (16, 200, (400, 240)))  # fmt: skip
    assert [marker.id for marker in find_markers(frame)] == [0, 3, 16, 79]


def test_in_a_part_of_the_picture_they_are_found_where_they_lie() -> None:
    frame = paper((3, 0, (80, 80)), (16, 200, (400, 240)))
    (whole,) = [each for each in find_markers(frame) if each.id == 16]
    (part,) = find_markers(frame, (300, 150, 500, 340))
    assert np.abs(part.corners - whole.corners).max() < 0.1


@pytest.mark.parametrize(
    ("moved", "after", "told"),
    [
        ((), (3, 79), [3, 16]),
        ([(390, 230, 410, 250)], (3,), [3]),
        ([(390, 230, 410, 250)], (3, 16), [3, 16]),
        ([(70, 250, 90, 270)], (3, 16, 79), [3, 16, 79]),
        ([(0, 0, 640, 360)], (3, 79), [3, 79]),
        (None, (3, 79), [3, 79]),
    ],
    ids=["nothing", "taken", "it lies", "laid", "everything", "nobody can say"],
)
def test_markers_are_looked_for_where_something_moved(moved, after, told) -> None:
    places = {3: (80, 80), 16: (400, 240), 79: (80, 260)}
    search = MarkerSearch()
    search.look(0.0, paper((3, 0, places[3]), (16, 0, places[16])), None)
    frame = paper(*((number, 0, places[number]) for number in after))
    assert [marker.id for marker in search.look(0.1, frame, moved)] == told
    assert [marker.id for marker in search.look(2.0, frame, ())] == list(after)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda frame: frame[:, ::-1], id="mirrored"),
        pytest.param(lambda frame: cv2.rectangle(frame, (300, 0), (640, 360), 0, -1),
                     id="half covered"),
        pytest.param(lambda frame: frame // 60, id="in the dark"),
        pytest.param(lambda frame: frame[:0:-1], id="upside down and mirrored"),
    ],
)  # fmt: skip
def test_what_is_no_marker_any_more_is_not_found(
    spoil: Callable[[np.ndarray], np.ndarray],
) -> None:
    frame = paper((1, 10, (300, 200)))
    assert find_markers(frame)
    assert find_markers(np.ascontiguousarray(spoil(frame))) == []


# Numbers


def possible_rules() -> Iterator[tuple[str, dict[str, object]]]:
    """Each game, and each of its options that adds calls."""
    for game in GAMES.values():
        choices = [
            [{}] + [{name: value} for value in (False, True) if value in game.options.get(name, ())]
            for name in ("redeal", "eleven", "fortial", "tap_allowed")
        ]
        for parts in itertools.product(*choices):
            yield game.id, {key: value for part in parts for key, value in part.items()}


@pytest.mark.parametrize(("game", "options"), list(possible_rules()))
def test_in_every_game_a_number_says_one_thing_and_all_that_is_said_has_one(
    game: str, options: dict[str, object]
) -> None:
    rules = make_rules(GAMES[game], options=options)
    said = calls_of(rules)
    assert set(said) == rules.verbs - OPERATOR_VERBS - {"play", "deal"}
    numbers = [call_id(do, seat) for seat in range(4) for do in said]
    assert len(set(numbers)) == len(numbers)
    assert not set(numbers) & set(CORNER_IDS)
    assert all(is_used(number) for number in numbers)
    for seat, do in itertools.product(range(4), said):
        assert call_of(call_id(do, seat), rules, 4) == (seat, do)
        assert call_of(call_id(do, seat), rules, 2) == ((seat, do) if seat < 2 else None)


@pytest.mark.parametrize("number", [0, 3, 4, 15, 16 + 8, 80, 586])
def test_what_is_no_calling_card_of_this_game(number: int) -> None:
    assert call_of(number, GAMES[TRUT].rules, 4) is None


# What a calling card stands for


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: f"{header.game}-{len(header.seats)}")
def test_a_calling_card_is_an_event_just_when_the_rules_allow_it(header: Header) -> None:
    match = replay(header, playout(header, Random(5), 60))
    for moment in moments(match):
        legal = legal_events(moment)
        for seat, do in itertools.product(range(len(header.seats)), calls_of(moment.rules)):
            offers = [event for event in legal if (event.do, event.seat) == (do, seat)]
            if offers:
                assert event_of(moment, Declared(seat, do, 0.0)) == offers[0]
            else:
                with pytest.raises(RuleError):
                    event_of(moment, Declared(seat, do, 0.0))


@pytest.mark.parametrize(
    ("game", "variants", "before", "seat", "to"),
    [
        (LT_ACE, (), "", 1, 2),
        (LT_ACE, (), "1 raise 2, 0 accept, 1 play KS", 0, 4),
        (LT_ACE, ("raise_by_two",), "1 raise 2, 0 accept, 1 play KS", 0, 4),
        (LT_ACE, ("raise_by_any",), "1 raise 3, 0 accept, 1 play KS", 0, 4),
    ],
)
def test_LT_16_a_raise_offers_the_lowest_value_that_is_allowed(
    game: str, variants: tuple[str, ...], before: str, seat: int, to: int
) -> None:
    match = deal(table(game, variants=variants))
    match = say(match, before) if before else match
    assert event_of(match, Declared(seat, "raise", 0.0)).to == to


@pytest.mark.parametrize(
    ("game", "scores", "seat", "do", "rule"),
    [
        (LT_ACE, (0, 0), 0, "raise", "LT-11"),
        (LT_ACE, (11, 11), 1, "raise", "LT-16"),
        (LT_ACE, (0, 0), 1, "remainder", "LT-17"),
        (LT_ACE, (0, 0), 1, "accept", "LT-14"),
        (TRUC, (0, 0), 0, "retruc", "TS-15"),
    ],
)
def test_an_illegal_call_is_refused_with_its_rule(
    game: str, scores: tuple[int, int], seat: int, do: str, rule: str
) -> None:
    match = table(game, 2, scores=scores)
    match = deal(say(match, "1 cut")) if game == TRUC else deal(match)
    with pytest.raises(RuleError) as caught:
        event_of(match, Declared(seat, do, 0.0))
    assert caught.value.rule[:2] == rule[:2]
    assert caught.value.sentence()


# Calling cards over time

TRUT_CARD = call_id("trut", 0)
SEE_CARD = call_id("see", 1)
SQUARE = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)


class Look:
    """A simulated camera over a table on which calling cards are laid."""

    def __init__(self, rate: float = 30.0, seats: int = 4) -> None:
        self.cards = CallingCards(GAMES[TRUT].rules, seats)
        self.step, self.at = 1 / rate, 0.0
        self.said: list[tuple[str, int, float]] = []
        self.see(0.2)

    def see(self, seconds: float, *laid: tuple[int, float], hidden: bool = False) -> list[str]:
        """Looks at calling cards (number, x) for a time; returns what they said."""
        heard = []
        for _ in range(round(seconds / self.step)):
            self.at += self.step
            markers = [Marker(number, SQUARE + np.float32(x)) for number, x in laid]
            heard += self.cards.update(self.at, markers, lambda corners: hidden)
        return [f"{call.seat} {call.do}" for call in heard]

    def gap(self, seconds: float) -> None:
        """The camera sees nothing for a time."""
        self.at += seconds


@pytest.mark.parametrize("rate", [10.0, 15.0, 30.0, 60.0])
def test_a_card_counts_after_half_a_second_at_rest(rate: float) -> None:
    look = Look(rate)
    assert look.see(0.4, (TRUT_CARD, 100)) == []
    assert look.see(0.4, (TRUT_CARD, 100)) == ["0 trut"]
    assert look.see(60, (TRUT_CARD, 100)) == []


def test_the_time_of_a_call_is_when_its_card_came_to_rest() -> None:
    look = Look(10)
    look.see(0.3, (TRUT_CARD, 100))
    laid = look.at
    look.cards.update(laid + 0.1, [Marker(TRUT_CARD, SQUARE + np.float32(300))])
    for tenth in range(2, 7):
        heard = look.cards.update(laid + tenth / 10, [Marker(TRUT_CARD, SQUARE + np.float32(300))])
    assert heard == [Declared(0, "trut", pytest.approx(laid + 0.1))]


@pytest.mark.parametrize(
    ("away", "hidden", "again"),
    [
        (0.2, False, False),
        (1.8, False, False),
        (2.2, False, True),
        (1.8, True, False),
        (30.0, True, False),
    ],
)
def test_it_counts_again_only_after_it_was_gone_in_clear_view_for_two_seconds(
    away: float, hidden: bool, again: bool
) -> None:
    look = Look()
    assert look.see(1, (TRUT_CARD, 100)) == ["0 trut"]
    look.see(away, hidden=hidden)
    assert look.see(1, (TRUT_CARD, 200)) == (["0 trut"] if again else [])


def test_a_hand_over_it_for_a_while_and_then_gone_adds_up_only_what_was_clear() -> None:
    look = Look()
    look.see(1, (TRUT_CARD, 100))
    look.see(1.5)
    look.see(10, hidden=True)
    look.see(0.3)
    assert look.see(1, (TRUT_CARD, 100)) == []
    look.see(1.5)
    look.see(10, hidden=True)
    look.see(0.7)
    assert look.see(1, (TRUT_CARD, 100)) == ["0 trut"]


@pytest.mark.parametrize("shift", [3.0, 8.0])
def test_a_card_that_trembles_is_at_rest(shift: float) -> None:
    look = Look(10)
    heard = [look.see(0.1, (TRUT_CARD, 100 + shift * (turn % 2))) for turn in range(8)]
    assert list(itertools.chain(*heard)) == ["0 trut"]


def test_a_card_that_is_carried_past_never_counts() -> None:
    look = Look(30)
    heard = [look.see(1 / 30, (TRUT_CARD, 6.0 * frame)) for frame in range(60)]
    assert list(itertools.chain(*heard)) == []
    assert look.see(1, (TRUT_CARD, 360)) == ["0 trut"]


def test_a_card_that_was_said_and_is_pushed_does_not_count_anew() -> None:
    look = Look()
    look.see(1, (TRUT_CARD, 100))
    heard = [look.see(0.1, (TRUT_CARD, 100 + 20 * push)) for push in range(10)]
    assert list(itertools.chain(*heard)) == []
    assert look.see(5, (TRUT_CARD, 300)) == []


def test_a_card_that_is_read_in_some_frames_only_counts_all_the_same() -> None:
    look = Look(30)
    heard = []
    for frame in range(30):
        heard += look.see(1 / 30, *([(TRUT_CARD, 100)] if frame % 3 == 0 else []))
    assert heard == ["0 trut"]


def test_what_lies_there_at_the_first_look_was_laid_before() -> None:
    cards = CallingCards(GAMES[TRUT].rules, 4)
    marker = Marker(TRUT_CARD, SQUARE)
    assert [cards.update(tenth / 10, [marker]) for tenth in range(30)] == [[]] * 30


@pytest.mark.parametrize(("laid_before", "heard"), [(True, []), (False, ["0 trut"])])
def test_after_the_camera_was_away_a_card_counts_once_in_all(
    laid_before: bool, heard: list[str]
) -> None:
    look = Look()
    look.see(1, *([(TRUT_CARD, 100)] if laid_before else []))
    look.gap(60)
    assert look.see(1, (TRUT_CARD, 100)) == heard


def test_time_without_pictures_does_not_count_as_rest() -> None:
    look = Look()
    look.see(0.2, (TRUT_CARD, 100))
    look.gap(1)
    assert look.see(0.3, (TRUT_CARD, 100)) == []
    assert look.see(0.4, (TRUT_CARD, 100)) == ["0 trut"]


def test_cards_of_several_seats_at_once_and_other_markers() -> None:
    look = Look(seats=2)
    laid = [(TRUT_CARD, 100), (SEE_CARD, 200), (0, 0), (call_id("see", 2), 300)]
    assert look.see(1, *laid) == ["0 trut", "1 see"]


def test_a_marker_that_is_there_twice_counts_once() -> None:
    look = Look()
    assert look.see(1, (TRUT_CARD, 100), (TRUT_CARD, 100)) == ["0 trut"]


def test_yes_and_no_have_one_number_in_every_game() -> None:
    assert CALL_NUMBERS["accept"] == CALL_NUMBERS["see"]
    assert CALL_NUMBERS["reject"] == CALL_NUMBERS["lie_down"]
