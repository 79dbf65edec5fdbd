"""``trucam play``: serves a table to phones, a TV and the browser of this computer."""

from __future__ import annotations

import os
import socket
import ssl
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorekeeper.storage.ledger import Ledger
from webui.camera.factory import make_camera
from webui.requests.addresses import addresses, qr_text
from webui.requests.security import own_names
from webui.server.serve import FIRST_SECURE, CannotServe, Secure, listen, serve_room, tls_context
from webui.table.club_table import go_on, join
from webui.table.memory import Memory
from webui.table.room import Room

if TYPE_CHECKING:
    from webui.camera.camera import Camera

LOCAL = "127.0.0.1"
BY_HAND = "none"
"""The value of ``--camera`` for a table without a camera."""


@click.command()
@click.option("--local", is_flag=True, help="Stay on this machine; phones cannot join.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default: a free port from 8080 on.")
@click.option(
    "--table", "name", default="table", help="The table's name; each table has its own match."
)
@click.option("--tls", nargs=2, metavar="CERT KEY", help="Serve https with these files.")
@click.option(
    "--host-name", "names", multiple=True, help="Another name by which phones reach this computer."
)
@click.option(
    "--camera",
    "source",
    metavar="SOURCE",
    help="What watches the table: a camera's number or name, phone (a phone's browser), a film, a "
    "folder of pictures, or a stream's address; none: people enter the cards. Default: what was "
    "chosen last.",
)
@click.option(
    "--turn", type=click.IntRange(0, 3), help="Turn the seats by so many quarters, clockwise."
)
@click.option("--deck", help="The deck on the table, learned before with trucam deck --learn.")
@click.option(
    "--join",
    "code",
    metavar="CODE",
    help="Play at a table of a club's tournament; the club's page shows its code (trucam club).",
)
@click.option(
    "--take",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what was seen and tapped, as numbers, in a new file: so a hand that the camera got "
    "wrong can be watched again. No picture, no name, no card that was not played.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def play(
    local: bool,
    port: int | None,
    name: str,
    tls: tuple[str, str] | None,
    names: tuple[str, ...],
    source: str | None,
    turn: int | None,
    deck: str | None,
    code: str | None,
    take: Path | None,
    no_browser: bool,
) -> None:
    """Set up a table in the browser and play. Prints the links for phones and a TV."""
    context = tls_context(*tls) if tls else None
    if deck is not None:
        from vision.detection.deck_templates import deck_pictures  # late: it loads OpenCV

        deck_pictures(deck)  # raises DeckError if no such deck was learned
    # A camera that is named by its number may be plugged in later.
    if source not in (None, BY_HAND) and not source.isdecimal():
        _tell_missing(source)
    with _new_take(take):
        host_table(
            lambda: listen(LOCAL if local else "", port),
            local=local, name=name, names=names, context=context, browser=not no_browser,
            remember=lambda memory: _remember(memory, source, turn, deck), code=code, take=take,
        )  # fmt: skip


def host_table(
    listens: Callable[[], socket.socket],
    *,
    local: bool,
    name: str = "table",
    names: tuple[str, ...] = (),
    context: ssl.SSLContext | None = None,
    browser: bool,
    remember: Callable[[Memory], None] = lambda memory: None,
    code: str | None = None,
    take: Path | None = None,
) -> None:
    """Serves a table until the process is told to stop.

    Args:
        listens: Opens the socket; called once the table's file and the ledger are open.
        local: Whether only this computer can join.
        name: The table's name.
        names: Further names of this computer.
        context: The certificate for https; None for http.
        browser: Whether to open the browser.
        remember: Changes what the table remembers; called first of all.
        code: The code with which the table joins a club. None: it plays for the club that it joined
            before, if any.
        take: The file of the take (see ``vision.evidence.takes``); None to keep none.
    """
    with ExitStack() as stack:
        memory, ledger = stack.enter_context(Memory(name)), stack.enter_context(Ledger())
        remember(memory)
        room = Room(ledger, memory, _camera(memory, take))
        room.make_camera = partial(make_camera, take=take)
        stack.enter_context(closing(room))
        if code is None:
            go_on(room)
        else:
            join(room, code)
        listener = listens()
        port = listener.getsockname()[1]
        scheme = "http" if context is None else "https"
        secure = None if context is not None or local else _secure(names)
        if secure is not None:
            stack.enter_context(secure.listener)

        def ready() -> None:
            own = names[0] if names else LOCAL
            link = f"{scheme}://{own}:{port}/host?key={room.access.host_key}"
            tell_links(scheme, port, link, local)
            if browser:
                open_browser(link)

        serve_room(
            room,
            listener,
            name=name,
            local=local,
            names=names,
            context=context,
            secure=secure,
            ready=ready,
        )
        kept = room.unfinished() is not None
    click.echo(
        "Good night." + (" The match is saved: trucam play goes on with it." if kept else "")
    )


def _secure(names: tuple[str, ...]) -> Secure | None:
    """Opens a second socket, with https, for a phone whose browser is the camera.

    Browsers give a page the camera only over https.

    Returns:
        The socket and its certificate. None if there can be none: the terminal says why.
    """
    from webui.server.certificate import (  # late: a table without phones needs no certificate
        CertificateError,
        fingerprint,
        own_certificate,
        own_context,
    )

    try:
        kept = own_certificate({LOCAL, *(one.host for one in addresses()), *own_names(), *names})
        door = listen("", None, first=FIRST_SECURE)
    except (CertificateError, CannotServe) as error:
        click.echo(f"A phone's browser cannot be the camera today: {error}", err=True)
        return None
    return Secure(door, own_context(kept), fingerprint(kept))


def _remember(memory: Memory, source: str | None, turn: int | None, deck: str | None) -> None:
    """Remembers the options about the camera, for this run and the next ones."""
    with memory.changing() as data:
        if source is not None:
            if source != data.get("camera"):
                data["turn"] = 0
            data["camera"] = None if source == BY_HAND else source
        said = {"turn": turn, "deck": deck}
        data |= {name: value for name, value in said.items() if value is not None}


def _tell_missing(source: str) -> None:
    """Says on the terminal if a camera is not there. Until it is, people enter the cards."""
    from vision.capture.frames import check_source  # late: it loads OpenCV
    from vision.errors import SourceError

    try:
        check_source(source)
    except SourceError as error:
        click.echo(f"{error} The table starts without it.", err=True)


@contextmanager
def _new_take(path: Path | None) -> Iterator[None]:
    """Creates the file of a take. At the end, says how large it is, or removes it if it is empty.

    Raises:
        UsageError: The file exists already.
        OSError: It cannot be written.
    """
    if path is None:
        yield
        return
    try:
        path.touch(0o600, exist_ok=False)
    except FileExistsError:
        raise click.UsageError(f"{path} is there already: name another file") from None
    try:
        yield
    finally:
        size = path.stat().st_size if path.exists() else 0
        if size:
            click.echo(f"The take of the evening is in {path} ({size / 1e6:.1f} MB).")
        else:
            path.unlink(missing_ok=True)
    if not size:
        click.echo("No match was watched by a camera: there is no take.")


def _camera(memory: Memory, take: Path | None) -> Camera | None:
    """Makes the camera that the table remembers; returns None if it has none."""
    data = memory.data
    if data.get("camera") is None:
        return None
    return make_camera(data["camera"], turn=data.get("turn", 0), deck=data.get("deck"), take=take)


def tell_links(scheme: str, port: int | None, host_link: str, local: bool) -> None:
    """Prints the links of a table: the host's page, and the board for everybody.

    Args:
        scheme: ``http`` or ``https``.
        port: The port that is served.
        host_link: The link of the host's page, with the host's key.
        local: Whether only this computer can join.
    """
    click.echo(f"The host's page, for this computer only:\n  {host_link}")
    if local:
        click.echo("It stays on this machine: other devices cannot join.")
        return
    found = addresses()
    click.echo("\nThe board, for every phone and TV in this network:")
    for address in found:
        click.echo(f"  {scheme}://{address.host}:{port}/   ({address.adapter})")
    link = f"{scheme}://{found[0].host}:{port}/"
    if sys.stdout.isatty():
        click.echo(qr_text(link))
    click.echo("Ctrl-C ends it; nothing is lost.")


def open_browser(link: str) -> None:
    """Opens a page in the browser, if this computer has a screen."""
    if sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    ):
        webbrowser.open(link)
