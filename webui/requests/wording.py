"""The words of pages: what a template says with ``_`` and ``ngettext``, from our catalogues.

A page is drawn with one catalogue, which it is given as ``catalogue``. So a template looks up a
message and nothing else: a phone's screen has seventy, and is drawn anew at each tap.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from babel.dates import format_date, format_skeleton
from flask import Flask
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from scorekeeper.messages import N_
from scorekeeper.text.i18n import capital

UNWRITTEN = N_(
    "Nothing was kept: this table's computer could not write it down. Its terminal "
    "says why; then try again."
)
"""What is said where the ledger cannot be written: a full disk, rights, a server that is gone."""


def use_catalogues(app: Flask) -> None:
    """Gives templates their words and their dates."""
    app.jinja_env.globals.update(_=_gettext, ngettext=_ngettext)
    app.jinja_env.filters |= {
        "capital": capital, "dateformat": _dateformat, "monthformat": _monthformat,
    }  # fmt: skip


@pass_context
def _gettext(context: Context, message: str, **fields: Any) -> str:
    return _filled(context, context["catalogue"].gettext(message), fields)


@pass_context
def _ngettext(context: Context, one: str, many: str, num: int, **fields: Any) -> str:
    return _filled(context, context["catalogue"].ngettext(one, many, num), {"num": num, **fields})


def _filled(context: Context, found: str, fields: dict[str, Any]) -> str:
    """A message with its fields, which are escaped; the catalogue itself may hold markup."""
    text = Markup(found) if context.eval_ctx.autoescape else found
    return text % fields if fields else text


@pass_context
def _dateformat(context: Context, day: date, length: str = "medium") -> str:
    return format_date(day, length, locale=context["language"])


@pass_context
def _monthformat(context: Context, day: date) -> str:
    return format_skeleton("yMMMM", day, locale=context["language"])
