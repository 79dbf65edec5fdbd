"""Cookies stay valid whatever the clock says."""

from __future__ import annotations

import itsdangerous.timed
import pytest

from tests.scorekeeper.talk import event
from tests.webui.evening import say
from tests.webui.phones import begin


@pytest.mark.parametrize("hours", [-24 * 400, -24, -1, 24 * 400])
def test_a_phone_keeps_its_seat_whatever_the_clock_says(
    room, seated, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    begin(room)
    say(room, "0 deal 3")
    phone = seated(1)
    assert phone.token
    right = itsdangerous.timed.time.time
    monkeypatch.setattr(itsdangerous.timed.time, "time", lambda: right() + hours * 3600)
    assert phone.say(event("1 play KS").to_json()).status_code == 200


@pytest.mark.parametrize("cookie", ["", "x", "e30.aaaa.bbbb", "e30"])
def test_a_cookie_that_was_not_signed_here_is_ignored(app, cookie: str) -> None:
    client = app.test_client()
    client.set_cookie("trucam_table", cookie)
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/", "/no/such/page", "/live/board/poll"])
def test_answers_that_do_not_change_the_session_send_no_cookie(app, path: str) -> None:
    # Such an answer may come late, and would undo a language that was chosen meanwhile.
    viewer = app.test_client()
    assert "Set-Cookie" in viewer.get("/").headers
    assert "Set-Cookie" not in viewer.get(path).headers
