"""Many hypotheses of many hands, weighed at once by any parameters of the belief.

A hypothesis is a sum of terms (``vision.belief.likelihoods.BeliefTerm``). Here those of all hands
lie in flat arrays, so that a fit can weigh them anew some thousand times; which hypotheses there
are, stays as the beam search found it.
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


def course_of(hypothesis: Hypothesis) -> tuple[tuple[int, str], ...]:
    """Seat and rank of each play."""
    return tuple((play.seat, play.card[:-1]) for play in hypothesis.plays)


def explained(hand: SeenHand, sets: Iterable[Likelihoods]) -> list[Hypothesis]:
    """The likeliest hypotheses of a hand, the very likeliest first, and those that are true.

    Args:
        hand: the hand.
        sets: parameters, by each of which hypotheses are looked for.
    """
    found: dict[object, Hypothesis] = {}
    for likelihoods in sets:
        free = Explainer(hand.start, hand.objects, likelihoods=likelihoods).explain(hand.words)
        true = Explainer(hand.start, hand.objects, hand.played, likelihoods).explain(hand.words)
        for each in [*free, *true]:
            found.setdefault((course_of(each), each.terms), each)
    return list(found.values())


class TermSums:
    """Hypotheses in arrays.

    Args:
        hands: the hands, and of each its hypotheses: at least one, and at least one that is true.
        likelihoods: any; which parameters there are.
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
        width = max(map(len, evidence), default=0) + 1  # the last column is of what nothing said
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
        """How likely each hypothesis is, in nats.

        Args:
            values: of the parameters, as ``names`` has them.
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
        """What the pictures say, in shares.

        Returns:
            Of each term that names a card its share; of each object those of a back, and of cards
            of other packs.
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
        """Of each hand the log loss: how unlikely the truth was held, in nats."""
        nats = self.nats(values)
        whole = np.logaddexp.reduceat(nats, self.starts)
        return whole - np.logaddexp.reduceat(np.where(self.truth, nats, -1e9), self.starts)

    def counted(self, values: Floats) -> dict[str, int]:
        """How often each parameter takes part in the likeliest true hypotheses."""
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
