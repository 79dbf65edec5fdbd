"""The names of players are tidied for screens and records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import Header
from scorekeeper.messages import one_line
from scorekeeper.text.names import LONGEST_NAME, tidy_names, together, visible_characters
from scorekeeper.text.phrases import Voice

FAMILY = "👩🏽‍👩🏽‍👧🏽‍👦🏽"

ODD = "aAé\u0301 \t\n\x00\x1b\u200d\u200b\u202e\u3000\ud800👩🏽🇫🇷❤\ufe0f2ﬁß한"
NAMES = st.lists(st.text() | st.text(ODD, max_size=60) | st.sampled_from(["Ana", "ana ", ""]))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("  Ana \t María\n", "Ana María", id="blanks"),
        pytest.param("A\x00n\x1b[31ma\u202e", "An[31ma", id="control-characters"),
        pytest.param("<b>Ana</b> & co", "<b>Ana</b> & co", id="HTML-is-text"),
        pytest.param("Ана Ζωή 安娜 آنا", "Ана Ζωή 安娜 آنا", id="any-script"),
        pytest.param(f"Ana {FAMILY}", f"Ana {FAMILY}", id="emoji"),
        pytest.param("Zoe\u0308", "Zoë", id="composed"),
        pytest.param("x" * 25, "x" * 24, id="25-letters"),
        pytest.param("x" * 23 + " y", "x" * 23, id="no-blank-at-the-end"),
        pytest.param(FAMILY * 25, FAMILY * 24, id="24-families"),
        pytest.param("🇫🇷" * 25, "🇫🇷" * 24, id="24-flags"),
        pytest.param("A" + "\u0333" * 500 + "na", "Ana", id="a-tower-of-accents"),
        pytest.param(" host", "Host", id="the-word-for-the-host"),
        pytest.param("", "Player 1", id="empty"),
        pytest.param(" \u200d\ufe0f\u200b ", "Player 1", id="nothing-to-see"),
    ],
)
def test_one_name(typed, expected):
    assert tidy_names([typed], "en") == (expected,)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param(["Ana", "Ana"], ["Ana", "Ana 2"], id="second"),
        pytest.param(["Ana", " ANA"], ["Ana", "ANA 2"], id="case-is-no-difference"),
        pytest.param(["Ana"] * 4, ["Ana", "Ana 2", "Ana 3", "Ana 4"], id="four"),
        pytest.param(["Ana", "Ana", "Ana 2"], ["Ana", "Ana 3", "Ana 2"], id="who-is-so-called"),
        pytest.param(["", "", "Bea", ""], ["Player 1", "Player 2", "Bea", "Player 4"], id="seats"),
        pytest.param(["Player 2", ""], ["Player 2", "Player 2 2"], id="who-is-called-Player-2"),
        pytest.param(["x" * 24] * 2, ["x" * 24, "x" * 22 + " 2"], id="long"),
    ],
)
def test_several_names(typed, expected):
    assert list(tidy_names(typed, "en")) == expected


@given(NAMES)
def test_names_are_different_visible_and_stay_tidy(typed):
    names = tidy_names(typed, "en")
    assert len(names) == len(typed)
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert name == name.strip() == one_line(name) != ""
        assert len(list(visible_characters(name))) <= LONGEST_NAME
        name.encode()
    assert tidy_names(names, "en") == names


@given(st.text() | st.text(ODD))
def test_nothing_is_lost_between_visible_characters(text):
    assert "".join(visible_characters(text)) == text


@pytest.mark.parametrize("character", ["a", "e\u0301", "👩🏽", FAMILY, "🇫🇷", "❤\ufe0f", "한"])
def test_one_visible_character(character):
    assert list(visible_characters(f"x{character}y{character}")) == ["x", character, "y", character]


@pytest.mark.parametrize(
    ("names", "code", "expected"),
    [
        (["Ana"], "fr", "Ana"),
        (["Ana", "Carles"], "en", "Ana & Carles"),
        (["Ana", "Carles"], "fr", "Ana et Carles"),
        (["Ana", "Carles"], "es", "Ana y Carles"),
        (["Ana", "Carles"], "ca", "Ana i Carles"),
        (["Ana", "Inés"], "es", "Ana e Inés"),
        (["Ana", "Iago"], "es", "Ana y Iago"),
        (["Ana", "Bea", "Carles"], "ca", "Ana, Bea i Carles"),
    ],
)
def test_names_are_joined_as_the_language_does(names, code, expected):
    assert together(names, code) == expected


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ana", "Trick: Ana."),
        ("Hugo B.", "Trick: Hugo B."),
        ("B.", "Trick: B."),
        ("…", "Trick: …."),
    ],
)
def test_a_name_that_ends_with_a_full_stop_ends_the_sentence(name, told):
    voice = Voice(Header(game="trut", seats=(name, "Bea")), "en")
    assert voice.say("Trick: {who}.", who=name).text == told
