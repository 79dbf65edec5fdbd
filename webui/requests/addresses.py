"""The addresses under which other devices find this machine, and their QR codes."""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache
from typing import NamedTuple

import ifaddr
import segno
from flask import current_app


class Address(NamedTuple):
    """An address of this machine.

    Attributes:
        host: As it is written in a link.
        adapter: The name of the network card, for people who have several.
        likely: Whether other devices probably reach it.
    """

    host: str
    adapter: str
    likely: bool


HERE = Address("127.0.0.1", "", False)
"""The address that this machine alone can use."""

TRUSTED = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
"""This machine's names for itself: here a browser needs no https to use the camera."""


def addresses() -> list[Address]:
    """All addresses of this machine, the likely one first; never empty."""
    route = _towards_others()
    found: dict[str, Address] = {}
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            address = ipaddress.ip_address(host.split("%")[0])
            if address.is_loopback or address.is_link_local or address.version == 6:
                continue
            found[host] = Address(host, adapter.nice_name, host == route)
    order = sorted(found.values(), key=lambda one: (not one.likely, _rank(one.host), one.host))
    return order or [HERE]


def _rank(host: str) -> int:
    """Sorts home networks first, and 172.16/12 last: containers mostly use it."""
    if host.startswith("192.168."):
        return 0
    return 1 if host.startswith("10.") else 3 if host.startswith("172.") else 2


def _towards_others() -> str | None:
    """The address from which this machine would speak to another network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def served_addresses() -> list[Address]:
    """The addresses at which others find the application of this request, the likely one first."""
    config = current_app.config
    found: list[Address] = [HERE] if config["LOCAL"] else config["ADDRESSES"]()
    return found


def base_of(address: Address) -> str:
    """How links to that application begin at an address: ``http://192.168.1.5:8080``."""
    config = current_app.config
    return f"{config['SCHEME']}://{address.host}:{config['PORT']}"


@lru_cache(maxsize=32)  # the host's page shows the same codes after each event
def qr_svg(link: str) -> str:
    """A link as a QR code: an SVG element, black on white even on dark pages."""
    return segno.make(link, error="m").svg_inline(
        scale=4, border=3, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
    )


def qr_text(link: str) -> str:
    """A link as a QR code for a terminal."""
    from io import StringIO

    out = StringIO()
    segno.make(link, error="l").terminal(out=out, border=2, compact=True)
    return out.getvalue()
