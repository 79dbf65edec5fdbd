"""Sends bad messages as a phone that is the camera.

``python -m tests.benchmarks.phone_rubbish --messages 1000000`` sends tiny messages, 8K pictures,
zero bytes, rubbish as film, wrong keys, and messages of a second phone to ``trucam play``.
Meanwhile the host plays on by hand. It prints the answers, the memory of both processes after a
tenth of the messages and at the end, how long the host waits for a tap, and whether a picture is
looked at afterwards.
"""

from __future__ import annotations

import argparse
import http.client
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

import cv2
import numpy as np
import psutil

from tests.benchmarks.phone_faults import Looks
from tests.benchmarks.stages import spread
from tests.vision.capture.test_phone_feed import film, jpeg
from tests.webui.serving import PATIENCE, Phone, Site
from vision.process.trace import NAMED_BY
from webui.cli.demo import FILM, record_of

CONNECTIONS = 4
Kinds = Mapping[str, tuple[bytes, str, int]]
"""Of each kind of message what is sent, how it says that it is coded, and the answer's status."""


@cache
def small() -> Kinds:
    """What most messages are."""
    return {
        "zero bytes": (b"", "jpeg", 400),
        "zero bytes of a film": (b"", "key", 400),
        "tiny": (jpeg(width=1, height=1), "jpeg", 200),
        "tiny rubbish": (b"x", "jpeg", 400),
        "rubbish of a film": (b"\0\0\0\1" + b"rubbish" * 9, "key", 200),
        "rubbish after it": (b"\0\0\0\1" + b"rubbish" * 9, "delta", 200),
        "a wrong key": (b"x", "key", 403),
        "a second phone": (jpeg(width=1, height=1), "jpeg", 400),
    }


@cache
def large() -> Kinds:
    """Pictures of 8K. To make them takes a second, so none is made before it is sent."""
    return {
        "8K": (jpeg(width=7680, height=4320), "jpeg", 400),
        "8K of a film": (film(1, width=7680, height=4320)[0], "key", 200),
    }


class Sender:
    """Sends messages over one connection.

    Args:
        site: The served table.
        seed: Decides which messages.
    """

    def __init__(self, site: Site, seed: int) -> None:
        self._site, self._chance = site, Random(seed)
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
        self.answers: Counter[tuple[str, int]] = Counter()
        self.unexpected = 0

    def send(self, taken: float) -> None:
        """Sends a random message; ``taken`` is when its picture was taken."""
        kinds = large() if self._chance.random() < 0.002 else small()
        kind = self._chance.choice(list(kinds))
        body, coded, expected = kinds[kind]
        key = "wrong" if kind == "a wrong key" else self._site.keys["camera_key"]
        headers = {
            "Authorization": f"Bearer {key}", "X-Coded": coded, "X-Taken": str(taken),
            "X-Phone": "two" if kind == "a second phone" else "one",
        }  # fmt: skip
        self._connection.request("POST", "/phone/picture", body, headers)
        answer = self._connection.getresponse()
        answer.read()
        self.answers[kind, answer.status] += 1
        self.unexpected += answer.status != expected

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


def memory(site: Site) -> list[int]:
    """The memory of the server and of each process that it started, in MB."""
    assert site.process is not None
    server = psutil.Process(site.process.pid)
    return [one.memory_info().rss >> 20 for one in (server, *server.children(recursive=True))]


GROWS = 1.2
"""The factor by which a process's memory may grow from a tenth of the messages to the end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Sends the messages, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ):
        os.environ["TRUCAM_CAMERAS"] = str(Path(folder) / "cameras")
        os.environ[NAMED_BY] = str(Path(folder) / "trace")
        site = Site(Path(folder))
        site.begin(record_of(FILM).match.header)
        site.start(site.command("--camera", "phone"))
        site.await_answer()
        host = Phone(site).host()
        while not host.state()["camera"]["troubles"]:
            time.sleep(0.2)
        keys = site.keys
        senders = [Sender(site, seed) for seed in range(CONNECTIONS)]
        first = {"Authorization": f"Bearer {keys['camera_key']}", "X-Phone": "one", "X-Taken": "0"}
        assert host.ask("POST", "/phone/picture", jpeg(), **first)[0] == 200

        def send(sender: Sender) -> None:
            with closing(sender):
                for _ in range(options.messages // CONNECTIONS):
                    sender.send(time.monotonic())

        threads = [threading.Thread(target=send, args=(sender,)) for sender in senders]
        began, waits, early = time.monotonic(), list[float](), list[int]()
        for thread in threads:
            thread.start()
        truth = list(record_of(FILM).events)
        seq = 0
        while seq < len(truth) or any(thread.is_alive() for thread in threads):
            sent = sum(sum(sender.answers.values()) for sender in senders)
            if not early and sent > options.messages / 10:
                early = memory(site)
            now, seq = time.monotonic(), host.state()["seq"]
            if seq < len(truth):
                assert host.say(truth[seq], seq)[0] == 200
            waits.append(time.monotonic() - now)
            time.sleep(0.2)
        took, late = time.monotonic() - began, memory(site)
        looks, ended = Looks(Path(folder) / "trace"), time.monotonic()
        goes_on = None
        while goes_on is None and time.monotonic() < ended + PATIENCE:
            good = {**first, "X-Taken": str(time.monotonic() + 1)}
            noise = np.random.default_rng().integers(0, 255, (480, 640, 3), np.uint8)
            host.ask("POST", "/phone/picture", cv2.imencode(".jpg", noise)[1].tobytes(), **good)
            goes_on = looks.first(ended)
            time.sleep(0.05)
        site.end()
    answers = sum((sender.answers for sender in senders), Counter[tuple[str, int]]())
    unexpected = sum(sender.unexpected for sender in senders)
    for (kind, status), count in sorted(answers.items()):
        print(f"{kind}: {status}, {count} times")
    print(
        f"{sum(answers.values())} messages in {took:.0f} s, {unexpected} answered unexpectedly; "
        f"memory {early} -> {late} MB; {seq} of {len(truth)} events by hand, "
        f"{spread(waits)} each; pictures looked at afterwards: {goes_on is not None}"
    )
    flat = all(after < before * GROWS for before, after in zip(early, late, strict=False))
    whole = goes_on is not None and seq == len(truth)
    return 0 if flat and whole and not unexpected else 1


if __name__ == "__main__":
    sys.exit(main())
