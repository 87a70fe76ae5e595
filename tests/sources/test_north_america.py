"""The board of North America: the railroads of the board usa run as they do there."""

import csv
from pathlib import Path
from typing import Final

import pytest
from conftest import REPOSITORY

USA: Final = REPOSITORY / "sources" / "usa"
NORTH_AMERICA: Final = REPOSITORY / "sources" / "north-america"
MADE_MILEPOSTS: Final = {("nynhh.csv", "New London CT"), ("sp.csv", "Alpine TX")}
MADE_VIAS: Final = {("sp.csv", "Marfa TX")}
LINES: Final = sorted(path.name for path in (USA / "lines").glob("*.csv"))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("file", LINES)
def test_a_railroad_has_its_lines_of_the_board_usa_first(file: str) -> None:
    """New lines follow; three places are mileposts on one board only."""
    there = _rows(USA / "lines" / file)
    for row in there:
        if (file, row["place"]) in MADE_MILEPOSTS:
            row["kind"] = "milepost"
        if (file, row["place"]) in MADE_VIAS:
            row["kind"] = "via"
    assert _rows(NORTH_AMERICA / "lines" / file)[: len(there)] == there


def test_places_and_cities_are_where_they_are_on_the_board_usa() -> None:
    here = {row["place"]: row for row in _rows(NORTH_AMERICA / "places.csv")}
    for row in _rows(USA / "places.csv"):
        assert here[row["place"]] == row
    cities = {row["id"]: row for row in _rows(NORTH_AMERICA / "cities.csv")}
    for row in _rows(USA / "cities.csv"):
        names = ("name", "region", "lon", "lat")
        assert [cities[row["id"]][name] for name in names] == [row[name] for name in names]


def test_railroads_look_as_on_the_board_usa() -> None:
    here = {row["id"]: row for row in _rows(NORTH_AMERICA / "railroads.csv")}
    names = ("name", "short", "colour", "pattern")
    for row in _rows(USA / "railroads.csv"):
        assert [here[row["id"]][name] for name in names] == [row[name] for name in names]
