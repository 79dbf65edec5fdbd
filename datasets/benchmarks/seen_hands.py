"""Gathers hands from films and takes as the belief gets them: objects, words, and the truth.

``python -m datasets.benchmarks.seen_hands --eyes deceived --grade bar --seats 4 --hands 300 --to
data/hands/bar-4.jsonl.gz`` watches simulated films; with ``--takes data/corpus`` it watches the
corpus. Of each hand it keeps what was seen and said, what was really played, and each play that the
table wrote, with the probability that it stated then. ``datasets.benchmarks.fit`` fits the belief's
parameters to such hands; ``datasets.benchmarks.reliability`` checks whether the probabilities are
calibrated.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from datasets.benchmarks.table_score import Run, filmed
from datasets.benchmarks.takes import opened_take, watch
from datasets.benchmarks.tally import Tally, in_both
from datasets.films.grades import GRADES
from datasets.simulation.seen import EYES, watched
from scorekeeper.engine.events import parse_event
from scorekeeper.engine.header import parse_header
from scorekeeper.engine.match import apply, latest_events, replay
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, ScorekeeperError
from scorekeeper.games.rules import GAMES
from vision.belief.hypotheses import HandObject, Word
from vision.belief.likelihoods import Side
from vision.belief.objects import HandObjects
from vision.watched_table import Appended, Happened

HANDS_PER_FILM = 6
RATE = 10.0
"""How many pictures a second the simulated eyes look at: as many as the takes have."""

BEFORE = 0.5
"""A card belongs to a hand if it came at most so many seconds before the deal, or later."""

Course = tuple[tuple[int, str], ...]
"""Seat and rank of each play of a hand, in order."""


class Committed(NamedTuple):
    """A play that the table wrote by itself.

    Attributes:
        seat: who played it.
        rank: the card's rank, as it is printed.
        chance: the probability that the table stated for the play then, 0–1.
        read: how likely the card had that rank by its pictures alone, 0–1.
        side: where the card lay then, as the seat sees it.
        right: whether it was really played, after what was written before it.
    """

    seat: int
    rank: str
    chance: float
    read: float
    side: Side
    right: bool


class SeenHand(NamedTuple):
    """A hand as the belief gets it, with its truth.

    Attributes:
        film: names the film: grade, seats, eyes or kind of deck, game, seed. Hands of one film
            share a deck and are alike.
        number: of the hand in the film, from 0.
        start: the state of the match when the cards had been dealt.
        objects: what was seen of each card.
        words: what was said, with its time.
        played: what was really played.
        written: the plays that stood in the table's record at the hand's end.
        committed: the plays that the table wrote by itself.
    """

    film: str
    number: int
    start: Match
    objects: tuple[HandObject, ...]
    words: tuple[Word, ...]
    played: Course
    written: Course
    committed: tuple[Committed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The hand as a line of a file."""
        return {
            "film": self.film,
            "number": self.number,
            "header": self.start.header.to_json(),
            "events": [event.bare().to_json() for event in latest_events(self.start)],
            "objects": [
                each._replace(
                    evidence=_rounded(each.evidence),
                    beside=dict(each.beside),
                    upon=sorted(each.upon),  # type: ignore[arg-type]
                )
                for each in self.objects
            ],
            "words": [[at, event.to_json()] for at, event in self.words],
            "played": self.played,
            "written": self.written,
            "committed": self.committed,
        }


def hand_from_json(data: dict[str, Any]) -> SeenHand:
    """Reads what :meth:`SeenHand.to_json` made."""
    header = parse_header(data["header"])

    def event(told: object) -> Any:
        return parse_event(told, verbs=header.verbs, seats=len(header.seats))

    def course(plays: list[list[Any]]) -> Course:
        return tuple((seat, rank) for seat, rank in plays)

    return SeenHand(
        data["film"],
        data["number"],
        replay(header, map(event, data["events"])),
        tuple(
            HandObject(
                *plain,
                sides=tuple(map(Side, sides)),
                beside={int(number): turned_as_it for number, turned_as_it in beside.items()},
                gone=gone,
                upon=frozenset(upon),
                watched=watched,
            )
            for *plain, sides, beside, gone, upon, watched in data["objects"]
        ),
        tuple(Word(at, event(told)) for at, told in data["words"]),
        course(data["played"]),
        course(data["written"]),
        tuple(
            Committed(seat, rank, chance, read, Side(side), right)
            for seat, rank, chance, read, side, right in data["committed"]
        ),
    )


def _rounded(evidence: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in evidence.items()}


class Gatherer:
    """Gathers the hands of films.

    Args:
        take: called with the run and each hand when the hand is over.
    """

    def __init__(self, take: Callable[[Run, SeenHand], None]) -> None:
        self._take = take

    def attach(self, run: Run, film: str = "") -> None:
        """Gathers a run's hands from now on; ``film`` names the film in them."""
        see, answer, close, objects = run.table.see, run.table.answer, run.close_hand, HandObjects()
        committed: list[Committed] = []
        by_hand = False

        def seen(*arguments: object, **named: object) -> Happened:
            happened = see(*arguments, **named)  # type: ignore[arg-type]
            objects.see(run.table.belief.memory)
            return happened

        def answered(*arguments: object, **named: object) -> object:
            nonlocal by_hand
            by_hand = True
            try:
                return answer(*arguments, **named)  # type: ignore[arg-type]
            finally:
                by_hand = False

        def appended(told: Appended) -> None:
            if told.event.do == "play" and not by_hand:
                committed.append(_committed(run, told))

        def closed() -> None:
            self._take(run, self._hand(run, film, objects, committed))
            committed.clear()
            close()

        run.table.see = seen  # type: ignore[method-assign]
        run.table.answer = answered  # type: ignore[method-assign, assignment]
        run.table.appended = appended
        run.close_hand = closed  # type: ignore[method-assign]

    def _hand(
        self, run: Run, film: str, objects: HandObjects, committed: Iterable[Committed]
    ) -> SeenHand:
        truth, (begin, end) = run.played.of(run.hand), run.played.span(run.hand)
        times = run.played.times[begin:end]
        dealt = max(place for place, event in enumerate(truth) if event.do == "deal")
        match = run.played.before[run.hand]
        for event in truth[: dealt + 1]:
            match = apply(match, event)
        words = tuple(
            Word(at, event.bare())
            for event, at in list(zip(truth, times, strict=True))[dealt + 1 :]
            if event.do != "play"
        )
        cards = objects.cards().values()
        seen = objects.now(each.id for each in cards if each.appeared >= times[dealt] - BEFORE)
        played = course_of(truth)
        written = course_of(run.hand_written)[: len(played)]
        return SeenHand(
            film, run.hand, match, tuple(seen), words, played, written, tuple(committed)
        )


def course_of(events: Iterable[Any]) -> Course:
    """The plays among some events."""
    return tuple((event.seat, event.card.printed) for event in events if event.do == "play")


def _committed(run: Run, told: Appended) -> Committed:
    """The play that the table has just written, and whether it is true."""
    event, proposal, expected = told.event, told.proposal, told.expected
    assert event.seat is not None
    assert event.card is not None
    before = [(one.seat, one.card[:-1]) for one in expected.laid]
    if proposal.instead:
        place = max(n for n, (seat, _) in enumerate(before) if seat == event.seat)
        before = before[:place]
    played = course_of(run.played.of(run.hand))
    right = in_both([*before, (event.seat, event.card.printed)], played) > in_both(before, played)
    memory = run.table.belief.memory
    card = memory.cards.get(proposal.card or 0)
    side, read = Side.MIDDLE, proposal.chance
    if card is not None:
        side = memory.owners.side(card, event.seat)
        read = card.of_rank(event.card.printed)
    return Committed(event.seat, event.card.printed, proposal.chance, read, side, right)


def of_films(options: argparse.Namespace, take: Callable[[Run, SeenHand], None]) -> None:
    """Gathers the hands of simulated films, until there are enough.

    Args:
        options: ``eyes``, ``grade``, ``seats``, ``seed`` of the first film, and ``hands``.
        take: see ``Gatherer``.
    """
    games = [name for name, game in GAMES.items() if options.seats in game.rules.players]
    gatherer, number, tally = Gatherer(take), 0, Tally()
    while tally.hands < options.hands:
        game, seed = games[number % len(games)], options.seed + number // len(games)
        stage = filmed(game, options.seats, options.grade, seed, HANDS_PER_FILM)
        run = Run(stage, tally, answer=True)
        gatherer.attach(run, f"{options.grade} {options.seats} {options.eyes} {game} {seed}")
        run.watch(watched(stage, replace(EYES[options.eyes], rate=RATE)))
        number += 1


def of_takes(folder: Path, take: Callable[[Run, SeenHand], None]) -> None:
    """Gathers the hands of the corpus.

    Raises:
        FormatError: a file is no take, or there are none.
        OSError: one cannot be read.
    """
    paths = sorted(folder.glob("*.json.gz"))
    if not paths:
        raise FormatError(f"{folder} holds no takes")
    gatherer = Gatherer(take)
    for path in paths:
        with opened_take(path) as (film, moments):
            name = " ".join(str(film[key]) for key in ("grade", "seats", "deck", "game", "seed"))
            watch(film, moments, Tally(), attach=lambda run, name=name: gatherer.attach(run, name))  # type: ignore[misc]


def hands_in(paths: Iterable[Path]) -> Iterator[SeenHand]:
    """Yields the hands in some files.

    Raises:
        FormatError: a file holds something else.
        OSError: one cannot be read.
    """
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                try:
                    yield hand_from_json(json.loads(line))
                except (KeyError, TypeError, ValueError) as error:
                    raise FormatError(f"{path} holds no hands: {error!r}") from error


def add_film_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say which films are watched."""
    parser.add_argument("--takes", type=Path, help="a folder of takes, instead of simulated films")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=4)
    parser.add_argument("--grade", choices=list(GRADES), default="bar")
    parser.add_argument("--eyes", choices=list(EYES), default="floors")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--hands", type=int, default=60)


def main(arguments: list[str] | None = None) -> int:
    """Gather hands from films or takes."""
    parser = argparse.ArgumentParser(
        prog="datasets.benchmarks.seen_hands", description=main.__doc__
    )
    add_film_options(parser)
    parser.add_argument("--to", type=Path, required=True, help="the file, .jsonl.gz")
    options = parser.parse_args(arguments)
    options.to.parent.mkdir(parents=True, exist_ok=True)
    new, count = options.to.with_suffix(".new"), 0
    try:
        with gzip.open(new, "wt", encoding="utf-8") as file:

            def take(run: Run, hand: SeenHand) -> None:
                nonlocal count
                file.write(json.dumps(hand.to_json()) + "\n")
                count += 1

            if options.takes is None:
                of_films(options, take)
            else:
                of_takes(options.takes, take)
    except (ScorekeeperError, OSError) as error:
        print(f"datasets.benchmarks.seen_hands: {error}", file=sys.stderr)
        return 2
    new.replace(options.to)
    print(f"{options.to}: {count} hands")
    return 0


if __name__ == "__main__":
    sys.exit(main())
