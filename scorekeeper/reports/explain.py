"""Tells a match hand by hand and trick by trick, for people who disagree about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import legal_events, moments
from scorekeeper.engine.said import is_guessed
from scorekeeper.engine.state import Match
from scorekeeper.engine.verbs import AWAITED
from scorekeeper.errors import ScorekeeperError
from scorekeeper.games.cards import Card
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.phrases import Sentence


class NoSuchPlace(ScorekeeperError):
    """The match does not have the hand or the trick that was asked for."""


class Happening(NamedTuple):
    """One event that stands, in sentences.

    Attributes:
        event: The event.
        after: The match after it.
        hand: Number of the hand, from 1; 0 before the first.
        trick: Number of the trick in which it was said, from 1; 0 outside play.
        sentences: What it was, and what followed from it.
    """

    event: Event
    after: Match
    hand: int
    trick: int
    sentences: list[Sentence]


def happenings(match: Match, narrator: Narrator) -> Iterator[Happening]:
    """Tells each event that stands, in order."""
    steps = moments(match)
    unsure: set[Card] = set()
    for before, after in pairwise(steps):
        assert after.event is not None
        trick = 0
        if before.in_progress and before.current().turn is not None:
            trick = 1 + sum(trick.complete for trick in before.current().tricks)
        unsure = set() if before.hand_number != after.hand_number else unsure
        if after.event.card is not None and is_guessed(after.event):
            unsure.add(after.event.card)
        narrator.unsure = unsure
        sentences = narrator.tell(before, after.event, after)
        yield Happening(after.event, after, after.hand_number, trick, sentences)


def explain(
    match: Match, code: str, *, hand: int | None = None, trick: int | None = None
) -> Iterator[str]:
    """Tells a match, a line at a time.

    Args:
        match: The match.
        code: Language, one of ``scorekeeper.text.i18n.LANGUAGES``.
        hand: Only this hand, from 1.
        trick: Only this trick of the hands that are told, from 1.

    Raises:
        NoSuchPlace: There is no such hand or trick.
    """
    hands = match.hands()
    if hand is not None and not 1 <= hand <= len(hands):
        raise NoSuchPlace(f"There is no hand {hand}: the match has {len(hands)} so far.")
    asked = hands if hand is None else hands[hand - 1 : hand]
    most = max((len(told.tricks) for told in asked), default=0)
    if trick is not None and not 1 <= trick <= most:
        raise NoSuchPlace(f"There is no trick {trick} here: no hand has more than {most}.")
    narrator = Narrator(match.header, code)
    chosen = (
        told
        for told in happenings(match, narrator)
        if hand in (None, told.hand) and trick in (None, told.trick)
    )
    if hand is not None or trick is not None:
        return _lines(narrator, chosen)
    return chain(title(narrator), _lines(narrator, chosen), [""], now(match, narrator))


def _lines(narrator: Narrator, told: Iterable[Happening]) -> Iterator[str]:
    """The lines of some events; cards share a line until a word is said or the trick ends."""
    for number, of_hand in groupby(told, key=lambda happening: happening.hand):
        headed = number == 0
        cards = ""
        for event, after, _, trick, sentences in of_hand:
            if not headed:
                yield ""
                yield _heading(narrator, after)
                headed = True
            is_card = event.do == "play"
            if is_card:
                cards = cards or "  " + narrator.say("Trick {n}:", n=trick).text
                cards += " " + sentences[0].text
            if cards and (not is_card or len(sentences) > 1):
                yield cards
                cards = ""
            for sentence in sentences[is_card:]:
                yield f"{'    ' if is_card else '  '}{sentence}"
        if cards:
            yield cards


def _heading(narrator: Narrator, match: Match) -> str:
    assert match.hand is not None
    dealer = match.hand.dealer
    return str(
        narrator.say(
            "Hand {n}: {dealer} deals, {leader} leads.",
            "C-4",
            n=match.hand_number,
            dealer=narrator.name(dealer),
            leader=narrator.name(match.after(dealer)),
        )
    )


def title(narrator: Narrator) -> Iterator[str]:
    """Which game is played, by whom, and by which house rules."""
    game, *house = narrator.game_and_house_rules()
    yield narrator.say(
        "{game}: {first} against {second}.",
        game=game,
        first=narrator.side(0),
        second=narrator.side(1),
    ).text
    yield from house
    if narrator.header.best_of > 1:
        yield narrator.say("Best of {n} games.", "LV-5", n=narrator.header.best_of).text


def now(match: Match, narrator: Narrator) -> Iterator[str]:
    """The score, what is awaited, and what each player may do now."""
    narrator.name_players(match.seated)
    yield narrator.standings(match).text
    if match.header.best_of > 1:
        first, second = match.games_won
        yield narrator.say("Games: {first} to {second}.", first=first, second=second).text
    if match.winner is not None:
        yield narrator.say(
            "The match is over: it goes to {side}.", side=narrator.side(match.winner)
        ).text
        return
    if match.over:
        yield narrator.say("The match is over, without a winner.").text
        return
    yield narrator.say("Now {awaited}.", awaited=narrator.say(AWAITED[match.phase]).text).text
    by_seat: dict[int, list[str]] = {}
    for event in legal_events(match):
        if event.seat is not None:
            by_seat.setdefault(event.seat, []).append(event.in_words(narrator.catalogue.gettext))
    for seat, words in sorted(by_seat.items()):
        told = narrator.say("{who}: {words}", who=narrator.name(seat), words=", ".join(words))
        yield f"  {told.text}"
