"""Portugal: a board traced as an SVG in pixels, held against its drawing and against what the railways were."""

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path

import networkx as nx
import pytest
from board_helpers import open_folder
from conftest import REPOSITORY, Run
from pyproj import Geod

import mapkit
from mapkit.core.output import write_files
from mapkit.kinds.rail.importing.earlier_packages import bring_files_over, package_files
from mapkit.kinds.rail.importing.placing import place_again
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import count_chart_weights
from mapkit.kinds.rail.network.distances import count_all_pairs_moves
from mapkit.kinds.rail.network.service import railroads_by_city
from mapkit.kinds.rail.render.layout import clear_layout_cache
from mapkit.kinds.rail.sources.control_points import load_control_points
from mapkit.kinds.rail.tables import BY_RULE
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference

pytestmark = pytest.mark.slow

SOURCE = REPOSITORY / "sources" / "portugal"
BUNDLE = REPOSITORY / "build" / "portugal"

RAILROADS = {  # id: price, mileposts, segments
    "ba": (12000, 17, 16),
    "bb": (14000, 23, 22),
    "cn": (16000, 25, 24),
    "est": (9000, 3, 2),
    "md": (20000, 23, 22),
    "np": (12000, 10, 10),
    "nl": (40000, 39, 38),
    "oe": (23000, 17, 17),
    "sueste": (20000, 18, 17),
    "sul": (32000, 32, 31),
    "vv": (10000, 14, 13),
}


@pytest.fixture(scope="module")
def portugal() -> Board:
    return mapkit.load("portugal", workspace=REPOSITORY)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _miles(board: Board) -> dict[str, dict[str, float]]:
    """Miles between all mileposts, over all railroads."""
    graph: nx.Graph[str] = nx.Graph()
    for s in board.segments:
        known = graph.get_edge_data(s.a, s.b, {"weight": s.miles})["weight"]
        graph.add_edge(s.a, s.b, weight=min(known, s.miles))
    return dict(nx.all_pairs_dijkstra_path_length(graph))


def test_counts(portugal: Board) -> None:
    assert (len(portugal.mileposts), len(portugal.segments)) == (190, 212)
    assert (len(portugal.railroads), len(portugal.cities), len(portugal.regions)) == (11, 36, 7)
    assert {j.railroad for j in portugal.junctions} == {"np", "oe"}
    assert len(portugal.junctions) == 2
    assert len({frozenset((s.a, s.b)) for s in portugal.segments}) == 200


def test_railroads(portugal: Board) -> None:
    segments = Counter(s.railroad for s in portugal.segments)
    mileposts: dict[str, set[str]] = defaultdict(set)
    for s in portugal.segments:
        mileposts[s.railroad] |= {s.a, s.b}
    found = {r.id: (r.price, len(mileposts[r.id]), segments[r.id]) for r in portugal.railroads}
    assert found == RAILROADS


def test_every_city_can_be_reached_and_is_served_as_it_was(portugal: Board) -> None:
    assert (count_all_pairs_moves(portugal).moves >= 0).all()
    served = {city: set(railroads) for city, railroads in railroads_by_city(portugal).items()}
    assert set(served) == {city.id for city in portugal.cities}
    assert served["lisboa"] == {"est", "nl", "oe", "sueste", "sul"}
    assert served["porto"] == {"md", "nl", "np"}
    assert served["guarda"] == {"ba", "bb"}
    assert served["regua"] == {"cn", "md"}
    assert served["espinho"] == served["aveiro"] == {"nl", "vv"}
    assert served["braganca"] == {"cn"}
    assert served["faro"] == {"sul"}
    assert min(map(len, served.values())) == 1
    assert min(Counter(r for found in served.values() for r in found).values()) == 2  # the Estoril's


@pytest.mark.parametrize(
    ("start", "end", "railroad", "kilometres"),
    [
        ("lisboa", "porto", "nl", 337),  # Linha do Norte
        ("figueira-da-foz", "vilar-formoso", "ba", 253),  # Linha da Beira Alta
        ("lisboa", "cascais", "est", 26),  # Linha de Cascais
        ("porto", "valenca", "md", 131),  # Linha do Minho
        ("tua", "braganca", "cn", 134),  # Linha do Tua
    ],
)
def test_lines_are_about_as_long_as_they_were(
    portugal: Board, start: str, end: str, railroad: str, kilometres: float
) -> None:
    """Drawn lines cut corners: never longer than the line, and short by at most an eighth (narrow gauge: a third)."""
    own = portugal.model_copy(update={"segments": tuple(s for s in portugal.segments if s.railroad == railroad)})
    found = _miles(own)[start][end] * 1.609344
    shortest = 0.66 if railroad == "cn" else 0.87
    assert shortest < found / kilometres < 1.03


def test_the_main_line_reads_like_a_timetable(portugal: Board) -> None:
    names = {m.id: m.name for m in portugal.mileposts}
    found = mapkit.route(portugal, "Lisboa", "Coimbra", railroads=["NL"])
    stops = [names[found.start], *(names[step.end] for step in found.steps)]
    assert stops == [
        "Lisboa", "Póvoa de Santa Iria", "Vila Franca de Xira", "Azambuja", "Setil", "Santarém", "Mato de Miranda",
        "Entroncamento", "Paialvo", "Caxarias", "Albergaria dos Doze", "Pombal", "Soure", "Alfarelos", "Coimbra",
    ]  # fmt: skip


def test_shared_corridors_are_parallel(portugal: Board) -> None:
    """Drawn once for each railroad, they have the same mileposts and lengths."""
    of: dict[frozenset[str], dict[str, float]] = defaultdict(dict)
    for s in portugal.segments:
        of[frozenset((s.a, s.b))][s.railroad] = s.miles
    shared = {tuple(sorted(pair)): miles for pair, miles in of.items() if len(miles) > 1}
    assert {tuple(sorted(miles)) for miles in shared.values()} == {
        ("bb", "nl"),
        ("cn", "md"),
        ("nl", "oe"),
        ("sueste", "sul"),
    }
    assert len(shared) == 12
    for miles in shared.values():
        assert max(miles.values()) - min(miles.values()) <= 0.03


def test_the_drawing_lies_where_the_places_are(portugal: Board) -> None:
    """Rounding to whole pixels, of about 137 metres, shifts a point by 0.71 of them at most."""
    read = load_control_points(SOURCE)
    assert read.config is not None
    report = georeference(
        read.points, model=read.config.tracing.georeference, projection=read.config.projection
    ).report()
    assert len(report.points) == 18
    for point in report.points:
        assert point.pixels is not None
        assert point.pixels < 0.71
        assert point.left_out_pixels is not None
        assert point.left_out_pixels < 0.8
    assert report.warnings == ()
    at = {m.id: (m.lon, m.lat) for m in portugal.mileposts}
    for ident, lon, lat in (("entroncamento", -8.470, 39.462), ("funcheira", -8.378, 37.735), ("tua", -7.424, 41.213)):
        _, _, metres = Geod(ellps="WGS84").inv(*at[ident], lon, lat)
        assert metres < 100


def test_the_drawing_names_all_but_two_mileposts() -> None:
    assert [row["place"] for row in _rows(SOURCE / "places.csv") if row["note"] == BY_RULE] == ["Recarei", "Marinhais"]


@pytest.mark.parametrize("board", ["portugal", "mexico"])
def test_placing_the_drawings_again_changes_nothing(board: str) -> None:
    before = open_folder(REPOSITORY / "sources" / board)
    assert place_again(before) == before


@pytest.mark.parametrize("board", ["portugal", "mexico"])
def test_a_package_of_an_earlier_mapkit_is_the_same_board(board: str, tmp_path: Path) -> None:
    """Drawings in lines/, and neither lists nor places: the same files come out, byte for byte."""
    now = package_files(REPOSITORY / "sources" / board)
    older = {name: data for name, data in now.items() if not name.startswith("lines/") and name != "places.csv"}
    older = {name.replace("drawings/", "lines/"): data for name, data in older.items()}
    assert bring_files_over(older) == now
    folder = tmp_path / board
    write_files(folder, older)
    made, home = mapkit.load(folder), mapkit.load(board, workspace=REPOSITORY)
    (note,) = made.provenance.notes
    assert note.kind == "older package"
    assert made.model_copy(update={"provenance": home.provenance}) == home
    for kind, origins in made.provenance.elements.items():
        same = home.provenance.elements[kind]
        assert {ident: origin.feature for ident, origin in origins.items()} == {i: o.feature for i, o in same.items()}
    assert f"lines/{board}.svg" in {file.path for file in made.provenance.sources} or board == "mexico"


def test_payoffs_and_prices_follow_their_formulas(portugal: Board) -> None:
    """As sources/README.md states them; rounding of miles to hundredths may tip a tie."""
    miles = _miles(portugal)
    place = {city.id: city.milepost for city in portugal.cities}
    chart = portugal.payoffs
    for a, row in zip(chart.cities, chart.thousands, strict=True):
        for b, value in zip(chart.cities, row, strict=True):
            assert value is not None
            if a == b:
                assert value == 0
            else:
                assert abs(value - (1 + 0.05 * miles[place[a]][place[b]])) <= 0.252
    weight = {row["id"]: int(row["weight"]) for row in _rows(SOURCE / "cities.csv")}
    served = railroads_by_city(portugal)
    for railroad in portugal.railroads:
        length = sum(s.miles for s in portugal.segments if s.railroad == railroad.id)
        worth = sum(weight[city] for city, found in served.items() if railroad.id in found)
        assert abs(railroad.price - (40 * length + 500 * worth)) <= 502


def test_charts_follow_the_weights(portugal: Board) -> None:
    """Each share lies within one 72nd of the typed weights'."""
    weight = {row["id"]: int(row["weight"]) for row in _rows(SOURCE / "cities.csv")}
    for region in portugal.regions:
        own = {city.id: weight[city.id] for city in portugal.cities if city.region == region.id}
        cells = count_chart_weights(portugal.destinations[region.id])
        assert set(cells) == set(own)
        for city, typed in own.items():
            assert abs(cells[city] - 72 * typed / sum(own.values())) < 1
    regions = count_chart_weights(portugal.destinations["regions"])
    for region in portugal.regions:
        typed = sum(weight[city.id] for city in portugal.cities if city.region == region.id)
        assert abs(regions[region.id] - 72 * typed / sum(weight.values())) < 1


def test_check_finds_only_notes(run: Run) -> None:
    ran = run("check", "portugal", "--workspace", REPOSITORY, "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert set(found["checks"].values()) <= {"passed", "found"}
    assert {f["severity"] for f in found["findings"] if f["accepted"] is None} == {"note"}
    assert {f["code"] for f in found["findings"]} == {"N11", "N12", "N17", "R13"}


def test_the_bundle_is_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    clear_layout_cache()
    built = mapkit.build("portugal", workspace=REPOSITORY, out=tmp_path)
    names = sorted(path.name for path in BUNDLE.iterdir())
    assert names == sorted(path.name for path in built.files)
    for name in names:
        assert (tmp_path / name).read_bytes() == (BUNDLE / name).read_bytes(), f"{name} differs from build/portugal"
