"""Corrections of earlier events: what is appended, what is removed, and how they are undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import replay
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, RuleError
from scorekeeper.history import corrections
from scorekeeper.history.corrections import Correction, standing
from tests.scorekeeper.playouts import bare, same_state
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, event

Correct = Callable[[Match, Sequence[Event]], Correction]


class Sheet:
    """A match and all its events, as a table has them."""

    def __init__(self, game: str, *texts: str, **header: object) -> None:
        self.header = Header(game=game, seats=("Ana", "Bea"), **header)  # type: ignore[arg-type]
        self.events: list[Event] = []
        self.say(*texts)

    @property
    def match(self) -> Match:
        """The match after all events."""
        return replay(self.header, self.events)

    @property
    def stands(self) -> list[Event]:
        """The events that are not taken back, without remarks."""
        return bare([stand.event for stand in standing(self.events)])

    def say(self, *texts: str) -> None:
        """Appends events, written as for ``talk.event``."""
        self.events += [event(text.strip()) for text in ",".join(texts).split(",") if text.strip()]

    def make(self, correct: Correct) -> Correction:
        """Appends a correction."""
        made = correct(self.match, self.events)
        assert made.seen == len(self.events)
        self.events += made.events
        assert same_state(self.match, made.match)
        return made

    def replace(self, seq: int, text: str) -> Correction:
        """As ``corrections.replace``."""
        return self.make(lambda m, e: corrections.replace(m, e, seq, event(text)))

    def insert(self, seq: int | None, texts: str) -> Correction:
        """As ``corrections.insert``."""
        return self.make(lambda m, e: corrections.insert(m, e, seq, *said(texts)))

    def remove(self, seq: int) -> Correction:
        """As ``corrections.remove``."""
        return self.make(lambda m, e: corrections.remove(m, e, seq))

    def take_back(self, group: str) -> Correction:
        """As ``corrections.take_back``."""
        return self.make(lambda m, e: corrections.take_back(m, e, group))


def said(texts: str) -> list[Event]:
    return [event(text.strip()) for text in texts.split(",") if text.strip()]


HAND = "0 deal 3, 1 play KS, 0 play 9H, 1 play 8C, 0 play AD"


def test_a_correction_is_undone_back_to_its_place_and_said_again_in_one_group() -> None:
    sheet = Sheet(LT_ACE, HAND)
    made = sheet.replace(4, "1 play QC")
    assert bare(list(made.events)) == said("undo, undo, 1 play QC, 0 play AD")
    assert {e.group for e in made.events} == {made.group}
    assert sheet.stands == said("0 deal 3, 1 play KS, 0 play 9H, 1 play QC, 0 play AD")
    assert made.left_out == ()


def test_an_event_that_is_said_again_names_its_first_number() -> None:
    sheet = Sheet(LT_ACE, HAND)
    sheet.replace(2, "1 play QS")
    sheet.replace(standing(sheet.events)[2].seq, "0 play 7H")
    firsts = [stand.first for stand in standing(sheet.events)]
    assert [firsts[0], *firsts[3:]] == [1, 4, 5]
    assert firsts[1] > 5
    assert firsts[2] > firsts[1]


def test_a_forged_first_number_is_not_believed() -> None:
    for first in (True, "1", 0, 1, 99, None, [1]):
        forged = event("1 play KS")._replace(remarks={"_again": first})
        assert [stand.first for stand in standing([event("0 deal 3"), forged])] == [1, 2]


@pytest.mark.parametrize(
    ("correct", "stands", "left_out"),
    [
        pytest.param(
            lambda s: s.insert(4, "1 raise 2"),
            "0 deal 3, 1 play KS, 0 play 9H, 1 raise 2",
            "1 play 8C, 0 play AD",
            id="a raise that nobody answered makes the later cards wait",
        ),
        pytest.param(
            lambda s: s.remove(5),
            "0 deal 3, 1 play KS, 0 play 9H, 1 play 8C",
            "",
            id="the latest event",
        ),
        pytest.param(
            lambda s: s.remove(1),
            "",
            "1 play KS, 0 play 9H, 1 play 8C, 0 play AD",
            id="nothing is legal without the deal",
        ),
        pytest.param(
            lambda s: s.replace(2, "1 play 9H"),
            "0 deal 3, 1 play 9H, 0 play AD",
            "0 play 9H, 1 play 8C",
            id="a card that was played later cannot be played twice",
        ),
        pytest.param(
            lambda s: s.insert(None, "0 raise 2"),
            HAND + ", 0 raise 2",
            "",
            id="an event at the end",
        ),
    ],
)
def test_later_events_that_are_no_longer_legal_are_left_out_and_shown(
    correct: Callable[[Sheet], Correction], stands: str, left_out: str
) -> None:
    sheet = Sheet(LT_ACE, HAND)
    made = correct(sheet)
    assert sheet.stands == said(stands)
    assert bare(list(made.left_out)) == said(left_out)


def test_a_corrected_event_must_be_legal_in_its_place() -> None:
    sheet = Sheet(LT_ACE, HAND)
    with pytest.raises(RuleError, match="C-10"):
        sheet.replace(2, "0 play KS")


@pytest.mark.parametrize("seq", [0, -1, 3, 4, 99])
def test_only_what_stands_can_be_corrected(seq: int) -> None:
    sheet = Sheet(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H, undo")
    with pytest.raises(FormatError, match="stands"):
        sheet.remove(seq)


GAME_POINT = "award 0 11, award 1 11, 0 deal 3, 1 play KS, 0 play 9H, 1 play 8C, 0 play 7D"


def test_a_correction_reaches_back_over_the_end_of_a_game() -> None:
    sheet = Sheet(LT_ACE, GAME_POINT, "1 deal 3, 0 play QS", best_of=3)
    assert sheet.match.games_won == (0, 1)
    made = sheet.replace(7, "0 play AD")
    assert sheet.match.games_won == (0, 0)
    assert bare(list(made.left_out)) == said("1 deal 3")
    sheet.take_back(made.group)
    assert sheet.match.games_won == (0, 1)
    assert sheet.stands == said(GAME_POINT + ", 1 deal 3, 0 play QS")


def test_a_match_that_was_won_by_mistake_is_opened_again() -> None:
    sheet = Sheet(LT_ACE, GAME_POINT)
    assert sheet.match.winner == 1
    sheet.replace(7, "0 play AD")
    assert sheet.match.winner is None
    sheet.say("0 play KD, 1 play QD")
    assert sheet.match.winner == 0


@pytest.mark.parametrize(
    ("game", "texts", "correct", "stands"),
    [
        pytest.param(
            TRUT,
            "0 deal 3, 1 play 7S, 0 play 8H, 1 play 7D",
            lambda s: s.insert(4, "0 trut"),
            "0 deal 3, 1 play 7S, 0 play 8H, 0 trut",
            id="a trut that was not heard",
        ),
        pytest.param(
            TRUC,
            "1 cut, 0 deal 3, 1 play 3S, 0 play 2H, 1 play 3D",
            lambda s: s.replace(1, "1 tap"),
            "1 tap, 0 deal 3, 1 play 3S, 0 play 2H, 1 play 3D",
            id="a tap that was taken for a cut",
        ),
    ],
)
def test_corrections_know_no_game(
    game: str, texts: str, correct: Callable[[Sheet], Correction], stands: str
) -> None:
    sheet = Sheet(game, texts)
    made = correct(sheet)
    assert sheet.stands == said(stands)
    sheet.take_back(made.group)
    assert sheet.stands == said(texts)


def test_a_group_is_taken_back_after_further_events_which_stay() -> None:
    sheet = Sheet(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H")
    made = sheet.replace(2, "1 play QS")
    sheet.say("1 play 8C, 0 play AD")
    back = sheet.take_back(made.group)
    assert sheet.stands == said(HAND)
    assert back.left_out == ()


def test_further_events_fall_away_where_they_are_not_legal_without_the_group() -> None:
    sheet = Sheet(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H")
    made = sheet.replace(3, "0 play AH")
    sheet.say("0 play 8C")
    back = sheet.take_back(made.group)
    assert sheet.stands == said("0 deal 3, 1 play KS, 0 play 9H")
    assert bare(list(back.left_out)) == said("0 play 8C")


def test_what_was_undone_after_a_group_stays_undone_when_the_group_is_taken_back() -> None:
    sheet = Sheet(LT_ACE, "0 deal 3, 1 play KS, 0 play 9H, 1 play 8C")
    made = sheet.replace(2, "1 play QS")
    sheet.say("undo")
    sheet.take_back(made.group)
    assert sheet.stands == said("0 deal 3, 1 play KS, 0 play 9H")


def test_a_removed_event_at_the_end_returns_before_what_came_after() -> None:
    sheet = Sheet(LT_ACE, "0 deal 3, 1 play KS")
    made = sheet.remove(2)
    sheet.say("1 play QS, 0 play 9H")
    back = sheet.take_back(made.group)
    assert sheet.stands == said("0 deal 3, 1 play KS, 0 play 9H")
    assert bare(list(back.left_out)) == said("1 play QS")


def test_an_earlier_correction_is_taken_back_under_a_later_one() -> None:
    sheet = Sheet(LT_ACE, HAND)
    first = sheet.replace(2, "1 play QS")
    second = sheet.replace(standing(sheet.events)[3].seq, "1 play 7C")
    sheet.take_back(first.group)
    assert sheet.stands == said("0 deal 3, 1 play KS, 0 play 9H, 1 play 7C, 0 play AD")
    sheet.take_back(second.group)
    assert sheet.stands == said(HAND)


def test_what_was_inserted_later_in_the_same_place_keeps_its_side() -> None:
    sheet = Sheet(LT_ACE, HAND)
    made = sheet.replace(2, "1 play QS")
    raised = sheet.insert(place_of(sheet, "1 play QS"), "1 raise 2, 0 accept")
    assert raised.left_out == ()
    sheet.insert(place_of(sheet, "0 play 9H"), "0 raise 4, 1 accept")
    sheet.take_back(made.group)
    assert sheet.stands[:7] == said(
        "0 deal 3, 1 raise 2, 0 accept, 1 play KS, 0 raise 4, 1 accept, 0 play 9H"
    )


def place_of(sheet: Sheet, text: str) -> int:
    return next(s.seq for s in standing(sheet.events) if s.event.bare() == event(text))


def test_a_corrected_correction_is_taken_back_from_the_latest_on() -> None:
    sheet = Sheet(LT_ACE, HAND)
    first = sheet.replace(2, "1 play QS")
    second = sheet.replace(place_of(sheet, "1 play QS"), "1 play JS")
    with pytest.raises(FormatError, match="nothing of that correction stands"):
        sheet.take_back(first.group)
    sheet.take_back(second.group)
    assert place_of(sheet, "1 play QS")
    sheet.take_back(first.group)
    assert sheet.stands == said(HAND)


def test_taking_back_is_taken_back_too() -> None:
    sheet = Sheet(LT_ACE, HAND)
    made = sheet.remove(4)
    removed = sheet.stands
    back = sheet.take_back(made.group)
    with pytest.raises(FormatError, match="nothing of that correction stands"):
        sheet.take_back(made.group)
    sheet.take_back(back.group)
    assert sheet.stands == removed


def test_a_group_that_was_undone_altogether_cannot_be_taken_back() -> None:
    sheet = Sheet(LT_ACE, "0 deal 3, 1 play KS")
    made = sheet.replace(2, "1 play QS")
    sheet.say("undo")
    with pytest.raises(FormatError, match="nothing of that correction stands"):
        sheet.take_back(made.group)
    with pytest.raises(FormatError, match='no correction "x"'):
        sheet.take_back("x")


def test_a_group_of_another_program_is_taken_back_without_first_numbers() -> None:
    sheet = Sheet(LT_ACE, HAND)
    foreign = said("undo, undo, undo, undo, 1 play QS, 0 play 9H, 1 play 8C, 0 play AD")
    sheet.events += [e._replace(remarks={"_group": "a"}) for e in foreign]
    sheet.say("0 play KD")
    sheet.take_back("a")
    assert sheet.stands == said(HAND + ", 0 play KD")


def test_each_group_has_a_mark_of_its_own() -> None:
    sheet = Sheet(LT_ACE, "0 deal 3")
    sheet.events[0] = sheet.events[0]._replace(remarks={"_group": "2"})
    made = sheet.insert(None, "1 play KS")
    assert corrections.groups(sheet.events) == ["2", made.group]
