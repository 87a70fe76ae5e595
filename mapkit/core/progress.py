"""Saying what a longer task is at."""

from collections.abc import Callable

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


def quiet(_stage: str) -> None:
    """Say nothing."""
