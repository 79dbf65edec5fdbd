"""A table of a club plays the matches that are drawn for it, and the hall gets its events."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest

from scorekeeper.club.events import ClubEvent
from scorekeeper.club.pairing import draw
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from scorekeeper.errors import TournamentError
from scorekeeper.storage.hall import Hall
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.tournaments import PLACE, Place, place_of
from tests.simulated_club import opened
from tests.webui.phones import Phone
from webui.table.club_table import go_on, next_round
from webui.table.memory import Memory
from webui.table.room import Room


@pytest.fixture
def club_ledger(folder: Path) -> Iterator[Ledger]:
    """The club's ledger."""
    with Ledger(str(folder / "club")) as ledger:
        yield ledger


@pytest.fixture
def hall(club_ledger: Ledger) -> Hall:
    """A tournament of two tables in its first round."""
    hall = opened(club_ledger, tables=2, game="le_truc_ace", rounds=2)
    draw_round(hall)
    return hall


@pytest.fixture
def room(room: Room, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A table whose courier runs only when the test calls it."""
    monkeypatch.setattr("scorekeeper.storage.courier.Courier.start", lambda courier: None)
    yield room
    room.close()


def code_of(hall: Hall, table: int) -> str:
    return f"{hall_url(hall)}#{table}"


def hall_url(hall: Hall) -> str:
    return hall._ledger.url.render_as_string(hide_password=False)


def joined(host: Phone, hall: Hall, table: int) -> None:
    assert host.send("/host/join", {"code": code_of(hall, table)}).status_code == 200


def carry(room: Room) -> None:
    """Runs the courier once."""
    assert room.club.courier is not None
    room.club.courier.exchange()


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
    assert "The table's code, from the club's page" in unescape(host.page("/host"))
    joined(host, hall, 2)
    snapshot = room.snapshot()
    assert snapshot.header == hall.moment.tables[2].entry.header
    assert client.state()["club"] == {"round": 1, "table": 2}
    assert "Table 2, round 1" in client.page("/")
    win(room)
    carry(room)
    hall.refresh()
    result = hall.moment.tournament.meeting(1, 2).result
    assert result is not None
    assert (result.winner, result.score) == (0, (12, 0))


def test_it_plays_by_the_tournaments_house_rules_and_shows_them(
    host: Phone, client: Phone, room: Room, club_ledger: Ledger, seated: Callable[[int], Phone]
) -> None:
    hall = opened(club_ledger, tables=2, rounds=2, lead_after_spoiled="first_tied", target=5)
    draw_round(hall)
    joined(host, hall, 2)
    rules = room.table.moment.match.rules
    assert (rules.lead_after_spoiled, rules.target) == ("first_tied", 5)
    sentence = (
        "House rules: after a spoiled trick: the first player who ties leads; Longs to win: 5."
    )
    for phone, path in ((client, "/"), (host, "/host"), (seated(0), "/seat/0"), (client, "/rules")):
        assert sentence in phone.page(path), path


def test_it_goes_on_with_the_next_round_once_that_is_drawn(
    host: Phone, room: Room, hall: Hall, seated: Callable[[int], Phone]
) -> None:
    joined(host, hall, 1)
    phones = [seated(seat) for seat in range(4)]
    win(room)
    carry(room)
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
    # The phones of players who play on keep their seats; all other seats are free.
    held = {name for seat, name in enumerate(after.seats) if room.access.holder(seat) is not None}
    assert held == set(before.seats) & set(after.seats)
    assert len(phones) == 4


def test_a_table_that_waits_takes_its_match_as_it_is_drawn(
    host: Phone, room: Room, club_ledger: Ledger
) -> None:
    hall = opened(club_ledger, tables=2, game="le_truc_ace")
    joined(host, hall, 2)
    page = host.page("/host")
    assert "This page shows your match once it is drawn." in page
    answer = host.send("/host/again")
    sentence = "no match waits for table 2 in the club's tournament"
    assert (answer.status_code, answer.json["sentence"]) == (422, sentence)
    draw_round(hall)
    assert room.club.courier is not None
    room.club.courier.exchange_and_report()
    assert room.snapshot().header == hall.moment.tables[2].entry.header


def test_a_draw_that_is_taken_back_is_said_and_the_new_one_can_be_played(
    host: Phone, client: Phone, room: Room, hall: Hall
) -> None:
    joined(host, hall, 2)
    room.table.say(Event("award", side=0, points=1), seen=0, source=Source.PHONE)
    hall.say(ClubEvent("cancel_draw", round=1, note="late"), seen=hall.moment.seq)
    assert room.club.courier is not None
    room.club.courier.exchange_and_report()
    assert "takes nothing more of this match: the club has taken this draw back" in unescape(
        host.page("/host")
    )
    draw_round(hall)
    room.club.courier.exchange_and_report()
    assert "Play what the club has drawn" in host.page("/host")
    assert client.state()["with_club"] is None
    assert host.send("/host/again").status_code == 200
    assert room.snapshot().header == hall.moment.tables[2].entry.header
    assert "The club has everything that was said here." in host.page("/host")


def test_a_table_plays_on_without_the_club_and_says_what_waits(
    host: Phone, room: Room, hall: Hall, folder: Path, ledger: Ledger, memory: Memory
) -> None:
    joined(host, hall, 1)
    away = folder / "away"
    assert room.club.courier is not None
    room.club.courier.close()
    (folder / "club").rename(away)
    room.table.say(Event("award", side=0, points=1), seen=0, source=Source.PHONE)
    room.club.courier.exchange_and_report()
    said = ledger.read(ledger.match(room.table.match_id))[0].said.at
    line = f"The club cannot be reached: 1 event waits for it since {said:%H:%M}. Play on."
    assert line in host.page("/host")
    again = Room(ledger, memory)  # the program is started again, without a network
    go_on(again)
    assert again.club.courier is not None
    again.club.courier.exchange_and_report()
    assert again.snapshot().match_id == room.snapshot().match_id
    award = Event("award", side=0, points=11)
    again.table.say(award, seen=1, source=Source.PHONE)
    with pytest.raises(TournamentError, match="the club cannot be reached"):
        next_round(again)
    away.rename(folder / "club")
    again.club.courier.exchange_and_report()
    hall.refresh()
    assert hall.moment.tables[1].seq == 2
    again.close()


def test_when_the_tournament_is_closed_the_same_people_may_play_for_themselves(
    host: Phone, room: Room, hall: Hall
) -> None:
    joined(host, hall, 1)
    win(room)
    carry(room)
    by_form(hall, 2)
    hall.say(ClubEvent("close"), seen=hall.moment.seq)
    played = {room.table.match_id}
    for _ in range(3):
        assert host.send("/host/again").status_code == 200
        assert room.table.match_id not in played  # each a new one, and no more the club's
        played.add(room.table.match_id)
        win(room)
    host.send("/host/clear")
    assert host.send("/host/leave-club").status_code == 200
    assert room.club.courier is None
    assert "The table's code" in unescape(host.page("/host"))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("7", "this is not the code of a club's table: copy it whole from the club's page"),
        ("sqlite:////nowhere/club#1",
         "the club cannot be reached: is its computer on, and is the code still right?"),
        ("postgresql://trucam_1:key@127.0.0.1:1/club#1",
         "the club cannot be reached: is its computer on, and is the code still right?"),
    ],
)  # fmt: skip
def test_a_code_that_does_not_open_a_club_is_refused(
    host: Phone, room: Room, code: str, sentence: str
) -> None:
    answer = host.send("/host/join", {"code": code})
    assert (answer.status_code, answer.json["sentence"]) == (422, sentence)
    assert (room.club.courier, room.club.code) == (None, None)


def test_the_command_says_in_one_sentence_why_it_does_not_join(folder: Path) -> None:
    """This runs in another process, for gevent would patch this one."""
    words = ("play", "--local", "--no-browser", "--join", f"sqlite:///{folder}/none#3")
    ended = subprocess.run(
        [sys.executable, "-c", "from webui.cli import main; main()", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    sentence = "the club cannot be reached: is its computer on, and is the code still right?\n"
    assert (ended.returncode, ended.stderr.splitlines(keepends=True)[-1]) == (2, sentence)


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
