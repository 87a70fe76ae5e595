"""`mapkit find-dots`: the dots and squares of a picture, and what it refuses."""

import json
from pathlib import Path

import pytest
from conftest import Run
from PIL import Image
from scanned import DOT, SPOTS, SQUARE, SQUARES, drawn

import mapkit


@pytest.fixture(autouse=True)
def _picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Image.fromarray(drawn()).save("old.png")
    Image.new("RGB", (300, 200), "#f5f1e6").save("plain.png")


def test_every_dot_and_square_is_found_where_it_is(run: Run) -> None:
    ran = run("find-dots", "old.png", "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["width"], found["height"]) == (520, 400)
    assert found["dot_width"] == pytest.approx(2 * DOT, abs=0.5)
    assert found["square_width"] == pytest.approx(2 * SQUARE, abs=0.5)
    seen = {(s["kind"], round(s["x"] + 0.5), round(s["y"] + 0.5)) for s in found["symbols"]}
    assert seen == {("square" if name in SQUARES else "dot", x, y) for name, (x, y) in SPOTS.items()}


def test_they_are_listed_from_top_to_bottom(run: Run) -> None:
    ran = run("find-dots", "old.png", "--symbols", "#1b1b1b")
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines()]
    assert rows[0] == ["kind", "x", "y", "width", "sure"]
    assert [row[0] for row in rows[1:]] == ["square", "dot", "square", "dot", "dot", "dot", "square", "dot"]
    assert "old.png: 5 dots, 3 squares of colour #1b1b1b" in ran.err


def test_a_picture_without_them_is_refused_with_what_it_shows(run: Run) -> None:
    ran = run("find-dots", "plain.png")
    assert ran.code == 1
    assert "plain.png: no board found in this picture: 0 dots and squares of colour" in ran.err
    assert "Seen: 300 by 200 pixels, 100% #f5f1e6" in ran.err
    assert run("find-dots", "old.png", "--symbols", "black").code == 1
    assert run("find-dots", "none.png").code == 1


def test_it_can_be_called_from_python() -> None:
    assert [symbol.kind for symbol in mapkit.find_dots("old.png").symbols].count("square") == 3
