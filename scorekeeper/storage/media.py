"""The pictures and clips of a ledger's matches: files beside it, removed with their match.

They are not in the database: the watching process writes them, while only one process writes to the
ledger; nothing of a deleted file stays in a database; and no index can differ from the files. The
folder of a match is named after its number, and a file after its event's sequence number:
``12/34.json`` says what was read, ``12/34.jpg`` is the picture, and ``12/34.mp4`` the clip. No file
holds a person's name.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from scorekeeper.errors import LedgerError, ScorekeeperError

USUAL_DAYS, USUAL_MEGABYTES = 30.0, 500.0
DAY = 86_400.0
"""Seconds of a day."""
ABOUT, STILL, CLIP = ".json", ".jpg", ".mp4"
NEW, GONE = ".new-", ".gone-"
"""Beginnings of names: of files that are being written, and folders that are being deleted."""
STALE = 60.0
"""Seconds after which a file that is still being written counts as left by a killed process."""


class NoRoom(ScorekeeperError):
    """The pictures of the match that is being played take up all the space that is allowed."""


class Kept(NamedTuple):
    """What is kept of one event.

    Attributes:
        seq: Its sequence number.
        about: What was read, expected and decided; see ``vision.evidence.recorder``.
        still: The picture, a JPEG; None if there is none.
        clip: The seconds around it, H.264 in MP4; None if there is none, or none yet.
    """

    seq: int
    about: Mapping[str, Any]
    still: Path | None
    clip: Path | None


class Pictures:
    """The folder of a ledger's pictures. Several processes may use it at once.

    Args:
        folder: Where they are; it need not exist yet.
        days: How many days a picture is kept.
        most: Most bytes of all of them together; the pictures of the oldest matches go first.
    """

    def __init__(
        self, folder: Path, *, days: float = USUAL_DAYS, most: float = USUAL_MEGABYTES * 1e6
    ) -> None:
        self.folder, self.days, self.most = folder, days, most

    @property
    def wanted(self) -> bool:
        """Whether anything is kept at all."""
        return self.days > 0 and self.most > 0

    def open(self, match_id: int) -> None:
        """Makes the folder of a match; without it nothing of the match is kept.

        Raises:
            OSError: It cannot be made.
        """
        folder = self._of(match_id)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass  # if it cannot be written, that is told now, and not at the first card

    def write(self, match_id: int, seq: int, kind: str, fill: Callable[[Path], object]) -> None:
        """Writes a file whole or not at all.

        Args:
            match_id: Number of the match; its folder was opened.
            seq: Number of the event.
            kind: ``ABOUT``, ``STILL`` or ``CLIP``.
            fill: Writes the content to a path.

        Raises:
            FileNotFoundError: The pictures of the match were removed meanwhile.
            NoRoom: It would pass the size limit.
            OSError: It cannot be written.
        """
        folder = self._of(match_id)
        handle, name = tempfile.mkstemp(prefix=NEW, dir=folder)
        os.close(handle)
        new = Path(name)
        try:
            fill(new)
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            if self.clean(playing=match_id) > self.most:
                raise NoRoom(f"The pictures in {self.folder} take up all that they may.")
            os.replace(new, folder / f"{seq}{kind}")
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise

    def find(self, match_id: int, seq: int) -> Kept | None:
        """What is kept of an event; None if nothing is."""
        about = self._of(match_id) / f"{seq}{ABOUT}"
        try:
            data = json.loads(about.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(data, dict):
            return None
        still, clip = about.with_suffix(STILL), about.with_suffix(CLIP)
        return Kept(seq, data, still if still.is_file() else None, clip if clip.is_file() else None)

    def of(self, match_id: int) -> list[int]:
        """The sequence numbers of a match's events of which something is kept, in order."""
        return sorted(
            int(path.stem) for path in self._of(match_id).glob(f"*{ABOUT}") if path.stem.isdecimal()
        )

    def remove(self, match_id: int) -> None:
        """Removes all that is kept of a match, and lets nothing more of it be written.

        Raises:
            LedgerError: The files may not be removed.
        """
        # Renamed first, so that a process that is writing just now finds no folder.
        gone = self.folder / f"{GONE}{match_id}-{os.getpid()}-{time.monotonic_ns()}"
        try:
            os.rename(self._of(match_id), gone)
            shutil.rmtree(gone)
        except FileNotFoundError:
            return
        except OSError as error:
            raise LedgerError(
                f"The pictures of match {match_id} in {self.folder} cannot be removed: "
                f"{error.strerror}; remove them yourself."
            ) from error

    def renumber(self, match_id: int, numbers: Mapping[int, int]) -> None:
        """Renames the pictures of events whose numbers have changed, and removes the others.

        Args:
            match_id: Number of the match.
            numbers: Sequence number of each event that is left, to its new one, which is not
                larger; in order.

        Raises:
            LedgerError: The files may be neither renamed nor removed.
        """
        try:
            for seq in self.of(match_id):
                for kind in (ABOUT, STILL, CLIP):
                    path = self._of(match_id) / f"{seq}{kind}"
                    if seq in numbers:
                        with suppress(FileNotFoundError):
                            path.rename(path.with_name(f"{numbers[seq]}{kind}"))
                    else:
                        path.unlink(missing_ok=True)
        except OSError:
            self.remove(match_id)  # no picture is better than that of another event

    def clean(
        self,
        *,
        playing: int | None = None,
        known: Callable[[], Collection[int]] | None = None,
    ) -> int:
        """Removes what is too old, half-written files, and what exceeds the size limit.

        Args:
            playing: Number of the match that is being played: its pictures are removed only for
                their age.
            known: Gives the numbers of the matches in the ledger; pictures of others are removed.

        Returns:
            How many bytes are left.

        Raises:
            LedgerError: Pictures may not be removed.
            OSError: A single file may not be removed.
        """
        found = self._matches()
        if known is not None and found:
            there = known()  # asked after looking: a match is in the ledger before it has pictures
            for match_id in found:
                if match_id not in there and match_id != playing:
                    self.remove(match_id)
        sizes = {}
        for match_id in self._matches():
            newest, size = self._clean_match(match_id)
            if size:
                sizes[match_id] = newest, size
            elif match_id != playing:
                with suppress(OSError):
                    self._of(match_id).rmdir()
        left = sum(size for _, size in sizes.values())
        for match_id, (_, size) in sorted(sizes.items(), key=lambda each: (each[1][0], each[0])):
            if left <= self.most:
                break
            if match_id != playing:
                self.remove(match_id)
                left -= size
        return left

    def _clean_match(self, match_id: int) -> tuple[float, int]:
        """Removes what is too old; returns when the newest file was written, and bytes left."""
        newest, size, now = 0.0, 0, time.time()
        with suppress(FileNotFoundError), os.scandir(self._of(match_id)) as files:
            for file in files:
                with suppress(FileNotFoundError):
                    status = file.stat()
                    age = now - status.st_mtime
                    if age < -DAY:  # written while the clock was wrong: its age counts from now
                        os.utime(file.path, (now, now))
                        age = 0.0
                    half = file.name.startswith(NEW) and age > STALE
                    if half or age > self.days * DAY:
                        os.unlink(file.path)
                    else:
                        newest, size = max(newest, now - age), size + status.st_size
        return newest, size

    def _matches(self) -> list[int]:
        """The numbers of the matches that have a folder; removes what a deletion has left."""
        found = []
        with suppress(FileNotFoundError), os.scandir(self.folder) as folders:
            for folder in folders:
                if folder.name.startswith(GONE):
                    shutil.rmtree(folder.path, ignore_errors=True)
                elif folder.name.isdecimal() and folder.is_dir():
                    found.append(int(folder.name))
        return found

    def _of(self, match_id: int) -> Path:
        return self.folder / str(match_id)
