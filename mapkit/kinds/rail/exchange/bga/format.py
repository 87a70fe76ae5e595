"""Board Game Arena: data, styles and pictures for a studio project."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mapkit.core.base import Point
from mapkit.core.jsontext import json_text, to_plain
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.exchange.card_grid import LONGEST, CardGrid, CardSet, draw_card_set
from mapkit.exchange.php import php_file, php_string, trait_file
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.exchange.board_picture import board_picture, card_sheets
from mapkit.kinds.rail.exchange.engine.lookup import whole_money
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout, lay_out

# Plain data of a board for a Board Game Arena project.

Data = dict[str, Any]


def project_variables(
    board: Board, layout: Layout, size: tuple[int, int], cards: Mapping[str, Mapping[str, int]]
) -> Data:
    """Return the PHP variables of a project by name, as plain data.

    Args:
        board: The board.
        layout: Where it is drawn.
        size: Width and height of its picture in pixels.
        cards: Group of cards -> card -> its cell in the picture of the group.
    """
    return {
        "board": {
            "id": board.id,
            "title": board.title,
            "variants": list(board.variants),
            "width": size[0],
            "height": size[1],
            "currency": board.units.currency,
            "symbol": board.units.symbol,
        },
        "regions": {r.id: {"name": r.name, "short": r.short, "colour": r.colour} for r in board.regions},
        "railroads": {
            r.id: {
                "name": r.name,
                "short": r.short,
                "price": r.price,
                "public": r.public,
                "colour": r.style.colour,
                "pattern": r.style.pattern,
            }
            for r in board.railroads
        },
        "cities": {
            c.id: {
                "name": c.name,
                "region": c.region,
                "milepost": c.milepost,
                **_pixel_position(layout.squares[c.id], board, size),
            }
            for c in board.cities
        },
        "mileposts": {
            m.id: {"name": m.name, "kind": m.kind, **_pixel_position(layout.spots[m.id], board, size)}
            for m in board.mileposts
        },
        "segments": {
            s.id: {"railroad": s.railroad, "a": s.a, "b": s.b, "pieces": list(s.pieces)} for s in board.segments
        },
        "destinations": {
            chart_name: {"odd": dict(chart.odd), "even": dict(chart.even)}
            for chart_name, chart in board.destinations.items()
        },
        "payoffs": payoffs_by_city(board),
        "rules": to_plain(board.rules),
        "cards": {group: dict(cell_by_card) for group, cell_by_card in cards.items()},
    }


def payoffs_by_city(board: Board) -> dict[str, dict[str, int | float]]:
    """Return payoffs in whole money by city and city, without missing cells and the diagonal."""
    city_order = board.payoffs.cities
    return {
        a: {
            b: amount
            for b, thousands in zip(city_order, payoff_row, strict=True)
            if b != a and (amount := whole_money(board, thousands)) is not None
        }
        for a, payoff_row in zip(city_order, board.payoffs.thousands, strict=True)
    }


def card_cells(cards: Sequence[Sheet], pictures: CardSet) -> dict[str, int]:
    """Return the cell of each card (id without the group), counted from 0 through all pictures of the group.

    Copies of a card share a cell; they have one entry, without their number.
    """
    cell_by_card: dict[str, int] = {}
    cells_before = [0]
    for grid in pictures.grids:
        cells_before.append(cells_before[-1] + grid.columns * grid.rows)
    for card, (grid_number, cell) in zip(cards, pictures.places, strict=True):
        group, _, card_name = card.id.partition("-")
        cell_by_card.setdefault(
            card_name.rpartition("-")[0] if group == "engine" else card_name, cells_before[grid_number] + cell
        )
    return cell_by_card


def _pixel_position(point: tuple[float, float], board: Board, size: tuple[int, int]) -> dict[str, float]:
    """Return the position of a point on the picture in pixels."""
    x, y = point
    return {"x": round(x / board.page.width * size[0], 2), "y": round(y / board.page.height * size[1], 2)}


# Stylesheet of a Board Game Arena project: the board, its places, railroads, and cards.

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


LOSSES: Final = (
    "the course of lines between mileposts, except in the drawing",
    "longitudes, latitudes, the projection and miles",
    "places of junctions",
    "extensions and provenance",
)
GROUPS: Final = ("deeds", "engines")
JSON: Final = "modules/php/material.json"
PHP: Final = "material.inc.php"
TRAIT: Final = "modules/php/MapMaterial.php"
CSS: Final = "board.css"


class BoardGameArenaFormat:
    """Files for the folder of a studio project."""

    name = "bga"
    title = "Board Game Arena studio files"
    suffixes = (".inc.php",)
    carries = (
        "mileposts, segments, railroads, cities, regions, both kinds of charts and the rules as JSON and as PHP "
        "arrays; the drawn board, deeds and engines as pictures; CSS with the place of everything"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:  # noqa: ARG002 - all exports take options
        """Return data in both shapes, a stylesheet, and pictures.

        Raises:
            PrintError: The board cannot be drawn.
        """
        layout = lay_out(board)
        normal_picture, sharp_picture = board_picture(board, LONGEST // 2), board_picture(board, LONGEST)
        picture_size = (normal_picture.width, normal_picture.height)
        files: dict[str, str | bytes] = {BOARD: normal_picture.png, SHARP: sharp_picture.png}
        grids_by_group: dict[str, tuple[CardGrid, ...]] = {}
        cells_by_group: dict[str, dict[str, int]] = {}
        for group in GROUPS:
            group_cards = card_sheets(board, group)
            if group_cards:
                card_pictures = draw_card_set(group_cards)
                grids_by_group[group], cells_by_group[group] = (
                    card_pictures.grids,
                    card_cells(group_cards, card_pictures),
                )
                files |= {
                    sheet_name(group, grid_number): grid.png for grid_number, grid in enumerate(card_pictures.grids)
                }
                files[f"img/{group}_back.png"] = card_pictures.back
        php_data = project_variables(board, layout, picture_size, cells_by_group)
        files[JSON] = json_text(php_data)
        files[PHP] = php_file(php_data)
        files[TRAIT] = trait_file(php_data)
        files[CSS] = stylesheet(board, layout, picture_size, grids_by_group, cells_by_group)
        return ExportedBoard(files, LOSSES)


FORMAT = BoardGameArenaFormat()
