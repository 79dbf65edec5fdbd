"""``trucam club``: runs a tournament of many tables, and shows it to the whole hall."""

from __future__ import annotations

from contextlib import ExitStack, closing
from threading import Thread

import click

from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.watch import Watch
from webui.cli.play import LOCAL, open_browser, tell_links
from webui.club.app import create_club_app
from webui.club.room import Club
from webui.server.connections import allow_many
from webui.server.serve import listen, serve_app, tls_context
from webui.table.memory import Memory


@click.command()
@click.option("--tournament", "number", type=click.IntRange(1), metavar="ID",
              help="Number of an earlier tournament. Default: the latest.")  # fmt: skip
@click.option("--local", is_flag=True, help="Stay on this machine; phones cannot look.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default: a free port from 8080 on.")
@click.option("--tls", nargs=2, metavar="CERT KEY", help="Serve https with these files.")
@click.option("--host-name", "names", multiple=True, help="Another name of this computer.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def club(
    number: int | None,
    local: bool,
    port: int | None,
    tls: tuple[str, str] | None,
    names: tuple[str, ...],
    no_browser: bool,
) -> None:
    """Run a tournament: pairs, rounds, results and the standing of many tables.

    Tables that have joined with their code from the host's page send their results by themselves.
    For other tables the host enters them. You can stop this command and start it again at any time.
    For tables on several machines, set TRUCAM_LEDGER to a PostgreSQL database whose user may create
    roles.
    """
    context = tls_context(*tls) if tls else None
    with ExitStack() as stack:
        memory, ledger = stack.enter_context(Memory("club")), stack.enter_context(Ledger())
        hall = stack.enter_context(closing(Club(ledger, memory, number)))
        watch = stack.enter_context(Watch())
        listener = listen(LOCAL if local else "", port)
        port = listener.getsockname()[1]
        scheme = "http" if context is None else "https"
        app = create_club_app(
            hall, tls=context is not None, HOST_NAMES=names, LOCAL=local, PORT=port
        )
        follower = Thread(target=hall.follow, args=(watch,), daemon=True)

        def ready() -> None:
            follower.start()
            own = names[0] if names else LOCAL
            link = f"{scheme}://{own}:{port}/host?key={hall.access.host_key}"
            tell_links(scheme, port, link, local)
            if not no_browser:
                open_browser(link)

        allow_many()
        serve_app(app, listener, context=context, ready=ready)
        hall.close()
        follower.join()
    click.echo("Good night. The tournament is kept: trucam club goes on with it.")
