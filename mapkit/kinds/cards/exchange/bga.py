"""Board Game Arena: the data of a game as JSON and as PHP arrays, and its cards as pictures."""

import json
from typing import Any, Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import card_set
from mapkit.exchange.php import php_file, trait_file
from mapkit.exchange.plan import Exported
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.exchange.table import decks
from mapkit.kinds.cards.render.job import CardJob

JSON: Final = "modules/php/material.json"
PHP: Final = "material.inc.php"
TRAIT: Final = "modules/php/MapMaterial.php"
_LOSSES: Final = ("the track and tokens as pictures", "logic: the studio's project carries out the rules")


def card_material(job: CardJob) -> dict[str, Any]:
    """Return the data of a game, parts by name, each a mapping by id or a list."""
    game: dict[str, Any] = json.loads(json_text(job.game))
    parts = ("holdings", "railroads", "investors", "tokens", "zones", "decks", "money")
    out: dict[str, Any] = {"game": {name: game[name] for name in ("id", "title", "description", "track_is_example")}}
    out |= {name: {one["id"]: one for one in game[name]} for name in parts}
    return {**out, "unassigned": game["unassigned"], "track": game["track"], "rules": game["rules"]}


def _write(asked: CardExport) -> Exported:
    data = card_material(asked.job)
    files: dict[str, str | bytes] = {}
    sprites: dict[str, Any] = {}
    for deck in decks(asked.job):
        made = card_set(deck.cards)
        names = [f"img/{deck.id}_{at}.png" for at in range(len(made.grids))]
        backs = [f"img/{deck.id}_back_{at}.png" for at in range(len(made.backs))] or [f"img/{deck.id}_back.png"]
        files |= {name: grid.png for name, grid in zip(names, made.grids, strict=True)}
        files |= (
            {name: grid.png for name, grid in zip(backs, made.backs, strict=True)}
            if made.backs
            else {backs[0]: made.back}
        )
        cells = {card.id: list(place) for card, place in zip(deck.cards, made.places, strict=True)}
        shape = [[grid.columns, grid.rows] for grid in made.grids]
        sprites[deck.id] = {"faces": names, "backs": backs, "grids": shape, "cells": cells}
    data["sprites"] = sprites
    files |= {JSON: json_text(data), PHP: php_file(data), TRAIT: trait_file(data)}
    return Exported(files, _LOSSES)


FORMAT = CardFormat(
    "bga",
    "Board Game Arena studio files",
    (".inc.php",),
    "all tables and the rules as JSON and as PHP arrays; cards as pictures with the cell of each",
    _LOSSES,
    _write,
)
