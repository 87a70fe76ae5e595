"""Looking places up: positions of cities, what is offered for a name, pins that settle a name, `mapkit place`."""

import json
from pathlib import Path

import pytest
from conftest import Run

import mapkit
from mapkit.core.errors import PlaceError, SourceError
from mapkit.document.plain_tables import TableReader
from mapkit.geography.gazetteer import Gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.model.source import RegionConfig
from mapkit.kinds.rail.sources.cities import read_cities
from mapkit.kinds.rail.sources.places import PlaceFinder, place_points, read_places

DUBLIN = GazetteerPlace("Dublin", "L", "IE", -6.25, 53.33, 1_000_000)
CLONMEL = GazetteerPlace("Cluain Meala", "M", "IE", -7.70389, 52.355, 18_369)
CLONMELLON = GazetteerPlace("Clonmellon", "L", "IE", -7.02, 53.66, 664)
LIMERICK = GazetteerPlace("Limerick", "M", "IE", -8.62, 52.66, 100_000)
CLAPHAM = GazetteerPlace("Clapham Junction", "ENG", "GB", -0.17, 51.46, 9_000)
NEWPORTS = (
    GazetteerPlace("Newport", "WLS", "GB", -3.0, 51.59, 161_506),
    GazetteerPlace("Newport", "ENG", "GB", -1.29, 50.7, 25_000),
    GazetteerPlace("Newport", "M", "IE", -8.41, 52.71, 1_806),
)
PLACES = Gazetteer.of(
    (DUBLIN, CLONMEL, CLONMELLON, LIMERICK, CLAPHAM, *NEWPORTS),
    {CLONMEL: ("Clonmel",), DUBLIN: ("Baile Átha Cliath",)},
)
MUNSTER = ((-8.6, 52.6), (-7.9, 52.5))
REGIONS = [RegionConfig(id="all", name="All", short="A", colour="#cccccc")]


def why_not(name: str, near: tuple[tuple[float, float], ...] = ()) -> str:
    with pytest.raises(PlaceError) as refused:
        PLACES.find(name, near)
    return str(refused.value)


def test_an_alternative_name_is_offered_with_the_row_that_keeps_it_and_never_taken() -> None:
    said = why_not("Clonmel")
    assert "Cluain Meala M (IE, lon -7.7039, lat 52.3550, also called Clonmel)" in said
    assert said.endswith("or keep yours with a row in places.csv: Clonmel,-7.70389,52.35500")
    assert "Clonmellon" not in said


@pytest.mark.parametrize(
    ("name", "near", "first"),
    [
        ("Newport", (), NEWPORTS[0]),
        ("Newport", MUNSTER, NEWPORTS[2]),
        ("Limerick Junction", MUNSTER, LIMERICK),
        ("Clonmell", MUNSTER, CLONMEL),
        ("Baile Atha Cliath", (), DUBLIN),
        ("Dublin", MUNSTER, DUBLIN),
    ],
)
def test_candidates_near_the_line_come_first(
    name: str, near: tuple[tuple[float, float], ...], first: GazetteerPlace
) -> None:
    assert PLACES.candidates(name, near, most=5)[0].place == first


def test_candidates_say_how_far_they_are() -> None:
    assert "Newport M (IE, lon -8.4100, lat 52.7100, 11 miles away)" in why_not("Newport", MUNSTER)


def cities(text: str, places: str | None = None) -> dict[str, tuple[float, float]]:
    reader = TableReader({"cities.csv": text} | ({"places.csv": places} if places is not None else {}))
    points = place_points(read_places(reader))
    rows = read_cities(reader, REGIONS, finder=PlaceFinder.of(cities=(), places=points, countries=("US",)))
    reader.raise_if_any()
    return {key: (row.lon, row.lat) for key, row in rows.items()}


def test_a_city_without_a_position_is_looked_up() -> None:
    text = "id,name,region,lon,lat\nalbany,Albany NY,all,,\nx,Nowhere,all,,\nboston,Boston MA,all,-71,42\n"
    found = cities(text, "place,lon,lat\nNowhere,-72,43\n")
    assert found == {"albany": (-73.75623, 42.65258), "x": (-72.0, 43.0), "boston": (-71.0, 42.0)}
    assert cities("id,name,region\nalbany,Albany NY,all\n") == {"albany": (-73.75623, 42.65258)}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("x,Albany NY,all,-73,", "cities.csv:3: lat is empty; fill it in, or leave both empty to look the city up"),
        ("x,Portland,all,,", "cities.csv:3: place 'Portland' is one of"),
        ("x,Albanny NY,all,,", "the nearest names are Albany NY"),
    ],
)
def test_a_city_that_cannot_be_looked_up_is_refused(row: str, said: str) -> None:
    with pytest.raises(SourceError) as refused:
        cities(f"id,name,region,lon,lat\nboston,Boston MA,all,-71,42\n{row}\n")
    assert said in str(refused.value)


def test_an_ambiguous_city_is_offered_what_is_near_the_others() -> None:
    with pytest.raises(
        SourceError, match=r"Portland CT \(US, .* 90 miles away\), Portland ME .*; write its lon and lat, such as -72"
    ):
        cities("id,name,region,lon,lat\nboston,Boston MA,all,-71,42\nx,Portland,all,,\n")


def test_a_saved_board_keeps_cities_without_a_position_as_they_are_typed(example: Path, run: Run) -> None:
    file = example / "cities.csv"
    text = file.read_text(encoding="utf-8").replace("-73.7562,42.6526", ",")
    (example / "places.csv").write_text("place,lon,lat\nAlbany,-73.7,42.6\n", encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    workspace = example.parents[1]
    change = json.dumps({"kind": "edit-railroad", "id": "shore", "price": 4000})
    assert run("do", "example", change, "--workspace", workspace).code == 0
    assert file.read_text(encoding="utf-8") == text
    board = mapkit.load("example", workspace=workspace)
    albany = next(milepost for milepost in board.mileposts if milepost.name == "Albany")
    assert (albany.lon, albany.lat) == (-73.7, 42.6)


def test_a_pin_of_a_drawing_settles_an_ambiguous_name_of_a_station_list(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    list_file = example / "lines" / "shore.csv"
    text = list_file.read_text(encoding="utf-8")
    list_file.write_text(text.replace("Portsmouth NH", "Portsmouth"), encoding="utf-8")
    drawing = {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"railroad": "shore"},
                "geometry": {"type": "LineString", "coordinates": [[-70.76, 43.07], [-70.9, 43.3]]},
            },
            {
                "type": "Feature",
                "properties": {"name": "Portsmouth"},
                "geometry": {"type": "Point", "coordinates": [-70.76, 43.07]},
            },
        ],
    }
    (workspace / "more.geojson").write_text(json.dumps(drawing), encoding="utf-8")
    assert "'Portsmouth' is one of 4 places: Portsmouth NH" in run("check", "example", "--workspace", workspace).out
    imported = run("import", workspace / "more.geojson", "--into", "example", "--workspace", workspace)
    assert imported.code == 0, imported.err
    assert "Portsmouth,-70.7600,43.0700,drawings/more.geojson#1" in (example / "places.csv").read_text(encoding="utf-8")
    assert "one of 4 places" not in run("check", "example", "--workspace", workspace).out
    drawn = example / "drawings" / "more.geojson"
    drawn.write_text(drawn.read_text(encoding="utf-8").replace("43.07]", "43.08]"), encoding="utf-8")
    assert run("import", "--again", "--into", "example", "--workspace", workspace).code == 0
    assert "Portsmouth,-70.7600,43.0800," in (example / "places.csv").read_text(encoding="utf-8")


def test_an_import_names_file_and_row_of_a_typed_place_that_cannot_be_found(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    list_file = example / "lines" / "shore.csv"
    text = list_file.read_text(encoding="utf-8")
    list_file.write_text(text.replace("Portsmouth NH", "Portsmouth"), encoding="utf-8")
    line = {"type": "LineString", "coordinates": [[-71.1, 42.4], [-70.9, 42.3]]}
    (workspace / "shore.geojson").write_text(
        json.dumps({"type": "Feature", "properties": {}, "geometry": line}), encoding="utf-8"
    )
    ran = run("import", workspace / "shore.geojson", "--into", "example", "--workspace", workspace)
    assert ran.code == 1
    assert "lines/shore.csv:3: place 'Portsmouth' is one of 4 places" in ran.err


def test_a_country_that_is_not_one_is_the_only_thing_said_of_places(example: Path, run: Run) -> None:
    config = example / "board.toml"
    config.write_text(config.read_text(encoding="utf-8").replace('"US"', '"Scottland"'), encoding="utf-8")
    shown = run("check", "example", "--workspace", example.parents[1]).out
    assert "gazetteer.countries: no country is called 'Scottland' (did you mean 'Scotland'?)" in shown
    assert "is not in the gazetteer" not in shown


def test_place_looks_names_up_near_a_line(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    ran = run("place", "Portsmouth", "Albany", "--near", "shore", "--workspace", workspace)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "Portsmouth: choose one of these"
    assert lines[2].split() == ["Portsmouth", "NH", "US", "-70.75766", "43.07704", "21,530", "0"]
    assert "Albany: Albany, lon -73.75620, lat 42.65260, from the board" in lines


def test_place_as_json_is_what_the_library_returns(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    ran = run("place", "Altoona", "--board", "example", "--country", "US", "--json", "--workspace", workspace)
    found = mapkit.look_up("Altoona", board="example", countries=["US"], workspace=workspace)
    assert json.loads(ran.out) == found.model_dump(mode="json")
    assert [place.name for place in found.places[0].offered[:2]] == ["Altoona PA", "Altoona IA"]
    assert found.places[0].name is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("x", "--near", "Nix, nada"), "--near 'Nix, nada' is not a line or railroad"),
        (("x", "--country", "Erewhon"), "no country is called 'Erewhon'"),
        (("x", "--board", "nix"), "board 'nix' is neither in"),
    ],
)
def test_place_refuses_what_is_not_there(example: Path, run: Run, arguments: tuple[str, ...], said: str) -> None:
    ran = run("place", *arguments, "--workspace", example.parents[1])
    assert ran.code == 1
    assert said in ran.err
