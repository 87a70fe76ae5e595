"""Modules of hexagon boards, opened by VASSAL's own engine."""

from pathlib import Path

import pytest
from conftest import REPOSITORY
from vassal_engine import answers, engine_classpath

from mapkit.kinds.hex.exchange.vassal.format import board_dpi, module_bytes
from mapkit.kinds.hex.grid.grid import HexGrid, Offset
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.render.words import hex_words

pytestmark = pytest.mark.slow


def shipped() -> HexBoard:
    text = (REPOSITORY / "build" / "portugal-hex" / "board.json").read_text(encoding="utf-8")
    return HexBoard.model_validate_json(text)


def small(offset: Offset, labels: str) -> HexBoard:
    grid = HexGrid(offset=offset, columns=4, rows=4, size_mm=22.0).model_dump() | {"labels": labels}
    cubes = HexGrid.model_validate(grid)
    hexes = [{"id": cubes.hex_id(cube), "terrain": "plains", "label": cubes.label(cube)} for cube in cubes.cubes]
    base = {"id": "small", "title": "Small", "terrains": [one.model_dump() for one in shipped().terrains]}
    return HexBoard.model_validate({**base, "grid": grid, "hexes": hexes})


def places(board: HexBoard) -> dict[str, tuple[int, int]]:
    """Return hexagon -> its pixel in the module's picture."""
    sheet, scale = lay_out_sheet(board), board_dpi(board) / 25.4
    centres = {board.grid.hex_id(cube): sheet.centre(cube) for cube in board.grid.cubes}
    return {name: (round(x * scale), round(y * scale)) for name, (x, y) in centres.items()}


@pytest.mark.parametrize(("offset", "labels"), [("odd-q", "A1"), ("even-q", "none"), ("odd-r", "1A"), ("even-r", "A1")])
def test_the_engine_snaps_to_hexagons_and_calls_them_as_they_are_printed(
    offset: Offset, labels: str, tmp_path: Path
) -> None:
    board = small(offset, labels)
    on, spots = hex_words()("module.board"), places(board)
    drops = [[on, x + 5, y - 4] for x, y in spots.values()]
    said = {"cards": hex_words()("module.supply")}
    found = answers(engine_classpath(), module_bytes(board), tmp_path, drops=drops, said=said)
    for hexagon, (x, y, name, _) in zip(board.hexes, found["drops"], strict=True):
        assert (x, y) == pytest.approx(spots[hexagon.id], abs=1.5), hexagon.id
        assert name == (hexagon.label or hexagon.id)


def test_the_engine_finds_cards_cubes_and_pieces(tmp_path: Path) -> None:
    board, words = shipped(), hex_words()
    found = answers(
        engine_classpath(), module_bytes(board), tmp_path, said={"cards": words("module.supply")}, shots=str(tmp_path)
    )
    piles = found["pieces"][words("module.supply")]
    assert {name: len(held) for name, held in piles.items()} == {
        words("module.operations"): sum(card.count for card in board.operations),
        words("module.baron"): 6,
        words("module.engine"): 32,
        words("module.bond"): 60,
        words("module.bag"): 125,
    }
    assert found["name"] == "Portugal"
    assert found["seats"][:4] == ["orange", "green", "white", "brown"]
    palette = [row for row in found["slots"] if row[0] == "ListWidget"]
    assert len(palette) == len(board.components) - 2 + 4 - 1, "no bonds and engines; a token for each player"
    assert (tmp_path / "Supply.bmp").is_file()
