"""Facts for the sentences of a rule sheet: amounts, tables and counts in words."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from mapkit.drawing.words.language import Words
from mapkit.drawing.words.languages import Language
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.words import words_in, words_of
from mapkit.kinds.rail.rules.rules import PlayersTable, Rules


@dataclass(frozen=True)
class SheetFacts:
    """Rules, board and language, with the values that the sections mention."""

    rules: Rules
    board: Board | None = None
    language: Language | None = None
    """That of the board without one."""

    @property
    def words(self) -> Words:
        """Words of the sheet's language."""
        return words_in(self.language) if self.language else words_of(self.board)

    @property
    def symbol(self) -> str:
        """Currency sign; the game's own dollars without a board."""
        return self.board.units.symbol if self.board else "$"

    def money(self, amount: int) -> str:
        """Return an amount in whole currency units as players read it."""
        return self.words.money(self.symbol, amount)

    @property
    def players(self) -> range:
        """Possible numbers of players."""
        return range(self.rules.setup.min_players, self.rules.setup.max_players + 1)

    def table(self, table: PlayersTable) -> str:
        """Return the cells of a table for the possible numbers of players, or an empty string."""
        player_amounts = [(n, table.at(n)) for n in self.players]
        return ", ".join(
            self.words("rules.cell", players=self.words.count("engine.players", n), amount=self.money(v))
            for n, v in player_amounts
            if v is not None
        )

    def lacking(self, table: PlayersTable) -> list[int]:
        """Return the possible numbers of players without an amount in a table."""
        return [n for n in self.players if table.at(n) is None]

    @property
    def public(self) -> bool:
        """Whether to mention public railroads: the board has some, or there is no board."""
        return self.board is None or any(r.public for r in self.board.railroads)

    @property
    def junctions(self) -> bool:
        """Whether to mention junctions: the board has some, or there is no board."""
        return self.board is None or bool(self.board.junctions)

    @property
    def twins(self) -> str | None:
        """Twin cities of the board in brackets (RB-C06); empty without a board, None if it has none."""
        if self.board is None:
            return ""
        sorted_cities = sorted(self.board.cities, key=attrgetter("milepost", "name"))
        milepost_cities = [
            [c.name for c in milepost_group] for _, milepost_group in groupby(sorted_cities, key=attrgetter("milepost"))
        ]
        twin_names = ["/".join(names) for names in milepost_cities if len(names) > 1]
        return f" ({', '.join(sorted(twin_names))})" if twin_names else None

    def number(self, count: int) -> str:
        """Return a count in words up to ten: `two`, `11`."""
        return self.words.number_word(count)

    def dice(self, count: int, kind: str) -> str:
        """Return so many dice in words: `the coloured die`, `two white dice`."""
        return self.words.count(f"dice.{kind}", count, words=self.number(count))

    def share(self, percent: int) -> str:
        """Return a share in words: `half`, `40 %`."""
        if percent == 50:  # noqa: PLR2004 - a half
            return self.words("rules.half")
        return self.words("rules.share", percent=self.words.percent(percent))
