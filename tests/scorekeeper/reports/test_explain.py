"""Matches told in sentences, and the rules put into words, in four languages."""

from __future__ import annotations

import gettext
import io

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.games.rules import GAMES
from scorekeeper.history.record import read_record
from scorekeeper.reports.explain import NoSuchPlace, explain, happenings
from scorekeeper.text.glossary import TERMS
from scorekeeper.text.i18n import LANGUAGES, LanguageError, language
from scorekeeper.text.narrator import Narrator
from scorekeeper.text.rulebook import Rulebook
from tests.scorekeeper.reports.test_cases import OWN, TESTS
from tests.scorekeeper.talk import LT_ACE, TRUC, TRUT, deal, ranks, say, table

GOLDEN = sorted((TESTS / "golden").glob("*.jsonl"))


@pytest.mark.parametrize("record", GOLDEN, ids=lambda path: path.stem)
def test_golden_playthrough(record):
    """``python -m tests.golden`` writes the texts, so each change of them shows as a diff."""
    with record.open("rb") as stream:
        match = read_record(stream).match
    told = "\n".join(explain(match, "en")) + "\n"
    assert told == record.with_suffix(".txt").read_text()


def sentences(match, code="en"):
    return [
        str(s) for told in happenings(match, Narrator(match.header, code)) for s in told.sentences
    ]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        pytest.param(
            lambda: ranks(deal(table(TRUT)), "9 7 8 8"),
            ["Spoiled: 8♠ (Ana), 8♥ (Bea) tie for the top. [C-11]",
             "The first side to win a trick claims it: Ana. [TR-7]",
             "Hand for Ana: tricks won 1, claimed 1, lost 0. [TR-7]",
             "A Small for Ana. [TR-13]"],
            id="TR-7b-claimed-afterwards",
        ),
        pytest.param(
            lambda: ranks(deal(table(TRUT)), "7 7"),
            ["The first side to win a trick will claim it. [TR-7]",
             "Ana played the last card of the spoiled trick and leads. [TR-6]"],
            id="TR-6-who-leads",
        ),
        pytest.param(
            lambda: ranks(deal(table(TRUC)), "3 3 3 2"),
            ["A spoiled trick counts for nobody. [TS-7]",
             "Hand for Bea: tricks won 1, spoiled 1, lost 0. [TS-7]",
             "Even with equal tricks, the dealer's opponents win the hand. [TS-8]"],
            id="TS-8-early-end",
        ),
        pytest.param(
            lambda: ranks(deal(table(TRUC), 1), "3 3"),
            ["Hand for Bea: equal tricks go to the dealer's opponents. [TS-7]"],
            id="TS-7-one-card-drawn",
        ),
        pytest.param(
            lambda: say(deal(table(LT_ACE)), "1 raise 2, 0 accept, 1 play KS, 0 raise 4, 1 reject"),
            ["Bea offers to play for 2 points. [LT-11]",
             "Ana accepts: the hand is worth 2 points. [LT-14, LT-15]",
             "The hand is over and scores what it was worth before the offer. [LT-15]",
             "2 points for Ana. [LT-15]"],
            id="LT-15-rejected",
        ),
        pytest.param(
            lambda: say(deal(table(TRUC, 4)), "3 play 6S, 3 truc, 2 play AS"),
            ["The call is in time: right after the caller's own card. [TS-10]",
             "That accepts the offer: the hand is worth 2 points. [TS-13]"],
            id="TS-13-card-accepts",
        ),
        pytest.param(
            lambda: ranks(deal(table(TRUT, 4)), "9 7 10 7"),
            ["Trick for Ana & Carles: both partners hold the best rank, and no opponent does. "
                "[C-11]",
             "Carles played it first and leads the next trick. [C-12]"],
            id="C-12-partners-tie",
        ),
        pytest.param(
            lambda: say(deal(table(TRUT, 4, tokens=((6, 2), (3, 1)))), "2 pass, 0 pass"),
            ["Fortial for Ana & Carles: only Carles looks at the cards, and truts or passes. "
             "[TR-18, TR-19]",
             "Now Ana looks too, and truts or passes. [TR-19]",
             "A Small for Bea & Dani. [TR-21]"],
            id="TR-19-fortial",
        ),
    ],
)  # fmt: skip
def test_what_is_said(match, expected):
    told = sentences(match())
    assert [sentence for sentence in told if sentence in expected] == expected


def test_one_hand_one_trick():
    match = ranks(deal(table(TRUT)), "9 7 8 9")
    match = ranks(deal(match), "7 9")
    told = list(explain(match, "en", hand=1, trick=2))
    assert told[2].startswith("  Trick 2: Ana plays 8♠. Bea plays 9♥.")
    assert list(explain(match, "en", hand=2))[1].startswith("Hand 2: Bea deals, Ana leads.")


@pytest.mark.parametrize("place", [{"hand": 2}, {"hand": 0}, {"trick": 4}, {"hand": 1, "trick": 3}])
def test_a_hand_or_trick_that_does_not_exist_is_refused(place):
    match = ranks(deal(table(TRUT)), "9 7 8 9")
    with pytest.raises(NoSuchPlace):
        explain(match, "en", **place)


class Strict(gettext.GNUTranslations):
    """A catalogue that fails if it is asked for a message that it does not have."""

    def gettext(self, message: str) -> str:
        assert message in self._catalog, f"not translated: {message}"
        return super().gettext(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        assert (one, self.plural(n)) in self._catalog, f"not translated: {one}"
        return super().ngettext(one, many, n)


@pytest.fixture(params=[code for code in LANGUAGES if code != "en"])
def strict(request, monkeypatch):
    catalogue = language(request.param)
    monkeypatch.setattr(catalogue, "__class__", Strict)
    return request.param


def test_every_sentence_of_every_case_is_translated(strict):
    for case in OWN:
        if "error" not in case["expected"]:
            match = read_record(io.BytesIO(case["record"].encode())).match
            assert list(explain(match, strict))


def test_every_sentence_of_every_rulebook_is_translated(strict):
    for game in GAMES.values():
        for name, values in game.options.items():
            for value in values if not isinstance(values, range) else (5, 16):
                for seats in game.rules.players:
                    header = Header(game=game.id, seats=("",) * seats, options={name: value},
                                    best_of=3)  # fmt: skip
                    for heading, told in Rulebook(header, strict).sections():
                        assert heading
                        assert told


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_glossary_has_every_word(code):
    catalogue = language(code)
    for term in TERMS:
        assert term.say(catalogue)
        assert catalogue.gettext(term.meaning)
        assert all((term.en, term.fr, term.es, term.ca))


@pytest.mark.parametrize(("code", "word"), [("fr", "refuser une proposition"), ("es", "no quiero"),
                                            ("ca", "no vull")])  # fmt: skip
def test_the_glossary_refuses_an_offer_and_no_cards(code, word):
    words = {term.word: term.say(language(code)) for term in TERMS}
    assert words["refuse an offer"] == word


def test_unknown_language():
    with pytest.raises(LanguageError):
        language("tlh")


@pytest.mark.parametrize("tap", [True, False])
def test_the_rulebook_tells_of_one_card_deals_where_they_can_be_dealt(tap):
    header = Header(game=TRUC, seats=("a", "b"), options={"tap_allowed": tap})
    told = "\n".join(str(s) for _, found in Rulebook(header, "en").sections() for s in found)
    assert ("one-card" in told) == tap


def test_the_rulebook_shows_the_limits_of_the_variant():
    def book(**changes):
        header = Header(game=LT_ACE, seats=("a", "b"), **changes)
        return [str(s) for _, told in Rulebook(header, "en").sections() for s in told]

    assert "At 7–0 and a value of 4, a raise can go to: the remainder (5). [LT-16]" in book()
    assert "At 7–0 and a value of 4, a raise can go to: 8. [LT-16]" in book(variants=("to_16",))
    assert "From 0–0, if everything is accepted: 1 2 4 6 8 10 12." in book(
        variants=("raise_by_two",)
    )
