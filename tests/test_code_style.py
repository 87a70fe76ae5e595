"""The code does not get worse: docstrings, names, small helpers, duplicated statements, and names that nothing uses.

The limits are the figures of today, where they are not yet the target. Who lowers a figure lowers its limit.
"""

import ast
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import code_measures
import pytest
from code_measures import (
    called_once_share,
    compound_share,
    duplicated_places,
    parameters_called,
    unused_names,
    vague_share,
)

BY_LIBRARIES = {
    "mapkit/console/help.py: HelpfulCommand.collect_usage_pieces",
    "mapkit/console/help.py: HelpfulCommand.format_options",
    "mapkit/console/help.py: HelpfulGroup.format_options",
    "mapkit/formats/cells/html_tables.py: _TableParser.handle_data",
    "mapkit/formats/cells/html_tables.py: _TableParser.handle_endtag",
    "mapkit/formats/cells/html_tables.py: _TableParser.handle_starttag",
    "mapkit/formats/lines/kml.py: LimitedHandler.setDocumentLocator",
    "mapkit/formats/svg/tree.py: _Builder.comment",
    "mapkit/press/outline.py: _Pen.closePath",
    "mapkit/press/outline.py: _Pen.curveTo",
    "mapkit/press/outline.py: _Pen.moveTo",
    "mapkit/press/outline.py: _Pen.qCurveTo",
}
"""Methods that libraries call: Typer, parsers of XML and HTML, readers of fonts."""
BY_TOOLS = {
    "mapkit/kinds/rail/rules/rows.py: row_places",
    "mapkit/geography/relief.py: pack_grid",
    "mapkit/kinds/cards/rules/book.py: card_rows",
    "mapkit/kinds/rail/rules/book.py: open_matters",
    "mapkit/kinds/rail/rules/book.py: place_kinds",
}
"""Rules of the games, for the generated documents; the grid of the relief layer."""
BY_MEASUREMENTS = {
    "mapkit/kinds/rail/render/layout.py: clear_layout_cache",
    "mapkit/kinds/rail/trace/noding/joining.py: join_noded",
}
"""Layouts are timed without the cache; noded lines are joined as momepy does it, to compare."""


@pytest.mark.parametrize(
    ("share", "limit"), [(vague_share, 0.03), (called_once_share, 0.635)], ids=["vague summaries", "called once"]
)
def test_a_share_is_not_above_its_limit(share: Callable[[], float], limit: float) -> None:
    assert share() <= limit


def test_a_quarter_of_variables_have_several_words() -> None:
    assert compound_share() >= 0.25


def test_no_more_parameters_are_called_before() -> None:
    assert parameters_called("before") <= 42


def test_no_more_statements_are_duplicated() -> None:
    found = duplicated_places(3)
    assert len(found) <= 16, "\n".join(", ".join(places) for places in found)


def test_everything_in_the_package_is_used_by_it() -> None:
    """A function that only a test calls is removed with the test, or moves into the tests."""
    assert set(unused_names()) == BY_LIBRARIES | BY_TOOLS | BY_MEASUREMENTS


SMALL = """
def first(rows):
    total = sum(rows)
    mean = total / len(rows)
    return round(mean, 2)


def second(amounts):
    whole = sum(amounts)
    average = whole / len(amounts)
    return round(average, 2)


print(first([]))
"""


def test_duplicates_and_unused_names_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "mapkit" / "small.py"
    file.parent.mkdir()
    file.write_text(SMALL, encoding="utf-8")
    tree = ast.parse(SMALL)
    monkeypatch.setattr(code_measures, "REPOSITORY", tmp_path)
    monkeypatch.setattr(code_measures, "trees", lambda: {file: tree})
    monkeypatch.setattr(code_measures, "nodes", lambda: {file: list(ast.walk(tree))})
    monkeypatch.setattr(code_measures, "uses", lambda: (Counter({(file, "first"): 1}), Counter(), set()))
    assert duplicated_places(3) == [["mapkit/small.py:3", "mapkit/small.py:9"]]
    assert list(unused_names()) == ["mapkit/small.py: second"]
