"""Destination charts in nested data of any shape: which of the names around a cell are its chart, column and sum.

Every name in a chart has names of its own: the keys and indices on the way to it, and what stands beside it. Those at
the same place of the structure are a slot. A slot of `odd` and `even` is the column, one of 2 to 12 the sum (or the
index in a list of eleven), one of `odd 7` and the like both; of the rest, the one with the most regions is the chart.
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
_ALL: Final = 0.9

Roll = Callable[[str], tuple[str, int] | None]


def nested_cells(data: Plain, *, file: str, alone: str, of_chart: Callable[[str], int], roll: Roll) -> list[TextCell]:
    """Return the cells of the charts in nested data; none if it has no chart.

    Args:
        data: The data, numbers as `Digits`.
        file: What to call it in messages.
        alone: Whose chart it is where nothing says.
        of_chart: Says how well a text is known as a chart's name.
        roll: Returns what a text such as `odd 7` rolls.
    """
    groups: dict[tuple[str, str], list[JsonValue]] = defaultdict(list)
    for leaf in list_values(data, file=file):
        if isinstance(leaf.value, str) and not isinstance(leaf.value, Digits):
            last = leaf.names.get(f"k{len(leaf.kinds) - 1}", "") if leaf.kinds.endswith("k") else ""
            groups[leaf.kinds, last if _is_title(last, roll) else ""].append(leaf)
    found = [cells for leaves in groups.values() if (cells := _cells(leaves, file, alone, of_chart, roll))]
    return max(found, key=_apart, default=[])


def _apart(cells: Sequence[TextCell]) -> tuple[bool, float]:
    """Say how well cells are charts: best if none appears twice, then by how many each chart has."""
    places = {cell[:3] for cell in cells}
    return len(places) == len(cells), len(places) / max(1, len({cell.chart for cell in cells}))


def _is_title(key: str, roll: Roll) -> bool:
    """Say whether a key is the title of a field rather than a column, a sum or a roll."""
    return bool(key) and key not in SUMS and fold(key) not in _PARITIES and roll(key) is None


def _cells(
    leaves: Sequence[JsonValue], file: str, alone: str, of_chart: Callable[[str], int], roll: Roll
) -> list[TextCell]:
    values: dict[str, set[str]] = defaultdict(set)
    for leaf in leaves:
        for slot, name in leaf.names.items():
            values[slot].add(name)
    slots = [slot for slot in values if sum(slot in leaf.names for leaf in leaves) >= _ALL * len(leaves)]
    rolls = next((s for s in slots if all(roll(name) for name in values[s])), None)
    parity = next((s for s in slots if {fold(name) for name in values[s]} <= _PARITIES.keys()), None)
    sums = next((s for s in slots if s[0] != "i" and values[s] <= set(SUMS)), None)
    eleven = next((s for s in slots if s[0] == "i" and values[s] == {str(k) for k in range(len(SUMS))}), None)
    if rolls is None and (parity is None or (sums is None and eleven is None)):
        return []
    used = {rolls, parity, sums}
    free = [
        s for s in slots if s not in used and s[0] != "i" and any(ch.isalpha() for name in values[s] for ch in name)
    ]
    free = [s for s in free if len(values[s]) > 1 or any(of_chart(name) for name in values[s])]
    free.sort(key=lambda s: (-sum(of_chart(name) > 0 for name in values[s]), s[0] != "k"))
    charts: list[str | None] = [*free]
    options = [
        list(_read(leaves, file, alone, (rolls, parity, sums or eleven, chart), roll)) for chart in charts or [None]
    ]
    return max(options, key=_apart)


def _read(
    leaves: Sequence[JsonValue],
    file: str,
    alone: str,
    slots: tuple[str | None, str | None, str | None, str | None],
    roll: Roll,
) -> Iterator[TextCell]:
    rolls, parity, sums, chart = slots
    for leaf in leaves:
        where = f"{file}: {leaf.path}"
        rolled = roll(_name(leaf.names, rolls)) if rolls else None
        if rolled is None:
            total = _name(leaf.names, sums)
            number = SUMS[int(total)] if sums and sums[0] == "i" and total else total
            column = _PARITIES.get(fold(_name(leaf.names, parity)))
            if column is None or number not in SUMS:
                continue
            rolled = column, int(number)
        yield TextCell(_name(leaf.names, chart) or alone, *rolled, Cell(str(leaf.value).strip(), where))


def _name(names: Mapping[str, str], slot: str | None) -> str:
    return names.get(slot, "") if slot else ""
