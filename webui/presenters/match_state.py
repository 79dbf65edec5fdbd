"""A match at one moment, as a part of the table's state; see ``table_state``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import legal_events, replay, undone
from scorekeeper.engine.packs import lacking, suits_of
from scorekeeper.engine.said import is_guessed
from scorekeeper.engine.state import End, Hand, Match
from scorekeeper.games.cards import Card
from scorekeeper.games.scoring import one_short
from scorekeeper.games.tricks import SPOILED_FOR_NOBODY, Play, first_to_win, top_plays
from scorekeeper.history.corrections import Standing, standing
from scorekeeper.history.suits import foreign
from scorekeeper.messages import N_
from scorekeeper.text.announcer import Sound
from scorekeeper.text.append_announcer import AppendAnnouncer
from scorekeeper.text.assistant import Assistant, Step
from scorekeeper.text.i18n import capital
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.phrases import Sentence
from webui.presenters.agreements import agreed_state
from webui.presenters.table_words import HEADLINES, LABELS, QUESTIONS
from webui.table.access import Grant

State = dict[str, Any]

FOREIGN_TOLD = 3
"""How many cards from another pack are named; an ellipsis stands for the others."""


def awaited_seats(match: Match) -> Sequence[int]:
    """Whom everybody waits for: whose turn it is, or who is asked, or else the dealer."""
    seats = match.asked_seats() if match.turn is None else [match.turn]
    return seats or [match.dealer]


def step_state(step: Step) -> State:
    """One step of a deal, in words."""
    return {"text": step.text.text, "seat": step.seat, "state": step.state}


class MatchView:
    """A match at one moment, in one language.

    Args:
        match: The match.
        code: The language.
        events: All its events, ``undo`` ones too.
    """

    def __init__(self, match: Match, code: str, events: Sequence[Event]) -> None:
        self.match, self.rules = match, match.rules
        self.narrator = Narrator(match.seated, code)
        self.assistant, self.announcer = (
            Assistant(match.seated, code),
            AppendAnnouncer(match.seated, code),
        )
        stand = standing(events)
        self._plays = self._standing_plays(stand)
        self._foreign = foreign(match.rules, stand)
        self._events = events
        self.narrator.unsure = [
            card for card, laid in self._plays.items() if is_guessed(laid.event)
        ]

    @cached_property
    def _before(self) -> Match:
        """The match before its latest event."""
        return undone(self.match)

    def _standing_plays(self, stand: Sequence[Standing]) -> dict[Card, Standing]:
        """The cards of the latest hand, each with the event that laid it."""
        hand = self.match.hand
        n = 0 if hand is None else sum(len(trick.plays) for trick in hand.tricks)
        plays = [one for one in stand if one.event.do == "play"] if n else []
        return {one.event.card: one for one in plays[-n:] if one.event.card is not None}

    def whole(self, grant: Grant) -> State:
        """The whole state of the match, as a role may see it."""
        match = self.match
        hand, legal = match.hand, legal_events(match)
        return {
            "phase": match.phase.value,
            "awaited": self.awaited(),
            "turn": match.turn,
            "asked": match.asked_seats(),
            "dealer": match.dealer if hand is None else hand.dealer,
            "next_dealer": match.dealer,
            "cutter": match.cutter,
            "leader": match.first_leader,
            "sides": [self.side(side) for side in (0, 1)],
            "winner": match.winner,
            "value": self.value(hand),
            "hand": None if hand is None else self.hand(hand),
            "notices": self.notices(),
            "last": [sentence.text for sentence in self.last()],
            "call": self.call(),
            "ended": self.ended(),
            "corrected": self.corrected(),
            "legal": [event.to_json() for event in legal],
            "buttons": [self.button(event) for event in legal],
            "playable": self.playable(),
            "deal": [step_state(step) for step in self.assistant.steps(match)],
            "misdeal": self.misdeal(),
            "agreed": agreed_state(match, self.narrator, grant),
        }

    def misdeal(self) -> str | None:
        """What to do about a card that was shown while it was dealt (V-7)."""
        told = self.assistant.misdeal(self.match)
        return None if told is None else told.text

    def asked(self) -> str:
        """The names of those whom everybody waits for."""
        return " / ".join(map(self.narrator.name, awaited_seats(self.match)))

    def awaited(self) -> str:
        """Whom and what everybody waits for."""
        return self.narrator.say(HEADLINES[self.match.phase], who=self.asked()).text

    def side(self, side: int) -> State:
        """A side's score, and what it still lacks."""
        match = self.match
        score = match.scores[side]
        lacks = side in one_short(self.rules, match.scores) and not match.over
        return {
            "name": self.narrator.side(side),
            "score": self.rules.counting.to_json(score),
            "missing": max(self.rules.target - score.points, 0),
            "words": self.narrator.score(score),
            "games": match.games_won[side],
            "one_short": lacks and (self.rules.fortial or self.rules.eleven),
            "won_game": match.closed is not None and match.closed.winner == side,
            "won": match.winner == side,
        }

    def value(self, hand: Hand | None) -> State:
        """What the hand is worth; and where a raise waits for an answer, who has offered what."""
        raising = self.rules.raising
        offer = None if hand is None else raising.offer(hand)
        found: State = {
            "now": 1 if hand is None else hand.value,
            "words": self.narrator.value(raising.worth(hand)),
            "offered": None,
            "by": None,
            "do": None,
        }
        if offer is not None:
            found |= {"offered": offer.value, "by": offer.seat, "do": offer.do}
            found["offered_words"] = value = self.narrator.value(offer.value)
            who = self.narrator.name(offer.seat)
            found["question"] = self.narrator.say(
                QUESTIONS[offer.do], who=who, asked=self.asked(), value=value
            ).text
        return found

    def hand(self, hand: Hand) -> State:
        """The hand's tricks."""
        return {
            "number": self.match.hand_number,
            "size": hand.size,
            "tricks": [self.trick(hand, number) for number in range(len(hand.tricks))],
            "end": None if hand.end is None else hand.end.value,
            "winner": hand.winner,
        }

    def trick(self, hand: Hand, number: int) -> State:
        """One trick: its cards, who won it, and who gets it where it is spoiled."""
        trick = hand.tricks[number]
        best = {play.seat for play in top_plays(self.rules, trick.plays)} if trick.plays else set()
        return {
            "number": number + 1,
            "leader": trick.leader,
            "cards": [{**self.card(play), "best": play.seat in best} for play in trick.plays],
            "complete": trick.complete,
            "spoiled": trick.spoiled,
            "winner": trick.winner,
            "next_leader": trick.next_leader,
            "note": self.note(hand, number),
        }

    def card(self, play: Play) -> State:
        """A card on the table; without its suit where that was only guessed (V-12)."""
        laid = self._plays[play.card]
        return {
            "seat": play.seat,
            "card": str(play.card),
            "rank": self.narrator.face(play.card),
            "suit": None if is_guessed(laid.event) else play.card.suit,
            "seq": laid.seq,
        }

    def note(self, hand: Hand, number: int) -> str:
        """Who won a trick; of a spoiled one, who has claimed it or still may.

        Of several spoiled tricks that still may be claimed, only the latest one says so.
        """
        trick, *after = hand.tricks[number:]
        if trick.winner is not None:
            return self.narrator.side(trick.winner)
        if not trick.spoiled:
            return ""
        first = first_to_win([trick.winner for trick in hand.tricks])
        if hand.end is End.VOID and first is not None:
            return self.narrator.say("counts for nobody").text
        match self.rules.hand_rule:
            case "claim" if first is not None:
                return self.narrator.say("claimed by {side}", side=self.narrator.side(first)).text
            case "claim" if hand.end is None and not any(one.spoiled for one in after):
                return self.narrator.say("The first side to win a trick will claim it.").text
            case "next_winner" if hand.end is None and trick is hand.tricks[-1]:
                return self.narrator.say(
                    "The spoiled trick goes to the next side that wins one."
                ).text
            case rule if rule in SPOILED_FOR_NOBODY:
                return self.narrator.say("counts for nobody").text
            case _:
                return ""

    def notices(self) -> list[State]:
        """What a table must not overlook: fortial, eleven, the remainder, a foreign card."""
        found: list[State] = []
        if self._foreign:
            found.append({"kind": "foreign", "text": self.foreign()})
        match, hand = self.match, self.match.hand
        short = one_short(self.rules, match.opening_scores)
        if not match.game_over and short:
            if self.rules.fortial:
                kind, one, both = "fortial", N_("Fortial for {side}"), N_("Fortial for both sides")
            elif self.rules.eleven:
                kind, one, both = (
                    "eleven",
                    N_("{side}: one point short"),
                    N_("Both one point short"),
                )
            else:
                return found
            text = both if len(short) == 2 else one
            found.append(
                {
                    "kind": kind,
                    "text": self.narrator.say(text, side=self.narrator.side(short[0])).text,
                }
            )
        if match.in_progress and hand is not None and isinstance(hand.value, str):
            text = self.narrator.say("Whoever wins the hand wins the game.").text
            found.append({"kind": "remainder", "text": text})
        return found

    def foreign(self) -> str:
        """A warning that names the cards which no pack of this game has, each with its event."""
        cards = [
            self.narrator.say("{card} (event {n})", card=self.narrator.card(card), n=seq).text
            for seq, card in self._foreign[:FOREIGN_TOLD]
        ]
        if len(self._foreign) > FOREIGN_TOLD:
            cards.append("…")
        message = N_(
            "This record holds a card from a pack without {ranks}, which this game needs: "
            "{cards}. It counts all the same; correct it, or play on."
        )
        ranks = lacking(self.rules, self._foreign[0][1].suit_system)
        return self.narrator.say(message, ranks=ranks, cards=", ".join(cards)).text

    def call(self) -> str:
        """The latest event in the words in which it is called out."""
        if self.match.event is None:
            return ""
        called = self.announcer.calls(self._before, self.match.event, self.match)
        return " ".join(call.text for call in called if call.text)

    def ended(self) -> State | None:
        """What has just ended, and who has won it: the match, or else a game, or else a hand."""
        ended = self.announcer.ended(self.match)
        return None if ended is None else {**ended._asdict(), "words": ended.words.rstrip(".")}

    def corrected(self) -> str:
        """What the latest correction has changed, until the next event."""
        group = self._events[-1].group if self._events else None
        if group is None:
            return ""
        first = len(self._events)
        while first and self._events[first - 1].group == group:
            first -= 1
        before = replay(self.match.header, self._events[:first])
        called = self.announcer.news(before, self._events[first:], self.match)
        return " ".join(call.text for call in called if call.sound is Sound.CORRECTION)

    def last(self) -> list[Sentence]:
        """The latest event that was not undone, and what followed from it, in sentences."""
        match = self.match
        if match.event is None:
            return []
        return self.narrator.tell(self._before, match.event, match)

    def button(self, event: Event) -> State:
        """A legal event with the words of its button; a ``play`` lacks its card."""
        return {
            "do": event.do,
            "seat": event.seat,
            "words": self.words(event),
            "event": event.to_json(),
        }

    def playable(self) -> list[State]:
        """The ranks of the pack, best first, each with the suits that can still be played.

        A card with a guessed suit leaves all suits of its rank open, until all four cards of the
        rank are on the table (V-2, V-12).
        """
        counted = self.rules.counts_as
        laid = Counter(counted(card).rank for card in self._plays)
        used = {counted(card) for card, one in self._plays.items() if not is_guessed(one.event)}
        suits = suits_of(self.match)
        found = []
        for rank in self.rules.printed:
            cards = [Card(rank, suit) for suit in suits]
            free = [card.suit for card in cards if counted(card) not in used]
            free = free if laid[counted(cards[0]).rank] < len(suits) else []
            found.append({"rank": rank, "printed": self.narrator.face(cards[0]), "suits": free})
        return found

    def words(self, event: Event) -> str:
        """The words of an event's button; those of a raise name its new value (LT-21)."""
        translate = self.narrator.catalogue.gettext
        words = (
            translate(LABELS[event.do]) if event.do in LABELS else event.bare().in_words(translate)
        )
        hand = self.match.hand
        offer = None if hand is None else hand.offer
        if event.do == "deal" and event.cards is not None:
            return self.narrator.say(
                "Dealt: {cards} each", cards=self.narrator.cards(event.cards)
            ).text
        value = self.rules.raising.value_of(event.do)
        if isinstance(value, int):
            words = f"{words} ({value})"
        if event.do == "accept" and offer is not None:
            worth = self.narrator.value(offer.value)
            words = self.narrator.say("{who}: {words}", who=words, words=worth).text
        return capital(words)
