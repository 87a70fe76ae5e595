"""Who may talk to the server, and what a page from it may do: token, cookie, Host, Origin, sizes, policy.

Other programs on the machine can reach 127.0.0.1, and so can any web page that the browser shows. The token in the
address keeps out the first; Host and Origin keep out the second, also when a name of theirs is made to lead here.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALL_BODY = 4 * 2**20
"""The largest body of a request, bytes; uploads have limits of their own."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")


@dataclass(frozen=True)
class Door:
    """Where the server listens, and the secret of this run.

    Args:
        port: The port on 127.0.0.1.
        token: The secret in the address.
    """

    port: int
    token: str

    @property
    def address(self) -> str:
        """Return the address to open."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def hosts(self) -> frozenset[str]:
        """Return what the Host header may say."""
        return frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})

    @property
    def cookie(self) -> str:
        """Return the cookie's name; ports share cookies, so each has its own."""
        return f"mapkit-{self.port}"

    def knows(self, secret: str) -> bool:
        """Return whether this is the token."""
        return hmac.compare_digest(secret.encode(), self.token.encode())


class Guard:
    """Refuses everything that does not come from a page of this server.

    Args:
        app: What is guarded.
        door: Where it listens, and the token.
        large: Paths of uploads, and how many bytes they may have.
    """

    def __init__(self, app: ASGIApp, door: Door, large: Mapping[str, int]) -> None:
        self._app = app
        self._door = door
        self._large = large

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Guard a request or a WebSocket."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        answer = self._refusal(scope)
        if answer is not None:
            # before it is accepted, a WebSocket that is closed is answered with 403
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            else:
                await answer(scope, receive, _with_headers(send))
            return
        if scope["type"] == "http":
            await self._limited(scope, receive, _with_headers(send))
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._door.hosts:
            return _refused("This server answers to 127.0.0.1 only.")
        origin = headers.get("origin")
        own = origin is not None and origin.removeprefix("http://") in self._door.hosts and origin.startswith("http://")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if (origin is not None and not own) or (changes and not own):
            return _refused("Only pages of this editor may ask this.")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _refused("Only pages of this editor may ask this.")
        if scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET":
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
            if given is not None:
                return self._entry(given[0])
        if not self._door.knows(_cookie(headers, self._door.cookie)):
            return _refused(
                "This address needs its token. Open the address that mapkit edit printed, or start it again."
            )
        return None

    def _entry(self, token: str) -> Response:
        if not self._door.knows(token):
            return _refused("This token is not the one of this run. Open the address that mapkit edit printed last.")
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(self._door.cookie, self._door.token, httponly=True, samesite="strict", path="/")
        return answer

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._large.get(scope["path"], SMALL_BODY)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await _too_large(most)(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise HTTPException(413, _too_large_text(most))
            return message

        await self._app(scope, counted, send)


def _too_large_text(most: int) -> str:
    return f"This is too large; at most {most // 2**20} MB are taken."


def _too_large(most: int) -> Response:
    return PlainTextResponse(_too_large_text(most), status_code=413)


def _refused(text: str) -> Response:
    return PlainTextResponse(text, status_code=403)


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                if name not in headers:
                    headers[name] = value
        await send(message)

    return sent
