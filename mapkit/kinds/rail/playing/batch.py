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
    copy_numbers,
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
    income: Ints
    """Matches x railroads."""
    trial: Ints
    """Matches x 2 x railroads: who declined a railroad, and who was favoured."""


class Table(NamedTuple):
    """What matches are played on, by which rules and by whom."""

    track: TrackArrays
    terms: Terms
    minds: Floats
    """Players x weights."""
    seed: int


class Played(NamedTuple):
    """A batch, match by match. N matches, P players, R railroads."""

    winner: Ints
    """N: a player."""
    seat: Ints
    """N: the winner's place in the order of play."""
    rounds: Floats
    """N."""
    sold_out: Ints
    """N: 1 if the fee was raised."""
    tally: Floats
    """N x P x figures, see `mapkit.kinds.rail.playing.state`."""
    owners: Ints
    """N x moments x R: players, or others."""
    income: Ints
    """N x R: fees, currency units."""
    decliner: Ints
    """N x R: in a trial."""
    favoured: Ints
    """N x R: in a trial."""
    ridden: Ints
    """S: of all matches, how often a segment was ridden."""
    visits: Ints
    """C: arrivals in all matches."""


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
        railroads = len(two.owner)
        copy_numbers(two.first_owner, rows.owners[k, 0], railroads)
        copy_numbers(two.sold_out_owner, rows.owners[k, 1], railroads)
        copy_numbers(two.owner, rows.owners[k, 2], railroads)
        copy_numbers(two.income, rows.income[k], railroads)
        copy_numbers(two.decliner, rows.trial[k, 0], railroads)
        copy_numbers(two.favoured, rows.trial[k, 1], railroads)
        for player in range(len(two.tally)):
            copy_numbers(two.tally[player], rows.tally[k, player], FIGURES)


def play_matches(table: Table, first: int, matches: int) -> Played:
    """Play matches, and return what is noted of each.

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
        np.zeros((matches, railroads), np.int64),
        np.zeros((matches, 2, railroads), np.int64),
    )
    _play_many(track, state, terms, scratch, first, table.minds, rows)
    trouble = np.flatnonzero(rows.match[:, _TROUBLE])
    if len(trouble):
        raise MapkitError(trouble_text(table, first + int(trouble[0]), int(rows.match[trouble[0], _TROUBLE])))
    winner = rows.match[:, _WINNER]
    return Played(
        winner=winner,
        seat=(winner - rows.match[:, _FIRST]) % terms.players,
        rounds=rows.match[:, _TURNS] / terms.players,
        sold_out=rows.match[:, _RAISED],
        tally=rows.tally,
        owners=rows.owners,
        income=rows.income,
        decliner=rows.trial[:, 0],
        favoured=rows.trial[:, 1],
        ridden=state.ridden,
        visits=state.visits,
    )


def trouble_text(table: Table, match: int, kind: int) -> str:
    """Return why a match was broken off, and which one it is."""
    where = f"match {match} of seed {table.seed}"
    if kind == NO_END:
        return f"{where} does not end: nobody gets what wins; lower winning.cash, or choose other players"
    return f"{where}: a train finds no way to its city without using track twice; check the board for dead ends"


def play_batch(table: Table, first: int, matches: int) -> Totals:
    """Play matches as `play_matches` does, and return their sums."""
    played, players = play_matches(table, first, matches), table.terms.players
    won = played.winner[:, None] == np.arange(players)
    out = {
        "matches": np.array([matches], np.float64),
        "wins by player": won.sum(axis=0, dtype=np.float64),
        "wins by seat": np.bincount(played.seat, minlength=players).astype(np.float64),
        "rounds": np.array([played.rounds.sum(), (played.rounds**2).sum()]),
        "sold out": np.array([played.sold_out.sum()], np.float64),
        "figures": np.stack([played.tally.sum(axis=0), (played.tally**2).sum(axis=0)]),
        "ridden": played.ridden.astype(np.float64),
        "visits": played.visits.astype(np.float64),
        "income": np.stack([played.income.sum(axis=0), (played.income**2).sum(axis=0)]).astype(np.float64),
    }
    for number, moment in enumerate(MOMENTS):
        owned, won_by_owner = owners_and_winners(played, number, players)
        out[f"owned, {moment}"] = owned.sum(axis=0, dtype=np.float64)
        out[f"won by the owner, {moment}"] = won_by_owner.sum(axis=0, dtype=np.float64)
    out["access"], out["monopoly"] = _by_holdings(table.track, played.owners[:, 2], won)
    return out


def owners_and_winners(played: Played, moment: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, matches x railroads, whether a player owned it at a moment, and whether the owner won."""
    owner = played.owners[:, moment]
    owned = (owner >= 0) & (owner < players)
    return owned, owned & (owner == played.winner[:, None])


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
