"""``Voice``: sentences about a match in one language, with the ids of their rules.

A side is one player or two. So sentences avoid verbs that differ between one and two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.packs import PACK_SUITS, SPANISH
from scorekeeper.engine.state import Match
from scorekeeper.errors import FormatError, RuleError
from scorekeeper.games.cards import RANKS, Card, parse_card
from scorekeeper.games.raises import GAME, LONG, REMAINDER, SMALL, TWO_LONGS, Value
from scorekeeper.games.rules import game_of
from scorekeeper.games.scoring import Score
from scorekeeper.messages import N_, one_line
from scorekeeper.text.house_rules import settings_in_words
from scorekeeper.text.i18n import language
from scorekeeper.text.names import together
from scorekeeper.text.printings import FRENCH, Printing, printing_of

FRENCH_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SPANISH_CARDS = {
    "O": N_("{rank} of oros"),
    "U": N_("{rank} of copas"),
    "E": N_("{rank} of espadas"),
    "B": N_("{rank} of bastos"),
}
"""Suit of a Spanish card to its name; each language joins rank and suit in its own way."""


WORTH: Mapping[str, str] = {
    REMAINDER: N_("the remainder"),
    GAME: N_("the whole game"),
    SMALL: N_("a Small"),
    LONG: N_("a Long"),
    TWO_LONGS: N_("two Longs"),
}
"""What a hand is worth, if that is no number of points, in words."""

AT_A_TABLE: Mapping[str, str] = {
    "seat {turn} is on turn": N_("it is {turn}'s turn"),
    "seat {cutter} cuts": N_("{cutter} cuts"),
    "seat {dealer} deals": N_("{dealer} deals"),
    "seat {seat} has played that card in this hand": N_("{seat} has played that card in this hand"),
    "seat {seat} is on turn already": N_("it is {seat}'s turn already"),
    "seat {seat} has played to this trick already": N_("{seat} has played to this trick already"),
    "seat {seat} deals already": N_("{seat} deals already"),
    "it is for seat {seats}": N_("it is for {seats}"),
}
"""Reasons of a ``RuleError`` that name seats by numbers, to those that name the players."""
SEATS = frozenset({"turn", "cutter", "dealer", "seat"})
"""Fields of these reasons that are numbers of seats."""


class Option(NamedTuple):
    """An option that can change a point of the rules.

    Attributes:
        field: Field of the rules.
        house: What is cited instead of the game's own rule if that field was changed.
    """

    field: str
    house: str = "§8"


EVERYWHERE: Mapping[str, str] = {"next dealer": "A4", "spoiled": "C-11", "third spoiled": "T3"}
"""Points that all games settle alike, to the rule; ``Rules.cites`` has the other points."""

CHANGED_BY: Mapping[str, Option] = {
    "first deal": Option("first_deal"),
    "next dealer": Option("next_dealer"),
    "spoiled lead": Option("lead_after_spoiled", "§1.5"),
    "spoiled": Option("partner_tie", "A2"),
    "result": Option("hand_rule", "§1.6"),
    "third spoiled": Option("third_spoiled"),
    "early end": Option("hand_rule", "C-13"),
    "counter": Option("reraise_as_answer"),
    "offers in turn": Option("offers_in_turn"),
    "late call": Option("late_call"),
    "answerer": Option("answerer"),
    "first to see": Option("first_to_see"),
    "retruc": Option("reraise"),
    "clamp": Option("clamp"),
}
"""Points that an option can change. § stands for a section of docs/rules.md."""


COLUMNS: Mapping[str, tuple[str, str]] = {
    "points": ("{n} point", "{n} points"),
    "longs": ("{n} Long", "{n} Longs"),
    "smalls": ("{n} Small", "{n} Smalls"),
}
"""Column of a score to the words for one and for many of what it counts."""


class Sentence(NamedTuple):
    """One sentence, and the ids of the rules that it follows from."""

    text: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.text} [{', '.join(self.rules)}]" if self.rules else self.text


class Voice:
    """Says things about one match in one language.

    Args:
        header: Who plays what.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """

    def __init__(self, header: Header, code: str) -> None:
        self.header = header
        self.rules = header.rules
        self.code = code
        self.catalogue = language(code)
        self.name_players(header)
        self.unsure: Collection[Card] = ()
        """Cards whose suit was guessed; they are named by their rank alone (V-12)."""

    def name_players(self, header: Header) -> None:
        """From now on, calls the players by the names in this header (V-21).

        A player without a name is "Player 1", by the seat.
        """
        nobody = self.catalogue.gettext("Player {n}")
        self.names = tuple(
            one_line(name) if name.strip() else nobody.format(n=seat)
            for seat, name in enumerate(header.seats, 1)
        )

    def say(self, message: str, *rules: str, **fields: object) -> Sentence:
        """Translates a message and fills in its fields.

        Args:
            message: The English message, a key of the catalogue.
            *rules: Ids of the rules that the sentence cites.
            **fields: Values of the fields in the message.
        """
        pattern = self.catalogue.gettext(message)
        text = pattern.format(**fields)
        if pattern.endswith("}.") and text.endswith(".."):  # it ends with a name like "Hugo B."
            text = text[:-1]
        return Sentence(text, rules)

    def count(self, one: str, many: str, n: int) -> str:
        """A number of things, in the right plural form of the language."""
        return self.catalogue.ngettext(one, many, n).format(n=n)

    def percent(self, whole: int) -> str:
        """A percentage; some languages put a space before the sign."""
        return self.say("{n}%", n=whole).text

    def cite(self, point: str) -> str:
        """The id of the rule that settles a point in this game, as ``Rules.cites`` names points.

        If an option has changed it, the id is of that option's rule, or of its section.
        """
        option = CHANGED_BY.get(point)
        if option is not None:
            printed = game_of(self.header.game).rules
            if getattr(self.rules, option.field) != getattr(printed, option.field):
                return option.house
        return EVERYWHERE.get(point) or self.rules.cites[point]

    def game_and_house_rules(self) -> list[str]:
        """The game's name, then a line on the house rules if there are any."""
        header = self.header
        told = [self.say(header.title).text]
        house = settings_in_words(header, self.code)
        if house:
            rules = self.say("; ").text.join(house)
            told.append(self.say("House rules: {rules}.", rules=rules).text)
        if len(header.seats) in game_of(header.game).house_players:
            told.append(
                str(
                    self.say("For four, by house rules: no printed text of them was found.", "L4-7")
                )
            )
        return told

    @property
    def suits(self) -> str:
        """The kind of suits that was chosen in set-up; French ones if none were."""
        return SPANISH if self.header.remarks.get(PACK_SUITS) == SPANISH else FRENCH

    def printing(self, suits: str) -> Printing:
        """How cards of a kind of suits are marked at this table."""
        return printing_of(self.header.remarks, suits, self.code)

    def drawn(self, rank: str, suits: str | None = None) -> str:
        """What a screen draws on a card of a rank: ``R``, ``12``, ``rey``."""
        printing = self.printing(suits or self.suits)
        return self._rank(printing, rank) if printing.words_on_cards else printing.sign(rank)

    def face(self, card: Card) -> str:
        """The rank of a card as a screen draws it."""
        return self.drawn(card.rank, _suits(card))

    def rank(self, rank: str, suits: str | None = None) -> str:
        """A rank in a sentence: ``R``, ``12``, ``rey``."""
        return self._rank(self.printing(suits or self.suits), rank)

    def ranks(self, ranks: Iterable[str]) -> str:
        """Several ranks, in their order: ``1 R D V 10``."""
        return " ".join(map(self.drawn, ranks))

    def _rank(self, printing: Printing, rank: str) -> str:
        word = printing.words.get(rank)
        return printing.sign(rank) if word is None else self.catalogue.gettext(word)

    def name(self, seat: int | None) -> str:
        """The player of a seat."""
        return "?" if seat is None else self.names[seat]

    def side(self, side: int) -> str:
        """The player or the two partners of a side: ``Ana & Carles``."""
        return self.together(range(side, len(self.names), 2))

    def together(self, seats: Iterable[int]) -> str:
        """Several players: ``Ana & Carles``, ``Ana et Carles``."""
        return together([self.names[seat] for seat in seats], self.code)

    def card(self, card: Card) -> str:
        """A card as the table's people say it: ``R♠``, ``sota de oros``, ``10 d'oros``."""
        rank = self.rank(card.rank, _suits(card))
        if card in self.unsure:
            return rank
        if card.spanish:
            return self.catalogue.gettext(SPANISH_CARDS[card.suit]).format(rank=rank)
        return f"{rank}{FRENCH_SYMBOLS[card.suit]}"

    def guessed(self, card: Card) -> str:
        """A card of which only the rank is known (V-12)."""
        return self.rank(card.rank, _suits(card))

    def refusal(self, error: RuleError) -> str:
        """Says what cannot be done and why, with the players' names and the deck's cards."""
        fields = {name: self._field(name, value) for name, value in error.fields.items()}
        reason = self.say(AT_A_TABLE.get(error.reason, error.reason), **fields).text
        if error.tried is None:
            return reason
        seat = error.tried.seat
        named = not error.tried.agreed and seat is not None and 0 <= seat < len(self.names)
        message = (
            N_("{who} cannot {tried} now: {reason}")
            if named
            else N_("{tried} is not possible now: {reason}")
        )
        tried = error.tried.in_words(self.catalogue.gettext, self.card)
        return self.say(
            message, who=self.name(seat) if named else "", tried=tried, reason=reason
        ).text

    def _field(self, name: str, value: object) -> object:
        """The value of a field of an error, with cards and seats as people call them."""
        if name in SEATS and isinstance(value, int | str) and str(value).isdecimal():
            return self.name(int(value)) if int(value) < len(self.names) else value
        if name == "seats":
            return " / ".join(str(self._field("seat", seat)) for seat in str(value).split(" / "))
        with suppress(FormatError):
            if name == "card":
                return self.card(parse_card(value))
        return self.rank(value) if name == "rank" and isinstance(value, str) else value

    def pack(self) -> Sentence:
        """How many cards there are, and what is taken out of a pack of 52 (C-8, C-9)."""
        rules = self.rules
        kept = set(rules.order) - set(rules.alias.values()) | set(rules.alias)
        removed = ", ".join(self.rank(rank, FRENCH) for rank in RANKS if rank not in kept)
        message = N_("{n} cards; of a pack of 52, take out {removed}.")
        if not removed:
            message = N_("A whole pack of {n} cards, without jokers.")
        return self.say(message, "C-8", n=rules.pack_size, removed=removed)

    def cards(self, n: int) -> str:
        """A number of cards."""
        return self.count("{n} card", "{n} cards", n)

    def points(self, n: int) -> str:
        """A number of points."""
        return self.count("{n} point", "{n} points", n)

    def smalls(self, n: int) -> str:
        """A number of Smalls (TR-4)."""
        return self.count("{n} Small", "{n} Smalls", n)

    def longs(self, n: int) -> str:
        """A number of Longs (TR-4)."""
        return self.count("{n} Long", "{n} Longs", n)

    def counted(self, column: str, n: int, *, sign: bool = False) -> str:
        """A number of what a column of the score counts: ``2 points``, ``-1 Long``.

        Args:
            column: One of ``COLUMNS``.
            n: The number.
            sign: Whether a plus is written, too.
        """
        words = self.catalogue.ngettext(*COLUMNS[column], abs(n))
        return words.format(n=f"{n:+}" if sign else n)

    def amount(self, event: Event) -> str:
        """How much an event gives or takes, with its sign: ``+2 points``, ``-1 Long``."""
        columns = self.rules.counting.columns
        if event.do == "award":
            return self.counted(columns[-1], event.points or 0, sign=True)
        changes = zip(columns, (event.points or 0, event.smalls or 0), strict=False)
        return ", ".join(self.counted(column, n, sign=True) for column, n in changes if n)

    def agreed(self, message: str, event: Event) -> str:
        """A message of ``agreed.py`` with the fields of its event filled in."""
        return self.say(
            message,
            who=self.name(event.seat) if event.seat is not None else "",
            side="" if event.side is None else self.side(event.side),
            amount=self.amount(event),
            name=one_line(event.name or ""),
        ).text

    def value(self, value: Value) -> str:
        """What a hand is worth: ``2 points``, ``the remainder``, ``a Long``."""
        return self.say(WORTH[value]).text if isinstance(value, str) else self.points(value)

    def score(self, score: Score) -> str:
        """A side's score: ``7 points``, ``3 Longs, 1 Small``."""
        return self.rules.counting.in_words(score, self)

    def standings(self, match: Match) -> Sentence:
        """Both sides' scores."""
        first, second = (f"{self.side(side)} {self.score(match.scores[side])}" for side in (0, 1))
        return self.say("Score: {first}; {second}.", first=first, second=second)


def _suits(card: Card) -> str:
    return SPANISH if card.spanish else FRENCH
