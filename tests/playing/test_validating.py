"""Validation of players: published figures of each style, on a page."""

import pytest

from mapkit.core.errors import ChoiceError
from mapkit.kinds.rail.api.validating import ValidatedFigure, Validation, validate_players, validation_page


def test_the_page_has_every_figure_with_each_style() -> None:
    rows = [
        ValidatedFigure(
            source="FAQ, RB-X01",
            says="It wins",
            published="48 to 52 %",
            styles=("a", "b"),
            values=(49.0, 52.0),
            reached=True,
        ),
        ValidatedFigure(
            source="FAQ, RB-X04",
            says="Shorter",
            published="7 to 9 %",
            styles=("a", "b"),
            values=(5.0, 6.04),
            reached=False,
        ),
    ]
    page = validation_page(Validation(matches=40, seed=3, styles=("a", "b"), figures=tuple(rows)))
    assert "`mapkit playtest validate --matches 40 --seed 3`" in page
    assert "| FAQ, RB-X01 | It wins | 48 to 52 % | 50.5 | 49.0 | 52.0 | reached |" in page
    assert "| FAQ, RB-X04 | Shorter | 7 to 9 % | 5.5 | 5.0 | 6.0 | missed |" in page


def test_a_page_of_another_format_is_refused_before_anything_is_played() -> None:
    with pytest.raises(ChoiceError, match=r"page\.html: the page is Markdown"):
        validate_players(out="page.html")
