"""Sends forged requests at an even pace: ``python -m tests.benchmarks.forgers PORT A_MINUTE``.

They have wrong keys or tokens, come from the page of another site, name another host, or use a
wrong method. It prints ``ready``, sends requests until it reads a line, and then prints as JSON how
often each status was answered.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections import Counter

CONNECTIONS = 50
KEY = "f" * 32
EVENT = json.dumps({"seen": 0, "event": {"verb": "undo", "seat": 0}})
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
FORGED: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("POST", "/api/v1/events", {"Authorization": f"Bearer {KEY}", "Content-Type": JSON}, EVENT),
    ("POST", "/api/v1/events", {"Content-Type": JSON}, EVENT),
    ("POST", "/api/v1/events", {"Origin": "http://example.org", "Content-Type": JSON}, EVENT),
    ("POST", "/host/begin", {"Content-Type": FORM}, f"csrf_token={KEY}&dealer=0"),
    ("POST", "/host/revoke", {"Cookie": f"trucam={KEY}", "Content-Type": FORM}, "seat=0"),
    ("GET", f"/host?key={KEY}", {}, ""),
    ("GET", f"/seat/0?key={KEY}", {}, ""),
    ("GET", "/host", {"Host": "example.org"}, ""),
    ("DELETE", "/match/1", {}, ""),
    ("PUT", "/api/v1/state", {"Content-Type": JSON}, "[" * 1000),
)
"""Method, path, headers and body of each forged request; all must be refused."""


def raw(method: str, path: str, headers: dict[str, str], body: str) -> bytes:
    """The bytes of a request."""
    whole = {"Host": "127.0.0.1", "Content-Length": str(len(body)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in whole.items())]
    return "\r\n".join([*lines, "", body]).encode()


async def ask(port: int, request: bytes) -> str:
    """Sends a request on a new connection; returns the status of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        head = await reader.readline()
        return head.decode().split()[1] if head else "closed"
    finally:
        writer.close()


async def forge(port: int, a_minute: float) -> Counter[str]:
    """Sends requests until it reads a line from the standard input."""
    loop = asyncio.get_running_loop()
    statuses: Counter[str] = Counter()
    free = asyncio.Semaphore(CONNECTIONS)
    under_way: set[asyncio.Task[None]] = set()

    async def one(request: bytes) -> None:
        async with free:
            statuses[await ask(port, request)] += 1

    print("ready", flush=True)
    stop = loop.run_in_executor(None, sys.stdin.readline)
    due = loop.time()
    for parts in itertools.cycle(FORGED):
        if stop.done():
            break
        task = asyncio.create_task(one(raw(*parts)))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
        due += 60 / a_minute
        await asyncio.sleep(max(due - loop.time(), 0))
    await asyncio.gather(*under_way)
    return statuses


if __name__ == "__main__":
    print(json.dumps(asyncio.run(forge(int(sys.argv[1]), float(sys.argv[2])))))
