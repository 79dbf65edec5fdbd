"""The settings of a training run, read from a TOML file."""

import tomllib
from pathlib import Path
from typing import Any

Settings = dict[str, dict[str, Any]]

DEFAULT = Path(__file__).with_name("settings.toml")


def load(path: Path = DEFAULT, changes: list[str] | None = None) -> Settings:
    """Read settings and change single ones.

    Args:
        path: a TOML file with the tables ``reader``, ``refiner``, ``finder`` and ``run``.
        changes: ``part.name=value`` with the value in TOML's own notation.

    Raises:
        ValueError: a change names a setting that does not exist, or is not readable.
    """
    settings: Settings = tomllib.loads(path.read_text(encoding="utf-8"))
    for change in changes or []:
        name, equals, value = change.partition("=")
        part, dot, key = name.strip().partition(".")
        if not equals or not dot or key not in settings.get(part, {}):
            raise ValueError(f"no setting {name.strip()!r} in {path.name}")
        try:
            settings[part][key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{change!r}: {error}") from error
    return settings
