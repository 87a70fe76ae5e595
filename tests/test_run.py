"""How the tests themselves are run: what a sample leaves out, what the three runs do, and missing programs."""

import subprocess
import sys

import pytest
import run
import sampling
from conftest import HEAVY, NOT_QUICK, REPOSITORY
from optional import lacking, program


def modules(steps: list[tuple[str, list[str]]]) -> list[str]:
    return [name for name, _ in steps]


def test_each_run_has_its_steps() -> None:
    assert modules(run.steps(quick=False, long=False, pytest=[])) == ["ruff", "ruff", "mypy", "pytest"]
    assert modules(run.steps(quick=True, long=False, pytest=[])) == ["ruff", "ruff", "pytest"]
    long = modules(run.steps(quick=False, long=True, pytest=[]))
    assert long[:6] == ["ruff", "ruff", "mypy", "pytest", "kills", "kills of the server"]
    *_, (_, last) = run.steps(quick=True, long=False, pytest=["-k", "payoffs"])
    assert last[-3:] == ["--quick", "-k", "payoffs"]


def test_the_help_names_the_three_runs() -> None:
    command = [sys.executable, str(REPOSITORY / "tests" / "run.py"), "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert "--quick" in said
    assert "--long" in said
    assert "two minutes on two cores" in said


def test_the_folders_that_are_named_are_there() -> None:
    assert all((REPOSITORY / "tests" / folder).is_dir() for folder in (*HEAVY, *NOT_QUICK))


def test_no_test_of_a_page_waits_for_a_time() -> None:
    """What passes after 200 ms here fails on a busy machine: tests wait for what they need, `until` it is there."""
    pages = [*(REPOSITORY / "tests").glob("*.py"), *(REPOSITORY / "tests" / "browser").glob("*.py")]
    waiting = "wait_for_" + "timeout"
    assert [path.name for path in pages if waiting in path.read_text(encoding="utf-8")] == ["browsing.py"]


def test_a_sample_is_the_same_each_time_and_has_what_is_always_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sampling._LONG, raising=False)
    cases = list(range(100))
    found = sampling.sample(cases, 10, always=[3, 99])
    assert found == sorted(set(found)) == sampling.sample(cases, 10, always=[3, 99])
    assert {3, 99} <= set(found)
    assert 10 <= len(found) <= 12
    assert sampling.sample(cases, 100) == cases
    assert (sampling.examples(100), sampling.examples(12), sampling.examples(4)) == (25, 6, 4)
    some = sampling.pairs("abc", range(7))
    assert len(some) == 7
    assert ({a for a, _ in some}, {b for _, b in some}) == (set("abc"), set(range(7)))


def test_a_long_run_tries_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sampling._LONG, "1")
    cases = list(range(100))
    assert sampling.sample(cases, 10) == cases
    assert sampling.examples(100) == 100
    assert len(sampling.pairs("abc", range(7))) == 21


def test_what_is_missing_skips_a_test_and_fails_it_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed: get it"):
        program("no-such-program", "get it")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no cheese"):
        lacking("no cheese")
