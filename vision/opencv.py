"""OpenCV, or one sentence on why it does not load here and the command that mends it."""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType

from scorekeeper.errors import ScorekeeperError

LIBRARIES: Mapping[str, Mapping[str, str]] = {
    "libGL.so.1": {"apt": "libgl1", "dnf": "libglvnd-glx", "pacman": "libglvnd"},
    "libglib-2.0.so.0": {"apt": "libglib2.0-0", "dnf": "glib2", "pacman": "glib2"},
    "libgthread-2.0.so.0": {"apt": "libglib2.0-0", "dnf": "glib2", "pacman": "glib2"},
    "libxcb.so.1": {"apt": "libxcb1", "dnf": "libxcb", "pacman": "libxcb"},
}
"""What opencv-python's wheel for Linux takes from the system: library to package, by manager."""

INSTALL: Mapping[str, str] = {
    "apt": "sudo apt install",
    "dnf": "sudo dnf install",
    "pacman": "sudo pacman -S",
}

MEGAPIXELS = 64
"""Larger pictures are refused: no camera over a table needs them, and a small file can claim to
hold a huge picture."""

_NAMED_LIBRARY = re.compile(r"(\S+\.so[.\d]*): cannot open shared object file")


class OpenCVError(ScorekeeperError):
    """OpenCV does not load on this machine.

    Attributes:
        lack: What is missing, half a sentence.
        mend: The command that mends it.
    """

    def __init__(self, lack: str, mend: str) -> None:
        super().__init__(f"OpenCV does not load: {lack}; mend it with: {mend}")
        self.lack = lack
        self.mend = mend


def load_opencv() -> ModuleType:
    """Imports and returns ``cv2``, made to write no warnings: what is wrong is told in a sentence.

    Raises:
        OpenCVError: It does not load; the sentence names what is missing and the command.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # OpenCV reads this when it is loaded, before it decodes anything.
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MEGAPIXELS * 1_000_000))
    try:
        cv2 = importlib.import_module("cv2")
    except ModuleNotFoundError as error:
        if error.name != "cv2":
            raise
        raise OpenCVError(
            "opencv-python is not installed", f"{sys.executable} -m pip install opencv-python"
        ) from None
    except ImportError as error:
        raise _diagnosis(str(error)) from None
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    return cv2


def _diagnosis(message: str) -> OpenCVError:
    """Tells what stands behind an ``ImportError`` of ``cv2``, from its message."""
    if sys.platform == "win32" and "DLL load failed" in message:
        return OpenCVError(
            "a library of the Visual C++ runtime is missing",
            "winget install Microsoft.VCRedist.2015+.x64",
        )
    named = _NAMED_LIBRARY.search(message)
    if named is None:
        return OpenCVError(
            message, f"{sys.executable} -m pip install --force-reinstall opencv-python"
        )
    # The message names only the first one, and nobody wants to be sent four times.
    missing = dict.fromkeys([named[1], *missing_libraries()])
    return OpenCVError(f"this machine lacks {', '.join(missing)}", install_command(missing))


def missing_libraries() -> list[str]:
    """Those of ``LIBRARIES`` that this machine cannot load; only Linux takes any of the system."""
    return [name for name in LIBRARIES if sys.platform == "linux" and not _loads(name)]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install_command(libraries: Iterable[str]) -> str:
    """The command that installs these libraries with this machine's package manager."""
    wanted = list(libraries)
    for manager, install in INSTALL.items():
        if shutil.which(manager) and all(name in LIBRARIES for name in wanted):
            packages = dict.fromkeys(LIBRARIES[name][manager] for name in wanted)
            return f"{install} {' '.join(packages)}"
    return f"your system's package manager (search for {', '.join(wanted)})"
