"""What an author wants of one destination chart: a share for each region or city, and its bounds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.network.chances import WHOLE, weight

Cell = tuple[str, int]
"""A cell of a chart: `("odd", 7)`."""

CELLS: Final[tuple[Cell, ...]] = tuple((parity, total) for parity in ("odd", "even") for total in range(2, 13))
"""All 22 cells in chart order: the odd column downward, then the even one (RB-C14)."""

CELL_WEIGHT: Final = {cell: weight(str(cell[1])) for cell in CELLS}


class WishError(MapkitError):
    """Wishes that no chart can meet; `chart` is the id of the chart, where it is known."""

    def __init__(self, text: str, *, chart: str = "") -> None:
        super().__init__(text)
        self.chart = chart


@dataclass(frozen=True)
class Wish:
    """What is wanted for one region or city of a chart.

    Args:
        item: Its id.
        weight: Its share in any unit; shares are scaled so that those of a chart add to 72.
        least: Fewest 72nds.
        most: Most 72nds.
        avoid: Cells that it must not have.
        fixed: Cells that it must have.
        name: What people call it; its id by default.
    """

    item: str
    weight: Fraction
    least: int = 1
    most: int = WHOLE
    avoid: frozenset[Cell] = frozenset()
    fixed: frozenset[Cell] = frozenset()
    name: str = ""

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.name or self.item

    def may_have(self, cell: Cell) -> bool:
        """Whether the cell may be its own as far as it alone is asked."""
        return cell not in self.avoid


def targets(wishes: Sequence[Wish]) -> tuple[Fraction, ...]:
    """Return what each item should get, in 72nds.

    Raises:
        WishError: A weight is negative, or none is above 0.
    """
    for wish in wishes:
        if wish.weight < 0:
            raise WishError(f"the weight of {wish.label} is {float(wish.weight):g}; give 0 or more")
    total = sum((wish.weight for wish in wishes), Fraction(0))
    if not total:
        raise WishError("no weight is above 0; give the weights that the odds should follow")
    return tuple(wish.weight * WHOLE / total for wish in wishes)


def allowed_items(wishes: Sequence[Wish]) -> dict[Cell, tuple[int, ...]]:
    """Return for each cell the numbers of the wishes that may have it; a fixed cell has one owner."""
    owners = {cell: index for index, wish in enumerate(wishes) for cell in wish.fixed}
    return {
        cell: (owners[cell],)
        if cell in owners
        else tuple(index for index, wish in enumerate(wishes) if wish.may_have(cell))
        for cell in CELLS
    }


def cell_text(cell: Cell) -> str:
    """Return `"odd 7"`."""
    return f"{cell[0]} {cell[1]}"


def cells_text(cells: Iterable[Cell]) -> str:
    """Return cells in chart order, runs of one column joined: `"odd 2-4, even 7"`."""
    out: list[str] = []
    chosen = set(cells)
    for parity in ("odd", "even"):
        totals = sorted(total for column, total in chosen if column == parity)
        start = 0
        for index, total in enumerate(totals):
            if index + 1 == len(totals) or totals[index + 1] != total + 1:
                first = totals[start]
                out.append(f"{parity} {first}" if first == total else f"{parity} {first}-{total}")
                start = index + 1
    return ", ".join(out)
