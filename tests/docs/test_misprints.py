"""`docs/classic-misprints.md` says what the check says, row by row."""

import re

import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.kinds.rail.model.payoffs.diagnosis import finding_data

PAGE = REPOSITORY / "docs" / "classic-misprints.md"
CHART = REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv"


def test_the_table_is_what_the_check_finds() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if " \u00b1 " in line]
    found = mapkit.check_payoffs(CHART, board="usa", workspace=REPOSITORY)
    name = dict(zip(found.cities, found.names, strict=True))
    suspects = [f for f in found.findings if f.code == "P08"]
    assert [row[0] for row in rows] == [" - ".join(name[city] for city in f.elements) for f in suspects]
    amounts = {(c.a, c.b): c.value for c in found.cells} | {(c.b, c.a): c.value for c in found.cells}
    by_name = {f"{name[a]} - {name[b]}": value for (a, b), value in amounts.items()}
    for row, finding in zip(rows, suspects, strict=True):
        data = finding_data(finding)
        assert float(row[1]) == data["value"]
        assert float(row[2].split()[0]) == pytest.approx(data["expected"], abs=0.0501)
        assert float(row[-1]) == data["suggested"]
        assert row[-2].startswith(data["cause"])
        assert (row[3] == "> 0.99") == ((data["score"] or 0) > 0.99)
        for neighbour in row[-2].partition("neighbour's value: ")[2].split(" and "):
            assert not neighbour or by_name[neighbour] == data["value"]
    certain = sum((finding_data(f)["score"] or 0) >= 0.9 for f in suspects)
    assert re.search(rf"{certain} of them with a chance of being wrong of 0\.9 and more, {len(suspects)} in all", text)
