"""How much memory a process has used."""

import sys

if sys.platform != "win32":
    import resource


def peak_mib() -> float:
    """Return the greatest memory of this process so far, MiB; not a number on Windows, which Python does not ask."""
    if sys.platform == "win32":
        return float("nan")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (2**20 if sys.platform == "darwin" else 2**10)
