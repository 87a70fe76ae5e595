"""Addition of track along places, as rows."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from mapkit.core.base import Point
from mapkit.core.names import slug
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import need_milepost, railroad_name
from mapkit.kinds.rail.commands.on_track.pieces import add_piece, find_milepost_named, piece_rows_of, track_index
from mapkit.kinds.rail.commands.on_track.polylines import round_position
from mapkit.kinds.rail.commands.stops import StopInput
from mapkit.kinds.rail.editing.place_names import find_or_none
from mapkit.kinds.rail.tables import Milepost

Stops = Annotated[tuple[str | StopInput, ...], Field(min_length=2, max_length=20_000)]
"""Places by name, or with their kind and position."""


def lay_track(draft: Draft, owner: str, stops: Sequence[str | StopInput], along: str | None) -> str:
    """Add track of a railroad along stops, and return the label.

    Args:
        draft: The draft, all track in tables.
        owner: The railroad.
        stops: Its mileposts, with bends between them.
        along: Railroad to run beside where it joins the same mileposts; `*` for any.

    Raises:
        CommandError: A place is unknown, or the railroad does not run there.
    """
    stop_inputs = [StopInput(place=stop) if isinstance(stop, str) else stop for stop in stops]
    nodes: list[str] = []
    bends: list[list[Point]] = []
    for stop in stop_inputs:
        if stop.kind == "via" and not nodes:
            raise CommandError("track begins and ends at mileposts; begin with one")
        if stop.kind == "via":
            bends[-1].append(_bend_position(draft, stop))
        else:
            nodes.append(_need_milepost(draft, stop))
            bends.append([])
    if bends[-1] or len(nodes) < 2:  # noqa: PLR2004 - two ends
        raise CommandError("track begins and ends at mileposts; end with one")
    for (a, b), inner_bends in zip(pairwise(nodes), bends, strict=False):
        if a == b and not inner_bends:
            raise CommandError(f"milepost {a!r} appears twice in a row; name it once")
        piece_beside = None if inner_bends or along is None else _find_piece_beside(draft, owner, along, a, b)
        if piece_beside is not None:
            piece_row = piece_rows_of(draft)[piece_beside]
            draft.get("track", piece_beside)
            add_piece(draft, owner, piece_row.bends if piece_row.a == a else piece_row.bends[::-1], a, b)
        elif not inner_bends and along not in (None, "*"):
            raise CommandError(f"{along!r} has no segment from {a!r} to {b!r} to run beside; name its next milepost")
        else:
            add_piece(draft, owner, tuple(inner_bends), a, b)
    return f"Add line {nodes[0]} - {nodes[-1]} of {railroad_name(draft, owner)}"


def _need_milepost(draft: Draft, stop: StopInput) -> str:
    """Return the id of a stop's milepost; a new one is added, of the gazetteer too."""
    if stop.lon is None or stop.lat is None:
        try:
            milepost_id = find_milepost_named(draft, stop.place or "") or ""
        except CommandError:
            position = find_or_none(draft.document, stop.place or "")
            if position is None:
                raise
            return _need_milepost(draft, stop.model_copy(update={"lon": position[0], "lat": position[1]}))
        need_milepost(draft, milepost_id)
        return milepost_id
    milepost_name = stop.place or next(
        f"Milepost {n}" for n in range(1, 10**6) if f"milepost-{n}" not in draft.table("mileposts")
    )
    milepost_id, (lon, lat) = slug(milepost_name), round_position(stop.lon, stop.lat)
    if not milepost_id or milepost_id in draft.table("mileposts") or milepost_id in draft.table("junctions"):
        raise CommandError(f"there is a milepost or junction {milepost_id!r} already; choose another name")
    draft.put("mileposts", milepost_id, Milepost(name=milepost_name, lon=lon, lat=lat))
    return milepost_id


def _bend_position(draft: Draft, stop: StopInput) -> Point:
    """Return the position of a bend."""
    if stop.lon is not None and stop.lat is not None:
        return round_position(stop.lon, stop.lat)
    milepost_row = need_milepost(draft, find_milepost_named(draft, stop.place or "") or "")
    return milepost_row.lon, milepost_row.lat


def _find_piece_beside(draft: Draft, owner: str, along: str, a: str, b: str) -> str | None:
    """Return the piece from a to b to run beside: of `along`, or the first of any other railroad."""
    index, piece_rows = track_index(draft), piece_rows_of(draft)
    pieces_between = index.at.get(a, set()) & index.at.get(b, set())
    return min(
        (p for p in pieces_between if piece_rows[p].railroad != owner and along in ("*", piece_rows[p].railroad)),
        default=None,
    )
