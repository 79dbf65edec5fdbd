"""The match goes on even if the watching process dies, hangs or sends nonsense."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from threading import Condition

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from scorekeeper.errors import LedgerError
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.scorekeeper.talk import event
from vision.process import supervisor
from vision.process.config import CameraConfig
from vision.process.status import Report
from vision.process.supervisor import AnswerError, Supervisor

PATIENCE = 30.0
"""Seconds after which a test fails. A process takes about one to start, longer if it is busy."""


CONFIG = CameraConfig(source="0", seats=2)


class Match:
    """A match in a ledger; tests wait until something happens to it."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.table = self.new()
        self.changed = Condition()
        self.reports: list[Report] = []

    def new(self) -> Table:
        header = Header(game="trut", seats=("Ana", "Bea"))
        table = Table.begin(self.ledger, header, source=Source.OPERATOR)
        table.say(event("0 deal 3"), seen=0, source=Source.OPERATOR)
        table.subscribe(lambda news: self._notify())
        return table

    def saw(self, report: Report) -> None:
        self.reports.append(report)
        self._notify()

    def _notify(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def wait(self, until: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(until, PATIENCE)

    def played(self) -> list[str]:
        return [f"{e.seat} {e.in_words()}" for e in self.table.log()[1][1:]]


@pytest.fixture
def match(tmp_path):
    with Ledger(f"sqlite:///{tmp_path}/ledger.sqlite3") as ledger:
        yield Match(ledger)


@contextmanager
def watched(match: Match, *script: str):
    command = (sys.executable, "-m", "tests.vision.scripted_worker", *script)
    man = Supervisor(
        CONFIG, match.table, match.ledger.pictures, on_report=match.saw, command=command
    )
    try:
        yield man
    finally:
        man.stop()


def test_proposed_events_are_appended_as_the_cameras(match):
    with watched(match, "say:1 play KS"):
        match.wait(lambda: match.played() == ["1 play KS"])
    assert match.table.log()[1][1].remarks["_source"] == "camera"


def test_a_proposal_is_judged_again_if_a_phone_was_quicker(match):
    match.table.say(event("1 play 8H"), seen=1, source=Source.PHONE)
    with watched(match, "say:0 play KS"):
        match.wait(lambda: match.played() == ["1 play 8H", "0 play KS"])


def test_a_proposal_that_the_rules_refuse_is_answered_and_not_appended(match):
    with watched(match, "say:0 play KS", "say:1 play KS"):  # seat 1 is due
        match.wait(lambda: match.played() == ["1 play KS"])


def test_an_event_that_cannot_be_written_is_tried_again_and_logged_once(match, monkeypatch, caplog):
    append, room = match.ledger.append, []

    def appended(*args, **more):
        if not room:
            raise LedgerError("The disk is full: nothing was kept in the ledger.")
        return append(*args, **more)

    monkeypatch.setattr(match.ledger, "append", appended)
    with watched(match, "say:1 play KS") as man:
        match.wait(lambda: any(report.unwritten for report in match.reports))
        room.append("some")
        match.wait(lambda: match.played() == ["1 play KS"])
        match.wait(lambda: not man.report.unwritten)
    assert [each.message for each in caplog.records if "full" in each.message] == [
        "The disk is full: nothing was kept in the ledger."
    ]


@pytest.mark.parametrize("end", ["die", "babble"])
def test_a_process_that_dies_or_sends_nonsense_is_started_again_and_writes_nothing_twice(
    match, end
):
    with watched(match, "say:1 play KS", end):
        match.wait(lambda: any(report.starts >= 3 for report in match.reports))
    assert match.played() == ["1 play KS"]  # from the second start on seat 0 is due
    assert any(not report.alive for report in match.reports)


def test_a_process_that_cannot_be_started_is_tried_again(match, monkeypatch):
    tried, start = [], subprocess.Popen

    def popen(*told, **how):
        tried.append(told)
        if len(tried) == 1:
            raise OSError(24, "Too many open files")
        return start(*told, **how)

    monkeypatch.setattr(supervisor.subprocess, "Popen", popen)
    with watched(match, "say:1 play KS"):
        match.wait(lambda: match.played() == ["1 play KS"])
    assert len(tried) == 2


def test_a_process_that_hangs_is_killed_and_started_again(match, monkeypatch):
    monkeypatch.setattr(supervisor, "HANGS", 0.5)
    with watched(match, "say:1 play KS", "hang"):
        match.wait(lambda: any(report.starts >= 2 for report in match.reports))
    assert match.played() == ["1 play KS"]


def test_the_process_gets_events_of_others_and_the_next_match(match):
    with watched(match) as man:
        match.wait(lambda: man.report.alive)
        match.table.say(event("1 play KS"), seen=1, source=Source.PHONE)
        match.wait(lambda: man.report.lack == ("{n} events", {"n": 2}))
        match.table = match.new()
        man.begin(match.table)
        match.wait(lambda: man.report.lack == ("{n} events", {"n": 1}))


def test_late_events_of_an_earlier_match_do_not_reach_the_process(match):
    """Another subscriber is told first, and begins the next match."""
    going_on: list[supervisor.Supervisor] = []

    def begin(news):
        if going_on:
            match.new_table = match.new()
            going_on.pop().begin(match.new_table)

    match.table.subscribe(begin)
    with watched(match) as man:
        match.wait(lambda: man.report.alive)
        match.table.say(event("1 play KS"), event("0 play 7D"), seen=1, source=Source.PHONE)
        going_on.append(man)
        match.table.say(event("0 play 8S"), seen=3, source=Source.PHONE)
        match.new_table.say(event("1 play QS"), seen=1, source=Source.PHONE)
        match.wait(lambda: man.report.lack == ("{n} events", {"n": 2}))


def test_an_answer_is_passed_on_and_one_that_is_late_is_told(match):
    with watched(match, "ask") as man:
        match.wait(lambda: bool(man.report.questions))
        (question,) = man.report.questions
        assert str(question.choices[0].event.card) == "KS"
        man.answer(question.id, question.choices[0].key, "Bea")
        *_, played = match.table.log()[1]
        assert (played.remarks["_source"], played.remarks["_who"]) == ("phone", "Bea")
        with pytest.raises(AnswerError):
            man.answer(8, "play K")


def test_the_beginning_of_a_film_is_known_until_the_process_dies(match):
    before = time.monotonic()
    with watched(match, "lap:40", "die"):
        match.wait(lambda: any(report.lap is not None for report in match.reports))
        now = time.monotonic()
        match.wait(lambda: match.reports[-1].lap is None)
    (began,) = {
        report.lap for report in match.reports if report.lap is not None and report.starts == 1
    }
    assert before - 40 <= began <= now - 40


def test_a_picture_comes_when_it_is_asked_for(match):
    with watched(match) as man:
        match.wait(lambda: man.report.alive)
        assert man.picture(PATIENCE).startswith(b"\xff\xd8")


def test_a_deck_is_kept_under_the_name_that_is_told(match):
    with watched(match) as man:
        match.wait(lambda: man.report.alive)
        assert man.keep_deck("Home", PATIENCE) == {"cards": 4, "trouble": None}


def test_the_process_is_told_of_another_deck_and_starts_with_it_from_then_on(match):
    with watched(match) as man:
        match.wait(lambda: man.report.alive)
        man.learned = {"KS": ""}
        man.use_deck("Home")
        match.wait(lambda: match.reports[-1].known == len("Home"))
        assert (man.config.deck, man.learned) == ("Home", {})


def test_a_process_that_takes_the_place_of_another_knows_what_that_one_had_learned(match):
    learned = 'learned:{"KS": "", "QS": "", "AD": ""}'
    with watched(match, "knows", learned, 'learned:{"QS": null}', "die") as man:
        match.wait(lambda: any(one.lack and one.starts == 2 for one in match.reports))
        assert set(man.learned) == {"KS", "AD"}
    knows = {one.starts: one.lack[1]["cards"] for one in match.reports if one.lack}
    assert (knows[1], knows[2]) == ("", "AD,KS")


@pytest.mark.skipif(not hasattr(os, "getpgid"), reason="process groups are of POSIX")
def test_ctrl_c_in_the_terminal_does_not_reach_the_process(match):
    with watched(match) as man:
        match.wait(lambda: man.report.alive)
        assert os.getpgid(man._process.pid) != os.getpgid(0)


def test_an_answer_to_a_dead_process_fails_at_once(match):
    with watched(match, "die") as man, pytest.raises(AnswerError):
        man.answer(7, "play K")


@pytest.mark.parametrize("take", ["evening.gz", None])
def test_a_process_that_is_stopped_may_finish_writing(match, take):
    command = (sys.executable, "-m", "tests.vision.scripted_worker")
    config = replace(CONFIG, take=take)
    man = Supervisor(
        config, match.table, match.ledger.pictures, on_report=match.saw, command=command
    )
    match.wait(lambda: man.report.alive)
    man.stop()
    assert man._process.returncode == 0


def test_a_process_that_cannot_work_says_why(match, tmp_path):
    config = CameraConfig(source=str(tmp_path / "none.mp4"), seats=2)
    man = Supervisor(config, match.table, match.ledger.pictures, on_report=match.saw)
    try:
        match.wait(lambda: man.report.failed is not None)
    finally:
        man.stop()
    reason, fields = man.report.failed
    assert "none.mp4" in reason.format(**fields)


def test_what_a_question_is_about_is_shown_while_it_stands(match):
    with watched(match, "pictured:7", "pictured:8", "ask") as man:
        match.wait(lambda: bool(man.report.questions))
        assert list(man.pictured) == [7]
        man.answer(7, "no")
        assert man.pictured == {}
