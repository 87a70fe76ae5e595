"""Referee's checks of actions and cards (RW-B, RW-E, RW-D, RW-K, RW-M)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from mapkit.formats.rulings import raise_foul
from mapkit.kinds.hex.refereeing.position import BANK, BuiltLink, TablePosition

Line = Mapping[str, Any]
_MANY_BONDS: Final = 10**15
AWARDED: Final = ("first-delivery", "major-line")


def _city_at(at: TablePosition, hexagon: str) -> str | None:
    return next((city.id for city in at.board.cities if city.hex == hexagon), None)


def judge_build(at: TablePosition, line: Line) -> None:
    """Check a stretch of track, and its price (RW-B01 to RW-B07)."""
    rules, laid = at.board.rules.track, _laid_hexes(at, line["way"])
    if not rules.least_tiles <= len(laid) <= rules.most_tiles:
        raise_foul("RW-B01", f"{len(laid)} tiles are laid; {rules.least_tiles} to {rules.most_tiles} are allowed")
    _check_stretch(at, line["player"], line["way"])
    costs = {terrain.id: terrain.cost for terrain in at.board.terrains}
    terrain_by_hex = {hexagon.id: hexagon.terrain for hexagon in at.board.hexes}
    at.pay(line["player"], sum(costs[terrain_by_hex[one]] or 0 for one in laid) + _edge_costs(at, line["way"]))
    _lay(at, line["player"], line["way"])


def _laid_hexes(at: TablePosition, way: Sequence[str]) -> list[str]:
    return [
        hexagon for place, hexagon in enumerate(way) if place and not (place == len(way) - 1 and _city_at(at, hexagon))
    ]


def _edge_costs(at: TablePosition, way: Sequence[str]) -> int:
    pairs = [{one, other} for one, other in pairwise(way)]
    return sum(edge.cost for edge in at.board.edges if set(edge.hexes) in pairs)


def _check_stretch(at: TablePosition, player: int, way: Sequence[str]) -> None:
    own_open = [track for owner, track in at.open_track if owner == player and track[-1] == way[0]]
    if _city_at(at, way[0]) is None and not own_open:
        raise_foul("RW-B02", f"the track begins at {way[0]}, which is neither a city nor the end of own open track")
    grid = at.board.grid
    terrain_by_hex = {hexagon.id: hexagon.terrain for hexagon in at.board.hexes}
    open_ground = {terrain.id for terrain in at.board.terrains if terrain.cost is not None}
    closed = [set(edge.hexes) for edge in at.board.edges if "impassable" in edge.kinds]
    for one, other in pairwise(way):
        one_cube, other_cube = grid.hex_of(one), grid.hex_of(other)
        is_beside = one_cube is not None and other_cube is not None and one_cube.side_to(other_cube) is not None
        if not is_beside or {one, other} in closed:
            raise_foul("RW-B02", f"no track leads from {one} to {other}")
        if frozenset((one, other)) in at.crossed:
            raise_foul("RW-B02", f"the edge of {one} and {other} has track already")
    before = own_open[0][:-1] if own_open and _city_at(at, way[0]) is None else []
    if len({*before, *way}) < len(before) + len(way):
        raise_foul("RW-B07", "the track comes to a hexagon twice")
    most_lines = max((one.lines for one in at.board.components if one.kind == "tile" and one.count != 0), default=1)
    for hexagon in _laid_hexes(at, way):
        if _city_at(at, hexagon):
            raise_foul("RW-B07", f"the track passes the city in {hexagon}; a link joins one city with one other")
        if terrain_by_hex[hexagon] not in open_ground:
            raise_foul("RW-B03", f"no track is laid on {terrain_by_hex[hexagon]} in {hexagon}")
        if at.track[hexagon] >= most_lines:
            raise_foul("RW-B02", f"{hexagon} has {most_lines} lines of track already")


def _lay(at: TablePosition, player: int, way: Sequence[str]) -> None:
    whole = list(way)
    if _city_at(at, way[0]) is None:
        mine = next(entry for entry in at.open_track if entry[0] == player and entry[1][-1] == way[0])
        at.open_track.remove(mine)
        whole = [*mine[1], *way[1:]]
    at.track.update(_laid_hexes(at, way))
    at.crossed |= {frozenset(pair) for pair in pairwise(way)}
    start, end = _city_at(at, whole[0]), _city_at(at, whole[-1])
    if start and end:
        at.links.append(BuiltLink(frozenset((start, end)), player))
    else:
        at.open_track.append((player, whole))
    score_lines(at, player)


def score_lines(at: TablePosition, player: int) -> None:
    """Score major lines, and open cards of them, that a player has completed."""
    for line in at.board.lines:
        if line.id not in at.done_lines and at.is_joined(player, line.cities):
            at.done_lines.add(line.id)
            at.points[player] += line.points
    for card in at.board.operations:
        while card.effect == "major-line" and at.open_cards[card.id] and at.is_joined(player, card.cities):
            at.open_cards[card.id] -= 1
            at.points[player] += card.amount or 0


def judge_link(at: TablePosition, line: Line) -> None:
    """Check the building of a printed link: it is free, and is paid."""
    if line["link"] not in at.printed:
        raise_foul("RW-B07", f"the printed link {line['link']} has an owner already")
    row = next(link for link in at.board.links if link.id == line["link"])
    at.printed.remove(row.id)
    at.pay(line["player"], row.cost)
    at.links.append(BuiltLink(frozenset((row.a, row.b or row.id)), line["player"]))
    score_lines(at, line["player"])


def take_from_bag(at: TablePosition, colours: Sequence[str], rule: str) -> None:
    """Take drawn cubes out of the bag."""
    for colour in colours:
        if at.bag[colour] <= 0:
            raise_foul(rule, f"a {colour} cube is drawn, and the bag has none")
        at.bag[colour] -= 1


def _draw(at: TablePosition, line: Line, count: int, rule: str) -> list[str]:
    drawn, right_count = list(line.get("drawn", [])), min(count, at.bag.total())
    if len(drawn) != right_count:
        raise_foul(rule, f"{len(drawn)} cubes are drawn; it must be {right_count}")
    take_from_bag(at, drawn, rule)
    return drawn


def judge_urbanize(at: TablePosition, line: Line) -> None:
    """Check a New City tile (RW-E01)."""
    city, colour = line["city"], line["colour"]
    if at.takes[city]:
        raise_foul("RW-E01", f"{city} is not gray")
    if at.tiles is not None and at.tiles[colour] <= 0:
        raise_foul("RW-E01", f"all New City tiles of {colour} are laid")
    if at.tiles is not None:
        at.tiles[colour] -= 1
    at.pay(line["player"], at.board.rules.urbanize.price)
    at.takes[city] = {colour}
    at.return_marker(city)
    at.cubes[city].update(_draw(at, line, at.board.rules.urbanize.cubes, "RW-E01"))


def judge_engine(at: TablePosition, line: Line) -> None:
    """Check the next engine and its price (RW-E02)."""
    rules, player = at.board.rules.engine, line["player"]
    if at.engine[player] == rules.levels[-1]:
        raise_foul("RW-E02", f"no engine is above level {at.engine[player]}")
    at.pay(player, rules.prices[rules.levels.index(at.engine[player])])
    at.engine[player] += 1


def judge_delivery(at: TablePosition, line: Line) -> None:
    """Check a delivery: the cube, its way, its end, and its points (RW-D01 to RW-D07)."""
    rules, player, colour, way = at.board.rules.delivery, line["player"], line["colour"], line["way"]
    if not at.cubes[line["city"]][colour]:
        raise_foul("RW-D01", f"{line['city']} has no {colour} cube")
    if len(way) < 2:  # noqa: PLR2004 - start and end
        raise_foul("RW-D03", "the cube does not move")
    if way[0] != line["city"]:
        raise_foul("RW-D01", f"the cube lies at {line['city']}, and its way begins at {way[0]}")
    if len(way) - 1 > at.engine[player]:
        raise_foul("RW-D02", f"{len(way) - 1} links; the engine has level {at.engine[player]}")
    _judge_used_links(at, line)
    if len(set(way)) < len(way):
        raise_foul("RW-D03", "the cube comes to a city twice")
    if colour not in at.wanted(way[-1]):
        raise_foul("RW-D03", f"{way[-1]} does not take {colour}")
    at.cubes[way[0]][colour] -= 1
    at.leave_marker(way[0])
    for owner in line["owners"]:
        if owner != BANK:
            at.points[owner] += rules.points_per_link
    _arrive(at, player, way[-1])
    at.carried[player] += 1
    at.longest[player] = max(at.longest[player], len(way) - 1)


def _judge_used_links(at: TablePosition, line: Line) -> None:
    link_count = len(line["way"]) - 1
    if len(line["owners"]) != link_count:
        raise_foul("RW-D06", f"{link_count} links have {len(line['owners'])} owners in the log")
    for place in range(link_count):
        rules, way, owner = at.board.rules.delivery, line["way"], line["owners"][place]
        is_own = owner == line["player"]
        if BuiltLink(frozenset(way[place : place + 2]), owner) not in at.links:
            raise_foul("RW-D06", f"no link of player {owner} joins {way[place]} and {way[place + 1]}")
        if place == 0 and rules.first_link_own and not is_own:
            raise_foul("RW-D05", "the first link belongs to another player")
        if place > 0 and not rules.links_of_others and not is_own:
            raise_foul("RW-D07", "a link of another player is used")
        if place > 0 and not rules.pass_own_colour and line["colour"] in at.wanted(way[place]):
            raise_foul("RW-D04", f"the {line['colour']} cube passes {way[place]}, which takes it")


def _arrive(at: TablePosition, player: int, node: str) -> None:
    if node in at.inns:
        at.points[at.inns[node][0]] += at.inns[node][1]
    if node in at.cubes and node not in at.served:
        at.served.add(node)
        for card in at.board.operations:
            if card.effect == "first-delivery" and at.open_cards[card.id] and (not card.cities or node in card.cities):
                at.open_cards[card.id] -= 1
                at.points[player] += card.amount or 0
                break
    if at.wheel.get(node):
        at.wheel[node] = [*at.wheel[node][1:], at.wheel[node][0]]


def judge_mine(at: TablePosition, line: Line) -> None:
    """Check a mine and its cubes (RW-M01 to RW-M05)."""
    rules, player, city = at.board.rules.mines, line["player"], line["city"]
    if not rules.enabled:
        raise_foul("RW-T03", "mines are an option, and it is off")
    if at.mines[player] >= rules.uses:
        raise_foul("RW-M01", f"player {player} has placed {rules.uses} mines")
    if at.takes[city] or at.mined[city] >= rules.per_city:
        raise_foul("RW-M03", f"{city} is not gray, or has had its mine")
    at.pay(player, rules.price)
    at.mines[player] += 1
    at.mined[city] += 1
    drawn = list(line.get("drawn", []))
    is_repeating = len(set(drawn)) < len(drawn)
    if len(set(drawn[:-1])) < len(drawn[:-1]) or len(drawn) > rules.most_draws:
        raise_foul("RW-M04", "cubes are drawn after a colour repeats, or after the last draw")
    if not is_repeating and len(drawn) < min(rules.most_draws, at.bag.total()):
        raise_foul("RW-M04", f"{len(drawn)} cubes are drawn, and no colour repeats")
    take_from_bag(at, drawn, "RW-M04")
    at.cubes[city].update(drawn[:-1] if is_repeating else drawn)


def judge_card(at: TablePosition, line: Line) -> None:
    """Check the taking of a card (RW-K01)."""
    card = at.card(line["card"])
    if not at.open_cards[card.id] or card.effect in AWARDED:
        raise_foul("RW-K01", f"{card.id} cannot be taken")
    if card.when == "at-once" or card.effect in ("hotel", "executive"):
        _carry_out_card(at, line)
    at.open_cards[card.id] -= 1
    if card.when == "kept":
        at.kept_cards[line["player"]][card.id] += 1


def judge_use(at: TablePosition, line: Line) -> None:
    """Check the use of a kept card (RW-K01)."""
    card, player = at.card(line["card"]), line["player"]
    if not at.kept_cards[player][card.id] or card.effect in ("hotel", "executive"):
        raise_foul("RW-K01", f"player {player} keeps no card {card.id} to use")
    _carry_out_card(at, line)
    at.kept_cards[player][card.id] -= 1


def _carry_out_card(at: TablePosition, line: Line) -> None:
    effect = _EFFECTS.get(at.card(line["card"]).effect)
    if effect is not None:
        effect(at, line, at.card(line["card"]).amount or 0)


def _get_money(at: TablePosition, line: Line, amount: int) -> None:
    at.cash[line["player"]] += max(0, amount)


def _become_chairman(at: TablePosition, line: Line, _amount: int) -> None:
    at.executives.append(line["player"])


def _open_inn(at: TablePosition, line: Line, amount: int) -> None:
    city = line.get("city", "")
    if city not in at.cubes or city in at.inns:
        raise_foul("RW-K01", "the inn goes to a city without one")
    at.inns[city] = (line["player"], amount)


def _found_industry(at: TablePosition, line: Line, amount: int) -> None:
    city = line.get("city", "")
    if city not in at.cubes:
        raise_foul("RW-K01", "the cubes go on a city")
    drawn = _draw(at, line, amount, "RW-K01")
    if drawn:
        at.return_marker(city)
    at.cubes[city].update(drawn)


def _lift_marker(at: TablePosition, line: Line, amount: int) -> None:
    city = line.get("city", "")
    if city not in at.marked:
        raise_foul("RW-K02", f"{city or 'no city'} has no empty city marker")
    at.return_marker(city)
    at.cubes[city].update(_draw(at, line, amount, "RW-K02"))


def _grant_land(at: TablePosition, line: Line, amount: int) -> None:
    player, way = line["player"], line.get("way", [])
    laid = _laid_hexes(at, way)
    if not 1 <= len(laid) <= amount:
        raise_foul("RW-K01", f"{len(laid)} tiles are laid by a card of {amount}")
    _check_stretch(at, player, way)
    plains = {hexagon.id for hexagon in at.board.hexes if hexagon.terrain == "plains"}
    if not set(laid) <= plains:
        raise_foul("RW-K01", "the card lays tiles on plains")
    at.pay(player, _edge_costs(at, way))
    _lay(at, player, way)


def _move_cube(at: TablePosition, line: Line, _amount: int) -> None:
    player, city, target, colour = line["player"], line.get("city", ""), line.get("to", ""), line.get("colour", "")
    if city not in at.cubes or target not in at.cubes or not at.cubes[city][colour]:
        raise_foul("RW-K01", "a cube moves from a city that has it to another city")
    if BuiltLink(frozenset((city, target)), player) not in at.links:
        raise_foul("RW-K01", f"no link of player {player} joins {city} and {target}")
    at.cubes[city][colour] -= 1
    at.leave_marker(city)
    at.cubes[target][colour] += 1
    at.return_marker(target)


_EFFECTS: Final[Mapping[str, Callable[[TablePosition, Line, int], None]]] = MappingProxyType(
    {
        "money": _get_money,
        "executive": _become_chairman,
        "hotel": _open_inn,
        "new-industry": _found_industry,
        "take-marker": _lift_marker,
        "land-grant": _grant_land,
        "trading-depot": _move_cube,
    }
)


def judge_repayment(at: TablePosition, line: Line) -> None:
    """Check that a bond is paid back where the rules allow it (RW-I03)."""
    rules, player = at.board.rules.income, line["player"]
    if not rules.bonds_repaid or not at.bonds[player] or at.cash[player] < rules.bond_value:
        raise_foul("RW-I03", "no bond can be paid back")
    at.bonds[player] -= 1
    at.cash[player] -= rules.bond_value


def judge_rest(at: TablePosition, line: Line) -> None:
    """Accept a player who does nothing."""


ACTIONS: Final[Mapping[str, Callable[[TablePosition, Line], None]]] = MappingProxyType(
    {
        "build": judge_build,
        "link": judge_link,
        "urbanize": judge_urbanize,
        "engine": judge_engine,
        "deliver": judge_delivery,
        "card": judge_card,
        "mine": judge_mine,
        "use": judge_use,
        "repay": judge_repayment,
        "rest": judge_rest,
    }
)
"""Action -> its check (RW-T03)."""


def count_goal(at: TablePosition, effect: str) -> dict[int, int]:
    """Return by player the count that the goal of a baron card compares."""
    owned = {player: [link.ends for link in at.links if link.owner == player] for player in at.players}
    counts: dict[str, dict[int, int]] = {
        "most-cubes": dict(at.carried),
        "most-links": {player: len(links) for player, links in owned.items()},
        "longest-way": dict(at.longest),
        "fewest-bonds": {player: _MANY_BONDS - at.bonds[player] for player in at.players},
        "best-engine": dict(at.engine),
        "most-cities": {player: len(frozenset[str]().union(*links)) for player, links in owned.items()},
    }
    return counts.get(effect, {})


def cube_list(counts: Counter[str], colours: Sequence[str]) -> list[str]:
    """Return cubes as a list of colours, in the order of the colours."""
    return [colour for colour in colours for _ in range(counts[colour])]
