"""Chances of destination charts as RB3 holds them: percentages that are 72nds."""

from collections import Counter
from collections.abc import Mapping, Sequence

from mapkit.errors import ExportError
from mapkit.exchange.rb3_model import WHOLE
from mapkit.model.board import SUMS, DestinationChart


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
