"""A stage says what lies where and when; it follows its record."""

import json
import math
from collections import Counter
from types import MappingProxyType

import numpy as np
import pytest

from datasets.films.covering import Pose
from datasets.films.director import direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, play_match
from datasets.films.stage import (
    AT,
    BACK,
    Key,
    Lying,
    Passing,
    Shift,
    Stage,
    pose_at,
    stage_from_json,
)
from datasets.scenes.geometry import Camera
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, replay, start
from scorekeeper.engine.packs import PACK_SUITS, SPANISH
from scorekeeper.games.rules import GAMES

CASES = [
    (game, seats, grade)
    for game in GAMES
    for seats in GAMES[game].rules.players
    for grade in GRADES
]


def made(game: str = "trut", seats: int = 4, grade: str = "home", seed: int = 1, **how) -> Stage:
    record = play_match(
        Header(game=game, seats=NAMES[:seats], best_of=5), seed, 5, misdeals=how.pop("misdeals", 0)
    )
    return direct(record.header, record.events, grade=grade, seed=seed, **how)


@pytest.mark.parametrize(("game", "seats", "grade"), CASES)
def test_every_play_has_one_card_that_rests_when_the_record_says(game, seats, grade):
    stage = made(game, seats, grade)
    cards = {card.event: card for card in stage.lying if card.event is not None}
    plays = {place for place, event in enumerate(stage.events) if event.do == "play"}
    assert set(cards) == plays
    for place, card in cards.items():
        event = stage.events[place]
        assert (card.card, card.seat, card.face) == (str(event.card), event.seat, "up")
        assert card.rests <= event.remarks[AT] + 1e-3
        assert card.leaves > card.rests
        there = {each.number: each for each in stage.at(card.rests + 0.001)}
        assert not there[stage.lying.index(card)].moving


@pytest.mark.parametrize(("game", "seats", "grade"), CASES)
def test_events_come_in_order_and_the_rules_allow_them(game, seats, grade):
    stage = made(game, seats, grade)
    times = [event.remarks[AT] for event in stage.events]
    assert times == sorted(times)
    assert times[-1] < stage.ends
    replay(stage.header, stage.events)
    assert [call.do for call in stage.calls] == [
        event.do for event in stage.events if event.do not in ("play", "deal")
    ]


@pytest.mark.parametrize(("game", "seats", "grade"), CASES)
def test_as_many_backs_as_were_dealt_lie_before_each_seat(game, seats, grade):
    stage = made(game, seats, grade)
    for event in stage.events:
        if event.do == "deal":
            at = event.remarks[AT] + 0.001
            backs = Counter(
                card.lying.seat
                for card in stage.at(at)
                if card.lying.face == "down" and card.lying.thick == 1
            )
            assert backs == dict.fromkeys(range(seats), event.cards)


@pytest.mark.parametrize("grade", GRADES)
def test_the_table_is_empty_between_two_hands(grade):
    stage = made("le_truc_ace", 2, grade)
    ends, match = [], start(stage.header)
    for event in stage.events:
        before, match = match, apply(match, event)
        if before.in_progress and not match.in_progress:
            ends.append(event.remarks[AT])
    deals = [event.remarks[AT] for event in stage.events if event.do == "deal"]
    for end, deal in zip(ends[:-1], deals[1:], strict=True):
        assert any(not stage.at(end + (deal - end) * part / 400) for part in range(400))


@pytest.mark.parametrize("seats", [2, 4])
def test_cards_lie_on_the_table_and_before_their_owner_on_a_calm_one(seats):
    stage = made("trut", seats, "calm")
    wide, deep = stage.table[0] / 2, stage.table[1] / 2
    for card in stage.lying:
        pose = pose_at(card.keys, (card.rests + card.leaves) / 2)
        assert abs(pose.x) < wide
        assert abs(pose.y) < deep
        if card.event is not None:
            angle = card.seat * 2 * math.pi / seats
            before = -math.sin(angle) * pose.x + math.cos(angle) * pose.y
            assert before > 8


def test_V_7_an_exposed_card_is_seen_before_a_misdeal_and_all_is_taken_in_again():
    stage = made(misdeals=1.0, seed=2)
    places = [place for place, event in enumerate(stage.events) if event.do == "misdeal"]
    assert places
    for place in places:
        at = stage.events[place].remarks[AT]
        assert any(c.lying.face == "up" and c.lying.event is None for c in stage.at(at - 0.01))


def test_undone_events_are_not_in_the_film():
    header = Header(game="trut", seats=NAMES[:2])
    record = play_match(header, 1, 1)
    first = next(place for place, event in enumerate(record.events) if event.do == "play")
    events = (*record.events[: first + 1], Event("undo"), *record.events[first:])
    corrected = direct(header, events, grade="home", seed=4)
    assert corrected == direct(header, record.events, grade="home", seed=4)


def test_an_unfinished_hand_still_lies_there_at_the_end():
    header = Header(game="trut", seats=NAMES[:2])
    record = play_match(header, 1, 1)
    first = next(place for place, event in enumerate(record.events) if event.do == "play")
    stage = direct(header, record.events[: first + 1], grade="calm", seed=4)
    assert str(record.events[first].card) in {c.lying.card for c in stage.at(stage.ends - 0.01)}


@pytest.mark.parametrize("grade", GRADES)
def test_the_same_seed_makes_the_same_stage_and_another_one_another(grade):
    one, same, other = made(grade=grade), made(grade=grade), made(grade=grade, seed=2)
    assert one == same
    assert one != other


def test_a_stage_is_read_as_it_was_written():
    stage = made("truc_spain", 2, "bar")
    lines = [json.loads(json.dumps(line)) for line in stage.to_json()]
    read = stage_from_json(lines)
    assert list(read.to_json()) == list(stage.to_json())
    assert read.at(30.0) == stage.at(30.0)


def test_bar_is_wilder_than_home_and_home_than_calm():
    def wildness(grade: str) -> tuple[float, float]:
        crooked, covered = [], 0
        for seed in range(4):
            stage = made("trut", 4, grade, seed)
            for card in stage.lying:
                if card.event is not None:
                    turn = pose_at(card.keys, card.rests).turn - card.seat * math.pi / 2
                    crooked.append(abs(turn))
                    covered += any(
                        each.under_cards > 0
                        for each in stage.at((card.rests + card.leaves) / 2)
                        if each.lying is card
                    )
        return float(np.mean(crooked)), covered / len(crooked)

    calm, home, bar = (wildness(grade) for grade in ("calm", "home", "bar"))
    assert calm[0] < home[0] < bar[0]
    assert calm[1] < home[1] < bar[1]


def lying(x: float, y: float, *, turn: float = 0.0, card: str = "KS") -> Lying:
    keys = (Key(0.0, x, y, turn, 0.0), Key(10.0, x, y, turn, 0.0))
    return Lying(card, "down" if card == BACK else "up", 0, None, keys, 0.0, 10.0)


def still(*cards: Lying, hands: tuple[Passing, ...] = (), shifts: tuple[Shift, ...] = ()) -> Stage:
    header = Header(game="trut", seats=NAMES[:2])
    camera = Camera(1000.0, 100.0, 0.0, 0.0, (1280, 720))
    return Stage(header, "calm", 0, (84.0, 64.0), camera, (), cards, hands, shifts, (), 10.0)


@pytest.mark.parametrize(
    ("away", "covered", "readable"),
    [((0.0, 0.0), 1.0, False), ((3.15, 0.0), 0.5, True), ((0.0, 8.8), 0.0, True),
     ((0.0, 4.4), 0.5, True), ((20.0, 0.0), 0.0, True)],
)  # fmt: skip
def test_a_card_on_another_covers_it_by_as_much_as_they_share(away, covered, readable):
    low, high = still(lying(5.0, 5.0), lying(5.0 + away[0], 5.0 + away[1])).at(1.0)
    assert low.under_cards == pytest.approx(covered, abs=0.08)
    assert low.readable is readable
    assert high.visible == 1.0


def test_a_hand_covers_what_is_under_its_fingers_and_arm_alone():
    keys = (Key(0.0, 0.0, 0.0, 0.0, 2.0), Key(10.0, 0.0, 0.0, 0.0, 2.0))
    stage = still(
        lying(0.0, 20.0), lying(0.0, -8.0), lying(20.0, 20.0), hands=(Passing("hand", 0, keys),)
    )
    under, before, beside = stage.at(1.0)
    assert under.under_hands > 0.9
    assert before.under_hands == beside.under_hands == 0


def test_the_middle_is_the_middle_and_seat_0_is_at_the_lower_edge():
    stage = still()
    points = stage.to_frame(np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]))
    assert points == pytest.approx(np.array([[640.0, 360.0], [740.0, 360.0], [640.0, 460.0]]))


@pytest.mark.parametrize(("x", "tilt"), [(0.0, 0.0), (-20.0, 14.0), (20.0, 14.0)])
def test_a_card_is_tilted_by_how_far_aside_of_the_camera_it_lies(x, tilt):
    stage = still()
    away = stage.camera.distance * math.tan(math.radians(tilt))
    pose = Pose(math.copysign(away, x), 0.0, 0.7, 0.0)
    assert stage.tilt_of(pose) == pytest.approx(tilt, abs=0.01)


def test_the_homography_leads_from_the_frame_back_to_the_table():
    shifts = (Shift(5.0, 12.0, -7.0, 0.01),)
    stage = still(shifts=shifts)
    spots = np.array([[3.0, 4.0], [-20.0, 11.0]])
    for at in (0.0, 6.0):
        pixels = stage.to_frame(spots, at)
        back = np.column_stack([pixels, np.ones(2)]) @ stage.homography(at).T
        assert back[:, :2] / back[:, 2:] == pytest.approx(spots)
    assert not np.allclose(stage.to_frame(spots, 0.0), stage.to_frame(spots, 6.0))


def test_a_spanish_pack_is_laid_in_its_own_size():
    header = Header(
        game="truc_spain", seats=NAMES[:2], remarks=MappingProxyType({PACK_SUITS: SPANISH})
    )
    stage = direct(header, play_match(header, 1, 2).events, grade="home", seed=1)
    assert stage.card == (6.1, 9.5)
    assert all(card.card == BACK or card.card[-1] in "OUEB" for card in stage.lying)
