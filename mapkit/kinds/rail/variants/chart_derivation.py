"""Derivation of the operations between two boards: cities, charts and rules."""

from difflib import SequenceMatcher

from mapkit.document.document import ordered
from mapkit.kinds.rail.commands.chart_solving import cells as chart_cells
from mapkit.kinds.rail.commands.cities import AddCity, CityFields, DeleteCity, EditCity
from mapkit.kinds.rail.commands.destinations import SetDestination
from mapkit.kinds.rail.commands.payoffs import ImportPayoffs, SetPayoff, pays
from mapkit.kinds.rail.commands.single_rules import ChoosePreset, SetRule
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.rules.rules import plain_values, preset
from mapkit.kinds.rail.tables import City
from mapkit.kinds.rail.variants.board_derivation import BoardDerivation

_MOST_CELLS = 100


def derive_cities(plan: BoardDerivation) -> None:
    """Derive cities, and the order of the payoff chart: a city out of order is removed and added again."""
    payoffs, goal = plan.target.payoffs, plan.goal.cities
    chart, cities = plan.draft.table("payoff_cities"), plan.draft.rows("cities", City)
    common = [city for city, _ in ordered(chart) if city in goal]
    wanted = [city for city in payoffs.cities if city in cities]
    blocks = SequenceMatcher(None, common, wanted, autojunk=False).get_matching_blocks()
    kept = {common[block.a + i] for block in blocks for i in range(block.size)}
    for ident in sorted(cities):
        if ident not in goal or (ident in chart and ident not in kept):
            why = plan.why(f"city:{ident}") if ident not in goal else "The order of the payoff chart"
            plan.do(DeleteCity(id=ident, charts="keep", reason=why))
    for ident, new in sorted(goal.items()):
        old = plan.draft.rows("cities", City).get(ident)
        if old is not None:
            fields = {n: getattr(new, n) for n in ("name", "region", "milepost") if getattr(new, n) != getattr(old, n)}
            was = CityFields(region=old.region if "region" in fields else None)
            if fields:
                plan.do(EditCity(id=ident, **fields, was=was, reason=plan.why(f"city:{ident}")))
    rows = dict(zip(payoffs.cities, payoffs.thousands, strict=True))
    for ident in (*reversed(payoffs.cities), *(city for city in sorted(goal) if city not in rows)):
        if ident in plan.draft.table("cities") or ident not in goal:
            continue
        there, new = plan.draft.table("payoff_cities"), goal[ident]
        values = dict(zip(payoffs.cities, rows.get(ident, ()), strict=ident in rows))
        after = payoffs.cities[payoffs.cities.index(ident) + 1 :] if ident in rows else ()
        plan.do(
            AddCity(
                id=ident,
                name=new.name,
                region=new.region,
                milepost=new.milepost,
                payoffs={city: value for city, value in values.items() if value is not None and city in there},
                before=next((city for city in after if city in there), None),
                reason=plan.why(f"city:{ident}"),
            )
        )


def derive_charts(plan: BoardDerivation) -> None:
    """Derive the cells of destination charts that still differ, then the payoffs."""
    there = chart_cells(plan.draft)
    charts = {key.split("/")[0] for key in there}
    for chart, cells in plan.target.destinations.items():
        if chart not in charts:
            continue
        title = "The region chart" if chart == REGIONS else f"The chart of {chart}"
        for parity, column in (("odd", cells.odd), ("even", cells.even)):
            for total in SUMS:
                row = there.get(f"{chart}/{parity}/{total}")
                cell = {"was": None if row is None else row.item, "item": column.get(total)}
                if cell["was"] != cell["item"]:
                    at = {"chart": chart, "parity": parity, "total": int(total)}
                    plan.do(SetDestination.model_validate({**at, **cell, "reason": f"{title} of {plan.target.title}"}))
    _derive_payoffs(plan)


def _derive_payoffs(plan: BoardDerivation) -> None:
    """Derive payoffs cell by cell, or, where many differ or pay otherwise by direction, as a chart."""
    payoffs = plan.target.payoffs
    order = [c for c in payoffs.cities if c in plan.draft.table("payoff_cities")]
    at = {city: row for row, city in enumerate(payoffs.cities)}
    now = {(x, y): pays(plan.draft, x, y) for x in order for y in order}
    wanted = {(x, y): payoffs.thousands[at[x]][at[y]] for x in order for y in order}
    pairs = sorted({(x, y) if at[x] <= at[y] else (y, x) for x, y in now if now[x, y] != wanted[x, y]})
    why = f"The payoff chart of {plan.target.title}"
    many = len(pairs) > _MOST_CELLS or any(wanted[x, y] != wanted[y, x] for x, y in pairs)
    named = {city for pair in pairs for city in pair}
    cities = tuple(c for c in order if c in named)
    thousands = tuple(tuple(wanted[x, y] for y in cities) for x in cities)
    if many and not any(None in row for row in thousands):  # a list in TOML has no missing cells
        plan.do(ImportPayoffs(cities=cities, thousands=thousands, reason=why))
        return
    for one, other in pairs:
        plan.do(SetPayoff(a=one, b=other, was=now[one, other], thousands=wanted[one, other], reason=why))


def derive_rules(plan: BoardDerivation) -> None:
    """Derive the rules: the preset, then what is set on top of it."""
    before, after = plan.base.rules, plan.target.rules
    why = f"The rules of {plan.target.title}"
    if before.preset != after.preset:
        before = preset(after.preset)
        plan.do(ChoosePreset(preset=after.preset, reason=why))
    was = plain_values(before)
    for path, value in plain_values(after).items():
        if value != was[path]:
            old = None if isinstance(was[path], list) else was[path]
            plan.do(SetRule.model_validate({"path": path, "was": old, "value": value, "reason": why}))
