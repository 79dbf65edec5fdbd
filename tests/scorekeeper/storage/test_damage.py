"""What cannot be read is removed from a match; the rest stays, and a copy of all is saved."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import AGAIN, Said, Source
from scorekeeper.errors import LedgerError
from scorekeeper.history import corrections
from scorekeeper.storage.damage import REPAIRED, Damage, find_damage, repair_match
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.media import ABOUT, STILL
from scorekeeper.storage.schema import outbox
from tests.scorekeeper.playouts import HEADERS, playout
from tests.scorekeeper.talk import TRUT, event

SAID = Said(datetime(2026, 11, 21, 20, 30, tzinfo=UTC), Source.PHONE, "Ana")
TWO = Header(game=TRUT, seats=("Ana", "Bea"))
HANDS = (
    ("0 deal 3", "1 play KS", "0 play QS", "1 play JS", "0 play 8S", "0 play 9S", "1 play 7S"),
    ("1 deal 3", "0 play KD", "1 play QD", "0 play JD", "1 play 8D", "1 play 9D", "0 play 7D"),
    ("0 deal 3", "1 play KH", "0 play QH", "1 play JH", "0 play 8H", "0 play 9H", "1 play 7H"),
)

DAMAGES = (
    "event = '{'",
    "event = '[]'",
    """event = '{"do": "dance"}'""",
    f"""event = '{{"do": "undo", "_x": {99_999 * "["}'""",
    "event = CAST(X'7B22FF' AS TEXT)",
    "at = 'yesterday'",
    "source = 'nowhere'",
)
"""Damages of a row of the database, as SQL."""
TOO_DEEP = f"""event = '{{"do": "deal", "seat": 0, "cards": 3, "_x": {400 * "["}{400 * "]"}}}'"""
"""A change after which an event can still be read: a remark beyond the limits is dropped."""


def lines(*hands: Iterable[str]) -> list[Event]:
    return [event(text) for hand in hands for text in hand]


@contextmanager
def kept(header: Header, events: Iterable[Event], *damages: tuple[int, str]) -> Iterator[Ledger]:
    """A ledger in a file, with one match of which rows are damaged."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite3"
        with Ledger(str(path)) as ledger:
            ledger.add(header, events, SAID, begun=SAID.at)
            with closing(sqlite3.connect(path)) as database, database:
                for seq, change in damages:
                    database.execute(f"UPDATE events SET {change} WHERE seq = ?", [seq])
            yield ledger


def copy_of(ledger: Ledger) -> Path:
    return Path(str(ledger)).with_name("copy.jsonl")


def events_of(ledger: Ledger) -> list[Event]:
    return [entry.event for entry in ledger.read(ledger.match(1))]


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_event_that_cannot_be_read_is_taken_out_and_its_hand_is_void(damage) -> None:
    said = lines(*HANDS)
    with kept(TWO, said, (9, damage)) as ledger:
        with pytest.raises(LedgerError, match="Event 9 of match 1 cannot be read"):
            events_of(ledger)
        found = repair_match(ledger, 1, copy_of(ledger))
        left = events_of(ledger)
    assert found.void == (2,)
    assert 9 in found.lost
    assert max(found.lost) <= 14
    match = replay(TWO, left)
    whole = replay(TWO, said)
    assert match.hand_number == 3
    assert [hand.winner for hand in match.hands()][::2] == [hand.winner for hand in whole.hands()][
        ::2
    ]
    assert left[-7:] == said[-7:]


def test_a_deal_that_cannot_be_read_takes_its_hand_with_it() -> None:
    said = lines(*HANDS)
    with kept(TWO, said, (8, "event = '{'")) as ledger:
        found = repair_match(ledger, 1, copy_of(ledger))
        left = events_of(ledger)
    assert (list(found.lost), found.void) == ([*range(8, 15)], ())
    bridge = [one.do for one in left if one.remarks.get(REPAIRED)]
    assert (left[:7], bridge, left[-7:]) == (said[:7], ["dealer"], said[-7:])


def test_what_takes_back_a_lost_event_goes_with_it() -> None:
    said = [*lines(HANDS[0])[:3], event("undo"), event("0 play QC")]
    with kept(TWO, said, (3, "event = '{'")) as ledger:
        found = repair_match(ledger, 1, copy_of(ledger))
        assert list(found.lost) == [3, 4]
        assert events_of(ledger) == [*said[:2], said[4]]


def test_what_was_put_in_is_taken_back_with_what_follows_it() -> None:
    """A correction of an event before the lost one still finds its place."""
    said = lines(*HANDS[:2])
    match = replay(TWO, said)
    made = corrections.replace(match, said, 3, event("0 play QC"))
    with kept(TWO, [*said, *made.events], (5, "event = '{'")) as ledger:
        repair_match(ledger, 1, copy_of(ledger))
        left = events_of(ledger)
    first_trick = replay(TWO, left).hands()[0].tricks[0]
    assert first_trick.plays[1].card == event("0 play QC").card


def test_remarks_and_pictures_follow_the_events_that_move_up() -> None:
    whole = lines(HANDS[0])
    made = corrections.replace(replay(TWO, whole), whole, 6, event("0 play 9C"))
    right = [*whole, *made.events]
    assert [one.remarks.get(AGAIN) for one in right] == [*[None] * 10, 7]
    moved = right[-1]._replace(remarks={**right[-1].remarks, AGAIN: 9})
    said = [whole[0], event("undo"), *right[:-1], moved]
    with kept(TWO, said, (1, "event = '{'")) as ledger:
        ledger.pictures.open(1)
        for seq in (1, 4, 5):
            ledger.pictures.write(1, seq, ABOUT, lambda path: path.write_text("{}"))
            ledger.pictures.write(1, seq, STILL, lambda path, was=seq: path.write_text(str(was)))
        repair_match(ledger, 1, copy_of(ledger))
        assert events_of(ledger) == right
        pictures = [ledger.pictures.find(1, seq) for seq in ledger.pictures.of(1)]
        told = [(one.seq, one.still.read_text()) for one in pictures if one and one.still]
    assert told == [(2, "4"), (3, "5")]


def test_a_club_is_sent_what_it_does_not_have() -> None:
    with kept(TWO, lines(*HANDS), (5, "event = '{'")) as ledger:
        with ledger.transaction() as connection:
            row = {"match_id": 1, "place": 4, "theirs": 9, "sent": 4}
            connection.execute(outbox.insert(), row)
        repair_match(ledger, 1, copy_of(ledger))
        with ledger.transaction() as connection:
            assert connection.execute(outbox.select()).one().sent == 4


def test_a_match_whose_header_cannot_be_read_goes_whole() -> None:
    with kept(TWO, lines(*HANDS)) as ledger:
        with ledger.transaction() as connection:
            connection.exec_driver_sql("UPDATE matches SET header = '{'")
        found = repair_match(ledger, 1, copy_of(ledger))
        assert found.header is not None
        assert ledger.ids() == []
        assert len(copy_of(ledger).read_text().splitlines()) == 22


def test_what_can_be_read_stays_as_it_is_and_needs_no_copy() -> None:
    with kept(TWO, lines(*HANDS), (1, TOO_DEEP)) as ledger:
        before = Path(str(ledger)).read_bytes()
        assert repair_match(ledger, 1, copy_of(ledger)) == Damage()
        assert not copy_of(ledger).exists()
        assert Path(str(ledger)).read_bytes() == before


def test_nothing_is_changed_where_the_copy_cannot_be_written(tmp_path) -> None:
    with kept(TWO, lines(*HANDS), (5, "event = '{'")) as ledger:
        before = find_damage(ledger, 1)
        with pytest.raises(LedgerError, match=r"No such file.*; nothing was changed"):
            repair_match(ledger, 1, tmp_path / "nowhere" / "copy")
        assert find_damage(ledger, 1) == before


@given(
    header=st.sampled_from(HEADERS),
    seed=st.integers(0, 10_000),
    length=st.integers(1, 80),
    damages=st.lists(st.tuples(st.integers(1, 80), st.sampled_from(DAMAGES)), max_size=4),
)
def test_any_match_can_be_read_after_its_repair(header, seed, length, damages) -> None:
    said = playout(header, Random(seed), length)
    with kept(header, said, *damages) as ledger:
        found = repair_match(ledger, 1, copy_of(ledger))
        left = events_of(ledger)
        assert not find_damage(ledger, 1)
        first = min(found.lost, default=len(said) + 1)
        replay(header, left)
        own = [one for one in left if REPAIRED not in one.remarks]
        assert len(own) == len(said) - len(found.lost)
        if found:
            copied = [json.loads(line) for line in copy_of(ledger).read_text().splitlines()]
            assert [row["seq"] for row in copied[1:]] == [*range(1, len(said) + 1)]
        untouched = [
            one
            for seq, one in enumerate(said[: first - 1], 1)
            if not any(seq == where for where, _ in damages)
        ]
        assert [one for one in left[: first - 1] if one in untouched] == untouched
