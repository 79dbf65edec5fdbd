"""Every screen can be drawn at every moment of a match, in all languages, alike for equal roles."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from random import Random

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import legal_events
from scorekeeper.engine.said import Source
from scorekeeper.games.rules import GAMES
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import any_event
from tests.scorekeeper.talk import TABLES, event
from tests.webui.evening import say
from tests.webui.phones import begin, header
from webui.presenters.screens import STATE, calls, drawings, fragment
from webui.presenters.table_state import state
from webui.requests.security import POLICY
from webui.table.access import VIEWER, Grant
from webui.table.snapshot import Snapshot

ROLES = {
    "board": (VIEWER, Grant(1, False, "p")),
    "tv": (VIEWER,),
    "far": (VIEWER,),
    "overlay": (VIEWER,),
    "seat": (Grant(0), Grant(1), Grant(2), Grant(3), Grant(1, True), VIEWER),
    "host": (Grant(host=True), Grant(0, True), VIEWER, Grant(0)),
}
VIEWS = [(name, grant) for name, grants in ROLES.items() for grant in grants]
VOID = {"br", "input", "img", "use", "path", "meta", "link", "hr"}


class Checker(HTMLParser):
    """Finds wrong HTML, which a browser would accept, and what the content policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert name != "style", f"the policy forbids inline styles: {value}"
            assert not name.startswith("on"), f"the policy forbids inline scripts: {value}"
            if name == "id":
                self.ids.append(value or "")
            if name.startswith("data-") and (value or "").startswith("{"):
                json.loads(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def check(html: str) -> None:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))
    for wrong in ("Undefined", "None", "{{", "{%", "&lt;b&gt;&lt;"):
        assert wrong not in html, wrong


def draw(app, room, views) -> None:
    snapshot = room.snapshot()
    with app.test_request_context("/"):
        for name, grant, code in views:
            html = fragment(name, state(snapshot, grant, code), grant, code)
            assert html.strip()
            check(html)
            for call in calls(snapshot, code):
                assert "None" not in call["text"]


def draw_all(app, room, codes=LANGUAGES) -> None:
    draw(app, room, [(*view, code) for code in codes for view in VIEWS])


def draw_some(app, room, number: int) -> None:
    """Draws two views; after some calls, all views were drawn in every language."""
    turns = range(2 * number, 2 * number + 2)
    draw(app, room, [(*VIEWS[n % len(VIEWS)], LANGUAGES[n % len(LANGUAGES)]) for n in turns])


def test_the_checker_of_pages_covers_the_whole_policy() -> None:
    assert "'unsafe-inline'" not in POLICY


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_set_up_and_cutting_are_drawn(app, room, game, seats) -> None:
    codes = LANGUAGES[:2] if seats == 2 else LANGUAGES[2:]
    room.prepare(header(game, seats))
    draw_all(app, room, codes)
    for seat in range(seats):
        room.cut(seat, "7")
        draw_some(app, room, seat)
    while due := room.cutting().due:
        room.cut(due[0], room.cutting().rules.order[due[0]])
    draw_all(app, room, codes)


def test_a_table_that_is_being_set_up_is_drawn(app, room) -> None:
    draw_all(app, room)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_moment_of_a_match_is_drawn(app, room, game, seats) -> None:
    """There are many moments, so roles and languages take turns."""
    chance = Random(f"{game} {seats} drawn")
    begin(room, game, seats, best_of=3)
    for number in range(40):
        table = room.table
        said = any_event(table.moment.match, chance, operator=0.15)
        if said is None:
            break
        table.say(said, seen=table.moment.seq, source=Source.PHONE, who="Ana")
        draw_some(app, room, number)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("screen", ["board", "tv", "seat", "host"])
def test_several_spoiled_tricks_say_once_who_gets_them(app, room, screen, code) -> None:
    begin(room, "le_truc_ace", 2)
    for said in ("0 deal 3", "1 i_play", "1 play KS", "0 play KH", "1 play 9S", "0 play 9H"):
        say(room, said)
        snapshot = room.snapshot()
        grant = Grant(0, screen == "host")
        shown = state(snapshot, grant, code)
        tricks = [trick for trick in (shown["hand"] or {}).get("tricks", ()) if trick["note"]]
        with app.test_request_context("/"):
            html = unescape(fragment(screen, shown, grant, code))
        assert len(tricks) == (said in ("0 play KH", "1 play 9S", "0 play 9H"))
        assert all(html.count(trick["note"]) == 1 for trick in tricks), said


@pytest.mark.parametrize("code", LANGUAGES)
def test_longs_and_smalls_are_labelled(app, room, code) -> None:
    begin(room, "trut", 2)
    say(room, "award 0 3", "award 1 2")
    snapshot = room.snapshot()
    with app.test_request_context("/"):
        for name, grant in VIEWS:
            if name in ("tv", "far", "overlay", "board"):
                html = fragment(name, state(snapshot, grant, code), grant, code)
                digits = re.findall(r'class="(?:points|lesser)">(\d+)<', html)
                labels = re.findall(r'class="unit">([^<]+)<', html)
                assert digits == ["1", "0", "0", "2"]
                assert len(labels) == 4
                assert len(set(labels)) == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_ends_of_games_and_matches_are_drawn(app, room, game) -> None:
    begin(room, game, 2, best_of=3)
    target = room.table.moment.match.rules.target
    unit = room.table.moment.match.rules.counting.parts
    for text in (f"award 0 {target * unit - unit}", f"award 1 {target * unit - unit}"):
        room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE, who="host")
        draw_all(app, room, ("fr",))
    for _ in range(40):
        match = room.table.moment.match
        if match.winner is not None:
            break
        if match.in_progress:
            said = Event("void_hand")
        elif match.game_over:
            said = legal_events(match)[0]
        else:
            said = event(f"award 0 {target * unit}")
        room.table.say(said, seen=room.table.moment.seq, source=Source.PHONE, who="host")
        draw_some(app, room, room.table.moment.seq)
    assert room.table.moment.match.winner == 0
    draw_all(app, room, ("en", "es"))


def test_equal_roles_get_identical_bytes_and_different_ones_do_not(app, room) -> None:
    begin(room)
    snapshot = room.snapshot()
    with app.test_request_context("/"):
        one = drawings().message("seat", snapshot, Grant(0, False, "a"), "en")
        assert drawings().message("seat", snapshot, Grant(0, False, "b"), "en") is one
        others = [
            drawings().message("seat", snapshot, Grant(1, False, "a"), "en"),
            drawings().message("seat", snapshot, Grant(0, False, "a"), "fr"),
            drawings().message("board", snapshot, Grant(0, False, "a"), "en"),
            drawings().message(STATE, snapshot, Grant(0, False, "a"), "en"),
        ]
        assert len({one, *others}) == 5
        room.changed()
        assert drawings().message("seat", room.snapshot(), Grant(0), "en") != one


def test_what_was_drawn_does_not_depend_on_who_asked_first(app, room) -> None:
    """The same bytes are sent to everybody, so nothing of a request may be in them."""
    begin(room)
    found = []
    for number, accept in enumerate(("fr", "ca")):
        room.changed()
        snapshot: Snapshot = room.snapshot()
        with app.test_request_context(
            f"/seat/{number}?key=secret{number}",
            base_url=f"http://127.0.0.{number + 1}:80{number}/",
            headers={"Accept-Language": accept, "Cookie": f"trucam_table=secret{number}"},
        ):
            for name in ROLES:
                grant = Grant(0, False, f"secret{number}")
                html = fragment(name, state(snapshot, grant, "en"), grant, "en")
                assert "secret" not in html
                found.append((name, html))
    assert found[: len(ROLES)] == found[len(ROLES) :]


def test_an_event_is_called_once_and_a_correction_once(app, room) -> None:
    begin(room)
    table = room.table
    for text in ("0 deal 3", "1 play KS", "0 play QH"):
        table.say(event(text), seen=table.moment.seq, source=Source.PHONE, who="Ana")
    found = calls(room.snapshot(), "en")
    assert [call["number"] for call in found] == sorted({call["number"] for call in found})
    assert all(call["sound"] for call in found)
    right = [event(text) for text in ("undo", "undo", "1 play 7S", "0 play QH")]
    table.say(*right, seen=3, source=Source.PHONE, who="Bea")
    corrected = calls(room.snapshot(), "en")[len(found) :]
    assert len(corrected) == 1
    assert corrected[0]["sound"] == "correction"
    assert "Bea" in corrected[0]["text"]


def test_a_table_without_a_match_calls_nothing(app, room) -> None:
    assert calls(room.snapshot(), "en") == []


NOW = re.compile(r'<p class="now[^>]*>(.*?)</p>')
HAND = ("0 deal 3", "1 i_play", "1 play KS", "0 play 9H", "1 play KH", "0 play 8H")


@pytest.mark.parametrize(
    ("seat", "headline"), [(0, "Bea deals next"), (1, "You deal next"), (None, "Bea deals next")]
)
def test_after_a_hand_the_headline_says_who_deals(app, room, seat, headline) -> None:
    begin(room, "le_truc_ace", 2)
    say(room, *HAND)
    shown = state(room.snapshot(), VIEWER if seat is None else Grant(seat), "en")
    with app.test_request_context("/"):
        html = fragment("board" if seat is None else "seat", shown, Grant(seat), "en")
    assert NOW.findall(html) == [headline]


@pytest.mark.parametrize(
    ("game", "seats", "said", "question"),
    [
        ("truc_spain", 4, ("1 cut", "0 deal 3", "3 truc"),
         "Dani calls truc. Carles: play for 2 points?"),
        ("le_truc_ace", 2, ("0 deal 3", "1 i_play", "1 raise 2"),
         "Bea raises. Ana: play for 2 points?"),
        ("trut", 4, ("0 deal 3", "3 trut"), "Dani truts. Ana: see or fold?"),
    ],
)  # fmt: skip
def test_a_call_that_waits_says_what_is_asked_of_whom(
    app, room, game, seats, said, question
) -> None:
    begin(room, game, seats)
    say(room, *said)
    shown = state(room.snapshot(), VIEWER, "en")
    with app.test_request_context("/"):
        assert f"<b>{question}</b>" in fragment("tv", shown, VIEWER, "en")
