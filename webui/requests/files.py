"""Answers that a browser saves as files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from flask import Response


def file_to_take(content: str | bytes, kind: str, name: str) -> Response:
    """Answers with a file that a browser saves."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=kind, headers=headers)


def table_to_take(lines: Iterable[str], name: str) -> Response:
    """Answers with a sheet for a spreadsheet, which a browser saves as ``trucam-{name}.csv``."""
    # The mark tells spreadsheets that this is UTF-8; without it they show é as two characters.
    return file_to_take("".join(chain(["\ufeff"], lines)), "text/csv", f"trucam-{name}.csv")
