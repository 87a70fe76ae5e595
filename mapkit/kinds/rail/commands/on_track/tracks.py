"""Index of a draft's track pieces by end and railroad, and of the segments over them."""

from collections import defaultdict
from typing import Any, ClassVar, Self

from mapkit.document.document import Row
from mapkit.document.draft import Draft, Index
from mapkit.kinds.rail.compiler.rows import Way, ways_of
from mapkit.kinds.rail.tables import Junction, Track


class TrackIndex(Index):
    """Pieces of a draft by end and by railroad, and the segments of each railroad."""

    tables: ClassVar[tuple[str, ...]] = ("track", "junctions")

    def __init__(self, draft: Draft[Any]) -> None:
        self._draft = draft
        self._ways: dict[str, dict[str, Way]] = {}
        self.at: dict[str, set[str]] = defaultdict(set)
        self.of_railroad: dict[str, set[str]] = defaultdict(set)
        for key, row in draft.rows("track", Track).items():
            self._add_piece(key, row)

    @classmethod
    def of(cls, draft: Draft[Any]) -> Self:
        """Return the index of the current draft."""
        return cls(draft)

    def change(self, table: str, key: str, old_row: Row | None, after: Row | None) -> None:
        """Update the index for a changed piece or junction."""
        for row in (old_row, after):
            if isinstance(row, (Track, Junction)):
                self._ways.pop(row.railroad, None)
        if table != "track":
            return
        if isinstance(old_row, Track):
            self.at[old_row.a].discard(key)
            self.at[old_row.b].discard(key)
            self.of_railroad[old_row.railroad].discard(key)
        if isinstance(after, Track):
            self._add_piece(key, after)

    def _add_piece(self, key: str, row: Track) -> None:
        self.at[row.a].add(key)
        self.at[row.b].add(key)
        self.of_railroad[row.railroad].add(key)

    def arms(self, node: str, railroad: str | None = None) -> list[str]:
        """Return the pieces at a milepost or junction, sorted; of one railroad, or all."""
        rows = self._draft.rows("track", Track)
        return sorted(p for p in self.at.get(node, ()) if railroad is None or rows[p].railroad == railroad)

    def ways(self, railroad: str) -> dict[str, Way]:
        """Return the segments of a railroad by id, derived from its pieces."""
        railroad_ways = self._ways.get(railroad)
        if railroad_ways is None:
            rows = self._draft.rows("track", Track)
            railroad_pieces = ((ident, rows[ident]) for ident in self.of_railroad.get(railroad, ()))
            railroad_ways = self._ways[railroad] = ways_of(railroad, railroad_pieces, self._draft.table("junctions"))
        return railroad_ways
