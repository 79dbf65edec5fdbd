"""The checks of every request: the host name, the cookie and the limits; and the headers."""

from __future__ import annotations

import socket

import pytest

from tests.webui.phones import Phone
from webui.app import create_app
from webui.requests.security import WRITES_SECONDS, Writes, own_names


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8080", 200),
        ("127.0.0.1:8080", 200),
        ("192.168.1.20", 200),
        ("[::1]:8080", 200),
        ("club.example", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("evil.example#localhost", 421),
        ("localhost@evil.example", 421),
        ("[::1", 421),
        ("[", 421),
        ("", 421),
        ("é", 421),
        ("a b", 421),
    ],
)
def test_only_this_machines_names_are_answered(room, name, status) -> None:
    phone = Phone(create_app(room, HOST_NAMES=("Club.Example",)))
    answer = phone.get("/about", headers={"Host": name})
    assert answer.status_code == status
    assert (status == 200) == ("trucam" in answer.text and "does not answer" not in answer.text)


def test_this_machines_own_name_is_known() -> None:
    assert {"localhost", socket.gethostname().lower()} <= own_names()


@pytest.mark.parametrize(
    "path", ["/", "/tv", "/host", "/nope", "/api/v1/state", "/live/board/poll", "/evenings.csv"]
)
def test_every_answer_has_the_policy_and_is_not_kept(client, path) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"


def test_static_files_may_be_cached(client) -> None:
    answer = client.get("/static/trucam.css")
    assert "max-age=3600" in answer.headers["Cache-Control"]
    answer.close()


@pytest.mark.parametrize("tls", [False, True])
def test_the_cookie_is_for_this_table_alone(room, tls) -> None:
    phone = Phone(create_app(room, name="second", tls=tls))
    cookie = phone.get("/").headers["Set-Cookie"]
    assert cookie.startswith("trucam_second=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("Secure" in cookie) == tls


def test_a_writer_who_is_too_quick_disturbs_nobody_else() -> None:
    now = 5.0
    writes = Writes(lambda: now)
    assert [writes.allow("a") for _ in range(45)] == [True] * 40 + [False] * 5
    assert writes.allow("b")
    now += WRITES_SECONDS
    assert [writes.allow("a") for _ in range(45)] == [True] * 40 + [False] * 5


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nope", 404), ("/seat/x", 404), ("/static/../app.py", 404), ("/static/%2e%2e/app.py", 404)],
)
@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_missing_page_is_one_sentence(client, path, status, code) -> None:
    answer = client.get(f"{path}?lang={code}")
    assert answer.status_code == status
    assert "<h1>" in answer.text
    assert "werkzeug" not in answer.text.lower()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST"])
def test_other_methods_are_refused(client, method) -> None:
    answer = client.client.open("/tv", method=method, headers={"X-CSRFToken": client.token})
    assert answer.status_code == 405
    assert "There is no such page here." in answer.text


def test_an_error_in_the_program_is_one_sentence_without_a_traceback(
    room, client, monkeypatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(room, "snapshot", broken)
    answer = client.get("/api/v1/state")
    assert answer.status_code == 500
    assert answer.json["sentence"].startswith("Something went wrong here")
    assert "secret" not in answer.text
