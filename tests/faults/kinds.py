"""Faults of clocks, processes, phones and databases, and the list of all kinds."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

import psutil

from tests.faults import CLOCK, PATIENCE, SCRIPT
from tests.faults.game import FaultySite, Game, other_program
from tests.private_postgres import private_postgres, programs
from tests.scorekeeper.playouts import any_event

if TYPE_CHECKING:
    pass

from tests.faults.disks import DiskFull, DiskFullOfPictures, DiskRefuses, ReadOnly
from tests.faults.fault import ALL, PERHAPS, QUICK, Fault


class ClockSetBack(Fault):
    """The computer's clock is set back by some hours, and later set right."""

    meanwhile = ALL
    rounds = 80

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        self._clock = self.folder / "clock"
        self._clock.write_text("0")
        yield FaultySite(self.folder, environment={CLOCK: str(self._clock)})

    def strike(self, game: Game) -> None:
        self._clock.write_text(str(-game.chance.choice((5, 600, 7_200, 86_400, 40_000_000))))

    def heal(self, game: Game) -> None:
        self._clock.write_text(str(game.chance.choice((0, 3_600, 0))))


class TwoPrograms(Fault):
    """Another program writes an event to the same match, at a random moment."""

    meanwhile = PERHAPS
    rounds = 120

    def strike(self, game: Game) -> None:
        event = any_event(game.match, game.chance, operator=0.0)
        assert event is not None
        saying = Thread(target=other_program, args=(game.site.where, game.match_id, event.bare()))
        saying.start()
        time.sleep(game.chance.uniform(0, 0.1))
        self._saying = saying

    def heal(self, game: Game) -> None:
        self._saying.join()
        game.read_again()


class LedgerLocked(Fault):
    """Another program locks the ledger for a while: taps wait for it, screens do not."""

    meanwhile = ALL
    rounds = 15
    longest: ClassVar[float] = 4.5

    def strike(self, game: Game) -> None:
        self._other = sqlite3.connect(game.site.where, isolation_level=None)
        self._other.execute("BEGIN IMMEDIATE")
        tap = Thread(target=game.tap)
        tap.start()
        until = time.monotonic() + game.chance.uniform(3.5, self.longest)
        at = time.monotonic()
        game.open("/")
        if time.monotonic() - at > QUICK:
            game.wrong.append(f"the board took {time.monotonic() - at:.1f} s meanwhile")
        time.sleep(max(0.0, until - time.monotonic()))
        self._other.execute("ROLLBACK")
        self._other.close()
        tap.join()

    def heal(self, game: Game) -> None:
        """Does nothing: the other program has released the lock."""


class Killed(Fault):
    """The program is killed at a random moment, and started again."""

    rounds = 25

    def strike(self, game: Game) -> None:
        tap = Thread(target=game.tap)
        tap.start()
        time.sleep(game.chance.uniform(0, 0.02))
        game.killed()
        tap.join()

    def heal(self, game: Game) -> None:
        game.start()
        game.read_again()


class WorkerHangs(Fault):
    """The watching process hangs: it is started anew, and meanwhile people play on by hand."""

    meanwhile = ALL
    rounds = 20

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        script = '["tell:{\\"trouble\\": null}"]'
        more = {SCRIPT: script}
        yield FaultySite(self.folder, environment=more, arguments=("--camera", "0"))

    @staticmethod
    def lacks() -> str | None:
        return None if hasattr(signal, "SIGSTOP") else "there is no SIGSTOP"

    def _worker(self, game: Game) -> psutil.Process:
        assert game.site.process is not None
        until = time.monotonic() + 20
        while time.monotonic() < until:
            for child in psutil.Process(game.site.process.pid).children():
                with suppress(psutil.Error):
                    if "tests.vision.scripted_worker" in child.cmdline():
                        return child
            time.sleep(0.02)
        raise AssertionError("nobody watches")

    def strike(self, game: Game) -> None:
        self._stopped = self._worker(game)
        os.kill(self._stopped.pid, signal.SIGSTOP)

    def heal(self, game: Game) -> None:
        until = time.monotonic() + 20
        while self._stopped.is_running() and self._stopped.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > until:
                game.wrong.append("a worker that hangs is not started anew")
                self._stopped.kill()
                return
            game.tap()
            time.sleep(0.2)
        self._worker(game)


class OneByteASecond(Fault):
    """Phones that read one byte a second, and send as slowly."""

    meanwhile = ALL
    rounds = 10
    phones: ClassVar[int] = 30

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        yield FaultySite(self.folder, environment={PATIENCE: "2"})

    def strike(self, game: Game) -> None:
        self._slow = ExitStack()
        self._sockets = []
        for number in range(self.phones):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            one.connect(("127.0.0.1", game.site.port))
            kind = number % 3
            if kind == 0:
                one.sendall(b"GET /live/board HTTP/1.1\r\nHost: localhost\r\n\r\n")
            elif kind == 1:
                one.sendall(b"GET /static/trucam.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)
            else:
                one.sendall(b"POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\n"
                            b"Content-Length: 5000\r\n\r\n")  # fmt: skip
            self._sockets.append(self._slow.enter_context(one))
        for _ in range(2):
            for one in self._sockets:
                one.setblocking(False)
                with suppress(OSError):
                    one.recv(1)
                with suppress(OSError):
                    one.send(b"x")
            game.tap()

    def heal(self, game: Game) -> None:
        self._slow.close()


class ManyStreams(Fault):
    """Two thousand phones and screens open streams, and all close them at once."""

    meanwhile = ALL
    rounds = 3
    streams: ClassVar[int] = 2_000

    @staticmethod
    def lacks() -> str | None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < 2 * ManyStreams.streams:
            return f"a program may open {hard} files here, and each stream is one"
        return None

    def strike(self, game: Game) -> None:
        from tests.webui.serving import ROOT

        command = (
            sys.executable,
            "-m",
            "tests.benchmarks.viewers",
            str(game.site.port),
            str(self.streams),
        )
        self._viewers = subprocess.Popen(
            command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._viewers.stdout is not None
        if self._viewers.stdout.readline() != "ready\n":
            game.wrong.append(f"{self.streams} streams cannot be opened")

    def heal(self, game: Game) -> None:
        self._viewers.kill()
        self._viewers.communicate()


class PostgresStops(Fault):
    """The PostgreSQL server is stopped in the middle of a hand, and started again."""

    rounds = 30

    @staticmethod
    def lacks() -> str | None:
        return None if programs() is not None else "PostgreSQL is not installed"

    @contextmanager
    def site(self) -> Iterator[FaultySite]:
        with private_postgres() as server:
            assert server is not None
            self._server = server
            yield FaultySite(self.folder, ledger=server.url)

    def strike(self, game: Game) -> None:
        tap = Thread(target=game.tap)
        tap.start()
        time.sleep(game.chance.uniform(0, 0.02))
        self._server.kill()
        tap.join()

    def heal(self, game: Game) -> None:
        self._server.start()


FAULTS: tuple[type[Fault], ...] = (
    DiskRefuses, DiskFull, DiskFullOfPictures, ReadOnly, ClockSetBack, TwoPrograms, LedgerLocked,
    Killed, WorkerHangs, OneByteASecond, ManyStreams, PostgresStops,
)  # fmt: skip
