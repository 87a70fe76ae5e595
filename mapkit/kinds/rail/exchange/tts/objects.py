"""Objects of a Tabletop Simulator save: the board with its snap points, decks, dice, pawns."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import shapely

from mapkit.core.base import Point
from mapkit.exchange.tabletop.objects import THICK, TOP, WHITE, TabletopObjects, snap_place
from mapkit.kinds.rail.exchange.board_picture import BoardPicture
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.sheets.chips import PLAYERS
from mapkit.kinds.rail.render.words import words_of

PAWN: Final = "pawn"
"""The tag of pieces that snap to mileposts, and of the points."""

APART: Final = 0.5
"""Units that neighbouring mileposts lie apart, so that a pawn of the usual size finds its own."""

_HALVES: Final = (22.0, 16.0)
"""Half the width and height, in units, of the board that leaves room for pieces on the game's table."""
_LEAST: Final = 6.0
_PAWN: Final = (0.3, 1.0)
_RED: Final = "#c8321f"
_GREEN: Final = "#2e7d3a"

_SIDES: Final = ((1, (-90, 0, 0)), (2, (0, 0, 0)), (3, (0, 0, -90)), (4, (0, 0, 90)), (5, (0, 0, 180)), (6, (90, 0, 0)))
"""How a six-sided die lies when it shows a number: opposite sides add up to 7."""


def nearest(spots: Sequence[Point]) -> float | None:
    """Return the least distance between two points; None if there are fewer than two."""
    if len(spots) < 2:  # noqa: PLR2004 - a pair
        return None
    points = shapely.points(sorted(set(spots)))
    if len(points) < len(spots):
        return 0.0
    _, distances = shapely.STRtree(points).query_nearest(points, exclusive=True, return_distance=True)
    return float(distances.min())


def board_scale(board: Board, gap: float | None, aspect: float) -> float:
    """Return the scale of the board's tile, which is half its height in units.

    Neighbouring mileposts lie `APART`, but the board is no larger than leaves room beside it on the game's table.
    """
    wanted = APART / max(gap, 1e-6) * board.page.height / 2 if gap is not None else _LEAST
    return round(min(max(wanted, _LEAST), _HALVES[1], _HALVES[0] / aspect), 4)


def pawn_scale(board: Board, gap: float | None, scale: float) -> float:
    """Return the scale of pawns, smaller where mileposts lie nearer than `APART`."""
    apart = APART if gap is None else gap / board.page.height * 2 * scale
    return round(min(max(apart / APART, _PAWN[0]), _PAWN[1]), 3)


def board_tile(
    table: TabletopObjects, board: Board, picture: BoardPicture, url: str, spots: Mapping[str, Point], scale: float
) -> Any:  # noqa: ANN401
    """Return the board: a tile that its picture fills, with a snap point for every milepost."""
    page, aspect = (board.page.width, board.page.height), picture.width / picture.height
    tile = table.thing(
        "Custom_Tile",
        "board",
        (0, TOP, 0),
        title=board.title,
        Locked=True,
        Tooltip=False,
        DragSelectable=False,
        CustomImage={
            "ImageURL": url,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": THICK, "Stackable": False, "Stretch": True},
        },
        AttachedSnapPoints=[
            {"Position": snap_place(*spots[milepost.id], page, aspect), "Tags": [PAWN]} for milepost in board.mileposts
        ],
    )
    tile["Transform"] |= {"scaleX": scale, "scaleY": 1, "scaleZ": scale}
    return tile


def dice(table: TabletopObjects, board: Board, left: float) -> list[Any]:
    """Return the dice: white ones to move, coloured ones for the bonus, and one that says odd or even.

    The last is a usual die whose sides have these names, so that pointing at it shows `odd` or `even`.
    """
    rules, words = board.rules, words_of(board)
    bonus = words("module.bonus_die")
    kinds = [(words("save.die"), WHITE)] * rules.movement.dice + [(bonus, _RED)] * rules.bonus.dice
    out = []
    for at, (title, colour) in enumerate(kinds):
        place = (left + 1.5 * (at % 3), TOP + 1, 8.0 - 1.5 * (at // 3))
        values = [{"Value": side, "Rotation": _turn(turn)} for side, turn in _SIDES]
        out.append(table.thing("Die_6", f"die/{at}", place, title=title, colour=colour, RotationValues=values))
    parity = [
        {"Value": words("module.odd" if side % 2 else "module.even"), "Rotation": _turn(turn)} for side, turn in _SIDES
    ]
    place = (left, TOP + 1, 8.0 - 1.5 * (-(-len(kinds) // 3)))
    out.append(
        table.thing("Die_6", "die/parity", place, title=words("module.parity"), colour=_GREEN, RotationValues=parity)
    )
    return out


def _turn(turn: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip("xyz", turn, strict=True))


def pawns(table: TabletopObjects, board: Board, left: float, scale: float) -> list[Any]:
    """Return for each player a pawn, a departure and a destination marker (RB-C17); they snap to mileposts."""
    words = words_of(board)
    out = []
    for player in range(board.rules.setup.max_players):
        for at, (kind, role) in enumerate(_PIECES):
            size = scale if kind == "PlayerPawn" else round(scale * 0.6, 3)
            place = (left + 1.5 * at, TOP + 1, -1.0 - 1.5 * player)
            name = words(f"save.{role}", player=player + 1)
            colour = PLAYERS[player % len(PLAYERS)]
            ident = f"piece/{role}/{player}"
            out.append(table.thing(kind, ident, place, title=name, scale=size, colour=colour, Tags=[PAWN]))
    return out


_PIECES: Final = (("PlayerPawn", "pawn"), ("BlockSquare", "departure"), ("BlockTriangle", "destination"))
