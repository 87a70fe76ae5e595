"""Checks on operations cards and baron cards: their effects must be possible on the board."""

from collections.abc import Iterator
from typing import Final

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.model.board import BaronCard, OperationsCard

_MOVED_PIECES: Final = {"take-marker": ("marker", "empty city markers"), "new-industry": ("cube", "cubes")}
"""Effect of an operations card -> the component that it moves, and its name."""
_CITIES_NEEDED: Final = {"connect": 2, "major-line": 2}
"""Effect -> how many cities its card must name."""
_EFFECTS_WITH_AMOUNT: Final = ("hotel", "first-delivery", "major-line", "land-grant", "new-industry", "money")
"""Effects that say how much."""


def _find_idle_cards(c: CheckedHexes) -> Iterator[Found]:
    """A card with an effect that the board or its components cannot carry out (RW-C06, RW-T03).

    Markers or cubes that it moves are missing, it is about a line and does not name its ends, or it does not say how
    many points, cubes, tiles or dollars.
    """
    component_kinds = {component.kind for component in c.board.components if component.count != 0}
    for card in c.board.operations:
        place = c.place("operations", card.id)
        kind, piece_name = _MOVED_PIECES.get(card.effect, ("", ""))
        if kind and c.board.components and kind not in component_kinds:
            message = f"{card.title} moves {piece_name}, and components.csv has none; add some, or take the card out"
            yield Found(message, (card.id,), place)
        if card.effect in _EFFECTS_WITH_AMOUNT and not card.amount:
            yield Found(f"{card.title} does not say how much; fill in the column amount", (card.id,), place)
        yield from _find_missing_cities(c, "operations", card)
    for goal in c.board.barons:
        yield from _find_missing_cities(c, "barons", goal)


def _find_missing_cities(c: CheckedHexes, table: str, card: OperationsCard | BaronCard) -> Iterator[Found]:
    cities_needed = _CITIES_NEEDED.get(card.effect, 0)
    if len(card.cities) < cities_needed:
        message = (
            f"{card.title} is about a line, and names {len(card.cities)} cities; name its ends in the column cities"
        )
        yield Found(message, (card.id,), c.place(table, card.id))


def _find_unlinked_cities(c: CheckedHexes) -> Iterator[Found]:
    """A card that names two cities that no track can join."""
    group_by_city = {city: index for index, group in enumerate(c.groups) for city in group}
    for table, cards in (("operations", c.board.operations), ("barons", c.board.barons)):
        for card in cards:
            city_groups = {group_by_city[city] for city in card.cities}
            if card.effect in _CITIES_NEEDED and len(city_groups) > 1:
                city_names = " and ".join(c.cities[city].name for city in card.cities)
                message = (
                    f"{card.title} needs track between {city_names}, which cannot be linked; "
                    "change the card or the ground"
                )
                yield Found(message, (card.id,), c.place(table, card.id))


CHECKS = (
    hex_check("H25", Severity.WARNING, "the board can carry out what cards say", _find_idle_cards),
    hex_check("H26", Severity.ERROR, "cities of a card can be linked", _find_unlinked_cities),
)
