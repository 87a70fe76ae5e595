"""The walk of docs/tutorials/island.md, run as it stands there, and boards of invented lands."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import shapely
from conftest import REPOSITORY, Run
from walking import walk_through

import mapkit
from mapkit.core.errors import ExportError, SourceError
from mapkit.core.geodesy import line_miles
from mapkit.document.workspace import open_workspace
from mapkit.geography.land_plane import LandPlane
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.registry import get_format
from mapkit.kinds.rail.importing.files import ImportPlan, import_files
from mapkit.kinds.rail.kind import RAIL
from mapkit.kinds.rail.reading.files import read_folder
from mapkit.kinds.rail.reading.package import read_package


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("island")
    walk_through((REPOSITORY / "docs" / "tutorials" / "island.md").read_text(encoding="utf-8"), folder)
    return folder


@pytest.fixture
def workspace(walked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(walked, tmp_path / "copy"))


def test_one_drawing_becomes_a_board_without_errors_or_warnings(walked: Path) -> None:
    board = mapkit.load("skerry", workspace=walked)
    assert len(board.cities) == 8
    assert {finding.severity for finding in mapkit.check(board).findings} <= {"note"}
    names = [milepost.name for milepost in board.mileposts]
    assert {"Alderbeck", "Brackwater", "Cold Ash", "Dunmere", "Elder Cross"} <= set(names)
    assert not [name for name in names if re.search(r"\d", name)]
    assert board.layers is not None
    assert board.layers.labels is not None
    assert set(board.layers.labels) == {"Sound of Mirrin", "The Grey Sea"}
    assert board.layers.regions is not None
    assert set(board.layers.regions) == {"westmark", "eastmark"}


def test_lengths_follow_the_scale(walked: Path) -> None:
    board = mapkit.load("skerry", workspace=walked)
    by_name = {milepost.name: (milepost.lon, milepost.lat) for milepost in board.mileposts}
    drawn_units = np.hypot(340 - 70, 185 - 130)
    assert line_miles([by_name["Portmirrin"], by_name["Eastness"]]) == pytest.approx(0.8 * drawn_units, rel=1e-3)


def test_the_page_shows_all_land_and_labels(walked: Path) -> None:
    board = mapkit.load("skerry", workspace=walked)
    plane, projection = board.projection.plane, board.projection
    assert plane is not None
    metres = (np.array([[40.0, 120.0], [404.0, 240.0], [30.0, 267.0]]) - plane.middle) * 0.8 * 1609.344
    x = projection.offset_x_mm + projection.scale_mm_per_m * metres[:, 0]
    assert x.min() >= board.page.frame[0] - 0.1
    assert x.max() <= board.page.frame[2] + 0.1


def test_no_file_and_no_drawing_says_degrees(walked: Path) -> None:
    package = walked / "sources" / "skerry"
    for file in package.rglob("*.csv"):
        assert not re.search(r"\blon\b|\blat\b|\d[ew]-\d+[ns]|°", file.read_text(encoding="utf-8")), file.name
    svg = (walked / "build" / "skerry" / "board.svg").read_text(encoding="utf-8")
    assert not re.search(r"data-l(on|at)=|°|\d[NS] \d", svg)
    assert "The Grey Sea" in svg


@pytest.mark.parametrize("name", ["geojson", "gpkg", "kml", "topojson", "xlsx"])
def test_formats_of_the_earth_refuse_an_invented_land(walked: Path, name: str) -> None:
    board = mapkit.load("skerry", workspace=walked)
    with pytest.raises(ExportError, match=r"the land of Skerry is invented and has none; export svg"):
        get_format(name).export(board, ExportOptions())


def test_all_formats_are_written_but_those_of_the_earth_which_are_named(walked: Path, tmp_path: Path) -> None:
    done = mapkit.export("skerry", to="all", out=tmp_path, workspace=walked)
    assert set(done.left_out) == {"geojson", "gpkg", "kml", "topojson", "xlsx"}
    assert {"svg", "vassal", "engine"} <= set(done.losses)
    assert (tmp_path / "manifest.json").is_file()
    with pytest.raises(ExportError, match="invented"):
        mapkit.export("skerry", to="svg,kml", out=tmp_path / "named", workspace=walked)
    assert not (tmp_path / "named").exists()


def test_places_are_those_of_the_land_in_coordinates_of_its_drawing(walked: Path, run: Run) -> None:
    found = run("place", "midford", "London", "-b", "skerry", "-w", walked)
    assert found.out == "midford: Midford, x 200, y 150, from the board\n\nLondon: not found\n"
    assert run("match", "skerry", "-w", walked).out.startswith("54 of 54 names matched")


def test_an_import_again_moves_the_city_with_its_dot(workspace: Path) -> None:
    drawing = workspace / "skerry.svg"
    text = drawing.read_text(encoding="utf-8")
    drawing.write_text(text.replace('cx="310" cy="95"', 'cx="311" cy="94"'), encoding="utf-8")
    import_files([drawing], into=workspace / "sources" / "skerry", plan=ImportPlan(replace=True))
    assert "greywick,Greywick,eastmark,1,311,94" in (workspace / "sources" / "skerry" / "cities.csv").read_text(
        encoding="utf-8"
    )


def test_a_second_import_changes_nothing(workspace: Path) -> None:
    package = workspace / "sources" / "skerry"
    before = {file: file.read_bytes() for file in package.rglob("*") if file.is_file()}
    import_files([workspace / "skerry.svg"], into=package, plan=ImportPlan(replace=True))
    assert {file: file.read_bytes() for file in package.rglob("*") if file.is_file()} == before


def test_the_command_says_what_an_import_would_do_and_what_has_not_changed(workspace: Path, run: Run) -> None:
    package = workspace / "sources" / "skerry"
    before = {file: file.read_bytes() for file in package.rglob("*") if file.is_file()}
    line = ("import", workspace / "skerry.svg", "--into", "skerry", "--replace", "-w", workspace)
    tried = run(*line, "--dry-run")
    assert "units of the drawing" in tried.out
    assert re.search(r"Harbour Line +2 +harbour", tried.out)
    assert "mountains" not in tried.out
    assert "nothing written; leave out --dry-run to do it" in tried.err
    again = run(*line)
    assert "nothing has changed: skerry has these lines already" in again.err
    assert "--into" not in tried.err + again.err
    (workspace / "e.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    refused = run("import", workspace / "e.svg", "--into", "skerry", "-w", workspace)
    assert (refused.code, "e.svg: no line and no point in it; check what was exported" in refused.err) == (1, True)
    assert {file: file.read_bytes() for file in package.rglob("*") if file.is_file()} == before


def test_a_dry_run_changes_no_file_and_names_unknown_keys(workspace: Path, run: Run) -> None:
    package = workspace / "sources" / "skerry"
    before = {file: file.read_bytes() for file in package.rglob("*") if file.is_file()}
    drawing = workspace / "more.svg"
    text = (workspace / "skerry.svg").read_text(encoding="utf-8")
    drawing.write_text(text.replace("Coast Railway", "Coost Railway"), encoding="utf-8")
    tried = run("import", drawing, "--into", "skerry", "--dry-run", "-w", workspace)
    assert re.search(r"Coost Railway +3 +-\n *Harbour Line +2 +harbour", tried.out)
    assert "nothing written; first map keys with --map" in tried.err
    made = run("import", drawing, "--into", "skerry", "--dry-run", "--new-railroads", "-w", workspace)
    assert "would be new in railroads.csv: coost-railway" in made.err
    assert {file: file.read_bytes() for file in package.rglob("*") if file.is_file()} == before


def test_charts_are_solved_without_the_lines(workspace: Path) -> None:
    """Readers of cities alone take positions on the plane too."""
    solved = mapkit.solve_destinations("skerry", workspace=workspace)
    assert set(solved.charts) == {"regions", "westmark", "eastmark"}


def test_the_shipped_island_is_what_its_drawing_says(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "sources" / "carrow", tmp_path / "sources" / "carrow")
    drawing = shutil.copy(tmp_path / "sources" / "carrow" / "drawings" / "carrow.svg", tmp_path / "carrow.svg")
    report = mapkit.import_lines(drawing, into="carrow", overwrite=True, workspace=tmp_path)
    assert report.written == ()
    board = mapkit.load("carrow", workspace=tmp_path)
    assert (len(board.mileposts), len(board.railroads), len(board.cities), len(board.regions)) == (197, 10, 31, 6)
    assert {finding.severity for finding in mapkit.check(board).findings} == {"note"}


def test_wrong_areas_are_named_with_place_and_cure(workspace: Path) -> None:
    drawing = workspace / "skerry.svg"
    text = drawing.read_text(encoding="utf-8").replace(
        '<ellipse cx="392" cy="240" rx="12" ry="8"/>', '<path d="M 0,0 L 9,9 9,0 0,9 Z"/>'
    )
    drawing.write_text(text.replace('label="Westmark"', 'label="Westmrak"'), encoding="utf-8")
    with pytest.raises(SourceError) as raised:
        import_files([drawing], into=workspace / "sources" / "skerry", plan=ImportPlan(replace=True))
    crossing, region = raised.value.problems
    assert "the outline crosses itself at x 4.5, y 4.5; draw it again without the crossing" in crossing
    assert "'Westmrak' is of no region of board.toml" in region
    assert "westmark" in region


def test_geodata_in_degrees_is_refused(workspace: Path) -> None:
    file = workspace / "more.geojson"
    line = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
    feature = {"type": "Feature", "properties": {"railroad": "coast"}, "geometry": line}
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), encoding="utf-8")
    with pytest.raises(SourceError, match="have no place in an invented land"):
        import_files([file], into=workspace / "sources" / "skerry", plan=ImportPlan())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("scale_mi = 0.8\n", "", "needs scale_mi"),
        ('name = "plane"', 'name = "albers"', "nothing else has one"),
        ("middle = [210, 148]", "middle = [9000, 148]", "x is '340 .more than 2000 miles from the middle.'"),
        ("[spacing]", '[gazetteer]\ncountries = ["IE"]\n\n[spacing]', "an invented land .* has no gazetteer"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(workspace: Path, old: str, new: str, message: str) -> None:
    settings = workspace / "sources" / "skerry" / "board.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    problems = [str(problem) for problem in read_package(read_folder(settings.parent)).problems]
    assert any(re.search(message, problem) and not re.search("lon|lat", problem) for problem in problems)


def test_cells_of_positions_are_read_as_they_were() -> None:
    plane = LandPlane(scale_mi=1.7, middle=(300.0, 200.0))
    rng = np.random.default_rng(5)
    for x, y in rng.uniform(-100, 700, (200, 2)).tolist():
        position = plane.position(x, y)
        assert position is not None
        assert plane.position(*map(float, plane.cells(*position))) == position
    assert plane.cells(*(plane.position(145, 71) or (0.0, 0.0))) == ("145", "71")
    assert plane.position(1e5, 0) is None


def test_messages_name_coordinates_of_the_drawing() -> None:
    plane = LandPlane(scale_mi=1.0)
    lon, lat = plane.position(40, -25) or (0.0, 0.0)
    text = f"crosses itself at lon {lon:.4f}, lat {lat:.4f}; or @{lon},{lat}"
    assert plane.describe(text) == "crosses itself at x 40.0, y -25.0; or x 40.0, y -25.0"


def test_the_island_of_the_cases_has_no_names_of_faraway_places(tmp_path: Path) -> None:
    case = REPOSITORY.parent / "shared" / "cases" / "authors" / "island" / "island.svg"
    if not case.is_file():
        pytest.skip(f"{case} is not here")
    package = tmp_path / "isle"
    package.mkdir()
    drawing = tmp_path / "island.svg"
    drawing.write_text(case.read_text(encoding="utf-8").replace('"Coast"', '"land"'), encoding="utf-8")
    settings = (
        (REPOSITORY / "docs" / "tutorials" / "island.md")
        .read_text(encoding="utf-8")
        .split("```toml\n")[1]
        .split("```")[0]
    )
    (package / "board.toml").write_text(settings, encoding="utf-8")
    (package / "railroads.csv").write_text(
        "id,name,short,price,public,colour,pattern\n"
        "nr,Northern Railway,NR,12000,false,#1d3f8f,solid\nscr,South Coast,SCR,12000,false,#b5273a,dash\n"
        "ec,east-coast,ECL,9000,false,#1e7d4f,double\nml,Mineral Line,ML,8000,false,#8a5a1c,ties\n",
        encoding="utf-8",
    )
    (package / "cities.csv").write_text(
        "id,name,region\nmillbrook,Millbrook,westmark\nfairlight,Fairlight,eastmark\n", encoding="utf-8"
    )
    import_files([drawing], into=package, plan=ImportPlan())
    names = [row.split(",")[0] for row in (package / "places.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert not [name for name in names if re.search(r"\d[NS]| - |Flores", name)]
    land = json.loads((package / "layers" / "land.geojson").read_text(encoding="utf-8"))["features"][0]["geometry"]
    assert shapely.from_geojson(json.dumps(land)).contains(shapely.Point(200, 150))


def test_names_that_are_nowhere_ask_for_a_dot(workspace: Path) -> None:
    package = workspace / "sources" / "skerry"
    (package / "cities.csv").write_text(
        (package / "cities.csv").read_text(encoding="utf-8") + "avalon,Avalon,westmark,1,,\n", encoding="utf-8"
    )
    line = "railroad,line,seq,place,kind\nCR,new,1,Portmirrin,milepost\nCR,new,2,Camelot,milepost\n"
    (package / "lines" / "new.csv").write_text(line, encoding="utf-8")
    _, problems = RAIL.load(open_workspace(workspace), "skerry")
    messages = [problem.message for problem in problems]
    for name in ("Avalon", "Camelot"):
        cure = f"place {name!r} is nowhere in this land; give a dot of the drawing this title, and import it again"
        assert cure in messages
