"""Work that somebody may stop: long loops say `go_on()`, and whoever runs them says when to stop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WANTED: ContextVar[Callable[[], bool] | None] = ContextVar("stop_wanted", default=None)


class CancelledError(BaseException):
    """Work was stopped; no `except Exception` takes it for a failure of its own."""


@contextmanager
def cancel_when(wanted: Callable[[], bool]) -> Iterator[None]:
    """Stop what runs inside at its next `go_on()` once `wanted` returns true.

    Raises:
        CancelledError: It was stopped.
    """
    token = _WANTED.set(wanted)
    try:
        check_cancelled()
        yield
    finally:
        _WANTED.reset(token)


def check_cancelled() -> None:
    """Return if the work may go on; without `stoppable` around it, it always may.

    Raises:
        CancelledError: It is to stop.
    """
    wanted = _WANTED.get()
    if wanted is not None and wanted():
        raise CancelledError
