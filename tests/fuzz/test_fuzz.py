"""Whatever is sent is accepted or refused in a sentence, and breaks nothing that reads it later.

``make fuzz`` tries for an hour; each error that it finds becomes a test beside the code. Records
are changed copies of those in ``tests/golden``; pictures and films are drawn.
"""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from scorekeeper.history.record import RecordError, read_record
from scorekeeper.text.i18n import LANGUAGES
from tests.fuzz.records import GOLDEN, read_by_all
from tests.scorekeeper.engine.test_limits import VALUES
from tests.scorekeeper.talk import event
from tests.vision.capture.test_phone_feed import film, jpeg
from tests.webui.phones import begin
from tests.webui.playing import UnlimitedWrites
from vision.capture.phone_feed import BadPicture, Coded, Decoder, check_picture
from vision.process.status import Report
from vision.process.supervisor import NOT_UNDERSTOOD
from webui.table.room import Room

LONGEST = 40
"""At most so many events of a record."""
KEYS = st.sampled_from(
    ["do", "seat", "card", "to", "cards", "side", "points", "format", "game", "variants",
     "options", "seats", "first_dealer", "best_of", "_at", "_utc_offset", "_source", "_who",
     "_group", "_again", "_agreed", "_readings", "_suit", "_suits", "note"]
)  # fmt: skip
FUZZ = settings.get_profile("fuzz")


@st.composite
def records(draw: st.DrawFn) -> bytes:
    """A record of an evening with random changes."""
    lines: list[Any] = copy.deepcopy(draw(st.sampled_from(GOLDEN)))
    lines = lines[: draw(st.integers(1, LONGEST))]
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["key", "key", "key", "again", "out", "whole"])):
            case "key" if isinstance(lines[place], dict):
                lines[place][draw(KEYS)] = draw(VALUES)
            case "again":
                lines.insert(draw(st.integers(0, len(lines))), copy.deepcopy(lines[place]))
            case "out" if len(lines) > 1:
                del lines[place]
            case _:
                lines[place] = draw(VALUES)
    data = "\n".join(json.dumps(line) for line in lines).encode() + b"\n"
    return draw(damaged(data)) if draw(st.integers(0, 9)) == 0 else data


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """A copy of some bytes of which a few are changed or missing."""
    made = bytearray(data)
    for _ in range(draw(st.integers(0, 8))):
        made[draw(st.integers(0, len(made) - 1))] = draw(st.integers(0, 255))
    return bytes(made[: draw(st.integers(0, len(made)))]) if draw(st.booleans()) else bytes(made)


@FUZZ
@given(record=records(), code=st.sampled_from(LANGUAGES))
def test_records(record: bytes, code: str) -> None:
    try:
        reading = read_record(io.BytesIO(record))
    except RecordError as error:
        refused = str(error)
    else:
        read_by_all(reading, code)
        return
    assert "\n" not in refused


@FUZZ
@given(data=st.data())
def test_pictures(data: st.DataObject) -> None:
    picture = data.draw(damaged(jpeg(width=96, height=64)))
    try:
        check_picture(picture)
    except BadPicture:
        return
    seen = Decoder().decode(Coded.JPEG, picture)
    assert seen is None or seen.shape[2] == 3


@FUZZ
@given(data=st.data())
def test_films(data: st.DataObject) -> None:
    decoder = Decoder()
    for number, picture in enumerate(film(3)):
        coded = Coded.DELTA if number else Coded.KEY
        seen = decoder.decode(coded, data.draw(damaged(picture)))
        assert seen is None or seen.shape[2] == 3


@FUZZ
@given(news=st.dictionaries(st.sampled_from(list(Report().__dict__)), VALUES))
def test_what_the_watching_process_says(news: dict[str, Any]) -> None:
    try:
        Report().after(news, Header(game="trut", seats=("Ana", "Bea")))
    except NOT_UNDERSTOOD:
        return


# --- what phones send ---

ANSWERS = {200, 302, 400, 403, 404, 405, 409, 413, 415, 422, 503}
"""The statuses of requests that were accepted or refused; all others are errors."""

EVENTS = ("0 deal 3", "1 play KS", "0 play QH")


@pytest.fixture
def unlimited(app: Flask) -> Flask:
    app.extensions["writes"] = UnlimitedWrites()
    return app


PATHS = ("/api/v1/events", "/api/v1/repairs", "/api/v1/answers", "/dispute/1/3/propose")
PARTS = KEYS | st.sampled_from(["fix", "seq", "events", "group", "rank", "suit"])
BODIES = VALUES | st.dictionaries(
    st.sampled_from(["seen", "match", "event", "repair", "question", "answer"]),
    VALUES | st.dictionaries(PARTS, VALUES),
)


@FUZZ
@given(path=st.sampled_from(PATHS), body=BODIES)
def test_requests(unlimited: Flask, room: Room, path: str, body: object) -> None:
    if room.snapshot().match is None:
        begin(room)
        for text in EVENTS:
            room.table.say(event(text), seen=room.table.moment.seq, source=Source.PHONE)
    if isinstance(body, dict):  # else hardly any request passes the first check
        body.setdefault("seen", room.table.moment.seq)
    key = {"Authorization": f"Bearer {room.access.host_key}"}
    client = unlimited.test_client()
    assert client.post(path, json=body, headers=key).status_code in ANSWERS
    for page in ("/", "/evenings", "/api/v1/state"):
        assert client.get(page).status_code == 200
