"""VASSAL modules: the board with named points, pawns, chips, cards, dice, charts and rules, ready to play."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Point
from mapkit.drawing.sheet import CARD, Sheet
from mapkit.drawing.words.language import Words
from mapkit.exchange.card_grid import LONGEST
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.vassal.module import MapTexts, Stacking, game_module, make_map, make_pile, module_file
from mapkit.exchange.vassal.pieces import (
    Slots,
    constant_property,
    deletable_trait,
    prototype,
    prototype_trait,
    trail_trait,
)
from mapkit.exchange.vassal.tree import Attributes, Component
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.rail.exchange.board_picture import board_picture, board_svg, card_sheets
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.vassal.lookups import chart_data, lookup_buttons
from mapkit.kinds.rail.exchange.workbook.format import unique_labels
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.rule_sheet.page import format_plain_html
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.kinds.rail.render.sheets.table import TableLayout, draw_table, lay_table
from mapkit.kinds.rail.render.sheets.tokens import SIDE, Token, list_player_names, token_svg
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.raster import MM_PER_INCH, svg_to_png

# Named points and zones of a VASSAL board, in pixels of its picture.

Pixel = tuple[int, int]

_TOLERANCE_MM: Final = 0.1
_MILEPOST_RADIUS_MM: Final = 0.8
"""Radius of the area around a milepost that belongs to its region even beyond the border."""


@dataclass(frozen=True)
class PicturePlaces:
    """Positions of points and zones on the picture of a board."""

    points: Mapping[str, Pixel]
    """Milepost (id) -> pixel of its point."""
    names: Mapping[str, str]
    """Milepost (id) -> unique name of its point."""
    zones: Mapping[str, tuple[Pixel, ...]]
    """Region (id) -> outline of its ground, connected to holes and islands by lines of zero width."""


def find_places(layout: Layout, dpi: float) -> PicturePlaces:
    """Return the points and zones of a drawn board."""
    board = layout.board
    spot_by_milepost = {milepost.id: layout.spots[milepost.id] for milepost in board.mileposts}
    outline_by_region = {
        region_id: _trace_outline(region_ground, dpi) for region_id, region_ground in _region_grounds(layout).items()
    }
    # Pixels of the points; a point on a taken pixel moves to the nearest free one
    taken_pixels: set[Pixel] = set()
    pixel_by_id = {}
    for milepost_id, page_point in sorted(spot_by_milepost.items()):
        x, y = mm_to_pixel(page_point, dpi)
        pixel_by_id[milepost_id] = next(
            free_pixel for free_pixel in _pixels_around(x, y) if free_pixel not in taken_pixels
        )
        taken_pixels.add(pixel_by_id[milepost_id])
    return PicturePlaces(
        pixel_by_id,
        point_names(board),
        {region_id: outline for region_id, outline in outline_by_region.items() if outline},
    )


def _region_grounds(layout: Layout) -> dict[str, BaseGeometry]:
    """Return the ground of each region (id), with the areas around its own mileposts, without those around others."""
    spots_by_region: dict[str, list[Point]] = {}
    for milepost_id, region in sorted(find_regions(layout.board).items()):
        spots_by_region.setdefault(region, []).append(layout.spots[milepost_id])
    area_around = {
        region_id: shapely.multipoints(region_spots).buffer(_MILEPOST_RADIUS_MM)
        for region_id, region_spots in spots_by_region.items()
    }
    grounds = {}
    for region_name in (region.id for region in layout.board.regions):
        other_areas = shapely.union_all(
            [milepost_area for region_id, milepost_area in area_around.items() if region_id != region_name]
        )
        extended_ground = layout.ground.tints[region_name].union(area_around.get(region_name, shapely.Polygon()))
        grounds[region_name] = extended_ground.difference(other_areas)
    return grounds


def mm_to_pixel(at: Point, dpi: float) -> Pixel:
    """Return the pixel of a point on the page, given in millimetres."""
    return round(at[0] * dpi / MM_PER_INCH), round(at[1] * dpi / MM_PER_INCH)


def _pixels_around(x: int, y: int) -> Iterable[Pixel]:
    for distance in count():
        ring_offsets = [
            (i, j)
            for i in range(-distance, distance + 1)
            for j in range(-distance, distance + 1)
            if max(abs(i), abs(j)) == distance
        ]
        for i, j in sorted(ring_offsets, key=lambda p: (p[0] ** 2 + p[1] ** 2, p)):
            yield x + i, y + j


def point_names(board: Board) -> dict[str, str]:
    """Return a unique grid name for each milepost (id): its cities or its id, and both where names repeat."""
    cities_by_milepost: dict[str, list[str]] = {}
    for city in board.cities:
        cities_by_milepost.setdefault(city.milepost, []).append(city.name)
    name_by_milepost = {
        m.id: words_of(board)("payoffs.and").join(cities_by_milepost.get(m.id, [m.id])) for m in board.mileposts
    }
    name_counts = Counter(name_by_milepost.values())
    milepost_ids = set(name_by_milepost)
    return {
        milepost_id: name
        if name_counts[name] == 1 and (name == milepost_id or name not in milepost_ids)
        else f"{name} ({milepost_id})"
        for milepost_id, name in name_by_milepost.items()
    }


def _trace_outline(ground: BaseGeometry, dpi: float) -> tuple[Pixel, ...]:
    """Return the rings of a shape as one outline for the even-odd rule, joined by lines of zero width."""
    pixel_rings: list[list[Pixel]] = []
    for ground_part in shapely.get_parts(shapely.simplify(ground, _TOLERANCE_MM)):
        if ground_part.geom_type != "Polygon":
            continue
        for pixel_ring in (ground_part.exterior, *ground_part.interiors):
            ring_corners = [mm_to_pixel(page_point, dpi) for page_point in pixel_ring.coords[:-1]]
            distinct_corners = [
                corner for corner_index, corner in enumerate(ring_corners) if corner != ring_corners[corner_index - 1]
            ]
            if len(distinct_corners) > 2:  # noqa: PLR2004 - fewer corners enclose no area
                pixel_rings.append(distinct_corners)
    if not pixel_rings:
        return ()
    first_ring, *other_rings = pixel_rings
    outline_path = list(first_ring)
    for pixel_ring in other_rings:
        outline_path += [first_ring[0], *pixel_ring, pixel_ring[0]]
    return (*outline_path, first_ring[0]) if other_rings else tuple(outline_path)


def grid_node(places: PicturePlaces) -> Component:
    """Return the component for the grid of all points."""
    return Component(
        "module.map.boardPicker.board.RegionGrid",
        {"fontsize": 9, "snapto": True, "visible": False},
        [
            Component(
                "module.map.boardPicker.board.Region",
                {"name": places.names[milepost_id], "originx": x, "originy": y},
            )
            for milepost_id, (x, y) in sorted(places.points.items())
        ],
    )


def zone_node(name: str, path: Iterable[Pixel], *, said: str, parent: bool) -> Component:
    """Return the component for a zone.

    Args:
        name: Its name.
        path: Its outline.
        said: Format of the names of locations in the zone.
        parent: Whether the zone uses the grid of the board.
    """
    return Component(
        "module.map.boardPicker.board.mapgrid.Zone",
        {
            "highlightProperty": "",
            "locationFormat": said,
            "name": name,
            "path": ";".join(f"{x},{y}" for x, y in path),
            "useHighlight": False,
            "useParentGrid": parent,
        },
    )


# PNG pictures of a VASSAL module; the engine draws SVG slowly and supports little of it.

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


LOSSES: Final = (
    "track, steps and fees: VASSAL does not check moves; railroads are in the picture alone",
    "rules as data: the rule sheet is a text",
    "degrees, projection, ids of segments, extensions and provenance",
)
_TOKEN_KINDS: Final = ("pawn", "departure", "destination")


class VassalFormat:
    """Module for VASSAL 3.6 and later."""

    name = "vassal"
    title = "VASSAL module"
    suffixes = (".vmod",)
    carries = (
        "the drawn board with a point for every milepost and a zone for every region; pawns, chips, deeds, engine "
        "cards, dice, charts to look up and rules to play with"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return `BOARD.vmod`."""
        return ExportedBoard({f"{options.file_stem(board)}.vmod": module_bytes(board)}, LOSSES)


FORMAT = VassalFormat()


def module_bytes(board: Board) -> bytes:
    """Return the module of a board, a ZIP file; the same board gives the same bytes.

    Raises:
        ExportError: A name contains a character that XML forbids.
    """
    element_names = [
        element.name for element_list in (board.cities, board.regions, board.railroads) for element in element_list
    ]
    for xml_value in (board.title, *element_names):
        xml_text(xml_value)  # report forbidden characters before drawing anything
    layout = lay_out(board)
    pictures = draw_pictures(layout)
    picture_places = find_places(layout, pictures.dpi)
    module_files: dict[str, str | bytes] = {
        f"images/{file_name}": png_bytes for file_name, png_bytes in pictures.files.items()
    }
    module_files["rules.html"] = format_plain_html(make_rule_sheet(board.rules, board=board))
    return module_file(module_tree(board, picture_places, pictures), _module_description(board), module_files)


def _module_description(board: Board) -> str:
    words = words_of(board)
    return words(
        "module.counts",
        board=board.title,
        railroads=words.count("board.railroads", len(board.railroads)),
        cities=words.count("board.cities", len(board.cities)),
    )


def module_tree(board: Board, places: PicturePlaces, pictures: ModulePictures) -> Component:
    """Return the component tree of a module."""
    slots, words = Slots(), words_of(board)
    delete_trait = deletable_trait(words("module.delete"))
    module_components = [
        Component("module.BasicCommandEncoder"),  # must come first, or the engine reads no piece
        Component(
            "module.Documentation",
            children=[
                Component(
                    "module.documentation.HelpFile",
                    {"fileName": "rules.html", "fileType": "archive", "title": words("rules.title")},
                )
            ],
        ),
        Component(
            "module.PlayerRoster",
            children=[Component("entry", text=player_name) for player_name in _list_players(board)],
        ),
        Component("module.GlobalOptions", {"autoReport": "Always"}),
        Component("module.properties.GlobalProperties", children=chart_data(board)),
        Component(
            "module.PrototypesContainer",
            children=[
                prototype("Pawn", [trail_trait(words("module.trail")), delete_trait], "Ctrl-T shows where it has been"),
                prototype("Chip", [delete_trait], "Marks where a trip starts or where it goes"),
            ],
        ),
        _make_board_map(board, places),
        _make_card_map(board, pictures, slots),
        *_dice_buttons(board),
        *lookup_buttons(board),
        *_chart_windows(pictures),
        _make_palette(board, pictures, slots),
        Component("module.NotesWindow", {"buttonText": words("module.notes"), "tooltip": words("module.about_notes")}),
        Component("module.Chatter"),
        Component("module.KeyNamer"),
        Component("VASSAL.i18n.Language"),
    ]
    return game_module(board.title, _module_description(board), module_components, slots.next)


def _list_players(board: Board) -> Sequence[str]:
    return list_player_names(words_of(board))[: board.rules.setup.max_players]


def _make_map_texts(words: Words, name: str) -> MapTexts:
    move_message = words("module.moves", piece="$pieceName$", **{"from": "$previousLocation$", "to": "$location$"})
    return MapTexts(name, words("module.save_picture"), move_message)


def _make_board_map(board: Board, places: PicturePlaces) -> Component:
    region_labels = unique_labels((region.id, region.name) for region in board.regions)
    region_zones = [
        zone_node(region_labels[region_id], zone_path, said="$gridLocation$ ($name$)", parent=True)
        for region_id, zone_path in places.zones.items()
    ]
    zoned_grid = Component("module.map.boardPicker.board.ZonedGrid", children=[grid_node(places), *region_zones])
    words = words_of(board)
    map_name = words("printout.board")
    board_component = Component(
        "module.map.boardPicker.Board",
        {"image": BOARD, "name": map_name, "reversible": False},
        [zoned_grid] if places.points else [],
    )
    return make_map(_make_map_texts(words, map_name), board_component, Stacking(9, 9), button=False)


def _make_card_map(board: Board, pictures: ModulePictures, slots: Slots) -> Component:
    """Return the map with decks and mats, and each player's pawn and chips on their mat."""
    table_layout, card_dpi, words = pictures.table, pictures.card_dpi, words_of(board)
    map_title = words("module.cards")
    zone_corners = [
        [mm_to_pixel((x, y), card_dpi) for x, y in ((a, b), (c, b), (c, d), (a, d))]
        for a, b, c, d in (table_layout.bank, *table_layout.mats)
    ]
    card_zones = [
        zone_node(zone_name, zone_path, said="$name$", parent=False)
        for zone_name, zone_path in zip((words("module.bank"), *_list_players(board)), zone_corners, strict=True)
    ]
    board_component = Component(
        "module.map.boardPicker.Board",
        {"image": TABLE, "name": map_title, "reversible": False},
        [Component("module.map.boardPicker.board.ZonedGrid", children=card_zones)],
    )
    deck_piles = []
    for deck, deck_centre in zip(pictures.decks, table_layout.decks, strict=True):
        card_slots = [
            slots.slot(card.name, card.image, pictures.card_size, [constant_property("Price", card.price)], card=True)
            for card in deck.cards
        ]
        deck_piles.append(
            make_pile(deck.name, map_title, mm_to_pixel(deck_centre, card_dpi), pictures.card_size, card_slots)
        )
    setup_stacks = []
    for player in range(len(_list_players(board))):
        for token_number, token_slot in enumerate(_token_slots(player, board, pictures, slots)):
            x, y = mm_to_pixel(table_layout.spot(player, token_number), card_dpi)
            stack_attributes: Attributes = {
                "location": "",
                "name": token_slot.attributes["entryName"],
                "owningBoard": map_title,
                "useGridLocation": False,
            }
            setup_stacks.append(Component("module.map.SetupStack", {**stack_attributes, "x": x, "y": y}, [token_slot]))
    return make_map(
        _make_map_texts(words, map_title),
        board_component,
        Stacking(0, -pictures.band),
        button=True,
        inside=[*deck_piles, *setup_stacks],
    )


def _token_slots(player: int, board: Board, pictures: ModulePictures, slots: Slots) -> list[Component]:
    """Return slots with a player's pawn and chips (RB-C17)."""
    words, player_colour = words_of(board), _list_players(board)[player]
    return [
        slots.slot(
            words(f"module.{piece_kind}", colour=player_colour),
            f"{piece_kind}-{player + 1}.png",
            pictures.token_sizes[piece_kind],
            [prototype_trait("Pawn" if piece_kind == "pawn" else "Chip")],
        )
        for piece_kind in _TOKEN_KINDS
    ]


def _make_palette(board: Board, pictures: ModulePictures, slots: Slots) -> Component:
    """Return the window with spare markers."""
    player_tabs = [
        Component("widget.ListWidget", {"entryName": player_name}, _token_slots(player, board, pictures, slots))
        for player, player_name in enumerate(_list_players(board))
    ]
    words = words_of(board)
    window_name = words("module.markers")
    return Component(
        "module.PieceWindow",
        {"hidden": False, "name": window_name, "text": window_name, "tooltip": words("module.spare")},
        [Component("widget.TabWidget", {"entryName": window_name}, player_tabs)],
    )


def _dice_buttons(board: Board) -> list[Component]:
    """Return the dice that move a train (RB-C18)."""
    rules, words = board.rules, words_of(board)
    die_sides = rules.movement.die_sides
    common_attributes: Attributes = {
        "addToTotal": 0,
        "plus": 0,
        "nSides": die_sides,
        "prompt": False,
        "reportTotal": False,
    }
    roll_text = words("module.rolled", dice="$name$", result="$result$", total="$numericalTotal$")
    report_format = f"** {roll_text} *** <$PlayerName$>"
    dice_kinds = ((words("module.white_dice"), rules.movement.dice), (words("module.bonus_die"), rules.bonus.dice))
    return [
        Component(
            "module.DiceButton",
            {
                "name": button_name,
                "text": button_name,
                "nDice": die_count,
                "reportFormat": report_format,
                **common_attributes,
            },
        )
        for button_name, die_count in dice_kinds
        if die_count
    ]


def _chart_windows(pictures: ModulePictures) -> list[Component]:
    """Return a window for each kind of chart, with one tab per page."""
    chart_windows = []
    for window_name, pages in pictures.charts.items():
        chart_tabs = [
            Component("widget.Chart", {"chartName": page_title, "fileName": image_name})
            for page_title, image_name in pages
        ]
        window_children = (
            chart_tabs
            if len(chart_tabs) == 1
            else [Component("widget.TabWidget", {"entryName": window_name}, chart_tabs)]
        )
        chart_windows.append(
            Component(
                "module.ChartWindow",
                {"name": window_name, "text": window_name, "tooltip": window_name},
                window_children,
            )
        )
    return chart_windows
