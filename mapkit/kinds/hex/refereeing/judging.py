"""Judgement of a log, step by step, up to the first one that breaks a rule."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.formats.rulings import FoulError, Ruling, raise_foul
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.refereeing.actions import ACTIONS, count_goal, cube_list
from mapkit.kinds.hex.refereeing.position import BANK, BuiltLink, TablePosition
from mapkit.kinds.hex.refereeing.reading import HexLogHead
from mapkit.kinds.hex.rules.colours import GOODS

Line = Mapping[str, Any]
_THOUSAND: Final = 1000
_OPEN_PER_PLAYER: Final = 2
_CASH_ROWS: Final[Mapping[str, str]] = {
    "build": "RW-B03",
    "link": "RW-B03",
    "urbanize": "RW-E01",
    "engine": "RW-E02",
    "mine": "RW-M02",
    "card": "RW-K01",
    "use": "RW-K01",
    "repay": "RW-I03",
}
"""Move -> the row of the cash after it, within a turn."""
_CUBE_ROWS: Final[Mapping[str, str]] = {"deliver": "RW-D01", "mine": "RW-M05", "urbanize": "RW-E01"}
_TAKES_ROWS: Final[Mapping[str, str]] = {"deliver": "RW-R03", "urbanize": "RW-E01"}
_ORDER_ROWS: Final[Mapping[str, str]] = {"first-to-pass": "RW-A06", "worst-is-first": "RW-A08"}


class HexJudgement(Frozen):
    """Referee's judgement of the log of a game on a board of hexagons."""

    file: str
    board: str
    steps: int = Field(description="How many are legal")
    over: bool = Field(description="Whether the game has come to its end")
    points: dict[str, int] = Field(description="Points of each player after the last legal step")
    broken: Ruling | None = Field(description="The first illegal step; none if all are legal")

    @property
    def exit_code(self) -> int:
        """Return 1 if a step is illegal."""
        return int(self.broken is not None)

    def summary(self) -> str:
        """Return the contents of a legal log in one sentence."""
        points = ", ".join(f"player {player} has {count} points" for player, count in self.points.items())
        end = "" if self.over else "the game is not over; "
        return f"{self.file}: {self.steps:,} steps on {self.board}: all legal; {end}{points}"


def judge(board: HexBoard, head: HexLogHead, lines: Sequence[Line], *, file: str) -> HexJudgement:
    """Judge the steps of a log.

    Args:
        board: The board, with the rules that hold.
        head: The head of the log.
        lines: The objects after the head, whose ids are those of the board.
        file: The name of the log.
    """
    position, legal_count, broken = lay_out_table(board, head), 0, None
    row = 1
    try:
        _check_setup(position)
        for row, line in enumerate(lines, start=2):  # noqa: B007 - it is the line of the foul
            if "end" in line:
                _check_end(position, line)
            else:
                _check_step(position, line, legal_count + 1)
                legal_count += 1
    except FoulError as error:
        broken = Ruling(line=row, rule=error.rule, message=error.message)
    return HexJudgement(
        file=file,
        board=board.id,
        steps=legal_count,
        over=position.due == "over",
        points={str(player): position.points[player] for player in position.players},
        broken=broken,
    )


def lay_out_table(board: HexBoard, head: HexLogHead) -> TablePosition:
    """Return the table at the start, with the cubes and cards of a log's head."""
    players, rules = list(range(1, len(head.players) + 1)), board.rules
    supply = Counter[str]()
    for part in board.components:
        if part.kind == "cube" and part.colour:
            supply[part.colour] += part.count or 0
    tiles = [part for part in board.components if part.kind == "new-city" and part.colour]
    is_limited = bool(tiles) and all(part.count is not None for part in tiles)
    cubes = {city.id: Counter[str](head.setup.cubes.get(city.id, ())) for city in board.cities}
    position = TablePosition(
        board=board,
        players=players,
        bag=supply - sum(cubes.values(), Counter[str]()),
        cubes=cubes,
        barons=list(head.setup.barons),
        open_cards=Counter(head.setup.cards),
        engine=dict.fromkeys(players, rules.engine.first_level),
        kept_cards={player: Counter() for player in players},
        takes={city.id: set(city.wants) for city in board.cities},
        markers=rules.end.markers_for(len(players)) or 0,
        tiles=Counter({str(part.colour): 0 for part in tiles}) if is_limited else None,
    )
    if position.tiles is not None:
        for part in tiles:
            position.tiles[str(part.colour)] += part.count or 0
    for link in board.links:
        if link.b is None:
            position.takes[link.id] = {str(colour) for colour in link.colours if colour != "gray"}
        if link.owner == "first-builder":
            position.printed.add(link.id)
        else:
            position.links.append(BuiltLink(frozenset((link.a, link.b or link.id)), BANK))
    for number, city in enumerate(board.cities):
        wheel = list(city.wheel or rules.rotors.wheel or ())
        if rules.rotors.enabled and city.rotor and city.start in wheel:
            turned = wheel.index(city.start)
            position.wheel[city.id] = [*wheel[turned:], *wheel[:turned]]
        twins = [other.id for other in board.cities[:number] if city.twins and other.twins == city.twins]
        position.links += [BuiltLink(frozenset((twins[0], city.id)), BANK)] if twins else []
    _begin_auction(position, 1)
    return position


def _check_setup(at: TablePosition) -> None:
    board, count = at.board, len(at.players)
    limits = board.rules.players
    if not limits.least <= count <= limits.most:
        raise_foul("RW-C06", f"{count} players; the board has {limits.least} to {limits.most}")
    for city in board.cities:
        right_count, found_count = city.cubes_for(count), at.cubes[city.id].total()
        if found_count != right_count:
            raise_foul("RW-C06", f"{city.id} begins with {found_count} cubes; it must be {right_count}")
    supply = Counter[str]()
    for part in board.components:
        if part.kind == "cube" and part.colour:
            supply[part.colour] += part.count or 0
    for colour, used in sum(at.cubes.values(), Counter[str]()).items():
        if used > supply[colour]:
            raise_foul("RW-C01", f"{used} {colour} cubes lie on cities; the board has {supply[colour]}")
    _check_cards(at)


def _check_cards(at: TablePosition) -> None:
    board, count = at.board, len(at.players)
    is_worst_first = board.rules.auction.style == "worst-is-first"
    deck = {card.id: card for card in board.operations if not (is_worst_first and card.effect == "executive")}
    for card_id, opened in at.open_cards.items():
        if card_id not in deck:
            raise_foul("RW-A10", f"{card_id} lies open; Railroad Executive cards are removed")
        if opened > deck[card_id].count:
            raise_foul("RW-K01", f"{opened} cards {card_id} lie open; the board has {deck[card_id].count}")
    marked = sum(card.count for card in deck.values() if card.open)
    right_open = min(marked + _OPEN_PER_PLAYER * count, sum(card.count for card in deck.values()))
    if at.open_cards.total() != right_open or any(at.open_cards[c.id] < c.count for c in deck.values() if c.open):
        raise_foul(
            "RW-K01", f"{at.open_cards.total()} cards lie open; it must be {right_open}, the marked ones among them"
        )
    right_barons = count if board.barons else 0
    if len(set(at.barons)) != right_barons or len(at.barons) != right_barons:
        raise_foul("RW-K03", "each player has one baron card, no two the same")


def _check_step(at: TablePosition, line: Line, number: int) -> None:
    move, player = line["move"], line["player"]
    if line.get("step", number) != number:
        raise_foul("", f"step {line['step']} follows step {number - 1}; number steps from 1 on")
    if at.due == "over":
        raise_foul("RW-Z03", "the game is over; no step comes after its end")
    if player not in at.players:
        raise_foul("RW-T05", f"there is no player {player}")
    if player != at.player:
        row = "RW-A02" if at.due == "auction" else "RW-T05"
        raise_foul(row, f"player {player} makes a step, and it is the turn of player {at.player}")
    turn = at.turn
    if at.due == "auction":
        if move not in ("bid", "pass"):
            raise_foul("RW-T01", f"{move} comes in the auction; it may be bid or pass")
        _judge_bid(at, line)
    else:
        if move not in ACTIONS:
            raise_foul("RW-T01", f"{move} comes among the actions; it may be {', '.join(ACTIONS)}")
        _judge_action(at, line)
    _check_results(at, line, is_turn_over=at.turn != turn or at.due == "over")


def _judge_action(at: TablePosition, line: Line) -> None:
    rules, player = at.board.rules.turn, line["player"]
    action = "build" if line["move"] == "link" else line["move"]
    if not rules.repeat_actions and action != "rest" and (player, action) in at.acted:
        raise_foul("RW-T04", f"player {player} has done {action} in this turn")
    if line.get("drawn") and action not in ("urbanize", "mine", "card", "use"):
        raise_foul("RW-E01", f"{action} draws no cubes")
    ACTIONS[line["move"]](at, line)
    if action in ("use", "repay"):
        return
    at.acted.append((player, action))
    if len(at.acted) == rules.action_rounds * len(at.players):
        _end_turn(at)


def _judge_bid(at: TablePosition, line: Line) -> None:
    player = at.bidding.pop(0)
    if line["move"] == "pass":
        at.passed.append(player)
    else:
        highest = max(at.bids.values(), default=0)
        least = highest + _THOUSAND if highest else max(_THOUSAND, at.board.rules.auction.minimum_bid)
        if line["amount"] < least or line["amount"] % _THOUSAND:
            raise_foul("RW-A01", f"a bid of ${line['amount']:,}; the least is ${least:,}, in whole thousands")
        at.bids[player] = line["amount"]
        at.bidding.append(player)
    if not at.bidding or (len(at.bidding) == 1 and at.bids):
        _close_auction(at)


def _close_auction(at: TablePosition) -> None:
    """Let bidders pay, and set the order of the turn (RW-A03 to RW-A08)."""
    rules = at.board.rules.auction
    for player, bid in at.bids.items():
        if player in at.bidding:
            at.pay(player, bid)
        elif rules.style == "first-to-pass":
            hundredths = bid * rules.passer_pays_percent
            at.pay(player, -(-hundredths // 100_000) * _THOUSAND)
    if rules.style == "first-to-pass":
        at.order = at.bidding + at.passed[::-1]
    else:
        at.order = _clockwise(at, at.bidding[0] if at.bidding else at.order[0] % len(at.players) + 1)
    if at.executives:
        first = at.executives.pop(0)
        others = [player for player in at.order if player != first]
        at.order = [first, *others] if rules.style == "first-to-pass" else _clockwise(at, first)
    at.due, at.acted, at.bidding = "actions", [], []


def _clockwise(at: TablePosition, first: int) -> list[int]:
    return [*range(first, len(at.players) + 1), *range(1, first)]


def _begin_auction(at: TablePosition, first: int) -> None:
    """Begin a turn, with an auction or in the order of points (RW-A02, RW-A08, RW-A09)."""
    at.bids, at.passed, at.acted = {}, [], []
    if at.board.rules.auction.style == "worst-is-first" and at.turn > 1:
        later_first = list(reversed(at.order))
        at.order = sorted(later_first, key=lambda player: at.points[player])
        at.due = "actions"
        return
    at.bidding, at.due = _clockwise(at, first), "auction"
    at.order = at.order or _clockwise(at, first)


def _end_turn(at: TablePosition) -> None:
    """Remove open track, pay incomes and dividends, and go on (RW-B08, RW-I01, RW-I02, RW-Z03, RW-Z06)."""
    for _, way in at.open_track:
        at.track.subtract(way[1:])
        at.crossed -= {frozenset(pair) for pair in pairwise(way)}
    at.open_track = []
    for player in at.players:
        at.pay(player, at.bonds[player] * at.board.rules.income.dividend - at.income(player))
    if at.last_turn is not None and at.turn >= at.last_turn:
        _score_end(at)
        at.due = "over"
        return
    at.turn += 1
    _begin_auction(at, at.order[0])


def _score_end(at: TablePosition) -> None:
    gained = Counter[int]()
    for player, card_id in zip(at.players, at.barons, strict=False):
        card = next(card for card in at.board.barons if card.id == card_id)
        if card.effect == "connect":
            is_reached = at.is_joined(player, card.cities)
        else:
            counts = count_goal(at, card.effect)
            best = max(counts.values(), default=0)
            is_reached = best > 0 and counts.get(player, 0) == best
        gained[player] = card.points if is_reached else 0
    for player in at.players:
        at.points[player] += gained[player] + at.bonds[player] * at.board.rules.end.bond_points


def _check_results(at: TablePosition, line: Line, *, is_turn_over: bool) -> None:
    """Compare the stated results of a line with those of the rules."""
    results: dict[str, dict[str, object]] = {
        "cash": {str(player): at.cash[player] for player in at.players},
        "points": {str(player): at.points[player] for player in at.players},
        "bonds": {str(player): at.bonds[player] for player in at.players},
        "engine": {str(player): level for player, level in at.engine.items()},
        "cubes": {city: cube_list(counts, GOODS) for city, counts in at.cubes.items()},
        "takes": {city: [colour for colour in GOODS if colour in at.wanted(city)] for city in at.cubes},
        "marked": {city: city in at.marked for city in at.cubes},
        "order": {str(place): player for place, player in enumerate(at.order, start=1)},
    }
    for key, stated_values in line.get("then", {}).items():
        for ident, stated in stated_values.items():
            right = results[key].get(ident)
            if stated != right:
                move = line["move"]
                style, is_bid = at.board.rules.auction.style, move in ("bid", "pass")
                rows = {
                    "cash": "RW-I01"
                    if is_turn_over
                    else ("RW-A05" if style == "first-to-pass" else "RW-A03")
                    if is_bid
                    else "",
                    "points": "RW-Z06" if at.due == "over" else "RW-D06",
                    "bonds": "RW-I03",
                    "engine": "RW-E02",
                    "cubes": _CUBE_ROWS.get(move, "RW-K01"),
                    "takes": _TAKES_ROWS.get(move, "RW-C05"),
                    "marked": "RW-Z01" if move == "deliver" else "RW-Z04",
                    "order": _ORDER_ROWS.get(style, "RW-T05"),
                }
                row = rows[key] or _CASH_ROWS.get(move, "RW-I03")
                raise_foul(row, f"{key} of {ident} is {stated} in the log; by the rules it is {right}")


def _check_end(at: TablePosition, line: Line) -> None:
    if line["end"] and at.due != "over":
        raise_foul("RW-Z03", "the log says that the game is over; by the rules it goes on")
    for player, stated in line.get("points", {}).items():
        if stated != at.points[int(player)]:
            raise_foul(
                "RW-Z06", f"player {player} has {stated} points in the log; by the rules it is {at.points[int(player)]}"
            )
