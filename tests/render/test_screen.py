"""The board for the screen: the same shapes as the printed one, at the places of the true map."""

import re
from importlib.resources import as_file, files
from xml.etree import ElementTree as ET

import pytest
from board_helpers import open_folder

from mapkit.drawing.recorded_page import RecordedPage, Shapes
from mapkit.drawing.svg_page import SvgPage
from mapkit.drawing.theme.theme import CLASSIC, THEMES, Theme
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.ground.ground_layers import draw_ground
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.lines.crossings import draw_bridges
from mapkit.kinds.rail.render.lines.tracks import draw_railroads
from mapkit.kinds.rail.render.screen.page_warp import find_cached_warp, solve_page
from mapkit.kinds.rail.render.screen.parts import draw_ground_part, get_track_part
from mapkit.kinds.rail.render.symbols import draw_symbols
from mapkit.kinds.rail.render.text.name_layer import draw_names, draw_region_names

SVG = "{http://www.w3.org/2000/svg}"
CIRCLE = re.compile(r"M(\S+),(\S+) a(\S+),")


@pytest.fixture(scope="module")
def example_board() -> Board:
    """The small example of a new workspace."""
    with as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as folder:
        return compile_document(open_folder(folder), board_id="example").board


def recorded(layout: Layout, theme: Theme) -> Shapes:
    page = RecordedPage(theme, LAYERS)
    draw_ground(page, layout.board, layout.ground, layout.warp)
    draw_railroads(page, layout)
    draw_bridges(page, layout)
    draw_symbols(page, layout)
    draw_region_names(page, layout)
    draw_names(page, layout)
    return page.shapes(LAYERS)


def printed(page: SvgPage) -> list[str]:
    """Return path data and texts of a printed board in their order; of a circle its radius."""
    out: list[str] = []
    root = ET.fromstring(page.to_text())  # noqa: S314 - written here
    texts = {element.get("id"): element for element in root.iter(f"{SVG}text")}
    for used in root.iter():
        element = texts[used.get("{http://www.w3.org/1999/xlink}href", "")[1:]] if used.tag == f"{SVG}use" else used
        if element.tag == f"{SVG}path" and element.get("class") != "segment" and element.get("fill-opacity") != "0":
            out.append(element.get("d", ""))
        elif used.tag == f"{SVG}use":
            out += [text.rstrip() for text in element.itertext() if text.strip()]
        elif element.tag in (f"{SVG}tspan", f"{SVG}text") and (element.text or "").strip():
            out.append((element.text or "").rstrip())
        elif element.tag == f"{SVG}circle":
            out.append(f"circle {element.get('r')}")
    return out


@pytest.mark.parametrize("theme", ["classic", "print"])
def test_a_recorded_board_has_the_shapes_of_the_printed_one_in_their_order(usa: Board, theme: str) -> None:
    layout = lay_out(usa, THEMES[theme].sizes)
    found = recorded(layout, THEMES[theme])
    shapes = []
    for shape in found["shapes"]:
        d = shape.get("d", "")
        circle = CIRCLE.match(d)
        shapes.append(f"circle {circle[3]}" if circle else d or shape["text"])
    boxes = {d for d in shapes if re.fullmatch(r"M\S+ L\S+ \S+ \S+Z", d)}
    wanted = printed(draw_board(layout, theme=THEMES[theme], legend=False))
    assert [d for d in shapes if d not in boxes] == [d for d in wanted if d not in boxes]
    assert len(shapes) > 2000


def test_symbols_stand_where_the_projection_puts_them_and_lines_join_them(example_board: Board) -> None:
    part = get_track_part(example_board, CLASSIC)
    circles = [CIRCLE.match(shape.get("d", "")) for shape in part.layers["symbols"]["shapes"]]
    drawn = {(float(c[1]) + float(c[3]), float(c[2])) for c in circles if c}
    dots = [m for m in example_board.mileposts if m.kind == "dot"]
    for dot in dots:
        assert min(abs(x - dot.x) + abs(y - dot.y) for x, y in drawn) < 0.02
    at = {m.id: (m.x, m.y) for m in example_board.mileposts}
    assert part.lines.keys() == {s.id for s in example_board.segments}
    for segment in example_board.segments:
        for end, place in ((segment.a, part.lines[segment.id][0]), (segment.b, part.lines[segment.id][-1])):
            assert abs(at[end][0] - place[0]) + abs(at[end][1] - place[1]) < 0.02


def test_the_printed_page_has_symbols_where_a_drawing_has_them_and_keeps_them_there(usa: Board) -> None:
    layout = lay_out(usa, CLASSIC.sizes, text=False)
    warp = solve_page(usa, CLASSIC.sizes)
    assert find_cached_warp(warp.digest) is not None
    assert find_cached_warp("0" * 16) is None

    def circles(board: Board) -> set[tuple[float, float]]:
        found = [CIRCLE.match(s.get("d", "")) for s in get_track_part(board, CLASSIC, warp).layers["symbols"]["shapes"]]
        return {(round(float(c[1]) + float(c[3]), 1), round(float(c[2]), 1)) for c in found if c}

    drawn = circles(usa)
    dots = {m.id: (round(layout.spots[m.id][0], 1), round(layout.spots[m.id][1], 1)) for m in usa.mileposts}
    near = [m for m in usa.mileposts if m.kind == "dot" and not _has(drawn, dots[m.id])]
    assert near == []
    first, *others = usa.mileposts
    moved = usa.model_copy(update={"mileposts": (first.model_copy(update={"x": first.x + 2}), *others)})
    assert len(circles(moved) - drawn) <= 1 + len(usa.junctions)


def test_the_legend_is_on_the_printed_page_alone(usa: Board) -> None:
    warp = solve_page(usa, CLASSIC.sizes)
    page, plain = (
        {shape["text"] for shape in part.layers["symbols"]["shapes"] if "text" in shape}
        for part in (get_track_part(usa, CLASSIC, warp), get_track_part(usa, CLASSIC))
    )
    assert {railroad.short for railroad in usa.railroads} <= page
    assert plain == set()


def _has(places: set[tuple[float, float]], place: tuple[float, float]) -> bool:
    return any(abs(x - place[0]) + abs(y - place[1]) < 0.25 for x, y in places)


def test_a_part_is_made_again_only_when_something_that_it_shows_has_changed(example_board: Board) -> None:
    ground, track = draw_ground_part(example_board, CLASSIC), get_track_part(example_board, CLASSIC)
    same = example_board.model_copy(update={"destinations": {}, "title": "Another"})
    assert draw_ground_part(same, CLASSIC) is ground
    assert get_track_part(same, CLASSIC) is track
    first, *others = example_board.railroads
    red = first.model_copy(update={"style": first.style.model_copy(update={"colour": "#ee1122"})})
    repainted = example_board.model_copy(update={"railroads": (red, *others)})
    assert draw_ground_part(repainted, CLASSIC) is ground
    strokes = [paint.get("stroke") for paint in get_track_part(repainted, CLASSIC).layers["lines"]["paints"]]
    assert "#ee1122" in strokes
    assert get_track_part(repainted, CLASSIC).digest != track.digest
    region, *rest = example_board.regions
    tinted = example_board.model_copy(update={"regions": (region.model_copy(update={"colour": "#123456"}), *rest)})
    assert draw_ground_part(tinted, CLASSIC).digest != ground.digest


def test_a_theme_has_colours_of_its_own(example_board: Board) -> None:
    fills = {
        name: {paint.get("fill") for paint in draw_ground_part(example_board, THEMES[name]).layers["ground"]["paints"]}
        for name in ("classic", "dark")
    }
    assert THEMES["classic"].land in fills["classic"]
    assert THEMES["dark"].land in fills["dark"]
    assert fills["classic"].isdisjoint(fills["dark"] - {None})
