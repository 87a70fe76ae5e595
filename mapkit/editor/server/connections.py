"""Bounds on connections and on the log of the server, so that no other program can shut the user's pages out."""

import asyncio
import logging
import time
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 128
"""Connections that are kept; then the one that has been idle for longest ends. Sockets of pages do not count."""
HEADER_SECONDS: Final = 10.0
"""How long the head of a request may take to arrive."""
LOG_SECONDS: Final = 1.0
"""The least time between two lines of the log."""


class BoundedProtocol(H11Protocol):
    """HTTP connection that ends if a request does not arrive in time, or if others need its place."""

    _open: ClassVar[dict["BoundedProtocol", None]] = {}
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, in place of the oldest idle connection if there are many."""
        super().connection_made(transport)
        self._open[self] = None
        self._await_request()
        if len(self._open) > MOST:
            oldest = next((one for one in self._open if one is not self and one.is_idle()), self)
            oldest.forget()  # `connection_lost` comes later, and more connections before it
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read, and expect the rest of a request within a time."""
        super().data_received(data)
        if self in self._open:
            self._await_request()

    def handle_websocket_upgrade(self, event: Any) -> None:  # noqa: ANN401 - of a library without types
        """Become the socket of a page, which has a time limit of its own."""
        self.forget()
        super().handle_websocket_upgrade(event)

    def is_idle(self) -> bool:
        """Return whether no whole request is being answered."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _await_request(self) -> None:
        if not self.is_idle() and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        elif self.is_idle() and self._timer is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self._end_if_idle)

    def _end_if_idle(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:  # a body has a limit of its own
            self.transport.abort()

    def forget(self) -> None:
        """Count the connection no longer, and stop to wait for it."""
        self._open.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()


class OneLineASecond(logging.Filter):
    """Filter that passes one record a second, without its traceback."""

    _last = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        now = time.monotonic()
        if now - self._last < LOG_SECONDS:
            return False
        self._last = now
        if record.name == "asyncio":
            record.exc_info = None
        return True


def limit_logs() -> None:
    """Limit the logs that others can fill."""
    limit = OneLineASecond()
    for name in ("asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(limit)
