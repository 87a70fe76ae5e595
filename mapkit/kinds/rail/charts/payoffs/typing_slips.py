"""Typing errors of amounts: from a true amount to its possible misspellings."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


class Slip(StrEnum):
    """Kind of error in a single cell."""

    DROPPED = "digit dropped"
    DOUBLED = "digit doubled"
    INSERTED = "digit inserted"
    SWAPPED = "digits swapped"
    DECIMAL = "decimal point lost"
    WRONG = "wrong digit"
    NEIGHBOUR = "neighbour's value"
    EXCHANGED = "exchanged with its neighbour"
    OTHER = "no known slip"


TYPED = (Slip.DROPPED, Slip.DOUBLED, Slip.INSERTED, Slip.SWAPPED, Slip.DECIMAL, Slip.WRONG)
"""Slips of the digits of one amount, which identify the true one."""
TELLING = (*TYPED, Slip.EXCHANGED)
"""Slips that identify the true amount."""
CENTS = 100
"""Amounts are compared as whole hundredths of a thousand."""


def to_hundredths(thousands: float) -> int:
    """Return an amount as a whole number, for exact comparison."""
    return round(thousands * CENTS)


def slip_outcomes(slip: Slip, thousands: float) -> dict[int, float]:
    """Return the possible results of a slip and their probabilities; amounts as by `key`.

    The amount is assumed to be typed in thousands, "25.5". An impossible slip has no results.
    """
    amount_text = f"{thousands:.2f}".rstrip("0").rstrip(".")
    digit_positions = [i for i, c in enumerate(amount_text) if c.isdigit()]
    typed_texts: list[str] = []
    if slip is Slip.DROPPED:
        typed_texts = [amount_text[:i] + amount_text[i + 1 :] for i in digit_positions]
    elif slip is Slip.DOUBLED:
        typed_texts = [amount_text[:i] + amount_text[i] + amount_text[i:] for i in digit_positions]
    elif slip is Slip.INSERTED:
        typed_texts = [
            amount_text[:i] + d + amount_text[i:]
            for i in range(len(amount_text) + 1)
            for d in "0123456789"
            if d not in amount_text[max(i - 1, 0) : i + 1]
        ]
    elif slip is Slip.SWAPPED:
        for i, j in pairwise(digit_positions):
            first_digit, second_digit = amount_text[i], amount_text[j]
            typed_texts.append(
                amount_text[:i] + second_digit + amount_text[i + 1 : j] + first_digit + amount_text[j + 1 :]
            )
    elif slip is Slip.DECIMAL:
        digits_only = amount_text.replace(".", "")
        typed_texts = (
            [digits_only] if "." in amount_text else [amount_text + "0", amount_text[:-1] + "." + amount_text[-1]]
        )
    elif slip is Slip.WRONG:
        typed_texts = [amount_text[:i] + d + amount_text[i + 1 :] for i in digit_positions for d in "0123456789"]
    else:
        return {}
    counts_by_key: dict[int, float] = {}
    true_key = to_hundredths(thousands)
    for typed_text in typed_texts:
        typed_key = to_hundredths(float(typed_text)) if typed_text not in ("", ".") else 0
        if typed_key != true_key:
            counts_by_key[typed_key] = counts_by_key.get(typed_key, 0.0) + 1.0
    total_count = sum(counts_by_key.values())
    return {typed_key: count / total_count for typed_key, count in sorted(counts_by_key.items())}


@dataclass(frozen=True)
class SlipOrigins:
    """Possible true grid amounts of one amount, with probabilities."""

    steps: NDArray[np.int64]
    chances: NDArray[np.float64]


@lru_cache(maxsize=8)
def find_origins(step: float, count: int) -> dict[Slip, dict[int, SlipOrigins]]:
    """Return the possible true amounts of each amount, for each slip that identifies them.

    Args:
        step: The chart's grid, thousands.
        count: The grid amounts are `step`, ..., `count * step`.
    """
    origins_by_slip: dict[Slip, dict[int, SlipOrigins]] = {}
    for slip in TYPED:
        sources_by_key: dict[int, list[tuple[int, float]]] = {}
        for step_index in range(count):
            for amount_key, chance in slip_outcomes(slip, (step_index + 1) * step).items():
                sources_by_key.setdefault(amount_key, []).append((step_index, chance))
        origins_by_slip[slip] = {
            amount_key: SlipOrigins(
                np.array([step_index for step_index, _ in step_chances]), np.array([c for _, c in step_chances])
            )
            for amount_key, step_chances in sources_by_key.items()
        }
    return origins_by_slip
