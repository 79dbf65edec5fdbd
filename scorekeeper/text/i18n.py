"""The four languages; their catalogues are of the gettext domain ``trucam``."""

from __future__ import annotations

import gettext
import locale
import os
import re
from functools import cache
from pathlib import Path

from scorekeeper.errors import ScorekeeperError

DOMAIN = "trucam"
LANGUAGES = ("en", "fr", "es", "ca")
CATALOGUES = Path(__file__).parents[1] / "translations"


class LanguageError(ScorekeeperError):
    """There is no such language, or its catalogue is missing."""


@cache
def language(code: str) -> gettext.NullTranslations:
    """Returns the catalogue of a language; the messages themselves are English.

    Args:
        code: One of ``LANGUAGES``.

    Raises:
        LanguageError: There is no such language, or its catalogue was not compiled.
    """
    if code == "en":
        return gettext.NullTranslations()
    try:
        return gettext.translation(DOMAIN, CATALOGUES, [code])
    except FileNotFoundError:
        if code in LANGUAGES:
            raise LanguageError(
                f"The catalogue of {code} is not compiled; run: python build_translations.py"
            ) from None
        raise LanguageError(
            f"There is no language {code!r}; there are {', '.join(LANGUAGES)}."
        ) from None


def default_language() -> str:
    """The first language that this machine is set to and that ``LANGUAGES`` has; else English."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wishes = next(filter(None, map(os.environ.get, names)), None) or locale.getlocale()[0] or ""
    codes = (re.split("[_.@]", wish)[0] for wish in wishes.split(":"))  # LANGUAGE is a list
    return next((code for code in codes if code in LANGUAGES), "en")


def capital(text: str) -> str:
    """A text with a capital first letter, for a heading or a button."""
    return text[:1].upper() + text[1:]
