"""A chart reads back from any mixture of what people put around it."""

import csv
import operator
from io import StringIO
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from conftest import REPOSITORY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.errors import MapkitError
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file

BOARD = board_cities(open_workspace(REPOSITORY), "usa")
SHIPPED = read_payoff_file(REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv", cities=BOARD.cities).chart
REGIONS = ("Northeast", "Plains", "Southwest")
FEATURES = (
    "title", "region row", "number row", "state row", "region column", "number column", "names right", "sum column",
    "sum row", "names below", "footer", "blank column",
)  # fmt: skip
Grid = list[list[str]]


def amounts_of(count: int) -> tuple[list[str], Grid]:
    cities = BOARD.cities[5 : 5 + count]
    at = [SHIPPED.cities.index(city.id) for city in cities]
    return [city.name for city in cities], [[f"{SHIPPED.matrix[i, j]:g}" for j in at] for i in at]


def drawn(count: int, shape: str, features: frozenset[str]) -> Grid:
    """Return a chart with what the features put around it; a mixture is built from the inside out."""
    names, full = amounts_of(count)
    keep = {"square": operator.ne, "lower": operator.gt, "upper": operator.lt}[shape]
    rows = [[names[i], *(full[i][j] if keep(i, j) else "" for j in range(count))] for i in range(count)]
    regions = [REGIONS[k * len(REGIONS) // count] for k in range(count)]
    once = [name if name not in regions[:k] else "" for k, name in enumerate(regions)]
    spare = {"region column": ("Region", once), "number column": ("No.", [str(k + 1) for k in range(count)])}
    before = [spare[feature] for feature in spare if feature in features]
    gap = [""] * (len(before) + 1)
    lines = {
        "region row": [*gap, *once],
        "number row": [*gap, *(str(k + 1) for k in range(count))],
        "state row": [*gap, *(f"zone {k % 3}" for k in range(count))],
        "sum row": [*gap[1:], "Total", *("90" for _ in names)],
        "names below": [*gap, *names],
    }
    heads = [lines[feature] for feature in list(lines)[:3] if feature in features]
    heads.append([*(title for title, _ in before), "city", *names])
    middle = [[*(cells[k] for _, cells in before), *row] for k, row in enumerate(rows)]
    below = [lines[feature] for feature in list(lines)[3:] if feature in features]
    return around([*heads, *middle, *below], len(heads), names, features)


def around(grid: Grid, heads: int, names: list[str], features: frozenset[str]) -> Grid:
    """Put columns behind a chart, and lines before and below it."""

    def behind(title: str, cells: list[str]) -> Grid:
        column = [*[""] * (heads - 1), title, *cells]
        return [[*row, column[k] if k < len(column) else ""] for k, row in enumerate(grid)]

    if "sum column" in features:
        grid = behind("Sum", ["90"] * len(names))
    if "names right" in features:
        grid = behind("", names)
    if "blank column" in features:
        grid = [["", *row] for row in grid]
    if "title" in features:
        grid = [["Payoff chart, in thousands"], *grid]
    return [*grid, ["Typed by hand from the printed card"]] if "footer" in features else grid


def saved(folder: Path, form: str, grid: Grid) -> Path:
    path = folder / f"chart.{'xlsx' if form == 'xlsx' else 'txt'}"
    if form == "xlsx":
        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        for row in grid:
            sheet.append([cell or None for cell in row])
        book.save(path)
        return path
    out = StringIO()
    csv.writer(out, delimiter={"csv": ",", "tsv": "\t"}[form], lineterminator="\n").writerows(grid)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def read(path: Path) -> PayoffsRead:
    return read_payoff_file(path, board=BOARD.title, cities=BOARD.cities)


def assert_same(found: PayoffsRead, count: int) -> None:
    names, full = amounts_of(count)
    order = [found.chart.cities.index(city.id) for city in BOARD.cities[5 : 5 + count]]
    assert len(order) == len(found.chart.cities) == len(names)
    assert np.array_equal(found.chart.matrix[np.ix_(order, order)], np.array(full, dtype=float))
    assert [*found.missing, *found.asymmetric, *found.not_read, *found.doubted] == []


@settings(max_examples=examples(120), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    features=st.frozensets(st.sampled_from(FEATURES)),
    shape=st.sampled_from(["square", "lower", "upper"]),
    count=st.integers(4, 8),
    form=st.sampled_from(["csv", "tsv", "xlsx"]),
)
def test_a_chart_reads_back_from_any_layout(
    features: frozenset[str], shape: str, count: int, form: str, tmp_path: Path
) -> None:
    found = read(saved(tmp_path, form, drawn(count, shape, features)))
    assert_same(found, count)
    notes = [note for note in found.notes if not note.startswith("sheet ")]
    assert bool(notes) == bool(features - {"blank column"})


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    features=st.frozensets(st.sampled_from(FEATURES)),
    row=st.integers(0, 12),
    column=st.integers(0, 12),
    edit=st.sampled_from(["clear", "Albny", "Albany", "12", "drop row", "drop cell", "x1", "Northeast"]),
)
def test_a_single_edit_is_read_refused_or_reported(
    features: frozenset[str], row: int, column: int, edit: str, tmp_path: Path
) -> None:
    grid = drawn(5, "square", features)
    at = min(row, len(grid) - 1)
    if edit == "drop row":
        del grid[at]
    elif edit == "drop cell":
        del grid[at][min(column, len(grid[at]) - 1)]
    else:
        grid[at][min(column, len(grid[at]) - 1)] = "" if edit == "clear" else edit
    names, full = amounts_of(5)
    ids = {city.id: names.index(city.name) for city in BOARD.cities if city.name in names}
    try:
        found = read(saved(tmp_path, "csv", grid))
    except MapkitError:
        return
    asymmetric = {frozenset((one.a, one.b)) for one in found.asymmetric}
    for reading in found.chart.readings:
        a, b = found.chart.cities[reading.row], found.chart.cities[reading.col]
        if (
            reading.value is not None
            and a in ids
            and b in ids
            and a != b
            and reading.value != float(full[ids[a]][ids[b]])
        ):
            assert frozenset((a, b)) in asymmetric


NAMES, FULL = amounts_of(5)


def test_names_only_at_the_right(tmp_path: Path) -> None:
    grid = [[*NAMES, ""], *([*row, name] for row, name in zip(FULL, NAMES, strict=True))]
    assert_same(read(saved(tmp_path, "csv", grid)), 5)


@pytest.mark.parametrize("side", ["ends", "starts"])
def test_names_at_the_diagonal(side: str, tmp_path: Path) -> None:
    lower = [[*FULL[k][:k], NAMES[k]] for k in range(5)]
    upper = [[*[""] * k, NAMES[k], *FULL[k][k + 1 :]] for k in range(5)]
    found = read(saved(tmp_path, "csv", lower if side == "ends" else upper))
    assert_same(found, 5)
    assert any(
        f"names are taken from the {'ends' if side == 'ends' else 'beginnings'} of rows" in n for n in found.notes
    )


def test_the_first_name_of_a_diagonal_is_no_title(tmp_path: Path) -> None:
    """Without a board nothing else says that it is a city."""
    body = [[NAMES[k], *FULL[k][:k]] for k in range(5)]
    grid = [["Payoffs"], *([*row[1:], *[""] * (4 - k), row[0]] for k, row in enumerate(body))]
    for rows in (grid, [["Payoffs"], *body]):
        found = read_payoff_file(saved(tmp_path, "csv", rows))
        assert [match.typed for match in found.names] == NAMES
        assert len(found.chart.readings) == 10


def test_names_over_several_rows_are_joined(tmp_path: Path) -> None:
    cities = [city for city in BOARD.cities if len(city.name.split()) == 2][:5]
    at = [SHIPPED.cities.index(city.id) for city in cities]
    body = [[f"{SHIPPED.matrix[i, j]:g}" for j in at] for i in at]
    heads = [["", *(city.name.split()[part] for city in cities)] for part in (0, 1)]
    rows = [[city.name, *row] for city, row in zip(cities, body, strict=True)]
    found = read(saved(tmp_path, "csv", [*heads, *rows]))
    assert found.chart.cities == tuple(city.id for city in cities)
    assert any("names are spread over 2 rows" in note for note in found.notes)


def test_a_misspelt_city_is_never_taken_for_a_remark(tmp_path: Path) -> None:
    grid = drawn(5, "lower", frozenset())[1:]
    grid[0] = [NAMES[0] + "x"]
    with pytest.raises(MapkitError, match="is not a city of"):
        read(saved(tmp_path, "csv", grid))


def test_cut_names_are_those_of_the_one_city_that_fits(tmp_path: Path) -> None:
    grid = drawn(5, "square", frozenset({"region row"}))
    grid[1] = ["city", "Bost", "Buff.", "But\u2019e", "Casper", "Charles"]
    found = read(saved(tmp_path, "csv", grid))
    assert_same(found, 5)
    assert [m.typed for m in found.names if m.how == "cut"] == ["Bost", "Buff.", "But\u2019e", "Charles"]
    grid[1][5] = "Ch"
    with pytest.raises(MapkitError, match=r":2:6: 'Ch' is not a city of"):
        read(saved(tmp_path, "csv", grid))
    grid[1][5] = "Char"
    with pytest.raises(MapkitError, match=r":2:6: 'Char' is not a city of .*: Charlotte .*, Charleston "):
        read(saved(tmp_path, "csv", grid))


def test_a_cut_name_in_a_list_of_pairs_is_asked_about(tmp_path: Path) -> None:
    path = saved(tmp_path, "csv", [["from", "to", "payoff"], ["Boston", "Buffalo", "4"], ["Bost", "Casper", "20"]])
    with pytest.raises(MapkitError, match="'Bost' is not a city of"):
        read(path)


def test_letters_for_digits_are_taken_only_when_accepted(tmp_path: Path) -> None:
    grid = drawn(5, "square", frozenset({"title"}))
    for row in grid[2:]:
        row[1:] = [cell.replace("0", "O").replace("1", "l", 1) if len(cell) > 1 else cell for cell in row[1:]]
    path = saved(tmp_path, "csv", grid)
    doubtful = read(path).not_read
    assert doubtful
    assert all(cell.why.startswith("letters among digits; ") for cell in doubtful)
    found = read_payoff_file(path, cities=BOARD.cities, options=ReadOptions(accept_ocr=True))
    assert_same(found, 5)
    assert [cell.where for cell in found.corrected] == [cell.where for cell in doubtful]


TEXT_FEATURES = ("region line", "number line", "row numbers", "numbers behind", "names behind", "names below", "remark")


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    features=st.frozensets(st.sampled_from(TEXT_FEATURES)),
    side=st.sampled_from(["left", "right"]),
    shape=st.sampled_from(["square", "lower"]),
)
def test_copied_text_reads_back_from_any_layout(
    features: frozenset[str], side: str, shape: str, tmp_path: Path
) -> None:
    lines = ["  ".join(NAMES)]
    if "region line" in features:
        lines.insert(0, "Northeast   Southern Plains")
    if "number line" in features:
        lines.insert(0, "1 2 3 4 5")
    for k, (name, row) in enumerate(zip(NAMES, FULL, strict=True)):
        amounts = row if shape == "square" else row[: k + 1]
        if side == "right":
            lines.append(" ".join([*amounts, name]))
            continue
        before, behind = [str(k + 1)] * ("row numbers" in features), [name] * ("names behind" in features)
        numbered = "row numbers" in features and "numbers behind" in features
        lines.append(" ".join([*before, name, *amounts, *behind, *[str(k + 1)] * numbered]))
    if "names below" in features:
        lines.append("  ".join(NAMES))
    if "remark" in features:
        lines.append("Typed by hand, with care")
    path = tmp_path / "chart.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert_same(read(path), 5)


def test_a_misspelt_city_in_a_line_of_its_own_is_never_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "chart.txt"
    lines = ["Bostn", *(" ".join([NAMES[k], *FULL[k][: k + 1]]) for k in range(1, 5))]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(MapkitError, match="'Bostn' is not a city of"):
        read(path)
