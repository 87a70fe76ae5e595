"""Drafts of a few regions: what they hold, that they build, and that they are the same every time."""

import json
import tomllib
from pathlib import Path

import pytest
from conftest import Run

import mapkit
from mapkit.kinds.rail.drafting.figures import measure_board
from mapkit.kinds.rail.drafting.stations import wanted_trip_steps
from mapkit.kinds.rail.network.multigraph import find_node_components

CORPUS = tomllib.loads(Path(__file__).with_name("corpus.toml").read_text(encoding="utf-8"))
CASES = {
    name: {key: value for key, value in asked.items() if key != "sampled"}
    for name, asked in CORPUS.items()
    if asked.get("sampled")
}
"""Of tests/bench/bench_drafts.py, which drafts the whole corpus: among them two across longitude 180, and a city."""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drafts")


@pytest.fixture(scope="module")
def drafts(space: Path) -> dict[str, mapkit.Drafted]:
    return {
        name: mapkit.draft(name, mapkit.DraftAsked.model_validate(asked), workspace=space)
        for name, asked in CASES.items()
    }


@pytest.mark.parametrize("name", CASES)
def test_a_draft_has_what_was_asked_and_no_finding_that_nobody_judged(
    name: str, drafts: dict[str, mapkit.Drafted], space: Path
) -> None:
    board = mapkit.load(name, workspace=space)
    asked = CASES[name]
    assert len(board.cities) == asked["cities"]
    assert len(board.railroads) == asked["railroads"]
    report = mapkit.check(board)
    assert report.ok
    unexplained = [
        f"{one.code} {one.message}" for one in report.findings if one.severity == "warning" and not one.accepted
    ]
    assert unexplained == []
    assert drafts[name].figures == measure_board(board)


@pytest.mark.parametrize("name", CASES)
def test_a_draft_is_like_boards_of_the_family(name: str, drafts: dict[str, mapkit.Drafted]) -> None:
    figures = drafts[name].figures
    assert 1.5 <= figures.edges_a_node <= 2.0
    assert 1.1 <= figures.detour <= 1.3
    assert 2 <= figures.railroads_a_city <= 4
    assert 0.95 * wanted_trip_steps(figures.cities) <= figures.trip <= 25.3
    assert 19 <= figures.trips <= 29.1
    assert figures.likeliest <= max(0.1, 3.2 / figures.cities)


def test_each_railroad_is_in_one_piece_and_ends_at_cities(drafts: dict[str, mapkit.Drafted], space: Path) -> None:
    board = mapkit.load("ireland", workspace=space)
    at_city = {city.milepost for city in board.cities}
    for railroad in board.railroads:
        own = [(s.a, s.b) for s in board.segments if s.railroad == railroad.id]
        assert len(find_node_components(own)) == 1
        count: dict[str, int] = {}
        for end in (end for pair in own for end in pair):
            count[end] = count.get(end, 0) + 1
        assert {end for end, times in count.items() if times == 1} <= at_city
    assert drafts["ireland"].folder.name == "ireland"


def test_cities_are_the_large_ones_but_spread(drafts: dict[str, mapkit.Drafted], space: Path) -> None:
    names = {city.name for city in mapkit.load("ireland", workspace=space).cities}
    assert {"Dublin", "Belfast", "Cork", "Limerick", "Galway", "Waterford", "Sligo"} <= names
    assert "South Dublin" not in names
    assert drafts["ireland"].assumed[0].startswith("24 cities")


def test_the_same_seed_gives_the_same_bytes_and_another_one_another_draft(tmp_path: Path) -> None:
    asked = mapkit.DraftAsked(region="Lebanon", cities=8, railroads=3)
    one = mapkit.draft("levant", asked, workspace=_made(tmp_path / "one"))
    same = mapkit.draft("levant", asked, workspace=_made(tmp_path / "same"))
    other = mapkit.draft("levant", asked.model_copy(update={"seed": 2}), workspace=_made(tmp_path / "other"))
    assert _bytes(one) == _bytes(same)
    assert _bytes(one) != _bytes(other)
    assert b"mapkit draft levant --region Lebanon --cities 8 --railroads 3 --seed 1" in _bytes(one)["board.toml"]


def test_polygons_of_a_file_bound_a_draft(tmp_path: Path, run: Run) -> None:
    ring = [[-9.6, 37.9], [-6.9, 37.9], [-6.9, 39.9], [-9.6, 39.9], [-9.6, 37.9]]
    area = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    (tmp_path / "area.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": [area]}), encoding="utf-8"
    )
    words = ("draft", "south", "--polygon", "area.geojson", "--country", "PT", "--cities", "8", "--railroads", "3")
    told = run(*words, "-w", str(tmp_path), "--json")
    assert told.code == 0, told.err
    assert json.loads(told.out)["figures"]["cities"] == 8
    board = mapkit.load("south", workspace=tmp_path)
    assert all(-9.6 < m.lon < -6.9 and 37.9 < m.lat < 39.9 for m in board.mileposts if m.kind == "city")


def test_a_polygon_is_written_as_its_corners_also_across_longitude_180(tmp_path: Path, run: Run) -> None:
    corners = "177,-16 -179.5,-16 -179.5,-19 177,-19"
    words = ("draft", "east", "--polygon", corners, "--country", "FJ", "--cities", "6", "--railroads", "2")
    told = run(*words, "-w", str(tmp_path))
    assert told.code == 0, told.err
    board = mapkit.load("east", workspace=tmp_path)
    assert all(
        -19 < city.lat < -16 and (city.lon > 177 or city.lon < -179.5)
        for city in board.mileposts
        if city.kind == "city"
    )
    assert f'polygon = "{corners}"' in (tmp_path / "sources" / "east" / "board.toml").read_text(encoding="utf-8")


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _bytes(drafted: mapkit.Drafted) -> dict[str, bytes]:
    return {path.relative_to(drafted.folder).as_posix(): path.read_bytes() for path in drafted.files}


REGIONS = (
    (1, ("--region", "Irland"), "--region: no country is called 'Irland' (did you mean 'Ireland'?)"),
    (1, ("--country", "IE,XX"), "no country is called 'XX'"),
    (1, ("--region", "GB-NIRR"), "United Kingdom has no part 'NIRR' (did you mean 'NIR'?)"),
    (1, ("--cities", "5"), "--region is empty; name a country, such as Portugal"),
    (2, ("--region", "Vatican"), "Vatican: the gazetteer has one place of 500 people or more there"),
    (2, ("--region", "Antarctica"), "Antarctica: the gazetteer has no place of 500 people or more there"),
    (2, ("--bbox", "-180,80,180,90"), "not beyond 80 degrees of latitude"),
    (2, ("--bbox", "-40,0,-30,10"), "the box -40,0,-30,10: the gazetteer has no place of 500 people or more there"),
    (2, ("--bbox", "1,2,3"), "write WEST,SOUTH,EAST,NORTH in degrees"),
    (2, ("--bbox", "1,49,3,48"), "--bbox '1,49,3,48': not a box on the earth"),
    (2, ("--bbox", "200,0,220,10"), "longitudes lie from -180 to 180"),
    (2, ("--bbox", "5,48,3,49"), "is 358 degrees, across longitude 180; write west before east: 3,48,5,49"),
    (2, ("--polygon", "1,2 3,4"), "2 corners; a polygon has 3 to 200"),
    (2, ("--polygon", "1,2 300,4 5,6"), "300,4 is not on the earth"),
    (2, ("--polygon", "1,2 2,4 3,6"), "there is no area between the corners"),
    (2, ("--polygon", "-30,0 -20,0 -20,10"), "the polygon: the gazetteer has no place of 500 people or more there"),
    (1, ("--region", "PT", "--polygon", "none.geojson"), "none.geojson: cannot be read"),
)
"""Regions of which no board can be drafted: the exit code, the options, and what is said."""

WISHES = (
    (2, ("--region", "Tuvalu", "--cities", "30"), "places are large and far enough from each other for a city"),
    (2, ("--region", "PT", "--cities", "10", "--railroads", "11"), "--railroads 11: more railroads than cities (10)"),
    (2, ("--region", "PT", "--railroads", "0"), "--railroads 0: a draft has 1 to 40 railroads"),
    (2, ("--region", "PT", "--cities", "60", "--railroads", "41"), "--railroads 41: a draft has 1 to 40 railroads"),
    (2, ("--region", "PT", "--cities", "2"), "--cities 2: a draft has 3 to 120 cities"),
    (2, ("--region", "PT", "--cities", "1000"), "--cities 1000: a draft has 3 to 120 cities"),
    (2, ("--region", "PT", "--cities", "many"), "Invalid value for '--cities'"),
    (2, ("--region", "PT", "--regions", "0"), "--regions 0: 36 cities make 1 to 18 regions"),
    (2, ("--region", "PT", "--regions", "30"), "36 cities make 1 to 18 regions"),
    (2, ("--region", "PT", "--seed", "-1"), "--seed -1: choose a number from 0 to 2**64 - 1"),
    (2, ("--region", "PT", "--include", "Atlantis"), "--include: Portugal has no place 'Atlantis' that a line reaches"),
    (2, ("--region", "PT", "--towns", "5"), "No such option: --towns"),
)
"""Wishes that no board can meet."""


@pytest.mark.parametrize(("code", "words", "said"), [*REGIONS, *WISHES])
def test_what_cannot_be_drafted_is_said_and_nothing_is_written(
    code: int, words: tuple[str, ...], said: str, tmp_path: Path, run: Run
) -> None:
    told = run("draft", "bad", *words, "-w", str(tmp_path))
    assert told.code == code
    assert said in " ".join(told.err.split())
    assert "Traceback" not in told.err
    assert not (tmp_path / "sources").exists()


@pytest.mark.parametrize(
    ("geometry", "said"),
    [
        ({"type": "Polygon", "coordinates": []}, "no line and no point in it"),
        ({"type": "Point", "coordinates": [-8, 53]}, "no polygons; draw the region as an area"),
        ({"type": "LineString", "coordinates": [[-8, 53], [-7, 53]]}, "no polygons; draw the region as an area"),
    ],
)
def test_a_file_without_a_polygon_is_refused(geometry: dict[str, object], said: str, tmp_path: Path, run: Run) -> None:
    feature = {"type": "Feature", "properties": {}, "geometry": geometry}
    (tmp_path / "area.geojson").write_text(json.dumps(feature), encoding="utf-8")
    told = run("draft", "bad", "--polygon", "area.geojson", "-w", str(tmp_path))
    assert told.code == 1
    assert f"area.geojson: {said}" in " ".join(told.err.split())
    assert not (tmp_path / "sources").exists()


def test_a_polygon_that_crosses_itself_counts_as_both_its_parts(tmp_path: Path, run: Run) -> None:
    ring = [[-10, 51.5], [-6, 55], [-6, 51.5], [-10, 55], [-10, 51.5]]
    area = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    (tmp_path / "area.geojson").write_text(json.dumps(area), encoding="utf-8")
    corners = "-10,51.5 -6,55 -6,51.5 -10,55"
    rows = []
    for name, polygon in (("file", "area.geojson"), ("corners", corners)):
        told = run("draft", name, "--polygon", polygon, "--cities", "6", "--railroads", "2", "-w", str(tmp_path))
        assert told.code == 0, told.err
        rows.append((tmp_path / "sources" / name / "cities.csv").read_bytes())
    assert rows[0] == rows[1]


def test_the_name_of_a_board_that_there_is_is_refused(tmp_path: Path, run: Run) -> None:
    words = ("--region", "Fiji", "--cities", "6", "--railroads", "2", "-w", str(tmp_path))
    assert run("draft", "east", *words).code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    told = run("draft", "east", *words, "--seed", "2")
    assert told.code == 1
    assert "east" in told.err
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for bad in ("bad name", "../x", ""):
        told = run("draft", bad, *words)
        assert told.code == 1
        assert "use small letters, digits and hyphens" in told.err


def test_few_cities_are_not_joined_by_empty_track(tmp_path: Path) -> None:
    drafted = mapkit.draft("small", mapkit.DraftAsked(region="Lesotho", cities=8), workspace=tmp_path)
    assert drafted.figures.cities == 8
    assert 60 <= drafted.figures.mileposts <= 110
