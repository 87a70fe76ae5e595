"""Checks on colours, cubes, markers and other pieces."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.drawing.colours.colour import ciede2000, lab, rgb
from mapkit.drawing.colours.vision import VISIONS, simulated
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.network.deliveries import wanted
from mapkit.kinds.hex.network.report import bag
from mapkit.kinds.hex.render.palette import PIGMENTS, pigment
from mapkit.kinds.hex.rules.colours import GOODS

_APART = 12.0
"""CIEDE2000 below which two colours of cities are mixed up across a table: our own limit."""
_BY_VISION = {"normal": "anyone", "protan": "people with protanopia", "deutan": "people with deuteranopia"}


def _few_tiles(c: CheckedHexes) -> Iterator[Found]:
    """Fewer tiles than the cheapest network of all cities takes."""
    tiles = [one for one in c.board.components if one.kind == "tile"]
    if not tiles or any(one.count is None for one in tiles):
        return
    there = sum(one.count or 0 for one in tiles)
    parent = {city.id: city.id for city in c.board.cities}

    def root(ident: str) -> str:
        while parent[ident] != ident:
            ident = parent[ident]
        return ident

    needed = 0
    for way in sorted(c.ways.all_ways(), key=lambda one: (one.tiles, one.a, one.b)):
        one, other = root(way.a), root(way.b)
        if one != other:
            parent[one] = other
            needed += way.tiles
    if needed > there:
        yield Found(
            f"links between all cities take {needed} tiles or more, and there are {there}; add some to components.csv",
            ("tiles",),
            c.place("components", tiles[0].id),
            {"needed": needed, "there": there},
        )


def _homeless(c: CheckedHexes) -> Iterator[Found]:
    """A colour of cubes that no city takes at the start (RW-C02, RW-D01).

    Its cubes cannot be delivered until a New City tile of the colour is laid.
    """
    taken = {colour for colours in wanted(c.board).values() for colour in colours}
    cubes = bag(c.board)
    for colour in GOODS if cubes is None else cubes:
        if colour not in taken and c.board.cities:
            yield Found(f"no city takes {colour} cubes; make one {colour}, or leave the cubes out", (colour,))


def _cubes(c: CheckedHexes) -> Iterator[Found]:
    """More cubes on cities at the start than the bag holds (RW-C01)."""
    there = bag(c.board)
    if there is None:
        return
    rules = c.board.rules.players
    for players in range(rules.least, rules.most + 1):
        needed = sum(city.cubes_for(players) for city in c.board.cities)
        if needed > sum(there.values()):
            message = (
                f"with {players} players cities begin with {needed} cubes, and the bag holds {sum(there.values())}; "
                "lower the cubes of cities, or add cubes"
            )
            yield Found(message, (f"players-{players}",), data={"needed": needed, "there": sum(there.values())})


def _markers(c: CheckedHexes) -> Iterator[Found]:
    """Numbers of empty city markers that are not given, or that do not fit the cities or the box (RW-Z02, G14).

    No source gives the numbers, so each board states its own in `[rules.end.markers]`. With more markers than cities
    that can become empty, the game may never end.
    """
    rules = c.board.rules
    pieces = [one.count for one in c.board.components if one.kind == "marker"]
    box = None if None in pieces or not pieces else sum(count or 0 for count in pieces)
    for players in range(rules.players.least, rules.players.most + 1):
        number, who = rules.end.markers_for(players), f"players-{players}"
        cities = sum(city.cubes_for(players) > 0 for city in c.board.cities)
        if number is None:
            key = "rules.end.markers_less" if rules.end.markers.of(players) is not None else "[rules.end.markers]"
            yield Found(
                f"the number of empty city markers with {players} players is not given; set it in {key}", (who,)
            )
        elif number > cities:
            message = (
                f"{number} markers with {players} players, but only {cities} cities begin with cubes; lower the number"
            )
            yield Found(message, (who,))
        elif box is not None and number > box:
            yield Found(f"{number} markers with {players} players, and the box has {box}; correct one of them", (who,))


def _rotors(c: CheckedHexes) -> Iterator[Found]:
    """Rotors whose second colour is the base colour, or that have no wheel where rotors are used (RW-R01, RW-R04, G15).

    A rotor that shows its base colour twice takes one colour only.
    """
    rules = c.board.rules.rotors
    for city in c.board.cities:
        if not city.rotor:
            continue
        place = c.place("cities", city.id)
        wheel = city.wheel or rules.wheel or ()
        if city.gray:
            yield Found(f"{city.name} has a rotor and no base colour; give it a colour", (city.id,), place)
        elif city.start is not None and city.start in city.wants:
            message = f"the rotor of {city.name} starts at its base colour {city.start}; choose another start"
            yield Found(message, (city.id,), place)
        elif rules.enabled and not wheel:
            message = f"{city.name} has a rotor and no wheel; set rules.rotors.wheel, or its own in the column wheel"
            yield Found(message, (city.id,), place)
        elif rules.enabled and city.start is None:
            yield Found(f"the rotor of {city.name} has no start; give its first second colour", (city.id,), place)


def _no_new_cities(c: CheckedHexes) -> Iterator[Found]:
    """No gray city, or no New City tile, so that nobody can urbanize (RW-C05, RW-E01)."""
    gray = [city for city in c.board.cities if city.gray]
    tiles = sum(one.count or 0 for one in c.board.components if one.kind == "new-city")
    if c.board.cities and bool(gray) != bool(tiles):
        what = f"{len(gray)} gray cities and no New City tile" if gray else f"{tiles} New City tiles and no gray city"
        yield Found(f"there are {what}; add what is missing, or take the others away", ("new-city",))


def _track(c: CheckedHexes) -> Iterator[Found]:
    """A track of points with spaces missing between the first and the last, or no track at all (RW-C07, RW-I01)."""
    points = [space.points for space in c.board.track]
    if not points:
        yield Found("there is no track of points and income; write track.csv", ("track",))
        return
    missing = sorted({*range(min(points), max(points) + 1)} - {*points})
    if missing:
        yield Found(
            f"the track has no space {missing[0]}; add it to track.csv", ("track",), data={"missing": len(missing)}
        )


def _example_track(c: CheckedHexes) -> Iterator[Found]:
    """A track that is mapkit's example: no source gives the incomes of published boards (G12)."""
    if c.board.track and c.board.track_is_example:
        message = (
            "track.csv is mapkit's example; write the incomes of your game, and take example_track out of board.toml"
        )
        yield Found(message, ("track",))


def _players(c: CheckedHexes) -> Iterator[Found]:
    """More players at least than at most."""
    rules = c.board.rules.players
    if rules.least > rules.most:
        message = f"rules.players.least is {rules.least} and most is {rules.most}; correct one"
        yield Found(message, ("players",))


def _alike(c: CheckedHexes) -> Iterator[Found]:
    """Two colours of goods that look alike to people with some kind of colour vision, and no letters tell them apart.

    Cities and cubes carry letters unless `rules.display.letters_on_cubes` is off (RW-U04).
    """
    display = c.board.rules.display
    if display.letters_on_cubes:
        return
    names = tuple(PIGMENTS)
    values = np.array([rgb(pigment(name, display.cube_style)) for name in names])
    for vision in VISIONS:
        seen = lab(simulated(values, vision))
        for one, other in combinations(range(len(names)), 2):
            apart = float(ciede2000(seen[one], seen[other]))
            if apart < _APART:
                who = _BY_VISION.get(vision, "people with tritanopia")
                pair = f"{names[one]} and {names[other]}"
                message = f"{pair} look alike to {who}; switch letters on, or choose a brighter style"
                yield Found(message, (names[one], names[other], vision), data={"difference": round(apart, 2)})


CHECKS = (
    hex_check("H09", Severity.WARNING, "there are tiles for links between all cities", _few_tiles),
    hex_check("H10", Severity.ERROR, "every colour of cubes has a city that takes it", _homeless),
    hex_check("H11", Severity.ERROR, "cubes of the start fit the bag", _cubes),
    hex_check("H12", Severity.WARNING, "numbers of empty city markers are given and fit", _markers),
    hex_check("H13", Severity.WARNING, "rotors have a second colour", _rotors),
    hex_check("H14", Severity.NOTE, "gray cities and New City tiles go together", _no_new_cities),
    hex_check("H15", Severity.WARNING, "the track of points is whole", _track),
    hex_check("H16", Severity.NOTE, "the track is that of the author's game", _example_track),
    hex_check("H17", Severity.ERROR, "numbers of players make sense", _players),
    hex_check("H18", Severity.WARNING, "colours can be told apart", _alike),
)
