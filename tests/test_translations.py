"""The catalogues have every message of the code, translated and with all fields."""

import re
import string

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo

from build_translations import catalogues, extract_messages, read_catalogue
from scorekeeper.text.i18n import LANGUAGES


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def texts(value: str | tuple[str, ...] | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


@pytest.fixture(params=catalogues(), ids=lambda po: po.parts[-3])
def po(request):
    return request.param


@pytest.fixture(scope="module")
def messages():
    """All messages of the code, which takes seconds to read."""
    return tuple(extract_messages())


def test_there_is_a_catalogue_for_each_language():
    assert {po.parts[-3] for po in catalogues()} == set(LANGUAGES) - {"en"}


def test_every_message_is_translated(po, messages):
    catalogue = read_catalogue(po)
    missing = [
        message.id
        for message in messages
        if message.id and not all(texts((catalogue.get(message.id) or Message("")).string))
    ]
    assert missing == []


def test_nothing_is_fuzzy_or_left_over(po, messages):
    known = {str(message.id) for message in messages}
    assert [m.id for m in read_catalogue(po) if m.id and (m.fuzzy or str(m.id) not in known)] == []


def test_fields_are_kept(po):
    for message in read_catalogue(po):
        if message.id:
            wanted = fields(texts(message.id)[-1])
            for text in texts(message.string):
                assert fields(text) == wanted, text


def test_what_was_compiled_is_what_stands_in_the_catalogue(po):
    with po.with_suffix(".mo").open("rb") as stream:
        compiled = read_mo(stream)
    for message in read_catalogue(po):
        if message.id:
            assert texts(compiled.get(message.id).string) == texts(message.string)


@pytest.mark.parametrize(
    ("language", "apostrophe"), [("en", "'"), ("fr", "’"), ("es", "’"), ("ca", "’")]
)
def test_a_language_has_one_apostrophe(language, apostrophe):
    """Straight and curly apostrophes in one text look like a mistake."""
    found = [
        text
        for po in catalogues()
        for message in read_catalogue(po)
        if message.id and language in ("en", po.parts[-3])
        for text in texts(message.id if language == "en" else message.string)
    ]
    other = "’" if apostrophe == "'" else "'"
    assert [text for text in found if other in text] == []


def test_no_line_of_french_begins_with_a_mark_or_ends_with_an_opening_one():
    (po,) = (po for po in catalogues() if po.parts[-3] == "fr")
    loose = [
        text
        for message in read_catalogue(po)
        if message.id
        for text in texts(message.string)
        if re.search(r"\S [:;?!»]|« ", text)
    ]
    assert loose == []
