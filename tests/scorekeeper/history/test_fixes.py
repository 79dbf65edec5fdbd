"""Tokens of corrections that phones send back: forged ones are refused."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.engine.header import Header
from scorekeeper.engine.said import Source
from scorekeeper.errors import RuleError, StaleAppend
from scorekeeper.history.corrections import standing
from scorekeeper.history.fixes import carry_out
from scorekeeper.history.repairs import repairs
from scorekeeper.storage.ledger import Ledger
from scorekeeper.storage.table import Table
from tests.scorekeeper.page import HAND, Page, labelled, said
from tests.scorekeeper.talk import LT_ACE, NAMES, event


@pytest.mark.parametrize(
    "token",
    [
        None,
        [],
        {},
        {"fix": "burn"},
        {"fix": "remove"},
        {"fix": "remove", "seq": True},
        {"fix": "remove", "seq": 99},
        {"fix": "undo", "seq": "1"},
        {"fix": "insert", "seq": 2, "events": []},
        {"fix": "insert", "seq": 2, "events": 7},
        {"fix": "insert", "seq": 2, "events": [{"do": "undo"}]},
        {"fix": "insert", "seq": 2, "events": [{"do": "trut", "seat": 0}]},
        {"fix": "insert", "seq": 2, "events": [{"do": "play", "seat": 9, "card": "KS"}]},
        {"fix": "replace", "seq": 2, "events": []},
        {"fix": "replace", "seq": None, "events": [{"do": "play", "seat": 1, "card": "KS"}]},
        {"fix": "replace", "seq": 2, "events": [{"do": "play", "seat": 1, "card": "2S"}]},
        {"fix": "take_back"},
        {"fix": "take_back", "group": "x"},
    ],
)
def test_a_forged_token_is_refused(token: Any) -> None:
    page = Page(LT_ACE, HAND)
    with pytest.raises(RuleError):
        carry_out(page.match, page.events, token)


def test_remarks_of_a_token_are_not_believed() -> None:
    page = Page(LT_ACE, "0 deal 3, 1 play KS")
    forged = {"_who": "Ana", "_again": 1, "_at": "2020-01-01T00:00:00.000Z", "_suit": "x"}
    play = {"do": "play", "seat": 1, "card": "QS", **forged}
    made = carry_out(page.match, page.events, {"fix": "replace", "seq": 2, "events": [play]})
    assert set(made.events[-1].remarks) == {"_group"}


def test_a_stale_repair_is_refused_by_the_table(ledger: Ledger) -> None:
    header = Header(game=LT_ACE, seats=NAMES[:2])
    table = Table.begin(ledger, header, source=Source.OPERATOR)
    table.say(*said("0 deal 3, 1 play KS"), seen=0, source=Source.CAMERA)
    moment, events = table.log()
    offer = labelled(repairs(moment.match, events, 2, "en"), "Bea plays Q♠")
    table.say(event("0 play 9H"), seen=2, source=Source.CAMERA)
    now, events = table.log()
    made = carry_out(now.match, events, offer.fix.to_json())
    with pytest.raises(StaleAppend):
        table.say(*made.events, seen=moment.seq, source=Source.PHONE, who="Bea")
    table.say(*made.events, seen=now.seq, source=Source.PHONE, who="Bea")
    assert [str(one.event.card) for one in standing(table.log()[1])[1:]] == ["QS", "9H"]
