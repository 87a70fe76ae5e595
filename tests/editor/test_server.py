"""The server: who it lets in, what it serves, and what it answers to pages."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import Run
from doors import SECRET, door, let_in, line
from PIL import Image
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from mapkit.document.journal import Journal, journal_path
from mapkit.editor.server import pictures as picture_module
from mapkit.editor.server.access import LOCKED_OUT
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.limits import REQUEST, STEP
from mapkit.editor.server.run import listen
from mapkit.editor.server.tickets import MOST as MOST_TICKETS
from mapkit.editor.server.tickets import Tickets
from mapkit.kinds.rail.editing import line_files
from mapkit.kinds.rail.serving.chart_scans import CHART_UPLOADS, MAX_UPLOAD
from mapkit.kinds.rail.serving.importing import IMPORTS
from mapkit.kinds.registry import open_session

DOOR = door(8123)
HOST = "http://127.0.0.1:8123"
WS = "ws://127.0.0.1:8123/ws"
OWN = {"origin": HOST}


@pytest.fixture
def static(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>page</title>", encoding="utf-8")
    (folder / "editor.js").write_text("1;", encoding="utf-8")
    (folder / "notes.secret").write_text("no", encoding="utf-8")
    return folder


@pytest.fixture
def stranger(example: Path, static: Path) -> Iterator[TestClient]:
    """Somebody who was not let in."""
    app = make_app(Hub(open_session(example)), DOOR, static=static)
    with TestClient(app, base_url=HOST) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """A page that was let in."""
    return let_in(stranger, DOOR)


def ticket_in(address: str) -> str:
    return parse_qs(urlsplit(address).query)["ticket"][0]


def test_the_ticket_of_an_address_lets_one_page_in_once(stranger: TestClient) -> None:
    address = DOOR.new_address()
    page = stranger.get(address)
    assert (page.status_code, page.headers["referrer-policy"]) == (200, "no-referrer")
    answers = [stranger.post("/api/enter", json={"ticket": ticket_in(address)}, headers=OWN) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 403]
    assert answers[0].json() == {"secret": DOOR.secret}
    assert "was used already" in answers[1].json()["message"]
    assert "set-cookie" not in {*page.headers, *answers[0].headers}
    assert stranger.get("/api/alive", headers={"authorization": f"Bearer {DOOR.secret}"}).status_code == 200


@pytest.mark.parametrize("body", [{}, {"ticket": 1}, {"ticket": "x" * 300}, [], "x"])
def test_what_is_no_ticket_lets_nobody_in(stranger: TestClient, body: Any) -> None:
    answer = stranger.post("/api/enter", json=body, headers=OWN)
    assert answer.status_code == 400
    assert DOOR.secret not in answer.text


def test_a_ticket_ends_by_itself_and_is_good_for_its_path_alone() -> None:
    time = [0.0]
    tickets = Tickets(lambda: time[0])
    first, second, third = (tickets.new("/a", 60) for _ in range(3))
    assert (tickets.take(first, "/b"), tickets.take(first, "/a"), tickets.take(first, "/a")) == (False, True, False)
    time[0] = 59.9
    assert tickets.take(second, "/a")
    time[0] = 60
    assert not tickets.take(third, "/a")
    assert not tickets.take("", "")
    many = [tickets.new("/c", 60) for _ in range(MOST_TICKETS + 1)]
    assert [tickets.take(one, "/c") for one in (many[0], many[1], many[-1])] == [False, True, True]


def test_a_download_has_a_ticket_for_one_address(client: TestClient) -> None:
    about = client.post("/api/pictures?name=x", content=picture(), headers=OWN).json()
    tile = f"/api/pictures/{about['id']}/0/0/0"
    asked = [client.post("/api/tickets", json={"path": path}, headers=OWN).json() for path in (tile, "/api/alive")]
    stranger = let_out(client)
    ticket, other = (one["ticket"] for one in asked)
    tries = [(tile, other), (tile, ticket), (tile, ticket), ("/api/alive", other)]
    assert [stranger.get(path, params={"ticket": given}).status_code for path, given in tries] == [403, 200, 403, 200]
    assert stranger.post("/api/tickets", json={"path": tile}, headers=OWN).status_code == 403


def test_a_ticket_changes_nothing(client: TestClient) -> None:
    ticket = client.post("/api/tickets", json={"path": "/api/ask/degrees"}, headers=OWN).json()["ticket"]
    asked = let_out(client).post(f"/api/ask/degrees?ticket={ticket}", json={"points": []}, headers=OWN)
    assert asked.status_code == 403


def let_out(client: TestClient) -> TestClient:
    del client.headers["authorization"]
    return client


SECRETS = [
    {},
    {"authorization": ""},
    {"authorization": "Bearer "},
    {"authorization": "Bearer wrong"},
    {"authorization": "Bearer \xe9".encode("latin-1")},
    {"cookie": f"mapkit-8123={SECRET}"},
]


@pytest.mark.slow
@pytest.mark.parametrize("headers", SECRETS)
@pytest.mark.parametrize("path", ["/api/alive", "/api/pictures", "/api/alive?ticket=", "/api/alive?ticket=wrong", "/x"])
def test_without_the_secret_nothing_of_the_board_is_served(
    stranger: TestClient, path: str, headers: dict[str, str]
) -> None:
    answer = stranger.get(path, headers=headers)
    assert answer.status_code == 403
    assert "mapkit edit" in answer.text
    assert stranger.post("/api/ask/degrees", json={"points": []}, headers=OWN | headers).status_code == 403


def test_without_the_secret_the_page_itself_is_served(stranger: TestClient) -> None:
    assert [stranger.get(path).status_code for path in ("/", "/static/editor.js")] == [200, 200]
    assert stranger.post("/", headers=OWN).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:8124", "127.0.0.1.evil.example:8123", ""])
def test_another_host_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8123"},
        {"origin": "http://127.0.0.1:8124"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_from_elsewhere_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/api/alive", headers=headers).status_code == 403
    assert client.post("/api/ask/degrees", json={"points": []}, headers=headers).status_code == 403


def test_no_other_origin_may_ask(client: TestClient) -> None:
    asking = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    answers = [
        client.options("/api/ask/degrees", headers=asking),
        client.get("/", headers=OWN),
        client.get("/api/alive"),
    ]
    assert [answer.status_code for answer in answers] == [403, 200, 200]
    assert [name for answer in answers for name in answer.headers if name.startswith("access-control")] == []


def test_only_this_machine_can_reach_it() -> None:
    with listen(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


def test_a_change_without_an_origin_is_refused(client: TestClient) -> None:
    assert client.post("/api/ask/degrees", json={"points": []}).status_code == 403
    assert client.post("/api/ask/degrees", json={"points": []}, headers=OWN).status_code == 200


def test_the_policy_allows_this_origin_alone(client: TestClient) -> None:
    answer = client.get("/")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "name", ["..%2findex.html", "%2e%2e%2f%2e%2e%2fboard.toml", "notes.secret", "%2fetc%2fpasswd", "a%00b"]
)
def test_only_files_of_the_page_are_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404
    assert client.get("/static/editor.js").text == "1;"


def test_large_bodies_are_refused_whether_declared_or_not(client: TestClient) -> None:
    large = b" " * (REQUEST + 1)
    for content in (large, iter([large[:1000], large])):
        answer = client.post("/api/ask/degrees", content=content, headers=OWN)
        assert (answer.status_code, answer.json()) == (413, {"message": "This is too large; at most 4 MB are taken."})


# --- questions


def test_questions_answer_with_the_revision(client: TestClient) -> None:
    post = next(iter(hello(client)["view"]["mileposts"].values()))
    answer = client.post("/api/ask/degrees", json={"points": [[post["x"], post["y"]]]}, headers=OWN).json()
    lon, lat = answer["points"][0]
    assert answer["revision"] == 0
    assert (lon, lat) == (pytest.approx(post["lon"], abs=0.01), pytest.approx(post["lat"], abs=0.01))


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("degree", b"{}", "did you mean 'degrees'"),
        ("degrees", b"{}", "points"),
        ("degrees", b"[", "JSON"),
        ("degrees", b'{"points": [[1e300, 0]]}', "off the map"),
        ("search-places", b'{"text": "x", "most": 100000}', "most"),
    ],
)
def test_a_wrong_question_is_reported(client: TestClient, name: str, body: bytes, said: str) -> None:
    answer = client.post(f"/api/ask/{name}", content=body, headers=OWN)
    assert answer.status_code == 400
    assert said in answer.json()["message"]


def test_places_are_found_in_the_gazetteer(client: TestClient) -> None:
    def found(text: str) -> list[str]:
        answer = client.post("/api/ask/search-places", json={"text": text, "most": 5}, headers=OWN)
        return [place["name"] for place in answer.json()["places"]]

    countries = hello(client)["tables"]["settings"].get("gazetteer.countries", {"value": ["US"]})["value"]
    assert countries == ["US"]
    assert "Altoona PA" in found("altoona")
    assert found("") == []
    assert found("zzzzzz") == []


# --- pages


def hello(client: TestClient) -> dict[str, Any]:
    with line(client, DOOR) as socket:
        said: dict[str, Any] = json.loads(socket.receive_text())
        return said


def until(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        said: dict[str, Any] = json.loads(socket.receive_text())
        if said["type"] == kind:
            return said


@pytest.mark.parametrize("headers", [{}, {"origin": "http://evil.example"}, OWN | {"host": "evil.example"}])
def test_a_socket_from_elsewhere_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    with (
        pytest.raises((WebSocketDenialResponse, WebSocketDisconnect)),
        client.websocket_connect(WS, headers=headers),
    ):
        pass


@pytest.mark.parametrize(
    "first",
    [
        "{}",
        "nonsense",
        '{"type":"enter","secret":"wrong"}',
        '{"type":"enter"}',
        '{"type":"undo","id":"1"}',
        json.dumps({"type": "enter", "secret": SECRET, "more": 1}),
    ],
)
def test_a_socket_that_does_not_say_the_secret_first_hears_nothing(stranger: TestClient, first: str) -> None:
    with stranger.websocket_connect(WS, headers=OWN) as socket:
        socket.send_text(first)
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_text()
    assert ended.value.code == LOCKED_OUT


def test_a_socket_that_says_nothing_is_ended(stranger: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapkit.editor.server.access.KNOCK_SECONDS", 0.01)
    with stranger.websocket_connect(WS, headers=OWN) as socket, pytest.raises(WebSocketDisconnect) as ended:
        socket.receive_text()
    assert ended.value.code == LOCKED_OUT


def test_a_change_is_sent_to_every_page_and_answered(client: TestClient) -> None:
    with (
        line(client, DOOR, "aaaa") as one,
        line(client, DOOR, "bbbb") as two,
    ):
        first = json.loads(one.receive_text())
        json.loads(two.receive_text())
        railroad = next(iter(first["tables"]["railroads"]))
        command = {"kind": "edit-railroad", "id": railroad, "price": 12345}
        one.send_text(json.dumps({"type": "do", "id": "a-1", "seen": 0, "command": command}))
        for socket in (one, two):
            said = until(socket, "changed")
            assert (said["revision"], said["client"], said["unsaved"]) == (1, "aaaa", True)
            assert [c["after"]["price"] for c in said["changes"]] == [12345]
        assert until(one, "done") == {"type": "done", "id": "a-1", "revision": 1}
        # sent again after a cut, it is answered and not done twice
        one.send_text(json.dumps({"type": "do", "id": "a-1", "seen": 0, "command": command}))
        assert until(one, "done")["revision"] == 1
        one.send_text(json.dumps({"type": "undo", "id": "a-2"}))
        assert until(two, "changed")["revision"] == 2
        assert until(one, "done")["revision"] == 2


def test_what_does_not_fit_is_refused_with_the_reason(client: TestClient) -> None:
    with line(client, DOOR, "aaaa") as socket:
        socket.receive_text()
        requests: list[tuple[dict[str, Any], str]] = [
            ({"type": "do", "seen": 0, "command": {"kind": "fly"}}, "no command 'fly'"),
            ({"type": "do", "seen": 0, "command": [1]}, "a command is a JSON object"),
            ({"type": "undo"}, "nothing to undo"),
            ({"type": "goto", "to": "1"}, "does not know the request"),
            ({"type": "dance"}, "does not know the request"),
        ]
        for number, (request, said) in enumerate(requests):
            socket.send_text(json.dumps(request | {"id": f"r{number}"}))
            answer = until(socket, "refused")
            assert answer["id"] == f"r{number}"
            assert said in answer["message"]


def test_two_pages_that_change_one_row_get_a_conflict(client: TestClient) -> None:
    with (
        line(client, DOOR, "aaaa") as one,
        line(client, DOOR, "bbbb") as two,
    ):
        railroad = next(iter(json.loads(one.receive_text())["tables"]["railroads"]))
        two.receive_text()
        command = {"kind": "edit-railroad", "id": railroad, "price": 1000}
        one.send_text(json.dumps({"type": "do", "id": "a-1", "seen": 0, "command": command}))
        until(one, "done")
        other = {"type": "do", "seen": 0, "command": command | {"price": 2000}}
        two.send_text(json.dumps(other | {"id": "b-1"}))
        (conflict,) = until(two, "refused")["conflict"]
        assert (conflict["mine"]["price"], conflict["theirs"]["price"]) == (2000, 1000)
        two.send_text(json.dumps(other | {"id": "b-2", "force": True}))
        assert until(two, "done")["revision"] == 2


@pytest.mark.parametrize("text", ["[", "[]", "[" * 100_000])
def test_nonsense_ends_the_line(client: TestClient, text: str) -> None:
    with line(client, DOOR) as socket:
        socket.receive_text()
        socket.send_text(text)
        with pytest.raises(WebSocketDisconnect):
            until(socket, "never")


def test_a_page_hears_why_its_step_waits(client: TestClient, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapkit.editor.server.hub.PATIENCE", 0.01)
    other = Journal(journal_path(example))
    with line(client, DOOR) as socket:
        railroad = next(iter(json.loads(socket.receive_text())["tables"]["railroads"]))
        with other.locked():
            command = {"kind": "edit-railroad", "id": railroad, "price": 12345}
            socket.send_text(json.dumps({"type": "do", "id": "a-1", "seen": 0, "command": command}))
            assert "Another program is writing to this board" in until(socket, "notice")["message"]
        assert until(socket, "done")["id"] == "a-1"


def test_a_page_hears_how_much_it_may_send(client: TestClient) -> None:
    limits = hello(client)["limits"]
    files = {
        "/api/pictures": picture_module.MAX_BYTES,
        "/api/line-files": line_files.MAX_BYTES,
        IMPORTS: line_files.MAX_BYTES,
        CHART_UPLOADS: MAX_UPLOAD,
    }
    assert limits == {"step": STEP, "request": REQUEST, "files": files}


# --- pictures


def picture(width: int = 700, height: int = 30, form: str = "PNG", mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height), "white").save(out, form)
    return out.getvalue()


def test_a_picture_is_kept_beside_the_board_in_tiles(client: TestClient, example: Path) -> None:
    answer = client.post("/api/pictures?name=..%2F..%2Fscan.png", content=picture(1300, 600), headers=OWN)
    assert answer.status_code == 201
    about = answer.json()
    expected = {"name": "scan.png", "width": 1300, "height": 600, "tile": 512, "levels": 3}
    assert {key: about[key] for key in expected} == expected
    assert client.get("/api/pictures").json() == {"pictures": [about]}
    folder = example.with_name("example.editor") / "pictures" / about["id"]
    assert folder.is_dir()
    sizes = {}
    for level, column, row in [(0, 0, 0), (0, 2, 1), (1, 1, 0), (2, 0, 0)]:
        tile = client.get(f"/api/pictures/{about['id']}/{level}/{column}/{row}")
        sizes[level, column, row] = Image.open(io.BytesIO(tile.content)).size
    assert sizes == {(0, 0, 0): (512, 512), (0, 2, 1): (276, 88), (1, 1, 0): (138, 300), (2, 0, 0): (325, 150)}
    assert client.get(f"/api/pictures/{about['id']}/0/3/0").status_code == 404
    assert client.delete(f"/api/pictures/{about['id']}", headers=OWN).status_code == 200
    assert not folder.exists()


@pytest.mark.parametrize("ident", ["..", "%2e%2e", "..%2f..%2fexample", "0123456789abcdeg", "0" * 16])
def test_pictures_are_found_by_id_alone(client: TestClient, example: Path, ident: str) -> None:
    assert client.get(f"/api/pictures/{ident}/0/0/0").status_code == 404
    assert client.delete(f"/api/pictures/{ident}", headers=OWN).status_code in (404, 405)
    assert (example / "board.toml").is_file()


def absurd() -> bytes:
    """A PNG of a few bytes whose header claims 100,000 x 100,000 pixels."""
    good = bytearray(picture(1, 1))
    good[16:24] = (100_000).to_bytes(4, "big") * 2
    import zlib  # noqa: PLC0415

    good[29:33] = zlib.crc32(bytes(good[12:29])).to_bytes(4, "big")
    return bytes(good)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (absurd(), "pixels"),
        (b"GIF89a" + b"\0" * 40, "not a picture that can be read"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture that can be read"),
        (b"", "not a picture that can be read"),
        (picture(900, 900)[:-40], "broken or cut off"),
        (picture(90, 90)[:-13], "broken or cut off"),
        (picture(90, 90)[:-1], "broken or cut off"),
    ],
)
def test_what_is_no_picture_is_refused_and_leaves_nothing(
    client: TestClient, example: Path, content: bytes, said: str
) -> None:
    answer = client.post("/api/pictures?name=x", content=content, headers=OWN)
    assert answer.status_code == 422
    assert said in answer.json()["message"]
    folder = example.with_name("example.editor") / "pictures"
    assert not folder.exists() or list(folder.iterdir()) == []


def test_a_file_too_large_for_a_picture_is_refused(client: TestClient) -> None:
    headers = OWN | {"content-length": str(picture_module.MAX_BYTES + 1)}
    assert client.post("/api/pictures?name=x", content=b"x", headers=headers).status_code == 413


# --- the command


def test_edit_says_how_to_build_a_page_that_is_missing(
    run: Run, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mapkit.editor.server.run.STATIC", tmp_path / "none")
    ran = run("edit", "example", "--workspace", example.parent.parent, "--no-open")
    assert ran.code == 1
    assert "npm ci && npm run build" in ran.err


def test_edit_reports_a_port_that_is_taken(
    run: Run, example: Path, static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mapkit.editor.server.run.STATIC", static)
    with listen(0) as taken:
        port = str(taken.getsockname()[1])
        ran = run("edit", "example", "--workspace", example.parent.parent, "--no-open", "--port", port)
    assert ran.code == 1
    assert f"port {port} cannot be used" in ran.err
