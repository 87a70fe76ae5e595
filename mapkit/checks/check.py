"""What a check is, and helpers that every topic uses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapkit.model.board import Board, Milepost, Segment
from mapkit.model.findings import Finding, Place, Severity

NOWHERE = Place()


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


@dataclass(frozen=True)
class Checked:
    """A board with the look-ups that checks need."""

    board: Board

    @cached_property
    def mileposts(self) -> dict[str, Milepost]:
        """Mileposts by id."""
        return {m.id: m for m in self.board.mileposts}

    @cached_property
    def short(self) -> dict[str, str]:
        """Reporting marks of the railroads by id."""
        return {railroad.id: railroad.short for railroad in self.board.railroads}

    @cached_property
    def city_names(self) -> dict[str, str]:
        """Names of the cities by id."""
        return {city.id: city.name for city in self.board.cities}

    @cached_property
    def segments_at(self) -> dict[str, list[Segment]]:
        """Segments by milepost; a loop stands once."""
        out: dict[str, list[Segment]] = defaultdict(list)
        for segment in self.board.segments:
            out[segment.a].append(segment)
            if segment.b != segment.a:
                out[segment.b].append(segment)
        return out

    @cached_property
    def cities_at(self) -> dict[str, list[str]]:
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


def components(pairs: Iterable[tuple[str, str]], alone: Iterable[str] = ()) -> list[list[str]]:
    """Return the connected components of an undirected graph, largest first, each sorted."""
    near: dict[str, list[str]] = {node: [] for node in alone}
    for one, other in pairs:
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    seen: set[str] = set()
    parts: list[list[str]] = []
    for start in near:
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for node in part:  # grows while it is gone through
            for other in near[node]:
                if other not in seen:
                    seen.add(other)
                    part.append(other)
        parts.append(sorted(part))
    return sorted(parts, key=lambda p: (-len(p), p))
