"""Names follow the room that there is: their size, their own lines, the frame, the track below names of regions."""

from dataclasses import replace

import pytest
import shapely
from boards import shipped
from hard_cases import board_of

import mapkit
from mapkit.core.findings import Severity
from mapkit.drawing.theme.sizes import ThemeSizes
from mapkit.drawing.theme.theme import CLASSIC
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.checks import find_texts_on_track, find_texts_outside, list_placed_texts
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.page_areas import has_neatline, shrink_to_frame
from mapkit.kinds.rail.render.text.board_names import fit_dot_text_mm

SIZES = ThemeSizes()
EMPTY_LAND = board_of(
    "empty", {"Ash": (15.0, 45.0), "elm": (60.0, 45.0), "Oak": (105.0, 45.0)}, {"red": [("Ash", "elm"), ("elm", "Oak")]}
)


def test_names_of_dots_grow_in_empty_land_and_not_on_crowded_boards() -> None:
    layout = lay_out(EMPTY_LAND)
    assert layout.sizes.dot_text == SIZES.dot_text_most
    (elm,) = (spot for spot in layout.names if not spot.name.bold)
    assert elm.name.size == SIZES.dot_text_most
    assert lay_out(shipped("portugal")).sizes.dot_text == SIZES.dot_text
    least = ThemeSizes(dot_text_most=SIZES.dot_text)
    assert lay_out(EMPTY_LAND, least).sizes == least


def test_the_size_of_dots_is_between_its_bounds() -> None:
    spots = {"ash": (15.0, 45.0), "elm": (27.0, 45.0), "oak": (105.0, 45.0)}
    assert SIZES.dot_text < fit_dot_text_mm(EMPTY_LAND, spots, SIZES)["elm"] <= SIZES.dot_text_most
    assert fit_dot_text_mm(EMPTY_LAND, dict.fromkeys(spots, (15.0, 45.0)), SIZES) == {"elm": SIZES.dot_text}
    assert fit_dot_text_mm(EMPTY_LAND.model_copy(update={"mileposts": ()}), {}, SIZES) == {}


def test_each_name_is_as_large_as_its_own_room_allows() -> None:
    """The least size is that of crowded dots; a dot far from all others has the greatest."""
    (dot,) = (m for m in EMPTY_LAND.mileposts if m.kind == "dot")
    dots = tuple(dot.model_copy(update={"id": f"elm-{at}"}) for at in range(9))
    board = EMPTY_LAND.model_copy(update={"mileposts": dots})
    spots = {m.id: (15.0 + 4 * at, 45.0) for at, m in enumerate(dots)} | {"elm-8": (15.0, 300.0)}
    text_mm = fit_dot_text_mm(board, spots, SIZES)
    assert text_mm == dict.fromkeys((m.id for m in dots), SIZES.dot_text) | {"elm-8": SIZES.dot_text_most}


@pytest.mark.parametrize(("name", "most"), [("usa", 15), ("mexico", 13), ("portugal", 2)])
def test_few_names_lie_on_track(name: str, most: int) -> None:
    """It was 219, 75 and 55 names whose boxes a line touched."""
    found = find_texts_on_track(list_placed_texts(lay_out(shipped(name))), lay_out(shipped(name)))
    assert len(found) <= most
    assert not [flaw for flaw in found if flaw.of[0].startswith("region-")]


def test_a_name_on_track_is_a_note() -> None:
    findings = [f for f in mapkit.check(shipped("portugal")).findings if f.code == "R13"]
    assert {f.severity for f in findings} == {Severity.NOTE}
    assert all("a line runs over" in f.message for f in findings)


def test_a_name_of_a_region_that_track_strikes_is_found(tiny: Board) -> None:
    layout = lay_out(tiny)
    (name, *_) = layout.region_names
    line = next(iter(layout.thin_lines.values()))
    x, y = line[len(line) // 2]
    moved = replace(layout, region_names=(replace(name, box=(x - 9.0, y - 3.0, x + 9.0, y + 3.0)),))
    assert f"region-{name.region}" in {flaw.of[0] for flaw in find_texts_on_track(list_placed_texts(moved), moved)}


def test_no_name_touches_the_lines_of_the_frame() -> None:
    for name in ("usa", "portugal"):
        layout = lay_out(shipped(name))
        assert has_neatline(layout.area)
        free = shapely.box(*shrink_to_frame(layout.area))
        assert all(free.covers(text.shape) for text in list_placed_texts(layout))
    left, top, *_ = layout.area
    (first, *rest) = layout.names
    at_frame = replace(first, box=(left + 1.2, top + 9.0, left + 20.0, top + 12.0))
    moved = replace(layout, names=(at_frame, *rest))
    assert [flaw.of[0] for flaw in find_texts_outside(list_placed_texts(moved), moved)] == [first.name.key]
    assert CLASSIC.sizes == SIZES
