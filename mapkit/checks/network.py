"""Checks on the network: connection, ends, doubles, monopolies and spurs."""

from collections import defaultdict
from collections.abc import Iterator

from mapkit.checks.check import Check, Checked, Found, components
from mapkit.model.findings import Severity
from mapkit.network.service import spurs_of

_SHOWN = 5
ONE_PIECE = 2  # ids


def _board_components(c: Checked) -> Iterator[Found]:
    """Mileposts that cannot be reached from the largest connected part of the board.

    Two lines connect only at a milepost that both name; lines that merely cross do not. Join the parts at a
    shared milepost, or remove the smaller part.
    """
    for part in components((link.a, link.b) for link in c.links)[1:]:
        yield Found(
            f"{_names(c, part)} cannot be reached from the rest of the board; join them by a line, or remove them",
            tuple(part),
            c.place("mileposts", part[0]),
        )


def _railroad_components(c: Checked) -> Iterator[Found]:
    """Parts of one railroad that its own trains cannot reach on its own track.

    An owner expects to ride the whole railroad. Mostly a stretch is missing from a station list, or one
    milepost is spelled in two ways.
    """
    parts: dict[str, list[list[str]]] = defaultdict(list)
    for nodes in components(((link.railroad, link.a), (link.railroad, link.b)) for link in c.links):
        parts[nodes[0][0]].append([milepost for _, milepost in nodes])
    for railroad, short in c.short.items():
        for part in parts[railroad][1:]:
            yield Found(
                f"{short} is in pieces: {_names(c, part)} cannot be reached from the rest of the railroad "
                "on its own track; complete the line, or make two railroads of it",
                (railroad, *part),
                c.place("railroads", railroad, at=part[0]),
            )


def _no_track(c: Checked) -> Iterator[Found]:
    """A railroad that `railroads.csv` sells, but on which nothing can be ridden."""
    with_track = {link.railroad for link in c.links}
    for railroad, short in c.short.items():
        if railroad not in with_track:
            yield Found(
                f"{short} has no track; draw its lines, or remove it from railroads.csv",
                (railroad,),
                c.place("railroads", railroad),
            )


def _city_off_track(c: Checked) -> Iterator[Found]:
    """A city that a player may be sent to, but that no line runs through."""
    for city in c.board.cities:
        if not c.links_at.get(city.milepost):
            yield Found(
                f"no railroad serves {city.name}; lead a line through it, or remove it",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
            )


def _dead_end(c: Checked) -> Iterator[Found]:
    """A milepost with a single segment that is no city.

    Nobody ever has a reason to go there. Most dead ends are a line that should go on, or a name that differs
    from the one the next line uses.
    """
    ends = sorted(ident for ident, links in c.links_at.items() if len(links) == 1 and links[0].a != links[0].b)
    for ident in ends:
        if ident not in c.cities_at:
            railroad = c.links_at[ident][0].railroad
            yield Found(
                f"{c.names[ident]} is a dead end of {c.short[railroad]} and no city, so no train has business "
                "there; lead the line on to a milepost that others use, or remove it",
                (ident,),
                c.place("mileposts", ident),
            )


def _one_short(c: Checked) -> Iterator[Found]:
    """An end of a railroad one step from a city that the railroad does not serve.

    Often the last row of a station list is missing. Where the printed map is so, accept the finding.
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
                    "which it does not serve; lead it on, or accept this if the map is so",
                    (railroad, ident),
                    c.place("mileposts", ident),
                )


def _double_segment(c: Checked) -> Iterator[Found]:
    """Two segments of one railroad between the same two mileposts.

    A client cannot tell which of them a rider used. Put a milepost on one of the lines.
    """
    ways = [(railroad, a, b) if a < b else (railroad, b, a) for _, railroad, a, b in c.links if a != b]
    if len(set(ways)) == len(ways):
        return
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for ident, railroad, a, b in c.links:
        if a != b:
            groups[(railroad, a, b) if a < b else (railroad, b, a)].append(ident)
    doubled = [(ends, ids) for ends, ids in groups.items() if len(ids) > 1]
    for (railroad, *ends), ids in sorted(doubled, key=lambda item: item[1]):
        yield Found(
            f"{c.short[railroad]} joins {_names(c, sorted(ends))} {len(ids)} times; put a milepost on one of the "
            "lines, or remove it",
            tuple(ids),
            c.place("segments", ids[-1], at=min(ends)),
        )


def _loop(c: Checked) -> Iterator[Found]:
    """A segment that begins and ends at the same milepost.

    A step must lead somewhere.
    """
    for link in c.links:
        if link.a == link.b:
            yield Found(
                f"a segment of {c.short[link.railroad]} leads from {c.names[link.a]} back to itself; "
                "put mileposts on the loop, or remove it",
                (link.id,),
                c.place("segments", link.id, at=link.a),
            )


def _same_name(c: Checked) -> Iterator[Found]:
    """Two mileposts that are shown under one name, or one that has the name of a city elsewhere.

    Short names drop the state only where that leaves them distinct, so this happens with names typed alike.
    """
    by_name: dict[str, set[str]] = defaultdict(set)
    for ident, name in c.names.items():
        by_name[name].add(ident)
    for city in c.board.cities:
        by_name[city.name].add(city.milepost)
    for name, ids in sorted((name, ids) for name, ids in by_name.items() if len(ids) > 1):
        yield Found(
            f"{len(ids)} mileposts are called {name!r}; give each a name of its own",
            tuple(sorted(ids)),
            c.place("mileposts", max(ids)),
        )


def _monopoly(c: Checked) -> Iterator[Found]:
    """A city that one railroad alone serves.

    No mistake, but it matters to play: once the railroad is sold, everyone else who is sent there pays its
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
    """A dead-end run on which a train cannot be passed (RB-C25).

    No mistake, but it matters to play: a declared train that waits there can hardly be caught (RB-W26).
    """
    for spur in spurs_of(c.ties):
        mileposts = [ident for ident in spur if ident in c.names]
        start = c.names.get(spur[0], "a junction")
        yield Found(
            f"the line from {start} to {c.names[spur[-1]]} is a spur of {len(spur) - 1} track "
            f"{'piece' if len(spur) == ONE_PIECE else 'pieces'}: a train there can hardly be passed (RB-C25, RB-W26)",
            tuple(mileposts),
            c.place("mileposts", spur[-1]),
        )


def _names(c: Checked, ids: list[str]) -> str:
    names = [c.names[i] for i in ids[:_SHOWN]]
    more = len(ids) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


CHECKS = (
    Check("N01", "the board is one component", Severity.ERROR, _board_components),
    Check("N02", "each railroad is one component", Severity.ERROR, _railroad_components),
    Check("N03", "every city is on a segment", Severity.ERROR, _city_off_track),
    Check("N04", "no dead end but at a city", Severity.WARNING, _dead_end),
    Check("N05", "no railroad ends one step short of a city", Severity.WARNING, _one_short),
    Check("N06", "no railroad joins two mileposts twice", Severity.ERROR, _double_segment),
    Check("N07", "no segment is a loop", Severity.ERROR, _loop),
    Check("N08", "milepost names are distinct", Severity.ERROR, _same_name),
    Check("N11", "cities that one railroad monopolises", Severity.NOTE, _monopoly),
    Check("N12", "spurs on which a train cannot be passed", Severity.NOTE, _spur),
    Check("N13", "every railroad has track", Severity.ERROR, _no_track),
)
