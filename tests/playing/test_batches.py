"""Shares, means and their intervals; runs in batches, and checkpoints."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mapkit.core.errors import MapkitError
from mapkit.playing.batches import BATCH, play_batches
from mapkit.playing.checkpoints import read_checkpoint, run_id, save_checkpoint
from mapkit.playing.figures import Totals, add_totals, mean, share


def test_intervals_of_shares_are_those_of_wilson() -> None:
    found = share(10, 100)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0552, 0.1744)
    assert (share(0, 20).low, share(20, 20).high) == (0, 1)
    assert round(share(0, 20).high, 4) == 0.1611
    nothing = share(0, 0)
    assert (nothing.share, nothing.low, nothing.high, nothing.of) == (0, 0, 1, 0)


def test_a_mean_has_the_interval_of_its_deviation() -> None:
    values = [4.0, 8.0, 6.0, 5.0, 3.0, 7.0]
    found = mean(sum(values), sum(v * v for v in values), len(values))
    assert found.mean == 5.5
    assert found.deviation == pytest.approx(np.std(values, ddof=1))
    assert found.high - found.mean == pytest.approx(1.959964 * np.std(values, ddof=1) / 6**0.5)
    assert mean(3, 9, 1).deviation == 0


def counting(first: int, matches: int) -> Totals:
    numbers = np.arange(first, first + matches, dtype=np.float64)
    return {"matches": np.array([matches], np.float64), "thirds": np.array([(numbers / 3).sum(), (numbers**2).sum()])}


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_sums_are_the_same_with_any_number_of_workers(workers: int) -> None:
    steps = list(play_batches(counting, 1_050, workers=workers))
    assert [done for done, _ in steps] == [*range(BATCH, 1_050, BATCH), 1_050]
    plain: Totals = counting(0, BATCH)
    for start in range(BATCH, 1_050, BATCH):
        plain = add_totals(plain, counting(start, min(BATCH, 1_050 - start)))
    assert {name: values.tolist() for name, values in steps[-1][1].items()} == {
        name: values.tolist() for name, values in plain.items()
    }


def test_no_more_is_played_than_is_asked_for_next() -> None:
    started: list[int] = []
    lock = threading.Lock()

    def play(first: int, matches: int) -> Totals:
        with lock:
            started.append(first)
        return counting(first, matches)

    run = play_batches(play, 100_000, workers=2)
    next(run)
    run.close()
    assert len(started) <= 5


def test_a_mistake_in_a_batch_ends_the_run() -> None:
    def play(first: int, matches: int) -> Totals:
        if first == 3 * BATCH:
            raise MapkitError("match 300 does not end")
        return counting(first, matches)

    done: list[int] = []
    with pytest.raises(MapkitError, match="match 300 does not end"):
        done.extend(played for played, _ in play_batches(play, 1_000, workers=2))
    assert done == [BATCH, 2 * BATCH, 3 * BATCH]


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    whole = list(play_batches(counting, 1_000, workers=2))[-1][1]
    done, totals = list(play_batches(counting, 1_000, workers=2))[3]
    file, run = tmp_path / "run.json", run_id("board", "seed 1")
    save_checkpoint(file, run, done, totals)
    before, read = read_checkpoint(file, run, counting(0, 1))
    assert before == 4 * BATCH
    steps = list(play_batches(counting, 1_000, done=before, totals=read, workers=2))
    assert steps[-1][0] == 1_000
    assert {name: values.tolist() for name, values in steps[-1][1].items()} == {
        name: values.tolist() for name, values in whole.items()
    }


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace('"run":"', '"run":"x'), "of another board, version, rules, players or seed"),
        (lambda text: text[:40], "not the checkpoint of a play-test"),
        (lambda _: "", "not the checkpoint of a play-test"),
        (lambda text: text.replace("thirds", "fifths"), "not the checkpoint of a play-test"),
        (lambda text: text.replace('"matches":[100.0]', '"matches":[[1.0]]'), "not the checkpoint of a play-test"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path: Path, change: Callable[[str], str], says: str) -> None:
    file, run = tmp_path / "run.json", run_id("board")
    save_checkpoint(file, run, BATCH, counting(0, BATCH))
    text = file.read_text(encoding="utf-8")
    changed = change(text)
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    with pytest.raises(MapkitError, match=says):
        read_checkpoint(file, run, counting(0, 1))


def test_what_a_run_follows_from_tells_it_apart() -> None:
    assert run_id("a", "bc") != run_id("ab", "c")
