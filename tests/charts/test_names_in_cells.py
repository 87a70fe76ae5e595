"""Payoff charts whose cells hold more than one name: pairs joined by a dash, and names with numbers before them."""

from pathlib import Path

import pytest

import mapkit

REPOSITORY = Path(__file__).resolve().parents[2]
TRIPS = {("albany", "boston"): 2.0, ("albany", "atlanta"): 10.0, ("atlanta", "boston"): 11.0}


def trips(path: Path, text: str) -> dict[tuple[str, str], float]:
    path.write_text(text, encoding="utf-8")
    found = mapkit.read_payoffs(path, board="usa", workspace=REPOSITORY)
    cities = found.chart.cities
    pairs = {
        (*sorted((cities[one.row], cities[one.col])),): one.value for one in found.chart.readings if one.row != one.col
    }
    return {(one, other): value for (one, other), value in pairs.items() if value}


@pytest.mark.parametrize("between", [" - ", " -- ", " \N{EN DASH} ", " -> ", " / ", " to "])
def test_a_pair_may_stand_in_one_cell(tmp_path: Path, between: str) -> None:
    rows = [("Albany", "Boston", "2"), ("Albany", "Atlanta", "10"), ("Boston", "Atlanta", "11")]
    text = "trip,pays\n" + "".join(f"{one}{between}{other},{pays}\n" for one, other, pays in rows)
    assert trips(tmp_path / "chart.csv", text) == TRIPS


def test_a_pair_may_stand_in_three_cells(tmp_path: Path) -> None:
    text = "Albany,-,Boston,2\nAlbany,-,Atlanta,10\nBoston,-,Atlanta,11\n"
    assert trips(tmp_path / "chart.csv", text) == TRIPS


def test_numbers_that_count_up_before_names_are_left_out(tmp_path: Path) -> None:
    text = (
        ",1 Albany,2 Boston,3 Atlanta,4 Baltimore\n1. Albany,-,2,10,3\n2. Boston,2,-,11,4\n"
        "3. Atlanta,10,11,-,7\n4. Baltimore,3,4,7,-\n"
    )
    assert {pair: pays for pair, pays in trips(tmp_path / "chart.csv", text).items() if pair in TRIPS} == TRIPS
