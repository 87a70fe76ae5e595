"""Tabletop Simulator: a save with the board, deeds, engines, dice, pawns and a notebook, and its pictures."""

from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import LONGEST, card_set
from mapkit.exchange.pictures import hashed_name
from mapkit.exchange.plan import Exported
from mapkit.exchange.tabletop.objects import Deck, TabletopObjects, deck
from mapkit.exchange.tabletop.save import base_address, save_of
from mapkit.kinds.rail.exchange.board_picture import board_picture, card_sheets
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.exchange.tts.notes import tab_states
from mapkit.kinds.rail.exchange.tts.objects import PAWN, board_scale, board_tile, dice, nearest, pawn_scale, pawns
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
LOCAL: Final = (
    "addresses that other players can reach: without --base-url the game reads the pictures from this folder, "
    "on this machine only"
)
NO_ADDRESS: Final = "addresses of the pictures; the save has only their names: give base_url or folder"
BRACKETS: Final = "square brackets in names; the notebook has round ones"

_DECKS: Final = (("deeds", 4.0), ("engines", -4.0))


class TabletopSimulatorFormat:
    """A save of Tabletop Simulator."""

    name = "tts"
    title = "Tabletop Simulator save"
    suffixes = (".tts.json",)
    carries = (
        "the drawn board with a snap point for every milepost; deeds and engines as decks, dice with one for odd and "
        "even, pawns; rules, prices and charts in the notebook"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return `BOARD.json` and its pictures, which have hashes of their content in their names.

        Raises:
            ExportError: `options.base_url` is not an address.
            PrintError: The board cannot be drawn.
        """
        base = base_address(options.base_url, options.folder)
        files: dict[str, str | bytes] = {}

        def put(stem: str, png: bytes) -> str:
            name = hashed_name(stem, png)
            files[name] = png
            return base + name

        table = TabletopObjects(board.id)
        picture = board_picture(board, LONGEST)
        spots = lay_out(board).spots
        gap = nearest([spots[milepost.id] for milepost in board.mileposts])
        aspect = picture.width / picture.height
        scale = board_scale(board, gap, aspect)
        side = scale * aspect
        things = [
            board_tile(table, board, picture, put(f"{options.file_stem(board)}-board", picture.png), spots, scale)
        ]
        key, words = 1, words_of(board)
        for group, z in _DECKS:
            cards = card_sheets(board, group)
            if not cards:
                continue
            pictures = card_set(cards)
            urls = [put(f"{options.file_stem(board)}-{group}", grid.png) for grid in pictures.grids]
            back = put(f"{options.file_stem(board)}-{group}-back", pictures.back)
            things.append(
                deck(
                    table, Deck(words(f"save.{group}"), group, cards, pictures, urls, back, key), (-side - 2.5, 1.5, z)
                )
            )
            key += len(urls)
        things += dice(table, board, side + 1.5)
        things += pawns(table, board, side + 1.5, pawn_scale(board, gap, scale))
        files[f"{options.file_stem(board)}.json"] = json_text(_save(board, things))
        return Exported(files, (*LOSSES, *_more_losses(board, options)))


def _more_losses(board: Board, options: ExportOptions) -> tuple[str, ...]:
    out: list[str] = []
    if options.base_url is None:
        out.append(NO_ADDRESS if options.folder is None else LOCAL)
    names = (board.title, *(thing.name for part in (board.cities, board.regions, board.railroads) for thing in part))
    if any(bracket in name for name in names for bracket in "[]"):
        out.append(BRACKETS)
    return tuple(out)


def _save(board: Board, things: list[Any]) -> dict[str, Any]:
    rules = board.rules.setup
    return save_of(
        board.title, things, players=(rules.min_players, rules.max_players), notes=tab_states(board), labels=(PAWN,)
    )


FORMAT = TabletopSimulatorFormat()
