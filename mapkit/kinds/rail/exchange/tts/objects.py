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
"""Tag of pieces that snap to mileposts, and of the snap points."""

APART: Final = 0.5
"""Distance of neighbouring mileposts in units, enough for a pawn of the usual size to snap to the right one."""

_MAX_HALF_SIZE: Final = (22.0, 16.0)
"""Half the width and height, in units, of the largest board that leaves room for pieces on the game's table."""
_MIN_SCALE: Final = 6.0
_PAWN_SCALES: Final = (0.3, 1.0)
_RED: Final = "#c8321f"
_GREEN: Final = "#2e7d3a"

_SIDE_ROTATIONS: Final = (
    (1, (-90, 0, 0)),
    (2, (0, 0, 0)),
    (3, (0, 0, -90)),
    (4, (0, 0, 90)),
    (5, (0, 0, 180)),
    (6, (90, 0, 0)),
)
"""Rotation of a six-sided die for each number on top; opposite sides add up to 7."""


def least_distance(spots: Sequence[Point]) -> float | None:
    """Return the least distance between two points; None for fewer than two."""
    if len(spots) < 2:  # noqa: PLR2004 - a pair
        return None
    distinct_points = shapely.points(sorted(set(spots)))
    if len(distinct_points) < len(spots):
        return 0.0
    _, distances = shapely.STRtree(distinct_points).query_nearest(distinct_points, exclusive=True, return_distance=True)
    return float(distances.min())


def board_scale(board: Board, gap: float | None, aspect: float) -> float:
    """Return the scale of the board's tile, half its height in units.

    Neighbouring mileposts are `APART` units apart, unless the board would leave no room beside it on the game's table.
    """
    wanted_scale = APART / max(gap, 1e-6) * board.page.height / 2 if gap is not None else _MIN_SCALE
    return round(min(max(wanted_scale, _MIN_SCALE), _MAX_HALF_SIZE[1], _MAX_HALF_SIZE[0] / aspect), 4)


def pawn_scale(board: Board, gap: float | None, scale: float) -> float:
    """Return the scale of pawns, smaller if mileposts are closer than `APART`."""
    milepost_gap = APART if gap is None else gap / board.page.height * 2 * scale
    return round(min(max(milepost_gap / APART, _PAWN_SCALES[0]), _PAWN_SCALES[1]), 3)


def board_tile(
    table: TabletopObjects, board: Board, picture: BoardPicture, url: str, spots: Mapping[str, Point], scale: float
) -> Any:  # noqa: ANN401
    """Return the tile of the board with its picture and a snap point for every milepost."""
    page_size, aspect = (board.page.width, board.page.height), picture.width / picture.height
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
            {"Position": snap_place(*spots[milepost.id], page_size, aspect), "Tags": [PAWN]}
            for milepost in board.mileposts
        ],
    )
    tile["Transform"] |= {"scaleX": scale, "scaleY": 1, "scaleZ": scale}
    return tile


def make_dice(table: TabletopObjects, board: Board, left: float) -> list[Any]:
    """Return the dice: white ones to move, coloured ones for the bonus, and one for odd and even.

    The last die is a usual one with these names on its sides, so that pointing at it shows `odd` or `even`.
    """
    rules, words = board.rules, words_of(board)
    bonus_title = words("module.bonus_die")
    die_kinds = [(words("save.die"), WHITE)] * rules.movement.dice + [(bonus_title, _RED)] * rules.bonus.dice
    die_objects = []
    for die_number, (die_title, colour) in enumerate(die_kinds):
        die_place = (left + 1.5 * (die_number % 3), TOP + 1, 8.0 - 1.5 * (die_number // 3))
        side_values = [{"Value": side, "Rotation": _rotation(turn)} for side, turn in _SIDE_ROTATIONS]
        die_objects.append(
            table.thing(
                "Die_6", f"die/{die_number}", die_place, title=die_title, colour=colour, RotationValues=side_values
            )
        )
    parity_values = [
        {"Value": words("module.odd" if side % 2 else "module.even"), "Rotation": _rotation(turn)}
        for side, turn in _SIDE_ROTATIONS
    ]
    die_place = (left, TOP + 1, 8.0 - 1.5 * (-(-len(die_kinds) // 3)))
    die_objects.append(
        table.thing(
            "Die_6", "die/parity", die_place, title=words("module.parity"), colour=_GREEN, RotationValues=parity_values
        )
    )
    return die_objects


def _rotation(turn: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip("xyz", turn, strict=True))


def make_pawns(table: TabletopObjects, board: Board, left: float, scale: float) -> list[Any]:
    """Return a pawn, a departure and a destination marker for each player (RB-C17); they snap to mileposts."""
    words = words_of(board)
    piece_objects = []
    for player in range(board.rules.setup.max_players):
        for piece_number, (object_type, role) in enumerate(_PLAYER_PIECES):
            piece_scale = scale if object_type == "PlayerPawn" else round(scale * 0.6, 3)
            piece_place = (left + 1.5 * piece_number, TOP + 1, -1.0 - 1.5 * player)
            piece_name = words(f"save.{role}", player=player + 1)
            colour = PLAYERS[player % len(PLAYERS)]
            piece_id = f"piece/{role}/{player}"
            piece_objects.append(
                table.thing(
                    object_type, piece_id, piece_place, title=piece_name, scale=piece_scale, colour=colour, Tags=[PAWN]
                )
            )
    return piece_objects


_PLAYER_PIECES: Final = (("PlayerPawn", "pawn"), ("BlockSquare", "departure"), ("BlockTriangle", "destination"))
