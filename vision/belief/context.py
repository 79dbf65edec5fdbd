"""What the referee expects of the table now: all that the belief needs to know of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import apply, can, legal_events, undone
from scorekeeper.engine.packs import suit_systems_at
from scorekeeper.engine.said import GUESSED, SUIT, is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.engine.untapped import lay_downs, words_before_a_card
from scorekeeper.games.cards import SUIT_SYSTEMS, Card, parse_card
from vision.belief.proposals import Choice
from vision.packs import index_order


class Laid(NamedTuple):
    """A card of the hand that was played, whether the camera or a person told it.

    Attributes:
        seat: who played it.
        card: its plain name.
        guessed: whether only its rank is known (V-12).
    """

    seat: int
    card: str
    guessed: bool


class RefereeContext:
    """What the referee expects at one moment of a match, as far as the belief needs it.

    Args:
        match: the match.
        seq: number of its latest event.

    Attributes:
        match: the match.
        seq: number of the latest event; a proposal names the one it was made at.
        hand: number of the hand, from 1; 0 before the first.
        playing: whether a hand is in progress.
        open: whether cards were dealt, the hand goes on, and no deal is legal without a word.
        due: seats that may lay a card now; empty while everybody has to wait.
        asked: seats that may answer an offer or a trut.
        seats: how many there are.
        size: cards dealt to each player; 0 before the deal.
        redeals: how often new cards were asked for and granted in this hand (LT-5).
        dealer: who deals this hand, or the next one.
        order: the seats in the order in which they play to its first trick.
        laid: the cards of this hand, in the order of play.
        in_trick: how many of them lie in the trick in progress.
        pack: the plain names of the cards in the pack.
        possible: those of them that may still be laid.
        deals: the deals that are legal now, or after one more word: that word, if it is needed, and
            the deal. After a word each number of cards is listed once: if the pack may be cut or
            tapped, with ``cut``, for which of the two was said decides nothing (V-22).
        sizes: how many cards may be dealt to each player now, the fewest first.
        rejects: the events by which an asked seat may give up now.
        can_misdeal: whether the deal can still be void.
        by_card: whether the latest event was a card, and no word.
        yes: the fewest words after which a card may be laid, if an answer is awaited first (V-22);
            else empty.
        due_then: the seat that lays a card after these words, or None.
        next_seat: the seat that lays the next card, now or after these words, or None.
    """

    def __init__(self, match: Match, seq: int) -> None:
        self.match, self.seq = match, seq
        legal, hand = legal_events(match), match.hand if match.in_progress else None
        self.hand, self.playing = match.hand_number, match.in_progress
        self.asked = tuple(match.asked_seats())
        self.seats, self.dealer = match.seats, match.dealer
        self.size = 0 if hand is None else hand.size
        self.redeals = 0 if hand is None or hand.before_deal is None else hand.before_deal.asked
        step, first = match.rules.direction, match.first_leader
        self.order = tuple((first + step * place) % match.seats for place in range(match.seats))
        self.laid, self.pack = laid_cards(match), pack_of(match)
        trick = hand.tricks[-1] if hand is not None and hand.tricks else None
        self.in_trick = 0 if trick is None or trick.complete else len(trick.plays)
        self.possible = frozenset(possible_cards(self.pack, self.laid))
        self.deals = tuple(_deals(match, legal))
        self.sizes = sorted({deal.cards for _, deal in self.deals if deal.cards is not None})
        self.open = self.playing and self.size > 0 and all(words for words, _ in self.deals)
        self.rejects = tuple(event for event in legal if event.do in _REJECTS)
        self.can_misdeal = can(match, Event("misdeal"))
        self.by_card = match.event is not None and match.event.do == "play"
        self.due = _seats_due(legal)
        waits = self.size > 0 and not self.due
        self.yes = words_before_a_card(match) if waits else ()
        self.due_then = _due_after(match, self.yes)
        self.next_seat = self.due[0] if self.due else self.due_then

    @cached_property
    def over(self) -> RefereeContext:
        """What the referee would expect if the hand in progress were over: the next deal."""
        if not self.playing:
            return self
        return RefereeContext(apply(self.match, Event("void_hand")), self.seq)

    def endings(self, shown: int) -> tuple[Choice, ...]:
        """The answers to how the hand ended: a side folded, the hand was void, or it goes on.

        Args:
            shown: how many of the latest plays are taken back first, for their cards were shown
                after the end.
        """
        match, first = undone(self.match, shown), (Event("undo"),) * shown
        sides, misdeal = lay_downs(match), Event("misdeal")
        choices = [
            Choice("side", said[-1], before=(*first, *said[:-1]), side=side)
            for side, said in sides.items()
        ]
        if can(match, misdeal):
            choices.append(Choice("misdeal", misdeal, before=first))
        elif not sides:  # nobody can fold any more
            choices.append(Choice("void", Event("void_hand"), before=first))
        return (*choices, Choice("no"))


_BEFORE_A_DEAL = frozenset(("cut", "tap", "grant"))
"""Words that may make a deal legal."""

_REJECTS = frozenset(("reject", "lie_down"))
"""Words by which an asked seat gives up."""


def _seats_due(legal: Iterable[Event]) -> tuple[int, ...]:
    return tuple(event.seat for event in legal if event.do == "play" and event.seat is not None)


def _due_after(match: Match, words: Iterable[Event]) -> int | None:
    """The seat that lays a card after some words; None if there are no words."""
    said = None
    for word in words:
        said = apply(said or match, word)
    return None if said is None else _seats_due(legal_events(said, "play"))[0]


def _deals(match: Match, legal: Iterable[Event]) -> Iterator[tuple[tuple[Event, ...], Event]]:
    """Yields the word that a deal needs before it, if it needs one, and the deal: see ``deals``."""
    sizes = set()
    for word in legal:
        if word.do == "deal":
            yield (), word
        for deal in legal_events(apply(match, word), "deal") if word.do in _BEFORE_A_DEAL else ():
            if deal.cards not in sizes:
                sizes.add(deal.cards)
                yield (word,), deal


def laid_cards(match: Match) -> tuple[Laid, ...]:
    """The cards of the latest hand, in the order of play."""
    if match.hand is None:
        return ()
    count = sum(len(trick.plays) for trick in match.hand.tricks)
    found: list[Laid] = []
    step = match.steps
    while step is not None and len(found) < count:
        event = step.event
        if event.do == "play" and event.seat is not None and event.card is not None:
            found.append(Laid(event.seat, str(event.card), is_guessed(event)))
        step = step.earlier
    return tuple(found[::-1])


def pack_of(match: Match) -> frozenset[str]:
    """The plain names of the cards in the pack; with all possible suits until they are known."""
    return frozenset(
        str(Card(rank, suit))
        for system in suit_systems_at(match)
        for suit in SUIT_SYSTEMS[system]
        for rank in match.rules.printed
    )


def possible_cards(pack: frozenset[str], laid: tuple[Laid, ...]) -> set[str]:
    """The cards that may still be laid (V-2).

    A card whose suit was guessed stays possible: the next one may have that suit (V-12). No rank
    has more than four cards.
    """
    known = {one.card for one in laid if not one.guessed}
    per_rank: dict[str, int] = {}
    for one in laid:
        per_rank[one.card[:-1]] = per_rank.get(one.card[:-1], 0) + 1
    return {card for card in pack if card not in known and per_rank.get(card[:-1], 0) < 4}


def unseen_plays(expected: RefereeContext, seat: int) -> list[tuple[Event, float]]:
    """What a seat may have played that nobody saw: one card of each rank that is left.

    Its suit is one that is not written yet, if there is one.

    Args:
        expected: what the referee expects.
        seat: whose card it is.

    Returns:
        The plays and how likely each is, 0–1, the likeliest first.
    """
    left = Counter(name[:-1] for name in expected.possible)
    taken = {one.card for one in expected.laid}  # a guessed one, too: no card is written twice
    plays = []
    for rank in sorted(left, key=lambda rank: (-left[rank], index_order(rank))):
        names = [name for name in expected.possible if name[:-1] == rank]
        first, *others = sorted(names, key=lambda name: (name in taken, name))
        remarks = {SUIT: GUESSED} if others else {}
        event = Event("play", seat, card=parse_card(first), remarks=remarks)
        plays.append((event, left[rank] / left.total()))
    return plays
