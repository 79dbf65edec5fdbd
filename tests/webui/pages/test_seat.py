"""The pages of seats: how a phone takes a seat, takes it over, and gives it back."""

from __future__ import annotations

import pytest

from tests.webui.phones import Phone, begin, header, seat_of


def test_only_its_code_opens_a_seat(room, app) -> None:
    begin(room)
    phone = Phone(app)
    assert phone.get("/seat/0").status_code == 403
    for key in ("", "x", room.access.seat_key(1), room.access.host_key):
        answer = phone.get("/seat/0", query_string={"key": key})
        assert answer.status_code == 403
        assert "no longer valid" in answer.text
    answer = phone.get(f"/seat/0?key={room.access.seat_key(0)}")
    assert (answer.status_code, answer.location) == (302, "/seat/0")
    assert room.access.seat_key(0) not in phone.page("/seat/0")
    assert phone.get(f"/seat/0?key={room.access.seat_key(0)}").status_code == 302


def test_another_phone_takes_a_seat_over_after_confirming(room, app) -> None:
    begin(room)
    first, second, key = seat_of(app, room, 0), Phone(app), room.access.seat_key(0)
    page = second.page(f"/seat/0?key={key}")
    assert "Another phone holds this seat" in page
    assert first.get("/seat/0").status_code == 200
    assert second.send("/seat/0", {"key": "x"}).status_code == 403
    assert second.send("/seat/1", {"key": key}).status_code == 403
    assert second.send("/seat/9", {"key": key}).status_code == 403
    assert second.send("/seat/0", {"key": key}).status_code == 302
    assert first.get("/seat/0").status_code == 403
    assert first.say({"do": "deal", "seat": 0, "cards": 3}).status_code == 403
    assert second.say({"do": "deal", "seat": 0, "cards": 3}).status_code == 200


def test_a_phone_is_led_to_its_own_seat(room, seated) -> None:
    begin(room)
    answer = seated(1).get("/seat/0")
    assert (answer.status_code, answer.location) == (302, "/seat/1")


def test_a_seat_is_given_back_and_all_screens_hear_of_it(room, client, seated) -> None:
    begin(room)
    number = room.channel.number
    phone = seated(1)
    assert client.state()["seats"][1]["held"]
    assert room.channel.number > number
    assert phone.send("/seat/leave").status_code == 302
    assert not client.state()["seats"][1]["held"]
    assert phone.get("/seat/1").status_code == 403
    assert phone.send("/seat/leave").status_code == 403


def test_a_phone_that_changes_seats_frees_the_old_one(room, client, seated) -> None:
    begin(room)
    phone = seated(0)
    assert phone.get(f"/seat/1?key={room.access.seat_key(1)}").status_code == 302
    assert [seat["held"] for seat in client.state()["seats"]] == [False, True]


@pytest.mark.parametrize(
    "path", ["/seat/4", "/seat/99", "/seat/x", "/seat/-1", "/seat/" + "9" * 30]
)
def test_there_are_four_seats(client, path) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("seat", [2, 3])
def test_a_phone_at_a_seat_that_a_match_of_two_lacks_waits(room, seated, client, seat) -> None:
    """If two of four players play on, the phones of the others keep their seats."""
    phone = seated(seat)
    room.prepare(header(seats=2))
    assert "data-event" not in phone.page(f"/seat/{seat}")
    assert phone.send("/host/cut", {"seat": seat, "rank": "A"}).status_code == 422
    begin(room)
    assert "data-event" not in phone.page(f"/seat/{seat}")
    for path in ("hand", "gap", "undo", "not-me"):
        assert phone.get(f"/repairs/{path}").status_code == 200
    assert phone.say({"do": "deal", "seat": seat, "cards": 3}).status_code == 422


def test_a_seat_survives_a_restart_with_its_cookie(room, app, ledger, memory) -> None:
    from webui.app import create_app
    from webui.table.room import Room

    begin(room)
    phone = seat_of(app, room, 1)
    after = create_app(Room(ledger, memory))
    again = Phone(after)
    cookie = phone.client.get_cookie("trucam_table")
    again.client.set_cookie("trucam_table", cookie.value)
    assert again.get("/seat/1").status_code == 200
    assert again.state() == phone.state()
    forged = Phone(after)
    forged.client.set_cookie("trucam_table", cookie.value[:-3] + "xxx")
    assert forged.get("/seat/1").status_code == 403


def test_a_retrut_is_tapped_where_it_is_legal_and_told_on_the_board(room, seated) -> None:
    begin(room, "trut", options={"retrut": "two_longs"})
    ana, bea = seated(0), seated(1)
    for event in ({"do": "deal", "seat": 0, "cards": 3}, {"do": "trut", "seat": 0}):
        assert ana.say(event).status_code == 200
    assert {"do": "retrut", "seat": 1} in [tap.event for tap in bea.taps("/seat/1")]
    assert not any(tap.event["do"] == "retrut" for tap in ana.taps("/seat/0"))
    assert bea.say({"do": "retrut", "seat": 1}).status_code == 200
    assert "Bea retruts. Ana: see or fold?" in ana.page("/tv")
    assert ana.say({"do": "see", "seat": 0}).status_code == 200
    assert ana.state()["value"]["words"] == "two Longs"
