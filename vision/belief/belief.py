"""From tracked cards to events: what was played, by whom, and what has to be asked."""

from __future__ import annotations

from scorekeeper.engine.events import Event
from scorekeeper.engine.said import SUIT
from vision.belief.associations import GONE, RANK_READ, reads_as
from vision.belief.context import Laid, RefereeContext
from vision.belief.deal_detector import DealDetector
from vision.belief.memory import Memory
from vision.belief.next_play import NextPlay
from vision.belief.objects import HandObjects
from vision.belief.opening import TableLook
from vision.belief.out_of_turn import find_thrown_in
from vision.belief.posterior import FOREIGN, meanings
from vision.belief.proposals import Choice, Proposal, Question
from vision.belief.review import Review
from vision.belief.settings import SETTINGS
from vision.belief.words import ask_for_no, ask_for_yes, spoken


class Belief:
    """Decides what is to be written and asked, by what lies there and what the referee expects.

    It has no clock and no camera: time comes with each look.

    Attributes:
        memory: what lies on the table, and what is decided about it.
        opening: how the hand began.
        associations: which play is which card on the table.
        questions: what it asks people now.
        named: number of each card that people named, in an answer or a correction, to its name.
        believed: number of each card of finished hands to its name, if it was surely read so, and
            no other course of its hand was likelier than the written one.
        review: finds what is to be put right in the hand in progress.
    """

    def __init__(self) -> None:
        self.memory = memory = Memory()
        self.opening, self.questions = memory.opening, memory.questions
        self.associations = memory.associations
        self.named, self.believed = memory.named, memory.believed
        self._deals, objects = DealDetector(memory), HandObjects()
        self._next_play = NextPlay(memory, objects)
        self.review = Review(memory, objects)

    def answer(
        self, asked: Question, picked: Choice, expected: RefereeContext, at: float
    ) -> Proposal | None:
        """Takes a person's answer to a question.

        Args:
            asked: the question.
            picked: the answer.
            expected: what the referee expects.
            at: the time, in seconds.

        Returns:
            The event that follows from it: call ``answered`` once it is written. None if no event
            follows.
        """
        word, event, chance, before, _ = picked
        if event is None:
            self._note(asked, word, at, expected)
            return None
        why, instead = "a person has answered", word == "instead"
        return Proposal(event, asked.card, why, chance or 1.0, at, instead, before)

    def answered(self, asked: Question, event: Event, expected: RefereeContext) -> None:
        """Remembers an answer that was written.

        Args:
            asked: the question.
            event: what was written.
            expected: what the referee expected before.
        """
        if event.do == "misdeal" and asked.kind == "exposed" and asked.card is not None:
            self.memory.dismissed[asked.card] = "exposed"
        if event.card is not None and event.seat is not None:
            card = asked.card or self._find_card_of(event, expected)
            self.memory.said_to_count.add(card)
            self.associations.proposed(Laid(event.seat, str(event.card), False), card, fixed=True)
            if asked.kind == "card" and SUIT not in event.remarks:
                self.memory.named[card] = str(event.card)

    def _note(self, asked: Question, word: str, at: float, expected: RefereeContext) -> None:
        """Remembers an answer from which no event follows."""
        memory = self.memory
        if asked.card is not None and asked.kind != "thrown":
            if word == "hold":
                memory.said_to_count.add(asked.card)
            else:
                memory.dismissed[asked.card] = "dropped"
            if word == "no" and asked.card in memory.cards:
                memory.empty_places.append(memory.cards[asked.card].place)
        if asked.kind == "thrown":  # the hand goes on: these cards count, one after the other
            memory.said_to_count |= memory.thrown_in
            memory.thrown_in.clear()
            memory.laid_at_throw_in = None
        if asked.kind in ("thrown", "cleared"):
            memory.not_ended_before = at
        elif asked.kind == "reject":
            memory.said.add(("kept", memory.offer_since))
        elif asked.kind == "deal":  # nothing was dealt: what lies there belongs to no hand
            self.opening.missed = False
            memory.said.add(("nothing dealt", self.opening.signs))
            memory.dismissed.update({card.id: "stale" for card in self._deals.between()})
        elif asked.kind == "unseen":
            memory.said.add(("over", expected.hand, len(expected.laid)))

    def _find_card_of(self, play: Event, expected: RefereeContext) -> int:
        """The card of a play that people named, as nobody saw it; ``GONE`` if none is read so.

        A card that came after the trick was taken away is of the next trick.
        """
        assert play.seat is not None
        laid = Laid(play.seat, str(play.card), SUIT in play.remarks)
        memory, trick = self.memory, self.memory.trick(expected)
        for card in memory.free():
            later = bool(trick) and memory.gathered(card, trick)
            if not later and reads_as(laid, card) > RANK_READ:
                return card.id
        return GONE

    # --- one look ---

    def ask_about_ending(self, at: float, expected: RefereeContext) -> None:
        """Only asks how the hand in progress ended, for the next one was dealt (see ``Clearing``).

        Args:
            at: the time, in seconds.
            expected: what the referee expects.
        """
        self.memory.follow(expected, at)
        self.questions.begin(at)
        self._want_ending(expected)
        if expected.in_trick and expected.due and not self._next_play.is_over(expected):
            self._next_play.want_unseen(expected.due[0], expected)
        self.questions.end()

    def _want_ending(self, expected: RefereeContext) -> None:
        """Asks how the hand in progress ended (V-14)."""
        choices = expected.endings(self.review.shown(expected))
        self.questions.want("cleared", expected.hand, None, choices, None)

    def _want_who_threw_in(self, expected: RefereeContext) -> None:
        """Asks who folded, if cards were thrown in, or shown after the end of the hand (V-14)."""
        memory = self.memory
        # While an answer is awaited, a card that is laid may mean yes: that is asked instead.
        awaited = expected.due_then is not None and not memory.thrown_in
        first = None if awaited else self.review.end_seen(expected)
        thrown_in = expected.open and memory.laid_at_throw_in == expected.laid
        if thrown_in and first is None:
            first = next((card.id for card in memory.faces if card.id in memory.thrown_in), None)
        if thrown_in or first is not None:
            choices = expected.endings(self.review.shown(expected))
            self.questions.want("thrown", None, None, choices, first)

    def see(self, look: TableLook, expected: RefereeContext) -> Proposal | None:
        """Looks at the table.

        If something is proposed, the caller writes it and looks again: with the new expectation,
        and without the changes, which are taken in. It does so until nothing more is proposed.

        Args:
            look: what is seen.
            expected: what the referee expects.

        Returns:
            What is to be written; None if nothing is.
        """
        memory = self.memory
        memory.see(look, expected)
        self.questions.begin(look.at)
        proposal = spoken(memory, expected)
        if proposal is None:
            if not expected.open:
                proposal = self._deals.dealt(expected)
            else:
                proposal = self._deals.dealt_anew(expected)
                proposal = proposal or self._played(expected)
        if expected.open:
            self._count_backs(expected)
            ask_for_no(memory, expected)
            if memory.cleared:
                self._want_ending(expected)
        self._want_who_threw_in(expected)
        if (doubt := self.review.doubt(expected)) is not None:
            about = doubt.laid.seat, doubt.choices, doubt.card, doubt.trick
            self.questions.want("doubted", doubt.place, *about)
        self.questions.end()
        return proposal

    # --- cards ---

    def _played(self, expected: RefereeContext) -> Proposal | None:
        """The next play, if it is sure; asks about cards that may be against the rules."""
        self.memory.excluded.clear()
        if self.opening.begins(self.memory.at):
            return None
        self._next_play.look(expected)
        if not self.memory.words:  # they may end the hand
            find_thrown_in(self.memory, expected)
        self._find_exposed(expected)
        self._find_too_many(expected)
        self._find_foreign(expected)
        if not expected.due:  # an answer is awaited: the card waits too (V-4)
            ask_for_yes(self.memory, expected)
            return None
        return self._next_play.decide(expected, doubted=self.review.doubt(expected) is not None)

    def _find_foreign(self, expected: RefereeContext) -> None:
        """Hints at a card of another pack where the next one is due; it is no play (C-9)."""
        for card in self.memory.waiting(expected):
            read = meanings(card, expected)
            if read.best == FOREIGN and read.sure:
                self.memory.add_hint("wrong_pack", "C-9", expected.due[0], card.id)

    def _find_exposed(self, expected: RefereeContext) -> None:
        """Asks about a card that showed its face in dealing: the deal may be void (V-7)."""
        if expected.laid or not expected.can_misdeal:
            return
        for card in self.memory.free():
            if card.id not in self.opening.exposed or card.id in self.memory.said_to_count:
                continue
            self.memory.excluded.add(card.id)
            lies = self.memory.at - card.appeared
            if lies < SETTINGS.ask_after or not meanings(card, expected).clear:
                continue
            seat = self.memory.owners.zone(card).seat
            event = Event("misdeal")
            self.memory.add_hint("exposed", "V-7", seat, card.id, event)
            if lies < SETTINGS.lead_after:  # people may say so, or take it up, without a question
                continue
            choices = (Choice("misdeal", event), Choice("hold"), Choice("drop"))
            self.questions.want("exposed", card.id, seat, choices, card.id)

    def _count_backs(self, expected: RefereeContext) -> None:
        """Hints at too many or too few backs after the deal (V-6)."""
        opening = self.opening
        if expected.laid or self.memory.at - opening.last_back < SETTINGS.quiet:
            return
        counted = expected.size in opening.most.values()
        for seat, count in sorted(opening.most.items()):
            sure = opening.apart[seat]
            if sure > expected.size + (seat == expected.dealer):  # the dealer's may be the pack
                self.memory.add_hint("too_many_backs", "V-6", seat)
            elif (
                counted
                and 1 < count < expected.size  # one alone may be a heap
                and seat not in opening.heaped | opening.blurred
            ):
                self.memory.add_hint("too_few_backs", "V-6", seat)

    def _find_too_many(self, expected: RefereeContext) -> None:
        """Asks about more cards before a seat, or in all, than can still be played (V-6)."""
        memory = self.memory
        free = [card for card in memory.free() if self._next_play.may_be_play(card, expected)]
        # The first ones may be plays: those that people said count, then those that are well read.
        counts = memory.said_to_count
        free.sort(key=lambda card: (card.id not in counts, not meanings(card, expected).sure))
        for seat in (*range(expected.seats), None):
            own = [card for card in free if seat in (None, memory.owners.owner(card))]
            laid = sum(seat in (None, one.seat) for one in expected.laid)
            room = expected.size * (expected.seats if seat is None else 1) - laid
            for card in own[max(room, 0) :]:
                if card.id in memory.said_to_count:
                    continue
                memory.excluded.add(card.id)
                if memory.at - card.appeared >= SETTINGS.ask_after:
                    memory.add_hint("too_many", "V-6", seat, card.id)
                    choices = (Choice("drop"), Choice("hold"))
                    self.questions.want("too_many", card.id, seat, choices, card.id)
