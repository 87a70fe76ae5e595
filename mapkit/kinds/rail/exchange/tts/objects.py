"""Objects of a Tabletop Simulator save: the board with its snap points, decks, dice, pawns."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import shapely

from mapkit.core.base import Point
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.exchange.board_picture import BoardPicture
from mapkit.kinds.rail.exchange.card_grid import CardSet
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
_TOP: Final = 1.06
_THICK: Final = 0.1
_WHITE: Final = "#ffffff"
_RED: Final = "#c8321f"
_GREEN: Final = "#2e7d3a"

_SIDES: Final = ((1, (-90, 0, 0)), (2, (0, 0, 0)), (3, (0, 0, -90)), (4, (0, 0, 90)), (5, (0, 0, 180)), (6, (90, 0, 0)))
"""How a six-sided die lies when it shows a number: opposite sides add up to 7."""


class TabletopObjects:
    """Objects with ids of six hex digits: unique, and the same for the same board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._taken: set[str] = set()

    def thing(
        self,
        kind: str,
        role: str,
        at: tuple[float, float, float],
        *,
        title: str = "",
        scale: float = 1.0,
        colour: str = _WHITE,
        **more: Any,  # noqa: ANN401 - JSON
    ) -> dict[str, Any]:
        """Return an object that lies upright for seat White.

        Args:
            kind: Its type.
            role: What it is on this table, unique; its id follows from it.
            at: x, y, z in units.
            title: What players see.
        group: Of the sheets; what it is called in the save's identifiers.
            scale: Of all three sides.
            colour: `#rrggbb`.
            more: Other keys, which stand before those given here.
        """
        return {
            "GUID": self._guid(role),
            "Name": kind,
            "Transform": {
                **dict(zip(("posX", "posY", "posZ"), (round(value, 4) for value in at), strict=True)),
                "rotX": 0,
                "rotY": 180,
                "rotZ": 0,
                **dict.fromkeys(("scaleX", "scaleY", "scaleZ"), scale),
            },
            "Nickname": title,
            "Description": "",
            "GMNotes": "",
            "ColorDiffuse": rgb(colour),
            "Tags": [],
            "Locked": False,
            "Grid": False,
            "Snap": True,
            "Autoraise": True,
            "Sticky": True,
            "Tooltip": True,
            "GridProjection": False,
            "DragSelectable": True,
            "HideWhenFaceDown": False,
            "Hands": False,
            "LuaScript": "",
            "LuaScriptState": "",
            "XmlUI": "",
            **more,
        }

    def _guid(self, role: str) -> str:
        turn = 0
        while True:
            guid = hashlib.sha256(f"{self.board.id}/{role}/{turn}".encode()).hexdigest()[:6]
            if guid not in self._taken:
                self._taken.add(guid)
                return guid
            turn += 1


def rgb(colour: str) -> dict[str, float]:
    """Return `#rrggbb` as shares from 0 to 1."""
    return {key: round(int(colour[at : at + 2], 16) / 255, 4) for key, at in (("r", 1), ("g", 3), ("b", 5))}


def snap_place(x: float, y: float, page: tuple[float, float], aspect: float) -> dict[str, float]:
    """Return where a point of the picture lies in the tile's own frame.

    Args:
        x: From the left edge of the page.
        y: From its top edge.
        page: Width and height of the page, in the unit of `x` and `y`.
        aspect: Width of the picture by its height.
    """
    return {
        "x": round(-(2 * x / page[0] - 1) * aspect, 5) + 0.0,
        "y": _THICK,
        "z": round(2 * y / page[1] - 1, 5) + 0.0,
    }


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
    table: TabletopObjects, picture: BoardPicture, url: str, spots: Mapping[str, Point], scale: float
) -> Any:  # noqa: ANN401
    """Return the board: a tile that its picture fills, with a snap point for every milepost."""
    board = table.board
    page, aspect = (board.page.width, board.page.height), picture.width / picture.height
    tile = table.thing(
        "Custom_Tile",
        "board",
        (0, _TOP, 0),
        title=board.title,
        Locked=True,
        Tooltip=False,
        DragSelectable=False,
        CustomImage={
            "ImageURL": url,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": _THICK, "Stackable": False, "Stretch": True},
        },
        AttachedSnapPoints=[
            {"Position": snap_place(*spots[milepost.id], page, aspect), "Tags": [PAWN]} for milepost in board.mileposts
        ],
    )
    tile["Transform"] |= {"scaleX": scale, "scaleY": 1, "scaleZ": scale}
    return tile


@dataclass(frozen=True)
class Deck:
    """Cards that lie on each other.

    Attributes:
        title: What players see.
        group: Of the sheets; what it is called in the save's identifiers.
        cards: From the top.
        pictures: Of the cards.
        urls: Addresses of the pictures' grids.
        back: Address of the back.
        key: Number of the first grid among all of the save, from 1.
    """

    title: str
    group: str
    cards: Sequence[Sheet]
    pictures: CardSet
    urls: Sequence[str]
    back: str
    key: int


def deck(table: TabletopObjects, given: Deck, at: tuple[float, float, float]) -> Any:  # noqa: ANN401 - JSON
    """Return a deck, face up, or a card if it is the only one."""
    pictures, key = given.pictures, given.key
    sheets = {
        str(key + number): {
            "FaceURL": url,
            "BackURL": given.back,
            "NumWidth": grid.columns,
            "NumHeight": grid.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
        for number, (grid, url) in enumerate(zip(pictures.grids, given.urls, strict=True))
    }
    ids = [100 * (key + grid) + cell for grid, cell in pictures.places]
    single = [
        table.thing(
            "Card",
            f"card/{card.id}",
            at,
            title=card.title.partition(": ")[2] or card.title,
            Hands=True,
            CardID=ident,
            CustomDeck={str(key + grid): sheets[str(key + grid)]},
        )
        for card, ident, (grid, _) in zip(given.cards, ids, pictures.places, strict=True)
    ]
    if len(single) == 1:
        return single[0]
    return table.thing(
        "DeckCustom",
        f"deck/{given.group}",
        at,
        title=given.title,
        DeckIDs=ids,
        CustomDeck=sheets,
        ContainedObjects=single,
    )


def dice(table: TabletopObjects, left: float) -> list[Any]:
    """Return the dice: white ones to move, coloured ones for the bonus, and one that says odd or even.

    The last is a usual die whose sides have these names, so that pointing at it shows `odd` or `even`.
    """
    rules = table.board.rules
    words = words_of(table.board)
    bonus = words("module.bonus_die")
    kinds = [(words("save.die"), _WHITE)] * rules.movement.dice + [(bonus, _RED)] * rules.bonus.dice
    out = []
    for at, (title, colour) in enumerate(kinds):
        place = (left + 1.5 * (at % 3), _TOP + 1, 8.0 - 1.5 * (at // 3))
        values = [{"Value": side, "Rotation": _turn(turn)} for side, turn in _SIDES]
        out.append(table.thing("Die_6", f"die/{at}", place, title=title, colour=colour, RotationValues=values))
    parity = [
        {"Value": words("module.odd" if side % 2 else "module.even"), "Rotation": _turn(turn)} for side, turn in _SIDES
    ]
    place = (left, _TOP + 1, 8.0 - 1.5 * (-(-len(kinds) // 3)))
    out.append(
        table.thing("Die_6", "die/parity", place, title=words("module.parity"), colour=_GREEN, RotationValues=parity)
    )
    return out


def _turn(turn: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip("xyz", turn, strict=True))


def pawns(table: TabletopObjects, left: float, scale: float) -> list[Any]:
    """Return for each player a pawn, a departure and a destination marker (RB-C17); they snap to mileposts."""
    words = words_of(table.board)
    out = []
    for player in range(table.board.rules.setup.max_players):
        for at, (kind, role) in enumerate(_PIECES):
            size = scale if kind == "PlayerPawn" else round(scale * 0.6, 3)
            place = (left + 1.5 * at, _TOP + 1, -1.0 - 1.5 * player)
            name = words(f"save.{role}", player=player + 1)
            colour = PLAYERS[player % len(PLAYERS)]
            ident = f"piece/{role}/{player}"
            out.append(table.thing(kind, ident, place, title=name, scale=size, colour=colour, Tags=[PAWN]))
    return out


_PIECES: Final = (("PlayerPawn", "pawn"), ("BlockSquare", "departure"), ("BlockTriangle", "destination"))
