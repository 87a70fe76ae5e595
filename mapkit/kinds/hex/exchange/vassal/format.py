"""VASSAL module: the board with its grid, cards and cubes in piles, and pieces of every sort."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import points_to_mm
from mapkit.exchange.card_grid import LONGEST
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.vassal.module import MapTexts, Stacking, game_module, make_map, make_pile, module_file
from mapkit.exchange.vassal.pieces import Slots, Trait, deletable_trait, flip_trait
from mapkit.exchange.vassal.tree import Component
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.exchange.supply import CardPile, Supply
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.pieces.piece import piece_svg
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.render.words import hex_words
from mapkit.press.raster import MM_PER_INCH, svg_to_png

# Grid of hexagons of a board's picture in VASSAL, and its numbering.

_LETTER_COUNT: Final = 26
"""VASSAL goes on with AA, BB, CC; boards are printed with AA, AB, AC."""


def grid_node(board: HexBoard, dpi: float) -> Component:
    """Return the grid of a board's picture.

    The engine shifts the second, fourth ... line of hexagons by half of one, and turns the picture for pointed ones
    (`sideways`), so that `x0` and `dx` run down the page there, and columns are rows. Where the first line is the
    shifted one, the grid begins a line before ours.

    Args:
        board: The board.
        dpi: Pixels per inch of its picture.
    """
    grid, sheet, pixels_a_mm = board.grid, lay_out_sheet(board), dpi / MM_PER_INCH
    x, y = (value * pixels_a_mm for value in sheet.centre(grid.cubes[0]))
    size_px, pitch_px = grid.size_mm * pixels_a_mm, grid.radius_mm * 1.5 * pixels_a_mm
    along_px, across_px = (x, y) if grid.flat else (y, x)
    if not grid.odd:
        along_px, across_px = along_px - pitch_px, across_px - size_px / 2
    return Component(
        "module.map.boardPicker.board.HexGrid",
        {
            "color": "0,0,0",
            "cornersLegal": False,
            "dotsVisible": False,
            "dx": f"{pitch_px:.4f}",
            "dy": f"{size_px:.4f}",
            "edgesLegal": True,
            "sideways": not grid.flat,
            "snapTo": True,
            "visible": False,
            "x0": round(along_px),
            "y0": round(across_px),
        },
        [_make_numbering(board)],
    )


def _make_numbering(board: HexBoard) -> Component:
    """Return the numbering of places: as printed if the engine can, else by column and row."""
    grid = board.grid
    is_lettered = grid.labels in ("A1", "1A") and max(grid.columns, grid.rows) <= _LETTER_COUNT
    is_column_lettered = is_lettered and grid.labels == "A1"
    is_row_lettered = is_lettered and grid.labels == "1A"
    column_style = ("A", 0) if is_column_lettered else ("N", 1)
    row_style = ("A", 0) if is_row_lettered else ("N", 1)
    first_style, second_style = (column_style, row_style) if grid.flat else (row_style, column_style)
    first_offset = 0 if grid.odd else -1
    return Component(
        "module.map.boardPicker.board.mapgrid.HexGridNumbering",
        {
            "color": "0,0,0",
            "first": "H" if grid.flat else "V",
            "fontSize": 9,
            "hDescend": False,
            "hDrawOff": 0,
            "hLeading": 0,
            "hOff": first_style[1] + first_offset,
            "hType": first_style[0],
            "locationFormat": "$gridLocation$",
            "rotateText": 0,
            "sep": "" if is_lettered else "-",
            "stagger": False,
            "vDescend": False,
            "vDrawOff": 0,
            "vLeading": 0,
            "vOff": second_style[1],
            "vType": second_style[0],
            "visible": False,
        },
    )


LOSSES: Final = (
    "costs of track, deliveries and income: VASSAL does not check moves",
    "rules as data, and where the board lies on the earth",
)
_BOARD_FILE: Final = "board.png"
_TABLE_FILE: Final = "supply.png"
_CARD_DPI: Final = 110.0
_GAP_MM: Final = 12.0
_HEAD_MM: Final = 10.0


def board_dpi(board: HexBoard) -> float:
    """Return the resolution of a board's picture: that of cards, or less for a page whose picture would be too long."""
    sheet = lay_out_sheet(board)
    return min(_CARD_DPI, LONGEST * MM_PER_INCH / max(sheet.width, sheet.height))


@dataclass(frozen=True)
class _Pile:
    """Pile on the table beside the board: its pieces as picture, name and number; sizes in pixels."""

    name: str
    size: tuple[int, int]
    pieces: tuple[tuple[str, str, int], ...]
    back: str = ""


def module_bytes(board: HexBoard) -> bytes:
    """Return the module of a board, a ZIP file; the same board gives the same bytes.

    Raises:
        ExportError: A name holds a character that XML forbids.
    """
    for text in (board.title, *(city.name for city in board.cities)):
        xml_text(text)  # what cannot be written is reported before anything is drawn
    supply, words = Supply.of(board), hex_words()
    dpi = board_dpi(board)
    file_by_name = {_BOARD_FILE: svg_to_png(draw_board(board), dpi)}
    piles = [*(_make_card_pile(cards, file_by_name) for cards in supply.cards), *_make_bag(supply, file_by_name, dpi)]
    pile_centres, table_svg = _draw_table(supply, piles)
    file_by_name[_TABLE_FILE] = svg_to_png(table_svg, _CARD_DPI)
    slots = Slots()
    delete_trait = deletable_trait(words("module.delete"))
    about_text = words("module.counts", board=board.title, hexes=len(board.hexes), cities=len(board.cities))
    board_node = Component(
        "module.map.boardPicker.Board",
        {"image": _BOARD_FILE, "name": words("module.board"), "reversible": False},
        [grid_node(board, dpi)],
    )
    pile_nodes = [
        _place_pile(
            pile_data, words("module.supply"), centre, slots, turn=words("module.turn"), hidden=words("module.hidden")
        )
        for pile_data, centre in zip(piles, pile_centres, strict=True)
    ]
    table_node = Component(
        "module.map.boardPicker.Board", {"image": _TABLE_FILE, "name": words("module.supply"), "reversible": False}
    )
    module_parts = [
        Component("module.BasicCommandEncoder"),
        Component("module.Documentation"),
        Component(
            "module.PlayerRoster",
            children=[Component("entry", text=words(f"player.{name}")) for name in _player_colours(board)],
        ),
        Component("module.GlobalOptions", {"autoReport": "Always"}),
        make_map(_map_texts("module.board"), board_node, Stacking(6, 6), button=False),
        make_map(_map_texts("module.supply"), table_node, Stacking(0, 0), button=True, inside=pile_nodes),
        _make_palette(supply, file_by_name, dpi, slots, delete_trait),
        Component("module.NotesWindow", {"buttonText": words("module.notes"), "tooltip": words("module.about_notes")}),
        Component("module.Chatter"),
        Component("module.KeyNamer"),
        Component("VASSAL.i18n.Language"),
    ]
    game_node = game_module(board.title, about_text, module_parts, slots.next)
    return module_file(game_node, about_text, {f"images/{name}": data for name, data in file_by_name.items()})


def _player_colours(board: HexBoard) -> Sequence[str]:
    colour_names = ("orange", "green", "white", "brown", "pink", "sky")
    return colour_names[: board.rules.players.most]


def _map_texts(name: str) -> MapTexts:
    words = hex_words()
    moves_text = words("module.moves", piece="$pieceName$", **{"from": "$previousLocation$", "to": "$location$"})
    return MapTexts(words(name), words("module.save_picture"), moves_text)


def _to_pixels(size: tuple[float, float], dpi: float) -> tuple[int, int]:
    return round(size[0] * dpi / MM_PER_INCH), round(size[1] * dpi / MM_PER_INCH)


def _make_card_pile(cards: CardPile, files: dict[str, bytes]) -> _Pile:
    """Return a pile of cards; identical cards share a picture."""
    image_by_svg: dict[str, str] = {}
    count_by_card: dict[tuple[str, str], int] = {}
    for sheet in cards.sheets:
        image = image_by_svg.setdefault(sheet.svg, f"{sheet.id}.png")
        count_by_card[image, sheet.title] = count_by_card.get((image, sheet.title), 0) + 1
    files |= {image: svg_to_png(svg, _CARD_DPI) for svg, image in image_by_svg.items()}
    first_sheet = cards.sheets[0]
    back_file = f"back-{cards.kind}.png"
    if first_sheet.back is not None:
        files[back_file] = svg_to_png(first_sheet.back, _CARD_DPI)
    size_px = _to_pixels((first_sheet.width_mm, first_sheet.height_mm), _CARD_DPI)
    pieces = tuple((image, title, count) for (image, title), count in count_by_card.items())
    return _Pile(cards.title, size_px, pieces, back_file if cards.hidden and first_sheet.back is not None else "")


def _make_bag(supply: Supply, files: dict[str, bytes], dpi: float) -> list[_Pile]:
    """Return the pile of hidden cubes; their pictures have the board's scale."""
    if not supply.bag:
        return []
    files["back-cube.png"] = svg_to_png(supply.cube_back(), dpi)
    for piece in supply.bag:
        files[f"{piece.id}.png"] = svg_to_png(piece_svg(supply.job, piece), dpi)
    pieces = tuple((f"{piece.id}.png", piece.title, piece.count or 0) for piece in supply.bag)
    return [_Pile(hex_words()("module.bag"), _to_pixels(supply.bag[0].size, dpi), pieces, "back-cube.png")]


def _draw_table(supply: Supply, piles: Sequence[_Pile]) -> tuple[list[tuple[int, int]], str]:
    """Return the centre of each pile in pixels of the table, and the picture of the table."""
    mm_a_pixel = MM_PER_INCH / _CARD_DPI
    pile_widths = [pile_data.size[0] * mm_a_pixel for pile_data in piles]
    tallest_mm = max((pile_data.size[1] * mm_a_pixel for pile_data in piles), default=60.0)
    size = (sum(pile_widths) + _GAP_MM * (len(piles) + 1), tallest_mm + _HEAD_MM + 2 * _GAP_MM)
    words = hex_words()
    canvas = Canvas(size, supply.job.theme, title=words("module.supply"), description=supply.job.title)
    left_mm, pile_centres = _GAP_MM, []
    for pile_data, width in zip(piles, pile_widths, strict=True):
        box = (left_mm - 3, _GAP_MM + _HEAD_MM - 3, left_mm + width + 3, _GAP_MM + _HEAD_MM + tallest_mm + 3)
        canvas.box(box, edge=supply.job.theme.quiet_ink, width=0.4, radius=2.0)
        title_type = TextStyle(points_to_mm(11), bold=True, align="middle", lines=2)
        canvas.words((left_mm - 5, 2.0, left_mm + width + 5, _GAP_MM + _HEAD_MM - 4), pile_data.name, title_type)
        middle = (left_mm + width / 2, _GAP_MM + _HEAD_MM + tallest_mm / 2)
        pile_centres.append(_to_pixels(middle, _CARD_DPI))
        left_mm += width + _GAP_MM
    return pile_centres, canvas.to_text()


def _place_pile(one: _Pile, table: str, at: tuple[int, int], slots: Slots, *, turn: str, hidden: str) -> Component:
    traits: list[Trait] = [flip_trait(turn, one.back, hidden)] if one.back else []
    cards = [
        slots.slot(title, image, one.size, traits, card=True)
        for image, title, count in one.pieces
        for _ in range(count)
    ]
    return make_pile(one.name, table, at, one.size, cards, hidden=bool(one.back))


def _make_palette(supply: Supply, files: dict[str, bytes], dpi: float, slots: Slots, delete: Trait) -> Component:
    """Return the window with a piece of every sort, a tab for each kind."""
    words = hex_words()
    slots_by_tab: dict[str, list[Component]] = {}
    text_by_kind: Mapping[str, str] = {"tile": "piece.tiles", "cube": "piece.cubes", "token": "piece.tokens"}
    for piece in supply.pieces:
        image_file = f"{piece.id}.png"
        if image_file not in files:
            files[image_file] = svg_to_png(piece_svg(supply.job, piece), dpi)
        tab_title = words(text_by_kind.get(piece.kind, "piece.markers"))
        slots_by_tab.setdefault(tab_title, []).append(
            slots.slot(piece.title, image_file, _to_pixels(piece.size, dpi), [delete])
        )
    window_title = words("module.pieces")
    tab_lists = [
        Component("widget.ListWidget", {"entryName": tab_title}, tab_slots)
        for tab_title, tab_slots in slots_by_tab.items()
    ]
    return Component(
        "module.PieceWindow",
        {"hidden": False, "name": window_title, "text": window_title, "tooltip": words("module.about_pieces")},
        [Component("widget.TabWidget", {"entryName": window_title}, tab_lists)],
    )


def _write_module(board: HexBoard, asked: HexExport) -> ExportedBoard:
    return ExportedBoard({f"{asked.stem(board)}.vmod": module_bytes(board)}, LOSSES)


FORMAT = HexFormat(
    "vassal",
    "VASSAL module",
    (".vmod",),
    "the drawn board with its grid of hexagons, cards and cubes in piles, tiles, markers and tokens to drag",
    "; ".join(LOSSES),
    _write_module,
)
