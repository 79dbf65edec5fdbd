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
from webui.camera.factory import make_camera
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
"""How many names are suggested in set-up."""
NEWS_SECONDS = 8.0
"""How long news are announced: a slow screen may come that much later."""


class Room:
    """The table that this process serves. May be used by several threads.

    Args:
        ledger: Where matches are kept.
        memory: What the table remembers; the match that was being played goes on.
        camera: The camera that watches the table; None where none does.

    Attributes:
        camera: As above; ``use_camera`` changes it.
        make_camera: Makes the camera that ``use_camera`` names.
        access: Keys and phones.
        channel: Counts the changes, which screens follow.
        proposals: The correction that one side proposes to the other.
        printed: What the deck on the table prints.
        club: The club that this table plays for, if any.
    """

    def __init__(self, ledger: Ledger, memory: Memory, camera: Camera | None = None) -> None:
        self.camera: Camera | None = None
        self.make_camera: Callable[..., Camera] = make_camera
        self.ledger, self.access, self.channel = ledger, Access(memory), Channel()
        self.proposals = Proposals(self.changed)
        self._memory, self._lock, self._news_count = memory, RLock(), 0
        self.printed, self.club = Printed(memory), Membership(memory)
        self._heard: deque[Heard] = deque(maxlen=8)
        self._table: Table | None = None
        self._snapshot: Snapshot | None = None
        self._drop_unreadable_draft()
        if (match_id := memory.data.get("match")) in ledger.ids():
            try:
                self._sit_at(Table(ledger, match_id))
            except (LedgerError, RuleError) as error:
                log.warning("match %s is not gone on with: %s", match_id, error)
        self.camera = camera
        self._start_camera()
        self._tidy()

    def _start_camera(self) -> None:
        """Has the camera watch the match, or the table that is set up."""
        if self.camera is None:
            return
        self.camera.on_change = self._camera_changed
        if self._table is not None:
            self.camera.watch(self._table, self.ledger.pictures)
        elif (draft := self._draft()) is not None:
            self.camera.get_ready(draft, self.ledger.pictures)

    def _tidy(self) -> None:
        """Removes old pictures; where that fails, people play all the same."""
        try:
            self.ledger.tidy(playing=None if self._table is None else self._table.match_id)
        except LedgerError as error:
            log.warning("pictures are not tidied up: %s", error)

    def _drop_unreadable_draft(self) -> None:
        """Drops a draft that cannot be read; then people set the table up again."""
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
                self._snapshot = self._new_snapshot(number)
            return self._snapshot

    def _new_snapshot(self, number: int) -> Snapshot:
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
        """The latest match that was left without a winner, unless it was removed."""
        left = self._memory.data.get("left")
        try:
            return self.ledger.match(left) if isinstance(left, int) else None
        except LedgerError:
            return None  # it may be forgotten by now

    def prepare(self, header: Header) -> None:
        """Sets the table up; then its people cut for the first deal (see ``cut``).

        A second call with the same header changes nothing.

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
        """Names to suggest in set-up, with people's consent; the latest first."""
        return tuple(self._memory.data.get("names", ()))

    def remember_names(self, seats: Sequence[str]) -> None:
        """Suggests names in set-up from now on.

        Raises:
            TableError: It could not be written.
        """
        names = list(dict.fromkeys([*seats, *self.names]))[:MOST_NAMES]
        self._keep(names=names)

    def asks_both_sides(self) -> bool:
        """Whether a correction against a side needs that side's word.

        It does where both sides hold phones, unless the table was set up otherwise.
        """
        header = self.snapshot().header
        if header is None or not self.needs_both_sides:
            return False
        held = [self.access.holder(seat) is not None for seat in range(len(header.seats))]
        return any(held[::2]) and any(held[1::2])

    def side_to_ask(self, grant: Grant) -> int | None:
        """The side that is asked where somebody's correction is against it; None: nobody is."""
        if grant.host or grant.seat is None or not self.asks_both_sides():
            return None
        return 1 - side_of(grant.seat)

    @property
    def needs_both_sides(self) -> bool:
        """Whether the table was set up so that corrections need both sides."""
        return bool(self._memory.data.get("both_sides", True))

    def need_both_sides(self, needed: bool) -> None:
        """Sets whether corrections need both sides from now on; see ``asks_both_sides``.

        Raises:
            TableError: It could not be written.
        """
        if needed != self.needs_both_sides:
            self._keep(both_sides=needed)

    def _seat_people(self, header: Header) -> None:
        """Moves phones to the seats where their players sit now; players are known by name."""
        last = self.last_header()
        before = dict(enumerate(() if last is None else last.seats))
        # A phone at a seat that neither match has keeps it, for the next four players.
        moves = {seat: seat for seat in range(max(len(before), len(header.seats)), SEATS)}
        for seat, name in enumerate(header.seats):
            found = [old for old, other in before.items() if other == name]
            if found:  # of two with the same name, the one who sat here before is taken
                moves[seat] = seat if seat in found else found[0]
                del before[moves[seat]]
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
            RuleError: This seat may not cut now, or the pack has no such card.
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
        """Begins the match that was set up.

        Args:
            dealer: The seat that deals first; None for the one that was found by cutting.
            who: Who begins it.

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
        """Begins a match in the ledger, and has this table play it.

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
        """Begins another match of the same players, once the match is over.

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
        """Goes on with a match of the ledger; phones move along with its players.

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
        """Goes back to set-up; the match stays in the ledger."""
        with self._lock:
            seated = None if self._table is None else self._table.moment.match.seated
            last = {} if seated is None else {"last": seated.to_json()}
            self._keep(draft=None, cuts=[], match=None, left=self._left(), **last)
            self._leave()
            if self.camera is not None:
                self.camera.rest()

    def changed(self) -> None:
        """Has all screens drawn anew."""
        self.channel.publish()

    def _camera_changed(self) -> None:
        if self.camera is not None:
            self.printed.see(self.camera.view.report.printing)
        self.changed()

    def use_camera(self, source: str | None) -> None:
        """Has another camera watch, also in the next runs; None: people keep the score by hand.

        Raises:
            TableError: It could not be written.
        """
        with self._lock:
            before = self.camera
            if source == (None if before is None else before.view.source):
                return
            self._keep(camera=source, turn=0)
            deck = self._memory.data.get("deck")
            self.camera = None if source is None else self.make_camera(source, deck=deck)
            self._start_camera()
        if before is not None:
            before.rest()
        self.changed()

    def use_deck(self, name: str | None) -> None:
        """Names the learned deck on the table, also for the next runs; None: it was not learned.

        Raises:
            TableError: It could not be written.
        """
        if self.camera is not None:
            self._keep(deck=name)
            self.camera.use_deck(name)

    def close(self) -> None:
        """Ends what works beside the table: the club's courier and the camera."""
        self.club.close()
        if self.camera is not None:
            self.camera.close()

    def turn_camera(self) -> None:
        """Moves the first player's seat by a quarter of a turn, also for the next runs.

        Raises:
            TableError: It could not be written.
        """
        if self.camera is not None:
            self._keep(turn=self.camera.turn())

    def _left(self) -> int | None:
        """The match to remember as left without a winner, where this table leaves its match now."""
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
                return  # the room plays another match by now
            self._news_count += 1
            self._heard.append(Heard(self._news_count, time.monotonic(), news))
        self.club.wake()
        self.channel.publish()

    def _keep(self, **changes: object) -> None:
        """Remembers this, and has all screens drawn anew."""
        with self._memory.changing() as data:
            data.update(changes)
        self.channel.publish()
