"""One game by computer players, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import ChoiceError, MapkitError
from mapkit.kinds.hex.playing.players import find_player
from mapkit.kinds.hex.playing.state import HexState, IllegalMoveError
from mapkit.kinds.hex.playing.terms import HexTerms, Move
from mapkit.kinds.hex.playing.turns import begin_game, carry_out, make_draws

MOST_STEPS: Final = 50_000
"""Moves after which a game is given up: players of your own could bid without end."""


@dataclass(frozen=True)
class PlayedMove:
    """PlayedMove of a game: its number from 1, its player from 0, and its move."""

    number: int
    player: int
    move: Move


def name_players(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Return a computer player for each player; one name is for all.

    Raises:
        ChoiceError: There is no such player, or the names do not fit the number of players.
    """
    all_names = tuple(names) * (players if len(names) == 1 else 1)
    if len(all_names) != players:
        raise ChoiceError(f"{len(all_names)} policies are named for {players} players; name one for all, or {players}")
    for name in all_names:
        find_player(name)
    return all_names


def players_by_seat(names: Sequence[str], match: int) -> tuple[int, ...]:
    """Return the player at each seat: seats move by one after each game."""
    return tuple((seat + match) % len(names) for seat in range(len(names)))


def play_steps(terms: HexTerms, names: Sequence[str], seed: int, match: int) -> Iterator[tuple[PlayedMove, HexState]]:
    """Play a game and yield each step with the state after it; the next step changes that state.

    Args:
        terms: The game.
        names: The players.
        seed: Of the random numbers.
        match: The number of the game.

    Raises:
        MapkitError: A player of a Python file makes an illegal move.
    """
    state = begin_game(terms, seed, match)
    seats = players_by_seat(names, match)
    functions = [find_player(names[player]) for player in seats]
    draws = [make_draws(seed, match, player + 1) for player in seats]
    while not state.over:
        actor = state.actor
        move = functions[actor](terms, state, draws[actor])
        if state.steps >= MOST_STEPS:
            raise MapkitError(f"game {match}: it is given up after {MOST_STEPS:,} moves")
        try:
            carry_out(terms, state, move)
        except IllegalMoveError as error:
            raise MapkitError(f"game {match}: player {names[seats[actor]]} makes an illegal move: {error}") from error
        yield PlayedMove(state.steps, actor, move), state
