"""What a check is, and helpers that every topic uses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from mapkit.model.board import Board, Milepost
from mapkit.model.findings import Finding, Place, Severity

NOWHERE = Place()
Node = TypeVar("Node", str, tuple[str, str])
"""A milepost (id), or one of a railroad's own."""


@dataclass(frozen=True)
class Check:
    """One check: its code, what it looks for, how bad a finding is, and the codes that must pass first."""

    code: str
    title: str
    severity: Severity
    find: Callable[["Checked"], Iterable["Found"]]
    needs: tuple[str, ...] = ()

    def run(self, board: Board) -> Iterable[Finding]:
        """Yield the findings on a board."""
        return self.judge(Checked(board))

    def judge(self, checked: "Checked") -> Iterator[Finding]:
        """Yield the findings on a board with its look-ups."""
        for found in self.find(checked):
            yield Finding(
                code=self.code,
                severity=self.severity,
                elements=found.elements,
                place=found.place,
                message=found.message,
                data=dict(found.data or {}),
            )


@dataclass(frozen=True)
class Found:
    """What a check has to say about some elements."""

    message: str
    elements: tuple[str, ...]
    place: Place = NOWHERE
    data: Mapping[str, Any] | None = None


class Link(NamedTuple):
    """A segment without the way that it takes: its id, its railroad, and the mileposts that it joins, all ids."""

    id: str
    railroad: str
    a: str
    b: str


def links_of(board: Board) -> tuple[Link, ...]:
    """Return what the segments of a board join."""
    return tuple(map(Link._make, map(attrgetter("id", "railroad", "a", "b"), board.segments)))


def ties_of(board: Board) -> tuple[tuple[str, str], ...]:
    """Return what the pieces of a board's track join."""
    return tuple(map(attrgetter("a", "b"), board.pieces))


def names_of(board: Board) -> Mapping[str, str]:
    """Return the names of a board's mileposts by id."""
    return dict(map(attrgetter("id", "name"), board.mileposts))


@dataclass(frozen=True)
class Checked:
    """A board with the look-ups that checks need.

    A check that asks for as little as it needs (`links`, not segments with their ways) is run again less often in the
    editor.
    """

    board: Board

    @cached_property
    def mileposts(self) -> Mapping[str, Milepost]:
        """Mileposts by id."""
        return {m.id: m for m in self.board.mileposts}

    @cached_property
    def short(self) -> Mapping[str, str]:
        """Reporting marks of the railroads by id."""
        return {railroad.id: railroad.short for railroad in self.board.railroads}

    @cached_property
    def city_names(self) -> Mapping[str, str]:
        """Names of the cities by id."""
        return {city.id: city.name for city in self.board.cities}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Names of the mileposts by id."""
        return names_of(self.board)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """What segments join, wherever they run."""
        return links_of(self.board)

    @cached_property
    def ties(self) -> tuple[tuple[str, str], ...]:
        """What the pieces of track join, mileposts and junctions by id, in order."""
        return ties_of(self.board)

    @cached_property
    def links_at(self) -> Mapping[str, list[Link]]:
        """Links by milepost; a loop stands once."""
        out: dict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            out[link.a].append(link)
            if link.b != link.a:
                out[link.b].append(link)
        return out

    @cached_property
    def cities_at(self) -> Mapping[str, list[str]]:
        """Ids of the cities by milepost."""
        out: dict[str, list[str]] = defaultdict(list)
        for city in self.board.cities:
            out[city.milepost].append(city.id)
        return out

    def place(self, kind: str, ident: str, *, at: str | None = None) -> Place:
        """Return where an element was written down, and where it lies (`at`: a milepost's id)."""
        origin = self.board.provenance.elements.get(kind, {}).get(ident)
        milepost = self.mileposts.get(at if at is not None else ident)
        return Place(
            file=origin.file if origin else None,
            row=origin.row if origin else None,
            lon=milepost.lon if milepost else None,
            lat=milepost.lat if milepost else None,
        )


def components(pairs: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """Return the connected components of an undirected graph, largest first, each sorted."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - heavy
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    number: dict[Node, int] = {}
    ends = [number.setdefault(node, len(number)) for pair in pairs for node in pair]
    size = len(number)
    graph = coo_array(([True] * (len(ends) // 2), (ends[::2], ends[1::2])), shape=(size, size))
    count, labels = connected_components(graph, directed=False)
    parts: list[list[Node]] = [[] for _ in range(count)]
    for node, label in zip(number, labels.tolist(), strict=True):
        parts[label].append(node)
    for part in parts:
        part.sort()
    return sorted(parts, key=lambda p: (-len(p), p))
