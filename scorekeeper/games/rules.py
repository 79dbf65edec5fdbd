"""The games as data: one ``Game`` each, with its ``Rules``, variants and options.

No code asks which game is played: it reads the fields of the rules (section 8 of the rules).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from scorekeeper.errors import FormatError
from scorekeeper.games.game import OPERATOR_VERBS, Custom, Game, Rules
from scorekeeper.games.raises import GAME, LADDER, TRUT_STAKE, YES_OR_NO, Call, Steps
from scorekeeper.games.scoring import IN_TOKENS
from scorekeeper.messages import N_, shown

__all__ = [
    "GAMES",
    "OPERATOR_VERBS",
    "Game",
    "Rules",
    "find_game",
    "game_of",
    "in_words",
    "make_rules",
]

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
    # These two mean nothing in most games: tapping chooses between numbers of cards, and fortial
    # needs Smalls. Games in which they do mean something override them below.
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

LADDER_CITES: Mapping[str, str] = {
    "first deal": "LA/LB-2",
    "deal": "LT-2",
    "lead": "LT-7",
    "spoiled lead": "LT-7",
    "result": "LT-8",
    "early end": "LT-9",
    "worth": "LT-10",
    "late call": "LT-11",
    "offers in turn": "LT-12",
    "answer": "LT-14",
    "answer of four": "L4-4",
    "counter": "LT-14",
    "accept": "LT-15",
    "reject": "LT-15",
    "remainder": "LT-17",
    "clamp": "LT-19",
    "target": "LT-19",
}

LADDER_SUMMARY = N_(
    "Win two of three tricks; raise to play for more points, and whoever says no loses the "
    "hand; the first to {target} points wins."
)
LADDER_CUSTOMS = (
    Custom(
        N_(
            "An offer is said with its new value, “two if I play?”, or as “my remainder”. The "
            "answer is “yes”, or the cards are thrown in."
        ),
        "LT-21",
    ),
    Custom(N_("Whoever gives up throws the cards in and need not show them."), "LT-20"),
)

LE_TRUC_ACE = Game(
    title=N_("Le Truc, ace high"),
    summary=LADDER_SUMMARY,
    customs=LADDER_CUSTOMS,
    rules=Rules(
        game="le_truc_ace",
        order=("A", "K", "Q", "J", "10", "9", "8", "7"),
        first_deal="high",
        redeal=True,
        raising=LADDER,
        offers_in_turn="one",
        cites=LADDER_CITES,
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
    summary=LADDER_SUMMARY,
    customs=LADDER_CUSTOMS,
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
    summary=N_(
        "Win two of three tricks for a Small; call trut to play for a Long, and whoever says no "
        "loses the hand; 3 Smalls make a Long, {target} Longs win."
    ),
    customs=(
        Custom(N_("A trut is said, or knocked on the table."), "TR-8"),
        Custom(N_("The cards of a side that folds go back unseen."), "TR-12"),
    ),
    rules=Rules(
        game="trut",
        order=("7", "8", "A", "K", "Q", "J", "10", "9"),
        lead_after_spoiled="last_player",
        raising=TRUT_STAKE,
        fortial=True,
        target=7,
        counting=IN_TOKENS,
        cites={
            "first deal": "TR-3",
            "deal": "TR-2",
            "lead": "TR-5",
            "spoiled lead": "TR-6",
            "result": "TR-7",
            "early end": "TR-7",
            "first to see": "TR-10",
            "reject": "TR-11",
            "target": "TR-17",
        },
    ),
    options={
        **COMMON_OPTIONS,
        "fortial": BOOLEAN,
        "eleven": (False,),
        "reraise_as_answer": ("never",),
        "first_to_see": ("truter", "dealer", "either"),
        "retrut": ("off", "two_longs"),
    },
)

TRUC_SPAIN = Game(
    title=N_("Truc of Spain"),
    summary=N_(
        "Win more of the three tricks than the other side; truc raises the hand to 2 points, "
        "retruc to 3, and whoever says no loses it; the first to {target} points wins."
    ),
    customs=(
        Custom(
            N_(
                "The calls are “truc” and “retruc”. “I accept” or a card accepts; “no” or cards "
                "laid face down refuse."
            ),
            "TS-13",
        ),
        Custom(N_("Cards that were not played go back unseen."), "TS-9"),
        Custom(N_("Partners may agree on signals, and talk freely."), "TS-2", (4,)),
    ),
    calls=N_("Truc makes it {truc}, retruc after an accepted truc {retruc}; each once a hand."),
    rules=Rules(
        game="truc_spain",
        order=("3", "2", "A", "K", "Q", "J", "7", "6", "5", "4"),
        players=(4, 2),
        direction=-1,
        hand_sizes=(3, 1),
        tap_allowed=True,
        hand_rule="majority",
        raising=Steps(
            YES_OR_NO,
            calls=(
                Call("truc", 2, "TS-10", N_("truc is called once a hand")),
                Call(
                    "retruc",
                    3,
                    "TS-15",
                    N_("retruc follows an accepted truc, once a hand"),
                    N_("retruc is for the opponents of the one who called truc"),
                ),
            ),
        ),
        reraise="alternate",
        answerer="neighbour",
        accept_by_card=True,
        late_call=True,
        reraise_as_answer="on_turn",
        eleven=True,
        clamp=False,
        cites={
            "first deal": "TS-1",
            "deal": "TS-3",
            "lead": "TS-6",
            "spoiled lead": "TS-6",
            "result": "TS-7",
            "early end": "TS-8",
            "worth": "TS-9",
            "unseen": "TS-9",
            "call": "TS-10",
            "late call": "TS-10",
            "too late": "TS-11",
            "answer": "TS-12",
            "answer of four": "TS-12",
            "answerer": "TS-12",
            "accept": "TS-13",
            "reject": "TS-14",
            "retruc": "TS-15",
            "counter": "TS-16",
            "clamp": "TS-20",
            "target": "TS-20",
        },
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

PUT_ORDER = ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
PUT = Game(
    title=N_("Put"),
    summary=N_(
        "Win two of three tricks for a point; say put to play the hand for the whole game, and "
        "whoever says no loses the point; {target} points win."
    ),
    customs=(
        Custom(N_("“I put” offers. “I see it” accepts; cards thrown in refuse."), "PU-6"),
        Custom(
            N_(
                "Whoever gives up throws the cards in: the other side scores a point, or the game "
                "after an accepted put."
            ),
            "PU-8",
        ),
    ),
    calls=N_(
        "“I put” offers to play the hand for the whole game. If it is accepted, whoever wins the "
        "hand wins the game. It is said once a hand."
    ),
    rules=Rules(
        game="put",
        order=PUT_ORDER,
        players=(2,),
        first_deal="high",
        cut_order=PUT_ORDER,
        hand_rule="trick_and_tie",
        raising=Steps(YES_OR_NO, calls=(Call("put", GAME, "PU-5", N_("put is said once a hand")),)),
        target=5,
        cites={
            "first deal": "PU-1",
            "deal": "PU-2",
            "lead": "PU-3",
            "spoiled lead": "PU-3",
            "result": "PU-4",
            "early end": "PU-4",
            "worth": "PU-4",
            "call": "PU-5",
            "late call": "PU-5",
            "too late": "PU-5",
            "answer": "PU-6",
            "answer of four": "PU-6",
            "answerer": "PU-6",
            "accept": "PU-7",
            "remainder": "PU-7",
            "reject": "PU-6",
            "counter": "PU-6",
            "clamp": "PU-9",
            "target": "PU-9",
        },
    ),
    options={
        "first_deal": COMMON_OPTIONS["first_deal"],
        "next_dealer": COMMON_OPTIONS["next_dealer"],
        "call_at": ("turn", "lead", "first"),
        "target": TARGETS,
    },
    aliases=("putt",),
)

GAMES: Mapping[str, Game] = {
    game.id: game for game in (LE_TRUC_ACE, LE_TRUC_SEVEN, TRUT, TRUC_SPAIN, PUT)
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
    """Returns the game with this id or alias, in upper or lower case.

    Raises:
        FormatError: There is no such game.
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
        if fields is None and not game.variants:
            raise FormatError(
                N_("{game} has no variants, so none is called {name}"),
                game=game.id,
                name=shown(name),
            )
        if fields is None:
            raise FormatError(
                N_("{game} has no variant {name}; it has {known}"),
                game=game.id,
                name=shown(name),
                known=", ".join(game.variants),
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
    # The types are compared, too: in Python True equals 1, but an option is one or the other.
    return any(type(value) is type(choice) and value == choice for choice in allowed)


def in_words(allowed: Collection[Any]) -> str:
    """The values that an option may have, as a record writes them."""
    if isinstance(allowed, range):
        return f"{allowed.start} to {allowed.stop - 1}"
    return ", ".join(value if isinstance(value, str) else shown(value) for value in allowed)
