"""What is set on pages is kept by the program."""

from pathlib import Path

import pytest
from doors import door, let_in
from starlette.testclient import TestClient

from mapkit.editor.server.app import MOST, Settings, keep_settings, kept_settings, make_app
from mapkit.editor.server.hub import Hub
from mapkit.kinds.registry import open_session

DOOR = door(8131)
HOST = "http://127.0.0.1:8131"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAPKIT_STATE", str(tmp_path / "state"))
    return tmp_path / "state" / "editor" / "settings.json"


def test_settings_are_kept_beside_each_other(state: Path) -> None:
    assert kept_settings().kept == {}
    keep_settings(Settings(kept={"theme": "dark"}))
    keep_settings(Settings(kept={"pane": "400"}))
    assert kept_settings().kept == {"pane": "400", "theme": "dark"}
    assert state.parent.stat().st_mode & 0o077 == 0
    assert [file.name for file in state.parent.iterdir()] == ["settings.json"]


def test_a_broken_file_holds_nothing_and_what_changed_longest_ago_gives_way(state: Path) -> None:
    state.parent.mkdir(parents=True)
    state.write_text('{"kept": {"theme"', encoding="utf-8")
    assert kept_settings().kept == {}
    keep_settings(Settings(kept={f"n{k}": "" for k in range(MOST)}))
    keep_settings(Settings(kept={"n0": "again"}))
    keep_settings(Settings(kept={"more": ""}))
    kept = kept_settings().kept
    assert len(kept) == MOST
    assert "n1" not in kept
    assert list(kept)[-2:] == ["n0", "more"]
    # also where they are long
    for k in range(80):
        keep_settings(Settings(kept={f"long{k}": "\N{SNOWMAN}" * 8_000}))
    assert [name for name in kept_settings().kept if name.startswith("long")] == [f"long{k}" for k in range(18, 80)]


def test_pages_get_and_set_them_with_the_secret_alone(state: Path, example: Path, tmp_path: Path) -> None:
    app = make_app(Hub(open_session(example)), DOOR, static=tmp_path)
    with TestClient(app, base_url=HOST, headers={"origin": HOST}) as client:
        assert client.get("/api/settings").status_code == 403
        let_in(client, DOOR)
        assert client.post("/api/settings", json={"kept": {"theme": "dark"}}).status_code == 200
        assert client.get("/api/settings").json() == {"kept": {"theme": "dark"}}
        assert client.post("/api/settings", json={"kept": {"../x": "1"}}).status_code == 400
        assert client.post("/api/settings", json={"kept": {"x": "1" * 8001}}).status_code == 400
    assert state.is_file()
