"""Notes when each stage of a card's way to a screen is over, if ``TRUCAM_TRACE`` names a file.

Each line is a JSON list: the clock's seconds, which all processes of a machine share; the seconds
of processor time that this process has used; the stage; what it is about. The stages: ``taken`` (a
frame), ``looked`` (at that frame), ``lap`` (a film begins again; with how many seconds of it have
been shown), ``proposed`` (an event, by the watching process), ``heard`` and ``written`` (the event,
by the process that owns the match), ``drawn`` (for a screen). ``tests.benchmarks.demo`` reads them.
"""

from __future__ import annotations

import json
import os
import time

NAMED_BY = "TRUCAM_TRACE"
"""The environment variable that names the file."""

_NAME = os.environ.get(NAMED_BY)
_FILE = os.open(_NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if _NAME else None


def trace(stage: str, **about: object) -> None:
    """Notes that a stage is over.

    Args:
        stage: its name.
        **about: what it is about: numbers and texts.
    """
    if _FILE is not None:
        line = [round(time.monotonic(), 4), round(time.process_time(), 4), stage, about]
        # One call a line, so that lines of several threads and processes do not mix.
        os.write(_FILE, json.dumps(line).encode() + b"\n")
