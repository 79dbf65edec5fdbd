"""Tries large numbers of mutated records, requests and pictures, and looks for errors.

    python -m tests.fuzz.many --records 1000000 --requests 1000000 --pictures 100000

An error is printed with its seed, and what caused it is kept in ``build/finds``; once the code is
mended, it becomes a test beside that code. The exit status is 1 if there was an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from tests.fuzz.mutate import Logged

FINDS = Path("build/finds")
TOLD_EVERY = 60.0
"""Seconds between two lines about the progress."""
MOST_FINDS = 20
"""After so many different errors a kind is given up: something is wrong everywhere."""


@contextmanager
def records(seed: int, folder: Path) -> Iterator[Any]:
    """Mutated records."""
    from tests.fuzz.records import Records

    yield Records(seed)


@contextmanager
def requests(seed: int, folder: Path) -> Iterator[Any]:
    """Mutated requests."""
    from tests.fuzz.visits import Visits, without_cameras

    with without_cameras(), Visits(seed, folder) as visits:
        yield visits


@contextmanager
def pictures(seed: int, folder: Path) -> Iterator[Any]:
    """Damaged pictures."""
    from tests.fuzz.pictures import Pictures

    yield Pictures(seed)


KINDS: dict[str, Callable[[int, Path], AbstractContextManager[Any]]] = {
    "records": records, "requests": requests, "pictures": pictures,
}  # fmt: skip


def look(
    kind: str, count: int, seed: int, folder: Path, tell: Callable[[str], None] = print
) -> Counter[str]:
    """Tries so many mutations of a kind.

    Args:
        kind: One of ``KINDS``.
        count: How many mutations.
        seed: Decides all that is random.
        folder: A folder for temporary files.
        tell: Called with a line of text: each new error, and now and then the progress.

    Returns:
        How often each error was found.
    """
    with KINDS[kind](seed, folder) as source:
        finds: Counter[str] = Counter()
        began = told = time.monotonic()
        for number in range(1, count + 1):
            sent: object = b""
            try:
                sent = source.next()
                source.check(sent)
            except Exception as error:  # any exception is an error that was found
                fault = _fault(error)
                finds[fault] += 1
                if finds[fault] == 1:
                    FINDS.mkdir(parents=True, exist_ok=True)
                    place = FINDS / f"{kind}-{seed}-{number}"
                    place.write_bytes(sent if isinstance(sent, bytes) else repr(sent).encode())
                    tell(f"{kind}, seed {seed}, number {number}, kept in {place}:\n{fault}")
            if len(finds) >= MOST_FINDS:
                tell(f"given up: {MOST_FINDS} different faults")
                break
            now = time.monotonic()
            if now - told > TOLD_EVERY or number == count:
                told = now
                tell(
                    f"{number} {kind}, {source.taken} taken, {sum(finds.values())} finds of "
                    f"{len(finds)} kinds, {number / (now - began):.0f}/s, {now - began:.0f} s"
                )
    return finds


def _fault(error: Exception) -> str:
    """What tells one error from another: where it was raised, and how its message begins."""
    if isinstance(error, Logged):
        return str(error)
    where = traceback.extract_tb(error.__traceback__)[-4:]
    lines = [f"  {Path(one.filename).name}:{one.lineno} {one.name}" for one in where]
    return "\n".join([*lines, f"  {type(error).__name__}: {str(error)[-1500:]}"])


@contextmanager
def quiet_decoders() -> Any:
    """Silences libjpeg and FFmpeg, which print warnings about damaged pictures."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def main() -> int:
    """Tries what the command line asks for."""
    parser = argparse.ArgumentParser(prog="tests.fuzz.many", description=__doc__)
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=int, default=0, help="how many")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    asked = parser.parse_args()
    memory = Path("/dev/shm")
    where = memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir())
    found = 0
    for kind in KINDS:
        count = getattr(asked, kind)
        if not count:
            continue
        folder = Path(tempfile.mkdtemp(prefix="trucam-fuzz-", dir=where))
        try:
            with quiet_decoders():
                finds = look(kind, count, asked.seed, folder, lambda line: print(line, flush=True))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        found += sum(finds.values())
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
