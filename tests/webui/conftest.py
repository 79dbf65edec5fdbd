"""What the tests of the commands share."""

import sys

import pytest

from webui.cli import main


@pytest.fixture
def trucam(monkeypatch, capsys):
    """Runs the command in this process; returns (exit status, output, errors)."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["trucam", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run
