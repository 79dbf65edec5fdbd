"""V-14: the demo's match, watched at a table where nobody taps any call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from datasets.benchmarks.tally import said
from datasets.films.director import direct
from datasets.films.stage import Stage
from datasets.simulation.seen import EYES, Glance, watched
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import latest_events
from vision.geometry.table_plane import Plane
from vision.watched_table import ListLog, WatchingTable
from webui.cli.demo import FILM, SEEN, record_of

LAP = record_of(FILM)
HEADER = Header(game="trut", seats=LAP.match.header.seats, first_dealer=1, best_of=5)


def across(event: Event) -> Event:
    """The same event, by the player on the other side of the table."""
    assert event.seat is not None
    return event._replace(seat=1 - event.seat)


MATCH = [each.bare() for each in LAP.events]
MATCH = [*MATCH, *map(across, MATCH)]
"""The hands of the film, and the same hands once more with seats swapped, as the deal moves on."""

OVER = ("cleared", "thrown")
"""The kinds of the questions that ask who folded."""

FOLDS = {3: 0, 6: 1}
"""Number of a hand to the side that folds in it aloud."""


def played(events: list[Event]) -> list[tuple[object, ...]]:
    return [said(event) for event in events if event.do in SEEN]


class Watched:
    """The match, watched while the players only answer questions."""

    def __init__(self, stage: Stage, *, patience: float) -> None:
        self.stage, self.patience = stage, patience
        self.log = ListLog(HEADER)
        plane = Plane(stage.homography(0.0), stage.outline, 2)
        self.table = WatchingTable(plane, self.log)
        self.most = 0
        self.asked: dict[int, float] = {}

    def watch(self, glances: Iterator[Glance]) -> None:
        for glance in glances:
            self.table.see(glance.at, glance.detections)
            questions = self.table.questions
            self.most = max(self.most, sum(each.kind in OVER for each in questions))
            for question in questions:
                since = self.asked.setdefault(question.id, glance.at)
                if question.kind in OVER and glance.at - since >= self.patience:
                    keys = [choice.key for choice in question.choices]
                    side = FOLDS[self.log.match.hand_number]
                    self.table.answer(question.id, keys.index(f"side {side}"), glance.at)
                    break


@pytest.mark.parametrize(
    ("seed", "patience"),
    [
        (6, 2.0),
        (6, 20.0),  # a trick of the next hand has been played and taken
        (3, 2.0),  # whoever lies down shows two cards
        (9, 2.0),  # and here the first of them looks like a play
    ],
)
def test_no_hand_is_lost_and_no_card_of_the_next_deal_counts_in_the_one_before(seed, patience):
    stage = direct(HEADER, MATCH, grade="home", seed=seed)
    match = Watched(stage, patience=patience)
    match.watch(watched(stage, EYES["perfect"]))
    assert played(latest_events(match.log.match)) == played(MATCH)
    assert match.most == 1
