"""Cutting for the first deal, before a match begins (LA/LB-2, TR-3, TS-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorekeeper.errors import CardNotInPack, NotYourTurn, WrongPhase
from scorekeeper.games.rules import Rules
from scorekeeper.messages import N_, shown


class Cut(NamedTuple):
    """A card that a seat has cut; its suit does not matter."""

    seat: int
    rank: str


class Round(NamedTuple):
    """One round of cutting.

    Attributes:
        seats: Who cuts in it: in the first round all, then those whose best cards were equal.
        cuts: The cuts so far, in the order in which they were made.
    """

    seats: tuple[int, ...]
    cuts: tuple[Cut, ...]


@dataclass(frozen=True, kw_only=True)
class Cutting:
    """The state of cutting for the first deal, which follows from the cuts that were made.

    The pack is the one of the game. If the rules allow any way to find the first dealer
    (``first_deal`` is ``any``), the highest card deals.

    Attributes:
        rules: The rules that will be played.
        seats: How many seats the table has.
        cuts: All cuts, in the order in which they were made.
    """

    rules: Rules
    seats: int
    cuts: tuple[Cut, ...] = ()

    def cut(self, seat: int, rank: str) -> Cutting:
        """The cutting after one more cut.

        Args:
            seat: Who cuts: any of the seats in ``due``.
            rank: The rank that is printed on the card; ``"J"`` for a Spanish sota.

        Raises:
            WrongPhase: LA/LB-2: the first dealer is found.
            NotYourTurn: LA/LB-2: the seat does not cut, or has cut, in this round.
            CardNotInPack: C-9: the game's pack has no such rank.
        """
        if not self.due:
            raise WrongPhase("LA/LB-2", N_("the first dealer is found"))
        if seat not in self.due:
            raise NotYourTurn(
                "LA/LB-2", N_("it is for seat {seats}"), seats=" / ".join(map(str, self.due))
            )
        if self._counted(rank) not in self.rules.strength:
            raise CardNotInPack("C-9", N_("{card} is not in this pack"), card=shown(rank))
        return replace(self, cuts=(*self.cuts, Cut(seat, rank)))

    @property
    def due(self) -> tuple[int, ...]:
        """The seats that have still to cut in this round; empty once the dealer is found."""
        seats, cuts = self.rounds()[-1]
        done = {cut.seat for cut in cuts}
        return tuple(seat for seat in seats if seat not in done)

    @property
    def dealer(self) -> int | None:
        """The seat that deals first; None until it is found."""
        return None if self.due else self._best(self.rounds()[-1].cuts)[0]

    def rounds(self) -> list[Round]:
        """All rounds so far; if the best cuts are equal, those who made them cut again (L2)."""
        found = []
        seats, rest = tuple(range(self.seats)), self.cuts
        while True:
            cuts, rest = rest[: len(seats)], rest[len(seats) :]
            found.append(Round(seats, cuts))
            if len(cuts) < len(seats):
                return found
            seats = self._best(cuts)
            if len(seats) == 1:
                return found

    def _best(self, cuts: Sequence[Cut]) -> tuple[int, ...]:
        places = [self.rules.cut_order.index(self._counted(cut.rank)) for cut in cuts]
        best = max(places) if self.rules.first_deal == "low" else min(places)
        return tuple(sorted(cut.seat for cut, at in zip(cuts, places, strict=True) if at == best))

    def _counted(self, rank: str) -> str:
        return self.rules.alias.get(rank, rank)
