"""Track element by element: the tables of junctions and pieces, and the segments that follow from them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from mapkit.core.names import joined_id, slug
from mapkit.document.document import Row, RowOrigin
from mapkit.document.draft import Draft, Index
from mapkit.kinds.rail.model.network import NetworkPiece
from mapkit.kinds.rail.model.network import Origin as NetworkOrigin
from mapkit.kinds.rail.tables import City, Junction, RailDocument, Track
from mapkit.kinds.rail.trace.segments import segments_of

Way = tuple[str, str, tuple[str, ...]]
"""A segment: its mileposts and pieces."""

_ORIGIN = NetworkOrigin(how="variant")


def ways_of(railroad: str, pieces: Iterable[tuple[str, Track]], junctions: Mapping[str, object]) -> dict[str, Way]:
    """Number the segments of a railroad as tracing does; only pieces at junctions need its walk.

    Args:
        railroad: Whose.
        pieces: Its pieces by id.
        junctions: Ids of junctions, of all railroads.
    """
    found: list[Way] = []
    through: list[NetworkPiece] = []
    for ident, piece in pieces:
        if piece.a in junctions or piece.b in junctions:
            through.append(
                NetworkPiece.model_construct(
                    id=ident, railroad=railroad, a=piece.a, b=piece.b, miles=0.0, line=(), origin=_ORIGIN
                )
            )
        else:
            found.append((piece.a, piece.b, (ident,)))
    if through:
        through.sort(key=lambda p: p.id)
        found.extend((s.a, s.b, s.pieces) for s in segments_of(through, junctions.keys()))
    found.sort(key=lambda way: (way[0], way[1], len(way[2]), way[2]))
    count: Counter[str] = Counter()
    out: dict[str, Way] = {}
    for way in found:
        ident = joined_id(railroad, way[0], way[1])
        count[ident] += 1
        out[ident if count[ident] == 1 else f"{ident}--{count[ident]}"] = way
    return out


class Tracks(Index):
    """The pieces of a draft by their ends and by railroad, and the segments of each railroad."""

    tables: ClassVar[tuple[str, ...]] = ("track", "junctions")

    def __init__(self, draft: Draft[Any]) -> None:
        self._draft = draft
        self._ways: dict[str, dict[str, Way]] = {}
        self.at: dict[str, set[str]] = defaultdict(set)
        self.of_railroad: dict[str, set[str]] = defaultdict(set)
        for key, row in draft.rows("track", Track).items():
            self._enter(key, row)

    @classmethod
    def of(cls, draft: Draft[Any]) -> Self:
        """Return the index of a draft as it is now."""
        return cls(draft)

    def change(self, table: str, key: str, before: Row | None, after: Row | None) -> None:
        """Follow a piece or junction."""
        for row in (before, after):
            if isinstance(row, (Track, Junction)):
                self._ways.pop(row.railroad, None)
        if table != "track":
            return
        if isinstance(before, Track):
            self.at[before.a].discard(key)
            self.at[before.b].discard(key)
            self.of_railroad[before.railroad].discard(key)
        if isinstance(after, Track):
            self._enter(key, after)

    def _enter(self, key: str, row: Track) -> None:
        self.at[row.a].add(key)
        self.at[row.b].add(key)
        self.of_railroad[row.railroad].add(key)

    def arms(self, node: str, railroad: str | None = None) -> list[str]:
        """Return the pieces at a milepost or junction, sorted; of one railroad, or all."""
        rows = self._draft.rows("track", Track)
        return sorted(p for p in self.at.get(node, ()) if railroad is None or rows[p].railroad == railroad)

    def ways(self, railroad: str) -> dict[str, Way]:
        """Return the segments of a railroad by id, as they follow from its pieces."""
        found = self._ways.get(railroad)
        if found is None:
            rows = self._draft.rows("track", Track)
            own = ((ident, rows[ident]) for ident in self.of_railroad.get(railroad, ()))
            found = self._ways[railroad] = ways_of(railroad, own, self._draft.table("junctions"))
        return found


def network_origin(origin: RowOrigin | None) -> NetworkOrigin:
    """Return the origin of a row as a board says it."""
    if origin is None:
        return NetworkOrigin(how="table")
    how = "table" if origin.how == "file" else origin.how
    values = {"how": how, "file": origin.file, "row": origin.row, "feature": origin.feature}
    return NetworkOrigin.model_validate({key: value or None for key, value in values.items()})


def row_origin(origin: NetworkOrigin) -> RowOrigin:
    """Return what a board says of an element as the origin of its row."""
    return RowOrigin(file=origin.file or "", row=origin.row or 0, how=origin.how, feature=origin.feature or "")


def milepost_of(document: RailDocument, city: City) -> str:
    """Return the id of the milepost at which a city stands."""
    return city.milepost if city.milepost in document.mileposts else slug(city.milepost_name)
