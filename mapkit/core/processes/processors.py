"""Number of processors."""

import os
import sys


def processors() -> int:
    """Return the number of processors that this program may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
