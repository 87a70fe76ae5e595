"""How long tests wait for what must happen.

A wait ends when the thing happens, so a busy machine makes a test slow, and never red. Only what hangs takes all of it.
"""

import time
from collections.abc import Callable
from typing import TypeVar

A = TypeVar("A")

HANG_S = 300
"""Seconds after which something hangs."""
STEP_S = 0.02


def poll(look: Callable[[], A], holds: Callable[[A], bool]) -> A:
    """Look again and again until what is seen holds, and return it."""
    end = time.monotonic() + HANG_S
    while not holds(seen := look()):
        assert time.monotonic() < end, f"it hangs: {seen}"
        time.sleep(STEP_S)
    return seen
