"""The settings of a training run, read from a TOML file."""

import tomllib
from pathlib import Path
from typing import Any

Settings = dict[str, dict[str, Any]]

DEFAULT = Path(__file__).with_name("settings.toml")


def load(path: Path = DEFAULT, changes: list[str] | None = None) -> Settings:
    """Read the settings, and change some of them.

    Args:
        path: a TOML file with the tables ``reader``, ``refiner``, ``finder`` and ``run``.
        changes: ``part.name=value`` each, with the value as TOML writes it.

    Raises:
        ValueError: a change names no known setting, or its value is no TOML.
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
