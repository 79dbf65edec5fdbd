"""Removing a match or a name: what is removed, what stays, and that no trace is left in files."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.said import Said, Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage import sqlite
from scorekeeper.storage.erasure import without_name_in_event, without_name_in_header
from scorekeeper.storage.ledger import Ledger
from tests.scorekeeper.talk import LT_ACE, event

SAID = Said(datetime(2026, 11, 20, 21, tzinfo=UTC), Source.PHONE, "Zoë")
HEADER = Header(game=LT_ACE, seats=("Ana", "Zoë"))


def store(ledger: Ledger, header: Header = HEADER, events: int = 2, said: Said = SAID) -> int:
    deal = [event("0 deal 3"), event("undo")] * (events // 2)
    return ledger.add(header, deal, said, begun=said.at)


# --- a match ---


def test_a_removed_match_is_gone_and_the_others_stay(ledger: Ledger) -> None:
    first, second = store(ledger), store(ledger)
    ledger.remove(first)
    assert ledger.ids() == [second]
    assert ledger.last(second) == 2
    with pytest.raises(LedgerError, match=f"no match {first}"):
        ledger.remove(first)
    with pytest.raises(LedgerError, match=f"no match {first}"):
        ledger.append(first, [event("0 deal 3")], seen=0, said=SAID)


def test_the_number_of_a_removed_match_is_not_given_again(ledger: Ledger) -> None:
    last = store(ledger)
    ledger.remove(last)
    assert store(ledger) > last


def test_a_match_that_cannot_be_read_can_be_removed(ledger_url: str, tmp_path: Path) -> None:
    with Ledger(ledger_url) as ledger:
        match_id = store(ledger)
        damage(ledger, "update matches set header = '{'")
        ledger.remove(match_id)
        assert ledger.ids() == []


def damage(ledger: Ledger, statement: str) -> None:
    with ledger._connection.begin():
        ledger._connection.exec_driver_sql(statement)


# --- a name ---


def test_a_name_becomes_a_number_in_every_match(ledger: Ledger) -> None:
    four = Header(game=LT_ACE, seats=("Bea", "Ana", "Carles", " Zoë "))
    found = [
        store(ledger),
        store(ledger, four),
        store(ledger, Header(game=LT_ACE, seats=("A", "B"))),
    ]
    ana = SAID._replace(who="Ana")
    ledger.append(found[2], [event("0 deal 3")], seen=2, said=ana)
    assert ledger.forget_name("Zoë ") == 3
    assert [entry.header.seats for entry in ledger.matches()] == [
        ("Ana", "Player 2"),
        ("Bea", "Ana", "Carles", "Player 4"),
        ("A", "B"),
    ]
    said = [entry.said.who for entry in ledger.read(ledger.match(found[2]))]
    assert said == [None, None, "Ana"]
    assert ledger.forget_name("Zoë") == 0


@pytest.mark.parametrize("names", [("Ana", "Eva"), ("Eva", "Ana"), ("Eva", "Ana", "Zoë")])
def test_V21_two_people_of_one_seat_become_two_numbers(ledger: Ledger, names) -> None:
    match_id = ledger.add(HEADER, [event("0 player Eva")] * 2, SAID, begun=SAID.at)
    for name in names:
        assert ledger.forget_name(name) == 1
    entry = ledger.match(match_id)
    took_over = [one.event.name for one in ledger.read(entry)]
    assert took_over[0] == took_over[1]
    numbers = {entry.header.seats[0], took_over[0], entry.header.seats[1]}
    assert len(numbers - {"Ana", "Eva"}) == 3


def test_V21_who_comes_back_keeps_the_number(ledger: Ledger) -> None:
    match_id = ledger.add(
        HEADER, [event("0 player Eva"), event("0 player Ana")], SAID, begun=SAID.at
    )
    ledger.forget_name("Ana")
    entry = ledger.match(match_id)
    assert entry.header.seats[0] == "Player 1"
    assert [one.event.name for one in ledger.read(entry)] == ["Eva", "Player 1"]


def test_what_was_said_stays(ledger: Ledger) -> None:
    match_id = store(ledger)
    before = ledger.read(ledger.match(match_id))
    ledger.forget_name("Zoë")
    after = ledger.read(ledger.match(match_id))
    assert [e.event for e in after] == [e.event for e in before]
    assert [e.said.at for e in after] == [e.said.at for e in before]


@pytest.mark.parametrize("name", ["", " ", "Zo", "zoë", "Zoë's phone", LT_ACE, "deal", "seat"])
def test_nobody_is_called_so(ledger: Ledger, name: str) -> None:
    store(ledger)
    before = ledger.matches()
    assert ledger.forget_name(name) == 0
    assert ledger.matches() == before


def test_a_name_in_a_damaged_match_is_told_and_nothing_is_changed(ledger: Ledger) -> None:
    first, second = store(ledger), store(ledger)
    damage(ledger, f"update matches set header = '[\"Zoë\"' where id = {second}")
    with pytest.raises(LedgerError, match=f"Match {second} cannot be read"):
        ledger.forget_name("Zoë")
    assert ledger.match(first).header == HEADER
    ledger.remove(second)
    assert ledger.forget_name("Zoë") == 1


SEATS = {
    "one seat": (["Ana", "Zoë"], ["Ana", "Player 2"]),
    "two seats of one name": (["Zoë", "Zoë"], ["Player 1", "Player 2"]),
    "the number is somebody's name": (["Player 2", "Zoë"], ["Player 2", "Player 4"]),
    "nobody": (["Ana", "Zoé"], ["Ana", "Zoé"]),
}


@pytest.mark.parametrize("case", SEATS)
def test_a_number_is_unique_in_its_match(case: str) -> None:
    before, after = SEATS[case]
    header = Header(game=LT_ACE, seats=tuple(before)).to_json()
    new = without_name_in_header(json.dumps(header), "Zoë")
    assert json.loads(new) == {**header, "seats": after}
    assert len(set(parse_header(json.loads(new)).seats)) == 2


def test_remarks_of_a_header_and_an_event_are_emptied() -> None:
    header = {**HEADER.to_json(), "best": "Zoë", "club": {"Zoë": 1, "at": ["Zoë", "home"]}}
    found = json.loads(without_name_in_header(json.dumps(header), "Zoë"))
    assert found["best"] is None
    assert found["club"] == {"at": [None, "home"]}
    said = {"do": "undo", "_who": "Zoë", "note": "Zoë", "Zoë": 1, "n": 7}
    found = json.loads(without_name_in_event(json.dumps(said), "Zoë"))
    assert found == {"do": "undo", "note": None, "n": 7}


def test_V21_who_took_over_a_seat_becomes_a_number_and_the_match_can_be_read() -> None:
    said = event("1 player Zoë").to_json()
    found = json.loads(without_name_in_event(json.dumps(said), "Zoë"))
    assert found == {**said, "name": "Player 2"}
    assert parse_event(found, verbs=HEADER.verbs, seats=2).name == "Player 2"
    said = {"do": "adjust", "side": 0, "points": 1, "note": "Zoë"}
    found = json.loads(without_name_in_event(json.dumps(said), "Zoë"))
    assert parse_event(found, verbs=HEADER.verbs, seats=2).note is None


@pytest.mark.parametrize("name", [LT_ACE, "play", "KS", "seat", "do", "phone", "_who"])
def test_words_of_the_record_stay_whatever_people_are_called(name: str) -> None:
    header = Header(game=LT_ACE, seats=(name, "Bea")).to_json()
    found = json.loads(without_name_in_header(json.dumps(header), name))
    assert found == {**header, "seats": ["Player 1", "Bea"]}
    said = {"do": "play", "seat": 0, "card": "KS", "_source": "phone", "_who": name}
    found = json.loads(without_name_in_event(json.dumps(said), name))
    assert found == {key: value for key, value in said.items() if key != "_who"}


# --- the files ---


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


def traces(path: Path, *names: str) -> Iterator[tuple[str, str]]:
    """Yields (file, name) for every spelling of a name in the ledger's files."""
    for file in sorted(path.parent.glob(f"{path.name}*")):
        content = file.read_bytes()
        for name in names:
            if any(
                spelled in content for spelled in (name.encode(), json.dumps(name)[1:-1].encode())
            ):
                yield file.name, name


def test_nothing_of_a_name_is_left_in_the_files(path: Path) -> None:
    other = Header(game=LT_ACE, seats=("Ana", "Berthilde Zwölfender"))
    remark = parse_event({"do": "undo", "_who": "Zoë"}, verbs=HEADER.verbs, seats=2)
    with Ledger(str(path)) as ledger:
        for _ in range(5):  # so many that pages of the database file are split
            store(ledger, other, 400, SAID._replace(who="Berthilde Zwölfender"))
            store(ledger, HEADER, 400)
        match_id = store(ledger)
        ledger.append(match_id, [event("0 deal 3"), remark], seen=2, said=SAID)
        assert {name for _, name in traces(path, "Zoë", "Berthilde Zwölfender")} == {
            "Zoë",
            "Berthilde Zwölfender",
        }
        assert ledger.forget_name("Berthilde Zwölfender") == 5
        assert list(traces(path, "Berthilde Zwölfender")) == []
        assert ledger.forget_name("Zoë") == 6
        assert list(traces(path, "Zoë")) == []
        assert len(ledger.read(ledger.match(match_id))) == 4
    assert list(traces(path, "Zoë", "Berthilde Zwölfender")) == []


def test_nothing_of_a_removed_match_is_left_in_the_files(path: Path) -> None:
    with Ledger(str(path)) as ledger:
        kept = store(
            ledger, Header(game=LT_ACE, seats=("Ana", "Bea")), 400, SAID._replace(who="Ana")
        )
        gone = store(ledger, events=400)
        ledger.append(gone, [Event("undo", remarks={"note": "Zoë"})], seen=400, said=SAID)
        ledger.remove(gone)
        assert list(traces(path, "Zoë")) == []
        assert len(ledger.read(ledger.match(kept))) == 400


def test_traces_that_another_program_holds_are_told_and_go_the_next_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    with Ledger(str(path)) as ledger:
        store(ledger)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("begin")
            reader.execute("select * from matches").fetchall()
            with pytest.raises(LedgerError, match="traces of it stay"):
                ledger.forget_name("Zoë")
            assert ledger.matches()[0].header.seats == ("Ana", "Player 2")
            reader.execute("rollback")
            ledger.forget_name("Zoë")
            assert list(traces(path, "Zoë")) == []


def test_two_ledgers_may_be_open_while_one_forgets(path: Path) -> None:
    with Ledger(str(path)) as one, Ledger(str(path)) as other:
        match_id = store(one)
        other.append(match_id, [event("0 deal 3")], seen=2, said=SAID)
        assert one.forget_name("Zoë") == 1
        assert list(traces(path, "Zoë")) == []
        other.append(match_id, [event("undo")], seen=3, said=SAID._replace(who=None))
        assert one.last(match_id) == 4


def test_traces_that_others_left_go_too(path: Path) -> None:
    with Ledger(str(path)) as ledger:
        gone, kept = store(ledger), store(ledger, Header(game=LT_ACE, seats=("Ana", "Bea")), 0)
        with contextlib.closing(sqlite3.connect(path)) as careless, careless:
            careless.execute("pragma secure_delete=off")
            careless.execute("delete from events where match_id = ?", (gone,))
            careless.execute("delete from matches where id = ?", (gone,))
        assert list(traces(path, "Zoë")) != []
        assert ledger.forget_name("Zoë") == 0
        assert list(traces(path, "Zoë")) == []
        assert ledger.ids() == [kept]
