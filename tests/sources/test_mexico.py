"""Mexico, drawn as GeoJSON and spaced by rule, held against the railways as they were."""

import csv
import json
import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances, count_chart_weights
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.service import railroads_by_city
from mapkit.kinds.rail.render.layout import clear_layout_cache

pytestmark = pytest.mark.slow

SOURCE = REPOSITORY / "sources" / "mexico"
BUNDLE = REPOSITORY / "build" / "mexico"

RAILROADS = {  # id: price, mileposts, segments, cities
    "central": (36500, 72, 72, 16),
    "golfo": (6000, 11, 10, 3),
    "internacional": (10500, 20, 19, 5),
    "interoceanico": (11000, 30, 32, 5),
    "kcmo": (7000, 16, 15, 3),
    "mexicano": (8500, 13, 13, 5),
    "nacional": (21500, 41, 41, 10),
    "noroeste": (6500, 13, 12, 3),
    "sonora-baja-california": (4000, 11, 10, 1),
    "sud-pacifico": (16500, 35, 35, 7),
    "sureste": (5500, 15, 14, 2),
    "tehuantepec": (4000, 6, 5, 2),
    "veracruz-istmo": (8000, 19, 18, 3),
    "yucatan": (6500, 12, 11, 4),
}


@pytest.fixture(scope="module")
def mexico() -> Board:
    return mapkit.load("mexico", workspace=REPOSITORY)


def drawn() -> dict[str, dict[str, list[list[float]]]]:
    """Return every drawn line by railroad and name."""
    out: dict[str, dict[str, list[list[float]]]] = defaultdict(dict)
    for path in sorted((SOURCE / "drawings").glob("*.geojson")):
        for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
            if feature["geometry"]["type"] == "LineString":
                of = feature["properties"]
                assert of["railroad"] == path.stem
                out[of["railroad"]][of["line"]] = feature["geometry"]["coordinates"]
    return out


def rail_miles(board: Board) -> "nx.Graph[str]":
    graph: nx.Graph[str] = nx.Graph()
    for piece in sorted(board.pieces, key=lambda p: -p.miles):  # the shortest of parallel pieces stays
        graph.add_edge(piece.a, piece.b, miles=piece.miles)
    return graph


def test_counts(mexico: Board) -> None:
    assert len(mexico.mileposts) == 270
    assert len(mexico.segments) == 307
    assert len(mexico.junctions) == 5
    assert (len(mexico.railroads), len(mexico.cities), len(mexico.regions)) == (14, 48, 7)
    assert len({m.name for m in mexico.mileposts}) == len(mexico.mileposts)
    assert Counter(m.kind for m in mexico.mileposts) == {"city": 48, "dot": 222}


def test_railroads(mexico: Board) -> None:
    segments = Counter(s.railroad for s in mexico.segments)
    mileposts: dict[str, set[str]] = defaultdict(set)
    for s in mexico.segments:
        mileposts[s.railroad] |= {s.a, s.b}
    served = Counter(railroad for of in railroads_by_city(mexico).values() for railroad in of)
    found = {r.id: (r.price, len(mileposts[r.id]), segments[r.id], served[r.id]) for r in mexico.railroads}
    assert found == RAILROADS


@pytest.mark.parametrize(
    ("start", "end", "railroad", "miles"),
    [
        ("México", "Veracruz", "FCM", 264),
        ("México", "Ciudad Juárez", "FCC", 1224),
        ("México", "Guadalajara", "FCC", 381),
        ("Nogales", "Guadalajara", "SPM", 1095),
        ("Piedras Negras", "Torreón", "FCIM", 383),
    ],
)
def test_lines_are_nearly_as_long_as_the_railways_were(
    mexico: Board, start: str, end: str, railroad: str, miles: float
) -> None:
    """A line drawn from town to town cuts the bends: up to a tenth shorter, never longer than the real one."""
    assert 0.9 * miles < mapkit.route(mexico, start, end, railroads=[railroad]).miles <= miles


def test_which_railroads_serve_a_city(mexico: Board) -> None:
    serving = railroads_by_city(mexico)
    assert set(serving["mexico"]) == {"central", "nacional", "interoceanico", "mexicano"}
    assert set(serving["veracruz"]) == {"mexicano", "interoceanico", "veracruz-istmo"}
    assert set(serving["monterrey"]) == {"nacional", "central", "internacional", "golfo"}
    assert set(serving["chihuahua"]) == {"central", "kcmo", "noroeste"}
    assert set(serving["tampico"]) == {"central", "golfo"}
    assert set(serving["salina-cruz"]) == {"tehuantepec"}
    assert set(serving["mexicali"]) == {"sonora-baja-california"}
    assert min(map(len, serving.values())) == 1


def test_every_city_can_be_reached(mexico: Board) -> None:
    assert (count_all_pairs_moves(mexico).moves >= 0).all()


def test_shared_corridors_share_vertices_and_mileposts(mexico: Board) -> None:
    def between(railroad: str, start: str, end: str) -> list[str]:
        found = mapkit.route(mexico, start, end, railroads=[railroad])
        return [found.start, *(step.end for step in found.steps)]

    lines = drawn()
    one, other = lines["central"]["México - Ciudad Juárez"], lines["nacional"]["México - Celaya"]
    assert one[: len(other)] == other
    assert between("FNM", "México", "Querétaro") == between("FCC", "México", "Querétaro")
    assert between("FCIM", "Torreón", "Monterrey") == between("FCC", "Torreón", "Monterrey")
    assert between("KCMO", "La Junta", "Chihuahua") == between("FNO", "La Junta", "Chihuahua")
    assert len(between("FCIM", "Torreón", "Monterrey")) > 5


def test_names_are_places(mexico: Board) -> None:
    assert not [m.name for m in mexico.mileposts if any(ch.isdigit() for ch in m.name)]


def test_lines_are_typed_in_mexico_to_a_ten_thousandth_of_a_degree() -> None:
    lines = drawn()
    assert set(lines) == set(RAILROADS)
    vertices = [tuple(at) for of in lines.values() for line in of.values() for at in line]
    assert len(vertices) == 792
    assert all(-118 < lon < -86 and 14 < lat < 33 for lon, lat in vertices)
    assert all(round(x, 4) == x for at in vertices for x in at)
    assert all(a != b for of in lines.values() for line in of.values() for a, b in pairwise(line))


def test_destinations_follow_the_weights(mexico: Board) -> None:
    """Every city's share of its region's 72 is within one of what `weight` in cities.csv asks for."""
    with (SOURCE / "cities.csv").open(encoding="utf-8", newline="") as stream:
        weights = {row["id"]: int(row["weight"]) for row in csv.DictReader(stream)}
    region_of = {city.id: city.region for city in mexico.cities}
    total = Counter({region.id: 0 for region in mexico.regions})
    for city, weight in weights.items():
        total[region_of[city]] += weight
    assert sum(calculate_city_chances(mexico).values()) == 1
    for region, cells in count_chart_weights(mexico.destinations["regions"]).items():
        assert abs(cells - Fraction(72 * total[region], total.total())) < 1
    for region in total:
        for city, cells in count_chart_weights(mexico.destinations[region]).items():
            assert region_of[city] == region
            assert abs(cells - Fraction(72 * weights[city], total[region])) < 1


def test_payoffs_and_prices_follow_their_formulas(mexico: Board) -> None:
    """As sources/README.md states them: miles by rail; miles and cities served."""
    at = {city.id: city.milepost for city in mexico.cities}
    graph = rail_miles(mexico)
    far = {city: nx.single_source_dijkstra_path_length(graph, at[city], weight="miles") for city in sorted(at)}
    cities = mexico.payoffs.cities
    for a, row in zip(cities, mexico.payoffs.thousands, strict=True):
        for b, value in zip(cities, row, strict=True):
            halves = math.floor(far[min(a, b)][at[max(a, b)]] / 50 + 0.5)
            assert value == (0 if a == b else max(1, halves / 2)), (a, b)
    served = Counter(railroad for of in railroads_by_city(mexico).values() for railroad in of)
    for railroad in mexico.railroads:
        miles = sum(piece.miles for piece in mexico.pieces if piece.railroad == railroad.id)
        worth = 8 * miles + 1200 * served[railroad.id]
        assert railroad.price == max(4000, 500 * math.floor(worth / 500 + 0.5)), railroad.id


def test_the_bundle_is_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    clear_layout_cache()
    built = mapkit.build("mexico", workspace=REPOSITORY, out=tmp_path)
    names = sorted(path.name for path in BUNDLE.iterdir())
    assert names == sorted(path.name for path in built.files)
    for name in names:
        assert (tmp_path / name).read_bytes() == (BUNDLE / name).read_bytes(), f"{name} differs from build/mexico"


def test_check_has_no_errors_and_every_warning_was_judged(run: Run) -> None:
    ran = run("check", "mexico", "--workspace", REPOSITORY, "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert {f["severity"] for f in found["findings"] if f["accepted"] is None} == {"note"}
    assert all(f["accepted"] for f in found["findings"] if f["severity"] != "note")
    assert {f["code"] for f in found["findings"]} == {"N05", "N11", "N12", "R13"}
