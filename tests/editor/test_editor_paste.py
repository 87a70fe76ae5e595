"""What a block out of a spreadsheet would change in the payoff chart."""

import json
from pathlib import Path
from typing import Any

import pytest
from generated import grid_document, with_row

from mapkit.document.changes import apply
from mapkit.document.journal import journal_path
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.rail.tables import Payoff, RailDocument
from mapkit.kinds.registry import open_session

SMALL = grid_document(4, 12, cities=6)
IDS = tuple(f"city-{n}" for n in range(6))


def ask(name: str, document: RailDocument, **fields: Any) -> dict[str, Any]:
    asked = Asked(3, compile_document(document, board_id="grid"))
    reply: dict[str, Any] = json.loads(answer(name, json.dumps(fields).encode(), asked).text())
    return reply


def paste(text: str, *, at: tuple[int, int] = (0, 0), document: RailDocument = SMALL, **more: Any) -> dict[str, Any]:
    return ask("payoff-paste", document, text=text, rows=IDS[at[0] :], columns=IDS[at[1] :], **more)


def test_a_block_goes_where_the_chosen_cell_is() -> None:
    found = paste("7\t8\r\n9\t1.5\r\n", at=(0, 2))
    assert found["cells"] == [
        ["city-0", "city-2", 7.0],
        ["city-0", "city-3", 8.0],
        ["city-1", "city-2", 9.0],
    ]
    assert found["was"] == [1.5, 2.0, 1.0]
    assert (found["same"], found["layout"], found["unread"]) == (1, "2 x 2", [])
    assert found["revision"] == 3


def test_names_lead_and_those_not_known_are_reported() -> None:
    text = "\tcity 5\tCity 3\tCitty 4\nCity 1\t10\t11\t12\nNowhere\t1\t2\t3\n"
    found = paste(text, at=(5, 5))
    assert found["cells"] == [["city-1", "city-5", 10.0], ["city-1", "city-3", 11.0]]
    assert [n["typed"] for n in found["names"]] == ["Citty 4", "Nowhere"]
    assert "city-4" in [near["id"] for near in found["names"][0]["near"]]
    accepted = paste(text, accept={"Citty 4": "city-4", "Nowhere": ""})
    assert accepted["cells"][2] == ["city-1", "city-4", 12.0]
    assert accepted["names"] == []


def test_what_does_not_parse_or_fit_is_reported() -> None:
    found = paste("7\tabc\n-3\t4\n5\t6\n", at=(4, 4))
    assert [(u["where"], u["text"]) for u in found["unread"]] == [("row 1, column 2", "abc"), ("row 2, column 1", "-3")]
    assert found["beyond"] == {"rows": 1, "columns": 0}
    assert [d["city"] for d in found["diagonal"]] == ["city-4", "city-5"]
    assert found["cells"] == []


def test_whole_money_and_decimal_commas_are_understood() -> None:
    assert paste("14500\t9000\n", at=(0, 1))["cells"] == [["city-0", "city-1", 14.5], ["city-0", "city-2", 9.0]]
    assert paste("14,5\n", at=(0, 1))["cells"] == [["city-0", "city-1", 14.5]]
    assert paste("14500\n", at=(0, 1), unit="thousands")["cells"] == [["city-0", "city-1", 14500.0]]


def test_halves_that_differ_are_left_unless_one_is_chosen() -> None:
    text = "0\t7\t\n8\t0\t3\n\t3\t0\n"
    left = paste(text)
    assert left["cells"] == [["city-1", "city-2", 3.0]]
    assert left["halves"] == [{"a": "city-0", "b": "city-1", "upper": 7.0, "lower": 8.0}]
    assert left["empty"] == 1
    assert paste(text, halves="lower")["cells"][0] == ["city-0", "city-1", 8.0]
    assert ["city-0", "city-2", None] in paste(text, clear=True)["cells"]


def test_a_list_of_pairs_is_read_and_one_reading_of_two_halves_too() -> None:
    found = paste("from\tto\tpays\nCity 0\tCity 1\t4\nCity 4\tCity 2\t5.5\n")
    assert found["cells"] == [["city-0", "city-1", 4.0], ["city-2", "city-4", 5.5]]
    torn = with_row(SMALL, "payoffs", "city-0|city-1", Payoff(thousands=4.0, below=5.0))
    assert paste("4\n", at=(0, 1), document=torn)["cells"] == [["city-0", "city-1", 4.0]]


@pytest.mark.parametrize("text", ["", "\n\n\t\n"])
def test_nothing_to_paste_is_said(text: str) -> None:
    with pytest.raises(QueryError, match="nothing to paste"):
        paste(text)


def test_a_block_of_60_by_60_is_one_entry_of_the_journal(tmp_path: Path) -> None:
    document = grid_document(12, 30, cities=120)
    for name, text in all_files(document).items():
        path = tmp_path / "sources" / "grid" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text) if isinstance(text, bytes) else path.write_text(text, "utf-8")
    ids = tuple(f"city-{n}" for n in range(120))
    text = "\n".join("\t".join(f"{20 + (r * 60 + c) % 50 / 2:g}" for c in range(60)) for r in range(60))
    found = ask("payoff-paste", document, text=text, rows=ids[:60], columns=ids[60:])
    assert len(found["cells"]) + found["same"] == 3600
    session = open_session(tmp_path / "sources" / "grid")
    journal = journal_path(tmp_path / "sources" / "grid")
    session.do({"kind": "set-payoff", "a": "city-0", "b": "city-1", "thousands": 77})
    before, was = session.document, len(journal.read_bytes().splitlines())
    session.do({"kind": "batch", "label": "Paste", "commands": [{"kind": "set-payoffs", "cells": found["cells"]}]})
    assert len(journal.read_bytes().splitlines()) == was + 1
    assert session.document.payoffs["city-0|city-60"].thousands == 20
    assert session.document.payoffs["city-119|city-59"].thousands == 20 + (59 * 60 + 59) % 50 / 2
    session.undo()
    assert session.document == before


def test_a_plan_says_what_a_command_would_do() -> None:
    command = {"kind": "scale-payoffs", "pairs": [["city-0", "city-1"], ["city-0", "city-2"]], "factor": 2.0}
    found = ask("plan", SMALL, command=command, most=1)
    plan = read_command(command).plan(SMALL)
    assert found["label"] == plan.label == "Scale 2 payoffs by 2"
    assert found["counts"] == {"payoffs": 2}
    assert len(found["changes"]) == 1
    after = apply(SMALL, plan.patch)
    first = found["changes"][0]
    assert first["after"]["thousands"] == after.payoffs[first["key"]].thousands


def test_what_is_around_a_chart_is_left_out_and_said() -> None:
    text = (
        "A chart\n\t\t\tNorth\t\tSouth\n\t\t\t1\t2\t3\n\tRegion\t\tCity 1\tCity 3\tCity 5\tTotal\n"
        "1\tNorth\tCity 1\t\t11\t12\t23\n2\t\tCity 3\t11\t\t13\t24\n3\tSouth\tCity 5\t12\t13\t\t25\nTyped by hand\n"
    )
    found = paste(text, at=(5, 5))
    assert found["cells"] == [
        ["city-1", "city-3", 11.0],
        ["city-1", "city-5", 12.0],
        ["city-3", "city-5", 13.0],
    ]
    assert (found["names"], found["unread"], found["beyond"]) == ([], [], {"rows": 0, "columns": 0})
    assert "row 4, column 7: a column beside the chart was left out ('23', '24', '25'...)" in found["note"]
    assert "row 8, column 1 was left out: 'Typed by hand'" in found["note"]
