"""One real table, as this process serves it: being set up, cutting for the deal, or in a match."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any

from scorekeeper.engine.cutting import Cut, Cutting
from scorekeeper.engine.header import Header, parse_header
from scorekeeper.engine.said import Source
from scorekeeper.errors import FormatError, LedgerError, RuleError
from scorekeeper.games.tricks import side_of
from scorekeeper.messages import N_, shown
from scorekeeper.storage.ledger import Ledger, MatchEntry
from scorekeeper.storage.table import News, Table
from scorekeeper.text.choices import next_match
from webui.camera.hire import hire
from webui.table.access import SEATS, Access, Grant
from webui.table.channel import Channel
from webui.table.membership import Membership
from webui.table.memory import Memory, TableError
from webui.table.printed import Printed
from webui.table.proposals import Proposals
from webui.table.snapshot import Heard, Snapshot

if TYPE_CHECKING:
    from webui.camera.camera import Camera  # it is large, and many tables have none

log = logging.getLogger(__name__)

MOST_NAMES = 40
"""Names that are suggested in set-up."""
NEWS_SECONDS = 8.0
"""How long a screen that was slow still hears what happened."""


class Room:
    """The table that this process serves. May be used by several threads.

    Args:
        ledger: Where matches are kept.
        memory: What the table remembers; the match that it was playing goes on.
        camera: Watches the table, where there is one; see ``use_camera`` for another.

    Attributes:
        camera: Watches the table, or None.
        hire: Makes another one, see ``use_camera``.
        access: Keys and phones.
        channel: Counts what changes.
        proposals: The correction that one side proposes to the other.
        printed: What the deck on the table prints.
        club: The club that this table plays for, if any.
    """

    def __init__(self, ledger: Ledger, memory: Memory, camera: Camera | None = None) -> None:
        self.camera: Camera | None = None
        self.hire: Callable[..., Camera] = hire
        self.ledger, self.access, self.channel = ledger, Access(memory), Channel()
        self.proposals = Proposals(self.changed)
        self._memory, self._lock, self._told = memory, RLock(), 0
        self.printed, self.club = Printed(memory), Membership(memory)
        self._heard: deque[Heard] = deque(maxlen=8)
        self._table: Table | None = None
        self._snapshot: Snapshot | None = None
        self._settle()
        if (match_id := memory.data.get("match")) in ledger.ids():
            try:
                self._sit_at(Table(ledger, match_id))
            except (LedgerError, RuleError) as error:
                log.warning("match %s is not gone on with: %s", match_id, error)
        self.camera = camera
        self._open_eyes()
        self._tidy()

    def _open_eyes(self) -> None:
        """Has the camera watch what there is."""
        if self.camera is None:
            return
        self.camera.on_change = self._look
        if self._table is not None:
            self.camera.watch(self._table, self.ledger.pictures)
        elif (draft := self._draft()) is not None:
            self.camera.get_ready(draft, self.ledger.pictures)

    def _tidy(self) -> None:
        """Removes pictures whose time is over; where that fails, people play all the same."""
        try:
            self.ledger.tidy(playing=None if self._table is None else self._table.match_id)
        except LedgerError as error:
            log.warning("pictures are not tidied up: %s", error)

    def _settle(self) -> None:
        """Drops a draft that cannot be read: the table is set up anew then."""
        try:
            if (draft := self._draft()) is not None:
                _ = self._cutting(draft).due
        except (TypeError, ValueError) as error:  # a RuleError is one
            log.warning("what was set up is not gone on with: %s", error)
            self._keep(draft=None, cuts=[])

    @property
    def table(self) -> Table:
        """The match that is played.

        Raises:
            FormatError: None is.
        """
        if self._table is None:
            raise FormatError(N_("no match is being played at this table"))
        return self._table

    def snapshot(self) -> Snapshot:
        """What there is to show now."""
        with self._lock:
            number = self.channel.number
            if self._snapshot is None or self._snapshot.number != number:
                self._snapshot = self._take(number)
            return self._snapshot

    def _take(self, number: int) -> Snapshot:
        moment, events = (None, ()) if self._table is None else self._table.log()
        recent = time.monotonic() - NEWS_SECONDS
        draft = self._draft()
        draft = None if draft is None else self.printed.shown(draft)
        moment = None if moment is None else self.printed.at(moment)
        match_id = None if self._table is None else self._table.match_id
        return Snapshot(
            number,
            draft,
            None if draft is None else self._cutting(draft),
            match_id,
            moment,
            events,
            tuple(self.access.holder(seat) is not None for seat in range(SEATS)),
            tuple(heard for heard in self._heard if heard.at >= recent),
            None if self.camera is None else self.camera.view,
            self.proposals.waiting(match_id, moment and moment.match, events),
            self.proposals.refused(match_id),
            self.printed.seen,
            self.club.view,
        )

    def _draft(self) -> Header | None:
        kept: Mapping[str, Any] | None = self._memory.data.get("draft")
        return None if kept is None else parse_header(kept)

    def _cutting(self, draft: Header) -> Cutting:
        cuts = tuple(Cut(seat, rank) for seat, rank in self._memory.data.get("cuts", []))
        return Cutting(rules=draft.rules, seats=len(draft.seats), cuts=cuts)

    # --- from set-up to match ---

    def last_header(self) -> Header | None:
        """Who played what last at this table, to fill in the set-up page."""
        kept = self._memory.data.get("last")
        try:
            return None if kept is None else parse_header(kept)
        except RuleError:
            return None

    def unfinished(self) -> MatchEntry | None:
        """The match that this table left without a winner, or None."""
        left = self._memory.data.get("left")
        try:
            return self.ledger.match(left) if isinstance(left, int) else None
        except LedgerError:
            return None  # it may be forgotten by now

    def prepare(self, header: Header) -> None:
        """Settles who plays what; the first dealer is found by cutting (``cut``).

        Said twice, it does no harm.

        Raises:
            FormatError: A match is set up or played already.
            TableError: It could not be written.
        """
        with self._lock:
            data = header.to_json()
            if self._table is None and self._memory.data.get("draft") == data:
                return
            if self.snapshot().header is not None:
                raise FormatError(N_("a match is being played at this table already"))
            self._seat_people(header)
            self.printed.choose(None)
            self._keep(draft=data, last=data, cuts=[], match=None)
            if self.camera is not None:
                self.camera.get_ready(header, self.ledger.pictures)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of earlier evenings that people allowed to be suggested, the latest first."""
        return tuple(self._memory.data.get("names", ()))

    def remember_names(self, seats: Sequence[str]) -> None:
        """Has names suggested from now on.

        Raises:
            TableError: It could not be written.
        """
        names = list(dict.fromkeys([*seats, *self.names]))[:MOST_NAMES]
        self._keep(names=names)

    def asks_both_sides(self) -> bool:
        """Whether a correction that takes from the other side needs its word.

        It does where both sides hold phones, unless the table was set up otherwise.
        """
        header = self.snapshot().header
        if header is None or not self.needs_both_sides:
            return False
        held = [self.access.holder(seat) is not None for seat in range(len(header.seats))]
        return any(held[::2]) and any(held[1::2])

    def side_to_ask(self, grant: Grant) -> int | None:
        """The side that has to agree where somebody's correction takes from it; None: no side."""
        if grant.host or grant.seat is None or not self.asks_both_sides():
            return None
        return 1 - side_of(grant.seat)

    @property
    def needs_both_sides(self) -> bool:
        """What the table was set up with; see ``asks_both_sides``."""
        return bool(self._memory.data.get("both_sides", True))

    def need_both_sides(self, needed: bool) -> None:
        """Sets up whether such corrections need both sides, from now on.

        Raises:
            TableError: It could not be written.
        """
        if needed != self.needs_both_sides:
            self._keep(both_sides=needed)

    def _seat_people(self, header: Header) -> None:
        """Lets phones keep the seats of those who play on, wherever they sit now."""
        last = self.last_header()
        left = dict(enumerate(() if last is None else last.seats))
        # Where nobody sat and nobody sits, a phone may wait for the next four.
        moves = {seat: seat for seat in range(max(len(left), len(header.seats)), SEATS)}
        for seat, name in enumerate(header.seats):
            found = [before for before, other in left.items() if other == name]
            if found:  # who has the name of another one stays where he is, if he can
                moves[seat] = seat if seat in found else found[0]
                del left[moves[seat]]
        self.access.move_seats(moves)

    def cutting(self) -> Cutting:
        """Cutting for the first deal, as it stands.

        Raises:
            FormatError: No match is about to begin.
        """
        found = self.snapshot().cutting
        if found is None:
            raise FormatError(N_("no match is about to begin"))
        return found

    def cut(self, seat: int, rank: str) -> None:
        """Keeps what a seat has cut.

        Raises:
            RuleError: It is not that seat's to cut, or the pack has no such card.
        """
        with self._lock:
            cuts = self.cutting().cut(seat, rank).cuts
            self._keep(cuts=[list(cut) for cut in cuts])

    def cut_again(self) -> None:
        """Forgets all cuts."""
        with self._lock:
            self.cutting()
            self._keep(cuts=[])

    def begin_draft(self, dealer: int | None, *, who: str | None) -> None:
        """Opens the match that was set up.

        Args:
            dealer: Who deals first, where the table has found another way than cutting.
            who: Who says so.

        Raises:
            FormatError: No dealer was named, and none is found by cutting yet.
            LedgerError: It could not be written.
        """
        with self._lock:
            cutting = self.cutting()
            draft = self._draft()
            assert draft is not None
            dealer = cutting.dealer if dealer is None else dealer
            if dealer is None:
                raise FormatError(N_("the first dealer is not found yet"))
            self.begin(replace(draft, first_dealer=dealer), who=who)

    def begin(self, header: Header, *, who: str | None) -> None:
        """Opens a match in the ledger, and plays it at this table.

        Raises:
            LedgerError: It could not be written.
            TableError: It could not be written.
        """
        with self._lock:
            table = Table.begin(self.ledger, header, source=Source.PHONE, who=who)
            try:
                self._move_to(table)
            except TableError:
                with suppress(LedgerError):
                    self.ledger.remove(table.match_id)
                raise
            self._tidy()

    def again(self, *, who: str | None) -> None:
        """Opens another match of the same players, once the one that is played is over.

        Raises:
            FormatError: It is not over, or none is played.
            LedgerError: It could not be written.
            TableError: It could not be written.
        """
        with self._lock:
            match = self.table.moment.match
            if not match.over:
                raise FormatError(N_("the match is not over yet"))
            self.begin(replace(next_match(match), remarks=match.header.remarks), who=who)

    def resume(self, match_id: int) -> None:
        """Goes on with a match of the ledger; phones keep the seats of those who play in it.

        Raises:
            FormatError: There is no such match.
            LedgerError: It cannot be read.
            RuleError: An event in it is not legal by the rules of this program.
        """
        with self._lock:
            if match_id not in self.ledger.ids():
                raise FormatError(N_("there is no match {n} any more"), n=shown(match_id))
            if self.snapshot().match_id != match_id:
                table = Table(self.ledger, match_id)
                self._seat_people(table.moment.match.seated)
                self._move_to(table, last=table.moment.match.seated.to_json())

    def clear(self) -> None:
        """Back to set-up; the match stays in the ledger."""
        with self._lock:
            seated = None if self._table is None else self._table.moment.match.seated
            last = {} if seated is None else {"last": seated.to_json()}
            self._keep(draft=None, cuts=[], match=None, left=self._left(), **last)
            self._leave()
            if self.camera is not None:
                self.camera.rest()

    def changed(self) -> None:
        """Tells all screens: a phone came or went, something was proposed, the camera spoke."""
        self.channel.publish()

    def _look(self) -> None:
        """The camera has spoken."""
        if self.camera is not None:
            self.printed.see(self.camera.view.sight.printing)
        self.changed()

    def use_camera(self, source: str | None) -> None:
        """Has another camera watch, now and from now on; None keeps the score by hand.

        Raises:
            TableError: It could not be written.
        """
        with self._lock:
            before = self.camera
            if source == (None if before is None else before.view.source):
                return
            self._keep(camera=source, turn=0)
            deck = self._memory.data.get("deck")
            self.camera = None if source is None else self.hire(source, deck=deck)
            self._open_eyes()
        if before is not None:
            before.rest()
        self.changed()

    def use_deck(self, name: str | None) -> None:
        """Has the camera know the deck on the table, now and from now on; None: it does not.

        Raises:
            TableError: It could not be written.
        """
        if self.camera is not None:
            self._keep(deck=name)
            self.camera.use_deck(name)
            self.changed()

    def close(self) -> None:
        """Stops watching, and waits for that."""
        self.club.close()
        if self.camera is not None:
            self.camera.close()

    def turn_camera(self) -> None:
        """Has the first player sit a quarter further, now and from now on.

        Raises:
            TableError: It could not be written.
        """
        if self.camera is not None:
            self._keep(turn=self.camera.turn())

    def _left(self) -> int | None:
        """The match that is left without a winner when another one is played, or none."""
        left: int | None = self._memory.data.get("left")
        if self._table is not None:
            left = None if self._table.moment.match.over else self._table.match_id
        return left

    def _move_to(self, table: Table, **more: object) -> None:
        left = None if self._table is None else self._left()
        self._keep(draft=None, cuts=[], match=table.match_id, left=left, **more)
        self._leave()
        self._sit_at(table)

    def _sit_at(self, table: Table) -> None:
        self._table = table
        self._unsubscribe = table.subscribe(lambda news: self._hear(table, news))
        if self.camera is not None:
            self.camera.watch(table, self.ledger.pictures)

    def _leave(self) -> None:
        if self._table is not None:
            self._unsubscribe()
            self._table = None
            self._heard.clear()

    def _hear(self, table: Table, news: News) -> None:
        with self._lock:
            if table is not self._table:
                return  # it was said while the table went over to another match
            self._told += 1
            self._heard.append(Heard(self._told, time.monotonic(), news))
        self.club.wake()
        self.channel.publish()

    def _keep(self, **changes: object) -> None:
        """Remembers, and tells all screens; they wait for the lock that the caller holds."""
        with self._memory.changing() as data:
            data.update(changes)
        self.channel.publish()
