"""Access control of the server: secret, tickets, Host, Origin, sizes, content security policy.

Other programs on the machine can reach 127.0.0.1, and so can any web page that the browser shows. The secret keeps out
the first; Host and Origin keep out the second, also when a name of theirs is made to lead here. Anybody may have the
page itself, which is the same for all who have mapkit.
"""

import asyncio
import time
from typing import Final
from urllib.parse import parse_qs

from pydantic import ValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mapkit.editor.server.limits import Limits
from mapkit.editor.server.messages import Knock
from mapkit.editor.server.tickets import ENTRY, PROOF, AccessKeys
from mapkit.kinds.protocol import Refusal
from mapkit.kinds.responses import model_response

LOCKED_OUT: Final = 4403
"""The code with which a WebSocket ends whose page does not know the secret."""
KNOCK_SECONDS: Final = 10.0
"""How long a WebSocket may be open before its page says the secret."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")
_OPEN: Final = (ENTRY, PROOF)
"""Addresses for who does not know the secret yet."""
_OPEN_BYTES: Final = 1024
"""The largest body of a request there."""
BODY_SECONDS: Final = 10.0
"""How long the body of a request there may take; elsewhere how long until the next part of it arrives."""
_MOST_KNOCKING: Final = 32
"""WebSockets that have not said the secret yet; then the oldest ends."""


class Guard:
    """Refuses everything that does not come from a page of this server.

    Args:
        app: What is guarded.
        door: Where it listens, and the token.
        limits: How much a page may send.
    """

    def __init__(self, app: ASGIApp, door: AccessKeys, limits: Limits) -> None:
        self._app = app
        self._door = door
        self._limits = limits
        self._knocking: dict[asyncio.Task[Message], None] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Guard a request or a WebSocket."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._line(scope, receive, send)
        else:
            answer = self._from_elsewhere(scope) or self._without_secret(scope)
            if answer is not None:
                await answer(scope, receive, _with_headers(send))
            else:
                await self._limited(scope, receive, _with_headers(send))

    def _from_elsewhere(self, scope: Scope) -> Response | None:
        """Return the refusal of a request from another page or program; None for one of this server's pages."""
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._door.hosts:
            return _refuse_request(scope, "This server answers to 127.0.0.1 only.")
        origin = headers.get("origin")
        own = origin is not None and origin.removeprefix("http://") in self._door.hosts and origin.startswith("http://")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if (origin is not None and not own) or (changes and not own) or elsewhere:
            return _refuse_request(scope, "Only pages of this editor may ask this.")
        return None

    def _without_secret(self, scope: Scope) -> Response | None:
        """Return the refusal of a request that needs the secret and lacks it."""
        path = scope["path"]
        if path in _OPEN or (scope["method"] in _SAFE and (path == "/" or path.startswith("/static/"))):
            return None
        if self._door.knows(Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")):
            return None
        tickets = parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [])
        if scope["method"] == "GET" and any(self._door.takes(ticket, path) for ticket in tickets[:1]):
            return None
        return _refuse_request(
            scope,
            "The editor does not know this page. Run mapkit edit again, and use the page that it opens.",
        )

    async def _line(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a WebSocket after its page has sent the secret."""
        await receive()
        if self._from_elsewhere(scope) is not None:  # it was not accepted, so this is answered with 403
            await send({"type": "websocket.close", "code": 1008})
            return
        await send({"type": "websocket.accept"})
        if not self._door.knows(await self._read_knock(receive)):
            await send({"type": "websocket.close", "code": LOCKED_OUT})
            return
        begun = False

        async def received() -> Message:
            nonlocal begun
            if begun:
                return await receive()
            begun = True
            return {"type": "websocket.connect"}

        async def sent(message: Message) -> None:
            if message["type"] != "websocket.accept":
                await send(message)

        await self._app(scope, received, sent)

    async def _read_knock(self, receive: Receive) -> str:
        """Return the secret that a page says first on a WebSocket; nothing if it says something else, or nothing."""
        task = asyncio.ensure_future(_receive_message(receive))
        self._knocking[task] = None
        if len(self._knocking) > _MOST_KNOCKING:
            next(iter(self._knocking)).cancel()
        try:
            await asyncio.wait((task,), timeout=KNOCK_SECONDS)
            message = task.result() if task.done() and not task.cancelled() else {}
            return Knock.model_validate_json(message.get("text") or "", strict=True).secret
        except ValidationError:
            return ""
        finally:
            task.cancel()
            self._knocking.pop(task, None)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_open = scope["path"] in _OPEN
        most = _OPEN_BYTES if is_open else self._limits["files"].get(scope["path"], self._limits["request"])
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await _refuse_text(scope, _too_large_text(most), 413)(scope, receive, send)
            return
        seen, is_whole, started = 0, False, time.monotonic()

        async def counted() -> Message:
            nonlocal seen, is_whole
            if is_whole:
                return await receive()
            elapsed_s = time.monotonic() - started if is_open else 0.0
            try:
                message = await asyncio.wait_for(receive(), max(0.0, BODY_SECONDS - elapsed_s))
            except TimeoutError as error:
                raise HTTPException(408, "The request did not arrive in time.") from error
            is_whole = not message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > most:
                raise HTTPException(413, _too_large_text(most))
            return message

        await self._app(scope, counted, send)


def _too_large_text(most: int) -> str:
    size = f"{most // 2**20} MB" if most >= 2**20 else f"{most} bytes"
    return f"This is too large; at most {size} are taken."


async def _receive_message(receive: Receive) -> Message:
    return await receive()


def _refuse_request(scope: Scope, text: str) -> Response:
    return _refuse_text(scope, text, 403)


def _refuse_text(scope: Scope, text: str, status: int) -> Response:
    """Return a refusal as who asks can read it: pages read JSON, the user text."""
    if scope["path"].startswith("/api/"):
        return model_response(Refusal(message=text), status)
    return PlainTextResponse(text, status_code=status)


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                if name not in headers:
                    headers[name] = value
        await send(message)

    return sent
