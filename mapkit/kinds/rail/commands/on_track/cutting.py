"""What a part of a board keeps: mileposts of regions or a polygon, and track that still leads somewhere."""

from collections.abc import Collection, Mapping

import numpy as np
import shapely

from mapkit.core.base import Point
from mapkit.core.neighbours import find_nearest
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.on_track.pieces import drop_piece, rows, tracks
from mapkit.kinds.rail.commands.on_track.polylines import length
from mapkit.kinds.rail.tables import City, Junction, Milepost
from mapkit.kinds.rail.trace.naming import in_space

Nodes = frozenset[str]


def positions(draft: Draft) -> dict[str, Point]:
    """Return where mileposts and junctions stand."""
    found: Mapping[str, Milepost | Junction] = {
        **draft.rows("mileposts", Milepost),
        **draft.rows("junctions", Junction),
    }
    return {ident: (row.lon, row.lat) for ident, row in found.items()}


def near(draft: Draft, regions: Collection[str]) -> Nodes:
    """Return the mileposts and junctions whose nearest city is in the regions; a city's own is where the city is."""
    spots = positions(draft)
    cities = [row for _, row in sorted(draft.rows("cities", City).items())]
    at = np.array([spots[row.milepost] for row in cities])
    nodes = sorted(spots)
    places = np.array([spots[ident] for ident in nodes])
    found, _ = find_nearest(in_space(places[:, 0], places[:, 1]), in_space(at[:, 0], at[:, 1]))
    out = {ident for ident, k in zip(nodes, found.tolist(), strict=True) if cities[k].region in regions}
    own = {row.milepost for row in cities if row.region in regions}
    return frozenset((out - {row.milepost for row in cities}) | own)


def inside(draft: Draft, polygon: tuple[Point, ...]) -> Nodes:
    """Return the mileposts and junctions in a polygon.

    Raises:
        CommandError: It crosses itself.
    """
    shape = shapely.Polygon(polygon)
    if not shape.is_valid:
        raise CommandError("the polygon crosses itself; list its corners in order")
    spots = positions(draft)
    nodes = sorted(spots)
    hit = shapely.covers(shape, shapely.points([spots[ident] for ident in nodes]))
    return frozenset(ident for ident, yes in zip(nodes, hit.tolist(), strict=True) if yes)


def at_cities(draft: Draft) -> set[str]:
    """Return the mileposts of cities."""
    return {row.milepost for row in draft.rows("cities", City).values()}


def trim(draft: Draft) -> None:
    """Remove track that leads nowhere, and all but the best part of each railroad, until nothing changes."""
    cities, index = at_cities(draft), tracks(draft)
    while True:
        count = len(rows(draft))
        for railroad in sorted(draft.table("railroads")):
            for part in _parts(draft, railroad, cities)[1:]:
                for ident in part:
                    drop_piece(draft, ident)
        ends = [node for node in sorted(index.at) if node not in cities]
        while ends:
            node = ends.pop()
            arms = index.arms(node)
            if len(arms) == 1:
                piece = drop_piece(draft, arms[0])
                far = piece.b if piece.a == node else piece.a
                if far not in cities:
                    ends.append(far)
        if len(rows(draft)) == count:
            return


def _ends(draft: Draft, pieces: Collection[str]) -> set[str]:
    return {end for p in pieces for end in (rows(draft)[p].a, rows(draft)[p].b)}


def served(draft: Draft, railroad: str) -> set[str]:
    """Return the cities that a railroad serves."""
    ends = _ends(draft, tracks(draft).of_railroad.get(railroad, ()))
    return {key for key, row in draft.rows("cities", City).items() if row.milepost in ends}


def _parts(draft: Draft, railroad: str, cities: Collection[str]) -> list[list[str]]:
    """Return the connected parts of a railroad, as pieces: most cities first, then longest."""
    index, own, spots = tracks(draft), rows(draft), positions(draft)
    left = set(index.of_railroad.get(railroad, ()))
    out: list[tuple[int, float, list[str]]] = []
    while left:
        part: set[str] = set()
        queue = [min(left)]
        while queue:
            ident = queue.pop()
            if ident in part:
                continue
            part.add(ident)
            for end in (own[ident].a, own[ident].b):
                queue.extend(arm for arm in index.arms(end, railroad) if arm not in part)
        left -= part
        here = _ends(draft, part) & set(cities)
        long = sum(length((spots[own[p].a], *own[p].bends, spots[own[p].b])) for p in sorted(part))
        out.append((-len(here), -round(long, 6), sorted(part)))
    return [part for _, _, part in sorted(out)]


def drop_bare(draft: Draft) -> None:
    """Remove junctions and mileposts off any track; those of cities stay."""
    index = tracks(draft)
    for ident in sorted(draft.table("junctions")):
        if not index.at.get(ident):
            draft.drop("junctions", ident)
    for ident in sorted(set(draft.table("mileposts")) - at_cities(draft)):
        if not index.at.get(ident):
            draft.drop("mileposts", ident)


def drop_accepted(draft: Draft) -> None:
    """Forget what was accepted of elements that are gone."""
    known = {
        ident
        for table in ("mileposts", "railroads", "cities", "regions", "track", "junctions")
        for ident in draft.table(table)
    }
    for railroad in draft.table("railroads"):
        known |= set(tracks(draft).ways(railroad))
    for ident in list(draft.table("accepted")):
        if not set(ident.split(":")[1:]) <= known:
            draft.drop("accepted", ident)
