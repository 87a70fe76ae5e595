"""Declared odds against cells, differences of charts, and the commands for both."""

import json
from fractions import Fraction
from pathlib import Path

from openpyxl import Workbook

import mapkit
from mapkit.kinds.rail.charts.destinations.declared_odds import find_mismatches, mismatch_text
from mapkit.kinds.rail.charts.destinations.diff import diff_charts
from mapkit.kinds.rail.checks import run_checks
from mapkit.kinds.rail.sources.destinations.files import KnownNames, read_destination_file


def test_the_cell_that_fixes_it_is_named(usa: mapkit.Board) -> None:
    """Even 11 (weight 2) of the region chart given to the Northeast from the Plains: 15/72 declared, 13/72 left."""
    chart = usa.destinations["regions"]
    declared = {"northeast": Fraction(15, 72), "plains": Fraction(8, 72), "southeast": Fraction(1, 8)}
    assert find_mismatches(chart, declared) == ()
    wrong = chart.model_copy(update={"odd": {**chart.odd, "11": "plains"}})
    found = {m.item: m for m in find_mismatches(wrong, declared)}
    assert set(found) == {"northeast", "plains"}
    assert found["northeast"].own == 13
    best = found["northeast"].fixes[0]
    assert (best.cell, best.now, best.then, best.both) == (("odd", 11), "plains", "northeast", True)
    assert mismatch_text(found["northeast"], {"northeast": "Northeast", "plains": "Plains"}).startswith(
        "Northeast is declared as 15/72, but its cells add up to 13/72; odd 11, now Plains, would fix both"
    )
    assert found["plains"].fixes[0].cell in {("odd", 11), ("even", 11)}


def test_the_check_reports_it(usa: mapkit.Board) -> None:
    board = usa.model_copy(update={"declared": {"regions": {"northeast": "17/72", "plains": "1/9"}}})
    report = run_checks(board)
    assert report.checks["D06"] == "found"
    (finding,) = [f for f in report.findings if f.code == "D06"]
    assert finding.elements == ("regions", "northeast")
    assert finding.data["own"] == "15/72"
    assert finding.data["declared"] == "17/72"
    right = usa.model_copy(update={"declared": {"regions": {"northeast": "15/72"}}})
    assert run_checks(right).checks["D06"] == "passed"
    rounded = usa.model_copy(update={"declared": {"regions": {"northeast": "2083/10000"}}})
    assert run_checks(rounded).checks["D06"] == "passed"


def test_differences_of_cells_and_odds(usa: mapkit.Board) -> None:
    assert diff_charts(usa.destinations, usa.destinations).cells == ()
    chart = usa.destinations["regions"]
    other = {**usa.destinations, "regions": chart.model_copy(update={"odd": {**chart.odd, "11": "plains"}})}
    found = diff_charts(usa.destinations, other)
    assert [(c.chart, c.column, c.sum, c.a, c.b) for c in found.cells] == [
        ("regions", "odd", 11, "northeast", "plains")
    ]
    regions = {o.item: (o.a, o.b) for o in found.odds if o.chart == "regions"}
    assert regions == {"northeast": ("5/24", "13/72"), "plains": ("1/9", "5/36")}
    assert {o.item for o in found.odds if o.chart == "all"} == {
        c.id for c in usa.cities if c.region in ("northeast", "plains")
    }


_COLUMNS = (("odd", "West"), ("even", "East"))
LAYOUTS = {
    "own.csv": "chart,sum,odd,even\n" + "".join(f"regions,{s},West,East\n" for s in range(2, 13)),
    "list.csv": "chart,column,sum,name\n"
    + "".join(f"regions,{c},{s},{n}\n" for c, n in _COLUMNS for s in range(2, 13)),
    "rolls.tsv": "roll\tregions\n" + "".join(f"{c} {s}\t{n}\n" for c, n in _COLUMNS for s in range(2, 13)),
    "pairs.csv": "sum,regions odd,regions even\n" + "".join(f"{s},West,East\n" for s in range(2, 13)),
    "nested.json": json.dumps({"regions": {c: dict.fromkeys(map(str, range(2, 13)), n) for c, n in _COLUMNS}}),
    "lists.json": json.dumps({"regions": {c: [n] * 11 for c, n in _COLUMNS}}),
}


def test_layouts_are_read_alike(tmp_path: Path) -> None:
    known = KnownNames([("west", "West"), ("east", "East")], [])
    for name, text in LAYOUTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        read = read_destination_file(tmp_path / name, known=known)
        assert set(read.charts) == {"regions"}, name
        assert set(read.charts["regions"].odd.values()) == {"west"}, name
        assert set(read.charts["regions"].even.values()) == {"east"}, name


def test_a_workbook_is_read(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for line in LAYOUTS["own.csv"].splitlines():
        sheet.append([int(cell) if cell.isdigit() else cell for cell in line.split(",")])
    book.save(tmp_path / "chart.xlsx")
    read = read_destination_file(tmp_path / "chart.xlsx")
    assert read.charts["regions"].odd["7"] == "west"
