"""Checks on the network: connection, ends, doubles, monopolies and spurs."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain

from mapkit.core.checks import Found
from mapkit.kinds.rail.checks.check import Checked, Links, listed
from mapkit.kinds.rail.checks.nearness import LAST_SNAP_MI, apart_ends, line_ends, nearest_track
from mapkit.kinds.rail.network.multigraph import components
from mapkit.kinds.rail.network.service import spurs_of

_SHOWN = 5
ONE_PIECE = 2  # ids


def _board_components(c: Checked) -> Iterator[Found]:
    """Mileposts that cannot be reached from the largest connected part of the board.

    Two lines connect only at a milepost that both name; lines that merely cross do not. Connect the parts at a
    shared milepost, or remove the smaller part.
    """
    if _all_joined(c.of_railroads(_parts)):
        return
    for part in components((link.a, link.b) for link in chain.from_iterable(c.links_by_railroad.values()))[1:]:
        yield Found(
            f"{_names(c, part)} cannot be reached from the rest of the board; connect them by a line, or remove them",
            tuple(part),
            c.place("mileposts", part[0]),
        )


def _railroad_components(c: Checked) -> Iterator[Found]:
    """Parts of one railroad that its own trains cannot reach on its own track.

    An owner expects to ride the whole railroad. Usually a stretch is missing from a station list, or one
    milepost is spelled in two ways.
    """
    parts = c.of_railroads(_parts)
    for railroad, short in c.short.items():
        for part in parts.get(railroad, ())[1:]:
            yield Found(
                f"{short} is in pieces: {_names(c, part)} cannot be reached from the rest of the railroad "
                "on its own track; complete the line, or split it into two railroads",
                (railroad, *part),
                c.place("railroads", railroad, at=part[0]),
            )


def _parts(links: Links) -> list[list[str]]:
    return components((link.a, link.b) for link in links)


def _all_joined(parts_of: Mapping[str, list[list[str]]]) -> bool:
    """Return whether the parts of all railroads are connected at mileposts that they share."""
    left = list(chain.from_iterable(parts_of.values()))
    joined = set(left.pop()) if left else set()
    while left:
        apart = []
        for part in left:
            if joined.isdisjoint(part):
                apart.append(part)
            else:
                joined.update(part)
        if len(apart) == len(left):
            return False
        left = apart
    return True


def _no_track(c: Checked) -> Iterator[Found]:
    """A railroad in `railroads.csv` that has no track."""
    for railroad, short in c.short.items():
        if railroad not in c.links_by_railroad:
            yield Found(
                f"{short} has no track; draw its lines, or remove it from railroads.csv",
                (railroad,),
                c.place("railroads", railroad),
            )


def _city_off_track(c: Checked) -> Iterator[Found]:
    """A city that a player may be sent to, but that no line runs through.

    The nearest track is named. A drawn line serves a city that it passes within `tracing.snap_mi`.
    """
    for city in c.board.cities:
        if not c.links_at.get(city.milepost):
            yield Found(
                f"no railroad serves {city.name}; {_track_beside(c, city.milepost)}run a line through it, or remove it",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
            )


def _track_beside(c: Checked, milepost: str) -> str:
    """Return which track is nearest to a milepost, how far it is, and what that means for drawn lines."""
    here = c.mileposts.get(milepost)
    near = nearest_track(c.board.pieces, (here.lon, here.lat)) if here is not None else None
    if near is None:
        return ""
    piece, miles = near
    said = f"the nearest track is that of {c.short[piece.railroad]}, {miles:,.1f} miles away; "
    origin = c.board.provenance.elements.get("pieces", {}).get(piece.id)
    if miles > LAST_SNAP_MI or origin is None or not (origin.feature or "").partition("#")[0]:
        return said
    snap = math.ceil(miles * 10) / 10 + 0.1
    return f"{said}if that line should reach the city, set tracing.snap_mi to {snap:.1f}; otherwise "


def _ends_apart(c: Checked) -> Iterator[Found]:
    """A railroad that ends where another has a milepost of its own, so that the two do not connect.

    Lines of different railroads connect only at a milepost that both have. Where drawn lines of two railroads end at
    one coordinate without a point, each gets a milepost of its own.
    """
    for one, other, miles in apart_ends(c):
        a, b = (", ".join(sorted({c.short[link.railroad] for link in c.links_at[ident]})) for ident in (one, other))
        yield Found(
            f"{a} ends at {c.names[one]}, and {b} has its own milepost {c.names[other]} {miles:.2f} miles away, so "
            "they do not connect; draw one named point for both, or write the same place in both lists",
            (one, other),
            c.place("mileposts", one),
            {"miles": round(miles, 2)},
        )


def _dead_end(c: Checked) -> Iterator[Found]:
    """A milepost with a single piece of track that is not a city, be it behind a junction.

    Nobody ever has a reason to go there. Most dead ends are a line that should continue, or a name that differs
    from the one the next line uses.
    """
    for ident in sorted({*chain.from_iterable(c.of_ties(line_ends).values())} & c.names.keys()):
        ties = c.ties_at[ident]
        if len(ties) == 1 and ident not in c.cities_at:
            yield Found(
                f"{c.names[ident]} is a dead end of {c.short[ties[0].railroad]} but not a city, so no train has a "
                "reason to go there; extend the line to a milepost that others use, or remove it",
                (ident,),
                c.place("mileposts", ident),
            )


def _one_short(c: Checked) -> Iterator[Found]:
    """An end of a railroad one step from a city that the railroad does not serve.

    Often the last row of a station list is missing. If the printed map has it so, accept the finding.
    """
    cities = c.cities_at
    beside = {end for city in cities for link in c.links_at.get(city, ()) for end in (link.a, link.b)}
    serves = {(link.railroad, city) for city in cities for link in c.links_at.get(city, ())}
    for ident in sorted(beside - cities.keys()):
        by_railroad: dict[str, set[str]] = defaultdict(set)
        for link in c.links_at[ident]:
            by_railroad[link.railroad] |= {link.a, link.b} - {ident}
        beyond = {end for ends in by_railroad.values() for end in ends if end in cities}
        for railroad, ends in sorted(by_railroad.items()):
            short = sorted(city for city in beyond if (railroad, city) not in serves)
            if len(ends) == 1 and short:
                yield Found(
                    f"{c.short[railroad]} ends at {c.names[ident]}, one step short of {_names(c, short)}, "
                    "which it does not serve; extend it, or accept this if the printed map has it so",
                    (railroad, ident),
                    c.place("mileposts", ident),
                )


def _double_segment(c: Checked) -> Iterator[Found]:
    """Two segments of one railroad between the same two mileposts.

    A client cannot tell which of them a rider used. Put a milepost on one of the lines.
    """
    doubled = [(ids, ends, key) for key, found in c.of_railroads(_doubled).items() for ends, ids in found]
    for ids, ends, railroad in sorted(doubled):
        yield Found(
            f"{c.short[railroad]} joins {_names(c, list(ends))} {len(ids)} times; put a milepost on one of the "
            "lines, or remove it",
            tuple(ids),
            c.place("segments", ids[-1], at=ends[0]),
        )


def _doubled(links: Links) -> list[tuple[tuple[str, str], list[str]]]:
    """Return ends that several links of a railroad have, sorted, with the ids of these links."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for ident, _, a, b in links:
        if a != b:
            groups[(a, b) if a < b else (b, a)].append(ident)
    return [(ends, ids) for ends, ids in groups.items() if len(ids) > 1]


def _loop(c: Checked) -> Iterator[Found]:
    """A segment that begins and ends at the same milepost.

    A step must lead somewhere.
    """
    for link in chain.from_iterable(c.of_railroads(_loops).values()):
        yield Found(
            f"a segment of {c.short[link.railroad]} runs from {c.names[link.a]} back to itself; "
            "put mileposts on the loop, or remove it",
            (link.id,),
            c.place("segments", link.id, at=link.a),
        )


def _loops(links: Links) -> Links:
    return tuple(link for link in links if link.a == link.b)


def _same_name(c: Checked) -> Iterator[Found]:
    """Two mileposts with one name, or a milepost with the name of a city that is at another milepost.

    Short names drop the state only if they stay distinct, so this happens only if names are typed alike.
    """
    apart = {(city.name, city.milepost) for city in c.board.cities if c.names.get(city.milepost) != city.name}
    if len({*c.names.values(), *(name for name, _ in apart)}) == len(c.names) + len(apart):
        return
    called = {*zip(c.names.values(), c.names, strict=True), *apart}
    count = Counter(name for name, _ in called)
    by_name: dict[str, set[str]] = defaultdict(set)
    for name, ident in called:
        if count[name] > 1:
            by_name[name].add(ident)
    for name, ids in sorted(by_name.items()):
        yield Found(
            f"{len(ids)} mileposts are called {name!r}; give each its own name",
            tuple(sorted(ids)),
            c.place("mileposts", max(ids)),
        )


def _monopoly(c: Checked) -> Iterator[Found]:
    """A city that only one railroad serves.

    Not a mistake, but it matters to play: once the railroad is sold, everyone else who is sent there pays its
    owner.
    """
    milepost_of = {city.id: city.milepost for city in c.board.cities}
    for city, milepost in sorted(milepost_of.items()):
        railroads = {link.railroad for link in c.links_at.get(milepost, ())}
        if len(railroads) == 1:
            owner = min(railroads)
            yield Found(
                f"only {c.short[owner]} serves {c.names[milepost]}, so every train with that destination "
                "pays its owner",
                (city, owner),
                c.place("cities", city, at=milepost),
            )


def _spur(c: Checked) -> Iterator[Found]:
    """A dead-end run of track on which no train can pass another (RB-C25).

    Not a mistake, but it matters to play: a player who has declared and waits there is hard to catch (RB-W26).
    """
    ends = {node for node in chain.from_iterable(c.of_ties(_ends_of_ties).values()) if len(_near(c, node)) == 1}
    for spur in spurs_of(ends, partial(_near, c)):
        mileposts = [ident for ident in spur if ident in c.names]
        start = c.names.get(spur[0], "a junction")
        yield Found(
            f"the line from {start} to {c.names[spur[-1]]} is a spur of {len(spur) - 1} track "
            f"{'piece' if len(spur) == ONE_PIECE else 'pieces'}: other trains cannot pass a train there (RB-C25, "
            "RB-W26)",
            tuple(mileposts),
            c.place("mileposts", spur[-1]),
        )


def _ends_of_ties(ties: Links) -> list[str]:
    """Return where one tie of a railroad ends, and no other, whatever loops there are."""
    return line_ends([tie for tie in ties if tie.a != tie.b])


def _near(c: Checked, node: str) -> list[str]:
    """Return the far ends of the pieces of track that meet at a milepost or junction."""
    return [tie.b if tie.a == node else tie.a for tie in c.ties_at[node] if tie.a != tie.b]


def _names(c: Checked, ids: list[str]) -> str:
    names = [c.names[i] for i in ids[:_SHOWN]]
    more = len(ids) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


CHECKS = (
    listed("N01", _board_components),
    listed("N02", _railroad_components),
    listed("N03", _city_off_track),
    listed("N04", _dead_end),
    listed("N05", _one_short),
    listed("N06", _double_segment),
    listed("N07", _loop),
    listed("N08", _same_name),
    listed("N11", _monopoly),
    listed("N12", _spur),
    listed("N13", _no_track),
    listed("N14", _ends_apart),
)
