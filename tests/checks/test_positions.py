"""Where cities lie: a lost minus sign, and a city beside the track."""

import json
from pathlib import Path

import pytest
from conftest import Run
from tiny import tiny_board

import mapkit
from mapkit.core.errors import SourceError
from mapkit.core.findings import Finding
from mapkit.geography.gazetteer import Gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.sources.city_positions import find_elsewhere, find_misplaced
from mapkit.kinds.rail.sources.odds_targets import population
from mapkit.kinds.rail.tables import City

pytestmark = pytest.mark.slow

CORK = GazetteerPlace("Cork", "M", "IE", -8.47061, 51.89797, 120_000)
DURANGO = GazetteerPlace("Victoria de Durango", "10", "MX", -104.66, 24.02, 500_000)
OTHER = GazetteerPlace("Durango", "13", "MX", -99.23, 20.9, 1_000)
XALAPA = GazetteerPlace("Xalapa de Enríquez", "30", "MX", -96.92, 19.53, 400_000)
JALAPA = GazetteerPlace("Jalapa", "13", "MX", -98.52, 20.67, 1_000)
PLACES = Gazetteer.of((CORK, DURANGO, OTHER, XALAPA, JALAPA), {XALAPA: ("Jalapa",)})


@pytest.mark.parametrize(
    ("at", "slip"),
    [
        ((8.4756, 51.8985), "its lon may lack a minus sign, or have one too many"),
        ((-8.4756, -51.8985), "its lat may lack a minus sign, or have one too many"),
        ((8.4756, -51.8985), "its lon and lat may lack minus signs"),
        ((51.8985, -8.4756), "its lon and lat may be swapped"),
        ((-84.756, 51.8985), ""),
    ],
)
def test_a_slip_in_a_position_is_named(at: tuple[float, float], slip: str) -> None:
    found = find_elsewhere(at, [CORK])
    assert found is not None
    assert found.slip == slip


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("Cork", (-8.4756, 51.8985)),
        ("Nowhere", (8.0, 51.0)),
        ("Durango", (-104.6576, 24.0203)),
        ("Jalapa", (-96.9159, 19.5312)),
    ],
)
def test_a_city_near_a_place_that_goes_by_its_name_is_where_it_should_be(name: str, at: tuple[float, float]) -> None:
    assert find_misplaced(PLACES, name, at) is None


def test_a_population_that_is_not_found_names_the_slip() -> None:
    cork = City(name="Cork", region="all", lon=8.4756, lat=51.8985)
    with pytest.raises(SourceError) as refused:
        population(cork, 4, PLACES)
    assert str(refused.value) == (
        "cities.csv:4: the gazetteer has no place named 'Cork' with people within 30 miles of its position; Cork M is "
        "at lon -8.4706, lat 51.8980, 723 miles away; its lon may lack a minus sign, or have one too many; correct "
        "its position, or give its weight"
    )


def findings(workspace: Path, run: Run, code: str) -> list[Finding]:
    report = json.loads(run("check", "example", "--json", "--workspace", workspace).out)
    return [Finding.model_validate(one) for one in report["findings"] if one["code"] == code]


def test_a_lost_minus_sign_is_a_finding_with_its_row(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    assert findings(workspace, run, "G07") == []
    file = example / "cities.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("-70.2589", "70.2589"), encoding="utf-8")
    (found,) = findings(workspace, run, "G07")
    assert (found.id, found.place.file, found.place.row) == ("G07:portland", "cities.csv", 6)
    assert "its lon may lack a minus sign" in found.message
    assert " miles away; " in found.message


def test_a_city_off_the_track_says_how_far_it_is() -> None:
    board = tiny_board()
    off = [m.model_copy(update={"lat": 42.5}) if m.id == "dale" else m for m in board.mileposts]
    bare = board.model_copy(
        update={
            "mileposts": tuple(off),
            "segments": tuple(s for s in board.segments if "dale" not in (s.a, s.b)),
            "pieces": tuple(p for p in board.pieces if "dale" not in (p.a, p.b)),
        }
    )
    (found,) = [one for one in mapkit.check(bare, drawing=False).findings if one.code == "N03"]
    assert found.message == (
        "no railroad serves Dale; the nearest track is that of BLUE, 61.8 miles away; "
        "run a line through it, or remove it"
    )


def test_a_city_at_a_stop_of_another_name_says_so(example: Path, run: Run) -> None:
    cities = (example / "cities.csv").read_text(encoding="utf-8")
    (example / "cities.csv").write_text(cities.replace(",Portland,", ",Harbour,"), encoding="utf-8")
    (example / "places.csv").write_text("place,lon,lat\nPortland,-70.2589,43.6574\n", encoding="utf-8")
    (found,) = findings(example.parents[1], run, "N03")
    assert found.message.startswith("no railroad serves Harbour; Portland of ")
    assert found.message.endswith(" is at the same place; give both one name, run a line through it, or remove it")


def test_a_city_beside_a_drawn_line_names_the_snapping_distance(example: Path, run: Run) -> None:
    workspace = example.parents[1]
    (example / "lines" / "shore.csv").unlink()
    line = {"type": "LineString", "coordinates": [[-71.0589, 42.3601], [-70.7, 43.1], [-70.2553, 43.70]]}
    drawing = {"type": "Feature", "properties": {}, "geometry": line}
    (workspace / "shore.geojson").write_text(json.dumps(drawing), encoding="utf-8")
    imported = run("import", workspace / "shore.geojson", "--into", "example", "--workspace", workspace)
    assert imported.code == 0, imported.err
    (found,) = [one for one in findings(workspace, run, "N03") if "Portland" in one.message]
    assert found.message == (
        "no railroad serves Portland; the nearest track is that of SHORE, 1.2 miles away; if that line should "
        "reach the city, set tracing.snap_mi to 1.4; otherwise run a line through it, or remove it"
    )
