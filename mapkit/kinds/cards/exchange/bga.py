"""Board Game Arena: the data of a game as JSON and as PHP arrays, and its cards as pictures."""

import json
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import draw_card_set
from mapkit.exchange.php import php_file, trait_file
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.table import make_decks
from mapkit.kinds.cards.render.job import CardJob

JSON: Final = "modules/php/material.json"
PHP: Final = "material.inc.php"
TRAIT: Final = "modules/php/MapMaterial.php"
_LOSSES: Final = ("the track and tokens as pictures", "logic: the studio's project carries out the rules")


def card_material(job: CardJob) -> dict[str, Any]:
    """Return the data of a game, parts by name, each a mapping by id or a list."""
    game_data: dict[str, Any] = json.loads(json_text(job.game))
    part_names = ("holdings", "railroads", "investors", "tokens", "zones", "decks", "money")
    material: dict[str, Any] = {
        "game": {name: game_data[name] for name in ("id", "title", "description", "track_is_example")}
    }
    material |= {name: {element["id"]: element for element in game_data[name]} for name in part_names}
    return {**material, "unassigned": game_data["unassigned"], "track": game_data["track"], "rules": game_data["rules"]}


def _write_files(asked: CardExport) -> ExportedBoard:
    data = card_material(asked.job)
    file_by_name: dict[str, str | bytes] = {}
    sprites_by_deck: dict[str, Any] = {}
    for deck in make_decks(asked.job):
        deck_pictures = draw_card_set(deck.cards)
        face_files = [f"img/{deck.id}_{number}.png" for number in range(len(deck_pictures.grids))]
        back_files = [f"img/{deck.id}_back_{number}.png" for number in range(len(deck_pictures.backs))] or [
            f"img/{deck.id}_back.png"
        ]
        file_by_name |= {name: grid.png for name, grid in zip(face_files, deck_pictures.grids, strict=True)}
        file_by_name |= (
            {name: grid.png for name, grid in zip(back_files, deck_pictures.backs, strict=True)}
            if deck_pictures.backs
            else {back_files[0]: deck_pictures.back}
        )
        cell_by_card = {card.id: list(place) for card, place in zip(deck.cards, deck_pictures.places, strict=True)}
        grid_sizes = [[grid.columns, grid.rows] for grid in deck_pictures.grids]
        sprites_by_deck[deck.id] = {
            "faces": face_files,
            "backs": back_files,
            "grids": grid_sizes,
            "cells": cell_by_card,
        }
    data["sprites"] = sprites_by_deck
    file_by_name |= {JSON: json_text(data), PHP: php_file(data), TRAIT: trait_file(data)}
    return ExportedBoard(file_by_name, _LOSSES)


FORMAT = CardFormat(
    "bga",
    "Board Game Arena studio files",
    (".inc.php",),
    "all tables and the rules as JSON and as PHP arrays; cards as pictures with the cell of each",
    _LOSSES,
    _write_files,
)
