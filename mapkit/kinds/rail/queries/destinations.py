"""Destination charts close to an author's targets."""

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.protocol import QueryResult, SentCommand
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.charts.destinations.chart_targets import Wish
from mapkit.kinds.rail.charts.destinations.solver import solve_chart
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights
from mapkit.kinds.rail.queries.question import Asked, question

HUNDRED = 100


class DestinationsAsked(Frozen):
    """Chart, and the targets of some items in percent; the others keep their proportions."""

    chart: str
    percent: dict[str, Annotated[float, Field(ge=0, le=100)]] = Field(default_factory=dict, max_length=72)
    seconds: float = Field(default=5.0, gt=0, le=60)


class Solved(Frozen):
    """An item of a solved chart: percent that are wanted, 72nds before, 72nds and percent now."""

    wanted: float
    before: int
    got: int
    percent: float


class DestinationsSolved(QueryResult):
    """A chart by sum; `largest` is the largest error, `proven` says that no chart comes nearer."""

    odd: dict[str, str | None]
    even: dict[str, str | None]
    items: dict[str, Solved]
    largest: float
    proven: bool
    notes: tuple[str, ...]
    command: SentCommand


@question("solve-destinations", DestinationsAsked, DestinationsSolved)
def solve(ask: DestinationsAsked, asked: Asked) -> DestinationsSolved:
    """Return the legal chart with the nearest odds, and a command to take it.

    Each item of the board that belongs in the chart gets one 72nd at least, unless 0 is asked for it.
    """
    board = asked.live.board
    names = {r.id: r.name for r in board.regions}
    if ask.chart == REGIONS:
        items = dict(names)
    elif ask.chart in names:
        items = {city.id: city.name for city in board.cities if city.region == ask.chart}
    else:
        raise QueryError(f"there is no chart {ask.chart!r}; name a region, or {REGIONS!r}")
    unknown = sorted(set(ask.percent) - set(items))
    if unknown:
        raise QueryError(f"{unknown[0]!r} is not in this chart; choose a name that is")
    chart = board.destinations.get(ask.chart)
    now = count_chart_weights(chart) if chart is not None else {}
    shares = _shares(items, {i: Fraction(str(p)) / HUNDRED for i, p in ask.percent.items()}, now)
    wishes = [
        Wish(
            item=item,
            weight=shares[item],
            least=0 if ask.percent.get(item) == 0 else 1,
            most=0 if ask.percent.get(item) == 0 else WHOLE,
            name=name,
        )
        for item, name in items.items()
    ]
    solved = solve_chart(wishes, seconds=ask.seconds)
    got = count_chart_weights(solved.chart)
    odd, even = ({total: column.get(total) for total in SUMS} for column in (solved.chart.odd, solved.chart.even))
    return DestinationsSolved(
        odd=odd,
        even=even,
        items={
            item: Solved(
                wanted=round(float(shares[item] * HUNDRED), 4),
                before=now.get(item, 0),
                got=got.get(item, 0),
                percent=round(got.get(item, 0) / WHOLE * HUNDRED, 4),
            )
            for item in items
        },
        largest=solved.largest,
        proven=solved.proven,
        notes=solved.notes,
        command=read_command({"kind": "set-chart", "chart": ask.chart, "odd": odd, "even": even}),
    )


def _shares(items: dict[str, str], wanted: dict[str, Fraction], now: dict[str, int]) -> dict[str, Fraction]:
    """Return the share of each item: its target, or its present part of the rest.

    Raises:
        QueryError: More than the whole chart is wanted, or less and no item is left to take the rest.
    """
    asked = sum(wanted.values(), Fraction(0))
    if asked > 1:
        raise QueryError(f"{float(asked):.1%} is more than the chart has; ask for 100 % at most")
    others = [item for item in items if item not in wanted]
    if not others:
        if asked == 0:
            raise QueryError("this would empty the chart; keep at least one city in it")
        return {item: share / asked for item, share in wanted.items()}
    weights = {item: Fraction(now.get(item, 0)) for item in others}
    total = sum(weights.values(), Fraction(0))
    rest = {item: (w / total if total else Fraction(1, len(others))) * (1 - asked) for item, w in weights.items()}
    return wanted | rest
