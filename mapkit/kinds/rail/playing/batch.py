"""Matches in batches, and the sums that studies are made from."""

from typing import Final, NamedTuple

import numpy as np

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.playing.compiled import called
from mapkit.kinds.rail.playing.match import play_packed
from mapkit.kinds.rail.playing.state import (
    FIGURES,
    FIRST,
    NO_END,
    RAISED,
    TROUBLE,
    TURNS,
    WINNER,
    Scratch,
    State,
    new_scratch,
    new_state,
    pack_scratch,
    pack_state,
)
from mapkit.kinds.rail.playing.terms import Terms, pack_terms
from mapkit.kinds.rail.playing.track import Floats, Ints, TrackArrays, pack_track
from mapkit.playing.figures import Totals

# columns of what is noted of a match
_WINNER, _FIRST, _TURNS, _RAISED, _TROUBLE = range(5)
_COLUMNS = 5
MOMENTS: Final = ("first", "sell-out", "end")
"""When owners of railroads are noted: the first buyer, the owner at sell-out, and the owner at the end."""
CLASSES: Final = 20
"""Of access and monopoly, of 5 percent each."""


class _Rows(NamedTuple):
    """What is noted of each match."""

    match: Ints
    owners: Ints
    """Matches x moments x railroads."""
    tally: Floats
    """Matches x players x figures."""


class Table(NamedTuple):
    """What matches are played on, by which rules and by whom."""

    track: TrackArrays
    terms: Terms
    minds: Floats
    """Players x weights."""
    seed: int


@called
def _play_many(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, first: int, minds: Floats, rows: _Rows
) -> None:
    one, two, three, four = pack_track(*track), pack_state(*state), pack_terms(*terms), pack_scratch(*scratch)
    for k in range(len(rows.match)):
        play_packed(one, two, three, four, first + k, minds)
        rows.match[k, _WINNER] = two.game[WINNER]
        rows.match[k, _FIRST] = two.game[FIRST]
        rows.match[k, _TURNS] = two.game[TURNS]
        rows.match[k, _RAISED] = two.game[RAISED]
        rows.match[k, _TROUBLE] = two.game[TROUBLE]
        rows.owners[k, 0] = two.first_owner
        rows.owners[k, 1] = two.sold_out_owner
        rows.owners[k, 2] = two.owner
        rows.tally[k] = two.tally


def play_batch(table: Table, first: int, matches: int) -> Totals:
    """Play matches, and return their sums.

    Args:
        table: Board, rules, players and seed.
        first: The number of the first match.
        matches: How many.

    Raises:
        MapkitError: A match cannot end; it names seed and match.
    """
    track, terms = table.track, table.terms
    state, scratch = new_state(track, terms, table.seed), new_scratch(track)
    railroads = len(track.price)
    rows = _Rows(
        np.zeros((matches, _COLUMNS), np.int64),
        np.zeros((matches, len(MOMENTS), railroads), np.int64),
        np.zeros((matches, terms.players, FIGURES)),
    )
    _play_many(track, state, terms, scratch, first, table.minds, rows)
    trouble = np.flatnonzero(rows.match[:, _TROUBLE])
    if len(trouble):
        raise MapkitError(trouble_text(table, first + int(trouble[0]), int(rows.match[trouble[0], _TROUBLE])))
    return _sums(table, rows, state)


def trouble_text(table: Table, match: int, kind: int) -> str:
    """Return why a match was broken off, and which one it is."""
    where = f"match {match} of seed {table.seed}"
    if kind == NO_END:
        return f"{where} does not end: nobody gets what wins; lower winning.cash, or choose other players"
    return f"{where}: a train finds no way to its city without using track twice; check the board for dead ends"


def _sums(table: Table, rows: _Rows, state: State) -> Totals:
    """Return the sums of a batch; see `SHAPES` in the study for what each is."""
    track, players = table.track, table.terms.players
    winner, first = rows.match[:, _WINNER], rows.match[:, _FIRST]
    rounds = rows.match[:, _TURNS] / players
    won = winner[:, None] == np.arange(players)
    out = {
        "matches": np.array([len(winner)], np.float64),
        "wins by player": won.sum(axis=0, dtype=np.float64),
        "wins by seat": np.bincount((winner - first) % players, minlength=players).astype(np.float64),
        "rounds": np.array([rounds.sum(), (rounds**2).sum()]),
        "sold out": np.array([rows.match[:, _RAISED].sum()], np.float64),
        "figures": np.stack([rows.tally.sum(axis=0), (rows.tally**2).sum(axis=0)]),
        "ridden": state.ridden.astype(np.float64),
        "visits": state.visits.astype(np.float64),
        "income": state.income.astype(np.float64),
    }
    for number, moment in enumerate(MOMENTS):
        owner = rows.owners[:, number]
        owned = (owner >= 0) & (owner < players)
        out[f"owned, {moment}"] = owned.sum(axis=0, dtype=np.float64)
        out[f"won by the owner, {moment}"] = (owned & (owner == winner[:, None])).sum(axis=0, dtype=np.float64)
    out["access"], out["monopoly"] = _by_holdings(track, rows.owners[:, 2], won)
    return out


def _by_holdings(track: TrackArrays, owner: Ints, won: np.ndarray) -> tuple[Floats, Floats]:
    """Return for classes of access and of monopoly at the end how many players had so much, and how many won."""
    served = track.served.astype(np.int64)
    others_serve = served.sum(axis=0)
    access, monopoly = np.zeros((2, CLASSES)), np.zeros((2, CLASSES))
    for player in range(won.shape[1]):
        mine = (owner == player).astype(np.int64) @ served
        for out, has in ((access, mine > 0), (monopoly, (mine > 0) & (mine == others_serve))):
            part = np.minimum((has @ track.chance * CLASSES).astype(np.int64), CLASSES - 1)
            out[0] += np.bincount(part, minlength=CLASSES)
            out[1] += np.bincount(part, weights=won[:, player].astype(np.float64), minlength=CLASSES)
    return access, monopoly
