"""Long runs: an end when they are exact enough, Ctrl-C, checkpoints that survive a kill at any moment."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from optional import ON_UNIX

from mapkit.core.errors import MapkitError, OutputError
from mapkit.playing import running
from mapkit.playing.checkpoints import Checkpoint
from mapkit.playing.figures import Totals
from mapkit.playing.running import Run, RunProgress, parse_progress, run_matches

pytestmark = pytest.mark.slow


def counting(first: int, matches: int) -> Totals:
    numbers = np.arange(first, first + matches, dtype=np.float64)
    return {"matches": np.array([matches], np.float64), "thirds": np.array([(numbers / 3).sum(), (numbers**2).sum()])}


def lists(totals: Totals) -> dict[str, object]:
    return {name: values.tolist() for name, values in totals.items()}


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_a_run_ends_when_it_is_exact_enough(workers: int) -> None:
    def root(totals: Totals) -> float:
        return float((2_345 / totals["matches"][0]) ** 0.5)

    ran = run_matches(counting, Run("a", 100_000, until=root, workers=workers))
    assert ran.totals["matches"][0] == 2_400
    assert not ran.stopped
    few = run_matches(counting, Run("a", 100_000, until=lambda _: 0.1, workers=workers))
    assert few.totals["matches"][0] == 1_000  # no interval of fewer is believed


def test_progress_says_how_many_matches_a_precision_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1_000))
    monkeypatch.setattr(running, "monotonic", lambda: float(next(clock)))
    said: list[str] = []
    until = Run("a", 50_000, until=lambda totals: float((3_600 / totals["matches"][0]) ** 0.5), workers=1)
    run_matches(counting, until, said.append)
    assert said[0].startswith("100 of about 3,600 matches, 0:")
    far = parse_progress(said[0])
    assert far is not None
    assert (far.done, far.end) == (100, 3_600)
    assert parse_progress("1,200 of 10,000 matches, 12:05 left") == RunProgress(done=1_200, end=10_000, left=725)
    assert parse_progress("900 of 1,000 matches, adding up") == RunProgress(done=900, end=1_000, left=0)
    assert parse_progress("checking") is None
    assert " of about 3,60" in said[-1]


def test_ctrl_c_keeps_what_is_done_and_a_later_run_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    played: list[int] = []

    def until_pressed(first: int, matches: int) -> Totals:
        if first == 700:
            raise KeyboardInterrupt
        played.append(first)
        return counting(first, matches)

    ran = run_matches(until_pressed, Run("a", 2_000, workers=1, checkpoint=file))
    assert ran.stopped
    assert ran.totals["matches"][0] == 700
    rest = run_matches(counting, Run("a", 2_000, workers=2, checkpoint=file, resume=True))
    assert lists(rest.totals) == lists(run_matches(counting, Run("a", 2_000, workers=1)).totals)


PRESSED = """
import json, os, signal, sys, time
from pathlib import Path
import numpy as np
from mapkit.console.interrupts import answered_at_once
from mapkit.playing.running import Run, run_matches

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a script
file = Path(sys.argv[1])

def play(first, matches):
    if first == 500:  # once all before is added up
        while not file.exists() or json.loads(file.read_bytes())["matches"] < 500:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)
    if first >= 500:
        time.sleep(0.3)
    return {"matches": np.array([matches], np.float64)}

with answered_at_once(lambda: None, 130):
    ran = run_matches(play, Run("a", 10_000, workers=1, checkpoint=file, save_every=0))
    time.sleep(0.3)
print(ran.stopped, int(ran.totals["matches"][0]))
"""


@ON_UNIX
@pytest.mark.slow
def test_ctrl_c_ends_a_run_and_not_the_program(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PRESSED, str(tmp_path / "run.json")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    assert ran.stdout == "True 500\n"


def test_ctrl_c_before_anything_is_played_is_ctrl_c() -> None:
    def pressed(_first: int, _matches: int) -> Totals:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_matches(pressed, Run("a", 2_000, workers=1))


def test_a_full_disk_is_told_and_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OutputError("run.json: cannot be written: No space left on device")

    monkeypatch.setattr(running, "save_checkpoint", full)
    said: list[str] = []
    ran = run_matches(counting, Run("a", 500, workers=1, checkpoint=tmp_path / "run.json", save_every=0), said.append)
    assert ran.totals["matches"][0] == 500
    assert "run.json: no checkpoint was written: run.json: cannot be written: No space left" in ran.unsaved
    assert said[0].startswith("going on without a checkpoint; run.json: cannot be written")


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    run_matches(counting, Run("a", 300, workers=1, checkpoint=file))
    with pytest.raises(MapkitError, match="of another board, version, rules, players or seed"):
        run_matches(counting, Run("b", 600, workers=1, checkpoint=file, resume=True))


def test_what_is_whole_is_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    whole = run_matches(counting, Run("a", 300, workers=1, checkpoint=file))
    again = run_matches(counting, Run("a", 300, workers=1, checkpoint=file, resume=True))
    assert lists(again.totals) == lists(whole.totals)


SLOW_RUN = """
import sys, time
from pathlib import Path
import numpy as np
from mapkit.playing.running import RunProgress, Run, run_matches, parse_progress

def play(first, matches):
    time.sleep(0.002)
    numbers = np.arange(first, first + matches, dtype=np.float64)
    return {"matches": np.array([matches], np.float64), "squares": np.array([(numbers**2).sum()])}

run = Run("a", 20_000, workers=2, checkpoint=Path(sys.argv[1]), resume=True, save_every=0)
run_matches(play, run, lambda _: print("on", flush=True))
"""


@ON_UNIX
@pytest.mark.slow
def test_killed_at_any_moment_no_match_is_lost_or_counted_twice(tmp_path: Path) -> None:
    """Each kill comes at a random moment after the first checkpoint; sums of squares show what was counted."""
    file, dice = tmp_path / "run.json", random.Random(21)  # noqa: S311 - when to kill
    command = [sys.executable, "-c", SLOW_RUN, str(file)]
    before = 0
    for _ in range(4):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (file.exists() and held(file).matches > before):
            time.sleep(0.005)
        time.sleep(dice.random() * 0.06)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kept = held(file)
        assert kept.totals["squares"] == [float((np.arange(kept.matches, dtype=np.float64) ** 2).sum())]
        assert kept.matches > before
        before = kept.matches
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert held(file).matches == 20_000
    assert held(file).totals["squares"] == [float((np.arange(20_000, dtype=np.float64) ** 2).sum())]


def held(file: Path) -> Checkpoint:
    return Checkpoint.model_validate(json.loads(file.read_bytes()))
