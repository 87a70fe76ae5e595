"""VASSAL modules: the board with named points, pawns, chips, cards, dice, charts and rules, ready to play."""

from collections.abc import Sequence
from typing import Final

from mapkit.drawing.words.language import Words
from mapkit.exchange.plan import Exported
from mapkit.exchange.vassal.module import MapTexts, Stacking, game_module, map_of, module_file, pile
from mapkit.exchange.vassal.pieces import Slots, marked, prototype, removable, trailing, uses
from mapkit.exchange.vassal.tree import Attributes, Component
from mapkit.formats.xml_text import xml_text
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.vassal.lookups import chart_data, lookup_buttons
from mapkit.kinds.rail.exchange.vassal.pictures import BOARD, TABLE, ModulePictures, pictures_of
from mapkit.kinds.rail.exchange.vassal.places import PicturePlaces, grid_node, pixel, places_of, zone_node
from mapkit.kinds.rail.exchange.workbook.format import labels
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.rule_sheet.page import plain_html
from mapkit.kinds.rail.render.rule_sheet.sheet import rule_sheet
from mapkit.kinds.rail.render.sheets.tokens import player_names
from mapkit.kinds.rail.render.words import words_of

LOSSES: Final = (
    "track, steps and fees: VASSAL does not check moves; railroads are in the picture alone",
    "rules as data: the rule sheet is a text",
    "degrees, projection, ids of segments, extensions and provenance",
)
_TOKENS: Final = ("pawn", "departure", "destination")


class VassalFormat:
    """A module for VASSAL 3.6 and later."""

    name = "vassal"
    title = "VASSAL module"
    suffixes = (".vmod",)
    carries = (
        "the drawn board with a point for every milepost and a zone for every region; pawns, chips, deeds, engine "
        "cards, dice, charts to look up and rules to play with"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return `BOARD.vmod`."""
        return Exported({f"{options.file_stem(board)}.vmod": module_bytes(board)}, LOSSES)


FORMAT = VassalFormat()


def module_bytes(board: Board) -> bytes:
    """Return the module of a board, a ZIP file; the same board gives the same bytes.

    Raises:
        ExportError: A name holds a character that XML forbids.
    """
    names = [part.name for parts in (board.cities, board.regions, board.railroads) for part in parts]
    for text in (board.title, *names):
        xml_text(text)  # what cannot be written is reported before anything is drawn
    layout = lay_out(board)
    pictures = pictures_of(layout)
    places = places_of(layout, pictures.dpi)
    parts: dict[str, str | bytes] = {f"images/{name}": data for name, data in pictures.files.items()}
    parts["rules.html"] = plain_html(rule_sheet(board.rules, board=board))
    return module_file(module_tree(board, places, pictures), _about(board), parts)


def _about(board: Board) -> str:
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
    delete = removable(words("module.delete"))
    parts = [
        Component("module.BasicCommandEncoder"),  # first, or no piece is read
        Component(
            "module.Documentation",
            children=[
                Component(
                    "module.documentation.HelpFile",
                    {"fileName": "rules.html", "fileType": "archive", "title": words("rules.title")},
                )
            ],
        ),
        Component("module.PlayerRoster", children=[Component("entry", text=name) for name in _players(board)]),
        Component("module.GlobalOptions", {"autoReport": "Always"}),
        Component("module.properties.GlobalProperties", children=chart_data(board)),
        Component(
            "module.PrototypesContainer",
            children=[
                prototype("Pawn", [trailing(words("module.trail")), delete], "Ctrl-T shows where it has been"),
                prototype("Chip", [delete], "Marks where a trip starts or where it goes"),
            ],
        ),
        _board_map(board, places),
        _card_map(board, pictures, slots),
        *_dice(board),
        *lookup_buttons(board),
        *_charts(pictures),
        _palette(board, pictures, slots),
        Component("module.NotesWindow", {"buttonText": words("module.notes"), "tooltip": words("module.about_notes")}),
        Component("module.Chatter"),
        Component("module.KeyNamer"),
        Component("VASSAL.i18n.Language"),
    ]
    return game_module(board.title, _about(board), parts, slots.next)


def _players(board: Board) -> Sequence[str]:
    return player_names(words_of(board))[: board.rules.setup.max_players]


def _map_texts(words: Words, name: str) -> MapTexts:
    moves = words("module.moves", piece="$pieceName$", **{"from": "$previousLocation$", "to": "$location$"})
    return MapTexts(name, words("module.save_picture"), moves)


def _board_map(board: Board, places: PicturePlaces) -> Component:
    regions = labels((region.id, region.name) for region in board.regions)
    zones = [
        zone_node(regions[ident], path, said="$gridLocation$ ($name$)", parent=True)
        for ident, path in places.zones.items()
    ]
    grid = Component("module.map.boardPicker.board.ZonedGrid", children=[grid_node(places), *zones])
    words = words_of(board)
    name = words("printout.board")
    drawn = Component(
        "module.map.boardPicker.Board",
        {"image": BOARD, "name": name, "reversible": False},
        [grid] if places.points else [],
    )
    return map_of(_map_texts(words, name), drawn, Stacking(9, 9), button=False)


def _card_map(board: Board, pictures: ModulePictures, slots: Slots) -> Component:
    """Return the map with the decks and the mats, and everybody's pawn and chips on them."""
    table, dpi, words = pictures.table, pictures.card_dpi, words_of(board)
    title = words("module.cards")
    corners = [
        [pixel((x, y), dpi) for x, y in ((a, b), (c, b), (c, d), (a, d))] for a, b, c, d in (table.bank, *table.mats)
    ]
    zones = [
        zone_node(name, path, said="$name$", parent=False)
        for name, path in zip((words("module.bank"), *_players(board)), corners, strict=True)
    ]
    drawn = Component(
        "module.map.boardPicker.Board",
        {"image": TABLE, "name": title, "reversible": False},
        [Component("module.map.boardPicker.board.ZonedGrid", children=zones)],
    )
    piles = []
    for deck, middle in zip(pictures.decks, table.decks, strict=True):
        cards = [
            slots.slot(card.name, card.image, pictures.card_size, [marked("Price", card.price)], card=True)
            for card in deck.cards
        ]
        piles.append(pile(deck.name, title, pixel(middle, dpi), pictures.card_size, cards))
    setups = []
    for player in range(len(_players(board))):
        for number, slot in enumerate(_tokens(player, board, pictures, slots)):
            x, y = pixel(table.spot(player, number), dpi)
            at: Attributes = {
                "location": "",
                "name": slot.attributes["entryName"],
                "owningBoard": title,
                "useGridLocation": False,
            }
            setups.append(Component("module.map.SetupStack", {**at, "x": x, "y": y}, [slot]))
    return map_of(_map_texts(words, title), drawn, Stacking(0, -pictures.band), button=True, inside=[*piles, *setups])


def _tokens(player: int, board: Board, pictures: ModulePictures, slots: Slots) -> list[Component]:
    """Return slots with a player's pawn and chips (RB-C17)."""
    words, colour = words_of(board), _players(board)[player]
    return [
        slots.slot(
            words(f"module.{kind}", colour=colour),
            f"{kind}-{player + 1}.png",
            pictures.token_sizes[kind],
            [uses("Pawn" if kind == "pawn" else "Chip")],
        )
        for kind in _TOKENS
    ]


def _palette(board: Board, pictures: ModulePictures, slots: Slots) -> Component:
    """Return the window with spare markers."""
    tabs = [
        Component("widget.ListWidget", {"entryName": name}, _tokens(player, board, pictures, slots))
        for player, name in enumerate(_players(board))
    ]
    words = words_of(board)
    name = words("module.markers")
    return Component(
        "module.PieceWindow",
        {"hidden": False, "name": name, "text": name, "tooltip": words("module.spare")},
        [Component("widget.TabWidget", {"entryName": name}, tabs)],
    )


def _dice(board: Board) -> list[Component]:
    """Return the dice that move a train (RB-C18)."""
    rules, words = board.rules, words_of(board)
    sides = rules.movement.die_sides
    said: Attributes = {"addToTotal": 0, "plus": 0, "nSides": sides, "prompt": False, "reportTotal": False}
    rolled = words("module.rolled", dice="$name$", result="$result$", total="$numericalTotal$")
    shown = f"** {rolled} *** <$PlayerName$>"
    kinds = ((words("module.white_dice"), rules.movement.dice), (words("module.bonus_die"), rules.bonus.dice))
    return [
        Component("module.DiceButton", {"name": name, "text": name, "nDice": count, "reportFormat": shown, **said})
        for name, count in kinds
        if count
    ]


def _charts(pictures: ModulePictures) -> list[Component]:
    """Return a window for each kind of chart, with a tab for each page."""
    out = []
    for name, pages in pictures.charts.items():
        charts = [Component("widget.Chart", {"chartName": title, "fileName": image}) for title, image in pages]
        inside = charts if len(charts) == 1 else [Component("widget.TabWidget", {"entryName": name}, charts)]
        out.append(Component("module.ChartWindow", {"name": name, "text": name, "tooltip": name}, inside))
    return out
