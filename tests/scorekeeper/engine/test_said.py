"""The times of events with their time zones, and the evening to which they belong."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.said import Said, Source, evening_of, marked, moment, said_at, utc_text

EAST, WEST = timezone(timedelta(hours=2)), timezone(timedelta(hours=-5, minutes=-30))


@pytest.mark.parametrize(
    ("at", "evening"),
    [
        (datetime(2026, 11, 20, 21, 0, tzinfo=UTC), date(2026, 11, 20)),
        (datetime(2026, 11, 21, 1, 30, tzinfo=UTC), date(2026, 11, 20)),
        (datetime(2026, 11, 21, 5, 59, 59, tzinfo=UTC), date(2026, 11, 20)),
        (datetime(2026, 11, 21, 6, 0, tzinfo=UTC), date(2026, 11, 21)),
        (datetime(2026, 1, 1, 1, 30, tzinfo=EAST), date(2025, 12, 31)),
        (datetime(2026, 11, 21, 4, 0, tzinfo=UTC).astimezone(EAST), date(2026, 11, 21)),
        (datetime(2026, 11, 21, 4, 0, tzinfo=UTC).astimezone(WEST), date(2026, 11, 20)),
    ],
)
def test_an_evening_ends_at_six_by_the_clock_of_the_table(at: datetime, evening: date) -> None:
    assert evening_of(at) == evening


@pytest.mark.parametrize("zone", [UTC, EAST, WEST])
def test_a_moment_is_written_in_utc_and_keeps_its_offset(zone: timezone) -> None:
    said = Said.now(Source.CAMERA)._replace(
        at=datetime(2026, 11, 20, 20, 15, 3, 120_000, UTC).astimezone(zone)
    )
    event = marked(Event("deal", 0, cards=3), said)
    assert event.remarks["_at"] == utc_text(said.at) == "2026-11-20T20:15:03.120Z"
    back = said_at(event)
    assert back == said.at
    assert back is not None
    assert back.utcoffset() == said.at.utcoffset()


def test_now_is_kept_to_the_millisecond() -> None:
    at = Said.now(Source.PHONE).at
    assert moment(utc_text(at), 0) == at


@pytest.mark.parametrize(
    "remarks",
    [
        {},
        {"_at": 5},
        {"_at": "yesterday"},
        {"_at": "2026-11-20T20:15:03"},
        {"_at": "0001-01-01T00:00:00Z", "_utc_offset": -60},
        {"_at": "2026-11-20T20:15:03Z", "_utc_offset": 10**30},
        {"_at": "2026-11-20T20:15:03Z", "_utc_offset": 5000},
    ],
)
def test_an_event_that_does_not_tell_its_moment_has_none(remarks: dict[str, object]) -> None:
    assert said_at(Event("undo", remarks=remarks)) is None


@pytest.mark.parametrize(
    ("source", "remarks", "kept"),
    [
        (Source.IMPORT, {}, True),
        (Source.PHONE, {"_again": 3}, True),
        (Source.PHONE, {"_group": "3"}, False),
    ],
)
def test_what_was_said_before_keeps_the_remarks_of_its_first_time(
    source: Source, remarks: dict[str, object], kept: bool
) -> None:
    event = Event("undo", remarks=remarks)
    assert (marked(event, Said.now(source, "Ana")) == event) == kept


def test_the_camera_knows_the_moment_of_its_picture_better() -> None:
    event = Event("undo", remarks={"_at": "2026-11-20T20:15:03.120Z"})
    remarks = marked(event, Said.now(Source.CAMERA)).remarks
    assert remarks["_at"] == "2026-11-20T20:15:03.120Z"
    assert remarks["_source"] == "camera"


def test_remarks_stay_beside_keys_that_an_event_may_leave_out() -> None:
    data = {"do": "end_game", "seat": 0, "side": 1, "_at": "2026-11-28T20:00:00Z"}
    read = parse_event(data, verbs={"end_game"}, seats=2)
    assert read.to_json() == data
