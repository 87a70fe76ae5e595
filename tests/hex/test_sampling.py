"""Boards from geography: regions, terrain, cities with what was left out, and solved colours."""

import json
from itertools import combinations, product
from pathlib import Path

import pytest
import shapely
from conftest import Run

from mapkit.core.errors import ChoiceError, UnknownNameError
from mapkit.geography.land_region import LandRegion, load_region
from mapkit.geography.region import parse_countries
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.kinds.hex.sampling.colouring import solve_colours
from mapkit.kinds.hex.sampling.files import region_board
from mapkit.kinds.hex.sampling.region_sampling import SampledRegion, SamplingOptions, sample_region
from mapkit.kinds.hex.tables import LinkRow

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def portugal() -> LandRegion:
    return load_region("Portugal")


@pytest.fixture(scope="module")
def sampled(portugal: LandRegion) -> SampledRegion:
    return sample_region(portugal, SamplingOptions(hex_km=28))


def test_a_region_is_the_land_of_its_country(portugal: LandRegion) -> None:
    """The mainland has some 89,000 square kilometres; at 39.5 degrees north a square degree has 9,540."""
    area = shapely.area(portugal.land) * 111.2 * 111.2 * 0.7716
    assert area == pytest.approx(89_000, rel=0.03)
    assert portugal.land.contains(shapely.Point(-8.0, 39.5))
    assert not portugal.land.contains(shapely.Point(-6.0, 40.0))
    assert portugal.other.contains(shapely.Point(-6.0, 40.0))
    assert portugal.places[0].name == "Lisbon"
    assert all(place.lon > -10 for place in portugal.places)


def test_names_and_codes_of_countries() -> None:
    assert parse_countries("Portugal, ES") == {"PT": "Portugal", "ES": "Spain"}
    with pytest.raises(UnknownNameError, match="no country is called 'Portugl'"):
        parse_countries("Portugl")
    with pytest.raises(UnknownNameError, match="--region is empty"):
        parse_countries(" , ")
    with pytest.raises(UnknownNameError, match="no place of Portugal is inside the bounds"):
        load_region("PT", (10.0, 10.0, 11.0, 11.0))


def test_hexagons_follow_the_land(portugal: LandRegion, sampled: SampledRegion) -> None:
    grid, earth = sampled.grid, sampled.earth
    (lisbon, madrid_way, ocean) = earth.to_grid([(-8.6, 38.6), (-6.3, 38.6), (-9.3, 40.3)])
    assert sampled.terrain[grid.hex_id(grid.hex_at(lisbon))] in {"plains", "water"}
    assert sampled.terrain[grid.hex_id(grid.hex_at(madrid_way))] == "blocked"
    assert sampled.terrain[grid.hex_id(grid.hex_at(ocean))] == "sea"
    ground = sum(kind not in ("sea", "blocked") for kind in sampled.terrain.values())
    hexagon = 28 * 28 * 0.866
    assert ground * hexagon == pytest.approx(89_000, rel=0.08)
    assert grid.size_mm * earth.metres_per_mm == pytest.approx(28_000, rel=1e-4)
    assert portugal.places


def test_cities_are_apart_and_what_is_left_out_is_said(portugal: LandRegion, sampled: SampledRegion) -> None:
    grid = sampled.grid
    cubes = [grid.hex_of(city.hex) for city in sampled.cities]
    assert len(set(cubes)) == len(cubes)
    assert {"lisbon", "porto", "faro", "braga"} <= {city.id for city in sampled.cities}
    assert all(sampled.terrain[city.hex] not in ("sea", "blocked") for city in sampled.cities)
    assert any("Vila Nova de Gaia lies in hexagon" in note and "with Porto" in note for note in sampled.notes)
    smaller = sample_region(portugal, SamplingOptions(hex_km=20, cities=20))
    assert any(note.startswith("Porto lies in hexagon 6-7, which is mostly sea; the h") for note in smaller.notes)
    assert next(city for city in sampled.cities if city.id == "lisbon").port
    assert not next(city for city in sampled.cities if city.id == "viseu").port


def test_rivers_lie_in_hexagons_or_along_edges_or_nowhere(portugal: LandRegion, sampled: SampledRegion) -> None:
    """The Tagus: as water it takes hexagons, along edges it is a line without branches from the border to the sea."""
    along = sample_region(portugal, SamplingOptions(hex_km=28, rivers="edges"))
    assert "water" in sampled.terrain.values()
    assert all("river" not in kinds for kinds in sampled.edges.values())
    rivers = [name for name, kinds in along.edges.items() if kinds == ("river",)]
    assert len(rivers) > 20
    assert "water" not in along.terrain.values()
    dry = sample_region(portugal, SamplingOptions(hex_km=28, rivers="none"))
    assert not any("river" in kinds for kinds in dry.edges.values())
    assert "water" not in dry.terrain.values()


def test_an_island_gets_a_link_by_sea() -> None:
    """Corsica: Ajaccio is linked to the nearest port, and the board has no error."""
    made = region_board("France", "France", SamplingOptions(hex_km=60, cities=20))
    assert any(
        note.startswith("no track reaches Ajaccio; a link by sea from Nice was added for $") for note in made.notes
    )
    document = HEX.document_of({name: data.decode() for name, data in made.files.items()})
    assert HEX.check(HEX.compile(document, board_id="france")).ok
    (link,) = document.table("links").values()
    assert isinstance(link, LinkRow)
    assert (link.a, link.b, link.cost % 3000) == ("nice", "ajaccio", 0)


def test_a_share_of_mountains(portugal: LandRegion, sampled: SampledRegion) -> None:
    flat = sample_region(portugal, SamplingOptions(hex_km=28, mountains=0))
    some = sample_region(portugal, SamplingOptions(hex_km=28, mountains=10))
    land = sum(kind not in ("sea", "blocked") for kind in sampled.terrain.values())
    high = {name for name, kind in sampled.terrain.items() if kind == "mountain"}
    assert 0.15 * land < len(high) <= 0.25 * land
    assert "mountain" not in flat.terrain.values()
    few = {name for name, kind in some.terrain.items() if kind == "mountain"}
    assert len(few) == int(0.1 * land)
    assert few <= high


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (SamplingOptions(), "give either --hex-km or --columns"),
        (SamplingOptions(hex_km=10, columns=10), "give either --hex-km or --columns"),
        (SamplingOptions(hex_km=1), "hexagons are more than 20,000"),
    ],
)
def test_sizes_that_do_not_fit(portugal: LandRegion, wanted: SamplingOptions, why: str) -> None:
    with pytest.raises(ChoiceError, match=why):
        sample_region(portugal, wanted)


def test_columns_in_place_of_a_size(portugal: LandRegion) -> None:
    found = sample_region(portugal, SamplingOptions(columns=12, offset="even-r"))
    assert (found.grid.columns, found.grid.orientation) == (12, "pointy")


def test_colours_are_as_far_apart_as_can_be() -> None:
    """Held against every way to colour six cities of a row, two of each of three colours at most apart."""
    cities = tuple("abcdefg")
    at = {city: number for number, city in enumerate(cities)}
    apart = {(one, other): at[other] - at[one] for one, other in combinations(cities, 2)}
    near = {city: [other for other in cities if abs(at[other] - at[city]) == 1] for city in cities}
    found = solve_colours(cities, apart, near, gray=0)
    best = 0
    for colours in product(GOODS, repeat=len(cities)):
        counts = [colours.count(colour) for colour in GOODS]
        if min(counts) < 1 or max(counts) > 2:
            continue
        same = [apart[one, other] for one, other in combinations(cities, 2) if colours[at[one]] == colours[at[other]]]
        best = max(best, min(same))
    assert (found.apart, found.apart_proved) == (best, True)
    own = [apart[o, p] for o, p in combinations(cities, 2) if found.colours[o] == found.colours[p]]
    assert min(own) == best
    assert found.score <= min(found.deliverable, found.bound)


def test_colours_are_balanced_and_some_cities_gray() -> None:
    cities = tuple(f"city-{number}" for number in range(20))
    apart = {(one, other): abs(number - more) for (number, one), (more, other) in combinations(enumerate(cities), 2)}
    found = solve_colours(cities, apart, {})
    counts = {colour: list(found.colours.values()).count(colour) for colour in (*GOODS, "gray")}
    assert counts["gray"] == 6
    assert {counts[colour] for colour in GOODS} == {2, 3}
    assert solve_colours(cities, apart, {}) == found
    assert solve_colours((), {}, {}).colours == {}


def test_the_program_makes_a_board_of_a_region(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    made = run(
        "new", "lusitania", "--kind", "hex", "--region", "Portugal", "--columns", "12", "--cities", "9", "--json"
    )
    assert made.code == 0, made.err
    notes = json.loads(made.out)["notes"]
    assert notes[-1].startswith("colours: cities of one colour are ")
    read = HEX.read(HEX.read_files(tmp_path / "sources" / "lusitania"))
    compiled = HEX.compile(read.document, board_id="lusitania")
    assert (read.problems, compiled.problems, len(compiled.board.cities)) == ((), (), 9)
    assert compiled.board.title == "Lusitania"
    for line, code, why in (
        (("--region", "Portugl", "--hex-km", "30"), 1, "no country is called 'Portugl'"),
        (("--region", "PT"), 2, "give either --hex-km or --columns"),
        (("--hex-km", "30"), 2, "give --region too"),
        (("--region", "PT", "--from", "usa"), 2, "a board is a copy or of a region"),
        (("--region", "PT", "--hex-km", "30", "--bounds", "1,2,3"), 2, "is not west, south, east and north"),
    ):
        refused = run("new", "other", "--kind", "hex", *line)
        assert refused.code == code, refused.err
        assert why in " ".join(refused.err.replace("│", " ").split())
        assert not (tmp_path / "sources" / "other").exists()
    rail = run("new", "other", "--region", "PT", "--hex-km", "30")
    assert (rail.code, "are for boards of hexagons" in rail.err) == (2, True)
