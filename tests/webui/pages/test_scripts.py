"""The scripts of a page share their top-level names, so no name may be used twice."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

WEBUI = Path(__file__).parents[3] / "webui"
TEMPLATES, STATIC = WEBUI / "templates", WEBUI / "static"
_LOADED = re.compile(r"""filename=['"]([\w.]+\.js)['"]""")
_JOINED = re.compile(r"""\{% (?:extends|include|import|from) ['"]([\w/.]+)['"]""")
_NAMED = re.compile(r"^(?:async )?(?:function\*?|const|let|var|class) (\w+)", re.MULTILINE)


def scripts_of(template: Path) -> list[str]:
    """The scripts that a page loads, by its own template and the templates that it uses."""
    text = template.read_text(encoding="utf-8")
    found = [name for name in _LOADED.findall(text) if ".min." not in name]
    for other in _JOINED.findall(text):
        found += scripts_of(TEMPLATES / other)
    return found


@pytest.mark.parametrize("template", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.stem)
def test_no_two_scripts_of_a_page_share_a_name(template: Path) -> None:
    scripts = dict.fromkeys(scripts_of(template))
    names = [name for one in scripts for name in _NAMED.findall((STATIC / one).read_text("utf-8"))]
    assert [name for name, times in Counter(names).items() if times > 1] == []
