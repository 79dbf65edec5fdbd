"""``Observer`` joins reading, markers, place and health. Here a fake reader sees what tests say."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scorekeeper.engine.header import Header
from tests.scorekeeper.talk import event
from tests.vision.detection.test_known_back import BOOK, RED
from tests.vision.tabletop import corners, plane
from vision.capture.sources import Frame
from vision.detection.deck_templates import KnownDeck
from vision.detection.detections import Detection
from vision.detection.reader import PLAINLY
from vision.geometry import markers as module
from vision.geometry.calibration import Check
from vision.geometry.markers import Marker, call_id
from vision.geometry.placing import LOOKS, Placing
from vision.health import Problem
from vision.occlusion.cover import FrameState
from vision.packs import PACKS
from vision.pipeline import Observer
from vision.watched_table import ListLog

PICTURE = np.full((720, 1280, 3), 120, np.uint8)

READINGS = {
    "queer": (("JS", 0.5), ("KS", 0.49)),
    "rather a king": (("KS", 0.995), ("JS", 0.004)),
}
"""Readings that fit several cards."""


class Eyes:
    """A reader that returns what a test says."""

    letters = ()

    def __init__(self) -> None:
        self.cards: dict[str, tuple[float, float]] = {}
        self.looks = 0
        self.every = 1
        self.packs: set[frozenset[str]] = set()
        self.deck = None
        self.how = PLAINLY

    def read(self, frame, *, pack=None, deck=None, how=PLAINLY, **options):
        self.looks += 1
        self.packs.add(frozenset(pack or ()))
        self.deck, self.how = deck, how
        if self.looks % self.every:
            return []
        return [
            Detection(corners(x, y, 0.1), 0.9, READINGS.get(card, ((card.split()[0], 0.97),)))
            for card, (x, y) in self.cards.items()
        ]


class Covers:
    """Replaces ``Cover``: a test says whether something changed, and which rows hands cover."""

    changed = True
    hidden = (0, 0)
    updates = 0

    def update(self, at, frame, plane, cards):
        self.updates += 1
        return FrameState(
            changed=self.changed,
            covered=lambda points: (
                (points[:, 1] >= self.hidden[0]) & (points[:, 1] < self.hidden[1])
            ),
            moving=0.0,
            regions=(),
            lies=lambda number: False,
            bare=lambda outline: 0.0,
            reaching=frozenset,
        )


class Scene:
    """A watched table of two; Bea leads. There are 15 frames a second."""

    def __init__(self, monkeypatch, *said: str, game: str = "trut", cover=None, place=True,
                 mirror=None) -> None:  # fmt: skip
        self.eyes, self.markers, self.at, self.seen = Eyes(), [], 0.0, []
        self.picture = PICTURE
        header = Header(game=game, seats=("Ana", "Bea"))
        self.log = ListLog(header, [event(text) for text in said])
        placing = Placing(2, plane=plane(2) if place is True else place or None)
        self.observer = Observer(self.eyes, self.log, placing, cover=cover, mirror=mirror)
        monkeypatch.setattr(module, "find_markers", lambda frame, region=None: list(self.markers))

    def run(self, seconds: float) -> list[str]:
        for _ in range(round(seconds * 15)):
            self.at += 1 / 15
            self.seen.append(self.observer.see(Frame(self.picture, self.at, 0)))
        return [f"{e.seat} {e.in_words()}" for e in self.log.events]

    def show(self, name: str, x: float, y: float, looks: np.ndarray) -> None:
        """Lays something with this picture on the table."""
        self.eyes.cards[name] = (x, y)
        target = corners(x, y, 0.1)
        height, width = looks.shape[:2]
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        self.picture = self.picture.copy()
        size = (self.picture.shape[1], self.picture.shape[0])
        cv2.warpPerspective(looks, matrix, size, self.picture, borderMode=cv2.BORDER_TRANSPARENT)

    def mark(self, number: int, x: float, y: float, side: float = 40) -> None:
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        self.markers.append(Marker(number, square * side + np.float32([x, y])))

    def hints(self) -> list[str]:
        return [hint.kind for seen in self.seen for hint in seen.happened.hints]


def test_a_card_that_is_laid_is_played(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.run(0.5)
    scene.eyes.cards["KS"] = (0, -25)
    assert scene.run(2)[1:] == ["1 play KS"]


def test_the_reader_may_name_any_card_of_the_kind_of_deck_so_a_wrong_pack_is_noticed(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.eyes.cards["2S"] = (0, -25)
    assert scene.run(3)[1:] == []
    assert scene.eyes.packs == {PACKS["52"][0]}
    assert "wrong_pack" in scene.hints()


def test_a_marker_is_not_taken_for_a_card(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.eyes.cards["KS"] = (0, -25)
    scene.mark(0, 620, 140)  # the middle of that place is at (640, 160)
    assert scene.run(3)[1:] == []


class Mirrors:
    """Replaces ``Mirror``: every picture is mirrored."""

    mirrored = True

    def look(self, frame, markers, detections):
        pass


@pytest.mark.parametrize("place", [True, False])
def test_a_mirrored_picture_is_complained_about_also_where_no_table_was_found(monkeypatch, place):
    scene = Scene(monkeypatch, place=place, mirror=Mirrors())
    scene.run(1)
    assert Problem.MIRRORED in [complaint.problem for complaint in scene.seen[-1].complaints]


def test_where_nothing_changes_the_reader_rests_and_time_goes_on(monkeypatch):
    cover = Covers()
    scene = Scene(monkeypatch, "0 deal 3", cover=cover)
    scene.eyes.cards["KS"] = (0, -25)
    scene.run(2)
    cover.changed = False
    before = scene.eyes.looks
    scene.run(6)
    assert scene.eyes.looks == before
    (card,) = scene.observer.table.cards
    assert card.missing == 0
    cover.changed = True
    before = scene.eyes.looks
    scene.run(1)
    assert scene.eyes.looks - before == 15


@pytest.mark.parametrize(("changed", "updates"), [(True, 60), (False, 30)])
def test_at_rest_every_other_frame_is_taken_in(monkeypatch, changed, updates):
    cover = Covers()
    scene = Scene(monkeypatch, "0 deal 3", cover=cover)
    scene.run(1)
    cover.changed, cover.updates = changed, 0
    for number in range(60):
        scene.observer.see(Frame(PICTURE, scene.at + (number + 1) / 30, 0))
    assert cover.updates == pytest.approx(updates, abs=1)


def test_a_card_that_the_last_look_has_missed_is_looked_for_though_nothing_changes(monkeypatch):
    cover = Covers()
    scene = Scene(monkeypatch, "0 deal 3", cover=cover)
    scene.eyes.cards["KS"] = (0, -25)
    scene.run(2)
    place = scene.eyes.cards.pop("KS")
    scene.run(0.2)
    cover.changed = False
    scene.eyes.cards["KS"] = place
    scene.run(3)
    (card,) = scene.observer.table.cards
    assert card.missing == 0
    assert len(scene.log.events) == 2


def test_what_only_some_looks_find_is_looked_at_again_though_nothing_changes(monkeypatch):
    """Such as a card on others, which the finder finds only from some sides."""
    cover = Covers()
    scene = Scene(monkeypatch, "0 deal 3", cover=cover)
    scene.run(0.5)
    scene.eyes.every = 2
    scene.eyes.cards["KS"] = (0, -25)
    scene.run(0.1)
    assert not scene.observer.table.cards
    cover.changed = False
    scene.run(1.5)
    assert [card.best for card in scene.observer.table.cards] == ["KS"]


def test_before_the_table_is_found_nothing_is_played_and_the_lack_is_told(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3", place=False)
    assert scene.run(1)[1:] == []
    assert scene.observer.lack
    scene.eyes.cards["KS"] = (0, -25)
    assert scene.run(3)[1:] == ["1 play KS"]
    assert Check.FOUND in [seen.place for seen in scene.seen]


def test_one_look_for_markers_counts_once_however_many_frames_there_are(monkeypatch):
    looks = []
    scene = Scene(monkeypatch, "0 deal 3", place=False)
    monkeypatch.setattr(
        module, "find_markers", lambda *_: looks.append(scene.at) or list(scene.markers)
    )
    for number, (x, y) in enumerate([(400, 220), (800, 220), (800, 500), (400, 500)]):
        scene.mark(number, x, y, 48)
    while scene.observer.plane is None:
        scene.run(1 / 15)
    assert len(looks) == LOOKS
    assert {seen.place for seen in scene.seen[:-1]} == {Check.UNSEEN}


def test_a_place_kept_of_pictures_of_another_shape_is_no_place(monkeypatch):
    height, width = PICTURE.shape[:2]
    scene = Scene(monkeypatch, "0 deal 3", place=replace(plane(2), size=(height, width)))
    assert scene.observer.lack is None
    scene.eyes.cards["KS"] = (0, -25)
    scene.run(0.2)
    assert scene.observer.lack  # the camera is held otherwise than when it was set up
    assert scene.run(3)[1:] == ["1 play KS"]  # seen from above, the card shows the table


def test_a_camera_that_is_turned_and_turned_back_goes_on_with_its_place(monkeypatch):
    height, width = PICTURE.shape[:2]
    scene = Scene(monkeypatch, "0 deal 3", place=replace(plane(2), size=(width, height)))
    scene.run(0.5)
    scene.picture = np.full((width, height, 3), 120, np.uint8)
    scene.run(0.5)
    assert scene.observer.lack
    scene.picture = PICTURE
    scene.eyes.cards["KS"] = (0, -25)
    assert scene.run(2)[1:] == ["1 play KS"]
    assert scene.observer.lack is None


def test_a_table_that_is_found_anew_keeps_no_looks_of_the_cards_before(monkeypatch):
    kept = replace(plane(2), size=(PICTURE.shape[1], PICTURE.shape[0]))
    scene = Scene(monkeypatch, "0 deal 3", place=kept)
    scene.show("KS", 0, -25, RED)
    assert scene.run(2)[1:] == ["1 play KS"]
    scene.picture = PICTURE[:, :720]  # the camera is held otherwise for a moment
    scene.eyes.cards.clear()
    scene.run(0.3)
    assert scene.observer.table is None
    scene.picture = PICTURE
    scene.show("QD", 0, -25, BOOK)
    scene.run(4)
    (card,) = scene.observer.table.cards
    scene.observer.table.belief.named[card.id] = "QD"
    scene.run(0.2)
    _, green, red = scene.observer.learned["QD"].mean(axis=(0, 1))
    assert green > red


def test_a_calling_card_says_its_word_once_as_a_marker(monkeypatch):
    scene = Scene(monkeypatch, "1 cut", "0 deal 3", game="truc_spain")
    scene.run(0.5)
    scene.mark(call_id("truc", 1), 300, 300)
    assert scene.run(3)[2:] == ["1 truc"]
    assert scene.log.events[2].remarks["_source"] == "marker"


def test_a_calling_card_against_the_rules_is_a_notice_after_it_has_waited(monkeypatch):
    scene = Scene(monkeypatch, "1 cut", "0 deal 3", game="truc_spain")
    scene.run(0.5)
    scene.mark(call_id("retruc", 1), 300, 300)
    scene.run(2)
    assert scene.hints() == []
    scene.run(3)
    assert scene.hints() == ["refused"]
    assert len(scene.log.events) == 2


def test_a_calling_card_that_is_quicker_than_the_card_before_it_waits(monkeypatch):
    scene = Scene(monkeypatch, "1 cut", "0 deal 3", game="truc_spain")
    scene.run(0.5)
    scene.mark(call_id("truc", 0), 300, 300)  # seat 1 leads; seat 0 may call when it is due
    scene.run(1)
    scene.eyes.cards["4S"] = (0, -25)
    assert scene.run(3)[2:] == ["1 play 4S", "0 truc"]


def test_another_match_at_the_same_table_begins_with_the_same_place(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.run(0.5)
    log = ListLog(Header(game="trut", seats=("Ana", "Bea")), [event("0 deal 3")])
    scene.observer.begin(log)
    scene.eyes.cards["KS"] = (0, -25)
    scene.run(2)
    assert [e.in_words() for e in log.events] == ["deal 3", "play KS"]


def test_a_deck_that_is_spread_out_is_looked_at_larger_than_a_table_in_play(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.eyes.cards["KS"] = (0, -25)
    assert [card.card for card in scene.observer.spread(PICTURE)] == ["KS"]
    assert scene.eyes.how.longest > 448  # rows of 40 small cards lie close together
    scene.run(1)
    assert scene.eyes.how == PLAINLY


@pytest.mark.parametrize("when", ["open", "hidden", "fingers", "7H", "back"])
def test_a_card_that_people_named_is_known_from_when_it_has_lain_open(monkeypatch, when):
    cover = Covers()
    beside = ["1 play 7H"] if when == "7H" else []
    scene = Scene(monkeypatch, "0 deal 3", *beside, cover=cover)
    cover.hidden = {"hidden": (0, 720), "fingers": (140, 155)}.get(when, (0, 0))
    before = 25 if beside else -25
    if when in ("7H", "back"):
        scene.eyes.cards[when] = (5, before)
    scene.eyes.cards["queer"] = (0, before)
    scene.run(13)  # among backs one is asked late
    question = scene.observer.table.questions[0]
    words = [str(choice.event.card) if choice.event else "" for choice in question.choices]
    scene.observer.table.answer(question.id, words.index("KS"), scene.at)
    scene.run(0.2)
    assert (scene.eyes.deck is None) == (when != "open")
    cover.hidden = (0, 0)
    scene.eyes.cards.pop(when, None)
    scene.run(4)
    assert scene.eyes.deck.cards == ("KS",)
    scene.eyes.cards["queer"] = (20, -25)
    scene.run(2)
    assert scene.eyes.deck.cards == ("KS",)  # once is enough
    assert list(scene.observer.learned) == ["KS"]


def test_a_card_that_was_laid_on_another_is_seen_as_a_whole(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3", "1 play 7H")
    scene.eyes.cards["7H"] = (5, 25)
    scene.run(1)
    scene.eyes.cards["queer"] = (0, 25)
    scene.run(13)
    question = scene.observer.table.questions[0]
    words = [str(choice.event.card) if choice.event else "" for choice in question.choices]
    scene.observer.table.answer(question.id, words.index("KS"), scene.at)
    scene.run(0.2)
    assert list(scene.observer.learned) == ["KS"]


def test_another_deck_takes_the_place_of_what_was_learned_and_the_table_stays(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.eyes.cards["KS"] = (0, -25)
    scene.run(2)
    (card,) = scene.observer.table.cards
    scene.observer.table.belief.named[card.id] = "KS"
    scene.run(0.2)
    assert list(scene.observer.learned) == ["KS"]
    other = KnownDeck(["QD"], [RED])
    letters = scene.observer.letters
    scene.observer.use_deck(other)
    scene.run(0.2)
    assert scene.observer.letters is not letters  # the other deck may print others
    assert scene.eyes.deck is other
    assert not scene.observer.learned
    scene.observer.recall({"KS": BOOK})
    scene.run(0.2)
    assert scene.eyes.deck.cards == ("QD", "KS")
    assert list(scene.observer.learned) == ["KS"]
    assert [each.id for each in scene.observer.table.cards] == [card.id]


def test_a_card_is_learned_as_it_looked_once_it_had_lain_for_a_moment(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    for seconds, looks in ((0.5, BOOK), (1, RED), (1, BOOK)):
        scene.show("KS", 0, -25, looks)
        scene.run(seconds)
    (card,) = scene.observer.table.cards
    scene.observer.table.belief.named[card.id] = "KS"
    scene.run(0.2)
    _, green, red = scene.observer.learned["KS"].mean(axis=(0, 1))
    assert red > green


def test_a_card_that_is_put_right_after_it_was_taken_away_is_known_too(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.eyes.cards["rather a king"] = (0, -25)
    assert scene.run(2)[1:] == ["1 play KS"]
    scene.eyes.cards.clear()
    scene.run(3)
    scene.log.say([event("undo"), event("1 play JS")], 2)
    scene.run(0.2)
    assert scene.eyes.deck.cards == ("JS",)


def test_the_cards_of_a_hand_that_is_over_are_known_by_their_pictures(monkeypatch):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.eyes.cards["KS"] = (0, -25)
    assert scene.run(2)[1:] == ["1 play KS"]
    scene.eyes.cards.clear()
    scene.run(1)
    assert scene.eyes.deck is None
    scene.log.say([event("0 trut"), event("1 lie_down"), event("1 deal 3")], 2)
    scene.run(0.2)
    assert scene.eyes.deck.cards == ("KS",)


@pytest.mark.parametrize(
    ("dealt", "backs"), [(0, 1), (6, 6)], ids=["before a deal", "after a deal"]
)
def test_what_looks_otherwise_than_the_backs_that_were_dealt_is_no_card(monkeypatch, dealt, backs):
    scene = Scene(monkeypatch)
    scene.run(2)
    for number in range(dealt):
        scene.show(f"back {number}", 10 * (number // 2), (25, -25)[number % 2], RED)
        scene.run(0.3)
    assert scene.run(4) == (["0 deal 3"] if dealt else [])
    scene.show("back of a book", -25, 0, BOOK)
    scene.run(2)
    assert [card.best for card in scene.observer.table.cards] == ["back"] * backs


@pytest.mark.parametrize("dark", [True, False])
def test_what_makes_cards_hard_to_read_is_complained_about(monkeypatch, dark):
    scene = Scene(monkeypatch, "0 deal 3")
    scene.picture = PICTURE // 20 if dark else PICTURE
    scene.run(4)
    problems = {complaint.problem.value for seen in scene.seen for complaint in seen.complaints}
    assert ("dark" in problems) == dark
