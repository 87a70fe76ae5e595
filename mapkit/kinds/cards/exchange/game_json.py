"""The game itself, `board.json`, as `mapkit build` writes it."""

from pathlib import Path

from pydantic import ValidationError

from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid
from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import Exported
from mapkit.formats.json_reading import read_json
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat
from mapkit.kinds.cards.game import CardGame

_SHOWN = 5


def read_game(path: Path) -> CardGame:
    """Return the game of a file.

    Raises:
        SourceError: It is not a game; the first wrong values are named.
    """
    try:
        return CardGame.model_validate(read_json(path))
    except ValidationError as error:
        wrong = [f"{path.name}: {invalid(one)}" for one in error.errors()[:_SHOWN]]
        more = error.error_count() - _SHOWN
        raise SourceError("\n".join([*wrong, *([f"{path.name}: and {more} more"] if more > 0 else [])])) from error


def _write(asked: CardExport) -> Exported:
    game = asked.job.game
    return Exported({f"{asked.stem}.json": json_text(game)})


FORMAT = CardFormat(
    "json",
    "Game file (JSON)",
    (".json",),
    "everything; docs/schema/board-cards.schema.json describes it",
    (),
    _write,
    read_game,
)
