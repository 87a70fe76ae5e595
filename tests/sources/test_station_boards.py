"""Boards of station lists: each held against the real railways, its figures, its findings and its bundle."""

import csv
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final

import networkx as nx
import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances, count_chart_weights
from mapkit.kinds.rail.network.service import calculate_access, calculate_monopoly, railroads_by_city
from mapkit.kinds.rail.network.trips import estimate_game_length
from mapkit.kinds.rail.render.layout import clear_layout_cache

pytestmark = pytest.mark.slow


class Facts(Frozen):
    """What a board should be."""

    counts: tuple[int, int, int, int, int]
    """Mileposts, segments, railroads, cities, regions."""
    miles: tuple[tuple[str, str, str, int], ...]
    """Two cities, a railroad's mark, and how far apart they were by its line."""
    served: Mapping[str, frozenset[str]]
    """Cities, and the railroads that served them."""
    percent: float
    """The price of a percent of the destinations, in thousands."""
    least: int = 4000
    dearer: Mapping[str, int] = {}
    """Railroads whose price was found by play."""
    solved: bool = True
    """Whether the charts follow the weights of cities."""


BOARDS: Final = {
    "france": Facts(
        counts=(286, 396, 13, 84, 8),
        miles=(
            ("Paris", "Lille", "N", 156),
            ("Paris", "Nancy", "E", 219),
            ("Paris", "Belfort", "E", 275),
            ("Paris", "Dijon", "PL", 196),
            ("Lyon", "Marseille", "LM", 218),
            ("Paris", "Bordeaux", "PO", 364),
            ("Bordeaux", "Toulouse", "M", 160),
            ("Paris", "Le Havre", "O", 142),
            ("Paris", "Brest", "O", 387),
            ("Paris", "Nevers", "BB", 158),
        ),
        served={
            "paris": frozenset({"bb", "est", "etat", "nord", "ouest", "pl", "po"}),
            "lyon": frozenset({"bb", "lg", "lm", "pl"}),
            "bordeaux": frozenset({"etat", "midi", "po"}),
            "toulouse": frozenset({"gc", "midi", "po"}),
        },
        percent=1.0,
    ),
    "germany": Facts(
        counts=(521, 722, 29, 90, 9),
        miles=(
            ("Berlin", "Hamburg", "BHE", 178),
            ("Köln", "Bielefeld", "CME", 137),
            ("Berlin", "Magdeburg", "BPME", 88),
            ("Berlin", "Breslau", "NME", 222),
            ("Leipzig", "Dresden", "SStB", 72),
            ("Hannover", "Kassel", "HStB", 103),
            ("Mannheim", "Basel", "BadStB", 168),
            ("Stuttgart", "Ulm", "WStB", 58),
            ("Berlin", "Königsberg", "OB", 366),
            ("Köln", "Aachen", "RhE", 44),
            ("Halle", "Erfurt", "ThE", 68),
        ),
        served={
            "berlin": frozenset({"ba", "bh", "bpm", "bst", "hsg", "mh", "nm", "ob"}),
            "hannover": frozenset({"hs", "mh"}),
            "hamburg": frozenset({"bh", "cm", "hs"}),
            "breslau": frozenset({"bsf", "nm", "os"}),
            "koeln": frozenset({"bm", "cm", "rhe"}),
            "leipzig": frozenset({"ba", "hsg", "mh", "sst", "th"}),
            "muenchen": frozenset({"bay", "bo"}),
        },
        percent=1.2,
    ),
    "india": Facts(
        counts=(318, 385, 14, 86, 8),
        miles=(
            ("Calcutta", "Delhi", "EIR", 903),
            ("Bombay", "Delhi", "GIPR", 957),
            ("Bombay", "Delhi", "BB&CI", 865),
            ("Calcutta", "Nagpur", "BNR", 703),
            ("Lahore", "Karachi", "NWR", 755),
            ("Madras", "Tuticorin", "SIR", 443),
            ("Madras", "Vizagapatam", "M&SM", 484),
            ("Calcutta", "Darjeeling", "EBR", 379),
            ("Madras", "Bangalore", "M&SM", 222),
            ("Benares", "Lucknow", "O&RR", 187),
        ),
        served={
            "bombay": frozenset({"bbci", "gip"}),
            "calcutta": frozenset({"bnr", "ebr", "eir"}),
            "cawnpore": frozenset({"bbci", "bnw", "eir", "gip", "or"}),
            "delhi": frozenset({"bbci", "eir", "gip", "nwr", "or"}),
            "madras": frozenset({"msm", "sir"}),
        },
        percent=1.7,
        dearer={"bbci": 60_000, "bnr": 34_000, "gip": 60_000, "msm": 52_000},
    ),
    "ireland": Facts(
        counts=(227, 264, 13, 65, 7),
        miles=(
            ("Dublin", "Cork", "GS&WR", 165),
            ("Dublin", "Belfast", "GNR", 113),
            ("Dublin", "Galway", "MGWR", 126),
            ("Dublin", "Sligo", "MGWR", 134),
            ("Belfast", "Londonderry", "NCC", 95),
            ("Dublin", "Wexford", "D&SER", 93),
            ("Limerick", "Waterford", "WL&WR", 77),
            ("Tralee", "Dingle", "T&DLR", 31),
            ("Londonderry", "Burtonport", "L&LSR", 74),
            ("Enniskillen", "Sligo", "SL&NC", 48),
        ),
        served={
            "dublin": frozenset({"dser", "gnr", "gswr", "mgwr"}),
            "belfast": frozenset({"bcdr", "gnr", "ncc"}),
            "londonderry": frozenset({"cdr", "gnr", "lls", "ncc"}),
            "sligo": frozenset({"mgwr", "slnc", "wlw"}),
            "dingle": frozenset({"tdr"}),
        },
        percent=1.1,
        dearer={"gswr": 96_000, "gnr": 90_000, "mgwr": 42_000, "wlw": 34_000},
    ),
    "japan": Facts(
        counts=(286, 323, 30, 89, 8),
        miles=(
            ("Tokyo", "Nagoya", "Tokaido East", 229),
            ("Nagoya", "Kobe", "Tokaido West", 147),
            ("Kobe", "Shimonoseki", "San'yo", 329),
            ("Fukushima", "Aomori", "Ou", 301),
            ("Moji", "Yatsushiro", "Kyushu", 144),
            ("Hakodate", "Otaru", "Hokkaido", 157),
        ),
        served={
            "tokyo": frozenset({"kobu", "nippon", "sobu", "tokaido-east"}),
            "osaka": frozenset({"hankaku", "hanshin", "kansai", "nankai", "osk", "tokaido-west"}),
            "kobe": frozenset({"hanshin", "nyk-south", "osk", "sanyo", "tokaido-west"}),
            "nagoya": frozenset({"kansai", "tokaido-east", "tokaido-west"}),
            "aomori": frozenset({"nippon", "nyk-north", "ou"}),
        },
        percent=1.8,
    ),
    "north-america": Facts(
        counts=(936, 1250, 46, 141, 13),
        miles=(
            ("Montréal", "Vancouver", "CPR", 2880),
            ("Montréal", "Toronto", "CNR", 334),
            ("Halifax", "Montréal", "CNR", 840),
            ("Winnipeg", "Edmonton", "CNR", 793),
            ("Edmonton", "Dawson Creek", "NAR", 495),
            ("Albany", "Montréal", "D&H", 239),
            ("New York", "Chicago", "NYC", 961),
            ("Chicago", "Los Angeles", "AT&SF", 2228),
            ("El Paso", "México", "FCC", 1226),
            ("Nuevo Laredo", "México", "FNM", 839),
            ("México", "Veracruz", "FCM", 264),
            ("Coatzacoalcos", "Campeche", "FCS", 458),
        ),
        served={
            "montreal": frozenset({"cn", "cp", "dh", "nyc"}),
            "toronto": frozenset({"cn", "cp"}),
            "winnipeg": frozenset({"cn", "cp", "gn", "soo"}),
            "vancouver": frozenset({"cn", "cp", "gn", "pge"}),
            "mexico": frozenset({"central", "fcm", "interoceanico", "nacional"}),
            "monterrey": frozenset({"central", "internacional", "nacional"}),
            "ojinaga": frozenset({"atsf", "kcmo"}),
            "guatemala": frozenset({"irca"}),
        },
        percent=2.4,
        dearer={"central": 29_000, "internacional": 9_000, "kcmo": 6_000, "sp": 36_000},
    ),
    "south-africa": Facts(
        counts=(270, 282, 17, 79, 7),
        miles=(
            ("Cape Town", "De Aar", "CGR-W", 500),
            ("De Aar", "Kimberley", "CGR-N", 146),
            ("Worcester", "Mossel Bay", "NCCR", 205),
        ),
        served={
            "cape-town": frozenset({"cgrw"}),
            "de-aar": frozenset({"cgrm", "cgrn", "cgrw"}),
            "johannesburg": frozenset({"rand", "zuid"}),
            "bloemfontein": frozenset({"conq", "ofs"}),
            "durban": frozenset({"ngr", "zcr"}),
            "pretoria": frozenset({"oost", "ppr", "zuid"}),
        },
        percent=2.5,
        dearer={
            "bech": 28_000,
            "cgrm": 56_000,
            "cgrn": 28_000,
            "cgrw": 60_000,
            "conq": 32_000,
            "ofs": 48_000,
            "rand": 56_000,
        },
    ),
}

NAMES: Final = sorted(BOARDS)


@pytest.fixture(scope="module", params=NAMES)
def board(request: pytest.FixtureRequest) -> Board:
    return mapkit.load(request.param, workspace=REPOSITORY)


def test_counts(board: Board) -> None:
    parts = (board.mileposts, board.segments, board.railroads, board.cities, board.regions)
    assert tuple(map(len, parts)) == BOARDS[board.id].counts


def test_lines_are_about_as_long_as_they_were(board: Board) -> None:
    """From town to town they are shorter than the railways, in the hills more."""
    railroads = {r.short: r.id for r in board.railroads}
    places = {c.name: c.milepost for c in board.cities}
    for start, end, short, miles in BOARDS[board.id].miles:
        graph: nx.Graph[str] = nx.Graph()
        graph.add_weighted_edges_from((s.a, s.b, s.miles) for s in board.segments if s.railroad == railroads[short])
        found = nx.dijkstra_path_length(graph, places[start], places[end])
        assert 0.8 <= found / miles <= 1.02, (start, end, found)


def test_who_serves_what(board: Board) -> None:
    served = {city: frozenset(railroads) for city, railroads in railroads_by_city(board).items()}
    for city, railroads in BOARDS[board.id].served.items():
        assert served[city] == railroads, city


def test_prices_follow_the_formula_but_those_found_by_play(board: Board) -> None:
    facts = BOARDS[board.id]
    for railroad in board.railroads:
        share = float(calculate_access(board, [railroad.id]) + calculate_monopoly(board, [railroad.id])) * 100
        price = facts.dearer.get(railroad.id, max(facts.least, round(facts.percent * share) * 1000))
        assert railroad.price == price, railroad.id


def test_charts_follow_the_weights(board: Board) -> None:
    """Within one seventy-second of what a chart should give."""
    if not BOARDS[board.id].solved:
        return
    with (REPOSITORY / "sources" / board.id / "cities.csv").open(encoding="utf-8", newline="") as stream:
        weight = {row["id"]: Fraction(row["weight"]) for row in csv.DictReader(stream)}
    regions = count_chart_weights(board.destinations[REGIONS])
    for region in board.regions:
        own = {city.id: weight[city.id] for city in board.cities if city.region == region.id}
        cells = count_chart_weights(board.destinations[region.id])
        assert max(abs(cells[city] - 72 * part / sum(own.values())) for city, part in own.items()) < 1
        assert abs(regions[region.id] - 72 * sum(own.values()) / sum(weight.values())) < 1
    assert sum(calculate_city_chances(board).values()) == 1


def test_a_match_is_about_as_long_as_on_other_boards(board: Board) -> None:
    length = estimate_game_length(board)
    assert length is not None
    assert 16 <= length.trips <= 36


@pytest.mark.parametrize("name", NAMES)
def test_check_has_no_errors_and_every_warning_was_judged(name: str) -> None:
    """What the bundle holds is what a check finds; the test below builds it again."""
    found = json.loads((REPOSITORY / "build" / name / "findings.json").read_bytes())
    assert set(found["checks"].values()) <= {"passed", "found"}
    assert {f["severity"] for f in found["findings"] if f["accepted"] is None} == {"note"}


@pytest.mark.parametrize("name", NAMES)
def test_the_bundle_is_rebuilt_byte_for_byte(name: str, tmp_path: Path) -> None:
    clear_layout_cache()
    built = mapkit.build(name, workspace=REPOSITORY, out=tmp_path)
    bundle = REPOSITORY / "build" / name
    names = sorted(path.name for path in bundle.iterdir())
    assert names == sorted(path.name for path in built.files)
    for file in names:
        assert (tmp_path / file).read_bytes() == (bundle / file).read_bytes(), f"{file} differs from build/{name}"
