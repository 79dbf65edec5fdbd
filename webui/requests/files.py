"""Answers that a browser keeps as files."""

from __future__ import annotations

from flask import Response


def file_to_take(content: str | bytes, kind: str, name: str) -> Response:
    """Answers with a file that a browser keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=kind, headers=headers)
