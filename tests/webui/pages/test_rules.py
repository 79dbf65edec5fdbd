"""The page with the rules of the table; where a rule is cited, a link leads to it."""

from __future__ import annotations

import re

import pytest

from scorekeeper.games.rules import GAMES
from scorekeeper.text.i18n import LANGUAGES
from tests.webui.evening import finish, say
from tests.webui.phones import Phone, begin
from webui.app import create_app

LINK = re.compile(r'<a class="rules" href="([^"#]+)#([^"]+)">')


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_those_of_the_table_in_every_language(room, game, code) -> None:
    begin(room, game)
    phone = Phone(create_app(room))
    page = phone.page(f"/rules?lang={code}")
    order = re.search(r'<p class="order".*?</p>', page, re.DOTALL)
    assert order is not None
    assert order[0].count('class="card') == len(GAMES[game].rules.order)
    assert len(re.findall("<li>", page)) > 20
    ids = re.findall(r'<a class="rules" id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 10
    names = re.findall(r"\b[a-z]+_[a-z_]+\b", re.sub(r"<[^>]*>", " ", page))
    assert not names, "an option is called by the name that records have"
    assert "/rules" in phone.page("/")


def test_house_rules_are_told_and_another_match_keeps_its_own(room) -> None:
    begin(room, "le_truc_ace")
    first = room.table.match_id
    finish(room)
    begin(room, "le_truc_ace", variants=("to_16",))
    phone = Phone(create_app(room))
    assert "16" in phone.page("/rules")
    assert "reaches 16" not in phone.page(f"/rules/{first}")
    assert phone.get("/rules/999").status_code == 404
    assert phone.get("/rules?game=bridge").status_code == 404
    trut = phone.page("/rules?game=trut")
    assert "Trut" in trut
    assert "Longs to win: 7. Also possible: any number from 1 to 999." in trut
    assert "such as C-8, number the rules" in trut


def test_a_rule_that_is_cited_leads_to_its_words(room) -> None:
    begin(room, "le_truc_ace")
    match_id = room.table.match_id
    say(room, "0 deal 3", "1 i_play", "1 play KS", "0 play KH", "1 play 9S", "0 play 8S")
    phone = Phone(create_app(room))
    cited = LINK.findall(phone.page(f"/match/{match_id}"))
    assert len({rule for _, rule in cited}) >= 3
    for path, rule in cited:
        page = phone.page(path)
        assert f'id="{rule}"' in page or rule in ("C-12", "L4-7", "LT-6", "LV-5"), rule
