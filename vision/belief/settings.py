"""Times and lengths by which the belief decides; see also ``vision.belief.costs``."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class BeliefSettings:
    """By what the belief decides. Times are seconds, lengths centimetres.

    Attributes:
        border: a card less than this from the border between two sectors may be of whoever is due
            (V-1).
        way_cm: a card that was first seen at least this far from where it lies was seen to come.
        onto_cm: a card less than this from one that lay there may have been thrown onto it.
        ask_after: the table asks about a card that has lain there undecided for so long.
        lay_for: a card that lay there for so long was laid, even if it is gone before it is decided
            about.
        lead_quiet: the deal is over when a card has lain for so long where the first one is due.
        lead_after: if a card lies for so long where the first one is due, and the deal is not
            known, the table asks about the deal. It asks about a card exposed in dealing after the
            same time.
        nobody_after: the same if the card lies before another seat, or if no backs were seen. The
            table also asks about a card that is hardly read when nothing else came for so long.
        at_once: between two hands, cards that come before one seat within this time were laid at
            once: nobody leads two cards.
        shown_within: two cards that come to lie beside one another within this time, before a seat
            that is not due, were shown at once (V-14).
        hint_after: a hint is given of a card before a seat that is not due after so long.
        gathers: a card that comes so long after a trick was seen last is of the next trick.
        unseen_after: if a trick was taken away for so long, and one of its cards was not seen, the
            table asks for that card.
        beside_cm: cards closer than this lie beside one another.
        again_cm: a card no further than this from where a like one was taken away is the same one.
        double_cm: what lies closer than this to a card may be a second outline of it (V-2).
        nothing_cm: what is hardly read no further than this from where people said that no card
            lies, is none.
        by_hand_within: a play entered by hand may be of a card that came to rest up to so long
            before (V-11).
        pause: cards laid down so soon after the end of a hand are no new deal.
        stays: a card that has lain face up for so long since the end of a hand is no longer waited
            for: the table counts as bare.
        quiet: the deal is over when no card came for so long.
        quiet_size: the same if more than one number of cards may have been dealt.
        quiet_alone: the same if only the pack was seen to move.
        pack_moves: if the pack moves further than this, it was used.
        words_wait: a word that the rules do not allow yet waits so long for the card before it.
        untold_after: and so long for the word before it, which may have been said and not tapped
            (V-22).
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
