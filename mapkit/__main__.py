"""`python -m mapkit`."""

from mapkit.cli import program

program()
