"""Tabletop Simulator: a save with the board, deeds, engines, dice, pawns and a notebook, and its pictures."""

from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import LONGEST, draw_card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.tabletop.objects import Deck, TabletopObjects, deck_object
from mapkit.exchange.tabletop.save import NO_ADDRESS, base_address, make_save
from mapkit.kinds.rail.exchange.board_picture import board_picture, card_sheets
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.tts.notes import tab_states
from mapkit.kinds.rail.exchange.tts.objects import (
    PAWN,
    board_scale,
    board_tile,
    least_distance,
    make_dice,
    make_pawns,
    pawn_scale,
)
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.words import words_of

LOSSES: Final = (
    "segments and junctions, except in the drawing",
    "names and ids of mileposts, except in the drawing",
    "longitudes, latitudes, the projection and miles",
    "money; charts and rules are text in the notebook",
    "extensions and provenance",
)
BRACKETS: Final = "square brackets in names; the notebook has round ones"

_DECKS: Final = (("deeds", 4.0), ("engines", -4.0))


class TabletopSimulatorFormat:
    """Save of Tabletop Simulator."""

    name = "tts"
    title = "Tabletop Simulator save"
    suffixes = (".tts.json",)
    carries = (
        "the drawn board with a snap point for every milepost; deeds and engines as decks, dice with one for odd and "
        "even, pawns; rules, prices and charts in the notebook"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return `BOARD.json` and its pictures, with content hashes in their names.

        Raises:
            ExportError: `options.base_url` is not an address.
            PrintError: The board cannot be drawn.
        """
        base_url = base_address(options.base_url)
        files: dict[str, str | bytes] = {}

        def put(stem: str, png: bytes) -> str:
            hashed_file = hashed_name(stem, png)
            files[hashed_file] = png
            return base_url + hashed_file

        table_objects = TabletopObjects(board.id)
        drawn_board = board_picture(board, LONGEST)
        spot_by_id = lay_out(board).spots
        min_gap_mm = least_distance([spot_by_id[milepost.id] for milepost in board.mileposts])
        aspect = drawn_board.width / drawn_board.height
        tile_scale = board_scale(board, min_gap_mm, aspect)
        half_width = tile_scale * aspect
        save_objects = [
            board_tile(
                table_objects,
                board,
                drawn_board,
                put(f"{options.file_stem(board)}-board", drawn_board.png),
                spot_by_id,
                tile_scale,
            )
        ]
        deck_key, words = 1, words_of(board)
        for group, deck_z in _DECKS:
            group_cards = card_sheets(board, group)
            if not group_cards:
                continue
            card_pictures = draw_card_set(group_cards)
            grid_urls = [put(f"{options.file_stem(board)}-{group}", grid.png) for grid in card_pictures.grids]
            back_url = put(f"{options.file_stem(board)}-{group}-back", card_pictures.back)
            save_objects.append(
                deck_object(
                    table_objects,
                    Deck(words(f"save.{group}"), group, group_cards, card_pictures, grid_urls, back_url, deck_key),
                    (-half_width - 2.5, 1.5, deck_z),
                )
            )
            deck_key += len(grid_urls)
        save_objects += make_dice(table_objects, board, half_width + 1.5)
        save_objects += make_pawns(table_objects, board, half_width + 1.5, pawn_scale(board, min_gap_mm, tile_scale))
        files[f"{options.file_stem(board)}.json"] = json_text(_make_save(board, save_objects))
        return ExportedBoard(files, (*LOSSES, *_optional_losses(board, options)))


def _optional_losses(board: Board, options: ExportOptions) -> tuple[str, ...]:
    lost_parts: list[str] = []
    if options.base_url is None:
        lost_parts.append(NO_ADDRESS)
    all_names = (
        board.title,
        *(element.name for element_list in (board.cities, board.regions, board.railroads) for element in element_list),
    )
    if any(bracket in name for name in all_names for bracket in "[]"):
        lost_parts.append(BRACKETS)
    return tuple(lost_parts)


def _make_save(board: Board, table_objects: list[Any]) -> dict[str, Any]:
    setup_rules = board.rules.setup
    return make_save(
        board.title,
        table_objects,
        players=(setup_rules.min_players, setup_rules.max_players),
        notes=tab_states(board),
        labels=(PAWN,),
    )


FORMAT = TabletopSimulatorFormat()
