"""Tabletop Simulator: a save with the board, deeds, engines, dice, pawns and a notebook, and its pictures."""

import re
from typing import Any, Final

from mapkit.core.errors import ExportError
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.exchange.board_picture import board_picture, card_sheets, hashed_name
from mapkit.kinds.rail.exchange.card_grid import LONGEST, card_set
from mapkit.kinds.rail.exchange.format import Exported, ExportOptions
from mapkit.kinds.rail.exchange.tts.notes import tab_states
from mapkit.kinds.rail.exchange.tts.objects import (
    PAWN,
    Deck,
    TabletopObjects,
    board_scale,
    board_tile,
    deck,
    dice,
    nearest,
    pawn_scale,
    pawns,
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
LOCAL: Final = (
    "addresses that other players can reach: without --base-url the game reads the pictures from this folder, "
    "on this machine only"
)
NO_ADDRESS: Final = "addresses of the pictures; the save has only their names: give base_url or folder"
BRACKETS: Final = "square brackets in names; the notebook has round ones"

_ADDRESS: Final = re.compile(r"(?:https?|file)://[A-Za-z0-9._~:/\[\]@!$&()*+,;=%-]+")
_LONGEST_URL: Final = 1000
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
        base = base_address(options)
        files: dict[str, str | bytes] = {}

        def put(stem: str, png: bytes) -> str:
            name = hashed_name(stem, png)
            files[name] = png
            return base + name

        table = TabletopObjects(board)
        picture = board_picture(board, LONGEST)
        spots = lay_out(board).spots
        gap = nearest([spots[milepost.id] for milepost in board.mileposts])
        aspect = picture.width / picture.height
        scale = board_scale(board, gap, aspect)
        side = scale * aspect
        things = [board_tile(table, picture, put(f"{board.id}-board", picture.png), spots, scale)]
        key, words = 1, words_of(board)
        for group, z in _DECKS:
            cards = card_sheets(board, group)
            if not cards:
                continue
            pictures = card_set(cards)
            urls = [put(f"{board.id}-{group}", grid.png) for grid in pictures.grids]
            back = put(f"{board.id}-{group}-back", pictures.back)
            things.append(
                deck(
                    table, Deck(words(f"save.{group}"), group, cards, pictures, urls, back, key), (-side - 2.5, 1.5, z)
                )
            )
            key += len(urls)
        things += dice(table, side + 1.5)
        things += pawns(table, side + 1.5, pawn_scale(board, gap, scale))
        files[f"{board.id}.json"] = json_text(_save(board, things))
        return Exported(files, (*LOSSES, *_more_losses(board, options)))


def base_address(options: ExportOptions) -> str:
    """Return what stands before the names of pictures, with a slash at its end, or nothing.

    Raises:
        ExportError: `base_url` is not an address that the game can open.
    """
    url = options.base_url
    if url is None:
        return "" if options.folder is None else options.folder.resolve().as_uri().rstrip("/") + "/"
    if len(url) > _LONGEST_URL or not _ADDRESS.fullmatch(url):
        raise ExportError(
            f"--base-url {url[:80]!r}: give the address of the folder that holds the pictures, such as "
            "https://example.org/maps/, without spaces, quotes, ? or #; write other letters as %XX"
        )
    return url.rstrip("/") + "/"


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
    return {
        "SaveName": board.title,
        "EpochTime": 0,
        "Date": "",
        "VersionNumber": "",
        "GameMode": board.title,
        "GameType": "Game",
        "GameComplexity": "Medium Complexity",
        "Tags": ["Board Games", "Trains"],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "PlayingTime": [0, 0],
        "PlayerCounts": [rules.min_players, rules.max_players],
        "Table": "Table_RPG",
        "Sky": "Sky_Museum",
        "Note": "",
        "TabStates": tab_states(board),
        "Grid": {
            "Type": 0,
            "Lines": False,
            "Color": {"r": 0, "g": 0, "b": 0},
            "Opacity": 0.75,
            "ThickLines": False,
            "Snapping": False,
            "Offset": False,
            "BothSnapping": False,
            "xSize": 2,
            "ySize": 2,
            "PosOffset": {"x": 0, "y": 1, "z": 0},
        },
        "Lighting": {
            "LightIntensity": 0.54,
            "LightColor": {"r": 1, "g": 0.98, "b": 0.89},
            "AmbientIntensity": 1.3,
            "AmbientType": 0,
            "AmbientSkyColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "AmbientEquatorColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "AmbientGroundColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "ReflectionIntensity": 1,
            "LutIndex": 0,
            "LutContribution": 1,
            "LutURL": "",
        },
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ComponentTags": {"labels": [{"displayed": PAWN, "normalized": PAWN}]},
        "Turns": {
            "Enable": False,
            "Type": 0,
            "TurnOrder": [],
            "Reverse": False,
            "SkipEmpty": False,
            "DisableInteractions": False,
            "PassTurns": True,
            "TurnColor": "White",
        },
        "DecalPallet": [],
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "SnapPoints": [],
        "ObjectStates": things,
    }


FORMAT = TabletopSimulatorFormat()
