"""The amounts of a draft: odds of cities, what trips pay, prices, and the cash that wins."""

from collections.abc import Mapping, Sequence
from typing import Final

LIKELIEST: Final = 0.09
"""The chance of the likeliest city at the most: 4 to 10 % on the shipped boards."""
_TIMES_EVEN: Final = 2.6
_LEAST_TIMES_EVEN: Final = 1.3
_POWER: Final = 0.6
"""Of people in a city's weight, where nothing has to be damped more."""
A_STEP: Final = 0.7
"""What a milepost pays, thousands: 0.3 to 0.8 on the shipped boards."""
PRICE: Final = 1.35
"""What a railroad costs on average, in payoffs: 1.27 to 1.75 on the shipped boards."""
TRIPS: Final = 21.5
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


def weights_of(people: Sequence[int]) -> tuple[int, ...]:
    """Return the weights of cities: people, damped so that no city is likelier than on boards of the family."""
    limit = max(min(LIKELIEST, _TIMES_EVEN / len(people)), _LEAST_TIMES_EVEN / len(people))
    low, high = 0.0, _POWER
    for _ in range(30):
        middle = (low + high) / 2
        powers = [max(one, 100) ** middle for one in people]
        low, high = (middle, high) if max(powers) <= limit * sum(powers) else (low, middle)
    powers = [max(one, 100) ** low for one in people]
    return tuple(max(1, round(500 * power / sum(powers) * len(people) / 10)) for power in powers)


def worths(served: Sequence[Sequence[str]], chances: Mapping[str, float]) -> tuple[float, ...]:
    """Return what each railroad is worth beside the others: the odds of its cities, more where few serve them.

    Args:
        served: The cities of each railroad.
        chances: The odds of each city.
    """
    by = {city: sum(city in own for own in served) for city in chances}
    value = {city: chances[city] * (_SHARED + _MONOPOLY / by[city]) for city in chances if by[city]}
    return tuple(sum(value[city] for city in own) for own in served)


def prices_of(worth: Sequence[float], payoff: float) -> tuple[int, ...]:
    """Return prices in proportion to what railroads are worth; the mean fits what a trip pays, thousands."""
    mean = sum(worth) / len(worth)
    raw = [PRICE * payoff * _THOUSAND * one / mean for one in worth]
    return tuple(max(_PRICE_STEP * 8, round(price / _PRICE_STEP) * _PRICE_STEP) for price in raw)


def cash_to_win(prices: Sequence[int], payoff: float) -> int:
    """Return the cash that wins after a game of the usual number of trips."""
    needed = TRIPS * payoff * _THOUSAND
    return max(_CASH_STEP * 5, round((needed + _START - sum(prices) / _PLAYERS) / _CASH_STEP) * _CASH_STEP)
