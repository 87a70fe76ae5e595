"""Coordinates that may be swapped: true ones are used, doubtful ones are findings that can be accepted."""

import json
from pathlib import Path

import pytest
from conftest import Run

from mapkit.core.findings import Finding
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.sources.swapped_coordinates import find_swapped_drawings, find_swapped_places
from mapkit.kinds.rail.tables import City

pytestmark = pytest.mark.slow

CASES = Path(__file__).parents[3] / "shared" / "cases" / "geometry"


def city(name: str, lon: float, lat: float) -> City:
    return City(name=name, region="all", lon=lon, lat=lat)


NEW_ENGLAND = [city("Boston", -71.06, 42.36), city("Albany", -73.76, 42.65)]
SIBERIA = [
    city("Moscow", 37.6178, 55.752),
    city("Omsk", 73.37, 54.99),
    city("Novosibirsk", 82.93, 55.02),
    city("Irkutsk", 104.29, 52.3),
    city("Chita", 113.5, 52.03),
]


def line(feature: str, *points: tuple[float, float], pixels: bool = False) -> TracedLine:
    return TracedLine(feature=feature, railroad="pa", line=points, pixels=pixels)


def findings(workspace: Path, run: Run) -> list[Finding]:
    report = json.loads(run("check", "example", "--json", "--workspace", workspace).out)
    return [Finding.model_validate(one) for one in report["findings"]]


def positions(workspace: Path, run: Run) -> list[Finding]:
    return [one for one in findings(workspace, run) if one.code == "G07"]


def test_a_drawing_that_is_swapped_has_one_note() -> None:
    good = line("drawings/good.geojson#1", (-71, 42), (-72, 43))
    pixels = line("drawings/scan.svg#1", (42, -71), (43, -72), pixels=True)
    wrong = [line(f"drawings/bad.geojson#{n}", (42, -71), (43, -72)) for n in (1, 2)]
    assert find_swapped_drawings([good, pixels], NEW_ENGLAND) == []
    assert find_swapped_drawings(wrong, []) == []
    (note,) = find_swapped_drawings([good, *wrong], NEW_ENGLAND)
    assert (note.kind, note.feature) == ("position", "drawings/bad.geojson#1")
    assert note.message == (
        "drawings/bad.geojson#1: the file lies around lon 42.50, lat -71.50, far from every city, but among the cities "
        "with longitude and latitude swapped; import it with --crs latlon, or accept this if the place is meant"
    )


def test_single_features_that_are_swapped_have_a_note_each() -> None:
    bent = line("a.geojson#1", (-71, 42), (42.5, -72), (43, -72), (-73, 43))
    good = line("a.geojson#2", (-71, 42), (-72, 43))
    point = PinnedPoint(feature="a.geojson#3", name="Orford", x=43.9, y=-72.1, pixels=False)
    found = find_swapped_drawings([good, bent, point], NEW_ENGLAND)
    assert [(note.feature, note.lon, note.lat) for note in found] == [
        ("a.geojson#1", 42.5, -72.0),
        ("a.geojson#3", 43.9, -72.1),
    ]


@pytest.mark.parametrize("cities", [SIBERIA, [*SIBERIA, city("Murmansk", 33.08, 68.97), city("Sochi", 39.73, 43.6)]])
def test_true_positions_of_a_wide_country_are_not_suspected(cities: list[City]) -> None:
    places = {one.name: (one.lon, one.lat) for one in cities} | {"Brest": (23.7, 52.1), "Almaty": (76.95, 43.25)}
    assert list(find_swapped_places(places, cities)) == []


def test_only_a_name_that_the_gazetteer_does_not_confirm_is_suspected() -> None:
    """Moscow lies far from eastern cities, and among them if swapped."""
    east = [city(f"Station{n}", lon, lat) for n, (lon, lat) in enumerate([(60, 35), (130, 50), (90, 60), (95, 40)])]
    at = {"Moscow": (37.62, 55.75), "New Camp": (37.62, 55.75)}
    assert [name for name, _ in find_swapped_places(at, east)] == ["New Camp"]


def test_a_swapped_city_is_a_finding_that_can_be_accepted(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    file = example / "cities.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("-73.7562,42.6526", "42.6526,-73.7562"), encoding="utf-8")
    (found,) = positions(workspace, run)
    assert (found.id, found.severity, found.place.file, found.place.row) == ("G07:albany", "warning", "cities.csv", 2)
    assert "its lon and lat may be swapped" in found.message
    assert not [one for one in findings(workspace, run) if one.code == "S01"]
    board = example / "board.toml"
    board.write_text(board.read_text(encoding="utf-8") + '"G07:albany" = "meant"\n', encoding="utf-8")
    (found,) = positions(workspace, run)
    assert found.accepted == "meant"


def test_a_swapped_city_without_a_known_name_is_a_finding(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    file = example / "cities.csv"
    header = file.read_text(encoding="utf-8").partition("\n")[0].split(",")
    cells = {"id": "xyzzy", "name": "Xyzzyville", "region": "coast", "lon": "43.1", "lat": "-70.9"}
    with file.open("a", encoding="utf-8") as stream:
        stream.write(",".join(cells.get(column, "") for column in header) + "\n")
    (found,) = positions(workspace, run)
    assert (found.id, found.place.file) == ("G07:xyzzy", "cities.csv")
    assert found.message == (
        "Xyzzyville lies at lon 43.1000, lat -70.9000, far from the cities, but among them with lon and lat swapped; "
        "swap them, or accept this if the place is meant"
    )


def test_a_swapped_place_is_a_finding_with_its_row(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    (example / "places.csv").write_text("place,lon,lat\nKittery,-70.7,43.1\nPortsmouth NH,43.08,-70.76\n", "utf-8")
    (found,) = positions(workspace, run)
    assert (found.place.file, found.place.row) == ("places.csv", 3)
    assert found.message.startswith("Portsmouth NH lies at lon 43.0800, lat -70.7600, far from the cities")


def test_a_swapped_drawing_is_imported_and_its_finding_stays(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    shape = {"type": "LineString", "coordinates": [[42.36, -71.05], [43.1, -70.7], [43.7, -70.25]]}
    feature = {"type": "Feature", "properties": {"railroad": "shore"}, "geometry": shape}
    (workspace / "far.geojson").write_text(json.dumps(feature), encoding="utf-8")
    ran = run("import", workspace / "far.geojson", "--into", "example", "--workspace", workspace)
    assert ran.code == 0, ran.err
    assert "import it with --crs latlon" in ran.out + ran.err
    (found,) = positions(workspace, run)
    assert found.place.file == "drawings/far.geojson"


def test_the_trans_siberian_has_no_problem(run: Run) -> None:
    source = CASES / "v11-trans-siberian" / "sources" / "b"
    if not source.exists():
        pytest.skip("../shared/cases is not there")
    ran = run("check", source, "--json")
    assert ran.code == 0, ran.err
    codes = {one["code"] for one in json.loads(ran.out)["findings"]}
    assert not codes & {"S01", "G07"}
