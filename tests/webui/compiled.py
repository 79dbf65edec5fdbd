"""Compiled templates that all applications of a process share: most tests make one of their own."""

from __future__ import annotations

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """Templates as they were compiled for an earlier application, in memory."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Takes what is known of a template."""
        if bucket.key in self._known:
            bucket.bytecode_from_string(self._known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps it for the next application."""
        self._known[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()
