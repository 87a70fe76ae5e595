"""Remembering what follows from values that never change, by which object they are."""

from collections.abc import Callable
from functools import wraps
from itertools import islice
from typing import TypeVar

A = TypeVar("A")
T = TypeVar("T")


def remembered(most: int) -> Callable[[Callable[[A], T]], Callable[[A], T]]:
    """Remember what a function makes of an object, for as long as the object is one of the latest.

    For objects that never change, but take long to hash or to compare. They are kept alive, so that no other takes
    their id.

    Args:
        most: How many to remember.
    """

    def decorate(make: Callable[[A], T]) -> Callable[[A], T]:
        known: dict[int, tuple[A, T]] = {}

        @wraps(make)
        def recall(value: A) -> T:
            found = known.get(id(value))
            if found is None:
                if len(known) >= most:
                    for key in list(islice(known, (most + 1) // 2)):
                        known.pop(key, None)
                found = known[id(value)] = (value, make(value))
            return found[1]

        return recall

    return decorate
