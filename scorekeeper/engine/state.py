"""The state of a match, in values that never change: each event makes a new state.

They are named tuples because these are quick to make: replaying 10,000 hands makes over 100,000.
An event *stands* if it was not undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.games.raises import Offer, Value
from scorekeeper.games.rules import Rules
from scorekeeper.games.scoring import NO_SCORE, Award, Scores, one_short
from scorekeeper.games.tricks import Trick, side_of


class Phase(StrEnum):
    """What is awaited, by the names of the record format (section 9 of the rules)."""

    CUT = "cut"
    DEAL_SIZE = "deal_size"
    DEALING = "dealing"
    REDEAL_ASK = "redeal_ask"
    REDEAL_ANSWER = "redeal_answer"
    ELEVEN = "eleven"
    FORTIAL = "fortial"
    FORTIAL_ANSWER = "fortial_answer"
    PLAY = "play"
    RAISE_ANSWER = "raise_answer"
    TRUT_ANSWER = "trut_answer"
    HAND_OVER = "hand_over"
    MATCH_OVER = "match_over"


class End(StrEnum):
    """Why a hand ended."""

    DECIDED = "decided"
    VOID = "void"
    RAISE_REJECTED = "raise_rejected"
    LAY_DOWN = "lay_down"
    FORTIAL_PASSED = "fortial_passed"
    FORTIAL_REFUSED = "fortial_refused"
    ELEVEN_DECLINED = "eleven_declined"
    VOID_HAND = "void_hand"
    CONCEDED = "conceded"
    DEALT_AGAIN = "dealt_again"
    ABANDONED = "abandoned"


class Hand(NamedTuple):
    """One hand: a deal, and all that has happened since.

    Attributes:
        dealer: Seat that deals.
        phase: What is awaited; ``HAND_OVER`` once the hand has ended.
        size: Cards dealt to each player; 0 before the deal.
        tricks: The tricks so far; the last one may not be complete.
        turn: Seat whose card is due, also while an offer or a trut waits; None before play.
        value: What the hand is worth now; while an offer waits, the value before it.
        offer: The offer that waits, or None.
        raised: Whether the seat on turn has made an offer in this turn that was accepted (LT-12).
        late_caller: Seat that has just played its card and may still call, or None (TS-10, TS-11).
        last_raiser: Side whose offer was accepted last, or None (LT-13).
        asked: How often new cards were asked for (LT-5).
        questions_done: Whether the questions at eleven and at fortial are answered, or not due.
        calls_off: Id of the rule that forbids calls in this hand (TS-18, TR-22), or None.
        trut: Seat that truted last, or None (TR-9).
        retrut: Whether that was a retrut (TR-24).
        truts_seen: How many truts were seen (TR-11, TR-24).
        answered: How many of the players who are asked one after the other have passed, or lain
            down (TR-10, TR-19).
        before_deal: The hand as it was before its latest deal; a misdeal goes back to it. None if
            there is no deal that could be void.
        end: Why it ended, or None.
        winner: Side that scored, or None.
        award: What that side scored, or None.
    """

    dealer: int
    phase: Phase
    size: int = 0
    tricks: tuple[Trick, ...] = ()
    turn: int | None = None
    value: Value = 1
    offer: Offer | None = None
    raised: bool = False
    late_caller: int | None = None
    last_raiser: int | None = None
    asked: int = 0
    questions_done: bool = False
    calls_off: str | None = None
    trut: int | None = None
    retrut: bool = False
    truts_seen: int = 0
    answered: int = 0
    before_deal: Hand | None = None
    end: End | None = None
    winner: int | None = None
    award: Award | None = None


class Past(NamedTuple):
    """The hands before the latest one, as a linked list that states share; the last hand first."""

    hand: Hand
    earlier: Past | None


class Step(NamedTuple):
    """The events that stand, as a linked list that states share; the latest first."""

    event: Event
    earlier: Step | None


class Closed(NamedTuple):
    """How a game ended.

    Attributes:
        winner: Side that won it; None if the table ended it without a winner (V-19).
        dealer: Who deals the next hand if a change of the score makes the game go on.
        agreed: Whether it ended by agreement, and not by its score.
        over: Whether the match ended by agreement, too.
    """

    winner: int | None
    dealer: int
    agreed: bool = False
    over: bool = False


class Match(NamedTuple):
    """The state of a match at one moment; ``scorekeeper.engine.match`` makes it.

    Attributes:
        header: Who plays what.
        scores: Scores of the game in progress; those of the last game until the next one begins.
        games_won: Games won by each side.
        closed: How the latest game ended, while ``scores`` is its final score; else None.
        winner: Side that won the match, or None.
        dealer: Dealer of the hand in progress, else of the next one.
        hand: The latest hand, in progress or not; None before the first.
        past: The hands before ``hand``.
        spanish: Whether the cards of the match have Spanish suits; None before the first card.
        hand_number: How many hands were begun so far.
        named: The header with the names of those who play now; None if nobody was replaced (V-21).
        steps: The events that stand; None at the start.
        checkpoint: An earlier state, from which undo replays; None at the start.
        since: How many of ``steps`` came after ``checkpoint``.
    """

    header: Header
    scores: Scores = NO_SCORE
    games_won: tuple[int, int] = (0, 0)
    closed: Closed | None = None
    winner: int | None = None
    dealer: int = 0
    hand: Hand | None = None
    past: Past | None = None
    spanish: bool | None = None
    hand_number: int = 0
    named: Header | None = None
    steps: Step | None = None
    checkpoint: Match | None = None
    since: int = 0

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self.header.rules

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.header.seats)

    @property
    def seated(self) -> Header:
        """The header, with the names of those who play now."""
        return self.header if self.named is None else self.named

    @property
    def game_over(self) -> bool:
        """Whether ``scores`` is the final score of a finished game."""
        return self.closed is not None

    @property
    def over(self) -> bool:
        """Whether the match has ended, with a winner or without one."""
        return self.winner is not None or (self.closed is not None and self.closed.over)

    @property
    def event(self) -> Event | None:
        """The latest event that stands; None at the start."""
        return None if self.steps is None else self.steps.event

    @property
    def in_progress(self) -> bool:
        """Whether a hand was begun and has not ended."""
        return self.hand is not None and self.hand.end is None

    @property
    def phase(self) -> Phase:
        """What is awaited."""
        if self.over:
            return Phase.MATCH_OVER
        if self.hand is not None:
            return self.hand.phase
        if self.game_over:
            return Phase.HAND_OVER
        return Phase.CUT if self.rules.asks_cut else Phase.DEALING

    def current(self) -> Hand:
        """The hand in progress.

        Raises:
            LookupError: No hand is in progress.
        """
        if self.hand is None or self.hand.end is not None:
            raise LookupError("no hand is in progress")
        return self.hand

    @property
    def opening_scores(self) -> Scores:
        """The scores of the game that the next hand belongs to (TS-4)."""
        return NO_SCORE if self.game_over else self.scores

    @property
    def cutter(self) -> int:
        """Seat that cuts the pack: the one before the dealer (C-5)."""
        return (self.dealer - self.rules.direction) % self.seats

    @property
    def first_leader(self) -> int:
        """Seat that leads the first trick of the hand (C-4)."""
        return self.after(self.dealer)

    def after(self, seat: int) -> int:
        """The next seat in the direction of play (C-2)."""
        return (seat + self.rules.direction) % self.seats

    def opponents_after(self, seat: int) -> list[int]:
        """The opponents of a seat, in the order of play from its neighbour on (TR-10)."""
        return [other for other in self.from_seat(seat) if side_of(other) != side_of(seat)]

    def trut_answerers(self, truter: int) -> list[list[int]]:
        """The seats that are asked after a trut, one list after the other (TR-10).

        Of the seats in one list, the first answer counts.
        """
        opponents = self.opponents_after(truter)
        if self.rules.first_to_see == "either":
            return [sorted(opponents)]
        if self.rules.first_to_see == "dealer":
            opponents = [seat for seat in self.from_seat(self.dealer) if seat in opponents]
        return [[seat] for seat in opponents]

    def from_seat(self, seat: int) -> Iterator[int]:
        """All seats in the order of play, the one after ``seat`` first and ``seat`` last."""
        for _ in range(self.seats):
            seat = self.after(seat)
            yield seat

    def fortial_members(self) -> list[int]:
        """The players of the side at fortial, in the order in which they are asked (TR-18, TR-19).

        Empty unless exactly one side is at fortial.
        """
        sides = one_short(self.rules, self.scores)
        return [seat for seat in self.from_seat(self.dealer) if (side_of(seat),) == sides]

    def asked_seats(self) -> list[int]:
        """The seats that may answer the question, offer or trut that waits; empty if none does."""
        if not self.in_progress:
            return []
        hand = self.current()
        match hand.phase:
            case Phase.REDEAL_ANSWER:
                return [self.dealer]
            case Phase.ELEVEN:
                sides = one_short(self.rules, self.scores)
                return [seat for seat in range(self.seats) if side_of(seat) in sides]
            case Phase.FORTIAL:
                return [self.fortial_members()[hand.answered]]
            case Phase.FORTIAL_ANSWER | Phase.TRUT_ANSWER if hand.trut is not None:
                return self.trut_answerers(hand.trut)[hand.answered]
            case Phase.RAISE_ANSWER if hand.offer is not None:
                if self.rules.answerer == "neighbour":  # TS-12
                    return [self.after(hand.offer.seat)]
                opponents = self.opponents_after(hand.offer.seat)  # L4-4
                return sorted(seat for seat in opponents if self.may_speak(seat))
            case _:
                return []

    def may_speak(self, seat: int) -> bool:
        """Whether a seat may call and answer for its side (L4-4)."""
        return self.rules.speakers == "anyone" or seat in (self.dealer, self.first_leader)

    @property
    def turn(self) -> int | None:
        """The seat that is awaited; None at eleven, and if nobody or either of two partners is."""
        match self.phase:
            case Phase.CUT:
                return self.cutter
            case Phase.DEALING | Phase.DEAL_SIZE:
                return self.dealer
            case Phase.REDEAL_ASK:
                return self.first_leader
            case Phase.PLAY:
                return self.current().turn
            case Phase.ELEVEN | Phase.HAND_OVER | Phase.MATCH_OVER:
                return None
            case _:
                asked = self.asked_seats()
                return asked[0] if len(asked) == 1 else None

    def hands(self) -> list[Hand]:
        """All hands of the match, the latest last."""
        hands = [] if self.hand is None else [self.hand]
        past = self.past
        while past is not None:
            hands.append(past.hand)
            past = past.earlier
        return hands[::-1]

    def with_hand(self, **changes: object) -> Match:
        """The match with these fields of the hand in progress changed."""
        return self._replace(hand=self.current()._replace(**changes))  # type: ignore[arg-type]
