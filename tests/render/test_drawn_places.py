"""The board file says where the picture has each element: the built ones agree to a tenth of a millimetre."""

import math

import numpy as np
import pytest
import shapely
from conftest import REPOSITORY
from svg_client import read_board_svg

import mapkit
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.model.board import Payoffs
from mapkit.kinds.rail.render.layout import Layout, clear_layout_cache, lay_out
from mapkit.kinds.rail.rules.rules import Rules

NEAR_MM = 0.1


@pytest.mark.parametrize("name", ["usa", "portugal", "mexico"])
def test_the_board_file_and_the_picture_agree(name: str) -> None:
    folder = REPOSITORY / "build" / name
    file = mapkit.BoardFile.model_validate_json((folder / "board.json").read_text(encoding="utf-8"))
    picture = read_board_svg((folder / "board.svg").read_text(encoding="utf-8"))
    elements = (("m", file.mileposts), ("j", file.junctions), ("c", file.cities))
    for letter, listed in elements:
        for element in listed:
            assert math.dist((element.drawn_x, element.drawn_y), picture.places[f"{letter}-{element.id}"]) < NEAR_MM
    assert len(picture.places) == sum(len(listed) for _, listed in elements)
    assert [segment.id for segment in picture.segments] == [segment.id for segment in file.segments]
    for drawn, segment in zip(picture.segments, file.segments, strict=True):
        assert np.abs(np.array(drawn.path) - np.array(segment.drawn_path)).max() < NEAR_MM


def test_the_picture_of_the_united_states_moves_mileposts_far() -> None:
    """Else nobody would need the drawn places."""
    file = mapkit.BoardFile.model_validate_json((REPOSITORY / "build/usa/board.json").read_text(encoding="utf-8"))
    assert max(math.dist((m.x, m.y), (m.drawn_x, m.drawn_y)) for m in file.mileposts) > 20


def test_a_segment_runs_along_its_pieces_from_middle_to_middle(usa: mapkit.Board) -> None:
    file = mapkit.with_drawn(usa)
    at = {m.id: (m.drawn_x, m.drawn_y) for m in file.mileposts}
    pieces = {piece.id: piece.drawn_path for piece in file.pieces}
    for segment in file.segments:
        assert math.dist(segment.drawn_path[0], at[segment.a]) < NEAR_MM
        assert math.dist(segment.drawn_path[-1], at[segment.b]) < NEAR_MM
        line = shapely.LineString(segment.drawn_path)
        for ident in segment.pieces:
            assert line.distance(shapely.LineString(pieces[ident])) < NEAR_MM
    reach = Sizes().city_side
    for piece in file.pieces:
        if piece.a in at:
            assert math.dist(piece.drawn_path[0], at[piece.a]) < reach


def test_drawn_places_are_of_the_board_as_it_is_now() -> None:
    """A variant on a board file moves what it moves in the drawing too: nothing of the file's drawing stays."""
    built = REPOSITORY / "build" / "usa" / "board.json"
    one = mapkit.with_drawn(mapkit.load(built, variants=["first-printing"], workspace=REPOSITORY))
    other = mapkit.with_drawn(mapkit.load("usa", variants=["first-printing"], workspace=REPOSITORY))
    assert one.mileposts == other.mileposts
    assert one.segments == other.segments


def test_names_are_added_to_a_layout_without(tiny: mapkit.Board) -> None:
    clear_layout_cache()
    bare = lay_out(tiny, text=False)
    assert not bare.names
    whole = lay_out(tiny)
    assert whole.names
    assert whole.lines is bare.lines
    assert lay_out(tiny, text=False) is whole or lay_out(tiny, text=False) is bare
    assert lay_out(tiny) is whole


def same_geometry(one: Layout, other: Layout) -> bool:
    """Compare what was placed; arrays and shapes by their text."""
    return all(repr(getattr(one, f)) == repr(getattr(other, f)) for f in ("names", "spots", "squares", "lines", "bars"))


def test_a_board_that_is_read_again_has_the_same_layout_and_a_moved_one_has_not(tiny: mapkit.Board) -> None:
    whole = lay_out(tiny)
    assert lay_out(mapkit.Board.model_validate_json(tiny.model_dump_json())).lines is whole.lines
    first, *others = tiny.mileposts
    moved = first.model_copy(update={"x": first.x + 0.01})
    assert lay_out(tiny.model_copy(update={"mileposts": (moved, *others)})).lines is not whole.lines
    clear_layout_cache()
    again = lay_out(tiny)
    assert again.lines is not whole.lines
    assert same_geometry(again, whole)


def test_what_is_not_drawn_does_not_change_the_layout(tiny: mapkit.Board) -> None:
    """What a board with other rules, charts and words takes from another's layout is what it would get alone."""
    other = tiny.model_copy(
        update={
            "id": "other",
            "title": "A quite long title of another board",
            "variants": ("some",),
            "rules": Rules(preset="ici"),
            "payoffs": Payoffs(cities=(), thousands=()),
            "destinations": {},
            "declared": {},
            "extensions": {"a": 1},
            "provenance": tiny.provenance.model_copy(update={"credits": ("Somebody",)}),
        }
    )
    whole = lay_out(tiny)
    taken = lay_out(other)
    assert taken.lines is whole.lines
    assert taken.board is other
    clear_layout_cache()
    alone = lay_out(other)
    assert alone.lines is not whole.lines
    assert same_geometry(alone, taken)
    assert (alone.initials, alone.region_names, alone.left_out) == (taken.initials, taken.region_names, taken.left_out)
