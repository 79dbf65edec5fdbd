"""What players do before and in a deal: the pack, the cut, who deals how many to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import can
from scorekeeper.engine.packs import SPANISH
from scorekeeper.engine.state import End, Hand, Match, Phase
from scorekeeper.games.cards import FORTY, RANKS, missing_ranks
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Sentence, Voice

SPANISH_48 = frozenset(RANKS).difference(missing_ranks("spanish", RANKS))
"""Ranks of a Spanish pack of 48 cards: its 10, 11 and 12 count as J, Q and K (C-9)."""
PIQUET = frozenset(("A", "K", "Q", "J", "10", "9", "8", "7"))
"""Ranks of a piquet pack of 32 cards."""

ORDERS = {
    1: N_("One at a time, to the left, {first} first."),
    -1: N_("One at a time, to the right, {first} first."),
}
"""How the cards go round a table of four, by direction (C-2)."""

STAGES = (
    Phase.CUT,
    Phase.DEAL_SIZE,
    Phase.DEALING,
    Phase.ELEVEN,
    Phase.FORTIAL,
    Phase.FORTIAL_ANSWER,
    Phase.REDEAL_ASK,
    Phase.REDEAL_ANSWER,
    Phase.PLAY,
)
"""The phases up to the first card, in the order in which a deal goes through them."""

State = Literal["done", "now", "next"]


class Place(NamedTuple):
    """Where in a deal a job belongs; places compare in the order of the deal.

    Attributes:
        stage: The phase whose event ends the job, as its index in ``STAGES``.
        asked_before: If several players are asked one after the other, how many come before.
    """

    stage: int
    asked_before: int = 0

    def state(self, here: Place) -> State:
        """The state of a job of this place while the deal is at ``here``."""
        return "done" if self < here else "now" if self == here else "next"


def at(phase: Phase, asked_before: int = 0) -> Place:
    """The place of a phase."""
    return Place(STAGES.index(phase), asked_before)


class Job(NamedTuple):
    """One thing to do, and where it belongs."""

    text: Sentence
    seat: int | None
    place: Place


class Preparing(Voice):
    """Says how the pack is made ready, cut and dealt."""

    def opening(self) -> Phase:
        """The phase in which the first event of a hand is awaited."""
        return Phase.CUT if self.rules.asks_cut else Phase.DEALING

    def packs(self) -> Sentence:
        """Which cards are taken out of which pack (C-8, C-9)."""
        rules = self.rules
        kept = set(rules.order) - set(rules.alias.values()) | set(rules.alias)
        told = [self.pack()]
        if kept <= SPANISH_48:
            removed = ", ".join(
                self.rank(rank, SPANISH) for rank in RANKS if rank in SPANISH_48 - kept
            )
            told.append(self.say("Of a Spanish pack of 48, take out {removed}.", removed=removed))
        if kept == {*FORTY}:
            told.append(self.say("A Spanish pack of 40 is right as it is."))
        if kept == PIQUET:
            told.append(self.say("A piquet pack of 32 is right as it is."))
        for printed, rank in rules.alias.items():
            told.append(
                self.say(
                    "{printed} stands for {rank}.",
                    "C-9",
                    printed=self.rank(printed),
                    rank=self.rank(rank),
                )
            )
        return joined(*told)

    def _gather(self, last: Hand) -> Sentence:
        """The cards of a hand are gathered; some must not be seen (TR-12, TS-9)."""
        unseen = self.rules.cites.get("unseen")
        if last.end in (End.LAY_DOWN, End.FORTIAL_REFUSED):
            unseen = "TR-12"
        if unseen is None:
            return self.say("Gather all cards.")
        return self.say("Gather all cards; those that were not played go back unseen.", unseen)

    def prepare(self, match: Match) -> Iterator[Job]:
        """The pack is made ready, shuffled and cut."""
        opening = at(self.opening())
        last = match.hand
        if match.in_progress:
            last = None if match.past is None else match.past.hand
        if last is None:
            yield Job(self.packs(), None, opening)
        else:
            yield Job(self._gather(last), None, opening)
        if match.game_over:
            yield Job(self.say("A new game begins at 0.", "LV-5"), None, opening)
        who = self.name(match.dealer)
        rule = self.cite("first deal") if last is None else "C-6"
        yield Job(
            self.say("{who} deals this hand and shuffles the pack.", rule, who=who),
            match.dealer,
            opening,
        )
        yield Job(self._cut(match), match.cutter, opening)

    def _cut(self, match: Match) -> Sentence:
        """The pack is cut; or it may be cut or tapped, or was tapped (C-5, TS-3, TS-4)."""
        who, dealer = self.name(match.cutter), self.name(match.dealer)
        if not self.rules.asks_cut:
            return self.say("{who} cuts the pack.", "C-5", who=who)
        if match.in_progress and tapped(match.current()):
            return self.say(
                "{who} taps the pack: {dealer} chooses how many cards to deal.",
                "TS-3",
                who=who,
                dealer=dealer,
            )
        if match.in_progress or not self.rules.tap_allowed:
            return self.say("{who} cuts the pack.", "C-5", "TS-3", who=who)
        if not can(match, Event("tap", match.cutter)):
            return self.say(
                "{who} must cut the pack, because a side needs one point.",
                "C-5",
                "TS-4",
                who=who,
            )
        return self.say(
            "{who} cuts the pack, or taps it: then {dealer} chooses how many cards to deal.",
            "C-5",
            "TS-3",
            who=who,
            dealer=dealer,
        )

    def choice(self, match: Match) -> Sentence:
        """The dealer's choice after a tap (TS-3)."""
        return self.say(
            "{who} chooses how many cards everybody gets: {sizes}.",
            "TS-3",
            who=self.name(match.dealer),
            sizes=" / ".join(map(str, sorted(self.rules.hand_sizes))),
        )

    def deal(self, match: Match, here: Place) -> Iterator[Job]:
        """How many cards, in which direction, and to whom first."""
        chosen = here == at(Phase.DEAL_SIZE)
        place = here if chosen else at(Phase.DEALING)
        if chosen:
            yield Job(self.choice(match), match.dealer, place)
            told = self.say("{who} deals.", who=self.name(match.dealer))
        else:
            dealt = match.current().size if match.in_progress else 0
            told = self.say(
                "{who} deals {cards} to everybody.",
                self.cite("deal"),
                who=self.name(match.dealer),
                cards=self.cards(dealt or self.rules.hand_sizes[0]),
            )
        yield Job(joined(told, self.order(match)), match.dealer, place)

    def order(self, match: Match) -> Sentence:
        """How the cards go round the table, and who gets the first (C-2, LT-2)."""
        first = self.name(match.first_leader)
        if match.seats == 2:
            return self.say("One at a time, {first} first.", first=first)
        return self.say(ORDERS[self.rules.direction], "C-2", first=first)

    def again(self, match: Match, here: Place) -> Iterator[Job]:
        """After a misdeal the same dealer deals again, and a tap stands (V-7)."""
        who = self.name(match.dealer)
        yield Job(self.say("The deal is void: {who} deals again.", "V-7", who=who), None, here)
        yield Job(self.say("{who} gathers the cards and shuffles.", who=who), match.dealer, here)
        if here != at(Phase.DEAL_SIZE):
            who = self.name(match.cutter)
            yield Job(self.say("{who} cuts the pack.", "C-5", who=who), match.cutter, here)


def joined(*sentences: Sentence) -> Sentence:
    """Several sentences as one, with all their rules, each once."""
    rules = dict.fromkeys(rule for sentence in sentences for rule in sentence.rules)
    return Sentence(" ".join(sentence.text for sentence in sentences), tuple(rules))


def tapped(hand: Hand) -> bool:
    """Whether the pack was tapped, so that the dealer chooses how many cards to deal."""
    return (hand.before_deal or hand).phase is Phase.DEAL_SIZE
