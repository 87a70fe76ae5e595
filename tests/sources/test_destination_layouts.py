"""Destination charts in layouts that other programs write: every cell is read, or the file is refused."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import mapkit
from mapkit import ChartOptions, read_destinations
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.api.payoffs.prices import read_prices
from mapkit.kinds.rail.sources.destinations.table import parse_sums

Chart = tuple[str, dict[int, str], dict[int, str]]
Grid = list[list[str]]
SUMS = range(2, 13)


@pytest.fixture(scope="module")
def charts() -> list[Chart]:
    board = mapkit.load("portugal")
    names = {city.id: city.name for city in board.cities} | {region.id: region.name for region in board.regions}
    return [
        (
            names.get(chart, "Regions"),
            {int(total): names[str(item)] for total, item in columns.odd.items()},
            {int(total): names[str(item)] for total, item in columns.even.items()},
        )
        for chart, columns in board.destinations.items()
    ]


def _runs(column: dict[int, str]) -> list[tuple[str, str]]:
    runs, first = [], 2
    for total in SUMS:
        if column.get(total + 1) != column[total]:
            runs.append((f"{first}-{total}" if total > first else str(total), column[total]))
            first = total + 1
    return runs


def _ranges(charts: Sequence[Chart]) -> Grid:
    return [
        ["Region", "Odd/Even", "Roll", "City"],
        *(
            [t, p, *run]
            for t, odd, even in charts
            for p, column in (("Odd", odd), ("Even", even))
            for run in _runs(column)
        ),
    ]


def _above_names(charts: Sequence[Chart]) -> Grid:
    rows = [["Region", "", *map(str, SUMS)]]
    for title, odd, even in charts:
        rows += [[title, "Odd", *odd.values()], ["", "Even", *even.values()]]
    return rows


def _sums_between(charts: Sequence[Chart]) -> Grid:
    rows = []
    for title, odd, even in charts:
        rows += [[title, "", ""], ["Odd", "Roll", "Even"], *([odd[s], str(s), even[s]] for s in SUMS)]
    return rows


def _parity_in_the_corner(charts: Sequence[Chart]) -> Grid:
    rows = []
    for corner, k in (("ODD", 1), ("EVEN", 2)):
        rows += [[corner, *(chart[0] for chart in charts)], *([str(s), *(c[k][s] for c in charts)] for s in SUMS)]
    return rows


def _faces_of_a_die(charts: Sequence[Chart]) -> Grid:
    rows = []
    for title, odd, even in charts:
        rows += [[title, "", ""], ["2D6", "1, 3, 5", "2, 4, 6"], *([str(s), odd[s], even[s]] for s in SUMS)]
    return rows


def _a_row_a_city(charts: Sequence[Chart]) -> Grid:
    rows = [["Region", "City", "Odd", "Even"]]
    for title, odd, even in charts:
        for name in sorted({*odd.values(), *even.values()}):
            sums = [", ".join(str(s) for s in SUMS if column[s] == name) or "-" for column in (odd, even)]
            rows.append([title, name, *sums])
    return rows


LAYOUTS: tuple[Callable[[Sequence[Chart]], Grid], ...] = (
    _ranges,
    _above_names,
    _sums_between,
    _parity_in_the_corner,
    _faces_of_a_die,
    _a_row_a_city,
)


def _aligned(grid: Grid) -> str:
    widths = [max(len(row[k]) for row in grid) for k in range(len(grid[0]))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in grid)


@pytest.mark.parametrize("as_text", [False, True], ids=["semicolons", "aligned"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_cell_is_read(
    layout: Callable[[Sequence[Chart]], Grid], *, as_text: bool, charts: list[Chart], tmp_path: Path
) -> None:
    grid = layout(charts)
    path = tmp_path / ("charts.txt" if as_text else "charts.csv")
    path.write_text(_aligned(grid) if as_text else "\n".join(";".join(row) for row in grid), encoding="utf-8")
    found = read_destinations(path, board="portugal", options=ChartOptions())
    assert found.charts == dict(mapkit.load("portugal").destinations)


@pytest.mark.parametrize(
    ("text", "sums"),
    [("7", (7,)), ("2-4", (2, 3, 4)), ("3, 11", (3, 11)), ("13", ()), ("1/36", ()), ("4-2", ()), ("Odd", ())],
)
def test_sums(text: str, sums: tuple[int, ...]) -> None:
    assert parse_sums(text) == sums


def test_a_number_beside_a_price_is_not_taken_for_it(tmp_path: Path) -> None:
    board = mapkit.load("portugal")
    path = tmp_path / "prices.csv"
    rows = [f"{k};{r.name};{900 + k};{r.price}" for k, r in enumerate(board.railroads, start=1)]
    path.write_text("\n".join(["No.;Railroad;Mileage;Price", *rows]), encoding="utf-8")
    assert [one.price for one in read_prices(path, board="portugal").prices] == [r.price for r in board.railroads]
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(SourceError, match="write Price above its column"):
        read_prices(path, board="portugal")
