"""How good the watching table is on simulated films: hands right, false plays, questions, delay.

``python -m datasets.benchmarks.table_score --game trut --seats 2 --grade home --eyes floors --hands
100`` watches matches, and compares what was written with what was played, hand by hand. After a
hand that was written wrong the record is put right, as people at the table would, and the next one
counts again by itself. With ``--answer`` a person answers every question that has stood for two
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

from datasets.benchmarks.intervals import share_between
from datasets.benchmarks.tally import Tally, answers, in_both, of_hand, outcome, said, tricks_of
from datasets.benchmarks.taps import CAREFUL, Taps
from datasets.films.director import direct
from datasets.films.grades import GRADES
from datasets.films.matches import NAMES, play_match
from datasets.films.stage import AT, Stage
from datasets.simulation.seen import EYES, Glance, watched
from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, can, fold, start
from scorekeeper.engine.packs import FRENCH, PACK_SUITS
from scorekeeper.engine.state import Match
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import SUIT_SYSTEMS
from scorekeeper.games.rules import GAMES
from vision.belief.proposals import Question
from vision.geometry.table_plane import Plane
from vision.tracking.trajectories import Place
from vision.watched_table import Happened, ListLog, WatchingTable

ANSWERED_AFTER = 2.0
"""A person answers a question that has stood for so many seconds."""

LOOK_AGAIN = 0.5
"""So many seconds after the last answer of a hand the record is compared."""

HANDS_PER_FILM = 10
"""How long a film is; its hands share a deck, a table and a camera."""


def filmed(
    game: str, seats: int, grade: str, seed: int, hands: int = HANDS_PER_FILM,
    pack: str = FRENCH,
) -> Stage:  # fmt: skip
    """The stage of a match that is played at random.

    Args:
        game: its name.
        seats: two or four.
        grade: name of one of ``datasets.films.grades.GRADES``.
        seed: decides everything.
        hands: how many at most.
        pack: that it is played with, one of ``SUIT_SYSTEMS``.
    """
    remarks = MappingProxyType({} if pack == FRENCH else {PACK_SUITS: pack})
    header = Header(game=game, seats=NAMES[:seats], best_of=5, remarks=remarks)
    record = play_match(header, seed, hands)
    return direct(record.header, record.events, grade=grade, seed=seed)


class Run:
    """One film, watched.

    Args:
        stage: the film.
        tally: what to count in.
        answer: whether questions are answered.
        trace: whether failures are told in full.
        taps: how people tap what they say. Where they are careless a hand is right where its plays
            and its score are, and it is compared when the next one has begun: how a hand ended may
            be asked as late as that (V-14).
    """

    def __init__(
        self, stage: Stage, tally: Tally, *, answer: bool, trace: bool = False,
        taps: Taps = CAREFUL,
    ) -> None:  # fmt: skip
        self.stage, self.tally, self.answer, self.trace = stage, tally, answer, trace
        self.truth = stage.events
        self.times = [float(event.remarks[AT]) for event in self.truth]
        self.log = ListLog(stage.header)
        self.table = WatchingTable(self._plane(0.0), self.log)
        self.story: list[str] = []
        self.asked: list[tuple[float, Question]] = []
        self.touched = False
        self._came: dict[int | None, tuple[float, Place]] = {}
        """When each card came to rest, and where: people remember it."""
        self.known: list[float] = []
        """When each event of the log was written; NaN where a person said so."""
        self.begins: list[int] = []
        """Place of each hand's first event."""
        self.before: list[Match] = []
        """The match before each hand."""
        match = start(stage.header)
        for place, event in enumerate(self.truth):
            earlier, match = match, apply(match, event)
            if match.hand_number > earlier.hand_number:
                self.begins.append(place)
                self.before.append(earlier)
        self.hand, self.careful = 0, taps.careful
        self._tapped = taps.of(self.truth, len(stage.header.seats), stage.seed)
        self._taps = list(self._tapped)
        self._closes, self._settled = self._over(), False

    def watch(self, glances: Iterable[Glance]) -> None:
        """Watches the film to its end.

        Args:
            glances: what eyes see of it.
        """
        stage, shift = self.stage, self.stage.shift(0.0)
        for glance in glances:
            now = glance.at
            self.go_on(now)
            if stage.shift(now) != shift:
                shift = stage.shift(now)
                self.table.plane = self._plane(now)
            self.take(now, glance.known, self.table.see(now, glance.detections))
        self.finish()

    def go_on(self, now: float) -> None:
        """Before each frame: people say what they say, and hands that are over are compared."""
        while self._taps and self._taps[0].at <= now:
            tap = self._taps.pop(0)
            self.table.declare(tap.event.bare(), tap.at)
        if now < self._closes:
            return
        if self.asked and not self._settled:
            self._attend(now, at_least=0.0)
            self._closes, self._settled = now + LOOK_AGAIN, True
        elif self.hand + 1 < len(self.begins):
            self.close_hand()
            self.hand, self._settled = self.hand + 1, False
            self._closes = self._over()

    def take(self, now: float, known: float, happened: Happened) -> None:
        """After each frame.

        Args:
            now: the frame's time.
            known: when it is known what happened in it.
            happened: that.
        """
        tally = self.tally
        tally.frames += 1
        self._note(known)
        for event in happened.events:
            self.story.append(f"{now:.2f} {event.seat} {event.in_words()} {event.remarks}")
        tally.put_right += sum(proposal.instead for proposal in happened.proposals)
        for change in happened.changes:
            if change.kind == "appeared":
                self._came[change.card.id] = change.at, change.card.place
        for question in happened.asked:
            tally.questions[question.kind] += 1
            self.asked.append((now, question))
            self.story.append(f"{now:.2f} ? {question.kind} {question.why}")
        for question in happened.withdrawn:
            self.asked = [each for each in self.asked if each[1].id != question.id]
            self.story.append(f"{now:.2f} withdrawn {question.why}")
        for hint in happened.hints:
            tally.hints[hint.kind] += 1
            self.story.append(f"{now:.2f} hint {hint.kind} {hint.text}")
        self._attend(now, at_least=ANSWERED_AFTER)

    def finish(self) -> None:
        """After the last frame."""
        self.close_hand()
        self.tally.seconds += self.stage.ends

    def _plane(self, at: float) -> Plane:
        stage = self.stage
        return Plane(stage.homography(at), stage.outline, len(stage.header.seats))

    def _note(self, known: float) -> None:
        """Notes when the latest events of the log were written."""
        self.known += [known] * (len(self.log.events) - len(self.known))

    def _over(self) -> float:
        """When a hand is compared: before the cards of the next one are dealt."""
        place = self._end
        if place == len(self.truth):
            return self.stage.ends - 1.0
        if not self.careful:
            ends = [*self.begins, len(self.truth)][self.hand + 2]
            plays = (n for n in range(place, ends) if self.truth[n].do == "play")
            return self.times[next(plays, ends - 1)] - LOOK_AGAIN
        event = self.truth[place]
        dealing = 0.41 * (event.cards or 0) * len(self.stage.header.seats)
        return max(
            self.times[place] - 0.7 - dealing, min(self.times[place], self.times[place - 1] + 2)
        )

    @property
    def _begin(self) -> int:
        """Place of the hand's first event."""
        return self.begins[self.hand]

    @property
    def _end(self) -> int:
        """Place of the first event after the hand."""
        return [*self.begins, len(self.truth)][self.hand + 1]

    @property
    def hand_events(self) -> tuple[Event, ...]:
        """What was done in the hand in progress."""
        return tuple(self.truth[self._begin : self._end])

    @property
    def hand_times(self) -> list[float]:
        """When, in seconds."""
        return self.times[self._begin : self._end]

    @property
    def hand_written(self) -> list[Event]:
        """What is written of it, and stands."""
        return [event for event, _ in self._written()]

    def _written(self) -> list[tuple[Event, float]]:
        """What stands of the hand in progress, and when it was written first."""
        return self._standing()[self._begin :]

    def _standing(self) -> list[tuple[Event, float]]:
        """What stands of all, and when it was written first."""
        stand: list[tuple[Event, float]] = []
        taken_back: dict[tuple[object, ...], float] = {}
        for event, known in zip(self.log.events, self.known, strict=True):
            if event.do == "undo":
                last, when = stand.pop()
                taken_back[said(last)] = when
            else:
                stand.append((event, taken_back.pop(said(event), known)))
        return stand

    # --- the person who answers ----------------------------------------------------------------

    def _attend(self, now: float, *, at_least: float) -> None:
        """A person looks at the questions that have stood for so long."""
        for asked, question in list(self.asked):
            current = next((q for q in self.table.questions if q.id == question.id), None)
            if current is None or now - asked < at_least:
                continue
            self.touched = True
            if not self.answer:
                continue
            self.asked.remove((asked, question))
            self.tally.answered += 1
            wanted = self._next_event(now)
            choice = self._choice(current, wanted, now)
            if choice is None:
                continue
            try:
                events = self.table.answer(current.id, choice, now)
                by_hand = not events and current.kind == "card" and wanted is not None
                if by_hand and wanted.do == "play" and can(self.log.match, wanted.bare()):
                    self.log.say([wanted.bare()], len(self.log.events))  # it was none of them
            except (LookupError, ScorekeeperError) as error:
                self.story.append(f"{now:.2f} answer refused {error}")
            self._note(math.nan)
            self.story.append(f"{now:.2f} answered {current.choices[choice].word}")

    def _next_event(self, now: float) -> Event | None:
        """What happened next after what is written, if it has happened."""
        place = self._begin + len(self._written())
        return self.truth[place] if place < self._end and self.times[place] <= now else None

    def _choice(self, question: Question, wanted: Event | None, now: float) -> int | None:
        if question.trick is not None:
            wanted = self._laid_to(question.trick, question.seat)
        for place, choice in enumerate(question.choices):
            event, due = choice.event, self._rather() if choice.word == "instead" else wanted
            if choice.side is not None and event is not None:
                before, words = self.before[self.hand], (*choice.before, event)
                if outcome(before, [*self.hand_written, *words]) == outcome(
                    before, self.hand_events
                ):
                    return place
            elif event is not None and event.do == "deal":
                if self._was_dealt(event, now):
                    return place
            elif event is not None and due is not None and answers(event, due):
                return place
        words = [choice.word for choice in question.choices]
        meant = self._is_to_come(question, now)
        for word in ("hold", "drop", "no") if meant else ("drop", "no"):
            if word in words:
                return words.index(word)
        return None

    def _was_dealt(self, deal: Event, now: float) -> bool:
        """Whether it is the next deal, and over; what was said before it may never be tapped."""
        written = sum(event.do == "deal" for event, _ in self._standing())
        deals = [place for place, event in enumerate(self.truth) if event.do == "deal"]
        return any(
            self.times[place] <= now and answers(deal, self.truth[place])
            for place in deals[written : written + 1]
        )

    def _laid_to(self, trick: int, seat: int | None) -> Event | None:
        """What a seat laid to a trick, from 1; None where it laid nothing to it."""
        plays = [each for each in self.hand_events if each.do == "play" and each.seat == seat]
        return plays[trick - 1] if trick <= len(plays) else None

    def _rather(self) -> Event | None:
        """What was done instead of the latest play that is written, if that is wrong."""
        stand = [event for event, _ in self._written()]
        place = max((n for n, event in enumerate(stand) if event.do == "play"), default=None)
        if place is None or self._begin + place >= self._end:
            return None
        done = self.truth[self._begin + place]
        return None if said(done) == said(stand[place]) else done

    def _is_to_come(self, question: Question, now: float) -> bool:
        """Whether the card that is asked about is a play of the hand that is not written yet."""
        came, place = self._came.get(question.card, (now, (math.inf, math.inf)))
        lying = [
            (math.dist((seen.pose.x, seen.pose.y), place), seen.lying.event)
            for seen in self.stage.at(came)
        ]
        apart, event = min(lying, key=lambda each: each[0], default=(math.inf, None))
        return (
            apart < 4
            and event is not None
            and self._begin + len(self._written()) <= event < self._end
        )

    # --- the comparison ------------------------------------------------------------------------

    def close_hand(self) -> None:
        """The next hand is about to begin: what is written is compared, and put right."""
        begin, end = self._begin, self._end
        tally, truth, later = self.tally, self.truth[begin:end], list[Event]()
        stand = self._written()
        written = [event for event, _ in stand]
        told, wanted = [said(event) for event in written], [said(event) for event in truth]
        to_come = [said(event) for event in self.truth[end : end + 2]]  # a deal may be seen early
        early = told[len(truth) :]
        right = told[: len(truth)] == wanted and early == to_come[: len(early)]
        if not self.careful:
            before = self.before[self.hand]
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
                for (event, known), at in zip(stand, self.times[begin:end], strict=False)
                if event.do == "play" and not math.isnan(known)
            ]
            if self.touched and self.trace:
                self.tally.failures.append("touched\n" + "\n".join(self.story))
        else:
            self._blame(written, truth)
        if not right or self.asked or (not self.careful and told != wanted):
            self.log.events = [*self.truth[:end], *later]
            self.log.match = fold(self.stage.header, self.log.events)
            self.known = [math.nan] * len(self.log.events)
        self.touched = False
        self.asked = []
        self.story = []

    def _was_tapped_well(self, events: Sequence[Event]) -> bool:
        """Whether each word among some events was tapped once, when it was said."""
        taps = [tap for tap in self._tapped if any(tap.word is event for event in events)]
        words = sum(event.do not in ("play", "deal") for event in events)
        return len(taps) == words and all(tap.careful for tap in taps)

    def _count_cards(self, written: list[Event], truth: Sequence[Event]) -> None:
        tally, before = self.tally, self.before[self.hand]
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
        text = (
            f"{header.game} seats {len(header.seats)} seed {self.stage.seed} hand {self.hand} from "
            f"{self.times[self._begin]:.1f}: got {got and got.in_words()} by {got and got.seat}, "
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
