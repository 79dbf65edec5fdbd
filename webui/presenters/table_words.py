"""Short texts of screens: whom everybody waits for, and the words of buttons."""

from __future__ import annotations

from scorekeeper.engine.state import Phase
from scorekeeper.messages import N_

HEADLINES = {
    Phase.CUT: N_("{who} cuts the pack"),
    Phase.DEAL_SIZE: N_("{who} deals: one card or three?"),
    Phase.DEALING: N_("{who} deals"),
    Phase.REDEAL_ASK: N_("{who} plays, or asks for new cards"),
    Phase.REDEAL_ANSWER: N_("{who}: new cards, yes or no?"),
    Phase.ELEVEN: N_("{who}: play or decline?"),
    Phase.FORTIAL: N_("{who}: trut or pass?"),
    Phase.FORTIAL_ANSWER: N_("{who}: see or fold?"),
    Phase.PLAY: N_("{who} to play"),
    Phase.RAISE_ANSWER: N_("{who}: yes or no?"),
    Phase.TRUT_ANSWER: N_("{who}: see or fold?"),
    Phase.HAND_OVER: N_("{who} deals next"),
    Phase.MATCH_OVER: N_("The match is over"),
}
"""What everybody waits for, in words that are short enough for a TV."""

QUESTIONS = {
    "raise": N_("{who} raises. {asked}: play for {value}?"),
    "remainder": N_("{who} raises. {asked}: play for {value}?"),
    "truc": N_("{who} calls truc. {asked}: play for {value}?"),
    "retruc": N_("{who} calls retruc. {asked}: play for {value}?"),
    "put": N_("{who} puts. {asked}: play for {value}?"),
    "trut": N_("{who} truts. {asked}: see or fold?"),
    "retrut": N_("{who} retruts. {asked}: see or fold?"),
}
"""What is asked of whom while a call waits for its answer."""

LABELS = {
    "ask": N_("Ask for new cards"),
    "i_play": N_("Keep these cards"),
    "grant": N_("Grant new cards"),
    "refuse": N_("Refuse new cards"),
    "play_on": N_("We play"),
    "decline": N_("We decline"),
    "remainder": N_("Play for the remainder"),
    "put": N_("I put"),
    "reject": N_("Refuse"),
    "lie_down": N_("Fold"),
}
"""The words of buttons that say more than the verb of their event."""
