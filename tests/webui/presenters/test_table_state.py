"""The public state has the record and the referee's answers, and nothing else."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from scorekeeper.engine.match import agreements_on_offer, legal_events
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.engine.said import Source
from scorekeeper.history.suits import enter_card
from scorekeeper.reports.answer import answer
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import any_event
from tests.scorekeeper.talk import TABLES, event
from tests.webui.evening import say
from tests.webui.phones import begin, header
from tests.webui.watching import WHICH, FakeSupervisor, camera_keys, camera_of, hint
from webui.presenters.table_state import state
from webui.table.access import SEATS, VIEWER, Grant
from webui.table.room import Room

GRANTS = (VIEWER, Grant(phone="secret"), Grant(0, False, "secret"), Grant(1), Grant(3, True))
EVENT_KEYS = {"do", "seat", "to", "cards"}
CARD_KEYS = {"seat", "card", "rank", "suit", "seq", "best"}
TRICK_KEYS = {
    "number", "leader", "cards", "complete", "spoiled", "winner", "next_leader", "note",
}  # fmt: skip
KEYS: dict[str, set[str]] = {
    "": {
        "stage", "role", "seq", "match", "game", "best_of", "seats", "phase", "awaited", "turn",
        "asked", "ended", "dealer", "next_dealer", "cutter", "leader", "sides", "winner", "value",
        "hand",
        "notices", "last", "call", "corrected", "legal", "buttons", "playable", "deal", "misdeal",
        "agreed", "cuts_due", "cuts_seen", "first_dealer", "cut_ranks", "camera", "proposal",
        "proposer",
        "refused", "club", "with_club",
    },
    "club": {"round", "table"},
    "with_club": {"table", "line", "well", "drawn"},
    "role": {"seat", "host"},
    "ended": {"what", "side", "words"},
    "game": {"id", "title", "house", "order", "target", "unit", "suits", "printing"},
    "seats": {"seat", "name", "side", "held"},
    "sides": {
        "name", "score", "missing", "words", "games", "one_short", "won_game", "won",
    },
    "sides.score": {"points", "longs", "smalls"},
    "value": {"now", "words", "offered", "offered_words", "question", "by", "do"},
    "hand": {"number", "size", "tricks", "end", "winner"},
    "hand.tricks": TRICK_KEYS,
    "hand.tricks.cards": CARD_KEYS,
    "notices": {"kind", "text"},
    "agreed": {"rule", "heading", "fields", "buttons"},
    "agreed.buttons": {"do", "words", "event"},
    "agreed.buttons.event": {"do", "seat", "side", "points", "smalls"},
    "legal": EVENT_KEYS,
    "buttons": {"do", "seat", "words", "event"},
    "buttons.event": EVENT_KEYS,
    "playable": {"rank", "printed", "suits"},
    "proposal": {"number", "match", "seat", "name", "picture", "answers", "words", "changes",
                 "falls_away"},
    "deal": {"text", "seat", "state"},
    "cut_ranks": {"rank", "printed"},
    "cuts_seen": {"seat", "rank", "card"},
    **camera_keys(),
}  # fmt: skip
"""All keys that the public state may have, by the path of their object."""


def check_keys(value: Any, path: str = "") -> None:
    if isinstance(value, list):
        for one in value:
            check_keys(one, path)
    elif isinstance(value, dict):
        assert value.keys() <= KEYS[path], (path, value.keys() - KEYS[path])
        for key, one in value.items():
            check_keys(one, f"{path}.{key}".lstrip("."))
    else:
        assert value is None or isinstance(value, str | int | bool)


def check_state(room, grant: Grant, code: str) -> dict[str, Any]:
    found = state(room.snapshot(), grant, code)
    check_keys(found)
    text = json.dumps(found)
    access = room.access
    for secret in (
        "secret",
        access.host_key,
        access.cookie_secret,
        *map(access.seat_key, range(SEATS)),
    ):
        assert secret not in text
    assert json.loads(text) == found
    return found


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_state_holds_the_referees_answers_and_no_more(room, game, seats) -> None:
    chance = Random(f"{game} {seats} public")
    room.access.sit_down("secret", 0)
    room.prepare(header(game, seats))
    for grant in GRANTS:
        check_state(room, grant, "fr")
    room.begin_draft(0, who="Ana")
    for number in range(60):
        table = room.table
        match = table.moment.match
        grant = GRANTS[number % len(GRANTS)]
        found = check_state(room, grant, LANGUAGES[number % len(LANGUAGES)])
        told = answer(match)
        assert found["legal"] == [one.to_json() for one in legal_events(match)] == told["legal"]
        assert [button["event"] for button in found["buttons"]] == found["legal"]
        possible = {event.do for event in agreements_on_offer(match)} - {"award"}
        sits = grant.host or (grant.seat is not None and grant.seat < seats)
        listed = {button["do"] for group in found["agreed"] for button in group["buttons"]}
        assert listed == (possible if sits else set())
        assert (found["turn"], found["winner"]) == (told["turn"], told["winner"])
        assert [side["score"] for side in found["sides"]] == told["score"]
        assert [side["games"] for side in found["sides"]] == told["games_won"]
        assert found["phase"] == told["phase"]
        assert found["seq"] == table.moment.seq
        if found["hand"] is not None:
            check_hand(found["hand"], told["hands"][-1])
        said = any_event(match, chance)
        if said is None:
            break
        table.say(said, seen=table.moment.seq, source=Source.PHONE, who="Ana")


def test_the_state_of_a_camera_holds_nothing_else(ledger, memory, monkeypatch) -> None:
    with camera_of(monkeypatch) as camera:
        room = Room(ledger, memory, camera)
        begin(room)
        (supervisor,) = FakeSupervisor.started
        supervisor.see(questions=(WHICH,), lack=("Lay a card.", {}))
        supervisor.hint(hint("exposed"))
        for grant in GRANTS:
            check_state(room, grant, "fr")


def check_hand(shown: dict[str, Any], told: dict[str, Any]) -> None:
    assert shown["winner"] == told["winner"]
    assert len(shown["tricks"]) == len(told["tricks"])
    for trick, referees in zip(shown["tricks"], told["tricks"], strict=True):
        for key in ("leader", "winner", "next_leader"):
            assert trick[key] == referees[key]
        laid = [{"seat": card["seat"], "card": card["card"]} for card in trick["cards"]]
        assert laid == [{"seat": card["seat"], "card": card["card"]} for card in referees["cards"]]


def test_a_role_sees_its_own_rights_and_the_same_table(room) -> None:
    begin(room)
    states = [state(room.snapshot(), grant, "en") for grant in GRANTS]
    assert [found.pop("role") for found in states] == [
        {"seat": None, "host": False},
        {"seat": None, "host": False},
        {"seat": 0, "host": False},
        {"seat": 1, "host": False},
        {"seat": 3, "host": True},
    ]
    agreed = [bool(found.pop("agreed")) for found in states]
    assert agreed == [False, False, True, True, True]
    assert all(found == states[0] for found in states)


def test_the_words_are_in_the_language_and_the_facts_in_none(room) -> None:
    begin(room, "trut", 4)
    texts = {code: state(room.snapshot(), VIEWER, code) for code in LANGUAGES}
    assert len({found["awaited"] for found in texts.values()}) == len(LANGUAGES)
    for key in ("legal", "turn", "phase", "seq", "dealer"):
        assert all(found[key] == texts["en"][key] for found in texts.values())
    assert [card["printed"] for card in texts["fr"]["playable"]] == [
        "7",
        "8",
        "1",
        "R",
        "D",
        "V",
        "10",
        "9",
    ]
    for found in texts.values():
        cards = [(card["rank"], card["suits"]) for card in found["playable"]]
        assert cards == [(card["rank"], card["suits"]) for card in texts["en"]["playable"]]


@pytest.mark.parametrize(
    ("taps", "kings"),
    [
        pytest.param([("K", None)], "SHDC", id="a rank alone takes no suit away"),
        pytest.param([("K", "H")], "SDC", id="a known card does"),
        pytest.param([("K", None), ("K", "S")], "HDC", id="the guess moves for a known card"),
        pytest.param([("K", None)] * 4, "", id="all four are laid (V-2)"),
    ],
)
def test_the_suits_that_can_be_tapped(room, taps, kings) -> None:
    begin(room)
    say(room, "0 deal 3", "1 i_play")
    for rank, suit in taps:
        moment, events = room.table.log()
        played = enter_card(moment.match, events, moment.match.turn, rank, suit)
        room.table.say(*played, seen=moment.seq, source=Source.PHONE)
    found = state(room.snapshot(), VIEWER, "en")["playable"]
    assert sorted(next(one["suits"] for one in found if one["rank"] == "K")) == sorted(kings)


def test_a_card_that_stands_for_another_one_is_offered_as_it_is_printed(room) -> None:
    begin(room, "le_truc_seven", options={"alias": {"8": "6"}})
    say(room, "0 deal 3", "1 play 8H")
    found = state(room.snapshot(), VIEWER, "en")["playable"]
    assert {one["rank"]: sorted(one["suits"]) for one in found}["8"] == sorted("SDC")
    assert "6" not in {one["rank"] for one in found}


def test_a_card_of_which_only_the_rank_is_known_has_no_suit(room) -> None:
    begin(room)
    table = room.table
    table.say(event("0 deal 3"), seen=0, source=Source.PHONE)
    guessed = event("1 play KS")._replace(remarks={"_suit": "guessed"})
    table.say(guessed, seen=1, source=Source.PHONE)
    table.say(event("0 play 7H"), seen=2, source=Source.PHONE)
    cards = state(room.snapshot(), VIEWER, "en")["hand"]["tricks"][0]["cards"]
    assert [(card["rank"], card["suit"], card["seq"]) for card in cards] == [
        ("K", None, 2),
        ("7", "H", 3),
    ]


@pytest.mark.parametrize(
    ("remarks", "suits"),
    [({}, "french"), ({PACK_SUITS: "spanish"}, "spanish"), ({PACK_SUITS: ["x"]}, "french")],
)
def test_the_suits_are_those_that_were_chosen_until_cards_show_them(room, remarks, suits) -> None:
    begin(room, "truc_spain", 2, remarks=remarks)
    assert state(room.snapshot(), VIEWER, "en")["game"]["suits"] == suits
    table = room.table
    while (legal := legal_events(table.moment.match))[0].do in ("cut", "deal"):
        table.say(legal[0], seen=table.moment.seq, source=Source.PHONE)
    turn = table.moment.match.turn
    table.say(event(f"{turn} play 1O"), seen=table.moment.seq, source=Source.PHONE)
    found = state(room.snapshot(), VIEWER, "en")
    assert found["game"]["suits"] == "spanish"
    assert set("".join("".join(one["suits"]) for one in found["playable"])) == set("OUEB")
