"""Stylesheet of a Board Game Arena project: the board, its places, railroads, and cards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.sheet import CARD
from mapkit.exchange.card_grid import CardGrid
from mapkit.exchange.php import php_string
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout

BOARD: Final = "img/board.png"
SHARP: Final = "img/board_hd.png"
_CARD_WIDTH_PX: Final = 126
"""Pixels that a card is wide until the project says otherwise."""


def stylesheet(
    board: Board,
    layout: Layout,
    size: tuple[int, int],
    grids: Mapping[str, Sequence[CardGrid]],
    cells: Mapping[str, Mapping[str, int]],
) -> str:
    """Return the stylesheet, with ids as the only names of elements.

    Args:
        board: The board.
        layout: Where it is drawn.
        size: Width and height of its picture in pixels.
        grids: Group of cards -> its pictures.
        cells: Group of cards -> card -> its cell through all pictures.
    """
    css_lines = [*_style_board(size), *_style_places(board, layout), *_style_colours(board)]
    for group, group_grids in grids.items():
        css_lines += _style_cards(group, group_grids, cells[group])
    return "\n".join(css_lines) + "\n"


def sheet_name(group: str, number: int) -> str:
    """Return the path of a picture of cards; the first has no number."""
    return f"img/{group}.png" if number == 0 else f"img/{group}_{number + 1}.png"


def _style_board(size: tuple[int, int]) -> Iterator[str]:
    yield "/* The board. Set --board-width on .mk-board to make it smaller; places on it are in percent. */"
    yield f".mk-board {{ position: relative; width: var(--board-width, {size[0]}px); max-width: 100%;"
    yield f"  aspect-ratio: {size[0]} / {size[1]}; background: url({php_string(BOARD)}) 0 0 / 100% 100% no-repeat; }}"
    yield "@media (min-resolution: 1.5dppx) {"
    yield f"  .mk-board {{ background-image: url({php_string(SHARP)}); }}"
    yield "}"
    yield ".mk-milepost, .mk-city { position: absolute; width: 1%; aspect-ratio: 1; transform: translate(-50%, -50%); }"
    yield ".mk-milepost { border-radius: 50%; }"


def _style_places(board: Board, layout: Layout) -> Iterator[str]:
    yield "/* Mileposts and the squares of cities. */"
    for milepost in board.mileposts:
        yield f"#milepost_{milepost.id} {{ {_css_position(layout.spots[milepost.id], board)} }}"
    for city in sorted(board.cities, key=lambda c: c.id):
        yield f"#city_{city.id} {{ {_css_position(layout.squares[city.id], board)} }}"


def _css_position(point: Point, board: Board) -> str:
    return f"left: {point[0] / board.page.width * 100:.3f}%; top: {point[1] / board.page.height * 100:.3f}%;"


def _style_colours(board: Board) -> Iterator[str]:
    yield "/* Colours. */"
    for region in board.regions:
        yield f".mk-region_{region.id} {{ background-color: {region.colour}; }}"
    for railroad in board.railroads:
        yield f".mk-railroad_{railroad.id} {{ background-color: {railroad.style.colour}; }}"


def _style_cards(group: str, pictures: Sequence[CardGrid], cells: Mapping[str, int]) -> Iterator[str]:
    yield f"/* Cards: {group}. */"
    yield f".mk-{group} {{ width: {_CARD_WIDTH_PX}px; aspect-ratio: {CARD[0]:g} / {CARD[1]:g}; }}"
    yield f".mk-{group}-back {{ background: url({php_string(f'img/{group}_back.png')}) 0 0 / 100% 100% no-repeat; }}"
    for card, running_cell in cells.items():
        grid_index, grid_cell = 0, running_cell
        while grid_cell >= pictures[grid_index].columns * pictures[grid_index].rows:
            grid_cell -= pictures[grid_index].columns * pictures[grid_index].rows
            grid_index += 1
        grid = pictures[grid_index]
        row, column = divmod(grid_cell, grid.columns)
        position_percent = f"{column / (grid.columns - 1) * 100:.4g}% {row / (grid.rows - 1) * 100:.4g}%"
        size_percent = f"{grid.columns * 100}% {grid.rows * 100}%"
        yield (
            f".mk-{group}_{card} {{ background: url({php_string(sheet_name(group, grid_index))}) "
            f"{position_percent} / {size_percent}; }}"
        )
