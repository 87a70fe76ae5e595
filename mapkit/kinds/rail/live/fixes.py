"""Fixes of findings by one click: commands that cure or accept them.

A fix is offered only if its command fits the document; none of them is done without the author.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from mapkit.core.findings import Finding, Severity
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.charts.payoffs.board_readings import merged_amounts
from mapkit.kinds.rail.charts.payoffs.compute import choose_model, compute_payoffs
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.commands import CommandError, read_command
from mapkit.kinds.rail.compiler.compile import Compiled
from mapkit.kinds.rail.live.checks import LiveFinding
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.model.payoffs.diagnosis import finding_data
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights
from mapkit.kinds.rail.tables import RailDocument, cell_key, payoff_key

Command = dict[str, Any]
"""A command as JSON, `{"kind": "set-payoff", ...}`."""

_PAIR: Final = 2
_SHOWN: Final = 6


@dataclass(frozen=True)
class Fix:
    """Fix of a finding: the label of its button, and its command."""

    label: str
    command: Command


def fixes(found: LiveFinding | Finding, live: Compiled) -> tuple[Fix, ...]:
    """Return the fixes of a finding by one command, the likeliest first.

    Args:
        found: A finding of the board, live, full, or of the payoff chart's diagnosis.
        live: The board.
    """
    finding = found.finding if isinstance(found, LiveFinding) else found
    make = _FIXES.get(finding.code)
    offered = [*(make(finding, live) if make is not None else ()), *_acceptance(finding)]
    out: list[Fix] = []
    for fix in offered:
        if fix.command not in [other.command for other in out] and _fits(fix.command, live.document):
            out.append(fix)
    return tuple(out[:_SHOWN])


def _fits(command: Command, document: RailDocument) -> bool:
    """Return whether a command can be done and changes something."""
    try:
        return bool(read_command(command).plan(document).patch)
    except CommandError:
        return False


def _acceptance(finding: Finding) -> Iterator[Fix]:
    if finding.accepted is not None:
        yield Fix("No longer accept", {"kind": "unaccept-finding", "finding": finding.id})
    elif finding.severity is not Severity.ERROR:
        yield Fix("Accept", {"kind": "accept-finding", "finding": finding.id, "reason": "right as it is"})


def _set_payoff(a: str, b: str, value: float, label: str) -> Fix:
    return Fix(f"{label} {value:g}", {"kind": "set-payoff", "a": a, "b": b, "thousands": value})


def _payoff(finding: Finding, live: Compiled) -> Iterator[Fix]:
    """Yield amounts for a cell: from the diagnosis, the other half, or a model."""
    if len(finding.elements) != _PAIR:
        return
    a, b = finding.elements
    suggested = finding_data(finding).get("suggested")
    if suggested is not None:
        yield _set_payoff(a, b, suggested, "Set to")
    cell = live.document.payoffs.get(payoff_key(a, b))
    if cell is not None:
        for value in (cell.thousands, cell.below):
            if isinstance(value, float) and cell.below != "same":
                yield _set_payoff(a, b, value, "Take")
    computed = _computed_chart(live).get((a, b))
    if computed is not None:
        yield _set_payoff(a, b, computed, "Compute:")


def _computed_chart(live: Compiled) -> dict[tuple[str, str], float]:
    """Return the amounts of connected pairs by the board's model, or by one fitted to its chart."""
    cities = live.board.payoffs.cities
    if not {city.id for city in live.board.cities}.issuperset(cities):
        return {}
    distances = board_distances(live.board, cities)
    model = choose_model(live.settings.config.payoffs, merged_amounts(live.board.payoffs), distances)
    chart = compute_payoffs(model, distances).tolist()
    return {
        (one, other): value
        for one, row in zip(cities, chart, strict=True)
        for other, value in zip(cities, row, strict=True)
        if value == value  # noqa: PLR0124 - NaN is not itself
    }


def _missing(finding: Finding, live: Compiled) -> Iterator[Fix]:
    if len(finding.elements) == 1:
        yield Fix("Add the city to the chart", {"kind": "start-payoffs"})
        city = finding.elements[0]
        wanted = {city} if city in live.board.payoffs.cities else set(live.board.payoffs.cities)
        cells = [
            [one, other, value]
            for (one, other), value in _computed_chart(live).items()
            if one < other and wanted & {one, other}
        ]
        if cells:
            yield Fix(f"Compute {count_noun(len(cells), 'amount')}", {"kind": "set-payoffs", "cells": cells})
    else:
        yield from _payoff(finding, live)


def _diagonal(finding: Finding, _live: Compiled) -> Iterator[Fix]:
    yield _set_payoff(finding.elements[0], finding.elements[0], 0.0, "Set to")


def _shifted(finding: Finding, _live: Compiled) -> Iterator[Fix]:
    cells = [
        [c["a"], c["b"], c["suggested"]] for c in finding_data(finding).get("cells", ()) if c["suggested"] is not None
    ]
    if cells:
        yield Fix(f"Correct {count_noun(len(cells), 'amount')}", {"kind": "set-payoffs", "cells": cells})


def _without_cell(finding: Finding, live: Compiled) -> Iterator[Fix]:
    """Yield the empty cells for a city or region; else those of the item with the most."""
    ident = finding.elements[0]
    city = live.document.cities.get(ident)
    chart = city.region if city is not None else REGIONS
    for parity, total in _by_weight():
        cell = live.document.destinations.get(cell_key(chart, parity, total))
        if cell is None or cell.item is None:
            yield _set_cell(chart, parity, total, ident, f"Put into {parity} {total}")
            return
    cells: dict[str, list[tuple[str, int]]] = {}
    for parity, total in _by_weight():
        cell = live.document.destinations.get(cell_key(chart, parity, total))
        if cell is not None and cell.item is not None:
            cells.setdefault(cell.item, []).append((parity, total))
    most = max(cells.items(), key=lambda item: (len(item[1]), item[0]), default=None)
    if most is not None and len(most[1]) > 1:
        parity, total = most[1][-1]
        yield _set_cell(chart, parity, total, ident, f"Put into {parity} {total}, instead of {_name(most[0], live)}")


def _by_weight() -> list[tuple[str, int]]:
    """Return the cells of a chart, the likeliest rolls first."""
    cells = [(parity, int(total)) for total in SUMS for parity in ("odd", "even")]
    return sorted(cells, key=lambda cell: (abs(cell[1] - 7), cell[1], cell[0]))


def _set_cell(chart: str, parity: str, total: int, item: str, label: str) -> Fix:
    return Fix(label, {"kind": "set-destination", "chart": chart, "parity": parity, "total": total, "item": item})


def _name(ident: str, live: Compiled) -> str:
    row = live.document.cities.get(ident) or live.document.regions.get(ident)
    return ident if row is None else row.name


def _empty_cell(finding: Finding, live: Compiled) -> Iterator[Fix]:
    """Yield the items without a cell of the chart, then those with the fewest."""
    chart, where = _cell_of(finding)
    if where is None:
        return
    if chart == REGIONS:
        items = list(live.document.regions)
    else:
        items = [ident for ident, row in live.document.cities.items() if row.region == chart]
    count = dict.fromkeys(items, 0)
    for key, cell in live.document.destinations.items():
        if key.startswith(f"{chart}/") and cell.item in count:
            count[cell.item] += 1
    for item in sorted(items, key=lambda one: (count[one], one))[:3]:
        yield _set_cell(chart, *where, item, f"Put {_name(item, live)} there")


def _cell_of(finding: Finding) -> tuple[str, tuple[str, int] | None]:
    """Return chart and cell of a finding with a second element such as `odd-7`."""
    chart, cell = finding.elements[:2]
    parity, _, total = cell.partition("-")
    return chart, (parity, int(total)) if total.isdecimal() else None


def _wrong_region(finding: Finding, live: Compiled) -> Iterator[Fix]:
    chart, city = finding.elements[0], finding.elements[2]
    move: Command = {"kind": "edit-city", "id": city, "region": chart}
    yield Fix(f"Move {_name(city, live)} to {_name(chart, live)}", move)
    _, where = _cell_of(finding)
    if where is not None:
        clear: Command = {
            "kind": "set-destination",
            "chart": chart,
            "parity": where[0],
            "total": where[1],
            "item": None,
        }
        yield Fix("Empty the cell", clear)


def _declared(finding: Finding, live: Compiled) -> Iterator[Fix]:
    chart, item = finding.elements

    have = count_chart_weights(live.board.destinations[chart]).get(item, 0)
    declare: Command = {"kind": "set-declared", "chart": chart, "item": item}
    yield Fix(f"Declare {have}/{WHOLE}", {**declare, "odds": f"{have}/{WHOLE}"})
    yield Fix("Declare nothing", {**declare, "odds": None})


def _same_name(finding: Finding, live: Compiled) -> Iterator[Fix]:
    """Yield names by region for all but one of the mileposts that share one."""
    places = {ident: place for place, ident in live.laid.ids.items()}
    for ident in finding.elements:
        place = places.get(ident)
        if place is None or live.cities_at.get(ident):
            continue
        region = live.document.regions.get(live.regions.get(ident, ""))
        near = region.short if region is not None else "2"
        yield Fix(f"Rename to {place} {near}", {"kind": "edit-place", "place": place, "name": f"{place} {near}"})


def _near(finding: Finding, live: Compiled) -> Iterator[Fix]:
    yield from _drop_mileposts(finding.elements, live)


def _short(finding: Finding, live: Compiled) -> Iterator[Fix]:
    """Yield the removal of an end of a too short segment; a long one has no automatic fix."""
    segment = next((one for one in live.board.segments if one.id == finding.elements[0]), None)
    miles, usual = finding.data.get("miles"), finding.data.get("usual")
    if segment is not None and isinstance(miles, int | float) and isinstance(usual, int | float) and miles < usual:
        yield from _drop_mileposts((segment.a, segment.b), live)


def _drop_mileposts(idents: tuple[str, ...], live: Compiled) -> Iterator[Fix]:
    places = {ident: place for place, ident in live.laid.ids.items()}
    for ident in idents:
        if ident in places and not live.cities_at.get(ident):
            delete: Command = {"kind": "delete-place", "place": places[ident], "track": "join"}
            yield Fix(f"Remove the milepost {live.laid.by_id[ident].name}", delete)


def _dead_end(finding: Finding, live: Compiled) -> Iterator[Fix]:
    """Yield the removal of a dead end, line and milepost."""
    places = {ident: place for place, ident in live.laid.ids.items()}
    for ident in finding.elements:
        if ident in places and not live.cities_at.get(ident):
            yield Fix(f"Remove {live.laid.by_id[ident].name}", {"kind": "delete-place", "place": places[ident]})


def _no_track(finding: Finding, live: Compiled) -> Iterator[Fix]:
    railroad = finding.elements[0]
    row = live.document.railroads.get(railroad)
    yield Fix(f"Delete {row.short if row else railroad}", {"kind": "delete-railroad", "id": railroad})


def _off_track(finding: Finding, live: Compiled) -> Iterator[Fix]:
    city = finding.elements[0]
    yield Fix(f"Delete {_name(city, live)}", {"kind": "delete-city", "id": city})


def _unused(finding: Finding, _live: Compiled) -> Iterator[Fix]:
    yield Fix("No longer accept it", {"kind": "unaccept-finding", "finding": finding.elements[0]})


_FIXES: Final[dict[str, Callable[[Finding, Compiled], Iterator[Fix]]]] = {
    "D01": _empty_cell,
    "D02": _without_cell,
    "D03": _without_cell,
    "D04": _wrong_region,
    "D06": _declared,
    "N03": _off_track,
    "N04": _dead_end,
    "N08": _same_name,
    "N09": _near,
    "N10": _short,
    "N13": _no_track,
    "P02": _missing,
    "P03": _payoff,
    "P04": _diagonal,
    "P05": _payoff,
    "P06": _payoff,
    "P07": _payoff,
    "P08": _payoff,
    "P09": _shifted,
    "P10": _shifted,
    "P11": _shifted,
    "S02": _unused,
}
