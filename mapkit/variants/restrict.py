"""A part of a board as a board of its own: what stays, and what no longer leads anywhere."""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction

from mapkit.model.board import REGIONS
from mapkit.model.source import PageConfig, ProjectionConfig
from mapkit.model.variant import RestrictBoard
from mapkit.trace.page import fit_page
from mapkit.variants.lines import length
from mapkit.variants.ops_cities import drop_city, drop_region
from mapkit.variants.solving import chances, solve, weighed
from mapkit.variants.work import OperationError, Work

Nodes = frozenset[str]


def restrict_board(work: Work, op: RestrictBoard) -> None:
    """Keep a part of the board."""
    before = chances(work)
    regions_before = {c.id: c.region for c in work.cities.values()}
    nodes, cities, railroads = _chosen(work, op)
    if not cities:
        raise OperationError("no city is left; choose a larger part")
    for ident in sorted(set(work.cities) - cities):
        drop_city(work, ident)
    for ident in sorted(work.pieces):
        piece = work.pieces[ident]
        if piece.a not in nodes or piece.b not in nodes or piece.railroad not in railroads:
            work.drop_piece(ident)
    _trim(work)
    while few := [r for r in sorted(work.railroads) if len(_served(work, r)) < op.least_cities]:
        for ident in few:
            work.drop_railroad(ident)
        _trim(work)
    _drop_bare(work)
    living = {c.region for c in work.cities.values()}
    for ident in [r for r in work.regions if r not in living]:
        drop_region(work, ident)
    _drop_accepted(work)
    _charts(work, op, before, {regions_before[c] for c in before if c not in cities})
    if op.fit_page:
        _fit(work)
    work.wrote("map")
    work.wrote("chart")
    work.wrote("board")
    work.wrote("accepted")


def _drop_bare(work: Work) -> None:
    """Remove junctions and mileposts off any track; those of cities stay."""
    for ident in sorted(work.junctions):
        if not work.arms(ident):
            work.drop_junction(ident)
    for ident in sorted(set(work.mileposts) - {c.milepost for c in work.cities.values()}):
        if not work.arms(ident):
            del work.mileposts[ident]
            work.unstamp("mileposts", ident)


def _chosen(work: Work, op: RestrictBoard) -> tuple[Nodes, Nodes, Collection[str]]:
    """Return the mileposts and junctions, the cities, and the railroads that are asked for."""
    if op.railroads is not None:
        for ident in op.railroads:
            work.railroad(ident)
        ends = {e for r in op.railroads for p in work.pieces_of[r] for e in (work.pieces[p].a, work.pieces[p].b)}
        return frozenset(ends), frozenset(c.id for c in work.cities.values() if c.milepost in ends), set(op.railroads)
    if op.regions is not None:
        for ident in op.regions:
            work.region(ident)
        cities = frozenset(c.id for c in work.cities.values() if c.region in op.regions)
        return _near(work, op.regions), cities, work.railroads
    nodes = _inside(work, op.polygon or ())
    return nodes, frozenset(c.id for c in work.cities.values() if c.milepost in nodes), work.railroads


def _near(work: Work, regions: Collection[str]) -> Nodes:
    """Return the mileposts and junctions whose nearest city is in the regions; a city's own is where the city is."""
    import numpy as np  # noqa: PLC0415 - a board is seldom cut
    from scipy.spatial import cKDTree  # noqa: PLC0415

    from mapkit.trace.naming import in_space  # noqa: PLC0415

    cities = [work.cities[ident] for ident in sorted(work.cities)]
    at = np.array([work.node(c.milepost) for c in cities])
    nodes = sorted({*work.mileposts, *work.junctions})
    places = np.array([work.node(ident) for ident in nodes])
    found = np.asarray(cKDTree(in_space(at[:, 0], at[:, 1])).query(in_space(places[:, 0], places[:, 1]))[1])
    out = {ident for ident, k in zip(nodes, found.tolist(), strict=True) if cities[k].region in regions}
    inside = {c.milepost for c in cities if c.region in regions}
    return frozenset((out - {c.milepost for c in cities}) | inside)


def _inside(work: Work, polygon: tuple[tuple[float, float], ...]) -> Nodes:
    import shapely  # noqa: PLC0415 - a board is seldom cut

    shape = shapely.Polygon(polygon)
    if not shape.is_valid:
        raise OperationError("the polygon crosses itself; list its corners in order")
    nodes = sorted({*work.mileposts, *work.junctions})
    hit = shapely.covers(shape, shapely.points([work.node(ident) for ident in nodes]))
    return frozenset(ident for ident, yes in zip(nodes, hit.tolist(), strict=True) if yes)


def _trim(work: Work) -> None:
    """Remove track that leads nowhere, and all but the best part of each railroad, until nothing changes."""
    at_cities = {c.milepost for c in work.cities.values()}
    while True:
        count = len(work.pieces)
        for railroad in sorted(work.railroads):
            for part in _parts(work, railroad, at_cities)[1:]:
                for ident in part:
                    work.drop_piece(ident)
        ends = [node for node in sorted(work.pieces_at) if node not in at_cities]
        while ends:
            node = ends.pop()
            arms = work.arms(node)
            if len(arms) == 1:
                piece = work.drop_piece(arms[0])
                far = piece.b if piece.a == node else piece.a
                if far not in at_cities:
                    ends.append(far)
        if len(work.pieces) == count:
            return


def _served(work: Work, railroad: str) -> set[str]:
    ends = {end for p in work.pieces_of[railroad] for end in (work.pieces[p].a, work.pieces[p].b)}
    return {c.id for c in work.cities.values() if c.milepost in ends}


def _parts(work: Work, railroad: str, at_cities: Collection[str]) -> list[list[str]]:
    """Return the connected parts of a railroad, as pieces: most cities first, then longest."""
    left = set(work.pieces_of[railroad])
    out: list[tuple[int, float, list[str]]] = []
    while left:
        part: set[str] = set()
        queue = [min(left)]
        while queue:
            ident = queue.pop()
            if ident in part:
                continue
            part.add(ident)
            for end in (work.pieces[ident].a, work.pieces[ident].b):
                queue.extend(arm for arm in work.arms(end, railroad) if arm not in part)
        left -= part
        cities = {e for p in part for e in (work.pieces[p].a, work.pieces[p].b)} & set(at_cities)
        out.append((-len(cities), -round(sum(length(work.pieces[p].line) for p in sorted(part)), 6), sorted(part)))
    return [part for _, _, part in sorted(out)]


def _drop_accepted(work: Work) -> None:
    """Forget what was accepted of elements that are gone."""
    known = {*work.mileposts, *work.railroads, *work.cities, *work.regions, *work.pieces, *work.junctions}
    segments: set[str] = set()
    for railroad in work.railroads:
        segments |= set(work.ways(railroad))
    for ident in list(work.accepted):
        if not set(ident.split(":")[1:]) <= known | segments:
            del work.accepted[ident]


def _charts(work: Work, op: RestrictBoard, before: dict[str, Fraction], cut: Collection[str]) -> None:
    if op.charts == "keep":
        return
    if op.charts == "solve anew":
        regions = {r: Fraction(str(w)) for r, w in op.weights.items() if r in work.regions}
        shares = weighed(work, op.weights)
        if op.weigh_by == "chances":
            shares |= {city: before[city] for city in work.cities if city not in op.weights}
        elif op.weigh_by == "railroads":
            serving = Counter(city for railroad in work.railroads for city in _served(work, railroad))
            shares |= {city: Fraction(serving[city]) for city in work.cities if city not in op.weights}
        solve(work, (REGIONS, *work.regions), shares, regions)
        return
    solve(work, (REGIONS, *(r for r in work.regions if r in cut)), before)


def _fit(work: Work) -> None:
    """Scale and centre what is left inside the frame."""
    page = work.page
    margin = page.frame[0]
    config = PageConfig(
        width=page.width, height=page.height, margin=margin, legend=max(0.0, page.height - page.frame[3] - margin)
    )
    points = [work.node(ident) for ident in (*work.mileposts, *work.junctions)]
    points.extend(point for piece in work.pieces.values() for point in piece.line)
    fitted, _ = fit_page(ProjectionConfig(name="crs", crs=work.projection.crs), config, points)
    work.projection = fitted.model_copy(update={"name": work.projection.name})
    work.reproject = True
