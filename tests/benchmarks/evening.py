"""Plays whole filmed evenings with the real web application.

``python -m tests.benchmarks.evening --game trut`` plays three matches. Phones set them up, cut for
the deal and begin them, as people do. Each match is a film that replaces the camera; its time is
not that of the clock. What people say, and how they answer the camera's questions, is sent with the
requests of the pages. Before each deal the score of every side is compared with what was played,
and a hand that was written wrong is put right on the host's phone.

With ``--eyes models`` the films are painted, and the models that ship read them. This takes some
minutes a hand, so only the first hands of one match are played. Finished matches are kept, and are
not played again while the code is the same.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from datasets.benchmarks.table_pixels import CAMERA_RATE, Studio, prepared
from datasets.benchmarks.table_score import Run
from datasets.benchmarks.table_sheet import Journal, code_of
from datasets.benchmarks.tally import Tally
from datasets.films.director import direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, pack_of, play_match
from datasets.films.stage import Stage
from datasets.simulation.seen import EYES, Eyes, Glance, watched
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import can, latest_events, replay, start
from scorekeeper.games.rules import GAMES
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import News
from tests.film_supervisor import FilmSupervisor
from tests.webui.playing import Evening
from vision.capture.sources import Frame
from vision.geometry.table_plane import Plane
from vision.watched_table import Happened, WatchingTable
from webui.app import create_app
from webui.camera import camera as webcam
from webui.table.memory import Memory
from webui.table.room import Room

MATCHES = 3
"""How many matches an evening has."""

ENDLESS = 10_000
"""A number of hands that no match has."""

PAINTED_HANDS = 5
"""How many hands of a painted film are watched."""

HOW = ("seats", "grade", "eyes", "seed", "matches", "hands")
"""The options that decide what is played."""

MODELS = "models"
"""The name of the eyes that read painted pictures; all others simulate detections."""

Looked = tuple[float, WatchingTable | None, Happened]
"""When the look at a frame is over, the watching table, and what came of the frame."""

Film = Iterator[tuple[float, Callable[[], Looked]]]
"""The time of each frame, and a function that looks at it. What people say before that time is
entered before the function is called."""


class PhonesLog:
    """The match as a ``Run`` reads and writes it. All that is written goes through the phones.

    Args:
        evening: The phones.
        room: The table.
    """

    def __init__(self, evening: Evening, room: Room) -> None:
        self.refused: list[str] = []
        self._phones, self._host, self._table = evening.phones, evening.host, room.table
        self._events: list[Event] = []
        self.leave = self._table.subscribe(self._hear)

    def _hear(self, news: News) -> None:
        self._events += news.events

    @property
    def match(self) -> Any:
        """The match as it is now."""
        return self._table.moment.match

    @match.setter
    def match(self, match: Any) -> None:
        """Does nothing: the match follows from its events."""

    @property
    def events(self) -> list[Event]:
        """The events that were written, with corrections, since the record was last put right."""
        return self._events

    @events.setter
    def events(self, wanted: Sequence[Event]) -> None:
        """Puts the record right: undoes what is wrong, and enters what was played."""
        stand = [event.bare() for event in latest_events(self.match)]
        right = [event.bare() for event in wanted]
        same = 0
        while stand[same : same + 1] == right[same : same + 1] != []:
            same += 1
        for _ in stand[same:]:
            assert self.tap(self._host, Event("undo"))
        for event in right[same:]:
            assert self.tap(self._host, event), event
        self._events = list(wanted)

    def say(self, events: Sequence[Event], seen: int) -> None:
        """Enters events that were no answer to a question."""
        for event in events:
            self.tap(self._of(event), event)

    def word(self, event: Event) -> bool:
        """Enters what a player says, if the phone offers it; returns whether it did."""
        return can(self.match, event) and self.tap(self._of(event), event)

    def standing(self) -> int:
        """How many events are not taken back."""
        return len(latest_events(self.match))

    def _of(self, event: Event) -> Any:
        return self._host if event.seat is None else self._phones[event.seat]

    def tap(self, phone: Any, event: Event) -> bool:
        """Sends an event from a phone; returns False if it is refused."""
        body = {"match": self._table.match_id, "seen": self._table.moment.seq}
        answer = phone.post("/api/v1/events", {**body, "event": event.bare().to_json()})
        if answer.status_code != 200:
            self.refused.append(f"{event.in_words()}: {answer.text}")
        return bool(answer.status_code == 200)


class PhonedTable:
    """The watching table as a ``Run`` sees it. People use only their phones.

    Args:
        man: The supervisor of the table.
        evening: The phones.
        log: The match.
        truth: What is said and played, in order.
    """

    def __init__(
        self, man: FilmSupervisor, evening: Evening, log: PhonesLog, truth: Sequence[Event]
    ) -> None:
        self._man, self._phones, self._host, self._log = man, evening.phones, evening.host, log
        self._calls = [
            (place, event) for place, event in enumerate(truth) if event.do not in ("play", "deal")
        ]
        self._spoken: list[tuple[int, Event]] = []

    @property
    def questions(self) -> Sequence[Any]:
        """The open questions."""
        return self._man.report.questions

    @property
    def cards(self) -> Sequence[Any]:
        """The cards on the table."""
        return () if self._man.watching is None else self._man.watching.cards

    def declare(self, event: Event, at: float) -> None:
        """Takes in what a player says; ``speak`` taps it once all before it is written."""
        self._spoken.append(self._calls.pop(0))

    def speak(self, begin: int) -> None:
        """Taps what was said, if a phone offers it now; drops what belongs to earlier hands."""
        self._spoken = [each for each in self._spoken if each[0] >= begin]
        while self._spoken:
            place, event = self._spoken[0]
            if self._log.standing() < place or not self._log.word(event):
                return
            del self._spoken[0]

    def answer(self, question: int, choice: int, at: float) -> tuple[Event, ...]:
        """Answers a question on the phone of the seat that is asked; returns what was written."""
        asked = next(each for each in self.questions if each.id == question)
        key = asked.choices[choice].key
        phone = self._host if asked.seat is None else self._phones[asked.seat]
        shown = [each for each in phone.state()["camera"]["questions"]
                 if each["name"].endswith(f".{question}")]  # fmt: skip
        if not shown or key not in [each["key"] for each in shown[0]["answers"]]:
            raise LookupError(f"the phone does not show it: {asked.kind}")
        before = len(self._log.events)
        name = shown[0]["name"]
        answer = phone.post("/api/v1/answers", {"question": name, "answer": key})
        if answer.status_code != 200:
            raise LookupError(answer.text)
        return tuple(self._log.events[before:])


class FilmedMatch(Run):
    """A filmed match.

    Args:
        stage: The film.
        tally: Counts what goes right and wrong.
        man: The supervisor of the table.
        evening: The phones.
        room: The table.

    Attributes:
        wrong_scores: The hands after which a score was wrong, in words.
    """

    def __init__(
        self, stage: Stage, tally: Tally, man: FilmSupervisor, evening: Evening, room: Room
    ) -> None:
        super().__init__(stage, tally, answer=True, trace=True)
        self.log = PhonesLog(evening, room)
        self.table = PhonedTable(man, evening, self.log, self.played.events)
        self.wrong_scores: list[str] = []
        self._man = man

    def play(self, film: Film) -> None:
        """Plays the match to its end."""
        for at, look in film:
            self.go_on(at)
            self.table.speak(self.played.begins[self.hand])
            known, watching, happened = look()
            self._man.took(at, watching, happened)
            self.take(at, known, happened)
        self.finish()
        self.log.leave()

    def close_hand(self) -> None:
        """Compares the scores, and then every card of the hand, before the next hand begins."""
        now, played = (
            self.log.match,
            replay(self.stage.header, self.played.events[: self.played.span(self.hand)[1]]),
        )
        told, wanted = ((m.scores, m.games_won, m.winner) for m in (now, played))
        if told != wanted:
            self.wrong_scores.append(f"hand {self.hand}: {told} and not {wanted}")
        super().close_hand()
        done = f"hand {self.hand + 1} of {len(self.played.begins)}, {len(self.wrong_scores)} wrong"
        print(f"\r{done}", end="", file=sys.stderr, flush=True)


def detections(man: FilmSupervisor, stage: Stage, eyes: Eyes) -> Film:
    """A film whose frames are simulated detections."""

    def plane(at: float) -> Plane:
        return Plane(stage.homography(at), stage.outline, len(stage.header.seats))

    table = WatchingTable(plane(0.0), man.log())
    for glance in watched(stage, eyes):

        def look(glance: Glance = glance) -> Looked:
            table.plane = plane(glance.at)
            return glance.known, table, table.see(glance.at, glance.detections)

        yield glance.at, look


def painted(man: FilmSupervisor, stage: Stage, studio: Studio) -> Film:
    """A painted film. While the models read one frame, others are missed."""
    painter, observer = prepared(stage, studio, man.log())
    number, free = 0, 0.0

    def look() -> Looked:
        nonlocal free
        picture = painter.frame(at)
        began = time.process_time()
        happened = observer.see(Frame(picture, at, number)).happened
        free = max(free, at) + (1 / studio.rate if studio.rate else time.process_time() - began)
        return free, observer.table, happened

    while (at := number / CAMERA_RATE) < stage.ends:
        yield at, look
        number = max(number + 1, math.floor(free * CAMERA_RATE + 1e-6))


def play_evening(game: str, options: argparse.Namespace, room: Room) -> dict[str, Any]:
    """Plays an evening; returns its figures, and what went wrong in words."""
    seats = options.seats
    spanish = pack_of(start(Header(game=game, seats=NAMES[:seats])))[0].spanish
    chance = Random(f"evening {options.seed}")
    suits = {f"{game}.suits": "spanish" if spanish else "french"}
    evening = Evening(create_app(room), room, game, seats, chance, watched="camera", **suits)
    evening.cut()
    tally, wrong, refused = Tally(), list[str](), list[str]()
    for number in range(options.matches):
        if number:
            assert evening.phones[0].send("/host/again").status_code == 200
        header = room.table.moment.match.header
        seed = options.seed * MATCHES + number
        record = play_match(header, seed, options.hands)
        stage = direct(header, record.events, grade=options.grade, seed=seed)
        man = FilmSupervisor.latest
        match = FilmedMatch(stage, tally, man, evening, room)
        if options.eyes == MODELS:
            match.play(painted(man, stage, studio_of(options)))
        else:
            match.play(detections(man, stage, EYES[options.eyes]))
        wrong += [f"match {number + 1}, {each}" for each in match.wrong_scores]
        refused += match.log.refused
        print(
            f"\rmatch {number + 1} of {game}: {stage.ends / 60:.0f} minutes of film",
            file=sys.stderr,
        )
    return {
        "told": f"of {tally.hands} hands {tally.hands - len(wrong)} scores right; every card "
        f"{tally.right}, with no touch {tally.untouched}; {tally.false_plays} false plays; "
        f"{tally.answered} questions answered",
        "wrong": wrong,
        "failures": [*tally.failures, *refused],
    }


def studio_of(options: argparse.Namespace) -> Studio:
    """What films are painted with, and the models that read them."""
    return Studio(options.models, options.cache, options.rate, options.shown)


def main() -> int:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=list(GAMES), help="only this one")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    parser.add_argument("--eyes", choices=[*EYES, MODELS], default="floors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, help="of a game")
    parser.add_argument("--hands", type=int, help="of a match, where it is not played to its end")
    parser.add_argument("--rate", type=float, help="frames that the models read a second")
    parser.add_argument("--models", type=Path, default=Path("vision/weights"))
    parser.add_argument("--cache", type=Path, default=Path("data/decks"), help="of the decks")
    parser.add_argument("--shown", action="store_true", help="the deck is shown before each match")
    parser.add_argument("--trace", action="store_true", help="tell each wrong hand in full")
    parser.add_argument("--out", type=Path, default=Path("build/evaluation"), help="what is kept")
    options = parser.parse_args()
    paints = options.eyes == MODELS
    options.matches = options.matches or (1 if paints else MATCHES)
    options.hands = options.hands or (PAINTED_HANDS if paints else ENDLESS)
    kept, wrong = Journal(options.out / "evening.jsonl"), False
    how = {name: getattr(options, name) for name in HOW} | {"code": code_of(Path(__file__))}
    how |= studio_of(options).settings() if paints else {}
    games = [game for game in GAMES if options.seats in GAMES[game].rules.players]
    for game in [options.game] if options.game else games:
        key = how | {"game": game}
        result = kept.get(key)
        if result is None:
            result = served(game, options)
            kept.add(key, result)
        for line in [*result["wrong"], *(result["failures"] if options.trace else ())]:
            print(line)
        print(f"{game}, {options.seats} players, {options.grade}, eyes {options.eyes}: "
              f"{result['told']}", flush=True)  # fmt: skip
        wrong |= bool(result["wrong"])
    return 1 if wrong else 0


def served(game: str, options: argparse.Namespace) -> dict[str, Any]:
    """Plays an evening at a new table; see ``play_evening``."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trucam-")))
        stack.enter_context(patch.object(webcam, "Supervisor", FilmSupervisor))
        stack.enter_context(patch.object(webcam, "later"))  # it counts seconds of the clock
        ledger = stack.enter_context(Ledger(str(folder / "ledger.sqlite3")))
        memory = stack.enter_context(Memory("evening", folder))
        camera = stack.enter_context(closing(webcam.Camera("a film")))
        return play_evening(game, options, Room(ledger, memory, camera))


if __name__ == "__main__":
    sys.exit(main())
