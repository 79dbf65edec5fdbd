"""House rules in a few words: the variants, the options and each of their values.

The set-up page, the board and the explanations all take them from the table ``OPTIONS``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from scorekeeper.engine.header import Header
from scorekeeper.games.rules import Game, game_of, make_rules
from scorekeeper.messages import N_
from scorekeeper.text.i18n import language

EVERYBODY = (2, 4)
FOUR = (4,)


class Label(NamedTuple):
    """One value of an option in a few words.

    Attributes:
        words: What the value means, to be read after the option's heading.
        players: Numbers of players for which it differs from every other value.
        needs: Another option, and the value (as text) that it must have for this one to make a
            difference; or None.
    """

    words: str
    players: tuple[int, ...] = EVERYBODY
    needs: tuple[str, str] | None = None


class OptionWords(NamedTuple):
    """One option in a few words.

    Attributes:
        name: Field of the rules.
        heading: What it is about, in lower case, as the first half of a line.
        labels: Value as text (``as_text``) to its label; empty for a number.
        players: Numbers of players for which the option makes a difference.
        verb: These words are for the games that have this verb; None: for all games.
    """

    name: str
    heading: str
    labels: Mapping[str, Label] = {}
    players: tuple[int, ...] = EVERYBODY
    verb: str | None = None


OPTIONS: tuple[OptionWords, ...] = (
    OptionWords(
        "first_deal",
        N_("first dealer"),
        {
            "high": Label(N_("whoever cuts the highest card")),
            "low": Label(N_("whoever cuts the lowest card")),
            "any": Label(N_("however you like, for example by cutting")),
        },
    ),
    OptionWords(
        "next_dealer",
        N_("dealing the next game"),
        {
            "rotation": Label(N_("the deal passes on as after every hand")),
            "winner": Label(N_("the next player of the side that won")),
            "loser": Label(N_("the next player of the side that lost")),
        },
    ),
    OptionWords(
        "alias",
        N_("missing sixes"),
        {
            "{}": Label(N_("none, the pack has its sixes")),
            '{"8": "6"}': Label(N_("the eights stand for the sixes")),
        },
    ),
    OptionWords(
        "tap_allowed",
        N_("tapping the pack"),
        {
            "true": Label(N_("instead of cutting; the dealer then deals one or three")),
            "false": Label(N_("not played, the pack is always cut")),
        },
    ),
    OptionWords(
        "redeal",
        N_("new cards"),
        {
            "true": Label(N_("the leader may ask, the dealer grants or refuses")),
            "false": Label(N_("nobody asks for new cards")),
        },
    ),
    OptionWords(
        "redeals",
        N_("new cards in a hand"),
        {
            "1": Label(N_("at most once")),
            "2": Label(N_("at most twice, if the pack is large enough")),
            "3": Label(N_("at most three times, if the pack is large enough")),
        },
    ),
    OptionWords(
        "lead_after_spoiled",
        N_("after a spoiled trick"),
        {
            "leader": Label(N_("whoever led it leads again")),
            "last_player": Label(N_("whoever played its last card leads")),
            "spoiler": Label(N_("the spoiler leads, the last player who ties"), FOUR),
            "first_tied": Label(N_("the first player who ties leads"), FOUR),
        },
    ),
    OptionWords(
        "partner_tie",
        N_("partners who tie"),
        {
            "side": Label(N_("the trick is theirs")),
            "spoiled": Label(N_("the trick is spoiled")),
        },
        players=FOUR,
    ),
    OptionWords(
        "hand_rule",
        N_("spoiled tricks"),
        {
            "claim": Label(N_("claimed by the first side in the hand to win one")),
            "next_winner": Label(N_("for the next side that wins one")),
            "majority": Label(N_("for nobody; equal tricks go to the dealer's opponents")),
            "first_trick": Label(N_("for nobody; equal tricks go to who won one first")),
        },
    ),
    OptionWords(
        "third_spoiled",
        N_("one trick each, third spoiled"),
        {
            "hand_rule": Label(N_("as the rule for spoiled tricks says")),
            "void": Label(N_("the hand is void, nobody scores")),
        },
    ),
    OptionWords(
        "step",
        N_("raises"),
        {
            "double": Label(N_("each doubles the value")),
            "two": Label(N_("to 2, then by 2 each time")),
            "any": Label(N_("by any whole amount")),
        },
    ),
    OptionWords(
        "limit_scope",
        N_("limit of a raise"),
        {
            "either": Label(N_("it cannot take either side past the target")),
            "raiser": Label(N_("it cannot take the raiser past the target")),
        },
    ),
    OptionWords(
        "offers_in_turn",
        N_("offers in one turn"),
        {
            "one": Label(N_("one; after a yes a card is due")),
            "any": Label(N_("another one after each yes")),
        },
    ),
    OptionWords(
        "remainder",
        N_("remainder"),
        {
            "when_blocked": Label(N_("when no ordinary raise is possible")),
            "anytime": Label(N_("at any time, instead of a raise")),
            "off": Label(N_("not played, raises only")),
        },
    ),
    OptionWords(
        "small_remainder",
        N_("remainder below the value"),
        {
            "false": Label(N_("not offered: it has to be more than the value")),
            "true": Label(N_("offered too, as a bluff")),
        },
    ),
    OptionWords(
        "reraise",
        N_("raising again"),
        {
            "anyone": Label(N_("either side, on a later turn")),
            "alternate": Label(N_("not the side whose offer was accepted last")),
        },
        verb="raise",
    ),
    OptionWords(
        "reraise",
        N_("retruc"),
        {
            "alternate": Label(N_("only for the opponents of the first caller")),
            "anyone": Label(N_("for either side")),
        },
        verb="retruc",
    ),
    OptionWords(
        "answerer",
        N_("answering truc and retruc"),
        {
            "neighbour": Label(N_("the caller's neighbour in the direction of play")),
            "side": Label(N_("either opponent, the first answer counts")),
        },
        players=FOUR,
    ),
    OptionWords(
        "speakers",
        N_("who may call"),
        {
            "anyone": Label(N_("every player, and either opponent answers")),
            "captains": Label(N_("only the dealer and the leader call and answer")),
        },
        players=FOUR,
    ),
    OptionWords(
        "call_at",
        N_("when one may call"),
        {
            "turn": Label(N_("in one's turn, before one's card")),
            "lead": Label(N_("only before leading a trick")),
            "first": Label(N_("only before the first card of the hand")),
        },
    ),
    OptionWords(
        "first_to_see",
        N_("who answers a trut"),
        {
            "truter": Label(N_("the opponents in turn, from the truter's left")),
            "dealer": Label(N_("the opponents in turn, from the dealer's left")),
            "either": Label(N_("either opponent for both, the first answer counts")),
        },
        players=FOUR,
    ),
    OptionWords(
        "retrut",
        N_("retrut"),
        {
            "off": Label(N_("not played, there is one trut a hand")),
            "two_longs": Label(N_("the other side may trut back, for two Longs")),
        },
    ),
    OptionWords(
        "late_call",
        N_("calls after one's own card"),
        {
            "false": Label(N_("too late, calls come before the card")),
            "true": Label(N_("in time until the next player acts")),
        },
    ),
    OptionWords(
        "reraise_as_answer",
        N_("answering with a raise"),
        {
            "never": Label(N_("never, the answer is yes or no")),
            # Who offers is on turn, unless the call is late: then the answerer may be on turn.
            "on_turn": Label(N_("for whoever is on turn"), needs=("late_call", "true")),
            "always": Label(N_("for everybody who answers")),
        },
        verb="raise",
    ),
    OptionWords(
        "reraise_as_answer",
        N_("answering with a retruc"),
        {
            "never": Label(N_("never, the answer is yes or no")),
            "on_turn": Label(N_("for whoever is on turn")),
            "always": Label(N_("for everybody who answers")),
        },
        verb="retruc",
    ),
    OptionWords(
        "eleven",
        N_("eleven"),
        {
            "true": Label(N_("a side that needs one point plays for 3 or declines")),
            "false": Label(N_("a side that needs one point is not asked")),
        },
    ),
    OptionWords(
        "declined",
        N_("declining at eleven"),
        {
            "1": Label(N_("1 point for the other side")),
            "2": Label(N_("2 points for the other side")),
            "3": Label(N_("3 points for the other side")),
        },
    ),
    OptionWords(
        "fortial",
        N_("fortial"),
        {
            "true": Label(N_("a side that needs one Small must trut or pass")),
            "false": Label(N_("a side that needs one Small is not asked")),
        },
    ),
    OptionWords("target", N_("points to win"), verb="accept"),
    OptionWords("target", N_("Longs to win"), verb="trut"),
    OptionWords(
        "clamp",
        N_("points past the target"),
        {
            "true": Label(N_("not counted, a score stops there")),
            "false": Label(N_("counted like all others")),
        },
    ),
)
"""Every option that has more than one value, in the order of play."""

VARIANTS: Mapping[str, str] = {
    "lucky_seven": N_("Lucky seven"),
    "raise_by_two": N_("Raise by two"),
    "raise_by_any": N_("Raise by any amount"),
    "to_16": N_("Play to 16"),
}
"""What people call the variants (LV-1 … LV-4)."""


def options_of(game: Game) -> Iterator[OptionWords]:
    """Yields the options of a game that can have more than one value, in the order of play."""
    for words in OPTIONS:
        fits = words.verb is None or words.verb in game.rules.verbs
        if fits and len(game.options.get(words.name, ())) > 1:
            yield words


def as_text(value: Any) -> str:
    """A value of an option as text, as a form sends it: a string as it is, others as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(dict(value) if isinstance(value, Mapping) else value)


def settings_in_words(header: Header, code: str) -> list[str]:
    """The house rules of a match, each in a few words; empty if the printed rules are played.

    Args:
        header: Who plays what.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.

    Returns:
        The variants, then ``heading: label`` for every option that changes something.
    """
    gettext = language(code).gettext
    game = game_of(header.game)
    told = [gettext(VARIANTS[name]) for name in dict.fromkeys(header.variants)]
    before = make_rules(game, header.variants)
    for words in options_of(game):
        value = getattr(header.rules, words.name)
        if value != getattr(before, words.name):
            text = as_text(value)
            choice = gettext(words.labels[text].words) if words.labels else text
            told.append(
                gettext("{heading}: {choice}").format(heading=gettext(words.heading), choice=choice)
            )
    return told
