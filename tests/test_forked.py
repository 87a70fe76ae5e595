"""Work beside other work gives what it would give in its turn, and a build beside itself the same files."""

import os
import sys
import threading
from pathlib import Path

import pytest

from mapkit.core.processes import forked as module
from mapkit.core.processes.forked import allow_forks, run_in_fork, start_in_fork
from mapkit.kinds.rail.api.boards import plan_build
from mapkit.kinds.rail.render.layout import clear_layout_cache

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_known_threads", set(threading.enumerate()))


@pytest.mark.usefixtures("allowed")
def test_work_is_done_in_another_process_once() -> None:
    result = start_in_fork(lambda: (os.getpid(), bytes(1_000_000)))
    process, data = result()
    assert process != os.getpid()
    assert data == bytes(1_000_000)
    assert result() == (process, data)


@pytest.mark.usefixtures("allowed")
def test_work_that_raises_raises_where_its_result_is_asked_for() -> None:
    with pytest.raises(ZeroDivisionError):
        start_in_fork(lambda: 1 // 0)()


@pytest.mark.usefixtures("allowed")
def test_work_whose_result_cannot_be_sent_is_done_here() -> None:
    assert start_in_fork(threading.current_thread)() is threading.current_thread()


@pytest.mark.usefixtures("allowed")
def test_work_of_a_process_that_ends_early_is_done_here() -> None:
    here = os.getpid()
    assert start_in_fork(lambda: os.getpid() if os.getpid() == here else os._exit(1))() == here


@pytest.mark.usefixtures("allowed")
def test_work_beside_may_ask_for_other_work() -> None:
    first = start_in_fork(os.getpid)
    second = start_in_fork(first)
    assert len({os.getpid(), first(), second()}) == 3


@pytest.mark.usefixtures("allowed")
def test_works_that_follow_from_the_same_share_a_process() -> None:
    with run_in_fork(), run_in_fork():
        first = start_in_fork(lambda: (os.getpid(), bytes(1_000_000)))
        wrong = start_in_fork(lambda: 1 // 0)
        last = start_in_fork(os.getpid)
    assert last() == first()[0] != os.getpid()
    with pytest.raises(ZeroDivisionError):
        wrong()


@pytest.mark.usefixtures("allowed")
def test_no_process_is_copied_while_another_thread_runs() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert start_in_fork(os.getpid)() == os.getpid()
    finally:
        done.set()
        thread.join()


def test_work_is_done_when_asked_for_where_it_is_not_allowed() -> None:
    done: list[int] = []
    result = start_in_fork(lambda: done.append(1))
    assert not done
    result()
    assert done == [1]


def test_a_program_with_one_processor_copies_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_known_threads", set[threading.Thread]())
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    allow_forks()
    assert start_in_fork(os.getpid)() == os.getpid()


@pytest.mark.slow
def test_a_build_beside_itself_makes_the_same_files(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPKIT_CACHE", "off")
    clear_layout_cache()
    alone = plan_build("example", workspace=example.parents[1], allow_errors=True)
    clear_layout_cache()
    monkeypatch.setattr(module, "_known_threads", set(threading.enumerate()))
    both = plan_build("example", workspace=example.parents[1], allow_errors=True)
    assert (both.files, both.checks, both.report) == (alone.files, alone.checks, alone.report)
