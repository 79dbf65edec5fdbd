"""The repository stays small, and its documents name only what is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LARGEST = 15_000_000
LONGEST = 450

CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w./-]+\.(?:css|js|json|onnx|py|svg|toml)\b")
MODULE = re.compile(r"-m ((?:datasets|models|tests)\.[\w.]+)")


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """The files of the next commit; skips the test outside a checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = (ROOT / name for name in listing.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def test_no_file_is_over_15_mb(tracked):
    assert [path for path in tracked if path.stat().st_size > LARGEST] == []


def test_no_python_file_is_over_450_lines(tracked):
    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for path in tracked
        if path.suffix == ".py"
    }
    assert [path for path, lines in lengths.items() if lines > LONGEST] == []


@pytest.mark.parametrize("command", ["make run", "make test"])
def test_the_readme_shows_how_to_start(command):
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_documents_name_only_files_and_modules_that_exist(tracked):
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in tracked]
    wrong = []
    for path in tracked:
        if path.suffix != ".md" or path.name == "CHANGELOG.md":  # this one tells of earlier names
            continue
        text = path.read_text(encoding="utf-8")
        named = {(name,) for code in CODE.findall(text) for name in FILE.findall(code)}
        modules = {name.replace(".", "/") for name in MODULE.findall(text)}
        named |= {(f"{name}.py", f"{name}/__main__.py") for name in modules}
        wrong += [
            (path.name, *names)
            for names in named
            if not any(file.endswith(f"/{name}") for file in files for name in names)
        ]
    assert wrong == []
