"""``trucam play`` for the faults: ``python -m tests.faults.program ARGUMENTS``.

It has no limit on how fast a seat taps. Environment variables give it a wrong clock, a scripted
watching process, and less patience with slow phones; see ``tests.faults``.
"""

from gevent import monkey

monkey.patch_all()

import datetime as dates  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402

from tests.faults import CLOCK, PATIENCE, SCRIPT  # noqa: E402


def set_clock(file: Path) -> None:
    """Makes the clock wrong by as many seconds as a file says, each time that it is read."""
    right = time.time

    def now() -> float:
        return right() + float(file.read_text() or 0)

    class Moment(dates.datetime):
        """A time by the wrong clock."""

        @classmethod
        def now(cls, tz: dates.tzinfo | None = None) -> dates.datetime:  # type: ignore[override]
            return dates.datetime.fromtimestamp(now(), tz)

    time.time = now
    from scorekeeper.engine import said

    said.datetime = Moment  # type: ignore[misc]


def main() -> None:
    """Runs ``trucam play`` with these changes."""
    if CLOCK in os.environ:
        set_clock(Path(os.environ[CLOCK]))
    from tests.webui.playing import UnlimitedWrites
    from webui import app
    from webui.server import connections

    app.security.Writes = UnlimitedWrites  # type: ignore[misc]
    if PATIENCE in os.environ:
        connections.PATIENCE_SECONDS = float(os.environ[PATIENCE])
    if SCRIPT in os.environ:
        from vision.process import supervisor

        script = json.loads(os.environ[SCRIPT])
        worker = (sys.executable, "-m", "tests.vision.scripted_worker", *script)
        supervisor.COMMAND = worker
        supervisor.HANGS, supervisor.STARTS_WITHIN = 2.5, 6.0
        supervisor.FIRST_PAUSE = supervisor.LAST_PAUSE = 0.05
        from webui.camera import camera

        camera.COMMAND = worker
    from webui.cli import main as trucam

    sys.argv = ["trucam", "play", "--no-browser", "--local", *sys.argv[1:]]
    trucam()


if __name__ == "__main__":
    main()
