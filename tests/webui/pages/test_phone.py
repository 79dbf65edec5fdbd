"""The page of a phone that is the camera: who may open it, what it may send, what it shows."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from scorekeeper.text.i18n import LANGUAGES
from tests.vision.capture.test_phone_feed import jpeg
from tests.webui.phones import Phone, host_of
from tests.webui.watching import SEES, SETUP, WATCHES, FakeSupervisor, camera_of
from vision.capture.frames import PhoneSource
from webui.app import create_app
from webui.pages.phone import LARGEST
from webui.requests.addresses import Address
from webui.table.room import Room


@pytest.fixture
def started(monkeypatch, tmp_path) -> list[FakeSupervisor]:
    """The supervisors that were started."""
    monkeypatch.setenv("TRUCAM_CAMERAS", str(tmp_path / "cameras"))
    with camera_of(monkeypatch):
        yield FakeSupervisor.started


@pytest.fixture
def supervisor(room, host, started) -> FakeSupervisor:
    """The supervisor of a table whose host has chosen a phone as its camera."""
    assert host.send("/host/setup", {**SETUP, "watched": "phone"}).location == "/host/camera"
    (supervisor,) = started
    yield supervisor
    room.close()


def sent(
    client: Phone,
    key: str,
    body: bytes | None = None,
    *,
    name: str = "p",
    taken: str = "1.0",
    coded: str = "jpeg",
) -> TestResponse:
    """Sends a picture as the script of the page does."""
    headers = {"Authorization": f"Bearer {key}", "X-Phone": name, "X-Taken": taken}
    headers["X-Coded"] = coded
    data = jpeg() if body is None else body
    return client.client.post("/phone/picture", data=data, headers=headers)


def told(client: Phone, key: str, code: str = "en") -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {key}", "Accept-Language": code}
    answer = client.get("/phone/state", headers=headers)
    assert answer.status_code == 200
    return answer.json


def test_set_up_leads_straight_to_the_code(room, host, supervisor) -> None:
    assert supervisor.config.source == "phone"
    assert supervisor.config.feed == room.camera.phone.address
    page = host.page("/host/camera")
    assert f"/phone?key={room.access.camera_key}" in page
    assert 'id="viewfinder"' not in page  # there is nothing to see yet
    assert 'value="phone" checked' in page or "Scan this code" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_by_http_the_page_says_what_the_browser_will_ask(room, supervisor, language) -> None:
    phone = Phone(create_app(room, PORT=8080, SECURE_PORT=8443, FINGERPRINT="AB:CD"))
    path = f"/phone?key={room.access.camera_key}&lang={language}"
    first = phone.get(path, headers={"Host": "192.168.1.5:8080"}).text
    assert f'href="https://192.168.1.5:8443/phone?key={room.access.camera_key}"' in first
    assert "AB:CD" in first
    assert 'id="video"' not in first
    assert 'id="video"' in phone.page(path, base_url="https://192.168.1.5:8443")
    assert 'id="video"' in phone.page(path, headers={"Host": "localhost:8080"})


@pytest.mark.parametrize(
    ("local", "leads_to"),
    [
        pytest.param(False, "https://192.168.1.5:8443", id="others come by https at once"),
        pytest.param(True, "http://127.0.0.1:8080", id="this machine is trusted anyway"),
    ],
)
def test_the_code_leads_straight_to_the_camera_page(room, supervisor, local, leads_to) -> None:
    app = create_app(
        room, PORT=8080, SECURE_PORT=8443, FINGERPRINT="AB:CD", LOCAL=local,
        ADDRESSES=lambda: [Address("192.168.1.5", "wlan0", True)],
    )  # fmt: skip
    page = host_of(app, room).page("/host/camera")
    assert f'href="{leads_to}/phone?key={room.access.camera_key}"' in page
    assert ("the browser warns you once" in page) is not local


def test_where_nothing_is_served_by_https_the_page_says_so(room, supervisor, client) -> None:
    page = client.page(f"/phone?key={room.access.camera_key}", headers={"Host": "10.0.0.5:8080"})
    assert "the computer's terminal says why" in page


def test_pictures_are_accepted_from_whoever_has_the_code(room, client, supervisor) -> None:
    key = room.access.camera_key
    number = room.snapshot().number
    assert sent(client, key).status_code == 200
    assert room.snapshot().number > number  # the host's page learns of the first one
    assert room.camera.phone.sends
    number = room.snapshot().number
    assert sent(client, key, taken="2.0").status_code == 200
    assert room.snapshot().number == number


def test_the_code_is_there_again_as_soon_as_no_pictures_come(
    room, host, client, supervisor
) -> None:
    sent(client, room.access.camera_key)
    supervisor.see(**SEES)
    assert "The phone sends pictures" in host.page("/host/camera")
    supervisor.see(trouble=(PhoneSource.silent_reason, {}))
    page = host.page("/host/camera")
    assert "Scan this code" in page
    assert "The phone sends pictures" not in page


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        pytest.param({"key": "wrong"}, 403, "no longer valid", id="a wrong key"),
        pytest.param({"key": ""}, 403, "no longer valid", id="no key"),
        pytest.param({"key": "\u00e9"}, 403, "no longer valid", id="a key of other letters"),
        pytest.param({"body": b"rubbish"}, 400, "no picture", id="rubbish"),
        pytest.param({"body": b""}, 400, "no picture", id="zero bytes"),
        pytest.param({"body": b"", "coded": "key"}, 400, "no picture", id="zero bytes of a film"),
        pytest.param({"body": b"x" * 99, "coded": "delta"}, 400, "no picture", id="no film"),
        pytest.param({"body": jpeg(width=7680, height=4320)}, 400, "too large", id="8K"),
        pytest.param({"body": b"x" * (LARGEST + 1)}, 413, "more than this table", id="too long"),
        pytest.param({"taken": "soon"}, 400, "could not be understood", id="no time"),
        pytest.param({"taken": "nan"}, 400, "could not be understood", id="a time that is none"),
        pytest.param({"taken": "inf"}, 400, "could not be understood", id="no end of time"),
        pytest.param({"name": ""}, 400, "could not be understood", id="no name"),
        pytest.param({"name": "n" * 99}, 400, "could not be understood", id="a long name"),
    ],
)
def test_each_refusal_is_a_sentence(
    room, client, supervisor, change: dict[str, Any], status: int, words: str
) -> None:
    answer = sent(client, **{"key": room.access.camera_key} | change)
    assert answer.status_code == status
    assert words in answer.json["sentence"]
    assert not room.camera.phone.sends


def test_a_second_phone_waits_for_its_turn(room, client, supervisor) -> None:
    key = room.access.camera_key
    assert sent(client, key, name="one").status_code == 200
    answer = sent(client, key, name="two")
    assert (answer.status_code, answer.json["sentence"]) == (
        400, "Another phone is the camera now.",
    )  # fmt: skip


def test_the_host_takes_the_code_back(room, host, client, supervisor) -> None:
    old = room.access.camera_key
    assert sent(client, old).status_code == 200
    assert client.send("/host/camera/new-code").status_code == 403
    assert host.send("/host/camera/new-code").status_code == 200
    assert sent(client, old, taken="2.0").status_code == 403
    assert client.get(f"/phone?key={old}").status_code == 403
    assert sent(client, room.access.camera_key, name="new").status_code == 200


def test_a_table_with_another_camera_takes_no_pictures(room, client) -> None:
    answer = sent(client, room.access.camera_key)
    assert (answer.status_code, "does not use a phone" in answer.json["sentence"]) == (409, True)


def test_the_phone_is_told_what_its_pictures_show(room, client, supervisor) -> None:
    key = room.access.camera_key
    sent(client, key)
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    supervisor.see(**SEES, outline=corners)
    said = told(client, key)
    assert (said["text"], said["ready"]) == ("Lay a card on the table.", False)
    assert [tuple(at) for at in said["outline"]] == list(corners)
    assert told(client, key, "fr")["text"] != said["text"]


def test_during_the_match_the_phone_is_told_that_all_is_well_or_what_is_not(
    room, host, client, supervisor
) -> None:
    key = room.access.camera_key
    sent(client, key)
    host.send("/host/begin", {"dealer": 0})
    supervisor.see(WATCHES)
    assert told(client, key)["ready"]
    supervisor.see(WATCHES, trouble=("{name} has ended.", {"name": "It"}))
    said = told(client, key)
    assert (said["ready"], "It has ended." in said["text"]) == (False, True)


def test_before_a_table_is_set_up_the_phone_waits(room, host, client, supervisor) -> None:
    host.send("/host/clear")
    said = told(client, room.access.camera_key)
    assert (said["ready"], "being set up" in said["text"]) == (False, True)


def test_state_is_for_the_camera_alone(
    room: Room, client: Phone, supervisor: FakeSupervisor
) -> None:
    assert client.get("/phone/state").status_code == 403
    key = room.access.host_key
    answer = client.get("/phone/state", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 403
