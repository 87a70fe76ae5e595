"""Class of checks, and helpers for every topic."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from mapkit.core.checks import Found
from mapkit.core.findings import Finding, Place, Severity
from mapkit.kinds.rail.checks.table import load_check_rows
from mapkit.kinds.rail.model.board import Board, Milepost, Piece, Segment

T = TypeVar("T")


@dataclass(frozen=True)
class Check:
    """Check: its code, title, severity, search function, codes that must pass first, and measure."""

    code: str
    name: str
    title: str
    severity: Severity
    find: Callable[["CheckedRails"], Iterable[Found]]
    needs: tuple[str, ...] = ()
    measure: str = ""

    def run(self, board: Board) -> Iterable[Finding]:
        """Yield the findings on a board."""
        return self.judge(CheckedRails(board))

    def judge(self, checked: "CheckedRails") -> Iterator[Finding]:
        """Yield the findings on a board with its look-ups."""
        plane = checked.board.projection.plane
        for raw_finding in self.find(checked):
            finding = raw_finding.finding(self)
            yield (
                finding if plane is None else finding.model_copy(update={"message": plane.describe(finding.message)})
            )


def make_listed_check(code: str, find: Callable[["CheckedRails"], Iterable[Found]]) -> Check:
    """Make a check from a code, with its title, severity, needs and measure from `checks.toml`."""
    check_row = load_check_rows()[code]
    return Check(code, check_row.name, check_row.title, check_row.severity, find, check_row.needs, check_row.measure)


class Link(NamedTuple):
    """Ends of a segment or piece without its geometry: its id, its railroad, and the nodes that it joins, all ids."""

    id: str
    railroad: str
    a: str
    b: str


Links = tuple[Link, ...]


def make_links(track: Iterable[Segment | Piece]) -> Links:
    """Return the links of segments or pieces."""
    return tuple(map(Link._make, map(attrgetter("id", "railroad", "a", "b"), track)))


def group_by_railroad(links: Iterable[Link]) -> Mapping[str, Links]:
    """Return links by railroad; railroads without track are left out."""
    link_lists: dict[str, list[Link]] = defaultdict(list)
    for link in links:
        link_lists[link.railroad].append(link)
    return {railroad: tuple(railroad_links) for railroad, railroad_links in link_lists.items()}


def group_by_node(links: Iterable[Link]) -> Mapping[str, Links]:
    """Return links by the nodes that they join, sorted by id; a loop is listed once."""
    link_lists: dict[str, list[Link]] = defaultdict(list)
    for link in sorted(links):
        _, _, a, b = link
        link_lists[a].append(link)
        if b != a:
            link_lists[b].append(link)
    return {node: tuple(node_links) for node, node_links in link_lists.items()}


@dataclass(frozen=True)
class CheckedRails:
    """Board with the look-ups for checks.

    The editor reruns a check only when its inputs changed, so a check should read as little as it needs (`links_at` of
    some mileposts, not segments with their geometry).
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
        """Links of segments by railroad, wherever they run; railroads without track are left out."""
        return group_by_railroad(make_links(self.board.segments))

    @cached_property
    def links_at(self) -> Mapping[str, Links]:
        """Links of segments by milepost."""
        return group_by_node(chain.from_iterable(self.links_by_railroad.values()))

    @cached_property
    def ties_by_railroad(self) -> Mapping[str, Links]:
        """Links of track pieces by railroad."""
        return group_by_railroad(make_links(self.board.pieces))

    @cached_property
    def ties_at(self) -> Mapping[str, Links]:
        """Links of track pieces by milepost or junction."""
        return group_by_node(chain.from_iterable(self.ties_by_railroad.values()))

    def of_railroads(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return the results of a function of the links of each railroad.

        Args:
            find: A module-level function of these links alone; the editor calls it only where links changed.
        """
        return {railroad: find(links) for railroad, links in self.links_by_railroad.items()}

    def of_ties(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return the results of a function of the ties of each railroad, as `of_railroads` does."""
        return {railroad: find(ties) for railroad, ties in self.ties_by_railroad.items()}

    def of_part(self, name: str, find: Callable[[Any], T]) -> T:
        """Return the result of a module-level function of one part of the board alone, as `of_railroads` does."""
        return find(getattr(self.board, name))

    @cached_property
    def cities_at(self) -> Mapping[str, list[str]]:
        """Ids of the cities by milepost."""
        city_ids: dict[str, list[str]] = defaultdict(list)
        for city in self.board.cities:
            city_ids[city.milepost].append(city.id)
        return dict(city_ids)

    def place(self, kind: str, ident: str, *, at: str | None = None) -> Place:
        """Return the source file and row of an element, and its location (`at`: the id of a milepost)."""
        origin = self.board.provenance.elements.get(kind, {}).get(ident)
        milepost = self.mileposts.get(at if at is not None else ident)
        return Place(
            file=origin.file if origin else None,
            row=origin.row if origin else None,
            lon=milepost.lon if milepost else None,
            lat=milepost.lat if milepost else None,
        )
