"""The next play: which of the cards that are not written yet it is, and whether that is sure.

All explanations of these cards are weighed (``vision.belief.explainer``), while all that is written
stands. The play is written if any other explanation is so unlikely that a question would cost more
(``vision.belief.costs``). Else the table waits, and asks in the end (V-13).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from scorekeeper.engine.said import is_guessed
from vision.belief.associations import RANK_READ, reads_as
from vision.belief.context import Laid, RefereeContext, unseen_plays
from vision.belief.costs import WRONG_SEAT, chance_of, odds
from vision.belief.explainer import Explainer
from vision.belief.hypotheses import Outlook, Play, outlook
from vision.belief.likelihoods import USUAL, stated
from vision.belief.memory import SEEN_NOW, Memory
from vision.belief.objects import HandObjects
from vision.belief.opening import SURELY
from vision.belief.out_of_turn import is_early
from vision.belief.posterior import is_sure, meanings, play_of
from vision.belief.proposals import Choice, Proposal
from vision.belief.settings import SETTINGS
from vision.belief.words import waiting_since
from vision.packs import index_order
from vision.tracking.tracked_card import TrackedCard

SURE_OF_TURN = chance_of(odds(WRONG_SEAT))
"""From this probability on, 0–1, it is certain enough that a card is the next play."""

LIKELY = 0.5
"""From this probability on, 0–1, something counts as likelier than not."""

EVERY = 0.2
"""Seconds between two looks that weigh the cards, while none comes or goes and nothing is said."""

WORTH_NAMING = 0.02
"""Among the answers to a question, ranks that are at least so likely, 0–1, come first, the
likeliest one first. All others follow in the order of the ranks."""


class NextPlay:
    """Decides about the cards that are not written yet.

    Args:
        memory: what lies on the table, and what is decided about it.
        objects: the objects that the hypotheses explain.
    """

    def __init__(self, memory: Memory, objects: HandObjects) -> None:
        self._memory, self._objects = memory, objects
        self._outlook: Outlook = Outlook({}, {}, {})
        self._news: object = None
        self._next = -math.inf

    # --- what the cards mean ---

    def look(self, expected: RefereeContext) -> None:
        """Weighs what the cards mean that are not written yet, if anything may have changed.

        Args:
            expected: what the referee expects.
        """
        memory = self._memory
        self._rebind_to_answer(expected)
        new = {card.id for card in memory.free() if not memory.may_be_back(card, expected)}
        news = (expected.seq, new, memory.associations.cards())
        if news == self._news and memory.at < self._next:
            return
        self._news, self._next = news, memory.at + EVERY
        if not new:
            self._outlook = Outlook({}, {}, {})
            return
        self._objects.see(memory)
        plays = self._written(expected)
        bound = {play.object for play in plays if play.object is not None}
        objects = self._objects.now(new | bound)
        explainer = Explainer(expected.match, objects, not_ended_before=math.inf)
        self._outlook = outlook(explainer.follow(plays, new), len(plays))
        self._bind_seen_again(new)

    def _written(self, expected: RefereeContext) -> list[Play]:
        """The plays that are written, as the hypotheses have them."""
        known, plays = self._objects.cards(), list[Play]()
        for play in self._memory.associations.plays:
            card = None if play.card is None else known.get(play.card)
            number, looks, guessed = None, "", play.laid.guessed
            if card is not None:
                number = card.id
                same_rank = card.best[:-1] == play.laid.card[:-1]
                if guessed and same_rank and card.best in expected.pack:  # its suit may be read now
                    looks, guessed = card.best, card.chances()[card.best] < SURELY
            plays.append(Play(play.laid.seat, play.laid.card, number, 0.0, looks, guessed))
        return plays

    def _bind_seen_again(self, new: Iterable[int]) -> None:
        """Binds a play to another tracked card, if that is surely the same card again (V-2)."""
        memory = self._memory
        plays = {play.card: play for play in memory.associations.plays}
        for number in new:
            for laid, chance in self._outlook.same.get(number, {}).items():
                other = memory.cards.get(laid)
                if laid not in plays or chance < SURE_OF_TURN:
                    continue
                if other is not None and other.missing <= SEEN_NOW:
                    continue  # both are seen: it is outlined twice
                if other is not None:
                    memory.dismissed[laid] = "moved"
                play = plays.pop(laid)
                play.card, play.earlier = number, (*play.earlier, laid)

    def _rebind_to_answer(self, expected: RefereeContext) -> None:
        """Binds a play to the card that people meant, if they were asked about another one (V-11).

        The table may ask about something that is no card, or about the later of two cards. People
        answer with the card that was really laid, which lies elsewhere.
        """
        memory = self._memory
        known = {**memory.recognized_late, **memory.known()}
        for association in memory.associations.plays:
            asked = None if association.card is None else known.get(association.card)
            if asked is None or reads_as(association.laid, asked) > RANK_READ:
                continue
            for card in memory.free():
                recent = (
                    card.since - asked.since >= -SETTINGS.by_hand_within
                    and card.since - association.at <= SETTINGS.ask_after
                )
                own = memory.owners.may_be_of(card, association.laid.seat)
                if recent and own and reads_as(association.laid, card) > RANK_READ:
                    if not meanings(asked, expected).clear:
                        memory.dismissed[asked.id] = "dropped"
                    association.card = card.id
                    break

    def may_be_play(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card is likely a play that is not written yet.

        A card that is surely read counts as one even if the hypotheses take it for no card.
        """
        unexplained = ("none",) if meanings(card, expected).clear else ()
        return self._outlook.chance(card.id, "next", "play", "waits", *unexplained) >= LIKELY

    # --- what is decided ---

    def decide(self, expected: RefereeContext, *, doubted: bool) -> Proposal | None:
        """Proposes the next play, if it is sure; asks about it if that takes too long.

        Args:
            expected: what the referee expects.
            doubted: whether people are asked about an earlier play: if that one is wrong, a card
                that seems to be early may be on turn.

        Returns:
            The play; None if it is not sure, or if no card is likely the next play.
        """
        memory, seat = self._memory, expected.due[0]
        free = self._candidates(seat, expected)
        first, turn, lies = self._likeliest(free, seat)
        unseen = first is None and not self.is_over(expected) and self._outlook.unseen >= LIKELY
        early = False  # whether a card lies there that seems to be early
        for card in free:
            waits = card is not first and self._waits(card)
            if waits and (lies or unseen):  # the card before it is not known yet
                memory.queued.add(card.id)
            elif waits and not doubted:
                early |= is_early(memory, card, expected)
        if unseen and memory.long_ago(free):
            self.want_unseen(seat, expected)
        if first is None:
            self._ask_about_backs(seat, expected)
            return None
        ranks = self._outlook.ranks.get(first.id, {})
        if memory.thrown_in:  # the hand may be over: people are asked about that first
            return None
        if turn >= SURE_OF_TURN and is_sure(ranks.values()):
            return self._propose(first, seat, max(ranks, key=ranks.__getitem__), expected)
        if turn >= SURE_OF_TURN or memory.owners.laid_by(first) in (None, seat):
            patience = SETTINGS.ask_after * (1 if lies else 2)
            late = memory.at - first.appeared >= patience or first.id in memory.taken_away
            if late and not (early and not lies) and not memory.drop_at_empty_place(first):
                self._ask_which(first, seat, self._ranks_of(free), expected)
        elif not doubted:
            is_early(memory, first, expected)
        return None

    def _candidates(self, seat: int, expected: RefereeContext) -> list[TrackedCard]:
        """The cards that may be the next play; asks which card it was if it went with its trick."""
        memory = self._memory
        said = waiting_since(memory, expected)
        free = [
            card
            for card in memory.free()
            if card.id in memory.said_to_count
            or not (
                (card.watched and card.laid > said)
                or card.id in memory.excluded
                or memory.may_be_back(card, expected)
            )
        ]
        # A card that was held until its seat is due may have been taken away with the trick.
        trick = memory.trick(expected) + [
            card for number, card in memory.taken_away.items() if number in memory.said_to_count
        ]
        if self._was_taken_unwatched(expected):
            if memory.at - memory.opening.watched_since >= SETTINGS.unseen_after:
                self.want_unseen(seat, expected)
            return []
        gone = trick and all(card.missing > SEEN_NOW for card in trick)
        if gone and not self.is_over(expected):
            free = [card for card in free if not memory.gathered(card, trick)]
            if not any(memory.owners.may_be_of(card, seat) for card in free):
                self._ask_for_unseen(seat, trick, expected)
        return free

    def _was_taken_unwatched(self, expected: RefereeContext) -> bool:
        """Whether the trick in progress was taken away before the first look, as in a restart."""
        memory, known = self._memory, self._memory.known()
        plays = memory.associations.plays
        trick = plays[len(plays) - expected.in_trick :]
        return (
            any(math.isinf(play.at) for play in trick)
            and not any(play.card in known for play in trick)
            and not self.is_over(expected)
        )

    def _waits(self, card: TrackedCard) -> bool:
        """Whether a card is likely not the next play, but early, a later play, or no card."""
        return self._outlook.chance(card.id, "waits", "play", "none") >= LIKELY

    def _likeliest(
        self, cards: Sequence[TrackedCard], seat: int
    ) -> tuple[TrackedCard | None, float, bool]:
        """The likeliest next play of some cards; None if none is it.

        Returns:
            That card; how likely it is the next play, 0–1; and whether the next play likely lies
            there, for it is this card, or surely one of them all.
        """
        owners = self._memory.owners
        for card in cards:
            is_its = owners.may_be_of(card, seat) or owners.laid_by(card) == seat
            if is_its and card.id in self._memory.said_to_count:
                return card, 1.0, True  # people have said that it counts when its seat is due
        chances = {card.id: self._outlook.chance(card.id, "next") for card in cards}
        if sum(chances.values()) < LIKELY:
            return None, 0.0, False
        first = max(cards, key=lambda card: round(chances[card.id], 2))  # if alike, the earlier one
        turn, total = chances[first.id], sum(chances.values())
        return first, turn, turn >= LIKELY or total >= SURE_OF_TURN

    def _ranks_of(self, cards: Iterable[TrackedCard]) -> Mapping[str, float]:
        """How likely the next play has each rank, 0–1, whichever of some cards it is."""
        ranks = Counter[str]()
        for card in cards:
            ranks.update(self._outlook.ranks.get(card.id, {}))
        return ranks

    def _propose(
        self, card: TrackedCard, seat: int, rank: str, expected: RefereeContext
    ) -> Proposal:
        """Proposes a card's play; once it is written, it is bound to that card."""
        memory = self._memory
        event = play_of(card, seat, rank, expected)
        chance = stated(card.of_rank(rank), memory.owners.side(card, seat), USUAL)
        memory.associations.proposed(Laid(seat, str(event.card), is_guessed(event)), card.id)
        why = f"{rank} came, and seat {seat} is due ({chance:.1%})"
        return Proposal(event, card.id, why, chance, card.laid)

    # --- what is asked ---

    def _ask_which(
        self, card: TrackedCard, seat: int, ranks: Mapping[str, float], expected: RefereeContext
    ) -> None:
        """Asks which rank a card has; never about a suit alone (V-12, V-13)."""
        order = sorted((r for r in ranks if ranks[r] >= WORTH_NAMING), key=lambda r: -ranks[r])
        others = {name[:-1] for name in expected.possible} - {*order}
        choices = [  # all ranks, for the readings may all be wrong
            Choice(
                "play",
                play_of(card, seat, rank, expected),
                ranks.get(rank, 0.0),
            )
            for rank in [*order, *sorted(others, key=index_order)]
        ]
        questions = self._memory.questions
        questions.want("card", card.id, seat, (*choices, Choice("no")), card.id)

    def _ask_about_backs(self, seat: int, expected: RefereeContext) -> None:
        """Asks about a card that is hardly read, if nothing else has come for long.

        No other card waits for the answer: if backs are read badly, many such cards lie there.
        """
        memory, patience = self._memory, SETTINGS.nobody_after
        for card in memory.free():
            asked = {q.kind for q in memory.questions.all if q.card == card.id}
            if asked & {"exposed", "early"} or not memory.owners.may_be_of(card, seat):
                continue
            late = memory.at - max(card.appeared, memory.associations.latest) >= patience
            still = "card" in asked and card.id in memory.taken_away  # not answered yet
            if (late or still) and not memory.drop_at_empty_place(card):
                self._ask_which(card, seat, self._outlook.ranks.get(card.id, {}), expected)
                return

    def _ask_for_unseen(
        self, seat: int, trick: list[TrackedCard], expected: RefereeContext
    ) -> None:
        """Asks which card a seat laid, if the camera did not see it in its trick (V-5, V-13).

        People can answer: whoever took the trick away has seen all of its cards.
        """
        memory = self._memory
        left = any(card.id in memory.cards and card.id not in memory.taken_away for card in trick)
        if not left and memory.at - max(card.seen for card in trick) >= SETTINGS.unseen_after:
            self.want_unseen(seat, expected)

    def want_unseen(self, seat: int, expected: RefereeContext) -> None:
        """Asks which card a seat laid that the camera did not see."""
        plays = unseen_plays(expected, seat)
        choices = [Choice("play", event, chance) for event, chance in plays]
        self._memory.questions.want("unseen", seat, seat, (*choices, Choice("no")), None)

    def is_over(self, expected: RefereeContext) -> bool:
        """Whether people said that no other card was laid to this trick."""
        return ("over", expected.hand, len(expected.laid)) in self._memory.said
