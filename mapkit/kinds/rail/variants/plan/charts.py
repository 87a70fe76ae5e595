"""Planning regions, cities, charts and rules."""

from difflib import SequenceMatcher
from typing import cast

from pydantic import BaseModel

from mapkit.document.document import ordered
from mapkit.kinds.rail.commands.chart_solving import cells as chart_cells
from mapkit.kinds.rail.commands.cities import AddCity, CityFields, DeleteCity, EditCity
from mapkit.kinds.rail.commands.destinations import SetDestination
from mapkit.kinds.rail.commands.payoffs import ImportPayoffs, SetPayoff, pays
from mapkit.kinds.rail.commands.regions import AddRegion, DeleteRegion, EditRegion, RegionFields
from mapkit.kinds.rail.commands.single_rules import ChoosePreset, SetRule
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.rules.rules import Rules, preset
from mapkit.kinds.rail.variants.plan.plan import DifferencePlan

_MOST_CELLS = 100


def plan_regions(plan: DifferencePlan) -> None:
    """Plan new and changed regions; old ones go after their cities have."""
    for region in plan.target.regions:
        why = plan.why(f"region:{region.id}")
        old = plan.regions.get(region.id)
        if old is None:
            plan.do(AddRegion(**region.model_dump(), reason=why))
            continue
        fields = {n: getattr(region, n) for n in RegionFields.model_fields if getattr(region, n) != getattr(old, n)}
        if fields:
            was = RegionFields(**{n: getattr(old, n) for n in fields})
            plan.do(EditRegion(id=region.id, **fields, was=was, reason=why))


def plan_old_regions(plan: DifferencePlan) -> None:
    """Plan the removal of regions."""
    kept = {r.id for r in plan.target.regions}
    for ident in sorted(set(plan.regions) - kept):
        plan.do(DeleteRegion(id=ident, reason=plan.why(f"region:{ident}")))


def plan_cities(plan: DifferencePlan) -> None:
    """Plan cities, and the order of the payoff chart: a city out of order is removed and added again."""
    target, chart = plan.target, plan.draft.table("payoff_cities")
    new = {c.id: c for c in target.cities}
    order = list(target.payoffs.cities)
    common = [c for c, _ in ordered(chart) if c in new]
    wanted = [c for c in order if c in plan.cities]
    blocks = SequenceMatcher(None, common, wanted, autojunk=False).get_matching_blocks()
    kept = {common[block.a + i] for block in blocks for i in range(block.size)}
    for ident in sorted(plan.cities):
        if ident not in new or (ident in chart and ident not in kept):
            why = plan.why(f"city:{ident}") if ident not in new else "The order of the payoff chart"
            plan.do(DeleteCity(id=ident, charts="keep", reason=why))
    for ident, city in sorted(new.items()):
        old = plan.cities.get(ident)
        why = plan.why(f"city:{ident}")
        if old is None:
            continue
        fields = {n: getattr(city, n) for n in ("name", "milepost") if getattr(city, n) != getattr(old, n)}
        if fields:
            plan.do(EditCity(id=ident, **fields, reason=why))
        if city.region != old.region:
            plan.do(EditCity(id=ident, region=city.region, was=CityFields(region=old.region), reason=why))
    rows = dict(zip(order, target.payoffs.thousands, strict=True))
    rest = [c for c in sorted(new) if c not in rows]
    for ident in (*reversed(order), *rest):
        if ident in plan.cities or ident not in new:
            continue
        after = order[order.index(ident) + 1 :] if ident in rows else []
        values = dict(zip(order, rows.get(ident, ()), strict=ident in rows))
        plan.do(
            AddCity(
                **new[ident].model_dump(),
                payoffs={c: v for c, v in values.items() if v is not None and c in plan.draft.table("payoff_cities")},
                before=next((c for c in after if c in plan.draft.table("payoff_cities")), None),
                reason=plan.why(f"city:{ident}"),
            )
        )


def plan_charts(plan: DifferencePlan) -> None:
    """Plan the cells that still differ."""
    target, there = plan.target, chart_cells(plan.draft)
    charts = {key.split("/")[0] for key in there}
    for chart, cells in target.destinations.items():
        if chart not in charts:
            continue
        title = "The region chart" if chart == REGIONS else f"The chart of {chart}"
        for parity, column in (("odd", cells.odd), ("even", cells.even)):
            for total in SUMS:
                row = there.get(f"{chart}/{parity}/{total}")
                now, wanted = None if row is None else row.item, column.get(total)
                if now != wanted:
                    plan.do(
                        SetDestination.model_validate(
                            {
                                "chart": chart,
                                "parity": parity,
                                "total": int(total),
                                "was": now,
                                "item": wanted,
                                "reason": f"{title} of {target.title}",
                            }
                        )
                    )
    _plan_payoffs(plan)


def _plan_payoffs(plan: DifferencePlan) -> None:
    """Plan payoffs cell by cell, or, where many differ or pay otherwise by direction, as a chart."""
    target = plan.target
    order = [c for c in target.payoffs.cities if c in plan.draft.table("payoff_cities")]
    at = {city: row for row, city in enumerate(target.payoffs.cities)}
    now = {(x, y): pays(plan.draft, x, y) for x in order for y in order}
    wanted = {(x, y): target.payoffs.thousands[at[x]][at[y]] for x in order for y in order}
    cells = [pair for pair in now if now[pair] != wanted[pair]]
    pairs = sorted({(x, y) if order.index(x) <= order.index(y) else (y, x) for x, y in cells})
    why = f"The payoff chart of {target.title}"
    many = len(pairs) > _MOST_CELLS or any(wanted[x, y] != wanted[y, x] for x, y in pairs)
    named = {city for pair in pairs for city in pair}
    cities = tuple(c for c in order if c in named)
    thousands = tuple(tuple(wanted[x, y] for y in cities) for x in cities)
    if many and not any(None in row for row in thousands):  # a list in TOML has no missing cells
        plan.do(ImportPayoffs(cities=cities, thousands=thousands, reason=why))
        return
    for one, other in pairs:
        plan.do(SetPayoff(a=one, b=other, was=now[one, other], thousands=wanted[one, other], reason=why))


def plan_rules(plan: DifferencePlan) -> None:
    """Plan the rules: the preset, then what is set on top of it."""
    before, after = plan.base.rules, plan.target.rules
    if before.preset != after.preset:
        before = preset(after.preset)
        plan.do(ChoosePreset(preset=after.preset, reason=f"The rules of {plan.target.title}"))
    was, now = settings(before), settings(after)
    for path, value in now.items():
        if value != was[path]:
            old = None if isinstance(was[path], list) else was[path]
            why = f"The rules of {plan.target.title}"
            plan.do(SetRule.model_validate({"path": path, "was": old, "value": value, "reason": why}))


def settings(rules: Rules) -> dict[str, object]:
    """Return every setting but the preset by its dotted path, as plain data."""
    out = _settings(rules, "")
    del out["preset"]
    return out


def _settings(model: BaseModel, path: str) -> dict[str, object]:
    out: dict[str, object] = {}
    data = cast("dict[str, object]", model.model_dump(mode="json"))
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            out |= _settings(value, f"{path}{name}.")
        else:
            out[path + name] = data[name]
    return out
