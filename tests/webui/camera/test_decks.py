"""The deck before a camera: counted, learned, kept, used and deleted on the host's pages."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scorekeeper.storage.ledger import Ledger
from tests.webui.camera.test_camera_setup import shown
from tests.webui.camera.test_counting import CROP, TRUT, looks, may_be, spread
from tests.webui.evening import say
from tests.webui.phones import begin, header
from tests.webui.presenters.test_screens import check
from tests.webui.watching import FakeSupervisor
from vision.detection import deck_templates
from webui.table.room import Room


def test_a_deck_is_counted_put_right_and_learned_on_the_page(
    ready, room, host, started, memory, tmp_path
):
    ready.shown = spread("7S", "KS", "6D")
    assert "0 of 32 cards." in host.page("/host/camera/deck")
    page = host.page("/host/camera/deck")
    check(page)
    assert "2 of 32 cards." in page
    assert "Not of this deck: 6♦." in page
    sheet = host.page("/host/camera/deck/3")
    check(sheet)
    assert "Read as 6♦." in sheet
    assert host.get("/host/camera/deck/3.png").data == CROP
    assert host.send("/host/camera/deck/3", {"card": "6C"}).status_code == 422
    assert host.send("/host/camera/deck/3", {"card": "8D"}).status_code == 200
    assert host.send("/host/camera/deck/9", {"card": "8D"}).status_code == 404
    assert "3 of 32 cards." in host.page("/host/camera/deck")
    ready.shown = [*ready.shown, *spread("JH", at=200, chance=0.4, crop=looks(1))]
    host.page("/host/camera/deck")
    page = host.page("/host/camera/deck")
    check(page)
    assert "tap them below and name them" in page
    sheet = host.page("/host/camera/deck/4")
    check(sheet)
    assert "Read as" not in sheet
    assert host.send("/host/camera/deck/4", {"card": "none"}).status_code == 200
    assert "Not read" not in host.page("/host/camera/deck")
    assert host.send("/host/camera/deck/learn", {"name": "../x"}).status_code == 400
    assert host.send("/host/camera/deck/learn", {"name": "Grandma's" * 9}).status_code == 400
    for name in ("Deck 1", "Deck 2"):  # nobody named it
        assert host.send("/host/camera/deck/learn", {"name": " "}).status_code == 200
        assert memory.data["deck"] == name
    assert host.send("/host/camera/deck/learn", {"name": "Home"}).status_code == 200
    assert {path.stem for path in (tmp_path / "decks" / "Home").glob("*.png")} == {"7S", "KS", "8D"}
    assert ready.decks == [None, "Deck 1", "Deck 2", "Home"]
    assert memory.data["deck"] == "Home"
    page = host.page("/host/camera")
    check(page)
    assert 'value="Home" aria-pressed="true">Home</button>' in page
    assert "Delete the deck Home for good?" in page
    assert shown(room)["setup"]["deck"] == "Home"
    assert host.send("/host/camera/deck/use", {"name": ""}).status_code == 200
    assert (ready.decks[-1], memory.data["deck"]) == (None, None)
    assert host.send("/host/camera/deck/use", {"name": "Deck 1"}).status_code == 200
    for name in ("Home", "Deck 1"):
        assert host.send("/host/camera/deck/forget", {"name": name}).status_code == 200
    assert host.send("/host/camera/deck/forget", {"name": "Home"}).status_code == 400
    assert "Home" not in host.page("/host/camera")
    assert ready.decks[-3:] == [None, "Deck 1", None]  # it read with one of those that went
    assert started == [ready]  # the same process goes on, with the table that it has found
    assert host.send("/host/camera/deck/again").status_code == 200
    assert host.send("/host/camera/deck/learn", {"name": "Home"}).status_code == 422


@pytest.mark.parametrize(
    ("kept", "status", "says"),
    [
        ({"cards": 21, "trouble": None}, 200, "21"),
        ({"cards": 0, "trouble": None}, 422, "no card was learned yet"),
        ({"cards": 0, "trouble": "No space left on device"}, 422, "No space left on device"),
        (None, 422, "does not answer"),
    ],
    ids=["kept", "nothing learned", "a full disk", "no answer"],
)
def test_a_deck_is_kept_as_it_was_learned_while_people_played(
    ready, room, host, kept, status, says
):
    begin(room, "trut")
    assert "Keep this deck for another evening" in host.page("/host")
    ready.kept = kept
    answer = host.send("/host/camera/deck/keep", {"name": " Home "})
    assert (answer.status_code, says in answer.text) == (status, True)
    assert host.send("/host/camera/deck/keep", {"name": "../x"}).status_code == 400
    assert ready.keeps == ["Home"]
    room.use_camera(None)
    for act in ("keep", "use"):
        assert host.send(f"/host/camera/deck/{act}", {"name": "Home"}).status_code == 404


def test_a_deck_that_nobody_names_is_kept_under_its_own_name_or_a_new_one(
    ready, room, host, memory
):
    begin(room, "trut")
    deck_templates.keep_deck("Deck 1", {"KS": np.zeros((224, 160, 3), np.uint8)})
    host.send("/host/camera/deck/keep")
    host.send("/host/camera/deck/keep", {"name": " "})  # another tap, or after another match
    host.send("/host/camera/deck/use", {"name": "Deck 1"})
    host.send("/host/camera/deck/keep")
    ready.kept = {"cards": 0, "trouble": None}
    host.send("/host/camera/deck/keep", {"name": "Home"})  # there is nothing to keep
    assert ready.keeps == ["Deck 2", "Deck 2", "Deck 1", "Home"]
    assert ready.decks == [None, "Deck 2", "Deck 2", "Deck 1", "Deck 1"]
    assert memory.data["deck"] == "Deck 1"


@pytest.mark.parametrize(
    ("known", "won", "says", "opens"),
    [
        (0, True, "", False),
        (1, False, "It knows 1 card by now.", False),
        (21, False, "It knows 21 cards by now.", False),
        (21, True, "It knows 21 cards by now.", True),
    ],
)
def test_when_the_match_is_over_the_page_offers_to_keep_what_was_learned_of_the_deck(
    ready, room, host, known, won, says, opens
):
    begin(room, "trut")
    if won:
        say(room, "end_match")
    ready.see(known=known)
    page = host.page("/host")
    assert (says in page, "by now." in page) == (True, bool(says))
    assert ('<details id="keep-deck" open>' in page) == opens


def test_the_count_says_what_to_do_next(ready, host):
    king, queen = may_be(1, KS=0.98), may_be(2, 60, QS=0.7)
    deck = [*spread(*sorted(TRUT - {"KS", "QS", "JS"}), at=200), king, queen]
    ready.shown = [*deck, may_be(3, 120, KS=0.4)]
    host.page("/host/camera/deck")
    page = host.page("/host/camera/deck")
    check(page)
    assert "Missing: J♠." in page
    assert "tap them below and name them" in page
    assert page.index("Which card is this?") < page.index("K♠</span>")
    assert "Not sure: Q♠." in page
    sheet = host.page("/host/camera/deck/32")
    check(sheet)
    assert re.findall(r'wanted" name="card" value="(\w+)"', sheet) == ["QS", "JS"]
    host.send("/host/camera/deck/again")
    ready.shown = deck
    host.page("/host/camera/deck")
    page = host.page("/host/camera/deck")
    check(page)
    assert "Lay the next cards." in page


def test_a_count_lasts_until_the_match_begins(ready, room, host):
    ready.shown = None  # the process was just started
    assert "0 of 32 cards." in host.page("/host/camera/deck")
    ready.shown = spread("7S")
    host.page("/host/camera/deck")
    host.page("/host/camera/deck")
    host.send("/host/camera/turn")
    assert len(room.camera.counting.cards) == 1
    room.begin_draft(0, who="host")
    assert host.get("/host/camera/deck").status_code == 404


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "deleted since"])
def test_a_table_reads_with_the_deck_that_it_remembers_if_it_is_still_kept(
    ledger: Ledger, memory, started, kept
):
    if kept:
        deck_templates.keep_deck("Home", {"KS": np.zeros((224, 160, 3), np.uint8)})
    with memory.changing() as data:
        data["deck"] = "Home"
    room = Room(ledger, memory)
    room.prepare(header("trut"))
    room.use_camera("2")
    assert [each.config.deck for each in started] == ["Home" if kept else None]
    room.close()


@pytest.mark.parametrize(
    ("asked", "learned"),
    [
        ([("turn", {})], {"KS": "png"}),
        ([("deck/use", {"name": ""}), ("turn", {})], {}),
    ],
    ids=["the table is turned", "another deck lies there"],
)
def test_what_was_learned_of_the_deck_is_known_to_the_next_process(ready, host, asked, learned):
    ready.learned = {"KS": "png"}
    for path, form in asked:
        assert host.send(f"/host/camera/{path}", form).status_code == 200
    assert FakeSupervisor.started[-1] is not ready
    assert FakeSupervisor.started[-1].learned == learned
