"""Derivation of the operations between two boards: cities, charts and rules."""

from difflib import SequenceMatcher

from mapkit.document.document import sort_rows
from mapkit.kinds.rail.commands.chart_solving import cells as chart_cells
from mapkit.kinds.rail.commands.cities import AddCity, CityFields, DeleteCity, EditCity
from mapkit.kinds.rail.commands.destinations import SetDestination
from mapkit.kinds.rail.commands.payoffs import ImportPayoffs, SetPayoff, get_payoff
from mapkit.kinds.rail.commands.single_rules import ChoosePreset, SetRule
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.rules.rules import plain_values, preset
from mapkit.kinds.rail.tables import City
from mapkit.kinds.rail.variants.board_derivation import BoardDerivation

_MOST_SINGLE_CELLS = 100


def derive_cities(plan: BoardDerivation) -> None:
    """Derive cities, and the order of the payoff chart: a misplaced city is removed and added again."""
    payoffs, goal = plan.target.payoffs, plan.goal.cities
    chart, cities = plan.draft.table("payoff_cities"), plan.draft.rows("cities", City)
    common_cities = [city for city, _ in sort_rows(chart) if city in goal]
    target_order = [city for city in payoffs.cities if city in cities]
    blocks = SequenceMatcher(None, common_cities, target_order, autojunk=False).get_matching_blocks()
    kept_cities = {common_cities[block.a + i] for block in blocks for i in range(block.size)}
    for city_id in sorted(cities):
        if city_id not in goal or (city_id in chart and city_id not in kept_cities):
            why = plan.why(f"city:{city_id}") if city_id not in goal else "The order of the payoff chart"
            plan.do(DeleteCity(id=city_id, charts="keep", reason=why))
    for city_id, goal_row in sorted(goal.items()):
        draft_row = plan.draft.rows("cities", City).get(city_id)
        if draft_row is not None:
            changed_fields = {
                n: getattr(goal_row, n)
                for n in ("name", "region", "milepost")
                if getattr(goal_row, n) != getattr(draft_row, n)
            }
            was = CityFields(region=draft_row.region if "region" in changed_fields else None)
            if changed_fields:
                plan.do(EditCity(id=city_id, **changed_fields, was=was, reason=plan.why(f"city:{city_id}")))
    payoffs_by_city = dict(zip(payoffs.cities, payoffs.thousands, strict=True))
    for city_id in (*reversed(payoffs.cities), *(city for city in sorted(goal) if city not in payoffs_by_city)):
        if city_id in plan.draft.table("cities") or city_id not in goal:
            continue
        payoff_cities, goal_row = plan.draft.table("payoff_cities"), goal[city_id]
        payoff_by_city = dict(zip(payoffs.cities, payoffs_by_city.get(city_id, ()), strict=city_id in payoffs_by_city))
        later_cities = payoffs.cities[payoffs.cities.index(city_id) + 1 :] if city_id in payoffs_by_city else ()
        plan.do(
            AddCity(
                id=city_id,
                name=goal_row.name,
                region=goal_row.region,
                milepost=goal_row.milepost,
                payoffs={
                    city: value for city, value in payoff_by_city.items() if value is not None and city in payoff_cities
                },
                before=next((city for city in later_cities if city in payoff_cities), None),
                reason=plan.why(f"city:{city_id}"),
            )
        )


def derive_charts(plan: BoardDerivation) -> None:
    """Derive the cells of destination charts that still differ, then the payoffs."""
    draft_cells = chart_cells(plan.draft)
    draft_charts = {key.split("/")[0] for key in draft_cells}
    for chart, cells in plan.target.destinations.items():
        if chart not in draft_charts:
            continue
        title = "The region chart" if chart == REGIONS else f"The chart of {chart}"
        for parity, column in (("odd", cells.odd), ("even", cells.even)):
            for total in SUMS:
                row = draft_cells.get(f"{chart}/{parity}/{total}")
                cell = {"was": None if row is None else row.item, "item": column.get(total)}
                if cell["was"] != cell["item"]:
                    cell_position = {"chart": chart, "parity": parity, "total": int(total)}
                    plan.do(
                        SetDestination.model_validate(
                            {**cell_position, **cell, "reason": f"{title} of {plan.target.title}"}
                        )
                    )
    _derive_payoffs(plan)


def _derive_payoffs(plan: BoardDerivation) -> None:
    """Derive payoffs cell by cell, or as a chart if many differ or depend on direction."""
    payoffs = plan.target.payoffs
    common_cities = [c for c in payoffs.cities if c in plan.draft.table("payoff_cities")]
    index_by_city = {city: row for row, city in enumerate(payoffs.cities)}
    draft_amounts = {(x, y): get_payoff(plan.draft, x, y) for x in common_cities for y in common_cities}
    target_amounts = {
        (x, y): payoffs.thousands[index_by_city[x]][index_by_city[y]] for x in common_cities for y in common_cities
    }
    changed_pairs = sorted(
        {
            (x, y) if index_by_city[x] <= index_by_city[y] else (y, x)
            for x, y in draft_amounts
            if draft_amounts[x, y] != target_amounts[x, y]
        }
    )
    why = f"The payoff chart of {plan.target.title}"
    is_chart_needed = len(changed_pairs) > _MOST_SINGLE_CELLS or any(
        target_amounts[x, y] != target_amounts[y, x] for x, y in changed_pairs
    )
    changed_cities = {city for pair in changed_pairs for city in pair}
    ordered_cities = tuple(c for c in common_cities if c in changed_cities)
    thousands = tuple(tuple(target_amounts[x, y] for y in ordered_cities) for x in ordered_cities)
    if is_chart_needed and not any(None in row for row in thousands):  # a list in TOML has no missing cells
        plan.do(ImportPayoffs(cities=ordered_cities, thousands=thousands, reason=why))
        return
    for first_city, second_city in changed_pairs:
        plan.do(
            SetPayoff(
                a=first_city,
                b=second_city,
                was=draft_amounts[first_city, second_city],
                thousands=target_amounts[first_city, second_city],
                reason=why,
            )
        )


def derive_rules(plan: BoardDerivation) -> None:
    """Derive the rules: the preset, then settings on top of it."""
    base_rules, target_rules = plan.base.rules, plan.target.rules
    why = f"The rules of {plan.target.title}"
    if base_rules.preset != target_rules.preset:
        base_rules = preset(target_rules.preset)
        plan.do(ChoosePreset(preset=target_rules.preset, reason=why))
    base_values = plain_values(base_rules)
    for path, value in plain_values(target_rules).items():
        if value != base_values[path]:
            old_value = None if isinstance(base_values[path], list) else base_values[path]
            plan.do(SetRule.model_validate({"path": path, "was": old_value, "value": value, "reason": why}))
