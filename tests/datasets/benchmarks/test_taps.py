"""Simulated people tap their calls in time, late, twice or never."""

from __future__ import annotations

from datasets.benchmarks.table_score import filmed
from datasets.benchmarks.taps import AGAIN, CAREFUL, LATE, Taps

STAGE = filmed("truc_spain", 4, "calm", 5, 6)
WORDS = [event for event in STAGE.events if event.do not in ("play", "deal")]


def tapped(taps: Taps):
    return taps.of(STAGE.events, 4, 1)


def test_each_word_is_tapped_once_when_it_is_said():
    taps = tapped(CAREFUL)
    assert [tap.event for tap in taps] == WORDS
    assert all(tap.careful for tap in taps)


def test_no_call_is_tapped():
    assert tapped(Taps(untapped=1.0)) == []


def test_all_calls_are_tapped_late():
    taps = tapped(Taps(late=1.0))
    assert len(taps) == len(WORDS)
    assert all(LATE[0] <= tap.at - tap.word.remarks["_at"] <= LATE[1] for tap in taps)
    assert not any(tap.careful for tap in taps)


def test_all_calls_are_tapped_twice_some_by_the_partner():
    taps = tapped(Taps(twice=1.0))
    assert len(taps) == 2 * len(WORDS)
    again = [tap for tap in taps if not tap.careful]
    assert len(again) == len(WORDS)
    assert all(AGAIN[0] <= tap.at - tap.word.remarks["_at"] <= AGAIN[1] for tap in again)
    by = [(tap.event.seat - tap.word.seat) % 4 for tap in again if tap.word.seat is not None]
    assert set(by) == {0, 2}


def test_a_share_of_one_kind_changes_none_of_the_others():
    late = [tap.word for tap in tapped(Taps(late=0.5)) if not tap.careful]
    both = [tap.word for tap in tapped(Taps(untapped=0.5, late=0.5)) if not tap.careful]
    assert both == [word for word in late if word in both]
    assert 0 < len(both) < len(late)
