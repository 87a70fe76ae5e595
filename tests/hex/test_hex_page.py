"""A board of hexagons in the editor: what its page gets, and an edit that brings its drawing and findings."""

import re
from pathlib import Path
from typing import Any

from doors import door, let_in, line
from starlette.testclient import TestClient

from mapkit.document.workspace import Workspace
from mapkit.editor.server.app import make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.registry import open_session
from mapkit.kinds.starting import new_board

FIR = re.compile(r'data-city="fir"[^>]*data-colours="([^"]*)"')
HOST = "http://127.0.0.1:8124"
OWN = {"origin": HOST}
DOOR = door(8124)


def test_the_editor_shows_and_changes_a_board_of_hexagons(tmp_path: Path) -> None:
    folder = new_board(Workspace(tmp_path), "valleys", kind="hex")
    with TestClient(make_app(Hub(open_session(folder)), DOOR), base_url=HOST) as client:
        let_in(client, DOOR)
        with line(client, DOOR) as spoken:
            hello = spoken.receive_json()
            assert (hello["type"], hello["kind"], hello["title"]) == ("hello", "hex", "Valleys")
            assert hello["view"]["grid"]["columns"] == 10
            assert {"plains", "mountain"} <= {one["id"] for one in hello["view"]["terrains"]}
            assert "hexes" in hello["view"]["fields"]
            command = {"kind": "recolour-city", "id": "fir", "colours": ["black"]}
            spoken.send_json({"type": "do", "id": "1", "seen": 0, "command": command})
            heard: dict[str, Any] = {}
            while not {"changed", "done"} <= heard.keys() or not codes(heard) >= {"H10"}:
                message = spoken.receive_json()
                heard[message["type"]] = message
            picture = client.post("/api/ask/picture", json={"theme": "dark"}, headers=OWN).json()["svg"]
            saved = client.post("/api/ask/picture", json={"at": "saved"}, headers=OWN).json()["svg"]
            way = client.post("/api/ask/way", json={"a": "fir", "b": "alder"}, headers=OWN).json()
            wrong = client.post("/api/ask/way", json={"a": "fir", "b": "nowhere"}, headers=OWN)
    assert heard["changed"]["view"] == {}
    assert [FIR.findall(svg) for svg in (picture, saved)] == [["black"], ["purple"]]
    assert (way["cost"] > 0, len(way["hexes"])) == (True, way["tiles"])
    assert (wrong.status_code, "'nowhere' is not a city" in wrong.json()["message"]) == (400, True)


def codes(heard: dict[str, Any]) -> set[str]:
    return {one["id"].partition(":")[0] for one in heard.get("findings", {}).get("findings", ())}
