"""``trucam doctor`` finds each problem and names the command to fix it; all are simulated."""

from __future__ import annotations

import errno
import shlex
import shutil
import sqlite3
import struct
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from scorekeeper.storage.table import Table
from vision import opencv
from webui.cli import checkup, doctor
from webui.cli.checkup import Finding, Mark

WEIGHTS = Path(checkup.__file__).parents[2] / "vision" / "weights"

GL = "libGL.so.1: cannot open shared object file: No such file or directory"


@pytest.fixture
def ledger_at(monkeypatch, tmp_path):
    """Sets the ledger's place, in an empty folder."""

    def name(place: str) -> Path:
        monkeypatch.setenv("TRUCAM_LEDGER", str(tmp_path / place))
        return tmp_path / place

    return name


@pytest.fixture
def run(monkeypatch):
    """Runs the command; some of its checks are replaced by given findings."""

    def with_findings(**findings: Finding):
        for name, finding in findings.items():
            monkeypatch.setattr(checkup, name, lambda *_, finding=finding: finding)
        return CliRunner().invoke(doctor.doctor)

    return with_findings


def here(topic: str) -> Finding:
    return Finding(topic=topic, mark=Mark.HERE, text="here")


def lack(topic: str, words: int = 20) -> Finding:
    return Finding(topic=topic, mark=Mark.LACK, text="gone " * words, mend="mend it")


def test_all_that_is_needed_is_here(run, ledger_at):
    ledger_at("ledger.sqlite3")
    result = run(opencv=here("OpenCV"), disk=here("Disk"))
    assert result.exit_code == 0
    assert result.stdout.endswith("All that this version needs is here.\n")


def test_a_lack_is_named_with_what_mends_it_and_the_exit_status_is_1(run, ledger_at):
    ledger_at("ledger.sqlite3")
    result = run(opencv=lack("OpenCV"), disk=here("Disk"))
    assert result.exit_code == 1
    assert "fix: mend it" in result.stdout
    assert result.stdout.endswith("Missing: OpenCV.\n")


def test_the_worst_report_fits_one_screen(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checkup.platformdirs, "user_cache_path", lambda: Path("caches"))
    Path("caches", checkup.COLLECTED).mkdir(parents=True)
    gone = {name: lack(name.title()) for name in ("disk", "opencv", "cameras", "models")}
    lines = run(**gone, ledger=lack("Ledger", words=500)).stdout.splitlines()
    assert len(lines) <= 24
    assert max(len(line) for line in lines) <= 80


def test_what_the_engine_once_collected_is_told_with_the_command_that_removes_it(tmp_path):
    assert checkup.privacy(tmp_path).mark is Mark.HERE
    left = tmp_path / checkup.COLLECTED
    left.mkdir(parents=True)
    found = checkup.privacy(tmp_path)
    assert (found.mark, found.mend) == (Mark.LATER, f"rm -r {left}")
    assert found.text.startswith("nothing is sent anywhere")


def test_python_and_machine_are_told():
    assert sys.version.split()[0] in checkup.python().text
    assert "processor" in checkup.machine().text


@pytest.mark.parametrize(
    ("probe", "mark", "text"),
    [
        ('print(\'{"version": "5.0.0"}\')', Mark.HERE, "5.0.0"),
        ('print(\'{"lack": "no libGL", "mend": "apt"}\')', Mark.LACK, "no libGL"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", Mark.LACK, "crashes (SIGILL)"),
        ("raise SystemError('odd')", Mark.LACK, "SystemError: odd"),
    ],
)
def test_opencv_is_tried_in_a_process_of_its_own(probe, mark, text):
    finding = checkup.opencv(probe)
    assert (finding.mark, finding.mend is None) == (mark, mark is Mark.HERE)
    assert text in finding.text


def test_an_import_of_opencv_without_end_is_a_lack(monkeypatch):
    def never_ends(command, **options):
        raise subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(subprocess, "run", never_ends)
    assert checkup.opencv().mark is Mark.LACK


@pytest.fixture
def failing_import(monkeypatch):
    """Makes ``import cv2`` raise an error."""

    def fail_with(error: ImportError) -> None:
        def refuse(name: str) -> None:
            raise error

        monkeypatch.setattr(opencv, "importlib", SimpleNamespace(import_module=refuse))

    return fail_with


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt", "sudo apt install libgl1 libxcb1"),
        ("dnf", "sudo dnf install libglvnd-glx libxcb"),
        ("pacman", "sudo pacman -S libglvnd libxcb"),
        ("none", "your system's package manager (search for libGL.so.1, libxcb.so.1)"),
    ],
)
def test_all_missing_libraries_are_named_with_one_command(
    monkeypatch, failing_import, manager, command
):
    failing_import(ImportError(GL))
    monkeypatch.setattr(opencv, "missing_libraries", lambda: ["libGL.so.1", "libxcb.so.1"])
    monkeypatch.setattr("shutil.which", lambda name: name if name == manager else None)
    with pytest.raises(opencv.OpenCVError) as caught:
        opencv.load_opencv()
    assert caught.value.mend == command
    assert "lacks libGL.so.1, libxcb.so.1; mend it with" in str(caught.value)


def test_a_library_that_nobody_foresaw_is_named_too(monkeypatch, failing_import):
    failing_import(ImportError(GL.replace("GL", "New")))
    monkeypatch.setattr(opencv, "missing_libraries", list)
    with pytest.raises(opencv.OpenCVError, match=r"lacks libNew\.so\.1; .*search for libNew"):
        opencv.load_opencv()


@pytest.mark.parametrize(
    ("error", "platform", "mend"),
    [
        (ModuleNotFoundError("No module named 'cv2'", name="cv2"), "linux", "pip install opencv"),
        (ImportError("numpy.core fails"), "linux", "--force-reinstall opencv-python"),
        (ImportError("DLL load failed while importing cv2"), "win32", "winget install"),
    ],
)
def test_other_failures_of_opencv_have_their_own_command(
    monkeypatch, failing_import, error, platform, mend
):
    failing_import(error)
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(opencv.OpenCVError, match=mend):
        opencv.load_opencv()


def test_a_module_that_opencv_itself_misses_is_not_taken_for_opencv(failing_import):
    failing_import(ModuleNotFoundError("No module named 'numpy'", name="numpy"))
    with pytest.raises(ModuleNotFoundError):
        opencv.load_opencv()


def test_libraries_that_do_not_load_are_missing(monkeypatch):
    monkeypatch.setattr(opencv, "LIBRARIES", {"libnothing-of-this-name.so.7": {}})
    assert opencv.missing_libraries() == (
        ["libnothing-of-this-name.so.7"] if sys.platform == "linux" else []
    )


@pytest.fixture
def devices(tmp_path):
    for number in range(4):
        (tmp_path / f"video{number}").touch()
    return tmp_path


def test_cameras_are_named_and_devices_that_take_no_pictures_are_not(devices):
    names = {"video0": "Brio", "video2": "Integrated"}
    finding = checkup.cameras(devices, lambda path: names.get(path.name), "linux")
    assert finding.mark is Mark.HERE
    assert finding.text == f"Brio ({devices}/video0); Integrated ({devices}/video2)"


def test_many_cameras_are_counted(devices):
    assert checkup.cameras(devices, lambda _: "Brio", "linux").text.endswith("and 2 more")


def test_a_camera_that_this_user_may_not_open(devices):
    def refuse(path: Path) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    finding = checkup.cameras(devices, refuse, "linux")
    assert finding.mark is Mark.LATER
    assert finding.mend == 'sudo usermod -aG video "$USER"'


def test_no_camera_is_no_lack_yet(tmp_path):
    assert checkup.cameras(tmp_path, system="linux").mark is Mark.LATER


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_where_cameras_cannot_be_listed_the_setting_is_named(tmp_path, system):
    assert checkup.cameras(tmp_path, system=system).mend == checkup.PRIVACY_SETTINGS[system]


@pytest.mark.skipif(sys.platform != "linux", reason="Video4Linux is of Linux")
@pytest.mark.parametrize(
    ("of_all", "of_this", "name"),
    [
        (0x80000001, 0x00000001, "Brio"),
        (0x80000001, 0x00800000, None),  # the metadata of a camera
        (0x00008000, 0x00000001, None),  # an old decoder, which fills one field only
    ],
)
def test_a_device_says_itself_whether_it_takes_pictures(
    monkeypatch, devices, of_all, of_this, name
):
    reply = struct.pack("16s32s32sIII12x", b"uvc", b"Brio", b"usb", 0, of_all, of_this)
    monkeypatch.setattr("fcntl.ioctl", lambda *_: reply)
    assert checkup.identify(devices / "video0") == name


@pytest.mark.skipif(sys.platform != "linux", reason="Video4Linux is of Linux")
def test_what_is_no_video_device_is_passed_over(devices):
    assert checkup.cameras(devices).text == "none found; plug one in"


@pytest.mark.parametrize("there", [True, False])
def test_a_setting_that_is_no_number_is_named_with_what_mends_it(ledger_at, monkeypatch, there):
    ledger_at("ledger.sqlite3")
    if there:
        checkup.Ledger().close()
    monkeypatch.setenv("TRUCAM_EVIDENCE_DAYS", "abc")
    found = checkup.ledger()
    assert (found.mark, found.mend) == (Mark.LACK, "unset TRUCAM_EVIDENCE_DAYS")


def test_a_ledger_that_is_not_there_is_not_made(ledger_at):
    path = ledger_at("ledger.sqlite3")
    finding = checkup.ledger()
    assert finding.mark is Mark.HERE
    assert finding.text.startswith("none yet")
    assert not path.exists()


def test_a_ledger_tells_how_many_matches_it_holds(ledger_at):
    path = ledger_at("ledger.sqlite3")
    checkup.Ledger().close()
    assert checkup.ledger().text == f"0 matches in {path}"


def test_an_event_that_cannot_be_read_is_named(ledger_at):
    path = ledger_at("ledger.sqlite3")
    with checkup.Ledger() as ledger:
        numbers = []
        for seats in (("Ana", "Bea"), ("Carles", "Dani")):
            table = Table.begin(ledger, Header(game="trut", seats=seats), source=Source.PHONE)
            table.say(Event("deal", 0, cards=3), seen=0, source=Source.PHONE)
            numbers.append(table.match_id)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET event = '{' WHERE match_id = ?", [numbers[1]])
    finding = checkup.ledger()
    assert finding.mark is Mark.LACK
    assert finding.mend == f"trucam repair {numbers[1]}"
    assert f"Event 1 of match {numbers[1]} cannot be read" in finding.text
    assert f"match {numbers[0]} " not in finding.text


@pytest.mark.parametrize("folder", ["club", "the club's"])
def test_a_ledger_without_its_folder(ledger_at, folder):
    path = ledger_at(f"{folder}/ledger.sqlite3")
    finding = checkup.ledger()
    assert finding.mark is Mark.LACK
    assert shlex.split(finding.mend) == ["mkdir", "-p", str(path.parent)]


def test_a_ledger_in_a_folder_that_cannot_be_written_to(ledger_at, monkeypatch):
    ledger_at("ledger.sqlite3")
    monkeypatch.setattr("os.access", lambda *_: False)
    finding = checkup.ledger()
    assert finding.mark is Mark.LACK
    assert "cannot be written to" in finding.text


def test_what_is_no_ledger_is_told_in_the_ledger_s_own_words(ledger_at):
    ledger_at("ledger.sqlite3").write_text("a shopping list")
    finding = checkup.ledger()
    assert (finding.mark, finding.mend) == (Mark.LACK, checkup.ELSEWHERE)
    assert "not a ledger" in finding.text


def test_the_disk_is_the_one_that_the_ledger_will_lie_on(ledger_at):
    path = ledger_at("club/ledger.sqlite3")
    assert checkup.disk(least=0).text.endswith(f"GB free at {path.parent.parent}")


def test_the_disk_is_told_where_the_ledger_s_place_cannot_be_read(monkeypatch):
    monkeypatch.setenv("TRUCAM_LEDGER", "mysql://nobody@nowhere/ledger")
    assert checkup.disk(least=0).mark is Mark.HERE


def test_a_disk_that_is_nearly_full_is_a_lack(tmp_path):
    finding = checkup.disk(tmp_path, least=10**18)
    assert (finding.mark, finding.mend) == (Mark.LACK, checkup.ELSEWHERE)


@pytest.mark.parametrize(
    ("lost", "mark", "words"),
    [
        ("", Mark.HERE, ".onnx"),
        ("*.onnx", Mark.LACK, "cannot read the model"),
        ("manifest.json", Mark.LACK, "There are no models"),
    ],
)
def test_models_load_where_they_ship(tmp_path, lost, mark, words):
    shutil.copytree(WEIGHTS, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob(lost) if lost else ():
        path.unlink()
    finding = checkup.models(tmp_path)
    assert finding.mark is mark
    assert words in finding.text
