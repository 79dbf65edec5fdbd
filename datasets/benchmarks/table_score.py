"""Scores the watching table on simulated films: hands right, false plays, questions, delay.

``python -m datasets.benchmarks.table_score --game trut --seats 2 --grade home --eyes floors --hands
100`` watches matches and compares, hand by hand, what was written with what was played. After a
wrong hand the record is corrected, as people at the table would do, so that the next hand is scored
by itself. With ``--answer`` a simulated person answers every question that has stood for two
seconds. ``datasets.benchmarks.table_sheet`` makes a sheet of many such scores.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterable, Sequence
from types import MappingProxyType

import numpy as np

from datasets.benchmarks.answerer import Answerer
from datasets.benchmarks.breaks import LASTS, UNBROKEN, Breaks
from datasets.benchmarks.intervals import share_between
from datasets.benchmarks.mistakes import Mistakes
from datasets.benchmarks.played import Played
from datasets.benchmarks.tally import Tally, in_both, of_hand, outcome, said, tricks_of
from datasets.benchmarks.taps import CAREFUL, Taps
from datasets.films.director import direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, play_match
from datasets.films.stage import Stage
from datasets.simulation.seen import EYES, Glance, watched
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import can, replay
from scorekeeper.engine.packs import FRENCH, PACK_SUITS
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import GAMES
from vision.belief.proposals import Question
from vision.geometry.table_plane import Plane
from vision.watched_table import Happened, ListLog, WatchingTable

ANSWERED_AFTER = 2.0
"""How long a question stands before a person answers it, in seconds."""

LOOK_AGAIN = 0.5
"""How long after a hand's last answers its record is compared with the truth, in seconds."""

HANDS_PER_FILM = 10
"""How many hands a film has at most; they share a deck, a table and a camera."""


def filmed(
    game: str, seats: int, grade: str, seed: int, hands: int = HANDS_PER_FILM,
    pack: str = FRENCH, resolution: int = 720,
) -> Stage:  # fmt: skip
    """Directs a film of a match that is played at random.

    Args:
        game: name of the game.
        seats: two or four players.
        grade: name of one of ``datasets.films.grades.GRADES``.
        seed: decides everything that is random.
        hands: how many hands at most.
        pack: the suits that are played with, one of ``SUIT_SYSTEMS``.
        resolution: rows of the pictures, in pixels; they are 16:9.
    """
    remarks = MappingProxyType({} if pack == FRENCH else {PACK_SUITS: pack})
    header = Header(game=game, seats=NAMES[:seats], best_of=5, remarks=remarks)
    record = play_match(header, seed, hands)
    size = (resolution * 16 // 9, resolution)
    return direct(record.header, record.events, grade=grade, seed=seed, size=size)


class Run:
    """Watches one film and scores it.

    Args:
        stage: the film.
        tally: counts what comes of it.
        answer: whether a person answers the questions.
        trace: whether each failure is described in full.
        taps: how carefully people tap what they say. If every word is tapped when it is said, all
            events of a hand have to be right. Otherwise a hand is right if its plays and its score
            are. It is then compared when the next hand has begun, because the table may ask as
            late as that how a hand ended (V-14).
        breaks: how often the watching breaks off.

    Attributes:
        stage: the film.
        tally: what was counted.
        answer: whether a person answers the questions.
        trace: whether each failure is described in full.
        played: the film's truth.
        log: the record that the table writes.
        table: the watching table.
        story: what happened in the hand, in words.
        asked: the questions that stand, each with when it was asked, in seconds.
        touched: whether a person had to answer a question of the hand.
        hand: number of the hand in progress, from 0.
        careful: whether every word is tapped once, when it is said.
    """

    def __init__(
        self, stage: Stage, tally: Tally, *, answer: bool, trace: bool = False,
        taps: Taps = CAREFUL, breaks: Breaks = UNBROKEN,
    ) -> None:  # fmt: skip
        self.stage, self.tally, self.answer, self.trace = stage, tally, answer, trace
        self.played = Played(stage)
        self.log = ListLog(stage.header)
        self.table = WatchingTable(self._plane(0.0), self.log)
        self.story: list[str] = []
        self.asked: list[tuple[float, Question]] = []
        self.touched = False
        self._answerer = Answerer(stage, self.played)
        self.known: list[float] = []
        """When each event of the log was written, in seconds; NaN where a person answered it."""
        self.hand, self.careful = 0, taps.careful
        self._tapped = taps.of(stage.events, len(stage.header.seats), stage.seed)
        self._taps = list(self._tapped)
        self._mistakes = Mistakes(taps.misanswered, stage.seed)
        self._breaks, self._blind_until = breaks.of(self.played, stage.seed), -math.inf
        self._closes, self._settled = self._over(), False

    def watch(self, glances: Iterable[Glance]) -> None:
        """Watches the film to its end.

        Args:
            glances: what the eyes see of it, frame by frame.
        """
        stage, shift = self.stage, self.stage.shift(0.0)
        for glance in glances:
            now = glance.at
            self.go_on(now)
            if self._is_blind(now):
                continue
            if stage.shift(now) != shift:
                shift = stage.shift(now)
                self.table.plane = self._plane(now)
            self.take(now, glance.known, self.table.see(now, glance.detections))
        self.finish()

    def _is_blind(self, now: float) -> bool:
        """Whether nobody watches just now; if the watching process died, a new one will."""
        if self._breaks and self._breaks[0].at <= now:
            begins, dies = self._breaks.pop(0)
            self._blind_until = begins + LASTS
            if dies:
                self.table, self.asked = WatchingTable(self._plane(now), self.log), []
            self.story.append(f"{now:.2f} {'the watching process died' if dies else 'no picture'}")
        return now < self._blind_until

    def go_on(self, now: float) -> None:
        """Before each frame: people tap what they have said, and a hand that is over is scored."""
        while self._taps and self._taps[0].at <= now:
            tap = self._taps.pop(0)
            self.table.declare(tap.event.bare(), tap.at)
        due = self._mistakes.due
        if due is not None and min(due, self._closes) <= now:
            self._put_right(now)
        if now < self._closes:
            return
        if self.asked and not self._settled:
            self._attend(now, at_least=0.0)
            self._closes, self._settled = now + LOOK_AGAIN, True
        elif self.hand + 1 < len(self.played.begins):
            self.close_hand()
            self.hand, self._settled = self.hand + 1, False
            self._closes = self._over()

    def take(self, now: float, known: float, happened: Happened) -> None:
        """After each frame: counts what happened, and answers questions.

        Args:
            now: the frame's time, in seconds.
            known: when the table knew what happened in it, in seconds.
            happened: what the table made of it.
        """
        tally = self.tally
        tally.frames += 1
        self._note(known)
        for event in happened.events:
            self.story.append(f"{now:.2f} {event.seat} {event.in_words()} {event.remarks}")
        tally.put_right += sum(proposal.instead for proposal in happened.proposals)
        for change in happened.changes:
            self._answerer.remember(change)
        for question in happened.asked:
            tally.questions[question.kind] += 1
            self.asked.append((now, question))
            self.story.append(f"{now:.2f} ? {question.kind} {question.seat}")
        for question in happened.withdrawn:
            self.asked = [each for each in self.asked if each[1].id != question.id]
            self.story.append(f"{now:.2f} withdrawn {question.kind} {question.seat}")
        for hint in happened.hints:
            tally.hints[hint.kind] += 1
            self.story.append(f"{now:.2f} hint {hint.kind} {hint.seat}")
        self._attend(now, at_least=ANSWERED_AFTER)

    def finish(self) -> None:
        """After the last frame: scores the last hand."""
        self.close_hand()
        self.tally.seconds += self.stage.ends

    def _plane(self, at: float) -> Plane:
        stage = self.stage
        return Plane(stage.homography(at), stage.outline, len(stage.header.seats))

    def _note(self, known: float) -> None:
        """Notes the time for the events of the log that have none yet."""
        self.known += [known] * (len(self.log.events) - len(self.known))

    def _over(self) -> float:
        """When to score the hand, in seconds: before the next deal, or after it (careless taps)."""
        times, events, last = self.played.times, self.played.events, len(self.played.begins) - 1
        if self.hand == last:
            return self.stage.ends - 1.0
        place, after = self.played.span(self.hand + 1)
        if not self.careful:
            plays = (n for n in range(place, after) if events[n].do == "play")
            return times[next(plays, after - 1)] - LOOK_AGAIN
        dealing = 0.41 * (events[place].cards or 0) * len(self.stage.header.seats)
        return max(times[place] - 0.7 - dealing, min(times[place], times[place - 1] + 2))

    @property
    def hand_written(self) -> list[Event]:
        """The events of the hand in progress that are written and not taken back."""
        return [event for event, _ in self._written()]

    def _written(self) -> list[tuple[Event, float]]:
        """The standing events of the hand in progress, each with when it was first written."""
        return self._standing()[self.played.begins[self.hand] :]

    def _standing(self) -> list[tuple[Event, float]]:
        """All standing events of the log, each with when it was first written."""
        stand: list[tuple[Event, float]] = []
        taken_back: dict[tuple[object, ...], float] = {}
        for event, known in zip(self.log.events, self.known, strict=True):
            if event.do == "undo":
                last, when = stand.pop()
                taken_back[said(last)] = when
            else:
                stand.append((event, taken_back.pop(said(event), known)))
        return stand

    def _attend(self, now: float, *, at_least: float) -> None:
        """A person answers the questions that have stood for so many seconds."""
        for asked, question in list(self.asked):
            current = next((q for q in self.table.questions if q.id == question.id), None)
            if current is None or now - asked < at_least:
                continue
            self.touched = True
            if not self.answer:
                continue
            self.asked.remove((asked, question))
            self.tally.answered += 1
            stands = [event for event, _ in self._standing()]
            choice = self._answerer.choice(current, self.hand, stands, now)
            choice = self._mistakes.choice(current, choice, now)
            if choice is None:
                continue
            try:
                events = self.table.answer(current.id, choice, now)
                if not events and current.kind == "card":  # no choice was right
                    wanted = self._answerer.next_events(self.hand, stands, now)
                    cards = [each.bare() for each in wanted if each.do == "play"]
                    if cards and can(self.log.match, cards[0]):
                        self.log.say(cards, len(self.log.events))
            except (LookupError, ScorekeeperError) as error:
                self.story.append(f"{now:.2f} answer refused {error}")
            self._note(math.nan)
            self.story.append(f"{now:.2f} answered {current.choices[choice].word}")

    def _put_right(self, now: float) -> None:
        """A person corrects the record after a wrong answer."""
        try:
            put_right = self._mistakes.put_right(self.log, self.played, now)
        except ScorekeeperError as error:
            self.story.append(f"{now:.2f} correction refused {error}")
        else:
            self.tally.corrected += put_right
            self.story.append(f"{now:.2f} corrected {put_right}")
        self._note(math.nan)

    def close_hand(self) -> None:
        """Compares the hand in progress with the truth, counts, and corrects the record."""
        (begin, end), played = self.played.span(self.hand), self.played
        tally, truth, later = self.tally, played.of(self.hand), list[Event]()
        stand = self._written()
        written = [event for event, _ in stand]
        told, wanted = [said(event) for event in written], [said(event) for event in truth]
        to_come = [
            said(event) for event in played.events[end : end + 2]
        ]  # a deal may be seen early
        early = told[len(truth) :]
        right = told[: len(truth)] == wanted and early == to_come[: len(early)]
        if not self.careful:
            before = self.played.before[self.hand]
            own = of_hand(before, written)
            right, later = outcome(before, own) == outcome(before, truth), written[len(own) :]
        tally.hands += 1
        tally.right += right
        tally.untouched += right and not self.touched
        tally.lost_beside += not right and self._was_tapped_well(truth)
        self._count_cards(written, truth)
        if right:
            tally.delays += [
                known - at
                for (event, known), at in zip(stand, played.times[begin:end], strict=False)
                if event.do == "play" and not math.isnan(known)
            ]
            if self.touched and self.trace:
                self.tally.failures.append("touched\n" + "\n".join(self.story))
        else:
            self._blame(written, truth)
        if not right or self.asked or (not self.careful and told != wanted):
            self.log.events = [*played.events[:end], *later]
            self.log.match = replay(self.stage.header, self.log.events)
            self.known = [math.nan] * len(self.log.events)
        self.touched = False
        self.asked = []
        self.story = []

    def _was_tapped_well(self, events: Sequence[Event]) -> bool:
        """Whether every word among some events was tapped once, when it was said."""
        taps = [tap for tap in self._tapped if any(tap.word is event for event in events)]
        words = sum(event.do not in ("play", "deal") for event in events)
        return len(taps) == words and all(tap.careful for tap in taps)

    def _count_cards(self, written: list[Event], truth: Sequence[Event]) -> None:
        tally, before = self.tally, self.played.before[self.hand]
        laid = [said(event) for event in truth if event.do == "play"]
        told = [said(event) for event in written if event.do == "play"]
        both = in_both(laid, told)
        tally.cards += len(laid)
        tally.cards_right += both
        tally.false_plays += len(told) - both
        tricks, seen = tricks_of(before, truth), tricks_of(before, written)
        tally.tricks += len(tricks)
        tally.tricks_right += sum(a == b for a, b in zip(tricks, seen, strict=False))

    def _blame(self, written: list[Event], truth: Sequence[Event]) -> None:
        wrong = next(
            (p for p, (a, b) in enumerate(zip(written, truth, strict=False)) if said(a) != said(b)),
            min(len(written), len(truth)),
        )
        got = written[wrong] if wrong < len(written) else None
        due = truth[wrong] if wrong < len(truth) else None
        false = got is not None and got.do == "play" and said(got) not in map(said, truth)
        self.tally.spoiled += false
        header = self.stage.header
        begins = self.played.times[self.played.begins[self.hand]]
        text = (
            f"{header.game} seats {len(header.seats)} seed {self.stage.seed} hand {self.hand} from "
            f"{begins:.1f}: got {got and got.in_words()} by {got and got.seat}, "
            f"due {due and due.in_words()} by {due and due.seat}"
        )
        if self.trace:
            truth_told = [f"    {e.remarks['_at']:.2f} {e.seat} {e.in_words()}" for e in truth]
            text += "\n  truth\n" + "\n".join(truth_told) + "\n  seen\n"
            text += "\n".join("    " + line for line in self.story)
        self.tally.failures.append(text)


def main(arguments: list[str] | None = None) -> int:
    """Watch simulated films, and say how much of them was written right."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.table_score", description=main.__doc__
    )
    parser.add_argument("--game", choices=list(GAMES), default="trut")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--grade", choices=list(GRADES), default="home")
    parser.add_argument("--pack", choices=list(SUIT_SYSTEMS), default=FRENCH)
    parser.add_argument("--eyes", choices=list(EYES), default="floors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=60)
    parser.add_argument("--answer", action="store_true", help="a person answers the questions")
    parser.add_argument("--trace", action="store_true", help="tell each failure in full")
    options = parser.parse_args(arguments)
    tally, seed = Tally(), options.seed
    took = 0.0
    while tally.hands < options.hands:
        hands = min(options.hands - tally.hands, 20)
        stage = filmed(options.game, options.seats, options.grade, seed, hands, pack=options.pack)
        started = time.perf_counter()
        glances = watched(stage, EYES[options.eyes])
        Run(stage, tally, answer=options.answer, trace=options.trace).watch(glances)
        took += time.perf_counter() - started
        seed += 1
    for failure in tally.failures:
        print(failure)
    low, high = share_between(tally.untouched, tally.hands)
    delays = np.array(tally.delays or [np.nan])
    print(
        f"{options.game} {options.pack} {options.seats} {options.grade} {options.eyes}: "
        f"{tally.hands} hands; "
        f"right {tally.right / tally.hands:.1%}, with no touch {tally.untouched / tally.hands:.1%} "
        f"({low:.1%}-{high:.1%}); cards right {tally.cards_right / max(tally.cards, 1):.2%}, "
        f"tricks {tally.tricks_right / max(tally.tricks, 1):.2%}; of 100 hands false plays "
        f"{100 * tally.false_plays / tally.hands:.2f}, in the first place "
        f"{100 * tally.spoiled / tally.hands:.2f}; questions a hand "
        f"{sum(tally.questions.values()) / tally.hands:.3f} {dict(tally.questions)}; hints "
        f"{dict(tally.hints)}; delay median {np.median(delays):.2f} s, p95 "
        f"{np.quantile(delays, 0.95):.2f} s; {tally.frames / took:.0f} frames a second"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
