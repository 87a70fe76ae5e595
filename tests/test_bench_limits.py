"""The table of limits names every benchmark, and its figures are found in what the benchmarks print."""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "bench"))  # tests/ has a run.py of its own

from limits import HERE, Ratio, benches


def test_every_benchmark_stands_in_the_table_once() -> None:
    named = [bench.run[0] for bench in benches()]
    assert sorted(named) == sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("bench_*.py"))


def test_every_figure_has_one_limit_and_every_long_benchmark_a_reason() -> None:
    for bench in benches():
        assert bench.short != bool(bench.why_long), bench.run
        for ratio in bench.ratio:
            assert (ratio.most is None) != (ratio.least is None), ratio.name
            assert re.compile(ratio.find).groups == 1, ratio.name


def test_the_worst_figure_counts_and_a_missing_one_does_not_hold() -> None:
    most, least = Ratio(name="a", find=r"(\d+) x", most=3), Ratio(name="b", find=r"(\d+) x", least=3)
    assert (most.value("2 x\n4 x"), least.value("2 x\n4 x"), most.value("")) == (4.0, 2.0, None)
    assert [most.holds(value) for value in (3.0, 4.0, None)] == [True, False, False]
    assert [least.holds(value) for value in (3.0, 2.0, None)] == [True, False, False]
