"""What the belief remembers from one look at the table to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from scorekeeper.engine.events import Event
from scorekeeper.games.tricks import side_of
from vision.belief.associations import RANK_READ, PlayAssociation, PlayAssociations
from vision.belief.context import Laid, RefereeContext
from vision.belief.opening import Opening, TableLook, is_face
from vision.belief.owners import Owners
from vision.belief.posterior import is_sure, meanings
from vision.belief.proposals import Hint
from vision.belief.questions import Questions
from vision.belief.settings import SETTINGS
from vision.geometry.table_plane import Points
from vision.tracking.tracked_card import Change, TrackedCard

SEEN_NOW = 0.2
"""A card that is missed no longer than this, in seconds, still counts as seen."""

TAKEN_UP, FORGOTTEN = 1.0, 5.0
"""Players take up the cards of a hand within ``TAKEN_UP`` seconds of one another. Backs that have
gone are remembered for ``FORGOTTEN`` seconds: the tracker needs a while to miss all of them."""

LAID_DOWN = 0.7
"""The cards of a hand are laid down within so many seconds of one another."""


class Memory:
    """What lies on the table, what is decided about it, and what was said of it.

    Cards go by their numbers, times are seconds.

    Attributes:
        opening: how the hand began, as far as that was seen.
        associations: which play is which card.
        owners: whose each card is.
        questions: what people are asked.
        at: the time of the look.
        cards: the tracked cards, and those that are ``taken_away``.
        faces: those that do not surely lie face down on the table, the earliest first.
        hints: the hints that are still to be given.
        expected: what the referee expected at the latest look; None before the first.
        dismissed: cards that are no play, and why: ``dropped`` (people said so), ``exposed`` (shown
            in dealing), ``stale`` (they lay there before the hand), ``moved`` (the same card has
            another number now).
        said_to_count: cards of which people said that they count, as soon as their seat is due.
        excluded: cards that this look must not take for a play.
        queued: cards that wait until the card before them is known.
        thrown_in: cards that were laid face up at once: their player folds (V-14).
        laid_at_throw_in: the plays that stood when cards were thrown in; None if none were.
        not_ended_before: no hand ended without a word before this time, for people said that it
            goes on.
        lost: cards of the hand's plays that have gone from the table.
        taken_away: cards that were laid, and taken away before they could be decided about. Until
            they are, they count as lying there.
        recognized_late: cards that became a play only after they had been taken away.
        named: what a card is, as people said; its picture is learned (``vision.pipeline``).
        believed: what a card of a hand that is over surely was; its picture is learned, too.
        empty_places: where people said that no card lies, in centimetres.
        words: what people said, and when; each waits until the rules allow it.
        cleared: whether the table was cleared, and nobody has said how the hand ended (V-14).
        said: the hints that were given, and the answers after which nothing is asked any more: so
            nothing is said or asked twice.
        offer_since: since when an answer is awaited; NaN while none is.
    """

    def __init__(self) -> None:
        self.opening = Opening()
        self.associations = PlayAssociations()
        self.owners = Owners(self.associations)
        self.questions = Questions()
        self.at = -math.inf
        self.cards: Mapping[int, TrackedCard] = {}
        self.faces: list[TrackedCard] = []
        self.hints: list[Hint] = []
        self.expected: RefereeContext | None = None
        self.dismissed: dict[int, str] = {}
        self.said_to_count: set[int] = set()
        self.excluded: set[int] = set()
        self.queued: set[int] = set()
        self.thrown_in: set[int] = set()
        self.laid_at_throw_in: tuple[Laid, ...] | None = None
        self.not_ended_before = -math.inf
        self.lost: dict[int, TrackedCard] = {}
        self.taken_away: dict[int, TrackedCard] = {}
        self.recognized_late: dict[int, TrackedCard] = {}
        self.named: dict[int, str] = {}
        self.believed: dict[int, str] = {}
        self.empty_places: list[tuple[float, float]] = []
        self.words: list[tuple[float, Event]] = []
        self.cleared = False
        self.said: set[tuple[object, ...]] = set()
        self.offer_since = math.nan
        self._outline: Points = np.zeros((0, 2))  # of the table, in centimetres
        self._backs_gone: list[TrackedCard] = []  # those of the last seconds, see ``FORGOTTEN``
        self._hidden: set[int] = set()  # what lay there when the hand began, except its lead

    # --- what lies there ---

    def see(self, look: TableLook, expected: RefereeContext) -> None:
        """Takes in one look at the table, and what the referee knows by then.

        Args:
            look: what is seen.
            expected: what the referee expects.
        """
        if not np.array_equal(self._outline, look.plane.outline):  # old places mean nothing now
            self._outline = look.plane.outline
            self.empty_places.clear()
        self.at, self.cards = look.at, look.cards
        self.owners.plane = look.plane
        self.opening.watch(look, expected, self.dismissed)
        self._note(look.changes, expected)
        self._keep(expected)
        self.follow(expected, look.at)

    def _note(self, changes: Iterable[Change], expected: RefereeContext) -> None:
        """Takes in which cards have gone: forgets them, or keeps them while they are undecided."""
        gone = [change.card for change in changes if change.kind == "vanished"]
        backs = [card for card in gone if card.down]
        self._backs_gone = [c for c in self._backs_gone if self.at - c.seen < FORGOTTEN] + backs
        for card in gone:
            number = card.id
            was_laid = self._was_due if expected.open else self._was_laid_before_deal
            if was_laid(card, expected):
                self.taken_away[number] = card
                continue
            if number in self.associations.cards():
                self.lost[number] = card
            self.associations.taken_back.discard(number)
            self._forget(number)

    def _was_due(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card that was taken away may be a play that is not decided yet.

        Played is played (V-5), and what was not read is asked about (V-13).
        """
        number = card.id
        if number in self._decided() | self.thrown_in:
            return False
        if any(question.card == number for question in self.questions.all):
            return True  # whoever took it away can still answer
        if (
            not self.owners.zone(card).inside
            or sum(meanings(card, expected).ranks.values()) < RANK_READ
        ):
            return False
        due = (
            expected.next_seat is not None
            and number not in self.opening.exposed
            and not self._is_among_backs(card)
            and self.owners.may_be_of(card, expected.next_seat)
            and self.owners.laid_by(card) in (None, expected.next_seat)  # else it was early
            # It may have been pushed by the hand that took it.
            and card.seen - min(card.since, card.appeared) >= SETTINGS.lay_for
        )
        in_turn = self.said_to_count | self.queued  # the one before it is being asked about
        return number in in_turn or due

    def _is_among_backs(self, card: TrackedCard) -> bool:
        """Whether it may be a misread back, for backs lie beside it or went together with it.

        A back that came a while after it says nothing: that may be another outline of this card.
        """
        return any(
            other.down
            and other is not card
            and other.appeared - card.appeared < LAID_DOWN
            and card.seen - other.seen < TAKEN_UP
            and math.dist(other.place, card.place) < SETTINGS.beside_cm
            for other in (*self.cards.values(), *self._backs_gone)
        )

    def may_be_back(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether it may be a misread back: dealt, or lying among backs, and not surely read."""
        if card.id not in self._hidden and not self._is_among_backs(card):
            return False
        return not meanings(card, expected).sure

    def _was_laid_before_deal(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card that was taken away was laid before the deal was known."""
        return (
            self.opening.between(card)
            and (self.opening.missed or expected.hand > 0)  # else people may cut for the deal
            and card.id not in self.dismissed
            and card.id not in self.opening.exposed  # a back that was misread, or was turned up
            and is_face(card, expected)
            and self.owners.zone(card).inside
            and card.seen - card.appeared >= SETTINGS.lay_for
        )

    def _keep(self, expected: RefereeContext) -> None:
        """Settles which cards count as lying there.

        A card that was taken away is forgotten once it is decided about, or lies there again.
        """
        decided = self._decided()
        for number, card in list(self.taken_away.items()):
            again = any(
                other.appeared > card.seen
                and math.dist(other.place, card.place) <= SETTINGS.again_cm
                and card.alike(other) > RANK_READ
                for other in self.cards.values()
            )
            over = not expected.open and not self.opening.between(card)
            if number in decided or again or over:
                del self.taken_away[number]
                self._forget(number)
                if number in self.associations.cards():
                    self.recognized_late[number] = card
        self.cards = {**self.cards, **self.taken_away}
        # To weigh each back anew in each look takes too long: its readings alone have to do.
        faces = (
            card
            for card in self.cards.values()
            if self.owners.zone(card).inside
            and not (card.down and is_sure(card.chances().values()))
        )
        self.faces = sorted(faces, key=lambda card: (card.appeared, card.id))
        self.owners.note_neighbours(self.faces)

    def _decided(self) -> set[int]:
        """Numbers of the cards that are plays, and of those that are surely none."""
        return self.associations.cards() | self.associations.taken_back | self.dismissed.keys()

    def _forget(self, number: int) -> None:
        """Forgets what was decided about a card that has gone."""
        self.owners.forget(number)
        self.dismissed.pop(number, None)
        for some in (self.said_to_count, self.queued, self.thrown_in):
            some.discard(number)

    # --- what the referee knows ---

    def follow(self, expected: RefereeContext, at: float) -> None:
        """Takes over what the referee knows: a new hand, plays, corrections.

        Args:
            expected: what the referee expects.
            at: the time, in seconds.
        """
        before, self.expected = self.expected, expected
        if before is not None and expected.open:
            dealt_again = before.hand == expected.hand and before.playing and not before.open
            later = (expected.hand, expected.redeals) > (before.hand, before.redeals)
            if dealt_again or later:  # else the end of a hand was undone, and it goes on
                self._open(expected)
        if not expected.asked and expected.due_then is None:
            self.offer_since = math.nan
        elif math.isnan(self.offer_since) or (before and _sides(before) != _sides(expected)):
            self.offer_since = at  # a counter-offer is another offer
        self._follow_plays(expected, -math.inf if before is None else at)
        self.owners.cards = self.known()

    def _follow_plays(self, expected: RefereeContext, at: float) -> None:
        """Takes over which plays stand, and looks for the cards of those that have none."""
        put_right = self.associations.follow(expected, at)
        if len(put_right) == 1:  # if several changed, perhaps only their seats were wrong
            self._learn_from(put_right[0])
        bound = self.associations.cards()
        if len(bound) == len(self.associations.plays):
            return
        free = [
            number
            for number, card in self.cards.items()
            if not card.down
            and number not in bound
            and self.dismissed.get(number) in (None, "dropped")
            and (expected.open or not self.opening.between(card))  # else it is of the next hand
        ]
        lying = () if self.opening.begins(self.at) else free
        read = {n for n in lying if self.at - self.cards[n].appeared >= SETTINGS.lay_for}
        self.associations.bind(self.cards, self.owners.zone, free, expected, read=read)
        for number in self.associations.cards() - bound:
            self.dismissed.pop(number, None)  # people said that it is no card; it is one after all

    def _learn_from(self, play: PlayAssociation) -> None:
        """Learns which card it is that was misread, if a person corrected its play.

        Only if it looks like the corrected rank, too: the person may mean a card that lies
        elsewhere.
        """
        card = None if play.card is None else self.known().get(play.card)
        if card is None:
            return
        by_rank: dict[str, str] = {}  # the likeliest card of each rank, the likeliest rank first
        for name in sorted(card.evidence, key=lambda name: -card.evidence[name]):
            by_rank.setdefault(name[:-1], name)
        rank = play.laid.card[:-1]
        if rank in list(by_rank)[:2]:
            self.named[card.id] = by_rank[rank] if play.laid.guessed else play.laid.card

    def _open(self, expected: RefereeContext) -> None:
        """A hand was dealt: what lay there before belongs to no hand (V-3)."""
        self.said_to_count.clear()
        self.queued.clear()
        self.thrown_in.clear()
        self.laid_at_throw_in = None
        self.lost.clear()
        self.recognized_late.clear()
        self.associations.new_hand()
        self.associations.taken_back.clear()
        between = [
            card
            for card in self.cards.values()
            if not card.down and self.opening.between(card) and card.id not in self.dismissed
        ]
        self._hidden.clear()
        for number, card in self.cards.items():
            is_lead = not card.since <= self.opening.last_back  # also if no back was seen: NaN
            if not (is_lead and self.owners.may_be_of(card, expected.order[0])):
                self._hidden.add(number)
            leftover = self.is_leftover(card, between)
            before = card not in between or self.opening.before_deal(card, expected)
            foreign = card.best not in expected.pack  # as a pack whose back is read as a joker
            if not card.down and (before or leftover or foreign):
                self.dismissed[number] = "stale"

    def is_leftover(self, card: TrackedCard, cards: Iterable[TrackedCard]) -> bool:
        """Whether it came at once with other cards of its seat: nobody leads two cards."""
        seat = self.owners.laid_by(card)
        return seat is not None and any(
            other is not card
            and self.owners.laid_by(other) == seat
            and abs(card.appeared - other.appeared) < SETTINGS.at_once
            for other in cards
        )

    # --- which cards may be meant ---

    def free(self) -> list[TrackedCard]:
        """The ``faces`` that nothing is decided about, the earliest first."""
        if not self.faces:
            return []
        decided = self._decided() | self.thrown_in
        return [card for card in self.faces if card.id not in decided]

    def waiting(self, expected: RefereeContext) -> list[TrackedCard]:
        """The cards that may be the one that is due, the earliest first."""
        return [
            card
            for card in self.free()
            if expected.due
            and self.owners.may_be_of(card, expected.due[0])
            and not self.may_be_back(card, expected)
        ]

    def trick(self, expected: RefereeContext) -> list[TrackedCard]:
        """The cards of the trick in progress, as they lie there or were seen last."""
        plays = self.associations.plays[len(self.associations.plays) - expected.in_trick :]
        known = self.known()
        return [known[play.card] for play in plays if play.card in known]

    def known(self) -> dict[int, TrackedCard]:
        """The cards on the table, and those of the hand that have gone, by their numbers."""
        return {**self.lost, **self.cards}

    def gathered(self, card: TrackedCard, trick: Iterable[TrackedCard]) -> bool:
        """Whether a card came after the trick had been taken away: then it is of the next one.

        If its throw only hides the cards of the trick, they are missed for a shorter time, or it
        lies on one of them.
        """
        return all(
            card.appeared - laid.seen > SETTINGS.gathers
            and (laid.bare or math.dist(card.place, laid.place) >= SETTINGS.onto_cm)
            for laid in trick
        )

    def drop_at_empty_place(self, card: TrackedCard) -> bool:
        """Drops a card where people said that no card lies, unless it was seen to come.

        Returns:
            Whether it was dropped.
        """
        nothing = not self.owners.was_seen_coming(card) and any(
            math.dist(place, card.place) <= SETTINGS.nothing_cm for place in self.empty_places
        )
        if nothing:
            self.dismissed[card.id] = "dropped"
        return nothing

    def long_ago(self, cards: Iterable[TrackedCard]) -> bool:
        """Whether one of some cards has lain there for so long that people may be asked."""
        return any(self.at - card.appeared >= SETTINGS.ask_after for card in cards)

    def judged(self, event: Event) -> None:
        """Takes in that a proposed event was written or refused: a word waits no longer then."""
        self.words = [word for word in self.words if word[1] is not event]

    def add_hint(
        self, kind: str, rule: str, seat: int | None, card: int | None = None,
        event: Event | None = None,
    ) -> None:  # fmt: skip
        """Gives a hint, once for each hand and card; see ``Hint``."""
        key = (kind, seat, card, None if self.expected is None else self.expected.hand)
        if key not in self.said:
            self.said.add(key)
            self.hints.append(Hint(kind, rule, seat, card, event))


def _sides(expected: RefereeContext) -> set[int]:
    """The sides of which an answer is awaited."""
    return {side_of(seat) for seat in expected.asked}
