"""Great Britain in 1921: a board of station lists, held against what the railways were."""

import csv
import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.service import (
    calculate_access,
    calculate_monopoly,
    cities_by_railroad,
    railroads_by_city,
)
from mapkit.kinds.rail.render.layout import clear_layout_cache

pytestmark = pytest.mark.slow

SOURCE = REPOSITORY / "sources" / "great-britain"
BUNDLE = REPOSITORY / "build" / "great-britain"

DEARER = {"cr": 30_000, "nbr": 29_000}
"""Prices that do not follow the formula, see the README."""
GROUPS = {  # the grouping of 1923
    "lnwr": {"lnwr", "mr", "ly", "nsr", "fr", "cr", "gswr", "hr"},
    "gnr": {"gnr", "gcr", "ger", "ner", "nbr", "gnsr"},
    "gwr": {"gwr", "cam", "mswj"},
    "lswr": {"lswr", "lbsc", "secr"},
    "mgn": {"mgn"},
    "sdj": {"sdj"},
}


@pytest.fixture(scope="module")
def britain() -> Board:
    return mapkit.load("great-britain", workspace=REPOSITORY)


def test_counts(britain: Board) -> None:
    assert (len(britain.mileposts), len(britain.segments), len(britain.junctions)) == (501, 759, 7)
    assert (len(britain.railroads), len(britain.cities), len(britain.regions)) == (22, 100, 10)
    assert (britain.units.currency, britain.units.symbol) == ("GBP", "£")


@pytest.mark.parametrize(
    ("start", "end", "railroad", "miles"),
    [
        ("London", "Carlisle", "LNWR", 299),  # over Shap
        ("London", "Carlisle", "MR", 308),  # by Leicester, Sheffield and Ais Gill
        ("London", "Doncaster", "GNR", 156),
        ("Doncaster", "Berwick", "NER", 179),
        ("London", "Penzance", "GWR", 305),  # by Westbury
        ("London", "Norwich", "GER", 114),
        ("London", "Exeter", "L&SWR", 171),
        ("London", "Sheffield", "GCR", 165),
        ("London", "Dover", "SE&CR", 77),
        ("London", "Brighton", "LB&SC", 51),
        ("Carlisle", "Aberdeen", "CR", 241),
        ("Glasgow", "Mallaig", "NBR", 164),
        ("Inverness", "Wick", "HR", 161),
        ("Bath", "Bournemouth", "S&DJR", 71),
    ],
)
def test_lines_are_about_as_long_as_they_were(
    britain: Board, start: str, end: str, railroad: str, miles: float
) -> None:
    """From town to town they are shorter than the railways, in the hills more."""
    rid = next(r.id for r in britain.railroads if r.short == railroad)
    ids = {m.name: m.id for m in britain.mileposts}
    own = {frozenset((s.a, s.b)): s.miles for s in britain.segments if s.railroad == rid}
    known, open_ = {ids[start]: 0.0}, {ids[start]}
    while open_:
        at = min(open_, key=known.__getitem__)
        open_.remove(at)
        for ends, length in own.items():
            if at in ends:
                (other,) = ends - {at}
                if known[at] + length < known.get(other, 1e9):
                    known[other] = known[at] + length
                    open_.add(other)
    assert 0.85 <= known[ids[end]] / miles <= 1.01


def test_who_serves_what(britain: Board) -> None:
    served = {city: set(railroads) for city, railroads in railroads_by_city(britain).items()}
    assert served["london"] == {"gcr", "ger", "gnr", "gwr", "lbsc", "lnwr", "lswr", "mr", "secr"}
    assert served["carlisle"] == {"cr", "gswr", "lnwr", "mr", "nbr", "ner"}
    assert served["perth"] == {"cr", "hr", "nbr"}
    assert served["peterborough"] == {"ger", "gnr", "lnwr", "mgn", "mr"}
    assert served["wick"] == {"hr"}
    assert served["plymouth"] == {"gwr", "lswr"}
    assert served["brecon"] == {"cam", "mr"}
    assert min(map(len, cities_by_railroad(britain).values())) == 2


def test_the_charts_have_the_odds_of_the_british_game(britain: Board) -> None:
    chances = calculate_city_chances(britain)
    assert sum(chances.values()) == 1
    assert chances["london"] == Fraction(4, 72)
    assert chances["birmingham"] == Fraction(11, 72) * Fraction(10, 72)
    assert chances["wick"] == Fraction(6, 72) * Fraction(2, 72)
    assert {c.region for c in britain.cities if c.name == "London"} == {"london"}


def test_prices_and_payoffs_follow_their_formulas(britain: Board) -> None:
    for railroad in britain.railroads:
        share = float(calculate_access(britain, [railroad.id]) + calculate_monopoly(britain, [railroad.id])) * 100
        price = DEARER.get(railroad.id, max(4000, round(1.3 * share) * 1000))
        assert railroad.price == price, railroad.id
    chances = calculate_city_chances(britain)
    cities = britain.payoffs.cities
    paid = apart = 0.0
    for a, row in zip(cities, britain.payoffs.thousands, strict=True):
        for b, value in zip(cities, row, strict=True):
            if a != b:
                assert value is not None
                paid += float(chances[a] * chances[b]) * value
                apart += float(chances[a] * chances[b])
    assert paid / apart == pytest.approx(10, abs=0.3)


def test_the_grouping_of_1923(britain: Board) -> None:
    grouped = mapkit.load("great-britain", variants=["great-britain-1923"], workspace=REPOSITORY)
    assert {r.id: r.short for r in grouped.railroads} == {
        "gnr": "LNER", "gwr": "GWR", "lnwr": "LMS", "lswr": "SR", "mgn": "M&GN", "sdj": "S&DJR"
    }  # fmt: skip
    assert {member for group in GROUPS.values() for member in group} == {r.id for r in britain.railroads}
    before, after = cities_by_railroad(britain), cities_by_railroad(grouped)
    for into, members in GROUPS.items():
        assert set(after[into]) == set().union(*(before[member] for member in members))
    for railroad in grouped.railroads:
        share = float(calculate_access(grouped, [railroad.id])) * 100
        assert railroad.price == max(4000, round(1.3 * share) * 1000)


def test_station_lists_name_places_in_order() -> None:
    for path in sorted((SOURCE / "lines").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        for before, after in pairwise(rows):
            assert after["seq"] == ("1" if before["line"] != after["line"] else str(int(before["seq"]) + 1)), path


def test_check_has_no_errors_and_every_warning_was_judged(run: Run) -> None:
    ran = run("check", "great-britain", "--workspace", REPOSITORY, "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert {f["severity"] for f in found["findings"] if f["accepted"] is None} == {"note"}
    assert {f["code"] for f in found["findings"] if f["accepted"]} == {"N05", "N16", "N17"}


def test_the_bundle_is_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    clear_layout_cache()
    built = mapkit.build("great-britain", workspace=REPOSITORY, out=tmp_path)
    names = sorted(path.name for path in BUNDLE.iterdir())
    assert names == sorted(path.name for path in built.files)
    for name in names:
        assert (tmp_path / name).read_bytes() == (BUNDLE / name).read_bytes(), (
            f"{name} differs from build/great-britain"
        )
