"""Refusal of impossible wishes for a destination chart, with reasons."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from mapkit.kinds.rail.charts.destinations.chart_targets import (
    CELL_WEIGHT,
    CELLS,
    Wish,
    WishError,
    allowed_items,
    cell_text,
    cells_text,
)
from mapkit.kinds.rail.network.destination_chances import WHOLE

_HALF = Fraction(1, 2)


def refuse_impossible_sums(wishes: Sequence[Wish]) -> None:
    """Refuse wishes that arithmetic alone excludes.

    Raises:
        WishError: More items than cells, bounds that contradict 72 or each other, cells fixed twice or forbidden to
            all.
    """
    required_wishes = [wish for wish in wishes if wish.least > 0]
    if not wishes:
        raise WishError("there is nothing to put into the chart; name regions or cities")
    if len(required_wishes) > len(CELLS):
        raise WishError(
            f"{len(required_wishes)} cannot share {len(CELLS)} cells, each needs one; "
            f"drop {len(required_wishes) - len(CELLS)} of "
            "them, or move them to another region"
        )
    for wish in wishes:
        if not 0 <= wish.least <= wish.most <= WHOLE:
            raise WishError(
                f"{wish.label}: at least {wish.least} and at most {wish.most} of {WHOLE} cannot both hold; "
                "the bounds lie between 0 and 72, the lower one first"
            )
    least_sum, most_sum = sum(wish.least for wish in wishes), sum(wish.most for wish in wishes)
    if least_sum > WHOLE:
        largest_bounds = ", ".join(f"{w.label} {w.least}" for w in sorted(wishes, key=lambda w: (-w.least, w.item))[:5])
        raise WishError(
            f"the least shares add to {least_sum} of {WHOLE}, {least_sum - WHOLE} too many; "
            f"lower some (largest: {largest_bounds})"
        )
    if most_sum < WHOLE:
        raise WishError(
            f"the most shares add to {most_sum} of {WHOLE}, so {WHOLE - most_sum} is left over; raise some of them"
        )
    _refuse_cells(wishes)


def _refuse_cells(wishes: Sequence[Wish]) -> None:
    owner_by_cell: dict[tuple[str, int], str] = {}
    for wish in wishes:
        for cell in sorted(wish.fixed):
            if cell in owner_by_cell:
                raise WishError(
                    f"{cell_text(cell)} is fixed for {owner_by_cell[cell]} and for {wish.label}; keep one of them"
                )
            owner_by_cell[cell] = wish.label
        contradictory_cells = wish.fixed & wish.avoid
        if contradictory_cells:
            raise WishError(
                f"{wish.label} must have and must not have {cells_text(contradictory_cells)}; drop one of the two"
            )
    allowed_by_cell = allowed_items(wishes)
    for cell, items in allowed_by_cell.items():
        if not items:
            raise WishError(f"no region or city may have {cell_text(cell)}, but one must; allow it for one of them")
    for index, wish in enumerate(wishes):
        fixed_weight = sum(CELL_WEIGHT[cell] for cell in wish.fixed)
        if fixed_weight > wish.most:
            raise WishError(
                f"{wish.label}: its fixed cells {cells_text(wish.fixed)} weigh {fixed_weight}, "
                f"more than its most, {wish.most}"
            )
        possible_weight = sum(CELL_WEIGHT[cell] for cell, items in allowed_by_cell.items() if index in items)
        if possible_weight < wish.least:
            raise WishError(
                f"{wish.label}: the cells that it may have weigh {possible_weight} together, "
                f"less than its least, {wish.least}; "
                "allow it more cells or lower it"
            )


def refuse_with_reason(wishes: Sequence[Wish], impossible: Callable[[Sequence[Wish]], bool]) -> NoReturn:
    """Refuse unsatisfiable wishes, naming a minimal set of contradictory bounds.

    Args:
        wishes: The wishes.
        impossible: Tells whether no chart satisfies some wishes.

    Raises:
        WishError: Always.
    """
    current_wishes = list(wishes)
    for index, wish in enumerate(wishes):
        for loosened_wish in (
            replace(current_wishes[index], avoid=frozenset()),
            replace(current_wishes[index], fixed=frozenset()),
            replace(current_wishes[index], most=WHOLE),
            replace(current_wishes[index], least=min(wish.least, 1)),
        ):
            # Loosen one bound at a time; if the wishes remain impossible, the bound was not needed.
            merged_wish = replace(
                current_wishes[index],
                avoid=current_wishes[index].avoid & loosened_wish.avoid,
                fixed=current_wishes[index].fixed & loosened_wish.fixed,
                most=max(current_wishes[index].most, loosened_wish.most),
                least=min(current_wishes[index].least, loosened_wish.least),
            )
            if merged_wish != current_wishes[index]:
                tried_wishes = [*current_wishes[:index], merged_wish, *current_wishes[index + 1 :]]
                if impossible(tried_wishes):
                    current_wishes = tried_wishes
    bound_texts = [text for wish in current_wishes for text in _bound_texts(wish)]
    cause = "; ".join(bound_texts) or f"every one of {len(wishes)} needs a cell"
    raise WishError(f"these cannot be had together: {cause}. Without any one of them a chart can be made")


def _bound_texts(wish: Wish) -> list[str]:
    bound_texts: list[str] = []
    if wish.least == wish.most:
        bound_texts.append(f"{wish.label} exactly {wish.least}/{WHOLE}")
    else:
        if wish.least > 1:
            bound_texts.append(f"{wish.label} at least {wish.least}/{WHOLE}")
        if wish.most < WHOLE:
            bound_texts.append(f"{wish.label} at most {wish.most}/{WHOLE}")
    if wish.fixed:
        bound_texts.append(f"{wish.label} has {cells_text(wish.fixed)}")
    if wish.avoid:
        bound_texts.append(f"{wish.label} not {cells_text(wish.avoid)}")
    return bound_texts


def explain_unmet_wishes(wishes: Sequence[Wish], goals: Sequence[Fraction], got: Sequence[int]) -> tuple[str, ...]:
    """Return notes on unmet wishes, with reasons."""
    note_texts: list[str] = []
    rare_labels = [w.label for w, goal in zip(wishes, goals, strict=True) if goal < _HALF and w.least > 0]
    if rare_labels:
        note_texts.append(
            f"{', '.join(rare_labels)} {'wants' if len(rare_labels) == 1 else 'want'} less than half of 1/72, "
            "but a cell weighs 1/72 "
            "at least"
        )
    low_goal = Fraction(3, 2)
    few_labels = [w.label for w, goal in zip(wishes, goals, strict=True) if goal <= low_goal and w.least > 0]
    weight_one_cells = sum(1 for cell in CELLS if CELL_WEIGHT[cell] == 1)
    if len(few_labels) > weight_one_cells:
        note_texts.append(
            f"{len(few_labels)} want 1/72 or so ({', '.join(few_labels)}), "
            f"but only {weight_one_cells} cells weigh 1/72; the others get 2 or more"
        )
    for wish, goal, actual_72nds in zip(wishes, goals, got, strict=True):
        if wish.least > max(goal, Fraction(1)):
            note_texts.append(
                f"{wish.label} is held at {actual_72nds}/72 by its floor of {wish.least}; "
                f"its weight asks {float(goal):.2f}"
            )
        elif goal > wish.most:
            note_texts.append(
                f"{wish.label} is held at {actual_72nds}/72 by its ceiling of {wish.most}; "
                f"its weight asks {float(goal):.2f}"
            )
    largest_deviation: Fraction = max(abs(actual_72nds - goal) for goal, actual_72nds in zip(goals, got, strict=True))
    if largest_deviation > _HALF:
        note_texts.append(
            f"the largest deviation is {float(largest_deviation):.2f}/72, more than rounding to 72nds needs (0.5): "
            f"{len(wishes)} share {len(CELLS)} cells of fixed weights (four each of 1 to 5, two of 6)"
        )
    return tuple(note_texts)
