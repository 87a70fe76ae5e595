"""Games on small boards of hexagons for tests."""

from collections.abc import Mapping
from typing import Any

from hexagons import compiled, done, example

from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.playing.state import HexState
from mapkit.kinds.hex.playing.terms import HexTerms, Move, compile_terms
from mapkit.kinds.hex.playing.turns import begin_game, carry_out
from mapkit.kinds.hex.rules.colours import GOODS


def board(settings: Mapping[str, Any] | None = None, *commands: Mapping[str, Any]) -> HexBoard:
    """Return the small example board with changed rules, and after commands."""
    values = {f"rules.{path}": value for path, value in (settings or {}).items()}
    edits = [{"kind": "set-settings", "values": values}] if values else []
    return compiled(done(example(), *edits, *commands)).board


def terms(settings: Mapping[str, Any] | None = None, *commands: Mapping[str, Any], players: int = 3) -> HexTerms:
    """Return the terms of the small example."""
    return compile_terms(board(settings, *commands), players)


def started(game: HexTerms, seed: int = 1) -> HexState:
    """Return the position of a game after an auction that all pass; player 0 acts first."""
    state = begin_game(game, seed, 0)
    state.first = game.players - 1
    state.bidders = [(game.players - 1 + place) % game.players for place in range(game.players)]
    for _ in range(game.players):
        carry_out(game, state, Move("pass"))
    return state


def city(game: HexTerms, name: str) -> int:
    """Return the number of a city."""
    return game.node_ids.index(name)


def hexes(game: HexTerms, *names: str) -> tuple[int, ...]:
    """Return the numbers of hexagons."""
    return tuple(game.hex_ids.index(name) for name in names)


def put(game: HexTerms, state: HexState, name: str, *colours: str) -> None:
    """Give a city these cubes and no others."""
    state.cubes[city(game, name)] = [colours.count(colour) for colour in GOODS]


def rest(game: HexTerms, state: HexState, times: int = 1) -> None:
    """Let players do nothing, as often as is said."""
    for _ in range(times):
        carry_out(game, state, Move("rest" if state.phase == "actions" else "pass"))
