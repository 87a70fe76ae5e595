"""Description of a game in words, step by step."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from mapkit.core.plurals import count_noun
from mapkit.kinds.hex.playing.log import log_lines
from mapkit.kinds.hex.playing.terms import HexTerms

_RESULT_TEXTS: Final[Mapping[str, Callable[[int], str]]] = {
    "cash": "${:,}".format,
    "points": lambda points: count_noun(points, "point"),
    "bonds": lambda bonds: count_noun(bonds, "bond"),
}


def narrate_game(terms: HexTerms, names: Sequence[str], seed: int, match: int) -> Iterator[str]:
    """Play a game and yield a line for each step, and the end."""
    head, *lines = log_lines(terms, names, seed, match)
    yield f"{terms.board.title}, game {match} of seed {seed}: players {_players_text(head['players'])}"
    yield from narrate_lines(lines)


def narrate_log(title: str, players: Sequence[str], lines: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for the players of a log, for each step, and the end."""
    yield f"{title}: players {_players_text(players)}"
    yield from narrate_lines(lines)


def narrate_lines(lines: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each step of a log, and the end."""
    for line in lines:
        if "end" in line:
            points = ", ".join(f"player {player} has {count} points" for player, count in line["points"].items())
            yield f"\nThe end: {points}" if line["end"] else f"\nBroken off, for nobody delivers any more: {points}"
        else:
            yield f"{line['step']:>4}. player {line['player']} {_move_text(line)}{_changes_text(line.get('then', {}))}"


def _players_text(players: Sequence[str]) -> str:
    return ", ".join(f"{seat} ({name})" for seat, name in enumerate(players, start=1))


def _move_text(line: dict[str, Any]) -> str:
    way = " ".join(line.get("way", ()))
    city = line.get("city", "")
    texts = {
        "bid": f"bids ${line.get('amount', 0):,}",
        "pass": "passes",
        "build": f"builds {way}",
        "link": f"builds the printed link {line.get('link', '')}",
        "urbanize": f"lays a {line.get('colour', '')} New City tile on {city}",
        "engine": "upgrades the engine",
        "deliver": f"delivers {line.get('colour', '')}: {way}",
        "card": f"takes the card {line.get('card', '')} {city}{way}".rstrip(),
        "use": f"uses the card {line.get('card', '')} {city}".rstrip(),
        "mine": f"places a mine at {city}",
        "repay": "pays a bond back",
        "rest": "does nothing",
    }
    drawn = f", draws {', '.join(line['drawn'])}" if line.get("drawn") else ""
    return f"{texts[line['move']]}{drawn}"


def _changes_text(changes: dict[str, dict[str, Any]]) -> str:
    texts = [
        f"player {player}: {', '.join(parts)}"
        for player in sorted({player for key in _RESULT_TEXTS for player in changes.get(key, {})})
        if (
            parts := [
                text_of(changes[key][player])
                for key, text_of in _RESULT_TEXTS.items()
                if player in changes.get(key, {})
            ]
        )
    ]
    texts += [f"{city} is empty" for city, is_marked in changes.get("marked", {}).items() if is_marked]
    return f"; {'; '.join(texts)}" if texts else ""
