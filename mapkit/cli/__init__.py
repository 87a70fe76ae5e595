"""The command line: parse, call the library, print.

Results go to stdout, talk and progress to stderr. Exit code 0: done; 1: something is wrong with the input
or the checks found errors; 2: usage error; 130: interrupted.
"""

import sys

from mapkit.core.errors import MapkitError, explain_cut_modules

try:
    with explain_cut_modules():
        from mapkit.cli.app import main, program
except MapkitError as error:
    sys.exit(f"mapkit: {error}")

__all__ = ["main", "program"]
