"""The pictures of a VASSAL module, as PNG: the engine draws SVG slowly, and knows little of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.drawing.sheet import CARD, Sheet
from mapkit.exchange.card_grid import LONGEST
from mapkit.kinds.rail.exchange.board_picture import board_picture, board_svg, card_sheets
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.kinds.rail.render.sheets.table import TableLayout, lay_table, table_svg
from mapkit.kinds.rail.render.sheets.tokens import SIDE, Token, player_names, token_svg
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.raster import MM_PER_INCH, svg_to_png

BOARD: Final = "board.png"
TABLE: Final = "table.png"

_BOARD_DPI: Final = 100.0
_NEAR: Final = 0.1
"""How much more or less resolution a board may have, so that its picture is the one of other formats."""
_MOST_PIXELS: Final = 40_000_000
"""The engine holds a board's picture in memory, 4 bytes a pixel."""
_CARD_DPI: Final = 110.0
_CHART_DPI: Final = 110.0
_TOKENS: Final[Mapping[Token, int]] = {"Pawn": 42, "Departure": 36, "Destination": 36}
"""Sides in pixels: a pawn covers a city and a little more."""
_BAND_MM: Final = 13.2
"""How much of a card its name takes, from its upper edge."""
_WINDOWS: Final = ("destinations", "payoffs", "reference")


@dataclass(frozen=True)
class Card:
    """A card: its name, its picture, its price in whole currency (empty for none)."""

    name: str
    image: str
    price: str


@dataclass(frozen=True)
class VassalDeck:
    """Cards that lie on each other."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class ModulePictures:
    """All pictures of a module, and what is on them.

    Attributes:
        files: Name -> PNG.
        dpi: Pixels per inch of the board.
        card_dpi: Those of the table.
        card_size: Width and height of a card in pixels.
        band: How many pixels of a card show its name.
        token_sizes: `pawn`, `departure`, `destination` -> width and height in pixels.
        table: Where decks and mats lie.
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


def pictures_of(layout: Layout) -> ModulePictures:
    """Draw everything that a module shows."""
    board, words = layout.board, words_of(layout.board)
    dpi = board_dpi(board)
    files = {BOARD: _board_png(layout, dpi)}
    decks = []
    drawn: dict[str, str] = {}
    for name, found in _card_sheets(layout).items():
        cards = []
        for sheet, price in found:
            image = drawn.setdefault(sheet.svg, f"{sheet.id}.png")
            cards.append(Card(sheet.title.partition(": ")[2], image, price))
        decks.append(VassalDeck(name, tuple(cards)))
    files |= {image: svg_to_png(svg, _CARD_DPI) for svg, image in drawn.items()}
    charts: dict[str, tuple[tuple[str, str], ...]] = {}
    for group in _WINDOWS:
        pages = sheets(board, only=[group])
        if pages:
            charts[words(f"{group}.title")] = tuple((page.title, f"{page.id}.png") for page in pages)
            files |= {f"{page.id}.png": svg_to_png(page.svg, _CHART_DPI) for page in pages}
    players = board.rules.setup.max_players
    for kind, side in _TOKENS.items():
        for player in range(players):
            files[f"{kind.lower()}-{player + 1}.png"] = svg_to_png(token_svg(player, kind), side * MM_PER_INCH / SIDE)
    table = lay_table(len(decks), players)
    files[TABLE] = svg_to_png(
        table_svg(table, [deck.name for deck in decks], player_names(words), board.title), _CARD_DPI
    )
    width, height = (round(side * _CARD_DPI / MM_PER_INCH) for side in CARD)
    return ModulePictures(
        files,
        dpi,
        _CARD_DPI,
        (width, height),
        round(_BAND_MM * _CARD_DPI / MM_PER_INCH),
        {kind.lower(): (side, side) for kind, side in _TOKENS.items()},
        table,
        tuple(decks),
        charts,
    )


def board_dpi(board: Board) -> float:
    """Return the resolution of a board's picture: less for a page so large that the engine could not hold it."""
    shared = _shared_dpi(board)
    if abs(shared - _BOARD_DPI) <= _NEAR * _BOARD_DPI:
        return shared
    inches = board.page.width * board.page.height / MM_PER_INCH**2
    return float(min(_BOARD_DPI, int((_MOST_PIXELS / inches) ** 0.5)))


def _shared_dpi(board: Board) -> float:
    """Return the resolution of the picture that other clients get; drawing another takes seconds."""
    return LONGEST * MM_PER_INCH / max(board.page.width, board.page.height)


def _board_png(layout: Layout, dpi: float) -> bytes:
    if dpi == _shared_dpi(layout.board):
        return board_picture(layout.board, LONGEST).png
    return svg_to_png(board_svg(layout.board), dpi)


def _card_sheets(layout: Layout) -> dict[str, list[tuple[Sheet, str]]]:
    """Return deck -> its cards with their prices: all deeds, and each kind of engine (RB-C15, RB-C16)."""
    board, rules, words = layout.board, layout.board.rules, words_of(layout.board)
    prices = {f"deed-{railroad.id}": str(railroad.price) for railroad in board.railroads}
    decks = {words("module.deeds"): [(sheet, prices[sheet.id]) for sheet in card_sheets(board, "deeds")]}
    costs = {"freight": 0, "express": rules.purchase.express_price, "superchief": rules.purchase.superchief_price}
    for sheet in card_sheets(board, "engines"):
        kind = sheet.id.split("-")[1]
        decks.setdefault(words(f"engine.{kind}"), []).append((sheet, str(costs[kind])))
    return {name: cards for name, cards in decks.items() if cards}
