"""Operations on railroads, applied to a board in work."""

from mapkit.model.board import Railroad, Style
from mapkit.model.variant import (
    AddRailroad,
    ChangeRailroad,
    MakePublic,
    MergeRailroads,
    RemoveRailroad,
    SplitRailroad,
)
from mapkit.model.variant_board import RailroadSays
from mapkit.variants.ops_track import drop_bare_junctions, give, own_pieces
from mapkit.variants.work import OperationError, Work


def add_railroad(work: Work, op: AddRailroad | SplitRailroad) -> None:
    """Add a railroad without track."""
    if op.id in work.railroads:
        raise OperationError(f"there is a railroad {op.id!r} already; choose another id")
    _refuse_mark(work, op.id, op.short)
    work.railroads[op.id] = Railroad(
        id=op.id,
        name=op.name,
        short=op.short,
        price=op.price,
        public=op.public,
        style=Style(colour=op.colour, pattern=op.pattern),
    )
    work.stamp("railroads", op.id)
    work.wrote("map", "railroad", op.id, value=op.model_dump(exclude={"reason"}))


def _refuse_mark(work: Work, ident: str, short: str) -> None:
    for other in work.railroads.values():
        if other.id != ident and other.short == short:
            raise OperationError(f"the mark {short!r} is that of {other.id!r}; choose another `short`")


def remove_railroad(work: Work, op: RemoveRailroad) -> None:
    """Remove a railroad with its track."""
    work.railroad(op.id)
    work.drop_railroad(op.id)
    work.wrote("map", "railroad", op.id, value="gone")
    work.wrote("map", "track", op.id, value="gone")


def _said(railroad: Railroad, name: str) -> object:
    return getattr(railroad.style if name in ("colour", "pattern") else railroad, name)


def change_railroad(work: Work, op: ChangeRailroad) -> None:
    """Change what a railroad is called, costs, or looks like."""
    found = work.railroad(op.id)
    for name in RailroadSays.model_fields:
        was = getattr(op.was, name)
        if was is not None and _said(found, name) != was:
            raise OperationError(f"{name} of {op.id!r} is {_said(found, name)!r}, not {was!r}; correct `was`")
    if op.short is not None:
        _refuse_mark(work, op.id, op.short)
    style = {k: v for k, v in op.changes.items() if k in ("colour", "pattern")}
    rest = {k: v for k, v in op.changes.items() if k not in style}
    if style:
        rest["style"] = found.style.model_copy(update=style)
    work.railroads[op.id] = found.model_copy(update=rest)
    work.stamp("railroads", op.id)
    for name, value in op.changes.items():
        work.wrote("map", "railroad", op.id, name, value=value)


def make_public(work: Work, op: MakePublic) -> None:
    """Make a railroad public."""
    found = work.railroad(op.id)
    if found.public:
        raise OperationError(f"{op.id!r} is public already; remove this operation")
    work.railroads[op.id] = found.model_copy(update={"public": True})
    work.stamp("railroads", op.id)
    work.wrote("map", "railroad", op.id, "public", value=True)


def merge_railroads(work: Work, op: MergeRailroads) -> None:
    """Give the track of railroads to one of them; parallel segments become one."""
    members = [work.railroad(ident) for ident in op.railroads]
    into = work.railroad(op.into)
    for ident in op.railroads:
        work.wrote("map", "railroad", ident)
        work.wrote("map", "track", ident)
    joined = {frozenset((a, b)) for a, b, pieces in work.ways(op.into).values()}
    for other in members:
        if other.id == op.into:
            continue
        double = [
            p for p in sorted(work.pieces_of[other.id]) if frozenset((work.pieces[p].a, work.pieces[p].b)) in joined
        ]
        for ident in double:
            work.drop_piece(ident)
        drop_bare_junctions(work)
        pieces = sorted(work.pieces_of[other.id])
        joined |= {frozenset((a, b)) for a, b, _ in work.ways(other.id).values()}
        give(work, pieces, op.into)
        work.drop_railroad(other.id)
    if op.short is not None:
        _refuse_mark(work, op.into, op.short)
    work.railroads[op.into] = into.model_copy(
        update={
            "name": op.name or into.name,
            "short": op.short or into.short,
            "price": sum(r.price for r in members) if op.price is None else op.price,
        }
    )
    work.stamp("railroads", op.into)


def split_railroad(work: Work, op: SplitRailroad) -> None:
    """Give segments of a railroad to a new one."""
    found = work.railroad(op.railroad)
    for ident in op.segments:
        owner, _ = work.way(ident)
        if owner != op.railroad:
            raise OperationError(f"segment {ident!r} is one of {owner!r}, not of {op.railroad!r}")
    pieces = own_pieces(work, op.segments, whole=True)
    add_railroad(work, op)
    give(work, pieces, op.id)
    for ident in pieces:
        work.wrote("map", "track", op.railroad, ident, value=("to", op.id))
    if op.price_left is not None:
        work.railroads[op.railroad] = found.model_copy(update={"price": op.price_left})
        work.stamp("railroads", op.railroad)
        work.wrote("map", "railroad", op.railroad, "price", value=op.price_left)
