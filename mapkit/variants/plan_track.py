"""Planning mileposts, railroads and track, element by element."""

from mapkit.model.board import Railroad
from mapkit.model.variant import (
    AddJunction,
    AddMilepost,
    AddPiece,
    AddRailroad,
    AddSegment,
    ChangeRailroad,
    MoveMilepost,
    RemoveJunction,
    RemoveMilepost,
    RemovePiece,
    RemoveRailroad,
    RenameMilepost,
)
from mapkit.model.variant_board import RailroadSays
from mapkit.variants.plan import Plan, rounded_line, same_piece


def plan_changed_places(plan: Plan) -> None:
    """Plan mileposts that are renamed and moved."""
    for milepost in plan.target.mileposts:
        old = plan.work.mileposts.get(milepost.id)
        if old is None:
            continue
        why = plan.why(f"milepost:{milepost.id}")
        if old.name != milepost.name:
            plan.do(RenameMilepost(id=milepost.id, name=milepost.name, was=old.name, reason=why))
        here, there = rounded_line(((old.lon, old.lat), (milepost.lon, milepost.lat)))
        if here != there:
            plan.do(MoveMilepost(id=milepost.id, lon=there[0], lat=there[1], was=(old.lon, old.lat), reason=why))


def plan_new_places(plan: Plan) -> None:
    """Plan mileposts that no section takes in; track is led to them later."""
    for milepost in plan.target.mileposts:
        if milepost.id not in plan.work.mileposts:
            plan.do(
                AddMilepost(
                    id=milepost.id,
                    name=milepost.name,
                    lon=milepost.lon,
                    lat=milepost.lat,
                    reason=plan.why(f"milepost:{milepost.id}"),
                )
            )


def says(railroad: Railroad) -> dict[str, object]:
    """Return what an operation says of a railroad, id apart."""
    data = railroad.model_dump(exclude={"id", "style"})
    return data | railroad.style.model_dump()


def plan_railroads(plan: Plan) -> None:
    """Plan railroads: old ones go with their track, new ones come without, others change."""
    work = plan.work
    wanted = {r.id: r for r in plan.target.railroads}
    for ident in sorted(set(work.railroads) - set(wanted)):
        plan.do(RemoveRailroad(id=ident, reason=plan.why(f"railroad:{ident}")))
    for ident in [r for r in sorted(wanted) if r in work.railroads]:
        # Two railroads may exchange their marks: no two have one mark at any time.
        holder = next((r.id for r in work.railroads.values() if r.short == wanted[ident].short), ident)
        if holder != ident:
            spare = _spare_mark(plan, holder)
            plan.do(ChangeRailroad(id=holder, short=spare, reason=f"Its mark goes to {wanted[ident].name}"))
        _change(plan, ident)
    for ident in [r for r in sorted(wanted) if r not in work.railroads]:
        new = {"id": ident, "reason": plan.why(f"railroad:{ident}"), **says(wanted[ident])}
        plan.do(AddRailroad.model_validate(new))


def _spare_mark(plan: Plan, holder: str) -> str:
    used = {r.short for r in (*plan.work.railroads.values(), *plan.target.railroads)}
    return next(mark for n in range(len(used) + 1) if (mark := f"{holder} {n}") not in used)


def _change(plan: Plan, ident: str) -> None:
    old = says(plan.work.railroads[ident])
    new = says(next(r for r in plan.target.railroads if r.id == ident))
    fields = {name: new[name] for name in RailroadSays.model_fields if new[name] != old[name]}
    if fields:
        was = RailroadSays.model_validate({name: old[name] for name in fields})
        why = plan.why(f"railroad:{ident}")
        plan.do(ChangeRailroad.model_validate({"id": ident, "was": was, "reason": why, **fields}))


def plan_track(plan: Plan) -> None:
    """Plan the pieces and junctions that still differ."""
    work, target = plan.work, plan.target
    junctions = {j.id: j for j in target.junctions}
    stale = {
        j.id
        for j in work.junctions.values()
        if j.id not in junctions
        or j.railroad != junctions[j.id].railroad
        or rounded_line(((j.lon, j.lat),)) != rounded_line(((junctions[j.id].lon, junctions[j.id].lat),))
    }
    owners = _owners(plan)
    for ident, piece in sorted(work.pieces.items()):
        wanted = plan.pieces.get(ident)
        if wanted is None or not same_piece(piece, wanted) or {piece.a, piece.b} & stale:
            plan.do(RemovePiece(id=ident, reason=plan.why(f"segment:{ident}", *owners.get(ident, ()))))
    for ident in sorted(stale):
        plan.do(RemoveJunction(id=ident, reason=plan.why(f"junction:{ident}")))
    for junction in target.junctions:
        if junction.id not in work.junctions:
            plan.do(
                AddJunction(
                    id=junction.id,
                    railroad=junction.railroad,
                    lon=junction.lon,
                    lat=junction.lat,
                    reason=plan.why(f"junction:{junction.id}"),
                )
            )
    for piece in target.pieces:
        if piece.id not in work.pieces:
            _add_piece(plan, piece.id, owners.get(piece.id, ()))


def _owners(plan: Plan) -> dict[str, list[str]]:
    """Return piece -> its segments on either board, as `segment:id`."""
    out: dict[str, list[str]] = {}
    for segment in (*plan.work.base.segments, *plan.target.segments):
        for piece in segment.pieces:
            out.setdefault(piece, []).append(f"segment:{segment.id}")
    return out


def _add_piece(plan: Plan, ident: str, owners: list[str] | tuple[str, ...]) -> None:
    piece, work = plan.pieces[ident], plan.work
    why = plan.why(*owners)
    line = rounded_line(piece.line)
    straight = len(line) == 2 and piece.a != piece.b  # noqa: PLR2004 - its two ends
    given = None if straight else line
    ends = sorted((piece.a, piece.b))
    usual = f"{piece.railroad}--{ends[0]}--{ends[1]}" == ident
    if usual and piece.a in work.mileposts and piece.b in work.mileposts:
        plan.do(AddSegment(railroad=piece.railroad, a=piece.a, b=piece.b, line=given, reason=why))
    else:
        plan.do(AddPiece(railroad=piece.railroad, a=piece.a, b=piece.b, line=given, id=ident, reason=why))


def plan_old_places(plan: Plan) -> None:
    """Plan the removal of mileposts, after their cities and track."""
    kept = {m.id for m in plan.target.mileposts}
    for ident in sorted(set(plan.work.mileposts) - kept):
        plan.do(RemoveMilepost(id=ident, track="remove", reason=plan.why(f"milepost:{ident}")))
