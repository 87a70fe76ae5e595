"""Checks on the network: connection, ends, doubles, monopolies and spurs."""

from collections import defaultdict
from collections.abc import Iterator

from mapkit.checks.check import Check, Checked, Found, components
from mapkit.model.findings import Severity
from mapkit.network.service import railroads_by_city, spurs

_SHOWN = 5
ONE_PIECE = 2  # ids


def _board_components(c: Checked) -> Iterator[Found]:
    """Mileposts that cannot be reached from the largest connected part of the board.

    Two lines connect only at a milepost that both name; lines that merely cross do not. Join the parts at a
    shared milepost, or remove the smaller part.
    """
    pairs = ((s.a, s.b) for s in c.board.segments)
    on_track = {end for s in c.board.segments for end in (s.a, s.b)}
    for part in components(pairs, on_track)[1:]:
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
    pairs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for segment in c.board.segments:
        pairs[segment.railroad].append((segment.a, segment.b))
    for railroad in c.board.railroads:
        for part in components(pairs[railroad.id])[1:]:
            yield Found(
                f"{railroad.short} is in pieces: {_names(c, part)} cannot be reached from the rest of the railroad "
                "on its own track; complete the line, or make two railroads of it",
                (railroad.id, *part),
                c.place("railroads", railroad.id, at=part[0]),
            )


def _no_track(c: Checked) -> Iterator[Found]:
    """A railroad that `railroads.csv` sells, but on which nothing can be ridden."""
    with_track = {s.railroad for s in c.board.segments}
    for railroad in c.board.railroads:
        if railroad.id not in with_track:
            yield Found(
                f"{railroad.short} has no track; draw its lines, or remove it from railroads.csv",
                (railroad.id,),
                c.place("railroads", railroad.id),
            )


def _city_off_track(c: Checked) -> Iterator[Found]:
    """A city that a player may be sent to, but that no line runs through."""
    for city in c.board.cities:
        if not c.segments_at.get(city.milepost):
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
    for ident, segments in sorted(c.segments_at.items()):
        if len(segments) == 1 and segments[0].a != segments[0].b and ident not in c.cities_at:
            railroad = segments[0].railroad
            yield Found(
                f"{c.mileposts[ident].name} is a dead end of {c.short[railroad]} and no city, so no train has business "
                "there; lead the line on to a milepost that others use, or remove it",
                (ident,),
                c.place("mileposts", ident),
            )


def _one_short(c: Checked) -> Iterator[Found]:
    """An end of a railroad one step from a city that the railroad does not serve.

    Often the last row of a station list is missing. Where the printed map is so, accept the finding.
    """
    touches: dict[str, set[str]] = defaultdict(set)
    for segment in c.board.segments:
        touches[segment.railroad].update((segment.a, segment.b))
    cities = c.cities_at
    for ident, segments in sorted(c.segments_at.items()):
        if ident in cities or not any(s.a in cities or s.b in cities for s in segments):
            continue
        by_railroad: dict[str, set[str]] = defaultdict(set)
        for segment in segments:
            by_railroad[segment.railroad] |= {segment.a, segment.b} - {ident}
        beyond = {end for ends in by_railroad.values() for end in ends if end in cities}
        for railroad, ends in sorted(by_railroad.items()):
            short = sorted(beyond - touches[railroad])
            if len(ends) == 1 and short:
                yield Found(
                    f"{c.short[railroad]} ends at {c.mileposts[ident].name}, one step short of {_names(c, short)}, "
                    "which it does not serve; lead it on, or accept this if the map is so",
                    (railroad, ident),
                    c.place("mileposts", ident),
                )


def _double_segment(c: Checked) -> Iterator[Found]:
    """Two segments of one railroad between the same two mileposts.

    A client cannot tell which of them a rider used. Put a milepost on one of the lines.
    """
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for s in c.board.segments:
        if s.a != s.b:
            groups[(s.railroad, s.a, s.b) if s.a < s.b else (s.railroad, s.b, s.a)].append(s.id)
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
    for segment in c.board.segments:
        if segment.a == segment.b:
            yield Found(
                f"a segment of {c.short[segment.railroad]} leads from {c.mileposts[segment.a].name} back to itself; "
                "put mileposts on the loop, or remove it",
                (segment.id,),
                c.place("segments", segment.id, at=segment.a),
            )


def _same_name(c: Checked) -> Iterator[Found]:
    """Two mileposts that are shown under one name, or one that has the name of a city elsewhere.

    Short names drop the state only where that leaves them distinct, so this happens with names typed alike.
    """
    by_name: dict[str, set[str]] = defaultdict(set)
    for milepost in c.board.mileposts:
        by_name[milepost.name].add(milepost.id)
    for city in c.board.cities:
        by_name[city.name].add(city.milepost)
    for name, ids in sorted(by_name.items()):
        if len(ids) > 1:
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
    for city, railroads in sorted(railroads_by_city(c.board).items()):
        if len(railroads) == 1:
            owner = min(railroads)
            milepost = milepost_of[city]
            yield Found(
                f"only {c.short[owner]} serves {c.mileposts[milepost].name}, so every train with that destination "
                "pays its owner",
                (city, owner),
                c.place("cities", city, at=milepost),
            )


def _spur(c: Checked) -> Iterator[Found]:
    """A dead-end run on which a train cannot be passed (RB-C25).

    No mistake, but it matters to play: a declared train that waits there can hardly be caught (RB-W26).
    """
    for spur in spurs(c.board):
        mileposts = [ident for ident in spur if ident in c.mileposts]
        start = "a junction" if spur[0] not in c.mileposts else c.mileposts[spur[0]].name
        yield Found(
            f"the line from {start} to {c.mileposts[spur[-1]].name} is a spur of {len(spur) - 1} track "
            f"{'piece' if len(spur) == ONE_PIECE else 'pieces'}: a train there can hardly be passed (RB-C25, RB-W26)",
            tuple(mileposts),
            c.place("mileposts", spur[-1]),
        )


def _names(c: Checked, ids: list[str]) -> str:
    names = [c.mileposts[i].name for i in ids[:_SHOWN]]
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
