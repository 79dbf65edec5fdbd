"""The host's pages: set-up, links that can be revoked, and nobody else may use them."""

from __future__ import annotations

import re

import pytest

from scorekeeper.engine.said import Source
from scorekeeper.text.choices import games_on_offer
from tests.scorekeeper.talk import event
from tests.webui.phones import Phone, begin, header, host_of
from tests.webui.playing import UnlimitedWrites
from webui.table.memory import TableError

FORM = {"game": "trut", "players": "4", "best_of": "3"} | {
    f"name{seat}": name for seat, name in enumerate(("Ana", "Bea <b>", "Carles", "🂡"))
}
POSTS = {
    "setup": FORM,
    "cut": {"seat": "0", "rank": "A"},
    "cut-again": {},
    "begin": {"dealer": "0"},
    "again": {},
    "resume": {"match": "1"},
    "clear": {},
    "revoke": {},
}


def test_only_the_hosts_key_opens_the_hosts_page(room, app, client) -> None:
    assert client.get("/host").status_code == 403
    for key in ("", "x", "é", room.access.seat_key(0)):
        answer = client.get("/host", query_string={"key": key})
        assert answer.status_code == 403
        assert "This page is the host" in answer.text
    answer = client.get(f"/host?key={room.access.host_key}")
    assert (answer.status_code, answer.location) == (302, "/host")
    assert client.get("/host").status_code == 200
    assert Phone(app).get("/host").status_code == 403


@pytest.mark.parametrize("path", POSTS)
def test_a_viewer_can_do_nothing_that_is_the_hosts(room, client, path) -> None:
    assert client.send(f"/host/{path}", POSTS[path]).status_code == 403


@pytest.mark.parametrize("path", sorted(set(POSTS) - {"cut", "cut-again", "begin", "again"}))
def test_a_seat_does_nothing_that_is_the_hosts(room, seated, path) -> None:
    begin(room)
    phone, key = seated(0), room.access.host_key
    assert phone.send(f"/host/{path}", POSTS[path]).status_code == 403
    assert (room.access.host_key, room.table.match_id) == (key, 1)


@pytest.mark.parametrize("path", POSTS)
def test_a_strangers_page_cannot_post_in_the_hosts_name(room, host, path) -> None:
    answer = host.client.post(f"/host/{path}", data=POSTS[path])
    assert answer.status_code == 400
    assert "This page is too old; load it again." in answer.text
    assert room.snapshot().header is None


def test_a_set_up_that_is_refused_changes_nothing(room, host, monkeypatch) -> None:
    """Another device still shows the form of set-up, though a match is being played."""
    begin(room)
    changed = []
    monkeypatch.setattr(room, "use_camera", changed.append)
    assert host.send("/host/setup", FORM).status_code == 422
    assert changed == []


def test_set_up_is_kept_and_filled_in_the_next_time(room, host) -> None:
    assert host.send("/host/setup", FORM).status_code == 302
    assert room.snapshot().draft.seats == ("Ana", "Bea <b>", "Carles", "🂡")
    assert room.snapshot().draft.best_of == 3
    page = host.page("/host")
    assert "Bea &lt;b&gt;" in page
    assert "Bea <b>" not in page
    assert host.send("/host/clear").status_code == 200
    page = host.page("/host")
    assert re.search(r'name="game" value="trut" checked', page)
    assert re.search(r'name="players" value="4" checked', page)
    assert re.search(r'name="best_of" value="3" checked', page)
    assert re.findall(r'name="name\d" value="([^"]*)"', page) == [
        "Ana", "Bea &lt;b&gt;", "Carles", "🂡",
    ]  # fmt: skip


def test_the_house_rules_of_last_time_are_filled_in_too(host) -> None:
    host.send("/host/setup", {**FORM, "trut.option.lead_after_spoiled": "first_tied"})
    host.send("/host/clear")
    assert '<option value="first_tied" selected' in host.page("/host")


def test_two_sit_opposite_each_other(room, host) -> None:
    two = {"game": "le_truc_ace", "players": "2", "best_of": "1", "name0": "Ana", "name2": "Bea"}
    host.send("/host/setup", two)
    assert room.snapshot().draft.seats == ("Ana", "Bea")
    host.send("/host/clear")
    found = re.findall(r'name="name\d" value="([^"]*)"', host.page("/host"))
    assert found == ["Ana", "", "Bea", ""]


@pytest.mark.parametrize("game", games_on_offer("en"), ids=lambda game: game.game)
def test_every_choice_that_the_page_offers_is_accepted(app, room, host, game) -> None:
    app.extensions["writes"] = UnlimitedWrites()
    plain = {"game": game.game, "players": "2", "best_of": "1"}
    fields = [{f"{game.game}.variants": variant.name} for variant in game.variants]
    for option in game.options:
        limits = option.limits or ()
        values = [str(limit) for limit in limits] or [value.value for value in option.values]
        fields += [{f"{game.game}.option.{option.name}": value} for value in values]
    for deck in game.printings:
        chosen = {f"{game.game}.suits": deck.suits, f"{game.game}.{deck.suits}": deck.name}
        fields += [chosen, {f"{game.game}.suits": "x", f"{game.game}.french": "x"}]
    for more in fields:
        answer = host.send("/host/setup", plain | more)
        assert answer.status_code == 302, (more, answer.text)
        room.clear()
    assert host.get("/host").status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": ""},
        {"game": "poker"},
        {"best_of": "2"},
        {"best_of": "9" * 5000},
        {"trut.variants": "x"},
        {"trut.option.target": "x"},
        {"trut.option.target": "-1"},
        {"trut.option.x": "1"},
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_and_the_form_keeps_what_was_filled_in(room, host, wrong):
    answer = host.send("/host/setup", FORM | wrong)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "Carles" in answer.text
    assert room.snapshot().draft is None


def test_names_are_tidied_and_cut(room, host) -> None:
    names = {"name0": " \u202eAna\n\0 ", "name1": "Ana", "name2": "x" * 500, "name3": ""}
    host.send("/host/setup", FORM | names)
    seats = room.snapshot().draft.seats
    assert len(set(seats)) == 4
    assert seats[0].isprintable()
    assert all(0 < len(name) <= 40 for name in seats)


def test_a_double_tap_sets_one_table_up(room, host) -> None:
    assert host.send("/host/setup", FORM).status_code == 302
    room.cut(0, "A")
    assert host.send("/host/setup", FORM).status_code == 302
    assert len(room.cutting().cuts) == 1
    answer = host.send("/host/setup", FORM | {"players": "2"})
    assert answer.status_code == 422
    assert answer.json["sentence"] == "a match is being played at this table already"


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("cut", {}, 400),
        ("cut", {"seat": "x", "rank": "A"}, 400),
        ("cut", {"seat": "9", "rank": "A"}, 422),
        ("cut", {"seat": "0"}, 422),
        ("cut", {"seat": "0", "rank": "x" * 1000}, 422),
        ("begin", {}, 422),
        ("begin", {"dealer": "7"}, 422),
        ("begin", {"dealer": "-1"}, 422),
        ("again", {}, 422),
        ("resume", {}, 400),
        ("resume", {"match": "x"}, 400),
        ("resume", {"match": "99"}, 422),
        ("resume", {"match": "-1"}, 422),
        ("resume", {"match": "9" * 30}, 422),
        ("revoke", {"seat": "x"}, 400),
        ("revoke", {"seat": ""}, 400),
        ("revoke", {"seat": "4"}, 400),
        ("revoke", {"seat": "-1"}, 400),
        ("setup", {"name0": "x" * 70_000}, 413),
    ],
)
def test_a_senseless_request_is_refused_in_a_sentence_and_changes_nothing(
    room, host, path, fields, status
):
    room.prepare(header())
    keys = [room.access.host_key, *map(room.access.seat_key, range(4))]
    answer = host.send(f"/host/{path}", fields)
    assert answer.status_code == status
    assert answer.json["sentence"]
    assert room.cutting().cuts == ()
    assert keys == [room.access.host_key, *map(room.access.seat_key, range(4))]


def test_the_phones_cut_for_themselves_and_any_of_them_begins(room, seated) -> None:
    room.prepare(header())
    ana, bea = seated(0), seated(1)
    assert ana.send("/host/cut", {"seat": 1, "rank": "A"}).status_code == 403
    assert "Cut again" not in ana.page("/seat/0")
    assert ana.send("/host/cut", {"seat": 0, "rank": "A"}).status_code == 200
    assert "Cut again" in ana.page("/seat/0")
    assert bea.send("/host/cut", {"seat": 1, "rank": "7"}).status_code == 200
    assert bea.send("/host/cut-again").status_code == 200
    answer = bea.client.post(
        "/host/begin", data={"dealer": "1", "back": "seat", "csrf_token": bea.token}
    )
    assert (answer.status_code, answer.location) == (302, "/seat/1")
    assert room.table.moment.match.dealer == 1


def test_again_resume_and_clear_from_the_page(room, host, seated) -> None:
    ana = seated(0)
    begin(room)
    room.table.say(event("award 0 12"), seen=0, source=Source.OPERATOR)
    assert "/host/again" in ana.page("/seat/0")
    assert ana.send("/host/again").status_code == 200
    assert ana.send("/host/again").status_code == 422
    assert room.table.match_id == 2
    assert host.send("/host/clear").status_code == 200
    page = host.page("/host")
    assert 'name="match" value="2"' in page
    assert host.send("/host/resume", {"match": "2"}).status_code == 200
    assert room.table.match_id == 2


def test_a_match_that_was_left_and_forgotten_is_not_offered(room, host) -> None:
    begin(room)
    host.send("/host/clear")
    assert host.send("/match/1/forget").status_code == 302
    assert 'class="unfinished"' not in host.page("/host")
    answer = host.send("/host/resume", {"match": "1"})
    assert (answer.status_code, answer.json["sentence"]) == (422, "there is no match 1 any more")


def test_a_new_code_makes_the_old_one_worthless_at_once(room, app, host, seated) -> None:
    begin(room)
    phone, old = seated(1), room.access.seat_key(1)
    assert host.send("/host/revoke", {"seat": "1"}).status_code == 200
    assert phone.get("/seat/1").status_code == 403
    answer = Phone(app).get(f"/seat/1?key={old}")
    assert answer.status_code == 403
    assert "no longer valid" in answer.text
    assert room.access.seat_key(1) in host.page("/host")
    other = host_of(app, room)
    key = room.access.host_key
    assert host.send("/host/revoke").status_code == 200
    assert host.get("/host").status_code == 200
    assert other.get("/host").status_code == 403
    assert Phone(app).get(f"/host?key={key}").status_code == 403


def test_a_table_that_cannot_be_written_is_one_sentence(room, host, monkeypatch) -> None:
    def full(data: object) -> None:
        raise TableError("The disk is full.")

    monkeypatch.setattr(room._memory, "_write", full)
    answer = host.send("/host/setup", FORM)
    assert answer.status_code == 503
    assert answer.json["sentence"].endswith("then try again. The disk is full.")
    assert room.snapshot().draft is None
    assert host.get("/host").status_code == 200


def test_names_are_suggested_later_where_people_allow_it(room, host) -> None:
    form = {"game": "trut", "players": "2", "name0": "Ana", "name2": "Bea", "best_of": "1"}
    host.send("/host/setup", form)
    host.send("/host/clear")
    assert '<datalist id="names"></datalist>' in host.page("/host")
    assert room.names == ()
    host.send("/host/setup", {**form, "names": "1"})
    host.send("/host/clear")
    assert '<option value="Ana"><option value="Bea">' in host.page("/host")


def test_the_code_of_a_seat_that_was_given_back_is_unfolded(room, host, seated) -> None:
    begin(room)
    opened = re.compile(r'<details class="seat-link" id="link-(\d)"( open)?>')
    assert [which for which, is_open in opened.findall(host.page("/host")) if is_open] == []
    ana = seated(0)
    assert [which for which, is_open in opened.findall(host.page("/host")) if is_open] == ["1"]
    bea = seated(1)
    assert [which for which, is_open in opened.findall(host.page("/host")) if is_open] == []
    assert ana.send("/seat/leave").status_code == 302
    assert [which for which, is_open in opened.findall(host.page("/host")) if is_open] == ["0"]
    assert bea.state()["role"]["seat"] == 1
