"""Finds the forms of a page, and sends them as a browser without JavaScript does."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

from werkzeug.test import TestResponse

from tests.webui.phones import Phone

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


class Form(NamedTuple):
    """A form of a page.

    Attributes:
        action: The path to which it is sent.
        fields: Name and value of each field as the page fills it in, in the order of the page.
        buttons: Name and value of each button that sends the form. A button with an empty name adds
            no field.
    """

    action: str
    fields: list[tuple[str, str]]
    buttons: list[tuple[str, str]]


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._form: Form | None = None
        self._select: tuple[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        if tag == "form":
            self._form = Form(found["action"], [], [])
            self.found.append(self._form)
        if self._form is None:
            return
        fields, buttons = self._form.fields, self._form.buttons
        kind, name, value = found.get("type", ""), found.get("name", ""), found.get("value", "")
        if tag == "button" and kind in ("", "submit") and "disabled" not in found:
            buttons.append((name, value))
        elif tag == "input" and kind in ("radio", "checkbox"):
            fields += [(name, value or "on")] if "checked" in found else []
        elif tag == "input":
            fields.append((name, value or ("Home" if "required" in found else "")))
        elif tag == "select":
            self._select = (name, [])
        elif tag == "option" and self._select is not None:
            self._select[1].insert(0 if "selected" in found else len(self._select[1]), value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if tag == "select" and self._form is not None and self._select is not None:
            name, values = self._select
            self._form.fields.append((name, values[0]))


def forms(html: str) -> list[Form]:
    """The forms of a page, in order."""
    parser = _Forms()
    parser.feed(html)
    return parser.found


def submit(phone: Phone, form: Form, button: tuple[str, str]) -> TestResponse:
    """Sends a form by one of its buttons, and follows redirections."""
    fields = [*form.fields, button] if button[0] else form.fields
    data: dict[str, list[str]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    return phone.client.post(form.action, data=data, headers=BROWSER, follow_redirects=True)
