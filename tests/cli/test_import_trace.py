"""`mapkit import` and `mapkit trace`: what they print, what they write, and what they refuse."""

import json
import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import geopandas as gpd
import pytest
import shapely
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.importing.earlier_packages import load_drawn
from mapkit.kinds.rail.model.stage import STAGES, Stage
from mapkit.kinds.rail.sources.stage_file import read_stage, stage_bytes
from mapkit.kinds.rail.trace.stages import run_stages

pytestmark = pytest.mark.slow

SHORE = [(-70.2589, 43.6574), (-71.0598, 42.3584)]
NORTH = [(-71.0598, 42.3584), (-71.4548, 42.9956)]
PIXELS = """<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
  <g id="red"><path d="M 1,1 L 9,9"/></g>
  <g id="VALLEY"><path d="M 1,5 L 9,5"/><circle cx="5" cy="5" r="1"><title>Midway</title></circle></g>
</svg>
"""


@pytest.fixture
def space(example: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace, to work in, with the board `example`."""
    monkeypatch.chdir(example.parent.parent)
    return example


def frame(**columns: list[str]) -> gpd.GeoDataFrame:
    shapes = [shapely.LineString(SHORE), shapely.LineString(NORTH)]
    return gpd.GeoDataFrame(columns, geometry=shapes, crs="EPSG:4326")


def geojson(path: Path, **columns: list[str]) -> None:
    frame(**columns).to_file(path, driver="GeoJSON")


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def written(path: Path) -> list[tuple[str, str]]:
    """Return railroad and kind of geometry of every feature."""
    features = json.loads(path.read_text(encoding="utf-8"))["features"]
    return [(f["properties"].get("railroad", ""), f["geometry"]["type"]) for f in features]


def test_a_file_is_looked_at(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), operator=["SHORE", "Granite Road"], railroad=["", ""])
    before = contents(space)
    ran = run("import", "new.geojson", "--column", "operator")
    assert ran.code == 0
    assert "new.geojson: 2 lines, 4 vertices, " in ran.out
    assert "attributes: operator, railroad" in ran.out
    assert [line.split()[:2] for line in ran.out.splitlines()[3:]] == [["Granite", "Road"], ["SHORE", "1"]]
    assert "nothing written" in ran.err
    assert contents(space) == before


def test_a_file_is_looked_at_as_json(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), operator=["SHORE", "Granite Road"])
    ran = run("import", "new.geojson", "--column", "operator", "--into", "example", "--new-railroads", "--json")
    found = json.loads(ran.out)
    (file,) = found["files"]
    assert (file["lines"], file["vertices"], file["points"], file["pixels"]) == (2, 4, 0, False)
    assert file["keys"] == [
        {"key": "Granite Road", "lines": 1, "railroad": "granite-road"},
        {"key": "SHORE", "lines": 1, "railroad": "shore"},
    ]
    assert found["new_railroads"] == ["granite-road"]
    names = ("drawings/new.geojson", "lines/granite-road.csv", "lines/shore.csv", "places.csv", "railroads.csv")
    assert found["written"] == [(space / name).as_posix() for name in names]


def test_lines_go_to_railroads_by_mark_by_map_and_new(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), operator=["B&M", "Granite Road"])
    ran = run("import", "new.geojson", "-c", "operator", "--into", "example", "-m", "B&M=shore", "--new-railroads")
    assert ran.code == 0, ran.err
    assert written(space / "drawings" / "new.geojson") == [("shore", "LineString"), ("granite-road", "LineString")]
    rows = (space / "railroads.csv").read_text(encoding="utf-8").splitlines()
    assert rows[-1].startswith("granite-road,Granite Road,GR,0,false,#")
    board = mapkit.load("example")
    assert len([s for s in board.segments if s.railroad == "granite-road"]) == 1


def test_a_mapped_key_counts_before_reporting_marks(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), operator=["SHORE", "Valley Railroad"])
    mapped = ("import", "new.geojson", "-c", "operator", "--into", "example", "-m")
    assert run(*mapped, "SHORE=cross").code == 0
    assert written(space / "drawings" / "new.geojson") == [("cross", "LineString"), ("valley", "LineString")]
    assert run(*mapped, "SHORE=", "--replace").code == 0
    assert written(space / "drawings" / "new.geojson") == [("valley", "LineString")]
    ran = run(*mapped, "SHORE=cros", "--replace")
    assert ran.code == 1
    assert "no railroad 'cros' for key 'SHORE' (did you mean 'cross'?)" in ran.err


def test_every_other_key_is_mapped_by_a_star(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), operator=["SHORE", "Tramway"])
    command = ("import", "new.geojson", "-c", "operator", "--into", "example", "-m")
    assert run(*command, "*=").code == 0
    assert written(space / "drawings" / "new.geojson") == [("shore", "LineString")]
    assert run(*command, "*=cross", "--replace", "--new-railroads").code == 0
    assert written(space / "drawings" / "new.geojson") == [("shore", "LineString"), ("cross", "LineString")]
    Path("scan.svg").write_text(PIXELS, encoding="utf-8")
    assert run("import", "scan.svg", "--into", "example", "--map", "*=").code == 0
    assert (space / "drawings" / "mapping.csv").read_text(encoding="utf-8").splitlines() == [
        "file,by,key,railroad",
        "scan.svg,auto,VALLEY,valley",
        "scan.svg,auto,*,",
    ]
    (space / "control_points.csv").write_text(
        "x,y,lon,lat\n0,0,-74,45\n100,0,-70,45\n0,100,-74,41\n100,100,-70,41\n", encoding="utf-8"
    )
    source = load_drawn(space)
    assert {line.railroad for line in source.traced} == {"shore", "cross", "valley"}
    assert not [note for note in source.import_notes if "left out" in note.message]


@pytest.mark.parametrize("suffix", ["geojson", "gpkg", "shp"])
def test_features_are_taken_by_place_and_attribute(suffix: str, space: Path, run: Run) -> None:
    assert space.is_dir()
    file = f"new.{suffix}"
    frame(railroad=["shore", "valley"], service=["Main", "siding"], gauge=["1435", "1000"]).to_file(file)

    def taken(*options: str) -> tuple[dict[str, int], list[str]]:
        ran = run("import", file, "--json", *options)
        assert ran.code == 0, ran.err
        (report,) = json.loads(ran.out)["files"]
        return {key["key"]: key["lines"] for key in report["keys"]}, report["notes"]

    both = {"shore": 1, "valley": 1}
    assert taken() == (both, [])
    assert taken("--bbox", "-72,42,-71.2,43") == ({"valley": 1}, [f"{file}: 1 of 2 features lie outside the box"])
    assert taken("--bbox=170,40,-71.2,44")[0] == {"valley": 1}
    assert taken("--where", "service=main") == (
        {"shore": 1},
        [f"{file}: 1 of 2 features do not meet the conditions"],
    )
    assert taken("--where", "service!=main")[0] == {"valley": 1}
    assert taken("--where", "service=main", "--where", "service=siding")[0] == both
    assert taken("--where", "service=main", "--where", "gauge=1435")[0] == {"shore": 1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--where", "servise=main"), "no column 'servise' (did you mean 'service'?)"),
        (("--where", "main"), "--where 'main': write COLUMN=VALUE"),
        (("--where", "service=canal"), "no line and no point in it"),
        (("--bbox", "1,2,3"), "--bbox '1,2,3': write WEST,SOUTH,EAST,NORTH"),
        (("--bbox", "1,50,3,40"), "not a box on the earth"),
        (("--bbox", "10,10,20,20"), "2 of 2 features lie outside the box"),
    ],
)
def test_filters_that_fit_nothing(options: tuple[str, ...], message: str, space: Path, run: Run) -> None:
    assert space.is_dir()
    geojson(Path("new.geojson"), railroad=["shore", "valley"], service=["main", "main"])
    ran = run("import", "new.geojson", *options)
    assert ran.code == (1 if "no line" in message or "lie outside" in message else 2)
    assert message in ran.err


def test_a_drawing_takes_no_filter(space: Path, run: Run) -> None:
    assert space.is_dir()
    Path("scan.svg").write_text(PIXELS, encoding="utf-8")
    ran = run("import", "scan.svg", "--bbox", "-75,40,-70,45")
    assert ran.code == 2
    assert "scan.svg: a drawing is copied whole" in ran.err


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("scan.svg", ("--crs", "EPSG:3857"), "--crs has no effect on scan.svg (SVG drawing); leave it out"),
        ("scan.svg", ("--column", "a", "--layer", "b"), "--column, --layer have no effect on scan.svg (SVG drawing)"),
        ("new.geojson", ("--encoding", "cp1252"), "--encoding has no effect on new.geojson (GeoJSON)"),
        ("new.geojson", ("--key-from", "layer"), "--key-from has no effect on new.geojson (GeoJSON)"),
        ("graph.json", ("--layer", "edges"), "--layer has no effect on graph.json (graph as JSON)"),
        ("new.geojson", ("--country", "US"), "--country is for maps in RB3; leave it out"),
        ("new.geojson", ("--replace",), "--replace has no effect without a board"),
        ("--again", ("--into", "example", "--crs", "EPSG:4326"), "leave out --crs"),
    ],
)
def test_options_without_an_effect_are_refused(
    file: str, options: tuple[str, ...], message: str, space: Path, run: Run
) -> None:
    Path("scan.svg").write_text(PIXELS, encoding="utf-8")
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    Path("graph.json").write_text('{"nodes":[],"edges":[]}', encoding="utf-8")
    before = contents(space)
    ran = run("import", file, *options)
    assert (ran.code, message in ran.err) == (2, True), ran.err
    assert contents(space) == before


def test_an_option_may_serve_one_of_several_files_and_an_idle_one_is_noted(space: Path, run: Run) -> None:
    assert space.is_dir()
    Path("scan.svg").write_text(PIXELS, encoding="utf-8")
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    ran = run("import", "new.geojson", "scan.svg", "--rings", "--column", "railroad", "--name-column", "name")
    assert ran.code == 0, ran.err
    assert "new.geojson: --rings has no effect, because no polygon is in it" in ran.out
    assert "new.geojson: --name-column has no effect, because no point is in it" in ran.out


def test_what_an_import_left_out_stays_a_finding_until_it_is_corrected(space: Path, run: Run) -> None:
    feature = (
        '{{"type":"Feature","properties":{{"railroad":"SHORE"}},"geometry":{{"type":"LineString","coordinates":{}}}}}'
    )
    text = '{{"type":"FeatureCollection","features":[{},{}]}}'
    whole, broken = feature.format(json.dumps(SHORE)), feature.format("[[-71,42.4],[NaN,43]]")
    for second, expected in ((broken, 1), (feature.format(json.dumps(NORTH)), 0)):
        Path("new.geojson").write_text(text.format(whole, second), encoding="utf-8")
        assert run("import", "new.geojson", "--into", "example", "--replace").code == 0
        assert run("import", "--again", "--into", "example").code == 0
        notes = space / "drawings" / "notes.csv"
        found = notes.read_text(encoding="utf-8") if notes.exists() else ""
        assert found.count("new.geojson#1: a coordinate is not a finite number; left out") == expected


def test_nothing_is_written_over_unless_it_is_said(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    assert run("import", "new.geojson", "--into", "example").code == 0
    before = contents(space)
    ran = run("import", "new.geojson", "--into", "example")
    assert ran.code == 1
    assert "already exists; give --replace" in ran.err
    assert contents(space) == before
    geojson(Path("new.geojson"), railroad=["cross", "valley"])
    assert run("import", "new.geojson", "--into", "example", "--replace").code == 0
    assert written(space / "drawings" / "new.geojson")[0] == ("cross", "LineString")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "key 'Shoer Line' is not a railroad of the board (did you mean 'Shore Line'?)"),
        (("-m", "Shoer Lin=shore"), "--map 'Shoer Lin': no line has this key (did you mean 'Shoer Line'?)"),
        (("-m", "shore"), "--map 'shore': write KEY=RAILROAD"),
        (("-m", "a=shore", "-m", "a=cross"), "the key 'a' is given twice"),
        (("-c", "railrod"), "no column 'railrod' (did you mean 'railroad'?)"),
        (("-l", "newer"), "no layer 'newer' (did you mean 'new'?)"),
        (
            ("--key-from", "layers"),
            "--key-from: 'layers' is not one of auto, own, group, layer, id, class (did you mean",
        ),
    ],
)
def test_a_mistake_writes_nothing(options: tuple[str, ...], message: str, space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["Shoer Line", "valley"])
    before = contents(space)
    ran = run("import", "new.geojson", "--into", "example", *options)
    assert ran.code == (2 if options else 1)
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert contents(space) == before


def test_of_several_files_all_are_written_or_none(space: Path, run: Run) -> None:
    geojson(Path("good.geojson"), railroad=["shore", "valley"])
    Path("bad.geojson").write_text("{", encoding="utf-8")
    before = contents(space)
    assert run("import", "good.geojson", "bad.geojson", "--into", "example").code == 1
    assert contents(space) == before


def test_two_files_of_one_name_are_refused(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    Path("new.svg").write_text(PIXELS, encoding="utf-8")
    before = contents(space)
    ran = run("import", "new.geojson", "new.svg", "--into", "example")
    assert ran.code == 1
    assert "two files of this name" in ran.err
    assert contents(space) == before


def test_a_drawing_is_copied_and_its_keys_are_mapped(space: Path, run: Run) -> None:
    Path("scan.svg").write_text(PIXELS, encoding="utf-8")
    (space / "drawings").mkdir()
    (space / "drawings" / "mapping.csv").write_text("file,by,key,railroad\nold.svg,layer,*,cross\n", encoding="utf-8")
    ran = run("import", "scan.svg", "--into", "example", "--map", "red=shore", "--key-from", "group")
    assert ran.code == 0, ran.err
    assert (space / "drawings" / "scan.svg").read_text(encoding="utf-8") == PIXELS
    assert (space / "drawings" / "mapping.csv").read_text(encoding="utf-8").splitlines() == [
        "file,by,key,railroad",
        "old.svg,layer,*,cross",
        "scan.svg,group,VALLEY,valley",
        "scan.svg,group,red,shore",
    ]
    (space / "control_points.csv").write_text(
        "x,y,lon,lat\n0,0,-74,45\n100,0,-70,45\n0,100,-74,41\n100,100,-70,41\n", encoding="utf-8"
    )
    source = load_drawn(space)
    assert sorted(line.railroad for line in source.traced) == ["shore", "valley"]
    assert [(p.name, p.railroads) for p in source.pinned] == [("Midway", ("valley",))]


def test_a_drawing_says_by_its_layers_whose_lines_are(space: Path, run: Run) -> None:
    Path("scan.svg").write_text(PIXELS.replace('"red"', '"shore"'), encoding="utf-8")
    ran = run("import", "scan.svg", "--into", "example")
    assert ran.code == 0
    assert "pixels, placed by control points" in ran.out
    assert not (space / "drawings" / "mapping.csv").exists()


def test_a_shapefile_says_neither_crs_nor_encoding(space: Path, run: Run) -> None:
    named = frame(railroad=["Chemin de fer Côtier", "Valley Railroad"]).to_crs("EPSG:32619")
    named.to_file("rail.shp", encoding="cp1252")
    for suffix in ("prj", "cpg"):
        Path(f"rail.{suffix}").unlink(missing_ok=True)
    ran = run("import", "rail.shp", "--encoding", "cp1252")
    assert ran.code == 1
    assert "--crs" in ran.err or "crs" in ran.err.lower()
    options = ("--crs", "EPSG:32619", "--encoding", "cp1252", "--map", "Chemin de fer Côtier=shore")
    ran = run("import", "rail.shp", "--into", "example", *options)
    assert ran.code == 0, ran.err
    assert written(space / "drawings" / "rail.geojson") == [("shore", "LineString"), ("valley", "LineString")]
    first = json.loads((space / "drawings" / "rail.geojson").read_text(encoding="utf-8"))["features"][0]
    kept = first["geometry"]["coordinates"]
    for place in SHORE:  # between them, vertices keep long lines straight in the file's own CRS
        assert any(point == pytest.approx(place, abs=1e-6) for point in kept)


def test_layers_are_chosen(space: Path, run: Run) -> None:
    frame(note=["a", "b"]).to_file("all.gpkg", layer="shore", driver="GPKG")
    frame(note=["a", "b"]).iloc[:1].to_file("all.gpkg", layer="valley", driver="GPKG")
    frame(note=["a", "b"]).to_file("all.gpkg", layer="sketches", driver="GPKG")
    assert run("import", "all.gpkg", "--into", "example").code == 1
    ran = run("import", "all.gpkg", "--into", "example", "-l", "shore", "-l", "valley")
    assert ran.code == 0, ran.err
    assert [name for name, _ in written(space / "drawings" / "all.geojson")] == ["shore", "shore", "valley"]


def test_a_shipped_board_is_not_written_into(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    assert run("import", "new.geojson", "--into", "usa").code == 1
    assert run("import", "new.geojson", "--into", "nowhere").code == 1
    assert space.is_dir()


# -- trace


def test_stages_of_portugal_count(run: Run, tmp_path: Path) -> None:
    ran = run("trace", "portugal", "-w", REPOSITORY, "--json", "--out", tmp_path / "all.gpkg")
    assert ran.code == 0
    report = json.loads(ran.out)
    board = mapkit.load("portugal", workspace=REPOSITORY)
    stages = {stage["stage"]: stage for stage in report["stages"]}
    assert list(stages) == list(STAGES)
    assert stages["import"]["miles"] is None
    placed = stages["georeference"]["changes"]["placed by control points"]
    source = load_drawn(REPOSITORY / "sources" / "portugal")
    assert placed == len(source.traced) + len(source.pinned)
    assert stages["import"]["lines"] == stages["georeference"]["lines"] == len(source.traced)
    assert stages["node"]["changes"]["junctions"] == len(board.junctions)
    assert stages["segment"]["changes"] == {"segments": len(board.segments)}
    assert stages["segment"]["lines"] == len(board.pieces)
    assert stages["segment"]["mileposts"] == len(board.mileposts)
    total = sum(piece.miles for piece in board.pieces)
    assert stages["segment"]["miles"] == pytest.approx(total, abs=1)
    table = run("trace", "portugal", "-w", REPOSITORY).out.splitlines()
    assert table[0].split() == ["stage", "lines", "vertices", "miles", "mileposts", "changes"]
    assert [line.split()[0] for line in table[1:6]] == list(STAGES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--until", "nodes"), "no stage 'nodes' (did you mean 'node'?); stages are import, georeference"),
        (("--out", "x.geojson"), "stages are written as GeoPackage"),
        (
            ("--from", "gone.gpkg"),
            "gone.gpkg: no such file; mapkit trace BOARD --until STAGE --out gone.gpkg makes one",
        ),
        (("--from", "new.geojson"), "not a GeoPackage"),
        (("--from", "plain.gpkg"), "not a stage of mapkit"),
    ],
)
def test_trace_refuses(options: tuple[str, ...], message: str, space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    frame(railroad=["shore", "valley"]).to_file("plain.gpkg", driver="GPKG")
    ran = run("trace", "example", *options)
    assert ran.code == 1
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not Path("x.geojson").exists()
    assert space.is_dir()


@pytest.fixture
def mixed(space: Path) -> Path:
    """The example with `shore` in pixels, mileposts of the others in station lists, and spacing by rule."""
    (space / "lines" / "shore.csv").unlink()
    config = space / "board.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("[[regions]]", "[spacing]\ngap_mi = 25\n\n[[regions]]", 1), encoding="utf-8")
    points = [
        (100 * (lon + 75), 100 * (45 - lat)) for lon, lat in ((-70.2589, 43.6574), (-71.06, 42.36), (-72.93, 41.31))
    ]
    way = " L ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    x, y = points[1]
    (space / "lines" / "shore.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="500">'
        f'<g id="shore"><path d="M {way}"/><circle cx="{x - 40}" cy="{y + 22.46:.2f}" r="2"><title>Mid</title></circle>'
        "</g></svg>",
        encoding="utf-8",
    )
    (space / "control_points.csv").write_text(
        "x,y,lon,lat\n0,0,-75,45\n500,0,-70,45\n0,400,-75,41\n500,400,-70,41\n250,200,-72.5,43\n", encoding="utf-8"
    )
    text = config.read_text(encoding="utf-8")
    projection = '[projection]\nname = "plate-carree"\n'
    head, _, rest = text.partition("[projection]")
    config.write_text(head + projection + "\n# millimetres" + rest.partition("# millimetres")[2], encoding="utf-8")
    return space


def segments(path: Path) -> list[tuple[object, ...]]:
    table = gpd.read_file(path, layer="segments")
    columns = ("id", "railroad", "a", "b", "miles", "feature")
    return sorted(tuple(row[name] for name in columns) for _, row in table.iterrows())


@pytest.mark.parametrize("stage", STAGES[:-1])
def test_going_on_from_a_stage_gives_the_same_segments(stage: Stage, mixed: Path, run: Run) -> None:
    assert run("trace", "example", "--out", "all.gpkg").code == 0
    assert run("trace", "example", "--until", stage, "--out", "half.gpkg").code == 0
    assert run("trace", "example", "--from", "half.gpkg", "--out", "rest.gpkg").code == 0
    ours, whole = segments(Path("rest.gpkg")), segments(Path("all.gpkg"))
    board = mapkit.load("example")
    assert ours == whole
    assert {row[0] for row in whole} == {segment.id for segment in board.segments}
    assert any(row[1] == "shore" and str(row[5]).startswith("lines/shore.svg#") for row in whole)
    assert mixed.is_dir()


def test_every_stage_says_from_which_row_a_milepost_comes(mixed: Path) -> None:
    source = load_drawn(mixed)
    for stage in STAGES:
        from_tables = {p.name: p.feature for p in run_stages(source, until=stage).data.points if ".csv" in p.feature}
        assert from_tables["Portland"] == "cities.csv:6", stage
        assert all(feature.rpartition(":")[2].isdecimal() for feature in from_tables.values()), stage


def test_a_stage_that_is_done_is_not_run_again(mixed: Path, run: Run) -> None:
    assert run("trace", "example", "--until", "node", "--out", "half.gpkg").code == 0
    ran = run("trace", "example", "--from", "half.gpkg", "--until", "georeference")
    assert ran.code == 1
    assert "the file has the stage 'node', so 'georeference' is done already" in ran.err
    assert mixed.is_dir()


@pytest.mark.parametrize("stage", STAGES)
def test_the_same_stage_has_the_same_bytes_and_comes_back(stage: Stage, mixed: Path) -> None:
    data = run_stages(load_drawn(mixed), until=stage).data
    first = stage_bytes(data)
    assert first == stage_bytes(run_stages(load_drawn(mixed), until=stage).data)
    Path("one.gpkg").write_bytes(first)
    again = read_stage(Path("one.gpkg"))
    assert (again.board, again.stage, len(again.lines), len(again.points)) == (
        "example",
        stage,
        len(data.lines),
        len(data.points),
    )
    assert sorted(again.lines, key=repr) == sorted(data.lines, key=repr)


@pytest.mark.parametrize("stated", [-5, 0, 1, 10**9, 10**12])
def test_the_number_of_rows_that_a_stage_states_is_not_believed(stated: int, mixed: Path) -> None:
    """Another program may have left it wrong; so many rows would take gigabytes, or some would be missing."""
    data = run_stages(load_drawn(mixed), until="node").data
    Path("one.gpkg").write_bytes(stage_bytes(data))
    with closing(sqlite3.connect("one.gpkg")) as database, database:
        database.execute("UPDATE gpkg_ogr_contents SET feature_count = ?", (stated,))
    tracemalloc.start()
    try:
        again = read_stage(Path("one.gpkg"))
        assert tracemalloc.get_traced_memory()[1] < 64_000_000
    finally:
        tracemalloc.stop()
    assert sorted(again.lines, key=repr) == sorted(data.lines, key=repr)
    assert len(again.points) == len(data.points)


def test_pixels_are_upside_down_and_degrees_have_their_crs(mixed: Path, run: Run) -> None:
    assert run("trace", "example", "--until", "import", "--out", "raw.gpkg").code == 0
    drawing = gpd.read_file("raw.gpkg", layer="lines_px")
    assert drawing.total_bounds[3] < 0
    assert gpd.read_file("raw.gpkg", layer="points_px").geometry.y.max() < 0
    assert drawing.crs is None or not drawing.crs.is_geographic
    assert run("trace", "example", "--until", "node", "--out", "node.gpkg").code == 0
    layers = set(gpd.list_layers("node.gpkg")["name"])
    assert {"lines", "points", "stage"} <= layers
    assert not {"lines_px", "points_px", "segments"} & layers
    lines = gpd.read_file("node.gpkg", layer="lines")
    assert lines.crs == "EPSG:4326"
    assert set(lines["railroad"]) == {"shore", "valley", "cross"}
    points = gpd.read_file("node.gpkg", layer="points")
    assert points.loc[points["name"] == "Mid", "railroads"].tolist() == ["shore"]
    assert mixed.is_dir()


def edited(path: Path, layer: str, change: Callable[[gpd.GeoDataFrame], None]) -> None:
    table = gpd.read_file(path, layer=layer)
    change(table)
    table.to_file(path, layer=layer, driver="GPKG")


def test_an_edited_stage_is_read_with_care(mixed: Path, run: Run) -> None:
    assert run("trace", "example", "--until", "node", "--out", "node.gpkg").code == 0

    def rename(table: gpd.GeoDataFrame) -> None:
        table.loc[2, "railroad"] = "shoer"

    edited(Path("node.gpkg"), "lines", rename)
    ran = run("trace", "example", "--from", "node.gpkg")
    assert ran.code == 1
    assert "node.gpkg: lines row 3: railroad 'shoer' is not in railroads.csv (did you mean 'shore'?)" in ran.err
    assert mixed.is_dir()


def test_a_point_of_an_unknown_railroad_is_an_error(mixed: Path, run: Run) -> None:
    assert run("trace", "example", "--until", "node", "--out", "node.gpkg").code == 0
    rows = gpd.read_file("node.gpkg", layer="points")
    number = rows.index[rows["name"] == "Mid"][0]

    def rename(table: gpd.GeoDataFrame) -> None:
        table.loc[number, "railroads"] = "shore; vally"

    edited(Path("node.gpkg"), "points", rename)
    ran = run("trace", "example", "--from", "node.gpkg")
    assert ran.code == 1
    assert f"node.gpkg: points row {number + 1}: railroad 'vally' is not in railroads.csv" in ran.err
    assert mixed.is_dir()


def test_a_stage_of_another_board_is_refused(mixed: Path, run: Run) -> None:
    assert run("trace", "example", "--until", "node", "--out", "node.gpkg").code == 0
    assert run("new", "other").code == 0
    ran = run("trace", "other", "--from", "node.gpkg")
    assert ran.code == 1
    assert "the file is of the board 'example', not 'other'" in ran.err
    with pytest.raises(SourceError, match="not 'other'"):
        run_stages(load_drawn(mixed.parent / "other"), start=read_stage(Path("node.gpkg")))


# -- placing again


def test_lines_of_several_files_meet_whichever_came_first(space: Path, run: Run) -> None:
    """One by one, in any order, they give the files that importing them together gives."""
    shapes = {"one": [SHORE], "two": [NORTH]}
    for name, lines in shapes.items():
        table = gpd.GeoDataFrame(
            {"railroad": ["cross"]}, geometry=list(map(shapely.LineString, lines)), crs="EPSG:4326"
        )
        table.to_file(f"{name}.geojson", driver="GeoJSON")
    found = []
    for number, calls in enumerate((["one", "two"], ["two", "one"], ["one two"])):
        assert run("new", f"board-{number}").code == 0
        for call in calls:
            files = [f"{name}.geojson" for name in call.split()]
            assert run("import", *files, "--into", f"board-{number}").code == 0
        folder = space.parent / f"board-{number}"
        lists = {line for path in folder.glob("lines/*.csv") for line in path.read_text("utf-8").splitlines()[1:]}
        found.append((lists, set((folder / "places.csv").read_text("utf-8").splitlines())))
    assert found[0] == found[1] == found[2]


def test_the_same_drawing_gives_the_same_bytes(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    assert run("import", "new.geojson", "--into", "example").code == 0
    before = contents(space)
    assert run("import", "new.geojson", "--into", "example", "--replace").code == 0
    assert contents(space) == before
    ran = run("import", "--again", "--into", "example")
    assert "all lines stay as they are" in ran.out
    assert contents(space) == before


def test_an_import_is_a_step_that_undo_takes_back_with_its_files(
    space: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(space)
    geojson(Path("new.geojson"), operator=["SHORE", "Granite Road"])
    asked = ("import", "new.geojson", "--column", "operator", "--into", "example", "--new-railroads")
    ran = run(*asked)
    assert (ran.code, "mapkit undo example takes this back" in ran.err) == (0, True)
    after = contents(space)
    assert "drawings/new.geojson" in after
    assert "drawings/new.geojson" not in before
    assert "Undo: Import new.geojson" in run("undo", "example").out
    assert contents(space) == before
    assert run("redo", "example").code == 0
    assert contents(space) == after
    assert run("undo", "example").code == 0
    monkeypatch.setattr("mapkit.document.importing.LARGEST_STEP", 100)
    ran = run(*asked)
    assert (ran.code, "mapkit undo does not take this back" in ran.err) == (0, True)
    assert contents(space) == after


def test_an_import_is_a_step_behind_unsaved_ones(space: Path, run: Run) -> None:
    """Steps that wait to be saved stay, and the import is a step behind them."""
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    command = json.dumps({"kind": "edit-city", "id": "boston", "weight": 7})
    assert run("do", "example", command, "--no-save").code == 0
    before = contents(space)
    ran = run("import", "new.geojson", "--into", "example")
    assert (ran.code, "mapkit undo example takes this back" in ran.err) == (0, True)
    assert run("undo", "example", "--steps", "2", "--save").code == 0
    assert contents(space) == before


def test_what_was_changed_by_hand_stays_until_the_drawings_are_placed_again(space: Path, run: Run) -> None:
    geojson(Path("new.geojson"), railroad=["shore", "valley"])
    assert run("import", "new.geojson", "--into", "example").code == 0
    path = space / "lines" / "valley.csv"
    drawn = path.read_text(encoding="utf-8")
    path.write_text(drawn.replace("Milepost", "Halt"), encoding="utf-8")
    rows = drawn.splitlines()
    at = next(n for n, row in enumerate(rows) if "drawings/new.geojson" in row)
    name = rows[at].split(",")[1]
    bent = [*rows[: at + 1], f'VALLEY,{name},2,"@-71.2,42.6",via,', rows[at + 1].replace(",2,", ",3,"), *rows[at + 2 :]]
    path.write_text("\n".join(bent) + "\n", encoding="utf-8")
    by_hand = path.read_bytes()
    geojson(Path("more.geojson"), railroad=["cross", "cross"])
    ran = run("import", "more.geojson", "--into", "example")
    assert ran.code == 0, ran.err
    assert "were changed since they were placed: they stay" in ran.err
    assert path.read_bytes() == by_hand
    shown = run("import", "--again", "--into", "example", "--dry-run", "--json")
    assert json.loads(shown.out)["lines_changed"] == [f"valley: {name}"]
    assert path.read_bytes() == by_hand
    assert run("import", "--again", "--into", "example").code == 0
    assert path.read_text(encoding="utf-8") == drawn
    assert run("undo", "example").code == 0
    assert path.read_bytes() == by_hand


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "no file is given; name one, or give --again"),
        (("--dry-run",), "no file is given; name one, or give --again"),
        (("--again",), "--again looks up the places of a board again; name the board with --into"),
        (("--again", "--into", "example"), "the board has no drawings; take one in with mapkit import"),
    ],
)
def test_placing_again_refuses(options: tuple[str, ...], message: str, space: Path, run: Run) -> None:
    ran = run("import", *options)
    assert (ran.code, message in ran.err) == (1 if "example" in options else 2, True)
    assert space.is_dir()


@pytest.mark.parametrize("stage", ["node", "space", "segment"])
def test_a_stage_taken_back_changes_only_what_was_edited(stage: Stage, mixed: Path, run: Run) -> None:
    """Spacing, pixels and station lists: nothing edited changes no byte; one line edited changes that line alone."""
    geojson(Path("more.geojson"), railroad=["valley", "valley"])
    assert run("import", "more.geojson", "--into", "example").code == 0
    assert run("trace", "example", "--until", stage, "--out", "stage.gpkg").code == 0
    before = contents(mixed)
    ran = run("import", "stage.gpkg", "--into", "example")
    assert ran.code == 0, ran.err
    assert "all lines stay as they are" in ran.out
    assert contents(mixed) == before

    def bend(table: gpd.GeoDataFrame) -> None:
        shapes = list(table.geometry)
        at = list(table["feature"].str.startswith("drawings/more.geojson#")).index(True)
        (x, y), *_, last = shapes[at].coords
        shapes[at] = shapely.LineString([(x, y), (x + 0.1, y + 0.2), last])
        table["geometry"] = gpd.GeoSeries(shapes, index=table.index, crs=table.crs)

    edited(Path("stage.gpkg"), "lines", bend)
    ran = run("import", "stage.gpkg", "--into", "example")
    assert ran.code == 0, ran.err
    after = contents(mixed)
    changed = {str(name) for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert any(name.endswith("valley.csv") for name in changed)
    assert not any(name.endswith("shore.csv") for name in changed)
