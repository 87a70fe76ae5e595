"""Tabletop Simulator: a save with the board, cards, the goods bag and bags of pieces, and its pictures."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import LONGEST, card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import Exported
from mapkit.exchange.tabletop.objects import THICK, TOP, Deck, TabletopObjects, deck, snap_place
from mapkit.exchange.tabletop.save import base_address, save_of
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.exchange.supply import Cards, Supply
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.pieces.piece import CutPiece, piece_svg
from mapkit.kinds.hex.render.sheet import BoardSheet, lay_out_sheet
from mapkit.press.raster import svg_to_png

LOSSES: Final = (
    "costs of track, deliveries and income: the game does not check moves",
    "money; rules as data; where the board lies on the earth",
)
LOCAL: Final = (
    "addresses that other players can reach: without --base-url the game reads the pictures from this folder, "
    "on this machine only"
)
NO_ADDRESS: Final = "addresses of the pictures; the save has only their names: give base_url or folder"
PIECE: Final = "hexagon"
"""The tag of pieces that snap to hexagons, and of the points."""
_HALVES: Final = (22.0, 16.0)
"""Half the width and height, in units, of the board that leaves room for pieces on the game's table."""
_PIECE_PIXELS: Final = 256
_RANDOM: Final = 2
"""A bag from which pieces are drawn in no order."""
_BAG: Final = "#5b4a3a"
_STEP: Final = 2.4

Put = Callable[[str, bytes], str]
"""Adds a picture to the files, and returns its address."""


def _write(board: HexBoard, asked: HexExport) -> Exported:
    """Return `BOARD.json` and its pictures, which have hashes of their content in their names.

    Raises:
        ExportError: `base_url` is not an address.
    """
    base = base_address(asked.base_url, asked.folder)
    files: dict[str, str | bytes] = {}

    def put(stem: str, png: bytes) -> str:
        name = hashed_name(f"{asked.stem(board)}-{stem}", png)
        files[name] = png
        return base + name

    table, supply, sheet = TabletopObjects(board.id), Supply.of(board), lay_out_sheet(board)
    aspect = sheet.width / sheet.height
    scale = round(min(_HALVES[1], _HALVES[0] / aspect), 4)
    side = scale * aspect
    things = [
        _board_tile(table, board, sheet, put("board", _board_png(board, sheet)), scale),
        *_decks(table, supply, put, -side - 3.5),
        *_stacks(table, supply, put, (-side - 7.5, scale / sheet.height)),
        *_bags(table, supply, put, (side + 2.5, scale / sheet.height)),
    ]
    players = board.rules.players
    save = save_of(
        board.title,
        things,
        players=(players.least, players.most),
        notes={},
        labels=(PIECE,),
        tags=("Board Games", "Trains"),
    )
    files[f"{asked.stem(board)}.json"] = json_text(save)
    missing = () if asked.base_url is not None else (NO_ADDRESS if asked.folder is None else LOCAL,)
    return Exported(files, (*LOSSES, *missing))


def _board_png(board: HexBoard, sheet: BoardSheet) -> bytes:
    wide = LONGEST if sheet.width >= sheet.height else round(LONGEST * sheet.width / sheet.height)
    return svg_to_png(draw_board(board), width=wide, name=board.id)


def _picture(url: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"ImageURL": url, "ImageScalar": 1.0, "WidthScale": 0.0, **more}


def _board_tile(table: TabletopObjects, board: HexBoard, sheet: BoardSheet, url: str, scale: float) -> dict[str, Any]:
    """Return the board: a tile that its picture fills, with a snap point for every hexagon of land."""
    page = (sheet.width, sheet.height)
    costs = {terrain.id: terrain.cost for terrain in board.terrains}
    homes = {city.hex for city in board.cities}
    cubes = [
        cube
        for one in board.hexes
        if (costs[one.terrain] is not None or one.id in homes) and (cube := board.grid.hex_of(one.id)) is not None
    ]
    tile = table.thing(
        "Custom_Tile",
        "board",
        (0, TOP, 0),
        title=board.title,
        Locked=True,
        Tooltip=False,
        DragSelectable=False,
        CustomImage=_picture(url, CustomTile={"Type": 0, "Thickness": THICK, "Stackable": False, "Stretch": True}),
        AttachedSnapPoints=[
            {"Position": snap_place(*sheet.centre(cube), page, page[0] / page[1]), "Tags": [PIECE]} for cube in cubes
        ],
    )
    tile["Transform"] |= {"scaleX": scale, "scaleY": 1, "scaleZ": scale}
    return tile


def _decks(table: TabletopObjects, supply: Supply, put: Put, x: float) -> list[Any]:
    """Return the decks of cards of full size."""
    out, key = [], 1
    for number, cards in enumerate(one for one in supply.cards if one.hidden):
        pictures = card_set(cards.sheets)
        urls = [put(cards.kind, grid.png) for grid in pictures.grids]
        back = put(f"{cards.kind}-back", pictures.back)
        given = Deck(cards.title, cards.kind, cards.sheets, pictures, urls, back, key)
        out.append(deck(table, given, (x, 1.5, 4.0 - 4.5 * number)))
        key += len(urls)
    return out


def _stacks(table: TabletopObjects, supply: Supply, put: Put, place: tuple[float, float]) -> list[Any]:
    """Return bags of half cards, engines and bonds: one for each sort, which never runs empty."""
    x, unit = place
    found = [one for one in supply.cards if not one.hidden]
    faces = [(sheet.title, sheet.svg, sheet.height_mm, cards.kind) for cards in found for sheet in _once(cards)]
    out = []
    for number, (title, svg, height, kind) in enumerate(faces):
        role = f"{kind}-{number}"
        url = put(role, svg_to_png(svg, width=2 * _PIECE_PIXELS, name=title))
        tile = table.thing(
            "Custom_Tile",
            role,
            (0, 1, 0),
            title=title,
            scale=round(height * unit, 4),
            CustomImage=_picture(url, CustomTile={"Type": 3, "Thickness": THICK, "Stackable": True, "Stretch": True}),
        )
        out.append(_bag(table, "Infinite_Bag", f"bag/{role}", title, (x, TOP + 1, 9.0 - _STEP * number), [tile]))
    return out


def _once(cards: Cards) -> Sequence[Any]:
    """Return the cards of a pile that look different."""
    return list({sheet.svg: sheet for sheet in cards.sheets}.values())


def _bags(table: TabletopObjects, supply: Supply, put: Put, place: tuple[float, float]) -> list[Any]:
    """Return the goods bag, and a bag for each other sort of piece, which never runs empty."""
    x, unit = place
    cubes: list[Any] = []
    for piece in supply.bag:
        token = _token(table, supply, piece, put, unit)
        ids = (table.thing("", f"{piece.id}/{number}", (0, 0, 0))["GUID"] for number in range(piece.count or 0))
        cubes.extend({**token, "GUID": ident} for ident in ids)
    title = supply.job.words("module.bag")
    out = [_bag(table, "Bag", "bag/goods", title, (x, TOP + 1, 9.0), cubes, order=_RANDOM)] if cubes else []
    others = [piece for piece in supply.pieces if piece.kind != "cube"]
    for number, piece in enumerate(others):
        at = (x + 2.6 * (number % 3), TOP + 1, 6.0 - _STEP * (number // 3))
        token = _token(table, supply, piece, put, unit)
        out.append(_bag(table, "Infinite_Bag", f"bag/{piece.id}", piece.title, at, [token]))
    return out


def _token(table: TabletopObjects, supply: Supply, piece: CutPiece, put: Put, unit: float) -> dict[str, Any]:
    """Return a piece cut out along its picture; it snaps to hexagons."""
    url = put(piece.id, svg_to_png(piece_svg(supply.job, piece), width=_PIECE_PIXELS, name=piece.title))
    return table.thing(
        "Custom_Token",
        piece.id,
        (0, 1, 0),
        title=piece.title,
        scale=round(piece.size[1] * unit, 4),
        Tags=[PIECE],
        CustomImage=_picture(
            url, CustomToken={"Thickness": THICK, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": True}
        ),
    )


def _bag(
    table: TabletopObjects,
    kind: str,
    role: str,
    title: str,
    at: tuple[float, float, float],
    held: Sequence[Any],
    order: int | None = None,
) -> dict[str, Any]:
    return table.thing(
        kind,
        role,
        at,
        title=title,
        scale=0.7,
        colour=_BAG,
        ContainedObjects=list(held),
        **({} if order is None else {"Bag": {"Order": order}}),
    )


FORMAT = HexFormat(
    "tts",
    "Tabletop Simulator save",
    (".tts.json",),
    "the drawn board with a snap point for every hexagon of land; decks, the goods bag, and bags of every piece",
    "; ".join(LOSSES),
    _write,
)
