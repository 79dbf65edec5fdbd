"""What became of a match: its games, their hands and calls, and what each player did.

Everything is computed from the events that stand; what was taken back is not counted.
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
"""Answers to a call; a card and a higher call accept it (TS-13, TS-16, TR-24)."""
DEALS = frozenset({"cut", "tap", "deal", "dealer"})
"""Verbs that say who deals."""
WAITING = frozenset({Phase.RAISE_ANSWER, Phase.TRUT_ANSWER, Phase.FORTIAL_ANSWER})
"""Where a call waits for its answer."""
REFUSED_BY = frozenset({End.RAISE_REJECTED, End.LAY_DOWN, End.FORTIAL_REFUSED})
"""Ends of a hand by which its latest call is refused (LT-15, TS-14, TR-11, TR-20)."""


class Fate(StrEnum):
    """What became of a call.

    A refused call may or may not have been a bluff: nobody saw the cards. A lost one was taken up
    and did not hold, by the cards or by a later call that was refused. A void one came to nothing:
    nobody won the hand, or it was conceded before the call was answered.
    """

    OPEN = "open"
    REFUSED = "refused"
    WON = "won"
    LOST = "lost"
    VOID = "void"


class Answer(NamedTuple):
    """What somebody answered to a call.

    Attributes:
        seat: Who answered.
        yes: Whether the answer was yes: accepted, or seen.
    """

    seat: int
    yes: bool


class Call(NamedTuple):
    """A raise, remainder, truc, retruc, put, trut or retrut.

    Attributes:
        do: The verb.
        seat: Who called.
        value: What the hand would be worth; None for a trut or retrut, which put one Long or
            two at stake (TR-14, TR-24).
        fate: What became of it; ``OPEN`` while the hand is in progress.
        answers: What was answered to it, in order: of partners who are asked one after the other,
            a no may come before a yes (TR-10).
        who: The name of who called: another one may have taken over the seat since (V-21).
    """

    do: str
    seat: int
    value: Value | None
    fate: Fate = Fate.OPEN
    answers: tuple[Answer, ...] = ()
    who: str = ""


class Agreement(NamedTuple):
    """What the table agreed on.

    Attributes:
        event: The event.
        players: Who sat there before it, by seat.
    """

    event: Event
    players: tuple[str, ...]


class PlayedHand(NamedTuple):
    """One hand.

    Attributes:
        number: Its number in the match, from 1.
        dealer: Seat that dealt.
        value: What it was worth at its end, after all accepted calls.
        end: Why it ended; None while it is in progress.
        winner: Side that scored, or None.
        award: What that side scored, or None.
        calls: The calls in their order; those of a deal that was void are left out (V-7).
        tricks: The tricks in their order.
        scores: The scores of its game after it, before points given by agreement.
        players: Who sat there at its end, by seat.
        dealt_by: The name of who dealt.
        agreed: What the table agreed on in it, or after it and before the next one.
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
        hand: Number of the latest hand of the match, 0 before the first. Two marks of one hand
            differ by what was given by agreement after it.
        scores: Both sides' scores.
    """

    hand: int
    scores: Scores


class PlayedGame(NamedTuple):
    """One game of a match.

    Attributes:
        number: Its number, from 1.
        hands: Its hands in their order; there may be none, where agreement settled it.
        marks: The score at its opening, after each hand, and after each agreement.
        winner: Side that won it; None while it is in progress, or where it ended without one.
        players: Who sat there when it ended; now, where it has not.
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
    """Calls of one kind, counted: those that somebody made, or those that somebody answered.

    What is refused, won and lost is seen by who made the call, or by who answered it.

    Attributes:
        made: All of them, open and void ones too.
        refused: Refused by the opponents: won without showing a card; of a trut, not seen. Of
            those that were answered: refused by this answer.
        won: Accepted or seen, and the hand won.
        lost: Accepted or seen, and the hand lost.
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
        tricks_won: Tricks won by its own card; of two partners who tie, the first one's (C-12).
        tricks_spoiled: Tricks that it spoiled, as the last of those who tie.
        tricks_claimed: Spoiled tricks that went to its side by a trick that its card won, in hands
            that the cards decided.
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
    """A whole match.

    Attributes:
        games: Its games in their order; before the first event a single one without a hand.
        players: What each seat did, in the order of the seats.
    """

    games: tuple[PlayedGame, ...]
    players: tuple[Player, ...]

    @property
    def hands(self) -> list[PlayedHand]:
        """All hands of the match, in their order."""
        return [hand for game in self.games for hand in game.hands]

    def hands_won(self, side: int) -> int:
        """How many hands a side scored in."""
        return sum(hand.winner == side for hand in self.hands)

    def games_won(self, side: int) -> int:
        """How many games a side won."""
        return sum(game.winner == side for game in self.games)


def chronicle(match: Match) -> Chronicle:
    """Tells a match from its first event to its latest."""
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
    """A game as it stands at the latest moment that belongs to it."""
    winner = None if match.closed is None else match.closed.winner
    return PlayedGame(number, tuple(hands), tuple(marks), winner, players)


def answered(before: Match, event: Event) -> Answer | None:
    """The answer that an event is to the call that waits, if it is one."""
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
    """What became of a call: every call but the latest has been accepted (LT-14, TS-13)."""
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
"""What a call that was accepted came to, by what became of it for who made it."""


def _count(found: Iterable[Fate]) -> Calls:
    fates = list(found)
    wanted = (Fate.REFUSED, Fate.WON, Fate.LOST)
    return Calls(len(fates), *(fates.count(fate) for fate in wanted))
