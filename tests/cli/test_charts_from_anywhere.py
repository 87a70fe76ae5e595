"""Payoff and destination charts in the files that people keep them in, by every command that reads charts."""

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.kinds.rail.model.payoffs.chart import is_square

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("keeping")]

ROWS = list(csv.reader((REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv").read_text("utf-8").splitlines()))
CITIES = ROWS[0][1:13]
AMOUNTS = [[float(cell) for cell in row[1:13]] for row in ROWS[1:13]]
PAIRS = [(a, b, AMOUNTS[i][j]) for i, a in enumerate(CITIES) for j, b in enumerate(CITIES) if i < j]
SHARED = REPOSITORY.parent / "shared"
DESTINATIONS = (REPOSITORY / "sources" / "usa" / "charts" / "destinations.csv").read_text(encoding="utf-8")
BOARD = ("--board", "usa", "-w", REPOSITORY)


def fraction(sign: str, amount: float) -> str:
    return f"{int(amount)}{sign}" if amount % 1 else f"{int(amount)}"


def square(cell: Callable[[float], str]) -> list[list[str]]:
    return [["", *CITIES], *([city, *map(cell, row)] for city, row in zip(CITIES, AMOUNTS, strict=True))]


def html(rows: list[list[str]]) -> str:
    """Return a web page as browsers are sent it: end tags left out, a heading over two columns, another table."""
    head = '<!DOCTYPE html>\n<html><body><table><tr><td>menu</table>\n<table><tr><th rowspan="2"><th colspan="12">To'
    cells = ["".join(f"<td>{cell.replace('.', '&#46;')}" for cell in row) for row in rows]
    return "\n".join(
        (head, f"<tr>{cells[0].removeprefix('<td>')}", *(f"<tr>{row}" for row in cells[1:]), "</table></html>")
    )


FILES: dict[str, str] = {
    "slash.csv": "\n".join(",".join(row) for row in square(lambda v: fraction(" 1/2", v))),
    "slash.txt": "\n".join("   ".join(cell or "City" for cell in row) for row in square(lambda v: fraction(" 1/2", v))),
    "hyphen.tsv": "\n".join("\t".join(row) for row in square(lambda v: fraction("-1/2", v))),
    "fraction.csv": "\n".join(";".join(row) for row in square(lambda v: fraction(" 1\u20442", v))),
    "half.csv": "\n".join(",".join(row) for row in square(lambda v: fraction("½", v))),
    "page.html": html(square(lambda v: f"{v:g}")),
    "lines.jsonl": "\n".join(json.dumps({"from": a, "to": b, "payoff": v}) for a, b, v in PAIRS),
    "ids.json": json.dumps(
        {
            "cities": [{"id": k + 1, "name": city} for k, city in enumerate(CITIES)],
            "payoffs": {
                str(i + 1): {str(j + 1): v for j, v in enumerate(row) if i != j} for i, row in enumerate(AMOUNTS)
            },
        }
    ),
    "ids-pairs.json": json.dumps(
        {
            "towns": [{"id": f"c{k}", "name": city} for k, city in enumerate(CITIES)],
            "trips": [{"from": f"c{CITIES.index(a)}", "to": f"c{CITIES.index(b)}", "payoff": v} for a, b, v in PAIRS],
        }
    ),
    "triples.json": json.dumps([[b, a, v] if k % 2 else [a, b, v] for k, (a, b, v) in enumerate(PAIRS)]),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_chart_is_read_alike_by_every_command(name: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    read = mapkit.read_payoffs(path, board="usa", workspace=REPOSITORY)
    assert len(mapkit.read_payoffs(path).chart.cities) == 12
    for a, b, value in PAIRS:
        i, j = (read.chart.cities.index(next(m.city for m in read.names if m.typed == city)) for city in (a, b))
        assert read.chart.matrix[i, j] == value
    diff = json.loads(run("payoffs", "diff", path, "usa", *BOARD, "--geometry", "none", "--json").out)
    assert diff["cells"] == []
    found = mapkit.check_payoffs(path, board="usa", workspace=REPOSITORY).findings
    assert {f.code for f in found} <= {"P02", "P08"}
    (lacking,) = [f for f in found if f.code == "P02"]
    assert lacking.message.startswith("55 of the 67 cities (")


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read(code: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.csv"
    path.write_bytes("\n".join(",".join(row) for row in square(lambda v: f"R$ {v:g}")).encode(code))
    assert len(mapkit.read_payoffs(path).chart.cities) == 12


def test_an_open_document_spreadsheet_is_read(tmp_path: Path) -> None:
    namespaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )

    def cell(text: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'

    rows = "".join(
        f"<table:table-row>{''.join(map(cell, row))}"
        '<table:table-cell table:number-columns-repeated="900"/></table:table-row>'
        for row in square(lambda v: f"{v:g}")
    )
    path = tmp_path / "chart.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", f'<office:x {namespaces}><table:table table:name="S">{rows}</table:table>'
                                        "</office:x>")  # fmt: skip
    chart = mapkit.read_payoffs(path).chart
    assert chart.matrix[0, 1] == AMOUNTS[0][1]
    assert len(chart.cities) == 12


def test_formulas_without_values_are_listed_by_every_command(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "formulas.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["", *CITIES])
    for i, row in enumerate(AMOUNTS):
        sheet.append(
            [CITIES[i], *(v if j > i else f"={chr(66 + i)}{j + 2}" if j < i else None for j, v in enumerate(row))]
        )
    book.save(path)
    read = mapkit.read_payoffs(path)
    assert len(read.not_read) == 66
    assert all("a formula without a saved value" in cell.why for cell in read.not_read)
    ran = run("payoffs", "check", path, "--json")
    unread = [f for f in json.loads(ran.out)["findings"] if f["code"] == "P02"]
    assert (ran.code, len(unread), unread[0]["place"]["row"]) == (1, 66, 3)
    assert f"the payoff {CITIES[1]} - {CITIES[0]} was not read: '=C2'" in unread[0]["message"]


def test_a_web_page_without_a_table_is_named(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "page.html"
    path.write_text("<html><body><p>Albany 12</p></body></html>", encoding="utf-8")
    for command in (("payoffs", "read"), ("payoffs", "check"), ("destinations", "check")):
        ran = run(*command, path)
        assert (ran.code, ran.out) == (1, "")
        assert f"{path}: a web page without a table; save the chart as CSV" in ran.err


def test_missing_and_changed_destination_charts_are_found(tmp_path: Path, run: Run) -> None:
    rows = DESTINATIONS.splitlines()
    path = tmp_path / "charts.csv"

    def check(lines: list[str]) -> list[dict[str, object]]:
        path.write_text("\n".join(lines), encoding="utf-8")
        found = json.loads(run("destinations", "check", path, *BOARD, "--json").out)["findings"]
        assert all(f["place"]["file"] == str(path) for f in found)
        return [f | {"row": f["place"]["row"]} for f in found]

    assert check(rows) == []
    (missing,) = check([row for row in rows if not row.startswith("plains,") and not row.startswith("Plains,")])
    assert (missing["code"], "no roll leads to 9 cities: Denver" in str(missing["message"])) == ("D00", True)
    own = [k for k, row in enumerate(rows) if row.casefold().startswith("northeast,")]
    cells = [rows[k].split(",") for k in own]
    moved = [[*cell[:2], cells[k - 1][2] if 4 <= k < 9 else cell[2], cell[3]] for k, cell in enumerate(cells)]
    (shifted,) = check([",".join(moved[own.index(k)]) if k in own else row for k, row in enumerate(rows)])
    assert (shifted["code"], shifted["severity"]) == ("D07", "warning")
    assert "one row too low" in str(shifted["message"])
    swapped = [[cell[0], cell[1], cell[3], cell[2]] for cell in cells]
    (exchanged,) = check([",".join(swapped[own.index(k)]) if k in own else row for k, row in enumerate(rows)])
    assert "odd and even are exchanged" in str(exchanged["message"])
    other_name = {"Northeast": "Plains", "northeast": "plains", "Plains": "Northeast", "plains": "northeast"}
    renamed = [",".join((other_name.get(name, name), rest)) for name, rest in (row.split(",", 1) for row in rows)]
    (misplaced,) = check(renamed)
    assert (misplaced["code"], str(misplaced["message"]).count("has the cities of")) == ("D04", 2)
    emptied = [*rows]
    emptied[own[5]] = ",".join((*cells[5][:3], ""))
    assert [(f["code"], f["row"]) for f in check(emptied)] == [("D01", own[5] + 1), ("D07", own[5] + 1)]


def test_a_boards_own_destination_charts_are_judged_with_it(run: Run) -> None:
    file = REPOSITORY / "sources" / "usa" / "charts" / "destinations.csv"
    for chart in ("usa", file, REPOSITORY / "sources" / "usa"):
        ran = run("destinations", "check", chart, "-w", REPOSITORY)
        assert (ran.code, ran.out) == (0, "nothing found\n")


def test_a_list_of_pairs_in_any_direction_is_no_square() -> None:
    assert not is_square([(0, 1), (2, 0), (1, 2)])
    assert is_square([(0, 1), (1, 0), (0, 2), (2, 0), (2, 1)])


@pytest.mark.parametrize("name", ["pt_region_number.pdf", "pt_tri_diag.pdf", "u_pt.pdf", "ty_slant_lower.pdf"])
def test_charts_that_other_programs_printed_are_read(name: str, run: Run) -> None:
    path = SHARED / "cases" / "charts" / name
    if not path.is_file():
        pytest.skip("needs ../shared/cases")
    common = ("--board", "portugal", "-w", REPOSITORY)
    assert (
        json.loads(run("payoffs", "diff", path, "portugal", *common, "--geometry", "none", "--json").out)["cells"] == []
    )
