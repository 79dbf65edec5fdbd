"""The real server under load: floods, simultaneous taps, and screens that do not read."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from scorekeeper.engine.header import Header
from tests.scorekeeper.playouts import long_match
from tests.scorekeeper.talk import event
from tests.webui.serving import PATIENCE, Phone, Site, Stream, served
from webui.requests.security import HEADERS, MOST_WRITES, WRITES_SECONDS

FLOOD = 1000
HEADER = Header(game="trut", seats=("Ana", "Bea"))
QUICK = 1.0
"""An answer must come within so many seconds during a flood. It takes far less, but the machine may
be busy."""

IMPATIENT = """
from webui.cli.play import play
from webui.server import connections
connections.PATIENCE_SECONDS = 1.0
from webui.cli import main
main()
"""


@pytest.fixture
def site(tmp_path):
    """A table with a match whose first hand is dealt."""
    site = Site(tmp_path)
    site.match = site.begin(HEADER, [event("0 deal 3")])
    return site


@pytest.fixture
def quiet(site):
    """Checks after the test that the server ends with status 0 and has printed no error."""
    yield
    status, _, errors = site.end()
    assert (status, errors) == (0, "")


@pytest.fixture
def running(site, quiet):
    """The same table, served."""
    site.start()
    site.await_answer()
    return site


def test_of_two_simultaneous_answers_one_is_kept(running):
    cards = ("KS", "QS", "JS", "AS", "9S", "8S")
    phones = [Phone(running) for _ in cards]
    key = running.keys["seat_keys"][1]
    gate = threading.Barrier(len(cards))

    def play(phone: Phone, card: str) -> int:
        gate.wait()
        body = {"seen": 1, "event": {"do": "play", "seat": 1, "card": card}}
        return phone.post("/api/v1/events", body, Authorization=f"Bearer {key}")[0]

    with ThreadPoolExecutor(len(cards)) as pool:
        statuses = list(pool.map(play, phones, cards))
    assert sorted(statuses) == [200, *[409] * (len(cards) - 1)]
    kept = running.stored(running.match)
    assert [one.get("card") for one in kept] == [None, cards[statuses.index(200)]]


def test_the_same_tap_many_times_at_once_is_kept_once(running):
    phone = Phone(running).sit(1)
    twins = [Phone(running) for _ in range(6)]
    gate = threading.Barrier(len(twins))

    def tap(twin: Phone) -> int:
        twin.cookie, twin.token = phone.cookie, phone.token
        gate.wait()
        return twin.say(event("1 play KS"), 1)[0]

    with ThreadPoolExecutor(len(twins)) as pool:
        assert list(pool.map(tap, twins)) == [200] * len(twins)
    assert len(running.stored(running.match)) == 2


def flood_of_writes(site: Site) -> list[int]:
    """A seat that sends events as fast as it can; it is never its turn."""
    phone = Phone(site).sit(0)
    wrong = {"seen": 0, "event": {"do": "play", "seat": 0, "card": "KS"}}
    return [phone.post("/api/v1/events", wrong)[0] for _ in range(FLOOD)]


def flood_of_keys(site: Site) -> list[int]:
    """A browser that guesses keys."""
    phone = Phone(site)
    return [phone.ask("GET", f"/seat/{guess % 4}?key={guess}")[0] for guess in range(FLOOD)]


def flood_by_a_program(site: Site) -> list[int]:
    """A program that guesses keys."""
    phone = Phone(site)
    body = {"seen": 1, "event": {"do": "play", "seat": 1, "card": "KS"}}
    return [
        phone.post("/api/v1/events", body, Authorization=f"Bearer {guess}")[0]
        for guess in range(FLOOD)
    ]


def flood_of_links(site: Site) -> list[int]:
    """A phone that opens its seat's link again and again."""
    phone, link = Phone(site), site.seat_link(0)
    return [phone.ask("GET", link)[0] for _ in range(FLOOD)]


def flood_of_thefts(site: Site) -> list[int]:
    """Two phones that take a seat from each other."""
    phones = [Phone(site), Phone(site)]
    for phone in phones:
        phone.get("/")
    key = site.keys["seat_keys"][0]
    return [phones[take % 2].send_form("/seat/0", key=key) for take in range(FLOOD)]


FLOODS = {
    flood_of_writes: {409, 429},
    flood_of_keys: {403},
    flood_by_a_program: {403},
    flood_of_links: {302},
    flood_of_thefts: {302, 429},
}


@pytest.mark.parametrize("flood", FLOODS, ids=lambda flood: flood.__name__)
def test_while_one_floods_another_plays_on(tmp_path, flood):
    header, events = long_match(60)
    events = [one for one in events if one.seat is not None]
    site = Site(tmp_path)
    match_id = site.begin(header, events[:20])
    with served(site), ThreadPoolExecutor(1) as pool:
        players = [Phone(site), Phone(site)]
        keys = site.keys["seat_keys"]
        begun = time.monotonic()
        flooded = pool.submit(flood, site)
        waits: list[float] = []
        for seen, one in enumerate(events[20:45], start=20):
            at = time.monotonic()
            assert one.seat is not None
            body = {"seen": seen, "event": one.bare().to_json()}
            status, answer = players[one.seat].post(
                "/api/v1/events", body, Authorization=f"Bearer {keys[one.seat]}"
            )
            waits.append(time.monotonic() - at)
            assert status == 200, answer
        statuses = flooded.result()
        seconds = time.monotonic() - begun
        assert len(site.stored(match_id)) == 45
        assert set(statuses) == FLOODS[flood]
        assert sorted(waits)[len(waits) // 2] < QUICK
        if flood is flood_of_writes:
            assert statuses.count(409) <= MOST_WRITES * (1 + seconds / WRITES_SECONDS)
        assert site.end()[::2] == (0, "")


def sockets(site: Site) -> int:
    """Open connections of the server."""
    assert site.process is not None
    found = psutil.Process(site.process.pid).net_connections("tcp")
    return sum(one.status == psutil.CONN_ESTABLISHED for one in found)


def await_sockets(site: Site, at_most: int) -> None:
    until = time.monotonic() + PATIENCE
    while sockets(site) > at_most:
        assert time.monotonic() < until, "connections are kept for ever"
        time.sleep(0.05)  # nothing signals that another process has closed a connection


def test_connections_of_screens_that_left_are_closed(running):
    phone = Phone(running).sit(1)
    streams = [Stream(phone) for _ in range(30)]
    for stream in streams:
        stream.message()
    assert sockets(running) >= 30
    for stream in streams:
        stream.close()
    phone.say(event("1 play KS"), 1)  # the first message to nobody is answered with a reset,
    phone.post("/api/v1/events", {"seen": 2, "event": {"do": "trut", "seat": 0}})
    Phone(running).sit(0)  # and the next one ends it
    await_sockets(running, 5)


def test_a_browser_that_does_not_read_is_dropped_and_disturbs_nobody(site, quiet):
    place = ["play", "--no-browser", "--local", "--port", str(site.port)]
    site.start([sys.executable, "-c", IMPATIENT, *place])
    site.await_answer()
    lazy = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(20)]
    asks = b"GET /static/trucam.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 800
    for one in lazy:
        one.setblocking(False)
        one.send(asks)
    assert site.process is not None
    server = psutil.Process(site.process.pid)
    phone = Phone(site).sit(1)
    stream = Stream(phone)
    number = stream.number()
    before = server.memory_info().rss
    status, _ = phone.say(event("1 play KS"), 1)
    assert status == 200
    assert stream.number() == number + 1
    await_sockets(site, 5)
    assert server.memory_info().rss - before < 40e6
    for one in lazy:
        one.close()


CHUNKED = b"POST /seat/0 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
NOT_HTTP = {
    "nothing": b"",
    "nonsense": b"\x00\xff" * 100 + b"\r\n\r\n",
    "TLS": bytes.fromhex("16030100a5010000a10303") + bytes(200) + b"\r\n",
    "no version": b"POST /\r\n\r\n",
    "half a version": b"GET / HTTP/1\r\n\r\n",
    "another version": b"GET / HTTP/9.9\r\n\r\n",
    "a long address": b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 5000 + b"\r\n",
    "no length": b"POST /language HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    "a bad chunk": (
        CHUNKED + b"zz\r\n"
    ),
    "huge chunks": (
        CHUNKED
        + b"8000\r\n" + b"x" * 0x8000 + b"\r\n" + b"8000\r\n" + b"x" * 0x8000 + b"\r\n0\r\n\r\n"
    ),
    "a large body": (
        b"POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n{"
    ),
    "two hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
}  # fmt: skip


def test_a_broken_request_is_refused_without_a_traceback(running):
    for name, said in NOT_HTTP.items():
        with socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE) as one:
            with contextlib.suppress(OSError):  # the server may have closed the connection already
                one.sendall(said)
                one.shutdown(socket.SHUT_WR)
            answer = http.client.HTTPResponse(one)
            try:
                answer.begin()
            except (http.client.BadStatusLine, ConnectionResetError):
                assert name in ("nothing", "no version"), name
                continue
            body = answer.read()
        assert answer.status in range(400, 500), (name, answer.status, body)
        for header, value in HEADERS.items():
            assert answer.headers[header] == value, (name, header)
        assert b"Traceback" not in body
        assert len(body) > 10, name


def test_all_answers_have_the_headers(running):
    phone = Phone(running)
    phone.get("/")
    for path in ("/", "/tv", "/about", "/nothing", "/static/trucam.js", "/static/none", "/host",
                 "/manifest.webmanifest", "/source.zip", "/api/v1/state", "/live/board/poll",
                 "/evenings", "/evenings.csv", "/seat/1", "/match/1.svg"):  # fmt: skip
        _, headers, _ = phone.ask("GET", path)
        for name, value in HEADERS.items():
            assert headers[name] == value, (path, name)
    stream = Stream(phone)
    for name, value in HEADERS.items():
        assert stream.headers[name] == value, name
    stream.close()


def test_a_phone_that_slept_comes_back_to_the_whole_state(running):
    phone = Phone(running).sit(1)
    stream = Stream(phone, "seat")
    number = stream.number()
    stream.close()
    assert phone.say(event("1 play KS"), 1)[0] == 200
    stream = Stream(phone, "seat")
    message = stream.message()
    assert int(message["number"].partition(".")[2]) == number + 1
    assert "K" in message["html"]
    assert json.loads(phone.get("/api/v1/state")[1])["seq"] == 2
    stream.close()
