"""Reader of logs: JSON lines, read with limits, with every name checked against the game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.core.plurals import join_some
from mapkit.formats.game_logs import check_log_value
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.playing.log import FIELDS, FORMAT
from mapkit.kinds.cards.refereeing.position import BANK, SEATS
from mapkit.kinds.cards.rules.settings import CardRules

_LARGEST_NUMBER: Final = 10_000_000
_OBJECT_CURE: Final = "write an object, id to value"
_RESULT_KINDS: Final = {
    "cash": "player", "till": "holding", "value": "holding", "director": "holding", "holder": "certificate",
    "railroads": "holding",
}  # fmt: skip
"""What a line may say of its results -> what it is of."""


class CardLogHead(Frozen):
    """First line of a log: the game played. `rules` are those of the game, as in its `board.json`."""

    format: str = Field(pattern=f"^{FORMAT}$")
    game: str = Field(min_length=1, max_length=200)
    variants: tuple[str, ...] = ()
    seed: int | None = None
    match: int | None = None
    players: tuple[str, ...] = ()
    example_ladder: bool = False
    rules: CardRules | None = Field(default=None, description="Those of the game, if it does not say")


def refuse_strangers(game: CardGame, lines: list[dict[str, Any]], *, file: str) -> None:
    """Raise if lines name unknown elements of the game, or lack a field of their move.

    Raises:
        SourceError: With line, key, value and cure.
    """
    known_ids = {
        "player": frozenset(SEATS),
        "holding": frozenset(holding.id for holding in game.holdings),
        "certificate": frozenset(share.id for holding in game.holdings for share in holding.certificates),
        "face": frozenset(face.id for railroad in game.railroads for face in railroad.faces),
        "investor": frozenset(investor.id for investor in game.investors),
    }
    for row, line in enumerate(lines, start=2):
        where = f"{file}:{row}"
        if "end" in line:
            check_log_value(where, "end", line["end"], _is_boolean, "write true or false")
            _check_results(where, line, {"worth": "player"}, known_ids)
            continue
        check_log_value(where, "player", line.get("player"), SEATS.__contains__, "write A or B")
        move_kind = line.get("move")
        check_log_value(where, "move", move_kind, FIELDS.__contains__, f"write one of {join_some(FIELDS)}")
        for field_name, field_kind in FIELDS[str(move_kind)]:
            value = line.get(field_name)
            if field_kind in known_ids:
                check_log_value(
                    where,
                    field_name,
                    value,
                    known_ids[field_kind].__contains__,
                    f"write the id of {_with_article(field_kind)} of the game",
                )
            else:
                check_log_value(where, field_name, value, _is_amount, "write a whole number, 0 or more")
        if "step" in line:
            check_log_value(where, "step", line["step"], _is_amount, "write a whole number")
        stated_results = line.get("then", {})
        check_log_value(where, "then", stated_results, _is_object, _OBJECT_CURE)
        _check_results(where, stated_results, _RESULT_KINDS, known_ids)


def _check_results(
    where: str, line: Mapping[str, Any], keys: Mapping[str, str], known: Mapping[str, frozenset[str]]
) -> None:
    for key, element_kind in keys.items():
        stated_values = line.get(key, {})
        check_log_value(where, key, stated_values, _is_object, _OBJECT_CURE)
        for element_id, value in stated_values.items():
            check_log_value(
                where,
                key,
                element_id,
                known[element_kind].__contains__,
                f"write the id of {_with_article(element_kind)} of the game",
            )
            check_log_value(
                where,
                f"{key}.{element_id}",
                value,
                _VALUE_CHECKS.get(key, _is_amount),
                "write what it is after the step",
            )


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _are_ids(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_amount(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_NUMBER


_VALUE_CHECKS: Final[Mapping[str, Callable[[object], bool]]] = {
    "director": SEATS.__contains__,
    "holder": (*SEATS, BANK).__contains__,
    "railroads": _are_ids,
}


def _with_article(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"
