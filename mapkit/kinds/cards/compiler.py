"""A document to its game: what fits together becomes parts of it, and everything else a problem with its cure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from mapkit.core.errors import did_you_mean
from mapkit.core.problems import Problem
from mapkit.document.document import Row, ordered
from mapkit.kinds.cards.config import read_card_config
from mapkit.kinds.cards.game import (
    CardGame,
    CardPart,
    CardRailroad,
    CardZone,
    Certificate,
    Deck,
    Denomination,
    Effect,
    Face,
    Holding,
    Investor,
    ShareSpace,
    Tokens,
)
from mapkit.kinds.cards.tables import CardDocument, refers_of

P = TypeVar("P", bound=CardPart)


@dataclass(frozen=True)
class CompiledCards:
    """A document, its game, and what of the document is not in it."""

    document: CardDocument
    board: CardGame
    problems: tuple[Problem, ...]


def compile_cards(document: CardDocument, *, board_id: str, before: CompiledCards | None = None) -> CompiledCards:
    """Return the game of a document; it never raises for what an author can fix.

    Args:
        document: The document.
        board_id: The game's id.
        before: What was compiled before; of the same document it is returned.
    """
    if before is not None and before.document is document and before.board.id == board_id:
        return before
    config, problems = read_card_config(document)
    reader = _Reader(document)
    investors, unassigned = reader.investors()
    game = CardGame(
        id=board_id,
        title=config.title or board_id,
        description=config.description,
        track_is_example=config.example_track,
        rules=config.rules,
        holdings=reader.holdings(),
        railroads=reader.railroads(),
        investors=investors,
        unassigned=unassigned,
        track=reader.plain("track", ShareSpace),
        tokens=reader.plain("tokens", Tokens, refers_of("tokens")),
        zones=reader.plain("zones", CardZone),
        decks=reader.plain("decks", Deck),
        money=reader.money(),
    )
    return CompiledCards(document, game, (*problems, *reader.problems))


class _Reader:
    """Makes parts of rows, and collects what is wrong with them."""

    def __init__(self, document: CardDocument) -> None:
        self._document = document
        self.problems: list[Problem] = []

    def holdings(self) -> tuple[Holding, ...]:
        shares = self._under("certificates", "holding", "holdings", Certificate)
        return tuple(
            Holding(**self._origin("holdings", key), **_values(row), certificates=tuple(shares.get(key, ())))
            for key, row in self._rows("holdings")
        )

    def railroads(self) -> tuple[CardRailroad, ...]:
        faces = self._under("faces", "railroad", "railroads", Face)
        found = []
        for key, row in self._rows("railroads"):
            if key not in faces:
                self._wrong("railroads", key, f"{key} has no face; add a row to faces.csv")
                continue
            found.append(CardRailroad(**self._origin("railroads", key), **_values(row), faces=tuple(faces[key])))
        return tuple(found)

    def investors(self) -> tuple[tuple[Investor, ...], tuple[Effect, ...]]:
        effects: dict[str, list[Effect]] = {}
        for key, row in self._rows("effects"):
            values = _values(row)
            owner, kind = values.pop("investor"), values.pop("effect")
            if self._known("effects", key, refers_of("effects"), row):
                effects.setdefault(owner, []).append(Effect(**self._origin("effects", key), kind=kind, **values))
        investors = tuple(
            Investor(**self._origin("investors", key), **_values(row), effects=tuple(effects.get(key, ())))
            for key, row in self._rows("investors")
        )
        return investors, tuple(effects.get("", ()))

    def money(self) -> tuple[Denomination, ...]:
        found = []
        for key, row in self._rows("money"):
            if key.isascii() and key.isdigit() and int(key) > 0:
                found.append(Denomination(**self._origin("money", key), **_values(row)))
            else:
                self._wrong("money", key, f"the denomination is {key!r}; write a whole number of dollars")
        return tuple(found)

    def plain(self, table: str, of: type[P], refers: dict[str, str] | None = None) -> tuple[P, ...]:
        """Return parts that are a row each."""
        rows = self._rows(table)
        fit = [(key, row) for key, row in rows if self._known(table, key, refers or {}, row)]
        return tuple(of(**self._origin(table, key), **_values(row)) for key, row in fit)

    def _under(self, table: str, column: str, owners: str, of: type[P]) -> dict[str, list[P]]:
        found: dict[str, list[P]] = {}
        for key, row in self._rows(table):
            if self._known(table, key, {column: owners}, row, needed=True):
                values = _values(row)
                owner = values.pop(column)
                found.setdefault(owner, []).append(of(**self._origin(table, key), **values))
        return found

    def _known(self, table: str, key: str, refers: dict[str, str], row: Row, *, needed: bool = False) -> bool:
        for column, other in refers.items():
            name = getattr(row, column)
            if (name or needed) and name not in self._document.table(other):
                hint = did_you_mean(name, self._document.table(other))
                self._wrong(table, key, f"{column} is {name!r}, which {other}.csv lacks{hint}; write an id of it")
                return False
        return True

    def _rows(self, table: str) -> Iterable[tuple[str, Row]]:
        return ordered(self._document.table(table))

    def _origin(self, table: str, key: str) -> dict[str, Any]:
        origin = self._document.origin(table, key)
        return {
            "id": key,
            "file": origin.file if origin is not None else f"{table}.csv",
            "row": (origin.row or None) if origin is not None else None,
        }

    def _wrong(self, table: str, key: str, message: str) -> None:
        where = self._origin(table, key)
        self.problems.append(Problem(table, key, message, file=where["file"], row=where["row"]))


def _values(row: Row) -> dict[str, Any]:
    return row.model_dump(exclude={"rank"})
