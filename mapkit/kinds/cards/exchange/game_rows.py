"""Conversion of a card game to the rows of its source package."""

from collections.abc import Iterable, Mapping
from typing import Any

from mapkit.core.errors import SourceError
from mapkit.document.document import Row, document_of_rows
from mapkit.document.row_validation import validate_row
from mapkit.document.toml_file import settings_of
from mapkit.kinds.cards.game import CardGame, CardPart, Effect
from mapkit.kinds.cards.tables import CardDocument

Rows = list[tuple[str, Row]]


def document_of_game(game: CardGame, file: str = "board.json") -> CardDocument:
    """Return a document that compiles to a game.

    Args:
        game: The game.
        file: Where it comes from, for messages.

    Raises:
        SourceError: A value of the game does not fit its table, or an id appears twice.
    """
    return document_of_rows(CardDocument, _rows_of_game(game, file))


def _rows_of_game(game: CardGame, file: str) -> dict[str, Rows]:
    tables = CardDocument.schema.tables

    def rows(table: str, parts: Iterable[tuple[str, Mapping[str, Any]]]) -> Rows:
        row_by_key: dict[str, Row] = {}
        for key, values in parts:
            if key in row_by_key:
                raise SourceError(f"{file}: {table}: the id {key!r} appears twice; give each its own")
            row_by_key[key] = validate_row(tables[table], values, f"{file}: {table}.{key}")
        return list(row_by_key.items())

    def plain(table: str, parts: Iterable[CardPart]) -> Rows:
        return rows(table, ((part.id, _part_fields(part)) for part in parts))

    owned_effects = [(effect, owner.id) for owner in game.investors for effect in owner.effects]
    owned_effects += [(effect, "") for effect in game.unassigned]
    return {
        "settings": list(settings_of(_game_settings(game))),
        "holdings": plain("holdings", game.holdings),
        "certificates": rows(
            "certificates",
            (
                (share.id, {**_part_fields(share), "holding": holding.id})
                for holding in game.holdings
                for share in holding.certificates
            ),
        ),
        "railroads": plain("railroads", game.railroads),
        "faces": rows(
            "faces",
            (
                (face.id, {**_part_fields(face), "railroad": railroad.id})
                for railroad in game.railroads
                for face in railroad.faces
            ),
        ),
        "investors": plain("investors", game.investors),
        "effects": rows("effects", ((effect.id, _effect_fields(effect, owner)) for effect, owner in owned_effects)),
        "track": plain("track", game.track),
        "tokens": plain("tokens", game.tokens),
        "zones": plain("zones", game.zones),
        "decks": plain("decks", game.decks),
        "money": plain("money", game.money),
    }


def _part_fields(part: CardPart) -> dict[str, Any]:
    return part.model_dump(exclude={"id", "file", "row", "certificates", "faces", "effects"})


def _effect_fields(effect: Effect, investor: str) -> dict[str, Any]:
    return {**effect.model_dump(exclude={"id", "file", "row", "kind"}), "effect": effect.kind, "investor": investor}


def _game_settings(game: CardGame) -> dict[str, Any]:
    changed_rules = game.rules.model_dump(mode="json", exclude_defaults=True)
    settings: dict[str, Any] = {"kind": game.kind, "title": game.title}
    if game.description:
        settings["description"] = game.description
    if game.track_is_example:
        settings["example_track"] = True
    return {**settings, **({"rules": changed_rules} if changed_rules else {})}
