"""The four languages, all from the one gettext domain ``trucam``."""

from __future__ import annotations

import gettext
import locale
from functools import cache
from pathlib import Path

from scorekeeper.errors import ScorekeeperError

DOMAIN = "trucam"
LANGUAGES = ("en", "fr", "es", "ca")
CATALOGUES = Path(__file__).parent / "translations"


class LanguageError(ScorekeeperError):
    """A language that trucam does not speak, or whose catalogue is missing."""


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
    """The language of this machine's user where trucam speaks it, else English."""
    code = (locale.getlocale()[0] or "")[:2]
    return code if code in LANGUAGES else "en"
