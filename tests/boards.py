"""The shipped boards, compiled once a process."""

from functools import cache
from pathlib import Path

import mapkit
from mapkit.kinds.rail.model.board import Board

REPOSITORY = Path(__file__).resolve().parent.parent


@cache
def shipped(name: str) -> Board:
    """Return a shipped board, from its sources."""
    return mapkit.load(name, workspace=REPOSITORY)
