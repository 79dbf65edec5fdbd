"""The language of this machine, as its environment names it."""

from __future__ import annotations

import pytest

from scorekeeper.text.i18n import default_language

VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "ca_ES@valencia"}, "ca"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "est"}, "en"),
        ({"LC_ALL": "es_ES.UTF-8", "LANG": "fr_FR.UTF-8"}, "es"),
        ({"LANGUAGE": "", "LANG": "es"}, "es"),
        ({"LANGUAGE": "ca:es", "LANG": "es_ES.UTF-8"}, "ca"),
        ({"LANGUAGE": "gl_ES:gl:es", "LANG": "gl_ES.UTF-8"}, "es"),
        ({"LANGUAGE": "ast:es:en", "LANG": "ast_ES.UTF-8"}, "es"),
        ({"LANGUAGE": "en_GB:fr", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANGUAGE": "de:it", "LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_first_wanted_language_that_exists_is_taken(
    settings: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert default_language() == code
