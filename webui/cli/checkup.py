"""Checks what trucam needs on this machine, and names the command that fixes each problem.

Each function checks one topic. ``webui.cli.doctor`` prints what they find.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import platformdirs

from scorekeeper.errors import LedgerError
from scorekeeper.storage.damage import find_damage
from scorekeeper.storage.database import (
    DAYS,
    MEGABYTES,
    VARIABLE,
    default_path,
    locate,
    pictures_of,
)
from scorekeeper.storage.ledger import Ledger

GIGABYTE = 1_000_000_000

LEAST_FREE = 200_000_000
"""So many free bytes are enough for a ledger, its write-ahead log and a copy of it."""


ELSEWHERE = f'export {VARIABLE}="/another/disk/ledger.sqlite3"'
"""The command after which the ledger is kept in another place."""


class Mark(StrEnum):
    """Whether the program has what it needs."""

    HERE = "ok"
    LATER = "later"  # something is missing that trucam can do without
    LACK = "LACK"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a check found.

    Attributes:
        topic: What was checked, in one word.
        mark: Whether it is there, missing and needed, or missing and not needed.
        text: What there is, or what is missing.
        mend: The command that fixes the problem; None if there is no problem or no such command.
    """

    topic: str
    mark: Mark
    text: str
    mend: str | None = None


def python() -> Finding:
    """Tells the version of Python. Set-up has already refused a version that is too old."""
    text = f"{platform.python_version()}, {_brief(Path(sys.executable))}"
    return Finding(topic="Python", mark=Mark.HERE, text=text)


def machine() -> Finding:
    """Counts the processors that this process may use, and the memory of the machine."""
    if sys.platform == "linux":
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    text = f"{processors} processor{'s' if processors > 1 else ''}"
    if hasattr(os, "sysconf"):  # not on Windows
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        text += f", {memory / 2**30:.1f} GiB of memory"
    return Finding(topic="Machine", mark=Mark.HERE, text=text)


OPENCV_PROBE = """
import json
from vision.opencv import OpenCVError, load_opencv
try:
    answer = {"version": load_opencv().__version__}
except OpenCVError as error:
    answer = {"lack": error.lack, "mend": error.mend}
print(json.dumps(answer))
"""


def opencv(probe: str = OPENCV_PROBE) -> Finding:
    """Checks that OpenCV and its system libraries load.

    Args:
        probe: The code that tries it; see ``_answer``.
    """
    answer = _answer(probe)
    if "version" in answer:
        text = f"{answer['version']}, with the system libraries that it needs"
        return Finding(topic="OpenCV", mark=Mark.HERE, text=text)
    mend = answer.get("mend", f"{sys.executable} -m pip install --force-reinstall opencv-python")
    text = f"does not load: {answer['lack']}"
    return Finding(topic="OpenCV", mark=Mark.LACK, text=text, mend=mend)


def _answer(probe: str, *arguments: str) -> dict[str, str]:
    """Runs code in another process, and returns the JSON object that it prints.

    A wheel that was built for another processor crashes the process that imports it: therefore
    another process. If the code fails, the returned object says why, as ``lack``.
    """
    command = [sys.executable, "-c", probe, *arguments]
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return {"lack": "its import does not come to an end"}
    if child.returncode != 0:
        return {"lack": f"its import {_ending(child)}"}
    answer: dict[str, str] = json.loads(child.stdout.splitlines()[-1])
    return answer


def _ending(child: subprocess.CompletedProcess[str]) -> str:
    if child.returncode < 0:
        return f"crashes ({signal.Signals(-child.returncode).name})"
    last = (child.stderr.splitlines() or [f"exit status {child.returncode}"])[-1]
    return f"fails ({last})"


def identify(device: Path) -> str | None:
    """Asks a Linux video device for its name; returns None if it takes no pictures.

    Cameras have further devices, for metadata, and video decoders are video devices, too. Only the
    call VIDIOC_QUERYCAP of Video4Linux tells them apart.

    Raises:
        OSError: The device may not be opened, or is no video device.
    """
    import fcntl  # not on Windows

    with device.open("rb", buffering=0) as stream:
        reply = fcntl.ioctl(stream, 0x80685600, bytes(104))
    _, name, _, _, of_all, of_this = struct.unpack("16s32s32sIII", reply[:92])
    capabilities = of_this if of_all & 0x80000000 else of_all
    takes_pictures = capabilities & (0x00000001 | 0x00001000)
    return name.split(b"\0")[0].decode(errors="replace") if takes_pictures else None


def cameras(
    folder: Path = Path("/dev"),
    identify: Callable[[Path], str | None] = identify,
    system: str = sys.platform,
) -> Finding:
    """Lists the cameras, as far as that is possible without switching one on.

    Args:
        folder: Where Linux has its devices.
        identify: Tells the name of a device; see the function ``identify``.
        system: The operating system, as ``sys.platform`` names it.
    """
    if system in PRIVACY_SETTINGS:
        text = "seen only once it is opened; the terminal must be allowed to use it"
        mend = PRIVACY_SETTINGS[system]
        return Finding(topic="Camera", mark=Mark.LATER, text=text, mend=mend)
    found, refused = [], []
    for device in sorted(folder.glob("video*")):
        try:
            name = identify(device)
        except PermissionError:
            refused.append(str(device))
        except OSError:
            continue  # it was unplugged just now
        else:
            if name is not None:
                found.append(f"{name} ({device})")
    if found:
        text = "; ".join(found[:2]) + (f" and {len(found) - 2} more" if found[2:] else "")
        return Finding(topic="Camera", mark=Mark.HERE, text=text)
    if refused:
        text = f"{refused[0]} may not be opened by this user (log in again once mended)"
        mend = 'sudo usermod -aG video "$USER"'
        return Finding(topic="Camera", mark=Mark.LATER, text=text, mend=mend)
    return Finding(topic="Camera", mark=Mark.LATER, text="none found; plug one in")


PRIVACY_SETTINGS = {
    "darwin": 'open "x-apple.systempreferences:com.apple.preference.security?Privacy_Camera"',
    "win32": "start ms-settings:privacy-webcam",
}
"""Maps an operating system to the command that opens its camera permissions."""


def ledger() -> Finding:
    """Checks that the ledger and all its matches can be read. Does not create a ledger."""
    try:
        url = locate()
        path = Path(url.database or "").absolute()
        pictures_of(url)  # checks the settings for pictures, even if there is no ledger yet
        if url.get_backend_name() == "sqlite" and not path.exists():
            return _ledger_to_be(path)
        with Ledger() as opened:
            opened.check()
            matches, place = opened.ids(), str(opened)
            damaged = {match: found for match in matches if (found := find_damage(opened, match))}
    except (LedgerError, OSError) as error:
        wrong = next((name for name in (DAYS, MEGABYTES) if name in str(error)), None)
        mend = ELSEWHERE if wrong is None else f"unset {wrong}"
        return Finding(topic="Ledger", mark=Mark.LACK, text=str(error), mend=mend)
    if url.get_backend_name() == "sqlite":
        place = _brief(Path(place))
    if damaged:
        text = " ".join(found.sentence(match) for match, found in damaged.items())
        mend = f"trucam repair {min(damaged)}"
        return Finding(topic="Ledger", mark=Mark.LACK, text=text, mend=mend)
    count = len(matches)
    text = f"{count} match{'' if count == 1 else 'es'} in {place}"
    return Finding(topic="Ledger", mark=Mark.HERE, text=text)


def _ledger_to_be(path: Path) -> Finding:
    folder = _nearest(path.parent)
    if path != default_path() and folder != path.parent:
        text, mend = f"there is no folder {path.parent} for it", f"mkdir -p {_quoted(path.parent)}"
    elif not os.access(folder, os.W_OK):
        text, mend = f"the folder {folder} cannot be written to", ELSEWHERE
    else:
        text = f"none yet; the first match makes {_brief(path)}"
        return Finding(topic="Ledger", mark=Mark.HERE, text=text)
    return Finding(topic="Ledger", mark=Mark.LACK, text=text, mend=mend)


def disk(folder: Path | None = None, least: int = LEAST_FREE) -> Finding:
    """Checks that the disk with the ledger has space left.

    Args:
        folder: A folder on the disk; None for the ledger's folder.
        least: How many free bytes are enough.
    """
    folder = _nearest(folder or _ledger_folder())
    free = shutil.disk_usage(folder).free
    text = f"{free / GIGABYTE:.1f} GB free at {_brief(folder)}"
    if free >= least:
        return Finding(topic="Disk", mark=Mark.HERE, text=text)
    return Finding(topic="Disk", mark=Mark.LACK, text=f"only {text}", mend=ELSEWHERE)


def _ledger_folder() -> Path:
    try:
        url = locate()
    except LedgerError:
        return default_path().parent
    in_file = url.get_backend_name() == "sqlite" and url.database
    return Path(url.database or "").parent if in_file else default_path().parent


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest folder above it that exists."""
    folder = folder.absolute()
    while not os.path.exists(folder):  # unlike ``Path.exists``, false if it may not be looked into
        folder = folder.parent
    return folder


MODELS_PROBE = """
import json, sys
from pathlib import Path
from vision.detection.reader import CardReader
from vision.detection.sessions import ModelError
try:
    CardReader(Path(sys.argv[1]))
except ModelError as error:
    print(json.dumps({"lack": str(error)}))
else:
    print("{}")
"""


def models(folder: Path) -> Finding:
    """Checks that the networks that read the cards load.

    Args:
        folder: The folder with their weights.
    """
    lack = _answer(MODELS_PROBE, str(folder)).get("lack")
    if lack is None:
        text = ", ".join(sorted(path.name for path in folder.glob("*.onnx")))
        return Finding(topic="Models", mark=Mark.HERE, text=text)
    text = f"do not load: {lack.rstrip('.')}; install trucam anew"
    return Finding(topic="Models", mark=Mark.LACK, text=text)


def privacy(caches: Path | None = None) -> Finding:
    """Looks for events that ONNX Runtime collected for Microsoft.

    ``vision.detection.runtime`` switches that off, but an older version of trucam, or another
    program, may have left some.

    Args:
        caches: The folder in which programs keep their caches; None for the user's.
    """
    left = (caches or platformdirs.user_cache_path()) / COLLECTED
    if not left.is_dir():
        text = "nothing is sent anywhere; ONNX Runtime's telemetry is off"
        return Finding(topic="Privacy", mark=Mark.HERE, text=text)
    text = "nothing is sent anywhere; another version has collected this:"
    return Finding(topic="Privacy", mark=Mark.LATER, text=text, mend=f"rm -r {_quoted(left)}")


COLLECTED = Path("Microsoft", "DeveloperTools", ".onnxruntime")
"""The folder in which ONNX Runtime keeps its events and its number for this machine, on Linux."""


def _quoted(path: Path) -> str:
    """A path, quoted for a shell."""
    return shlex.quote(str(path))


def _brief(path: Path) -> str:
    home = Path.home()
    return str("~" / path.relative_to(home)) if path.is_relative_to(home) else str(path)
