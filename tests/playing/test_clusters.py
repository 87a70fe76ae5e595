"""Play-tests on a Dask cluster: the sums of one process, also when a worker is lost."""

import os
import signal
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from conftest import Run
from matches import board_with
from optional import lacking

from mapkit.core.errors import ChoiceError, MapkitError
from mapkit.core.processes.installing import install_command
from mapkit.kinds.rail.api.playtesting import read_policy, table_of
from mapkit.kinds.rail.playing.batch import play_batch
from mapkit.playing import clusters
from mapkit.playing.batches import Play, play_batches
from mapkit.playing.clusters import play_on_cluster
from mapkit.playing.figures import Totals

pytestmark = pytest.mark.slow

MATCHES = 160
SIGNAL = getattr(signal, "SIGKILL", signal.SIGTERM)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers of a thread each."""
    if not clusters.AVAILABLE:
        lacking(f"Dask is not installed: {install_command('cluster')}")
    local = import_module("distributed").LocalCluster
    with local(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
        yield made


@pytest.fixture(scope="module")
def play() -> Play:
    policies = [read_policy("balanced")] * 3
    return partial(play_batch, table_of(board_with(), policies, 3, 1))


def test_a_lost_worker_changes_no_sum(cluster: Any, play: Play) -> None:
    *_, (_, alone) = play_batches(play, MATCHES, workers=1, batch=10)
    seen: list[tuple[int, Totals]] = []
    for done, totals in play_on_cluster(cluster.scheduler_address, play, MATCHES, batch=10, batches=1):
        if not seen:
            os.kill(next(iter(cluster.workers.values())).pid, SIGNAL)
        seen.append((done, totals))
    assert [done for done, _ in seen] == list(range(10, MATCHES + 1, 10))
    assert {name: found.tolist() for name, found in seen[-1][1].items()} == {
        name: found.tolist() for name, found in alone.items()
    }


def test_a_run_goes_on_from_its_sums(cluster: Any, play: Play) -> None:
    address = cluster.scheduler_address
    [(done, half)] = play_on_cluster(address, play, 20, batch=10, batches=2)
    [(end, whole)] = play_on_cluster(address, play, 35, done=done, totals=half, batch=10, batches=2)
    assert (done, end) == (20, 35)
    assert whole["matches"].tolist() == [35]
    assert not np.array_equal(whole["wins by player"], half["wins by player"])


def test_a_match_that_cannot_end_is_named(cluster: Any) -> None:
    with pytest.raises(MapkitError, match="match 3 of seed 9 does not end"):
        list(play_on_cluster(cluster.scheduler_address, endless, 20, batch=10))


def endless(first: int, matches: int) -> Totals:
    raise MapkitError(f"match {first + 3} of seed 9 does not end: {matches}")


def test_a_worker_with_another_version_is_refused(cluster: Any, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "__version__", "9.9")
    with pytest.raises(MapkitError, match=r"it has mapkit .*, not 9\.9; install the same version everywhere"):
        list(play_on_cluster(cluster.scheduler_address, play, 20))


def test_an_address_where_nobody_answers_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, play: Play) -> None:
    monkeypatch.setattr(clusters, "_CONNECT_TIMEOUT", "1s")
    if clusters.AVAILABLE:
        done = run("playtest", "portugal", "--dask", "tcp://127.0.0.1:9")
        assert (done.code, "tcp://127.0.0.1:9: no scheduler of Dask answers there" in done.err) == (1, True), done.err
    monkeypatch.setattr(clusters, "AVAILABLE", False)
    with pytest.raises(ChoiceError, match="Dask is missing"):
        list(play_on_cluster("tcp://127.0.0.1:9", play, 20))
