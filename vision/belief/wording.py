"""The watching table's questions, their answers and its hints, in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.engine.said import is_guessed
from scorekeeper.errors import RuleError
from scorekeeper.messages import N_
from scorekeeper.text.phrases import Sentence, Voice
from vision.belief.proposals import Choice, Hint, Question

QUESTIONS: Mapping[str, tuple[str, str]] = {
    "cleared": (N_("The table was cleared: who folded?"), "V-14"),
    "thrown": (N_("Cards were thrown in: who folded?"), "V-14"),
    "exposed": (N_("A card was shown in dealing. Is the deal void?"), "V-7"),
    "deal": (N_("Cards were dealt: how many to everybody?"), "V-13"),
    "answer": (N_("A card was played before {who} answered. Did {who} say yes?"), "V-22"),
    "doubted": (N_("Which card did {who} play to trick {trick}?"), "V-13"),
    "card": (N_("Which card did {who} play?"), "V-13"),
    "unseen": (N_("The trick was taken away. Which card did {who} play?"), "V-13"),
    "reject": (N_("{who} laid cards face down: does that mean no?"), "V-4"),
    "early": (
        N_("{who} seems to have played, but it is not {who}'s turn. Does the card count later?"),
        "V-1",
    ),
    "too_many": (N_("There are more cards on the table than can be played."), "V-6"),
}
"""Kind of question to its sentence and its rule. They are shown in this order: first about the hand
and its deal, then about what was laid or is due, then about what may count later."""

ANSWERS: Mapping[str, str] = {
    "void": N_("Nobody: the hand is void"),
    "lie_down": N_("Fold"),
    "reject": N_("Refuse"),
    "hold": N_("It counts when its turn comes"),
    "drop": N_("It does not count"),
    "no": N_("None"),
    "cleared misdeal": N_("Nobody: the same hand was dealt again"),
    "cleared no": N_("Nobody: the hand goes on"),
    "thrown misdeal": N_("Nobody: the same hand was dealt again"),
    "thrown no": N_("Nobody: the hand goes on"),
    "card no": N_("None of these"),
    "early instead": N_("{who} played this one, not the one before"),
    "early play": N_("{who} played it"),
    "exposed misdeal": N_("Void: the same dealer deals again"),
    "exposed hold": N_("It was played"),
    "exposed drop": N_("The deal stands"),
    "answer hold": N_("Not yet: the card waits"),
    "deal no": N_("Nothing was dealt"),
    "reject no": N_("No, it means nothing"),
}
"""What stands on the button of an answer, by its word, or by kind of question and word."""

HINTS: Mapping[str, str] = {
    "not_due": N_("{who} seems to have played, but it is not {who}'s turn."),
    "exposed": N_("A card was shown in dealing: the same dealer may deal again."),
    "too_many": N_("There are more cards on the table than can be played."),
    "too_many_backs": N_("{who} seems to have too many cards."),
    "too_few_backs": N_("{who} seems to have too few cards."),
    "wrong_pack": N_("A card in front of {who} does not belong to this pack."),
}
"""Kind of hint to its sentence; a refusal comes with its own."""


def question_in_words(question: Question, voice: Voice) -> Sentence:
    """The sentence of a question, with the id of its rule."""
    text, rule = QUESTIONS[question.kind]
    return voice.say(text, rule, who=voice.name(question.seat), trick=question.trick)


def answer_in_words(question: Question, choice: Choice, voice: Voice) -> str:
    """What stands on the button of an answer."""
    if choice.side is not None:
        return voice.side(choice.side)
    text, event = ANSWERS.get(choice.word), choice.event
    text = ANSWERS.get(f"{question.kind} {choice.word}", text)
    if text is not None:
        return voice.say(text, who=voice.name(event.seat if event else question.seat)).text
    if event is None:
        return choice.word
    if event.card is not None:
        return voice.guessed(event.card) if is_guessed(event) else voice.card(event.card)
    if event.cards is not None:
        return voice.cards(event.cards)
    return event.in_words(voice.catalogue.gettext).capitalize()


def hint_in_words(hint: Hint, voice: Voice) -> Sentence:
    """The sentence of a hint, with the id of its rule."""
    text = HINTS.get(hint.kind)
    if text is None:
        error = RuleError(hint.rule, hint.reason, **hint.fields)
        error.tried = hint.event
        return Sentence(voice.refusal(error), (hint.rule,))
    return voice.say(text, hint.rule, who=voice.name(hint.seat))
