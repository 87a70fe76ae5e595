"""Track pieces of a draft: adding, removing, giving away; the segments that they make."""

from collections.abc import Sequence

from mapkit.core.base import Point
from mapkit.core.names import joined_id
from mapkit.kinds.rail.commands.board.base import gone, node, place, railroad
from mapkit.kinds.rail.commands.board.lines import rounded
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.explicit.track import Tracks, Way
from mapkit.kinds.rail.tables import Junction, Railroad, Track

THROUGH = 2
"""As many arms as a line that runs on has."""
Line = tuple[Point, ...]


def rows(draft: Draft) -> "dict[str, Track]":
    """Return all pieces by id."""
    return draft.rows("track", Track)  # type: ignore[return-value]


def tracks(draft: Draft) -> Tracks:
    """Return the pieces by their ends and railroads."""
    return draft.index(Tracks)


def piece(draft: Draft, ident: str) -> Track:
    """Return a track piece.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    return rows(draft).get(ident) or gone("piece", ident, rows(draft))


def way(draft: Draft, segment: str) -> tuple[str, Way]:
    """Return a segment's railroad, and its mileposts and pieces.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    junctions = draft.table("junctions")
    found = rows(draft).get(segment)
    if (
        found is not None
        and segment == joined_id(found.railroad, found.a, found.b)
        and found.a not in junctions
        and found.b not in junctions
    ):
        return found.railroad, (found.a, found.b, (segment,))  # the first that numbering would give
    index = tracks(draft)
    owner = segment.split("--", 1)[0]
    if segment in index.ways(owner):
        return owner, index.ways(owner)[segment]
    for other in sorted(draft.table("railroads")):  # an id may have been made by an older rule
        if segment in index.ways(other):
            return other, index.ways(other)[segment]
    known = list(index.ways(owner)) or [i for other in sorted(draft.table("railroads")) for i in index.ways(other)]
    return gone("segment", segment, known)


def line_of(draft: Draft, found: Track) -> Line:
    """Return the line of a piece from end to end; what is done then relies on where its ends stand."""
    return (place(draft, found.a), *found.bends, place(draft, found.b))


def add_piece(draft: Draft, owner: str, bends: Line, a: str, b: str, ident: str | None = None) -> str:
    """Add a track piece, under the id given or the next free one; return the id.

    Raises:
        CommandError: The id is taken.
    """
    if b < a:
        a, b, bends = b, a, bends[::-1]
    name = ident or _free(draft, owner, a, b)
    if name in rows(draft):
        raise CommandError(f"there is a piece {name!r} already; choose another id")
    draft.put("track", name, Track(railroad=owner, a=a, b=b, bends=bends))
    return name


def _free(draft: Draft, owner: str, a: str, b: str) -> str:
    ends = sorted(end.removeprefix(f"{owner}--") for end in (a, b))
    stem = joined_id(owner, ends[0], ends[1])
    name, number = stem, 1
    while name in rows(draft):
        number += 1
        name = f"{stem}--{number}"
    return name


def drop_piece(draft: Draft, ident: str) -> Track:
    """Remove a track piece and return it."""
    found = rows(draft)[ident]
    draft.drop("track", ident)
    return found


def lead(draft: Draft, owner: str, a: str, b: str, line: Sequence[Point] | None, ident: str | None = None) -> None:
    """Add track between two mileposts or junctions, straight or along a line that begins and ends there.

    Raises:
        CommandError: The railroad or an end is not there, or the line ends at another place.
    """
    railroad(draft, owner)
    if line is None:
        for end in (a, b):
            node(draft, end)
        if a == b:
            raise CommandError(f"a segment from {a!r} back to itself needs a line")
        add_piece(draft, owner, (), a, b, ident)
        return
    for given, name in ((line[0], a), (line[-1], b)):
        at = place(draft, name)
        if rounded(*given) != at:
            raise CommandError(
                f"the line has its end at {given[0]:g}, {given[1]:g}, but {name!r} stands at {at[0]:g}, {at[1]:g}; "
                "begin at a and end at b"
            )
    add_piece(draft, owner, tuple(rounded(*point) for point in line[1:-1]), a, b, ident)


def own_pieces(draft: Draft, segments: Sequence[str], *, whole: bool) -> list[str]:
    """Return the pieces that only these segments use; they may be of several railroads.

    Args:
        draft: The draft.
        segments: Ids.
        whole: Whether every piece of them must be only theirs; else one of each segment is enough.

    Raises:
        CommandError: A segment is gone, or shares its track through a junction with one that is not named.
    """
    named: dict[str, tuple[str, ...]] = {}
    railroads: dict[str, set[str]] = {}
    for ident in segments:
        owner, (_, _, named[ident]) = way(draft, ident)
        railroads.setdefault(owner, set()).add(ident)
    others: dict[str, str] = {}
    if any(len(pieces) > 1 for pieces in named.values()):
        for owner, own in sorted(railroads.items()):
            for other, (_, _, pieces) in tracks(draft).ways(owner).items():
                if other not in own:
                    others.update(dict.fromkeys(pieces, other))
    for ident, pieces in named.items():
        shared = [one for one in pieces if one in others]
        if len(shared) == len(pieces) or (whole and shared):
            raise CommandError(
                f"segment {ident!r} shares track with {others[shared[0]]!r} through a junction; name that too"
            )
    return sorted({one for pieces in named.values() for one in pieces if one not in others})


def drop_bare_junctions(draft: Draft) -> None:
    """Remove junctions to which no track leads, and track that ends at one."""
    index = tracks(draft)
    junctions = draft.table("junctions")
    for ident in sorted(junctions):
        at = ident
        while at in draft.table("junctions") and len(index.at.get(at, ())) < THROUGH:
            far = at
            for arm in index.arms(at):
                found = drop_piece(draft, arm)
                far = found.b if found.a == at else found.a
            draft.drop("junctions", at)
            at = far if far != at else ""


def give(draft: Draft, pieces: Sequence[str], owner: str) -> None:
    """Give pieces, with the junctions that only they use, to a railroad.

    Raises:
        CommandError: A junction is used by track that stays.
    """
    chosen = set(pieces)
    nodes = sorted({end for ident in pieces for end in (rows(draft)[ident].a, rows(draft)[ident].b)})
    renamed: dict[str, str] = {}
    for end in nodes:
        junction = draft.rows("junctions", Junction).get(end)
        if junction is None:
            continue
        if tracks(draft).at[end] - chosen:
            raise CommandError(f"junction {end!r} is used by track that stays with {junction.railroad!r}; name it too")
        if junction.railroad != owner:
            renamed[end] = joined_id(owner, end.removeprefix(f"{junction.railroad}--"))
            if renamed[end] in draft.table("junctions"):
                raise CommandError(f"{owner!r} has a junction {renamed[end]!r} already")
            draft.put("junctions", renamed[end], junction.model_copy(update={"railroad": owner}))
    for ident in sorted(chosen):
        if rows(draft)[ident].railroad != owner:
            found = drop_piece(draft, ident)
            add_piece(draft, owner, found.bends, renamed.get(found.a, found.a), renamed.get(found.b, found.b))
    for end in renamed:
        draft.drop("junctions", end)


def drop_railroad(draft: Draft, ident: str) -> None:
    """Remove a railroad with its track and junctions; what is done relies on all its track."""
    draft.rely("track", ident)
    for one in sorted(tracks(draft).of_railroad.get(ident, ())):
        drop_piece(draft, one)
    for key in [k for k, j in draft.rows("junctions", Junction).items() if j.railroad == ident]:
        draft.drop("junctions", key)
    draft.drop("railroads", ident)


def refuse_mark(draft: Draft, ident: str, short: str) -> None:
    """Refuse a mark that another railroad has.

    Raises:
        CommandError: It is taken.
    """
    for other, found in draft.rows("railroads", Railroad).items():
        if other != ident and found.short == short:
            raise CommandError(f"the mark {short!r} is that of {other!r}; choose another `short`")
