"""The program's own source as a file: the AGPL grants it to every user."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from importlib.metadata import distribution, version
from pathlib import Path

from flask import Response

from webui.requests.files import file_to_take

PACKAGES = ("scorekeeper", "vision", "webui")
LEFT_OUT = {"__pycache__", ".mypy_cache"}


@cache
def _archive() -> bytes:
    root = Path(__file__).parents[2]
    name = f"trucam-{version('trucam')}"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for package in PACKAGES:
            for path in sorted((root / package).rglob("*")):
                if path.is_file() and not LEFT_OUT & set(path.parts):
                    archive.write(path, f"{name}/{path.relative_to(root)}")
        for file in ("LICENSE", "README.md", "pyproject.toml", "build_translations.py"):
            path = root / file
            if path.is_file():
                archive.write(path, f"{name}/{file}")
        if not (root / "LICENSE").is_file():  # installed from a wheel
            for entry in distribution("trucam").files or ():
                if entry.name == "LICENSE":
                    archive.write(str(entry.locate()), f"{name}/LICENSE")
    return out.getvalue()


def source_archive() -> Response:
    """The source as a ZIP file."""
    return file_to_take(_archive(), "application/zip", f"trucam-{version('trucam')}.zip")
