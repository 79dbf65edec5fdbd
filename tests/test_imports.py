"""The direction of imports: scorekeeper ◄ vision ◄ webui, and nothing that is not installed."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

ROOMS = {
    "scorekeeper": {"scorekeeper"},
    "vision": {"scorekeeper", "vision"},
    "webui": {"scorekeeper", "vision", "webui"},
}
"""The installed folders, each with the folders of this project that it may import."""

OWN = {"scorekeeper", "vision", "webui", "datasets", "models", "tests", "build_translations"}

LEDGER = {"sqlalchemy", "alembic", "platformdirs"}
"""Packages that, of the scorekeeper, only the ledger may import."""

CLUB = {"networkx"}
"""Packages that only the draw of a tournament may import."""

LEFT_TO_RIGHT = {
    "scorekeeper": "closing files messages errors games engine text history club storage reports",
    "vision": "errors opencv packs capture detection geometry tracking occlusion belief"
    " watched_table health evidence pipeline process",
    "webui": "camera table requests presenters pages app club server cli",
    "datasets": "cards scenes films simulation benchmarks takes",
}
"""The rooms of each folder, in order: each may import those to its left."""


def modules() -> list[str]:
    return sorted(
        path.relative_to(ROOT).as_posix() for room in ROOMS for path in (ROOT / room).rglob("*.py")
    )


@cache  # several tests ask for each module
def imported(module: str) -> frozenset[str]:
    """The top-level package of each import in a module, also in functions and conditions."""
    return frozenset(_imported(module))


def _imported(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            # A relative import stays in its folder, for the folders have no parent package.
            yield node.module.split(".")[0] if node.level == 0 else module.split("/")[0]


def rooms_imported(path: Path, folder: str) -> Iterator[str]:
    """Yields the rooms of a folder from which a module imports, also late; not only for types."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith(f"{folder}."))


@pytest.mark.parametrize(
    ("folder", "room"),
    [(folder, room) for folder, order in LEFT_TO_RIGHT.items() for room in order.split()],
)
def test_a_room_imports_only_rooms_to_its_left(folder, room):
    order = LEFT_TO_RIGHT[folder].split()
    here = ROOT / folder / room
    paths = here.rglob("*.py") if here.is_dir() else [here.with_suffix(".py")]
    imported = {other for path in paths for other in rooms_imported(path, folder)}
    assert imported <= set(order[: order.index(room) + 1])


@pytest.mark.parametrize("folder", LEFT_TO_RIGHT)
def test_each_module_lies_in_a_room(folder):
    inside = {path.stem for path in (ROOT / folder).iterdir() if path.suffix == ".py"}
    inside |= {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}
    assert inside == {"__init__", *LEFT_TO_RIGHT[folder].split()}


@pytest.mark.parametrize("module", modules())
def test_no_module_imports_against_the_direction(module):
    assert (imported(module) & OWN) <= ROOMS[module.split("/")[0]]


@pytest.mark.parametrize("module", [name for name in modules() if name.startswith("scorekeeper/")])
def test_the_referee_needs_the_standard_library_only(module):
    more = {"scorekeeper/storage/": LEDGER, "scorekeeper/club/pairing.py": CLUB}
    needed = (names for start, names in more.items() if module.startswith(start))
    allowed = sys.stdlib_module_names | {"scorekeeper"} | set().union(*needed)
    assert imported(module) <= allowed


def test_what_is_installed_imports_only_what_is_installed_with_it():
    with (ROOT / "pyproject.toml").open("rb") as stream:
        requirements = tomllib.load(stream)["project"]["dependencies"]
    declared = {requirement.partition(">=")[0] for requirement in requirements}
    distributions = packages_distributions()
    foreign = {name for module in modules() for name in imported(module)}
    foreign -= sys.stdlib_module_names | OWN
    undeclared = {name for name in foreign if not declared & _normal(distributions.get(name, []))}
    assert not undeclared


def _normal(distributions: list[str]) -> set[str]:
    return {name.lower().replace("_", "-") for name in distributions}
