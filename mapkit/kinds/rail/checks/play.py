"""Checks of the play of a board: odds, the length of a game, prices against access (V07 to V09).

Boards of the family define the usual range. Figures of the shipped boards (`mapkit report`, `mapkit destinations odds`)
and the odds of the British board, all that is known of it:

| board | cities | likeliest city | times even | likeliest region | times even | average trip | trips to win |
| --- | --- | --- | --- | --- | --- | --- | --- |
| United States | 67 | 4.05 % | 2.7 | 20.8 % of 7 | 1.46 | 14.49 | 21.3 |
| Mexico | 48 | 9.84 % | 4.7 | 20.8 % of 7 | 1.46 | 7.49 | 29.1 |
| Portugal | 36 | 8.64 % | 3.1 | 19.4 % of 7 | 1.36 | 10.80 | 21.5 |
| Britain | 100 | 5.56 % | 5.6 | 13.9 % of 10 | 1.39 | - | - |
"""

from collections.abc import Iterator
from typing import Final

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.network.destination_chances import WHOLE, calculate_city_chances, count_chart_weights
from mapkit.kinds.rail.network.trips import GameLength, estimate_game_length

_CONFIG_PLACE = Place(file="board.toml")

MOST_OF_A_CITY: Final = 0.1
"""No city of the four boards is more than one destination in ten."""
TIMES_EVEN_CITY: Final = 3.0
"""Limit for boards with too few cities for one in ten: Portugal, with the fewest, gives one city 3.1 times the even
share."""
TIMES_EVEN_REGION: Final = 1.75
"""The regions of the four boards have up to 1.46 times the even share, those of `eastern-us` and `western-us` up to
1.53; the limit is half-way from there to twice the even share."""
FEWEST_TRIPS: Final = 16
"""A quarter less than the shortest game of the shipped boards, 21.3 trips."""
MOST_TRIPS: Final = 36
"""A quarter more than the longest game of the shipped boards, 29.1 trips; `eastern-us` takes 35.5."""
USUAL_TRIPS: Final = 24
"""The mean of the three shipped boards."""
TIMES_USUAL_PRICE: Final = 4.0
"""Price of a railroad for its access, compared with all railroads of its board: 0.37 (New Haven) to 1.92 (Norfolk &
Western) times on the United States board, to 2.59 times on the Mexican; the limit is half as much again."""


_LEAST_MEAN, _MOST_MEAN = 0.1, 1000.0
"""Amounts that `mapkit payoffs compute --mean` takes, thousands."""


def _find_too_frequent_destination(c: CheckedRails) -> Iterator[Found]:
    """A city or region that is rolled far more often than any on boards of this family (RB-D03).

    Then most trips lead to and from one place, and whoever owns a railroad there wins. No city of the United States,
    Mexican, Portuguese or British board is more than one destination in ten; no region has more than 1.5 times the
    even share. Weights from population do this on a map with one large city: `damping` under `[destinations]` takes
    roots of them.
    """
    if REGIONS not in c.board.destinations:
        return
    city_chance = calculate_city_chances(c.board)
    chance_limit = max(MOST_OF_A_CITY, TIMES_EVEN_CITY / len(c.board.cities)) if c.board.cities else 1.0
    for city in c.board.cities:
        chance = float(city_chance[city.id])
        if chance > chance_limit:
            yield Found(
                f"{city.name} is the destination of {chance:.1%} of all rolls; on boards of this family with "
                f"{len(c.board.cities)} cities, none is above {chance_limit:.1%}; give it fewer cells or less weight, "
                f"or damp weights from population: mapkit destinations solve {c.board.id} --weights population "
                "--damping 0.5",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
                {"chance": round(chance, 6), "limit": round(chance_limit, 6)},
            )
    region_weights = count_chart_weights(c.board.destinations[REGIONS])
    even_share = 1 / len(c.board.regions) if c.board.regions else 1.0
    for region in c.board.regions:
        chance = region_weights.get(region.id, 0) / WHOLE
        if chance > TIMES_EVEN_REGION * even_share:
            yield Found(
                f"{region.name} is rolled {chance:.1%} of the time, {chance / even_share:.1f} times the even share of "
                f"{len(c.board.regions)} regions; on boards of this family no region has more than 1.5 times its "
                "share; give it fewer cells, or divide it",
                (region.id,),
                c.place("regions", region.id),
                {"chance": round(chance, 6), "limit": round(TIMES_EVEN_REGION * even_share, 6)},
            )


def _find_unusual_game_length(c: CheckedRails) -> Iterator[Found]:
    """A game that takes far more or far fewer trips to win than on boards of this family (RB-S01, RB-W01, RB-C11).

    The estimate is what a player needs, divided by what a trip pays on average. A player needs the cash that wins, less
    the cash at the start, and an even share of the prices of all railroads for sale. Fees between players cancel out;
    fees to the bank and engines are left out. For four players it is 21 trips on the United States board, 29 on the
    Mexican and 21 on the Portuguese. If net worth wins (RB-V09), or the cash at the start
    does already (V04), nothing is estimated.
    """
    length = estimate_game_length(c.board)
    if length is None or length.needed <= 0 or FEWEST_TRIPS <= length.trips <= MOST_TRIPS:
        return
    is_slow = length.trips > MOST_TRIPS
    yield Found(
        f"a player needs about {length.trips:.1f} trips to win, but {FEWEST_TRIPS} to {MOST_TRIPS} on boards of this "
        f"family: winning takes {length.needed:,}, and a trip pays {length.payoff:,.0f} on average; "
        f"{_game_length_cure(c, length, slow=is_slow)}",
        ("winning.cash",),
        _CONFIG_PLACE,
        {"trips": round(length.trips, 1), "payoff": round(length.payoff), "needed": length.needed},
    )


def _game_length_cure(c: CheckedRails, length: GameLength, *, slow: bool) -> str:
    """Return the advice on a game that is too long or too short: amounts, or the cash that wins."""
    mean_thousands = length.needed / USUAL_TRIPS / c.board.units.payoff
    winning_cash = round(length.payoff * USUAL_TRIPS - (length.needed - length.goal), -3)
    payoff_verb = "raise" if slow else "lower"
    cash_verb = "lower" if slow else "raise"
    cash_text = f", or {cash_verb} the cash that wins (about {winning_cash:,.0f})" if winning_cash > 0 else ""
    command_text = (
        f" (mapkit payoffs compute {c.board.id} --mean {mean_thousands:.3g} --into table, or --into chart)"
        if _LEAST_MEAN <= mean_thousands <= _MOST_MEAN
        else ""
    )
    return f"{payoff_verb} what trips pay{command_text}{cash_text}"


def _find_price_differs_from_access(c: CheckedRails) -> Iterator[Found]:
    """A railroad that costs far more, or far less, for its access than the others (RB-C11, RB-C12).

    Access is the chance that the next destination is a city that the railroad serves. For the same access, a railroad
    of the United States board costs 0.4 to 1.9 times the average of all, on the Mexican board up to 2.6 times. Beyond
    four times nobody buys it; below a quarter everybody wants it first.
    """
    if REGIONS not in c.board.destinations:
        return
    city_chance = calculate_city_chances(c.board)
    access_of: dict[str, float] = {}
    for railroad_id, links in c.links_by_railroad.items():
        touched_mileposts = {node for link in links for node in (link.a, link.b)}
        served_cities = [city for node in touched_mileposts for city in c.cities_at.get(node, ())]
        access_of[railroad_id] = sum(float(city_chance[city]) for city in sorted(served_cities))
    sold_railroads = [r for r in c.board.railroads if not r.public and r.price and access_of.get(r.id)]
    total_access = sum(access_of[r.id] for r in sold_railroads)
    if not total_access:
        return
    usual_price = sum(r.price for r in sold_railroads) / total_access
    for railroad in sold_railroads:
        price_ratio = railroad.price / access_of[railroad.id] / usual_price
        if not 1 / TIMES_USUAL_PRICE <= price_ratio <= TIMES_USUAL_PRICE:
            fair_price = usual_price * access_of[railroad.id]
            ratio_text = f"{price_ratio:.1f} times" if price_ratio > 1 else f"only {price_ratio:.2f} times"
            yield Found(
                f"{railroad.short} costs {railroad.price:,} and serves {access_of[railroad.id]:.1%} of the "
                f"destinations: {ratio_text} the usual price for that on this board; set the price to about "
                f"{fair_price:,.0f}, or run its lines to {'more' if price_ratio > 1 else 'fewer'} cities",
                (railroad.id,),
                c.place("railroads", railroad.id),
                {"price": railroad.price, "access": round(access_of[railroad.id], 6), "times": round(price_ratio, 3)},
            )


CHECKS = (
    make_listed_check("V07", _find_too_frequent_destination),
    make_listed_check("V08", _find_unusual_game_length),
    make_listed_check("V09", _find_price_differs_from_access),
)
