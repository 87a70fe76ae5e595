"""Comparison of declared odds with a chart, with cells that would correct a difference."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pydantic import JsonValue

from mapkit.kinds.rail.charts.destinations.chart_targets import CELL_WEIGHT, CELLS, Cell
from mapkit.kinds.rail.model.board import DestinationChart
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights

TOLERANCE: Final = Fraction(1, 1000)
"""Tolerance for rounding of declared percentages; a 72nd is fourteen times as much."""


@dataclass(frozen=True)
class CellFix:
    """Cell that would go to, or leave, an item, with its present and its new item."""

    cell: Cell
    now: str | None
    then: str | None
    both: bool
    """True if it corrects the odds of the other item as well."""


@dataclass(frozen=True)
class Mismatch:
    """Item with declared odds that differ from its own (72nds), and cells that would correct them, best first."""

    item: str
    declared: Fraction
    own: int
    fixes: tuple[CellFix, ...]


def find_mismatches(chart: DestinationChart, declared: Mapping[str, Fraction]) -> tuple[Mismatch, ...]:
    """Return the items of a chart with declared odds that differ from the sum of its cells.

    A cell corrects an item if its weight equals the deficit or surplus of the item. Cells that correct two items at
    once come first, then empty cells, then cells adjacent to a cell of the receiving item.
    """
    own_weights = count_chart_weights(chart)
    item_by_cell = {(parity, dice_sum): getattr(chart, parity).get(str(dice_sum)) for parity, dice_sum in CELLS}
    deficit_by_item = {
        item: round(odds * WHOLE) - own_weights.get(item, 0)
        for item, odds in declared.items()
        if abs(odds - Fraction(own_weights.get(item, 0), WHOLE)) > TOLERANCE
    }
    mismatch_list: list[Mismatch] = []
    for item in sorted(deficit_by_item):
        item_fixes = (
            _cells_to_add(item, deficit_by_item, declared, item_by_cell)
            if deficit_by_item[item] > 0
            else _cells_to_remove(item, deficit_by_item, item_by_cell)
        )
        mismatch_list.append(Mismatch(item, declared[item], own_weights.get(item, 0), item_fixes))
    return tuple(mismatch_list)


Content = Mapping[Cell, str | None]


def _cells_to_add(
    item: str, off: Mapping[str, int], declared: Mapping[str, Fraction], content: Content
) -> tuple[CellFix, ...]:
    fixes = []
    for cell in CELLS:
        current_item = content[cell]
        if CELL_WEIGHT[cell] != off[item] or current_item == item:
            continue
        if current_item is not None and current_item in declared and off.get(current_item, 0) >= 0:
            continue  # it would make correct odds wrong
        fixes_both = current_item is None or off.get(current_item, 0) == -off[item]
        fixes.append(CellFix(cell, current_item, item, fixes_both))
    return tuple(sorted(fixes, key=lambda m: (not m.both, m.now is not None, not _is_adjacent(m.cell, item, content))))


def _cells_to_remove(item: str, off: Mapping[str, int], content: Content) -> tuple[CellFix, ...]:
    fixes = []
    fitting_items = sorted(other_item for other_item, lack in off.items() if lack == -off[item])
    for cell in CELLS:
        if content[cell] == item and CELL_WEIGHT[cell] == -off[item]:
            new_item = (
                min(fitting_items, key=lambda other: (not _is_adjacent(cell, other, content), other))
                if fitting_items
                else None
            )
            fixes.append(CellFix(cell, item, new_item, both=bool(fitting_items)))
    return tuple(sorted(fixes, key=lambda m: (not m.both, m.then is None or not _is_adjacent(m.cell, m.then, content))))


def _is_adjacent(cell: Cell, item: str, content: Content) -> bool:
    parity, dice_sum = cell
    return any(content.get((parity, dice_sum + step)) == item for step in (-1, 1))


def mismatch_text(wrong: Mismatch, names: Mapping[str, str]) -> str:
    """Return a sentence with a mismatch and the cell that would correct it."""

    def name(item: str | None) -> str:
        return "nobody" if item is None else names.get(item, item)

    declared_72nds = wrong.declared * WHOLE
    declared_text = f"{declared_72nds}/{WHOLE}" if declared_72nds.denominator == 1 else f"{float(wrong.declared):.2%}"
    sentence_start = f"{name(wrong.item)} is declared as {declared_text}, but its cells add up to {wrong.own}/{WHOLE}"
    if not wrong.fixes:
        return f"{sentence_start}; no single cell would fix it, so compare the whole chart"
    best_fix = wrong.fixes[0]
    cell_text = f"{best_fix.cell[0]} {best_fix.cell[1]}"
    other_count = len(wrong.fixes) - 1
    other_cells = f" (or {', '.join(f'{m.cell[0]} {m.cell[1]}' for m in wrong.fixes[1:4])})" if other_count else ""
    if best_fix.then == wrong.item:
        corrected_text = "both" if best_fix.both and best_fix.now is not None else "it"
        return f"{sentence_start}; {cell_text}, now {name(best_fix.now)}, would fix {corrected_text}{other_cells}"
    taker_text = (
        f", given to {name(best_fix.then)}, would fix both"
        if best_fix.then is not None
        else ", given to another, would fix it"
    )
    return f"{sentence_start}; {cell_text}{taker_text}{other_cells}"


def mismatch_data(wrong: Mismatch) -> dict[str, JsonValue]:
    """Return a mismatch as the data of a finding."""
    return {
        "declared": f"{wrong.declared.numerator}/{wrong.declared.denominator}",
        "own": f"{wrong.own}/{WHOLE}",
        "cells": [f"{cell_fix.cell[0]}-{cell_fix.cell[1]}" for cell_fix in wrong.fixes],
    }
