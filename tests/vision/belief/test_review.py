"""What was written of a hand and is no longer believed is put right, with what came after it."""

import pytest

from scorekeeper.history.corrections import standing
from tests.vision.tabletop import Tabletop, told


def misread() -> Tabletop:
    """Seat 1 has led a jack, which was taken for a king; seats 2 and 3 have laid a card each."""
    table = Tabletop("trut", 4)
    table.run(3.0)
    assert table.deal() == ["0 deal 3"]
    table.put("JS", 1, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run(3.0) == ["1 play KS"]
    table.put("8D", 2)
    table.put("9C", 3)
    assert table.run(3.0) == ["2 play 8D", "3 play 9C"]
    return table


def look_closer(table: Tabletop) -> None:
    """Better pictures of the first card come, for some seconds."""
    for jack in (0.999, 0.97, 0.93, 0.995, 0.99) * 4:
        table.cards["JS"][4] = {"JS": jack, "QS": 1.0005 - jack}
        table.run(0.2)


def stands(table: Tabletop) -> list[str]:
    """The plays that stand, in order."""
    return [told(one.event) for one in standing(table.log.events) if one.event.do == "play"]


WRITTEN = ["1 play KS", "2 play 8D", "3 play 9C"]
RIGHT = ["1 play JS", *WRITTEN[1:]]


def test_v_13_a_play_is_put_right_and_what_came_after_it_stays():
    table = misread()
    look_closer(table)
    assert stands(table) == RIGHT
    again = table.log.events[-2:]
    assert [event.remarks["_again"] for event in again] == [3, 4]
    table.put("QC", 0)
    assert table.run(3.0) == ["0 play QC"]


def test_v_13_it_is_done_once_and_told():
    table = misread()
    look_closer(table)
    (proposal,) = [p for each in table.happened for p in each.proposals if p.instead]
    assert (told(proposal.event), proposal.seq_seen) == ("1 play JS", 4)


@pytest.mark.parametrize(("said", "stand"), [
    pytest.param(["undo", "undo", "undo", "1 play KS", "2 play 8D", "3 play 9C"], WRITTEN,
                 id="V-11 what people have entered stays"),
    pytest.param(["undo", "3 play 9C"], WRITTEN,
                 id="V-11 what came before a play that people have entered stays"),
])  # fmt: skip
def test_what_people_have_said_is_not_put_right(said, stand):
    table = misread()
    table.by_hand(*said)
    look_closer(table)
    assert stands(table) == stand


def test_a_hand_that_was_not_watched_from_its_beginning_is_not_reviewed():
    table = misread()
    table.restart()
    look_closer(table)
    assert stands(table) == WRITTEN
