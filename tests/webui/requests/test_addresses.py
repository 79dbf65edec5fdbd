"""The addresses of this machine, the likeliest first, and their QR codes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

from webui.requests import addresses
from webui.requests.addresses import HERE, qr_svg, qr_text

CARDS = {
    "lo": "127.0.0.1",
    "docker0": "172.17.0.1",
    "eth0": "192.168.1.20",
    "wlan0": "10.0.0.7",
    "tailscale": "100.64.0.9",
    "usb": "169.254.3.3",
}


def cards(*names: str) -> list[SimpleNamespace]:
    found = [
        SimpleNamespace(nice_name=name, ips=[SimpleNamespace(ip=CARDS[name])]) for name in names
    ]
    six = SimpleNamespace(ip=("fe80::1%eth0", 0, 2))
    return [
        *found,
        SimpleNamespace(nice_name="six", ips=[six, SimpleNamespace(ip=("2001:db8::1", 0, 0))]),
    ]


@pytest.mark.parametrize(
    ("names", "route", "hosts"),
    [
        ((), None, ["127.0.0.1"]),
        (("lo", "usb"), None, ["127.0.0.1"]),
        (tuple(CARDS), None, ["192.168.1.20", "10.0.0.7", "100.64.0.9", "172.17.0.1"]),
        (tuple(CARDS), "10.0.0.7", ["10.0.0.7", "192.168.1.20", "100.64.0.9", "172.17.0.1"]),
        (("docker0", "eth0"), "172.17.0.1", ["172.17.0.1", "192.168.1.20"]),
    ],
)
def test_the_likely_address_comes_first(monkeypatch, names, route, hosts) -> None:
    monkeypatch.setattr("ifaddr.get_adapters", lambda: cards(*names))
    monkeypatch.setattr(addresses, "_towards_others", lambda: route)
    found = addresses.addresses()
    assert [one.host for one in found] == hosts
    assert [one.host for one in found if one.likely] == ([route] if route else [])


def test_this_machine_has_an_address() -> None:
    assert addresses.addresses()


def test_a_machine_without_a_network_has_its_local_address(monkeypatch) -> None:
    class NoNetwork:
        def __init__(self, *_: object) -> None: ...
        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None: ...
        def connect(self, _: object) -> None:
            raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("socket.socket", NoNetwork)
    monkeypatch.setattr("ifaddr.get_adapters", list)
    assert addresses.addresses() == [HERE]


def test_a_link_as_a_picture_that_the_policy_allows() -> None:
    drawn = qr_svg("http://192.168.1.20:8080/seat/1?key=abc&x=<")
    root = ET.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert root.get("class") == "qr"
    assert "style=" not in drawn
    assert qr_svg("a") != qr_svg("b")


def test_a_link_for_a_terminal() -> None:
    lines = qr_text("http://192.168.1.20:8080/").splitlines()
    assert len(lines) > 10
    assert all(line.strip("\x1b[0123456789;m ▀▄█\u00a0") == "" for line in lines)
