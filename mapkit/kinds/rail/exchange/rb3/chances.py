"""Chances of destination charts in RB3: percentages that are 72nds."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mapkit.core.errors import ExportError
from mapkit.kinds.rail.exchange.rb3.model import WHOLE
from mapkit.kinds.rail.model.board import SUMS, DestinationChart

MADE_UP: Final = "Cells of the destination charts: made up by mapkit, with the chances of an RB3 map"
"""Credit of a board that was made from RB3."""


def count_outcomes(chart: DestinationChart, name: str) -> Counter[str]:
    """Return the number of outcomes, of 72, that lead to each item of a chart.

    Raises:
        ExportError: A cell is empty.
    """
    outcome_count: Counter[str] = Counter()
    for parity, parity_cells in (("odd", chart.odd), ("even", chart.even)):
        for dice_sum in SUMS:
            item_id = parity_cells.get(dice_sum)
            if item_id is None:
                raise ExportError(
                    f"RB3: the destination chart of {name} has an empty cell ({parity} {dice_sum}); fill it in"
                )
            outcome_count[item_id] += 6 - abs(int(dice_sum) - 7)
    return outcome_count


def parts_to_percents(parts: Sequence[int]) -> tuple[float, ...]:
    """Return 72nds as percentages with three decimals that add up to 100; the last one absorbs the rounding."""
    rounded_percents = [round(100 * part / WHOLE, 3) for part in parts]
    last_used = max(n for n, part in enumerate(parts) if part)
    rounded_percents[last_used] = round(100 - sum(rounded_percents[:last_used]), 3)
    return tuple(rounded_percents)


def percents_to_parts(chances: Mapping[str, float]) -> dict[str, int]:
    """Return percentages as 72nds that add up to 72, by the largest remainder method."""
    exact_parts = {name: chance * WHOLE / 100 for name, chance in chances.items()}
    rounded_parts = {name: round(part) for name, part in exact_parts.items()}
    while sum(rounded_parts.values()) != WHOLE:
        step = 1 if sum(rounded_parts.values()) < WHOLE else -1
        name = max(
            (n for n in exact_parts if rounded_parts[n] + step >= 0),
            key=lambda n: (step * (exact_parts[n] - rounded_parts[n]), n),
        )
        rounded_parts[name] += step
    return rounded_parts


Cells = dict[tuple[int, str], str]
"""Item by sum and column (`odd`, `even`)."""
_MAX_WEIGHT = 6


def find_chart_cells(parts: Mapping[str, int]) -> Cells | None:
    """Return cells that give each item its 72nds; None if no chart can.

    Cells of one weight are interchangeable, so the search is over the number of cells of each weight for an item.
    """
    free_cells = {
        weight: [
            (s, p) for p in ("odd", "even") for s in ((7,) if weight == _MAX_WEIGHT else (1 + weight, 13 - weight))
        ]
        for weight in range(1, _MAX_WEIGHT + 1)
    }
    sorted_items = sorted((item for item in parts if parts[item]), key=lambda item: (-parts[item], item))
    failed_states: set[tuple[int, tuple[int, ...]]] = set()

    def fill(item_index: int, free_counts: tuple[int, ...]) -> list[tuple[int, ...]] | None:
        if item_index == len(sorted_items):
            return []
        if (item_index, free_counts) in failed_states:
            return None
        for item_counts in _split_into_weights(parts[sorted_items[item_index]], free_counts):
            later_counts = fill(item_index + 1, tuple(a - b for a, b in zip(free_counts, item_counts, strict=True)))
            if later_counts is not None:
                return [item_counts, *later_counts]
        failed_states.add((item_index, free_counts))
        return None

    if len(sorted_items) > sum(map(len, free_cells.values())):
        return None
    cell_counts = fill(0, tuple(len(free_cells[weight]) for weight in range(1, _MAX_WEIGHT + 1)))
    if cell_counts is None:
        return None
    return {
        free_cells[weight].pop(0): item
        for item, item_counts in zip(sorted_items, cell_counts, strict=True)
        for weight, count in enumerate(item_counts, 1)
        for _ in range(count)
    }


def _split_into_weights(total: int, free_counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of cells of weight 1, 2 ... that add up to a total, heavy cells first."""
    if not free_counts:
        if total == 0:
            yield ()
        return
    weight = len(free_counts)
    for count in range(min(free_counts[-1], total // weight), -1, -1):
        for lighter_counts in _split_into_weights(total - count * weight, free_counts[:-1]):
            yield (*lighter_counts, count)
