"""Spares processor time of a run; imported before all else, because NumPy and Python look at this once,
at their start.

Compiled modules are kept even where Python is told to keep none, in a folder of pytest's own: each run, and each
program that a test starts, would compile all of them again. Linear algebra runs in one thread: the matrices of tests
are so small that other threads only wait, and waiting takes processor time.
"""

import os
import sys
from pathlib import Path

if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.pycache_prefix = str(Path(__file__).resolve().parent.parent / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
