"""Templates translate with ``_`` and ``ngettext`` into the language of the page."""

from __future__ import annotations

import datetime

import pytest
from flask import render_template_string

from scorekeeper.text.i18n import language

DAY = datetime.date(2026, 11, 24)


@pytest.mark.parametrize(
    ("template", "code", "drawn"),
    [
        pytest.param("{{ _('Undo') }}", "en", "Undo", id="an English message is its own word"),
        pytest.param("{{ _('Undo') }}", "ca", "Desfer", id="another language's"),
        pytest.param(
            "{{ _('%(name)s deals', name='<b>') }}",
            "en",
            "&lt;b&gt; deals",
            id="fields are escaped",
        ),
        pytest.param(
            "{{ ngettext('%(num)d to go', '%(num)d to go', 1) }}", "en", "1 to go", id="a number"
        ),
        pytest.param("{{ day|dateformat }}", "es", "24 nov 2026", id="a date"),
        pytest.param(
            "{{ day|dateformat('full') }}", "fr", "mardi 24 novembre 2026", id="a whole date"
        ),
    ],
)
def test_a_template_says_what_its_catalogue_has(app, template, code, drawn):
    """The language of the page counts, not that of the visitor's request."""
    with app.test_request_context("/"):
        page = render_template_string(template, day=DAY, language=code, catalogue=language(code))
    assert page == drawn
