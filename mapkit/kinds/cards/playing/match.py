"""One game by computer players, step by step."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mapkit.core.errors import ChoiceError
from mapkit.kinds.cards.playing.moves import begin_game, carry_out
from mapkit.kinds.cards.playing.players import Draws, find_player
from mapkit.kinds.cards.playing.state import GameState, Phase
from mapkit.kinds.cards.playing.terms import PLAYERS as SEATS
from mapkit.kinds.cards.playing.terms import CardTerms, Move


@dataclass(frozen=True)
class Step:
    """Step of a game: its number from 1, its player, and its move."""

    number: int
    player: int
    move: Move


def known_players(names: Sequence[str]) -> tuple[str, ...]:
    """Return the players of both seats by name; one name is for both.

    Raises:
        ChoiceError: There is no such player, or there are more names than seats.
    """
    seat_players = tuple(names) * (SEATS if len(names) == 1 else 1)
    if len(seat_players) != SEATS:
        raise ChoiceError(f"{len(seat_players)} players are named, and {SEATS} play; name one for both, or two")
    for name in seat_players:
        find_player(name)
    return seat_players


def players_by_seat(names: Sequence[str], match: int) -> tuple[str, ...]:
    """Return the players by seat: the first player is player A in even games, player B in odd ones."""
    return tuple(names) if match % SEATS == 0 else tuple(reversed(names))


def make_draws(seed: int, match: int) -> Draws:
    """Return the random numbers of a game, from seed and game alone (Philox)."""
    return np.random.Generator(np.random.Philox(key=np.array([seed, match], dtype=np.uint64)))


def play_steps(terms: CardTerms, names: Sequence[str], seed: int, match: int) -> Iterator[tuple[Step, GameState]]:
    """Play a game and yield each step with the state after it; the next step changes that state.

    Args:
        terms: The game.
        names: The players of both seats.
        seed: Of the random numbers.
        match: The number of the game.
    """
    state, draws = begin_game(terms), make_draws(seed, match)
    players = [find_player(name) for name in players_by_seat(names, match)]
    while state.phase != Phase.OVER:
        actor = state.actor
        move = players[actor](terms, state, draws)
        carry_out(terms, state, move)
        yield Step(state.steps, actor, move), state


def replay_steps(terms: CardTerms, moves: Iterable[Move]) -> Iterator[tuple[Step, GameState]]:
    """Carry out the moves of a legal game, and yield each step with the state after it."""
    state = begin_game(terms)
    for move in moves:
        actor = state.actor
        carry_out(terms, state, move)
        yield Step(state.steps, actor, move), state
