"""The two classes that describe a game: its rules, and the texts about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from scorekeeper.games.agreed import AGREED
from scorekeeper.games.cards import RANKS, SUIT_SYSTEMS, Card, missing_ranks
from scorekeeper.games.raises import Raising
from scorekeeper.games.scoring import IN_POINTS, Counting

ACE_TO_TWO = ("A", *RANKS[:0:-1])
NO_ALIAS: Mapping[str, str] = MappingProxyType({})


OPERATOR_VERBS = frozenset(AGREED) | {"undo", "misdeal"}
"""Verbs of the operator, who enters what the table agreed on and puts mistakes right.

The seat of such an event may be missing and is not checked, unless the event needs one.
"""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of one game, with its variants and options: everything in which games differ.

    Attributes:
        game: Id of the game in records.
        order: Ranks of the pack, best first (C-8).
        alias: Printed rank to the rank that it stands for (C-9).
        players: Allowed numbers of seats.
        direction: +1 clockwise, -1 anticlockwise, seen from above (C-2).
        hand_sizes: How many cards a player may be dealt; the usual number first (TS-3).
        tap_allowed: Whether the cutter may tap (TS-3, TS-4).
        first_deal: Who deals first after cutting for it: ``high``, ``low`` or ``any`` (LA/LB-2).
        cut_order: Ranks as that cut compares them, highest first; by default ace to two (LB-2,
            PU-1).
        next_dealer: Who deals the next game: ``rotation``, the deal passes on as after every hand;
            ``winner`` or ``loser``, the next player of that side (A4).
        lead_after_spoiled: Who leads after a spoiled trick: ``leader``, ``last_player``,
            ``spoiler`` or ``first_tied`` (1.5).
        partner_tie: Whether partners who tie for top win (``side``) or spoil (``spoiled``) a trick.
        hand_rule: How tricks decide the hand: ``claim``, ``majority``, ``next_winner``,
            ``first_trick`` (1.6, C-14) or ``trick_and_tie`` (PU-4).
        third_spoiled: If each side has a trick and the third is spoiled: ``hand_rule``, as that
            rule says, or ``void``: the hand is void (T3).
        redeal: Whether the leader may ask for new cards (LT-4).
        redeals: How often new cards may be granted in a hand, if the pack has enough (LT-5).
        raising: How players raise what a hand is worth (LT-10, TS-10, TR-8).
        step: On a ladder, by how much an offer raises: ``double``, ``two`` or ``any`` (section 3).
        offers_in_turn: On a ladder: ``one`` offer in a turn, or ``any``: another one after each yes
            (LT-12).
        limit_scope: On a ladder, whose score limits a raise: ``either`` side's, or the
            ``raiser``'s (section 3).
        remainder: On a ladder, when it may be offered: ``when_blocked``, ``anytime`` or ``off``
            (LT-17).
        small_remainder: On a ladder, whether the remainder may be offered even if it is no more
            than the hand's value: a bluff (LT-17).
        reraise: Who may raise again: ``anyone``, or ``alternate``: not the side whose offer was
            accepted last (LT-13).
        speakers: Who calls and answers: ``anyone``, or ``captains``: only the dealer and the
            leader, each for a side (L4-4).
        answerer: Who answers an offer: the ``neighbour`` of the caller, or the ``side``: either of
            the caller's opponents (TS-12, L4-4).
        accept_by_card: Whether the player who is asked may accept by playing a card on turn
            (TS-13).
        first_to_see: After a trut, the opponents answer one after the other from the left of the
            ``truter`` or of the ``dealer``, or ``either`` of them answers for both (TR-10).
        retrut: ``off``, or ``two_longs``: the other side may trut back, and the hand is then worth
            two Longs (TR-24).
        call_at: When a call of one value may be made: in one's ``turn`` before one's card, only to
            ``lead``, or only ``first``, before the first card of the hand (PU-5).
        late_call: Whether a player may call just after playing a card (TS-10, TS-11).
        reraise_as_answer: Whether an offer may be answered by a higher one:
            ``never``, ``on_turn`` or ``always`` (TS-16).
        eleven: Whether a side that lacks one point is asked to play the hand for more or to decline
            it (TS-18).
        eleven_value: What the hand is worth when the side at eleven plays it (TS-18).
        declined: Points for the other side if the side at eleven declines (TS-18).
        fortial: Whether a side that lacks one Small is asked to trut (TR-18).
        target: Points, or Longs, that win the game.
        clamp: Whether a score stops at the target (LT-19).
        counting: What a hand scores, and how scores are counted: points, or Smalls and Longs.
        cites: Name of a point that each game settles in its own way, such as ``"lead"``, to the id
            of this game's rule on it.
        strength: Rank to its place in ``order``; 0 is the best.
        printed: The ranks as they are printed on the cards, best first (C-8, C-9).
        suit_systems: The kinds of packs that have all these ranks: ``french``, ``spanish``.
    """

    game: str
    order: tuple[str, ...]
    alias: Mapping[str, str] = field(default_factory=lambda: NO_ALIAS)
    players: tuple[int, ...] = (2, 4)
    direction: int = 1
    hand_sizes: tuple[int, ...] = (3,)
    tap_allowed: bool = False
    first_deal: str = "any"
    cut_order: tuple[str, ...] = ACE_TO_TWO
    next_dealer: str = "rotation"
    lead_after_spoiled: str = "leader"
    partner_tie: str = "side"
    hand_rule: str = "claim"
    third_spoiled: str = "hand_rule"
    redeal: bool = False
    redeals: int = 1
    raising: Raising
    step: str = "double"
    offers_in_turn: str = "any"
    limit_scope: str = "either"
    remainder: str = "when_blocked"
    small_remainder: bool = False
    reraise: str = "anyone"
    speakers: str = "anyone"
    answerer: str = "side"
    accept_by_card: bool = False
    first_to_see: str = "truter"
    retrut: str = "off"
    call_at: str = "turn"
    late_call: bool = False
    reraise_as_answer: str = "never"
    eleven: bool = False
    eleven_value: int = 3
    declined: int = 1
    fortial: bool = False
    target: int = 12
    clamp: bool = True
    counting: Counting = IN_POINTS
    cites: Mapping[str, str] = field(repr=False, compare=False)
    strength: Mapping[str, int] = field(init=False, repr=False, compare=False)
    printed: tuple[str, ...] = field(init=False, repr=False, compare=False)
    suit_systems: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranks = {rank: place for place, rank in enumerate(self.order)}
        object.__setattr__(self, "strength", MappingProxyType(ranks))
        alias_of = {rank: printed for printed, rank in self.alias.items()}
        printed = tuple(alias_of.get(rank, rank) for rank in self.order)
        object.__setattr__(self, "printed", printed)
        fit = tuple(name for name in SUIT_SYSTEMS if not missing_ranks(name, printed))
        object.__setattr__(self, "suit_systems", fit)

    @property
    def pack_size(self) -> int:
        """Number of cards in the pack (C-8)."""
        return 4 * len(self.order)

    def new_cards(self, seats: int) -> int:
        """How often new cards can be granted in a hand: the pack must have enough left (LT-5)."""
        if not self.redeal:
            return 0
        return min(self.redeals, self.pack_size // (seats * self.hand_sizes[0]) - 1)

    @property
    def asks_cut(self) -> bool:
        """Whether the cut has to be entered, for it settles how many cards are dealt (TS-3)."""
        return len(self.hand_sizes) > 1

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs that people may use by these rules."""
        verbs = {"deal", "play"} | OPERATOR_VERBS | self.raising.verbs
        verbs -= {"remainder"} if self.remainder == "off" else set()
        verbs |= {"cut"} if self.asks_cut else set()
        verbs |= {"tap"} if self.asks_cut and self.tap_allowed else set()
        verbs |= {"i_play", "ask", "grant", "refuse"} if self.redeal else set()
        verbs |= {"play_on", "decline"} if self.eleven else set()
        verbs |= {"pass"} if self.fortial else set()
        verbs |= {"retrut"} if self.retrut != "off" else set()
        return frozenset(verbs)

    def counts_as(self, card: Card) -> Card:
        """The card of the pack that ``card`` stands for; mostly itself (C-9)."""
        if not self.alias:
            return card
        return Card(self.alias.get(card.rank, card.rank), card.suit)


class Custom(NamedTuple):
    """A custom that the program does not check, such as how a call is said.

    Attributes:
        text: The sentence, in English; also the key of its translations.
        rule: Id of its rule.
        players: Numbers of players in whose game it holds.
    """

    text: str
    rule: str
    players: tuple[int, ...] = (2, 4)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as it can be chosen: its rules, its variants and options, and texts about it.

    Attributes:
        title: Its name for people, in English; also the key of its translations.
        summary: Its rules in one sentence, with ``{target}``.
        customs: What its source says of hidden cards, of signals and of the words of calls.
        rules: The rules as the game's source gives them.
        variants: Name of a variant to the fields of ``Rules`` that it changes. Two variants that
            change the same field exclude each other.
        options: Name of a field of ``Rules`` that a record may set, to the values it may have. No
            other field can be set (section 8).
        aliases: Other names by which people may ask for the game.
        house_players: Numbers of players for whom no printed rules were found (L4-7).
        calls: One sentence that says what each of its calls makes the hand worth, with the value as
            ``{verb}``; empty if it has no calls of one value.
    """

    title: str
    summary: str
    customs: tuple[Custom, ...]
    rules: Rules
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    options: Mapping[str, Collection[Any]]
    aliases: tuple[str, ...] = ()
    house_players: tuple[int, ...] = ()
    calls: str = ""

    @property
    def id(self) -> str:
        """The game's name in records."""
        return self.rules.game
