"""How many processors there are."""

import os
import sys


def processors() -> int:
    """Return how many processors this program may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
