"""The figures of a board, as `mapkit report` prints them."""

from collections import Counter
from math import ceil

from mapkit.core.base import Frozen
from mapkit.kinds.hex.model.board import HexBoard, HexCity
from mapkit.kinds.hex.network.deliveries import Delivery, deliveries, short_ways, wanted
from mapkit.kinds.hex.network.ways import Way, Ways
from mapkit.kinds.hex.rules.colours import GOODS


class FirstLink(Frozen):
    """What a first link may earn: the cubes of its two cities that it can deliver, as the bag has it on average."""

    a: str
    b: str
    cost: int
    tiles: int
    cubes: float
    points: float


class EngineLevel(Frozen):
    """What an engine of a level can do, every link of one action being there.

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
    """How long a game lasts with a number of players.

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
    """A city: its nearest neighbour by cost, and how many links to the nearest city of each colour."""

    id: str
    name: str
    colours: tuple[str, ...]
    nearest: str | None
    cost: int | None
    tiles: int | None
    links: dict[str, int]


class HexReport(Frozen):
    """The figures of a board. Amounts are whole dollars."""

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


def report_on(board: HexBoard, ways: Ways | None = None) -> HexReport:
    """Return the figures of a board.

    Args:
        board: The board.
        ways: Its links, if they are at hand.
    """
    ways = ways or Ways(board)
    links, every = short_ways(board, ways), ways.all_ways()
    shortest = deliveries(board, links)
    return HexReport(
        board=board.id,
        title=board.title,
        hexes=dict(sorted(Counter(hexagon.terrain for hexagon in board.hexes).items())),
        cities=tuple(_city(city, every, shortest) for city in board.cities),
        links=every,
        first_links=_first_links(board, links),
        deliveries=shortest,
        engines=_engines(board, shortest),
        lengths=tuple(length(board, players) for players in _players(board)),
        income={space.points: space.income for space in board.track},
    )


def _players(board: HexBoard) -> range:
    rules = board.rules.players
    return range(rules.least, rules.most + 1)


def _city(city: HexCity, ways: tuple[Way, ...], shortest: tuple[Delivery, ...]) -> CityFigures:
    nearest = next((way for way in ways if city.id in (way.a, way.b)), None)
    other = None if nearest is None else nearest.b if nearest.a == city.id else nearest.a
    return CityFigures(
        id=city.id,
        name=city.name,
        colours=city.colours,
        nearest=other,
        cost=None if nearest is None else nearest.cost,
        tiles=None if nearest is None else nearest.tiles,
        links={one.colour: one.links for one in shortest if one.city == city.id},
    )


def bag(board: HexBoard) -> dict[str, int] | None:
    """Return colour -> cubes that there are, or None if a number is not known."""
    cubes = [one for one in board.components if one.kind == "cube" and one.colour is not None]
    if not cubes or any(one.count is None for one in cubes):
        return None
    out: Counter[str] = Counter()
    for one in cubes:
        out[str(one.colour)] += one.count or 0
    return dict(sorted(out.items()))


def _first_links(board: HexBoard, links: tuple[Way, ...]) -> tuple[FirstLink, ...]:
    """Return what each link earns with the weakest engine, best first; cubes are drawn from the bag."""
    found: dict[str, int] = bag(board) or dict.fromkeys(GOODS, 1)
    total = max(1, sum(found.values()))
    share: dict[str, float] = {colour: found.get(colour, 0) / total for colour in GOODS}
    takes = wanted(board)
    cubes = {city.id: city.cubes_for(board.rules.players.least) for city in board.cities}
    out = []
    for way in links:
        there = sum(share[colour] for colour in set(takes[way.b])) * cubes[way.a]
        back = sum(share[colour] for colour in set(takes[way.a])) * cubes[way.b]
        both = round(there + back, 3)
        points = round(both * board.rules.delivery.points_per_link, 3)
        out.append(FirstLink(a=way.a, b=way.b, cost=way.cost, tiles=way.tiles, cubes=both, points=points))
    return tuple(sorted(out, key=lambda one: (-one.points, one.cost, one.a, one.b)))


def _engines(board: HexBoard, shortest: tuple[Delivery, ...]) -> tuple[EngineLevel, ...]:
    prices = (None, *board.rules.engine.prices)
    out = []
    for level, price in zip(board.rules.engine.levels, prices, strict=True):
        can = [one for one in shortest if one.links <= level]
        points = max((one.points for one in can), default=0)
        out.append(EngineLevel(level=level, price=price, pairs=len(can), points=points))
    return tuple(out)


def length(board: HexBoard, players: int) -> Length:
    """Return how long a game lasts with so many players."""
    rules = board.rules
    counts = sorted(count for city in board.cities if (count := city.cubes_for(players)) > 0)
    markers = rules.end.markers_for(players)
    cubes = bag(board)
    fewest = one = None
    if markers is not None and markers <= len(counts):
        needed = sum(counts[:markers])
        fewest = ceil(needed / (players * rules.turn.action_rounds)) + rules.end.turns_after
        one = ceil(needed / players) + rules.end.turns_after
    return Length(
        players=players,
        markers=markers,
        cubes=sum(counts),
        fewest_turns=fewest,
        turns_at_one=one,
        bag=None if cubes is None else sum(cubes.values()) - sum(counts),
    )
