"""Memoization by object identity, for values that never change."""

from collections.abc import Callable
from functools import wraps
from itertools import islice
from typing import TypeVar

A = TypeVar("A")
T = TypeVar("T")


def memoize_by_identity(most: int) -> Callable[[Callable[[A], T]], Callable[[A], T]]:
    """Memoize a function of one object for the latest objects, by identity.

    For objects that never change, but take long to hash or to compare. They are kept alive, so that their ids are not
    reused.

    Args:
        most: How many to remember.
    """

    def decorate(make: Callable[[A], T]) -> Callable[[A], T]:
        entry_by_id: dict[int, tuple[A, T]] = {}

        @wraps(make)
        def recall(value: A) -> T:
            entry = entry_by_id.get(id(value))
            if entry is None:
                if len(entry_by_id) >= most:
                    for key in list(islice(entry_by_id, (most + 1) // 2)):
                        entry_by_id.pop(key, None)
                entry = entry_by_id[id(value)] = (value, make(value))
            return entry[1]

        return recall

    return decorate
