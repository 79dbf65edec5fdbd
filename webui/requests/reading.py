"""Reads requests so that odd bytes in them are refused in a sentence, and are no fault here."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_from_bytes

from flask import Request
from flask.json.provider import DefaultJSONProvider

ADDRESS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""Characters that an address keeps; other bytes become percent signs and numbers."""


class TableRequest(Request):
    """A request whose address may have bytes that no browser would send."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        if not self.query_string.isascii():
            self.query_string = quote_from_bytes(self.query_string, safe=ADDRESS).encode()


class TableJSON(DefaultJSONProvider):
    """JSON that anybody may have sent."""

    sort_keys = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Reads JSON.

        Raises:
            ValueError: The text is no JSON, or nested too deeply.
        """
        try:
            return super().loads(s, **kwargs)
        except RecursionError:
            raise ValueError("this is too deep") from None
