"""Charts that a page sends as PDFs, read in a process of their own."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from doors import door, let_in
from patience import poll
from scans.chart_pages import LAYOUTS, Chart
from scans.destination_pages import charts_of, side_by_side
from starlette.testclient import TestClient

import mapkit
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.rail.api.destinations import DestinationsRead
from mapkit.kinds.rail.serving.chart_scans import ChartScan
from mapkit.kinds.registry import open_session

pytestmark = pytest.mark.slow

DOOR = door(8127)
HOST = "http://127.0.0.1:8127"
Json = dict[str, Any]
NAMES = ("Albany", "Boston", "Burlington", "Hartford")


@pytest.fixture
def client(example: Path, tmp_path: Path) -> Iterator[TestClient]:
    app = make_app(Hub(open_session(example)), DOOR, static=tmp_path)
    with TestClient(app, base_url=HOST, headers={"origin": HOST}) as client:
        let_in(client, DOOR)
        yield client


def payoffs() -> bytes:
    """Return a printed chart with a name that the board has not."""
    amounts = [[0 if i == j else 2.5 + i + j for j in range(len(NAMES))] for i in range(len(NAMES))]
    return LAYOUTS["square_with_standing_names"](Chart(NAMES, tuple(map(tuple, amounts))))


def begun(client: TestClient, asked: Mapping[str, object], body: bytes = b"") -> str:
    answer = client.post("/api/chart-scans", params={"asked": json.dumps(asked)}, content=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def over(client: TestClient, ident: str) -> Json:
    return poll(lambda: client.get(f"/api/jobs/{ident}").json(), lambda job: job["state"] not in ("waiting", "running"))


def test_names_that_nobody_knows_are_listed_and_read_again_as_said(client: TestClient) -> None:
    data = payoffs()
    files = [{"name": "Chart.PDF", "bytes": len(data)}]
    first = begun(client, {"what": "payoffs", "files": files}, data)
    assert over(client, first)["state"] == "done"
    found = ChartScan.model_validate(client.get(f"/api/chart-scans/{first}").json())
    assert [(name.typed, name.where) for name in found.left_out] == [("Hartford", "chart.pdf:page 1, row 1, column 5")]
    assert {city for cell in found.cells for city in (cell.a, cell.b)} == {"albany", "boston", "burlington"}
    again = begun(client, {"what": "payoffs", "again": first, "accept": {"Hartford": "springfield"}})
    assert over(client, again)["state"] == "done"
    found = ChartScan.model_validate(client.get(f"/api/chart-scans/{again}").json())
    assert found.left_out == ()
    assert {(cell.a, cell.b): cell.value for cell in found.cells}["albany", "springfield"] == 5.5
    assert client.get(f"/api/chart-scans/{again}/destinations").status_code == 400


def test_destination_charts_are_read(client: TestClient, example: Path) -> None:
    charts = charts_of(mapkit.load(example))
    data = side_by_side(charts)
    asked = {"what": "destinations", "files": [{"name": "dice.pdf", "bytes": len(data)}]}
    ident = begun(client, asked, data)
    assert over(client, ident)["state"] == "done"
    found = DestinationsRead.model_validate(client.get(f"/api/chart-scans/{ident}/destinations").json())
    assert found.charts == dict(mapkit.load(example).destinations)
    assert client.get(f"/api/chart-scans/{ident}").status_code == 400


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "the request of the page is wrong"),
        ('{"what": "prices"}', "the request of the page is wrong"),
        ('{"what": "payoffs"}', "not all bytes of the files have arrived"),
        ('{"what": "payoffs", "files": [{"name": "a.pdf", "bytes": 3}]}', "not all bytes of the files have arrived"),
        ('{"what": "payoffs", "again": "gone"}', "this job was discarded"),
    ],
)
def test_what_cannot_be_read_is_refused(client: TestClient, asked: str, said: str) -> None:
    answer = client.post("/api/chart-scans", params={"asked": asked}, content=b"12")
    assert answer.status_code == 400
    assert said in answer.text


def test_several_files_are_pages_in_the_order_given(client: TestClient) -> None:
    """PDFs are not joined; the message names the file by its place."""
    files = [{"name": "b.pdf", "bytes": 9}, {"name": "../../a.pdf", "bytes": 4}]
    job = over(client, begun(client, {"what": "payoffs", "files": files}, b"%PDF-1.7\nabcd"))
    assert job["state"] == "failed"
    assert job["said"] == ["chart-01.pdf: not a picture; several files are pages of one chart, each a picture"]
