"""The games as data: one frozen ``Rules`` object a game, and variants of it by ``replace``.

No code asks which game it is playing; it asks the fields of its rules (section 8 of the rules).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from scorekeeper.cards import SUIT_SYSTEMS, Card, missing_ranks
from scorekeeper.errors import FormatError
from scorekeeper.messages import N_, shown

NO_ALIAS: Mapping[str, str] = MappingProxyType({})


OPERATOR_VERBS = frozenset({"undo", "void_hand", "concede", "award", "misdeal"})
"""Verbs of the operator: their seat may be missing and is not checked."""

VERBS_OF_RAISE_KIND: Mapping[str, frozenset[str]] = {
    "ladder": frozenset({"raise", "remainder", "accept", "reject"}),
    "truc": frozenset({"truc", "retruc", "accept", "reject"}),
    "trut": frozenset({"trut", "see", "lie_down"}),
}


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Everything in which the games differ.

    Attributes:
        game: Id of the game in records.
        order: Ranks of the pack, best first (C-8).
        alias: Printed rank to the rank that it stands for (C-9).
        players: Allowed numbers of seats.
        direction: +1 clockwise, -1 anticlockwise, seen from above (C-2).
        hand_sizes: Cards a player may be dealt; where there is a choice, the cut is said (TS-3).
        tap_allowed: Whether the cutter may tap (TS-3, TS-4).
        first_deal: Who deals first after cutting for it: ``high``, ``low`` or ``any`` (LA/LB-2).
        next_dealer: Who deals the next game: ``rotation``, the deal passes on as after every hand;
            ``winner`` or ``loser``, the next player of that side (A4).
        lead_after_spoiled: ``leader``, ``last_player``, ``spoiler`` or ``first_tied`` (1.5).
        partner_tie: Whether partners who tie for top win (``side``) or spoil (``spoiled``) a trick.
        hand_rule: ``claim``, ``majority``, ``next_winner`` or ``first_trick`` (1.6, C-14).
        third_spoiled: One trick each and a spoiled third: as ``hand_rule`` says, or ``void`` (T3).
        redeal: Whether the leader may ask for new cards (LT-4).
        redeals: How often new cards may be granted in a hand, as far as the pack suffices (LT-5).
        raise_kind: ``ladder`` (LT-10), ``truc`` (TS-10) or ``trut`` (TR-8).
        step: Ladder: ``double``, ``two`` or ``any`` (section 3).
        offers_in_turn: Ladder: ``one``, or ``any``: another one after each yes (LT-12).
        limit_scope: Ladder: whose score limits a raise, ``either`` or ``raiser`` (section 3).
        remainder: Ladder: ``when_blocked``, ``anytime`` or ``off`` (LT-17).
        small_remainder: Ladder: whether the remainder may be offered where it is no more than the
            value: a bluff (LT-17).
        reraise: ``anyone``, or ``alternate``: not the side whose offer was accepted last (LT-13).
        speakers: ``anyone``, or ``captains``: only the dealer and the leader call (L4-4).
        answerer: Truc: ``neighbour`` of the caller, or ``side``: either of the caller's opponents
            (TS-12).
        first_to_see: Trut: the opponents answer one after the other from the left of the ``truter``
            or of the ``dealer``, or ``either`` of them for both (TR-10).
        late_call: Whether one may call just after one's own card (TS-10, TS-11).
        reraise_as_answer: Whether an offer may be answered by a higher one:
            ``never``, ``on_turn`` or ``always`` (TS-16).
        eleven: Whether a side that lacks one point plays for 3 or declines (TS-18).
        declined: Points for the other side where the side at eleven declines (TS-18).
        fortial: Whether a side that lacks one Small is asked to trut (TR-18).
        target: Points, or Longs, that win the game.
        clamp: Whether a score stops at the target (LT-19).
        score_unit: ``points``, or ``tokens``: Longs and Smalls (TR-4).
        strength: Rank to its place in ``order``.
        printed: The ranks that are printed on the cards, best first (C-8, C-9).
        suit_systems: The kinds of packs that have all of these: ``french``, ``spanish``.
    """

    game: str
    order: tuple[str, ...]
    alias: Mapping[str, str] = field(default_factory=lambda: NO_ALIAS)
    players: tuple[int, ...] = (2, 4)
    direction: int = 1
    hand_sizes: tuple[int, ...] = (3,)
    tap_allowed: bool = False
    first_deal: str = "any"
    next_dealer: str = "rotation"
    lead_after_spoiled: str = "leader"
    partner_tie: str = "side"
    hand_rule: str = "claim"
    third_spoiled: str = "hand_rule"
    redeal: bool = False
    redeals: int = 1
    raise_kind: str
    step: str = "double"
    offers_in_turn: str = "one"
    limit_scope: str = "either"
    remainder: str = "when_blocked"
    small_remainder: bool = False
    reraise: str = "anyone"
    speakers: str = "anyone"
    answerer: str = "neighbour"
    first_to_see: str = "truter"
    late_call: bool = False
    reraise_as_answer: str = "never"
    eleven: bool = False
    declined: int = 1
    fortial: bool = False
    target: int = 12
    clamp: bool = True
    score_unit: str = "points"
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
        """How often everybody can get new cards in a hand, out of the rest of the pack (LT-5)."""
        if not self.redeal:
            return 0
        return min(self.redeals, self.pack_size // (seats * self.hand_sizes[0]) - 1)

    @property
    def asks_cut(self) -> bool:
        """Whether the cut is said: cut or tap settles how many cards are dealt (TS-3)."""
        return len(self.hand_sizes) > 1

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs that a record of this game may use."""
        verbs = {"deal", "play"} | OPERATOR_VERBS | VERBS_OF_RAISE_KIND[self.raise_kind]
        verbs |= {"cut", "tap"} if self.asks_cut else set()
        verbs |= {"i_play", "ask", "grant", "refuse"} if self.redeal else set()
        verbs |= {"play_on", "decline"} if self.eleven else set()
        verbs |= {"pass"} if self.fortial else set()
        return frozenset(verbs)

    def counts_as(self, card: Card) -> Card:
        """The card of the pack that ``card`` stands for (C-9), itself as a rule."""
        if not self.alias:
            return card
        return Card(self.alias.get(card.rank, card.rank), card.suit)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as it can be chosen: its rules, its named variants, and what else may differ.

    Attributes:
        title: Its name for people, in English; also the key of its translations.
        rules: The rules as the game's source gives them.
        variants: Name of a variant to the fields that it changes. Two variants that change the same
            field exclude each other.
        options: Name of a field that a record may set to the values it may have. A field that is
            missing here is no option of this game (section 8).
        aliases: Other names by which people may ask for the game.
        house_players: Numbers of seats for which no printed rules were found (L4-7).
    """

    title: str
    rules: Rules
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    options: Mapping[str, Collection[Any]]
    aliases: tuple[str, ...] = ()
    house_players: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        """The game's name in records."""
        return self.rules.game


BOOLEAN = (False, True)
TARGETS = range(1, 1000)
COMMON_OPTIONS: Mapping[str, Collection[Any]] = {
    "first_deal": ("high", "low", "any"),
    "next_dealer": ("rotation", "winner", "loser"),
    "lead_after_spoiled": ("leader", "last_player", "spoiler", "first_tied"),
    "partner_tie": ("side", "spoiled"),
    "hand_rule": ("claim", "majority", "next_winner", "first_trick"),
    "third_spoiled": ("hand_rule", "void"),
    "redeal": BOOLEAN,
    "target": TARGETS,
    # A pack is tapped to choose between sizes of hand; these games have one size.
    "tap_allowed": (False,),
    "fortial": (False,),
}
POINT_OPTIONS: Mapping[str, Collection[Any]] = {
    "late_call": BOOLEAN,
    "reraise": ("anyone", "alternate"),
    "reraise_as_answer": ("never", "on_turn", "always"),
    "eleven": BOOLEAN,
    "clamp": BOOLEAN,
}
LADDER_OPTIONS: Mapping[str, Collection[Any]] = {
    "redeals": (1, 2, 3),
    "step": ("double", "two", "any"),
    "limit_scope": ("either", "raiser"),
    "offers_in_turn": ("one", "any"),
    "remainder": ("when_blocked", "anytime", "off"),
    "small_remainder": BOOLEAN,
    "speakers": ("anyone", "captains"),
}
LADDER_VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "raise_by_two": {"step": "two"},
    "raise_by_any": {"step": "any"},
    "to_16": {"target": 16},
}

LE_TRUC_ACE = Game(
    title=N_("Le Truc, ace high"),
    rules=Rules(
        game="le_truc_ace",
        order=("A", "K", "Q", "J", "10", "9", "8", "7"),
        first_deal="high",
        redeal=True,
        raise_kind="ladder",
    ),
    variants={
        "lucky_seven": {"order": ("7", "A", "K", "Q", "J", "10", "9", "8")},
        **LADDER_VARIANTS,
    },
    options={**COMMON_OPTIONS, **POINT_OPTIONS, **LADDER_OPTIONS},
    aliases=("le truc", "ace"),
    house_players=(4,),
)

LE_TRUC_SEVEN = Game(
    title=N_("Le Truc, seven high"),
    rules=replace(
        LE_TRUC_ACE.rules,
        game="le_truc_seven",
        order=("7", "6", "A", "K", "Q", "J", "10", "9"),
        first_deal="low",
        limit_scope="raiser",
    ),
    variants=LADDER_VARIANTS,
    options={
        **COMMON_OPTIONS,
        **POINT_OPTIONS,
        **LADDER_OPTIONS,
        "alias": ({}, {"8": "6"}),  # a piquet pack has no 6 (C-9)
    },
    aliases=("seven",),
    house_players=(4,),
)

TRUT = Game(
    title=N_("Trut"),
    rules=Rules(
        game="trut",
        order=("7", "8", "A", "K", "Q", "J", "10", "9"),
        lead_after_spoiled="last_player",
        raise_kind="trut",
        fortial=True,
        target=7,
        score_unit="tokens",
    ),
    options={
        **COMMON_OPTIONS,
        "fortial": BOOLEAN,
        "eleven": (False,),
        "reraise_as_answer": ("never",),
        "first_to_see": ("truter", "dealer", "either"),
    },
)

TRUC_SPAIN = Game(
    title=N_("Truc of Spain"),
    rules=Rules(
        game="truc_spain",
        order=("3", "2", "A", "K", "Q", "J", "7", "6", "5", "4"),
        players=(4, 2),
        direction=-1,
        hand_sizes=(3, 1),
        tap_allowed=True,
        hand_rule="majority",
        raise_kind="truc",
        reraise="alternate",
        late_call=True,
        reraise_as_answer="on_turn",
        eleven=True,
        clamp=False,
    ),
    options={
        **COMMON_OPTIONS,
        **POINT_OPTIONS,
        "tap_allowed": BOOLEAN,
        "declined": (1, 2, 3),
        "answerer": ("neighbour", "side"),
    },
    aliases=("truc",),
)

GAMES: Mapping[str, Game] = {
    game.id: game for game in (LE_TRUC_ACE, LE_TRUC_SEVEN, TRUT, TRUC_SPAIN)
}


def game_of(game_id: object) -> Game:
    """Returns the game with exactly this id, as records name it.

    Raises:
        FormatError: There is no such game.
    """
    game = GAMES.get(game_id) if isinstance(game_id, str) else None
    if game is None:
        raise FormatError(
            N_("there is no game {name}; the games are {games}"),
            name=shown(game_id),
            games=", ".join(GAMES),
        )
    return game


def find_game(name: str) -> Game:
    """Returns the game that people call so: its id or an alias, whatever the case.

    Raises:
        FormatError: No game is called so.
    """
    wanted = " ".join(name.lower().replace("_", " ").replace("-", " ").split())
    for game in GAMES.values():
        if wanted in (game.id.replace("_", " "), *game.aliases):
            return game
    return game_of(name)


def make_rules(game: Game, variants: Sequence[str] = (), options: Mapping[str, Any] = {}) -> Rules:
    """Returns the rules of ``game`` with these variants, then these options.

    Args:
        game: The game to start from.
        variants: Names of variants; their order does not matter.
        options: Fields of ``Rules`` by name.

    Raises:
        FormatError: A variant or option that this game does not have, two variants that exclude
            each other, or a value that an option cannot have.
    """
    changes: dict[str, Any] = {}
    for name in dict.fromkeys(variants):
        fields = game.variants.get(name)
        if fields is None:
            raise FormatError(
                N_("{game} has no variant {name}; it has {known}"),
                game=game.id,
                name=shown(name),
                known=", ".join(game.variants) or shown([]),
            )
        for changed in fields:
            if changed in changes:
                raise FormatError(
                    N_("the variant {name} excludes another one that was chosen"), name=name
                )
        changes.update(fields)
    for name, value in options.items():
        allowed = game.options.get(name)
        if allowed is None:
            raise FormatError(
                N_("{game} has no option {name}; it has {known}"),
                game=game.id,
                name=shown(name),
                known=", ".join(sorted(game.options)),
            )
        if not _is_allowed(value, allowed):
            raise FormatError(
                N_("the option {name} of {game} cannot be {value}; it can be {known}"),
                name=name,
                game=game.id,
                value=shown(value),
                known=in_words(allowed),
            )
        changes[name] = MappingProxyType(dict(value)) if isinstance(value, Mapping) else value
    return replace(game.rules, **changes)


def _is_allowed(value: object, allowed: Collection[Any]) -> bool:
    # The types are compared too: in Python true is 1, in a record it is not.
    return any(type(value) is type(choice) and value == choice for choice in allowed)


def in_words(allowed: Collection[Any]) -> str:
    """The values that an option may have, as a record writes them."""
    if isinstance(allowed, range):
        return f"{allowed.start} to {allowed.stop - 1}"
    return ", ".join(value if isinstance(value, str) else shown(value) for value in allowed)
