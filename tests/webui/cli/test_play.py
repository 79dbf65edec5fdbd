"""``trucam play`` as a process: https, ports, two at the same time, and how it ends."""

from __future__ import annotations

import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from scorekeeper.engine.header import Header
from tests.scorekeeper.talk import event
from tests.webui.serving import PATIENCE, Phone, Site, Stream, served
from tests.webui.tls import certificate_and_key, lock

HEADER = Header(game="trut", seats=("Ana", "Bea"))
SOON = 2.0


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """The files of a self-made certificate and its key."""
    return certificate_and_key(tmp_path_factory.mktemp("tls"))


def refused(site: Site, *arguments: str) -> str:
    """The line with which the command refuses to start."""
    run = subprocess.run(
        site.command(*arguments), env=site.environment, cwd=site.folder,
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1
    assert "Traceback" not in run.stderr
    return run.stderr


def test_https(tmp_path, certificate):
    site = Site(tmp_path)
    site.begin(HEADER, [event("0 deal 3")])
    site.trust = ssl.create_default_context(cafile=str(certificate[0]))
    with served(site, "--tls", *map(str, certificate)):
        phone = Phone(site)
        _, headers, _ = phone.ask("GET", site.seat_link(1))
        assert "Secure" in headers["Set-Cookie"]
        assert "HttpOnly" in headers["Set-Cookie"]
        phone.get("/seat/1")
        stream = Stream(phone, "seat")
        number = stream.number()
        assert phone.say(event("1 play KS"), 1)[0] == 200
        assert stream.number() == number + 1
        for said in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x01\x01", b""):
            with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as other:
                other.sendall(said)
                other.shutdown(socket.SHUT_WR)
                with suppress(ConnectionResetError):
                    other.recv(100)
        with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as other:
            wary = ssl.create_default_context()
            with pytest.raises(ssl.SSLCertVerificationError):
                wary.wrap_socket(other, server_hostname="127.0.0.1")
        assert phone.get("/")[0] == 200
        status, out, errors = site.end()
    assert (status, errors) == (0, "")
    assert f"https://127.0.0.1:{site.port}/host?key=" in out


def test_http_cookies_are_kept_from_scripts_and_other_sites(tmp_path):
    with served(Site(tmp_path)) as site:
        _, headers, _ = Phone(site).ask("GET", "/")
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie


@pytest.mark.parametrize("wrong", ["missing", "swapped", "nonsense", "folder"])
def test_wrong_certificates(tmp_path, certificate, wrong):
    cert, key = certificate
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_bytes(bytes(range(256)))
    files = {
        "missing": (tmp_path / "none.pem", key),
        "swapped": (key, cert),
        "nonsense": (nonsense, nonsense),
        "folder": (tmp_path, tmp_path),
    }[wrong]
    assert "certificate" in refused(Site(tmp_path), "--tls", *map(str, files))


def test_a_certificate_under_a_passphrase_asks_nobody(tmp_path, certificate):
    locked = tmp_path / "locked.pem"
    lock(certificate[1], locked)
    assert "passphrase" in refused(Site(tmp_path), "--tls", str(certificate[0]), str(locked))


def test_a_busy_port(tmp_path):
    site = Site(tmp_path)
    with socket.create_server(("127.0.0.1", site.port)):
        assert str(site.port) in refused(site)


def test_a_second_play_of_the_same_table(tmp_path):
    with served(Site(tmp_path)) as site:
        other = Site(tmp_path)
        assert "served already" in refused(other)
        status, _, _ = site.end()
    assert status == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_soon_and_well_with_open_streams(tmp_path, how):
    site = Site(tmp_path)
    match_id = site.begin(HEADER, [event("0 deal 3")])
    with served(site):
        phone = Phone(site).sit(1)
        streams = [Stream(phone) for _ in range(20)]
        for stream in streams:
            stream.message()
        assert phone.say(event("1 play KS"), 1)[0] == 200
        assert site.process is not None
        at = time.monotonic()
        site.process.send_signal(how)
        site.process.wait(PATIENCE)
        took = time.monotonic() - at
        status, out, errors = site.end()
    assert (status, errors) == (0, "")
    assert "Traceback" not in out
    assert took < SOON
    assert len(site.stored(match_id)) == 2
