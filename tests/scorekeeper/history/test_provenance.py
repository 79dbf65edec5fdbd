"""What the camera saw is told in sentences, whatever is in its files."""

from __future__ import annotations

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import AT, SOURCE, UTC_OFFSET, WHO
from scorekeeper.history.provenance import Provenance
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.talk import NAMES, TRUT, event

HEADER = Header(game=TRUT, seats=NAMES[:2])
READ = {
    "card": "KS",
    "readings": [["KS", 0.93], ["QS", 0.05], ["JS", 0.001]],
    "expected": {"due": [1], "possible": ["KS", "QS"]},
    "changed": None,
    "chance": 0.9999,
}
EXPECTED = ["Bea was expected to play.", "2 cards were still possible."]


@pytest.mark.parametrize(
    ("about", "sentences"),
    [
        (
            READ,
            ["The camera read K♠ 93%, Q♠ 5%.", *EXPECTED,
             "The course of the hand did not change this reading.", "Taken as K♠, 99% sure."],
        ),
        (
            READ | {"readings": [["QS", 0.5], ["KS", 0.4]], "changed": "rank", "chance": 0.8},
            ["The camera read Q♠ 50%, K♠ 40%.", *EXPECTED,
             "The course of the hand changed this reading: by the picture alone it was Q♠.",
             "Taken as K♠, 80% sure."],
        ),
        (
            READ | {"readings": [["KH", 0.5]], "changed": "suit"},
            ["The camera read K♥ 50%.", *EXPECTED,
             "The course of the hand changed the suit: by the picture alone it was K♥.",
             "Taken as K♠, 99% sure."],
        ),
        (
            READ | {"card": "QS", "readings": []},
            [*EXPECTED, "Taken as Q♠, 99% sure.", "Corrected since: K♠."],
        ),
        ({"do": "trut", "card": None, "expected": {"due": [1], "possible": ["KS"]}}, EXPECTED[:1]),
        ({}, []),
    ],
)  # fmt: skip
def test_what_was_read_and_expected_is_said(about, sentences) -> None:
    assert list(Provenance(HEADER, "en").sentences(event("1 play KS"), about)) == sentences


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", READ)
@pytest.mark.parametrize(
    "rubbish",
    [None, 7, "x", [], {}, [[]], [["KS"]], [["KS", "x"]], [[3, 0.5]], [["KS", 9e9]],
     [["KS", float("nan")]], {"due": "x", "possible": 3}, {"due": [9, -1, None, True]},
     float("nan")],
)  # fmt: skip
def test_what_is_no_evidence_is_passed_by(code, key, rubbish) -> None:
    told = list(Provenance(HEADER, code).sentences(event("1 play KS"), READ | {key: rubbish}))
    assert all(told)


WHEN = {AT: "2026-11-20T20:15:03.120Z", UTC_OFFSET: 60}


@pytest.mark.parametrize(
    ("remarks", "text"),
    [
        ({SOURCE: "phone", WHO: "Ana", **WHEN}, "Entered on a phone by Ana, 21:15:03."),
        ({SOURCE: "phone", WHO: "host"}, "Entered by the host."),
        ({SOURCE: "camera"}, "Seen by the camera."),
        ({SOURCE: "marker"}, "Said with a calling card."),
        ({SOURCE: "phone"}, ""),
        ({SOURCE: ["phone"]}, ""),
        ({SOURCE: "moon"}, ""),
        ({}, ""),
    ],
)
def test_who_entered_an_event_is_said(remarks, text) -> None:
    assert Provenance(HEADER, "en").entered(Event("trut", 1, remarks=remarks)) == text
