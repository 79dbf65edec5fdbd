"""How requests are read: what cannot be decoded is no reason to fail, whoever asks for it."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_from_bytes

from flask import Request
from flask.json.provider import DefaultJSONProvider

ADDRESS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What stands in an address as it is; other bytes are written as percent signs and numbers."""


class TableRequest(Request):
    """A request whose address any program may have written."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        if not self.query_string.isascii():
            self.query_string = quote_from_bytes(self.query_string, safe=ADDRESS).encode()


class TableJSON(DefaultJSONProvider):
    """JSON as anybody may send it."""

    sort_keys = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Reads JSON.

        Raises:
            ValueError: It is none, or lists are in lists too deep to be read.
        """
        try:
            return super().loads(s, **kwargs)
        except RecursionError:
            raise ValueError("this is too deep") from None
