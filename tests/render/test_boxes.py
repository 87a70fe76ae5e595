"""Boxes of the page: their places, what they cover, what they show, and what is said of those that cannot be used."""

import base64
import hashlib
import json
import re
import shutil
import tomllib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from conftest import REPOSITORY, Run
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pydantic import ValidationError
from random_boards import boards
from sampling import examples
from shapely.geometry.base import BaseGeometry

import mapkit
from mapkit.core.base import Area
from mapkit.drawing.svg_file import read_picture
from mapkit.drawing.theme.theme import CLASSIC
from mapkit.kinds.rail.checks.check import CheckedRails
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.boxes import BoardBox, Extent
from mapkit.kinds.rail.model.source import PageConfig
from mapkit.kinds.rail.render.board import render_board
from mapkit.kinds.rail.render.boxes.checks import CHECKS
from mapkit.kinds.rail.render.boxes.placement import GAP_MM, BoxPlaces, MapContents, place_boxes
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.render.screen.page_warp import solve_page
from mapkit.kinds.rail.render.screen.parts import get_track_part
from mapkit.kinds.rail.render.symbols import list_symbol_boxes

SVG = "{http://www.w3.org/2000/svg}"
SEA = shapely.Polygon()
FRAME: Area = (0.0, 0.0, 108.0, 88.0)
"""Boxes have a room of 100 x 80 mm."""


def box(**fields: Any) -> BoardBox:
    return BoardBox.model_validate({"kind": "title", "size": (30, 20)} | fields)


def placed(
    boxes: Mapping[str, BoardBox],
    shapes: tuple[Area, ...] = (),
    land: BaseGeometry = SEA,
    *lines: Any,
) -> BoxPlaces:
    return place_boxes(boxes, FRAME, MapContents([np.array(line, dtype=float) for line in lines], 1.0, shapes), land)


def boxed(board: Board, **boxes: BoardBox) -> Board:
    return board.model_copy(update={"boxes": boxes})


def codes(board: Board) -> dict[str, str]:
    """Return the code and message of each finding on boxes."""
    return {found.code: found.message for check in CHECKS for found in check.judge(CheckedRails(board))}


# Places


def test_a_box_goes_to_the_first_corner_of_an_empty_map() -> None:
    assert placed({"a": box()}).areas == {"a": (4.0, 4.0, 34.0, 24.0)}


def test_water_comes_before_corners_and_the_rest() -> None:
    """The west is land; the first corner over water is in the north-east."""
    land = shapely.box(0, 0, 60, 88)
    assert placed({"a": box()}, (), land).areas == {"a": (74.0, 4.0, 104.0, 24.0)}


def test_a_box_lines_up_beside_another_of_which_the_larger_is_placed_first() -> None:
    """A line along the south and one along the east leave the north-west corner and what is beside it."""
    places = placed({"small": box(size=(20, 20)), "large": box(size=(40, 20))}, (), SEA, [(0, 60), (108, 60)])
    assert places.areas["large"] == (4.0, 4.0, 44.0, 24.0)
    assert places.areas["small"] == (84.0, 4.0, 104.0, 24.0), "the other corner"
    narrow = placed({"b": box(size=(40, 20)), "a": box(size=(40, 20))}, ((90, 0, 108, 88),), SEA, [(0, 40), (108, 40)])
    assert narrow.areas["a"] == (4.0, 4.0, 44.0, 24.0)
    assert narrow.areas["b"] == (4.0, 64.0, 44.0, 84.0), "the corner in the south-west is at the frame too"


def test_what_has_no_room_is_left_out_with_the_largest_size_that_has() -> None:
    """A symbol in the middle of the map leaves no place for a box of nearly all of it."""
    places = placed({"a": box(size=(90, 70))}, ((50, 40, 54, 44),))
    assert not places.areas
    width, height = places.largest["a"]
    assert width / height == pytest.approx(9 / 7)
    assert placed({"a": box(size=(width, height))}, ((50, 40, 54, 44),)).areas


def test_a_place_of_the_author_is_kept_and_others_keep_off() -> None:
    places = placed({"mine": box(at=(4, 4), size=(100, 60)), "a": box(size=(30, 15))})
    assert places.areas["mine"] == (4, 4, 104, 64)
    assert places.areas["a"] == (4.0, 69.0, 34.0, 84.0), "the bottom of the frame, before the gap to a box"


RECTANGLES = st.tuples(st.integers(0, 100), st.integers(0, 80), st.integers(1, 12), st.integers(1, 12))
SIZES = st.lists(st.tuples(st.integers(15, 60), st.integers(15, 50)), min_size=1, max_size=4)


@settings(max_examples=examples(60))
@given(
    symbols=st.lists(RECTANGLES, max_size=12),
    ends=st.lists(st.tuples(*[st.floats(0, 108)] * 4), max_size=6),
    sizes=SIZES,
)
def test_no_placed_box_covers_anything_or_leaves_its_room(
    symbols: list[tuple[int, int, int, int]],
    ends: list[tuple[float, float, float, float]],
    sizes: list[tuple[int, int]],
) -> None:
    shapes = tuple((x + 0.3, y + 0.3, x + w + 0.3, y + h + 0.3) for x, y, w, h in symbols)
    lines = [[(x0, y0), (x1, y1)] for x0, y0, x1, y1 in ends]
    boxes = {f"b{n}": box(size=size) for n, size in enumerate(sizes)}
    places = placed(boxes, shapes, SEA, *lines)
    assert places == placed(dict(reversed(boxes.items())), shapes, SEA, *lines)
    assert places.areas.keys() | places.largest.keys() == boxes.keys()
    areas = [shapely.box(*area) for area in places.areas.values()]
    taken = shapely.union_all([shapely.box(*shape) for shape in shapes] + [shapely.LineString(line) for line in lines])
    for number, area in enumerate(areas):
        assert area.distance(taken) >= 1.5 or taken.is_empty
        assert shapely.box(4, 4, 104, 84).buffer(1e-6).covers(area)
        assert all(area.distance(other) > GAP_MM - 0.01 for other in areas[:number])


@settings(max_examples=examples(10), deadline=None)
@given(board=boards())
def test_no_box_of_a_board_covers_track_symbols_or_names(board: Board) -> None:
    drawn = boxed(board, a=box(size=(60, 25)), b=box(kind="text", text="x", size=(40, 40)))
    layout = lay_out(drawn)
    assert not codes(drawn).get("R16")
    assert lay_out(drawn.model_copy()).boxes == layout.boxes
    assert_clear(layout)


def assert_clear(layout: Layout) -> None:
    areas = shapely.union_all([shapely.box(*area) for area in layout.boxes.areas.values()])
    lines = [shapely.LineString(line) for line in layout.lines.values()]
    symbols = list_symbol_boxes(layout.board, layout.spots, layout.squares, layout.sizes)
    texts = [name.box for name in layout.names] + [name.box for name in layout.region_names]
    assert not any(shapely.intersects(areas, shape) for shape in lines)
    assert not any(shapely.intersects(areas, shapely.box(*shape)) for shape in (*symbols, *texts))


@pytest.mark.parametrize("name", ["ireland", "portugal"])
def test_boxes_of_shipped_boards_are_over_the_sea_and_clear(name: str) -> None:
    board = boxed(mapkit.load(name, workspace=REPOSITORY), a=box(size=(80, 40)), b=box(kind="payoffs", size=(60, 60)))
    layout = lay_out(board)
    assert layout.boxes.areas.keys() == {"a", "b"}
    assert_clear(layout)
    for area in layout.boxes.areas.values():
        assert shapely.box(*area).intersection(layout.ground.backdrop.land).area == pytest.approx(0, abs=200)


def test_names_keep_off_a_box_of_the_author(tiny: Board) -> None:
    """Without the box a name lies there."""
    name = max(lay_out(tiny).names, key=lambda placed_name: placed_name.box[2] - placed_name.box[0])
    x, y = (name.box[0] + name.box[2]) / 2, (name.box[1] + name.box[3]) / 2
    layout = lay_out(boxed(tiny, a=box(at=(x, y - 7.5), size=(15, 15))))
    area = shapely.box(*layout.boxes.areas["a"])
    assert not any(shapely.box(*other.box).intersects(area) for other in layout.names)


# Contents


def test_a_legend_in_a_box_takes_the_place_of_the_strip(tiny: Board) -> None:
    with_box = boxed(tiny, key=box(kind="legend", size=(60, 60)))
    assert divide_page(with_box)[0][3] == pytest.approx(tiny.page.height - divide_page(tiny)[0][0])
    svg = render_board(with_box)
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert "legend-title" not in ids
    assert {"box-key", "legend-railroads", "legend-regions", "legend-credits"} <= set(ids)


def test_all_kinds_are_drawn(tiny: Board) -> None:
    city = tiny.cities[0].id
    drawn = boxed(
        tiny,
        title=box(at=(0, 0), size=(60, 20)),
        inset=box(kind="inset", at=(0, 30), around=city, size=(60, 40)),
        deeds=box(kind="deeds", at=(70, 0), only=[tiny.railroads[0].id], size=(70, 100)),
        payoffs=box(kind="payoffs", at=(150, 0), size=(100, 100)),
        charts=box(kind="destinations", at=(0, 80), size=(150, 100)),
        note=box(kind="text", text="One.\nTwo & <three>.", at=(0, 190), size=(40, 20)),
        arms=box(kind="picture", file="pictures/a.png", content=png(300, 200), at=(160, 110), size=(40, 30)),
    )
    root = read_picture(render_board(drawn)).root
    groups = {group.get("id"): group for group in root.iter(f"{SVG}g") if str(group.get("id")).startswith("box-")}
    assert groups.keys() == {f"box-{name}" for name in drawn.boxes}
    texts = {
        name: [*"".join(f"{text.text}|" for text in group.iter(f"{SVG}text")).split("|")]
        for name, group in groups.items()
    }
    assert tiny.title in texts["box-title"]
    assert {"One.", "Two & <three>."} <= set(texts["box-note"])
    assert tiny.railroads[0].name in texts["box-deeds"]
    assert len([*groups["box-inset"].iter(f"{SVG}use")]) == 10
    [image] = groups["box-arms"].iter(f"{SVG}image")
    assert float(str(image.get("width"))) / float(str(image.get("height"))) == pytest.approx(1.5, abs=0.01)


def png(width: int, height: int) -> str:
    stream = BytesIO()
    Image.new("RGB", (width, height), "#336699").save(stream, "PNG")
    return base64.b64encode(stream.getvalue()).decode()


def test_a_drawn_difference_has_its_legend_in_the_strip(tiny: Board) -> None:
    drawn = boxed(tiny, key=box(kind="legend", size=(60, 60)))
    svg = mapkit.render_diff(tiny, drawn, mapkit.diff_boards(tiny, drawn))
    assert 'id="diff-legend"' in svg
    assert 'id="box-key"' not in svg


# Findings, whose cures are tried


def test_a_box_over_track_or_off_the_page_is_found(tiny: Board) -> None:
    x, y = lay_out(tiny).squares[tiny.cities[0].id]
    over = codes(boxed(tiny, a=box(at=(x - 5, y - 5))))
    assert over.keys() == {"R16"}
    assert "it covers track of" in over["R16"]
    assert 'write at = "auto"' in over["R16"]
    assert "R16" not in codes(boxed(tiny, a=box()))
    off = codes(boxed(tiny, a=box(at=(tiny.page.width - 10, 0))))
    assert "over the edge of the page" in off["R15"]
    both = codes(boxed(tiny, a=box(at=(0, 0)), b=box(at=(10, 10))))
    assert "it overlaps the box 'b'" in both["R15"]


def test_a_picture_too_small_for_print_is_found_with_its_dpi(tiny: Board) -> None:
    fields = {"kind": "picture", "file": "pictures/a.png", "at": (0, 0), "size": (80, 60)}
    found = codes(boxed(tiny, a=box(content=png(300, 200), **fields)))["R17"]
    dpi, width, height = map(int, re.findall(r"has (\d+) dpi .* a picture of (\d+) x (\d+) pixels", found)[0])
    assert dpi == round(300 / (80 - 2.6) * 25.4)
    assert "R17" not in codes(boxed(tiny, a=box(content=png(width, height), **fields)))


def test_a_text_too_long_and_a_chart_too_small_are_found(tiny: Board) -> None:
    long = box(kind="text", text="words " * 300, at=(0, 0), size=(40, 30))
    assert re.search(r"the text is \d+\.\d mm too high; shorten it", codes(boxed(tiny, a=long))["R17"])
    assert "…" in render_board(boxed(tiny, a=long))
    for kind in ("destinations", "payoffs", "deeds", "legend"):
        small = boxed(tiny, a=box(kind=kind, at=(0, 0), size=(16, 16)))
        assert 'id="box-a"' in render_board(small)
        found = codes(small)["R17"]
        size = re.findall(r"make the box about (\d+) x (\d+) mm", found)
        if size:
            larger = box(kind=kind, at=(0, 0), size=tuple(1.6 * float(side) for side in size[0]))
            assert "R17" not in codes(boxed(tiny, a=larger)), kind


def test_an_inset_that_enlarges_nothing_is_found(tiny: Board) -> None:
    lons, lats = [m.lon for m in tiny.mileposts], [m.lat for m in tiny.mileposts]
    extent = (min(lons), min(lats), max(lons), max(lats))
    found = codes(boxed(tiny, a=box(kind="inset", extent=extent, at=(0, 0), size=(20, 20))))
    assert "of its size; make the box larger" in found["R17"]


@pytest.mark.parametrize("extent", [(10.0, 50.0, 11.0, 51.0), (-180.0, -90.0, -170.0, -89.0)])
def test_an_inset_of_another_place_is_found_and_drawn_empty(tiny: Board, extent: Extent) -> None:
    drawn = boxed(tiny, a=box(kind="inset", extent=extent, at=(0, 0), size=(30, 30)))
    assert "it shows nothing of the map" in codes(drawn)["R17"]
    assert "nan" not in render_board(drawn)


def test_letters_that_the_font_lacks_are_found(tiny: Board) -> None:
    found = codes(boxed(tiny, a=box(kind="text", text="日本", at=(0, 0), size=(40, 20))))
    assert "the shipped font has no 日本" in found["R17"]


# Source packages

TOML = """
[page.boxes.title]
kind = "title"
size = [60, 20]

[page.boxes.arms]
kind = "picture"
file = "pictures/arms.png"
at = [20.5, 30]
size = [40, 30]
"""


@pytest.fixture
def package(example: Path) -> Path:
    """The small example with two boxes and a picture."""
    config = example / "board.toml"
    text = re.sub(r"(?m)^\[gazetteer\]", f"{TOML}\n[gazetteer]", config.read_text(encoding="utf-8"), count=1)
    config.write_text(text, encoding="utf-8")
    assert "[page.boxes.title]" in config.read_text(encoding="utf-8")
    (example / "pictures").mkdir()
    (example / "pictures" / "arms.png").write_bytes(base64.b64decode(png(600, 400)))
    return example


def test_boxes_of_a_package_reach_the_board_its_file_and_its_bundle(package: Path, run: Run) -> None:
    workspace = package.parents[1]
    assert run("build", "example", "-w", workspace).code == 0
    board = mapkit.load(workspace / "build" / "example" / "board.json")
    assert board.boxes.keys() == {"title", "arms"}
    assert board.boxes["arms"].content == png(600, 400)
    assert 'id="box-arms"' in (workspace / "build" / "example" / "board.svg").read_text(encoding="utf-8")
    board_file = workspace / "build" / "example" / "board.json"
    assert run("import", board_file, "--into", "again", "-w", workspace).code == 0
    assert mapkit.load("again", workspace=workspace).boxes == board.boxes


def test_boxes_and_pictures_survive_editing(package: Path, run: Run) -> None:
    before = (package / "board.toml").read_text(encoding="utf-8")
    workspace = package.parents[1]
    note = {"kind": "text", "text": "Hello", "size": [40, 20]}
    change = {"kind": "set-settings", "values": {"page.boxes.title.at": [10, 12.5], "page.boxes.note": note}}
    done = run("do", "example", json.dumps(change), "-w", workspace)
    assert done.code == 0, done.err
    after = (package / "board.toml").read_text(encoding="utf-8")
    assert "at = [10" in after
    assert "[page.boxes.note]" in after
    assert 'file = "pictures/arms.png"' in after
    assert (package / "pictures" / "arms.png").read_bytes() == base64.b64decode(png(600, 400))
    boxes = mapkit.load("example", workspace=workspace).boxes
    assert boxes["title"].at == (10, 12.5)
    assert boxes["note"].text == "Hello"
    undo = {"kind": "set-settings", "values": {"page.boxes.title.at": None, "page.boxes.note": None}}
    assert run("do", "example", json.dumps(undo), "-w", workspace).code == 0
    assert tomllib.loads((package / "board.toml").read_text(encoding="utf-8"))["page"] == tomllib.loads(before)["page"]


def test_a_picture_comes_and_goes_by_a_command(package: Path, run: Run) -> None:
    """As a restored row, which is written to `pictures/` and read again."""
    data = base64.b64decode(png(20, 20))
    row = {"sha256": hashlib.sha256(data).hexdigest(), "content": base64.b64encode(data).decode()}
    for path, code in (("pictures/new.png", 0), ("elsewhere/new.png", 1)):
        change = {"kind": "set-rows", "label": "Add", "rows": [{"table": "files", "key": path, "row": row}]}
        done = run("do", "example", json.dumps(change), "-w", package.parents[1])
        assert done.code == code, done.err
    assert (package / "pictures" / "new.png").read_bytes() == data
    assert "those are in lines/, drawings/, layers/ and pictures/" in done.err


def test_the_editor_draws_boxes_with_their_names(tiny: Board) -> None:
    """On the printed page only; on the true map there is none."""
    drawn = boxed(tiny, note=box(kind="text", text="Hello", size=(40, 20)), title=box(size=(60, 20)))
    part = get_track_part(drawn, CLASSIC, solve_page(drawn, CLASSIC.sizes))
    texts = {str(shape.get("text")) for shape in part.layers["symbols"]["shapes"]}
    assert {"note", tiny.title} <= texts
    assert "note" not in str(get_track_part(drawn, CLASSIC).layers["symbols"]["shapes"])


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("arms.png", b"no picture", "pictures/arms.png: not a PNG picture that can be read; save it again as PNG"),
        ("arms.png", None, "'pictures/arms.png', which is not in the package; put it there, or delete the box"),
        ("arms.svg", b"<svg", "pictures/arms.svg: not an SVG file"),
        (
            "arms.svg",
            b'<svg xmlns="http://www.w3.org/2000/svg" width="1mm" height="1mm"><image href="http://x.y/z"/></svg>',
            "links to 'http://x.y/z'",
        ),
        ("arms.jpg", base64.b64decode(png(64, 64)), "not a JPEG picture that can be read"),
    ],
)
def test_an_unusable_picture_is_a_problem_with_place_and_cure(
    package: Path, run: Run, name: str, data: bytes | None, says: str
) -> None:
    shutil.rmtree(package / "pictures")
    (package / "pictures").mkdir()
    if data is not None:
        (package / "pictures" / name).write_bytes(data)
    config = package / "board.toml"
    config.write_text(config.read_text(encoding="utf-8").replace("arms.png", name), encoding="utf-8")
    done = run("check", "example", "-w", package.parents[1])
    assert done.code == 1
    assert says in done.out + done.err
    assert "board.toml" in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "text", "size": [40, 20]}, "needs a text"),
        ({"kind": "picture", "size": [40, 20]}, "needs a file"),
        ({"kind": "inset", "size": [40, 20]}, "needs around"),
        ({"kind": "title", "size": [40, 20], "text": "x"}, "has no text"),
        ({"kind": "picture", "size": [40, 20], "file": "../secret.png"}, "pattern"),
        ({"kind": "title", "size": [4, 20]}, "greater than or equal to 15"),
        ({"kind": "inset", "size": [40, 20], "extent": [170, 50, 160, 10]}, "west above east only across"),
    ],
)
def test_a_box_without_its_content_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        PageConfig.model_validate({"width": 300, "height": 200, "boxes": {"a": fields}})


def test_a_second_legend_and_an_unknown_city_are_refused(package: Path, run: Run) -> None:
    with pytest.raises(ValidationError, match="2 boxes are of kind 'legend'"):
        PageConfig.model_validate(
            {"width": 300, "height": 200, "boxes": {key: {"kind": "legend", "size": [60, 60]} for key in "ab"}}
        )
    with (package / "board.toml").open("a", encoding="utf-8") as file:
        file.write('\n[page.boxes.closer]\nkind = "inset"\naround = "nowhere"\nsize = [40, 40]\n')
        file.write('\n[page.boxes.note]\nkind = "text"\ntext = "x"\nsize = [40, 40]\ncolour = "red"\n')
    done = run("check", "example", "-w", package.parents[1])
    assert done.code == 1
    assert "unknown key 'page.boxes.note.colour'; known keys are around, at," in done.out + done.err
    assert "Traceback" not in done.err
    config = (package / "board.toml").read_text(encoding="utf-8").replace('colour = "red"\n', "")
    (package / "board.toml").write_text(config, encoding="utf-8")
    assert "there is no city 'nowhere'" in run("check", "example", "-w", package.parents[1]).out
