"""Chances of destination charts as RB3 holds them: percentages that are 72nds."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mapkit.core.errors import ExportError
from mapkit.kinds.rail.exchange.rb3.model import WHOLE
from mapkit.kinds.rail.model.board import SUMS, DestinationChart

MADE_UP: Final = "Cells of the destination charts: made up by mapkit, with the chances of an RB3 map"
"""Stands among the credits of a board that was made from RB3."""


def outcomes(chart: DestinationChart, name: str) -> Counter[str]:
    """Return how many of 72 outcomes lead to each item of a chart.

    Raises:
        ExportError: A cell is empty.
    """
    out: Counter[str] = Counter()
    for parity, column in (("odd", chart.odd), ("even", chart.even)):
        for total in SUMS:
            item = column.get(total)
            if item is None:
                raise ExportError(
                    f"RB3: the destination chart of {name} has an empty cell ({parity} {total}); fill it in"
                )
            out[item] += 6 - abs(int(total) - 7)
    return out


def percents(parts: Sequence[int]) -> tuple[float, ...]:
    """Return 72nds as percentages with three decimals that add up to 100; the last one takes the rounding."""
    out = [round(100 * part / WHOLE, 3) for part in parts]
    last = max(n for n, part in enumerate(parts) if part)
    out[last] = round(100 - sum(out[:last]), 3)
    return tuple(out)


def parts_of(chances: Mapping[str, float]) -> dict[str, int]:
    """Return percentages as 72nds that add up to 72: the nearest, the largest remainders rounded up."""
    exact = {name: chance * WHOLE / 100 for name, chance in chances.items()}
    out = {name: round(part) for name, part in exact.items()}
    while sum(out.values()) != WHOLE:
        step = 1 if sum(out.values()) < WHOLE else -1
        name = max((n for n in exact if out[n] + step >= 0), key=lambda n: (step * (exact[n] - out[n]), n))
        out[name] += step
    return out


Cells = dict[tuple[int, str], str]
"""Item by sum and column (`odd`, `even`)."""
_HEAVIEST = 6


def made_up_cells(parts: Mapping[str, int]) -> Cells | None:
    """Return cells that give each item its 72nds, None if no chart can.

    Cells of one weight are alike, so that the search is over how many of each weight an item gets.
    """
    free = {weight: [(s, p) for p in ("odd", "even") for s in _sums(weight)] for weight in range(1, _HEAVIEST + 1)}
    items = sorted((item for item in parts if parts[item]), key=lambda item: (-parts[item], item))
    failed: set[tuple[int, tuple[int, ...]]] = set()

    def fill(at: int, left: tuple[int, ...]) -> list[tuple[int, ...]] | None:
        if at == len(items):
            return []
        if (at, left) in failed:
            return None
        for taken in _ways(parts[items[at]], left):
            rest = fill(at + 1, tuple(a - b for a, b in zip(left, taken, strict=True)))
            if rest is not None:
                return [taken, *rest]
        failed.add((at, left))
        return None

    if len(items) > sum(map(len, free.values())):
        return None
    found = fill(0, tuple(len(free[weight]) for weight in range(1, _HEAVIEST + 1)))
    if found is None:
        return None
    return {
        free[weight].pop(0): item
        for item, taken in zip(items, found, strict=True)
        for weight, count in enumerate(taken, 1)
        for _ in range(count)
    }


def _sums(weight: int) -> tuple[int, ...]:
    return (7,) if weight == _HEAVIEST else (1 + weight, 13 - weight)


def _ways(total: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield how many cells of the weights 1, 2 ... add up to a total, heavy ones first."""
    if not left:
        if total == 0:
            yield ()
        return
    weight = len(left)
    for count in range(min(left[-1], total // weight), -1, -1):
        for below in _ways(total - count * weight, left[:-1]):
            yield (*below, count)
