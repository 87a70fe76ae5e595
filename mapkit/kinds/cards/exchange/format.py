"""Definition of formats of card games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.names import board_stem
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.render.job import CardJob


@dataclass(frozen=True)
class CardExport:
    """Options of an export.

    Args:
        job: The game, and how its cards look.
        base_url: The address on the web where its user puts pictures, for formats that name pictures by address.
        variants: Variants that were applied to the game.
    """

    job: CardJob
    base_url: str | None = None
    variants: Sequence[str] = ()

    @property
    def stem(self) -> str:
        """Return the beginning of the files' names."""
        return board_stem(self.job.game.id, self.variants)


@dataclass(frozen=True)
class CardFormat:
    """Format for writing, and perhaps reading, card games.

    Args:
        name: What `--to` calls it.
        title: What people call it, in a few words.
        suffixes: How names of its files end.
        carries: What it can hold, in a phrase.
        losses: What it cannot hold, a phrase each.
        write: Returns the files of a game; the same game gives the same bytes.
        read: Returns the game of a file.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    carries: str
    losses: tuple[str, ...]
    write: Callable[[CardExport], ExportedBoard]
    read: Callable[[Path], CardGame] | None = None
