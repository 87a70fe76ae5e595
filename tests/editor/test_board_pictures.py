"""Pictures of boards on the editor's start page."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from doors import door, let_in
from PIL import Image
from starlette.testclient import TestClient

from mapkit.document.workspace import open_workspace, shipped_folder
from mapkit.editor.server.beginning import Beginning
from mapkit.editor.server.board_pictures import PICTURE_WIDTH, SHIPPED_PICTURES
from mapkit.press.raster import svg_to_png

DOOR = door(8126)
HOST = "http://127.0.0.1:8126"
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300mm" height="200mm" viewBox="0 0 300 200">'
    '<rect width="300" height="200" fill="#336699"/></svg>'
)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(Beginning(open_workspace(tmp_path), "", DOOR), base_url=HOST, headers={"origin": HOST}) as client:
        let_in(client, DOOR)
        yield client


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def test_each_shipped_board_has_its_picture(page: TestClient) -> None:
    boards = open_workspace(shipped_folder()).boards()
    assert sorted(file.stem for file in SHIPPED_PICTURES.glob("*.webp")) == list(boards)
    for board in boards:
        answer = page.get(f"/api/boards/{board}/picture")
        assert answer.headers["content-type"] == "image/webp"
        assert opened(answer.content).width == PICTURE_WIDTH


def test_pictures_of_shipped_boards_show_them_as_they_are_now() -> None:
    """Run `python tools/board_pictures.py` where this fails."""
    bundles = Path(__file__).resolve().parents[2] / "build"
    for board in ("ireland", "mexico-hex"):
        svg = (bundles / board / "board.svg").read_text(encoding="utf-8")
        now = opened(svg_to_png(svg, width=PICTURE_WIDTH))
        shown = opened((SHIPPED_PICTURES / f"{board}.webp").read_bytes())
        assert shown.size == now.size
        assert np.abs(np.asarray(shown, float) - np.asarray(now, float)).mean() < 6


def test_a_board_of_ones_own_is_shown_as_it_was_built(page: TestClient, tmp_path: Path) -> None:
    (tmp_path / "sources" / "usa").mkdir(parents=True)
    (tmp_path / "sources" / "usa" / "board.toml").write_text("", encoding="utf-8")
    (tmp_path / "build" / "usa").mkdir(parents=True)
    (tmp_path / "build" / "usa" / "board.svg").write_text(DRAWING, encoding="utf-8")
    answer = page.get("/api/boards/usa/picture")
    assert answer.headers["content-type"] == "image/png"
    assert opened(answer.content).size == (PICTURE_WIDTH, 214)
    assert opened(answer.content).getpixel((9, 9)) == (0x33, 0x66, 0x99)


@pytest.mark.parametrize("board", ["atlantis", "..%2Fusa", "mine"])
def test_a_board_without_a_picture_has_none(page: TestClient, tmp_path: Path, board: str) -> None:
    (tmp_path / "sources" / "mine").mkdir(parents=True)
    (tmp_path / "sources" / "mine" / "board.toml").write_text("", encoding="utf-8")
    assert page.get(f"/api/boards/{board}/picture").status_code == 404


def test_pictures_are_for_pages_that_were_let_in(tmp_path: Path) -> None:
    with TestClient(Beginning(open_workspace(tmp_path), "", DOOR), base_url=HOST) as stranger:
        assert stranger.get("/api/boards/usa/picture").status_code == 403
