"""Matches in batches, and their sums for studies."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.playing.compiled import called
from mapkit.kinds.rail.playing.match import play_packed
from mapkit.kinds.rail.playing.state import (
    FIGURES,
    FIRST,
    LEAD_CHANGES,
    NO_END,
    RAISED,
    TROUBLE,
    TURNS,
    WINNER,
    WORTH_TIMES,
    Scratch,
    State,
    copy_numbers,
    new_scratch,
    new_state,
    pack_scratch,
    pack_state,
)
from mapkit.kinds.rail.playing.terms import Terms, pack_terms
from mapkit.kinds.rail.playing.track import TrackArrays, pack_track
from mapkit.playing.figures import Totals

# columns of `_MatchRecords.match`
_WINNER, _FIRST, _TURNS, _RAISED, _TROUBLE, _LEAD_CHANGES = range(6)
_MATCH_COLUMNS = 6
# columns of `_MatchRecords.start`: a player's home, first destination and first purchase, then turns of lead
_HOME, _FIRST_GOAL, _FIRST_ITEM, _LED, _BEHIND = range(5)
_START_COLUMNS = 5
STARTS: Final = ("home", "first destination", "first purchase")
MOMENTS: Final = ("first", "sell-out", "end")
"""Moments at which owners of railroads are recorded: first purchase, sell-out, and end."""
CLASSES: Final = 20
"""Classes of access and of monopoly, of 5 percent each."""


class _MatchRecords(NamedTuple):
    """Record of each match."""

    match: Ints
    owners: Ints
    """Matches x moments x railroads."""
    tally: Floats
    """Matches x players x figures."""
    income: Ints
    """Matches x railroads."""
    trial: Ints
    """Matches x 2 x railroads: the decliner and the favoured player of a trial."""
    start: Ints
    """Matches x players x columns."""
    wealth: Ints
    """Matches x players x times x 2."""


class MatchSetup(NamedTuple):
    """Board, rules and players of matches."""

    track: TrackArrays
    terms: Terms
    minds: Floats
    """Players x weights."""
    seed: int
    drive: "Callable[[MatchSetup, State, Scratch, int], None] | None" = None
    """Plays a match where players written in Python decide."""


class PlayedMatches(NamedTuple):
    """Batch, match by match. N matches, P players, R railroads."""

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
    """S: rides on a segment in all matches."""
    visits: Ints
    """C: arrivals in all matches."""
    lead_changes: Ints
    """N."""
    start: Ints
    """N x P x columns: home, first destination, first purchase, last turn in the lead, last turn behind."""
    wealth: Ints
    """N x P x times x 2: cash and net worth; 0 after the end."""


@called
def _play_many(
    track: TrackArrays, state: State, terms: Terms, scratch: Scratch, first: int, minds: Floats, rows: _MatchRecords
) -> None:
    packed_track, packed_state, packed_terms, packed_scratch = (
        pack_track(*track),
        pack_state(*state),
        pack_terms(*terms),
        pack_scratch(*scratch),
    )
    for k in range(len(rows.match)):
        play_packed(packed_track, packed_state, packed_terms, packed_scratch, first + k, minds)
        _record_match(packed_state, rows, k)


@called
def _record_match(state: State, rows: _MatchRecords, k: int) -> None:
    """Record a match that is over in row `k`."""
    rows.match[k, _WINNER] = state.game[WINNER]
    rows.match[k, _FIRST] = state.game[FIRST]
    rows.match[k, _TURNS] = state.game[TURNS]
    rows.match[k, _RAISED] = state.game[RAISED]
    rows.match[k, _TROUBLE] = state.game[TROUBLE]
    rows.match[k, _LEAD_CHANGES] = state.game[LEAD_CHANGES]
    railroads = len(state.owner)
    copy_numbers(state.first_owner, rows.owners[k, 0], railroads)
    copy_numbers(state.sold_out_owner, rows.owners[k, 1], railroads)
    copy_numbers(state.owner, rows.owners[k, 2], railroads)
    copy_numbers(state.income, rows.income[k], railroads)
    copy_numbers(state.decliner, rows.trial[k, 0], railroads)
    copy_numbers(state.favoured, rows.trial[k, 1], railroads)
    for player in range(len(state.tally)):
        copy_numbers(state.tally[player], rows.tally[k, player], FIGURES)
        rows.start[k, player, _HOME] = state.home[player]
        rows.start[k, player, _FIRST_GOAL] = state.first_goal[player]
        rows.start[k, player, _FIRST_ITEM] = state.first_item[player]
        rows.start[k, player, _LED] = state.led[player]
        rows.start[k, player, _BEHIND] = state.behind[player]
        for moment in range(WORTH_TIMES):
            copy_numbers(state.wealth[player, moment], rows.wealth[k, player, moment], 2)


def play_matches(table: MatchSetup, first: int, matches: int) -> PlayedMatches:
    """Play matches, and return the record of each.

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
    match_records = _MatchRecords(
        np.zeros((matches, _MATCH_COLUMNS), np.int64),
        np.zeros((matches, len(MOMENTS), railroads), np.int64),
        np.zeros((matches, terms.players, FIGURES)),
        np.zeros((matches, railroads), np.int64),
        np.zeros((matches, 2, railroads), np.int64),
        np.zeros((matches, terms.players, _START_COLUMNS), np.int64),
        np.zeros((matches, terms.players, WORTH_TIMES, 2), np.int64),
    )
    if table.drive is None:
        _play_many(track, state, terms, scratch, first, table.minds, match_records)
    else:
        for k in range(matches):
            table.drive(table, state, scratch, first + k)
            _record_match(state, match_records, k)
    broken_off = np.flatnonzero(match_records.match[:, _TROUBLE])
    if len(broken_off):
        raise MapkitError(
            trouble_text(table, first + int(broken_off[0]), int(match_records.match[broken_off[0], _TROUBLE]))
        )
    winner = match_records.match[:, _WINNER]
    return PlayedMatches(
        winner=winner,
        seat=(winner - match_records.match[:, _FIRST]) % terms.players,
        rounds=match_records.match[:, _TURNS] / terms.players,
        sold_out=match_records.match[:, _RAISED],
        tally=match_records.tally,
        owners=match_records.owners,
        income=match_records.income,
        decliner=match_records.trial[:, 0],
        favoured=match_records.trial[:, 1],
        ridden=state.ridden,
        visits=state.visits,
        lead_changes=match_records.match[:, _LEAD_CHANGES],
        start=match_records.start,
        wealth=match_records.wealth,
    )


def trouble_text(table: MatchSetup, match: int, kind: int) -> str:
    """Return the reason why a match was broken off, with its number and seed."""
    match_title = f"match {match} of seed {table.seed}"
    if kind == NO_END:
        return f"{match_title} does not end, as no player earns what wins; lower winning.cash, or choose other players"
    return f"{match_title}: a train finds no way to its city without using track twice; check the board for dead ends"


def play_batch(table: MatchSetup, first: int, matches: int) -> Totals:
    """Play matches as `play_matches` does, and return their sums."""
    played, players = play_matches(table, first, matches), table.terms.players
    is_winner = played.winner[:, None] == np.arange(players)
    batch_totals = {
        "matches": np.array([matches], np.float64),
        "wins by player": is_winner.sum(axis=0, dtype=np.float64),
        "wins by seat": np.bincount(played.seat, minlength=players).astype(np.float64),
        "rounds": np.array([played.rounds.sum(), (played.rounds**2).sum()]),
        "sold out": np.array([played.sold_out.sum()], np.float64),
        "figures": np.stack([played.tally.sum(axis=0), (played.tally**2).sum(axis=0)]),
        "ridden": played.ridden.astype(np.float64),
        "visits": played.visits.astype(np.float64),
        "income": np.stack([played.income.sum(axis=0), (played.income**2).sum(axis=0)]).astype(np.float64),
    }
    for moment_number, moment in enumerate(MOMENTS):
        owned, won_by_owner = owners_and_winners(played, moment_number, players)
        batch_totals[f"owned, {moment}"] = owned.sum(axis=0, dtype=np.float64)
        batch_totals[f"won by the owner, {moment}"] = won_by_owner.sum(axis=0, dtype=np.float64)
    for column, (name, size) in enumerate(zip(STARTS, _start_sizes(table), strict=True)):
        chosen = played.start[:, :, column]
        batch_totals[name] = np.stack(
            [
                np.bincount(chosen[(chosen >= 0) & counted], minlength=size).astype(np.float64)
                for counted in (np.ones_like(is_winner), is_winner)
            ]
        )
    turns = played.rounds * players
    doubt = (played.start[:, :, _BEHIND] * is_winner).sum(axis=1) / turns
    hopeless = ((1 - played.start[:, :, _LED] / turns[:, None]) * ~is_winner).sum(axis=1) / (players - 1)
    batch_totals["course"] = np.array(
        [[part.sum(), (part**2).sum()] for part in (played.lead_changes.astype(np.float64), doubt, hopeless)]
    )
    is_recorded = (played.wealth[:, :, :, 1].sum(axis=1) > 0)[:, None, :, None]
    batch_totals["wealth"] = np.stack(
        [
            np.concatenate(
                [(played.wealth * group).sum(axis=(0, 1)), (is_recorded * group).sum(axis=(0, 1))], axis=1
            ).astype(np.float64)
            for group in (is_winner[:, :, None, None], ~is_winner[:, :, None, None])
        ]
    )
    owner = played.owners[:, 2]
    railroads_by_city = table.track.served.astype(np.int64)
    service_counts = railroads_by_city.sum(axis=0)
    access, monopoly = np.zeros((2, CLASSES)), np.zeros((2, CLASSES))
    for player in range(is_winner.shape[1]):
        own_service = (owner == player).astype(np.int64) @ railroads_by_city
        for class_counts, has_city in (
            (access, own_service > 0),
            (monopoly, (own_service > 0) & (own_service == service_counts)),
        ):
            class_number = np.minimum((has_city @ table.track.chance * CLASSES).astype(np.int64), CLASSES - 1)
            class_counts[0] += np.bincount(class_number, minlength=CLASSES)
            class_counts[1] += np.bincount(
                class_number, weights=is_winner[:, player].astype(np.float64), minlength=CLASSES
            )
    batch_totals["access"], batch_totals["monopoly"] = access, monopoly
    return batch_totals


def _start_sizes(table: MatchSetup) -> tuple[int, int, int]:
    """Return the numbers of possible homes, first destinations and first purchases."""
    cities = len(table.track.city_place)
    return cities, cities, len(table.track.price) + 3


def owners_and_winners(played: PlayedMatches, moment: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, matches x railroads, whether a player owned it at a moment, and whether the owner won."""
    owner = played.owners[:, moment]
    owned = (owner >= 0) & (owner < players)
    return owned, owned & (owner == played.winner[:, None])
