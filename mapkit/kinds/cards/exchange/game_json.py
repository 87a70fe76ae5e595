"""The game itself, `board.json`, as `mapkit build` writes it."""

from mapkit.core.jsontext import json_text
from mapkit.exchange.plan import Exported
from mapkit.kinds.cards.exchange.format import CardExport, CardFormat


def _write(asked: CardExport) -> Exported:
    game = asked.job.game
    return Exported({f"{game.id}.json": json_text(game)})


FORMAT = CardFormat(
    "json", "Game file (JSON)", (".json",), "everything; docs/schema/board-cards.schema.json describes it", (), _write
)
