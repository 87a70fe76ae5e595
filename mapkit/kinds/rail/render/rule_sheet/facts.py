"""What the sentences of a rule sheet are written from: amounts, tables and counts in words."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.rules.rules import PlayersTable, Rules

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ENGINE_NAMES = {"freight": "Freight", "express": "Express", "superchief": "SuperChief"}


@dataclass(frozen=True)
class SheetFacts:
    """What the sections are written from."""

    rules: Rules
    board: Board | None = None

    @property
    def symbol(self) -> str:
        """The currency sign; the game's own dollars without a board."""
        return self.board.units.symbol if self.board else "$"

    def money(self, amount: int) -> str:
        """Return an amount in whole currency units as players read it."""
        return f"{self.symbol}{amount:,}"

    @property
    def players(self) -> range:
        """The numbers of players that may play."""
        return range(self.rules.setup.min_players, self.rules.setup.max_players + 1)

    def table(self, table: PlayersTable) -> str:
        """Return the cells of a table for the numbers of players that may play, or an empty string."""
        cells = [(n, table.at(n)) for n in self.players]
        return ", ".join(f"{n} players {self.money(v)}" for n, v in cells if v is not None)

    def lacking(self, table: PlayersTable) -> list[int]:
        """Return the numbers of players that may play, for which a table has no amount."""
        return [n for n in self.players if table.at(n) is None]

    @property
    def public(self) -> bool:
        """Whether public railroads need saying: the board has some, or there is no board."""
        return self.board is None or any(r.public for r in self.board.railroads)

    @property
    def junctions(self) -> bool:
        """Whether junctions need saying: the board has some, or there is no board."""
        return self.board is None or bool(self.board.junctions)

    @property
    def twins(self) -> str | None:
        """The board's twin cities in brackets (RB-C06); nothing without a board, None if it has none."""
        if self.board is None:
            return ""
        cities = sorted(self.board.cities, key=attrgetter("milepost", "name"))
        shared = [[c.name for c in of] for _, of in groupby(cities, key=attrgetter("milepost"))]
        pairs = ["/".join(names) for names in shared if len(names) > 1]
        return f" ({', '.join(sorted(pairs))})" if pairs else None


def number(count: int) -> str:
    """Return a count in words up to ten: `two`, `11`."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def dice(count: int, kind: str) -> str:
    """Return so many dice in words: `the coloured die`, `two white dice`."""
    return f"the {kind} die" if count == 1 else f"{number(count)} {kind} dice"


def share(percent: int) -> str:
    """Return a share in words: `half`, `40 %`."""
    return "half" if percent == 50 else f"{percent} %"  # noqa: PLR2004 - a half
