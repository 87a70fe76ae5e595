"""Every format, layout and unit of a chart reads back to the same amounts."""

import csv
import json
import operator
import random
import textwrap
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import openpyxl
import pytest
from conftest import REPOSITORY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.city_names import KnownCity
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import payoffs_csv, read_payoff_file

pytestmark = pytest.mark.slow

CITIES = board_cities(open_workspace(REPOSITORY), "usa").cities
Matrix = npt.NDArray[np.float64]
Grid = list[list[str]]


def english(value: float) -> str:
    return f"{value:,.0f}"


STYLES: dict[str, tuple[int, Callable[[float], str]]] = {
    "thousands": (1000, lambda v: f"{v:g}"),
    "thousands, one decimal": (1000, lambda v: f"{v:.1f}"),
    "thousands with a sign": (1000, lambda v: f"${v:g}"),
    "decimal comma": (1000, lambda v: f"{v:.1f}".replace(".", ",")),
    "halves": (1000, lambda v: f"{v:g}".replace(".5", "½") if v >= 1 else "½" if v else "0"),
    "K": (1000, lambda v: f"{v:g}K"),
    "whole": (1, lambda v: f"{v * 1000:.0f}"),
    "whole with commas": (1, lambda v: english(v * 1000)),
    "whole with a sign": (1, lambda v: f"${english(v * 1000)}"),
    "whole with points": (1, lambda v: english(v * 1000).replace(",", ".")),
    "whole with euro": (1, lambda v: f"{v * 1000:.0f} €"),
}
LAYOUTS = ("square", "lower", "upper")
DIAGONALS = ("zero", "dash", "empty", "X")
FORMATS = (
    "csv", "ragged csv", "tsv", "semicolon", "pipe", "markdown", "xlsx", "xlsx numbers", "json matrix", "json rows",
    "json objects", "json records", "json pairs", "json pair records", "json keys", "json split", "pairs csv",
    "text", "text narrow", "text wide",
)  # fmt: skip


def typed_grid(names: list[str], matrix: Matrix, layout: str, diagonal: str, show: Callable[[float], str]) -> Grid:
    """Return header and rows; cells that the layout has not are empty."""
    marks = {"zero": show(0.0), "dash": "-", "empty": "", "X": "X"}
    keep = {"square": operator.ne, "lower": operator.gt, "upper": operator.lt}[layout]
    return [
        ["", *names],
        *(
            [
                name,
                *(marks[diagonal] if i == j else show(matrix[i, j]) if keep(i, j) else "" for j in range(len(names))),
            ]
            for i, name in enumerate(names)
        ),
    ]


def separated(grid: Grid, mark: str) -> str:
    out = StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(grid)
    return out.getvalue()


def ragged(grid: Grid) -> Grid:
    """Drop the empty cells at the end of each row."""
    return [row[: max(k for k, cell in enumerate(row) if cell) + 1] for row in grid]


def entries(grid: Grid) -> list[tuple[str, str, str]]:
    return [(row[0], city, cell) for row in grid[1:] for city, cell in zip(grid[0][1:], row[1:], strict=True) if cell]


def copied(grid: Grid, gap: str, width: int) -> str:
    """Return what a PDF viewer copies: empty cells leave no trace, lines break anywhere."""
    lines = [gap.join(cell for cell in row if cell) for row in grid]
    if width:
        lines = [part for line in lines for part in textwrap.wrap(line, width, break_long_words=False)]
    return "\n".join(lines)


def as_json(grid: Grid, form: str, number: Callable[[str], object]) -> str:
    names = grid[0][1:]
    body = [[number(cell) for cell in row[1:]] for row in grid[1:]]
    dense = [[number(cell) for cell in row[1:] if cell] for row in grid[1:]]
    data: object
    if form == "json matrix":
        data = {"title": "A chart", "cities": names, "payoffs": dense}
    elif form == "json rows":
        data = [grid[0], *([name, *row] for name, row in zip(names, body, strict=True))]
    elif form == "json objects":
        data = {"payoffs": {a: {b: v for b, v in zip(names, row, strict=True) if v is not None}
                            for a, row in zip(names, body, strict=True)}}  # fmt: skip
    elif form == "json records":
        data = [{"city": a, **dict(zip(names, row, strict=True))} for a, row in zip(names, body, strict=True)]
    elif form == "json pairs":
        data = [[a, b, number(v)] for a, b, v in entries(grid)]
    elif form == "json pair records":
        data = {"pairs": [{"from": a, "to": b, "payoff": number(v)} for a, b, v in entries(grid)]}
    elif form == "json keys":
        data = {f"{a} - {b}": number(v) for a, b, v in entries(grid)}
    else:
        data = {"columns": names, "index": names, "data": body}
    return json.dumps(data)


def write(path: Path, form: str, grid: Grid, number: Callable[[str], object]) -> Path:
    path = path.with_suffix(".xlsx" if form.startswith("xlsx") else ".json" if form.startswith("json") else ".txt")
    if form.startswith("xlsx"):
        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        for row in grid:
            sheet.append([number(c) if form == "xlsx numbers" and k else c or None for k, c in enumerate(row)])
        book.save(path)
        return path
    bars = "\n".join(f"| {' | '.join(row)} |" for row in grid[1:])
    rule = "|---" * len(grid[0]) + "|"
    simple = {
        "csv": lambda: separated(grid, ","),
        "ragged csv": lambda: separated(ragged(grid), ","),
        "tsv": lambda: separated(grid, "\t"),
        "semicolon": lambda: separated(grid, ";"),
        "pipe": lambda: separated(grid, "|"),
        "markdown": lambda: f"# A chart\n\nIts amounts:\n\n| {' | '.join(grid[0])} |\n{rule}\n{bars}\n\nThe end.\n",
        "pairs csv": lambda: separated([["from", "to", "payoff"], *map(list, entries(grid))], ","),
        "text": lambda: copied(grid, "  ", 0),
        "text narrow": lambda: copied(grid, " ", 34),
        "text wide": lambda: copied(grid, " " * 4, 0),
    }
    text = simple[form]() if form in simple else as_json(grid, form, number)
    path.write_text(text, encoding="utf-8")
    return path


def chart(seed: int, count: int) -> tuple[list[KnownCity], Matrix]:
    rng = random.Random(seed)  # noqa: S311 - test data
    cities = rng.sample(CITIES, count)
    half = np.triu(np.array([[rng.randint(2, 70) / 2 for _ in cities] for _ in cities]), 1)
    return cities, half + half.T


def numbers(cell: str) -> object:
    """Return a cell as a number where it is one, empty cells as None."""
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(3, 9),
    layout=st.sampled_from(LAYOUTS),
    diagonal=st.sampled_from(DIAGONALS),
    style=st.sampled_from(sorted(STYLES)),
    with_board=st.booleans(),
)
def test_a_chart_reads_back(
    form: str,
    seed: int,
    count: int,
    layout: str,
    diagonal: str,
    style: str,
    with_board: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    cities, matrix = chart(seed, count)
    unit, show = STYLES[style]
    if form.startswith("text") and " " in show(1.5):
        show = STYLES["whole with a sign"][1]
    names = [city.name for city in cities]
    grid = typed_grid(names, matrix, layout, diagonal, show)
    path = write(tmp_path / "chart", form, grid, numbers)
    if form == "text narrow":
        with_board = True  # names with single blanks between them, cut by line ends
    found = read_payoff_file(path, cities=CITIES if with_board else None)
    at = {city: k for k, city in enumerate(found.chart.cities)}
    assert sorted(at) == sorted(city.id for city in cities)
    order = [at[city.id] for city in cities]
    assert np.array_equal(found.chart.matrix[np.ix_(order, order)], matrix)
    assert [*found.missing, *found.asymmetric, *found.not_read, *found.doubted] == []
    assert found.unit in (unit, 1000)
    given_cells = found.chart.given[np.ix_(order, order)]
    full = ~np.isnan(given_cells)
    np.fill_diagonal(full, val=False)
    expected = {"square": ~np.eye(count, dtype=bool), "lower": np.tri(count, k=-1, dtype=bool)}
    assert np.array_equal(full, expected.get(layout, np.tri(count, k=-1, dtype=bool).T))


def test_a_row_and_a_column_of_twins_are_those_of_both(tmp_path: Path) -> None:
    path = tmp_path / "chart.csv"
    path.write_text(
        "city,Albany,Minneapolis/St. Paul,Boston\nAlbany,0,12.5,2\nMinneapolis/St. Paul,12.5,-,14\nBoston,2,14,0\n",
        encoding="utf-8",
    )
    found = read_payoff_file(path, cities=CITIES)
    assert found.chart.cities == ("albany", "minneapolis", "st-paul", "boston")
    assert found.chart.matrix.tolist() == [[0, 12.5, 12.5, 2], [12.5, 0, 0, 14], [12.5, 0, 0, 14], [2, 14, 14, 0]]
    assert [(match.city, match.how) for match in found.names if match.typed.startswith("Minn")] == [
        ("minneapolis", "twins"),
        ("st-paul", "twins"),
    ]
    assert found.missing == ()


@pytest.mark.parametrize("unit", [1, 1000])
def test_the_canonical_chart_reads_back_and_keeps_both_readings(unit: int, tmp_path: Path) -> None:
    cities, matrix = chart(7, 6)
    matrix[1, 4] += 1.5
    path = write(tmp_path / "chart", "csv", typed_grid([c.name for c in cities], matrix * 1000 / unit, "square", "zero",
                                                       lambda v: f"{v:g}"), numbers)  # fmt: skip
    found = read_payoff_file(path, cities=CITIES, options=ReadOptions(unit=unit))
    assert [(r.a, r.b, r.value, r.mirrored) for r in found.asymmetric] == [
        (cities[1].id, cities[4].id, matrix[1, 4], matrix[4, 1])
    ]
    text = payoffs_csv(found.chart, [(city.id, city.name) for city in CITIES])
    again = tmp_path / "payoffs.csv"
    again.write_text(text, encoding="utf-8")
    second = read_payoff_file(again, cities=CITIES)
    order = [second.chart.cities.index(city.id) for city in cities]
    assert np.array_equal(second.chart.given[np.ix_(order, order)], matrix)
    assert payoffs_csv(second.chart, [(city.id, city.name) for city in CITIES]) == text


def test_the_shipped_chart_reads_back_byte_for_byte() -> None:
    path = REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv"
    found = read_payoff_file(path, cities=CITIES)
    assert (found.kind, found.layout, found.diagonal, found.unit) == ("csv", "square", True, 1000)
    assert len(found.chart.readings) == 67 * 67
    assert payoffs_csv(found.chart, [(city.id, city.name) for city in CITIES]) == path.read_text(encoding="utf-8")
