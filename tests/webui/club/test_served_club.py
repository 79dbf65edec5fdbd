"""``trucam club`` as a process: events that another process writes appear on the hall's screens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.club.pairing import draw
from scorekeeper.engine.events import Event
from scorekeeper.engine.said import Source
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.simulated_club import opened
from tests.webui.serving import Phone, Site, Stream

CLUB = ("-c", "from webui.cli import main; main()", "club", "--no-browser", "--local")


def started(site: Site) -> None:
    site.start([sys.executable, *CLUB, "--port", str(site.port)])
    site.await_answer()


@pytest.mark.skipif(sys.platform == "win32", reason="ends by a signal")
def test_an_event_of_another_process_reaches_the_board_and_survives_a_kill(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with Ledger(str(site.ledger)) as ledger:
        hall = opened(ledger, tables=2, game="le_truc_ace")
        hall.say(draw(hall.moment.tournament, seed=1), seen=hall.moment.seq)
        table = Table(ledger, hall.moment.tables[2].entry.id)
        started(site)
        with closing(Phone(site)) as phone:
            phone.get("/")
            stream = Stream(phone, "/live/board")
            assert "Round 1 of 5: 2 tables play" in stream.message()["html"]
            table.say(Event("award", side=0, points=12), seen=0, source=Source.PHONE)
            html = stream.message()["html"]
            while "1 table plays" not in html:
                html = stream.message()["html"]
        assert site.process is not None
        site.process.send_signal(signal.SIGKILL)
        site.process.communicate()
        started(site)
        with closing(Phone(site)) as phone:
            assert "1 table plays" in phone.get("/")[1].decode()
        status, out, err = site.end()
    assert (status, err) == (0, "")
    assert "/host?key=" in out
    assert out.endswith("The tournament is kept: trucam club goes on with it.\n")


def test_an_unknown_tournament_is_refused_in_one_sentence(tmp_path: Path) -> None:
    """This runs in another process, for gevent would patch this one."""
    where = tmp_path / "ledger.sqlite"
    ended = subprocess.run(
        [sys.executable, *CLUB, "--tournament", "9"],
        env={**os.environ, "TRUCAM_LEDGER": str(where)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"There is no tournament 9 in the ledger {where}.\n"
