"""A card game as the rows of its source package, which compile to the same game."""

from collections.abc import Iterable, Mapping
from typing import Any

from mapkit.core.errors import SourceError
from mapkit.document.checked import checked_row
from mapkit.document.document import Row, document_of_rows
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
        found: dict[str, Row] = {}
        for key, values in parts:
            if key in found:
                raise SourceError(f"{file}: {table}: the id {key!r} appears twice; give each its own")
            found[key] = checked_row(tables[table], values, f"{file}: {table}.{key}")
        return list(found.items())

    def plain(table: str, parts: Iterable[CardPart]) -> Rows:
        return rows(table, ((part.id, _values(part)) for part in parts))

    effects = [(one, owner.id) for owner in game.investors for one in owner.effects]
    effects += [(one, "") for one in game.unassigned]
    return {
        "settings": list(settings_of(_settings(game))),
        "holdings": plain("holdings", game.holdings),
        "certificates": rows(
            "certificates",
            ((share.id, {**_values(share), "holding": one.id}) for one in game.holdings for share in one.certificates),
        ),
        "railroads": plain("railroads", game.railroads),
        "faces": rows(
            "faces",
            ((face.id, {**_values(face), "railroad": one.id}) for one in game.railroads for face in one.faces),
        ),
        "investors": plain("investors", game.investors),
        "effects": rows("effects", ((one.id, _effect(one, owner)) for one, owner in effects)),
        "track": plain("track", game.track),
        "tokens": plain("tokens", game.tokens),
        "zones": plain("zones", game.zones),
        "decks": plain("decks", game.decks),
        "money": plain("money", game.money),
    }


def _values(part: CardPart) -> dict[str, Any]:
    return part.model_dump(exclude={"id", "file", "row", "certificates", "faces", "effects"})


def _effect(effect: Effect, investor: str) -> dict[str, Any]:
    return {**effect.model_dump(exclude={"id", "file", "row", "kind"}), "effect": effect.kind, "investor": investor}


def _settings(game: CardGame) -> dict[str, Any]:
    rules = game.rules.model_dump(mode="json", exclude_defaults=True)
    out: dict[str, Any] = {"kind": game.kind, "title": game.title}
    if game.description:
        out["description"] = game.description
    if game.track_is_example:
        out["example_track"] = True
    return {**out, **({"rules": rules} if rules else {})}
