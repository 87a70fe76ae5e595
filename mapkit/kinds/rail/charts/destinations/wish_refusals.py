"""What cannot be had of a destination chart, and why."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from mapkit.kinds.rail.charts.destinations.wishes import (
    CELL_WEIGHT,
    CELLS,
    Wish,
    WishError,
    allowed_items,
    cell_text,
    cells_text,
)
from mapkit.kinds.rail.network.chances import WHOLE

_HALF = Fraction(1, 2)


def refuse_plainly(wishes: Sequence[Wish]) -> None:
    """Refuse what arithmetic alone rules out.

    Raises:
        WishError: More items than cells, bounds that do not fit 72 or each other, cells claimed twice or by nobody.
    """
    present = [wish for wish in wishes if wish.least > 0]
    if not wishes:
        raise WishError("there is nothing to put into the chart; name regions or cities")
    if len(present) > len(CELLS):
        raise WishError(
            f"{len(present)} cannot share {len(CELLS)} cells, each needs one; drop {len(present) - len(CELLS)} of "
            "them, or move them to another region"
        )
    _refuse_bounds(wishes)
    _refuse_cells(wishes)


def _refuse_bounds(wishes: Sequence[Wish]) -> None:
    for wish in wishes:
        if not 0 <= wish.least <= wish.most <= WHOLE:
            raise WishError(
                f"{wish.label}: at least {wish.least} and at most {wish.most} of {WHOLE} cannot both hold; "
                "the bounds lie between 0 and 72, the lower one first"
            )
    least, most = sum(wish.least for wish in wishes), sum(wish.most for wish in wishes)
    if least > WHOLE:
        large = ", ".join(f"{w.label} {w.least}" for w in sorted(wishes, key=lambda w: (-w.least, w.item))[:5])
        raise WishError(
            f"the least shares add to {least} of {WHOLE}, {least - WHOLE} too many; lower some (largest: {large})"
        )
    if most < WHOLE:
        raise WishError(
            f"the most shares add to {most} of {WHOLE}, so {WHOLE - most} would go to nobody; raise some of them"
        )


def _refuse_cells(wishes: Sequence[Wish]) -> None:
    first: dict[tuple[str, int], str] = {}
    for wish in wishes:
        for cell in sorted(wish.fixed):
            if cell in first:
                raise WishError(f"{cell_text(cell)} is fixed for {first[cell]} and for {wish.label}; keep one of them")
            first[cell] = wish.label
        both = wish.fixed & wish.avoid
        if both:
            raise WishError(f"{wish.label} must have and must not have {cells_text(both)}; drop one of the two")
    allowed = allowed_items(wishes)
    for cell, items in allowed.items():
        if not items:
            raise WishError(f"everybody must avoid {cell_text(cell)}, but somebody must have it; allow it to one")
    for index, wish in enumerate(wishes):
        fixed = sum(CELL_WEIGHT[cell] for cell in wish.fixed)
        if fixed > wish.most:
            raise WishError(
                f"{wish.label}: its fixed cells {cells_text(wish.fixed)} weigh {fixed}, more than its most, {wish.most}"
            )
        most = sum(CELL_WEIGHT[cell] for cell, items in allowed.items() if index in items)
        if most < wish.least:
            raise WishError(
                f"{wish.label}: the cells that it may have weigh {most} together, less than its least, {wish.least}; "
                "allow it more cells or lower it"
            )


def explain(wishes: Sequence[Wish], impossible: Callable[[Sequence[Wish]], bool]) -> NoReturn:
    """Refuse wishes that no chart fulfils, naming a smallest set of bounds that cannot hold together.

    Args:
        wishes: The wishes.
        impossible: Says whether no chart fulfils some wishes.

    Raises:
        WishError: Always.
    """
    current = list(wishes)
    for index, wish in enumerate(wishes):
        for loose in (
            replace(current[index], avoid=frozenset()),
            replace(current[index], fixed=frozenset()),
            replace(current[index], most=WHOLE),
            replace(current[index], least=min(wish.least, 1)),
        ):
            # Loosen one thing at a time; what stays impossible did not need it.
            merged = replace(
                current[index],
                avoid=current[index].avoid & loose.avoid,
                fixed=current[index].fixed & loose.fixed,
                most=max(current[index].most, loose.most),
                least=min(current[index].least, loose.least),
            )
            if merged != current[index]:
                tried = [*current[:index], merged, *current[index + 1 :]]
                if impossible(tried):
                    current = tried
    kept = [text for wish in current for text in _bounds(wish)]
    cause = "; ".join(kept) or f"every one of {len(wishes)} needs a cell"
    raise WishError(f"these cannot be had together: {cause}. Without any one of them a chart can be made")


def _bounds(wish: Wish) -> list[str]:
    out: list[str] = []
    if wish.least == wish.most:
        out.append(f"{wish.label} exactly {wish.least}/{WHOLE}")
    else:
        if wish.least > 1:
            out.append(f"{wish.label} at least {wish.least}/{WHOLE}")
        if wish.most < WHOLE:
            out.append(f"{wish.label} at most {wish.most}/{WHOLE}")
    if wish.fixed:
        out.append(f"{wish.label} has {cells_text(wish.fixed)}")
    if wish.avoid:
        out.append(f"{wish.label} not {cells_text(wish.avoid)}")
    return out


def notes_on(wishes: Sequence[Wish], goals: Sequence[Fraction], got: Sequence[int]) -> tuple[str, ...]:
    """Return what was wanted and not had, and why."""
    out: list[str] = []
    rare = [w.label for w, goal in zip(wishes, goals, strict=True) if goal < _HALF and w.least > 0]
    if rare:
        out.append(
            f"{', '.join(rare)} {'wants' if len(rare) == 1 else 'want'} less than half of 1/72, but a cell weighs 1/72 "
            "at least"
        )
    low = Fraction(3, 2)
    few = [w.label for w, goal in zip(wishes, goals, strict=True) if goal <= low and w.least > 0]
    ones = sum(1 for cell in CELLS if CELL_WEIGHT[cell] == 1)
    if len(few) > ones:
        out.append(
            f"{len(few)} want 1/72 or so ({', '.join(few)}), but only {ones} cells weigh 1/72; the others get 2 or more"
        )
    for wish, goal, has in zip(wishes, goals, got, strict=True):
        if wish.least > max(goal, Fraction(1)):
            out.append(
                f"{wish.label} is held at {has}/72 by its floor of {wish.least}; its weight asks {float(goal):.2f}"
            )
        elif goal > wish.most:
            out.append(
                f"{wish.label} is held at {has}/72 by its ceiling of {wish.most}; its weight asks {float(goal):.2f}"
            )
    off: Fraction = max(abs(has - goal) for goal, has in zip(goals, got, strict=True))
    if off > _HALF:
        out.append(
            f"the largest deviation is {float(off):.2f}/72, more than rounding to 72nds needs (0.5): "
            f"{len(wishes)} share {len(CELLS)} cells of fixed weights (four each of 1 to 5, two of 6)"
        )
    return tuple(out)
