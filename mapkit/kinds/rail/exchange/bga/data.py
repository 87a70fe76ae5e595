"""What a Board Game Arena project needs to know of a board, as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from mapkit.core.jsontext import to_plain
from mapkit.drawing.sheet import Sheet
from mapkit.exchange.card_grid import CardSet
from mapkit.kinds.rail.exchange.engine.lookup import amount_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout

Data = dict[str, Any]


def material(board: Board, layout: Layout, size: tuple[int, int], cards: Mapping[str, Mapping[str, int]]) -> Data:
    """Return everything: names of the PHP variables -> what they hold.

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
            c.id: {"name": c.name, "region": c.region, "milepost": c.milepost, **_at(layout.squares[c.id], board, size)}
            for c in board.cities
        },
        "mileposts": {
            m.id: {"name": m.name, "kind": m.kind, **_at(layout.spots[m.id], board, size)} for m in board.mileposts
        },
        "segments": {
            s.id: {"railroad": s.railroad, "a": s.a, "b": s.b, "pieces": list(s.pieces)} for s in board.segments
        },
        "destinations": {
            name: {"odd": dict(chart.odd), "even": dict(chart.even)} for name, chart in board.destinations.items()
        },
        "payoffs": payoffs(board),
        "rules": to_plain(board.rules),
        "cards": {group: dict(places) for group, places in cards.items()},
    }


def payoffs(board: Board) -> dict[str, dict[str, int | float]]:
    """Return city -> city -> whole money, as the chart has it, without missing cells and a city's own."""
    order = board.payoffs.cities
    return {
        a: {
            b: amount
            for b, value in zip(order, row, strict=True)
            if b != a and (amount := amount_of(board, value)) is not None
        }
        for a, row in zip(order, board.payoffs.thousands, strict=True)
    }


def card_cells(cards: Sequence[Sheet], pictures: CardSet) -> dict[str, int]:
    """Return card (its id without the group) -> its cell, counted from 0 through all pictures of the group.

    Copies of a card share a cell and stand once, without their number.
    """
    out: dict[str, int] = {}
    before = [0]
    for grid in pictures.grids:
        before.append(before[-1] + grid.columns * grid.rows)
    for card, (number, cell) in zip(cards, pictures.places, strict=True):
        group, _, name = card.id.partition("-")
        out.setdefault(name.rpartition("-")[0] if group == "engine" else name, before[number] + cell)
    return out


def _at(point: tuple[float, float], board: Board, size: tuple[int, int]) -> dict[str, float]:
    """Return a place on the picture in pixels."""
    x, y = point
    return {"x": round(x / board.page.width * size[0], 2), "y": round(y / board.page.height * size[1], 2)}
