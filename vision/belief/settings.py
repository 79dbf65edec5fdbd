"""The settings by which the belief decides; see also ``vision.belief.costs``."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class BeliefSettings:
    """By what the belief decides. Times are seconds, lengths centimetres.

    Attributes:
        border: a card this near to the border of two sectors is whoever's that is due (V-1).
        way_cm: a card that was seen to come from so far away was thrown from there.
        onto_cm: a card that lies within this of one that was laid may have been thrown onto it.
        ask_after: a card that cannot be told is asked about after so long.
        lay_for: a card that lay so long was laid, also where it is gone before it is made out.
        lead_quiet: the deal is over when a card has lain so long where the first one is due.
        lead_after: a card that lies so long where the first one is due, though no deal was seen,
            makes the table ask for the deal.
        nobody_after: a card that lies so long before anybody else makes it ask, too; and so does a
            card that is hardly read, while nothing else comes.
        at_once: between two hands, cards that come before one seat within this time were laid at
            once: nobody leads two cards.
        shown_within: two cards that come to lie beside one another within this time, before a seat
            that is not due, were shown at once (V-14).
        hint_after: a card before a seat that is not due is spoken of after so long.
        gathers: a card that comes so long after a trick was seen last is of the next trick.
        unseen_after: after so long a card is asked for that nobody saw in a trick taken away.
        beside_cm: cards that lie within this of one another lie beside one another.
        again_cm: what looks like a card that was taken away lies within this of it, if it is that.
        double_cm: what lies within this of a card may be another outline of it (V-2).
        nothing_cm: what is hardly read within this of where people said that no card lies, is none.
        by_hand_within: a play entered by hand is of a card that came to rest since then (V-11).
        pause: cards laid down so soon after the end of a hand are no new deal.
        stays: what lies face up for so long after the end of a hand is not waited for any more.
        quiet: the deal is over when no card came for so long.
        quiet_size: the same where more than one number of cards may have been dealt.
        quiet_alone: the same where only the pack was seen to move.
        pack_moves: a pack that moves further than this was used.
        words_wait: a word that the rules do not allow yet waits so long for the card before it.
        untold_after: and so long for the word before it, which was perhaps said and not tapped.
    """

    border: float = 4.0
    way_cm: float = 12.0
    onto_cm: float = 6.0
    ask_after: float = 2.5
    lay_for: float = 0.5
    lead_quiet: float = 0.7
    lead_after: float = 6.0
    nobody_after: float = 12.0
    at_once: float = 2.0
    shown_within: float = 0.7
    hint_after: float = 0.7
    gathers: float = 1.0
    unseen_after: float = 1.6
    beside_cm: float = 8.0
    again_cm: float = 3.0
    double_cm: float = 3.0
    nothing_cm: float = 1.5
    by_hand_within: float = 8.0
    pause: float = 1.5
    stays: float = 8.0
    quiet: float = 1.2
    quiet_size: float = 2.5
    quiet_alone: float = 1.6
    pack_moves: float = 8.0
    words_wait: float = 3.0
    untold_after: float = 1.0


SETTINGS = BeliefSettings()
