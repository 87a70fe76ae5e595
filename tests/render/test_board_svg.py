"""The drawn board: the whole graph is in it, it keeps to its profile, and nobody's name covers another's."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from svg_client import SVG, DrawnBoard, read_board_svg

from mapkit.core.errors import WorkspaceError
from mapkit.drawing.svg_file import fit_window, read_picture
from mapkit.drawing.text_extent import text_extent
from mapkit.drawing.text_width import text_width
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.layout import lay_out

BOARDS = ("usa", "tiny")
FEATURES = {
    "svg", "title", "desc", "defs", "clipPath", "g", "path", "rect", "circle", "text", "tspan", "use",
}  # fmt: skip
OLD_READERS_FAIL_ON = (
    "rgba(", "hsl(", "var(", "paint-order", "dominant-baseline", "mix-blend-mode", " href=", "<style", "<script",
)  # fmt: skip


@pytest.fixture(scope="module")
def drawings(usa: Board) -> dict[str, tuple[Board, str]]:
    from tiny import tiny_board  # noqa: PLC0415

    return {board.id: (board, render_board(board)) for board in (usa, tiny_board())}


@pytest.fixture(params=BOARDS)
def drawing(request: pytest.FixtureRequest, drawings: dict[str, tuple[Board, str]]) -> tuple[Board, str]:
    name: str = request.param
    return drawings[name]


@pytest.fixture
def tree(drawing: tuple[Board, str]) -> ET.Element:
    return ET.fromstring(drawing[1].encode())  # noqa: S314 - our own text


def test_the_whole_graph_is_in_the_svg(drawing: tuple[Board, str]) -> None:
    board, text = drawing
    read: DrawnBoard = read_board_svg(text)
    assert read.id == board.id
    assert read.regions == board.regions
    assert read.mileposts == board.mileposts
    assert read.cities == board.cities
    assert read.railroads == board.railroads
    assert read.junctions == board.junctions
    assert [(p.id, p.railroad, p.a, p.b, p.miles) for p in read.pieces] == [
        (p.id, p.railroad, p.a, p.b, p.miles) for p in board.pieces
    ]
    assert [(s.id, s.railroad, s.a, s.b, s.miles, s.pieces) for s in read.segments] == [
        (s.id, s.railroad, s.a, s.b, s.miles, s.pieces) for s in board.segments
    ]


def test_each_segment_is_drawn_from_milepost_to_milepost(drawing: tuple[Board, str]) -> None:
    board, text = drawing
    spots = lay_out(board).spots
    for segment in read_board_svg(text).segments:
        assert segment.path[0] == pytest.approx(spots[segment.a], abs=0.01)
        assert segment.path[-1] == pytest.approx(spots[segment.b], abs=0.01)


def test_ids_are_unique_and_long_enough(tree: ET.Element) -> None:
    ids = [e.attrib["id"] for e in tree.iter() if "id" in e.attrib]
    assert [i for i, count in Counter(ids).items() if count > 1] == []
    assert [i for i in ids if len(i) < 3] == []


def test_layers_stand_in_the_stated_order(tree: ET.Element) -> None:
    assert [g.get("id") for g in tree if g.get("class") == "layer"] == [f"layer-{name}" for name in LAYERS]


def test_elements_are_in_their_layers(drawing: tuple[Board, str], tree: ET.Element) -> None:
    board, _ = drawing
    layer_of = {
        e.attrib["id"]: g.attrib["id"] for g in tree if g.get("class") == "layer" for e in g.iter() if "id" in e.attrib
    }
    for prefix, layer, elements in (
        ("region", "regions", board.regions),
        ("rr", "lines", board.railroads),
        ("s", "lines", board.segments),
        ("j", "junctions", board.junctions),
        ("m", "mileposts", board.mileposts),
        ("c", "cities", board.cities),
        ("legend-rr", "legend", board.railroads),
    ):
        assert {layer_of.get(f"{prefix}-{element.id}") for element in elements} <= {f"layer-{layer}"}


def test_people_who_listen_hear_title_and_description(drawing: tuple[Board, str], tree: ET.Element) -> None:
    board, _ = drawing
    assert tree.get("role") == "img"
    texts = {e.get("id"): e.text or "" for e in tree if e.tag in {f"{SVG}title", f"{SVG}desc"}}
    assert list(texts) == (tree.get("aria-labelledby") or "").split()
    assert board.title in texts["board-title"]
    assert all(region.name in texts["board-description"] for region in board.regions)


def test_page_is_in_millimetres(drawing: tuple[Board, str], tree: ET.Element) -> None:
    page = drawing[0].page
    assert (tree.get("width"), tree.get("height")) == (f"{page.width:g}mm", f"{page.height:g}mm")
    assert tree.get("viewBox") == f"0 0 {page.width:g} {page.height:g}"


def test_each_name_is_there_once_and_takes_no_clicks(tree: ET.Element) -> None:
    """A halo repeats its name, which is silent, for the symbol has it as title."""
    (labels,) = (e for e in tree.iter() if e.get("id") == "layer-labels")
    texts = {f"#{e.get('id')}" for e in labels.iter(f"{SVG}text")}
    repeated = [e.get("{http://www.w3.org/1999/xlink}href") for e in labels.iter(f"{SVG}use")]
    assert len(repeated) == len(set(repeated)) == len(texts)
    assert set(repeated) == texts
    assert {(g.get("pointer-events"), g.get("aria-hidden")) for g in labels} == {("none", "true")}
    titled = {e.get("id") for e in tree.iter() if e.find(f"{SVG}title") is not None}
    names = [e for e in labels.iter(f"{SVG}text") if e.get("class") == "label"]
    assert {e.get("data-of") for e in names} <= titled


def test_layers_are_those_of_inkscape(tree: ET.Element) -> None:
    inkscape = "{http://www.inkscape.org/namespaces/inkscape}"
    layers = [e for e in tree if e.get("class") == "layer"]
    assert [e.get(f"{inkscape}label", "").lower() for e in layers] == [e.get("id", "")[6:] for e in layers]
    assert {e.get(f"{inkscape}groupmode") for e in layers} == {"layer"}


def test_the_board_of_a_bundle_fits_the_window_and_prints_at_its_size(drawing: tuple[Board, str]) -> None:
    board, svg = drawing
    fitting = fit_window(svg)
    root = read_picture(fitting).root
    assert (root.get("width"), root.get("height")) == (None, None)
    assert root.get("viewBox") == f"0 0 {board.page.width:g} {board.page.height:g}"
    assert len(fitting) > len(svg) - 40
    picture = read_picture(fitting)
    assert (picture.width, picture.height) == (board.page.width, board.page.height)


def test_only_features_that_old_readers_know(drawing: tuple[Board, str], tree: ET.Element) -> None:
    assert {e.tag.removeprefix(SVG) for e in tree.iter()} <= FEATURES
    assert [word for word in OLD_READERS_FAIL_ON if word in drawing[1]] == []
    colours = {e.get(key, "none") for e in tree.iter() for key in ("fill", "stroke")}
    assert [c for c in colours if c != "none" and not re.fullmatch(r"#[0-9a-f]{6}", c)] == []
    assert re.findall(r"[ML ,]-?\d+\.\d{3,}", "".join(e.get("d", "") for e in tree.iter())) == []


def test_same_board_same_text(drawing: tuple[Board, str]) -> None:
    board, text = drawing
    assert render_board(board) == text


def boxes(tree: ET.Element) -> dict[str, tuple[float, float, float, float]]:
    """Return the box of each name on the map, from the text alone; of two rows, that of both."""
    found: dict[str, tuple[float, float, float, float]] = {}
    for group in tree.iter(f"{SVG}g"):
        for text in group.findall(f"{SVG}text"):
            if text.get("class") != "label":
                continue
            size = float(group.attrib["font-size"])
            rows = text.findall(f"{SVG}tspan") or [text]
            parts = []
            for row in rows:
                words = (row.text or "").rstrip()
                width = text_width(words, size, bold=group.get("font-weight") == "bold")
                x, y = float(row.attrib["x"]), float(row.attrib["y"])
                left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")] * width
                up, down = text_extent(words, size)
                parts.append((left, y - up, left + width, y + down))
            lefts, tops, rights, bottoms = zip(*parts, strict=True)
            found[text.attrib["data-of"]] = (min(lefts), min(tops), max(rights), max(bottoms))
    return found


def overlaps(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_no_name_covers_another(tree: ET.Element) -> None:
    names = sorted(boxes(tree).items())
    assert [(a, b) for i, (a, box) in enumerate(names) for b, other in names[i + 1 :] if overlaps(box, other)] == []


def test_no_name_covers_a_milepost(drawing: tuple[Board, str], tree: ET.Element) -> None:
    spots = lay_out(drawing[0]).spots
    places = [(m.id, *spots[m.id]) for m in drawing[0].mileposts]
    dots = [(ident, (x - 1.1, y - 1.1, x + 1.1, y + 1.1)) for ident, x, y in places]
    assert [(n, d) for n, box in boxes(tree).items() for d, dot in dots if overlaps(box, dot)] == []


def test_every_city_and_nearly_every_dot_is_named(drawing: tuple[Board, str], tree: ET.Element) -> None:
    board, _ = drawing
    named = set(boxes(tree))
    assert {f"c-{city.id}" for city in board.cities} <= named
    dots = {f"m-{m.id}" for m in board.mileposts if m.kind == "dot"}
    assert len(dots - named) <= 0.02 * len(dots)


def test_twins_are_two_squares_side_by_side_on_their_milepost(drawings: dict[str, tuple[Board, str]]) -> None:
    _, text = drawings["tiny"]
    tree = ET.fromstring(text.encode())  # noqa: S314 - our own text
    squares = {e.attrib["id"]: e for e in tree.iter(f"{SVG}rect") if e.get("class") == "city"}
    fir, gum = squares["c-fir"], squares["c-gum"]
    assert fir.get("y") == gum.get("y")
    assert float(fir.attrib["x"]) + float(fir.attrib["width"]) < float(gum.attrib["x"])
    plate = next(e.attrib for e in tree.iter(f"{SVG}rect") if e.get("id") == "m-fir-gum")
    middle = float(plate["x"]) + float(plate["width"]) / 2
    outer = float(fir.attrib["x"]) + float(gum.attrib["x"]) + float(gum.attrib["width"])
    assert outer / 2 == pytest.approx(middle, abs=0.02)


def test_legend_names_every_railroad_with_its_price(drawings: dict[str, tuple[Board, str]]) -> None:
    board, text = drawings["usa"]
    tree = ET.fromstring(text.encode())  # noqa: S314 - our own text
    rows = {e.attrib["id"]: [t.text for t in e.iter(f"{SVG}text")] for e in tree.iter(f"{SVG}g") if "id" in e.attrib}
    for railroad in board.railroads:
        assert rows[f"legend-rr-{railroad.id}"] == [railroad.short, railroad.name, f"${railroad.price:,}"]


def test_a_text_that_is_no_drawing_is_refused() -> None:
    with pytest.raises(WorkspaceError, match="draw the board again"):
        read_board_svg("<svg")
    with pytest.raises(WorkspaceError, match="not a drawn board"):
        read_board_svg('<svg xmlns="http://www.w3.org/2000/svg"/>')
