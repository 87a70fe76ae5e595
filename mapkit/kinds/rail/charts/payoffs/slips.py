"""How amounts go wrong when people type them: from a true amount to what may stand in its place."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


class Slip(StrEnum):
    """What may have happened to a single cell."""

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
"""Slips of the digits of one amount, which give the true one."""
TELLING = (*TYPED, Slip.EXCHANGED)
"""Slips that give the true amount."""
CENTS = 100
"""Amounts are compared as whole hundredths of a thousand."""


def key(thousands: float) -> int:
    """Return an amount as a whole number, so that equal amounts are equal."""
    return round(thousands * CENTS)


def _text(thousands: float) -> str:
    return f"{thousands:.2f}".rstrip("0").rstrip(".")


def outcomes(slip: Slip, thousands: float) -> dict[int, float]:
    """Return what may stand instead of an amount after a slip, with its chance; amounts as by `key`.

    The amount is taken as typed in thousands, "25.5". What cannot happen to it gives nothing.
    """
    text = _text(thousands)
    digits = [i for i, c in enumerate(text) if c.isdigit()]
    made: list[str] = []
    if slip is Slip.DROPPED:
        made = [text[:i] + text[i + 1 :] for i in digits]
    elif slip is Slip.DOUBLED:
        made = [text[:i] + text[i] + text[i:] for i in digits]
    elif slip is Slip.INSERTED:
        made = [
            text[:i] + d + text[i:]
            for i in range(len(text) + 1)
            for d in "0123456789"
            if d not in text[max(i - 1, 0) : i + 1]
        ]
    elif slip is Slip.SWAPPED:
        for i, j in pairwise(digits):
            one, other = text[i], text[j]
            made.append(text[:i] + other + text[i + 1 : j] + one + text[j + 1 :])
    elif slip is Slip.DECIMAL:
        whole = text.replace(".", "")
        made = [whole] if "." in text else [text + "0", text[:-1] + "." + text[-1]]
    elif slip is Slip.WRONG:
        made = [text[:i] + d + text[i + 1 :] for i in digits for d in "0123456789"]
    else:
        return {}
    found: dict[int, float] = {}
    right = key(thousands)
    for typed in made:
        value = key(float(typed)) if typed not in ("", ".") else 0
        if value != right:
            found[value] = found.get(value, 0.0) + 1.0
    total = sum(found.values())
    return {value: count / total for value, count in sorted(found.items())}


@dataclass(frozen=True)
class SlipOrigins:
    """For one amount as it stands: the grid amounts it may have come from, and with which chance."""

    steps: NDArray[np.int64]
    chances: NDArray[np.float64]


@lru_cache(maxsize=8)
def origins(step: float, count: int) -> dict[Slip, dict[int, SlipOrigins]]:
    """Return, for each slip that gives the true amount, where an amount may come from.

    Args:
        step: The chart's grid, thousands.
        count: The grid amounts are `step`, ..., `count * step`.
    """
    out: dict[Slip, dict[int, SlipOrigins]] = {}
    for slip in TYPED:
        found: dict[int, list[tuple[int, float]]] = {}
        for k in range(count):
            for value, chance in outcomes(slip, (k + 1) * step).items():
                found.setdefault(value, []).append((k, chance))
        out[slip] = {
            value: SlipOrigins(np.array([k for k, _ in pairs]), np.array([c for _, c in pairs]))
            for value, pairs in found.items()
        }
    return out
