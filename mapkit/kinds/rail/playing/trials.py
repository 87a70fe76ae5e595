"""Randomised trials of the effects on the chance to win of buying a railroad, and of money.

Buyers of a railroad differ from others in luck and in position, so win rates of owners do not measure its worth. In a
trial, two players are drawn for each railroad and match: the decliner never buys it from the bank, and the favoured
player, drawn independently, gets part of its price back when he buys it. All else is played as always. The decliner's
loss in the chance to win, divided by how often others buy, is the gain of buying; the favoured player's gain is the
worth of money at the moment of buying. Their ratio is the worth of buying beyond the price, in money (instrumental
variables: Imbens and Angrist, "Identification and estimation of local average treatment effects", 1994).

The decliner's loss by itself is the gain of the right to buy a railroad. It weighs a railroad by how often it is
bought, and is as exact for expensive ones as for others.
"""

from typing import NamedTuple

import numpy as np

from mapkit.core.arrays import Floats, Ints
from mapkit.kinds.rail.playing.batch import MatchSetup, play_matches
from mapkit.playing.figures import Totals


class Effects(NamedTuple):
    """Results of a trial of R railroads; chances of 1, with standard errors."""

    matches: int
    bought: Floats
    """R: share of matches in which it was bought."""
    gain: Floats
    """R: gain in the buyer's chance to win; NaN if it was never bought."""
    error: Floats
    """R: of `gain`."""
    right: Floats
    """R: gain of the right to buy it: `gain` times how often it is bought."""
    right_error: Floats
    """R: of `right`."""
    money: float
    """Gain in the chance to win per currency unit, at the moment of buying."""
    money_error: float


def with_prices(table: MatchSetup, prices: Ints, group_prices: Ints) -> MatchSetup:
    """Return a table with other prices of railroads and groups."""
    return table._replace(
        track=table.track._replace(price=prices), terms=table.terms._replace(group_price=group_prices)
    )


def play_trial_batch(table: MatchSetup, rebate: int, offset: int, first: int, matches: int) -> Totals:
    """Play trials, and return their sums.

    Args:
        table: Board, rules, players and seed.
        rebate: Rebate of the favoured player, currency units.
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


def estimate_effects(totals: Totals, players: int, rebate: int) -> Effects:
    """Return the effects from the sums of trials, see the module's text.

    A buyer gets the rebate with a probability of one over the players; its effect is subtracted, since it is not that
    of the railroad.
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
