"""Formats of card games by name."""

from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.kinds.cards.exchange import bga, card_csv, game_json, maker, tabletop, vassal
from mapkit.kinds.cards.exchange.format import CardFormat

ALL: Final = "all"
"""What `--to` takes for every format."""
FORMATS: Final[dict[str, CardFormat]] = {
    one.name: one
    for one in (game_json.FORMAT, card_csv.FORMAT, tabletop.FORMAT, vassal.FORMAT, bga.FORMAT, maker.FORMAT)
}


def card_formats_named(names: str) -> tuple[CardFormat, ...]:
    """Return the formats of a comma-separated list, or of `all`, in the order of `FORMATS`.

    Raises:
        ChoiceError: One is unknown, or none is named.
    """
    wanted_names = {name.strip() for name in names.split(",") if name.strip()}
    known_names = ", ".join(FORMATS)
    if not wanted_names:
        raise ChoiceError(f"no format is given; formats are {known_names}, or {ALL}")
    for name in sorted(wanted_names - {ALL}):
        if name not in FORMATS:
            hint = did_you_mean(name, FORMATS) or f"; formats are {known_names}"
            raise ChoiceError(f"format {name!r} is unknown for card games{hint}")
    return tuple(card_format for name, card_format in FORMATS.items() if ALL in wanted_names or name in wanted_names)
