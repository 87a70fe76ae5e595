"""Work aside gives what it gives here, in another process once that is ready; and that process ends with this one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import poll

from mapkit.core.processes import worker as module
from mapkit.core.processes.worker import allow_worker, run_in_worker
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_theme import apply_board_sizes
from mapkit.kinds.rail.render.screen.page_warp import UNMOVED
from mapkit.kinds.rail.render.screen.parts import draw_track

pytestmark = pytest.mark.slow

_PARENT = """
import os, sys
from mapkit.core.processes.worker import process_pool
if __name__ == "__main__":
    pool = process_pool(1)
    print(pool.submit(os.getpid).result(), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "processors", lambda: 2)
    with allow_worker():
        yield


def ready() -> int:
    """Wait for the other process, and return its number."""
    return poll(lambda: run_in_worker(os.getpid), lambda process: process != os.getpid())


@pytest.mark.usefixtures("allowed")
def test_the_first_work_is_done_here_and_later_work_in_one_other_process() -> None:
    assert run_in_worker(os.getpid) == os.getpid()
    other = ready()
    assert run_in_worker(os.getpid) == other
    with pytest.raises(ZeroDivisionError):
        run_in_worker(divmod, 1, 0)


@pytest.mark.usefixtures("allowed")
def test_work_is_done_here_after_the_process_was_killed() -> None:
    os.kill(ready(), signal.SIGTERM)
    assert run_in_worker(divmod, 7, 2) == (3, 1)
    assert run_in_worker(os.getpid) == os.getpid()


def test_nothing_is_done_aside_where_that_is_not_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_in_worker(os.getpid) == os.getpid()
    monkeypatch.setattr(module, "processors", lambda: 1)
    with allow_worker():
        assert {run_in_worker(os.getpid) for _ in range(3)} == {os.getpid()}


@pytest.mark.usefixtures("allowed")
def test_track_is_drawn_alike_aside(usa: Board) -> None:
    here = draw_track(usa, apply_board_sizes(None, usa), UNMOVED)
    ready()
    assert run_in_worker(draw_track, usa, apply_board_sizes(None, usa), UNMOVED) == here


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that cannot be caught")
def test_the_process_ends_with_the_one_that_began_it_even_if_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, encoding="utf-8")
    with subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    poll(lambda: _runs(child), lambda runs: not runs)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:  # one that has ended, and that nobody has asked for, is still listed
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
