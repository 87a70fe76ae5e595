"""What changed row by row, taking single changes back, findings of earlier moments, boards from nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from board_helpers import open_folder
from typer.testing import CliRunner

from mapkit.cli.app import app
from mapkit.core.errors import WorkspaceError
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.commands import CommandError
from mapkit.kinds.rail.compiler.compile import compile_document
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.kind import RAIL
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.registry import open_session
from mapkit.kinds.starting import new_board


@pytest.fixture
def session(example: Path) -> Session[RailDocument]:
    return Session(open_folder(example), RAIL)


def ask(session: Session[RailDocument], name: str, **fields: Any) -> dict[str, Any]:
    asked = Asked(
        revision=session.revision,
        live=compile_document(session.document, board_id="example"),
        document_at=lambda moment: session.saved_document if moment == "saved" else session.document_at(moment),
    )
    reply: dict[str, Any] = json.loads(answer(name, json.dumps(fields).encode(), asked).text())
    return reply


def rows(found: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [(g["table"], row["how"], row["title"], row["text"]) for g in found["groups"] for row in g["rows"]]


def test_nothing_is_different_before_the_first_step(session: Session[RailDocument]) -> None:
    found = ask(session, "changes")
    assert (found["count"], found["story"], found["groups"]) == (0, [], [])
    with pytest.raises(QueryError, match="this would change nothing"):
        ask(session, "revert")


def test_changes_are_reported_by_meaning(session: Session[RailDocument]) -> None:
    boston = session.document.cities["boston"]
    session.do({"kind": "edit-city", "id": "boston", "lon": boston.lon, "lat": boston.lat + 0.1})
    session.do({"kind": "edit-railroad", "id": "shore", "price": 100})
    session.do({"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": 99.5})
    session.do({"kind": "delete-railroad", "id": "cross"})
    found = ask(session, "changes")
    reply = rows(found)
    was = session.saved_document.payoffs["albany|boston"].thousands
    assert ("cities", "changed", "Boston", "moved 6.9 miles") in reply
    assert ("payoffs", "changed", "Albany - Boston", f"{was:g} → 99.5") in reply
    price = session.saved_document.railroads["shore"].price
    assert ("railroads", "changed", session.document.railroads["shore"].name, f"price {price} → 100") in reply
    assert any(row[:2] == ("lines", "removed") for row in reply)
    assert found["count"] == len(reply)
    places = {row["key"]: row["at"] for g in found["groups"] for row in g["rows"]}
    assert all(places[key] is not None for key in ("boston", "shore", "cross", "albany|boston"))
    first = ask(session, "changes", since=3)
    assert {row[0] for row in rows(first)} == {"railroads", "lines"}


def test_one_change_is_taken_back_and_the_others_stay(session: Session[RailDocument]) -> None:
    start = session.document
    session.do({"kind": "edit-railroad", "id": "shore", "price": 100})
    session.do({"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": 99.5})
    found = ask(session, "revert", rows=[["railroads", "shore"]])
    assert found["along"] == []
    done = session.do(found["command"])
    assert done.label == f"Take back {start.railroads['shore'].name}"
    assert session.document.railroads == start.railroads
    assert session.document.payoffs["albany|boston"].thousands == 99.5
    session.do(ask(session, "revert")["command"])
    assert session.document == start


def test_what_belongs_together_is_taken_back_together(session: Session[RailDocument]) -> None:
    start = session.document
    session.do({"kind": "add-region", "id": "isles", "name": "Isles", "short": "IS", "colour": "#112233"})
    session.do({"kind": "add-city", "name": "Nantucket", "region": "isles", "lon": -70.1, "lat": 41.28})
    found = ask(session, "revert", rows=[["regions", "isles"]])
    assert {one["group"] for one in found["along"]} == {
        "Cities",
        "Cities of the payoff chart",
        "Destination charts",
    }
    assert len(found["along"]) == 1 + 1 + 22
    session.do(found["command"])
    assert session.document == start
    session.do({"kind": "delete-railroad", "id": "cross"})
    found = ask(session, "revert", rows=[["railroads", "cross"]])
    assert {one["group"] for one in found["along"]} == {"Lines"}
    session.do(found["command"])
    assert session.document == start


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"table": "nothing", "key": "a", "row": None}, "no table 'nothing'"),
        ({"table": "regions", "key": "coast", "row": None}, "region 'coast' of 'Boston' is not in"),
        ({"table": "files", "key": "../outside", "row": {"sha256": "a", "content": ""}}, "not a file of a board"),
        ({"table": "files", "key": "lines/../../x", "row": {"sha256": "a", "content": ""}}, "not a file of a board"),
        ({"table": "settings", "key": "page.width", "row": {"value": "wide"}}, "page.width"),
        ({"table": "railroads", "key": "shore", "row": {"name": "x"}}, "short is missing; add it"),
    ],
)
def test_rows_that_do_not_fit_are_refused(session: Session[RailDocument], row: dict[str, Any], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        session.do({"kind": "set-rows", "label": "no", "rows": [row]})
    assert session.revision == 0


def test_findings_of_the_last_save_are_known(session: Session[RailDocument]) -> None:
    before = ask(session, "finding-ids")["ids"]
    session.do({"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": None})
    assert ask(session, "finding-ids")["ids"] == before
    assert set(ask(session, "finding-ids", at=1)["ids"]) - set(before) == {"P02:albany:boston"}


def test_a_board_from_nothing_is_edited_saved_and_opened_again(tmp_path: Path) -> None:
    folder = new_board(Workspace(tmp_path), "first-one", "empty")
    session = open_session(folder)
    assert session.document.settings["title"].value == "First One"
    assert not session.document.railroads
    session.do({"kind": "add-railroad", "id": "a", "name": "A", "short": "A", "price": 1})
    session.save()
    assert open_folder(folder) == session.document
    assert set(all_files(session.document)) >= {"board.toml", "railroads.csv"}
    with pytest.raises(WorkspaceError, match="already exists"):
        new_board(Workspace(tmp_path), "first-one", "example")


def test_the_command_line_offers_to_make_a_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapkit.api.editor.need_page", lambda _page: None)
    served: list[Path] = []
    monkeypatch.setattr("mapkit.api.editor.serve", lambda folder, **_: served.append(folder))
    run = CliRunner().invoke
    there = ["--workspace", str(tmp_path), "--no-open"]
    refused = run(app, ["edit", "newest", *there])
    assert isinstance(refused.exception, Exception)
    assert "mapkit edit newest --new example|empty|BOARD" in str(refused.exception)
    assert not (tmp_path / "sources").exists()
    for name, source in (("one", "example"), ("two", "empty"), ("three", "portugal")):
        assert run(app, ["edit", name, "--new", source, *there]).exit_code == 0
    assert [folder.name for folder in served] == ["one", "two", "three"]
    assert len(open_folder(served[0]).railroads) == 3
    assert len(open_folder(served[1]).railroads) == 0
    assert len(open_folder(served[2]).railroads) > 3
