"""What a game of cards costs, and what printing its cards does, on the shipped game of five holdings.

    python tests/bench/bench_cards.py [GAMES]

Games of the planner against the greedy player are measured in time of the processor, and against games of the greedy
player against itself; 10,000 of them on two processors are reckoned from that. Cards are laid out for print as one PDF,
the second time, when fonts and modules are loaded.
"""

import sys
import tempfile
import time
from pathlib import Path

import mapkit
from mapkit.kinds.cards.playing.study import CardTable, card_batch
from mapkit.kinds.cards.playing.terms import compile_terms
from mapkit.kinds.cards.render.cards import card_groups
from mapkit.kinds.cards.render.job import CardJob

ASKED = 10_000
PROCESSORS = 2
CARDS = 60


def seconds_a_game(names: tuple[str, str], games: int) -> float:
    """Return the processor's time of a game."""
    table = CardTable(compile_terms(mapkit.load_cards("barons").board), names, 1)
    card_batch(table, 0, 2)
    start = time.process_time()
    card_batch(table, 0, games)
    return (time.process_time() - start) / games


def seconds_of_print(folder: Path) -> tuple[float, int]:
    """Return the processor's time of printing all cards, and how many there are."""
    job, parts = mapkit.PrintJob(), mapkit.PrintedParts(only=("cards",))
    for name in ("first", "again"):
        start = time.process_time()
        mapkit.print_cards("barons", job, out=folder / f"{name}.pdf", parts=parts)
        seconds = time.process_time() - start
    return seconds, sum(len(sheets) for _, sheets in card_groups(CardJob(mapkit.load_cards("barons").board)))


def main(games: int) -> None:
    """Print the figures."""
    planner, greedy = (seconds_a_game(names, games) for names in (("planner", "greedy"), ("greedy", "greedy")))
    print(f"planner against greedy: {1000 * planner:.1f} ms, {planner / greedy:.1f} games of greedy players")
    print(f"ten thousand: {planner * ASKED / PROCESSORS:.0f} s on two processors")
    with tempfile.TemporaryDirectory() as folder:
        seconds, cards = seconds_of_print(Path(folder))
    print(f"sixty cards: {seconds / cards * CARDS:.2f} s, from {cards}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
