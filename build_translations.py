"""The message catalogues: ``.po`` files that people edit, ``.mo`` files that gettext reads.

The ``.mo`` files are compiled whenever the project is installed or a wheel is built, and by hand
with ``python build_translations.py``. After a message in the code has changed,
``python build_translations.py --update`` brings the ``.po`` files up to date first.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, where hatchling is not installed
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).parent
CATALOGUES = ROOT / "scorekeeper" / "translations"
PACKAGES = ("scorekeeper", "vision", "webui")
KEYWORDS: dict[str, Any] = {
    "N_": None,  # a message that is translated later
    "gettext": None,
    "say": None,
    "translate": None,
    "count": (1, 2),
    "Term": (1,),  # a word of the glossary
    "ngettext": (1, 2),
    "_": None,  # in templates
}
"""Functions whose arguments are messages; a pair is singular and plural."""
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
JINJA_OPTIONS = {"**/templates/**.html": {"silent": "false"}}


def extract_messages() -> Catalog:
    """Returns all messages of the code, untranslated."""
    template = Catalog()
    for package in PACKAGES:
        for found in extract_from_dir(
            ROOT / package, METHODS, options_map=JINJA_OPTIONS, keywords=KEYWORDS
        ):
            template.add(found[2], context=found[4])
    return template


def read_catalogue(po: Path) -> Catalog:
    """Reads one ``.po`` file; its folder names the language."""
    with po.open("rb") as source:
        return read_po(source, locale=po.parts[-3])


def catalogues() -> list[Path]:
    """The ``.po`` files, one a language."""
    return sorted(CATALOGUES.glob("*/LC_MESSAGES/*.po"))


def update_catalogues() -> None:
    """Adds new messages to the ``.po`` files, and drops those that the code no longer has."""
    template = extract_messages()
    for po in catalogues():
        catalogue = read_catalogue(po)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.project, catalogue.version, catalogue.msgid_bugs_address = "trucam", "", ""
        with po.open("wb") as target:
            write_po(target, catalogue, omit_header=False, sort_output=True, ignore_obsolete=True,
                     no_location=True, width=96)  # fmt: skip


def compile_catalogues() -> list[Path]:
    """Writes each catalogue's ``.mo`` beside its ``.po`` and returns the paths written."""
    written = []
    for po in catalogues():
        with po.with_suffix(".mo").open("wb") as target:
            write_mo(target, read_catalogue(po))
        written.append(po.with_suffix(".mo"))
    return written


class TranslationHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's build hook: the catalogues are compiled before files are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the catalogues (hatchling calls this for wheels and editable installs)."""
        compile_catalogues()


if __name__ == "__main__":
    if "--update" in sys.argv:
        update_catalogues()
    for path in compile_catalogues():
        print(path)
