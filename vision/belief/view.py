"""What the umpire keeps in mind from one look at the table to the next."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from scorekeeper.engine.events import Event
from vision.belief.associations import RANK_READ, PlayAssociation, PlayAssociations
from vision.belief.context import Laid, RefereeContext
from vision.belief.opening import Opening, is_face
from vision.belief.posterior import LaidCards, weigh
from vision.belief.proposals import Choice, Hint, UmpireSettings
from vision.belief.questions import Questions
from vision.geometry.table_plane import Plane, Zone
from vision.tracking.tracked_card import Change, TrackedCard

MAY_BE = 0.01
"""Two cards that are the same with this probability may be one."""

SEEN_NOW = 0.2
"""A card that is missed no longer than this, in seconds, is seen."""

TAKEN_UP, FORGOTTEN = 1.0, 5.0
"""The cards of a hand are taken up within so many seconds, and missed for sure within as many."""


class View:
    """What lies on the table, what is decided about it, and what was said of it.

    Args:
        settings: the umpire's amounts.
    """

    def __init__(self, settings: UmpireSettings | None = None) -> None:
        self.settings = settings or UmpireSettings()
        self.opening = Opening(self.settings)
        self.bonds = PlayAssociations(self.settings)
        self.questions = Questions()
        self._hand: tuple[int, bool, bool] | None = None
        self._out: dict[int, str] = {}
        self._early: dict[int, float] = {}
        self._held: set[int] = set()
        self._barred: set[int] = set()
        self._behind: set[int] = set()
        self._onto: set[int] = set()
        self._thrown_in: set[int] = set()  # laid open at once: somebody lies down
        self._given_up: tuple[tuple[Laid, ...], bool] | None = None  # after these plays
        self._lost: dict[int, tuple[TrackedCard, float]] = {}
        self._kept: dict[int, TrackedCard] = {}
        self._made_out: dict[int, TrackedCard] = {}  # as a play when they had been taken away
        self.named: dict[int, str] = {}
        self._taken_up: list[TrackedCard] = []  # backs, lately
        self._nothing: list[tuple[float, float]] = []  # where people said that no card lies
        self._lead = 0
        self._hidden: set[int] = set()  # what lay there when the hand was opened
        self._done: set[int] = set()  # who has laid to the trick in progress
        self._words: list[tuple[float, Event]] = []
        self._endings: Callable[[bool], tuple[Choice, ...]] = lambda shown: ()
        self._hints: list[Hint] = []
        self._said: set[tuple[object, ...]] = set()
        self._offer_since = math.nan
        self._plane: Plane
        self._cards: Mapping[int, TrackedCard] = {}
        self._zones: dict[int, Zone] = {}
        self._faces: list[TrackedCard] = []
        self._throwers: dict[int, int | None] = {}

    @property
    def away(self) -> set[int]:
        """Numbers of the cards that are decided to be no play."""
        return set(self._out)

    def _note(self, changes: Iterable[Change], at: float, expected: RefereeContext) -> None:
        """Remembers cards that have gone, and forgets what was decided about them."""
        changes = [change for change in changes if change.kind == "vanished"]
        gone = (change.card for change in changes if change.card.down)
        self._taken_up = [card for card in self._taken_up if at - card.seen < FORGOTTEN] + [*gone]
        for change in changes:
            number = change.card.id
            if (expected.open and self._was_due(change.card, expected)) or (
                not expected.open and self._was_laid(change.card, expected)
            ):
                self._kept[number] = change.card
                continue
            if number in self.bonds.cards():
                self._lost[number] = (change.card, at)
            elif number in self.bonds.awaited():
                self._made_out[number] = change.card
            self.bonds.taken_back.discard(number)
            self._forget(number)

    def _was_due(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card that was taken away was laid, and nobody has made out yet what it was.

        Played is played (V-5), and what was not read is asked about (V-13).
        """
        number = card.id
        taken = self.bonds.cards() | self.bonds.taken_back | self._out.keys() | self._thrown_in
        if number in taken:
            return False
        self._zones[number] = zone = self._plane.zone(card.place)
        best, _, chances = weigh(card, expected)
        if best is None or best.kind != "play" or chances[best] < RANK_READ or not zone.inside:
            return False
        asked = any(question.card == number for question in self.questions.all)
        due = (
            bool(expected.due)
            and number not in self._early
            and number not in self.opening.exposed
            and not self._is_among_backs(card)
            and self._is_before(card, expected.due[0])
            and card.seen - card.since >= self.settings.lay_for
        )
        in_turn = self._held | self._behind  # the one before it is being asked about
        return asked or number in in_turn or due

    def _is_among_backs(self, card: TrackedCard) -> bool:
        """Whether it may be a back that was misread, and goes as the hand is taken up."""
        return any(
            other.down
            and card.seen - other.seen < TAKEN_UP
            and math.dist(other.place, card.place) < self.settings.beside_cm
            for other in (*self._cards.values(), *self._taken_up)
        )

    def _may_be_back(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether it was dealt or lies among backs, and cannot be told: it may be one of them."""
        if card.id not in self._hidden and not self._is_among_backs(card):
            return False
        best, margin, _ = weigh(card, expected)
        return best is None or margin < self.settings.margin

    def _was_laid(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether a card that was taken away was laid before anybody knew of the deal."""
        return (
            self.opening.between(card)
            and (self.opening.missed or expected.hand > 0)  # else it may be cut for the first deal
            and card.id not in self._out
            and card.id not in self.opening.exposed  # a back that was misread, or was turned up
            and is_face(card, expected)
            and self._plane.zone(card.place).inside
            and card.seen - card.appeared >= self.settings.lay_for
        )

    def _keep(self, at: float, expected: RefereeContext) -> None:
        """Forgets cards that were taken away where they are decided about, or lie there again."""
        for number, card in list(self._kept.items()):
            decided = self.bonds.cards() | self.bonds.taken_back | self._out.keys()
            again = any(
                other.appeared > card.seen
                and math.dist(other.place, card.place) <= self.settings.again_cm
                and card.alike(other) > MAY_BE
                for other in self._cards.values()
            )
            over = not expected.open and not self.opening.between(card)
            if number in decided or again or over:
                del self._kept[number]
                self._forget(number)
                if number in self.bonds.cards() | self.bonds.awaited():
                    self._made_out[number] = card
        if self._kept:
            self._cards = {**self._cards, **self._kept}
            zones = {number: self._plane.zone(card.place) for number, card in self._kept.items()}
            self._zones = {**self._zones, **zones}
        faces = (c for n, c in self._cards.items() if not c.down and self._zones[n].inside)
        self._faces = sorted(faces, key=lambda card: (card.appeared, card.id))

    def _forget(self, number: int) -> None:
        for known in (self._out, self._early, self._throwers):
            known.pop(number, None)
        self._held.discard(number)
        self._behind.discard(number)
        self._onto.discard(number)
        self._thrown_in.discard(number)

    def _follow(self, expected: RefereeContext, at: float) -> None:
        """Takes over what the referee knows: a new hand, plays, corrections."""
        before, now = self._hand, (expected.hand, expected.playing, expected.open)
        if before is not None and expected.open and now != before:
            dealt_again = before[0] == expected.hand and before[1:] == (True, False)
            if dealt_again or expected.hand > before[0]:  # and no end that was undone
                self._open(expected)
        self._hand = now
        self._done = {one.seat for one in expected.laid[len(expected.laid) - expected.in_trick :]}
        if not expected.asked:
            self._offer_since = math.nan
        elif math.isnan(self._offer_since):
            self._offer_since = at
        put_right = self.bonds.follow(expected, at)
        if len(put_right) == 1:  # of several it may be whose they are that was wrong
            self._learn_from(put_right[0])
        bound = self.bonds.cards()
        for number in self.bonds.taken_back | bound:
            self._early.pop(number, None)
        if len(bound) == len(self.bonds.plays):
            return
        free = [
            number
            for number, card in self._cards.items()
            if not card.down and number not in bound and self._out.get(number) in (None, "dropped")
        ]
        self.bonds.bind(self._cards, self._zones, free, expected, at)

    def _learn_from(self, bond: PlayAssociation) -> None:
        """A person says which card it is that was taken for another one.

        That is believed where it looks like that card, too: they may mean one that lies elsewhere.
        """
        card = None if bond.card is None else self._known().get(bond.card)
        if card is None:
            return
        likest = sorted(card.evidence, key=lambda name: -card.evidence[name])
        by_rank: dict[str, str] = {}
        for name in likest:
            by_rank.setdefault(name[:-1], name)
        rank = bond.laid.card[:-1]
        if rank in list(by_rank)[:2]:
            self.named[card.id] = by_rank[rank] if bond.laid.guessed else bond.laid.card

    def _open(self, expected: RefereeContext) -> None:
        """A hand was dealt: what lay there before belongs to no hand (V-3)."""
        self._early.clear()
        self._held.clear()
        self._behind.clear()
        self._thrown_in.clear()
        self._given_up = None
        self._lost.clear()
        self._made_out.clear()
        self.bonds.new_hand()
        self.bonds.taken_back.clear()
        between = [
            card
            for card in self._cards.values()
            if not card.down and self.opening.between(card) and card.id not in self._out
        ]
        self._hidden.clear()
        for number, card in self._cards.items():
            is_lead = not card.since <= self.opening.last_back
            if not (is_lead and self._is_before(card, expected.leader)):
                self._hidden.add(number)
            leftover = self._is_leftover(card, between)
            before = card not in between or self.opening.before_deal(card, expected)
            foreign = card.best not in expected.pack  # a pack whose back is read as a joker
            if not card.down and (before or leftover or foreign):
                self._out[number] = "stale"

    def _is_leftover(self, card: TrackedCard, cards: Iterable[TrackedCard]) -> bool:
        """Whether others came before the same seat at once with it: nobody leads two cards."""
        seat = self._clear_seat(card)
        return seat is not None and any(
            other is not card
            and self._clear_seat(other) == seat
            and abs(card.appeared - other.appeared) < self.settings.at_once
            for other in cards
        )

    def _free(self) -> list[TrackedCard]:
        """The cards face up on the table that nothing is decided about, the earliest first."""
        if not self._faces:
            return []
        taken = self.bonds.cards() | self.bonds.taken_back | self._out.keys() | self._thrown_in
        return [card for card in self._faces if card.id not in taken]

    def _is_before(self, card: TrackedCard, seat: int) -> bool:
        """Whether a card may be this seat's (V-1).

        It is whose it lies before; or else of whoever was seen to throw it; or else, in the middle,
        near a border or thrown onto a card of the hand (V-5), whoever's that is due, unless it was
        another one alone who reached over the table when it came.
        """
        zone = self._zones[card.id]
        if zone.seat == seat and zone.border >= self.settings.border:
            return True
        thrower = self._thrower(card)
        if thrower is not None:
            return thrower == seat
        reacher = self._reacher(card, seat)
        return reacher in (None, seat) and (self._clear_seat(card) is None or self._is_onto(card))

    def _reacher(self, card: TrackedCard, seat: int | None = None) -> int | None:
        """The only seat that reached over the table when a card came to rest, or None.

        Others than ``seat`` that have laid a card to this trick only draw their arms back.
        """
        seats = card.reached - (self._done - {seat})
        return next(iter(seats)) if len(seats) == 1 else None

    def _thrower(self, card: TrackedCard) -> int | None:
        """The seat that a card was seen to come from, or None."""
        if card.id not in self._throwers:
            x, y = card.place
            dx, dy = card.came[0] - x, card.came[1] - y
            way = math.hypot(dx, dy)
            seat = None
            if way >= self.settings.way_cm:
                step, zone = 0.0, self._plane.zone(card.place)
                while zone.inside:  # on, to the table's edge
                    seat = None if zone.border < self.settings.border else zone.seat
                    step += 2.0
                    zone = self._plane.zone((x + dx / way * step, y + dy / way * step))
            self._throwers[card.id] = seat
        return self._throwers[card.id]

    def _is_onto(self, card: TrackedCard) -> bool:
        """Whether a card was thrown onto one that was laid in this hand, and is gone perhaps.

        Where all that was laid had been taken away before, nothing lay there any more.
        """
        settings = self.settings
        known = {**self._made_out, **self._cards}
        laid = [known[number] for number in self.bonds.cards() if number in known]
        near = any(math.dist(other.place, card.place) < settings.onto_cm for other in laid)
        if near and any(card.appeared - other.seen <= settings.gathers for other in laid):
            self._onto.add(card.id)
        return card.id in self._onto

    def _owner(self, card: TrackedCard) -> int | None:
        """The seat whose card it clearly is, or None."""
        thrower = self._thrower(card)
        if thrower is not None or self._is_onto(card):
            return thrower
        return self._clear_seat(card)

    def _clear_seat(self, card: TrackedCard) -> int | None:
        """The seat that a card lies clearly before, or None."""
        zone = self._zones[card.id]
        return None if zone.border < self.settings.border else zone.seat

    def _trick(self, expected: RefereeContext) -> list[TrackedCard]:
        """The cards of the trick in progress, as they are or were seen last."""
        plays = self.bonds.plays[len(self.bonds.plays) - expected.in_trick :]
        known = self._known()
        return [known[bond.card] for bond in plays if bond.card in known]

    def _known(self) -> dict[int, TrackedCard]:
        """The cards on the table, and those of the hand that have gone, by their numbers."""
        return {**{number: card for number, (card, _) in self._lost.items()}, **self._cards}

    def _gathered(self, card: TrackedCard, trick: Iterable[TrackedCard]) -> bool:
        """Whether a card came when the trick had been taken away: it is of the next one.

        A throw hides the cards of a trick for a shorter time, or lies on one of them.
        """
        return all(
            card.appeared - laid.seen > self.settings.gathers
            and (laid.bare or math.dist(card.place, laid.place) >= self.settings.onto_cm)
            for laid in trick
        )

    def _laid(self) -> LaidCards:
        """Where the laid cards are now."""
        here, hidden, gone = set[str](), set[str](), set[str]()
        for bond in self.bonds.plays:
            card = None if bond.card is None else self._cards.get(bond.card)
            if card is None:
                if bond.card is not None:
                    gone.add(bond.laid.card)
            elif card.missing < SEEN_NOW:
                here.add(self._name(bond, card))
            elif card.chances().get(name := self._name(bond, card), 0.0) > RANK_READ:
                hidden.add(name)
        return LaidCards(here, hidden, gone)

    def _name(self, bond: PlayAssociation, card: TrackedCard) -> str:
        """What a laid card is; its suit as it is read by now where that was guessed (V-12)."""
        name = bond.laid.card
        return card.best if bond.laid.guessed and card.best[:-1] == name[:-1] else name

    def _is_doubtful(self, card: TrackedCard) -> bool:
        """Whether it may be no new card: a back among backs, or a laid card that is moved.

        Nobody doubts a card that was seen to come from a player.
        """
        if self._thrower(card) is not None:
            return False
        chances = card.chances()
        for other in self._cards.values():
            apart = math.dist(other.place, card.place)
            if other.down and other.missing < SEEN_NOW and apart < self.settings.beside_cm:
                return True
            moved = other.id != card.id and other.missing > SEEN_NOW and not other.down
            if moved and chances.get(other.best, 0.0) > MAY_BE:
                return True
        return any(
            chances.get(bond.laid.card, 0.0) > MAY_BE
            for bond in self.bonds.plays
            if bond.card in self._lost
            and card.appeared - self._lost[bond.card][1] < self.settings.doubtful
        )

    def _is_clear(self, card: TrackedCard, expected: RefereeContext) -> bool:
        """Whether it is surely a card that may still be laid."""
        best, margin, _ = weigh(card, expected)
        return best is not None and best.kind == "play" and margin >= self.settings.margin

    def _is_nothing(self, card: TrackedCard) -> bool:
        """Whether people said before that no card lies there, and nobody saw one come since."""
        return self._thrower(card) is None and any(
            math.dist(place, card.place) <= self.settings.nothing_cm for place in self._nothing
        )

    def _long_ago(self, cards: Iterable[TrackedCard], at: float) -> bool:
        return any(at - card.appeared >= self.settings.ask_after for card in cards)

    def _look_at_backs(self, at: float, expected: RefereeContext) -> None:
        """Backs that are too many or too few after the deal, or that say no to an offer."""
        if not expected.laid and at - self.opening.last_back >= self.settings.quiet:
            counts = self.opening.most
            counted = expected.size in counts.values()
            heaped = self.opening.heaped | self.opening.blurred
            for seat, count in sorted(counts.items()):
                sure = self.opening.apart[seat]
                if sure > expected.size + (seat == expected.dealer):  # the pack, perhaps
                    text = f"seat {seat} was dealt {sure} cards, not {expected.size}"
                    self._hint("too_many_backs", "V-6", seat, text)
                elif counted and 1 < count < expected.size and seat not in heaped:
                    # One alone may be a heap.
                    text = f"seat {seat} seems to have {count} cards, not {expected.size}"
                    self._hint("too_few_backs", "V-6", seat, text)
        if ("kept", self._offer_since) in self._said:
            return
        for event in expected.rejects:
            laid_down = [
                card
                for card in self._cards.values()
                if card.down
                and card.appeared > self._offer_since
                and self._clear_seat(card) == event.seat
            ]
            if self._long_ago(laid_down, at):
                choices = (Choice(event.do, event), Choice("no"))
                why = f"seat {event.seat} has laid cards face down: does that mean no?"
                self.questions.want("reject", event.seat, event.seat, choices, why, None)

    def _hint(
        self, kind: str, rule: str, seat: int | None, text: str, card: int | None = None,
        event: Event | None = None,
    ) -> None:  # fmt: skip
        """Says something once a hand and card."""
        key = (kind, seat, card, None if self._hand is None else self._hand[0])
        if key not in self._said or kind == "refused":
            self._said.add(key)
            self._hints.append(Hint(kind, rule, seat, text, card, event))
