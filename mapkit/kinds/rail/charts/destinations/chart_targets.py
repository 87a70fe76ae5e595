"""Wishes of an author for one destination chart: a share for each region or city, and its bounds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.network.destination_chances import WHOLE, dice_sum_weight

Cell = tuple[str, int]
"""Cell of a chart: `("odd", 7)`."""

CELLS: Final[tuple[Cell, ...]] = tuple((parity, total) for parity in ("odd", "even") for total in range(2, 13))
"""All 22 cells in chart order: the odd column downward, then the even one (RB-C14)."""

CELL_WEIGHT: Final = {cell: dice_sum_weight(str(cell[1])) for cell in CELLS}


class WishError(MapkitError):
    """Error for wishes that no chart can meet; `chart` is the id of the chart, if known."""

    def __init__(self, text: str, *, chart: str = "") -> None:
        super().__init__(text)
        self.chart = chart


@dataclass(frozen=True)
class Wish:
    """Wish for one region or city of a chart.

    Args:
        item: Its id.
        weight: Its share in any unit; shares are scaled so that those of a chart add to 72.
        least: Fewest 72nds.
        most: Most 72nds.
        avoid: Cells that it must not have.
        fixed: Cells that it must have.
        name: Display name; its id by default.
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
        """Name for messages."""
        return self.name or self.item

    def may_have(self, cell: Cell) -> bool:
        """Whether the item may have a cell, regardless of other wishes."""
        return cell not in self.avoid


def compute_targets(wishes: Sequence[Wish]) -> tuple[Fraction, ...]:
    """Return the target of each item in 72nds.

    Raises:
        WishError: A weight is negative, or none is above 0.
    """
    for wish in wishes:
        if wish.weight < 0:
            raise WishError(f"the weight of {wish.label} is {float(wish.weight):g}; give 0 or more")
    total_weight = sum((wish.weight for wish in wishes), Fraction(0))
    if not total_weight:
        raise WishError("no weight is above 0; give the weights that the odds should follow")
    return tuple(wish.weight * WHOLE / total_weight for wish in wishes)


def allowed_items(wishes: Sequence[Wish]) -> dict[Cell, tuple[int, ...]]:
    """Return for each cell the indices of the wishes that may have it; a fixed cell has one owner."""
    owner_by_cell = {cell: index for index, wish in enumerate(wishes) for cell in wish.fixed}
    return {
        cell: (owner_by_cell[cell],)
        if cell in owner_by_cell
        else tuple(index for index, wish in enumerate(wishes) if wish.may_have(cell))
        for cell in CELLS
    }


def cell_text(cell: Cell) -> str:
    """Return a cell as text: `"odd 7"`."""
    return f"{cell[0]} {cell[1]}"


def cells_text(cells: Iterable[Cell]) -> str:
    """Return cells in chart order, runs of one column joined: `"odd 2-4, even 7"`."""
    cell_ranges: list[str] = []
    cell_set = set(cells)
    for parity in ("odd", "even"):
        sums_of_parity = sorted(dice_sum for column, dice_sum in cell_set if column == parity)
        run_start = 0
        for index, dice_sum in enumerate(sums_of_parity):
            if index + 1 == len(sums_of_parity) or sums_of_parity[index + 1] != dice_sum + 1:
                first_sum = sums_of_parity[run_start]
                cell_ranges.append(
                    f"{parity} {first_sum}" if first_sum == dice_sum else f"{parity} {first_sum}-{dice_sum}"
                )
                run_start = index + 1
    return ", ".join(cell_ranges)
