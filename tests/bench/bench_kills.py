"""Kills a writer of a board's journal at random moments and counts what was acknowledged and is gone.

    python tests/bench/bench_kills.py [KILLS] [server]

The writer edits and saves; each step that it prints was acknowledged. With `server` it is the editor's server that is
killed, again and again on one board, while a page edits, saves, undoes and redoes. Exit code 1 if a step is missing
afterwards.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "editor"))
from board_helpers import open_folder
from edited import small_board
from test_editor_journal import writer
from test_editor_killed import kill_at_random

from mapkit.kinds.rail.tables import ranked
from mapkit.kinds.registry import open_session


def killed(seed: int) -> tuple[int, bool]:
    """Kill a writer once; return how many steps it acknowledged, and whether all of them are there."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as home:
        folder = small_board(Path(home))
        process = writer(folder, "boston", 100_000)
        assert process.stdout is not None
        process.stdout.readline()
        acknowledged = [process.stdout.readline() for _ in range(chance.randint(1, 40))]
        time.sleep(chance.random() * 0.05)
        process.kill()
        acknowledged += [line for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        process.wait()
        process.stdout.close()
        position, weight = map(int, acknowledged[-1].split())
        session = open_session(folder)
        kept = session.position in (position, position + 1)
        kept = kept and session.document_at(position).cities["boston"].weight == weight
        session.save()
        return len(acknowledged), kept and open_folder(folder) == ranked(session.document)


def main() -> int:
    """Print the figures."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    if sys.argv[2:] == ["server"]:
        with tempfile.TemporaryDirectory() as home:
            acknowledged, lost = kill_at_random(small_board(Path(home)), kills, 7)
        print(f"{kills} kills of the server, {acknowledged} steps acknowledged, {lost} lost")
        return 1 if lost else 0
    found = [killed(seed) for seed in range(kills)]
    lost = sum(not kept for _, kept in found)
    print(f"{kills} kills, {sum(steps for steps, _ in found)} steps acknowledged, {lost} boards lost one")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
