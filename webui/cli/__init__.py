"""The program ``trucam``. The module of a command is imported only when the command is used."""

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
"""Maps the name of a command to ``module:function``."""

SERVING = {"club", "demo", "play", "replay"}
"""Commands that start a web server."""


class LazyGroup(click.Group):
    """A group of commands that imports the module of a command only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in alphabetical order."""
        return sorted(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command to run; see ``click.Group``."""
        if args[0] in SERVING and not {"-h", "--help"} & set(args):
            # gevent must patch the standard library before anything uses a lock or a socket. To
            # print the help of a command needs no server.
            from gevent import monkey

            monkey.patch_all()
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Imports a command; returns None if there is no command of this name."""
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
    """Runs a command. A user's mistake is told in one line, and the exit status is 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that cannot print ♠ prints \u2660
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
        drop_output()  # as in ``trucam matches | head -1``: the reader has closed the pipe
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            drop_output()
        what = error.filename or "The output cannot be written"
        fail(f"{what}: {error.strerror or error}")


def drop_output() -> None:
    """Redirects the standard output to the null device.

    Python flushes the output when it exits, and would fail again if it cannot be written.
    """
    if sys.stdout is not None:
        with suppress(OSError):  # the output may have no file descriptor
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(sentence: str) -> None:
    """Prints one line to the standard error, and exits with status 2."""
    click.echo(one_line(" ".join(sentence.split())), err=True)
    sys.exit(USER_ERROR)
