"""Log of a game: one JSON object a line, in words and ids, for readers and referees."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mapkit.kinds.hex.playing.delivering import other_end
from mapkit.kinds.hex.playing.match import play_steps, players_by_seat
from mapkit.kinds.hex.playing.state import HexState, taken_colours
from mapkit.kinds.hex.playing.terms import NOBODY, HexTerms, Move
from mapkit.kinds.hex.playing.turns import begin_game
from mapkit.kinds.hex.rules.colours import GOODS

FORMAT: Final = "mapkit/hex-game-log"


def log_lines(
    terms: HexTerms, names: Sequence[str], seed: int, match: int, *, variants: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Play a game and yield its log: a head with the setup, a line for each step with its changes, and the end.

    Args:
        terms: The game.
        names: The players.
        seed: Of the random numbers.
        match: The number of the game.
        variants: Of the board; they stand in the head.
    """
    state = begin_game(terms, seed, match)
    yield {
        "format": FORMAT,
        "board": terms.board.id,
        "variants": list(variants),
        "seed": seed,
        "match": match,
        "players": [names[player] for player in players_by_seat(names, match)],
        "rules": terms.board.rules.model_dump(mode="json"),
        "setup": {
            "cubes": {
                city.id: list_cubes(counts) for city, counts in zip(terms.board.cities, state.cubes, strict=True)
            },
            "cards": sorted(card.id for number, card in enumerate(terms.cards) if state.card_lies[number]),
            "barons": [terms.board.barons[number].id for number in state.barons],
        },
    }
    results_before, bag_before = visible_position(terms, state), list(state.bag)
    for step, state_after in play_steps(terms, names, seed, match):
        results_now = visible_position(terms, state_after)
        changes_by_key = {
            key: {ident: value for ident, value in new_values.items() if results_before[key].get(ident) != value}
            for key, new_values in results_now.items()
        }
        drawn = [GOODS[colour] for colour in reversed(bag_before[len(state_after.bag) :])]
        line = {"step": step.number, "player": step.player + 1, **move_fields(terms, state_after, step.move)}
        if drawn:
            line["drawn"] = drawn
        yield line | {"then": {key: values for key, values in changes_by_key.items() if values}}
        results_before, bag_before = results_now, list(state_after.bag)
        state = state_after
    yield {"end": not state.stalled, "points": {str(player + 1): score for player, score in enumerate(state.points)}}


def list_cubes(counts: Sequence[int]) -> list[str]:
    """Return cubes by colour as a list of colours."""
    return [GOODS[colour] for colour, count in enumerate(counts) for _ in range(count)]


def visible_position(terms: HexTerms, state: HexState) -> dict[str, dict[str, Any]]:
    """Return what lies on the table: key -> id -> value."""
    players = range(terms.players)
    position: dict[str, dict[str, Any]] = {
        name: {str(player + 1): values[player] for player in players}
        for name, values in (
            ("cash", state.cash),
            ("points", state.points),
            ("bonds", state.bonds),
            ("engine", state.engine),
        )
    }
    city_ids = terms.node_ids[: terms.city_count]
    position["cubes"] = {city: list_cubes(counts) for city, counts in zip(city_ids, state.cubes, strict=True)}
    position["takes"] = {
        city: [colour for number, colour in enumerate(GOODS) if taken_colours(terms, state, node) >> number & 1]
        for node, city in enumerate(city_ids)
    }
    position["marked"] = dict(zip(city_ids, state.marked, strict=True))
    position["order"] = {str(place + 1): player + 1 for place, player in enumerate(state.order)}
    return position


def move_fields(terms: HexTerms, state: HexState, move: Move) -> Mapping[str, Any]:
    """Return a move as fields of a log line."""
    fields: dict[str, Any] = {"move": move.kind}
    if move.kind == "bid":
        fields["amount"] = move.amount
    if move.card != NOBODY:
        fields["card"] = terms.cards[move.card].id
    if move.city != NOBODY:
        fields["city"] = terms.node_ids[move.city]
    if move.target != NOBODY:
        fields["to"] = terms.node_ids[move.target]
    if move.colour != NOBODY:
        fields["colour"] = GOODS[move.colour]
    if move.kind == "link":
        fields["link"] = terms.board.links[move.way[0]].id
    elif move.kind == "deliver":
        nodes = [move.city]
        for number in move.way:
            nodes.append(other_end(state.links[number], nodes[-1]))
        fields["way"] = [terms.node_ids[node] for node in nodes]
        fields["owners"] = [state.links[number].owner + 1 for number in move.way]
    elif move.way:
        fields["way"] = [terms.hex_ids[hexagon] for hexagon in move.way]
    return fields
