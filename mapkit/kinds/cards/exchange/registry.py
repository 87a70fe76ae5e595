"""The formats of card games by name."""

from typing import Final

from mapkit.exchange.formats import FormatTable

_HERE: Final = "mapkit.kinds.cards.exchange"
FORMATS: Final = FormatTable(
    "card games",
    {
        "json": f"{_HERE}.game_json:FORMAT",
        "csv": f"{_HERE}.card_csv:FORMAT",
        "tts": f"{_HERE}.tabletop:FORMAT",
        "vassal": f"{_HERE}.vassal:FORMAT",
        "bga": f"{_HERE}.bga:FORMAT",
        "18xx-maker": f"{_HERE}.maker:FORMAT",
    },
)
