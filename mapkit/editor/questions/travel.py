"""Routes, odds and the balance of railroads."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pydantic import Field

from mapkit.editor.questions.moments import Moment, board_at
from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen
from mapkit.model.board import REGIONS, Board
from mapkit.network.chances import WHOLE, chart_weights, city_chances, fraction_text
from mapkit.network.report import Report, report
from mapkit.network.routes import route
from mapkit.network.service import cities_by_railroad
from mapkit.network.travel import holding

HUNDRED = 100


class RouteBetween(Frozen):
    """Two cities or mileposts, by id or name, and the railroads that may be ridden; all without any."""

    start: str = Field(max_length=200)
    end: str = Field(max_length=200)
    railroads: tuple[str, ...] | None = None


@question("route", RouteBetween)
def route_between(ask: RouteBetween, asked: Asked) -> dict[str, Any]:
    """Return the route of fewest mileposts, with its `path` in page millimetres; `payoff` in thousands."""
    board = asked.live.board
    found = route(board, ask.start, ask.end, railroads=ask.railroads)
    paths = {segment.id: segment for segment in board.segments}
    path: list[tuple[float, float]] = []
    for step in found.steps:
        segment = paths[step.segment]
        points = segment.path if segment.a == step.start else segment.path[::-1]
        path += points[1:] if path else points
    return {**found.model_dump(mode="json"), "path": path}


class Odds(Frozen):
    """Nothing more to say."""


@question("odds", Odds)
def odds(_ask: Odds, asked: Asked) -> dict[str, Any]:
    """Return the odds of `regions` and `cities`: `exact` as a fraction, `percent`, and for cities `in_chart` of 72.

    `unassigned` is what empty cells take. `charts` holds the cells, also of charts that are `solved` and not typed.
    """
    board = asked.live.board
    weights = chart_weights(board.destinations[REGIONS])
    own = {r.id: chart_weights(board.destinations[r.id]) for r in board.regions if r.id in board.destinations}
    chances = city_chances(board)
    return {
        "regions": {r.id: _chance(Fraction(weights.get(r.id, 0), WHOLE)) for r in board.regions},
        "cities": {
            city.id: {**_chance(chances[city.id]), "in_chart": own.get(city.region, {}).get(city.id, 0)}
            for city in board.cities
        },
        "unassigned": _chance(1 - sum(chances.values(), Fraction(0))),
        "charts": {key: {"odd": dict(c.odd), "even": dict(c.even)} for key, c in sorted(board.destinations.items())},
        "solved": not asked.document.destinations and asked.live.settings.config.destinations.solve,
    }


def _chance(value: Fraction) -> dict[str, Any]:
    return {"exact": fraction_text(value), "percent": round(float(value * HUNDRED), 4)}


class Balance(Frozen):
    """What to compare with, and the railroads whose income is wanted, which takes a second each."""

    against: Moment | None = "saved"
    income: tuple[str, ...] = Field(default=(), max_length=12)


@question("balance", Balance)
def balance(ask: Balance, asked: Asked) -> dict[str, Any]:
    """Return `railroads`: service, monopoly and cities of each, its best partner, and `change` since the other moment.

    `income` holds what owning each of the railroads asked for means for travel (`mapkit holdings`), `income_before`
    the same at the other moment. `pairs` are the ten of greatest access, `cities` the odds of each city and what they
    were.
    """
    board = asked.live.board
    told = report(board)
    rows = _balance(board, told)
    earlier = board_at(asked, ask.against) if ask.against is not None else None
    told_before = told if earlier is board else report(earlier) if earlier is not None else None
    before = _balance(earlier, told_before) if earlier is not None and told_before is not None else {}
    for railroad, row in rows.items():
        old = before.get(railroad)
        row["change"] = (
            None
            if old is None
            else {key: round(row[key] - old[key], 4) for key in ("service", "monopoly")}
            | {
                "gained": sorted(set(row["cities"]) - set(old["cities"])),
                "lost": sorted(set(old["cities"]) - set(row["cities"])),
            }
        )
    return {
        "railroads": list(rows.values()),
        "gone": sorted(before.keys() - rows.keys()),
        "gone_names": [before[each]["name"] for each in sorted(before.keys() - rows.keys())],
        "income": {each: holding(board, [each]).model_dump(mode="json") for each in ask.income},
        "income_before": {
            each: holding(earlier, [each]).model_dump(mode="json")
            for each in ask.income
            if earlier is not None and earlier is not board and each in before
        },
        "pairs": [row.model_dump(mode="json") for row in told.pairs],
        "cities": _city_odds(told, told_before),
    }


def _city_odds(told: Report, before: Report | None) -> list[dict[str, Any]]:
    was = {row.city: row.chance for row in before.cities} if before is not None else {}
    return [
        {**row.model_dump(mode="json"), "change": round(row.chance - was[row.city], 4) if row.city in was else None}
        for row in told.cities
    ]


def _balance(board: Board, told: Report) -> dict[str, dict[str, Any]]:
    served, chances = cities_by_railroad(board), city_chances(board)
    partners = _best_partners(board, served, chances)
    return {
        row.railroad: {**row.model_dump(mode="json"), "best_pair": partners[row.railroad]} for row in told.railroads
    }


def _best_partners(
    board: Board, served: Mapping[str, frozenset[str]], chances: Mapping[str, Fraction]
) -> dict[str, dict[str, Any] | None]:
    """Return the private railroad that gives each one the greatest access together, the cheaper first of equals."""
    out: dict[str, dict[str, Any] | None] = {}
    owners = [r for r in board.railroads if not r.public]
    for railroad in board.railroads:
        others = [r for r in owners if r.id != railroad.id]
        reach = {r.id: sum((chances[city] for city in served[railroad.id] | served[r.id]), Fraction(0)) for r in others}
        best = min(others, key=lambda r: (-reach[r.id], r.price, r.id), default=None)
        out[railroad.id] = None if best is None else {"railroad": best.id, "access": _chance(reach[best.id])}
    return out
