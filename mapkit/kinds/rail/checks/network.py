"""Checks on the network: connection, ends, doubles, monopolies and spurs."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain

from mapkit.core.checks import Found
from mapkit.kinds.rail.checks.check import CheckedRails, Links, make_listed_check
from mapkit.kinds.rail.checks.nearest_track import LAST_SNAP_MI, TrackFinder, find_line_ends, find_unjoined_ends
from mapkit.kinds.rail.network.multigraph import find_node_components, spurs

_SHOWN_NAMES = 5
_SMALL_GAP_MI = 3.0
ONE_PIECE = 2  # ids of its two ends


def _find_board_not_connected(c: CheckedRails) -> Iterator[Found]:
    """Mileposts that cannot be reached from the largest connected part of the board.

    Two lines connect only at a milepost that both name; lines that merely cross do not. Connect the parts at a
    shared milepost, or remove the smaller part.
    """
    for component in find_node_components(
        (link.a, link.b) for link in chain.from_iterable(c.links_by_railroad.values())
    )[1:]:
        yield Found(
            f"{_join_names(c, component)} cannot be reached from the rest of the board; connect them by a line, or "
            "remove them",
            tuple(component),
            c.place("mileposts", component[0]),
        )


def _find_railroad_not_connected(c: CheckedRails) -> Iterator[Found]:
    """Parts of one railroad that its own trains cannot reach on its own track.

    An owner expects to ride the whole railroad. Usually a stretch is missing from a station list, or one
    milepost is spelled in two ways.
    """
    components_of = c.of_railroads(_list_components)
    split_railroads = {railroad: parts for railroad, parts in components_of.items() if len(parts) > 1}
    all_links = chain.from_iterable(c.links_by_railroad.values()) if split_railroads else ()
    main_part = set(chain.from_iterable(find_node_components((link.a, link.b) for link in all_links)[:1]))
    for railroad, short in c.short.items():
        parts = sorted(split_railroads.get(railroad, ()), key=lambda part: (-len(part), part[0] not in main_part))
        for component in parts[1:]:
            yield Found(
                f"{short} is in pieces: {_join_names(c, component)} cannot be reached from the rest of the railroad "
                "on its own track; complete the line, or split it into two railroads",
                (railroad, *component),
                c.place("railroads", railroad, at=component[0]),
            )


def _list_components(links: Links) -> list[list[str]]:
    return find_node_components((link.a, link.b) for link in links)


def _find_railroad_without_track(c: CheckedRails) -> Iterator[Found]:
    """A railroad in `railroads.csv` that has no track."""
    for railroad, short in c.short.items():
        if railroad not in c.links_by_railroad:
            yield Found(
                f"{short} has no track; draw its lines, or remove it from railroads.csv",
                (railroad,),
                c.place("railroads", railroad),
            )


def _find_city_without_track(c: CheckedRails) -> Iterator[Found]:
    """A city that a player may be sent to, but that no line runs through.

    The nearest track is named. A drawn line serves a city that it passes within `tracing.snap_mi`.
    """
    for city in c.board.cities:
        if not c.links_at.get(city.milepost):
            yield Found(
                f"no railroad serves {city.name}; {_describe_nearest_track(c, city.milepost)}run a line through it, or "
                "remove it",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
            )


def _describe_nearest_track(c: CheckedRails, milepost: str) -> str:
    """Describe the track nearest to a milepost, its distance, and the consequence for drawn lines."""
    milepost_at = c.mileposts.get(milepost)
    track_nearby = (
        TrackFinder(c.board.pieces).nearest((milepost_at.lon, milepost_at.lat)) if milepost_at is not None else None
    )
    if track_nearby is None:
        return ""
    piece, miles = track_nearby
    for end in filter(None, map(c.mileposts.get, (piece.a, piece.b))):
        if milepost_at is not None and (end.lon, end.lat) == (milepost_at.lon, milepost_at.lat):
            return f"{end.name} of {c.short[piece.railroad]} is at the same place; give both one name, "
    distance_text = f"the nearest track is that of {c.short[piece.railroad]}, {miles:,.1f} miles away; "
    origin = c.board.provenance.elements.get("pieces", {}).get(piece.id)
    if miles > LAST_SNAP_MI or origin is None or not (origin.feature or "").partition("#")[0]:
        return distance_text
    snap_mi = math.ceil(miles * 10) / 10 + 0.1
    return f"{distance_text}if that line should reach the city, set tracing.snap_mi to {snap_mi:.1f}; otherwise "


def _find_line_ends_not_joined(c: CheckedRails) -> Iterator[Found]:
    """A railroad that ends where another has a milepost of its own, so that the two do not connect.

    Lines of different railroads connect only at a milepost that both have. Where drawn lines of two railroads end at
    one coordinate without a point, each gets a milepost of its own.
    """
    for end_milepost, other_milepost, miles in find_unjoined_ends(c):
        end_railroads, other_railroads = (
            ", ".join(sorted({c.short[link.railroad] for link in c.links_at[ident]}))
            for ident in (end_milepost, other_milepost)
        )
        yield Found(
            f"{end_railroads} ends at {c.names[end_milepost]}, and {other_railroads} has its own milepost "
            f"{c.names[other_milepost]} {miles:.2f} miles away, so they do not connect; draw one named point for both, "
            "or write the same place in both lists",
            (end_milepost, other_milepost),
            c.place("mileposts", end_milepost),
            {"miles": round(miles, 2)},
        )


def _find_dead_end_without_city(c: CheckedRails) -> Iterator[Found]:
    """A milepost with a single piece of track that is not a city, be it behind a junction.

    Nobody ever has a reason to go there. Most dead ends are a line that should continue, or a name that differs
    from the one the next line uses.
    """
    finder = TrackFinder(c.board.pieces)
    for milepost_id in sorted({*chain.from_iterable(c.of_ties(find_line_ends).values())} & c.names.keys()):
        end_ties = c.ties_at[milepost_id]
        if len(end_ties) == 1 and milepost_id not in c.cities_at:
            milepost = c.mileposts[milepost_id]
            near = finder.nearest((milepost.lon, milepost.lat), apart_from=milepost_id)
            gap_text = f", {near[1]:.1f} miles from track of {c.short[near[0].railroad]}" if near else ""
            yield Found(
                f"{c.names[milepost_id]} is a dead end of {c.short[end_ties[0].railroad]} but not a city"
                f"{gap_text if near and near[1] <= _SMALL_GAP_MI else ''}, so no train has a reason to go there; "
                "extend the line to a milepost that others use, or remove it",
                (milepost_id,),
                c.place("mileposts", milepost_id),
            )


def _find_line_ends_one_step_short(c: CheckedRails) -> Iterator[Found]:
    """An end of a railroad one step from a city that the railroad does not serve.

    Often the last row of a station list is missing. If the line really ends there, accept the finding.
    """
    cities_at = c.cities_at
    linked_mileposts = {end for city in cities_at for link in c.links_at.get(city, ()) for end in (link.a, link.b)}
    served_cities = {(link.railroad, city) for city in cities_at for link in c.links_at.get(city, ())}
    for milepost_id in sorted(linked_mileposts - cities_at.keys()):
        neighbours_by_railroad: dict[str, set[str]] = defaultdict(set)
        for link in c.links_at[milepost_id]:
            neighbours_by_railroad[link.railroad] |= {link.a, link.b} - {milepost_id}
        linked_cities = {end for ends in neighbours_by_railroad.values() for end in ends if end in cities_at}
        for railroad, ends in sorted(neighbours_by_railroad.items()):
            unserved_cities = sorted(city for city in linked_cities if (railroad, city) not in served_cities)
            if len(ends) == 1 and unserved_cities:
                yield Found(
                    f"{c.short[railroad]} ends at {c.names[milepost_id]}, one step short of "
                    f"{_join_names(c, unserved_cities)}, which it does not serve; extend it, or accept this if "
                    "its line really ends there",
                    (railroad, milepost_id),
                    c.place("mileposts", milepost_id),
                )


def _find_duplicate_segment(c: CheckedRails) -> Iterator[Found]:
    """Two segments of one railroad between the same two mileposts.

    A client cannot tell which of them a rider used. Put a milepost on one of the lines.
    """
    doubled_links = [
        (link_ids, end_pair, railroad_id)
        for railroad_id, doubled_ends in c.of_railroads(_list_doubled_ends).items()
        for end_pair, link_ids in doubled_ends
    ]
    for link_ids, end_pair, railroad in sorted(doubled_links):
        yield Found(
            f"{c.short[railroad]} joins {_join_names(c, list(end_pair))} {len(link_ids)} times; put a milepost on one "
            "of the lines, or remove it",
            tuple(link_ids),
            c.place("segments", link_ids[-1], at=end_pair[0]),
        )


def _list_doubled_ends(links: Links) -> list[tuple[tuple[str, str], list[str]]]:
    """Return the ends shared by several links of a railroad, sorted, with the ids of these links."""
    ids_by_ends: dict[tuple[str, str], list[str]] = defaultdict(list)
    for link_id, _, a, b in links:
        if a != b:
            ids_by_ends[(a, b) if a < b else (b, a)].append(link_id)
    return [(end_pair, ids) for end_pair, ids in ids_by_ends.items() if len(ids) > 1]


def _find_loop_segment(c: CheckedRails) -> Iterator[Found]:
    """A segment that begins and ends at the same milepost.

    A step must lead somewhere.
    """
    for link in chain.from_iterable(c.of_railroads(_list_loops).values()):
        yield Found(
            f"a segment of {c.short[link.railroad]} runs from {c.names[link.a]} back to itself; "
            "put mileposts on the loop, or remove it",
            (link.id,),
            c.place("segments", link.id, at=link.a),
        )


def _list_loops(links: Links) -> Links:
    return tuple(link for link in links if link.a == link.b)


def _find_duplicate_milepost_name(c: CheckedRails) -> Iterator[Found]:
    """Two mileposts with one name, or a milepost with the name of a city that is at another milepost.

    Short names drop the state only if they stay distinct, so this happens only if names are typed alike.
    """
    city_places = {(city.name, city.milepost) for city in c.board.cities if c.names.get(city.milepost) != city.name}
    if len({*c.names.values(), *(name for name, _ in city_places)}) == len(c.names) + len(city_places):
        return
    named_places = {*zip(c.names.values(), c.names, strict=True), *city_places}
    name_counts = Counter(name for name, _ in named_places)
    mileposts_by_name: dict[str, set[str]] = defaultdict(set)
    for name, ident in named_places:
        if name_counts[name] > 1:
            mileposts_by_name[name].add(ident)
    for name, milepost_ids in sorted(mileposts_by_name.items()):
        yield Found(
            f"{len(milepost_ids)} mileposts are called {name!r}; give each its own name",
            tuple(sorted(milepost_ids)),
            c.place("mileposts", max(milepost_ids)),
        )


def _find_city_of_one_railroad(c: CheckedRails) -> Iterator[Found]:
    """A city that only one railroad serves.

    Not a mistake, but it matters to play: once the railroad is sold, everyone else who is sent there pays its
    owner.
    """
    milepost_of = {city.id: city.milepost for city in c.board.cities}
    for city, milepost in sorted(milepost_of.items()):
        serving_railroads = {link.railroad for link in c.links_at.get(milepost, ())}
        if len(serving_railroads) == 1:
            only_railroad = min(serving_railroads)
            yield Found(
                f"only {c.short[only_railroad]} serves {c.names[milepost]}, so every train with that destination "
                "pays its owner",
                (city, only_railroad),
                c.place("cities", city, at=milepost),
            )


def _find_single_track_spur(c: CheckedRails) -> Iterator[Found]:
    """A dead-end run of track without room for trains to pass each other (RB-C25).

    Not a mistake, but it matters to play: a player who has declared and waits there is hard to catch (RB-W26).
    """
    for spur_nodes in spurs((tie.a, tie.b) for tie in chain.from_iterable(c.ties_by_railroad.values())):
        mileposts = [ident for ident in spur_nodes if ident in c.names]
        start_name = c.names.get(spur_nodes[0], "a junction")
        yield Found(
            f"the line from {start_name} to {c.names[spur_nodes[-1]]} is a spur of {len(spur_nodes) - 1} track "
            f"{'piece' if len(spur_nodes) == ONE_PIECE else 'pieces'}: trains cannot pass each other there",
            tuple(mileposts),
            c.place("mileposts", spur_nodes[-1]),
            {"rules": ["RB-C25", "RB-W26"]},
        )


def _join_names(c: CheckedRails, ids: list[str]) -> str:
    shown_names = [c.names[i] for i in ids[:_SHOWN_NAMES]]
    hidden_count = len(ids) - len(shown_names)
    return ", ".join(shown_names) + (f" and {hidden_count} more" if hidden_count else "")


CHECKS = (
    make_listed_check("N01", _find_board_not_connected),
    make_listed_check("N02", _find_railroad_not_connected),
    make_listed_check("N03", _find_city_without_track),
    make_listed_check("N04", _find_dead_end_without_city),
    make_listed_check("N05", _find_line_ends_one_step_short),
    make_listed_check("N06", _find_duplicate_segment),
    make_listed_check("N07", _find_loop_segment),
    make_listed_check("N08", _find_duplicate_milepost_name),
    make_listed_check("N11", _find_city_of_one_railroad),
    make_listed_check("N12", _find_single_track_spur),
    make_listed_check("N13", _find_railroad_without_track),
    make_listed_check("N14", _find_line_ends_not_joined),
)
