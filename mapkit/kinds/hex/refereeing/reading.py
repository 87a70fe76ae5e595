"""Reader of logs: JSON lines, read with limits, with every name checked against the board."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.plurals import join_some
from mapkit.formats.game_logs import check_log_value
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.rules.colours import GOODS, Goods
from mapkit.kinds.hex.rules.settings import HexRules

FORMAT: Final = "mapkit/hex-game-log"
_LARGEST_NUMBER: Final = 10**12
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "bid": ("amount",),
    "pass": (),
    "build": ("way",),
    "link": ("link",),
    "urbanize": ("city", "colour"),
    "engine": (),
    "deliver": ("city", "colour", "way", "owners"),
    "card": ("card",),
    "mine": ("city",),
    "use": ("card",),
    "repay": (),
    "rest": (),
}
"""Move -> the fields that it needs; cards may have more of them."""
_RESULT_KINDS: Final = {
    "cash": "player", "points": "player", "bonds": "player", "engine": "player", "cubes": "city", "takes": "city",
    "marked": "city", "order": "player",
}  # fmt: skip
"""What a line may say of its results -> what it is of."""


class HexSetup(Frozen):
    """Setup of a game: cubes of each city, open cards, and the baron card of each player."""

    cubes: dict[str, tuple[Goods, ...]]
    cards: tuple[str, ...] = ()
    barons: tuple[str, ...] = ()


class HexLogHead(Frozen):
    """First line of a log: the game played. `rules` are those of the game, as in its `board.json`."""

    format: str = Field(pattern=f"^{FORMAT}$")
    board: str = Field(min_length=1, max_length=200)
    variants: tuple[str, ...] = ()
    seed: int | None = None
    match: int | None = None
    players: tuple[str, ...] = Field(min_length=1, max_length=6)
    rules: HexRules | None = Field(default=None, description="Those of the board, if it does not say")
    setup: HexSetup


def refuse_strangers(board: HexBoard, head: HexLogHead, lines: Sequence[Mapping[str, Any]], *, file: str) -> None:
    """Raise if a log names unknown elements of the board, or a line lacks a field of its move.

    Raises:
        SourceError: With line, key, value and cure.
    """
    known = {
        "city": {city.id for city in board.cities},
        "node": {city.id for city in board.cities} | {link.id for link in board.links if link.b is None},
        "hexagon": {hexagon.id for hexagon in board.hexes},
        "link": {link.id for link in board.links},
        "card": {card.id for card in board.operations},
        "baron card": {card.id for card in board.barons},
        "player": {str(number + 1) for number in range(len(head.players))},
    }
    for key, kind, names in (
        ("cubes", "city", head.setup.cubes),
        ("cards", "card", head.setup.cards),
        ("barons", "baron card", head.setup.barons),
    ):
        for name in names:
            check_log_value(f"{file}:1", f"setup.{key}", name, known[kind].__contains__, f"write the id of a {kind}")
    for row, line in enumerate(lines, start=2):
        where = f"{file}:{row}"
        if "end" in line:
            check_log_value(where, "end", line["end"], _is_boolean, "write true or false")
            _check_results(where, line, {"points": "player"}, known)
            continue
        _check_fields(where, line, known)
        stated_results = line.get("then", {})
        check_log_value(where, "then", stated_results, _is_object, "write an object, key to values")
        check_log_value(
            where,
            "then",
            list(stated_results),
            lambda keys: set(keys) <= set(_RESULT_KINDS),
            f"results are {join_some(_RESULT_KINDS)}",
        )
        _check_results(where, stated_results, _RESULT_KINDS, known)


def _check_fields(where: str, line: Mapping[str, Any], known: Mapping[str, set[str]]) -> None:
    move = line.get("move")
    check_log_value(where, "move", move, FIELDS.__contains__, f"write one of {join_some(FIELDS)}")
    check_log_value(where, "player", line.get("player"), _is_count, "write a player, from 1 on")
    if "step" in line:
        check_log_value(where, "step", line["step"], _is_count, "write a whole number")
    way_kind = "node" if move == "deliver" else "hexagon"
    forms: dict[str, tuple[Callable[[Any], bool], str]] = {
        "amount": (_is_count, "write dollars"),
        "city": (known["city"].__contains__, "write the id of a city"),
        "to": (known["city"].__contains__, "write the id of a city"),
        "link": (known["link"].__contains__, "write the id of a printed link"),
        "card": (known["card"].__contains__, "write the id of an operations card"),
        "colour": (GOODS.__contains__, f"write one of {join_some(GOODS)}"),
        "way": (lambda way: _is_list(way, known[way_kind]), f"write ids of a {way_kind} in a list"),
        "owners": (_are_owners, "write players in a list, 0 for nobody"),
        "drawn": (lambda drawn: isinstance(drawn, list) and set(drawn) <= set(GOODS), "write colours in a list"),
    }
    for name, (fits, cure) in forms.items():
        if name in line or name in FIELDS[str(move)]:
            check_log_value(where, name, line.get(name), fits, cure)


def _check_results(where: str, line: Mapping[str, Any], keys: Mapping[str, str], known: Mapping[str, set[str]]) -> None:
    for key, kind in keys.items():
        stated_values = line.get(key, {})
        check_log_value(where, key, stated_values, _is_object, "write an object, id to value")
        for ident in stated_values:
            check_log_value(where, key, ident, known[kind].__contains__, f"write the id of a {kind}")


def _is_list(value: object, names: set[str]) -> bool:
    return isinstance(value, list) and bool(value) and all(name in names for name in value)


def _are_owners(value: object) -> bool:
    return isinstance(value, list) and all(_is_count(owner) for owner in value)


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_NUMBER
