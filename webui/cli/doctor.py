"""``trucam doctor``: lists on one screen what this machine has and what it lacks."""

from __future__ import annotations

import platform
import textwrap
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import click

from webui.cli import checkup
from webui.cli.checkup import Finding, Mark

WIDTH = 80


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Say what this machine has and lacks, and the command that fixes it.

    The exit status is 0 when all that this version needs is here, and 1 when something is missing.
    """
    findings = [
        checkup.python(),
        checkup.machine(),
        checkup.ledger(),
        checkup.disk(),
        checkup.opencv(),
        checkup.cameras(),
        checkup.models(Path(str(files("vision"))) / "weights"),
        checkup.privacy(),
    ]
    click.echo(report(findings))
    if any(finding.mark is Mark.LACK for finding in findings):
        context.exit(1)


def report(findings: Sequence[Finding]) -> str:
    """Formats findings as lines of at most 80 characters. A longer command is not broken."""
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    lines = [f"trucam {version('trucam')} on {system}", ""]
    for finding in findings:
        head = f"{finding.mark:<6}{finding.topic:<9}"
        lines += textwrap.wrap(
            finding.text,
            WIDTH,
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_on_hyphens=False,
            max_lines=3,  # the message of a database server can be long; all must fit one screen
            placeholder=" …",
        )
        if finding.mend is not None:
            lines.append(f"{'':{len(head)}}fix: {finding.mend}")
    lacks = [finding.topic for finding in findings if finding.mark is Mark.LACK]
    verdict = f"Missing: {', '.join(lacks)}." if lacks else "All that this version needs is here."
    return "\n".join([*lines, "", verdict])
