"""Amounts of a draft: odds of cities, payoffs of trips, prices, and the cash to win."""

from collections.abc import Mapping, Sequence
from typing import Final

LARGEST_CHANCE: Final = 0.09
"""The chance of the likeliest city at the most: 4 to 10 % on the shipped boards."""
_TIMES_EVEN: Final = 2.6
_LEAST_TIMES_EVEN: Final = 1.3
_POWER: Final = 0.6
"""Of people in a city's weight, where nothing has to be damped more."""
PAYOFF_A_MILEPOST: Final = 0.7
"""What a milepost pays, thousands: 0.3 to 0.8 on the shipped boards."""
PRICE_IN_PAYOFFS: Final = 1.35
"""What a railroad costs on average, in payoffs: 1.27 to 1.75 on the shipped boards."""
TRIPS_A_GAME: Final = 21.5
"""Of a game: 21.3 to 29.1 on the shipped boards."""
_PLAYERS: Final = 4
_START: Final = 20_000
_THOUSAND: Final = 1_000
_PRICE_STEP: Final = 500
_CASH_STEP: Final = 10_000
_MONOPOLY: Final = 0.5
"""What a city counts more in a price that the railroad alone serves."""
_SHARED: Final = 0.55
"""What it counts for each time that another one serves it too."""


def city_weights(people: Sequence[int]) -> tuple[int, ...]:
    """Return the weights of cities: population, damped so that no city is likelier than on boards of the family."""
    largest_share = max(min(LARGEST_CHANCE, _TIMES_EVEN / len(people)), _LEAST_TIMES_EVEN / len(people))
    low_power, high_power = 0.0, _POWER
    for _ in range(30):
        mid_power = (low_power + high_power) / 2
        powers = [max(population, 100) ** mid_power for population in people]
        low_power, high_power = (
            (mid_power, high_power) if max(powers) <= largest_share * sum(powers) else (low_power, mid_power)
        )
    powers = [max(population, 100) ** low_power for population in people]
    return tuple(max(1, round(500 * power / sum(powers) * len(people) / 10)) for power in powers)


def railroad_worths(served: Sequence[Sequence[str]], chances: Mapping[str, float]) -> tuple[float, ...]:
    """Return the relative worth of each railroad: the odds of its cities, higher where few railroads serve them.

    Args:
        served: The cities of each railroad.
        chances: The odds of each city.
    """
    railroad_count = {city: sum(city in city_ids for city_ids in served) for city in chances}
    city_worth = {
        city: chances[city] * (_SHARED + _MONOPOLY / railroad_count[city]) for city in chances if railroad_count[city]
    }
    return tuple(sum(city_worth[city] for city in city_ids) for city_ids in served)


def railroad_prices(worth: Sequence[float], payoff: float) -> tuple[int, ...]:
    """Return prices in proportion to the worth of railroads; their mean fits the payoff of a trip in thousands."""
    mean_worth = sum(worth) / len(worth)
    exact_prices = [PRICE_IN_PAYOFFS * payoff * _THOUSAND * railroad_worth / mean_worth for railroad_worth in worth]
    return tuple(max(_PRICE_STEP * 8, round(price / _PRICE_STEP) * _PRICE_STEP) for price in exact_prices)


def cash_to_win(prices: Sequence[int], payoff: float) -> int:
    """Return the cash to win so that a game has the usual number of trips."""
    total_payoff = TRIPS_A_GAME * payoff * _THOUSAND
    return max(_CASH_STEP * 5, round((total_payoff + _START - sum(prices) / _PLAYERS) / _CASH_STEP) * _CASH_STEP)
