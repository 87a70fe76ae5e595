"""Progress of longer tasks."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


@runtime_checkable
class ProgressBar(Protocol):
    """A `Progress` that can also show the share of its stage that is done."""

    def show_share(self, share: float) -> None:
        """Show the share of the stage that is done, 0 to 1."""


def quiet(_stage: str) -> None:
    """Report nothing."""
