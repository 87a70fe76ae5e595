"""Keeps compiled modules even where Python is told to keep none: each run, and each program that a test starts, would
compile all of them again. They are kept in a folder of pytest's own, beside no module."""

import os
import sys
from pathlib import Path

if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.pycache_prefix = str(Path(__file__).resolve().parent.parent / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
