"""Every page opens and shows names as text, whatever names a ledger (also an old one) holds."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from random import Random

import pytest

from scorekeeper.engine.limits import LEFT_OUT
from scorekeeper.engine.said import Said, Source
from scorekeeper.reports.archive import Archive
from scorekeeper.reports.tallies import names
from tests.scorekeeper.playouts import playout
from tests.webui.phones import header

SAID = Said(datetime(2026, 11, 20, 21, 30, tzinfo=UTC), Source.IMPORT)
NAMES = [
    *("\ud800", "A\udfffna", "\x00", "\x1b[31m", "\ufffe", "\u2028", "", " ", "x" * 5000),
    *("</svg>", "{{ 1 }}", "{0}", "%s"),
]
HOST = ("/", "/tv", "/host", "/evenings", "/evenings.csv", "/players", "/players.csv",
        "/player/1", "/player/1.csv", "/api/v1/state", "/live/board/poll",
        "/match/1", "/match/1.jsonl", "/match/1.csv", "/match/1.svg", "/dispute/1",
        "/repairs/hand")  # fmt: skip
SEAT = ("/seat/0", "/live/seat/poll")


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_every_page_of_a_match_opens_whatever_a_name_holds(ledger, room, host, seated, name):
    told = header("trut")
    ledger.add(told, playout(told, Random(1), 40), SAID, begun=SAID.at)
    kept = json.dumps({**told.to_json(), "seats": [name, "Bea"]})
    ledger._connection.exec_driver_sql("UPDATE matches SET header = ?", (kept,))
    ledger._connection.commit()
    room.resume(1)
    seat = seated(0)
    case = re.findall(r'/dispute/1/\d+(?=["#?])', host.page("/dispute/1"))[0]
    kept = [one for one in names(Archive(ledger).shelf().played) if one != "Bea"] or ["Bea"]
    assert host.send("/players/keep", {"name": kept[0]}).status_code == 200
    answers = {path: host.get(path) for path in (*HOST, case, f"{case}.svg")}
    answers |= {path: seat.get(path) for path in SEAT}
    assert {path for path, answer in answers.items() if answer.status_code != 200} == set()
    texts = {path: answer.data.decode("utf-8") for path, answer in answers.items()}
    for path in ("/match/1.svg", f"{case}.svg"):
        ET.fromstring(texts[path])
    for path in ("/evenings.csv", "/players.csv", "/player/1.csv", "/match/1.csv"):
        assert len({len(row) for row in csv.reader(io.StringIO(texts[path], newline=""))}) == 1
    assert json.loads(texts["/api/v1/state"])["match"] == 1
    legible = name.translate({0: LEFT_OUT, 0xD800: LEFT_OUT, 0xDFFF: LEFT_OUT})
    assert json.loads(texts["/match/1.jsonl"].partition("\n")[0])["seats"] == [legible, "Bea"]
