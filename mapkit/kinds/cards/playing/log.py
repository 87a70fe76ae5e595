"""A game as a log: a JSON object a line, in words and ids, which anybody can read and a referee can judge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from mapkit.core.errors import SourceError
from mapkit.kinds.cards.playing.match import Step, seated, steps
from mapkit.kinds.cards.playing.moves import begin
from mapkit.kinds.cards.playing.state import GameState, worth
from mapkit.kinds.cards.playing.terms import CardTerms, Move

FORMAT: Final = "mapkit/card-game-log"
SEATS: Final = ("A", "B")
_MOST: Final = 10_000_000
FIELDS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "offer": (("investor", "investor"), ("value", "money")),
    "money": (),
    "investor": (),
    "switch": (("investor", "investor"),),
    "go-on": (),
    "sell": (("certificate", "certificate"),),
    "swap-down": (("certificate", "certificate"), ("for", "certificate")),
    "swap-up": (("certificate", "certificate"), ("for", "certificate")),
    "buy": (("certificate", "certificate"),),
    "start": (("holding", "holding"), ("at", "line")),
    "done": (),
    "pass": (),
    "place": (("network", "number"), ("plus", "number")),
    "pay": (),
    "withhold": (),
    "railroad": (("face", "face"),),
    "deal": (("from", "holding"), ("face", "face"), ("price", "money")),
    "accept": (),
    "refuse": (),
    "assign": (("investor", "investor"),),
    "end": (),
    "discard": (("face", "face"),),
}
"""Move -> its fields in a log, each with what it names."""


def log_lines(
    terms: CardTerms, names: Sequence[str], seed: int, match: int, *, variants: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Play a game and yield its log: a head, a line a step with what it changed, and the end.

    Args:
        terms: The game.
        names: The players of both seats.
        seed: Of the random numbers.
        match: The number of the game.
        variants: Of the game; they stand in the head.
    """
    yield {
        "format": FORMAT,
        "game": terms.game.id,
        "variants": list(variants),
        "seed": seed,
        "match": match,
        "players": list(seated(names, match)),
        "example_ladder": terms.example,
        "rules": terms.game.rules.model_dump(mode="json"),
    }
    before = begin(terms)
    results = _results(terms, before)
    for step, after in steps(terms, names, seed, match):
        now = _results(terms, after)
        yield step_line(terms, step) | {"then": _changed(results, now)}
        before, results = after, now
    yield {"end": before.final, "worth": {seat: worth(terms, before, at) for at, seat in enumerate(SEATS)}}


def _results(terms: CardTerms, state: GameState) -> dict[str, dict[str, Any]]:
    """Return what can be seen on the table: key -> id -> value."""
    ids = [one.id for one in terms.game.holdings]
    return {
        "cash": dict(zip(SEATS, state.cash, strict=True)),
        "till": dict(zip(ids, state.till, strict=True)),
        "value": {one: terms.values[line] for one, line in zip(ids, state.line, strict=True) if line >= 0},
        "director": {one: SEATS[boss] for one, boss in zip(ids, state.boss, strict=True) if boss >= 0},
        "holder": {
            share.id: SEATS[own] if own >= 0 else "bank" for share, own in zip(terms.shares, state.owner, strict=True)
        },
        "railroads": {one: [terms.sides[at].id for at in own] for one, own in zip(ids, state.rails, strict=True)},
    }


def _changed(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return what a step changed, each with what it is now."""
    found = {
        key: {ident: value for ident, value in now.items() if before[key].get(ident) != value}
        for key, now in after.items()
    }
    return {key: values for key, values in found.items() if values}


def step_line(terms: CardTerms, step: Step) -> dict[str, Any]:
    """Return a step as an object of a log."""
    values = (step.move.a, step.move.b, step.move.c)
    named = {
        name: _said(terms, kind, value) for (name, kind), value in zip(FIELDS[step.move.kind], values, strict=False)
    }
    return {"step": step.number, "player": SEATS[step.player], "move": step.move.kind, **named}


def _said(terms: CardTerms, kind: str, value: int) -> str | int:
    ids = _ids(terms, kind)
    if ids is not None:
        return ids[value]
    return terms.values[value] if kind == "line" else value


def _ids(terms: CardTerms, kind: str) -> Sequence[str] | None:
    match kind:
        case "investor":
            return [one.id for one in terms.game.investors]
        case "certificate":
            return [one.id for one in terms.shares]
        case "holding":
            return [one.id for one in terms.game.holdings]
        case "face":
            return [one.id for one in terms.sides]
        case _:
            return None


def move_of(terms: CardTerms, line: Mapping[str, Any], where: str) -> Move:
    """Return the move of a line of a log.

    Args:
        terms: The game.
        line: The object.
        where: File and row, for messages.

    Raises:
        SourceError: It is not a move of this game.
    """
    kind = line.get("move")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise SourceError(f"{where}: move is {kind!r}; moves are {', '.join(FIELDS)}")
    return Move(kind, *(_read(terms, name, what, line, where) for name, what in FIELDS[kind]))


def _read(terms: CardTerms, name: str, kind: str, line: Mapping[str, Any], where: str) -> int:
    value = line.get(name)
    ids: Iterable[Any] | None = terms.values if kind == "line" else _ids(terms, kind)
    if ids is None:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
            raise SourceError(f"{where}: {name} is {value!r}; write a whole number, 0 or more")
        return value
    known = list(ids)
    if value not in known:
        raise SourceError(f"{where}: {name} is {value!r}, which this game does not have")
    return known.index(value)
