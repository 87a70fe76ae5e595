"""Randomised trials of the effects on the chance to win of buying a railroad, and of money.

Who buys a railroad differs from who does not, in luck and in position, so win rates of owners do not say what it is
worth. In a trial the lot decides: of each railroad, one player, another in each match, never buys it from the bank,
and one, drawn apart from that, gets part of its price back when he buys it. All else is as always. The chance to win
that the first of them loses, over how often the others buy, is what buying adds for who buys; the chance that the
second gains is what money is worth at the moment of buying. Their ratio is in money: what buying is worth beyond
the price (Imbens and Angrist, "Identification and estimation of local average treatment effects", 1994).

The loss of the first, by itself, is what the right to buy a railroad adds. It counts a railroad that few can pay for by
how often somebody does, and is as exact for it as for others.
"""

from typing import NamedTuple

import numpy as np

from mapkit.kinds.rail.playing.batch import Table, play_matches
from mapkit.kinds.rail.playing.track import Floats, Ints
from mapkit.playing.figures import Totals


class Effects(NamedTuple):
    """Results of a trial of R railroads; chances of 1, with standard errors."""

    matches: int
    bought: Floats
    """R: the share of matches in which somebody bought it."""
    gain: Floats
    """R: what buying it adds to the buyer's chance to win; NaN where it was never bought."""
    error: Floats
    """R: of `gain`."""
    right: Floats
    """R: what the right to buy it adds to the chance to win: `gain` times how often it is bought."""
    right_error: Floats
    """R: of `right`."""
    money: float
    """What a currency unit adds to the chance to win, when something is bought."""
    money_error: float


def with_prices(table: Table, prices: Ints, group_prices: Ints) -> Table:
    """Return a table with other prices of railroads and groups."""
    return table._replace(
        track=table.track._replace(price=prices), terms=table.terms._replace(group_price=group_prices)
    )


def trial_batch(table: Table, rebate: int, offset: int, first: int, matches: int) -> Totals:
    """Play trials, and return their sums.

    Args:
        table: Board, rules, players and seed.
        rebate: What the favoured player gets back, currency units.
        offset: The number of match 0 of this trial: trials of one seed are of different matches.
        first: The number of the first match.
        matches: How many.

    Raises:
        MapkitError: As for `play_matches`.
    """
    played = play_matches(table._replace(terms=table.terms._replace(rebate=rebate)), offset + first, matches)
    match_winner = played.winner[:, None]
    first_buyer = played.owners[:, 0]
    favoured_wins = (played.favoured == match_winner).sum(axis=1)
    return {
        "matches": np.array([matches], np.float64),
        "bought": ((first_buyer >= 0) & (first_buyer < table.terms.players)).sum(axis=0, dtype=np.float64),
        "decliner won": (played.decliner == match_winner).sum(axis=0, dtype=np.float64),
        "favoured bought": np.array([(first_buyer == played.favoured).sum()], np.float64),
        "favoured won": np.array([favoured_wins.sum(), (favoured_wins**2).sum()], np.float64),
    }


def effects_of(totals: Totals, players: int, rebate: int) -> Effects:
    """Return the effects from the sums of trials, see the module's text.

    A buyer gets the rebate with a chance of one over the players; what that adds is taken off, for it is not the
    railroad's.
    """
    matches = float(totals["matches"][0])
    bought_share, decliner_win_share = totals["bought"] / matches, totals["decliner won"] / matches
    railroad_count, mean_rebate = len(bought_share), float(totals["favoured bought"][0]) / matches * rebate
    mean_wins = float(totals["favoured won"][0]) / matches
    win_deviation = np.sqrt(max(0.0, float(totals["favoured won"][1]) / matches - mean_wins**2))
    player_ratio = players / (players - 1)
    money = (mean_wins - railroad_count / players) * player_ratio / mean_rebate if mean_rebate > 0 else float("nan")
    with np.errstate(divide="ignore", invalid="ignore"):
        right = 1 - players * decliner_win_share - bought_share * np.nan_to_num(money) * rebate / players
        right_error = players * np.sqrt(decliner_win_share * (1 - decliner_win_share) / matches)
        gain = np.where(bought_share > 0, right / bought_share, np.nan)
        error = np.where(bought_share > 0, right_error / bought_share, np.nan)
    return Effects(
        matches=int(matches),
        bought=bought_share,
        gain=gain,
        error=error,
        right=right,
        right_error=right_error,
        money=money,
        money_error=float(win_deviation / np.sqrt(matches) * player_ratio / mean_rebate)
        if mean_rebate > 0
        else float("nan"),
    )
