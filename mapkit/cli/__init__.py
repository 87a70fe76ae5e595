"""The command line: parse, call the library, print.

Results go to stdout, talk and progress to stderr. Exit code 0: done; 1: something is wrong with the input
or the checks found errors; 2: usage error; 130: interrupted.
"""

from mapkit.cli.app import main, program

__all__ = ["main", "program"]
