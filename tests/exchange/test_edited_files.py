"""Files that other programs edited become variants with exactly the operations that were done, through their tools."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import geopandas as gpd
import networkx as nx
import pandas as pd
import pyogrio  # type: ignore[import-untyped]
import pytest
import shapely
from boards import shipped
from conftest import REPOSITORY, Run
from openpyxl import load_workbook
from sampling import pairs

import mapkit
from mapkit.core.errors import ChoiceError, OutputError, SourceError, VariantError
from mapkit.kinds.rail.exchange.format import EditedFormat, ExportOptions
from mapkit.kinds.rail.exchange.registry import BUILT_IN, get_format
from mapkit.kinds.rail.exchange.workbook.format import read_workbook

pytestmark = pytest.mark.usefixtures("keeping")

REAL = REPOSITORY.parent / "shared" / "data" / "rb3" / "U21MAP.RB3"
EDITED = ("engine", "geojson", "gexf", "gpkg", "graphml", "kml", "node-link", "topojson", "xlsx")
Edit = Callable[[Path, "Change"], None]


class Change:
    """One milepost moved, and one line drawn between two that no railroad of that name joins."""

    def __init__(self, board: mapkit.Board) -> None:
        joined = {(s.railroad, s.a, s.b) for s in board.segments}
        self.railroad = board.railroads[0].id
        dots = [m for m in board.mileposts if m.kind == "dot"]
        self.moved = next(m for m in dots if any(m.id in (s.a, s.b) for s in board.segments))
        self.to = (round(self.moved.lon + 0.125, 5), round(self.moved.lat - 0.0625, 5))
        rest = [m for m in board.mileposts if m.id != self.moved.id]
        self.a, self.b = next(
            (a, b)
            for a in rest[3:]
            for b in rest[10:]
            if a.id < b.id and 1 < abs(a.lon - b.lon) < 20 and (self.railroad, a.id, b.id) not in joined
        )
        self.line = [(self.a.lon, self.a.lat), (self.b.lon, self.b.lat)]

    def operations(self) -> list[dict[str, object]]:
        """Return what a variant says of it, reasons apart."""
        was = {"lon": self.moved.lon, "lat": self.moved.lat}
        return [
            {"op": "edit-place", "place": self.moved.id, "lon": self.to[0], "lat": self.to[1], "was": was},
            {"op": "add-piece", "railroad": self.railroad, "a": self.a.id, "b": self.b.id},
        ]


def said(variant: Any) -> list[dict[str, object]]:
    return [
        {"op": op.kind, **op.model_dump(exclude_defaults=True, exclude={"reason", "kind"})} for op in variant.operations
    ]


def with_layers(path: Path, change: Change, save: Callable[[Any, str], None]) -> None:
    """Edit the two layers as people do with geopandas: a geometry replaced, a row appended."""
    places: Any = gpd.read_file(path, layer="mileposts")
    places.loc[places["id"] == change.moved.id, "geometry"] = shapely.Point(change.to)
    save(places, "mileposts")
    track = gpd.read_file(path, layer="segments")
    drawn = gpd.GeoDataFrame(
        [{"railroad": change.railroad, "geometry": shapely.LineString(change.line)}], crs=track.crs
    )
    save(pd.concat([track, drawn], ignore_index=True), "segments")


def edit_gpkg(path: Path, change: Change) -> None:
    with_layers(path, change, lambda frame, layer: frame.to_file(path, layer=layer, driver="GPKG"))


def edit_kml(path: Path, change: Change) -> None:
    """GDAL writes KML anew: layers as documents, the document's own data gone."""
    frames = {str(name): gpd.read_file(path, layer=name) for name in pyogrio.list_layers(path)[:, 0]}
    with_layers(path, change, lambda frame, layer: frames.__setitem__(layer, frame))
    path.unlink()
    for layer, frame in frames.items():
        frame.to_file(path, layer=layer, driver="LIBKML", mode="a" if path.exists() else "w")


def edit_geojson(path: Path, change: Change) -> None:
    """GDAL drops the foreign member, and gives every feature all columns."""
    frame: Any = gpd.read_file(path)
    frame.loc[(frame["layer"] == "mileposts") & (frame["id"] == change.moved.id), "geometry"] = shapely.Point(change.to)
    drawn = {"layer": "segments", "railroad": change.railroad, "geometry": shapely.LineString(change.line)}
    pd.concat([frame, gpd.GeoDataFrame([drawn], crs=frame.crs)], ignore_index=True).to_file(path, driver="GeoJSON")


def edit_topojson(path: Path, change: Change) -> None:
    """As tools of TopoJSON do: only what the standard knows is written."""
    data = json.loads(path.read_text(encoding="utf-8"))
    place = next(g for g in data["objects"]["mileposts"]["geometries"] if g["id"] == change.moved.id)
    place["coordinates"] = list(change.to)
    data["arcs"].append([list(point) for point in change.line])
    data["objects"]["segments"]["geometries"].append(
        {"type": "LineString", "arcs": [len(data["arcs"]) - 1], "properties": {"railroad": change.railroad}}
    )
    del data["mapkit"]
    path.write_text(json.dumps(data), encoding="utf-8")


def change_graph(graph: Any, change: Change) -> Any:
    graph.nodes[change.moved.id].update(lon=change.to[0], lat=change.to[1])
    graph.add_edge(change.a.id, change.b.id, railroad=change.railroad)
    return graph


def edit_graphml(path: Path, change: Change) -> None:
    nx.write_graphml(change_graph(nx.read_graphml(path, force_multigraph=True), change), path)


def edit_gexf(path: Path, change: Change) -> None:
    nx.write_gexf(change_graph(nx.read_gexf(path), change), path)


def edit_node_link(path: Path, change: Change) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    graph = change_graph(nx.node_link_graph(data, edges="edges"), change)
    graph.graph.clear()
    path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")), encoding="utf-8")


def edit_xlsx(path: Path, change: Change) -> None:
    book: Any = load_workbook(path)
    sheet = book["mileposts"]
    head = [cell.value for cell in sheet[1]]
    row = next(row for row in sheet.iter_rows(min_row=2) if row[head.index("id")].value == change.moved.id)
    row[head.index("lon")].value, row[head.index("lat")].value = change.to
    head = [cell.value for cell in book["segments"][1]]
    new = {"railroad": change.railroad, "a": change.a.id, "b": change.b.id}
    book["segments"].append([new.get(name) for name in head])
    book.save(path)


def edit_engine(path: Path, change: Change) -> None:
    """A board file says everything, so a program that adds a segment adds its track piece, too."""
    data = json.loads(path.read_text(encoding="utf-8"))
    place = next(m for m in data["mileposts"] if m["id"] == change.moved.id)
    place["lon"], place["lat"] = change.to
    ident = f"{change.railroad}--{change.a.id}--{change.b.id}"
    common = {"id": ident, "railroad": change.railroad, "a": change.a.id, "b": change.b.id, "miles": 0}
    path_xy = [[change.a.x, change.a.y], [change.b.x, change.b.y]]
    data["pieces"].append({**common, "line": change.line, "path": path_xy})
    data["segments"].append({**common, "pieces": [ident], "path": path_xy})
    path.write_text(json.dumps(data), encoding="utf-8")


EDITS: dict[str, Edit] = {
    "engine": edit_engine, "geojson": edit_geojson, "gexf": edit_gexf, "gpkg": edit_gpkg, "graphml": edit_graphml,
    "kml": edit_kml, "node-link": edit_node_link, "topojson": edit_topojson, "xlsx": edit_xlsx,
}  # fmt: skip


def exported(board: mapkit.Board, to: str, folder: Path) -> Path:
    done = mapkit.export(board, to=to, out=folder)
    suffix = get_format(to).suffixes[0]
    [path] = [p for p in done.files if p.name.endswith(suffix) and ".schema" not in p.name]
    return path


def test_these_formats_are_edited() -> None:
    assert tuple(sorted(n for n in BUILT_IN if isinstance(get_format(n), EditedFormat))) == EDITED == tuple(EDITS)


@pytest.mark.parametrize(("to", "name"), pairs(EDITED, ("usa", "portugal", "mexico")))
def test_a_point_moved_and_a_line_added_are_two_operations(to: str, name: str, tmp_path: Path) -> None:
    board = shipped(name)
    change = Change(board)
    path = exported(board, to, tmp_path)
    EDITS[to](path, change)
    made = mapkit.variant_from(path, "mine", of=name, workspace=tmp_path)
    assert said(made.variant) == change.operations()
    assert made.left == ()
    assert made.path == tmp_path / "variants" / "mine.toml"
    again = mapkit.load(name, variants=["mine"], workspace=tmp_path)
    moved = next(m for m in again.mileposts if m.id == change.moved.id)
    assert (moved.lon, moved.lat) == change.to
    assert mapkit.diff_boards(again, made.edited).same


@pytest.mark.parametrize("to", EDITED)
def test_a_file_that_was_only_opened_and_saved_is_no_variant(to: str, run: Run, tmp_path: Path) -> None:
    board = shipped("portugal")
    path = exported(board, to, tmp_path)
    done = run("variant", "from", path, "mine", "--of", "portugal", "--workspace", tmp_path)
    assert (done.code, done.out) == (0, "")
    assert "as it was; nothing written" in done.err
    assert not (tmp_path / "variants").exists()


def without_nulls(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out fields that are null, also of objects inside."""
    return {
        key: without_nulls(value) if isinstance(value, dict) else value
        for key, value in fields.items()
        if value is not None
    }


@pytest.mark.skipif(not REAL.exists(), reason="the published map is not committed; ../shared/data is missing")
@pytest.mark.parametrize("to", ["gpkg", "geojson", "kml"])
def test_a_board_from_rb3_is_edited_and_becomes_a_variant(to: str, run: Run, tmp_path: Path) -> None:
    mapkit.import_board(REAL, into="u21", workspace=tmp_path)
    board = mapkit.load("u21", workspace=tmp_path)
    change = Change(board)
    path = exported(board, to, tmp_path)
    EDITS[to](path, change)
    done = run("variant", "from", path, "mine", "--of", "u21", "--workspace", tmp_path, "--json")
    assert (done.code, json.loads(done.out)["left"]) == (0, [])
    board_ops = mapkit.load("u21", variants=["mine"], workspace=tmp_path)
    assert len(board_ops.segments) == len(board.segments) + 1
    wanted = json.loads(json.dumps(change.operations()))
    found = json.loads(done.out)["variant"]["operations"]
    assert [{key: value for key, value in without_nulls(op).items() if key != "reason"} for op in found] == wanted


def test_a_layer_saved_alone_is_enough(tmp_path: Path) -> None:
    """QGIS saves a layer of a GeoPackage as a GeoJSON file of its own, in degrees of seven decimals, or in another CRS
    and back."""
    board = shipped("usa")
    change = Change(board)
    places = gpd.read_file(exported(board, "gpkg", tmp_path), layer="mileposts").to_crs(3857)
    there: Any = gpd.GeoSeries([shapely.Point(change.to)], crs=4326).to_crs(3857)[0]
    places.loc[places["id"] == change.moved.id, "geometry"] = there
    places.to_crs(4326).to_file(tmp_path / "mileposts.geojson", driver="GeoJSON", RFC7946="YES")
    made = mapkit.variant_from(tmp_path / "mileposts.geojson", "mine", of="usa", workspace=tmp_path)
    assert (said(made.variant), made.left) == (change.operations()[:1], ())


def test_quantizing_moves_nothing(tmp_path: Path) -> None:
    board = shipped("usa")
    path = exported(board, "topojson", tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    step = 1e-3

    def whole(points: Any) -> list[list[int]]:
        out = [[round((lon + 180) / step), round((lat + 90) / step)] for lon, lat in points]
        return [out[0], *([b[0] - a[0], b[1] - a[1]] for a, b in pairwise(out))]

    data |= {"transform": {"scale": [step, step], "translate": [-180, -90]}, "arcs": list(map(whole, data["arcs"]))}
    for layer in ("mileposts", "junctions", "cities"):
        for geometry in data["objects"][layer]["geometries"]:
            geometry["coordinates"] = whole([geometry["coordinates"]])[0]
    path.write_text(json.dumps(data), encoding="utf-8")
    made = mapkit.variant_from(path, "mine", of="usa", workspace=tmp_path)
    assert (made.variant.operations, made.left, made.path) == ((), (), None)


def test_a_board_with_variants_is_the_base_of_the_new_one(tmp_path: Path) -> None:
    board = mapkit.load("usa", variants=["first-printing"], workspace=REPOSITORY)
    change = Change(board)
    path = exported(board, "gpkg", tmp_path)
    edit_gpkg(path, change)
    again = mapkit.variant_from(path, "again", of="usa+first-printing", workspace=tmp_path)
    read = mapkit.variant_from(path, "read", workspace=tmp_path)  # the file says what it is of
    assert again.variant.variants == read.variant.variants == ("first-printing",)
    assert said(again.variant) == said(read.variant) == change.operations()
    both = mapkit.load("usa", variants=["again"], workspace=tmp_path)
    assert both.variants == ("first-printing", "again")


def test_prices_and_payoffs_edited_in_a_workbook(tmp_path: Path) -> None:
    path = exported(shipped("portugal"), "xlsx", tmp_path)
    book: Any = load_workbook(path)
    book["railroads"]["D2"] = 7000
    book["payoffs"]["C2"] = book["payoffs"]["B3"] = 99.5
    book.save(path)
    made = mapkit.variant_from(path, "mine", workspace=tmp_path)
    assert [op.kind for op in made.variant.operations] == ["edit-railroad", "set-payoff"]
    assert made.left == ()


def test_what_cannot_be_done_is_reported_and_nothing_written(tmp_path: Path) -> None:
    board = shipped("portugal")
    path = exported(board, "gexf", tmp_path)
    with pytest.raises(ChoiceError, match=r"portugal\.gexf: GEXF \(Gephi\) does not say.*--of BOARD"):
        mapkit.variant_from(path, "mine", workspace=tmp_path)
    with pytest.raises(VariantError, match="not a name for a variant"):
        mapkit.variant_from(path, "My own", of="portugal", workspace=tmp_path)
    with pytest.raises(SourceError, match="not a file of a board that other programs edit"):
        mapkit.variant_from(path.with_suffix(".rb3"), "mine", of="portugal", workspace=tmp_path)
    (tmp_path / "x.geojson").write_text('{"features": [{"properties": {"a": 1}}]}', encoding="utf-8")
    with pytest.raises(SourceError, match="its layer is 'None'"):
        mapkit.variant_from(tmp_path / "x.geojson", "mine", of="portugal", workspace=tmp_path)
    assert not (tmp_path / "variants").exists()
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "mine.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="already exists"):
        mapkit.variant_from(path, "mine", of="portugal", workspace=tmp_path)
    assert (tmp_path / "variants" / "mine.toml").read_text(encoding="utf-8") == "mine"


def test_a_city_renamed_in_its_sheet_keeps_its_place_in_the_charts(tmp_path: Path, tiny: mapkit.Board) -> None:
    """Charts of a workbook hold names, and nobody renames a city in each of them."""
    path = tmp_path / "tiny.xlsx"
    path.write_bytes(get_format("xlsx").export(tiny, ExportOptions()).files["tiny.xlsx"])
    workbook = load_workbook(path)
    for row in workbook["cities"].iter_rows(min_row=2):
        if (new_name := {"ash": "Ashford", "dale": "Dalton"}.get(str(row[0].value))) is not None:
            row[1].value = new_name
    workbook["regions"]["B2"].value = "Renamed"
    workbook.save(path)
    for board in (read_workbook(path), read_workbook(path, tiny)):
        assert {c.id: c.name for c in board.cities if c not in tiny.cities} == {"ash": "Ashford", "dale": "Dalton"}
        assert (board.payoffs, board.destinations) == (tiny.payoffs, tiny.destinations)
