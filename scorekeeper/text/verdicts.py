"""Sentences that say who won a trick, a hand, a game or the match, and why."""

from __future__ import annotations

from scorekeeper.engine.state import End, Hand, Match
from scorekeeper.games.tricks import (
    SPOILED_FOR_NOBODY,
    Trick,
    first_to_win,
    one_each_and_spoiled,
    side_of,
    top_plays,
)
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Sentence, Voice


class Verdicts(Voice):
    """The sentences that close a trick, a hand, a game and a match."""

    # --- tricks (1.4, 1.5) ---

    def trick_end(self, hand: Hand) -> list[Sentence]:
        """Who won the hand's latest trick, for whom spoiled ones count, and who leads next."""
        trick = hand.tricks[-1]
        told = [self._taken(trick), *self._spoiled_owner(hand)]
        if trick.next_leader is not None:
            told.append(self._next_lead(trick))
        return told

    def _taken(self, trick: Trick) -> Sentence:
        top = top_plays(self.rules, trick.plays)
        if trick.winner is None:
            partners = len({side_of(play.seat) for play in top}) == 1
            return self.say(
                "Spoiled: {plays} tie for the top.",
                self.cite("spoiled") if partners else "C-11",
                plays=", ".join(f"{self.card(play.card)} ({self.name(play.seat)})" for play in top),
            )
        side = self.side(trick.winner)
        if len(top) == 1:
            return self.say(
                "Trick for {side}: {who}'s {card} is the best card.",
                "C-11",
                side=side,
                card=self.card(top[0].card),
                who=self.name(top[0].seat),
            )
        return self.say(
            "Trick for {side}: both partners hold the best rank, and no opponent does.",
            "C-11",
            side=side,
        )

    def _next_lead(self, trick: Trick) -> Sentence:
        who = self.name(trick.next_leader)
        if trick.winner is not None:
            if len(top_plays(self.rules, trick.plays)) > 1:
                return self.say("{who} played it first and leads the next trick.", "C-12", who=who)
            return self.say("{who} leads the next trick.", self.cite("lead"), who=who)
        rule = self.cite("spoiled lead")
        match self.rules.lead_after_spoiled:
            case "leader":
                return self.say("{who} led the spoiled trick and leads again.", rule, who=who)
            case "last_player":
                return self.say(
                    "{who} played the last card of the spoiled trick and leads.", rule, who=who
                )
            case "spoiler":
                return self.say("{who} made the tie and leads.", rule, who=who)
            case _:
                return self.say("{who} tied first, and leads.", rule, who=who)

    def _spoiled_owner(self, hand: Hand) -> list[Sentence]:
        """For which side spoiled tricks count after the latest trick, by the hand rule (1.6)."""
        winners = [trick.winner for trick in hand.tricks]
        latest, earlier = winners[-1], winners[:-1]
        first, rule = first_to_win(winners), self.cite("result")
        if hand.end is End.VOID and first is not None:
            return []  # ``hand_end`` says it
        match self.rules.hand_rule:
            case "claim" if latest is None and first is not None:
                return [
                    self.say(
                        "The first side to win a trick claims it: {side}.",
                        rule,
                        side=self.side(first),
                    )
                ]
            case "claim" if latest is None and hand.end is None:
                return [self.say("The first side to win a trick will claim it.", rule)]
            case "claim" if latest is not None and earlier and first_to_win(earlier) is None:
                return [
                    self.say(
                        "It is the first trick won, so the spoiled one before it is claimed too.",
                        rule,
                    )
                ]
            case "next_winner" if latest is None and hand.end is None:
                return [self.say("The spoiled trick goes to the next side that wins one.", rule)]
            case "next_winner" if latest is None and first is not None:
                return [
                    self.say(
                        "No later trick was won, so it goes to the first side to win one: {side}.",
                        rule,
                        side=self.side(first),
                    )
                ]
            case "next_winner" if latest is not None and earlier and earlier[-1] is None:
                return [self.say("The spoiled trick just before goes with it.", rule)]
            case rule_of_hand if latest is None and rule_of_hand in SPOILED_FOR_NOBODY:
                return [self.say("A spoiled trick counts for nobody.", rule)]
            case _:
                return []

    # --- the hand (1.6) ---

    def hand_end(self, before: Match, after: Match, hand: Hand) -> list[Sentence]:
        """Why a hand ended, what its winner scores, and the new score."""
        told = [self._why(hand)]
        won = [trick.winner for trick in hand.tricks].count(hand.winner)
        if hand.end is End.DECIDED and len(hand.tricks) < hand.size and won < 2:
            told.append(self._why_so_early())
        if hand.award is not None:
            told += self._awarded(before, after, hand)
        return [*told, self.standings(after)]

    def _why_so_early(self) -> Sentence:
        """Why the hand is decided although its winner has won a single trick (C-13)."""
        rule = self.cite("early end")
        match self.rules.hand_rule:
            case "majority":
                return self.say(
                    "Even with equal tricks, the dealer's opponents win the hand.", rule
                )
            case "first_trick":
                return self.say(
                    "Even with equal tricks, the side that won one first wins the hand.", rule
                )
            case _:
                return self.say("Two tricks are enough.", rule)

    def _why(self, hand: Hand) -> Sentence:
        match hand.end:
            case End.DECIDED:
                return self._why_decided(hand)
            case End.CONCEDED if hand.winner is not None:
                return self.say(
                    "The hand is given up by {side}: the other side scores what was at stake.",
                    "V-15",
                    side=self.side(1 - hand.winner),
                )
            case End.VOID if self._third_spoiled(hand):
                return self.say(
                    "One trick each and the third spoiled: the hand is void, and nobody scores.",
                    self.cite("third spoiled"),
                )
            case End.VOID if first_to_win([trick.winner for trick in hand.tricks]) is not None:
                return self.say(
                    "Trick and tie, one each and one spoiled: the hand is void, and nobody scores.",
                    self.cite("result"),
                )
            case End.VOID:
                return self.say(
                    "Nobody has won a trick: the hand is void, and nobody scores.",
                    self.cite("result"),
                )
            case End.RAISE_REJECTED:
                return self.say(
                    "The hand is over and scores what it was worth before the offer.",
                    self.cite("reject"),
                )
            case End.LAY_DOWN if hand.retrut:
                return self.say("Nobody sees the retrut: the hand is over.", "TR-24")
            case End.LAY_DOWN:
                return self.say("Nobody sees the trut: the hand is over.", "TR-11")
            case End.FORTIAL_PASSED:
                return self.say("No card is played, and the opponents score.", "TR-21")
            case End.FORTIAL_REFUSED:
                return self.say(
                    "A side that does not see a trut at fortial loses the game.", "TR-20"
                )
            case End.ELEVEN_DECLINED:
                return self.say("No card is played, and the opponents score.", "TS-18")
            case End.DEALT_AGAIN:
                return self.say(
                    "By agreement the deal is void: nobody scores, and the same dealer deals "
                    "again.",
                    "V-18",
                )
            case End.ABANDONED:
                return self.say("This hand is not played to its end: nobody scores.", "V-19")
            case _:
                return self.say("By agreement the hand is void, and nobody scores.", "V-18")

    def _third_spoiled(self, hand: Hand) -> bool:
        """Whether a hand is void because of the option on its third trick (T3)."""
        winners = [trick.winner for trick in hand.tricks]
        return self.rules.third_spoiled == "void" and one_each_and_spoiled(winners)

    def _why_decided(self, hand: Hand) -> Sentence:
        assert hand.winner is not None
        winners = [trick.winner for trick in hand.tricks]
        won, lost = winners.count(hand.winner), winners.count(1 - hand.winner)
        spoiled, side = winners.count(None), self.side(hand.winner)
        rule = self.cite("result")
        if self.rules.hand_rule == "claim" and spoiled:
            return self.say(
                "Hand for {side}: tricks won {won}, claimed {spoiled}, lost {lost}.",
                rule,
                side=side,
                won=won,
                spoiled=spoiled,
                lost=lost,
            )
        if won > lost or self.rules.hand_rule == "next_winner":
            told = N_("Hand for {side}: tricks won {won}, spoiled {spoiled}, lost {lost}.")
            if not spoiled:
                told = N_("Hand for {side}: tricks won {won}, lost {lost}.")
            return self.say(told, rule, side=side, won=won, spoiled=spoiled, lost=lost)
        if self.rules.hand_rule == "first_trick" and won:
            return self.say(
                "Hand for {side}: equal tricks go to the side that won one first.", rule, side=side
            )
        return self.say(
            "Hand for {side}: equal tricks go to the dealer's opponents.", rule, side=side
        )

    def _awarded(self, before: Match, after: Match, hand: Hand) -> list[Sentence]:
        """What the hand's winner scores, and what the other side loses by it."""
        assert hand.winner is not None
        assert hand.award is not None
        side = self.side(hand.winner)
        match hand.award.kind:
            case "points":
                return self._points_won(hand, side, hand.award.amount)
            case "small":
                rules = {End.LAY_DOWN: "TR-11", End.FORTIAL_PASSED: "TR-21"}
                rule = rules.get(hand.end or End.DECIDED, "TR-13")
                told = [self.say("A Small for {side}.", rule, side=side)]
                if after.scores[hand.winner].points > before.scores[hand.winner].points:
                    told.append(
                        self.say("It is the third: three Smalls turn into a Long.", "TR-15")
                    )
            case "long" if hand.award.amount == 2:
                told = [
                    self.say("Two Longs for {side}, because a retrut was seen.", "TR-24", side=side)
                ]
            case "long":
                told = [self.say("A Long for {side}, because a trut was seen.", "TR-14", side=side)]
                if hand.truts_seen == 2:
                    told.append(self.say("No second Long is needed: the game is won.", "TR-24"))
            case _:
                rule = "TR-20" if hand.end is End.FORTIAL_REFUSED else "TR-22"
                told = [self.say("The game for {side}, scored as a Long.", rule, side=side)]
        return told + self.smalls_lost(before, after, 1 - hand.winner)

    def smalls_lost(self, before: Match, after: Match, side: int) -> list[Sentence]:
        """How many Smalls a side has lost by a Long of the other side; empty if none (TR-16)."""
        lost = before.opening_scores[side].smalls - after.scores[side].smalls
        if lost <= 0:
            return []
        return [
            self.say(
                "The Long costs {side} {smalls}.",
                "TR-16",
                smalls=self.smalls(lost),
                side=self.side(side),
            )
        ]

    def _points_won(self, hand: Hand, side: str, points: int) -> list[Sentence]:
        rules = {
            End.RAISE_REJECTED: self.cite("reject"),
            End.ELEVEN_DECLINED: "TS-18",
            End.DECIDED: self.cite("target"),
            End.CONCEDED: "V-15",
        }
        end = hand.end or End.DECIDED
        told = [self.say("{points} for {side}.", rules[end], points=self.points(points), side=side)]
        if isinstance(hand.value, str) and hand.end in (End.DECIDED, End.CONCEDED):
            told.append(self.say("That was all that was still needed.", self.cite("remainder")))
        elif self.rules.clamp and isinstance(hand.value, int) and points < hand.value:
            told.append(self.say("A score stops at the target.", self.cite("clamp")))
        return told

    # --- the game and the match (LV-5) ---

    def game_end(self, before: Match, after: Match) -> list[Sentence]:
        """Who has won the game and the match, if anybody has."""
        if before.games_won == after.games_won:
            return []
        if sum(after.games_won) < sum(before.games_won):
            return []  # a change of the score, which says itself that the game goes on
        first, second = after.games_won
        winner = 0 if first > before.games_won[0] else 1
        agreed = after.closed is not None and after.closed.agreed
        rule = "V-19" if agreed else self.cite("target")
        told = [self.say("Game for {side}.", rule, side=self.side(winner))]
        if self.header.best_of > 1:
            told.append(self.say("Games: {first} to {second}.", first=first, second=second))
            if after.winner is not None:
                told.append(
                    self.say("The match goes to {side}.", "LV-5", side=self.side(after.winner))
                )
        return told
