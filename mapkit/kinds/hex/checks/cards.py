"""Checks on operations cards and baron cards: a card must be able to do on the board what it says."""

from collections.abc import Iterator
from typing import Final

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.model.board import BaronCard, OperationsCard

_PIECES: Final = {"take-marker": ("marker", "empty city markers"), "new-industry": ("cube", "cubes")}
"""Effect of an operations card -> the component that it moves, and its name."""
_CITIES: Final = {"connect": 2, "major-line": 2}
"""Effect -> how many cities its card must name."""
_AMOUNT: Final = ("hotel", "first-delivery", "major-line", "land-grant", "new-industry", "money")
"""Effects that say how much."""


def _idle(c: CheckedHexes) -> Iterator[Found]:
    """A card whose effect the board or its components cannot carry out (RW-C06, RW-T03).

    Markers or cubes that it moves are missing, it is about a line and does not name its ends, or it does not say how
    many points, cubes, tiles or dollars.
    """
    there = {one.kind for one in c.board.components if one.count != 0}
    for card in c.board.operations:
        place = c.place("operations", card.id)
        kind, name = _PIECES.get(card.effect, ("", ""))
        if kind and c.board.components and kind not in there:
            message = f"{card.title} moves {name}, and components.csv has none; add some, or take the card out"
            yield Found(message, (card.id,), place)
        if card.effect in _AMOUNT and not card.amount:
            yield Found(f"{card.title} does not say how much; fill in the column amount", (card.id,), place)
        yield from _unnamed(c, "operations", card)
    for goal in c.board.barons:
        yield from _unnamed(c, "barons", goal)


def _unnamed(c: CheckedHexes, table: str, card: OperationsCard | BaronCard) -> Iterator[Found]:
    needed = _CITIES.get(card.effect, 0)
    if len(card.cities) < needed:
        message = (
            f"{card.title} is about a line, and names {len(card.cities)} cities; name its ends in the column cities"
        )
        yield Found(message, (card.id,), c.place(table, card.id))


def _unreached(c: CheckedHexes) -> Iterator[Found]:
    """A card that names two cities which no track can join."""
    number = {city: index for index, group in enumerate(c.groups) for city in group}
    for table, cards in (("operations", c.board.operations), ("barons", c.board.barons)):
        for card in cards:
            homes = {number[city] for city in card.cities}
            if card.effect in _CITIES and len(homes) > 1:
                names = " and ".join(c.cities[city].name for city in card.cities)
                message = (
                    f"{card.title} needs track between {names}, which cannot be linked; change the card or the ground"
                )
                yield Found(message, (card.id,), c.place(table, card.id))


CHECKS = (
    hex_check("H25", Severity.WARNING, "the board can carry out what cards say", _idle),
    hex_check("H26", Severity.ERROR, "cities of a card can be linked", _unreached),
)
