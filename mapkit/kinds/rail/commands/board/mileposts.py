"""Commands of mileposts and junctions."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.core.base import Point, Slug
from mapkit.core.names import joined_id
from mapkit.document.command import Makes, Names
from mapkit.kinds.rail.commands.board.base import (
    ElementCommand,
    JunctionId,
    Lat,
    Lon,
    MilepostId,
    Name,
    Place,
    RailroadId,
    milepost,
    node,
    railroad,
)
from mapkit.kinds.rail.commands.board.lines import cut, length, nearest, point_at, rounded
from mapkit.kinds.rail.commands.board.pieces import THROUGH, Line, add_piece, drop_piece, line_of, rows, tracks, way
from mapkit.kinds.rail.commands.command import CommandError, Draft, command
from mapkit.kinds.rail.tables import City, Junction, Milepost, Track


def _new(draft: Draft, ident: str, name: str, point: Point) -> None:
    if ident in draft.table("mileposts") or ident in draft.table("junctions"):
        raise CommandError(f"there is a milepost or junction {ident!r} already; choose another id")
    draft.put("mileposts", ident, Milepost(name=name, lon=point[0], lat=point[1]))


@command("elements")
class AddMilepost(ElementCommand):
    """A new milepost, off any track yet; `add-segment` and `add-line` lead track to it."""

    kind: Literal["add-milepost"] = "add-milepost"
    id: Annotated[Slug, Makes("milepost")]
    name: Name
    lon: Lon
    lat: Lat

    def change(self, draft: Draft) -> str:
        """Plan it."""
        _new(draft, self.id, self.name, rounded(self.lon, self.lat))
        return f"Add milepost {self.name}"


@command("elements")
class RenameMilepost(ElementCommand):
    """Show a milepost under another name; its id stays."""

    kind: Literal["rename-milepost"] = "rename-milepost"
    id: MilepostId
    name: Name
    was: str | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = milepost(draft, self.id)
        if self.was is not None and found.name != self.was:
            raise CommandError(f"milepost {self.id!r} is called {found.name!r}, not {self.was!r}; correct `was`")
        draft.update("mileposts", self.id, name=self.name)
        return f"Rename {found.name} to {self.name}"


@command("elements")
class MoveMilepost(ElementCommand):
    """Move a milepost; the ends of its track follow."""

    kind: Literal["move-milepost"] = "move-milepost"
    id: MilepostId
    lon: Lon
    lat: Lat
    was: Place | None = None

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = milepost(draft, self.id)
        if self.was is not None and rounded(*self.was) != (found.lon, found.lat):
            raise CommandError(
                f"milepost {self.id!r} stands at {found.lon:g}, {found.lat:g}, not at {self.was[0]:g}, "
                f"{self.was[1]:g}; correct `was`"
            )
        lon, lat = rounded(self.lon, self.lat)
        draft.update("mileposts", self.id, lon=lon, lat=lat)
        for arm in tracks(draft).at.get(self.id, ()):
            draft.stamp("track", arm)
        return f"Move {found.name}"


@command("elements")
class RemoveMilepost(ElementCommand):
    """Remove a milepost that is not a city's.

    `join` leads each railroad's track on through the place: two arms become one piece, more meet in a junction; an end
    of track goes. `remove` takes all its track away.
    """

    kind: Literal["remove-milepost"] = "remove-milepost"
    id: MilepostId
    track: Literal["join", "remove"] = "join"

    def change(self, draft: Draft) -> str:
        """Plan it."""
        found = milepost(draft, self.id)
        for key, city in draft.rows("cities", City).items():
            if city.milepost == self.id:
                raise CommandError(f"milepost {self.id!r} is that of the city {key!r}; remove the city first")
        index = tracks(draft)
        for owner in sorted({rows(draft)[p].railroad for p in index.arms(self.id)}):
            arms = index.arms(self.id, owner)
            loops = [p for p in arms if rows(draft)[p].a == rows(draft)[p].b]
            for ident in arms if self.track == "remove" or len(arms) == 1 else loops:
                drop_piece(draft, ident)
            arms = index.arms(self.id, owner)
            if len(arms) == 1:
                drop_piece(draft, arms[0])
            elif len(arms) == THROUGH:
                one, other = (_from(drop_piece(draft, arm), self.id) for arm in arms)
                add_piece(draft, owner, (*one[1][::-1], (found.lon, found.lat), *other[1]), one[0], other[0])
            elif arms:
                self._junction(draft, owner, found, arms)
        draft.drop("mileposts", self.id)
        return f"Remove milepost {found.name}"

    def _junction(self, draft: Draft, owner: str, at: Milepost, arms: list[str]) -> None:
        ident = joined_id(owner, self.id)
        if ident in draft.table("junctions"):
            raise CommandError(
                f"its track cannot join in a junction, there is one {ident!r} already; use track = remove"
            )
        draft.put("junctions", ident, Junction(railroad=owner, lon=at.lon, lat=at.lat))
        for arm in arms:
            far, bends = _from(drop_piece(draft, arm), self.id)
            add_piece(draft, owner, bends, ident, far)


def _from(found: Track, at: str) -> tuple[str, Line]:
    """Return the far end of a piece, and its bends from the near one."""
    return (found.b, found.bends) if found.a == at else (found.a, found.bends[::-1])


@command("elements")
class InsertMilepost(ElementCommand):
    """Cut segments in two at a new milepost: one of each railroad that runs there.

    Without a position it stands on the first segment's line, at the share `at` of its length from `a`.
    """

    kind: Literal["insert-milepost"] = "insert-milepost"
    id: Annotated[Slug, Makes("milepost")]
    name: Name
    segments: Annotated[tuple[Slug, ...], Field(min_length=1, max_length=100_000), Names("segments")]
    at: float = Field(default=0.5, gt=0, lt=1)
    lon: Lon | None = None
    lat: Lat | None = None

    @model_validator(mode="after")
    def _whole_position(self) -> Self:
        if (self.lon is None) != (self.lat is None):
            raise ValueError("give lon and lat, or neither")
        return self

    def change(self, draft: Draft) -> str:
        """Plan it."""
        cuts: list[str] = []
        point: Point | None = None if self.lon is None or self.lat is None else rounded(self.lon, self.lat)
        for ident in self.segments:
            _, (a, _, pieces) = way(draft, ident)
            if point is None:
                point = _on(draft, a, pieces, self.at)
            chosen = pieces[0]
            if len(pieces) > 1:
                chosen = min((nearest(line_of(draft, rows(draft)[p]), point), p) for p in pieces)[1]
            if chosen in cuts:
                raise CommandError(f"segment {ident!r} stands on track that is cut already; name it once")
            cuts.append(chosen)
        if point is None:  # segments has one at least
            raise CommandError("no segment is named")
        _new(draft, self.id, self.name, point)
        for ident in cuts:
            found = rows(draft)[ident]
            line = line_of(draft, found)
            if point in (line[0], line[-1]):
                raise CommandError(f"the place of {self.id!r} is an end of {ident!r}; choose one between its ends")
            drop_piece(draft, ident)
            before, after = cut(line, point)
            add_piece(draft, found.railroad, before[1:-1], found.a, self.id)
            add_piece(draft, found.railroad, after[1:-1], self.id, found.b)
        return f"Insert milepost {self.name}"


def _on(draft: Draft, start: str, pieces: tuple[str, ...], share: float) -> Point:
    """Return the place at a share of a segment, which may run over several pieces."""
    at, lines = start, []
    for ident in pieces:
        found = rows(draft)[ident]
        line = line_of(draft, found)
        lines.append(line if found.a == at else line[::-1])
        at = found.b if found.a == at else found.a
    lengths = [length(line) for line in lines]
    left = share * sum(lengths)
    for line, own in zip(lines, lengths, strict=True):
        if left <= own:
            return point_at(line, left / own if own else 0.0)
        left -= own
    return lines[-1][-1]


@command("elements")
class AddJunction(ElementCommand):
    """A free junction of a railroad off any milepost (RB-C10); `add-piece` leads track to it."""

    kind: Literal["add-junction"] = "add-junction"
    id: Annotated[Slug, Makes("junction")]
    railroad: RailroadId
    lon: Lon
    lat: Lat

    def change(self, draft: Draft) -> str:
        """Plan it."""
        railroad(draft, self.railroad)
        if self.id in draft.table("junctions") or self.id in draft.table("mileposts"):
            raise CommandError(f"there is a milepost or junction {self.id!r} already; choose another id")
        lon, lat = rounded(self.lon, self.lat)
        draft.put("junctions", self.id, Junction(railroad=self.railroad, lon=lon, lat=lat))
        return f"Add junction {self.id}"


@command("elements")
class RemoveJunction(ElementCommand):
    """Remove a junction that no track uses any more."""

    kind: Literal["remove-junction"] = "remove-junction"
    id: JunctionId

    def change(self, draft: Draft) -> str:
        """Plan it."""
        if self.id not in draft.table("junctions"):
            node(draft, self.id)
            raise CommandError(f"{self.id!r} is a milepost; use remove-milepost")
        arms = tracks(draft).arms(self.id)
        if arms:
            raise CommandError(f"junction {self.id!r} still joins {', '.join(arms)}; remove these pieces first")
        draft.drop("junctions", self.id)
        return f"Remove junction {self.id}"
