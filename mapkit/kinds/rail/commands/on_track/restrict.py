"""Command that makes a part of a board a board of its own."""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mapkit.kinds.rail.commands.board_settings import page_of, projection_of, put_group
from mapkit.kinds.rail.commands.chart_solving import city_chances_of, region_ids, shares_from_weights, solve_charts
from mapkit.kinds.rail.commands.cities import drop_city
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.destinations import Weights
from mapkit.kinds.rail.commands.fields import Place, RailroadId, RegionId, need_position, need_railroad, need_region
from mapkit.kinds.rail.commands.on_track.cutting import (
    drop_bare_nodes,
    drop_stale_acceptances,
    find_nodes_inside,
    find_nodes_near,
    find_served_cities,
    node_positions,
    trim_track,
)
from mapkit.kinds.rail.commands.on_track.pieces import drop_piece, drop_railroad, piece_rows_of, track_index
from mapkit.kinds.rail.commands.regions import drop_region
from mapkit.kinds.rail.model.board import REGIONS
from mapkit.kinds.rail.model.source import PageConfig, ProjectionConfig
from mapkit.kinds.rail.tables import City
from mapkit.kinds.rail.trace.page import fit_page

_RELIED_TABLES = (
    "mileposts", "junctions", "track", "cities", "railroads", "regions", "destinations", "payoffs", "payoff_cities",
    "declared", "accepted",
)  # fmt: skip


@command("track", form="track")
class RestrictBoard(Command):
    """Keep a part of the board: regions, everything in a polygon, or railroads.

    A milepost of no city belongs to the region of the nearest city. Track with an end outside goes, then track
    that leads nowhere; of a railroad that falls apart, the part with most cities stays; railroads that serve fewer than
    `least_cities` cities go. `charts` says how destination charts are filled: all solved from weights (`equal` for
    all cities, the old `chances`, or the number of `railroads` that serve a city; `weights` by id goes before), or only
    those that lost something, from the old chances. Payoffs between the cities that stay are kept.
    """

    kind: Literal["restrict-board"] = "restrict-board"
    regions: tuple[RegionId, ...] | None = None
    polygon: Annotated[tuple[Place, ...], Field(min_length=3, max_length=10_000)] | None = None
    railroads: tuple[RailroadId, ...] | None = None
    charts: Literal["solve anew", "cut and renormalise", "keep"] = "cut and renormalise"
    weigh_by: Literal["equal", "chances", "railroads"] = "equal"
    weights: Weights = Field(default_factory=dict)
    least_cities: int = Field(default=1, ge=0, le=100)
    fit_page: bool = Field(default=True, description="Scale and centre what stays inside the page's frame")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(x is not None for x in (self.regions, self.polygon, self.railroads)) != 1:
            raise ValueError("give one of regions, polygon and railroads")
        if self.charts != "solve anew" and (self.weights or self.weigh_by != "equal"):
            raise ValueError('weights are for charts = "solve anew"; leave them out, or say so')
        return self

    def edit(self, draft: Draft) -> str:
        """Drop everything outside, and refill the charts and the page."""
        for table in _RELIED_TABLES:
            draft.rely(table)
        for group in ("title", "page", "projection"):
            draft.rely("settings", group)
        chances_before = city_chances_of(draft)
        regions_before = {key: row.region for key, row in draft.rows("cities", City).items()}
        self._cut_outside(draft)
        cities = draft.table("cities")
        while too_small := [
            r for r in sorted(draft.table("railroads")) if len(find_served_cities(draft, r)) < self.least_cities
        ]:
            for ident in too_small:
                drop_railroad(draft, ident)
            trim_track(draft)
        drop_bare_nodes(draft)
        used_regions = {row.region for row in draft.rows("cities", City).values()}
        for ident in [r for r in region_ids(draft) if r not in used_regions]:
            drop_region(draft, ident, ident)
        drop_stale_acceptances(draft)
        self._refill_charts(draft, chances_before, {regions_before[c] for c in chances_before if c not in cities})
        if self.fit_page:
            _fit_to_page(draft)
        return "Keep a part of the board"

    def _cut_outside(self, draft: Draft) -> None:
        """Remove cities and pieces outside, and trim the remaining track."""
        kept_nodes, kept_cities, kept_railroads = self._choose_parts(draft)
        if not kept_cities:
            raise CommandError("no city is left; choose a larger part")
        for ident in sorted(draft.table("cities").keys() - {*kept_cities}):
            drop_city(draft, ident)
        for ident, piece in sorted(piece_rows_of(draft).items()):
            if piece.a not in kept_nodes or piece.b not in kept_nodes or piece.railroad not in kept_railroads:
                drop_piece(draft, ident)
        trim_track(draft)

    def _choose_parts(self, draft: Draft) -> tuple[Collection[str], Collection[str], Collection[str]]:
        """Return the mileposts and junctions, the cities, and the railroads to keep."""
        cities = draft.rows("cities", City)
        if self.railroads is not None:
            for ident in self.railroads:
                need_railroad(draft, ident)
            railroad_pieces = [
                piece_rows_of(draft)[p] for r in self.railroads for p in track_index(draft).of_railroad.get(r, ())
            ]
            end_nodes = frozenset(end for piece in railroad_pieces for end in (piece.a, piece.b))
            return end_nodes, {key for key, row in cities.items() if row.milepost in end_nodes}, self.railroads
        railroads = draft.table("railroads").keys()
        if self.regions is not None:
            for ident in self.regions:
                need_region(draft, ident)
            chosen_cities = {key for key, row in cities.items() if row.region in self.regions}
            return find_nodes_near(draft, self.regions), chosen_cities, railroads
        nodes_inside = find_nodes_inside(draft, self.polygon or ())
        return nodes_inside, {key for key, row in cities.items() if row.milepost in nodes_inside}, railroads

    def _refill_charts(self, draft: Draft, old_chances: dict[str, Fraction], cut: Collection[str]) -> None:
        if self.charts == "keep":
            return
        if self.charts != "solve anew":
            solve_charts(draft, (REGIONS, *(r for r in region_ids(draft) if r in cut)), old_chances)
            return
        region_weights = {r: Fraction(str(w)) for r, w in self.weights.items() if r in draft.table("regions")}
        shares = shares_from_weights(draft, self.weights)
        unweighted_cities = [city for city in draft.table("cities") if city not in self.weights]
        if self.weigh_by == "chances":
            shares |= {city: old_chances[city] for city in unweighted_cities}
        elif self.weigh_by == "railroads":
            railroad_counts = Counter(
                city for ident in draft.table("railroads") for city in find_served_cities(draft, ident)
            )
            shares |= {city: Fraction(railroad_counts[city]) for city in unweighted_cities}
        solve_charts(draft, (REGIONS, *region_ids(draft)), shares, region_weights)


def _fit_to_page(draft: Draft) -> None:
    """Scale and centre the remaining track inside the frame."""
    page, projection = page_of(draft), projection_of(draft)
    margin = page.frame[0]
    page_config = PageConfig(
        width=page.width, height=page.height, margin=margin, legend=max(0.0, page.height - page.frame[3] - margin)
    )
    drawn_points = list(node_positions(draft).values())
    for piece in piece_rows_of(draft).values():
        drawn_points.extend((need_position(draft, piece.a), *piece.bends, need_position(draft, piece.b)))
    fitted_projection, _ = fit_page(ProjectionConfig(name="crs", crs=projection.crs), page_config, drawn_points)
    put_group(draft, "projection", fitted_projection.model_copy(update={"name": projection.name}))
