"""Compiles the message catalogues (``.po``) into the ``.mo`` files that gettext reads.

Runs by itself whenever the project is installed or a wheel is built; by hand after a
translation was changed: ``python build_translations.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, where hatchling is not installed
    BuildHookInterface = object  # type: ignore[assignment,misc]

CATALOGUES = Path(__file__).parent / "scorekeeper" / "translations"


def compile_catalogues() -> list[Path]:
    """Writes each catalogue's ``.mo`` beside its ``.po`` and returns the paths written."""
    written = []
    for po in sorted(CATALOGUES.glob("*/LC_MESSAGES/*.po")):
        with po.open("rb") as source:
            catalogue = read_po(source, locale=po.parts[-3])
        with po.with_suffix(".mo").open("wb") as target:
            write_mo(target, catalogue)
        written.append(po.with_suffix(".mo"))
    return written


class TranslationHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling's build hook: the catalogues are compiled before files are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the catalogues (hatchling calls this for wheels and editable installs)."""
        compile_catalogues()


if __name__ == "__main__":
    for path in compile_catalogues():
        print(path)
