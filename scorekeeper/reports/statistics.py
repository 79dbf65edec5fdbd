"""Statistics of a match: its games, their hands and calls, and what each player did.

Everything is computed from the events that stand: what was undone does not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from scorekeeper.engine.agreeing import opens_a_game
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import moments
from scorekeeper.engine.state import End, Hand, Match, Phase
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.raises import Value
from scorekeeper.games.rules import GAMES, Rules
from scorekeeper.games.scoring import NO_SCORE, Award, Scores
from scorekeeper.games.tricks import Trick, claims, side_of, top_plays

TRUTS = frozenset({"trut", "retrut"})
OFFERS = frozenset().union(*(game.rules.raising.raises for game in GAMES.values())) - TRUTS
NO = frozenset({"reject", "lie_down"})
YES = frozenset({"accept", "see", "play"}) | OFFERS | TRUTS
"""Verbs that accept a call; a card and a higher call do so, too (TS-13, TS-16, TR-24)."""
DEALS = frozenset({"cut", "tap", "deal", "dealer"})
"""Verbs by whose events it is known who deals a hand."""
WAITING = frozenset({Phase.RAISE_ANSWER, Phase.TRUT_ANSWER, Phase.FORTIAL_ANSWER})
"""Phases in which a call waits for its answer."""
REFUSED_BY = frozenset({End.RAISE_REJECTED, End.LAY_DOWN, End.FORTIAL_REFUSED})
"""Ends of a hand in which its latest call was refused (LT-15, TS-14, TR-11, TR-20)."""


class Fate(StrEnum):
    """How a call ended.

    Attributes:
        OPEN: The hand is in progress.
        REFUSED: It was refused. It may have been a bluff: nobody saw the cards.
        WON: It was accepted, and the caller's side won the hand.
        LOST: It was accepted, and the caller's side lost the hand, by the cards or by a later call.
        VOID: Nobody won the hand, or it was given up before the call was answered.
    """

    OPEN = "open"
    REFUSED = "refused"
    WON = "won"
    LOST = "lost"
    VOID = "void"


class Answer(NamedTuple):
    """A player's answer to a call.

    Attributes:
        seat: Who answered.
        yes: Whether the call was accepted, or seen.
    """

    seat: int
    yes: bool


class Call(NamedTuple):
    """A raise, remainder, truc, retruc, put, trut or retrut.

    Attributes:
        do: The verb.
        seat: Who called.
        value: What the hand would be worth; None for a trut or retrut.
        fate: How it ended.
        answers: The answers, in order: if partners are asked one after the other, a no may come
            before a yes (TR-10).
        who: Name of the player who called; somebody else may have taken over the seat since (V-21).
    """

    do: str
    seat: int
    value: Value | None
    fate: Fate = Fate.OPEN
    answers: tuple[Answer, ...] = ()
    who: str = ""


class Agreement(NamedTuple):
    """An event that the table agreed on.

    Attributes:
        event: The event.
        players: Names of those who played before it, by seat.
    """

    event: Event
    players: tuple[str, ...]


class PlayedHand(NamedTuple):
    """One hand.

    Attributes:
        number: Its number in the match, from 1.
        dealer: Seat that dealt.
        value: What it was worth at its end, after all accepted calls; always 1 in a game of Smalls
            and Longs.
        end: Why it ended; None while it is in progress.
        winner: Side that scored, or None.
        award: What that side scored, or None.
        calls: The calls, in order; those before a misdeal are left out (V-7).
        tricks: The tricks, in order.
        scores: The scores of its game after it, before points that were given by agreement.
        players: Names of those who played at its end, by seat.
        dealt_by: Name of the player who dealt.
        agreed: What the table agreed on in it, or after it and before the next hand.
    """

    number: int
    dealer: int
    value: Value
    end: End | None
    winner: int | None
    award: Award | None
    calls: tuple[Call, ...]
    tricks: tuple[Trick, ...]
    scores: Scores
    players: tuple[str, ...]
    dealt_by: str
    agreed: tuple[Agreement, ...] = ()

    def tricks_won(self, side: int) -> int:
        """How many of its tricks a side won."""
        return sum(trick.winner == side for trick in self.tricks)

    @property
    def tricks_spoiled(self) -> int:
        """How many of its tricks nobody won."""
        return sum(trick.spoiled for trick in self.tricks)


class Mark(NamedTuple):
    """The score at one moment of a game.

    Attributes:
        hand: Number of the latest hand of the match; 0 before the first. If points were given by
            agreement after a hand, there are two marks with its number.
        scores: Both sides' scores.
    """

    hand: int
    scores: Scores


class PlayedGame(NamedTuple):
    """One game of a match.

    Attributes:
        number: Its number, from 1.
        hands: Its hands, in order; empty if it was settled by agreement alone.
        marks: The score at its beginning, after each hand, and after each agreed change.
        winner: Side that won it; None while it is in progress, or if it ended without one.
        players: Names of those who played at its end, or now, by seat.
    """

    number: int
    hands: tuple[PlayedHand, ...]
    marks: tuple[Mark, ...]
    winner: int | None
    players: tuple[str, ...]

    @property
    def scores(self) -> Scores:
        """Its latest scores; the final ones once it is won."""
        return self.marks[-1].scores


class Calls(NamedTuple):
    """How often a player made, or answered, calls of one kind.

    Attributes:
        made: All that the player made, or answered, including open and void ones.
        refused: Those that were refused; of answered calls, those that this player refused.
        won: Those that were accepted or seen, if the player's side won the hand.
        lost: Those that were accepted or seen, if the player's side lost the hand.
    """

    made: int = 0
    refused: int = 0
    won: int = 0
    lost: int = 0

    def __add__(self, other: object) -> Calls:
        if not isinstance(other, Calls):
            return NotImplemented
        return Calls(*(one + two for one, two in zip(self, other, strict=True)))


class Player(NamedTuple):
    """What one seat did.

    Attributes:
        seat: The seat.
        tricks_won: Tricks won by its own card; if partners tie, by the card played first (C-12).
        tricks_spoiled: Tricks that it spoiled: of those who tie, it played last.
        tricks_claimed: Spoiled tricks that counted for its side because of a trick that its card
            won; only in hands that the cards decided.
        raises: Its raises, remainders, trucs, retrucs and puts.
        truts: Its truts and retruts.
        raises_answered: Raises and the like of the others that it answered.
        truts_answered: Truts and retruts of the others that it answered.
    """

    seat: int
    tricks_won: int
    tricks_spoiled: int
    tricks_claimed: int
    raises: Calls
    truts: Calls
    raises_answered: Calls
    truts_answered: Calls


class Chronicle(NamedTuple):
    """The statistics of a match.

    Attributes:
        games: Its games, in order; before the first event there is one without a hand.
        players: What each seat did, by seat.
    """

    games: tuple[PlayedGame, ...]
    players: tuple[Player, ...]

    @property
    def hands(self) -> list[PlayedHand]:
        """All hands of the match, in order."""
        return [hand for game in self.games for hand in game.hands]

    def hands_won(self, side: int) -> int:
        """How many hands a side scored in."""
        return sum(hand.winner == side for hand in self.hands)

    def games_won(self, side: int) -> int:
        """How many games a side won."""
        return sum(game.winner == side for game in self.games)


def chronicle(match: Match) -> Chronicle:
    """Makes the statistics of a match."""
    rules = match.rules
    games: list[PlayedGame] = []
    hands: list[PlayedHand] = []
    marks = [Mark(0, NO_SCORE)]
    players = match.header.seats
    calls: list[Call] = []
    agreed: dict[int, list[Agreement]] = {}
    dealer = ""
    for before, after in pairwise(moments(match)):
        assert after.event is not None
        if opens_a_game(before, after.event):
            games.append(_game(before, len(games) + 1, hands, marks, players))
            hands, marks = [], [Mark(before.hand_number, NO_SCORE)]
        if not (before.game_over and after.game_over):
            players = after.seated.seats
        if after.hand_number > before.hand_number or after.event.do == "misdeal":
            calls = []
        if after.hand is not None and after.event.do in DEALS:
            dealer = after.seated.seats[after.hand.dealer]
        if after.event.do in AGREED:
            agreement = Agreement(after.event, before.seated.seats)
            agreed.setdefault(max(1, after.hand_number), []).append(agreement)
        if calls and (answer := answered(before, after.event)) is not None:
            calls[-1] = calls[-1]._replace(answers=(*calls[-1].answers, answer))
        calls += _called(after.event, after)
        if before.in_progress and not after.in_progress:
            hands.append(_played(after, calls, dealer))
            marks.append(Mark(after.hand_number, after.scores))
        elif after.scores != marks[-1].scores:
            marks.append(Mark(after.hand_number, after.scores))
    if match.in_progress:
        hands.append(_played(match, calls, dealer))
    games.append(_game(match, len(games) + 1, hands, marks, players))
    games = [
        game._replace(
            hands=tuple(
                hand._replace(agreed=tuple(agreed.get(hand.number, ()))) for hand in game.hands
            )
        )
        for game in games
    ]
    told = [hand for game in games for hand in game.hands]
    return Chronicle(tuple(games), tuple(player_of(rules, s, told) for s in range(match.seats)))


def _game(
    match: Match,
    number: int,
    hands: list[PlayedHand],
    marks: list[Mark],
    players: tuple[str, ...],
) -> PlayedGame:
    """One game; ``match`` is the state after its latest event."""
    winner = None if match.closed is None else match.closed.winner
    return PlayedGame(number, tuple(hands), tuple(marks), winner, players)


def answered(before: Match, event: Event) -> Answer | None:
    """The event as an answer to the call that waits; None if it is none."""
    if before.phase not in WAITING or event.seat not in before.asked_seats():
        return None
    return Answer(event.seat, event.do in YES) if event.do in YES | NO else None


def _called(event: Event, after: Match) -> tuple[Call, ...]:
    if event.seat is None:
        return ()
    if event.do in TRUTS:
        return (Call(event.do, event.seat, None, who=after.seated.seats[event.seat]),)
    offer = after.current().offer if event.do in OFFERS else None
    if offer is None:
        return ()
    return (Call(event.do, event.seat, offer.value, who=after.seated.seats[event.seat]),)


def _played(after: Match, calls: list[Call], dealer: str) -> PlayedHand:
    hand = after.hand
    assert hand is not None
    return PlayedHand(
        number=after.hand_number,
        dealer=hand.dealer,
        value=hand.value,
        end=hand.end,
        winner=hand.winner,
        award=hand.award,
        calls=tuple(
            call._replace(fate=_fate(call, hand, latest=place == len(calls)))
            for place, call in enumerate(calls, 1)
        ),
        tricks=hand.tricks,
        scores=after.scores,
        players=after.seated.seats,
        dealt_by=dealer,
    )


def _fate(call: Call, hand: Hand, *, latest: bool) -> Fate:
    """How a call ended; every call but the latest has been accepted (LT-14, TS-13)."""
    if hand.end is None:
        return Fate.OPEN
    if hand.winner is None:
        return Fate.VOID
    if latest and hand.end in REFUSED_BY:
        return Fate.REFUSED
    if not any(answer.yes for answer in call.answers):
        return Fate.VOID
    return Fate.WON if hand.winner == side_of(call.seat) else Fate.LOST


def player_of(rules: Rules, seat: int, hands: Iterable[PlayedHand]) -> Player:
    """What a seat did in these hands."""
    hands = list(hands)
    won = spoiled = claimed = 0
    for hand in hands:
        winners: list[int | None] = []
        for trick in (trick for trick in hand.tricks if trick.complete):
            top = top_plays(rules, trick.plays)
            winners.append(None if trick.spoiled else top[0].seat)
            spoiled += trick.spoiled and top[-1].seat == seat
        won += winners.count(seat)
        if hand.end is End.DECIDED:
            owners = claims(rules.hand_rule, winners).values()
            claimed += sum(winners[place] == seat for place in owners)
    calls = [call for hand in hands for call in hand.calls]
    made = [(call, call.fate) for call in calls if call.seat == seat]
    met = [
        (call, SEEN_BY_WHO_ANSWERS[call.fate] if answer.yes else Fate.REFUSED)
        for call in calls
        for answer in call.answers
        if answer.seat == seat
    ]
    return Player(
        seat,
        won,
        spoiled,
        claimed,
        raises=_count(fate for call, fate in made if call.do not in TRUTS),
        truts=_count(fate for call, fate in made if call.do in TRUTS),
        raises_answered=_count(fate for call, fate in met if call.do not in TRUTS),
        truts_answered=_count(fate for call, fate in met if call.do in TRUTS),
    )


SEEN_BY_WHO_ANSWERS = {**{fate: fate for fate in Fate}, Fate.WON: Fate.LOST, Fate.LOST: Fate.WON}
"""How an accepted call ended for who made it, to how it ended for who answered it."""


def _count(found: Iterable[Fate]) -> Calls:
    fates = list(found)
    wanted = (Fate.REFUSED, Fate.WON, Fate.LOST)
    return Calls(len(fates), *(fates.count(fate) for fate in wanted))
