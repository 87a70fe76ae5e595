"""A VASSAL module: the board with its grid, cards and cubes in piles, and pieces of every sort."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.fit import pt
from mapkit.exchange.plan import Exported
from mapkit.exchange.vassal.module import MapTexts, Stacking, game_module, map_of, module_file, pile
from mapkit.exchange.vassal.pieces import Slots, Trait, removable, two_sided
from mapkit.exchange.vassal.tree import Component
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.hex.exchange.format import HexExport, HexFormat
from mapkit.kinds.hex.exchange.supply import Cards, Supply
from mapkit.kinds.hex.exchange.vassal.places import grid_node
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.render.board import draw_board
from mapkit.kinds.hex.render.pieces.piece import piece_svg
from mapkit.kinds.hex.render.sheet import lay_out_sheet
from mapkit.kinds.hex.render.words import hex_words
from mapkit.press.raster import MM_PER_INCH, svg_to_png

LOSSES: Final = (
    "costs of track, deliveries and income: VASSAL does not check moves",
    "rules as data, and where the board lies on the earth",
)
_BOARD: Final = "board.png"
_TABLE: Final = "supply.png"
_BOARD_DPI: Final = 72.0
_MOST_PIXELS: Final = 40_000_000
"""The engine holds a board's picture in memory, 4 bytes a pixel."""
_CARD_DPI: Final = 110.0
_GAP_MM: Final = 12.0
_HEAD_MM: Final = 10.0


def board_dpi(board: HexBoard) -> float:
    """Return the resolution of a board's picture: less for a page so large that the engine could not hold it."""
    sheet = lay_out_sheet(board)
    inches = sheet.width * sheet.height / MM_PER_INCH**2
    return float(min(_BOARD_DPI, int((_MOST_PIXELS / inches) ** 0.5)))


@dataclass(frozen=True)
class _Pile:
    """A pile on the table beside the board: its pieces as picture, name and how many; sizes in pixels."""

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
    files = {_BOARD: svg_to_png(draw_board(board), dpi)}
    piles = [*_card_piles(supply, files), *_bag(supply, files, dpi)]
    spots, table = _table(supply, piles)
    files[_TABLE] = svg_to_png(table, _CARD_DPI)
    slots = Slots()
    delete = removable(words("module.delete"))
    about = words("module.counts", board=board.title, hexes=len(board.hexes), cities=len(board.cities))
    drawn = Component(
        "module.map.boardPicker.Board",
        {"image": _BOARD, "name": words("module.board"), "reversible": False},
        [grid_node(board, dpi)],
    )
    stacked = [
        _placed(one, words("module.supply"), at, slots, turn=words("module.turn"), hidden=words("module.hidden"))
        for one, at in zip(piles, spots, strict=True)
    ]
    beside = Component(
        "module.map.boardPicker.Board", {"image": _TABLE, "name": words("module.supply"), "reversible": False}
    )
    parts = [
        Component("module.BasicCommandEncoder"),
        Component("module.Documentation"),
        Component(
            "module.PlayerRoster",
            children=[Component("entry", text=words(f"player.{name}")) for name in _players(board)],
        ),
        Component("module.GlobalOptions", {"autoReport": "Always"}),
        map_of(_texts("module.board"), drawn, Stacking(6, 6), button=False),
        map_of(_texts("module.supply"), beside, Stacking(0, 0), button=True, inside=stacked),
        _palette(supply, files, dpi, slots, delete),
        Component("module.NotesWindow", {"buttonText": words("module.notes"), "tooltip": words("module.about_notes")}),
        Component("module.Chatter"),
        Component("module.KeyNamer"),
        Component("VASSAL.i18n.Language"),
    ]
    root = game_module(board.title, about, parts, slots.next)
    return module_file(root, about, {f"images/{name}": data for name, data in files.items()})


def _players(board: HexBoard) -> Sequence[str]:
    names = ("orange", "green", "white", "brown", "pink", "sky")
    return names[: board.rules.players.most]


def _texts(name: str) -> MapTexts:
    words = hex_words()
    moves = words("module.moves", piece="$pieceName$", **{"from": "$previousLocation$", "to": "$location$"})
    return MapTexts(words(name), words("module.save_picture"), moves)


def _pixels(size: tuple[float, float], dpi: float) -> tuple[int, int]:
    return round(size[0] * dpi / MM_PER_INCH), round(size[1] * dpi / MM_PER_INCH)


def _card_piles(supply: Supply, files: dict[str, bytes]) -> list[_Pile]:
    return [_card_pile(cards, files) for cards in supply.cards]


def _card_pile(cards: Cards, files: dict[str, bytes]) -> _Pile:
    """Return a pile of cards; cards that look the same share a picture."""
    images: dict[str, str] = {}
    counted: dict[tuple[str, str], int] = {}
    for sheet in cards.sheets:
        image = images.setdefault(sheet.svg, f"{sheet.id}.png")
        counted[image, sheet.title] = counted.get((image, sheet.title), 0) + 1
    files |= {image: svg_to_png(svg, _CARD_DPI) for svg, image in images.items()}
    first = cards.sheets[0]
    back = f"back-{cards.kind}.png"
    if first.back is not None:
        files[back] = svg_to_png(first.back, _CARD_DPI)
    size = _pixels((first.width_mm, first.height_mm), _CARD_DPI)
    pieces = tuple((image, title, count) for (image, title), count in counted.items())
    return _Pile(cards.title, size, pieces, back if cards.hidden and first.back is not None else "")


def _bag(supply: Supply, files: dict[str, bytes], dpi: float) -> list[_Pile]:
    """Return the pile from which cubes are drawn blindly; their pictures are those of the board's scale."""
    if not supply.bag:
        return []
    files["back-cube.png"] = svg_to_png(supply.cube_back(), dpi)
    for piece in supply.bag:
        files[f"{piece.id}.png"] = svg_to_png(piece_svg(supply.job, piece), dpi)
    pieces = tuple((f"{piece.id}.png", piece.title, piece.count or 0) for piece in supply.bag)
    return [_Pile(hex_words()("module.bag"), _pixels(supply.bag[0].size, dpi), pieces, "back-cube.png")]


def _table(supply: Supply, piles: Sequence[_Pile]) -> tuple[list[tuple[int, int]], str]:
    """Return the middle of each pile in pixels of the table, and the picture of the table."""
    mm = MM_PER_INCH / _CARD_DPI
    widths = [one.size[0] * mm for one in piles]
    tall = max((one.size[1] * mm for one in piles), default=60.0)
    size = (sum(widths) + _GAP_MM * (len(piles) + 1), tall + _HEAD_MM + 2 * _GAP_MM)
    words = hex_words()
    canvas = Canvas(size, supply.job.theme, title=words("module.supply"), description=supply.job.title)
    left, spots = _GAP_MM, []
    for one, width in zip(piles, widths, strict=True):
        box = (left - 3, _GAP_MM + _HEAD_MM - 3, left + width + 3, _GAP_MM + _HEAD_MM + tall + 3)
        canvas.box(box, edge=supply.job.theme.quiet_ink, width=0.4, radius=2.0)
        kind = Type(pt(11), bold=True, align="middle", lines=2)
        canvas.words((left - 5, 2.0, left + width + 5, _GAP_MM + _HEAD_MM - 4), one.name, kind)
        middle = (left + width / 2, _GAP_MM + _HEAD_MM + tall / 2)
        spots.append(_pixels(middle, _CARD_DPI))
        left += width + _GAP_MM
    return spots, canvas.to_text()


def _placed(one: _Pile, table: str, at: tuple[int, int], slots: Slots, *, turn: str, hidden: str) -> Component:
    traits: list[Trait] = [two_sided(turn, one.back, hidden)] if one.back else []
    cards = [
        slots.slot(title, image, one.size, traits, card=True)
        for image, title, count in one.pieces
        for _ in range(count)
    ]
    return pile(one.name, table, at, one.size, cards, hidden=bool(one.back))


def _palette(supply: Supply, files: dict[str, bytes], dpi: float, slots: Slots, delete: Trait) -> Component:
    """Return the window with a piece of every sort, a tab for each kind."""
    words = hex_words()
    tabs: dict[str, list[Component]] = {}
    names: Mapping[str, str] = {"tile": "piece.tiles", "cube": "piece.cubes", "token": "piece.tokens"}
    for piece in supply.pieces:
        image = f"{piece.id}.png"
        if image not in files:
            files[image] = svg_to_png(piece_svg(supply.job, piece), dpi)
        tab = words(names.get(piece.kind, "piece.markers"))
        tabs.setdefault(tab, []).append(slots.slot(piece.title, image, _pixels(piece.size, dpi), [delete]))
    name = words("module.pieces")
    lists = [Component("widget.ListWidget", {"entryName": tab}, found) for tab, found in tabs.items()]
    return Component(
        "module.PieceWindow",
        {"hidden": False, "name": name, "text": name, "tooltip": words("module.about_pieces")},
        [Component("widget.TabWidget", {"entryName": name}, lists)],
    )


def _write(board: HexBoard, asked: HexExport) -> Exported:
    return Exported({f"{asked.stem(board)}.vmod": module_bytes(board)}, LOSSES)


FORMAT = HexFormat(
    "vassal",
    "VASSAL module",
    (".vmod",),
    "the drawn board with its grid of hexagons, cards and cubes in piles, tiles, markers and tokens to drag",
    "; ".join(LOSSES),
    _write,
)
