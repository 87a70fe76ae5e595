"""What is kept of a picture is what would be made anew, and a new price or payoff draws nothing again."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import REPOSITORY

from mapkit.core.jsontext import json_text
from mapkit.core.kept import CACHE, OFF
from mapkit.kinds.rail.api.boards import plan_build
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render import layout, pictured
from mapkit.kinds.rail.render.board import add_names_to_map, draw_board, draw_map_below_names, render_board
from mapkit.kinds.rail.render.checks import CHECKS
from mapkit.kinds.rail.render.drawn_elements import with_drawn
from mapkit.kinds.rail.render.layout import clear_layout_cache

PAYOFF = ("charts/payoffs.csv", (("Albany,0,7.5", "Albany,0,8.5"), ("Boston,7.5", "Boston,8.5")))
PRICE = ("railroads.csv", (("8000", "9000"),))
ORDER = ("railroads.csv", (("9000", "11000"),))
CHANGES = (
    PAYOFF,
    PRICE,
    ORDER,
    ("railroads.csv", (("Shore Line", "Sea Line"),)),
    ("cities.csv", (("-71.0598", "-71.1598"),)),
    ("board.toml", (('"My board"', '"Our board"'),)),
    ("board.toml", (('"CC-BY-4.0"', '"CC0-1.0"'),)),
    ("board.toml", (('"Inland"', '"Hills"'),)),
)


def planned(example: Path) -> Mapping[str, str]:
    clear_layout_cache()
    return plan_build("example", workspace=example.parents[1], allow_errors=True).files


def change(example: Path, file: str, texts: tuple[tuple[str, str], ...]) -> None:
    text = (example / file).read_text(encoding="utf-8")
    for old, new in texts:
        assert old in text
        text = text.replace(old, new)
    (example / file).write_text(text, encoding="utf-8")


def test_a_changed_board_is_as_if_nothing_were_kept(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE.variable, str(tmp_path / "cache"))
    seen = [dict(planned(example))]
    for file, texts in CHANGES:
        change(example, file, texts)
        seen.append(dict(planned(example)))
        monkeypatch.setenv(CACHE.variable, OFF)
        assert planned(example) == seen[-1], texts
        monkeypatch.setenv(CACHE.variable, str(tmp_path / "cache"))
        assert seen[-1] != seen[-2]


@pytest.mark.parametrize(("file", "texts"), [PAYOFF, PRICE])
def test_a_new_price_or_payoff_draws_nothing_again(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, texts: tuple[tuple[str, str], ...]
) -> None:
    monkeypatch.setenv(CACHE.variable, str(tmp_path / "cache"))
    planned(example)
    change(example, file, texts)
    monkeypatch.setattr(layout, "_lay_out_lines", None)
    assert planned(example)


def test_every_check_of_the_drawing_is_run() -> None:
    assert [check.code for check in pictured.DRAWING] == [check.code for check in CHECKS]


def test_the_kept_stages_make_the_picture_and_the_board_file(tiny: Board) -> None:
    assert pictured.picture_of(tiny) == render_board(tiny)
    assert pictured.file_text(tiny) == json_text(with_drawn(tiny))


def test_names_are_put_into_a_map_drawn_before_they_are_placed() -> None:
    board = Board.model_validate_json((REPOSITORY / "build" / "portugal" / "board.json").read_text(encoding="utf-8"))
    below: list[str] = []
    clear_layout_cache()
    whole = layout.lay_out(
        board, grounded=lambda: below.append(draw_map_below_names(layout.lay_out(board, text=False)))
    )
    assert len(below) == 1
    assert "Lisboa</text>" not in below[0]
    assert add_names_to_map(below[0], whole) == draw_board(whole, legend=False).to_text()
    assert "Lisboa</text>" in add_names_to_map(below[0], whole)
