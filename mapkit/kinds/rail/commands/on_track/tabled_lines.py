"""Track of tables as lines, for line tools: a line runs through nodes at which exactly two pieces meet."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from mapkit.core.base import Point
from mapkit.core.outputs.filenames import station_file
from mapkit.document.document import last_rank
from mapkit.evaluate import Reader, tracked
from mapkit.kinds.rail.compiler.network import milepost_ids, node_points
from mapkit.kinds.rail.compiler.places import post_name
from mapkit.kinds.rail.compiler.railroads import FoundLine, FoundStop
from mapkit.kinds.rail.compiler.rows import tabled_railroads
from mapkit.kinds.rail.sources.places import coordinate_name, coordinate_point
from mapkit.kinds.rail.tables import Line, Milepost, Stop, Track

_THROUGH_ARMS = 2


def join_pieces(pieces: Mapping[str, Track]) -> Iterator[tuple[str, list[str]]]:
    """Yield the first node and the pieces of each line: pieces joined where exactly two meet."""
    unused_pieces = dict(sorted(pieces.items()))
    pieces_at: dict[str, list[str]] = defaultdict(list)
    for key, row in unused_pieces.items():
        pieces_at[row.a].append(key)
        pieces_at[row.b].append(key)
    end_nodes = [node for node in sorted(pieces_at) if len(pieces_at[node]) != _THROUGH_ARMS]
    for start in [*end_nodes, *sorted(pieces_at)]:  # pieces left after all ends are rings
        while first_piece := next((key for key in pieces_at[start] if key in unused_pieces), None):
            way_pieces, current_node = [first_piece], start
            while True:
                row = unused_pieces.pop(way_pieces[-1])
                current_node = row.b if row.a == current_node else row.a
                next_piece = next((key for key in pieces_at[current_node] if key in unused_pieces), None)
                if len(pieces_at[current_node]) != _THROUGH_ARMS or next_piece is None:
                    break
                way_pieces.append(next_piece)
            yield start, way_pieces


@tracked
def pieces_of_lines(db: Reader) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the first node and the pieces of each line of table track; its id is that of its first piece."""
    railroads, points = db.rows("railroads"), node_points(db)
    lines: dict[str, tuple[str, tuple[str, ...]]] = {}
    for railroad, rows in sorted(tabled_railroads(db).items()):
        if railroad in railroads:
            laid_rows = {key: row for key, row in rows.items() if row.a in points and row.b in points}
            lines.update((min(way), (start, tuple(way))) for start, way in join_pieces(laid_rows))
    return lines


@tracked
def tabled_lines(db: Reader) -> dict[str, Line]:
    """Return the track of tables as lines; mileposts of tables are named by their ids, junctions by coordinates."""
    track, points = db.table("track"), node_points(db)
    junctions = {node for row in track.values() for node in (row.a, row.b)} & db.table("junctions").keys()
    listed_names = {ident: place for place, ident in milepost_ids(db).items() if ident not in db.table("mileposts")}

    def make_stop(node: str) -> Stop:
        if node in junctions or (node not in listed_names and node not in db.table("mileposts")):
            return coordinate_name(*points[node]), "via"
        return listed_names.get(node, node), "milepost"

    lines: dict[str, Line] = {}
    taken_names: set[tuple[str, str]] = set()
    rank = last_rank(db.table("lines"))
    for key, (start, way) in pieces_of_lines(db).items():
        railroad, node = track[key].railroad, start
        stops = [make_stop(node)]
        for piece_id in way:
            row = track[piece_id]
            bends, node = (row.bends, row.b) if row.a == node else (row.bends[::-1], row.a)
            stops += [(coordinate_name(*point), "via") for point in bends]
            stops.append(make_stop(node))
        name, number = f"{start} - {node}", 1
        while (railroad, name) in taken_names:
            number += 1
            name = f"{start} - {node} {number}"
        taken_names.add((railroad, name))
        lines[key] = Line(
            railroad=railroad, name=name, file=station_file(railroad), stops=tuple(stops), rank=rank + len(lines)
        )
    return lines


@tracked
def find_tabled_lines(db: Reader) -> Mapping[str, FoundLine]:
    """Return the lines of table track with the positions of their places."""
    ids = {place: ident for place, ident in milepost_ids(db).items() if ident not in db.table("mileposts")}
    return db.each(_find_line, tabled_lines(db), ids, db.table("mileposts"), node_points(db))


def _find_line(
    key: str, line: Line, ids: Mapping[str, str], posts: Mapping[str, Milepost], points: Mapping[str, Point]
) -> FoundLine:
    positions = [coordinate_point(place) or points[ids.get(place, place)] for place, _ in line.stops]
    names = [post_name(place, posts[place]) if place in posts else place for place, _ in line.stops]
    stops = [FoundStop(name, kind, *at) for name, (_, kind), at in zip(names, line.stops, positions, strict=True)]
    return FoundLine(key, line.name, tuple(stops), tuple(range(len(stops))))
