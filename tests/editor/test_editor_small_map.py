"""The map on which the region of a draft is drawn: a part of the world, as fine as it is shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from doors import door, let_in
from starlette.testclient import TestClient

from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.rail.serving.drafting import SmallMap, small_map
from mapkit.kinds.registry import open_session

DOOR = door(8127)
HOST = "http://127.0.0.1:8127"


@pytest.fixture
def client(example: Path, tmp_path: Path) -> Iterator[TestClient]:
    app = make_app(Hub(open_session(example)), DOOR, static=tmp_path)
    with TestClient(app, base_url=HOST, headers={"origin": HOST}) as client:
        let_in(client, DOOR)
        yield client


def corners(path: str) -> list[tuple[float, float]]:
    """Return the corners of a path, longitude and latitude."""
    return [(float(x), -float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]


def test_the_closer_the_finer() -> None:
    """Of Crete, more corners the closer it is looked at, none of them far from the part that is shown."""
    counts = []
    for width in (360.0, 60.0, 8.0):
        height = width * 145 / 360
        found = small_map(max(25 - width / 2, -180.0), 35.2 + height / 2, width, height)
        crete = [(x, y) for x, y in corners(found.land) if 23.4 < x < 26.4 and 34.8 < y < 35.7]
        counts.append(len(crete))
        if width == 8:
            assert all(
                25 - width <= x <= 25 + width and 35.2 - height <= y <= 35.2 + height for x, y in corners(found.land)
            )
    assert counts == sorted(set(counts))
    assert counts[-1] > 60


def test_borders_and_lakes_are_on_it() -> None:
    found = small_map(5.0, 48.5, 8.0, 4.0)
    assert any(abs(x - 6.5) < 0.3 and abs(y - 46.45) < 0.15 for x, y in corners(found.lakes))  # the lake of Geneva
    assert any(abs(x - 7.6) < 0.2 and abs(y - 47.6) < 0.1 for x, y in corners(found.borders))  # Basel


def test_a_page_asks_for_what_it_shows(client: TestClient) -> None:
    asked = {"west": 20, "north": 42, "width": 8, "height": 3.2}
    answer = client.get("/api/drafts/map", params=asked)
    assert answer.status_code == 200
    assert SmallMap.model_validate(answer.json()) == small_map(20.0, 42.0, 8.0, 3.2)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"west": "here", "north": 42, "width": 8, "height": 3},
        {"west": 20, "north": 42, "width": 0, "height": 3},
        {"west": 20, "north": 42, "width": 361, "height": 3},
        {"west": 181, "north": 42, "width": 8, "height": 3},
        {"west": 20, "north": "nan", "width": 8, "height": 3},
    ],
)
def test_what_is_no_part_of_the_world_is_refused(client: TestClient, asked: dict[str, object]) -> None:
    answer = client.get("/api/drafts/map", params=asked)  # type: ignore[arg-type]
    assert answer.status_code == 400
    assert "a map takes west, north, width and height in degrees" in answer.text
