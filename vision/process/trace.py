"""When each stage of a card's way to a screen was over, where ``TRUCAM_TRACE`` names a file.

A JSON list a line: the clock's seconds, which all processes of a machine share; the processor's
seconds that this process has used; the stage; what it is about. The stages: ``taken`` (a frame),
``looked`` (at it), ``lap`` (a film's, with how much of it has been shown), ``proposed`` (an event,
by the watching process), ``heard`` and ``written`` (by the one that owns the match), ``drawn`` (for
a screen). ``tests.benchmarks.demo`` reads them.
"""

from __future__ import annotations

import json
import os
import time

NAMED_BY = "TRUCAM_TRACE"
"""The variable that names the file."""

_NAME = os.environ.get(NAMED_BY)
_FILE = os.open(_NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if _NAME else None


def trace(stage: str, **about: object) -> None:
    """Notes that a stage is over.

    Args:
        stage: Its name.
        **about: What it is about: numbers and texts.
    """
    if _FILE is not None:
        line = [round(time.monotonic(), 4), round(time.process_time(), 4), stage, about]
        # In one call, so that lines of several threads and processes stay whole.
        os.write(_FILE, json.dumps(line).encode() + b"\n")
