"""Finds what a person can press on a page: links, forms, and the buttons of its script."""

from __future__ import annotations

import json
import re
from html import unescape
from random import Random
from typing import Any, NamedTuple

NAMES = (
    "Ana",
    "Bea",
    "Carles",
    "Dani",
    "",
    " Zoë ",
    "<b>&\"'",
    "=1+1",
    "李 雷",
    "\U0001f469",
    "x" * 60,
)
"""Texts that people type into a field."""


class Field(NamedTuple):
    """A field of a form.

    Attributes:
        name: Its name.
        kind: The type of the input; ``select`` for a list.
        values: The values to choose from; for other inputs, the value that the page fills in.
        least: The smallest number that is allowed.
        most: The largest one.
    """

    name: str
    kind: str
    values: list[str]
    least: int = 0
    most: int = 0


class Form(NamedTuple):
    """A form.

    Attributes:
        action: The path to which it is sent.
        fields: Its fields.
        buttons: Name and value of each button that sends it.
    """

    action: str
    fields: list[Field]
    buttons: list[tuple[str, str]]

    def filled(self, chance: Random) -> dict[str, list[str]]:
        """What is sent if the form is filled in at random, and one of its buttons is pressed."""
        data: dict[str, list[str]] = {}
        radios: dict[str, list[str]] = {}
        for field in self.fields:
            value = field.values[0] if field.values else ""
            match field.kind:
                case "radio":
                    radios.setdefault(field.name, []).append(value)
                    continue
                case "checkbox":
                    chosen = [value] if chance.random() < 0.5 else []
                case "select":
                    chosen = [chance.choice(field.values or [""])]
                case "number":
                    near = min(field.most, field.least + 3)
                    chosen = [value, str(chance.randint(field.least, near))]
                    chosen = [chance.choice(chosen)]
                case "hidden":
                    chosen = [value]
                case _:
                    chosen = [chance.choice(NAMES)]
            if chosen:
                data.setdefault(field.name, []).extend(chosen)
        for name, values in radios.items():
            data[name] = [chance.choice(values)]
        name, value = chance.choice(self.buttons or [("", "")])
        if name:
            data.setdefault(name, []).append(value)
        return data


class Press(NamedTuple):
    """A button of the page's script. It sends an ``event`` or a ``repair``."""

    kind: str
    said: Any
    match: int | None
    seen: int


TAG = re.compile(
    r"""<(/?)(form|a|button|input|select|option)\b((?:[^>"']|"[^"]*"|'[^']*')*)>"""
    r"""|\ data-match="(\d+)\""""
)
"""Finds the tags that matter. A parser of all of HTML takes longer than drawing the page."""
ATTRIBUTE = re.compile(r"""([a-z-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")


def attributes(text: str) -> dict[str, str]:
    """The attributes of a tag; one without a value has an empty one."""
    return {name: unescape(a or b or c) for name, a, b, c in ATTRIBUTE.findall(text)}


class Controls:
    """Reads a page, or a part of one.

    Args:
        html: The page.
        match: The number of the match that it shows; None if the page says it.

    Attributes:
        links: The paths of its links to this server.
        forms: Its forms.
        presses: The buttons of its script.
        sheets: The paths of the sheets that open over the page.
    """

    def __init__(self, html: str, match: int | None = None) -> None:
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.presses: list[Press] = []
        self.sheets: list[str] = []
        self._form: Form | None = None
        self._select: Field | None = None
        self._match = match
        for tag in TAG.finditer(html):
            closes, name, text, shown = tag.groups()
            if shown:
                self._match = int(shown)
            elif closes:
                self._closed(name)
            else:
                self._opened(name, attributes(text))

    def _opened(self, tag: str, found: dict[str, str]) -> None:
        """Takes in an opening tag."""
        if found.get("data-match", "").isdecimal():
            self._match = int(found["data-match"])
        if tag == "form":
            self._form = Form(found.get("action", ""), [], [])
            self.forms.append(self._form)
        elif tag == "a" and found.get("href", "").startswith("/"):
            self.links.append(found["href"])
        elif tag == "button" and "disabled" not in found:
            self._button(found)
        elif self._form is not None:
            self._field(tag, found)

    def _button(self, found: dict[str, str]) -> None:
        for kind in ("event", "repair"):
            if f"data-{kind}" in found:
                said = json.loads(found[f"data-{kind}"])
                seen = int(found.get("data-seen", "0"))
                self.presses.append(Press(kind, said, self._match, seen))
                return
        if "data-sheet" in found:
            self.sheets.append(found["data-sheet"])
        elif self._form is not None and found.get("type", "submit") == "submit":
            self._form.buttons.append((found.get("name", ""), found.get("value", "")))

    def _field(self, tag: str, found: dict[str, str]) -> None:
        assert self._form is not None
        name = found.get("name", "")
        if tag == "input" and name:
            kind, value = found.get("type", "text"), found.get("value", "")
            least, most = (int(found.get(key) or 0) for key in ("min", "max"))
            if kind in ("radio", "checkbox"):
                value = value or "on"
            self._form.fields.append(Field(name, kind, [value], least, most))
        elif tag == "select":
            self._select = Field(name, "select", [])
            self._form.fields.append(self._select)
        elif tag == "option" and self._select is not None:
            self._select.values.append(found.get("value", ""))

    def _closed(self, tag: str) -> None:
        """Takes in a closing tag."""
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
