"""Logs of people and other programs: names for ids, routes for segments, steps that follow from others left out.

Dice, cities, routes, purchases and sales must be in the log. What the rules derive from them may be left out; what is
there, amounts and cash too, must be right.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, Final

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import Does, MatchEvent
from mapkit.kinds.rail.refereeing.log import EndedError, Script
from mapkit.kinds.rail.refereeing.position import Position
from mapkit.kinds.rail.refereeing.track import count_reused_pieces, other_end

DERIVED: Final = frozenset(
    {
        "first", "turn", "region", "loses-turn", "arrives", "passes", "no-bid", "auctioned", "established", "fees-rise",
        "fees-fall", "pays-bank", "pays-fee", "gets-share", "bankrupt", "announces", "undeclared", "catches", "wins",
    }
)  # fmt: skip
"""Steps that may be left out."""
_CHANGES_CASH: Final = frozenset(
    {"arrives", "buys", "engine", "sells-back", "auctioned", "pays-bank", "pays-fee", "gets-share", "sells-engine",
     "bankrupt", "catches"}
)  # fmt: skip
_AT_THE_END: Final = DERIVED - {"turn", "first", "region", "passes", "no-bid", "auctioned"}
"""Those that also end a log."""
_PLAYER_KEYS: Final = ("player", "other")
_NOTES: Final = ("note", "time")
"""Keys of remarks, which are not judged."""


class BoardNames:
    """Ids by all names of a board: ids, full names, and short names of railroads, in any case."""

    def __init__(self, board: Board) -> None:
        self._ids = {
            "railroad": _ids_by_name((r.id, (r.id, r.short, r.name)) for r in board.railroads),
            "city": _ids_by_name((c.id, (c.id, c.name)) for c in board.cities),
            "region": _ids_by_name((r.id, (r.id, r.name)) for r in board.regions),
            "milepost": _ids_by_name(
                [(m.id, (m.id, m.name)) for m in board.mileposts] + [(c.milepost, (c.id, c.name)) for c in board.cities]
            ),
        }
        self._ids["place"] = self._ids["milepost"]

    def find(self, kind: str, name: object, where: str) -> object:
        """Return the id of a name; values of other types are unchanged.

        Raises:
            SourceError: The board has no such name.
        """
        if not isinstance(name, str):
            return name
        ids = self._ids[kind]
        if name.casefold() not in ids:
            raise SourceError(f"{where}: the board has no {kind} {name!r}{did_you_mean(name.casefold(), list(ids))}")
        return ids[name.casefold()]

    def has(self, kind: str, name: str) -> bool:
        """Return whether the board has a name."""
        return name.casefold() in self._ids[kind]


def _ids_by_name(named: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for ident, names in named:
        for name in names:
            ids.setdefault(name.casefold(), ident)
    return ids


def write_ids(text: str, board: Board, *, file: str) -> str:
    """Return a log with ids for names, and without remarks; lines that are not objects are left to `parse_log`.

    Raises:
        SourceError: The board or the head has no such name.
    """
    names, lines, players = BoardNames(board), text.splitlines(), ()
    for number, line in enumerate(lines):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict):
            continue
        where = f"{file}:{number + 1}"
        if number == 0:
            players = tuple(row["players"]) if isinstance(row.get("players"), list) else ()
            row.setdefault("board_hash", "")
        else:
            row = _ids_of(row, names, players, where)
        lines[number] = json.dumps(row, ensure_ascii=False)
    return "\n".join(lines)


def _ids_of(row: Mapping[str, Any], names: BoardNames, players: Sequence[str], where: str) -> dict[str, Any]:
    """Return a step with ids for the names of board and players."""
    step = {key: value for key, value in row.items() if key not in _NOTES}
    for kind in ("railroad", "city", "region", "milepost"):
        if kind in step:
            step[kind] = names.find(kind, step[kind], where)
    if isinstance(step.get("route"), list):
        step["route"] = [
            names.find("railroad" if names.has("railroad", str(stop)) else "place", stop, where)
            for stop in step["route"]
        ]
    for key in _PLAYER_KEYS:
        if isinstance(step.get(key), str):
            if step[key] not in players:
                listed = ", ".join(map(str, players))
                raise SourceError(f"{where}: no player is called {step[key]!r}; the head names {listed}")
            step[key] = list(players).index(step[key]) + 1
    return step


class LenientScript(Script):
    """Events of a log, with those derived that are left out."""

    lenient = True

    def __init__(self, events: Sequence[MatchEvent], position: Position) -> None:
        super().__init__(events, position)
        self._routes: dict[int, list[str]] = {}
        self._roll: MatchEvent | None = None
        self._derived: dict[int, list[tuple[Does, str]]] = {}

    def take(self, does: Does, player: int | None, rule: str, why: str) -> MatchEvent:
        """Read the next event if it is due; else derive it, if it follows from others."""
        if does == "rides" and player is not None:
            return self._ride(player, rule, why)
        while does != "announces" and self.does() == "announces" and self._is_true_announcement():
            self.accept()
        next_does, next_player = self.does(), self.player()
        if next_does == does and next_player in (None, player):
            return self._accept_due(does, player)
        is_next_turn = does != "turn" or next_player in (None, player)
        is_before_city = does != "region" or next_does in ("home", "home-taken", "destination")
        if self.ended() and does not in _AT_THE_END:
            raise EndedError
        if does == "bonus" and self._roll is not None and self._roll.coloured:
            return MatchEvent(does=does, player=player, coloured=self._roll.coloured)
        if does not in DERIVED or not is_next_turn or not is_before_city:
            return super().take(does, player, rule, why)
        if does in _CHANGES_CASH and player is not None:
            self._derived.setdefault(player, []).append((does, "RB-P01" if does == "arrives" else rule))
        return self._derive(does, player)

    def _accept_due(self, does: Does, player: int | None) -> MatchEvent:
        """Read the next event, which is due, and check the cash that it states if it moves none."""
        event = self.accept()
        if does == "turn":
            self._turn = self._next - 1
        if player in self._at.seats and does not in _CHANGES_CASH:
            self.check_cash(player, self._at.seats[player].cash, event.cash)
        if does == "rolls":
            self._roll = event
        return event.model_copy(update={"player": player})

    def _derive(self, does: Does, player: int | None) -> MatchEvent:
        """Return an event that follows from others; the railroad of an auction is that of the step after it."""
        railroad = self._events[self._next].railroad if does in ("passes", "no-bid") else None
        if does == "turn":
            self._turn = self._next
        return MatchEvent(does=does, player=player, railroad=railroad)

    def _is_true_announcement(self) -> bool:
        """Return whether the next event announces what a player has, at whatever moment."""
        event = self._events[self._next]
        seat = self._at.seats.get(event.player or 0)
        return seat is not None and event.amount in (None, seat.cash) and seat.announced

    def check_cash(self, player: int, cash: int, stated: int | None) -> None:
        """Raise if the last event read states another cash than follows from the steps before it."""
        derived = self._derived.get(player, [])
        if stated is not None and stated != cash:
            left_out = ", ".join(does for does, _ in derived)
            since = f"; derived, as the log leaves it out: {left_out}" if derived else ""
            self.refuse(
                derived[-1][1] if derived else "RB-P01", f"player {player} has {cash:,} then, not {stated:,}{since}"
            )
        if stated is not None:
            self._derived.pop(player, None)

    def _ride(self, player: int, rule: str, why: str) -> MatchEvent:
        """Return the next ride, of a segment, or of a route as railroads and places."""
        if self.does() == "rides" and self.player() in (None, player) and self._events[self._next].segment:
            self._routes.pop(player, None)
            return self.accept().model_copy(update={"player": player})
        stops: list[str] = []
        while self.does() == "rides" and self.player() in (None, player) and not self._events[self._next].segment:
            event = self.accept()
            place = event.milepost or (self._at.milepost(event.city) if event.city else None)
            stops += event.route or [name for name in (event.railroad, place) if name]
        if stops:
            self._routes[player] = self._find_route(player, stops)
        route = self._routes.get(player)
        if not route:
            return super().take("rides", player, rule, why)
        segment, seat = self._at.segments[route.pop(0)], self._at.seats[player]
        return MatchEvent(
            does="rides", player=player, segment=segment.id, milepost=other_end(segment, seat.at), amount=None
        )

    def _find_route(self, player: int, stops: Sequence[str]) -> list[str]:
        """Return the segments of the shortest way by railroads and places in this order, and of those the cheapest."""
        position, seat = self._at, self._at.seats[player]
        goal = position.milepost((seat.home if seat.declared else seat.goal) or "")
        legs = list(stops) if stops[-1] not in position.railroads else [*stops, goal]
        start = (seat.at, 0)
        best = {start: (0, 0)}
        came: dict[tuple[str, int], tuple[tuple[str, int], str | None]] = {}
        heap = [((0, 0), start)]
        node = start
        while heap and node[1] < len(legs):
            cost, node = heappop(heap)
            if cost > best[node] or node[1] == len(legs):
                continue
            for (next_node, segment), (steps, fee) in self._moves(player, node, legs):
                total = (cost[0] + steps, cost[1] + fee)
                if total < best.get(next_node, (1 << 60, 0)):
                    best[next_node], came[next_node] = total, (node, segment)
                    heappush(heap, (total, next_node))
        if node[1] < len(legs):
            self.refuse("RB-M05", f"from {seat.at} no way that is free on this trip leads by {', '.join(stops)}")
        return _segments_to(node, came)

    def _moves(
        self, player: int, node: tuple[str, int], legs: Sequence[str]
    ) -> Iterable[tuple[tuple[tuple[str, int], str | None], tuple[int, int]]]:
        """Yield the steps from a milepost and a leg: node, segment, and mileposts and fees that they add."""
        position, seat, (at, number) = self._at, self._at.seats[player], node
        by = legs[number] if legs[number] in position.railroads else None
        if by is not None:
            yield ((at, number + 1), None), (0, 0)
        elif legs[number] == at:
            yield ((at, number + 1), None), (0, 0)
            return
        follows_railroad = by is None and number > 0 and legs[number - 1] in position.railroads
        for name in position.arms[at]:
            segment = position.segments[name]
            wanted = by or (legs[number - 1] if follows_railroad else None)
            if wanted in (None, segment.railroad) and count_reused_pieces(position, seat, name) is not None:
                yield ((other_end(segment, at), number), name), (1, position.fee(player, segment.railroad))


def _segments_to(
    node: tuple[str, int], came: Mapping[tuple[str, int], tuple[tuple[str, int], str | None]]
) -> list[str]:
    segments = []
    while node in came:
        node, segment = came[node]
        if segment is not None:
            segments.append(segment)
    return segments[::-1]
