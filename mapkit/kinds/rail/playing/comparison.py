"""Two boards, or two sets of rules, played with the same dice: which figures differ, and by how much."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from mapkit.kinds.rail.playing.batch import MOMENTS, Played, Table, owners_and_winners, play_matches
from mapkit.kinds.rail.playing.state import (
    BANKRUPT,
    BOUGHT,
    FEES_EARNED,
    FEES_PAID,
    PAYOFFS,
    ROVERS,
    STEPS_RIDDEN,
    TRIPS,
)
from mapkit.kinds.rail.playing.track import Floats
from mapkit.playing.comparing import FigureDifference, compared, paired_sums
from mapkit.playing.figures import Totals

_OF_MATCH: Final = {
    "trips": TRIPS,
    "payoffs": PAYOFFS,
    "fees": FEES_PAID,
    "fees earned": FEES_EARNED,
    "purchases": BOUGHT,
    "mileposts": STEPS_RIDDEN,
    "bankruptcies": BANKRUPT,
    "rovers": ROVERS,
}
_MOMENTS: Final = {
    "first": "wins of the first buyer",
    "sell-out": "wins of the owner at sell-out",
    "end": "wins of the owner at the end",
}


class Pair(NamedTuple):
    """Two tables, and the railroads that both have: their ids, and their numbers on each."""

    one: Table
    other: Table
    railroads: tuple[str, ...]
    at_one: tuple[int, ...]
    at_other: tuple[int, ...]


def pair_of(one: Table, other: Table, ids_one: Sequence[str], ids_other: Sequence[str]) -> Pair:
    """Return two tables with the railroads that both have, in the order of the first."""
    both = [ident for ident in ids_one if ident in ids_other]
    places = tuple(tuple(ids.index(ident) for ident in both) for ids in (list(ids_one), list(ids_other)))
    return Pair(one, other, tuple(both), places[0], places[1])


def pair_batch(pair: Pair, first: int, matches: int) -> Totals:
    """Play matches of the same numbers on both, and return the sums of their differences.

    Raises:
        MapkitError: As for `play_matches`.
    """
    one, other = (play_matches(table, first, matches) for table in (pair.one, pair.other))
    players = pair.one.terms.players
    chief = _chief(other, players) - _chief(one, players)
    return paired_sums(_ratios(one, pair.at_one, players), _ratios(other, pair.at_other, players), chief)


def _names(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """Yield part, id and name of each figure, in the order of `_ratios`."""
    yield "match", "", "rounds"
    yield "match", "", "sold out"
    for name in _OF_MATCH:
        yield "match", "", name
    for player in range(pair.one.terms.players):
        yield "player", str(player + 1), "wins"
    for seat in range(pair.one.terms.players):
        yield "seat", str(seat + 1), "wins"
    for ident in pair.railroads:
        yield "railroad", ident, "fees"
    for moment in MOMENTS:
        for ident in pair.railroads:
            yield "railroad", ident, _MOMENTS[moment]


def _ratios(played: Played, railroads: Sequence[int], players: int) -> Floats:
    """Return, matches x figures x 2, what is counted and of how many."""
    by_match = played.tally.sum(axis=1)
    above = [
        played.rounds[:, None],
        played.sold_out[:, None],
        by_match[:, list(_OF_MATCH.values())],
        played.winner[:, None] == np.arange(players),
        played.seat[:, None] == np.arange(players),
        played.income[:, railroads],
    ]
    means = np.concatenate([part.astype(np.float64) for part in above], axis=1)
    out = [np.stack([means, np.ones_like(means)], axis=2)]
    for moment in range(len(MOMENTS)):
        owned, won = owners_and_winners(played, moment, players)
        out.append(np.stack([won[:, railroads], owned[:, railroads]], axis=2).astype(np.float64))
    return np.concatenate(out, axis=1)


def _chief(played: Played, players: int) -> Floats:
    """Return, matches x figures, what is tested together: how a match went, and from which seat it was won."""
    seats = played.seat[:, None] == np.arange(players - 1)
    by_match = played.tally.sum(axis=1)[:, [TRIPS, PAYOFFS, FEES_PAID, BOUGHT, BANKRUPT, ROVERS]]
    return np.concatenate([played.rounds[:, None], by_match, seats.astype(np.float64)], axis=1)


def compared_railroads(pair: Pair, totals: Totals) -> tuple[FigureDifference, ...]:
    """Return what the sums say of each figure; those that were never counted on one board are left out."""
    return compared(_names(pair), totals)
