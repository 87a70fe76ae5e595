"""PNG pictures of a VASSAL module; the engine draws SVG slowly and supports little of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.sheet import CARD, Sheet
from mapkit.exchange.card_grid import LONGEST
from mapkit.kinds.rail.exchange.board_picture import board_picture, board_svg, card_sheets
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.kinds.rail.render.sheets.table import TableLayout, draw_table, lay_table
from mapkit.kinds.rail.render.sheets.tokens import SIDE, Token, list_player_names, token_svg
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.raster import MM_PER_INCH, svg_to_png

BOARD: Final = "board.png"
TABLE: Final = "table.png"

_BOARD_DPI: Final = 100.0
_DPI_TOLERANCE: Final = 0.1
"""Largest relative difference of resolution at which the picture of other formats is used."""
_MAX_PIXELS: Final = 40_000_000
"""Limit of memory: the engine keeps a board's picture with 4 bytes per pixel."""
_CARD_DPI: Final = 110.0
_CHART_DPI: Final = 110.0
_TOKEN_SIDES_PX: Final[Mapping[Token, int]] = {"Pawn": 42, "Departure": 36, "Destination": 36}
"""Sides in pixels; a pawn is slightly larger than a city."""
_BAND_MM: Final = 13.2
"""Height of a card's name from its upper edge."""
_CHART_WINDOWS: Final = ("destinations", "payoffs", "reference")


@dataclass(frozen=True)
class Card:
    """Card: its name, its picture, its price in whole currency (empty for none)."""

    name: str
    image: str
    price: str


@dataclass(frozen=True)
class VassalDeck:
    """Deck of cards."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class ModulePictures:
    """Pictures of a module, and the layout of their contents.

    Attributes:
        files: Name -> PNG.
        dpi: Pixels per inch of the board.
        card_dpi: Pixels per inch of the table.
        card_size: Width and height of a card in pixels.
        band: Height of a card's name in pixels.
        token_sizes: `pawn`, `departure`, `destination` -> width and height in pixels.
        table: Layout of decks and mats.
        decks: The decks of cards, in the order of the table.
        charts: Window -> its pages, each with its title and picture.
    """

    files: Mapping[str, bytes]
    dpi: float
    card_dpi: float
    card_size: tuple[int, int]
    band: int
    token_sizes: Mapping[str, tuple[int, int]]
    table: TableLayout
    decks: tuple[VassalDeck, ...]
    charts: Mapping[str, tuple[tuple[str, str], ...]]


def draw_pictures(layout: Layout) -> ModulePictures:
    """Draw all pictures of a module."""
    board, words = layout.board, words_of(layout.board)
    picture_dpi = board_dpi(board)
    files = {BOARD: _draw_board(layout, picture_dpi)}
    vassal_decks = []
    image_by_svg: dict[str, str] = {}
    for deck_name, priced_sheets in _priced_cards(layout).items():
        deck_cards = []
        for sheet, price in priced_sheets:
            image_name = image_by_svg.setdefault(sheet.svg, f"{sheet.id}.png")
            deck_cards.append(Card(sheet.title.partition(": ")[2], image_name, price))
        vassal_decks.append(VassalDeck(deck_name, tuple(deck_cards)))
    files |= {name: svg_to_png(svg, _CARD_DPI) for svg, name in image_by_svg.items()}
    pages_by_window: dict[str, tuple[tuple[str, str], ...]] = {}
    for group in _CHART_WINDOWS:
        chart_pages = sheets(board, only=[group])
        if chart_pages:
            pages_by_window[words(f"{group}.title")] = tuple((page.title, f"{page.id}.png") for page in chart_pages)
            files |= {f"{page.id}.png": svg_to_png(page.svg, _CHART_DPI) for page in chart_pages}
    player_count = board.rules.setup.max_players
    for token_kind, side_px in _TOKEN_SIDES_PX.items():
        for player in range(player_count):
            files[f"{token_kind.lower()}-{player + 1}.png"] = svg_to_png(
                token_svg(player, token_kind), side_px * MM_PER_INCH / SIDE
            )
    table_layout = lay_table(len(vassal_decks), player_count)
    files[TABLE] = svg_to_png(
        draw_table(table_layout, [deck.name for deck in vassal_decks], list_player_names(words), board.title), _CARD_DPI
    )
    card_width, card_height = (round(side_mm * _CARD_DPI / MM_PER_INCH) for side_mm in CARD)
    return ModulePictures(
        files,
        picture_dpi,
        _CARD_DPI,
        (card_width, card_height),
        round(_BAND_MM * _CARD_DPI / MM_PER_INCH),
        {token_kind.lower(): (side_px, side_px) for token_kind, side_px in _TOKEN_SIDES_PX.items()},
        table_layout,
        tuple(vassal_decks),
        pages_by_window,
    )


def board_dpi(board: Board) -> float:
    """Return the resolution of a board's picture, lower for a page too large for the engine."""
    shared_dpi = _shared_dpi(board)
    if abs(shared_dpi - _BOARD_DPI) <= _DPI_TOLERANCE * _BOARD_DPI:
        return shared_dpi
    square_inches = board.page.width * board.page.height / MM_PER_INCH**2
    return float(min(_BOARD_DPI, int((_MAX_PIXELS / square_inches) ** 0.5)))


def _shared_dpi(board: Board) -> float:
    """Return the resolution of the picture for other formats; drawing another takes seconds."""
    return LONGEST * MM_PER_INCH / max(board.page.width, board.page.height)


def _draw_board(layout: Layout, dpi: float) -> bytes:
    if dpi == _shared_dpi(layout.board):
        return board_picture(layout.board, LONGEST).png
    return svg_to_png(board_svg(layout.board), dpi)


def _priced_cards(layout: Layout) -> dict[str, list[tuple[Sheet, str]]]:
    """Return the cards of each deck with their prices: all deeds, and each kind of engine (RB-C15, RB-C16)."""
    board, rules, words = layout.board, layout.board.rules, words_of(layout.board)
    price_by_deed = {f"deed-{railroad.id}": str(railroad.price) for railroad in board.railroads}
    cards_by_deck = {words("module.deeds"): [(sheet, price_by_deed[sheet.id]) for sheet in card_sheets(board, "deeds")]}
    price_by_engine = {
        "freight": 0,
        "express": rules.purchase.express_price,
        "superchief": rules.purchase.superchief_price,
    }
    for sheet in card_sheets(board, "engines"):
        engine_kind = sheet.id.split("-")[1]
        cards_by_deck.setdefault(words(f"engine.{engine_kind}"), []).append((sheet, str(price_by_engine[engine_kind])))
    return {deck_name: deck_cards for deck_name, deck_cards in cards_by_deck.items() if deck_cards}
