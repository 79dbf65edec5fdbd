"""Computes how likely many hypotheses of many hands are, for any parameters of the belief.

How likely a hypothesis is, is a sum of terms (``vision.belief.likelihoods.BeliefTerm``). Here the
terms of all hands lie in flat arrays, so that a fit can compute the sums some thousand times. The
set of hypotheses stays as the beam search found it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from datasets.benchmarks.seen_hands import SeenHand
from vision.belief.context import pack_of
from vision.belief.explainer import Explainer
from vision.belief.hypotheses import Hypothesis
from vision.belief.likelihoods import NEVER, Likelihoods
from vision.packs import BACK

Floats = NDArray[np.float64]

PACK, FACE_DOWN, FOREIGN = range(3)
"""What a reading says of a card: it is of this pack, it is face down, it is of another pack."""


def course_of(hypothesis: Hypothesis) -> tuple[tuple[int, str], ...]:
    """Seat and rank of each play of a hypothesis, in order."""
    return tuple((play.seat, play.card[:-1]) for play in hypothesis.plays)


def explained(hand: SeenHand, sets: Iterable[Likelihoods]) -> list[Hypothesis]:
    """The hypotheses of a hand that a beam search finds, and the likeliest true ones.

    The first one is the likeliest under the first set of parameters.

    Args:
        hand: the hand.
        sets: sets of parameters; hypotheses are searched for under each of them.
    """
    found: dict[object, Hypothesis] = {}
    for likelihoods in sets:
        free = Explainer(hand.start, hand.objects, likelihoods=likelihoods).explain(hand.words)
        true = Explainer(hand.start, hand.objects, hand.played, likelihoods).explain(hand.words)
        for each in [*free, *true]:
            found.setdefault((course_of(each), each.terms), each)
    return list(found.values())


class TermSums:
    """The hypotheses of some hands, in arrays with a row for each hypothesis.

    Args:
        hands: each hand with its hypotheses, at least one of which is true.
        likelihoods: says which parameters there are; its values do not matter.

    Attributes:
        names: names of the parameters, in the order in which values are given.
        starts: the first row of each hand.
        rows: how many rows there are.
        true: of each row, whether its plays are what was played; ``truth`` is the same as an array.
    """

    def __init__(
        self, hands: Sequence[tuple[SeenHand, Sequence[Hypothesis]]], likelihoods: Likelihoods
    ) -> None:
        self.names = list(likelihoods.values())
        place = {name: number for number, name in enumerate(self.names)}
        evidence: list[Mapping[str, float]] = []
        kinds: list[list[int]] = []
        packs: list[int] = []
        sure: list[bool] = []
        terms: list[tuple[int, int, int, float, float]] = []  # row, object, column, factor, log
        of_none: list[tuple[int, int, float, bool]] = []  # row, object, factor, shown
        plain: list[tuple[int, int]] = []  # row, parameter
        fixed: list[tuple[int, float]] = []
        self.starts, self.true, row = [], list[bool](), 0
        for hand, hypotheses in hands:
            pack, known = pack_of(hand.start), dict[int, int]()
            for each in hand.objects:
                known[each.id] = len(evidence)
                evidence.append(each.evidence)
                packs.append(len(pack))
                sure.append(each.sure)
                kinds.append([
                    PACK if name in pack else FACE_DOWN if name == BACK else FOREIGN
                    for name in each.evidence
                ])  # fmt: skip
            self.starts.append(row)
            for hypothesis in hypotheses:
                self.true.append(course_of(hypothesis) == hand.played)
                for term in hypothesis.terms:
                    number = -1 if term.object is None else known[term.object]
                    if term.kind in ("none", "left", "shown"):
                        factor = 0.5 if term.kind == "left" else 1.0
                        of_none.append((row, number, factor, term.kind == "shown"))
                        continue
                    if term.card:
                        names = list(evidence[number])
                        column = names.index(term.card) if term.card in names else -1
                        terms.append((row, number, column, 1.0, 0.0))
                    name = f"side {term.side}" if term.side is not None else term.kind
                    plain.append((row, place[name]))
                    fixed.append((row, float(np.log(term.share))))
                row += 1
        self.rows = row
        width = max(map(len, evidence), default=0) + 1  # the last column: cards never read there
        self._evidence = np.full((len(evidence), width), -np.inf)
        self._kind = np.full((len(evidence), width), -1)
        for number, (values, kind) in enumerate(zip(evidence, kinds, strict=True)):
            self._evidence[number, : len(values)] = list(values.values())
            self._kind[number, : len(kind)] = kind
        self._packs, self._sure = np.array(packs, float), np.array(sure, bool)
        self._terms = np.array(terms, float).reshape(-1, 5)[:, :3].astype(int)
        self._none = np.array(of_none, float).reshape(-1, 4)
        self._plain = np.array(plain, int).reshape(-1, 2)
        fixed_rows = np.array(fixed, float).reshape(-1, 2)
        self._fixed = np.bincount(fixed_rows[:, 0].astype(int), fixed_rows[:, 1], self.rows)
        self._counts = np.zeros((self.rows, len(self.names)))
        np.add.at(self._counts, (self._plain[:, 0], self._plain[:, 1]), 1.0)
        self.truth = np.array(self.true, bool)
        self._shares: tuple[tuple[float, float], Floats, Floats, Floats] | None = None

    def nats(self, values: Floats) -> Floats:
        """How likely each hypothesis is, in nats, shape (rows,).

        Args:
            values: the parameters' values, in the order of ``names``.
        """
        of = dict(zip(self.names, values, strict=True))
        weights, down, foreign = self._shares_by(of["trust"], of["unread"])
        chance = of["misread"] / self._packs
        trusted = 1 - of["misread"]

        def log(shares: Floats, chances: Floats | float) -> Floats:
            return np.log(trusted * shares + chances)

        none = np.where(self._sure, of["nothing"], of["doubted"])
        none = np.maximum(none, log(down, NEVER))
        none = np.maximum(none, log(foreign, NEVER) + of["foreign"])
        shown = np.maximum(none, of["shown"])
        total = self._counts @ values + self._fixed
        rows, numbers, _ = self._terms.T
        read = log(weights, chance[numbers])
        total += np.bincount(rows, read, self.rows)
        rows, numbers = self._none[:, 0].astype(int), self._none[:, 1].astype(int)
        each = self._none[:, 2] * np.where(self._none[:, 3] > 0, shown[numbers], none[numbers])
        return total + np.bincount(rows, each, self.rows)

    def _shares_by(self, trust: float, unread: float) -> tuple[Floats, Floats, Floats]:
        """How likely each card is by the pictures alone, 0–1.

        Returns:
            For each term that names a card, that card's share; for each object, the share of a back
            and the share of cards of other packs.
        """
        if self._shares is None or self._shares[0] != (trust, unread):
            said = self._evidence * trust
            top = np.maximum(said.max(axis=1, initial=0.0), 0.0)
            weights = np.exp(said - top[:, None])
            weights /= (weights.sum(axis=1) + np.exp(unread - top))[:, None]
            _, numbers, columns = self._terms.T
            down, foreign = (
                np.where(self._kind == kind, weights, 0.0).sum(axis=1)
                for kind in (FACE_DOWN, FOREIGN)
            )
            self._shares = (trust, unread), weights[numbers, columns], down, foreign
        return self._shares[1:]

    def losses(self, values: Floats) -> Floats:
        """The log loss of each hand: how unlikely the truth is among its hypotheses, in nats."""
        nats = self.nats(values)
        whole = np.logaddexp.reduceat(nats, self.starts)
        return whole - np.logaddexp.reduceat(np.where(self.truth, nats, -1e9), self.starts)

    def counted(self, values: Floats) -> dict[str, int]:
        """How often each parameter takes part in the hands' likeliest true hypotheses."""
        nats = np.where(self.truth, self.nats(values), -1e9)
        ends = [*self.starts[1:], self.rows]
        best = [
            int(begin + nats[begin:end].argmax())
            for begin, end in zip(self.starts, ends, strict=True)
        ]
        counts = self._counts[best].sum(axis=0)
        found = dict(zip(self.names, map(int, counts), strict=True))
        read = int(np.isin(self._terms[:, 0], best).sum())
        found["misread"] = found["trust"] = found["unread"] = read
        chosen = np.isin(self._none[:, 0], best)
        for row, number, _, is_shown in self._none[chosen]:
            del row
            name = "nothing" if self._sure[int(number)] else "doubted"
            found["shown" if is_shown else name] += 1
        return found
