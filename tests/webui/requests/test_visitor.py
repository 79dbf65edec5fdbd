"""What is known of a visitor: language, rights, and the name under which events are kept."""

from __future__ import annotations

import pytest

from tests.webui.phones import begin, header
from webui.requests.visitor import bearer_key, gettext, grant, language_code, name_of, phone
from webui.table.access import VIEWER, Grant


@pytest.mark.parametrize(
    ("accepts", "asked", "code"),
    [
        ("fr", "", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "", "fr"),
        ("de,ca;q=0.5,es;q=0.4", "", "ca"),
        ("de", "", "en"),
        ("", "", "en"),
        ("*", "", "en"),
        ("x" * 5000, "", "en"),
        ("fr", "es", "es"),
        ("fr", "de", "fr"),
        ("fr", "../../x", "fr"),
    ],
)
def test_the_language_is_the_chosen_one_or_one_that_the_browser_asks_for(app, accepts, asked, code):
    headers = {"Accept-Language": accepts}
    with app.test_request_context(f"/?lang={asked}", headers=headers):
        assert language_code() == code


def test_messages_are_in_that_language(app) -> None:
    with app.test_request_context("/?lang=fr"):
        assert gettext("There is no such page here.") != ""
        assert gettext("no such message anywhere") == "no such message anywhere"


def test_a_phone_keeps_its_name(app) -> None:
    with app.test_request_context("/"):
        name = phone()
        assert phone() == name
        assert len(name) == 16
    with app.test_request_context("/"):
        assert phone() != name


@pytest.mark.parametrize(
    ("header_", "key"),
    [
        ("Bearer abc", "abc"),
        ("Bearer  abc ", "abc"),
        ("Bearer", ""),
        ("bearer abc", None),
        ("Basic abc", None),
        ("", None),
    ],
)
def test_only_a_bearer_header_has_a_key(app, header_, key) -> None:
    with app.test_request_context("/", headers={"Authorization": header_}):
        assert bearer_key() == key
        assert grant() == VIEWER


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (Grant(0), "Ana"),
        (Grant(1, True), "Bea"),
        (Grant(3), "host"),
        (Grant(host=True), "host"),
    ],
)
def test_a_writer_is_named_by_his_seat(app, room, found, name) -> None:
    with app.test_request_context("/"):
        assert name_of(found) == "host"
    room.prepare(header())
    with app.test_request_context("/"):
        assert name_of(found) == name
    begin(room)
    with app.test_request_context("/"):
        assert name_of(found) == name
