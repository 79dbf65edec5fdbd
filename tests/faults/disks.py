"""Faults of disks: full, or read-only."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ClassVar

from scorekeeper.storage.database import locate, pictures_of
from tests.faults.game import FaultySite, Game, is_root

if TYPE_CHECKING:
    pass

from tests.faults.fault import PERHAPS, Fault


class DiskRefuses(Fault):
    """No file may grow, as on a disk with a quota that is used up."""

    rounds = 250

    @staticmethod
    def lacks() -> str | None:
        return None if sys.platform == "linux" else "limits of other processes are Linux's"

    def strike(self, game: Game) -> None:
        assert game.site.process is not None
        resource.prlimit(game.site.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

    def heal(self, game: Game) -> None:
        assert game.site.process is not None
        endless = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(game.site.process.pid, resource.RLIMIT_FSIZE, endless)


class DiskFull(Fault):
    """The disk of the ledger is full to the last byte."""

    rounds = 120
    meanwhile = PERHAPS  # the write-ahead log has room for some events
    megabytes: ClassVar[int] = 4

    @staticmethod
    def lacks() -> str | None:
        return None if is_root() and sys.platform == "linux" else "only root can mount a small disk"

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        command = ("mount", "-t", "tmpfs", "-o", f"size={self.megabytes}m", "tmpfs")
        subprocess.run((*command, str(self.folder)), check=True)
        try:
            yield FaultySite(self.folder)
        finally:
            subprocess.run(("umount", "--lazy", str(self.folder)), check=True)

    def strike(self, game: Game) -> None:
        with (self.folder / "full").open("wb", buffering=0) as file:
            for size in (1_000_000, 4_096):
                with suppress(OSError):
                    while file.write(bytes(size)) == size:
                        pass
        for _ in range(200):  # uses up the free space inside the ledger's own files, too
            if not game.tap():
                return
        game.wrong.append("200 taps were taken on a full disk")

    def heal(self, game: Game) -> None:
        (self.folder / "full").unlink()


class DiskFullOfPictures(DiskFull):
    """The disk is full while pictures of the events are kept beside the ledger."""

    rounds = 30
    megabytes: ClassVar[int] = 48

    def strike(self, game: Game) -> None:
        if self._show is None:
            from tests.vision.show import Show  # late: it loads OpenCV

            self._show = Show(pictures_of(locate(game.site.where)))
            self._show.evidence.begin(game.match_id)
            self._show.run(1.0)
        super().strike(game)
        show = self._show
        self._play(lambda seq: bool(show.evidence.hitches))
        hitches = [hitch.sentence() for hitch in show.evidence.hitches]
        if len(hitches) != 1 or "No space left" not in hitches[0]:
            game.wrong.append(f"pictures on a full disk: {hitches}")

    def heal(self, game: Game) -> None:
        super().heal(game)
        show = self._show
        assert show is not None

        def is_kept(seq: int) -> bool:
            kept = show.pictures.find(game.match_id, seq)
            return kept is not None and kept.still is not None and not show.evidence.hitches

        if not self._play(is_kept):
            game.wrong.append("no pictures are kept when there is room again")

    def _play(self, done: Callable[[int], bool]) -> bool:
        """Keeps pictures of a card that is played; waits until ``done`` is true of its event.

        Returns:
            Whether it became true within 20 seconds.
        """
        assert self._show is not None
        seq = self._show.play()
        self._show.run(1.5)
        until = time.monotonic() + 20
        while not done(seq) and time.monotonic() < until:
            time.sleep(0.01)
        return done(seq)


class ReadOnly(Fault):
    """The ledger is read-only when the program starts: it says so, and starts once it is not."""

    rounds = 10

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        # Root may write to every file, unless it drops this capability.
        bound = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if is_root() else ()
        yield FaultySite(self.folder, wraps=bound)

    @staticmethod
    def lacks() -> str | None:
        from shutil import which

        return "setpriv is missing" if is_root() and which("setpriv") is None else None

    def _allow(self, files: int, folders: int) -> None:
        for place in (self.folder, self.folder / "tables"):
            place.chmod(folders)
            for file in place.iterdir():
                if file.is_file():
                    file.chmod(files)

    def strike(self, game: Game) -> None:
        game.stop()
        self._allow(0o444, 0o555)
        game.site.start()
        assert game.site.process is not None
        out, errors = game.site.process.communicate(timeout=60)
        status, game.site.process = game.site.process.returncode, None
        if status != 2 or errors.count("\n") != 1 or "Traceback" in errors + out:
            game.wrong.append(f"a read-only ledger ends with {status}: {errors}")

    def heal(self, game: Game) -> None:
        self._allow(0o644, 0o755)
        game.start()
