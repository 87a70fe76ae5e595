"""Files that are not payoff chart, or one with slips: what is said, where, and that nothing is guessed."""

import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.errors import ChoiceError, SourceError, WorkspaceError
from mapkit.formats.cells import blanks, text
from mapkit.formats.cells import xlsx as cells_xlsx
from mapkit.formats.cells.table import MAX_CELLS
from mapkit.kinds.rail.model.payoffs.chart import PayoffsRead
from mapkit.kinds.rail.sources.city_names import KnownCity
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file

ABC = tuple(KnownCity(name.lower(), name) for name in ("Ayr", "Bath", "Cork"))
GOOD = "city,Ayr,Bath,Cork\nAyr,0,10,3.5\nBath,10,0,7\nCork,3.5,7,0\n"

BAD_TEXT = {
    "empty": ("", r"the file is empty"),
    "blank": (" \n\n ,, \n".replace(" ", ""), r"only empty cells"),
    "prose": ("Ayr to Bath is a long way\nand Cork is an island away\n", r"no amounts|no header|no city"),
    "nul": ("city,Ayr\0,Bath\n", r"NUL byte"),
    "open quote": ('city,"Ayr,Bath\nAyr,0,1\n', r"chart\.txt:\d: unexpected end of data"),
    "ragged": (GOOD.replace("Bath,10,0,7", "Bath,10,7"), r"chart\.txt:3:1: row 'Bath' has 2 amounts, .* a square of 3"),
    "too long": (GOOD.replace("Bath,10,0,7", "Bath,10,0,7,9"), r"chart\.txt:3:1: row 'Bath' has 4 amounts"),
    "header alone": ("city,Ayr,Bath,Cork\n", r"no rows below the header"),
    "unknown city": (
        GOOD.replace("Bath", "Berlin"),
        r"chart\.txt:1:3: 'Berlin' is not a city of the board; correct it",
    ),
    "misspelt city": (GOOD.replace("Cork", "Corck"), r"similar names: Cork \(distance 1\); .*--accept 'Corck=cork'"),
    "doubled column": (GOOD.replace("Bath,Cork\n", "Bath,AYR\n"), r"chart\.txt:1:4: column 'AYR' is ayr, as .*:1:2 is"),
    "doubled row": (GOOD + "ayr,0,10,3.5\n", r"chart\.txt:5:1: row 'ayr' is ayr, as 'Ayr' at .*chart\.txt:2:1 is"),
    "row without city": (GOOD.replace("\nBath,", "\n,"), r"chart\.txt:3:1: a row without a city"),
    "column without city": (GOOD.replace("Bath,Cork\n", ",Cork\n"), r":2:3: '10' is in a column without a city"),
    "shifted": ("Ayr\nBath 10\nCork 3.5 7 0 4\n", r"chart\.txt:3:1: row 'Cork' has 4 amounts, .* a lower triangle"),
    "shifted triangle": ("Bath,10\nCork,3.5,7\n", r"Bath to itself would pay 10; the columns do not line up"),
    "pair twice": ("from,to,payoff\nAyr,Bath,10\nAyr,Bath,11\n", r":3:3: ayr - bath is 11 here but 10 at .*:2:3"),
    "two columns of amounts": ("from,to,miles,hours\nAyr,Bath,10,3\nAyr,Cork,9,2\n", r"2 columns of amounts"),
    "unit unclear": (GOOD.replace("10", "300").replace("3.5", "450").replace("7", "500"),
                     r"in thousands or in whole money: they are 300 to 500, .* give --unit thousands or dollars"),
    "json broken": ('{"Ayr": {"Bath": 10,}}', r"chart\.txt:1: not valid JSON: .* at column 21; correct it"),
    "json deep": ("[" * 5000, r"nests 5000 levels deep, the limit is 32"),
    "json doubled key": ('{"Ayr": {"Bath": 1, "Bath": 2}, "Bath": {"Ayr": 1}}', r"key 'Bath' appears twice"),
    "json of something else": ('{"a": [1, 2], "b": {"c": "d"}}', r"no payoff chart in this data"),
    "json short matrix": ('{"cities": ["Ayr", "Bath", "Cork"], "m": [[0, 1], [1, 0]]}', r"\$\.m: 2 rows for 3 cities"),
    "two markdown tables": ("| a | b |\n|---|---|\n| 1 | 2 |\n\n| a | b |\n|---|---|\n", r"tables begin in lines 1, 5"),
    "amounts before a city": ("10 20 30\nAyr 0 1 2\n", r"chart\.txt:1:1: '10' follows no city"),
}  # fmt: skip


def read(tmp_path: Path, text: str, options: ReadOptions | None = None) -> PayoffsRead:
    path = tmp_path / "chart.txt"
    path.write_text(text, encoding="utf-8")
    return read_payoff_file(path, file="chart.txt", cities=ABC, options=options)


@pytest.mark.parametrize("name", sorted(BAD_TEXT))
def test_bad_text_is_refused_in_words(name: str, tmp_path: Path) -> None:
    text, message = BAD_TEXT[name]
    with pytest.raises(SourceError, match=message) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith("chart.txt")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "the PDF is cut off, its end is missing"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old or encrypted Excel file"),
        (b"\x89PNG\r\n", "a picture"),
        (b"city,Ayr\nB\xe4r,1\n", r"chart:2: byte 0xe4 is not UTF-8"),
        (bytes(range(256)), "is not UTF-8|NUL byte"),
    ],
)
def test_binary_files_are_refused(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "chart"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=message):
        read_payoff_file(path, file="chart", cities=ABC)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(WorkspaceError, match="cannot be read"):
            read_payoff_file(path, cities=ABC)


def test_a_million_cells_are_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tried with a smaller limit, for a million cells take seconds to read."""
    assert MAX_CELLS == 1_000_000
    for module in (blanks, text):
        monkeypatch.setattr(module, "MAX_CELLS", 10_000)
    line = ",".join(["1"] * 100)
    with pytest.raises(SourceError, match=r"more than 10,000 cells"):
        read(tmp_path, "\n".join([line] * 101))
    with pytest.raises(SourceError, match=r"more than 10,000 words"):
        read(tmp_path, "Ayr " + "10 " * 10_001)


CELLS = {
    "-5": "negative", "($5)": "negative", "$-5": "negative", "NaN": "not a finite number", "inf": "not a finite number",
    "1e999": "no amount", "ten": "no amount", "1O.5": "letters among digits; did you mean 10.5?",
    "3,5": "no amount", "1.2.3": "no amount", "=B2": "no amount", "9" * 300: "too long", "٣": "no amount",
}  # fmt: skip


@pytest.mark.parametrize("text", sorted(CELLS))
def test_a_cell_that_is_no_amount_is_reported_and_left_out(text: str, tmp_path: Path) -> None:
    found = read(tmp_path, GOOD.replace("Ayr,0,10,3.5", f'Ayr,0,"{text}",3.5'))
    (cell,) = found.not_read
    assert (cell.a, cell.b, cell.where, cell.text) == ("ayr", "bath", "chart.txt:2:3", text[:200])
    assert cell.why.startswith(CELLS[text])
    assert found.chart.matrix[0, 1] == 10  # the other half still has it
    assert np.isnan(found.chart.given[0, 1])


def test_a_cell_of_another_size_is_reported_and_kept(tmp_path: Path) -> None:
    names = [f"T{k}own" for k in range(9)]
    cities = tuple(KnownCity(n.lower(), n) for n in names)
    rows = [[0 if i == j else 5 + abs(i - j) / 2 for j in range(9)] for i in range(9)]
    rows[2][5] = 2550
    text = "\n".join([",".join(["", *names]), *(",".join([n, *map(str, r)]) for n, r in zip(names, rows, strict=True))])
    path = tmp_path / "chart.csv"
    path.write_text(text, encoding="utf-8")
    found = read_payoff_file(path, cities=cities)
    assert found.unit == 1000
    assert [(cell.a, cell.b, cell.value) for cell in found.doubted] == [("t2own", "t5own", 2550)]
    assert [(cell.value, cell.mirrored) for cell in found.asymmetric] == [(2550, 6.5)]


def test_a_comma_that_may_be_either_is_asked_for(tmp_path: Path) -> None:
    text = GOOD.replace(",", ";").replace("10", "110,000").replace("3.5", "120,500").replace("7", "130,500")
    with pytest.raises(SourceError, match=r"give --unit|give --decimal"):
        read(tmp_path, text.replace("110,000", "110").replace("120,500", "1,500"))
    found = read(tmp_path, text, ReadOptions(decimal=","))
    assert found.chart.given[0].tolist() == [0, 110, 120.5]


PARTS = (
    "Ayr",
    "Bath",
    "Cork",
    "10",
    "3.5",
    "25,500",
    "-",
    "0",
    "x",
    "NaN",
    "$",
    "|",
    "---",
    "city",
    "Payoff chart",
    '"',
    "½",
)
SCALARS = st.sampled_from(["Ayr", "Bath", "from", "to", "payoff", "10", 1, 2.5, None, True])
KEYS = st.sampled_from(["Ayr", "Bath", "cities", "from", "to", "payoff", "name", "Ayr - Bath"])


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from([*PARTS, "\n", "\n", ",", ";", "\t", " ", "  "]), min_size=1, max_size=40).map(
        "".join
    )
    | st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)).map(
        json.dumps
    )
)
def test_any_text_is_read_or_refused_in_words(text: str, tmp_path: Path) -> None:
    try:
        found = read(tmp_path, text)
    except SourceError as error:
        assert str(error).startswith("chart.txt")  # noqa: PT017 - most are refused, some are charts
    else:
        assert len(found.chart.cities) > 1


class TestSpreadsheets:
    """Workbooks with what spreadsheets do to charts."""

    @staticmethod
    def book(
        tmp_path: Path, cells: dict[str, object], *, merge: str = "", sheets: tuple[str, ...] = ("Sheet",)
    ) -> Path:
        book = openpyxl.Workbook()
        for title in sheets:
            sheet = book.create_sheet(title) if title != "Sheet" else book["Sheet"]
            for row in [line.split(",") for line in GOOD.splitlines()]:
                sheet.append([float(c) if c[0].isdigit() else c for c in row])
            for at, value in cells.items():
                sheet[at].value = value  # type: ignore[union-attr, assignment, unused-ignore]
            if merge:
                sheet.merge_cells(merge)
        path = tmp_path / "chart.xlsx"
        book.save(path)
        return path

    @pytest.mark.parametrize(
        ("cells", "merge", "where", "why"),
        [
            ({"C2": "=B3+1"}, "", "2:3", "a formula without a saved value"),
            ({"C2": datetime(2026, 3, 5, tzinfo=UTC).replace(tzinfo=None)}, "", "2:3", "a date"),
            ({"C2": True}, "", "2:3", "no amount"),
            ({"C2": "#REF!"}, "", "2:3", "no amount"),
            ({"C2": -4}, "", "2:3", "negative"),
            ({}, "C2:C2", "", ""),
            ({"D2": None}, "C2:D2", "2:3", "merged over C2:D2"),
        ],
    )
    def test_cells_that_cannot_be_taken(
        self, cells: dict[str, object], merge: str, where: str, why: str, tmp_path: Path
    ) -> None:
        found = read_payoff_file(self.book(tmp_path, cells, merge=merge), file="chart.xlsx", cities=ABC)
        if not why:
            assert found.not_read == ()
            return
        (cell,) = found.not_read
        assert (cell.where, cell.a, cell.b) == (f"chart.xlsx:{where}", "ayr", "bath")
        assert cell.why.startswith(why)

    def test_a_merged_header(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"1:3: 'Bath' in the header is merged over C1:D1"):
            read_payoff_file(self.book(tmp_path, {}, merge="C1:D1"), cities=ABC)

    def test_several_sheets(self, tmp_path: Path) -> None:
        path = self.book(tmp_path, {}, sheets=("Sheet", "Old"))
        with pytest.raises(SourceError, match=r"it has the sheets 'Sheet', 'Old'; choose one with --sheet"):
            read_payoff_file(path, cities=ABC)
        with pytest.raises(ChoiceError, match=r"no sheet 'Odl' \(did you mean 'Old'\?\)"):
            read_payoff_file(path, cities=ABC, options=ReadOptions(sheet="Odl"))
        found = read_payoff_file(path, cities=ABC, options=ReadOptions(sheet="Old"))
        assert found.notes == ("sheet 'Old'",)

    def test_a_chart_in_the_middle_of_a_sheet(self, tmp_path: Path) -> None:
        book = openpyxl.Workbook()
        sheet = book["Sheet"]
        sheet["A1"] = "The payoffs"
        for i, line in enumerate(GOOD.splitlines()):
            for j, cell in enumerate(line.split(",")):
                sheet.cell(row=4 + i, column=3 + j, value=cell)
        path = tmp_path / "chart.xlsx"
        book.save(path)
        found = read_payoff_file(path, file="x", cities=ABC)
        assert found.chart.given.tolist() == [[0, 10, 3.5], [10, 0, 7], [3.5, 7, 0]]
        assert found.chart.readings[1].where == "x:5:5"
        assert "x:1:1 was left out: 'The payoffs'" in found.notes

    def test_a_sheet_that_reaches_too_far(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"reaches to row 1000000, column 4; the limit is 1,000,000 cells"):
            read_payoff_file(self.book(tmp_path, {"B1000000": 1}), cities=ABC)

    def test_archives_that_are_no_workbook(self, tmp_path: Path) -> None:
        path = tmp_path / "chart.xlsx"
        for name, message in (("a.txt", "no XLSX workbook"), ("mimetype", "an OpenDocument file")):
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(name, "x")
            with pytest.raises(SourceError, match=message):
                read_payoff_file(path, cities=ABC)
        path.write_bytes(b"PK\x03\x04 and no more")
        with pytest.raises(SourceError, match="the archive is damaged"):
            read_payoff_file(path, cities=ABC)

    def test_bombs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.book(tmp_path, {})
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/worksheets/sheet9.xml", b" " * 30_000_000)
        with pytest.raises(SourceError, match="unpacks to more than 200 times its size"):
            read_payoff_file(path, cities=ABC)
        path = self.book(tmp_path, {})
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("xl/extra.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a/>')
        with pytest.raises(SourceError, match="declares XML entities"):
            read_payoff_file(path, cities=ABC)
        monkeypatch.setattr(cells_xlsx, "MAX_UNPACKED", 1000)
        with pytest.raises(SourceError, match=r"the limit is 1,000"):
            read_payoff_file(self.book(tmp_path, {}), cities=ABC)

    def test_a_damaged_workbook(self, tmp_path: Path) -> None:
        path = self.book(tmp_path, {})
        with zipfile.ZipFile(path) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        parts["xl/worksheets/sheet1.xml"] = re.sub(
            rb"<sheetData>.*", b"<sheetData><row", parts["xl/worksheets/sheet1.xml"]
        )
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in parts.items():
                archive.writestr(name, data)
        with pytest.raises(SourceError, match="the workbook is damaged"):
            read_payoff_file(path, cities=ABC)
