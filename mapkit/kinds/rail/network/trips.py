"""Mean payoff of a trip by the odds of the destination charts, and number of trips in a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances


@dataclass(frozen=True)
class GameLength:
    """Closed-form estimate of the length of a game, for a middle number of players.

    Args:
        trips: How many trips a player makes until one wins.
        payoff: Mean payoff of a trip, currency units.
        needed: Sum that a player must earn, currency units: `goal` less the cash at the start, and a share of the
            prices.
        goal: The cash that wins.
        players: For how many players this is.
    """

    trips: float
    payoff: float
    needed: int
    goal: int
    players: int


def calculate_mean_payoff(
    chances: Mapping[str, Fraction], cities: Sequence[str], thousands: Sequence[Sequence[float | None]]
) -> float | None:
    """Return the mean payoff of a trip, thousands; None without odds or amounts.

    Start and end are two cities of the charts, drawn by their odds (RB-D03) and not the same. That a player may choose
    the region (RB-D04) is left out: it is the player's own choice. Trips without an amount are left out too.

    Args:
        chances: The chance of each city as a destination, by id.
        cities: Ids of the cities in the order of the chart.
        thousands: The payoff chart.
    """
    if not cities or any(len(row) != len(cities) for row in thousands) or len(thousands) != len(cities):
        return None
    city_odds = np.array([float(chances.get(city, 0)) for city in cities])
    payoff_table = np.array(thousands, dtype=np.float64)
    pair_odds = np.where(np.isnan(payoff_table), 0.0, np.outer(city_odds, city_odds))
    np.fill_diagonal(pair_odds, 0.0)
    total_odds = float(pair_odds.sum())
    return float((pair_odds * np.nan_to_num(payoff_table)).sum()) / total_odds if total_odds else None


def estimate_game_length(board: Board) -> GameLength | None:
    """Estimate the trips that a player makes until one wins (RB-S01, RB-W01, RB-C11); None without odds or payoffs.

    All railroads for sale are sold in the end, to each of a middle number of players as much. Fees between players
    cancel; fees to the bank and engines are left out. Where net worth wins (RB-V09), deeds count, and there is no
    estimate.
    """
    rules = board.rules
    if REGIONS not in board.destinations or rules.net_worth.enabled:
        return None
    mean_thousands = calculate_mean_payoff(calculate_city_chances(board), board.payoffs.cities, board.payoffs.thousands)
    if not mean_thousands:
        return None
    player_count = (rules.setup.min_players + rules.setup.max_players) // 2
    starting_cash = rules.setup.starting_cash + rules.options.extra_starting_cash
    total_price = sum(r.price for r in board.railroads if not r.public or rules.purchase.public_for_sale)
    needed_cash = max(rules.winning.cash - starting_cash + round(total_price / player_count), 0)
    trip_payoff = mean_thousands * board.units.payoff
    return GameLength(needed_cash / trip_payoff, trip_payoff, needed_cash, rules.winning.cash, player_count)
