"""Figures of a board for `mapkit report`."""

from collections import Counter
from math import ceil

from mapkit.core.base import Frozen
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.network.deliveries import Delivery, find_deliveries, short_links, wanted_colours
from mapkit.kinds.hex.network.ways import Way, Ways
from mapkit.kinds.hex.rules.colours import GOODS


class FirstLink(Frozen):
    """First link with its mean earnings: the cubes of its two cities that it can deliver, drawn from the bag."""

    a: str
    b: str
    cost: int
    tiles: int
    cubes: float
    points: float


class EngineLevel(Frozen):
    """Abilities of an engine of a level, if every link of one action exists.

    Args:
        level: Of the engine.
        price: Of coming to this level; null for the first.
        pairs: How many pairs of city and colour it can deliver.
        points: Of the longest of these shortest deliveries.
    """

    level: int
    price: int | None
    pairs: int
    points: int


class Length(Frozen):
    """Length of a game with a number of players.

    Args:
        players: How many.
        markers: Empty city markers; null where no number is given.
        cubes: On cities at the start.
        fewest_turns: If every action delivers from the cities of fewest cubes, with the turns after the trigger.
        turns_at_one: The same if each player delivers one cube a turn.
        bag: Cubes left in the bag; null if not every number of cubes is known.
    """

    players: int
    markers: int | None
    cubes: int
    fewest_turns: int | None
    turns_at_one: int | None
    bag: int | None


class CityFigures(Frozen):
    """City with its nearest neighbour by cost, and the links to the nearest city of each colour."""

    id: str
    name: str
    colours: tuple[str, ...]
    nearest: str | None
    cost: int | None
    tiles: int | None
    links: dict[str, int]


class HexReport(Frozen):
    """Figures of a board. Amounts are whole dollars."""

    board: str
    title: str
    hexes: dict[str, int]
    """Terrain -> hexagons."""
    cities: tuple[CityFigures, ...]
    links: tuple[Way, ...]
    """The cheapest link of every pair of cities, cheapest first."""
    first_links: tuple[FirstLink, ...]
    deliveries: tuple[Delivery, ...]
    engines: tuple[EngineLevel, ...]
    lengths: tuple[Length, ...]
    income: dict[int, int]
    """Points -> income."""


def report_on(board: HexBoard) -> HexReport:
    """Return the figures of a board."""
    ways = Ways(board)
    found_links, all_links = short_links(board, ways), ways.all_ways()
    shortest_deliveries = find_deliveries(board, found_links)
    level_prices = (None, *board.rules.engine.prices)
    engine_levels = []
    for level, price in zip(board.rules.engine.levels, level_prices, strict=True):
        possible_deliveries = [delivery for delivery in shortest_deliveries if delivery.links <= level]
        points = max((delivery.points for delivery in possible_deliveries), default=0)
        engine_levels.append(EngineLevel(level=level, price=price, pairs=len(possible_deliveries), points=points))
    return HexReport(
        board=board.id,
        title=board.title,
        hexes=dict(sorted(Counter(hexagon.terrain for hexagon in board.hexes).items())),
        cities=tuple(_city_figures(city, all_links, shortest_deliveries) for city in board.cities),
        links=all_links,
        first_links=_first_links(board, found_links),
        deliveries=shortest_deliveries,
        engines=tuple(engine_levels),
        lengths=tuple(estimate_length(board, players) for players in _player_range(board)),
        income={space.points: space.income for space in board.track},
    )


def _player_range(board: HexBoard) -> range:
    rules = board.rules.players
    return range(rules.least, rules.most + 1)


def _city_figures(city: HexCity, ways: tuple[Way, ...], shortest: tuple[Delivery, ...]) -> CityFigures:
    nearest_link = next((way for way in ways if city.id in (way.a, way.b)), None)
    nearest_city = None if nearest_link is None else nearest_link.b if nearest_link.a == city.id else nearest_link.a
    return CityFigures(
        id=city.id,
        name=city.name,
        colours=city.colours,
        nearest=nearest_city,
        cost=None if nearest_link is None else nearest_link.cost,
        tiles=None if nearest_link is None else nearest_link.tiles,
        links={delivery.colour: delivery.links for delivery in shortest if delivery.city == city.id},
    )


def count_bag_cubes(board: HexBoard) -> dict[str, int] | None:
    """Return colour -> cubes of the components, or None if a number is not known."""
    cube_components = [
        component for component in board.components if component.kind == "cube" and component.colour is not None
    ]
    if not cube_components or any(component.count is None for component in cube_components):
        return None
    count_by_colour: Counter[str] = Counter()
    for component in cube_components:
        count_by_colour[str(component.colour)] += component.count or 0
    return dict(sorted(count_by_colour.items()))


def _first_links(board: HexBoard, links: tuple[Way, ...]) -> tuple[FirstLink, ...]:
    """Return the earnings of each link with the weakest engine, best first; cubes are drawn from the bag."""
    count_by_colour: dict[str, int] = count_bag_cubes(board) or dict.fromkeys(GOODS, 1)
    cube_total = max(1, sum(count_by_colour.values()))
    share_by_colour: dict[str, float] = {colour: count_by_colour.get(colour, 0) / cube_total for colour in GOODS}
    colours_by_city = wanted_colours(board)
    cubes_by_city = {city.id: city.cubes_for(board.rules.players.least) for city in board.cities}
    first_links = []
    for way in links:
        cubes_forward = sum(share_by_colour[colour] for colour in set(colours_by_city[way.b])) * cubes_by_city[way.a]
        cubes_back = sum(share_by_colour[colour] for colour in set(colours_by_city[way.a])) * cubes_by_city[way.b]
        cubes_delivered = round(cubes_forward + cubes_back, 3)
        points = round(cubes_delivered * board.rules.delivery.points_per_link, 3)
        first_links.append(
            FirstLink(a=way.a, b=way.b, cost=way.cost, tiles=way.tiles, cubes=cubes_delivered, points=points)
        )
    return tuple(sorted(first_links, key=lambda one: (-one.points, one.cost, one.a, one.b)))


def estimate_length(board: HexBoard, players: int) -> Length:
    """Return the length of a game with a number of players."""
    rules = board.rules
    cube_counts = sorted(count for city in board.cities if (count := city.cubes_for(players)) > 0)
    marker_count = rules.end.markers_for(players)
    bag_counts = count_bag_cubes(board)
    fewest_turns = turns_at_one = None
    if marker_count is not None and marker_count <= len(cube_counts):
        cubes_needed = sum(cube_counts[:marker_count])
        fewest_turns = ceil(cubes_needed / (players * rules.turn.action_rounds)) + rules.end.turns_after
        turns_at_one = ceil(cubes_needed / players) + rules.end.turns_after
    return Length(
        players=players,
        markers=marker_count,
        cubes=sum(cube_counts),
        fewest_turns=fewest_turns,
        turns_at_one=turns_at_one,
        bag=None if bag_counts is None else sum(bag_counts.values()) - sum(cube_counts),
    )
