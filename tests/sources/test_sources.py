"""Reading source packages: places, tables, board.toml, workspaces."""

import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.core.base import Point
from mapkit.core.errors import MapkitError, PlaceError, SourceError, UnknownNameError, WorkspaceError, did_you_mean
from mapkit.core.names import fold, slug, without_state
from mapkit.document.plain_tables import TableReader
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import MAX_BYTES, read_text
from mapkit.formats.tables import parse_whole, read_table
from mapkit.geography.country_names import country_code, country_problem
from mapkit.geography.gazetteer import Gazetteer, load_gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.compiler.package import built_folder, compile_folder
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.places import PlaceFinder, city_points, place_points, read_places
from mapkit.kinds.rail.tables import City


def place(name: str, division: str, population: int = 1000) -> GazetteerPlace:
    return GazetteerPlace(name=name, division=division, country="US", lon=-90, lat=40, population=population)


def city(name: str, lon: float, lat: float, milepost: str = "") -> City:
    return City(name=name, region="r", lon=lon, lat=lat, milepost=milepost)


def places_of(text: str) -> dict[str, Point]:
    """Return the places of a table; every mistake is raised."""
    reader = TableReader({"places.csv": text})
    places = read_places(reader)
    reader.raise_if_any()
    return place_points(places)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("St. Paul", "st-paul"), ("Portland ME", "portland-me"), ("Coeur d'Alene ID", "coeur-dalene-id"),
     ("São Paulo", "sao-paulo"), ("Minneapolis/St. Paul", "minneapolis-st-paul"), ("  ", "")],
)  # fmt: skip
def test_slug(text: str, expected: str) -> None:
    assert slug(text) == expected


@given(st.text())
def test_a_slug_is_its_own_slug(text: str) -> None:
    assert slug(slug(text)) == slug(text)
    assert fold(fold(text)) == fold(text)


def test_names() -> None:
    assert fold("St. Paul") == fold("ST PAUL") == "stpaul"
    assert fold("B&O") != fold("BO")
    assert (without_state("Altoona PA"), without_state("Altoona")) == ("Altoona", "Altoona")
    assert did_you_mean("marekt", ["market", "other"]) == " (did you mean 'market'?)"
    assert did_you_mean("zzz", ["market"]) == ""
    assert did_you_mean("fresno-ca", ["kelso-ca", "sacramento-ca"]) == ""
    assert did_you_mean("fresno-ca", ["kelso-ca", "fresco-ca"]) == " (did you mean 'fresco-ca'?)"
    assert did_you_mean("own-track-fre", ["own-track-free"]) == " (did you mean 'own-track-free'?)"


def test_gazetteer_of_the_package() -> None:
    """GeoNames' own figures for Altoona, Pennsylvania; Canadian provinces by their postal codes."""
    found = load_gazetteer(("US", "CA"))
    altoona = found.find("Altoona PA")
    assert (altoona.full_name, altoona.country) == ("Altoona PA", "US")
    assert (altoona.lon, altoona.lat) == pytest.approx((-78.3947, 40.5187), abs=0.001)
    assert found.find("altoona pa") == altoona
    assert found.find("Windsor ON").country == "CA"
    with pytest.raises(PlaceError, match=r"'Springfield' is one of \d+ places: Springfield MO .* and \d+ more"):
        found.find("Springfield")
    with pytest.raises(PlaceError, match=r"'Altona PA' is not in the gazetteer; the nearest names are Altoona PA"):
        found.find("Altona PA")
    with pytest.raises(PlaceError, match="is not in the gazetteer"):
        load_gazetteer(("FR",)).find("Altoona PA")


def test_a_name_twice_in_one_state_is_never_taken_silently() -> None:
    twice = Gazetteer.of([place("Franklin", "PA"), place("Franklin", "PA", 9)])
    with pytest.raises(PlaceError, match="'Franklin PA' is one of 2 places"):
        twice.find("Franklin PA")


def test_places_csv_goes_before_the_gazetteer_and_cities_before_both() -> None:
    places = places_of("place,lon,lat\nAltoona PA,-1,1\nBoston,-2,2\n")
    finder = PlaceFinder.of(
        cities=[
            city("Boston", -71.06, 42.36),
            city("Minneapolis", -93.2, 45.0, "Twins"),
            city("St. Paul", -93.0, 44.9, "Twins"),
        ],
        places=places,
        countries=("US",),
    )
    assert finder.find("Altoona PA") == ("Altoona PA", -1, 1)
    assert finder.find("boston") == ("Boston", -71.06, 42.36)
    assert finder.find("Tyrone PA")[0] == "Tyrone PA"
    assert finder.find("st paul") == finder.find("Twins") == ("Twins", -93.1, 44.95)
    with pytest.raises(PlaceError, match="place is empty"):
        finder.find("")


def test_twins_lie_in_their_middle() -> None:
    assert city_points([city("A", 0, 0, "A/B"), city("B", 1, 2, "A/B"), city("C", 5, 5)]) == {
        "A/B": (0.5, 1.0),
        "C": (5, 5),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("place,lon,lat\nX,1,2\nx,1,2\n", "places.csv:3: place 'x' is already in row 2"),
        ("place,lon,lat\n,1,2\n", "places.csv:2: place is empty"),
        ("place,lon,lat\nX,1,\n", "places.csv:2: lat is empty"),
        ("place,lon,lat\nX,1,north\n", "places.csv:2: lat is 'north', which is not a number"),
        ("place,lon,lat\nX,1,inf\n", "places.csv:2: lat is 'inf', which is not a number"),
        ("place,lon,lat\nX,1,2,3\n", "places.csv:2: 4 cells, but the header has 3 columns"),
        ("place,lon,lat,lat\nX,1,2,3\n", "places.csv:1: column 'lat' appears twice"),
        ("place,lon,lat\n", "places.csv:1: no rows below the header"),
        ("place;lon;lat\nX;20,000;2,5\n", "places.csv:2: lon is '20,000', which is not a number"),
        ("place;lon;lat\nX;1.234,5;2,5\n", "places.csv:2: lon is '1.234,5', which is not a number"),
        ("place\tlon\tlat\nX\t1,5\t2\n", "places.csv:2: lon is '1,5', which is not a number"),
    ],
)
def test_places_csv_mistakes(text: str, message: str) -> None:
    with pytest.raises(SourceError) as error:
        places_of(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("text", ["place;lon;lat;;\nX;1,5;-2,25;;\n;;;;\n", "place\tlon\tlat\nX\t1.5\t-2.25\n"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_tables_of_spreadsheets_are_read_as_they_are(text: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(text, encoding=encoding)
    assert places_of(read_text(path, name="places.csv")) == {"X": (1.5, -2.25)}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("IE", "IE"),
        ("IRL", "IE"),
        ("ireland", "IE"),
        ("UK", "GB"),
        ("Great Britain", "GB"),
        ("Scotland", "GB"),
        ("GB-SCT", "GB"),
        ("Côte d’Ivoire", "CI"),  # noqa: RUF001 - the apostrophe is meant
        ("Czech Republic", "CZ"),
        ("Texas", "US"),
    ],
)
def test_a_country_is_found_by_all_usual_names(text: str, code: str) -> None:
    assert country_code(text) == code
    assert country_problem(text) is None


@pytest.mark.parametrize(
    ("text", "hint"), [("Erewhon", ""), ("Scotlnd", " (did you mean 'Scotland'?)"), ("", ""), ("-", "")]
)
def test_an_unknown_country_is_refused(text: str, hint: str) -> None:
    assert country_problem(text) == (f"no country is called {text!r}{hint}; write its name or its code, such as 'US'")


@pytest.mark.parametrize(("cell", "value"), [("12", 12), ("12.0", 12), (" 7 ", 7)])
def test_a_whole_number_may_be_written_with_a_point(cell: str, value: int) -> None:
    (row,) = read_table(f"seq\n{cell}\n", file="t.csv", required=("seq",))
    assert parse_whole(row, "seq", like="12") == value


@pytest.mark.parametrize("cell", ["4.5", "20.000"])  # twenty, or twenty thousand as some countries write it
def test_a_part_of_a_number_is_not_dropped(cell: str) -> None:
    (row,) = read_table(f"seq\n{cell}\n", file="t.csv", required=("seq",))
    with pytest.raises(SourceError, match=rf"t\.csv:2: seq is '{cell}'; write a whole number, such as 12"):
        parse_whole(row, "seq", like="12")


def test_every_mistake_is_listed_at_once() -> None:
    with pytest.raises(SourceError) as error:
        places_of("place,lon,lat\nA,200,2\nB,1,95\nC,x,1\n")
    assert [p.split(":")[1] for p in error.value.problems] == ["2", "3", "4"]


def test_tables_keep_their_line_numbers() -> None:
    """Blank rows and line breaks inside quotes count as lines, as an editor shows them."""
    table = read_table('a,b\n\n1,"x\ny"\n 2 , z \n', file="t.csv", required=("a", "b"))
    assert [(row.number, row.cells) for row in table] == [(4, {"a": "1", "b": "x\ny"}), (5, {"a": "2", "b": "z"})]


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(SourceError, match="is more than the limit"):
        read_text(path, name="big.csv")


CONFIG = """
title = "T"
licence = "L"
[projection]
name = "albers"
[page]
width = 100
height = 100
[gazetteer]
countries = ["US"]
[[regions]]
id = "a"
name = "A"
short = "A"
colour = "#aabbcc"
"""


def test_board_toml_rules_are_those_of_the_preset() -> None:
    assert parse_config(CONFIG).rules.setup.starting_cash == 20_000
    assert parse_config(CONFIG + "[rules]\npreset = 'ici'\n").rules.preset == "ici"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'colour = "#aabbcc"',
            'color = "#aabbcc"',
            "board.toml:15: unknown key 'regions.0.color'",
        ),
        ('colour = "#aabbcc"', 'colour = "red"', "board.toml:15: regions.0.colour is 'red': write a colour as #rrggbb"),
        ('title = "T"', "", "board.toml:1: key 'title' is missing"),
        ('name = "albers"', 'name = "alber"', "board.toml:5: projection.name is 'alber'"),
        ('title = "T"', 'titel = "T"', "board.toml:2: unknown key 'titel' (did you mean 'title'?)"),
        ("width = 100", "width = nan", "board.toml:7: page.width is nan"),
    ],
)
def test_board_toml_mistakes(old: str, new: str, message: str) -> None:
    with pytest.raises(SourceError) as error:
        parse_config(CONFIG.replace(old, new))
    assert any(problem.startswith(message) for problem in error.value.problems), error.value.problems


def test_two_regions_of_one_id() -> None:
    again = CONFIG + '[[regions]]\nid = "a"\nname = "B"\nshort = "B"\ncolour = "#aabbcc"\n'
    with pytest.raises(SourceError, match="two regions have the id 'a'"):
        parse_config(again)


@given(st.text(max_size=200))
def test_any_text_as_board_toml_is_refused_in_words(text: str) -> None:
    with pytest.raises(SourceError):
        parse_config(text)


TABLES = ["cities.csv", "railroads.csv", "charts/destinations.csv", "charts/payoffs.csv", "lines/shore.csv"]


@given(st.binary(max_size=300), st.sampled_from(TABLES))
def test_any_bytes_in_a_table_are_refused_in_words(data: bytes, name: str) -> None:
    """Whatever a file holds, the answer is an error of ours or a source, never another exception."""

    with (
        tempfile.TemporaryDirectory() as folder,
        as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template,
    ):
        package = Path(folder) / "example"
        shutil.copytree(template, package)
        (package / name).write_bytes(data)
        with pytest.raises(MapkitError):
            built_folder(package)


@given(st.sampled_from(["board.toml", *TABLES]), st.integers(0, 5000), st.integers(0, 30), st.binary(max_size=12))
def test_damaged_files_are_read_or_refused_in_words(name: str, at: int, cut: int, put: bytes) -> None:
    """A file with some bytes replaced gives a board and problems, never an exception."""
    with (
        tempfile.TemporaryDirectory() as folder,
        as_file(files("mapkit.kinds.rail.sources").joinpath("template")) as template,
    ):
        package = Path(folder) / "example"
        shutil.copytree(template, package)
        data = (package / name).read_bytes()
        at %= len(data)
        (package / name).write_bytes(data[:at] + put + data[at + cut :])
        compile_folder(package)


def test_workspaces(tmp_path: Path, example: Path) -> None:
    space = open_workspace(example.parent.parent)
    others = [name for name in space.boards() if not name.endswith("-hex")]
    assert others == [
        "barons", "caminhos", "carrow", "example", "france", "germany", "great-britain", "india", "ireland", "japan",
        "mexico", "north-america", "portugal", "south-africa", "usa",
    ]  # fmt: skip
    assert space.board_folder("example") == example
    assert space.board_folder(str(example)) == example
    assert space.board_folder("usa").name == "usa"
    assert space.bundle_folder("example") == example.parent.parent / "build" / "example"
    with pytest.raises(UnknownNameError, match=r"\(did you mean 'example'\?\)"):
        space.board_folder("exampel")
    with pytest.raises(WorkspaceError, match=r"no board\.toml there"):
        space.board_folder("sources/none")
    assert open_workspace(tmp_path).root == tmp_path
