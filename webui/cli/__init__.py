"""The command ``trucam``. Each command is loaded only when it is asked for."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from io import TextIOWrapper

import click

from scorekeeper.errors import RuleError, ScorekeeperError
from scorekeeper.messages import one_line

USER_ERROR = 2

COMMANDS: Mapping[str, str] = {
    "club": "webui.cli.club:club",
    "deck": "webui.cli.read:deck",
    "demo": "webui.cli.demo:demo",
    "doctor": "webui.cli.doctor:doctor",
    "explain": "webui.cli.record:explain",
    "export": "webui.cli.ledger:export",
    "forget": "webui.cli.forget:forget",
    "import": "webui.cli.ledger:import_",
    "markers": "webui.cli.markers:markers",
    "matches": "webui.cli.ledger:matches",
    "play": "webui.cli.play:play",
    "read": "webui.cli.read:read",
    "repair": "webui.cli.repair:repair",
    "replay": "webui.cli.replay:replay",
    "rules": "webui.cli.rules:rules",
    "score": "webui.cli.record:score",
    "watch": "webui.cli.watch:watch",
}
"""Name of a command to the module and function that run it."""

SERVING = {"club", "demo", "play", "replay"}
"""Commands that serve screens."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, in alphabetical order."""
        return sorted(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that is to run."""
        if args[0] in SERVING and not {"-h", "--help"} & set(args):
            # Before anything takes a lock or a socket; but not where a command is only described.
            from gevent import monkey

            monkey.patch_all()
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Imports one command; None where there is none of this name."""
        where = COMMANDS.get(name)
        if where is None:
            return None
        module, function = where.split(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("trucam"), prog_name="trucam")
def trucam() -> None:
    """A referee for Le Truc, Trut, Truc and Put, played at a real table with real cards."""


def main() -> None:
    """Runs the command; what a user got wrong ends in one line and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that cannot show ♠ sees its number
            stream.reconfigure(errors="backslashreplace")
    try:
        status = trucam.main(standalone_mode=False, prog_name="trucam")
        if sys.stdout is not None:
            sys.stdout.flush()
        sys.exit(status)
    except RuleError as error:
        fail(error.sentence())
    except ScorekeeperError as error:
        fail(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(USER_ERROR)
    except MemoryError:
        fail("This does not fit into the memory of this machine.")
    except click.ClickException as error:
        fail(error.format_message())
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        drop_output()  # whoever read it has seen enough
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            drop_output()
        what = error.filename or "The output cannot be written"
        fail(f"{what}: {error.strerror or error}")


def drop_output() -> None:
    """Sends what is left of the output nowhere, so that Python's own end does not fail on it."""
    if sys.stdout is not None:
        with suppress(OSError):  # it is no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(sentence: str) -> None:
    """Prints one line to standard error and ends the program with the status of a user's error."""
    click.echo(one_line(" ".join(sentence.split())), err=True)
    sys.exit(USER_ERROR)
