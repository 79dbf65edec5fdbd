"""Compiled templates and URL rules, shared by all applications that one test process makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule


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

_compile = Rule._compile_builder
_builders: dict[object, Callable[..., Any]] = {}


def builder_of(rule: Rule, append_unknown: bool = True) -> Callable[..., Any]:
    """What makes the addresses of a rule, compiled once for all applications.

    It is a function of the rule's text alone; the application's own rule is its first argument.
    """
    key = (rule.rule, *rule._trace, repr(rule.defaults), append_unknown)
    if key not in _builders:
        _builders[key] = _compile(rule, append_unknown)
    return _builders[key]
