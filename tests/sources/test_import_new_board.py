"""`mapkit import FILE` in a workspace without boards makes a board of the lines alone."""

import csv
import json
from pathlib import Path

import pytest
import shapely
from conftest import Run

import mapkit
from mapkit.core.errors import MapkitError, SourceError, WorkspaceError
from mapkit.kinds.rail.api.importing import whole_board
from mapkit.kinds.rail.compiler.package import built_folder

RED = [(-3.7, 40.4), (-2.9, 41.0), (-0.88, 41.65), (2.17, 41.38)]
BLUE = [(-3.7, 40.4), (-5.98, 37.39)]
Lines = list[tuple[str, list[tuple[float, float]]]]
SPAIN: Lines = [("Red Line", RED), ("Blue Line", BLUE)]


def write(path: Path, lines: Lines) -> Path:
    features = [
        {"type": "Feature", "properties": {"railroad": key}, "geometry": {"type": "LineString", "coordinates": line}}
        for key, line in lines
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def served(board: mapkit.Board, railroad: str) -> set[str]:
    stops = {end for s in board.segments if s.railroad == railroad for end in (s.a, s.b)}
    return {city.id for city in board.cities if city.milepost in stops}


@pytest.mark.slow
@pytest.mark.parametrize("keep", [False, True])
def test_lines_without_length_or_railroad_are_left_out(keep: bool, tmp_path: Path) -> None:  # noqa: FBT001
    odd: Lines = [("Red Line", [(-3.7, 40.4), (-3.7, 40.4)]), ("", [(-8.6, 41.15), (-9.14, 38.72)])]
    file = write(tmp_path / "odd.geojson", [*SPAIN, *odd])
    report = mapkit.import_lines_as_board(file, keep_topology=keep, workspace=tmp_path)
    assert report.new_railroads == ("blue-line", "red-line")
    board = built_folder(tmp_path / "sources" / "odd")
    assert {city.id for city in board.cities}.isdisjoint({"porto", "lisboa"})


@pytest.mark.slow
@pytest.mark.parametrize("keep", [False, True])
def test_a_file_of_lines_becomes_a_checked_and_drawn_board(keep: bool, tmp_path: Path) -> None:  # noqa: FBT001
    file = write(tmp_path / "Two Lines.geojson", SPAIN)
    report = mapkit.import_lines_as_board(file, keep_topology=keep, workspace=tmp_path)
    folder = tmp_path / "sources" / "two-lines"
    assert report.new_railroads == ("blue-line", "red-line")
    assert set(report.written) == {path.as_posix() for path in folder.rglob("*") if path.is_file()}
    assert (folder / "drawings/Two Lines.geojson").exists() is not keep
    board = built_folder(folder)
    assert {r.id: (r.name, r.price) for r in board.railroads} == {
        "blue-line": ("Blue Line", 9500),
        "red-line": ("Red Line", 13000 if keep else 13500),
    }
    assert served(board, "red-line") & served(board, "blue-line") == {"madrid"}
    assert {"barcelona", "sevilla", "zaragoza"} <= served(board, "red-line") | served(board, "blue-line")
    assert {city.id for city in board.cities} == served(board, "red-line") | served(board, "blue-line")
    assert not [finding for finding in mapkit.check(board, drawing=False).findings if finding.severity == "error"]
    assert [r["name"] for r in rows(folder / "railroads.csv")] == ["Blue Line", "Red Line"]
    mapkit.draw("two-lines", out=tmp_path / "two-lines.svg", workspace=tmp_path)
    assert "Barcelona" in (tmp_path / "two-lines.svg").read_text(encoding="utf-8")


def test_the_command_says_what_it_made(tmp_path: Path, run: Run) -> None:
    ran = run("import", write(tmp_path / "lines.geojson", SPAIN), "--workspace", tmp_path)
    assert ran.code == 0
    out, err = ran.out, ran.err
    assert out.splitlines()[0] == "lines.geojson: 2 lines, 6 vertices, 573.8 miles; 0 mileposts, 0 of them named"
    assert "Blue Line      1  blue-line" in out
    assert "new in railroads.csv: red-line; set its price, reporting mark and colour" in err
    assert [line.rpartition("/")[2] for line in err.splitlines() if line.startswith("written: ")] == [
        "board.toml",
        "cities.csv",
        "lines.geojson",
        "notes.csv",
        "blue-line.csv",
        "red-line.csv",
        "places.csv",
        "railroads.csv",
    ]


def test_a_file_makes_the_same_board_each_time(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        mapkit.import_lines_as_board(write(tmp_path / "lines.geojson", SPAIN), workspace=tmp_path / name)
        folder = tmp_path / name / "sources"
        made.append({p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()})
    assert made[0] == made[1]


def test_lines_without_a_column_are_one_railroad_called_after_the_file(tmp_path: Path) -> None:
    shape = shapely.to_geojson(shapely.MultiLineString([RED, BLUE]))
    (tmp_path / "norte.json").write_text(shape, encoding="utf-8")
    mapkit.import_lines_as_board(tmp_path / "norte.json", workspace=tmp_path)
    assert [row["name"] for row in rows(tmp_path / "sources/norte/railroads.csv")] == ["norte"]


def test_a_long_parallel_is_straight_as_it_is_drawn(tmp_path: Path) -> None:
    """On the plane in which lines are joined its chord is 3 miles off a dot in its middle, and off the way back."""
    file = write(tmp_path / "west.geojson", [("a", [(-105, 40), (-100.5, 40), (-99, 40), (-103.5, 40), (-105, 40)])])
    data = json.loads(file.read_text(encoding="utf-8"))
    dot = {
        "type": "Feature",
        "properties": {"name": "Halfway"},
        "geometry": {"type": "Point", "coordinates": (-102, 40)},
    }
    data["features"].append(dot)
    file.write_text(json.dumps(data), encoding="utf-8")
    report = mapkit.import_lines_as_board(file, workspace=tmp_path)
    assert not [note for note in report.notes if "no line passes" in note]
    board = built_folder(tmp_path / "sources/west")
    assert "halfway" in {end for segment in board.segments for end in (segment.a, segment.b)}
    pairs = [frozenset((segment.a, segment.b)) for segment in board.segments]
    assert len(set(pairs)) == len(pairs)


def test_what_has_no_railroad_is_left_out_and_a_dot_at_a_city_is_the_city(tmp_path: Path) -> None:
    file = write(tmp_path / "lines.geojson", [*SPAIN, ("", [(-3.7, 40.4), (-0.37, 39.47)])])
    data = json.loads(file.read_text(encoding="utf-8"))
    dot = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": (-5.97317, 37.38283)}}
    data["features"].append(dot)
    file.write_text(json.dumps(data), encoding="utf-8")
    report = mapkit.import_lines_as_board(file, workspace=tmp_path)
    assert "lines.geojson#2: column 'railroad' is empty, so it has no railroad" in report.files[0].notes
    board = built_folder(tmp_path / "sources/lines")
    assert [railroad.id for railroad in board.railroads] == ["blue-line", "red-line"]
    assert "sevilla" in served(board, "blue-line")


CHUKOTKA: Lines = [
    ("Chukotka", [(177.5, 64.73), (179.5, 65.5), (-179.5, 65.8), (-173.2, 64.42)]),
    ("Coast", [(177.5, 64.73), (170.27, 69.7)]),
]


@pytest.mark.slow
def test_lines_across_longitude_180_become_a_board_around_it(tmp_path: Path) -> None:
    mapkit.import_lines_as_board(write(tmp_path / "north.geojson", CHUKOTKA), workspace=tmp_path)
    folder = tmp_path / "sources/north"
    assert "lon_0 = 178.5" in (folder / "board.toml").read_text(encoding="utf-8")
    assert {row["id"]: row["region"] for row in rows(folder / "cities.csv")} == {
        "anadyr": "east",
        "pevek": "west",
        "provideniya": "east",
    }
    board = built_folder(folder)
    assert served(board, "chukotka") == {"anadyr", "provideniya"}
    assert max(segment.miles for segment in board.segments) < 20
    at = [milepost.x for milepost in mapkit.draw(board, out=tmp_path / "north.svg").board.mileposts]
    assert max(at) - min(at) < 420


OCEAN: Lines = [("a", [(-30, -40), (-29, -40)])]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path id="a" stroke="red" d="M0 0L9 9"/></svg>'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("ocean.geojson", json.dumps({"type": "LineString", "coordinates": OCEAN[0][1]}), "no place of the gazetteer"),
        ("empty.geojson", "", "the file is empty"),
        ("none.geojson", '{"type":"FeatureCollection","features":[]}', "no line and no point in it"),
        ("point.geojson", '{"type":"Point","coordinates":[1,41]}', "no lines in it"),
        ("drawn.svg", SVG, "a drawing in pixels needs a board"),
        ("notes.txt", "hello", "not a format that mapkit reads"),
        ("broken.geojson", '{"type":"FeatureCollection",', "not valid JSON"),
    ],
)
def test_a_file_without_usable_lines_makes_no_board(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=said) as caught:
        mapkit.import_lines_as_board(tmp_path / name, workspace=tmp_path)
    assert name in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_line_over_the_pole_is_refused_with_the_limit(tmp_path: Path, run: Run) -> None:
    polar: Lines = [("Polar", [(0, 80), (0, 90), (180, 80)])]
    result = run("import", str(write(tmp_path / "polar.geojson", polar)), "-w", str(tmp_path))
    assert result.code == 1
    assert "polar.geojson#0: lon 0, lat 90 is too near a pole for a board (lat -85..85)" in result.err
    assert not (tmp_path / "sources").exists()


@pytest.mark.parametrize(
    ("column", "is_named"),
    [("ferrocarril", True), ("RROWNER1", True), ("Bahngesellschaft", True), ("Bahnhof", False), ("railroad", False)],
)
def test_the_attribute_that_may_name_the_railroads_is_named(column: str, is_named: bool, tmp_path: Path) -> None:  # noqa: FBT001
    file = write(tmp_path / "spain.geojson", SPAIN)
    file.write_text(file.read_text(encoding="utf-8").replace('"railroad"', f'"{column}"'), encoding="utf-8")
    (preview,) = mapkit.import_lines(file, workspace=tmp_path).files
    assert any(f"add --column {column!r}" in note for note in preview.notes) is is_named


def test_without_a_place_on_a_line_its_ends_are_the_cities(tmp_path: Path) -> None:
    file = write(tmp_path / "east.geojson", [("Chukotka", [(175, 65), (183, 66), (190, 65)])])
    mapkit.import_lines_as_board(file, workspace=tmp_path)
    cities = rows(tmp_path / "sources/east/cities.csv")
    assert [(city["lon"], city["lat"]) for city in cities] == [("-170.00000", "65.00000"), ("175.00000", "65.00000")]


def test_a_missing_file_makes_no_board(tmp_path: Path) -> None:
    with pytest.raises(MapkitError, match=r"absent\.geojson"):
        mapkit.import_lines_as_board(tmp_path / "absent.geojson", workspace=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_board_that_is_there_is_not_touched(tmp_path: Path, run: Run) -> None:
    file = write(tmp_path / "lines.geojson", SPAIN)
    mapkit.import_lines_as_board(file, workspace=tmp_path)
    folder = tmp_path / "sources"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    write(file, [("Green Line", RED)])
    with pytest.raises(WorkspaceError, match="lines"):
        mapkit.import_lines_as_board(file, workspace=tmp_path)
    ran = run("import", file, "--workspace", tmp_path)
    assert "nothing written; give --into BOARD" in ran.err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_dry_run_writes_nothing(tmp_path: Path, run: Run) -> None:
    ran = run("import", write(tmp_path / "lines.geojson", SPAIN), "--dry-run", "--workspace", tmp_path)
    assert ran.code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["lines.geojson"]


def test_swapped_coordinates_are_named_with_the_option(tmp_path: Path, run: Run) -> None:
    shape = {"type": "LineString", "coordinates": [[-34.9, -56.19], [-34.1, -56.215], [-32.8, -56.52]]}
    feature = {"type": "Feature", "properties": {"railroad": "Central"}, "geometry": shape}
    (tmp_path / "uruguay.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), "utf-8")
    ran = run("import", tmp_path / "uruguay.geojson", "--workspace", tmp_path)
    assert ran.code == 1
    assert "with the latitude first they lie near Montevideo (UY); add --crs latlon" in ran.err


def test_topojson_of_others_is_a_file_of_lines(tmp_path: Path) -> None:
    objects = {"rail": {"type": "LineString", "arcs": [0], "properties": {"railroad": "Central"}}}
    arcs = [[[-56.19, -34.9], [-56.215, -34.1]]]
    path = tmp_path / "lines.topojson"
    path.write_text(json.dumps({"type": "Topology", "objects": objects, "arcs": arcs}), "utf-8")
    assert whole_board(path) is None
