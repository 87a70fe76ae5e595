"""Track pieces of a draft: adding, removing, giving away; the segments that they make."""

from collections.abc import Sequence

from mapkit.core.base import Point
from mapkit.core.names import fold, joined_id
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import gone, node, place, railroad
from mapkit.kinds.rail.commands.on_track.polylines import rounded
from mapkit.kinds.rail.commands.on_track.tracks import Tracks
from mapkit.kinds.rail.compiler.rows import Way
from mapkit.kinds.rail.tables import Junction, Milepost, Track

THROUGH = 2
"""As many arms as a line that runs on has."""
Line = tuple[Point, ...]


def is_in_tables(draft: Draft) -> bool:
    """Return whether all track of a draft stands in tables, none in station lists."""
    return not draft.table("lines") and bool(draft.table("mileposts") or draft.table("compiled"))


def milepost_named(draft: Draft, text: str) -> str | None:
    """Return the id of the milepost of the table that an id or a name means; None if it may stand in station lists.

    Raises:
        CommandError: All track stands in tables, and none is meant; the nearest is offered.
    """
    posts = draft.rows("mileposts", Milepost)
    if text in posts:
        return text
    meant = [key for key, row in posts.items() if fold(row.name) == fold(text)]
    if len(meant) == 1:
        return meant[0]
    return gone("milepost", text, posts) if is_in_tables(draft) else None


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
    """Remove a railroad with its track, junctions and spacing; what is done relies on all its track."""
    draft.rely("track", ident)
    for one in sorted(tracks(draft).of_railroad.get(ident, ())):
        drop_piece(draft, one)
    for key in [k for k, j in draft.rows("junctions", Junction).items() if j.railroad == ident]:
        draft.drop("junctions", key)
    draft.drop("settings", f"spacing.railroads.{ident}")
    draft.drop("railroads", ident)


def move_milepost(draft: Draft, ident: str, lon: float, lat: float) -> None:
    """Move a milepost of the table; the ends of its track follow."""
    draft.update("mileposts", ident, lon=lon, lat=lat)
    for arm in tracks(draft).at.get(ident, ()):
        draft.stamp("track", arm)


def take_out(draft: Draft, ident: str, owner: str, how: str) -> None:
    """Take a milepost out of a railroad's track.

    Args:
        draft: The draft.
        ident: The milepost, which stays.
        owner: The railroad.
        how: `remove` takes the track away. Else two arms become one piece, through the place (`join`) or past it, and
            more meet in a junction; an end of track goes.

    Raises:
        CommandError: The junction's id is taken.
    """
    at = draft.rows("mileposts", Milepost)[ident]
    index = tracks(draft)
    arms = index.arms(ident, owner)
    loops = [p for p in arms if rows(draft)[p].a == rows(draft)[p].b]
    for arm in arms if how == "remove" or len(arms) == 1 else loops:
        drop_piece(draft, arm)
    arms = index.arms(ident, owner)
    if len(arms) == 1:
        drop_piece(draft, arms[0])
    elif len(arms) == THROUGH:
        one, other = (_from(drop_piece(draft, arm), ident) for arm in arms)
        between = ((at.lon, at.lat),) if how == "join" else ()
        add_piece(draft, owner, (*one[1][::-1], *between, *other[1]), one[0], other[0])
    elif arms:
        _put_junction(draft, owner, ident, arms)


def _put_junction(draft: Draft, owner: str, milepost: str, arms: Sequence[str]) -> None:
    ident, at = joined_id(owner, milepost), draft.rows("mileposts", Milepost)[milepost]
    if ident in draft.table("junctions"):
        raise CommandError(f"its track cannot join in a junction, there is one {ident!r} already; use track = remove")
    draft.put("junctions", ident, Junction(railroad=owner, lon=at.lon, lat=at.lat))
    for arm in arms:
        far, bends = _from(drop_piece(draft, arm), milepost)
        add_piece(draft, owner, bends, ident, far)


def _from(found: Track, at: str) -> tuple[str, Line]:
    """Return the far end of a piece, and its bends from the near one."""
    return (found.b, found.bends) if found.a == at else (found.a, found.bends[::-1])
