"""A table plays for a club: what was drawn for it, round after round, and the hall hears of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.pairing import draw
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.tournaments import PLACE, Place, Tournaments, place_of
from tests.simulated_club import opened
from tests.webui.phones import Phone
from webui.table.room import Room


@pytest.fixture
def hall(ledger: Ledger) -> Hall:
    """A tournament of two tables in its first round."""
    hall = opened(ledger, tables=2, game="le_truc_ace", rounds=2)
    draw_round(hall)
    return hall


def draw_round(hall: Hall) -> None:
    hall.refresh()
    hall.say(draw(hall.moment.tournament, seed=3), seen=hall.moment.seq)


def win(room: Room, side: int = 0) -> None:
    moment = room.table.moment
    event = Event("award", side=side, points=moment.match.rules.target)
    room.table.say(event, seen=moment.seq, source=Source.PHONE)


def by_form(hall: Hall, table: int) -> None:
    hall.refresh()
    result = ClubEvent(
        "result", round=len(hall.moment.tournament.rounds), table=table, score=(12, 3), winner=0
    )
    hall.say(result, seen=hall.moment.seq)


def test_a_table_takes_what_was_drawn_for_it_and_its_result_is_the_halls(
    host: Phone, client: Phone, room: Room, hall: Hall
) -> None:
    page = host.page("/host")
    for table, live in hall.moment.tables.items():
        assert f"Table {table} · {', '.join(live.entry.header.seats)}" in page
    assert host.send("/host/club", {"table": 2}).status_code == 200
    assert room.snapshot().match_id == hall.moment.tables[2].entry.id
    assert client.state()["club"] == {"round": 1, "table": 2}
    assert "Table 2, round 1" in client.page("/")
    win(room)
    hall.refresh()
    result = hall.moment.tournament.meeting(1, 2).result
    assert result is not None
    assert (result.winner, result.score) == (0, (12, 0))


def test_it_goes_on_with_the_next_round_once_that_is_drawn(
    host: Phone, room: Room, hall: Hall, seated: Callable[[int], Phone]
) -> None:
    host.send("/host/club", {"table": 1})
    phones = [seated(seat) for seat in range(4)]
    win(room)
    assert "Next round" in host.page("/host")
    answer = host.send("/host/again")
    assert (answer.status_code, answer.json["sentence"]) == (422, "the next round is not drawn yet")
    by_form(hall, 2)
    before = room.snapshot().header
    draw_round(hall)
    assert host.send("/host/again").status_code == 200
    after = room.snapshot().header
    assert before is not None
    assert after is not None
    assert after == hall.moment.tables[1].entry.header
    # Phones keep the seats of those who play on; the others are free for whoever comes.
    held = {name for seat, name in enumerate(after.seats) if room.access.holder(seat) is not None}
    assert held == set(before.seats) & set(after.seats)
    assert len(phones) == 4


def test_when_the_tournament_is_closed_the_same_people_may_play_for_themselves(
    host: Phone, room: Room, hall: Hall
) -> None:
    host.send("/host/club", {"table": 1})
    win(room)
    by_form(hall, 2)
    hall.say(ClubEvent("close"), seen=hall.moment.seq)
    assert host.send("/host/again").status_code == 200
    host.send("/host/clear")
    assert "The club&#39;s tournament" not in host.page("/host")


def test_a_table_that_has_its_result_is_refused(host: Phone, hall: Hall) -> None:
    by_form(hall, 2)
    answer = host.send("/host/club", {"table": 2})
    assert answer.status_code == 422
    assert answer.json["sentence"] == "no match waits for table 2 in the club's tournament"
    assert "Table 2 ·" not in host.page("/host")


def test_the_command_sits_down_or_says_in_one_sentence_why_not(folder, ledger) -> None:
    """In a process of its own: serving changes how the whole process waits."""
    words = ("play", "--local", "--no-browser", "--club", "3")
    ended = subprocess.run(
        [sys.executable, "-c", "from webui.cli import main; main()", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    sentence = "no match waits for table 3 in the club's tournament\n"
    assert (ended.returncode, ended.stderr) == (2, sentence)


@pytest.mark.parametrize(
    ("remark", "place"),
    [
        ({"id": 1, "round": 2, "table": 3}, Place(1, 2, 3)),
        ({"id": 1, "round": 2}, None),
        ({"id": "1", "round": 2, "table": 3}, None),
        (7, None),
        (None, None),
    ],
)
def test_where_a_match_is_played_is_read_from_its_header(remark, place):
    header = Header(game="put", seats=("Ana", "Bea"), remarks={PLACE: remark})
    assert place_of(header) == place


def test_a_tournament_that_is_gone_leaves_its_tables_alone(
    host: Phone, room: Room, hall: Hall, ledger: Ledger
) -> None:
    host.send("/host/club", {"table": 1})
    win(room)
    Tournaments(ledger).remove(hall.number)
    assert host.send("/host/again").status_code == 200
