"""A pack that lacks cards of the game is not offered, is refused, and breaks no page."""

from __future__ import annotations

import json
import re
from types import MappingProxyType

import pytest

from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.engine.said import Said, Source
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import GAMES
from scorekeeper.history.record import write_record
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.page import said
from tests.webui.phones import begin, header, host_of, seat_of
from tests.webui.playing import UnlimitedWrites
from webui.app import create_app
from webui.table.room import Room

DEAL = {"do": "deal", "seat": 0, "cards": 3}
HELD = "0 deal 3, 1 play 7O, 0 play 8S"
SCREENS = ("/", "/tv", "/host", "/seat/1")
OTHER_PAGES = ("api/v1/state", "match/1", "match/1.csv", "match/1.svg", "evenings", "dispute/1",
               "repairs/event/2", "repairs/hand")  # fmt: skip
PAGES = (*SCREENS, *(f"/{page}" for page in OTHER_PAGES))


def held(room: Room, remarks: dict[str, object]) -> int:
    """A match from a record with a card of another pack; this table plays on with it."""
    found = header("trut", 2, remarks=MappingProxyType(remarks))
    was = Said.now(Source.IMPORT)
    match_id = room.ledger.add(found, said(HELD), was, begun=was.at)
    room.resume(match_id)
    return match_id


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
@pytest.mark.parametrize("system", SUIT_SYSTEMS)
def test_set_up_offers_and_takes_a_pack_where_it_can_play_the_game(
    app, room, host, client, game, system
) -> None:
    app.extensions["writes"] = UnlimitedWrites()
    fits = system in game.rules.suit_systems
    offered = re.findall(rf'name="{game.id}.suits" value="(\w+)"', host.page("/host"))
    assert (system in offered) == fits
    form = {"game": game.id, "players": "2", "best_of": "1", f"{game.id}.suits": system}
    answer = host.send("/host/setup", form)
    assert answer.status_code == (302 if fits else 422)
    if not fits:
        assert "this game needs a pack that has 10" in answer.text
        assert room.snapshot().header is None
        return
    for path in ("/", "/tv", "/host"):
        client.page(path) if path != "/host" else host.page(path)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("remark", ["spanish", "french", ["x"], None])
def test_a_table_that_was_set_up_with_any_pack_is_shown_also_after_a_restart(
    room, memory, ledger, game, remark
) -> None:
    remarks = {} if remark is None else {PACK_SUITS: remark}
    for played in (False, True):
        found = header(game, remarks=MappingProxyType(remarks))
        begin(room, game, remarks=MappingProxyType(remarks)) if played else room.prepare(found)
        for table in (room, Room(ledger, memory)):
            app = create_app(table)
            host = host_of(app, table)
            for path in ("/", "/tv", "/host", "/api/v1/state"):
                host.page(path)
        if not played:
            room.clear()


PLAYS = [
    {"card": "7O"},
    {"card": "10O"},
    {"rank": "7", "suit": "O"},
    {"rank": "10", "suit": "O"},
    {"rank": "2", "suit": None},
]


@pytest.mark.parametrize("play", PLAYS, ids=json.dumps)
def test_a_card_of_another_pack_is_refused_by_the_api_and_nothing_changes(room, seated, play):
    begin(room, "trut")
    ana, bea = seated(0), seated(1)
    assert ana.say(DEAL).status_code == 200
    answer = bea.say({"do": "play", "seat": 1, **play})
    assert (answer.status_code, answer.json["error"]) == (422, "C-9")
    assert "{" not in answer.json["sentence"]
    assert room.table.moment.seq == 1
    assert bea.say({"do": "play", "seat": 1, "rank": "10", "suit": "S"}).status_code == 200


@pytest.mark.parametrize("remarks", [{}, {PACK_SUITS: "spanish"}, {PACK_SUITS: "french"}], ids=str)
def test_a_match_that_holds_one_opens_on_every_page_and_says_so(room, host, seated, remarks):
    held(room, remarks)
    phone = seated(1)
    for path in PAGES:
        viewer = host if path == "/host" else phone
        for code in LANGUAGES:
            page = viewer.page(f"{path}?lang={code}")
            if path in SCREENS:
                assert re.search(r'class="notice foreign">[^<]*\b7\b[^<]*\(\w+ 2\)', page), path


def test_such_a_match_is_played_on_put_right_and_ended(room, app, host) -> None:
    held(room, {PACK_SUITS: "spanish"})
    bea = seat_of(app, room, 1)
    assert {one["printed"] for one in bea.state()["playable"]} == set(GAMES["trut"].rules.order)
    assert bea.say({"do": "play", "seat": 1, "card": "10D"}).status_code == 200
    assert host.say({"do": "void_hand"}).status_code == 200
    assert room.table.moment.match.hand.end == "void_hand"
    page = bea.page("/repairs/event/2")
    assert "7♦" in page


def test_a_record_with_one_comes_into_the_ledger_and_says_so(trucam, folder) -> None:
    path = folder / "old.jsonl"
    path.write_text("".join(write_record(header("trut"), said(HELD))))
    for command in ("score", "explain", "import"):
        status, out, err = trucam(command, path)
        assert (status, bool(out)) == (0, True), command
        assert err.splitlines() == [
            "line 3: C-9: 7O is from a pack that has no 10, which this game needs; "
            "it counts all the same"
        ]
