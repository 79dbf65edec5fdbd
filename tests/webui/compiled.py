"""A cache of compiled templates for all applications that the tests of a process make."""

from __future__ import annotations

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Compiled(BytecodeCache):
    """Keeps compiled templates in memory."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Loads a template, if it was compiled before."""
        if bucket.key in self._known:
            bucket.bytecode_from_string(self._known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps a compiled template."""
        self._known[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()
