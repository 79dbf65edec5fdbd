"""The dealing assistant: what players do before and in a deal, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.engine.cutting import Cutting
from scorekeeper.engine.events import Event
from scorekeeper.engine.match import can
from scorekeeper.engine.state import Match, Phase
from scorekeeper.games.game import ACE_TO_TWO
from scorekeeper.games.scoring import one_short
from scorekeeper.games.tricks import side_of
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Sentence
from scorekeeper.text.preparing import STAGES, Job, Place, Preparing, State, at, joined, tapped
from scorekeeper.text.rule_sentences import FIRST_DEALS

FIRST_DEAL_BY_CUT = {
    **FIRST_DEALS,
    "any": N_(
        "The table finds the first dealer any way it likes; for instance everybody cuts, the "
        "highest card deals, equal ones cut again."
    ),
}

CUT_ORDERS = {
    True: N_("When cutting, the ace is highest."),
    False: N_("In that cut the cards rank as in play."),
}

ASKS_ONCE = N_("{who} keeps the cards, or asks once for new ones.")
ASKS = N_("{who} keeps the cards, or asks for new ones.")


class Step(NamedTuple):
    """One thing to do.

    Attributes:
        text: What to do.
        seat: Who does it; None for everybody, or for either of two partners.
        state: ``done``; ``now``: before the next event of the match; ``next``: after it.
    """

    text: Sentence
    seat: int | None
    state: State


class Assistant(Preparing):
    """Says what the table does next, from the match alone."""

    def steps(self, match: Match) -> list[Step]:
        """The steps of the deal that is due or under way; empty while a card or answer is due."""
        if match.phase is Phase.MATCH_OVER:
            return self._after_match(match)
        phase = match.phase if match.in_progress else self.opening()
        if phase not in STAGES or phase is Phase.PLAY:
            return []
        asked_in_turn = phase in (Phase.FORTIAL, Phase.FORTIAL_ANSWER)
        here = at(phase, match.current().answered if asked_in_turn else 0)
        if phase is Phase.DEALING and match.in_progress and match.current().asked:
            jobs = self._new_cards(match, here)
        else:
            jobs = self._jobs(match, here)
        return [Step(job.text, job.seat, job.place.state(here)) for job in jobs]

    def misdeal(self, match: Match) -> Sentence | None:
        """What to do if a card is shown in dealing; None if it is too late (V-7)."""
        if not can(match, Event("misdeal")):
            return None
        told = self.say(
            "If a card was shown in dealing, say so: the deal is void, and {who} deals again.",
            "V-7",
            who=self.name(match.dealer),
        )
        if tapped(match.current()):
            told = joined(told, self.choice(match))
        return told

    def first_deal(self, cutting: Cutting) -> list[Step]:
        """The steps of cutting for the first deal, before the match begins."""
        rule = self.cite("first deal")
        begun: State = "done" if cutting.cuts else "now"
        steps = [
            Step(self.packs(), None, begun),
            Step(
                joined(
                    self.say(FIRST_DEAL_BY_CUT[self.rules.first_deal], rule),
                    self.say(CUT_ORDERS[self.rules.cut_order == ACE_TO_TWO]),
                ),
                None,
                begun,
            ),
        ]
        for number, (seats, cuts) in enumerate(cutting.rounds()):
            if number > 0:
                again = self.say(
                    "Equal: {names} cut again.", rule, "L2", names=self.together(seats)
                )
                steps.append(Step(again, None, "done" if cuts else "now"))
            for seat, rank in cuts:
                told = self.say(
                    "{who} cuts: {rank}.", rule, who=self.name(seat), rank=self.rank(rank)
                )
                steps.append(Step(told, seat, "done"))
        for seat in cutting.due:
            told = self.say("{who} cuts.", rule, who=self.name(seat))
            steps.append(Step(told, seat, "now" if seat == cutting.due[0] else "next"))
        if cutting.dealer is not None:
            told = self.say("{who} deals first.", rule, who=self.name(cutting.dealer))
            steps.append(Step(told, cutting.dealer, "now"))
        return steps

    def _jobs(self, match: Match, here: Place) -> Iterator[Job]:
        """All jobs of a deal, including those that are done."""
        if match.in_progress and match.event is not None and match.event.do == "misdeal":
            yield from self.again(match, here)
        else:
            yield from self.prepare(match)
        yield from self.deal(match, here)
        short = one_short(self.rules, match.opening_scores)
        lead = self._lead(match)
        if len(short) == 1 and self.rules.eleven:
            # The leader is named before the choice (V-10).
            yield lead._replace(text=lead.text._replace(rules=("C-4", "V-10")))
            yield self._eleven(short[0])
        if len(short) == 1 and self.rules.fortial:
            yield from self._fortial(match, here)
        if len(short) == 2 and self.rules.eleven:
            told = self.say(
                "Both sides are one point short: nobody is asked, and calls are allowed.", "TS-19"
            )
            yield Job(told, None, at(Phase.PLAY))
        if len(short) == 2 and self.rules.fortial:
            told = self.say(
                "Both sides are at fortial: whoever wins this hand wins the game.", "TR-22"
            )
            yield Job(told, None, at(Phase.PLAY))
        if self.rules.redeal:
            yield from self._redeal(match)
        if not (len(short) == 1 and self.rules.eleven):
            yield lead

    # --- the questions before play ---

    def _lead(self, match: Match) -> Job:
        leader = match.first_leader
        told = self.say("{who} leads the first trick.", "C-4", who=self.name(leader))
        return Job(told, leader, at(Phase.PLAY))

    def _eleven(self, side: int) -> Job:
        """The side that lacks one point decides (TS-18)."""
        told = self.say(
            "{side}: one point to go. Look at your cards, then play for {value} without any "
            "call, or decline: then {declined} for {others}.",
            "TS-18",
            side=self.side(side),
            value=self.points(self.rules.eleven_value),
            declined=self.points(self.rules.declined),
            others=self.side(1 - side),
        )
        return Job(told, side if len(self.names) == 2 else None, at(Phase.ELEVEN))

    def _fortial(self, match: Match, here: Place) -> Iterator[Job]:
        """One after the other looks, and truts or passes; the opponents answer (TR-18 … TR-21)."""
        members = match.fortial_members()
        truter = match.current().trut if match.in_progress else None
        if truter is not None:
            yield from self._answers(match, members, truter, here)
            return
        for number, seat in enumerate(members):
            place = at(Phase.FORTIAL, number)
            if place.state(here) == "done":
                yield self._passed(seat)
            elif number == 0:
                told = self.say(
                    "Fortial for {side}: only {who} looks at the cards, and truts or passes.",
                    "TR-18",
                    "TR-19",
                    side=self.side(side_of(seat)),
                    who=self.name(seat),
                )
                yield Job(told, seat, place)
            elif place == here:
                told = self.say(
                    "Now {who} looks too, and truts or passes.", "TR-19", who=self.name(seat)
                )
                yield Job(told, seat, place)
            else:
                told = self.say(
                    "If {first} passes, {who} looks too, and truts or passes.",
                    "TR-19",
                    first=self.name(members[number - 1]),
                    who=self.name(seat),
                )
                yield Job(told, seat, place)
        yield self._face_down(max(here, at(Phase.FORTIAL)))
        told = self.say(
            "If nobody truts, no card is played, and a Small goes to {side}.",
            "TR-21",
            side=self.side(1 - side_of(members[0])),
        )
        yield Job(told, None, at(Phase.FORTIAL_ANSWER))

    def _answers(self, match: Match, members: list[int], truter: int, here: Place) -> Iterator[Job]:
        """After the trut: who sees it, and who may not look yet (TR-10, TR-19, TR-20)."""
        for seat in members[: members.index(truter)]:
            yield self._passed(seat)
        told = self.say(
            "{who} truts at fortial: the opponents must see.", "TR-20", who=self.name(truter)
        )
        yield Job(told, truter, at(Phase.FORTIAL))
        if here.stage != at(Phase.FORTIAL_ANSWER).stage:
            return
        yield self._face_down(here)
        for number, seats in enumerate(match.trut_answerers(truter)):
            who, alone = " / ".join(map(self.name, seats)), seats[0] if len(seats) == 1 else None
            place = at(Phase.FORTIAL_ANSWER, number)
            message = {
                "done": N_("{who} folds."),
                "now": N_("{who} sees the trut, or folds."),
                "next": N_("{who} may still see, if nobody has."),
            }[place.state(here)]
            yield Job(self.say(message, "TR-10", "TR-20", who=who), alone, place)
        told = self.say(
            "Seen: everybody looks, and the hand is played. Not seen: the game for {side}.",
            "TR-20",
            side=self.side(side_of(truter)),
        )
        yield Job(told, None, at(Phase.PLAY))

    def _face_down(self, place: Place) -> Job:
        told = self.say("All other cards stay face down, and nobody looks at them.", "TR-19")
        return Job(told, None, place)

    def _passed(self, seat: int) -> Job:
        told = self.say("{who} passes.", "TR-19", who=self.name(seat))
        return Job(told, seat, at(Phase.FORTIAL))

    # --- new cards (LT-4 … LT-6) ---

    def _new_cards_rule(self) -> str:
        return "L4-2" if len(self.names) == 4 else "LT-4"

    def _redeal(self, match: Match) -> Iterator[Job]:
        """Who may ask for new cards, and who answers."""
        rule = self._new_cards_rule()
        leader, dealer = self.name(match.first_leader), self.name(match.dealer)
        if match.phase is Phase.REDEAL_ANSWER:
            ask = self.say("{who} asks for new cards.", rule, who=leader)
            answer = self.say("{who} grants or refuses them.", rule, who=dealer)
        else:
            ask = self.say(
                ASKS_ONCE if self.rules.new_cards(match.seats) == 1 else ASKS,
                rule,
                "LT-5",
                "LT-6",
                who=leader,
            )
            answer = self.say(
                "If new cards are asked for, {who} grants or refuses them.", rule, who=dealer
            )
        yield Job(ask, match.first_leader, at(Phase.REDEAL_ASK))
        yield Job(answer, match.dealer, at(Phase.REDEAL_ANSWER))

    def _new_cards(self, match: Match, here: Place) -> Iterator[Job]:
        """New cards were granted, and are not dealt yet."""
        rule, who = self._new_cards_rule(), self.name(match.dealer)
        assert match.event is not None
        if match.event.do == "misdeal":
            yield Job(self.say("The deal is void: {who} deals again.", "V-7", who=who), None, here)
            told = self.say(
                "{who} puts the new cards back to the rest of the pack and shuffles it.", who=who
            )
            yield Job(told, match.dealer, here)
        else:
            told = self.say("{who} grants new cards.", rule, who=who)
            yield Job(told, match.dealer, at(Phase.CUT))  # the first place: it is done
            told = self.say("All cards that were dealt go aside, face down.", rule, "A6")
            yield Job(told, None, here)
            told = self.say("The rest of the pack is not shuffled.", rule, "A6")
            yield Job(told, None, here)
        told = self.say(
            "{who} deals {cards} to everybody, from the rest of the pack.",
            rule,
            "A6",
            who=who,
            cards=self.cards(match.current().size),
        )
        yield Job(joined(told, self.order(match)), match.dealer, here)
        yield self._lead(match)

    # --- the end ---

    def _after_match(self, match: Match) -> list[Step]:
        over = self.say("The match is over, without a winner.")
        if match.winner is not None:
            over = self.say("The match is over: it goes to {side}.", side=self.side(match.winner))
        gather = self.say("Gather all cards, and put back those that were taken out.")
        return [Step(over, None, "done"), Step(gather, None, "now")]
