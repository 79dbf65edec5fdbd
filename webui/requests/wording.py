"""Translates the words of templates: ``_`` and ``ngettext``, and dates.

Each template is given its ``catalogue`` once. To find the visitor's language for each message would
take too long: a phone's screen has seventy messages, and is drawn anew at each tap.
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
"""Shown where the ledger cannot be written: the disk is full, or the database server is gone."""


def use_catalogues(app: Flask) -> None:
    """Adds the functions and filters for words and dates to the templates."""
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
    """A message with its fields filled in. Fields are escaped; messages may have markup."""
    text = Markup(found) if context.eval_ctx.autoescape else found
    return text % fields if fields else text


@pass_context
def _dateformat(context: Context, day: date, length: str = "medium") -> str:
    return format_date(day, length, locale=context["language"])


@pass_context
def _monthformat(context: Context, day: date) -> str:
    return format_skeleton("yMMMM", day, locale=context["language"])
