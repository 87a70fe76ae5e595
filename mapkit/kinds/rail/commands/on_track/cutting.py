"""Extraction of a part of a board: mileposts in regions or a polygon, and trimming of dangling track."""

from collections.abc import Collection, Mapping

from mapkit.core import heavy
from mapkit.core.base import Point
from mapkit.kinds.rail.commands import late
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.on_track.pieces import drop_piece, piece_rows_of, track_index
from mapkit.kinds.rail.commands.on_track.polylines import polyline_length
from mapkit.kinds.rail.tables import City, Junction, Milepost

Nodes = frozenset[str]


def node_positions(draft: Draft) -> dict[str, Point]:
    """Return the positions of mileposts and junctions."""
    node_rows: Mapping[str, Milepost | Junction] = {
        **draft.rows("mileposts", Milepost),
        **draft.rows("junctions", Junction),
    }
    return {ident: (row.lon, row.lat) for ident, row in node_rows.items()}


def find_nodes_near(draft: Draft, regions: Collection[str]) -> Nodes:
    """Return the mileposts of all cities in the regions, and all other nodes with their nearest city in a region."""
    position_of_node = node_positions(draft)
    cities = [row for _, row in sorted(draft.rows("cities", City).items())]
    city_xy = heavy.numpy.array([position_of_node[row.milepost] for row in cities])
    nodes = sorted(position_of_node)
    node_xy = heavy.numpy.array([position_of_node[ident] for ident in nodes])
    nearest_city, _ = late.find_nearest(
        late.to_geocentric(node_xy[:, 0], node_xy[:, 1]), late.to_geocentric(city_xy[:, 0], city_xy[:, 1])
    )
    chosen = {ident for ident, k in zip(nodes, nearest_city.tolist(), strict=True) if cities[k].region in regions}
    city_mileposts = {row.milepost for row in cities if row.region in regions}
    return frozenset((chosen - {row.milepost for row in cities}) | city_mileposts)


def find_nodes_inside(draft: Draft, polygon: tuple[Point, ...]) -> Nodes:
    """Return the mileposts and junctions in a polygon.

    Raises:
        CommandError: The polygon crosses itself.
    """
    polygon_shape = heavy.shapely.Polygon(polygon)
    if not polygon_shape.is_valid:
        raise CommandError("the polygon crosses itself; list its corners in order")
    position_of_node = node_positions(draft)
    nodes = sorted(position_of_node)
    is_inside = heavy.shapely.covers(polygon_shape, heavy.shapely.points([position_of_node[ident] for ident in nodes]))
    return frozenset(ident for ident, is_covered in zip(nodes, is_inside.tolist(), strict=True) if is_covered)


def find_city_mileposts(draft: Draft) -> set[str]:
    """Return the mileposts of cities."""
    return {row.milepost for row in draft.rows("cities", City).values()}


def trim_track(draft: Draft) -> None:
    """Remove dangling track, and all but the best connected part of each railroad, until nothing changes."""
    cities, index = find_city_mileposts(draft), track_index(draft)
    while True:
        piece_count = len(piece_rows_of(draft))
        for railroad in sorted(draft.table("railroads")):
            for part in _connected_parts(draft, railroad, cities)[1:]:
                for ident in part:
                    drop_piece(draft, ident)
        end_nodes = [node for node in sorted(index.at) if node not in cities]
        while end_nodes:
            node = end_nodes.pop()
            arms = index.arms(node)
            if len(arms) == 1:
                piece = drop_piece(draft, arms[0])
                far_node = piece.b if piece.a == node else piece.a
                if far_node not in cities:
                    end_nodes.append(far_node)
        if len(piece_rows_of(draft)) == piece_count:
            return


def _end_nodes(draft: Draft, pieces: Collection[str]) -> set[str]:
    return {end for p in pieces for end in (piece_rows_of(draft)[p].a, piece_rows_of(draft)[p].b)}


def find_served_cities(draft: Draft, railroad: str) -> set[str]:
    """Return the cities that a railroad serves."""
    ends = _end_nodes(draft, track_index(draft).of_railroad.get(railroad, ()))
    return {key for key, row in draft.rows("cities", City).items() if row.milepost in ends}


def _connected_parts(draft: Draft, railroad: str, cities: Collection[str]) -> list[list[str]]:
    """Return the connected parts of a railroad as lists of pieces, most cities first, longest first among equals."""
    index, piece_rows, position_of_node = track_index(draft), piece_rows_of(draft), node_positions(draft)
    unvisited = set(index.of_railroad.get(railroad, ()))
    ranked_parts: list[tuple[int, float, list[str]]] = []
    while unvisited:
        part: set[str] = set()
        queue = [min(unvisited)]
        while queue:
            ident = queue.pop()
            if ident in part:
                continue
            part.add(ident)
            for end in (piece_rows[ident].a, piece_rows[ident].b):
                queue.extend(arm for arm in index.arms(end, railroad) if arm not in part)
        unvisited -= part
        served_nodes = _end_nodes(draft, part) & set(cities)
        part_length = sum(
            polyline_length(
                (position_of_node[piece_rows[p].a], *piece_rows[p].bends, position_of_node[piece_rows[p].b])
            )
            for p in sorted(part)
        )
        ranked_parts.append((-len(served_nodes), -round(part_length, 6), sorted(part)))
    return [part for _, _, part in sorted(ranked_parts)]


def drop_bare_nodes(draft: Draft) -> None:
    """Remove junctions and mileposts without track, except the mileposts of cities."""
    index = track_index(draft)
    for ident in sorted(draft.table("junctions")):
        if not index.at.get(ident):
            draft.drop("junctions", ident)
    for ident in sorted(set(draft.table("mileposts")) - find_city_mileposts(draft)):
        if not index.at.get(ident):
            draft.drop("mileposts", ident)


def drop_stale_acceptances(draft: Draft) -> None:
    """Remove acceptances of findings about elements that no longer exist."""
    known_ids = {
        ident
        for table in ("mileposts", "railroads", "cities", "regions", "track", "junctions")
        for ident in draft.table(table)
    }
    for railroad in draft.table("railroads"):
        known_ids |= set(track_index(draft).ways(railroad))
    for ident in list(draft.table("accepted")):
        if not set(ident.split(":")[1:]) <= known_ids:
            draft.drop("accepted", ident)
