"""Files of lines under the board: taken in with limits, kept beside it, given in page millimetres."""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from doors import door, let_in
from starlette.testclient import TestClient

from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.editor.server.limits import REQUEST
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.editing import line_files
from mapkit.kinds.rail.editing.line_files import LineFileError, LineFiles, join_lines
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.registry import open_session

ROOT = Path(__file__).resolve().parents[2]
RAILROADS = ROOT.parent / "shared" / "data" / "naturalearth" / "ne_10m_railroads_north_america.json"
DOOR = door(8124)
HOST = "http://127.0.0.1:8124"
OWN = {"origin": HOST}
FILES = "/api/line-files"
Places = Sequence[Sequence[float]]


def features(*lines: Places | Sequence[float], kind: str = "LineString") -> bytes:
    listed = [
        # a level that is not a number, as OpenStreetMap has it, must not matter
        {"type": "Feature", "geometry": {"type": kind, "coordinates": line}, "properties": {"level": "0;1"}}
        for line in lines
    ]
    return json.dumps({"type": "FeatureCollection", "features": listed}).encode()


NEAR = features([(-73.0, 42.5), (-72.5, 42.75), (-72.0, 42.5)], [(-72.0, 42.5), (-71.5, 42.5)])


@pytest.fixture
def client(example: Path, tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "static").mkdir()
    app = make_app(Hub(open_session(example)), DOOR, static=tmp_path / "static")
    with TestClient(app, base_url=HOST) as client:
        let_in(client, DOOR)
        yield client


def post(client: TestClient, content: bytes, name: str = "rails.geojson", **asked: str) -> tuple[int, Any]:
    reply = client.post(FILES, params={"name": name, **asked}, content=content, headers=OWN)
    return reply.status_code, reply.json()


def ask(client: TestClient, ident: str) -> list[list[list[float]]]:
    reply = client.post("/api/ask/line-file", json={"id": ident}, headers=OWN)
    assert reply.status_code == 200, reply.text
    lines: list[list[list[float]]] = reply.json()["lines"]
    return lines


def shapefile(folder: Path, *, prj: bool) -> bytes:
    lines = [shapely.LineString([(-73.0, 42.5), (-72.0, 42.5)])]
    gpd.GeoDataFrame({"n": [1]}, geometry=lines, crs=4326).to_file(folder / "rails.shp", engine="pyogrio")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part in sorted(folder.glob("rails.*")):
            if prj or part.suffix != ".prj":
                archive.write(part, part.name)
    return packed.getvalue()


def test_a_file_is_kept_beside_the_board_and_found_again_after_a_restart(client: TestClient, example: Path) -> None:
    status, about = post(client, NEAR, "../../rails.geojson")
    assert status == 201
    assert about == {"id": about["id"], "name": "rails.geojson", "lines": 2, "vertices": 5, "notes": []}
    assert post(client, NEAR, "again.geojson") == (201, about)
    kept = example.with_name("example.editor") / "lines"
    assert [path.name for path in kept.iterdir()] == [about["id"]]
    assert [one.model_dump(mode="json") for one in LineFiles.of_board(example).listed()] == [about]
    listed = client.get(FILES).json()
    assert listed == {"files": [about]}
    assert len(ask(client, about["id"])) == 1
    assert client.delete(f"{FILES}/{about['id']}", headers=OWN).status_code == 200
    assert list(kept.iterdir()) == []
    assert client.post("/api/ask/line-file", json={"id": about["id"]}, headers=OWN).status_code == 404


def test_a_file_may_be_larger_than_other_requests_and_has_a_limit(client: TestClient) -> None:
    status, about = post(client, NEAR + b" " * REQUEST)
    assert (status, about["lines"]) == (201, 2)
    headers = OWN | {"content-length": str(line_files.MAX_BYTES + 1)}
    assert client.post(FILES, content=b"x", headers=headers).status_code == 413


def test_only_pages_of_this_editor_may_add_and_remove(client: TestClient) -> None:
    for headers in ({}, {"origin": "http://127.0.0.1:9999"}):
        assert client.post(FILES, content=NEAR, headers=headers).status_code == 403
        assert client.delete(f"{FILES}/{'0' * 16}", headers=headers).status_code == 403
    del client.headers["authorization"]
    assert client.post(FILES, content=NEAR, headers=OWN).status_code == 403
    assert client.get(FILES).status_code == 403


@pytest.mark.parametrize("ident", ["..", "..%2f..%2fexample", "0123456789abcdeg", "0" * 16])
def test_files_are_found_by_id_alone(client: TestClient, example: Path, ident: str) -> None:
    assert client.delete(f"{FILES}/{ident}", headers=OWN).status_code in (404, 405)
    reply = client.post("/api/ask/line-file", json={"id": ident}, headers=OWN)
    assert reply.status_code == 404
    assert "there is no file of lines" in reply.json()["message"]
    assert (example / "board.toml").is_file()


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", b"<kml>" + b" " * (8 * 2**20))
    return packed.getvalue()


def lonely() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "x")
    return packed.getvalue()


ENTITIES = (
    b'<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><kml xmlns="http://www.opengis.net/kml/2.2">&b;</kml>'
)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"GIF89a" + b"\0" * 40, "not geodata that mapkit reads"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a drawing, which needs control points"),
        (b'{"type": "FeatureColl', "rails.geojson"),
        (b"[" * 100_000, "rails.geojson"),
        (features(), "no line and no point"),
        (features((-73.0, 42.0), kind="Point"), "it has points but no lines"),
        (features([(-73.0, 42.0), (-73.0, 42.0)]), "have no length"),
        (features([(500_000.0, 4_000_000.0), (500_100.0, 4_000_000.0)]), "outside the world"),
        (bomb(), "unpacks to more than 200 times its size"),
        (lonely(), "no Shapefile, KML, file geodatabase or shapes.txt of GTFS in the archive"),
        (b"\x00\x00\x27\x0a" + b"\0" * 200, "pack its .shp, .shx, .dbf and .prj into a zip"),
        (ENTITIES, "a document type or entities"),
        (b"SQLite format 3\0" + b"\1" * 200, "rails.geojson"),
    ],
)
def test_what_is_no_file_of_lines_is_refused_and_leaves_nothing(
    client: TestClient, example: Path, content: bytes, said: str
) -> None:
    status, reply = post(client, content)
    assert status == 422
    assert said in reply["message"]
    kept = example.with_name("example.editor") / "lines"
    assert not kept.exists() or list(kept.iterdir()) == []


def test_too_many_vertices_and_too_many_files_are_reported(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, example: Path
) -> None:
    monkeypatch.setattr(line_files, "MAX_VERTICES", 4)
    status, reply = post(client, NEAR)
    assert (status, reply["message"]) == (
        422,
        "rails.geojson: 5 vertices, the limit is 4; simplify it, or cut out the part that you need",
    )
    monkeypatch.setattr(line_files, "MAX_FILES", 1)
    assert post(client, features([(-73.0, 42.5), (-72.0, 42.5)]))[0] == 201
    status, reply = post(client, features([(-73.0, 42.5), (-72.0, 42.6)]))
    assert status == 422
    assert "remove one first" in reply["message"]
    assert len(LineFiles.of_board(example).listed()) == 1


def test_many_problems_of_a_file_are_listed_briefly(client: TestClient) -> None:
    status, reply = post(client, features(*([(170.0, 95.0 + n), (1.0, 1.0)] for n in range(5))))
    assert status == 422
    lines = reply["message"].splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("rails.geojson#0")
    assert lines[3] == "and 2 more"


def test_a_coordinate_system_is_asked_for_where_none_is_said(client: TestClient, tmp_path: Path) -> None:
    packed = shapefile(tmp_path, prj=False)
    status, reply = post(client, packed, "rails.zip")
    assert (status, reply["suggested_crs"]) == (200, "EPSG:4326")
    assert "it does not state its CRS" in reply["message"]
    assert client.get(FILES).json()["files"] == []
    status, reply = post(client, packed, "rails.zip", crs="EPSG:999999")
    assert status == 422
    assert "EPSG:999999" in reply["message"]
    status, plain = post(client, packed, "rails.zip", crs="EPSG:4326")
    assert status == 201
    status, stated = post(client, shapefile(tmp_path, prj=True), "stated.zip")
    assert status == 201
    assert ask(client, plain["id"]) == ask(client, stated["id"])


def test_a_full_disk_is_reported_and_leaves_nothing(
    client: TestClient, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    status, reply = post(client, NEAR)
    assert status == 400
    assert "No space left on device" in reply["message"]
    assert list((example.with_name("example.editor") / "lines").iterdir()) == []


def test_what_was_kept_and_is_damaged_is_reported(client: TestClient, example: Path) -> None:
    _, about = post(client, features([(-73.0, 42.5), (-72.0, 42.7)]))
    kept = example.with_name("example.editor") / "lines" / about["id"]
    (kept / "degrees.npy").write_bytes(b"\x93NUMPY\x01\x00")
    reply = client.post("/api/ask/line-file", json={"id": about["id"]}, headers=OWN)
    assert reply.status_code == 404
    assert "damaged; remove it and add it again" in reply.json()["message"]


# --- joined


def coordinates(*lines: Places) -> list[list[list[float]]]:
    made = np.array([shapely.LineString(line) for line in lines], dtype=object)
    return sorted(sorted(shapely.get_coordinates(line).tolist()) for line in join_lines(made))


def test_pieces_are_joined_where_two_meet_and_cut_where_more_do() -> None:
    # a line in two pieces, one of them drawn backwards, and a branch from a vertex in the middle of the other
    assert coordinates([(0, 0), (1, 0), (2, 0)], [(3, 1), (2, 0)], [(1, 0), (1, 5)]) == [
        [[0, 0], [1, 0]],
        [[1, 0], [1, 5]],
        [[1, 0], [2, 0], [3, 1]],
    ]


def test_a_stretch_that_is_there_twice_is_there_once_and_points_are_dropped() -> None:
    twice = coordinates([(0, 0), (1, 0), (1, 0), (2, 0)], [(2, 0), (1, 0), (0, 0)], [(9, 9), (9, 9)])
    assert twice == [[[0, 0], [1, 0], [2, 0]]]
    assert coordinates([(9, 9), (9, 9)]) == []


# --- on the page


def degrees_of(live: Compiled, *at: tuple[float, float]) -> list[list[float]]:
    asked = Asked(revision=0, live=live)
    found: list[list[float]] = json.loads(answer("degrees", json.dumps({"points": at}).encode(), asked).text())[
        "points"
    ]
    return found


def put(folder: Path, tmp_path: Path, content: bytes) -> str:
    file = tmp_path / "upload"
    file.write_bytes(content)
    return LineFiles.of_board(folder).add(file, "rails.geojson").id


def placed(folder: Path, live: Compiled, ident: str) -> list[list[tuple[float, float]]]:
    asked = Asked(revision=0, live=live, folder=folder)
    lines: list[list[tuple[float, float]]] = json.loads(
        answer("line-file", json.dumps({"id": ident}).encode(), asked).text()
    )["lines"]
    return lines


def test_lines_lie_where_they_are_on_the_page_clipped_and_simplified(example: Path, tmp_path: Path) -> None:
    live = compile_document(open_session(example).document, board_id="example")
    width, height = live.frame.page.width, live.frame.page.height
    corner = [(20.0, 30.0), (40.0, 60.0), (70.0, 30.0)]
    straight = [(20.0, 100.0), (30.0, 100.01), (40.0, 99.99), (50.0, 100.0)]
    over = [(width - 10.0, 50.0), (width + 10.0, 50.0)]
    beyond = [(width + 5.0, 10.0), (width + 20.0, height)]
    content = features(*(degrees_of(live, *line) for line in (corner, straight, over, beyond)))
    found = sorted(placed(example, live, put(example, tmp_path, content)))
    assert len(found) == 3
    first, second, third = (np.array(line if line[0] < line[-1] else line[::-1]) for line in found)
    assert first == pytest.approx(np.array(corner), abs=0.011)
    assert second == pytest.approx(np.array([straight[0], straight[-1]]), abs=0.011)
    assert third == pytest.approx(np.array([over[0], (width, 50.0)]), abs=0.011)
    assert third[1][0] == width


def test_they_follow_the_frame_of_the_page(example: Path, tmp_path: Path) -> None:
    session = open_session(example)
    live = compile_document(session.document, board_id="example")
    ident = put(example, tmp_path, NEAR)
    (before,) = placed(example, live, ident)
    ends = {tuple(point) for point in live.frame.to_page([(-73.0, 42.5), (-71.5, 42.5)])}
    assert {tuple(before[0]), tuple(before[-1])} == ends
    session.do({"kind": "set-setting", "key": "page.width", "value": 800})
    other = compile_document(session.document, board_id="example")
    assert other.frame.page != live.frame.page
    (after,) = placed(example, other, ident)
    assert {tuple(after[0]), tuple(after[-1])} == set(other.frame.to_page([(-73.0, 42.5), (-71.5, 42.5)]))
    assert after != before


def test_a_board_without_a_folder_and_an_unknown_file_are_reported(example: Path) -> None:
    live = compile_document(open_session(example).document, board_id="example")
    with pytest.raises(LineFileError, match="there is no file of lines '0000000000000000'"):
        placed(example, live, "0" * 16)


@pytest.mark.slow
@pytest.mark.skipif(not RAILROADS.is_file(), reason="the folder ../shared/data with the reference data is not there")
def test_the_railroads_of_north_america_lie_under_the_united_states(tmp_path: Path) -> None:
    folder = tmp_path / "sources" / "usa"
    about = LineFiles.of_board(folder).add(RAILROADS, RAILROADS.name)
    assert (about.lines, about.vertices) == (1127, 66_341)
    live = compile_document(open_session(ROOT / "sources" / "usa").document, board_id="usa")
    lines = placed(folder, live, about.id)
    points = np.array([point for line in lines for point in line])
    page = live.frame.page
    assert (points.min(axis=0) >= 0).all()
    assert (points <= (page.width, page.height)).all()
    # simplified to what can be seen, and everywhere on the land of the board
    assert 10_000 < len(points) < 40_000
    assert np.ptp(points, axis=0) == pytest.approx((page.width, page.height), rel=0.1)
