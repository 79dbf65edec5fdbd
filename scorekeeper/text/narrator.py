"""Tells what happened, event by event, in sentences that name the rules that decide.

Explanations, the board's last event and reviews of disputes use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorekeeper.engine.agreeing import opens_a_game
from scorekeeper.engine.events import Event, is_whole
from scorekeeper.engine.said import AGREED_BY
from scorekeeper.engine.state import Match, Phase
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.scoring import one_short
from scorekeeper.games.tricks import side_of
from scorekeeper.messages import N_, one_line
from scorekeeper.text.phrases import Sentence
from scorekeeper.text.verdicts import Verdicts


class Narrator(Verdicts):
    """Tells a match event by event."""

    def tell(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        """What an event was, and all that followed from it.

        Args:
            before: The match before it.
            event: The event; never an ``undo``.
            after: The match after it.
        """
        self.name_players(before.seated)
        if event.do in AGREED:
            told = self._agreed(before, event, after)
        else:
            told = _METHODS[event.do](self, before, event, after)
        if opens_a_game(before, event):
            told.insert(0, self.say("A new game begins at 0.", "LV-5"))
        if after.hand is not None and before.in_progress and not after.in_progress:
            told += self.hand_end(before, after, after.hand)
        told += self.game_end(before, after) + self._who_agreed(event)
        self.name_players(after.seated)
        return told

    # --- before play ---

    def _cut(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [self.say("{who} cuts the pack.", "TS-3", who=self.name(event.seat))]

    def _tap(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [
            self.say(
                "{who} taps the pack: {dealer} chooses how many cards to deal.",
                "TS-3",
                who=self.name(event.seat),
                dealer=self.name(after.dealer),
            )
        ]

    def _deal(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        told = [
            self.say(
                "{who} deals {cards} to everybody.",
                self.cite("deal"),
                who=self.name(event.seat),
                cards=self.cards(event.cards or 0),
            )
        ]
        if after.phase is Phase.ELEVEN:
            told.append(
                self.say(
                    "{side}: one point to go. Before the lead that side looks at its cards, and "
                    "plays or declines.",
                    "TS-18",
                    side=self.side(side_of(after.asked_seats()[0])),
                )
            )
        elif after.phase is Phase.FORTIAL:
            told.append(self._fortial_question(after))
        elif self.rules.eleven and len(one_short(self.rules, after.scores)) == 2:
            told.append(
                self.say(
                    "Both sides are one point short: nobody is asked, and calls are allowed.",
                    "TS-19",
                )
            )
        elif after.current().calls_off == "TR-22":
            told.append(
                self.say(
                    "Both sides are at fortial: whoever wins this hand wins the game.", "TR-22"
                )
            )
        return told

    def _fortial_question(self, after: Match) -> Sentence:
        asked = after.asked_seats()[0]
        return self.say(
            "Fortial for {side}: only {who} looks at the cards, and truts or passes.",
            "TR-18",
            "TR-19",
            side=self.side(side_of(asked)),
            who=self.name(asked),
        )

    def _misdeal(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [
            self.say("The deal is void: {who} deals again.", "V-7", who=self.name(after.dealer))
        ]

    def _i_play(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [self.say("{who} plays with these cards.", "LT-6", who=self.name(event.seat))]

    def _ask(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [self.say("{who} asks for new cards.", "LT-4", who=self.name(event.seat))]

    def _grant(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [
            self.say(
                "{who} grants them: everybody gets new cards from the rest of the pack.",
                "LT-4",
                who=self.name(event.seat),
            )
        ]

    def _refuse(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [
            self.say(
                "{who} refuses: these cards are played, and nobody asks again in this hand.",
                "LT-4",
                "LT-5",
                who=self.name(event.seat),
            )
        ]

    def _play_on(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [
            self.say(
                "{who} says that the side plays: the hand is worth {value}, and nobody calls.",
                "TS-18",
                who=self.name(event.seat),
                value=self.value(after.current().value),
            )
        ]

    def _decline(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        return [self.say("{who} declines for the side.", "TS-18", who=self.name(event.seat))]

    def _pass(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        told = [self.say("{who} passes.", "TR-19", who=self.name(event.seat))]
        if after.in_progress:
            partner = self.name(after.asked_seats()[0])
            told.append(self.say("Now {who} looks too, and truts or passes.", "TR-19", who=partner))
        return told

    # --- calls and answers ---

    def _offer(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        """A raise or another call, which may also accept the call before it."""
        offer = after.current().offer
        assert offer is not None
        who, value = self.name(event.seat), self.value(offer.value)
        told = []
        if before.phase is Phase.RAISE_ANSWER:
            told.append(
                self.say(
                    "{who} accepts {value} and raises again at once.",
                    self.cite("counter"),
                    who=who,
                    value=self.value(after.current().value),
                )
            )
        match event.do:
            case "truc":
                told.append(self.say("{who} calls truc: {value}.", "TS-10", who=who, value=value))
            case "retruc":
                told.append(
                    self.say(
                        "{who} calls retruc: {value}.", self.cite("retruc"), who=who, value=value
                    )
                )
            case "put":
                told.append(self.say("{who} puts: {value}.", "PU-5", who=who, value=value))
            case "remainder":
                told.append(self.say("{who} offers to play for the remainder.", "LT-17", who=who))
            case _:
                told.append(
                    self.say("{who} offers to play for {value}.", "LT-11", who=who, value=value)
                )
        if before.current().late_caller == event.seat != before.current().turn:
            told.append(
                self.say(
                    "The call is in time: right after the caller's own card.",
                    self.cite("late call"),
                )
            )
        return told

    def _answerer(self) -> str:
        """The id of the rule on who answers an offer."""
        return self.cite("answer of four" if len(self.names) == 4 else "answer")

    def _accept(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        value = after.current().value
        told = [
            self.say(
                "{who} accepts: the hand is worth {value}.",
                self._answerer(),
                self.cite("accept"),
                who=self.name(event.seat),
                value=self.value(value),
            )
        ]
        if isinstance(value, str):
            told.append(self.say("Whoever wins the hand wins the game.", self.cite("remainder")))
        return told

    def _reject(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        who = self.name(event.seat)
        return [self.say("{who} refuses the offer.", self._answerer(), who=who)]

    def _trut(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        who = self.name(event.seat)
        if after.phase is Phase.FORTIAL_ANSWER:
            return [self.say("{who} truts at fortial: the opponents must see.", "TR-20", who=who)]
        if event.seat != after.current().turn:
            return [self.say("{who} truts, out of turn, as anybody may.", "TR-8", who=who)]
        return [self.say("{who} truts.", "TR-8", who=who)]

    def _retrut(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        message = N_("{who} retruts.")
        if before.phase is Phase.TRUT_ANSWER:
            message = N_("{who} sees the trut and retruts.")
        return [self.say(message, "TR-24", who=self.name(event.seat))]

    def _see(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        who = self.name(event.seat)
        if after.current().retrut:
            return [self.say("{who} sees: two Longs are at stake.", "TR-10", "TR-24", who=who)]
        return [self.say("{who} sees: a Long is at stake.", "TR-10", "TR-14", who=who)]

    def _lie_down(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        told = [self.say("{who} folds.", "TR-10", who=self.name(event.seat))]
        if after.in_progress:
            asked = self.name(after.asked_seats()[0])
            told.append(self.say("{who} may still see.", "TR-10", who=asked))
        return told

    # --- cards ---

    def _play(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        assert event.card is not None
        assert after.hand is not None
        who, offer = self.name(event.seat), before.current().offer
        told = [self.say("{who} plays {card}.", who=who, card=self.card(event.card))]
        if offer is not None and event.seat != offer.seat:
            told.append(
                self.say(
                    "That accepts the offer: the hand is worth {value}.",
                    "TS-13",
                    value=self.value(offer.value),
                )
            )
        elif offer is not None:
            told.append(self.say("The offer still waits for its answer.", "TS-13"))
        if after.hand.tricks[-1].complete:
            told += self.trick_end(after.hand)
        return told

    # --- by agreement of the table ---

    def _agreed(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        row = AGREED[event.do]
        nobody = event.side is None and row.sentence_for_nobody
        if event.points is not None:
            told = self._score_changed(before, event, after)
        elif row.sentence:
            told = [
                Sentence(
                    self.agreed(row.sentence_for_nobody if nobody else row.sentence, event),
                    (row.rule,),
                )
            ]
        else:
            told = []  # the end of the hand says it all
        if event.note is not None:
            told.append(self.say("Reason: {note}.", note=one_line(event.note)))
        return told

    def _score_changed(self, before: Match, event: Event, after: Match) -> list[Sentence]:
        """How much was really given or taken: it stops at 0, and when the game is won."""
        assert event.side is not None
        assert event.points is not None
        base = before.opening_scores if event.do == "award" else before.scores
        was, now = base[event.side], after.scores[event.side]
        counting = self.rules.counting
        total = abs(counting.amount_of(now) - counting.amount_of(was))
        if event.points and event.do != "award":
            changed = zip(counting.columns, divmod(total, counting.parts), strict=False)
            parts = [self.counted(column, n) for column, n in changed if n]
            amount = ", ".join(parts) or self.counted(counting.columns[0], 0)
        else:
            amount = counting.amount(total, self)
        given = N_("By agreement {amount} for {side}.")
        taken = N_("By agreement {amount} taken from {side}.")
        less = event.points < 0 or (event.smalls or 0) < 0
        side = self.side(event.side)
        told = [self.say(taken if less else given, AGREED[event.do].rule, amount=amount, side=side)]
        lost = self.smalls_lost(before, after, 1 - event.side)
        if sum(after.games_won) < sum(before.games_won):
            told.append(self.say("The game goes on.", AGREED[event.do].rule))
        return [*told, *lost, self.standings(after)]

    def _who_agreed(self, event: Event) -> list[Sentence]:
        """Who agreed to an event, if its remarks say so."""
        seats = event.remarks.get(AGREED_BY)
        if event.do not in AGREED or not isinstance(seats, list):
            return []
        if not all(is_whole(seat) and 0 <= seat < len(self.names) for seat in seats):
            return []
        if not seats:
            return [self.say("The host decided.")]
        return [self.say("Agreed by {who}.", who=", ".join(map(self.name, seats)))]


_METHODS: Mapping[str, Callable[[Narrator, Match, Event, Match], list[Sentence]]] = {
    "cut": Narrator._cut,
    "tap": Narrator._tap,
    "deal": Narrator._deal,
    "misdeal": Narrator._misdeal,
    "i_play": Narrator._i_play,
    "ask": Narrator._ask,
    "grant": Narrator._grant,
    "refuse": Narrator._refuse,
    "play": Narrator._play,
    "raise": Narrator._offer,
    "remainder": Narrator._offer,
    "truc": Narrator._offer,
    "retruc": Narrator._offer,
    "put": Narrator._offer,
    "accept": Narrator._accept,
    "reject": Narrator._reject,
    "trut": Narrator._trut,
    "retrut": Narrator._retrut,
    "see": Narrator._see,
    "lie_down": Narrator._lie_down,
    "pass": Narrator._pass,
    "play_on": Narrator._play_on,
    "decline": Narrator._decline,
}
"""Verb to the method that tells its events."""
