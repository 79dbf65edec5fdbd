"""What can be chosen in set-up, in words; and the header that follows from what was chosen.

All of it comes from the same data by which the referee plays. ``games_on_offer`` gives all that a
page draws, ``header_from`` reads what the page sends back, and ``next_match`` gives the header of
another match at the same table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.engine.header import BEST_OF, Header
from scorekeeper.engine.packs import PACK_SUITS
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError
from scorekeeper.games.rules import GAMES, Game, Rules, game_of
from scorekeeper.messages import N_, shown
from scorekeeper.text.house_rules import (
    EVERYBODY,
    VARIANTS,
    Label,
    OptionWords,
    as_text,
    options_of,
)
from scorekeeper.text.i18n import capital, language
from scorekeeper.text.names import tidy_names
from scorekeeper.text.phrases import Voice
from scorekeeper.text.printings import (
    PRINTING,
    Printing,
    default_printing,
    printings_for,
    usual_suits,
)
from scorekeeper.text.rule_sentences import (
    ANSWERERS,
    CALL_TIMES,
    COUNTERS,
    FIRST_DEALS,
    FIRST_TO_SEE,
    HAND_RULES,
    LEADS_AFTER_SPOILED,
    OFFERS_IN_TURN,
    PARTNER_TIES,
    REMAINDERS,
    STEPS,
)

EXPLANATIONS: Mapping[str, Mapping[str, str]] = {
    "first_deal": FIRST_DEALS,
    "lead_after_spoiled": LEADS_AFTER_SPOILED,
    "partner_tie": PARTNER_TIES,
    "hand_rule": HAND_RULES,
    "answerer": ANSWERERS,
    "call_at": CALL_TIMES,
    "first_to_see": FIRST_TO_SEE,
    "offers_in_turn": OFFERS_IN_TURN,
    "step": STEPS,
    "remainder": REMAINDERS,
    "reraise_as_answer": COUNTERS,
}
"""Option to the rulebook's sentences on its values, if labels cannot say it all."""

MOST_DIGITS = 9
"""Most digits of a number that a form may send."""


@dataclass(frozen=True, kw_only=True)
class ValueChoice:
    """One value of an option.

    Attributes:
        value: As ``header_from`` reads it.
        label: What it means, in at most 60 characters.
        explanation: The rulebook's sentence on it; empty if the label says it all.
        players: Numbers of players for which it differs from every other value.
        needs: Another option, and the value that it must have for this one to make a difference;
            or None.
    """

    value: str
    label: str
    explanation: str = ""
    players: tuple[int, ...] = EVERYBODY
    needs: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class OptionChoice:
    """One option of a game.

    Attributes:
        name: Field of the rules, and key of ``header_from``.
        heading: What it is about, in a few words.
        default: The value by the printed rules.
        values: What it may be; empty if it is a number.
        limits: Smallest and largest number; None if it is no number.
        players: Numbers of players for which it makes a difference.
    """

    name: str
    heading: str
    default: str
    values: tuple[ValueChoice, ...] = ()
    limits: tuple[int, int] | None = None
    players: tuple[int, ...] = EVERYBODY


@dataclass(frozen=True, kw_only=True)
class PrintingChoice:
    """One way in which decks may mark the cards of a game.

    Attributes:
        name: Its name in headers.
        suits: ``french`` or ``spanish``.
        label: Ace and court cards as they are drawn: ``1 R D V``.
        drawn: Rank to what is drawn on its card.
    """

    name: str
    suits: str
    label: str
    drawn: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class VariantChoice:
    """One named variant of a game.

    Attributes:
        name: As ``header_from`` reads it.
        title: What people call it.
        sentence: What it changes.
        settles: Options that cannot be chosen with it, because it settles them.
        order: Ranks of the pack, best first, if it changes them; else empty.
    """

    name: str
    title: str
    sentence: str
    settles: tuple[str, ...]
    order: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class GameChoice:
    """One game.

    Attributes:
        game: Its id.
        title: Its name for people.
        summary: Its rules in one sentence of at most 160 characters.
        order: Ranks of the pack, best first (C-8).
        pack_size: Cards in the pack.
        printings: How decks may mark its cards; only decks that have all of its ranks (C-9).
        usual: Name of the printing with which people of the language usually play it.
        players: Numbers of players, the usual one first.
        house_players: Those of them for which no printed rules were found (L4-7).
        variants: Its variants.
        options: Its options, in the order of play.
    """

    game: str
    title: str
    summary: str
    order: tuple[str, ...]
    pack_size: int
    printings: tuple[PrintingChoice, ...]
    usual: str
    players: tuple[int, ...]
    house_players: tuple[int, ...]
    variants: tuple[VariantChoice, ...]
    options: tuple[OptionChoice, ...]

    def drawn(self, rank: str) -> dict[str, str]:
        """Name of each printing, to what is drawn on a card of a rank."""
        return {printing.name: printing.drawn[rank] for printing in self.printings}


def games_on_offer(code: str) -> tuple[GameChoice, ...]:
    """Returns every game with all that may be chosen, in words.

    Args:
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """
    return tuple(_game(game, code) for game in GAMES.values())


def match_lengths(code: str) -> tuple[ValueChoice, ...]:
    """Returns how many games a match may have, the usual number first (LV-5)."""
    gettext = language(code).gettext
    return tuple(
        ValueChoice(
            value=str(n),
            label=gettext("One game") if n == 1 else gettext("Best of {n} games").format(n=n),
        )
        for n in BEST_OF
    )


def _voice(game: Game, code: str, *variants: str) -> Voice:
    seats = ("",) * game.rules.players[0]
    return Voice(Header(game=game.id, seats=seats, variants=variants), code)


def _game(game: Game, code: str) -> GameChoice:
    rules, voice = game.rules, _voice(game, code)
    return GameChoice(
        game=game.id,
        title=voice.say(game.title).text,
        summary=voice.say(game.summary, target=rules.target).text,
        order=rules.order,
        pack_size=rules.pack_size,
        printings=tuple(_printing(each, rules, voice) for each in printings_for(rules)),
        usual=default_printing(usual_suits(rules), code).name,
        players=rules.players,
        house_players=game.house_players,
        variants=tuple(_variant(game, name, code) for name in game.variants),
        options=tuple(
            _option(game, words, voice)
            for words in options_of(game)
            if not _answered_by_variants(game, words.name)
        ),
    )


def _printing(printing: Printing, rules: Rules, voice: Voice) -> PrintingChoice:
    remarks = {PACK_SUITS: printing.suits, PRINTING: printing.name}
    named = Voice(replace(voice.header, remarks=remarks), voice.code)
    return PrintingChoice(
        name=printing.name,
        suits=printing.suits,
        label=" ".join(map(named.drawn, "AKQJ")),
        drawn={rank: named.drawn(rank) for rank in rules.order},
    )


def _answered_by_variants(game: Game, option: str) -> bool:
    """Whether the variants offer every value of an option, so that it need not be offered, too."""
    reached = [fields[option] for fields in game.variants.values() if option in fields]
    printed = getattr(game.rules, option)
    return all(value in (printed, *reached) for value in game.options[option])


def _variant(game: Game, name: str, code: str) -> VariantChoice:
    fields = game.variants[name]
    voice = _voice(game, code, name)
    return VariantChoice(
        name=name,
        title=voice.say(VARIANTS[name]).text,
        sentence=" ".join(_change(voice, field) for field in fields if field != "order"),
        settles=tuple(field for field in fields if field in game.options),
        order=fields.get("order", ()),
    )


def _change(voice: Voice, field: str) -> str:
    """What a field of the rules says, as the rulebook puts it."""
    rules: Rules = voice.rules
    sentences = {
        "step": voice.say(STEPS[rules.step]),
        "target": voice.say("The game is won at {points}.", points=voice.points(rules.target)),
    }
    return sentences[field].text


def _option(game: Game, words: OptionWords, voice: Voice) -> OptionChoice:
    allowed = game.options[words.name]
    return OptionChoice(
        name=words.name,
        heading=capital(voice.say(words.heading).text),
        default=as_text(getattr(game.rules, words.name)),
        values=tuple(_value(words, text, label, voice) for text, label in words.labels.items()),
        limits=(allowed[0], allowed[-1]) if isinstance(allowed, range) else None,
        players=words.players,
    )


def _value(words: OptionWords, text: str, label: Label, voice: Voice) -> ValueChoice:
    sentence = EXPLANATIONS.get(words.name, {}).get(text)
    return ValueChoice(
        value=text,
        label=capital(voice.say(label.words).text),
        explanation=voice.say(sentence).text if sentence else "",
        players=label.players,
        needs=label.needs,
    )


# --- what was chosen ---


def header_from(choices: Mapping[str, str | Sequence[str]], code: str = "en") -> Header:
    """Reads what a form sends, which may be anything.

    Args:
        choices: ``game``; ``names``, a list with one text a seat; ``variants``, a list;
            ``best_of`` and ``first_dealer`` (a seat, from 0); every other key is the name of an
            option. Only ``game`` and ``names`` must be there, and an empty text counts as left
            out.
        code: Language of the names given to those who have none.

    Returns:
        The header, with tidy names (``tidy_names``) and without options that change nothing.

    Raises:
        FormatError: Something in it is impossible; the error says what.
    """
    rest = {key: value for key, value in choices.items() if value != ""}
    game = game_of(rest.pop("game", None))
    names = _texts(rest.pop("names", None), "names")
    variants = _texts(rest.pop("variants", ()), "variants")
    best_of = _whole(rest.pop("best_of", str(BEST_OF[0])), "best_of")
    first_dealer = _whole(rest.pop("first_dealer", "0"), "first_dealer")
    header = Header(
        game=game.id,
        variants=variants,
        options=_options(game, variants, rest),
        seats=names,
        first_dealer=first_dealer,
        best_of=best_of,
    )
    return replace(header, seats=tidy_names(names, code))


def _texts(value: object, key: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise FormatError(N_("{key} is a list of names, not {value}"), key=key, value=shown(value))
    return tuple(value)


def _whole(value: object, key: str) -> int:
    if isinstance(value, str) and len(value) <= MOST_DIGITS and re.fullmatch("[0-9]+", value):
        return int(value)
    raise FormatError(N_("{key} is a whole number, not {value}"), key=key, value=shown(value))


def _options(game: Game, variants: Sequence[str], texts: Mapping[str, object]) -> Mapping[str, Any]:
    """The options that change something; impossible ones are kept, for ``Header`` refuses them."""
    changed = [game.variants.get(name, {}) for name in variants]
    options = {}
    for name, text in texts.items():
        value = _read(game, name, text)
        settled = [fields[name] for fields in changed if name in fields]
        if name in game.options and value in (getattr(game.rules, name), *settled):
            continue
        if settled:
            raise FormatError(
                N_("the option {name} is settled by a variant that was chosen"), name=name
            )
        options[name] = value
    return options


def _read(game: Game, name: str, text: object) -> object:
    """The value that a text stands for; the text itself if it stands for none."""
    allowed = game.options.get(name, ())
    if isinstance(allowed, range):
        return _whole(text, name)
    return next((value for value in allowed if as_text(value) == text), text)


def next_match(match: Match) -> Header:
    """The header of another match at the same table: the same players, game and house rules.

    The deal passes on as after every hand (A4), even if the last hand was not finished (C-6).
    """
    header = match.seated
    return Header(
        game=header.game,
        variants=header.variants,
        options=header.options,
        seats=header.seats,
        first_dealer=match.after(match.dealer) if match.in_progress else match.dealer,
        best_of=header.best_of,
    )
