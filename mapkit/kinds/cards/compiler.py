"""Compiler of card games: rows that fit together become parts, all others problems with a cure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from mapkit.core.errors import did_you_mean
from mapkit.core.problems import Problem
from mapkit.document.document import Row, sort_rows
from mapkit.evaluate import Evaluator, Reader, tracked
from mapkit.kinds.cards.config import CardConfig, read_card_config
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
_BOARD_ID: Final = "board"


@dataclass(frozen=True)
class CompiledCards:
    """Document, its game, and the rows left out.

    Args:
        document: The document.
        board: The game.
        problems: What is left out, and why.
        evaluator: What evaluated it; in a session it does so for one document after the other.
    """

    document: CardDocument
    board: CardGame
    problems: tuple[Problem, ...]
    evaluator: Evaluator = field(repr=False)

    def recompile(self, document: CardDocument) -> "CompiledCards":
        """Return the game of another document; a session goes on from this one."""
        return compile_cards(document, board_id=self.board.id, evaluator=self.evaluator.fork())


def compile_cards(document: CardDocument, *, board_id: str, evaluator: Evaluator | None = None) -> CompiledCards:
    """Return the game of a document; mistakes of the author become problems, not exceptions.

    Args:
        document: The document.
        board_id: The game's id.
        evaluator: That of a session, in which one document follows another.
    """
    evaluator = evaluator or Evaluator()
    db = evaluator.reader(document, **{_BOARD_ID: board_id})
    return CompiledCards(document, _game(db), _problems(db), evaluator)


@tracked
def _game(db: Reader) -> CardGame:
    config, _ = _config(db)
    (investors, unassigned), _ = _part(db, "investors")
    parts = {name: _part(db, name)[0] for name in _MAKERS if name != "investors"}
    return CardGame(
        id=db.input(_BOARD_ID),
        title=config.title or db.input(_BOARD_ID),
        description=config.description,
        track_is_example=config.example_track,
        rules=config.rules,
        investors=investors,
        unassigned=unassigned,
        **parts,
    )


@tracked
def _problems(db: Reader) -> tuple[Problem, ...]:
    return (*_config(db)[1], *(problem for name in _MAKERS for problem in _part(db, name)[1]))


@tracked
def _config(db: Reader) -> tuple[CardConfig, tuple[Problem, ...]]:
    return read_card_config(db.document)


@tracked
def _part(db: Reader, name: str) -> tuple[Any, tuple[Problem, ...]]:
    """Return one part of the game, and the problems of its rows."""
    reader = _Reader(db.document)
    return _MAKERS[name](reader), tuple(reader.problems)


class _Reader:
    """Reader of rows as parts, which collects their problems."""

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
        return sort_rows(self._document.table(table))

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


_MAKERS: Final[Mapping[str, Callable[[_Reader], Any]]] = {
    "investors": _Reader.investors,
    "holdings": _Reader.holdings,
    "railroads": _Reader.railroads,
    "track": lambda reader: reader.plain("track", ShareSpace),
    "tokens": lambda reader: reader.plain("tokens", Tokens, refers_of("tokens")),
    "zones": lambda reader: reader.plain("zones", CardZone),
    "decks": lambda reader: reader.plain("decks", Deck),
    "money": _Reader.money,
}
"""Parts of a game by field, in the order of their problems; investors are two."""
