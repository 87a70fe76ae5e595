"""Plain data of a board for a Board Game Arena project."""

from collections.abc import Mapping, Sequence
from typing import Any

from mapkit.core.jsontext import to_plain
from mapkit.drawing.sheet import Sheet
from mapkit.exchange.card_grid import CardSet
from mapkit.kinds.rail.exchange.engine.lookup import whole_money
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout

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
