"""What a board with station lists has in the same tables as one without: settings, regions, railroads, charts."""

from collections.abc import Iterator, Mapping

from mapkit.document.document import Row, Setting, last_rank, row_of
from mapkit.kinds.rail.commands.command import Draft
from mapkit.kinds.rail.explicit.document import RULES
from mapkit.kinds.rail.tables import RailDocument

_SAME = ("regions", "railroads", "accepted", "declared")


def _changes(before: Mapping[str, Row], after: Mapping[str, Row]) -> Iterator[tuple[str, Row | None]]:
    for key in before.keys() - after.keys():
        yield key, None
    for key, row in after.items():
        old = before.get(key)
        if old is not row and old != row:
            yield key, row


def _put(draft: Draft, table: str, key: str, row: Row | None) -> None:
    if row is None:
        draft.drop(table, key)
        return
    old = draft.table(table).get(key)
    ranked = table not in draft.base.schema.unranked
    rank = old.rank if old is not None else last_rank(draft.table(table)) if ranked else 0.0
    draft.put(table, key, row.model_copy(update={"rank": rank}))


def rows_back(draft: Draft, before: RailDocument, after: RailDocument) -> None:
    """Take over rows of tables that are the same."""
    for table in _SAME:
        for key, row in _changes(before.table(table), after.table(table)):
            _put(draft, table, key, row)
    for key in before.railroads.keys() - after.railroads.keys():
        draft.drop("settings", f"spacing.railroads.{key}")
    for key in before.regions.keys() - after.regions.keys():
        draft.drop("settings", f"spacing.regions.{key}")


def settings_back(draft: Draft, before: RailDocument, after: RailDocument) -> None:
    """Take over settings; options of the rules that a board names are spelled out where single rules change."""
    changed = dict(_changes(before.settings, after.settings))
    if any(key.startswith(RULES) for key in changed) and "rules.options" in draft.table("settings"):
        for key in [key for key in draft.table("settings") if key.startswith(RULES)]:
            draft.drop("settings", key)
        changed |= {key: row for key, row in after.settings.items() if key.startswith(RULES)}
    if any(key.startswith("projection.") for key in changed):
        crs = after.settings.get("projection.crs")
        for key in [key for key in draft.table("settings") if key.startswith("projection.")]:
            draft.drop("settings", key)
        if crs is not None:
            draft.put("settings", "projection.name", row_of(Setting, value="crs"))
            draft.put("settings", "projection.crs", crs)
    for key, row in changed.items():
        if key.startswith(RULES) or key in ("title", "page.width", "page.height"):
            _put(draft, "settings", key, row)


def charts_back(draft: Draft, before: RailDocument, after: RailDocument) -> None:
    """Take over charts; one that was solved or computed is typed from now on where single cells change."""
    cells = dict(_changes(before.destinations, after.destinations))
    if cells and not draft.table("destinations"):
        cells = dict(after.destinations)
    for key, cell in cells.items():
        _put(draft, "destinations", key, cell)
    computed = not draft.table("payoff_cities")
    come_or_gone = before.payoff_cities.keys() ^ after.payoff_cities.keys()
    amounts = dict(_changes(before.payoffs, after.payoffs))
    if computed and all(come_or_gone & {*key.split("|")} for key in amounts):
        return  # the chart is computed for the cities that there are
    if computed:
        amounts = dict(after.payoffs)
    cities = after.payoff_cities if computed else dict(_changes(before.payoff_cities, after.payoff_cities))
    order = after.payoff_cities
    for key, row in cities.items():
        _put(draft, "payoff_cities", key, row)
    if any(row is not None for row in cities.values()):
        ranks = {key: n for n, key in enumerate(sorted(order, key=lambda k: (order[k].rank, k)), start=1)}
        for key, row in list(draft.table("payoff_cities").items()):
            if key in ranks and row.rank != ranks[key]:
                draft.put("payoff_cities", key, row.model_copy(update={"rank": float(ranks[key])}))
    for key, amount in amounts.items():
        _put(draft, "payoffs", key, amount)
