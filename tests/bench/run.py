"""Runs the benchmarks and compares their figures with `limits.toml`; see `limits.py` for the options."""

import sys

from limits import main

if __name__ == "__main__":
    sys.exit(main())
