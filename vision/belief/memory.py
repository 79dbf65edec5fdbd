"""What the belief remembers from one look at the table to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from scorekeeper.engine.events import Event
from vision.belief.associations import RANK_READ, PlayAssociation, PlayAssociations
from vision.belief.context import Laid, RefereeContext
from vision.belief.opening import Opening, is_face
from vision.belief.posterior import meanings
from vision.belief.proposals import BeliefSettings, Hint
from vision.belief.questions import Questions
from vision.geometry.table_plane import Plane, Zone
from vision.tracking.tracked_card import Change, TrackedCard

SEEN_NOW = 0.2
"""A card that is missed no longer than this, in seconds, is seen."""

TAKEN_UP, FORGOTTEN = 1.0, 5.0
"""The cards of a hand are taken up within so many seconds, and missed for sure within as many."""

LAID_DOWN = 0.7
"""The cards of a hand are laid down within so many seconds."""


class Memory:
    """What lies on the table, what is decided about it, and what was said of it.

    Args:
        settings: of the belief.
    """

    def __init__(self, settings: BeliefSettings | None = None) -> None:
        self.settings = settings or BeliefSettings()
        self.opening = Opening(self.settings)
        self.associations = PlayAssociations(self.settings)
        self.questions = Questions()
        self.hand: tuple[int, int, bool, bool] | None = None
        self.at = -math.inf  # of the look
        self.dismissed: dict[int, str] = {}
        self.early_since: dict[int, float] = {}
        self.held: set[int] = set()
        self.barred: set[int] = set()
        self.behind: set[int] = set()
        self._upon: dict[int, frozenset[int]] = {}
        self.thrown_in: set[int] = set()  # laid open at once: somebody lies down
        self.given_up: tuple[Laid, ...] | None = None  # the hand, after these plays
        self.went_on = -math.inf  # until then no hand had ended without a word: people said so
        self.lost: dict[int, TrackedCard] = {}
        self.taken_away: dict[int, TrackedCard] = {}
        self.made_out: dict[int, TrackedCard] = {}  # as a play when they had been taken away
        self.named: dict[int, str] = {}  # by people
        self.believed: dict[int, str] = {}  # of hands that are over
        self._taken_up: list[TrackedCard] = []  # backs, lately
        self.empty_places: list[tuple[float, float]] = []  # where people said that no card lies
        self.lead_card = 0
        self._hidden: set[int] = set()  # what lay there when the hand was opened
        self._done: set[int] = set()  # who has laid to the trick in progress
        self.words: list[tuple[float, Event]] = []
        self.cleared = False  # the table, before anybody has told how the hand ended (V-14)
        self.hints: list[Hint] = []
        self.said: set[tuple[object, ...]] = set()
        self.offer_since = math.nan
        self.plane: Plane
        self.cards: Mapping[int, TrackedCard] = {}
        self.zones: dict[int, Zone] = {}
        self.faces: list[TrackedCard] = []
        self._throwers: dict[int, int | None] = {}

    @property
    def away(self) -> set[int]:
        """Numbers of the cards that are decided to be no play."""
        return set(self.dismissed)

    def note(self, changes: Iterable[Change], at: float, expected: RefereeContext) -> None:
        """Remembers cards that have gone, and forgets what was decided about them."""
        self.at = at
        changes = [change for change in changes if change.kind == "vanished"]
        gone = (change.card for change in changes if change.card.down)
        self._taken_up = [card for card in self._taken_up if at - card.seen < FORGOTTEN] + [*gone]
        for change in changes:
            number = change.card.id
            if (expected.open and self._was_due(change.card, expected)) or (
                not expected.open and self._was_laid(change.card, expected)
            ):
                self.taken_away[number] = change.card
                continue
            if number in self.associations.cards():
                self.lost[number] = change.card
            elif number in self.associations.awaited():
                self.made_out[number] = change.card
            self.associations.taken_back.discard(number)
            self._forget(number)

    def _was_due(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card that was taken away was laid, and nobody has made out yet what it was.

        Played is played (V-5), and what was not read is asked about (V-13).
        """
        number = card.id
        taken = (
            self.associations.cards()
            | self.associations.taken_back
            | self.dismissed.keys()
            | self.thrown_in
        )
        if number in taken:
            return False
        self.zones[number] = zone = self.plane.zone(card.place)
        if any(question.card == number for question in self.questions.all):
            return True  # whoever took it away knows which card it was
        if not zone.inside or sum(meanings(card, expected).ranks.values()) < RANK_READ:
            return False
        due = (
            expected.next_seat is not None
            and number not in self.early_since
            and number not in self.opening.exposed
            and not self._is_among_backs(card)
            and self.is_before(card, expected.next_seat)
            and card.seen - card.since >= self.settings.lay_for
        )
        in_turn = self.held | self.behind  # the one before it is being asked about
        return number in in_turn or due

    def _is_among_backs(self, card: TrackedCard) -> bool:
        """Whether it may be a back that was misread, and goes as the hand is taken up.

        A back that came a while after it says nothing of it: it may be another outline.
        """
        return any(
            other.down
            and other.appeared - card.appeared < LAID_DOWN
            and card.seen - other.seen < TAKEN_UP
            and math.dist(other.place, card.place) < self.settings.beside_cm
            for other in (*self.cards.values(), *self._taken_up)
        )

    def may_be_back(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether it was dealt or lies among backs, and cannot be told: it may be one of them."""
        if card.id not in self._hidden and not self._is_among_backs(card):
            return False
        return not meanings(card, expected).sure

    def _was_laid(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card that was taken away was laid before anybody knew of the deal."""
        return (
            self.opening.between(card)
            and (self.opening.missed or expected.hand > 0)  # else it may be cut for the first deal
            and card.id not in self.dismissed
            and card.id not in self.opening.exposed  # a back that was misread, or was turned up
            and is_face(card, expected)
            and self.plane.zone(card.place).inside
            and card.seen - card.appeared >= self.settings.lay_for
        )

    def keep(self, expected: RefereeContext) -> None:
        """Forgets cards that were taken away where they are decided about, or lie there again."""
        for number, card in list(self.taken_away.items()):
            decided = (
                self.associations.cards() | self.associations.taken_back | self.dismissed.keys()
            )
            again = any(
                other.appeared > card.seen
                and math.dist(other.place, card.place) <= self.settings.again_cm
                and card.alike(other) > RANK_READ
                for other in self.cards.values()
            )
            over = not expected.open and not self.opening.between(card)
            if number in decided or again or over:
                del self.taken_away[number]
                self._forget(number)
                if number in self.associations.cards() | self.associations.awaited():
                    self.made_out[number] = card
        if self.taken_away:
            self.cards = {**self.cards, **self.taken_away}
            zones = {
                number: self.plane.zone(card.place) for number, card in self.taken_away.items()
            }
            self.zones = {**self.zones, **zones}
        faces = (c for n, c in self.cards.items() if not c.down and self.zones[n].inside)
        self.faces = sorted(faces, key=lambda card: (card.appeared, card.id))
        for card in self.faces:
            self._upon[card.id] = self.upon(card) | self._near(card)

    def _forget(self, number: int) -> None:
        for known in (self.dismissed, self.early_since, self._throwers, self._upon):
            known.pop(number, None)
        self.held.discard(number)
        self.behind.discard(number)
        self.thrown_in.discard(number)

    def follow(self, expected: RefereeContext, at: float) -> None:
        """Takes over what the referee knows: a new hand, plays, corrections."""
        before = self.hand
        now = (expected.hand, expected.redeals, expected.playing, expected.open)
        if before is not None and expected.open and now != before:
            dealt_again = before[0] == expected.hand and before[2:] == (True, False)
            if dealt_again or now[:2] > before[:2]:  # and no end that was undone
                self._open(expected)
        self.hand = now
        self._done = {one.seat for one in expected.laid[len(expected.laid) - expected.in_trick :]}
        if not expected.asked and expected.due_then is None:
            self.offer_since = math.nan
        elif math.isnan(self.offer_since):
            self.offer_since = at
        put_right = self.associations.follow(expected, at)
        if len(put_right) == 1:  # of several it may be whose they are that was wrong
            self._learn_from(put_right[0])
        bound = self.associations.cards()
        for number in self.associations.taken_back | bound:
            self.early_since.pop(number, None)
        if len(bound) == len(self.associations.plays):
            return
        free = [
            number
            for number, card in self.cards.items()
            if not card.down
            and number not in bound
            and self.dismissed.get(number) in (None, "dropped")
        ]
        self.associations.bind(self.cards, self.zones, free, expected)
        for number in self.associations.cards() - bound:
            self.dismissed.pop(number, None)  # it was no card, people said, and is one after all

    def _learn_from(self, association: PlayAssociation) -> None:
        """A person says which card it is that was taken for another one.

        That is believed where it looks like that card, too: they may mean one that lies elsewhere.
        """
        card = None if association.card is None else self.known().get(association.card)
        if card is None:
            return
        likest = sorted(card.evidence, key=lambda name: -card.evidence[name])
        by_rank: dict[str, str] = {}
        for name in likest:
            by_rank.setdefault(name[:-1], name)
        rank = association.laid.card[:-1]
        if rank in list(by_rank)[:2]:
            self.named[card.id] = (
                by_rank[rank] if association.laid.guessed else association.laid.card
            )

    def _open(self, expected: RefereeContext) -> None:
        """A hand was dealt: what lay there before belongs to no hand (V-3)."""
        self.early_since.clear()
        self.held.clear()
        self.behind.clear()
        self.thrown_in.clear()
        self.given_up = None
        self.lost.clear()
        self.made_out.clear()
        self.associations.new_hand()
        self.associations.taken_back.clear()
        between = [
            card
            for card in self.cards.values()
            if not card.down and self.opening.between(card) and card.id not in self.dismissed
        ]
        self._hidden.clear()
        for number, card in self.cards.items():
            is_lead = not card.since <= self.opening.last_back
            if not (is_lead and self.is_before(card, expected.leader)):
                self._hidden.add(number)
            leftover = self.is_leftover(card, between)
            before = card not in between or self.opening.before_deal(card, expected)
            foreign = card.best not in expected.pack  # a pack whose back is read as a joker
            if not card.down and (before or leftover or foreign):
                self.dismissed[number] = "stale"

    def is_leftover(self, card: TrackedCard, cards: Iterable[TrackedCard]) -> bool:
        """Whether others came before the same seat at once with it: nobody leads two cards."""
        seat = self.laid_by(card)
        return seat is not None and any(
            other is not card
            and self.laid_by(other) == seat
            and abs(card.appeared - other.appeared) < self.settings.at_once
            for other in cards
        )

    def free(self) -> list[TrackedCard]:
        """The cards face up on the table that nothing is decided about, the earliest first."""
        if not self.faces:
            return []
        taken = (
            self.associations.cards()
            | self.associations.taken_back
            | self.dismissed.keys()
            | self.thrown_in
        )
        return [card for card in self.faces if card.id not in taken]

    def is_before(self, card: TrackedCard, seat: int) -> bool:
        """Whether a card may be this seat's (V-1).

        It is whose it lies before; or else of whoever was seen to throw it; or else, in the middle,
        near a border or thrown onto a card of the hand (V-5), whoever's that is due, unless it was
        another one alone who reached over the table when it came.
        """
        zone = self.zones[card.id]
        if zone.seat == seat and zone.border >= self.settings.border:
            return True
        thrower = self.thrower(card)
        if thrower is not None:
            return thrower == seat
        reacher = self.reacher(card, seat)
        return reacher in (None, seat) and (self.clear_seat(card) is None or self.is_onto(card))

    def waiting(self, expected: RefereeContext) -> list[TrackedCard]:
        """The cards that may be the one that is due, the earliest first."""
        return [
            card
            for card in self.free()
            if expected.due
            and self.is_before(card, expected.due[0])
            and not self.may_be_back(card, expected)
        ]

    def reacher(self, card: TrackedCard, seat: int | None = None) -> int | None:
        """The only seat that reached over the table when a card came to rest, or None.

        Others than ``seat`` that have laid a card to this trick only draw their arms back.
        """
        seats = card.reached - (self._done - {seat})
        return next(iter(seats)) if len(seats) == 1 else None

    def thrower(self, card: TrackedCard) -> int | None:
        """The seat that a card was seen to come from, or None."""
        if card.id not in self._throwers:
            x, y = card.place
            dx, dy = card.came[0] - x, card.came[1] - y
            way = math.hypot(dx, dy)
            seat = None
            if way >= self.settings.way_cm:
                step, zone = 0.0, self.plane.zone(card.place)
                while zone.inside:  # on, to the table's edge
                    seat = None if zone.border < self.settings.border else zone.seat
                    step += 2.0
                    zone = self.plane.zone((x + dx / way * step, y + dy / way * step))
            self._throwers[card.id] = seat
        return self._throwers[card.id]

    def _near(self, card: TrackedCard) -> frozenset[int]:
        """The cards face up that lay near one when it came."""
        return frozenset(
            other.id
            for other in self.faces
            if other is not card
            and other.appeared <= card.appeared <= other.seen + self.settings.gathers
            and math.dist(other.place, card.place) < self.settings.onto_cm
        )

    def upon(self, card: TrackedCard) -> frozenset[int]:
        """Numbers of the cards that one may have been thrown onto, also of those that are gone."""
        return self._upon.get(card.id, frozenset())

    def is_onto(self, card: TrackedCard) -> bool:
        """Whether a card was thrown onto one that was laid in this hand, and is gone perhaps."""
        return not self.upon(card).isdisjoint(self.associations.cards())

    def owner(self, card: TrackedCard) -> int | None:
        """The seat whose card it clearly is, or None: not where it may be thrown onto another."""
        thrower = self.thrower(card)
        if thrower is not None or self.upon(card):
            return thrower
        return self.clear_seat(card)

    def laid_by(self, card: TrackedCard) -> int | None:
        """The seat that threw it, or alone reached over the table for it, or that it lies before.

        For hands whose deal was overlooked: nobody knows which card it may lie on.
        """
        seen = (self.thrower(card), self.reacher(card), self.clear_seat(card))
        return next((seat for seat in seen if seat is not None), None)

    def clear_seat(self, card: TrackedCard) -> int | None:
        """The seat that a card lies clearly before, or None."""
        zone = self.zones[card.id]
        return None if zone.border < self.settings.border else zone.seat

    def trick(self, expected: RefereeContext) -> list[TrackedCard]:
        """The cards of the trick in progress, as they are or were seen last."""
        plays = self.associations.plays[len(self.associations.plays) - expected.in_trick :]
        known = self.known()
        return [known[association.card] for association in plays if association.card in known]

    def known(self) -> dict[int, TrackedCard]:
        """The cards on the table, and those of the hand that have gone, by their numbers."""
        return {**self.lost, **self.cards}

    def gathered(self, card: TrackedCard, trick: Iterable[TrackedCard]) -> bool:
        """Whether a card came when the trick had been taken away: it is of the next one.

        A throw hides the cards of a trick for a shorter time, or lies on one of them.
        """
        return all(
            card.appeared - laid.seen > self.settings.gathers
            and (laid.bare or math.dist(card.place, laid.place) >= self.settings.onto_cm)
            for laid in trick
        )

    def is_clear(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether it is surely a card that may still be laid."""
        read = meanings(card, expected)
        return bool(read.rank) and read.sure

    def is_nothing(self, card: TrackedCard) -> bool:
        """Whether people said before that no card lies there, and nobody saw one come since."""
        return self.thrower(card) is None and any(
            math.dist(place, card.place) <= self.settings.nothing_cm for place in self.empty_places
        )

    def long_ago(self, cards: Iterable[TrackedCard], at: float) -> bool:
        """Whether one of some cards lies there for so long that people may be asked."""
        return any(at - card.appeared >= self.settings.ask_after for card in cards)

    def add_hint(
        self, kind: str, rule: str, seat: int | None, text: str, card: int | None = None,
        event: Event | None = None,
    ) -> None:  # fmt: skip
        """Says something once a hand and card."""
        key = (kind, seat, card, None if self.hand is None else self.hand[0])
        if key not in self.said or kind == "refused":
            self.said.add(key)
            self.hints.append(Hint(kind, rule, seat, text, card, event))
