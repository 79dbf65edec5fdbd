"""Files that are written whole or not at all."""

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

    If anything goes wrong before that, ``path`` is left as it was, and nothing of the new file is.

    Args:
        path: The file; its folder exists.
        mode: Who may read and write it; its owner alone if nothing is said.

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
