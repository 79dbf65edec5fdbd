"""The font of the screens: its digits can be told apart across a room."""

from __future__ import annotations

from importlib.resources import files

import pytest
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont


@pytest.mark.parametrize("weight", [200, 400, 750, 800])
def test_the_zero_has_no_slash_at_any_weight(weight: int) -> None:
    with (files("webui") / "static" / "fonts" / "hyperlegible.woff2").open("rb") as stream:
        font = instantiateVariableFont(TTFont(stream), {"wght": weight})
        zero, letter = (font["glyf"][name] for name in ("zero", "O"))
        assert zero.numberOfContours == letter.numberOfContours == 2
        assert font["hmtx"]["zero"][0] != font["hmtx"]["O"][0]  # and it is no letter O
