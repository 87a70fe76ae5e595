"""Cooperative cancellation: long loops call `check_cancelled()`, and their callers decide when to stop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CANCEL_WANTED: ContextVar[Callable[[], bool] | None] = ContextVar("stop_wanted", default=None)


class CancelledError(BaseException):
    """Work was cancelled; no `except Exception` mistakes it for a failure."""


@contextmanager
def cancel_when(wanted: Callable[[], bool]) -> Iterator[None]:
    """Cancel the work inside at its next `check_cancelled()` once `wanted` returns true.

    Raises:
        CancelledError: It was cancelled.
    """
    token = _CANCEL_WANTED.set(wanted)
    try:
        check_cancelled()
        yield
    finally:
        _CANCEL_WANTED.reset(token)


def check_cancelled() -> None:
    """Return unless the work is cancelled; without `cancel_when` around it, it never is.

    Raises:
        CancelledError: The work is to stop.
    """
    is_wanted = _CANCEL_WANTED.get()
    if is_wanted is not None and is_wanted():
        raise CancelledError
