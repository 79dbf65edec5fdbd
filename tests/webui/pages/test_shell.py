"""What a phone may cache: names, icons, style and scripts, and nothing of the table."""

from __future__ import annotations

import json
import re

import pytest

from scorekeeper.text.i18n import LANGUAGES


def test_a_home_screen_gets_its_manifest_and_icons(client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json(force=True)
    assert manifest["start_url"].startswith("/")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        with client.get(icon["src"]) as found:
            assert (found.status_code, found.mimetype) == (200, icon["type"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_service_worker_keeps_files_that_are_there_and_no_page_of_the_table(
    client, language
) -> None:
    answer = client.get(f"/worker.js?lang={language}")
    assert answer.mimetype == "text/javascript"
    kept = re.findall(r'^  ("/static/[^"]+"),$', answer.text, re.M)
    assert len(kept) > 8
    for link in map(json.loads, kept):
        with client.get(link) as found:
            assert found.status_code == 200, link
    assert f'href="{json.loads(next(one for one in kept if "trucam.css" in one))}"' in client.page(
        "/"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_when_the_table_does_not_answer(client, language) -> None:
    assert "offline.js" in client.page(f"/offline?lang={language}")
