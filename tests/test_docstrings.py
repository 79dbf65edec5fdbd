"""The docstrings describe the arguments and attributes that are there, under their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(
    path
    for folder in ("scorekeeper", "vision", "webui", "datasets", "models")
    for path in (ROOT / folder).rglob("*.py")
)
ENTRY = re.compile(r"    \*{0,2}(\w+(?:, \w+)*): ")


def described(node: ast.ClassDef | ast.FunctionDef, title: str) -> Iterator[str]:
    """The names in a section of a docstring."""
    _, _, section = (ast.get_docstring(node) or "").partition(f"{title}:\n")
    for line in section.partition("\n\n")[0].splitlines():
        if entry := ENTRY.match(line):
            yield from entry[1].split(", ")


def arguments(function: ast.FunctionDef) -> set[str]:
    given = function.args
    more = [one for one in (given.vararg, given.kwarg) if one is not None]
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *more)}


def members(node: ast.ClassDef) -> set[str]:
    """What a class defines, and what its methods use of an instance."""
    inside = list(ast.walk(node))
    found = {one.attr for one in inside if isinstance(one, ast.Attribute)}
    found |= {one.name for one in inside if isinstance(one, ast.FunctionDef)}
    return found | {one.id for one in inside if isinstance(one, ast.Name)}


def unknown(source: str) -> Iterator[str]:
    """The names that a module's docstrings describe, and that are not there."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            yield from set(described(node, "Args")) - arguments(node)
        elif isinstance(node, ast.ClassDef):
            if attributes := set(described(node, "Attributes")):
                yield from attributes - members(node)
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                    yield from set(described(node, "Args")) - arguments(one)


def test_docstrings_describe_only_what_is_there() -> None:
    wrong = {str(path): list(unknown(path.read_text(encoding="utf-8"))) for path in FILES}
    assert {path: names for path, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('def f(a, *b):\n    """F.\n\n    Args:\n        a: A.\n        *b: B.\n    """', []),
        ('def f(a):\n    """F.\n\n    Args:\n        b: B.\n    """', ["b"]),
        ('class C:\n    """C.\n\n    Attributes:\n        x, y: X.\n    """\n    x: int', ["y"]),
        (
            'class C:\n    """C.\n\n    Args:\n        x: X.\n    """\n    def __init__(self): ...',
            ["x"],
        ),
    ],
    ids=["all are there", "no such argument", "no such attribute", "no such argument of a class"],
)
def test_an_argument_or_attribute_under_another_name_is_found(
    source: str, names: list[str]
) -> None:
    assert list(unknown(source)) == names
