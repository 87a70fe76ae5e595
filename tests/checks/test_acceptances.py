"""Accepted findings that are not there, or have no reason."""

import json
from pathlib import Path

import pytest
from conftest import Run
from tiny import tiny_board

import mapkit
from mapkit.kinds.rail.checks.registry import ELSEWHERE


def test_the_codes_that_the_chart_s_command_finds() -> None:
    assert set(ELSEWHERE) == {"P08", "P09", "P10", "P11", "P12"}


@pytest.mark.parametrize(
    ("ident", "reason", "found"),
    [
        ("N05:nowhere", "x", ["S02"]),
        ("line-ends-one-step-short:nowhere", "x", ["S02"]),
        ("line-ends-anywhere:ash", "x", ["S02"]),
        ("N99:ash", "x", ["S02"]),
        ("n05 ash", "x", ["S02"]),
        ("P08:ash:dale", "of another command", []),
        ("R01:ash:dale", "the drawing was not looked at", []),
        ("T01:ash:dale:pa", "of a scan", []),
        ("P08:ash:dale", " ", ["S03"]),
    ],
)
def test_an_acceptance_is_judged(ident: str, reason: str, found: list[str]) -> None:
    board = tiny_board()
    accepting = board.model_copy(
        update={"provenance": board.provenance.model_copy(update={"accepted": {ident: reason}})}
    )
    report = mapkit.check(accepting, drawing=False)
    about = [f for f in report.findings if f.code in ("S02", "S03")]
    assert [f.code for f in about] == found
    assert all(repr(ident) in f.message and f.place.file == "board.toml" for f in about)
    with_variant = accepting.model_copy(update={"variants": ("x",)})
    assert not [f for f in mapkit.check(with_variant, drawing=False).findings if f.code == "S02"]


def test_an_acceptance_that_holds_is_no_finding(example: Path, run: Run) -> None:
    file = example / "board.toml"
    said = file.read_text(encoding="utf-8") + '"N05:cross:rutland-vt" = "intended"\n"N05:cross:rutland" = "misspelt"\n'
    file.write_text(said, encoding="utf-8")
    report = json.loads(run("check", "example", "--json", "--workspace", example.parents[1]).out)
    about = [f for f in report["findings"] if f["code"].startswith("S")]
    assert [f["elements"] for f in about] == [["N05:cross:rutland"]]


def test_a_mapped_file_that_is_not_there_is_a_finding(example: Path, run: Run) -> None:
    (example / "drawings").mkdir()
    rows = "file,by,key,railroad\ngone.svg,layer,*,shore\ngone.svg,layer,b,valley\n"
    (example / "drawings" / "mapping.csv").write_text(rows, encoding="utf-8")
    report = json.loads(run("check", "example", "--json", "--workspace", example.parents[1]).out)
    (found,) = [f for f in report["findings"] if f["code"] == "G02"]
    assert found["message"].startswith("row 2 is for 'gone.svg', which is not in drawings/")
    assert found["place"]["file"] == "drawings/mapping.csv"
