"""Writes files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def written_whole(path: Path, *, mode: int | None = None) -> Iterator[IO[bytes]]:
    """Opens a new file that takes the place of ``path`` once it is on disk.

    If anything goes wrong before that, ``path`` stays as it was and the new file is removed.

    Args:
        path: The file; its folder exists.
        mode: Its permission bits; by default only its owner may read and write it.

    Raises:
        OSError: It cannot be written.
    """
    handle, name = tempfile.mkstemp(prefix=".trucam-", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
