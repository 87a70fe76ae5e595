"""What a check is, and helpers that every topic uses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, TypeVar

from mapkit.core.checks import Found
from mapkit.core.findings import Finding, Place, Severity
from mapkit.kinds.rail.checks.table import check_rows
from mapkit.kinds.rail.model.board import Board, Milepost, Piece, Segment

T = TypeVar("T")


@dataclass(frozen=True)
class Check:
    """One check: its code, what it looks for, how bad a finding is, the codes that must pass first, its measure."""

    code: str
    name: str
    title: str
    severity: Severity
    find: Callable[["Checked"], Iterable[Found]]
    needs: tuple[str, ...] = ()
    measure: str = ""

    def run(self, board: Board) -> Iterable[Finding]:
        """Yield the findings on a board."""
        return self.judge(Checked(board))

    def judge(self, checked: "Checked") -> Iterator[Finding]:
        """Yield the findings on a board with its look-ups."""
        for found in self.find(checked):
            yield found.finding(self)


def listed(code: str, find: Callable[["Checked"], Iterable[Found]]) -> Check:
    """Return the check of a code, with its title, severity, needs and measure as in `checks.toml`."""
    row = check_rows()[code]
    return Check(code, row.name, row.title, row.severity, find, row.needs, row.measure)


class Link(NamedTuple):
    """A segment or piece without the way that it takes: its id, its railroad, and the nodes that it joins, all ids."""

    id: str
    railroad: str
    a: str
    b: str


Links = tuple[Link, ...]


def links_of(track: Iterable[Segment | Piece]) -> Links:
    """Return what segments or pieces join."""
    return tuple(map(Link._make, map(attrgetter("id", "railroad", "a", "b"), track)))


def by_railroad(links: Iterable[Link]) -> Mapping[str, Links]:
    """Return links by railroad; one without track is left out."""
    out: dict[str, list[Link]] = defaultdict(list)
    for link in links:
        out[link.railroad].append(link)
    return {railroad: tuple(own) for railroad, own in out.items()}


def by_node(links: Iterable[Link]) -> Mapping[str, Links]:
    """Return links by what they join, sorted by id; a loop stands once."""
    out: dict[str, list[Link]] = defaultdict(list)
    for link in sorted(links):
        _, _, a, b = link
        out[a].append(link)
        if b != a:
            out[b].append(link)
    return {node: tuple(own) for node, own in out.items()}


@dataclass(frozen=True)
class Checked:
    """A board with the look-ups that checks need.

    A check that asks for as little as it needs (`links_at` of some mileposts, not segments with their ways) is run
    again less often in the editor.
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
        return dict(map(attrgetter("id", "name"), self.board.mileposts))

    @cached_property
    def links_by_railroad(self) -> Mapping[str, Links]:
        """What segments join, wherever they run, by railroad; one without track is left out."""
        return by_railroad(links_of(self.board.segments))

    @cached_property
    def links_at(self) -> Mapping[str, Links]:
        """What segments join, by milepost."""
        return by_node(chain.from_iterable(self.links_by_railroad.values()))

    @cached_property
    def ties_by_railroad(self) -> Mapping[str, Links]:
        """What the pieces of track join, by railroad."""
        return by_railroad(links_of(self.board.pieces))

    @cached_property
    def ties_at(self) -> Mapping[str, Links]:
        """What the pieces of track join, by milepost or junction."""
        return by_node(chain.from_iterable(self.ties_by_railroad.values()))

    def of_railroads(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return what a function finds in the links of each railroad.

        Args:
            find: A function of a module that looks at nothing else, for the editor asks it only where links changed.
        """
        return {railroad: find(links) for railroad, links in self.links_by_railroad.items()}

    def of_ties(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return what a function finds in the ties of each railroad; as `of_railroads`."""
        return {railroad: find(ties) for railroad, ties in self.ties_by_railroad.items()}

    @cached_property
    def cities_at(self) -> Mapping[str, list[str]]:
        """Ids of the cities by milepost."""
        out: dict[str, list[str]] = defaultdict(list)
        for city in self.board.cities:
            out[city.milepost].append(city.id)
        return dict(out)

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
