"""Destination charts in nested data of any shape: inference of chart, column and sum of each cell.

Every name in a chart has labels: the keys and indices of its path, and its sibling values. Labels at the same place of
the structure form a slot. A slot of `odd` and `even` is the column, one of 2 to 12 the sum (or the index in a list of
eleven), one of rolls such as `odd 7` both; of the remaining slots, the one with the most regions is the chart.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from mapkit.core.names import fold
from mapkit.formats.cells.json_files import Digits, Plain
from mapkit.formats.cells.json_values import JsonValue, list_values
from mapkit.formats.cells.table import Cell
from mapkit.kinds.rail.model.board import SUMS
from mapkit.kinds.rail.sources.destinations.text import TextCell

_PARITIES: Final = {"odd": "odd", "o": "odd", "even": "even", "e": "even"}
_NEARLY_ALL: Final = 0.9

Roll = Callable[[str], tuple[str, int] | None]


def nested_cells(data: Plain, *, file: str, alone: str, of_chart: Callable[[str], int], roll: Roll) -> list[TextCell]:
    """Return the cells of the charts in nested data; an empty list without charts.

    Args:
        data: The data, numbers as `Digits`.
        file: Name of the file in messages.
        alone: Name of a chart without a name.
        of_chart: Rates a text as a chart's name.
        roll: Parses a roll such as `odd 7`.
    """
    leaves_by_shape: dict[tuple[str, str], list[JsonValue]] = defaultdict(list)
    for leaf in list_values(data, file=file):
        if isinstance(leaf.value, str) and not isinstance(leaf.value, Digits):
            last_key = leaf.names.get(f"k{len(leaf.kinds) - 1}", "") if leaf.kinds.endswith("k") else ""
            leaves_by_shape[
                leaf.kinds,
                last_key
                if (
                    bool(last_key)
                    and last_key not in SUMS
                    and fold(last_key) not in _PARITIES
                    and roll(last_key) is None
                )
                else "",
            ].append(leaf)
    cell_groups = [
        group_cells
        for group_leaves in leaves_by_shape.values()
        if (group_cells := _group_cells(group_leaves, file, alone, of_chart, roll))
    ]
    return max(cell_groups, key=_rate_cells, default=[])


def _rate_cells(cells: Sequence[TextCell]) -> tuple[bool, float]:
    """Rate cells as charts: first by the absence of duplicates, then by the cells per chart."""
    cell_places = {cell[:3] for cell in cells}
    return len(cell_places) == len(cells), len(cell_places) / max(1, len({cell.chart for cell in cells}))


def _group_cells(
    leaves: Sequence[JsonValue], file: str, alone: str, of_chart: Callable[[str], int], roll: Roll
) -> list[TextCell]:
    names_by_slot: dict[str, set[str]] = defaultdict(set)
    for leaf in leaves:
        for slot, name in leaf.names.items():
            names_by_slot[slot].add(name)
    common_slots = [
        slot for slot in names_by_slot if sum(slot in leaf.names for leaf in leaves) >= _NEARLY_ALL * len(leaves)
    ]
    roll_slot = next((s for s in common_slots if all(roll(name) for name in names_by_slot[s])), None)
    parity_slot = next((s for s in common_slots if {fold(name) for name in names_by_slot[s]} <= _PARITIES.keys()), None)
    sum_slot = next((s for s in common_slots if s[0] != "i" and names_by_slot[s] <= set(SUMS)), None)
    list_slot = next(
        (s for s in common_slots if s[0] == "i" and names_by_slot[s] == {str(k) for k in range(len(SUMS))}), None
    )
    if roll_slot is None and (parity_slot is None or (sum_slot is None and list_slot is None)):
        return []
    used_slots = {roll_slot, parity_slot, sum_slot}
    free_slots = [
        s
        for s in common_slots
        if s not in used_slots
        and s[0] != "i"
        and any(character.isalpha() for name in names_by_slot[s] for character in name)
    ]
    free_slots = [
        s for s in free_slots if len(names_by_slot[s]) > 1 or any(of_chart(name) for name in names_by_slot[s])
    ]
    free_slots.sort(key=lambda s: (-sum(of_chart(name) > 0 for name in names_by_slot[s]), s[0] != "k"))
    chart_slots: list[str | None] = [*free_slots]
    cell_options = [
        list(_read_slots(leaves, file, alone, (roll_slot, parity_slot, sum_slot or list_slot, chart_slot), roll))
        for chart_slot in chart_slots or [None]
    ]
    return max(cell_options, key=_rate_cells)


def _read_slots(
    leaves: Sequence[JsonValue],
    file: str,
    alone: str,
    slots: tuple[str | None, str | None, str | None, str | None],
    roll: Roll,
) -> Iterator[TextCell]:
    roll_slot, parity_slot, sum_slot, chart_slot = slots
    for leaf in leaves:
        where = f"{file}: {leaf.path}"
        parsed_roll = roll(_slot_name(leaf.names, roll_slot)) if roll_slot else None
        if parsed_roll is None:
            sum_name = _slot_name(leaf.names, sum_slot)
            sum_text = SUMS[int(sum_name)] if sum_slot and sum_slot[0] == "i" and sum_name else sum_name
            column_parity = _PARITIES.get(fold(_slot_name(leaf.names, parity_slot)))
            if column_parity is None or sum_text not in SUMS:
                continue
            parsed_roll = column_parity, int(sum_text)
        yield TextCell(_slot_name(leaf.names, chart_slot) or alone, *parsed_roll, Cell(str(leaf.value).strip(), where))


def _slot_name(names: Mapping[str, str], slot: str | None) -> str:
    return names.get(slot, "") if slot else ""
