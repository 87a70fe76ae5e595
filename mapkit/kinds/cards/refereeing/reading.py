"""The file of a log: JSON lines, read with limits, and every name held against the game."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.characters import refuse_escapes
from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid
from mapkit.formats.json_reading import not_json
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.playing.log import FIELDS, FORMAT
from mapkit.kinds.cards.refereeing.position import BANK, SEATS
from mapkit.kinds.cards.rules.settings import CardRules

MOST_LINES: Final = 200_000
LONGEST_LINE: Final = 100_000
_MOST: Final = 10_000_000
_OBJECT: Final = "write an object, id to value"
_RESULTS: Final = {
    "cash": "player", "till": "holding", "value": "holding", "director": "holding", "holder": "certificate",
    "railroads": "holding",
}  # fmt: skip
"""What a line may say of its results -> what it is of."""


class CardLogHead(Frozen):
    """The first line of a log: what was played. `rules` are those of the game, as in its `board.json`."""

    format: str = Field(pattern=f"^{FORMAT}$")
    game: str = Field(min_length=1, max_length=200)
    variants: tuple[str, ...] = ()
    seed: int | None = None
    match: int | None = None
    players: tuple[str, ...] = ()
    example_ladder: bool = False
    rules: CardRules | None = Field(default=None, description="Those of the game, if it does not say")


def read_log(text: str, *, file: str) -> tuple[CardLogHead, list[dict[str, Any]]]:
    """Return the head and the other objects of a log.

    Raises:
        SourceError: It is not a log, with line and cure.
    """
    refuse_escapes(text, file=file)
    lines = text.splitlines()
    if not lines:
        raise SourceError(f"{file}: it is empty; the first line of a log says what was played")
    if len(lines) > MOST_LINES:
        raise SourceError(f"{file}: it has {len(lines):,} lines; a log may have {MOST_LINES:,}")
    objects = [_parsed(line, file, row) for row, line in enumerate(lines, start=1)]
    try:
        return CardLogHead.model_validate(objects[0]), objects[1:]
    except ValidationError as error:
        raise SourceError(f"{file}:1: {invalid(error.errors()[0])}") from error


def _parsed(line: str, file: str, row: int) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise SourceError(f"{file}:{row}: the line has {len(line):,} characters; write one step a line")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SourceError(not_json(error, file=file, row=row)) from error
    if not isinstance(found, dict):
        raise SourceError(f"{file}:{row}: the line holds {_shown(found)}; write an object, {{...}}")
    return found


def refuse_strangers(game: CardGame, lines: list[dict[str, Any]], *, file: str) -> None:
    """Refuse lines that name what the game does not have, or lack what their move needs.

    Raises:
        SourceError: With line, key, value and cure.
    """
    known = _known(game)
    for row, line in enumerate(lines, start=2):
        where = f"{file}:{row}"
        if "end" in line:
            _checked(where, "end", line["end"], _is_truth, "write true or false")
            _results(where, line, {"worth": "player"}, known)
            continue
        _checked(where, "player", line.get("player"), SEATS.__contains__, "write A or B")
        move = line.get("move")
        _checked(where, "move", move, FIELDS.__contains__, f"write one of {', '.join(FIELDS)}")
        for key, what in FIELDS[str(move)]:
            _field(where, key, line.get(key), what, known)
        if "step" in line:
            _checked(where, "step", line["step"], _is_amount, "write a whole number")
        then = line.get("then", {})
        _checked(where, "then", then, _is_object, _OBJECT)
        _results(where, then, _RESULTS, known)


def _known(game: CardGame) -> Mapping[str, frozenset[str]]:
    return {
        "player": frozenset(SEATS),
        "holding": frozenset(one.id for one in game.holdings),
        "certificate": frozenset(share.id for one in game.holdings for share in one.certificates),
        "face": frozenset(face.id for one in game.railroads for face in one.faces),
        "investor": frozenset(one.id for one in game.investors),
    }


def _field(where: str, key: str, value: object, what: str, known: Mapping[str, frozenset[str]]) -> None:
    if what in known:
        _checked(where, key, value, known[what].__contains__, f"write the id of {_a(what)} of the game")
    else:
        _checked(where, key, value, _is_amount, "write a whole number, 0 or more")


def _results(where: str, line: Mapping[str, Any], keys: Mapping[str, str], known: Mapping[str, frozenset[str]]) -> None:
    for key, what in keys.items():
        said = line.get(key, {})
        _checked(where, key, said, _is_object, _OBJECT)
        for ident, value in said.items():
            _checked(where, key, ident, known[what].__contains__, f"write the id of {_a(what)} of the game")
            _checked(where, f"{key}.{ident}", value, _FITS.get(key, _is_amount), "write what it is after the step")


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _are_ids(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_amount(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


_FITS: Final[Mapping[str, Callable[[object], bool]]] = {
    "director": SEATS.__contains__,
    "holder": (*SEATS, BANK).__contains__,
    "railroads": _are_ids,
}


def _checked(where: str, key: str, value: object, fits: Callable[[Any], bool], cure: str) -> None:
    try:
        good = fits(value)
    except TypeError:  # a list or an object where an id should be
        good = False
    if not good:
        raise SourceError(f"{where}: {key} is {_shown(value)}; {cure}")


def _shown(value: object) -> str:
    text = repr(value)
    return "missing" if value is None else text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004


def _a(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"
