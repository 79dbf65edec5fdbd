"""Tells a table's host in one line whether the club has received the table's events."""

from __future__ import annotations

from scorekeeper.messages import N_
from scorekeeper.storage.courier import ClubView
from scorekeeper.text.i18n import language
from webui.presenters.match_state import State
from webui.table.snapshot import Snapshot

EVERYTHING = N_("The club has everything that was said here.")
AWAY = N_("The club cannot be reached. Play on: it gets everything later.")
REFUSED = N_("The club takes nothing more of this match: {reason}.")


def club_state(snapshot: Snapshot, code: str) -> State | None:
    """How the table stands with its club; None where it plays for none.

    Args:
        snapshot: The table at one moment.
        code: Language of the line.

    Returns:
        The number of the ``table``; the ``line``; ``well``: whether nothing is wrong; ``drawn``:
        whether the club has drawn another match for this table than the one that is played.
    """
    club = snapshot.club
    if club is None:
        return None
    return {
        "table": club.table,
        "line": _line(club, code),
        "well": club.reached and club.refused is None,
        "drawn": club.latest is not None and club.latest != snapshot.match_id,
    }


def _line(club: ClubView, code: str) -> str:
    words = language(code)
    count, since = club.backlog
    if club.refused is not None:
        return words.gettext(REFUSED).format(reason=words.gettext(club.refused))
    if club.reached:
        return words.gettext(EVERYTHING)
    if since is None:
        return words.gettext(AWAY)
    return words.ngettext(
        "The club cannot be reached: {n} event waits for it since {time}. Play on.",
        "The club cannot be reached: {n} events wait for it since {time}. Play on.",
        count,
    ).format(n=count, time=f"{since:%H:%M}")
