"""What is called out at a table: a few words and a sound for each event.

The board shows the words and plays the sound; a browser may speak the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from itertools import zip_longest
from typing import NamedTuple

from scorekeeper.engine.agreeing import opens_a_game
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import HOST, WHO
from scorekeeper.engine.state import End, Hand, Match, Phase
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.raises import LONG, SMALL, TWO_LONGS, Value
from scorekeeper.games.scoring import one_short
from scorekeeper.games.tricks import Trick, side_of
from scorekeeper.messages import N_, one_line
from scorekeeper.text.phrases import Voice


class Sound(StrEnum):
    """The sounds that a browser can play with a call."""

    CARD = "card"
    TRICK = "trick"
    SPOILED = "spoiled"
    OFFER = "offer"
    ANSWER = "answer"
    HAND = "hand"
    GAME = "game"
    MATCH = "match"
    CORRECTION = "correction"
    DEAL = "deal"


class Call(NamedTuple):
    """One thing that is called out.

    Attributes:
        text: What is said; empty if the sound is enough.
        sound: The sound that is played with it.
    """

    text: str
    sound: Sound


WORDS: Mapping[str, tuple[str, Sound]] = {
    "cut": (N_("{who} cuts."), Sound.DEAL),
    "tap": (N_("{who} taps: {dealer} chooses."), Sound.DEAL),
    "misdeal": (N_("Misdeal: {dealer} deals again."), Sound.DEAL),
    "i_play": (N_("{who} keeps the cards."), Sound.ANSWER),
    "ask": (N_("New cards are asked for."), Sound.OFFER),
    "grant": (N_("{who} grants new cards."), Sound.ANSWER),
    "refuse": (N_("{who} refuses new cards."), Sound.ANSWER),
    "play_on": (N_("{who} plays on: {value}."), Sound.ANSWER),
    "decline": (N_("{who} declines."), Sound.ANSWER),
    "accept": (N_("{who} accepts: {value}."), Sound.ANSWER),
    "reject": (N_("{who} refuses."), Sound.ANSWER),
    "trut": (N_("{who} truts."), Sound.OFFER),
    "retrut": (N_("{who} retruts."), Sound.OFFER),
    "see": (N_("{who} sees."), Sound.ANSWER),
    "lie_down": (N_("{who} folds."), Sound.ANSWER),
}
"""Verb to words and sound, if they are always the same; ``value`` is the hand's after it."""

OFFERS = {
    "raise": N_("{who} raises to {value}."),
    "remainder": N_("{who} raises to the remainder."),
    "truc": N_("{who} calls truc."),
    "retruc": N_("{who} calls retruc."),
    "put": N_("{who} puts."),
}
"""Verb of an offer to its words; ``value`` is what is offered."""


AT_STAKE: Mapping[Value, str] = {
    SMALL: N_("A Small is at stake."),
    LONG: N_("A Long is at stake."),
    TWO_LONGS: N_("Two Longs are at stake."),
}
"""What a hand is worth, if that is no number of points, to the words for it."""


def author(event: Event) -> str | None:
    """The player who said an event; None if it was the host, or if its remarks do not tell."""
    who = event.remarks.get(WHO)
    return who if isinstance(who, str) and who != HOST else None


class Announcer(Voice):
    """Calls out what happens at a table, as briefly as people do."""

    def calls(self, before: Match, event: Event, after: Match) -> list[Call]:
        """What is called out after an event, in order.

        Args:
            before: The match before it.
            event: The event. For several events of one correction, see ``correction``.
            after: The match after it.
        """
        if event.do == "undo":
            call = self.correction(before, after, author(event))
            return [] if call is None else [call]
        self.name_players(before.seated)
        called = self._event(before, event, after)
        if opens_a_game(before, event):
            called.insert(0, Call(self.say("A new game begins at 0.").text, Sound.DEAL))
        if before.in_progress and not after.in_progress and after.hand is not None:
            called.append(Call(self.result(after.hand), Sound.HAND))
            if after.hand.winner is not None:
                called.append(Call(self._score(after, after.hand.winner), Sound.HAND))
        if before.games_won != after.games_won:
            sound = Sound.GAME if after.winner is None else Sound.MATCH
            called.append(Call(self._games(before, after), sound))
        self.name_players(after.seated)
        return called

    def _event(self, before: Match, event: Event, after: Match) -> list[Call]:
        """What is called out for the event itself, without the end of a hand or a game."""
        if event.do in AGREED:
            return self._agreed(before, event, after)
        match event.do:
            case "deal":
                return [Call(self._opening(after), Sound.DEAL)]
            case "pass":
                return [self._pass(event, after)]
            case "play":
                return self._play(before, event, after)
            case do if do in OFFERS:
                return [*self._accepted(before, event), self._offer(after)]
        message, sound = WORDS[event.do]
        value = 1 if after.hand is None else after.hand.value
        who, dealer = self.name(event.seat), self.name(after.dealer)
        return [
            Call(self.say(message, who=who, dealer=dealer, value=self.value(value)).text, sound)
        ]

    def _agreed(self, before: Match, event: Event, after: Match) -> list[Call]:
        """What the table has agreed on; if it is points, the new score."""
        row = AGREED[event.do]
        if event.points is not None:
            score = self.say("By agreement: {score}.", score=self._by_name(after)).text
            return [Call(score, Sound.HAND)]
        if event.do == "concede":
            given_up = self.say("The hand is given up by {side}.", side=self.side(event.side or 0))
            return [Call(given_up.text, Sound.ANSWER)]
        told = (
            row.sentence_for_nobody
            if event.side is None and row.sentence_for_nobody
            else row.sentence
        )
        sound = Sound.ANSWER
        ended = after.over > before.over or after.game_over > before.game_over
        if ended and after.games_won == before.games_won:
            sound = Sound.MATCH if after.over else Sound.GAME
        return [Call(self.agreed(told, event), sound)] if told else []

    def _opening(self, match: Match) -> str:
        """Who leads, and what is asked once the cards are dealt; the leader comes first (V-10)."""
        leader = self.name(match.first_leader)
        lead = self.say("{who} leads.", who=leader).text
        short = one_short(self.rules, match.scores)
        if match.phase is Phase.FORTIAL:
            return self._fortial(match)
        if match.phase is Phase.ELEVEN:
            return f"{lead} {self._eleven(match)}"
        if len(short) == 2 and self.rules.fortial:
            both = self.say("Both sides are at fortial.").text
            return f"{both} {lead}"
        if len(short) == 2 and self.rules.eleven:
            both = self.say("Both sides are one point short.").text
            return f"{both} {lead}"
        return lead

    def _fortial(self, match: Match) -> str:
        who = match.asked_seats()[0]
        return self.say(
            "Fortial for {side}: only {who} looks.",
            side=self.side(side_of(who)),
            who=self.name(who),
        ).text

    def _eleven(self, match: Match) -> str:
        return self.say(
            "{side} at {points}: play or decline?",
            points=self.rules.target - 1,
            side=self.side(side_of(match.asked_seats()[0])),
        ).text

    def _pass(self, event: Event, after: Match) -> Call:
        passes = self.say("{who} passes.", who=self.name(event.seat)).text
        if after.in_progress:
            asked = self.name(after.asked_seats()[0])
            passes += " " + self.say("Now {who} looks.", who=asked).text
        return Call(passes, Sound.ANSWER)

    def _accepted(self, before: Match, event: Event) -> list[Call]:
        """The yes of the player who was asked, if a card or a higher offer implies it (TS-13)."""
        offer = before.current().offer
        if offer is None or event.seat == offer.seat:
            return []
        who, value = self.name(event.seat), self.value(offer.value)
        return [Call(self.say(WORDS["accept"][0], who=who, value=value).text, Sound.ANSWER)]

    def _offer(self, match: Match) -> Call:
        offer = match.current().offer
        assert offer is not None
        who, value = self.name(offer.seat), offer.value
        return Call(self.say(OFFERS[offer.do], who=who, value=value).text, Sound.OFFER)

    def _play(self, before: Match, event: Event, after: Match) -> list[Call]:
        assert after.hand is not None
        trick = after.hand.tricks[-1]
        return [*self._accepted(before, event), self._trick(trick)]

    def _trick(self, trick: Trick) -> Call:
        if not trick.complete:
            return Call("", Sound.CARD)
        if trick.winner is not None:
            return Call(
                self.say("Trick for {side}.", side=self.side(trick.winner)).text, Sound.TRICK
            )
        spoiled = self.say("Spoiled.").text
        if trick.next_leader is not None:
            spoiled += " " + self.say("{who} leads.", who=self.name(trick.next_leader)).text
        return Call(spoiled, Sound.SPOILED)

    # --- hands, scores and games ---

    def result(self, hand: Hand) -> str:
        """The result of a hand; empty while it is in progress."""
        if hand.end is None:
            return ""
        if hand.award is None or hand.winner is None:
            if hand.end is End.VOID:
                return self.say("The hand is void: nobody scores.").text
            if hand.end is End.DEALT_AGAIN:
                return self.say("The hand is dealt again.").text
            if hand.end is End.ABANDONED:
                return self.say("The hand is not played to its end.").text
            return self.say("The hand is void by agreement.").text
        side = self.side(hand.winner)
        match hand.award.kind:
            case "points":
                points = self.points(hand.award.amount)
                return self.say("Hand for {side}: {points}.", side=side, points=points).text
            case "small":
                return self.say("A Small for {side}.", side=side).text
            case "long" if hand.award.amount == 2:
                return self.say("Two Longs for {side}.", side=side).text
            case _:
                return self.say("A Long for {side}.", side=side).text

    def _score(self, match: Match, first: int) -> str:
        """The score as it is called, one side before the other: ``7 to 5``."""
        ours, theirs = (
            self.rules.counting.short(match.scores[side], self) for side in (first, 1 - first)
        )
        return self.say("{first} to {second}.", first=ours, second=theirs).text

    def _by_name(self, match: Match) -> str:
        """The score with names: ``Ana 7, Bea 5``."""
        return ", ".join(
            f"{self.side(side)} {self.rules.counting.short(match.scores[side], self)}"
            for side in (0, 1)
        )

    def _games(self, before: Match, after: Match) -> str:
        """Who has won a game, and perhaps the match; or that it is open again (LV-5)."""
        if after.games_won == before.games_won:
            return ""
        gained = [side for side in (0, 1) if after.games_won[side] > before.games_won[side]]
        if gained:
            told = self.say("Game for {side}.", side=self.side(gained[0])).text
        elif before.winner is not None and self.header.best_of > 1:
            told = self.say("The match is open again.").text
        else:
            told = self.say("The game is open again.").text
        if self.header.best_of > 1:
            first, second = after.games_won
            told += " " + self.say("Games: {first} to {second}.", first=first, second=second).text
            if after.winner is not None:
                told += (
                    " " + self.say("The match goes to {side}.", side=self.side(after.winner)).text
                )
        return told

    # --- corrections ---

    def correction(self, before: Match, after: Match, who: str | None = None) -> Call | None:
        """What is called out after a correction or an undo.

        Args:
            before: The match before the correction.
            after: The match after all of it.
            who: Who corrected, if it is known.

        Returns:
            The call; None if nothing has changed that is called out, as after a wrong suit.
        """
        told = self.changed(before, after)
        return self.corrected_by(who, told) if told else None

    def changed(self, before: Match, after: Match) -> str:
        """What a correction has changed of all that is called out; empty after a wrong suit."""
        changed = [
            *self._tricks_changed(before, after),
            *self._hands_changed(before, after),
            self._games(before, after),
        ]
        heard = [(self._standings(before), self._standings(after))]
        if after.in_progress:
            number = after.hand_number
            heard.append((self._stake(before, number), self._stake(after, number)))
        heard.append((self._awaited(before), self._awaited(after)))
        changed += [now for was, now in heard if now != was]
        return " ".join(filter(None, changed))

    def corrected_by(self, who: str | None, changes: str) -> Call:
        """The call of a correction, with the name of who corrected, if it is known."""
        if who is None:
            text = self.say("Corrected: {changes}", changes=changes).text
        else:
            text = self.say(
                "Corrected by {who}: {changes}", who=one_line(who), changes=changes
            ).text
        return Call(text, Sound.CORRECTION)

    def _hands_changed(self, before: Match, after: Match) -> list[str]:
        """The first hand that now ends in another way, or not at all; the score tells the rest."""
        hands = zip_longest(before.hands(), after.hands())
        for number, (was, now) in enumerate(hands, 1):
            if was == now:
                continue
            old = "" if was is None else self.result(was)
            new = "" if now is None else self.result(now)
            if old == new:
                continue
            if not new:
                return [self.say("Hand {n} is open again.", n=number).text]
            if number == after.hand_number:
                return [new]
            return [self.say("Hand {n}: {result}", n=number, result=new).text]
        return []

    def _tricks_changed(self, before: Match, after: Match) -> list[str]:
        """The tricks of the latest hand that have another winner, or none any more."""
        old, new = _tricks(before, after.hand_number), _tricks(after, after.hand_number)
        told = []
        for number, (was, now) in enumerate(zip_longest(old, new), 1):
            if now is None:
                over = not after.in_progress  # then nothing else tells of the lost trick
                if before.hand_number == after.hand_number and (before.in_progress or over):
                    told.append(self.say("Trick {n} is open again.", n=number).text)
                break
            if was is not None and was.winner == now.winner:
                continue
            if now.winner is None:
                told.append(self.say("Trick {n} is spoiled.", n=number).text)
            else:
                side = self.side(now.winner)
                told.append(self.say("Trick {n} for {side}.", n=number, side=side).text)
        return told

    def _standings(self, match: Match) -> str:
        return self.say("Score: {score}.", score=self._by_name(match)).text

    def _stake(self, match: Match, number: int) -> str:
        """What a hand is worth, by its number; as at its beginning if it is not dealt yet."""
        hand = _hand(match, number)
        worth = self.rules.raising.worth(hand)
        message = AT_STAKE.get(worth, N_("The hand is worth {value}."))
        return self.say(message, value=self.value(worth)).text

    def _awaited(self, match: Match) -> str:
        """Who has to do what now."""
        hand = match.hand
        match match.phase:
            case Phase.MATCH_OVER:
                return ""
            case Phase.CUT | Phase.HAND_OVER if self.rules.asks_cut:
                return self.say("{who} cuts.", who=self.name(match.cutter)).text
            case Phase.HAND_OVER | Phase.DEALING | Phase.DEAL_SIZE:
                return self.say("{who} deals.", who=self.name(match.dealer)).text
            case Phase.REDEAL_ASK:
                return self.say("{who} leads.", who=self.name(match.first_leader)).text
            case Phase.REDEAL_ANSWER:
                return self.say("New cards are asked for.").text
            case Phase.ELEVEN:
                return self._eleven(match)
            case Phase.FORTIAL:
                return self._fortial(match)
            case Phase.RAISE_ANSWER:
                return self._offer(match).text
            case Phase.TRUT_ANSWER | Phase.FORTIAL_ANSWER:
                assert hand is not None
                message = WORDS["retrut" if hand.retrut else "trut"][0]
                truts = self.say(message, who=self.name(hand.trut)).text
                asked = " / ".join(map(self.name, match.asked_seats()))
                answers = self.say("{who} has to answer.", who=asked).text
                return f"{truts} {answers}"
        assert hand is not None
        on_table = bool(hand.tricks) and not hand.tricks[-1].complete
        message = N_("{who} is on turn.") if on_table else N_("{who} leads.")
        return self.say(message, who=self.name(hand.turn)).text


def _hand(match: Match, number: int) -> Hand | None:
    """A hand of a match by its number, from 1; None if there is none."""
    hands = match.hands()
    return hands[number - 1] if 1 <= number <= len(hands) else None


def _tricks(match: Match, number: int) -> list[Trick]:
    """The complete tricks of a hand, by its number."""
    hand = _hand(match, number)
    return [] if hand is None else [trick for trick in hand.tricks if trick.complete]
