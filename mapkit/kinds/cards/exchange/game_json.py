"""Game file, `board.json`, as `mapkit build` writes it."""

from pathlib import Path

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import ExportedBoard
from mapkit.exchange.typescript import type_files
from mapkit.formats.json_reading import read_json
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.game import CardGame

_MOST_SHOWN = 5


def read_game(path: Path) -> CardGame:
    """Return the game of a file.

    Raises:
        SourceError: It is not a game; the first wrong values are named.
    """
    try:
        return CardGame.model_validate(read_json(path))
    except ValidationError as error:
        error_lines = [
            f"{path.name}: {invalid_value_message(error_item)}" for error_item in error.errors()[:_MOST_SHOWN]
        ]
        errors_left = error.error_count() - _MOST_SHOWN
        raise SourceError(
            "\n".join([*error_lines, *([f"{path.name}: and {errors_left} more"] if errors_left > 0 else [])])
        ) from error


def _write_game(asked: CardExport) -> ExportedBoard:
    game_file = {f"{asked.stem}.json": json_text(asked.job.game)}
    return ExportedBoard(game_file | type_files(CardGame, "board-cards", asked.stem))


FORMAT = CardFormat(
    "json",
    "Game file (JSON)",
    (".json",),
    "everything, with a JSON Schema and TypeScript declarations",
    (),
    _write_game,
    read_game,
)
