"""What `board.toml` says of the drawing: theme, sizes, extent, and layers of the author's own."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest
import shapely
from board_helpers import open_folder
from conftest import Run

import mapkit
from mapkit.core.errors import SourceError
from mapkit.drawing.theme.sizes import Sizes, ThemeName, ThemeSizes
from mapkit.drawing.theme.theme import DARK, THEMES
from mapkit.geography.backdrop import load_backdrop
from mapkit.geography.own_layers import OwnLayers
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.compiler.board_rows import document_of_board
from mapkit.kinds.rail.compiler.boards import compiled_board
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.compiler.package import built_folder
from mapkit.kinds.rail.exchange.source_package.importing import list_rebuild_losses
from mapkit.kinds.rail.exchange.source_package.writing import board_to_source_files
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.render.board_theme import apply_board_sizes, get_board_theme
from mapkit.kinds.rail.render.ground.region_ground import lay_ground
from mapkit.kinds.rail.render.page_areas import divide_page
from mapkit.kinds.rail.sources.layers import MAX_POINTS, read_areas, read_polylines, read_region_areas

SQUARE = [[[-72.0, 42.0], [-70.0, 42.0], [-70.0, 44.0], [-72.0, 44.0], [-72.0, 42.0]]]
WEST = [[[-75.0, 41.0], [-71.2, 41.0], [-71.2, 45.5], [-75.0, 45.5], [-75.0, 41.0]]]
EAST = [[[-71.2, 41.0], [-69.0, 41.0], [-69.0, 45.5], [-71.2, 45.5], [-71.2, 41.0]]]
SAID = """
[drawing]
theme = "atlas"

[drawing.sizes]
city_text = 5.0

[layers]
land = "layers/land.geojson"
rivers = "layers/rivers.geojson"
regions = "layers/regions.geojson"
"""


def collection(*features: tuple[Mapping[str, object], str, object]) -> bytes:
    rows = [
        {"type": "Feature", "properties": said, "geometry": {"type": kind, "coordinates": coordinates}}
        for said, kind, coordinates in features
    ]
    return json.dumps({"type": "FeatureCollection", "features": rows}).encode()


@pytest.fixture
def drawn(example: Path) -> Path:
    """Return the example with a theme, sizes, an extent and three layers."""
    (example / "layers").mkdir()
    for name, data in {
        "land": collection(({}, "Polygon", WEST), ({}, "MultiPolygon", [EAST])),
        "rivers": collection(({}, "LineString", [[-72.123456789, 42.5], [-71.0, 43.0]])),
        "regions": collection(({"region": "Inland"}, "Polygon", WEST), ({"region": "coast"}, "Polygon", EAST)),
    }.items():
        (example / "layers" / f"{name}.geojson").write_bytes(data)
    file = example / "board.toml"
    text = file.read_text(encoding="utf-8").replace("legend = 70\n", "legend = 70\nextent = [-75, 41, -69, 45.5]\n")
    file.write_text(text.replace("[accepted]", f"{SAID}\n[accepted]"), encoding="utf-8")
    return example


@pytest.fixture
def board(drawn: Path) -> Board:
    return built_folder(drawn)


def test_the_themes_that_a_board_may_name_are_those_that_there_are() -> None:
    assert get_args(ThemeName) == tuple(THEMES)


def test_the_board_says_what_its_author_says(board: Board) -> None:
    assert board.drawing == DrawingSettings(theme="atlas", sizes=Sizes(city_text=5.0))
    assert board.page.extent == (-75, 41, -69, 45.5)
    assert board.layers is not None
    assert board.layers.rivers == (((-72.12346, 42.5), (-71.0, 43.0)),)
    assert board.layers.lakes is None
    assert list(board.layers.regions or {}) == ["coast", "inland"]


def test_a_board_without_any_of_it_says_nothing(example: Path) -> None:
    plain = built_folder(example).model_dump(mode="json")
    assert not {"drawing", "layers"} & plain.keys()
    assert "extent" not in plain["page"]


def test_the_frame_shows_the_extent(board: Board) -> None:
    left, top, right, bottom = board.page.frame
    corners = [board_point(board, lon, lat) for lon in (-75, -69) for lat in (41, 45.5)]
    assert all(left - 0.01 <= x <= right + 0.01 and top - 0.01 <= y <= bottom + 0.01 for x, y in corners)
    assert min(x for x, _ in corners) < left + 20


def board_point(board: Board, lon: float, lat: float) -> tuple[float, float]:
    return PageMap(board.projection).to_page([(lon, lat)])[0]


def test_the_theme_of_the_board_gives_way_to_another_but_its_sizes_stay(board: Board) -> None:
    assert get_board_theme(board) == THEMES["atlas"].model_copy(update={"sizes": ThemeSizes(city_text=5.0)})
    assert apply_board_sizes(DARK, board).sizes == ThemeSizes(city_text=5.0)
    own = DARK.model_copy(update={"sizes": ThemeSizes(city_text=7.0)})
    assert apply_board_sizes(own, board).sizes == ThemeSizes(city_text=7.0)


def test_regions_are_where_their_areas_are(board: Board) -> None:
    area, _ = divide_page(board)
    ground = lay_ground(board, load_backdrop(board.projection, area, own=board.layers))
    meridian = shapely.LineString([board_point(board, -71.2, lat) for lat in (41.5, 42, 43, 44, 45)])
    for ident, lon in (("inland", -74.0), ("coast", -70.0)):
        assert ground.tints[ident].contains(shapely.Point(board_point(board, lon, 43.0)))
    inland, coast = ground.tints["inland"], ground.tints["coast"]
    assert inland.intersection(coast).area < 1
    assert shapely.hausdorff_distance(ground.edges, meridian) < 60
    assert shapely.distance(ground.edges, shapely.Point(board_point(board, -71.2, 43.0))) < 0.2


def test_a_city_in_the_area_of_another_region_is_a_finding(board: Board) -> None:
    found = [f for f in mapkit.check(board, drawing=False).findings if f.code == "G08"]
    assert [f.elements for f in found] == [("new-haven",)], "it lies west of the border that the fixture draws"
    moved = board.model_copy(
        update={
            "cities": tuple(
                c.model_copy(update={"region": "inland"}) if c.id == "portland" else c for c in board.cities
            )
        }
    )
    (portland,) = [f for f in mapkit.check(moved, drawing=False).findings if f.elements == ("portland",)]
    assert portland.code == "G08"
    assert portland.message.startswith("Portland is a city of Inland, but lies in the area of Coast, ")


def test_an_outline_that_crosses_itself_is_a_finding(board: Board) -> None:
    assert board.layers is not None
    bow = (((-75.0, 41.0), (-71.2, 45.5), (-71.2, 41.0), (-75.0, 45.5), (-75.0, 41.0)),)
    layers = board.layers.model_copy(update={"regions": {**(board.layers.regions or {}), "inland": (bow,)}})
    crossed = board.model_copy(update={"layers": layers})
    found = [f for f in mapkit.check(crossed, drawing=False).findings if f.code == "G08" and "inland" in f.elements]
    assert [(f.id, f.place.lon, f.place.lat) for f in found] == [("G08:inland:outline", -73.1, 43.25)]
    assert found[0].message == (
        "the outline of Inland crosses itself at lon -73.1000, lat 43.2500; draw it again without the crossing"
    )


def test_a_region_without_an_area_is_a_finding_where_others_have_one(board: Board) -> None:
    assert board.layers is not None
    assert board.layers.regions is not None
    layers = board.layers.model_copy(update={"regions": {"inland": board.layers.regions["inland"]}})
    findings = mapkit.check(board.model_copy(update={"layers": layers}), drawing=False).findings
    assert [f.message for f in findings if "area" in f.elements] == [
        "Coast has no area in the layer of regions, and others have; draw it"
    ]


def test_areas_that_overlap_or_leave_a_gap_are_findings(board: Board) -> None:
    assert board.layers is not None

    def find(inland: tuple[float, float], coast: tuple[float, float]) -> list[set[str]]:
        def ring(west: float, east: float) -> tuple[tuple[tuple[float, float], ...], ...]:
            return (((west, 41.0), (east, 41.0), (east, 45.5), (west, 45.5), (west, 41.0)),)

        regions: dict[str, tuple[tuple[tuple[tuple[float, float], ...], ...], ...]]
        regions = {"inland": (ring(*inland),), "coast": (ring(*coast),)}
        if inland[1] < coast[0]:  # closes the gap above and below
            regions["inland"] = (
                *regions["inland"],
                *((((-75.0, y), (-69.0, y), (-69.0, y + 0.1), (-75.0, y + 0.1), (-75.0, y)),) for y in (40.9, 45.5)),
            )
        layers = board.layers.model_copy(update={"regions": regions}) if board.layers else None
        findings = mapkit.check(board.model_copy(update={"layers": layers}), drawing=False).findings
        return [set(f.elements) for f in findings if f.code == "G08" and not {"gap", "overlap"}.isdisjoint(f.elements)]

    assert find((-75.0, -71.2), (-71.2, -69.0)) == []
    assert find((-75.0, -71.0), (-71.5, -69.0)) == [{"overlap", "coast", "inland"}]
    assert find((-75.0, -72.0), (-71.0, -69.0)) == [{"gap", "coast", "inland"}]


def test_a_compiled_board_keeps_it(board: Board) -> None:
    document = document_of_board(board)
    again = compile_document(document, board_id=board.id).board
    assert (again.drawing, again.layers, again.page) == (board.drawing, board.layers, board.page)
    assert compiled_board(board).layers.layers == board.layers
    assert Board.model_validate_json(board.model_dump_json()) == board


def test_a_source_package_of_the_board_builds_it_again(board: Board) -> None:
    files = board_to_source_files(board, file="board.json")
    assert {name for name in files if name.startswith("layers/")} == {
        f"layers/{name}.geojson" for name in ("land", "rivers", "regions")
    }
    assert list_rebuild_losses(board, files, file="board.json") == (
        "where each element came from: it comes from this file now",
    )


def test_what_is_wrong_names_file_and_feature(drawn: Path, run: Run) -> None:
    (drawn / "layers" / "land.geojson").write_bytes(collection(({}, "Polygon", SQUARE), ({}, "Point", [-70, 42])))
    (drawn / "layers" / "regions.geojson").write_bytes(collection(({"region": "Cost"}, "Polygon", SQUARE)))
    (drawn / "layers" / "rivers.geojson").unlink()
    ran = run("build", "example", "--workspace", drawn.parents[1])
    assert ran.code == 1
    missing = (
        "board.toml:57: layers.rivers names 'layers/rivers.geojson', which is not in the package "
        "(did you mean 'layers/regions.geojson'?)"
    )
    assert ran.err.splitlines()[-3:] == [
        "layers/land.geojson: feature #1: a Point, where an area should be; remove it",
        "layers/regions.geojson: feature #0: region is 'Cost', which board.toml does not have (did you mean 'Coast'?)",
        missing,
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "not valid JSON"),
        (b'{"type":"FeatureCollection","features":' + b"[" * 5000 + b"]" * 5000 + b"}", "x.geojson: "),
        (collection(({}, "Polygon", [[[42, -172], [44, -172], [44, 170], [42, -172]]])), "longitude first"),
        (collection(({}, "LineString", [[0, 0], [1, 1]])), "x.geojson#0: a LineString, where an area should be"),
        (collection(({}, "LineString", [[0, 0]] * (MAX_POINTS + 1))), f"the limit of a layer is {MAX_POINTS}"),
        (
            b'{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:3857"}},"features":[]}',
            "its CRS is EPSG:3857; export it in longitude and latitude",
        ),
    ],
)
def test_bad_layers_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(SourceError) as refused:
        read_areas(data, file="x.geojson")
    assert said in str(refused.value)


def test_areas_give_their_outlines_as_borders() -> None:
    (line,) = read_polylines(collection(({}, "Polygon", SQUARE)), file="x.geojson")
    assert line == tuple((x, y) for x, y in SQUARE[0])


def test_a_layer_of_regions_needs_the_property() -> None:
    with pytest.raises(SourceError, match="region"):
        read_region_areas(collection(({"name": "Coast"}, "Polygon", SQUARE)), {"coast": "Coast"}, file="x.geojson")


def test_layers_are_the_same_object_after_an_edit(drawn: Path) -> None:
    document = open_folder(drawn)
    first = compile_document(document, board_id="example")
    again = first.recompile(open_folder(drawn))
    assert isinstance(first.board.layers, OwnLayers)
    assert again.board.layers is first.board.layers
