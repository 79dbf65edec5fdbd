"""The rules as this program applies them, in words; made from the same data by which it plays."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.engine.packs import SPANISH
from scorekeeper.games.agreed import AGREED
from scorekeeper.games.game import ACE_TO_TWO
from scorekeeper.games.raises import REMAINDER, raise_limits
from scorekeeper.games.rules import game_of
from scorekeeper.messages import N_
from scorekeeper.text.customs import Customs
from scorekeeper.text.glossary import TERMS, Term
from scorekeeper.text.house_rules import VARIANTS, Label, as_text, options_of
from scorekeeper.text.i18n import capital
from scorekeeper.text.phrases import Sentence, Voice
from scorekeeper.text.printings import FRENCH
from scorekeeper.text.rule_sentences import (
    ALONE_TO_SEE,
    ANSWERED_IN_WORDS,
    ANSWERERS,
    ASKS_OFTEN,
    ASKS_ONCE,
    CALL_TIMES,
    COUNTERS,
    CUTTERS,
    FIRST_DEALS,
    FIRST_TO_SEE,
    HAND_RULES,
    LEADERS,
    LEADS_AFTER_SPOILED,
    LIMITS,
    NEXT_CALLS,
    NEXT_DEALERS,
    OFFERS_IN_TURN,
    PARTNER_TIES,
    RAISES_AGAIN,
    REMAINDERS,
    STEPS,
)

LIMIT_EXAMPLES = ((0, 0, 1), (7, 0, 4), (7, 0, 2), (3, 0, 4), (0, 9, 2), (3, 11, 1), (11, 3, 1))
"""Own score, other score and value at which the limits of a raise are shown (section 3)."""


MOST_STEPS = 10
"""Most values of a ladder that are listed; of a longer one, the middle is left out."""


class Rulebook(Voice):
    """The rules of one table: game, variants, options and number of players."""

    def title(self) -> str:
        """The game's name, and the house rules if there are any."""
        return "\n".join(self.game_and_house_rules())

    def sections(self) -> Iterator[tuple[str, list[Sentence]]]:
        """Yields each section's heading and sentences, in the order of play."""
        gettext = self.catalogue.gettext
        yield gettext("Cards"), list(self._cards())
        yield gettext("Deal"), list(self._deal())
        yield gettext("Play"), list(self._play())
        yield gettext("Raises"), list(self.rules.raising.chapter(self))
        yield gettext("Score"), list(self._score())
        yield gettext("What ends a hand"), list(self._ends())
        yield gettext("At the table"), list(Customs(self.header, self.code).sentences())
        yield gettext("By agreement of the table"), list(self._agreed())
        yield gettext("House rules"), list(self._choices())

    def words(self) -> Iterator[Term]:
        """Yields the words of the glossary that the game uses."""
        return (term for term in TERMS if term.fits(self.rules))

    def _agreed(self) -> Iterator[Sentence]:
        for row in AGREED.values():
            if row.rulebook:
                yield self.say(row.rulebook, row.rule)

    def _choices(self) -> Iterator[Sentence]:
        """Each option: what this table has chosen, and what else it could choose."""
        game = game_of(self.header.game)
        gettext = self.catalogue.gettext
        if game.variants:
            names = ", ".join(gettext(VARIANTS[name]) for name in game.variants)
            yield self.say("Variants: {names}.", names=names)
        for option in options_of(game):
            if len(self.header.seats) not in option.players:
                continue
            heading = gettext(option.heading)
            now = as_text(getattr(self.rules, option.name))
            others = [gettext(label.words) for text, label in option.labels.items()
                      if text != now and self._differs(label)]  # fmt: skip
            allowed = game.options[option.name]
            if isinstance(allowed, range):
                numbers = self.say("any number from {n} to {most}", n=allowed[0], most=allowed[-1])
                others = [numbers.text]
            yield self.say(
                "{heading}: {choice}. Also possible: {others}.",
                heading=capital(heading),
                choice=gettext(option.labels[now].words) if option.labels else now,
                others=" / ".join(others),
            )

    def _differs(self, label: Label) -> bool:
        """Whether a value of an option could make a difference at this table."""
        if label.needs is not None:
            option, value = label.needs
            if as_text(getattr(self.rules, option)) != value:
                return False
        return len(self.header.seats) in label.players

    def _cards(self) -> Iterator[Sentence]:
        rules = self.rules
        yield self.pack()
        yield self.say(
            "From best to worst: {order}. Suits never matter.",
            "C-7",
            "C-8",
            order=self.ranks(rules.order),
        )
        for printed, rank in rules.alias.items():
            yield self.say(
                "{printed} stands for {rank}.",
                "C-9",
                printed=self.rank(printed),
                rank=self.rank(rank),
            )
        if SPANISH in rules.suit_systems:
            figures = [f"{self.rank(rank, SPANISH)} = {self.rank(rank, FRENCH)}" for rank in "KQJ"]
            yield self.say("In a Spanish pack: {figures}.", "C-9", figures=", ".join(figures))

    def _round_the_table(self) -> int:
        """How play goes round: 0 between two players, else the direction (C-2)."""
        return 0 if len(self.header.seats) == 2 else self.rules.direction

    def _deal(self) -> Iterator[Sentence]:
        rules = self.rules
        if len(self.header.seats) == 4:
            yield self.say("Four players; partners sit opposite.", "C-3")
        else:
            yield self.say("Two players.", "C-3")
        if rules.direction > 0:
            yield self.say("Deal and play go to the left, clockwise.", "C-2")
        else:
            yield self.say("Deal and play go to the right, anticlockwise.", "C-2")
        yield self.say(FIRST_DEALS[rules.first_deal], self.cite("first deal"))
        if rules.cut_order != ACE_TO_TWO and rules.first_deal != "any":
            yield self.say("In that cut the cards rank as in play.", self.cite("first deal"))
        yield self.say(CUTTERS[self._round_the_table()], "C-5")
        rule = self.cite("deal")
        yield self.say("{cards} each.", rule, cards=self.cards(rules.hand_sizes[0]))
        if rules.tap_allowed:
            sizes = " / ".join(map(str, sorted(rules.hand_sizes)))
            yield self.say(
                "The cutter may tap the pack instead of cutting it: then the dealer chooses, "
                "{sizes} cards. Not allowed when a side needs one point.",
                "TS-3",
                "TS-4",
                sizes=sizes,
            )
        yield self.say("The deal passes on after every hand.", "C-6")
        if rules.next_dealer in NEXT_DEALERS:
            yield self.say(NEXT_DEALERS[rules.next_dealer], self.cite("next dealer"))
        yield self.say("After a misdeal the same dealer deals again.", "V-7")
        times = rules.new_cards(len(self.header.seats))
        if times:
            yield self.say(
                ASKS_ONCE if times == 1 else ASKS_OFTEN,
                "L4-2" if len(self.header.seats) == 4 else "LT-4",
                "LT-5",
                times=times,
            )

    def _play(self) -> Iterator[Sentence]:
        rules = self.rules
        yield self.say(LEADERS[self._round_the_table()], "C-4")
        yield self.say(
            "Everybody plays one card. No trump, no duty to follow suit or to beat.", "C-10"
        )
        yield self.say(
            "The best card wins the trick, and its player leads the next. If both sides hold "
            "the best rank, the trick is spoiled.",
            "C-11",
            self.cite("lead"),
        )
        if len(self.header.seats) == 4:
            yield self.say(PARTNER_TIES[rules.partner_tie], self.cite("spoiled"))
        yield self.say(LEADS_AFTER_SPOILED[rules.lead_after_spoiled], self.cite("spoiled lead"))
        yield self.say(HAND_RULES[rules.hand_rule], self.cite("result"))
        if rules.third_spoiled == "void":
            yield self.say(
                "One trick each and the third spoiled: the hand is void.",
                self.cite("third spoiled"),
            )
        if rules.tap_allowed:
            yield self.say("In a one-card deal its only trick decides.", "C-14")
        yield self.say("The hand ends as soon as nothing can change its result.", "C-13")

    # --- raises ---

    def ladder(self) -> Iterator[Sentence]:
        """Offers of a new value, and of the remainder."""
        rules = self.rules
        yield self.say("A hand is worth 1 point unless raised.", "LT-10")
        yield self.say(OFFERS_IN_TURN[rules.offers_in_turn], "LT-11", self.cite("offers in turn"))
        if rules.late_call:
            yield self.say(
                "Also right after playing a card, until the next player acts.",
                self.cite("late call"),
            )
        if rules.speakers == "captains" and len(self.header.seats) == 4:
            yield self.say(
                "Only the dealer and the leader raise and answer for their sides.", "L4-4"
            )
        elif len(self.header.seats) == 4:
            yield self.say("Either opponent may answer; the first answer counts.", "L4-4")
        yield self.say(STEPS[rules.step], "LT-16")
        yield self.say(LIMITS[rules.limit_scope], "LT-16", target=rules.target)
        yield self.say(REMAINDERS[rules.remainder], "LT-17")
        if rules.remainder != "off" and rules.small_remainder:
            yield self.say(
                "It may also be offered when it is no more than the value, as a bluff.",
                "LT-17",
                "L8",
            )
        if rules.remainder != "off":
            yield self.say(
                "Once the remainder is accepted there are no more raises, and whoever wins the "
                "hand wins the game.",
                "LT-17",
            )
        if rules.reraise == "alternate":
            yield self.say("The side whose offer was accepted last may not make the next.", "LT-13")
        else:
            yield self.say(RAISES_AGAIN[rules.offers_in_turn], "LT-13")
        # Who offers is on turn, unless the call is late: then the answerer may be on turn.
        possible = rules.reraise_as_answer != "on_turn" or rules.late_call
        counter = COUNTERS[rules.reraise_as_answer if possible else "never"]
        yield self.say(counter, self.cite("counter"))
        yield self.say(
            "No: the hand is over, and the raiser scores the value before the offer.", "LT-15"
        )
        if rules.step != "any":
            yield self.say(
                "From {score}, if everything is accepted: {values}.",
                score="0–0",
                values=" ".join(_shortened(list(self._ladder_from_nothing()))),
            )
        for own, other, value in LIMIT_EXAMPLES:
            calls_off = rules.eleven and (own == rules.target - 1) != (other == rules.target - 1)
            if max(own, other) < rules.target and not calls_off:
                yield self._limit_example(own, other, value)

    def _ladder_from_nothing(self) -> Iterator[str]:
        value = 1
        while True:
            yield str(value)
            limits = raise_limits(self.rules, own=0, other=0, value=value)
            if not limits.values:
                if limits.remainder:
                    yield self.value(REMAINDER)
                return
            value = limits.values[0]

    def _limit_example(self, own: int, other: int, value: int) -> Sentence:
        limits = raise_limits(self.rules, own=own, other=other, value=value)
        allowed = [str(limit) for limit in limits.values]
        if len(allowed) > 2:
            allowed = [f"{allowed[0]} … {allowed[-1]}"]
        if limits.remainder:
            allowed.append(f"{self.value(REMAINDER)} ({self.rules.target - own})")
        return self.say(
            "At {own}–{other} and a value of {value}, a raise can go to: {allowed}.",
            "LT-16",
            own=own,
            other=other,
            value=value,
            allowed=", ".join(allowed) or "–",
        )

    def steps(self) -> Iterator[Sentence]:
        """Calls of one value each."""
        rules, calls = self.rules, self.rules.raising.calls
        yield self.say("A hand is worth 1 point unless raised.", self.cite("worth"))
        yield self.say(
            game_of(self.header.game).calls,
            *(call.rule for call in calls),
            **{call.do: call.value for call in calls},
        )
        yield self.say(CALL_TIMES[rules.call_at], self.cite("call"))
        if rules.late_call:
            yield self.say(
                "Also right after playing a card, until the next player acts.",
                self.cite("late call"),
                self.cite("too late"),
            )
        if len(calls) > 1:
            yield self.say(NEXT_CALLS[rules.reraise], self.cite("retruc"))
        answers = ANSWERERS[rules.answerer] if rules.accept_by_card else ANSWERED_IN_WORDS
        yield self.say(answers, self.cite("answerer"), self.cite("accept"))
        if rules.accept_by_card:
            yield self.say(
                "Meanwhile the caller may play, unless that card completes the trick.",
                self.cite("accept"),
            )
        yield self.say(COUNTERS[rules.reraise_as_answer], self.cite("counter"))
        yield self.say(
            "No: the hand is over, and the callers score the value before the call.",
            self.cite("reject"),
        )

    def stake(self) -> Iterator[Sentence]:
        """The trut."""
        yield self.say(
            "Anybody with a card left may trut at any moment of play, in or out of turn; once a "
            "hand.",
            "TR-8",
            "TR-9",
        )
        alone = len(self.header.seats) == 2
        sees = ALONE_TO_SEE if alone else FIRST_TO_SEE[self.rules.first_to_see]
        yield self.say(sees, self.cite("first to see"))
        yield self.say(
            "Seen: play goes on where it stopped, and a Long is at stake.", "TR-11", "TR-14"
        )
        yield self.say("Not seen: the hand is over, and the truter's side scores a Small.", "TR-11")
        if self.rules.retrut != "off":
            yield from self._retrut()

    def _retrut(self) -> Iterator[Sentence]:
        """The retrut, which is in no source (T25)."""
        yield self.say(
            "Retrut: the truter's opponents may trut back, as their answer or later in the hand, "
            "with a card left; once a hand.",
            "TR-24",
        )
        yield self.say(
            "Retrut seen: two Longs are at stake. No printed rules say what it is worth.",
            "TR-24",
        )
        yield self.say(
            "Retrut not seen: the hand is over, and the side that called it scores a Long.",
            "TR-24",
        )
        if self.rules.fortial:
            yield self.say("There is no retrut in a hand that begins at fortial.", "TR-24")

    # --- score and ends ---

    def _score(self) -> Iterator[Sentence]:
        rules = self.rules
        yield from rules.counting.chapter(self)
        if rules.eleven:
            yield self.say(
                "If only one side needs one more point, it looks at its cards before the lead: "
                "it plays for {value} without any call, or declines, and the other side scores "
                "{declined}.",
                "TS-18",
                value=rules.eleven_value,
                declined=rules.declined,
            )
            yield self.say("If both sides need one point, the hand is played as usual.", "TS-19")
        if rules.fortial:
            yield self.say(
                "Fortial: a side that needs one Small, at {score}, is asked before play, one "
                "player after the other from the dealer's left, to trut or to pass.",
                "TR-18",
                "TR-19",
                score=self.score(rules.counting.one_short(rules.target)),
            )
            yield self.say("That trut must be seen; a side that folds loses the game.", "TR-20")
            yield self.say("If all pass, the opponents score a Small.", "TR-21")
            yield self.say(
                "If both sides are at fortial there is no trut, and the hand decides the game.",
                "TR-22",
            )
        if self.header.best_of > 1:
            yield self.say("The match is the best of {n} games.", "LV-5", n=self.header.best_of)

    def points_scored(self) -> Iterator[Sentence]:
        """How points are scored."""
        rules, rule, points = self.rules, self.cite("target"), self.points(self.rules.target)
        yield self.say("The winner of the hand scores its value.", rule)
        if rules.clamp:
            yield self.say("The game is won at {points}.", rule, points=points)
            yield self.say("A score stops at the target.", self.cite("clamp"))
        else:
            yield self.say("The game is won at {points} or more.", rule, points=points)

    def tokens_scored(self) -> Iterator[Sentence]:
        """How Smalls and Longs are scored."""
        rules = self.rules
        yield self.say(
            "A hand without a trut scores a Small, one with a seen trut a Long.", "TR-13", "TR-14"
        )
        smalls = self.smalls(rules.counting.parts)
        yield self.say("{smalls} turn into a Long at once.", "TR-15", smalls=smalls)
        yield self.say("When a side gets a Long, the other side loses its Smalls.", "TR-16")
        longs = self.longs(rules.target)
        yield self.say("The game is won at {points}.", self.cite("target"), points=longs)

    def _ends(self) -> Iterator[Sentence]:
        rules = self.rules
        yield self.say("The tricks decide it.", self.cite("early end"))
        if rules.hand_rule == "trick_and_tie":
            yield self.say("One trick each and one is spoiled: nobody scores.", self.cite("result"))
        if rules.hand_rule in ("claim", "next_winner", "trick_and_tie"):
            yield self.say("All tricks are spoiled: nobody scores.", self.cite("result"))
        refused = N_("A trut is not seen.") if "trut" in rules.verbs else N_("An offer is refused.")
        yield self.say(refused, self.cite("reject"))
        if rules.eleven:
            yield self.say("The side that needs one point declines.", "TS-18")
        if rules.fortial:
            yield self.say("At fortial all pass, or the trut is not seen.", "TR-20", "TR-21")
        yield self.say("The table agrees that the hand is void.")


def _shortened(values: list[str]) -> list[str]:
    """The values of a ladder; of a long one the first ones and the last."""
    return values if len(values) <= MOST_STEPS else [*values[: MOST_STEPS - 2], "…", values[-1]]
