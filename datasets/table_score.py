"""How good the watching table is on sightings films: hands right, false plays, questions, delay.

``python -m datasets.table_score --game trut --seats 2 --grade home --eyes floors --hands 100``
watches matches, and compares what was written with what was played, hand by hand. After a hand that
was written wrong the record is put right, as people at the table would, and the next one counts
again by itself. With ``--answer`` a person answers every question two seconds after it was asked.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from datasets.director import direct
from datasets.grades import GRADES
from datasets.matches import NAMES, play_match
from datasets.seen import EYES, watched
from datasets.stage import Stage
from scorekeeper.errors import ScorekeeperError
from scorekeeper.events import Event
from scorekeeper.header import Header
from scorekeeper.match import apply, can, fold, start
from scorekeeper.rules import GAMES
from vision.plane import Plane
from vision.proposals import Question
from vision.watching import ListLog, WatchingTable

ANSWERED_AFTER = 2.0
"""A person answers a question after so many seconds."""


@dataclass
class Tally:
    """What was counted."""

    hands: int = 0
    right: int = 0
    untouched: int = 0
    false_plays: int = 0
    missed_plays: int = 0
    plays: int = 0
    frames: int = 0
    seconds: float = 0.0
    questions: Counter[str] = field(default_factory=Counter)
    hints: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def said(event: Event) -> tuple[object, ...]:
    """What an event says; of a card its rank, for suits decide nothing (V-12)."""
    rank = None if event.card is None else event.card.rank
    return (event.do, event.seat, rank, event.to, event.cards)


def hands_of(stage: Stage) -> list[tuple[int, int]]:
    """Where each hand begins and ends among the events of a stage."""
    match, begins = start(stage.header), []
    for place, event in enumerate(stage.events):
        before, match = match.hand_number, apply(match, event)
        if match.hand_number > before:
            begins.append(place)
    return list(zip(begins, [*begins[1:], len(stage.events)], strict=True))


class Run:
    """One film, watched.

    Args:
        stage: the film.
        tally: what to count in.
        eyes: name of the eyes.
        answer: whether questions are answered.
        trace: whether failures are told in full.
    """

    def __init__(self, stage: Stage, tally: Tally, eyes: str, *, answer: bool, trace: bool) -> None:
        self.stage, self.tally, self.answer, self.trace = stage, tally, answer, trace
        self.truth = stage.events
        self.times = [float(event.remarks["_at"]) for event in self.truth]
        self.hands = hands_of(stage)
        self.eyes = eyes
        self.log = ListLog(stage.header)
        plane = Plane(stage.homography(), stage.outline, len(stage.header.seats))
        self.table = WatchingTable(plane, self.log)
        self.story: list[str] = []
        self.asked: list[tuple[float, Question]] = []
        self.touched = False
        self.base = 0
        self.appended: list[float] = []

    def watch(self) -> None:
        """Watches the film to its end."""
        tally, stage = self.tally, self.stage
        calls = [event for event in self.truth if event.do not in ("play", "deal")]
        hand = 0
        for glance in watched(stage, EYES[self.eyes]):
            now = glance.at
            while calls and float(calls[0].remarks["_at"]) <= now:
                event = calls.pop(0)
                self.table.declare(event.bare(), float(event.remarks["_at"]))
            if hand + 1 < len(self.hands) and now >= self._over(hand):
                self._close(hand)
                hand += 1
            shift = stage.homography(now)
            self.table.plane = Plane(shift, stage.outline, len(stage.header.seats))
            happened = self.table.see(now, glance.sightings)
            tally.frames += 1
            for event in happened.events:
                self.story.append(f"{now:.2f} {event.seat} {event.in_words()} {event.remarks}")
                self.appended.append(glance.known)
            for question in happened.asked:
                self.touched = True
                tally.questions[question.kind] += 1
                self.asked.append((now, question))
                self.story.append(f"{now:.2f} ? {question.kind} {question.why}")
            for question in happened.withdrawn:
                self.asked = [each for each in self.asked if each[1].id != question.id]
                self.story.append(f"{now:.2f} withdrawn {question.why}")
            for hint in happened.hints:
                tally.hints[hint.kind] += 1
                self.story.append(f"{now:.2f} hint {hint.kind} {hint.text}")
            if self.answer:
                self._answer(now, hand)
        self._close(hand)
        tally.seconds += stage.ends

    def _over(self, hand: int) -> float:
        """When a hand is compared: before the cards of the next one are dealt."""
        place = self.hands[hand + 1][0]
        event = self.truth[place]
        dealing = 0.41 * (event.cards or 0) * len(self.stage.header.seats)
        return max(
            self.times[place] - 0.7 - dealing, min(self.times[place], self.times[place - 1] + 2)
        )

    def _written(self) -> list[Event]:
        """What stands of the hand in progress."""
        stand: list[Event] = []
        for event in self.log.events:
            if event.do == "undo":
                stand.pop()
            else:
                stand.append(event)
        return stand[self.base :]

    def _answer(self, now: float, hand: int) -> None:
        """A person answers what was asked a while ago."""
        for asked, question in list(self.asked):
            current = next((q for q in self.table.questions if q.id == question.id), None)
            if current is None or now - asked < ANSWERED_AFTER:
                continue
            self.asked.remove((asked, question))
            wanted = self._next_event(hand, now)
            choice = self._choice(current, wanted, now, hand)
            if choice is None:
                continue
            try:
                events = self.table.answer(current.id, choice, now)
                by_hand = not events and current.kind == "card" and wanted is not None
                if by_hand and wanted.do == "play" and can(self.log.match, wanted.bare()):
                    self.log.say([wanted.bare()], len(self.log.events))  # it was none of them
            except (LookupError, ScorekeeperError) as error:
                self.story.append(f"{now:.2f} answer refused {error}")
            self.story.append(f"{now:.2f} answered {current.choices[choice].word}")

    def _next_event(self, hand: int, now: float) -> Event | None:
        """What happened next after what is written, if it has happened."""
        begin, end = self.hands[hand]
        place = begin + len(self._written())
        return self.truth[place] if place < end and self.times[place] <= now else None

    def _choice(
        self, question: Question, wanted: Event | None, now: float, hand: int
    ) -> int | None:
        for place, choice in enumerate(question.choices):
            event = choice.event
            if event is not None and wanted is not None and said(event) == said(wanted):
                return place
        words = [choice.word for choice in question.choices]
        meant = self._is_to_come(question, now, hand)
        for word in ("hold", "drop", "no") if meant else ("drop", "no"):
            if word in words:
                return words.index(word)
        return None

    def _is_to_come(self, question: Question, now: float, hand: int) -> bool:
        """Whether the card that is asked about is a play of the hand that is not written yet."""
        card = next((each for each in self.table.cards if each.id == question.card), None)
        lying = [
            (math.dist((seen.pose.x, seen.pose.y), card.place), seen.lying.event)
            for seen in self.stage.at(now)
            if card is not None
        ]
        apart, event = min(lying, key=lambda each: each[0], default=(math.inf, None))
        begin, end = self.hands[hand]
        return apart < 4 and event is not None and begin + len(self._written()) <= event < end

    def _close(self, hand: int) -> None:
        """The next hand is about to begin: what is written is compared, and put right."""
        begin, end = self.hands[hand]
        tally, truth = self.tally, self.truth[begin:end]
        written = self._written()
        tally.hands += 1
        tally.plays += sum(event.do == "play" for event in truth)
        told = [said(event) for event in written]
        to_come = [said(event) for event in self.truth[end : end + 2]]  # a deal may be seen early
        early = told[len(truth) :]
        right = told[: len(truth)] == [said(event) for event in truth]
        right = right and early == to_come[: len(early)]
        tally.right += right
        tally.untouched += right and not self.touched
        if right:
            if len(self.appended) == len(truth):
                for event, at, known in zip(
                    truth, self.times[begin:end], self.appended, strict=True
                ):
                    if event.do == "play":
                        tally.delays.append(known - at)
            if self.touched and self.trace:
                self.tally.failures.append("touched\n" + "\n".join(self.story))
        else:
            self._blame(hand, written, truth)
        self.appended = self.appended[len(truth) :] if right else []
        if not right or self.asked:
            self.appended = []
            self.log.events = list(self.truth[:end])
            self.log.match = fold(self.stage.header, self.log.events)
        self.base = end
        self.touched = False
        self.asked = []
        self.story = []

    def _blame(self, hand: int, written: list[Event], truth: tuple[Event, ...]) -> None:
        wrong = next(
            (p for p, (a, b) in enumerate(zip(written, truth, strict=False)) if said(a) != said(b)),
            min(len(written), len(truth)),
        )
        got = written[wrong] if wrong < len(written) else None
        due = truth[wrong] if wrong < len(truth) else None
        if got is not None and got.do == "play":
            self.tally.false_plays += 1
        elif due is not None and due.do == "play":
            self.tally.missed_plays += 1
        header = self.stage.header
        begin = self.hands[hand][0]
        text = (
            f"{header.game} seats {len(header.seats)} seed {self.stage.seed} hand {hand} from "
            f"{self.times[begin]:.1f}: got {got and got.in_words()} by {got and got.seat}, "
            f"due {due and due.in_words()} by {due and due.seat}"
        )
        if self.trace:
            truth_told = [f"    {e.remarks['_at']:.2f} {e.seat} {e.in_words()}" for e in truth]
            text += "\n  truth\n" + "\n".join(truth_told) + "\n  seen\n"
            text += "\n".join("    " + line for line in self.story)
        self.tally.failures.append(text)


def interval(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson."""
    if not count:
        return 0.0, 1.0
    z, p = 1.96, right / count
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z * np.sqrt(p * (1 - p) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return float(middle - half), float(min(middle + half, 1.0))


def main(arguments: list[str] | None = None) -> int:
    """Watch sightings films, and say how much of them was written right."""
    parser = argparse.ArgumentParser(prog="datasets.table_score", description=main.__doc__)
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    parser.add_argument("--eyes", choices=list(EYES), default="floors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=60)
    parser.add_argument("--answer", action="store_true", help="a person answers the questions")
    parser.add_argument("--trace", action="store_true", help="tell each failure in full")
    options = parser.parse_args(arguments)
    tally, seed = Tally(), options.seed
    took = 0.0
    while tally.hands < options.hands:
        header = Header(game=options.game, seats=NAMES[: options.seats], best_of=5)
        record = play_match(header, seed, min(options.hands - tally.hands, 20))
        stage = direct(record.header, record.events, grade=options.grade, seed=seed)
        started = time.perf_counter()
        Run(stage, tally, options.eyes, answer=options.answer, trace=options.trace).watch()
        took += time.perf_counter() - started
        seed += 1
    for failure in tally.failures:
        print(failure)
    low, high = interval(tally.untouched, tally.hands)
    delays = np.array(tally.delays or [np.nan])
    print(
        f"{options.game} {options.seats} {options.grade} {options.eyes}: {tally.hands} hands; "
        f"right {tally.right / tally.hands:.1%}, with no touch {tally.untouched / tally.hands:.1%} "
        f"({low:.1%}-{high:.1%}); false plays {100 * tally.false_plays / tally.hands:.2f} and "
        f"missed {100 * tally.missed_plays / tally.hands:.2f} per 100 hands; questions a hand "
        f"{sum(tally.questions.values()) / tally.hands:.3f} {dict(tally.questions)}; hints "
        f"{dict(tally.hints)}; delay median {np.median(delays):.2f} s, p95 "
        f"{np.quantile(delays, 0.95):.2f} s; {tally.frames / took:.0f} frames a second"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
