"""Log of a game: one JSON object a line, in words and ids, for readers and referees."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mapkit.kinds.cards.playing.match import Step, play_steps, players_by_seat
from mapkit.kinds.cards.playing.moves import begin_game
from mapkit.kinds.cards.playing.state import GameState, player_worth
from mapkit.kinds.cards.playing.terms import CardTerms, Move

FORMAT: Final = "mapkit/card-game-log"
SEATS: Final = ("A", "B")
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
    """Play a game and yield its log: a head, a line for each step with its changes, and the end.

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
        "players": list(players_by_seat(names, match)),
        "example_ladder": terms.example,
        "rules": terms.game.rules.model_dump(mode="json"),
    }
    state_before = begin_game(terms)
    results_before = _visible_position(terms, state_before)
    for step, state_after in play_steps(terms, names, seed, match):
        results_now = _visible_position(terms, state_after)
        changes_by_key = {
            key: {ident: value for ident, value in new_values.items() if results_before[key].get(ident) != value}
            for key, new_values in results_now.items()
        }
        yield step_line(terms, step) | {"then": {key: values for key, values in changes_by_key.items() if values}}
        state_before, results_before = state_after, results_now
    yield {
        "end": state_before.final,
        "worth": {seat: player_worth(terms, state_before, seat_number) for seat_number, seat in enumerate(SEATS)},
    }


def _visible_position(terms: CardTerms, state: GameState) -> dict[str, dict[str, Any]]:
    """Return the visible position on the table: key -> id -> value."""
    holding_ids = [holding_id.id for holding_id in terms.game.holdings]
    return {
        "cash": dict(zip(SEATS, state.cash, strict=True)),
        "till": dict(zip(holding_ids, state.till, strict=True)),
        "value": {
            holding_id: terms.values[line]
            for holding_id, line in zip(holding_ids, state.line, strict=True)
            if line >= 0
        },
        "director": {
            holding_id: SEATS[director_seat]
            for holding_id, director_seat in zip(holding_ids, state.boss, strict=True)
            if director_seat >= 0
        },
        "holder": {
            share.id: SEATS[owner_seat] if owner_seat >= 0 else "bank"
            for share, owner_seat in zip(terms.shares, state.owner, strict=True)
        },
        "railroads": {
            holding_id: [terms.sides[side_number].id for side_number in own_sides]
            for holding_id, own_sides in zip(holding_ids, state.rails, strict=True)
        },
    }


def step_line(terms: CardTerms, step: Step) -> dict[str, Any]:
    """Return a step as an object of a log."""
    move_values = (step.move.a, step.move.b, step.move.c)
    named_values = {
        name: _value_name(terms, kind, value)
        for (name, kind), value in zip(FIELDS[step.move.kind], move_values, strict=False)
    }
    return {"step": step.number, "player": SEATS[step.player], "move": step.move.kind, **named_values}


def read_move(terms: CardTerms, line: Mapping[str, Any]) -> Move:
    """Return the move of a line of a log."""
    numbers = [_value_number(terms, kind, line[name]) for name, kind in FIELDS[line["move"]]]
    return Move(line["move"], *numbers)


def _value_number(terms: CardTerms, kind: str, value: Any) -> int:  # noqa: ANN401 - an id or a number
    element_ids = _ids_of_kind(terms, kind)
    if element_ids is not None:
        return element_ids.index(value)
    return terms.values.index(value) if kind == "line" else int(value)


def _value_name(terms: CardTerms, kind: str, value: int) -> str | int:
    element_ids = _ids_of_kind(terms, kind)
    if element_ids is not None:
        return element_ids[value]
    return terms.values[value] if kind == "line" else value


def _ids_of_kind(terms: CardTerms, kind: str) -> Sequence[str] | None:
    match kind:
        case "investor":
            return [investor.id for investor in terms.game.investors]
        case "certificate":
            return [share.id for share in terms.shares]
        case "holding":
            return [holding.id for holding in terms.game.holdings]
        case "face":
            return [side.id for side in terms.sides]
        case _:
            return None
