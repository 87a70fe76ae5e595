"""Track pieces of a draft: adding, removing and reassigning them; the segments over them."""

from collections.abc import Sequence

from mapkit.core.base import Point
from mapkit.core.names import fold, joined_id, slug
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import need_node, need_position, need_railroad, refuse_unknown_id
from mapkit.kinds.rail.commands.on_track.polylines import round_position
from mapkit.kinds.rail.commands.on_track.tracks import TrackIndex
from mapkit.kinds.rail.compiler.rows import Way
from mapkit.kinds.rail.tables import City, Junction, Milepost, Track

THROUGH = 2
"""As many arms as a line that runs on has."""
Line = tuple[Point, ...]


def is_in_tables(draft: Draft) -> bool:
    """Return whether all track of a draft is in tables, none in station lists."""
    return not draft.table("lines") and bool(draft.table("mileposts") or draft.table("compiled"))


def find_milepost_named(draft: Draft, text: str) -> str | None:
    """Return the id of a milepost of the table by id, name or city; None if it may be in station lists.

    Raises:
        CommandError: All track stands in tables, and none is meant; the nearest is offered.
    """
    milepost_rows = draft.rows("mileposts", Milepost)
    if text in milepost_rows:
        return text
    matching_ids = {key for key, row in milepost_rows.items() if fold(row.name) == fold(text)}
    matching_ids = matching_ids or {
        city.milepost for city in draft.rows("cities", City).values() if fold(city.name) == fold(text)
    }
    matching_ids = (matching_ids or {slug(text)}) & milepost_rows.keys()
    if len(matching_ids) == 1:
        return matching_ids.pop()
    return refuse_unknown_id("milepost", text, milepost_rows) if is_in_tables(draft) else None


def piece_rows_of(draft: Draft) -> "dict[str, Track]":
    """Return all pieces by id."""
    return draft.rows("track", Track)  # type: ignore[return-value]


def track_index(draft: Draft) -> TrackIndex:
    """Return the index of pieces by ends and railroad."""
    return draft.index(TrackIndex)


def need_piece(draft: Draft, ident: str) -> Track:
    """Return a track piece.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    return piece_rows_of(draft).get(ident) or refuse_unknown_id("piece", ident, piece_rows_of(draft))


def need_segment_way(draft: Draft, segment: str) -> tuple[str, Way]:
    """Return a segment's railroad, and its mileposts and pieces.

    Raises:
        CommandError: There is none; the nearest is offered.
    """
    junctions = draft.table("junctions")
    piece_row = piece_rows_of(draft).get(segment)
    if (
        piece_row is not None
        and segment == joined_id(piece_row.railroad, piece_row.a, piece_row.b)
        and piece_row.a not in junctions
        and piece_row.b not in junctions
    ):
        return piece_row.railroad, (piece_row.a, piece_row.b, (segment,))  # the first that numbering would give
    index = track_index(draft)
    railroad_id = segment.split("--", 1)[0]
    if segment in index.ways(railroad_id):
        return railroad_id, index.ways(railroad_id)[segment]
    for other_railroad in sorted(draft.table("railroads")):  # an id may have been made by an older rule
        if segment in index.ways(other_railroad):
            return other_railroad, index.ways(other_railroad)[segment]
    known_segments = list(index.ways(railroad_id)) or [
        i for other_railroad in sorted(draft.table("railroads")) for i in index.ways(other_railroad)
    ]
    return refuse_unknown_id("segment", segment, known_segments)


def piece_line_of(draft: Draft, found: Track) -> Line:
    """Return the line of a piece, and record that the command relies on the places of its ends."""
    return (need_position(draft, found.a), *found.bends, need_position(draft, found.b))


def add_piece(draft: Draft, owner: str, bends: Line, a: str, b: str, ident: str | None = None) -> str:
    """Add a track piece, under the id given or the next free one; return the id.

    Raises:
        CommandError: The id is taken.
    """
    if b < a:
        a, b, bends = b, a, bends[::-1]
    if not ident:
        end_names = sorted(end.removeprefix(f"{owner}--") for end in (a, b))
        id_stem = joined_id(owner, end_names[0], end_names[1])
        ident, number = id_stem, 1
        while ident in piece_rows_of(draft):
            number += 1
            ident = f"{id_stem}--{number}"
    elif ident in piece_rows_of(draft):
        raise CommandError(f"there is a piece {ident!r} already; choose another id")
    draft.put("track", ident, Track(railroad=owner, a=a, b=b, bends=bends))
    return ident


def drop_piece(draft: Draft, ident: str) -> Track:
    """Remove a track piece and return it."""
    dropped_piece = piece_rows_of(draft)[ident]
    draft.drop("track", ident)
    return dropped_piece


def add_track_between(
    draft: Draft, owner: str, a: str, b: str, line: Sequence[Point] | None, ident: str | None = None
) -> None:
    """Add track between two mileposts or junctions, straight or along a line that begins and ends there.

    Raises:
        CommandError: The railroad or an end is not there, or the line ends at another place.
    """
    need_railroad(draft, owner)
    if line is None:
        for end in (a, b):
            need_node(draft, end)
        if a == b:
            raise CommandError(f"a segment from {a!r} back to itself needs a line")
        add_piece(draft, owner, (), a, b, ident)
        return
    for line_end, node_id in ((line[0], a), (line[-1], b)):
        node_position = need_position(draft, node_id)
        if round_position(*line_end) != node_position:
            raise CommandError(
                f"the line has its end at {line_end[0]:g}, {line_end[1]:g}, but {node_id!r} stands at "
                f"{node_position[0]:g}, {node_position[1]:g}; begin at a and end at b"
            )
    add_piece(draft, owner, tuple(round_position(*point) for point in line[1:-1]), a, b, ident)


def find_own_pieces(draft: Draft, segments: Sequence[str], *, whole: bool) -> list[str]:
    """Return the pieces that only these segments use; they may be of several railroads.

    Args:
        draft: The draft.
        segments: Ids.
        whole: Whether every piece of them must be only theirs; else one of each segment is enough.

    Raises:
        CommandError: A segment is gone, or shares its track through a junction with one that is not named.
    """
    pieces_by_segment: dict[str, tuple[str, ...]] = {}
    segments_by_railroad: dict[str, set[str]] = {}
    for ident in segments:
        owner, (_, _, pieces_by_segment[ident]) = need_segment_way(draft, ident)
        segments_by_railroad.setdefault(owner, set()).add(ident)
    segment_of_shared: dict[str, str] = {}
    if any(len(pieces) > 1 for pieces in pieces_by_segment.values()):
        for owner, named_segments in sorted(segments_by_railroad.items()):
            for other_segment, (_, _, pieces) in track_index(draft).ways(owner).items():
                if other_segment not in named_segments:
                    segment_of_shared.update(dict.fromkeys(pieces, other_segment))
    for ident, pieces in pieces_by_segment.items():
        shared_pieces = [piece_id for piece_id in pieces if piece_id in segment_of_shared]
        if len(shared_pieces) == len(pieces) or (whole and shared_pieces):
            raise CommandError(
                f"segment {ident!r} shares track with {segment_of_shared[shared_pieces[0]]!r} through a junction; "
                "name that too"
            )
    return sorted(
        {piece_id for pieces in pieces_by_segment.values() for piece_id in pieces if piece_id not in segment_of_shared}
    )


def drop_bare_junctions(draft: Draft) -> None:
    """Remove junctions without track to them, and track that ends at one."""
    index = track_index(draft)
    junctions = draft.table("junctions")
    for ident in sorted(junctions):
        current_node = ident
        while current_node in draft.table("junctions") and len(index.at.get(current_node, ())) < THROUGH:
            far_node = current_node
            for arm in index.arms(current_node):
                dropped_piece = drop_piece(draft, arm)
                far_node = dropped_piece.b if dropped_piece.a == current_node else dropped_piece.a
            draft.drop("junctions", current_node)
            current_node = far_node if far_node != current_node else ""


def reassign_pieces(draft: Draft, pieces: Sequence[str], owner: str) -> None:
    """Reassign pieces, with the junctions that only they use, to a railroad.

    Raises:
        CommandError: A junction is used by track that stays.
    """
    chosen_pieces = set(pieces)
    end_nodes = sorted(
        {end_node for ident in pieces for end_node in (piece_rows_of(draft)[ident].a, piece_rows_of(draft)[ident].b)}
    )
    new_junction_ids: dict[str, str] = {}
    for end_node in end_nodes:
        junction = draft.rows("junctions", Junction).get(end_node)
        if junction is None:
            continue
        if track_index(draft).at[end_node] - chosen_pieces:
            raise CommandError(
                f"junction {end_node!r} is used by track that stays with {junction.railroad!r}; name it too"
            )
        if junction.railroad != owner:
            new_junction_ids[end_node] = joined_id(owner, end_node.removeprefix(f"{junction.railroad}--"))
            if new_junction_ids[end_node] in draft.table("junctions"):
                raise CommandError(f"{owner!r} has a junction {new_junction_ids[end_node]!r} already")
            draft.put("junctions", new_junction_ids[end_node], junction.model_copy(update={"railroad": owner}))
    for ident in sorted(chosen_pieces):
        if piece_rows_of(draft)[ident].railroad != owner:
            dropped_piece = drop_piece(draft, ident)
            add_piece(
                draft,
                owner,
                dropped_piece.bends,
                new_junction_ids.get(dropped_piece.a, dropped_piece.a),
                new_junction_ids.get(dropped_piece.b, dropped_piece.b),
            )
    for end_node in new_junction_ids:
        draft.drop("junctions", end_node)


def drop_railroad(draft: Draft, ident: str) -> None:
    """Remove a railroad with its track, junctions and spacing, and record that the command relies on its track."""
    draft.rely("track", ident)
    for piece_id in sorted(track_index(draft).of_railroad.get(ident, ())):
        drop_piece(draft, piece_id)
    for key in [k for k, j in draft.rows("junctions", Junction).items() if j.railroad == ident]:
        draft.drop("junctions", key)
    draft.drop("settings", f"spacing.railroads.{ident}")
    draft.drop("railroads", ident)


def move_milepost(draft: Draft, ident: str, lon: float, lat: float) -> None:
    """Move a milepost of the table; the ends of its track follow."""
    draft.update("mileposts", ident, lon=lon, lat=lat)
    for arm in track_index(draft).at.get(ident, ()):
        draft.stamp("track", arm)


def take_milepost_out(draft: Draft, ident: str, owner: str, how: str) -> None:
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
    milepost_row = draft.rows("mileposts", Milepost)[ident]
    index = track_index(draft)
    arm_ids = index.arms(ident, owner)
    loop_ids = [p for p in arm_ids if piece_rows_of(draft)[p].a == piece_rows_of(draft)[p].b]
    for arm in arm_ids if how == "remove" or len(arm_ids) == 1 else loop_ids:
        drop_piece(draft, arm)
    arm_ids = index.arms(ident, owner)
    if len(arm_ids) == 1:
        drop_piece(draft, arm_ids[0])
    elif len(arm_ids) == THROUGH:
        first_arm, second_arm = (_trace_from(drop_piece(draft, arm), ident) for arm in arm_ids)
        middle_bend = ((milepost_row.lon, milepost_row.lat),) if how == "join" else ()
        add_piece(draft, owner, (*first_arm[1][::-1], *middle_bend, *second_arm[1]), first_arm[0], second_arm[0])
    elif arm_ids:
        junction_id = joined_id(owner, ident)
        if junction_id in draft.table("junctions"):
            raise CommandError(
                f"its track cannot join in a junction, there is one {junction_id!r} already; use track = remove"
            )
        draft.put("junctions", junction_id, Junction(railroad=owner, lon=milepost_row.lon, lat=milepost_row.lat))
        for arm in arm_ids:
            far_node, bends = _trace_from(drop_piece(draft, arm), ident)
            add_piece(draft, owner, bends, junction_id, far_node)


def _trace_from(found: Track, at: str) -> tuple[str, Line]:
    """Return the far end of a piece, and its bends from the near one."""
    return (found.b, found.bends) if found.a == at else (found.a, found.bends[::-1])
