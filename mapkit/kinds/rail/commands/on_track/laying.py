"""New track along places, as rows."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from mapkit.core.base import Point
from mapkit.core.names import slug
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import milepost
from mapkit.kinds.rail.commands.naming import railroad_name
from mapkit.kinds.rail.commands.on_track.pieces import add_piece, milepost_named, rows, tracks
from mapkit.kinds.rail.commands.on_track.polylines import rounded
from mapkit.kinds.rail.commands.stops import StopInput
from mapkit.kinds.rail.tables import Milepost

Stops = Annotated[tuple[str | StopInput, ...], Field(min_length=2, max_length=20_000)]
"""Places by name, or with their kind and position."""


def lay_track(draft: Draft, owner: str, stops: Sequence[str | StopInput], along: str | None) -> str:
    """Add track of a railroad along stops, and return the label.

    Args:
        draft: The draft, all track in tables.
        owner: The railroad.
        stops: Its mileposts, with bends between them.
        along: The railroad beside which it runs where that joins the same mileposts; `*` for any.

    Raises:
        CommandError: A place is unknown, or the railroad does not run there.
    """
    given = [StopInput(place=stop) if isinstance(stop, str) else stop for stop in stops]
    nodes: list[str] = []
    bends: list[list[Point]] = []
    for stop in given:
        if stop.kind == "via" and not nodes:
            raise CommandError("track begins and ends at mileposts; begin with one")
        if stop.kind == "via":
            bends[-1].append(_bend(draft, stop))
        else:
            nodes.append(_milepost(draft, stop))
            bends.append([])
    if bends[-1] or len(nodes) < 2:  # noqa: PLR2004 - two ends
        raise CommandError("track begins and ends at mileposts; end with one")
    for (a, b), between in zip(pairwise(nodes), bends, strict=False):
        if a == b and not between:
            raise CommandError(f"milepost {a!r} appears twice in a row; name it once")
        beside = None if between or along is None else _beside(draft, owner, along, a, b)
        if beside is not None:
            found = rows(draft)[beside]
            draft.get("track", beside)
            add_piece(draft, owner, found.bends if found.a == a else found.bends[::-1], a, b)
        elif not between and along not in (None, "*"):
            raise CommandError(f"{along!r} has no segment from {a!r} to {b!r} to run beside; name its next milepost")
        else:
            add_piece(draft, owner, tuple(between), a, b)
    return f"Add line {nodes[0]} - {nodes[-1]} of {railroad_name(draft, owner)}"


def _milepost(draft: Draft, stop: StopInput) -> str:
    """Return the id of a stop's milepost; a new one is added."""
    if stop.lon is None or stop.lat is None:
        ident = milepost_named(draft, stop.place or "") or ""
        milepost(draft, ident)
        return ident
    name = stop.place or next(
        f"Milepost {n}" for n in range(1, 10**6) if f"milepost-{n}" not in draft.table("mileposts")
    )
    ident, (lon, lat) = slug(name), rounded(stop.lon, stop.lat)
    if not ident or ident in draft.table("mileposts") or ident in draft.table("junctions"):
        raise CommandError(f"there is a milepost or junction {ident!r} already; choose another name")
    draft.put("mileposts", ident, Milepost(name=name, lon=lon, lat=lat))
    return ident


def _bend(draft: Draft, stop: StopInput) -> Point:
    """Return the place of a bend."""
    if stop.lon is not None and stop.lat is not None:
        return rounded(stop.lon, stop.lat)
    at = milepost(draft, milepost_named(draft, stop.place or "") or "")
    return at.lon, at.lat


def _beside(draft: Draft, owner: str, along: str, a: str, b: str) -> str | None:
    """Return the piece from a to b that new track runs beside: of `along`, or the first of any other railroad."""
    index, own = tracks(draft), rows(draft)
    between = index.at.get(a, set()) & index.at.get(b, set())
    return min(
        (p for p in between if own[p].railroad != owner and along in ("*", own[p].railroad)),
        default=None,
    )
