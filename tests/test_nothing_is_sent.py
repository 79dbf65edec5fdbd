"""Nothing leaves this machine, and nothing is written but into the program's own folders.

The commands run in a network namespace whose only device is the loopback. All addresses are routed
there, so all that is sent is recorded. The resolver that is configured does not answer.
"""

from __future__ import annotations

import ctypes
import fcntl
import ipaddress
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import platformdirs
import pytest

from tests.test_imports import imported

ROOT = Path(__file__).parent.parent
FILM, PHOTO = ROOT / "webui" / "demo" / "match.mp4", ROOT / "docs" / "demo.jpg"
ENGINE = "vision/detection/runtime.py"
TRUCAM = (sys.executable, "-c", "from webui.cli import main; main()")
HOST, NAME = "192.0.2.1", "recorded.example"
"""An address and a name to which the test itself sends, to check that this is recorded."""

PATIENCE = 100
NAMESPACES = (
    ["unshare", "--net", "--mount"],
    ["unshare", "--map-root-user", "--net", "--mount"],  # who is not root may have some as well
)


def test_the_engine_is_imported_in_one_place():
    """That place switches its telemetry off first."""
    modules = (
        path.relative_to(ROOT).as_posix()
        for folder in ("scorekeeper", "vision", "webui", "models", "datasets", "tests")
        for path in (ROOT / folder).rglob("*.py")
    )
    named = (name for name in modules if b"onnxruntime" in (ROOT / name).read_bytes())
    assert [name for name in named if "onnxruntime" in imported(name)] == [ENGINE]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What the commands send and write. They run once, at the same time, with a new HOME."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        pytest.skip("only Linux has network namespaces, and the command unshare makes them")
    tried = [subprocess.run([*way, "true"], capture_output=True, text=True) for way in NAMESPACES]
    allowed = [way for way, run in zip(NAMESPACES, tried, strict=True) if run.returncode == 0]
    if not allowed:
        pytest.skip(f"this machine allows nobody a network of their own: {tried[0].stderr.strip()}")
    folder = tmp_path_factory.mktemp("apart")
    for name in ("home", "tmp", "here"):
        (folder / name).mkdir()
    environment = {  # no other variables: some programs send nothing if CI is set
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "error",
    }
    run = subprocess.run(
        [*allowed[0], sys.executable, "-m", "tests.test_nothing_is_sent", str(folder)],
        env=environment, cwd=folder / "here", capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout)


def test_nothing_is_sent(found):
    *others, name, host = found["packets"]
    assert (NAME in name, host) == (True, f"{HOST}:9"), "the recorder hears nothing"
    assert others == []


def test_nothing_is_written_but_into_the_own_folders(found):
    assert found["own"]
    assert found["foreign"] == []


def test_all_commands_did_what_they_do(found):
    assert found["ends"] == {"demo": 0, "play": 0, "read": 0, "doctor": 0, "markers": 0}


# --- what runs in the network of its own ---


def be_the_way_to_everywhere() -> None:
    """Switches the loopback on, and makes it the default route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS
        device, anywhere = ctypes.create_string_buffer(b"lo"), struct.pack("H14x", socket.AF_INET)
        route = struct.pack(  # a struct rtentry of a route that is up, for SIOCADDRT
            "L16s16s16sHhLLhLLLH",
            0, anywhere, anywhere, anywhere, 1, 0, 0, 0, 0, ctypes.addressof(device), 0, 0, 0,
        )  # fmt: skip
        fcntl.ioctl(control, 0x890B, route)


def ask_a_resolver_that_does_not_answer(folder: Path) -> None:
    """Makes names be looked up over the network, not by a service of this machine."""
    for path, text in (
        ("/etc/resolv.conf", "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n"),
        ("/etc/nsswitch.conf", "hosts: files dns\n"),
    ):
        if Path(path).exists():
            (folder / "instead").write_text(text)
            os.rename(folder / "instead", mine := folder / Path(path).name)
            subprocess.run(["mount", "--bind", mine, path], check=True)


class Recorder(threading.Thread):
    """Records every packet to another machine: its address, its port, and its readable text."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.packets: list[str] = []
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x3))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)

    def run(self) -> None:
        while True:
            data, (_, kind, direction, *_) = self._socket.recvfrom(1 << 16)
            if direction == socket.PACKET_OUTGOING:
                self.packets += self._elsewhere(data, kind)

    @staticmethod
    def _elsewhere(data: bytes, kind: int) -> list[str]:
        start = 4 * (data[0] & 0xF) if kind == 0x0800 else 40
        to = ipaddress.ip_address(data[16:20] if kind == 0x0800 else data[24:40])
        (port,) = struct.unpack("!H", data[start + 2 : start + 4])
        words = re.findall(r"[\w-]{3,}", data[start + 8 :].decode("ascii", "replace"))
        return [] if to.is_loopback else [" ".join([f"{to}:{port}", ".".join(words)]).strip()]


def start(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*TRUCAM, *arguments], stdout=sys.stderr)


def await_camera(port: int) -> None:
    """Waits until the camera of a table watches: then the models are loaded."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(URLError), urlopen(f"http://127.0.0.1:{port}/api/v1/state") as answer:
            camera = json.load(answer).get("camera")
            if camera is not None and camera["watches"]:
                return
        time.sleep(0.05)
    raise AssertionError("no camera watches")


def begin_a_match() -> None:
    """Begins a match with which ``trucam play`` goes on."""
    from scorekeeper.engine.header import Header
    from scorekeeper.engine.said import Said, Source
    from scorekeeper.storage.ledger import Ledger
    from webui.table.memory import Memory

    said = Said.now(Source.OPERATOR)
    with Ledger() as ledger, Memory() as memory, memory.changing() as data:
        data["match"] = ledger.add(
            Header(game="trut", seats=("Ana", "Bea")), [], said, begun=said.at
        )


def run_all(folder: Path) -> dict[str, object]:
    """Runs all commands at the same time; returns what they send and write, and how they end."""
    be_the_way_to_everywhere()
    ask_a_resolver_that_does_not_answer(folder)
    recorder = Recorder()
    recorder.start()
    begin_a_match()
    runs = {
        "demo": start("demo", "--port", "7001"),
        "play": start("play", "--port", "7002", "--camera", str(FILM)),
        "read": start("read", str(PHOTO)),
        "doctor": start("doctor"),
        "markers": start("markers", "--game", "trut", "-o", str(folder / "sheet.pdf")),
    }
    for port in (7001, 7002):
        await_camera(port)
    for name in ("demo", "play"):
        runs[name].terminate()
    ends = {name: run.wait(PATIENCE) for name, run in runs.items()}
    with suppress(socket.gaierror):
        socket.getaddrinfo(NAME, 80, socket.AF_INET)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
        last.sendto(b"", (HOST, 9))
    while not recorder.packets or recorder.packets[-1] != f"{HOST}:9":
        time.sleep(0.01)
    own, foreign = written(folder)
    return {"packets": recorder.packets, "ends": ends, "own": own, "foreign": foreign}


def written(folder: Path) -> tuple[Sequence[str], Sequence[str]]:
    """The new files in the program's own folders, and all other new files."""
    ours = [
        platformdirs.user_data_path("trucam", appauthor=False),
        platformdirs.user_cache_path("trucam", appauthor=False),
    ]
    files = [
        path
        for name in ("home", "tmp", "here")
        for path in (folder / name).rglob("*")
        if not path.is_dir()
    ]
    own = [path for path in files if any(path.is_relative_to(one) for one in ours)]
    return [str(path) for path in own], [str(path) for path in files if path not in own]


if __name__ == "__main__":
    print(json.dumps(run_all(Path(sys.argv[1]))))
