"""The audit of names finds each kind of flaw, and none on the shipped boards."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import mapkit
from mapkit.drawing.colours.colour import contrast, mix_colours
from mapkit.drawing.colours.legibility import mix_until_legible
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.drawing.theme.theme import CLASSIC, THEMES, Theme
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.checks import Fault, NameFlaw, find_faint_names, find_flaws, list_placed_texts
from mapkit.kinds.rail.render.layout import Layout, lay_out

REPOSITORY = Path(__file__).resolve().parents[2]


def audit_names(layout: Layout, theme: Theme) -> list[NameFlaw]:
    """Return all flaws of a board's text in one theme."""
    return [
        *(flaw for fault in get_args(Fault) if fault != "faint" for flaw in find_flaws(layout, fault)),
        *find_faint_names(layout, theme),
    ]


@pytest.fixture(scope="module")
def layout(usa: Board) -> Layout:
    return lay_out(usa)


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_shipped_boards_have_no_flaw_in_any_theme(name: str) -> None:
    board = mapkit.load(name, workspace=REPOSITORY)
    for theme in THEMES.values():
        # lines run over a few names of crowded boards; tests/render/test_room.py says over how many
        assert [f for f in audit_names(lay_out(board, theme.sizes), theme) if f.fault != "on-track"] == []


def faults(layout: Layout, theme: Theme = CLASSIC) -> set[tuple[str, tuple[str, ...]]]:
    return {(flaw.fault, flaw.of) for flaw in audit_names(layout, theme)}


def test_a_name_moved_onto_another_is_found(layout: Layout) -> None:
    one, other, *rest = layout.names
    moved = replace(other, box=one.box)
    found = faults(replace(layout, names=(one, moved, *rest)))
    assert ("overlap", (one.name.key, other.name.key)) in found


def test_a_name_over_a_dot_is_found(layout: Layout) -> None:
    first, *rest = layout.names
    dot = next(m for m in layout.board.mileposts if m.kind == "dot")
    x, y = layout.spots[dot.id]
    moved = replace(first, box=(x - 5, y - 1, x + 5, y + 1))
    assert ("over-symbol", (first.name.key,)) in faults(replace(layout, names=(moved, *rest)))


def test_a_name_over_the_edge_is_found(layout: Layout) -> None:
    first, *rest = layout.names
    left, top, right, bottom = first.box
    moved = replace(first, box=(left - 2000, top, right - 2000, bottom))
    assert ("outside", (first.name.key,)) in faults(replace(layout, names=(moved, *rest)))


def test_small_text_is_found(usa: Board) -> None:
    found = faults(lay_out(usa, ThemeSizes(dot_text=2.1, dot_text_most=2.1)))
    assert {fault for fault, _ in found} - {"on-track"} == {"small"}
    assert ("small", ("m-altoona-pa",)) in found


def test_characters_without_a_glyph_are_found(layout: Layout) -> None:
    first, *rest = layout.names
    renamed = replace(first, name=replace(first.name, text="京都"))
    assert ("missing-glyph", (first.name.key,)) in faults(replace(layout, names=(renamed, *rest)))


def test_a_city_without_a_name_is_found(layout: Layout) -> None:
    gone = layout.names[0].name.key
    assert ("no-name", (gone,)) in faults(replace(layout, names=layout.names[1:]))


def test_faint_text_is_found(layout: Layout) -> None:
    grey = CLASSIC.model_copy(update={"ink": "#9a9a9a"})
    kinds = {of[0].split("-")[0] for fault, of in faults(layout, grey) if fault == "faint"}
    assert {"c", "region", "rr"} <= kinds


def test_every_text_of_the_map_is_looked_at(layout: Layout) -> None:
    count = len(layout.names) + len(layout.initials) + len(layout.region_names)
    assert len(list_placed_texts(layout)) == count
    assert count > 600


def test_contrast_as_the_standard_has_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert mix_colours("#ffffff", "#000000", 0.5) == "#808080"
    assert mix_until_legible("#1b1b1b", ("#ffffff",), "#000000") == "#1b1b1b"
    yellow = mix_until_legible("#f2c12e", ("#ffffff",), "#1b1b1b")
    assert 4.5 <= contrast(yellow, "#ffffff") < 5.2


def test_letters_that_the_font_lacks_are_found_in_names_title_and_railroads(tiny: Board) -> None:
    """In scripts from the right and of East Asia; Greek and Cyrillic letters are in the font."""
    cities = tuple(
        c.model_copy(update={"name": {"ash": "東京", "elm": "אשדוד", "dale": "Αθήνα"}.get(c.id, c.name)})
        for c in tiny.cities
    )
    first, *rest = tiny.railroads
    board = tiny.model_copy(
        update={"cities": cities, "title": "日本", "railroads": (first.model_copy(update={"name": "中央線"}), *rest)}
    )
    found = {f.message.partition(": ")[0]: f for f in mapkit.check(board).findings if f.code == "R05"}
    assert sorted(found) == sorted(["the title '日本'", "'東京'", "'אשדוד'", "the railroad '中央線'"])
    assert "the font Fira Sans Condensed has no 京東; another font or a box will replace it" in found["'東京'"].message
