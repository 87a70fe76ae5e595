"""Shared look-ups of checks as tracked functions, so that a check runs again only after a change of its look-ups.

Parts of a board are compared as a whole, look-ups by id only for those ids that were asked for, and what checks seek in
the links of a railroad is sought again only where those links changed.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

from mapkit.core.findings import Finding
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.checks import CHECKS
from mapkit.kinds.rail.checks.check import CheckedRails, Links, group_by_node, make_links
from mapkit.kinds.rail.compiler.assembling import compile_board
from mapkit.kinds.rail.compiler.cities import board_cities
from mapkit.kinds.rail.compiler.network import railroads_with_track
from mapkit.kinds.rail.compiler.on_page import draw_track, mileposts_by_id
from mapkit.kinds.rail.model.board import Board

T = TypeVar("T")
Find = Callable[[Links], T]
CHECK_BY_CODE = {check.code: check for check in CHECKS}


@dataclass(frozen=True)
class CheckRun:
    """Findings of a check, or its crash."""

    found: tuple[Finding, ...] = ()
    crashed: Exception | None = None


@tracked
def run_check(db: Reader, code: str) -> CheckRun:
    """Run a check on the board of a document."""
    try:
        return CheckRun(tuple(CHECK_BY_CODE[code].judge(_Looked(db))))
    except Exception as error:  # noqa: BLE001 - run_checks reports it
        return CheckRun(crashed=error)


@tracked
def board_part(db: Reader, name: str) -> Any:  # noqa: ANN401 - parts of a board
    """Return one part of a board."""
    return getattr(compile_board(db), name)


@tracked
def _names(db: Reader) -> Mapping[str, str]:
    return {ident: milepost.name for ident, milepost in mileposts_by_id(db).items()}


@tracked
def _cities_at(db: Reader) -> Mapping[str, list[str]]:
    parts: dict[str, Any] = {"cities": board_cities(db)}
    return CheckedRails(Board.model_construct(**parts)).cities_at


@tracked
def _city_names(db: Reader) -> Mapping[str, str]:
    return {city.id: city.name for city in board_cities(db)}


@tracked
def _short(db: Reader) -> Mapping[str, str]:
    return {railroad.id: railroad.short for railroad in board_part(db, "railroads")}


@tracked
def _joins(db: Reader, kind: str, railroad: str) -> Links:
    """Return the ends of a railroad's segments or pieces."""
    return make_links(getattr(draw_track(db, railroad), kind))


@tracked
def _joins_at(db: Reader, kind: str, railroad: str) -> Mapping[str, Links]:
    return group_by_node(_joins(db, kind, railroad))


@tracked
def _all_joins(db: Reader, kind: str) -> Mapping[str, Links]:
    """Return the ends of segments or pieces by railroad; one without track is left out."""
    found = {railroad: _joins(db, kind, railroad) for railroad in railroads_with_track(db)}
    return {railroad: links for railroad, links in found.items() if links}


@tracked
def _all_joins_at(db: Reader, kind: str) -> Mapping[str, Links]:
    """Return segments or pieces by milepost or junction, sorted by id."""
    out: dict[str, Links] = {}
    shared: dict[str, list[Links]] = defaultdict(list)
    for railroad in railroads_with_track(db):
        for node, links in _joins_at(db, kind, railroad).items():
            if out.setdefault(node, links) is not links:
                shared[node].append(links)
    for node, more in shared.items():
        out[node] = tuple(sorted((*out[node], *(link for links in more for link in links))))
    return out


@tracked
def _sought_in(db: Reader, kind: str, find: Find[Any], railroad: str) -> Any:  # noqa: ANN401 - whatever is sought
    return find(_joins(db, kind, railroad))


@tracked
def _sought(db: Reader, kind: str, find: Find[Any]) -> Mapping[str, Any]:
    """Return the result of a function on the links of each railroad."""
    return {railroad: _sought_in(db, kind, find, railroad) for railroad in _all_joins(db, kind)}


@tracked
def _sought_in_part(db: Reader, name: str, find: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - whatever is sought
    """Return the result of a function on one part of a board."""
    return find(board_part(db, name))


class _Parts:
    """Board that records its reads, part by part."""

    def __init__(self, db: Reader) -> None:
        self._db = db

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - parts of a board
        found = self.__dict__[name] = board_part(self._db, name)
        return found


class _Looked(CheckedRails):
    """Look-ups of the evaluator."""

    def __init__(self, db: Reader) -> None:
        super().__init__(cast("Board", _Parts(db)))
        object.__setattr__(self, "db", db)

    db: Reader

    def of_railroads(self, find: Find[T]) -> Mapping[str, T]:
        """Return the result of a function on the links of each railroad."""
        return _sought(self.db, "segments", find)

    def of_ties(self, find: Find[T]) -> Mapping[str, T]:
        """Return the result of a function on the ties of each railroad."""
        return _sought(self.db, "pieces", find)

    def of_part(self, name: str, find: Callable[[Any], T]) -> T:
        """Return the result of a function of one part of the board."""
        return cast("T", _sought_in_part(self.db, name, find))

    @cached_property
    def mileposts(self) -> Any:  # noqa: ANN401 - as `Checked` has it; likewise the others
        return self.db.lookup(mileposts_by_id)

    @cached_property
    def names(self) -> Any:  # noqa: ANN401
        return self.db.lookup(_names)

    @cached_property
    def links_at(self) -> Any:  # noqa: ANN401
        return self.db.lookup(_all_joins_at, "segments")

    @cached_property
    def ties_at(self) -> Any:  # noqa: ANN401
        return self.db.lookup(_all_joins_at, "pieces")

    @cached_property
    def cities_at(self) -> Any:  # noqa: ANN401
        return self.db.lookup(_cities_at)

    @cached_property
    def links_by_railroad(self) -> Any:  # noqa: ANN401
        return _all_joins(self.db, "segments")

    @cached_property
    def ties_by_railroad(self) -> Any:  # noqa: ANN401
        return _all_joins(self.db, "pieces")

    @cached_property
    def short(self) -> Any:  # noqa: ANN401
        return _short(self.db)

    @cached_property
    def city_names(self) -> Any:  # noqa: ANN401
        return _city_names(self.db)
