"""Saying what a longer task is at."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


@runtime_checkable
class ProgressBar(Protocol):
    """A `Progress` that can also show how much of its stage is done."""

    def show_share(self, share: float) -> None:
        """Show how much of the stage is done, 0 to 1."""


def quiet(_stage: str) -> None:
    """Say nothing."""
