"""What lies under the board in the editor: the drawn board, pictures placed by control points, earlier track."""

import json
import re
from typing import Any

import numpy as np
import pytest
from generated import grid_document

from mapkit.document.changes import apply
from mapkit.drawing.theme.theme import CLASSIC, THEMES
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document
from mapkit.kinds.rail.queries import Asked, answer
from mapkit.kinds.rail.tables import RailDocument

SMALL = grid_document(4, 10, cities=6)
MATRIX = np.array([[0.4, 0.03, 12.0], [-0.02, 0.45, 30.0], [2e-5, -1e-5, 1.0]])
PIXELS = [(100, 80), (900, 120), (840, 700), (150, 640), (480, 350), (300, 500), (700, 260)]


def live_of(document: RailDocument) -> Compiled:
    return compile_document(document, board_id="grid")


def placed(live: Compiled, model: str, drafts: list[dict[str, Any]], **more: object) -> dict[str, Any]:
    body = {"model": model, "width": 1000, "height": 800, "drafts": drafts, **more}
    reply: dict[str, Any] = json.loads(
        answer("place-picture", json.dumps(body).encode(), Asked(revision=0, live=live)).text()
    )
    return reply


def test_proposed_points_place_the_picture_with_those_of_the_board_or_alone() -> None:
    live = live_of(SMALL)
    sites = live.board.mileposts[:24:4]
    proposed = [
        {"key": m.id, "name": m.name, "x": 2 * m.x + 5, "y": 2 * m.y - 3, "lon": m.lon, "lat": m.lat} for m in sites
    ]
    found = placed(live, "affine", [], proposed=proposed)
    assert (found["used"], found["rms"]) == ("affine", 0)
    assert np.array(found["map"]["matrix"]) == pytest.approx(
        np.array([[0.5, 0, -2.5], [0, 0.5, 1.5], [0, 0, 1]]), abs=0.02
    )
    assert [(p["key"], p["name"], p["off"]) for p in found["points"]] == [(m.id, m.name, 0) for m in sites]
    own = {"kind": "put-control-point", "x": 900, "y": 10, "lon": sites[0].lon, "lat": sites[0].lat}
    mixed = live_of(apply(SMALL, read_command(own).plan(SMALL).patch))
    both = placed(mixed, "affine", [], proposed=proposed)
    assert (len(both["points"]), both["worst"]) == (len(sites) + 1, "900,10")
    alone = placed(mixed, "affine", [], proposed=proposed, alone=True)
    assert alone["points"] == found["points"]


def test_points_outside_the_picture_are_of_another_one() -> None:
    live = live_of(SMALL)
    sites = live.board.mileposts[:24:4]
    proposed: list[dict[str, Any]] = [
        {"key": m.id, "name": m.name, "x": 2 * m.x + 5, "y": 2 * m.y + 3, "lon": m.lon, "lat": m.lat} for m in sites
    ]
    right = max(point["x"] for point in proposed)
    fits = placed(live, "affine", [], proposed=proposed, width=right, height=2000)
    assert fits["warnings"] == []
    (said,) = placed(live, "affine", [], proposed=proposed, width=right - 1, height=2000)["warnings"]
    outside = sum(point["x"] > right - 1 for point in proposed)
    assert said.startswith(f"{outside} of 6 control points lie")
    assert f"outside this picture of {right - 1:g} x 2000 pixels: they may be of another one" in said


def test_dots_are_named_once_control_points_place_them() -> None:
    document = SMALL
    live = live_of(document)
    city = next(m for m in live.board.mileposts if m.kind == "city")
    dots = [
        {"kind": "square", "x": 2 * city.x + 6, "y": 2 * city.y - 3, "width": 8},
        {"kind": "square", "x": 5000, "y": 5000, "width": 8},
    ]
    assert named(live, dots) == {"placed": False, "names": ["", ""]}
    for m in live.board.mileposts[:24:4]:
        point = {"kind": "put-control-point", "x": 2 * m.x + 5, "y": 2 * m.y - 3, "lon": m.lon, "lat": m.lat}
        document = apply(document, read_command(point).plan(document).patch)
    found = named(live_of(document), dots)
    assert found["placed"]
    assert found["names"][0] == next(c.name for c in live.board.cities if c.milepost == city.id)


def named(live: Compiled, dots: list[dict[str, Any]]) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(
        answer("name-dots", json.dumps({"dots": dots}).encode(), Asked(revision=0, live=live)).text()
    )
    return {key: reply[key] for key in ("placed", "names")}


def drafts(matrix: np.ndarray, count: int) -> list[dict[str, Any]]:
    out = []
    for k, (x, y) in enumerate(PIXELS[:count]):
        u, v, w = matrix @ (x, y, 1.0)
        out.append({"key": f"p{k}", "x": x, "y": y, "at": [u / w, v / w]})
    return out


def test_a_known_map_is_found_again_and_the_wrong_point_named() -> None:
    live = live_of(SMALL)
    straight = MATRIX.copy()
    straight[2, :2] = 0
    for model, matrix in (("affine", straight), ("projective", MATRIX)):
        points = drafts(matrix, 7)
        found = placed(live, model, points)
        assert found["used"] == model
        assert found["rms"] == 0
        assert np.array(found["map"]["matrix"]) == pytest.approx(matrix, abs=1e-6)
        points[4]["at"][0] += 9
        wrong = placed(live, model, points)
        assert wrong["worst"] == "p4"
        assert wrong["points"][4]["left_out"] == pytest.approx(9, abs=0.01)


def test_a_spline_goes_through_every_point() -> None:
    points = drafts(MATRIX, 7)
    points[2]["at"][1] += 6
    found = placed(live_of(SMALL), "tps", points)
    assert (found["used"], found["rms"]) == ("tps", 0)
    spline = found["map"]
    middle, spread = np.array(spline["pixels"][:2]), spline["pixels"][2]
    for point in points:
        at = (np.array((point["x"], point["y"])) - middle) / spread
        square = ((at - np.array(spline["centres"])) ** 2).sum(axis=1)
        terms = 0.5 * square * np.log(np.where(square > 0, square, 1.0))
        plane = np.array([1.0, *at]) @ np.array(spline["affine"]) + terms @ np.array(spline["bends"])
        page = np.array(spline["page"][:2]) + plane * spline["page"][2]
        assert page == pytest.approx(point["at"], abs=1e-6)


@pytest.mark.parametrize(("count", "used"), [(0, "page"), (1, "shift"), (2, "similar"), (3, "affine")])
def test_few_points_place_it_as_well_as_they_can(count: int, used: str) -> None:
    similar = np.array([[0.5, -0.1, 40.0], [0.1, 0.5, 20.0], [0.0, 0.0, 1.0]])
    points = drafts(similar, count)
    found = placed(live_of(SMALL), "tps", points)
    assert found["used"] == used
    matrix = np.array(found["map"]["matrix"])
    for point in points:
        assert (matrix @ (point["x"], point["y"], 1.0))[:2] == pytest.approx(point["at"], abs=1e-6)
    if count >= 2:
        assert matrix == pytest.approx(similar, abs=1e-6)


def test_points_on_a_line_and_wrong_fields_are_reported() -> None:
    line = [{"key": str(k), "x": 100 * k, "y": 50 * k, "at": [40 * k, 20 * k]} for k in range(4)]
    found = placed(live_of(SMALL), "affine", line)
    assert found["used"] == "similar"
    assert "do not fix the picture" in found["problem"]
    with pytest.raises(QueryError, match="width"):
        answer("place-picture", b'{"width": 0, "height": 5}', Asked(revision=0, live=live_of(SMALL)))


def test_control_points_of_the_document_are_in_page_millimetres() -> None:
    live = live_of(SMALL)
    city = SMALL.cities["city-1"]
    plan = read_command({"kind": "put-control-point", "x": 5, "y": 6, "city": city.name}).plan(SMALL)
    found = placed(live.recompile(apply(SMALL, plan.patch)), "affine", [])
    (point,) = found["points"]
    assert point["name"] == city.name
    assert tuple(point["page"]) == live.frame.to_page([(city.lon, city.lat)])[0]


def test_the_drawn_board_comes_part_by_part_and_once() -> None:
    live = live_of(SMALL)
    page = live.frame.page
    asked = Asked(revision=0, live=live)
    ground = json.loads(answer("drawing", b'{"part": "ground"}', asked).text())
    water = ground["layers"]["ground"]["shapes"][1]
    assert ground["layers"]["ground"]["paints"][water["paint"]]["fill"] == CLASSIC.water
    places = [float(number) for number in re.findall(r"[\d.]+", water["d"])]
    assert max(places[::2]) <= page.width
    assert max(places[1::2]) <= page.height
    track = json.loads(answer("drawing", b'{"part": "track"}', asked).text())
    assert track["layers"].keys() == {"lines", "symbols"}
    assert track["lines"].keys() == {segment.id for segment in live.board.segments}
    assert track["dot"] == CLASSIC.sizes.dot_radius
    again = json.loads(
        answer("drawing", json.dumps({"part": "track", "known": track["digest"]}).encode(), asked).text()
    )
    assert again == track | {"same": True, "layers": {}, "lines": {}}
    dark = json.loads(answer("drawing", b'{"part": "ground", "theme": "dark"}', asked).text())
    assert (dark["ink"], dark["digest"] == ground["digest"]) == (THEMES["dark"].ink, False)
    with pytest.raises(QueryError, match="theme"):
        answer("drawing", b'{"part": "ground", "theme": "gold"}', asked)


def test_the_printed_page_is_drawn_by_a_warp_that_was_solved_and_no_other() -> None:
    asked = Asked(revision=0, live=live_of(SMALL))
    solved = json.loads(answer("page-warp", b"{}", asked).text())
    for step in solved["steps"]:
        assert len(step["frame"]) == 4
        assert {len(knot) for row in step["knots"] for knot in row} == {2}
    body = json.dumps({"part": "track", "warp": solved["digest"]}).encode()
    page = json.loads(answer("drawing", body, asked).text())
    plain = json.loads(answer("drawing", b'{"part": "track"}', asked).text())
    assert page["lines"].keys() == plain["lines"].keys()
    with pytest.raises(QueryError, match="laid out again"):
        answer("drawing", b'{"part": "track", "warp": "0123456789abcdef"}', asked)


def test_a_board_without_anything_on_it_is_drawn_as_its_page() -> None:
    empty = live_of(RailDocument())
    asked = Asked(revision=0, live=empty)
    ground = json.loads(answer("drawing", b'{"part": "ground"}', asked).text())
    assert ground["layers"]["ground"]["shapes"]
    track = json.loads(answer("drawing", b'{"part": "track"}', asked).text())
    assert track["layers"] == {"lines": {"paints": [], "shapes": []}, "symbols": {"paints": [], "shapes": []}}


def test_earlier_track_is_in_the_frame_of_the_page() -> None:
    live = live_of(SMALL)
    moved = read_command({"kind": "edit-city", "id": "city-1", "lon": -80.0, "lat": 40.0}).plan(SMALL)
    now = live.recompile(apply(SMALL, moved.patch))
    ghost = json.loads(answer("ghost", b"{}", Asked(revision=1, live=now, document_at=lambda _: SMALL)).text())
    assert ghost["lines"] == [[list(point) for point in segment.path] for segment in live.board.segments]
    assert len(ghost["dots"]) == len(live.board.mileposts)
