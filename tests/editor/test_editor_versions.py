"""Versions, variants and exports of the open board."""

import json
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY
from doors import door, let_in, line
from patience import poll
from starlette.testclient import TestClient
from test_editor_rules import ask, asked_of

from mapkit.core.errors import MapkitError
from mapkit.document.changes import same_rows
from mapkit.document.session import Session
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.rail.api import loading as api
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.variants.board_diff import diff_boards
from mapkit.kinds.registry import open_session

pytestmark = pytest.mark.slow

DOOR = door(8124)
HOST = "http://127.0.0.1:8124"
OWN = {"origin": HOST}


@pytest.fixture
def session(example: Path) -> Session[RailDocument]:
    return open_session(example)


@pytest.fixture
def client(session: Session[RailDocument], example: Path) -> Iterator[TestClient]:
    with TestClient(make_app(Hub(session), DOOR, static=example), base_url=HOST) as client:
        let_in(client, DOOR)
        yield client


@pytest.fixture(scope="module")
def usa_session(tmp_path_factory: pytest.TempPathFactory) -> Session[RailDocument]:
    folder = tmp_path_factory.mktemp("space") / "sources" / "usa"
    shutil.copytree(REPOSITORY / "sources" / "usa", folder)
    return open_session(folder)


def board_of(session: Session[RailDocument]) -> Board:
    return asked_of(session).live.board


@pytest.mark.parametrize("name", ["first-printing", "b-and-o-extension", "pennsylvania-48000", "tournament"])
def test_a_variant_taken_over_is_the_variants_board_and_undo_takes_it_back(
    usa_session: Session[RailDocument], name: str
) -> None:
    session = usa_session
    start, base = session.document, board_of(session)
    target = api.apply(base, [name], workspace=REPOSITORY)
    assert not diff_boards(base, target).same
    found = ask(session, "take-variants", variants=[name])
    assert found["left"] == []
    session.do(found["command"])
    made = board_of(session)
    session.undo()
    assert session.document == start
    # tables show the state of a place only where another has its name
    shown = {(m.id, m.name.removesuffix(" DE")) for m in target.mileposts}
    assert {(m.id, m.name.removesuffix(" DE")) for m in made.mileposts} == shown
    assert {step.kind for step in diff_boards(made, target).story} <= {"milepost renamed"}


def test_a_stack_says_what_each_variant_did(usa_session: Session[RailDocument]) -> None:
    found = ask(usa_session, "variant-stack", variants=["first-printing", "rich-start"])
    layers = {layer["name"]: [step["text"] for step in layer["steps"]] for layer in found["layers"]}
    assert layers["first-printing"] == ["Wilmington DE stands between Baltimore and Philadelphia on B&O and PA"]
    assert layers["extra-cash"] == ["rule options.extra_starting_cash: 0 -> 20000"]
    assert [layer["name"] for layer in found["layers"] if not layer["asked"]] == ["extra-cash", "opening-auctions"]
    posts = [{post[0] for post in found[side]["mileposts"]} for side in ("before", "after")]
    assert posts[1] - posts[0] == {"wilmington-de"}
    with pytest.raises(MapkitError, match="is not a name of a variant"):
        ask(usa_session, "variant-stack", variants=["../../x.toml"])


def test_versions_are_compared_by_meaning_and_say_where(example: Path) -> None:
    session = open_session(example)
    ident, city = min(session.document.cities.items())
    session.do({"kind": "edit-city", "id": ident, "lon": city.lon + 0.1, "lat": city.lat})
    found = ask(session, "compare")
    assert any(city.name in step["text"] and step["box"] for step in found["steps"])
    assert not found["same"]
    assert ask(session, "compare", before={"at": 1}, drawn=False) | {"revision": 0} == {
        "revision": 0,
        "same": True,
        "steps": [],
        "before": None,
        "after": None,
    }


def test_a_variant_of_what_was_edited_gives_the_board_as_edited(client: TestClient, example: Path) -> None:
    hub_session = open_session(example)
    railroad = min(hub_session.document.railroads)
    hub_session.do({"kind": "edit-railroad", "id": railroad, "price": 77_000})
    cities = sorted(hub_session.document.cities)
    hub_session.do({"kind": "set-payoff", "a": cities[0], "b": cities[1], "thousands": 31.5})
    with line(client, DOOR) as page:  # the server sees the other's steps
        while page.receive_json().get("revision") != 2:
            pass
    made = client.post("/api/variants", json={"name": "dear"}, headers=OWN)
    assert (made.status_code, made.json()["left"]) == (201, [])
    root = example.parent.parent
    said = tomllib.loads((root / "variants" / "dear.toml").read_text(encoding="utf-8"))
    assert (said["name"], said["board"], len(said["operations"])) == ("dear", "example", 2)
    hub_session.refresh()
    assert diff_boards(api.load("example", variants=["dear"], workspace=root), board_of(hub_session)).same
    again = client.post("/api/variants", json={"name": "dear"}, headers=OWN)
    assert (again.status_code, again.json()["message"]) == (
        400,
        "there is a variant 'dear' in this workspace; choose another name",
    )
    for name in ("../x", "A b", ""):
        wrong = client.post("/api/variants", json={"name": name}, headers=OWN)
        cure = "write small letters and digits, joined by hyphens, such as new-york-ny"
        assert wrong.json()["message"] == f"name is {name!r}: {cure}"
    wrong = client.post("/api/variants", json={"name": "com1"}, headers=OWN)
    assert wrong.json()["message"].startswith("'com1' is not a name for a variant: Windows keeps the name com1")


def test_operations_of_one_reason_say_in_a_few_words_what_each_sets(session: Session[RailDocument]) -> None:
    for total, item in ((2, "inland"), (4, None)):
        session.do({"kind": "set-cell", "chart": "regions", "parity": "odd", "total": total, "item": item})
    session.do({"kind": "set-payoff", "a": "albany", "b": "boston", "thousands": 9})
    found = ask(session, "variant-draft", before={"at": "saved"})["operations"]
    assert [(one["op"], one["reason"], one["label"]) for one in found] == [
        ("set-destination", "The region chart of My board", "odd 2: Inland"),
        ("set-destination", "The region chart of My board", "odd 4: empty"),
        ("set-payoff", "The payoff chart of My board", "Albany, Boston: 9.0"),
    ]


def done(client: TestClient, **what: object) -> dict[str, Any]:
    begun = client.post("/api/jobs", json=what, headers=OWN)
    assert begun.status_code == 201, begun.text
    address = f"/api/jobs/{begun.json()['id']}"
    return poll(lambda: client.get(address).json(), lambda job: job["state"] not in ("waiting", "running"))


def test_a_picture_is_the_exporters_own_and_may_do_nothing(client: TestClient, example: Path) -> None:
    job = done(client, what="draw", theme="dark")
    assert (job["state"], [file["name"] for file in job["files"]]) == ("done", ["example-dark.svg"])
    picture = client.get(f"/api/jobs/{job['id']}/files/example-dark.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in picture.headers["content-security-policy"]
    assert "script" not in picture.headers["content-security-policy"]
    kept = client.post(f"/api/jobs/{job['id']}/keep", headers=OWN).json()
    written = example.parent.parent / "dist" / "example" / "example-dark.svg"
    assert kept == {"folder": str(written.parent), "files": ["example-dark.svg"]}
    assert written.read_bytes() == picture.content
    assert client.get(f"/api/jobs/{job['id']}/files/..%2f..%2fexample%2fboard.toml").status_code in (400, 404)


def test_what_was_made_of_the_same_board_in_the_same_way_is_not_made_again(
    client: TestClient, example: Path, session: Session[RailDocument]
) -> None:
    def made(**what: object) -> str:
        job = done(client, what="rules", **what)
        assert job["state"] == "done"
        return str(job["id"])

    first = made()
    assert made() == first
    assert made(of={"at": "saved"}) == first  # as the board was then is as it is now
    assert made(theme="dark") != first
    session.do({"kind": "edit-city", "id": "albany", "weight": 3})
    second = made()
    assert second != first
    assert made(of={"at": "saved"}) == first
    session.undo()
    assert made() == first
    variant = example.parent.parent / "variants" / "own.toml"
    variant.parent.mkdir(exist_ok=True)
    text = 'name = "own"\n[[operations]]\nop = "edit-city"\nid = "albany"\nweight = {}\nreason = "So."\n'
    ids = set()
    for weight in (4, 5):  # a variant that its author changes
        variant.write_text(text.format(weight), encoding="utf-8")
        ids.add(made(of={"variants": ["own"]}))
    assert len(ids | {first, second}) == 4


def test_exports_say_what_they_lose_and_what_is_wrong(client: TestClient) -> None:
    job = done(client, what="export", formats=["graph", "gexf"])
    assert job["state"] == "done"
    assert {file["name"].split("/")[0] for file in job["files"]} >= {"graph", "gexf", "manifest.json"}
    assert any(line.startswith("gexf does not hold: ") for line in job["said"])
    archive = client.get(f"/api/jobs/{job['id']}/all.zip")
    assert archive.content[:2] == b"PK"
    job = done(client, what="export", formats=["grap"])
    assert job["state"] == "failed"
    assert "format 'grap' is unknown for railroad boards (did you mean 'graph'?)" in job["said"][-1]
    assert client.post(f"/api/jobs/{job['id']}/keep", headers=OWN).status_code == 400
    for body in ({"what": "export"}, {"what": "draw", "theme": "../x"}, {"what": "draw", "of": {"variants": ["/x"]}}):
        assert client.post("/api/jobs", json=body, headers=OWN).status_code == 400


def test_a_job_is_stopped_and_leaves_nothing(client: TestClient) -> None:
    begun = client.post("/api/jobs", json={"what": "print"}, headers=OWN).json()
    stopped = client.delete(f"/api/jobs/{begun['id']}", headers=OWN).json()
    assert (stopped["state"], stopped["files"]) == ("stopped", [])
    assert client.post(f"/api/jobs/{begun['id']}/keep", headers=OWN).status_code == 400
    assert client.get("/api/jobs/none").status_code == 400


def test_fit_page_moves_everything_on_every_page(client: TestClient) -> None:
    with line(client, DOOR) as page:
        hello = page.receive_json()
        assert hello["view"]["page"]["width"] == 400
        page.send_text(
            json.dumps(
                {
                    "type": "do",
                    "id": "1",
                    "seen": 0,
                    "command": {"kind": "set-setting", "key": "page.width", "value": 800},
                }
            )
        )
        page.send_text(json.dumps({"type": "fit-page", "id": "2"}))
        view = {}
        while True:
            message = page.receive_json()
            if message["type"] == "view":
                view = message["view"]
            if message.get("id") == "2" and message["type"] == "done":
                break
        assert view["page"]["width"] == 800
        assert set(view["mileposts"]) == set(hello["view"]["mileposts"])


def test_rows_are_set_as_one_step(example: Path) -> None:
    session = open_session(example)
    before = session.document
    ident = min(before.railroads)
    row = before.railroads[ident].model_dump(exclude={"rank"}) | {"price": 1}
    rows = [
        {"table": "railroads", "key": ident, "row": row},
        {"table": "places", "key": "Nowhere", "row": {"lon": 1.0, "lat": 2.0}},
    ]
    session.do({"kind": "set-rows", "label": "Both", "rows": rows})
    assert session.document.railroads[ident].price == 1
    assert session.document.railroads[ident].rank == before.railroads[ident].rank
    assert session.document.places["Nowhere"].lon == 1.0
    session.undo()
    assert session.document == before
    assert same_rows(before.railroads[ident], session.document.railroads[ident])
    for bad in ({"table": "files", "key": "x", "row": None}, {"table": "railroads", "key": "x", "row": {"price": -1}}):
        with pytest.raises(MapkitError):
            session.do({"kind": "set-rows", "label": "Bad", "rows": [bad]})
