"""What the server replies is what the page's types say it replies (`REPLIES` in `tools/wire_types.py`)."""

import io
import json
from collections.abc import Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY
from doors import door, let_in
from PIL import Image
from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from mapkit.console.jobs import Job, Jobs
from mapkit.document.workspace import open_workspace
from mapkit.editor.server.app import make_app
from mapkit.editor.server.beginning import Beginning
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.tickets import ENTRY
from mapkit.kinds.registry import open_session

DOOR = door(8125)
HOST = "http://127.0.0.1:8125"
OTHERWISE = {
    "POST /api/prove": "what a second `mapkit edit` asks, not the page",
    "GET /": "the page",
    "GET /static/{name}": "files of the page",
    "GET /api/boards/{board}/picture": "a picture",
    "POST /api/ask/{name}": "answers to questions, which have types of their own",
    "GET /api/pictures/{id}/{level:int}/{column:int}/{row:int}": "a tile",
    "GET /api/jobs/{id}/all.zip": "an archive",
    "GET /api/jobs/{id}/files/{name:path}": "a file that was made",
}
"""What is not a reply in JSON, or has its type elsewhere."""
LINE = {
    "type": "Feature",
    "properties": {},
    "geometry": {"type": "LineString", "coordinates": [[-73, 42.5], [-72, 42]]},
}


FOUND = {
    "format": "mapkit/board-dots",
    "picture": "picture.png",
    "width": 700,
    "height": 600,
    "colour": "#161616",
    "dot_width": 11.0,
    "square_width": 0.0,
    "symbols": [{"kind": "dot", "x": 40.0, "y": 50.5, "width": 11.0, "confidence": 0.98}],
    "warnings": ["of 12 dots and squares, 5 are not quite round or square: is this a board?"],
}
PLACES = {
    "format": "mapkit/scan-placing",
    "picture": "picture.png",
    "symbols": 9,
    "names": 8,
    "known": 7,
    "placed": {
        "format": "mapkit/georeference",
        "model": "affine",
        "crs": "EPSG:4326",
        "matrix": None,
        "rms_pixels": 1.5,
        "rms_miles": 2.0,
        "left_out_rms_pixels": None,
        "left_out_rms_miles": None,
        "miles_per_pixel": 0.5,
        "worst": None,
        "warnings": [],
        "points": [],
        "drawings": [],
    },
    "written": "",
}


def replies() -> Mapping[str, tuple[type, ...]]:
    spec = spec_from_file_location("wire_types", REPOSITORY / "tools" / "wire_types.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Mapping[str, tuple[type, ...]] = module.REPLIES
    return found


REPLIES = replies()


@pytest.fixture
def client(example: Path, tmp_path: Path) -> Iterator[TestClient]:
    session = open_session(example)
    session.do({"kind": "edit-railroad", "id": min(session.document.railroads), "price": 77_000})
    with TestClient(make_app(Hub(session), DOOR, static=tmp_path), base_url=HOST, headers={"origin": HOST}) as client:
        let_in(client, DOOR)
        yield client


def checked(at: str, answer: Any) -> Any:
    """Return a reply as data, which is exactly what a model of the address gives."""
    assert answer.status_code < 300, answer.text
    found = answer.json()
    same = []
    for model in REPLIES[at]:
        try:
            read: Any = TypeAdapter(model).validate_json(answer.text)
        except ValueError:
            continue
        same.append(TypeAdapter(model).dump_python(read, mode="json") == found)
    assert any(same), (at, found)
    return found


def routes_of(app: Any) -> set[str]:
    while not isinstance(app, Starlette):
        app = vars(app)["_app"]
    routes = [route for route in app.routes if isinstance(route, Route)]
    return {f"{method} {route.path}" for route in routes for method in (route.methods or set()) - {"HEAD"}}


def test_each_address_has_its_type(example: Path, tmp_path: Path) -> None:
    app = make_app(Hub(open_session(example)), DOOR, static=tmp_path)
    beginning = Beginning(open_workspace(tmp_path), "new", DOOR)
    assert routes_of(app) | routes_of(beginning) == {*REPLIES, *OTHERWISE}


def test_pictures_lines_and_variants_reply_as_their_types_say(client: TestClient) -> None:
    checked("GET /api/alive", client.get("/api/alive"))
    scan = io.BytesIO()
    Image.new("RGB", (30, 20), "white").save(scan, "PNG")
    about = checked("POST /api/pictures", client.post("/api/pictures?name=scan.png", content=scan.getvalue()))
    assert checked("GET /api/pictures", client.get("/api/pictures")) == {"pictures": [about]}
    checked("DELETE /api/pictures/{id}", client.delete(f"/api/pictures/{about['id']}"))
    rails = json.dumps({"type": "FeatureCollection", "features": [LINE]}).encode()
    kept = checked("POST /api/line-files", client.post("/api/line-files?name=rails.geojson", content=rails))
    assert checked("GET /api/line-files", client.get("/api/line-files"))["files"] == [kept]
    checked("DELETE /api/line-files/{id}", client.delete(f"/api/line-files/{kept['id']}"))
    checked("POST /api/variants", client.post("/api/variants", json={"name": "dear"}))


def test_a_beginning_replies_as_its_types_say(tmp_path: Path) -> None:
    with TestClient(Beginning(open_workspace(tmp_path), "new", DOOR), base_url=HOST, headers={"origin": HOST}) as page:
        let_in(page, DOOR)
        checked("GET /api/alive", page.get("/api/alive"))
        ticket = checked("POST /api/tickets", page.post("/api/tickets", json={"path": ENTRY}))
        assert checked("POST /api/enter", page.post("/api/enter", json=ticket)) == {"secret": DOOR.secret}
        assert checked("POST /api/begin", page.post("/api/begin", json={"source": "empty"})) == {"board": "new"}


def test_jobs_reply_as_their_types_say(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(_self: Jobs, job: Job) -> None:  # in place of a process that draws
        (job.out / "board.svg").write_text("<svg/>", encoding="utf-8")
        job.state = "done"

    monkeypatch.setattr(Jobs, "_work", work)
    begun = checked("POST /api/jobs", client.post("/api/jobs", json={"what": "draw"}))
    address = f"/api/jobs/{begun['id']}"
    while checked("GET /api/jobs/{id}", client.get(address))["state"] != "done":
        pass
    checked("POST /api/jobs/{id}/keep", client.post(f"{address}/keep"))
    checked("DELETE /api/jobs/{id}", client.delete(address))


def test_scans_under_the_board_reply_as_their_types_say(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    async def work(_self: Jobs, job: Job) -> None:  # in place of a process that reads the picture
        with Image.open(job.folder / "picture.png") as picture:
            seen.append(picture.size)
        found = FOUND if job.sort == "picture-dots" else PLACES
        (job.out / job.printed).write_text(json.dumps(found), encoding="utf-8")
        job.state = "done"

    monkeypatch.setattr(Jobs, "_work", work)
    scan = io.BytesIO()
    Image.new("RGB", (700, 600), "white").save(scan, "PNG")
    about = client.post("/api/pictures?name=scan.png", content=scan.getvalue()).json()
    for sort, found in (("picture-dots", FOUND), ("picture-places", PLACES)):
        begun = checked(f"POST /api/{sort}/{{id}}", client.post(f"/api/{sort}/{about['id']}"))
        while client.get(f"/api/jobs/{begun['id']}").json()["state"] != "done":
            pass
        assert checked(f"GET /api/{sort}/{{id}}", client.get(f"/api/{sort}/{begun['id']}")) == found
        other = client.get(f"/api/{'picture-dots' if sort == 'picture-places' else 'picture-places'}/{begun['id']}")
        assert (other.status_code, other.json()["message"]) == (400, "this picture is not read yet")
    assert seen == [(700, 600), (700, 600)]
    lost = client.post("/api/picture-dots/0123456789abcdef").json()
    while client.get(f"/api/jobs/{lost['id']}").json()["state"] not in ("done", "failed"):
        pass
    assert client.get(f"/api/jobs/{lost['id']}").json()["said"] == ["there is no picture '0123456789abcdef'"]
