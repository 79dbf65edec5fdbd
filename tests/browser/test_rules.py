"""The rules are searched on a phone, also without accents."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.hall import Hall


def test_a_search_leaves_the_rules_that_say_it(hall: Hall) -> None:
    hall.desk.table("trut", "0 deal 3")
    phone = hall.open("/rules?lang=fr")
    rules, shown = phone.locator(".rulebook li"), phone.locator(".rulebook li:visible")
    everything = rules.count()
    phone.get_by_label("Chercher").fill("PLI EGALITE")
    expect(shown).not_to_have_count(everything)
    assert 0 < shown.count() < everything / 2
    for text in shown.all_inner_texts():
        assert "pli" in text.lower()
    phone.get_by_label("Chercher").fill("xylophone")
    expect(shown).to_have_count(0)
    expect(phone.get_by_role("status")).to_contain_text("Aucune")
    phone.get_by_label("Chercher").fill("")
    expect(shown).to_have_count(everything)
