"""The watching table with a match in a real ledger: conflicts, corrections and restarts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.said import SOURCE, WHO, Source
from scorekeeper.errors import LedgerError, NotYourTurn, StaleAppend
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.film_supervisor import TableLog
from tests.scorekeeper.talk import NAMES, event
from tests.vision.tabletop import Tabletop, told
from vision.watched_table import Appended

HEADER = Header(game="le_truc_ace", seats=NAMES[:2])


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(f"sqlite:///{tmp_path / 'ledger.sqlite3'}") as ledger:
        yield ledger


@pytest.fixture
def match(ledger: Ledger) -> Table:
    return Table.begin(ledger, HEADER, source=Source.OPERATOR)


def watched(match: Table, *said: str) -> Tabletop:
    return Tabletop(HEADER.game, 2, *said, log=TableLog(match))


def from_phone(match: Table, *texts: str) -> None:
    events = [event(text) for text in texts]
    match.say(*events, seen=match.moment.seq, source=Source.PHONE, who="Ana")


def stored(ledger: Ledger, match: Table) -> list[Event]:
    return [entry.marked for entry in ledger.read(ledger.match(match.match_id))]


def plays(match: Table) -> list[str]:
    """The plays of the hand in progress that are not taken back."""
    hand = match.moment.match.hand
    assert hand is not None
    return [str(play.card) for trick in hand.tricks for play in trick.plays]


def test_what_is_seen_is_in_the_ledger_as_seen_by_the_camera(ledger: Ledger, match: Table) -> None:
    table = watched(match)
    table.run(2)
    assert table.deal() == ["0 deal 3"]
    table.put("KS", 1)
    assert table.run() == ["1 play KS"]
    events = stored(ledger, match)
    assert [told(each) for each in events] == ["0 deal 3", "1 play KS"]
    assert {each.remarks[SOURCE] for each in events} == {"camera"}
    assert replay(HEADER, events) == match.moment.match


class Overtaken(TableLog):
    """A log to which another process writes just before the watching table does."""

    def __init__(self, table: Table, other: Table, text: str) -> None:
        super().__init__(table)
        self.other, self.text = other, text

    def say(self, events: Sequence[Event], seen: int) -> None:
        if self.text and events[0].do == "play":
            text, self.text = self.text, ""
            from_phone(self.other, text)
        super().say(events, seen)


@pytest.mark.parametrize(
    ("quicker", "written"),
    [
        ("1 play QS", []),  # a person entered it, by another name
        ("1 raise 2", []),  # the card waits for the answer (V-4)
        ("undo", []),  # no hand is in progress any more
    ],
)
def test_a_play_is_judged_again_when_somebody_was_quicker(
    ledger: Ledger, match: Table, quicker: str, written: list[str]
) -> None:
    from_phone(match, "0 deal 3")
    log = Overtaken(match, Table(ledger, match.match_id), quicker)
    table = Tabletop(HEADER.game, 2, log=log)
    table.put("KS", 1)
    assert table.run(2) == written
    assert [each.do for each in stored(ledger, match)] == ["deal", event(quicker).do]


def test_a_play_that_waited_for_the_answer_to_a_quicker_raise_is_played_after_it(
    ledger: Ledger, match: Table
) -> None:
    from_phone(match, "0 deal 3")
    table = Tabletop(
        HEADER.game, 2, log=Overtaken(match, Table(ledger, match.match_id), "1 raise 2")
    )
    table.put("KS", 1)
    table.run(1)
    from_phone(match, "0 accept")
    assert table.run(0.2) == ["1 play KS"]


def test_an_answer_to_a_question_that_is_too_late_changes_nothing(match: Table) -> None:
    table = watched(match, "0 deal 3")
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(4)
    assert table.asked() == ["card"]
    from_phone(match, "1 play QS")
    with pytest.raises((NotYourTurn, StaleAppend)):
        table.answer("1 play KS")
    assert plays(match) == ["QS"]


class Full(TableLog):
    """A log whose disk is full."""

    full, tries = True, 0

    def say(self, events: Sequence[Event], seen: int) -> None:
        self.tries += 1
        if self.full:
            raise LedgerError("The disk is full.")
        super().say(events, seen)


def test_what_cannot_be_written_is_tried_once_a_frame_until_it_can(match: Table) -> None:
    from_phone(match, "0 deal 3")
    log = Full(match)
    table = Tabletop("le_truc_ace", 2, log=log)
    table.put("KS", 1)
    table.run(1)
    assert 0 < log.tries <= 20
    log.full = False
    assert table.run(0.1) == ["1 play KS"]


def test_what_a_person_answers_is_that_persons_word(match: Table) -> None:
    table = watched(match, "0 deal 3")
    table.put("KS", 1, KS=0.5, JS=0.45)
    table.run(4)
    (question,) = table.table.questions
    said = {SOURCE: Source.PHONE.value, WHO: "Bea"}
    table.table.answer(question.id, 0, table.at, said=said)
    *_, played = match.log()[1]
    assert (str(played.card), played.remarks[SOURCE], played.remarks[WHO]) == ("KS", "phone", "Bea")


def test_v_1_what_was_said_after_a_card_stays_when_another_one_takes_its_place(
    match: Table,
) -> None:
    table = watched(match, "0 deal 3")
    table.put("8H", at=(3, 2))
    assert table.run(1.5) == ["1 play 8H"]
    from_phone(match, "0 raise 2", "1 accept")
    table.put("KS", 1)
    table.run(2.8)
    (question,) = table.table.questions
    appended: list[Appended] = []
    table.table.appended = appended.append
    place = [choice.word for choice in question.choices].index("instead")
    said = {SOURCE: Source.PHONE.value, WHO: "Bea"}
    table.table.answer(question.id, place, table.at, said=said)
    assert plays(match) == ["KS"]
    (one,) = appended
    played = match.log()[1][one.seq - 1]
    assert (str(played.card), played.remarks[WHO], str(one.event.card)) == ("KS", "Bea", "KS")
    assert played.remarks["_readings"][0][0] == "KS"
    assert [each.do for each in match.log()[1][-3:]] == ["play", "raise", "accept"]
    assert table.run() == ["0 play 8H"]


def test_v_11_a_card_that_a_person_put_right_stays_right(match: Table) -> None:
    table = watched(match, "0 deal 3")
    table.put("KS", 1)
    assert table.run() == ["1 play KS"]
    from_phone(match, "undo", "1 play QS")
    assert table.run(3) == []
    table.put("AD", 0)
    assert table.run() == ["0 play AD"]
    assert plays(match) == ["QS", "AD"]
    assert table.asked() == []


def test_v_11_a_play_that_a_person_took_back_is_not_proposed_again(match: Table) -> None:
    table = watched(match, "0 deal 3")
    table.put("KS", 1)
    table.run()
    from_phone(match, "undo")
    assert table.run(4) == []
    assert plays(match) == []


@pytest.mark.parametrize("whole", [False, True], ids=["of the camera", "of the program"])
def test_v_11_after_a_restart_in_mid_hand_what_lies_there_is_bound_to_what_stands(
    ledger: Ledger, match: Table, whole: bool
) -> None:
    table = watched(match, "0 deal 3")
    table.put("KS", 1)
    table.put("QS", 0)
    assert table.run(1) == ["1 play KS", "0 play QS"]
    if whole:
        match = Table(ledger, match.match_id)
        table.log = TableLog(match)
    table.restart()
    assert table.run(3) == []
    assert table.asked() == []
    table.put("7D", at=(9, -25))
    assert table.run(1) == ["1 play 7D"]


def test_v_11_a_card_that_was_laid_while_nobody_watched_is_played_after_the_restart(
    match: Table,
) -> None:
    table = watched(match, "0 deal 3")
    table.put("KS", 1)
    table.run()
    table.put("QS", 0)
    table.restart()
    assert table.run(1.5) == ["0 play QS"]
    assert plays(match) == ["KS", "QS"]
