"""The wheel is built, and used outside the checkout, as by a user who has only the wheel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

RECORD = [
    {"format": "trucam-record/1", "game": "le_truc_ace", "seats": ["Ana", "Bea"]},
    {"do": "deal", "seat": 0, "cards": 3},
    {"do": "i_play", "seat": 1},
    {"do": "play", "seat": 1, "card": "7H"},
    {"do": "play", "seat": 0, "card": "KS"},
    {"do": "play", "seat": 0, "card": "QS"},
    {"do": "play", "seat": 1, "card": "JH"},
]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the tools that are installed here: nothing is downloaded."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs the installed programs in a new folder, with an empty home and no ledger at first."""
    place = tmp_path_factory.mktemp("elsewhere")
    environment = place / "venv"
    venv.create(environment, symlinks=os.name != "nt")
    scheme = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    # The dependencies come from the environment that runs this test. They are last on the path, and
    # the editable install of the checkout is not among them.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    scripts = Path(sysconfig.get_path("scripts", "venv", vars=scheme))
    python = scripts / Path(sys.executable).name
    install = [sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install"]
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True, cwd=place)
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables |= {"HOME": str(place), "TRUCAM_LEDGER": f"sqlite:///{place / 'ledger.sqlite'}"}

    def run_there(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [scripts / program, *arguments],
            cwd=place,
            env=variables,
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )

    (place / "match.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in RECORD), encoding="utf-8"
    )
    return run_there


def test_the_wheel_holds_what_runs_at_the_table_and_no_workshop(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "scorekeeper",
        "vision",
        "webui",
    }


def test_the_wheel_holds_the_translations_and_the_migrations(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    languages = {name.split("/")[2] for name in names if name.endswith("/LC_MESSAGES/trucam.mo")}
    assert {"ca", "es", "fr"} <= languages
    assert any(name.startswith("scorekeeper/storage/migrations/versions/") for name in names)


def test_the_installed_command_says_its_version(run, wheel):
    answer = run("trucam", "--version")
    assert answer.returncode == 0, answer.stderr
    assert wheel.name.split("-")[1] in answer.stdout


def test_the_modules_are_those_of_the_wheel_and_not_of_the_checkout(run):
    answer = run("python", "-c", "import scorekeeper, vision, webui; print(vision.__file__)")
    assert answer.returncode == 0, answer.stderr
    assert not Path(answer.stdout).is_relative_to(ROOT)


def test_the_installed_command_scores_a_record(run):
    answer = run("trucam", "score", "match.jsonl", "--json")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)


def test_the_installed_command_speaks_catalan(run):
    catalan, english = (run("trucam", "rules", "trut", "--lang", lang) for lang in ("ca", "en"))
    assert (catalan.returncode, english.returncode) == (0, 0), catalan.stderr
    assert catalan.stdout
    assert catalan.stdout != english.stdout


def test_the_installed_command_keeps_a_ledger(run):
    imported = run("trucam", "import", "match.jsonl")
    assert imported.returncode == 0, imported.stderr
    matches = run("trucam", "matches")
    assert matches.returncode == 0, matches.stderr
    assert "Ana" in matches.stdout
