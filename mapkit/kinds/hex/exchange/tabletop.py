"""Tabletop Simulator save with the board, cards, the goods bag and bags of pieces, and its pictures."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import LONGEST, draw_card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.tabletop.objects import THICK, TOP, Deck, TabletopObjects, deck_object, snap_place
from mapkit.exchange.tabletop.save import NO_ADDRESS, base_address, make_save
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.exchange.supply import Supply
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.pieces.piece import CutPiece, piece_svg
from mapkit.kinds.hex.render.sheet import BoardSheet, lay_out_sheet
from mapkit.press.raster import svg_to_png

LOSSES: Final = (
    "costs of track, deliveries and income: the game does not check moves",
    "money; rules as data; where the board lies on the earth",
)
PIECE: Final = "hexagon"
"""The tag of pieces that snap to hexagons, and of the points."""
_HALF_SIZES: Final = (22.0, 16.0)
"""Half the width and height, in units, of the board that leaves room for pieces on the game's table."""
_PIECE_PIXELS: Final = 256
_RANDOM_ORDER: Final = 2
"""A bag from which pieces are drawn in no order."""
_BAG_COLOUR: Final = "#5b4a3a"
_BAG_STEP: Final = 2.4

Put = Callable[[str, bytes], str]
"""Adds a picture to the files, and returns its address."""


def board_width_px(sheet: BoardSheet) -> int:
    """Return the width of a board's picture whose longer side has at most `LONGEST` pixels."""
    return LONGEST if sheet.width >= sheet.height else int(LONGEST * sheet.width / sheet.height)


def _write_save(board: HexBoard, asked: HexExport) -> ExportedBoard:
    """Write `BOARD.json` and its pictures, named by hashes of their content.

    Raises:
        ExportError: `base_url` is not an address.
    """
    base_url = base_address(asked.base_url)
    files: dict[str, str | bytes] = {}

    def put(stem: str, png: bytes) -> str:
        file_name = hashed_name(f"{asked.stem(board)}-{stem}", png)
        files[file_name] = png
        return base_url + file_name

    table, supply, sheet = TabletopObjects(board.id), Supply.of(board), lay_out_sheet(board)
    aspect = sheet.width / sheet.height
    scale = round(min(_HALF_SIZES[1], _HALF_SIZES[0] / aspect), 4)
    half_width = scale * aspect
    table_objects = [
        _board_tile(
            table,
            board,
            sheet,
            put("board", svg_to_png(draw_board(board), width=board_width_px(sheet), name=board.id)),
            scale,
        ),
        *_make_decks(table, supply, put, -half_width - 3.5),
        *_make_stacks(table, supply, put, (-half_width - 7.5, scale / sheet.height)),
        *_make_bags(table, supply, put, (half_width + 2.5, scale / sheet.height)),
    ]
    players = board.rules.players
    save = make_save(
        board.title,
        table_objects,
        players=(players.least, players.most),
        notes={},
        labels=(PIECE,),
        tags=("Board Games", "Trains"),
    )
    files[f"{asked.stem(board)}.json"] = json_text(save)
    missing_notes = () if asked.base_url is not None else (NO_ADDRESS,)
    return ExportedBoard(files, (*LOSSES, *missing_notes))


def _picture_fields(url: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"ImageURL": url, "ImageScalar": 1.0, "WidthScale": 0.0, **more}


def _board_tile(table: TabletopObjects, board: HexBoard, sheet: BoardSheet, url: str, scale: float) -> dict[str, Any]:
    """Return the board: a tile filled by its picture, with a snap point for every hexagon of land."""
    page_size = (sheet.width, sheet.height)
    cost_by_terrain = {terrain.id: terrain.cost for terrain in board.terrains}
    city_hexes = {city.hex for city in board.cities}
    land_cubes = [
        cube
        for hexagon in board.hexes
        if (cost_by_terrain[hexagon.terrain] is not None or hexagon.id in city_hexes)
        and (cube := board.grid.hex_of(hexagon.id)) is not None
    ]
    tile = table.thing(
        "Custom_Tile",
        "board",
        (0, TOP, 0),
        title=board.title,
        Locked=True,
        Tooltip=False,
        DragSelectable=False,
        CustomImage=_picture_fields(
            url, CustomTile={"Type": 0, "Thickness": THICK, "Stackable": False, "Stretch": True}
        ),
        AttachedSnapPoints=[
            {"Position": snap_place(*sheet.centre(cube), page_size, page_size[0] / page_size[1]), "Tags": [PIECE]}
            for cube in land_cubes
        ],
    )
    tile["Transform"] |= {"scaleX": scale, "scaleY": 1, "scaleZ": scale}
    return tile


def _make_decks(table: TabletopObjects, supply: Supply, put: Put, x: float) -> list[Any]:
    """Return the decks of full-size cards."""
    card_decks, deck_key = [], 1
    for number, card_pile in enumerate(one for one in supply.cards if one.hidden):
        pictures = draw_card_set(card_pile.sheets)
        urls = [put(card_pile.kind, grid.png) for grid in pictures.grids]
        back_url = put(f"{card_pile.kind}-back", pictures.back)
        deck_data = Deck(card_pile.title, card_pile.kind, card_pile.sheets, pictures, urls, back_url, deck_key)
        card_decks.append(deck_object(table, deck_data, (x, 1.5, 4.0 - 4.5 * number)))
        deck_key += len(urls)
    return card_decks


def _make_stacks(table: TabletopObjects, supply: Supply, put: Put, place: tuple[float, float]) -> list[Any]:
    """Return infinite bags of half cards, engines and bonds, one for each sort."""
    x, units_a_mm = place
    open_piles = [card_pile for card_pile in supply.cards if not card_pile.hidden]
    faces = [
        (sheet.title, sheet.svg, sheet.height_mm, card_pile.kind)
        for card_pile in open_piles
        for sheet in list({sheet.svg: sheet for sheet in card_pile.sheets}.values())
    ]
    card_bags = []
    for number, (title, svg, height, kind) in enumerate(faces):
        role = f"{kind}-{number}"
        url = put(role, svg_to_png(svg, width=2 * _PIECE_PIXELS, name=title))
        tile = table.thing(
            "Custom_Tile",
            role,
            (0, 1, 0),
            title=title,
            scale=round(height * units_a_mm, 4),
            CustomImage=_picture_fields(
                url, CustomTile={"Type": 3, "Thickness": THICK, "Stackable": True, "Stretch": True}
            ),
        )
        card_bags.append(
            _make_bag(table, "Infinite_Bag", f"bag/{role}", title, (x, TOP + 1, 9.0 - _BAG_STEP * number), [tile])
        )
    return card_bags


def _make_bags(table: TabletopObjects, supply: Supply, put: Put, place: tuple[float, float]) -> list[Any]:
    """Return the goods bag, and an infinite bag for each other sort of piece."""
    x, units_a_mm = place
    cube_objects: list[Any] = []
    for piece in supply.bag:
        token = _make_token(table, supply, piece, put, units_a_mm)
        object_ids = (table.thing("", f"{piece.id}/{number}", (0, 0, 0))["GUID"] for number in range(piece.count or 0))
        cube_objects.extend({**token, "GUID": ident} for ident in object_ids)
    title = supply.job.words("module.bag")
    piece_bags = (
        [_make_bag(table, "Bag", "bag/goods", title, (x, TOP + 1, 9.0), cube_objects, order=_RANDOM_ORDER)]
        if cube_objects
        else []
    )
    other_pieces = [piece for piece in supply.pieces if piece.kind != "cube"]
    for number, piece in enumerate(other_pieces):
        bag_position = (x + 2.6 * (number % 3), TOP + 1, 6.0 - _BAG_STEP * (number // 3))
        token = _make_token(table, supply, piece, put, units_a_mm)
        piece_bags.append(_make_bag(table, "Infinite_Bag", f"bag/{piece.id}", piece.title, bag_position, [token]))
    return piece_bags


def _make_token(table: TabletopObjects, supply: Supply, piece: CutPiece, put: Put, unit: float) -> dict[str, Any]:
    """Return a piece cut out along its picture; it snaps to hexagons."""
    url = put(piece.id, svg_to_png(piece_svg(supply.job, piece), width=_PIECE_PIXELS, name=piece.title))
    return table.thing(
        "Custom_Token",
        piece.id,
        (0, 1, 0),
        title=piece.title,
        scale=round(piece.size[1] * unit, 4),
        Tags=[PIECE],
        CustomImage=_picture_fields(
            url, CustomToken={"Thickness": THICK, "MergeDistancePixels": 5.0, "StandUp": False, "Stackable": True}
        ),
    )


def _make_bag(
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
        colour=_BAG_COLOUR,
        ContainedObjects=list(held),
        **({} if order is None else {"Bag": {"Order": order}}),
    )


FORMAT = HexFormat(
    "tts",
    "Tabletop Simulator save",
    (".tts.json",),
    "the drawn board with a snap point for every hexagon of land; decks, the goods bag, and bags of every piece",
    "; ".join(LOSSES),
    _write_save,
)
