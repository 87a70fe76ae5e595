"""Planning mileposts, railroads and track, element by element."""

from mapkit.core.names import joined_id
from mapkit.kinds.rail.commands.on_track.mileposts import AddJunction, AddMilepost, DeleteJunction
from mapkit.kinds.rail.commands.on_track.segments import AddPiece, DeletePiece
from mapkit.kinds.rail.commands.places import DeletePlace, MovePlace, RenamePlace
from mapkit.kinds.rail.commands.railroads import AddRailroad, DeleteRailroad, EditRailroad, RailroadFields
from mapkit.kinds.rail.model.board import Railroad
from mapkit.kinds.rail.tables import Railroad as RailroadRow
from mapkit.kinds.rail.variants.plan.plan import DifferencePlan, rounded_line


def plan_changed_places(plan: DifferencePlan) -> None:
    """Plan mileposts that are renamed and moved."""
    for milepost in plan.target.mileposts:
        old = plan.mileposts.get(milepost.id)
        if old is None:
            continue
        why = plan.why(f"milepost:{milepost.id}")
        if old.name != milepost.name:
            plan.do(RenamePlace(place=milepost.id, name=milepost.name, was=old.name, reason=why))
        here, there = rounded_line(((old.lon, old.lat), (milepost.lon, milepost.lat)))
        if here != there:
            plan.do(MovePlace(place=milepost.id, lon=there[0], lat=there[1], was=(old.lon, old.lat), reason=why))


def plan_new_places(plan: DifferencePlan) -> None:
    """Plan mileposts that no section takes in; track is led to them later."""
    for milepost in plan.target.mileposts:
        if milepost.id not in plan.mileposts:
            plan.do(
                AddMilepost(
                    id=milepost.id,
                    name=milepost.name,
                    lon=milepost.lon,
                    lat=milepost.lat,
                    reason=plan.why(f"milepost:{milepost.id}"),
                )
            )


def says(railroad: Railroad | RailroadRow) -> dict[str, object]:
    """Return what an operation says of a railroad, id apart."""
    if isinstance(railroad, RailroadRow):
        return railroad.model_dump(exclude={"rank"})
    return railroad.model_dump(exclude={"id", "style"}) | railroad.style.model_dump()


def plan_railroads(plan: DifferencePlan) -> None:
    """Plan railroads: old ones go with their track, new ones come without, others change."""
    wanted = {r.id: r for r in plan.target.railroads}
    for ident in sorted(set(plan.railroads) - set(wanted)):
        plan.do(DeleteRailroad(id=ident, reason=plan.why(f"railroad:{ident}")))
    for ident in [r for r in sorted(wanted) if r in plan.railroads]:
        # Two railroads may exchange their marks: no two have one mark at any time.
        holder = next((key for key, r in plan.railroads.items() if r.short == wanted[ident].short), ident)
        if holder != ident:
            spare = _spare_mark(plan, holder)
            plan.do(EditRailroad(id=holder, short=spare, reason=f"Its mark goes to {wanted[ident].name}"))
        _change(plan, ident)
    for ident in [r for r in sorted(wanted) if r not in plan.railroads]:
        new = {"id": ident, "reason": plan.why(f"railroad:{ident}"), **says(wanted[ident])}
        plan.do(AddRailroad.model_validate(new))


def _spare_mark(plan: DifferencePlan, holder: str) -> str:
    used = {r.short for r in plan.railroads.values()} | {r.short for r in plan.target.railroads}
    return next(mark for n in range(len(used) + 1) if (mark := f"{holder} {n}") not in used)


def _change(plan: DifferencePlan, ident: str) -> None:
    old = says(plan.railroads[ident])
    new = says(next(r for r in plan.target.railroads if r.id == ident))
    fields = {name: new[name] for name in RailroadFields.model_fields if new[name] != old[name]}
    if fields:
        was = RailroadFields.model_validate({name: old[name] for name in fields})
        why = plan.why(f"railroad:{ident}")
        plan.do(EditRailroad.model_validate({"id": ident, "was": was, "reason": why, **fields}))


def plan_track(plan: DifferencePlan) -> None:
    """Plan the pieces and junctions that still differ."""
    target = plan.target
    junctions = {j.id: j for j in target.junctions}
    stale = {
        key
        for key, j in plan.junctions.items()
        if key not in junctions
        or j.railroad != junctions[key].railroad
        or rounded_line(((j.lon, j.lat),)) != rounded_line(((junctions[key].lon, junctions[key].lat),))
    }
    owners = _owners(plan)
    for ident, piece in sorted(plan.track.items()):
        wanted = plan.pieces.get(ident)
        if wanted is None or not plan.same(piece, wanted) or {piece.a, piece.b} & stale:
            plan.do(DeletePiece(id=ident, reason=plan.why(f"segment:{ident}", *owners.get(ident, ()))))
    for ident in sorted(stale):
        plan.do(DeleteJunction(id=ident, reason=plan.why(f"junction:{ident}")))
    for junction in target.junctions:
        if junction.id not in plan.junctions:
            plan.do(
                AddJunction(
                    id=junction.id,
                    railroad=junction.railroad,
                    lon=junction.lon,
                    lat=junction.lat,
                    reason=plan.why(f"junction:{junction.id}"),
                )
            )
    for new in target.pieces:
        if new.id not in plan.track:
            _add_piece(plan, new.id, owners.get(new.id, ()))


def _owners(plan: DifferencePlan) -> dict[str, list[str]]:
    """Return piece -> its segments on either board, as `segment:id`."""
    out: dict[str, list[str]] = {}
    for segment in (*plan.base.segments, *plan.target.segments):
        for piece in segment.pieces:
            out.setdefault(piece, []).append(f"segment:{segment.id}")
    return out


def _add_piece(plan: DifferencePlan, ident: str, owners: list[str] | tuple[str, ...]) -> None:
    piece = plan.pieces[ident]
    why = plan.why(*owners)
    line = rounded_line(piece.line)
    straight = len(line) == 2 and piece.a != piece.b  # noqa: PLR2004 - its two ends
    given = None if straight else line
    usual = joined_id(piece.railroad, *sorted((piece.a, piece.b))) == ident and {piece.a, piece.b} <= {*plan.mileposts}
    own = None if usual else ident
    plan.do(AddPiece(railroad=piece.railroad, a=piece.a, b=piece.b, line=given, id=own, reason=why))


def plan_old_places(plan: DifferencePlan) -> None:
    """Plan the removal of mileposts, after their cities and track."""
    kept = {m.id for m in plan.target.mileposts}
    for ident in sorted(set(plan.mileposts) - kept):
        plan.do(DeletePlace(place=ident, track="remove", reason=plan.why(f"milepost:{ident}")))
