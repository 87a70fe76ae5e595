"""Checks of how a board will play: odds, the length of a game, prices against access (V07 to V09).

What is usual is what boards of the family have. Figures of the shipped boards (`mapkit report`, `mapkit destinations
odds`) and of the British board, of which only the odds are known:

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
from mapkit.kinds.rail.checks.check import Checked, listed
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.network.chances import WHOLE, chart_weights, city_chances
from mapkit.kinds.rail.network.trips import GameLength, game_length

_CONFIG = Place(file="board.toml")

MOST_OF_A_CITY: Final = 0.1
"""No city of the four boards is more than one destination in ten."""
TIMES_EVEN_CITY: Final = 3.0
"""On boards of so few cities that one in ten says nothing: Portugal, with the fewest, gives one city 3.1 times the
even share."""
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
"""What a railroad costs for its access, against all railroads of its board: 0.37 (New Haven) to 1.92 (Norfolk &
Western) times on the United States board, to 2.59 times on the Mexican; the limit is half as much again."""


def _odds(c: Checked) -> Iterator[Found]:
    """A city or region that is rolled far more often than any on boards of this family (RB-D03).

    Then most trips lead to and from one place, and whoever owns a railroad there wins. No city of the United States,
    Mexican, Portuguese or British board is more than one destination in ten; no region has more than 1.5 times the
    even share. Weights from population do this on a map with one large city: `damping` under `[destinations]` takes
    roots of them.
    """
    if REGIONS not in c.board.destinations:
        return
    chances = city_chances(c.board)
    limit = max(MOST_OF_A_CITY, TIMES_EVEN_CITY / len(c.board.cities)) if c.board.cities else 1.0
    for city in c.board.cities:
        chance = float(chances[city.id])
        if chance > limit:
            yield Found(
                f"{city.name} is the destination of {chance:.1%} of all rolls; on boards of this family with "
                f"{len(c.board.cities)} cities, none is above {limit:.1%}; give it fewer cells or less weight, or damp "
                f"weights from population: mapkit destinations solve {c.board.id} --weights population --damping 0.5",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
                {"chance": round(chance, 6), "limit": round(limit, 6)},
            )
    rolled = chart_weights(c.board.destinations[REGIONS])
    even = 1 / len(c.board.regions) if c.board.regions else 1.0
    for region in c.board.regions:
        chance = rolled.get(region.id, 0) / WHOLE
        if chance > TIMES_EVEN_REGION * even:
            yield Found(
                f"{region.name} is rolled {chance:.1%} of the time, {chance / even:.1f} times the even share of "
                f"{len(c.board.regions)} regions; on boards of this family no region has more than 1.5 times its "
                "share; give it fewer cells, or divide it",
                (region.id,),
                c.place("regions", region.id),
                {"chance": round(chance, 6), "limit": round(TIMES_EVEN_REGION * even, 6)},
            )


def _length(c: Checked) -> Iterator[Found]:
    """A game that takes far more or far fewer trips to win than on boards of this family (RB-S01, RB-W01, RB-C11).

    The estimate is what a player needs, divided by what a trip pays on average. A player needs the cash that wins, less
    the cash at the start, and an even share of the prices of all railroads for sale. Fees between players cancel out;
    fees to the bank and engines are left out. For four players it is 21 trips on the United States board, 29 on the
    Mexican and 21 on the Portuguese. If net worth wins (RB-V09), nothing is estimated.
    """
    length = game_length(c.board)
    if length is None or FEWEST_TRIPS <= length.trips <= MOST_TRIPS:
        return
    slow = length.trips > MOST_TRIPS
    yield Found(
        f"a player needs about {length.trips:.0f} trips to win, but {FEWEST_TRIPS} to {MOST_TRIPS} on boards of this "
        f"family: winning takes {length.needed:,}, and a trip pays {length.payoff:,.0f} on average; "
        f"{_cure(c, length, slow=slow)}",
        ("winning.cash",),
        _CONFIG,
        {"trips": round(length.trips, 1), "payoff": round(length.payoff), "needed": length.needed},
    )


def _cure(c: Checked, length: GameLength, *, slow: bool) -> str:
    """Return what to do about a game that is too long or too short: amounts, or the cash that wins."""
    mean = length.needed / USUAL_TRIPS / c.board.units.payoff
    goal = round(length.payoff * USUAL_TRIPS - (length.needed - length.goal), -3)
    more = "raise" if slow else "lower"
    less = "lower" if slow else "raise"
    cash = f", or {less} the cash that wins (about {goal:,.0f})" if goal > 0 else ""
    return (
        f"{more} what trips pay (mapkit payoffs compute {c.board.id} --mean {mean:.3g} --into table, or --into "
        f"chart){cash}"
    )


def _prices(c: Checked) -> Iterator[Found]:
    """A railroad that costs far more, or far less, for its access than the others (RB-C11, RB-C12).

    Access is the chance that the next destination is a city that the railroad serves. For the same access, a railroad
    of the United States board costs 0.4 to 1.9 times the average of all, on the Mexican board up to 2.6 times. Beyond
    four times nobody buys it; below a quarter everybody wants it first.
    """
    if REGIONS not in c.board.destinations:
        return
    chances = city_chances(c.board)
    access: dict[str, float] = {}
    for ident, links in c.links_by_railroad.items():
        touched = {node for link in links for node in (link.a, link.b)}
        cities = [city for node in touched for city in c.cities_at.get(node, ())]
        access[ident] = sum(float(chances[city]) for city in sorted(cities))
    sold = [r for r in c.board.railroads if not r.public and r.price and access.get(r.id)]
    total = sum(access[r.id] for r in sold)
    if not total:
        return
    usual = sum(r.price for r in sold) / total
    for railroad in sold:
        times = railroad.price / access[railroad.id] / usual
        if not 1 / TIMES_USUAL_PRICE <= times <= TIMES_USUAL_PRICE:
            fair = usual * access[railroad.id]
            said = f"{times:.1f} times" if times > 1 else f"only {times:.2f} times"
            yield Found(
                f"{railroad.short} costs {railroad.price:,} and serves {access[railroad.id]:.1%} of the "
                f"destinations: {said} the usual price for that on this board; set the price to about {fair:,.0f}, "
                f"or run its lines to {'more' if times > 1 else 'fewer'} cities",
                (railroad.id,),
                c.place("railroads", railroad.id),
                {"price": railroad.price, "access": round(access[railroad.id], 6), "times": round(times, 3)},
            )


CHECKS = (
    listed("V07", _odds),
    listed("V08", _length),
    listed("V09", _prices),
)
