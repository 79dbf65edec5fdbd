"""The sentences of the rulebook that depend on an option, by the option's value."""

from __future__ import annotations

from scorekeeper.messages import N_

LEADS_AFTER_SPOILED = {
    "leader": N_("After a spoiled trick, whoever led it leads again."),
    "last_player": N_("After a spoiled trick, whoever played its last card leads."),
    "spoiler": N_("After a spoiled trick, the last player who ties leads: who spoils unspoils."),
    "first_tied": N_("After a spoiled trick, the first player who ties leads."),
}
PARTNER_TIES = {
    "side": N_(
        "If partners play the best rank and no opponent does, their side wins the trick; the one "
        "who played it first leads."
    ),
    "spoiled": N_("If partners both play the best rank, the trick is spoiled too."),
}
HAND_RULES = {
    "claim": N_(
        "Two tricks win the hand. A spoiled trick belongs to the first side in the hand to win "
        "one, before or after it. If all are spoiled the hand is void."
    ),
    "majority": N_(
        "Most tricks win the hand; a spoiled trick counts for nobody. Equal tricks: the hand goes "
        "to the dealer's opponents."
    ),
    "next_winner": N_(
        "Two tricks win the hand. A spoiled trick goes to the next side that wins one; if none is "
        "won after it, to the first side that won one. If all are spoiled the hand is void."
    ),
    "trick_and_tie": N_(
        "Two tricks win the hand, or one if the others are spoiled. One trick each and one "
        "spoiled, or all spoiled: the hand is void."
    ),
    "first_trick": N_(
        "Most tricks win the hand; equal tricks go to the side that won one first. If all are "
        "spoiled, the hand goes to the dealer's opponents."
    ),
}
FIRST_DEALS = {
    "high": N_("For the first deal everybody cuts: the highest card deals, equal ones cut again."),
    "low": N_("For the first deal everybody cuts: the lowest card deals, equal ones cut again."),
    "any": N_("The table finds the first dealer any way it likes."),
}
STEPS = {
    "double": N_("A raise doubles the value."),
    "two": N_("The first raise goes to 2, each later one adds 2."),
    "any": N_("A raise may be of any whole amount."),
}
LIMITS = {
    "either": N_("A raise must not be able to take either side past {target}."),
    "raiser": N_("A raise must not be able to take the raiser past {target}."),
}
NEXT_DEALERS = {
    "winner": N_("After a game the next player of the side that won it deals."),
    "loser": N_("After a game the next player of the side that lost it deals."),
}
CALL_TIMES = {
    "turn": N_("The player on turn calls before playing a card."),
    "lead": N_("The player who leads a trick calls before playing a card."),
    "first": N_("The leader calls before the first card of the hand."),
}
NEXT_CALLS = {
    "alternate": N_("Retruc is for the opponents of the first caller."),
    "anyone": N_("Either side may call retruc."),
}
ANSWERED_IN_WORDS = N_("The other side answers in words, before anybody plays.")
ANSWERERS = {
    "neighbour": N_(
        "The next player after the caller answers, in words, or on turn by playing a card, which "
        "accepts."
    ),
    "side": N_(
        "Either opponent of the caller answers, in words, or on turn by playing a card, which "
        "accepts; the first answer counts."
    ),
}
ALONE_TO_SEE = N_("The other player sees the trut, or folds.")
FIRST_TO_SEE = {
    "truter": N_(
        "The opponents answer one by one from the truter's left: one who sees is enough; the "
        "side folds only if all fold."
    ),
    "dealer": N_(
        "The opponents answer one by one from the dealer's left: one who sees is enough; the "
        "side folds only if all fold."
    ),
    "either": N_("Either opponent answers for both, and the first answer counts."),
}
ASKS_ONCE = N_(
    "Before the first card or call, the leader may ask once for new cards. The dealer grants "
    "them, from the rest of the pack, or refuses."
)
ASKS_OFTEN = N_(
    "Before the first card or call, the leader may ask for new cards, up to {times} times. The "
    "dealer grants them, from the rest of the pack, or refuses, and then nobody asks again."
)
OFFERS_IN_TURN = {
    "one": N_("The player on turn may offer a raise before playing a card, once a turn."),
    "any": N_(
        "The player on turn may offer a raise before playing a card, and another after each yes."
    ),
}
RAISES_AGAIN = {
    "one": N_("Either side may raise again, on a later turn."),
    "any": N_("Either side may raise again."),
}
REMAINDERS = {
    "when_blocked": N_(
        "If no ordinary raise is possible, a player may offer the remainder: all points that the "
        "own side still needs, if they are more than the value."
    ),
    "anytime": N_(
        "Instead of any raise a player may offer the remainder: all points that the own side "
        "still needs, if they are more than the value."
    ),
    "off": N_("The remainder is not played."),
}
COUNTERS = {
    "never": N_("The answer is yes or no; nobody may answer with a raise."),
    "on_turn": N_("A player on turn may accept and raise again in one answer."),
    "always": N_("Whoever answers may accept and raise again in one answer."),
}


CUTTERS = {
    0: N_("The other player cuts the pack."),
    1: N_("The dealer's right-hand neighbour cuts the pack."),
    -1: N_("The dealer's left-hand neighbour cuts the pack."),
}
LEADERS = {
    0: N_("The player who did not deal leads the first trick."),
    1: N_("The dealer's left-hand neighbour leads the first trick."),
    -1: N_("The dealer's right-hand neighbour leads the first trick."),
}
"""Who cuts and who leads: 0 for two players, else by the direction of play (C-2)."""
