"""Declared odds against the chart's own, and the cell that would fix a difference."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pydantic import JsonValue

from mapkit.kinds.rail.charts.destinations.wishes import CELL_WEIGHT, CELLS, Cell
from mapkit.kinds.rail.model.board import DestinationChart
from mapkit.kinds.rail.network.chances import WHOLE, chart_weights

TOLERANCE: Final = Fraction(1, 1000)
"""Declared percentages are rounded; a 72nd is fourteen times as much."""


@dataclass(frozen=True)
class Fix:
    """A cell that would go to, or leave, an item: whose it is now and whose it would be."""

    cell: Cell
    now: str | None
    then: str | None
    both: bool
    """True if the other one's odds come right as well."""


@dataclass(frozen=True)
class Mismatch:
    """An item whose declared odds are not its own (72nds), and the cells that would fix it, best first."""

    item: str
    declared: Fraction
    own: int
    fixes: tuple[Fix, ...]


def mismatches(chart: DestinationChart, declared: Mapping[str, Fraction]) -> tuple[Mismatch, ...]:
    """Return the items of a chart whose declared odds differ from what its cells add to.

    A cell fixes an item if its weight is what the item lacks, or has too much. Cells that fix two items at once come
    first, then empty ones, then those beside a cell of the item that gets them.
    """
    own = chart_weights(chart)
    content = {(parity, total): getattr(chart, parity).get(str(total)) for parity, total in CELLS}
    off = {
        item: round(odds * WHOLE) - own.get(item, 0)
        for item, odds in declared.items()
        if abs(odds - Fraction(own.get(item, 0), WHOLE)) > TOLERANCE
    }
    out: list[Mismatch] = []
    for item in sorted(off):
        fixes = _to(item, off, declared, content) if off[item] > 0 else _from(item, off, content)
        out.append(Mismatch(item, declared[item], own.get(item, 0), fixes))
    return tuple(out)


Content = Mapping[Cell, str | None]


def _to(item: str, off: Mapping[str, int], declared: Mapping[str, Fraction], content: Content) -> tuple[Fix, ...]:
    found = []
    for cell in CELLS:
        now = content[cell]
        if CELL_WEIGHT[cell] != off[item] or now == item:
            continue
        if now is not None and now in declared and off.get(now, 0) >= 0:
            continue  # it would put right odds wrong
        both = now is None or off.get(now, 0) == -off[item]
        found.append(Fix(cell, now, item, both))
    return tuple(sorted(found, key=lambda m: (not m.both, m.now is not None, not _beside(m.cell, item, content))))


def _from(item: str, off: Mapping[str, int], content: Content) -> tuple[Fix, ...]:
    found = []
    takers = sorted(other for other, lack in off.items() if lack == -off[item])
    for cell in CELLS:
        if content[cell] == item and CELL_WEIGHT[cell] == -off[item]:
            then = min(takers, key=lambda other: (not _beside(cell, other, content), other)) if takers else None
            found.append(Fix(cell, item, then, both=bool(takers)))
    return tuple(sorted(found, key=lambda m: (not m.both, m.then is None or not _beside(m.cell, m.then, content))))


def _beside(cell: Cell, item: str, content: Content) -> bool:
    parity, total = cell
    return any(content.get((parity, total + step)) == item for step in (-1, 1))


def mismatch_text(wrong: Mismatch, names: Mapping[str, str]) -> str:
    """Say what is wrong and which cell would fix it."""

    def name(item: str | None) -> str:
        return "nobody" if item is None else names.get(item, item)

    said = wrong.declared * WHOLE
    whole = f"{said}/{WHOLE}" if said.denominator == 1 else f"{float(wrong.declared):.2%}"
    start = f"{name(wrong.item)} is declared as {whole}, but its cells add up to {wrong.own}/{WHOLE}"
    if not wrong.fixes:
        return f"{start}; no single cell would fix it, so compare the whole chart"
    best = wrong.fixes[0]
    where = f"{best.cell[0]} {best.cell[1]}"
    more = len(wrong.fixes) - 1
    others = f" (or {', '.join(f'{m.cell[0]} {m.cell[1]}' for m in wrong.fixes[1:4])})" if more else ""
    if best.then == wrong.item:
        both = "both" if best.both and best.now is not None else "it"
        return f"{start}; {where}, now {name(best.now)}, would fix {both}{others}"
    taker = (
        f", given to {name(best.then)}, would fix both" if best.then is not None else ", given to another, would fix it"
    )
    return f"{start}; {where}{taker}{others}"


def mismatch_data(wrong: Mismatch) -> dict[str, JsonValue]:
    """Return a mismatch as the data of a finding."""
    return {
        "declared": f"{wrong.declared.numerator}/{wrong.declared.denominator}",
        "own": f"{wrong.own}/{WHOLE}",
        "cells": [f"{fix.cell[0]}-{fix.cell[1]}" for fix in wrong.fixes],
    }
