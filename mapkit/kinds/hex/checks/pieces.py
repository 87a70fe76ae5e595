"""Checks on colours, cubes, markers and other pieces."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from mapkit.core import heavy
from mapkit.core.checks import Found
from mapkit.core.findings import Severity
from mapkit.drawing.colours.colour import ciede2000, lab, rgb
from mapkit.drawing.colours.vision import VISIONS, simulate_vision
from mapkit.kinds.hex.checks.check import CheckedHexes, hex_check
from mapkit.kinds.hex.network.deliveries import wanted_colours
from mapkit.kinds.hex.network.report import count_bag_cubes
from mapkit.kinds.hex.render.palette import PIGMENTS, pigment
from mapkit.kinds.hex.rules.colours import GOODS

_LEAST_COLOUR_DIFFERENCE = 12.0
"""CIEDE2000 below which two colours of cities are mixed up across a table: our own limit."""
_PEOPLE_BY_VISION = {"normal": "anyone", "protan": "people with protanopia", "deutan": "people with deuteranopia"}


def _find_tile_shortage(c: CheckedHexes) -> Iterator[Found]:
    """Fewer tiles than the cheapest network of all cities needs."""
    tiles = [component for component in c.board.components if component.kind == "tile"]
    if not tiles or any(component.count is None for component in tiles):
        return
    tile_count = sum(component.count or 0 for component in tiles)
    links: heavy.networkx.Graph[str] = heavy.networkx.Graph()
    links.add_weighted_edges_from((way.a, way.b, way.tiles) for way in c.links)
    tiles_needed = int(heavy.networkx.minimum_spanning_tree(links).size(weight="weight"))
    if tiles_needed > tile_count:
        yield Found(
            f"links between all cities take {tiles_needed} tiles or more, and there are {tile_count}; "
            "add some to components.csv",
            ("tiles",),
            c.place("components", tiles[0].id),
            {"needed": tiles_needed, "there": tile_count},
        )


def _find_colour_without_city(c: CheckedHexes) -> Iterator[Found]:
    """A colour of cubes that no city takes at the start (RW-C02, RW-D01).

    Its cubes cannot be delivered until a New City tile of the colour is laid.
    """
    colours_taken = {colour for colours in wanted_colours(c.board).values() for colour in colours}
    cube_counts = count_bag_cubes(c.board)
    for colour in GOODS if cube_counts is None else cube_counts:
        if colour not in colours_taken and c.board.cities:
            yield Found(f"no city takes {colour} cubes; make one {colour}, or leave the cubes out", (colour,))


def _find_cube_shortage(c: CheckedHexes) -> Iterator[Found]:
    """More cubes on cities at the start than the bag holds (RW-C01)."""
    cube_counts = count_bag_cubes(c.board)
    if cube_counts is None:
        return
    player_rules = c.board.rules.players
    for players in range(player_rules.least, player_rules.most + 1):
        cubes_needed = sum(city.cubes_for(players) for city in c.board.cities)
        if cubes_needed > sum(cube_counts.values()):
            message = (
                f"with {players} players cities begin with {cubes_needed} cubes, "
                f"and the bag holds {sum(cube_counts.values())}; "
                "lower the cubes of cities, or add cubes"
            )
            yield Found(
                message, (f"players-{players}",), data={"needed": cubes_needed, "there": sum(cube_counts.values())}
            )


def _find_marker_problems(c: CheckedHexes) -> Iterator[Found]:
    """Numbers of empty city markers that are not given, or that do not fit the cities or the box (RW-Z02, G14).

    No source gives the numbers, so each board states its own in `[rules.end.markers]`. With more markers than cities
    that can become empty, the game may never end.
    """
    rules = c.board.rules
    marker_counts = [component.count for component in c.board.components if component.kind == "marker"]
    markers_in_box = None if None in marker_counts or not marker_counts else sum(count or 0 for count in marker_counts)
    for players in range(rules.players.least, rules.players.most + 1):
        marker_count, element_id = rules.end.markers_for(players), f"players-{players}"
        starting_cities = sum(city.cubes_for(players) > 0 for city in c.board.cities)
        if marker_count is None:
            setting_key = (
                "rules.end.markers_less" if rules.end.markers.of(players) is not None else "[rules.end.markers]"
            )
            yield Found(
                f"the number of empty city markers with {players} players is not given; set it in {setting_key}",
                (element_id,),
            )
        elif marker_count > starting_cities:
            message = (
                f"{marker_count} markers with {players} players, "
                f"but only {starting_cities} cities begin with cubes; lower the number"
            )
            yield Found(message, (element_id,))
        elif markers_in_box is not None and marker_count > markers_in_box:
            yield Found(
                f"{marker_count} markers with {players} players, and the box has {markers_in_box}; correct one of them",
                (element_id,),
            )


def _find_rotor_problems(c: CheckedHexes) -> Iterator[Found]:
    """Rotors with a second colour equal to the base colour, or without a wheel (RW-R01, RW-R04, G15).

    A rotor that shows its base colour twice takes one colour only.
    """
    rules = c.board.rules.rotors
    for city in c.board.cities:
        if not city.rotor:
            continue
        place = c.place("cities", city.id)
        rotor_wheel = city.wheel or rules.wheel or ()
        if city.gray:
            yield Found(f"{city.name} has a rotor and no base colour; give it a colour", (city.id,), place)
        elif city.start is not None and city.start in city.wants:
            message = f"the rotor of {city.name} starts at its base colour {city.start}; choose another start"
            yield Found(message, (city.id,), place)
        elif rules.enabled and not rotor_wheel:
            message = f"{city.name} has a rotor and no wheel; set rules.rotors.wheel, or its own in the column wheel"
            yield Found(message, (city.id,), place)
        elif rules.enabled and city.start is None:
            yield Found(f"the rotor of {city.name} has no start; give its first second colour", (city.id,), place)


def _find_missing_new_cities(c: CheckedHexes) -> Iterator[Found]:
    """No gray city, or no New City tile, so that no player can urbanize (RW-C05, RW-E01)."""
    gray_cities = [city for city in c.board.cities if city.gray]
    tile_count = sum(component.count or 0 for component in c.board.components if component.kind == "new-city")
    if c.board.cities and bool(gray_cities) != bool(tile_count):
        shortage_text = (
            f"{len(gray_cities)} gray cities and no New City tile"
            if gray_cities
            else f"{tile_count} New City tiles and no gray city"
        )
        yield Found(f"there are {shortage_text}; add what is missing, or take the others away", ("new-city",))


def _find_missing_spaces(c: CheckedHexes) -> Iterator[Found]:
    """A track of points with spaces missing between the first and the last, or no track at all (RW-C07, RW-I01)."""
    points = [space.points for space in c.board.track]
    if not points:
        yield Found("there is no track of points and income; write track.csv", ("track",))
        return
    missing_points = sorted({*range(min(points), max(points) + 1)} - {*points})
    if missing_points:
        yield Found(
            f"the track has no space {missing_points[0]}; add it to track.csv",
            ("track",),
            data={"missing": len(missing_points)},
        )


def _find_example_track(c: CheckedHexes) -> Iterator[Found]:
    """A track that is mapkit's example: no source gives the incomes of published boards (G12)."""
    if c.board.track and c.board.track_is_example:
        message = (
            "track.csv is mapkit's example; write the incomes of your game, and take example_track out of board.toml"
        )
        yield Found(message, ("track",))


def _find_player_limits(c: CheckedHexes) -> Iterator[Found]:
    """More players at least than at most."""
    rules = c.board.rules.players
    if rules.least > rules.most:
        message = f"rules.players.least is {rules.least} and most is {rules.most}; correct one"
        yield Found(message, ("players",))


def _find_similar_colours(c: CheckedHexes) -> Iterator[Found]:
    """Two colours of goods that look alike to people with some kind of colour vision, and no letters tell them apart.

    Cities and cubes carry letters unless `rules.display.letters_on_cubes` is off (RW-U04).
    """
    display = c.board.rules.display
    if display.letters_on_cubes:
        return
    names = tuple(PIGMENTS)
    pigment_rgb = np.array([rgb(pigment(name, display.cube_style)) for name in names])
    for vision in VISIONS:
        seen_lab = lab(simulate_vision(pigment_rgb, vision))
        for first_index, second_index in combinations(range(len(names)), 2):
            colour_difference = float(ciede2000(seen_lab[first_index], seen_lab[second_index]))
            if colour_difference < _LEAST_COLOUR_DIFFERENCE:
                people_text = _PEOPLE_BY_VISION.get(vision, "people with tritanopia")
                colour_names = f"{names[first_index]} and {names[second_index]}"
                message = f"{colour_names} look alike to {people_text}; switch letters on, or choose a brighter style"
                yield Found(
                    message,
                    (names[first_index], names[second_index], vision),
                    data={"difference": round(colour_difference, 2)},
                )


CHECKS = (
    hex_check("H09", Severity.WARNING, "there are tiles for links between all cities", _find_tile_shortage),
    hex_check("H10", Severity.ERROR, "every colour of cubes has a city that takes it", _find_colour_without_city),
    hex_check("H11", Severity.ERROR, "cubes of the start fit the bag", _find_cube_shortage),
    hex_check("H12", Severity.WARNING, "numbers of empty city markers are given and fit", _find_marker_problems),
    hex_check("H13", Severity.WARNING, "rotors have a second colour", _find_rotor_problems),
    hex_check("H14", Severity.NOTE, "gray cities and New City tiles go together", _find_missing_new_cities),
    hex_check("H15", Severity.WARNING, "the track of points is whole", _find_missing_spaces),
    hex_check("H16", Severity.NOTE, "the track is that of the author's game", _find_example_track),
    hex_check("H17", Severity.ERROR, "numbers of players make sense", _find_player_limits),
    hex_check("H18", Severity.WARNING, "colours can be told apart", _find_similar_colours),
)
