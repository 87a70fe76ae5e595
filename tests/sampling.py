"""How much of a large space of cases a run tries: a sample, the same in every run, or all of it with `--long`.

Tests on random boards and files, on all pairs of something, and on files that were collected take a sample in the
normal run. It is drawn with a fixed seed, so a test that fails fails again. `pytest --long` tries everything, and its
random examples are others in each run.
"""

import os
import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

A = TypeVar("A")
B = TypeVar("B")

_LONG = "MAPKIT_TESTS_LONG"
"""The variable carries the choice to the workers of pytest-xdist."""
_SHARE = 4
"""The normal run takes one random example of so many."""
_EXAMPLES = 100
_SEED = 1830


def choose(*, long: bool) -> None:
    """Say how much this run tries, before tests are collected."""
    if long:
        os.environ[_LONG] = "1"
    settings.register_profile(
        "mapkit",
        deadline=None,  # no test measures time
        derandomize=not is_long(),
        max_examples=examples(_EXAMPLES),
    )
    settings.load_profile("mapkit")


def is_long() -> bool:
    """Return whether this run tries everything."""
    return bool(os.environ.get(_LONG))


def examples(full: int, least: int = 6) -> int:
    """Return how many random examples a test takes.

    Args:
        full: With `--long`.
        least: In a normal run, even if a quarter is fewer.
    """
    return full if is_long() else min(full, max(full // _SHARE, least))


def sample(cases: Sequence[A], count: int, *, always: Sequence[A] = ()) -> list[A]:
    """Return all cases, or in a normal run some of them, in their order.

    Args:
        cases: All that there are.
        count: How many a normal run takes, beside those that it always takes.
        always: Cases that every run takes.
    """
    if is_long() or count >= len(cases):
        return list(cases)
    drawn = set(random.Random(_SEED).sample(range(len(cases)), count))  # noqa: S311 - no secret
    return [case for at, case in enumerate(cases) if at in drawn or case in always]


def pairs(first: Sequence[A], second: Sequence[B]) -> list[tuple[A, B]]:
    """Return all pairs of two lists, or in a normal run so many that each item is in one."""
    if is_long():
        return [(a, b) for a in first for b in second]
    count = max(len(first), len(second))
    return [(first[at % len(first)], second[at % len(second)]) for at in range(count)]
