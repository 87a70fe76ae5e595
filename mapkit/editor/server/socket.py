"""One page on its WebSocket: its requests one after the other, and everything it is sent."""

import json
import re
import secrets
from collections.abc import Awaitable

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from mapkit.core.base import JsonObject
from mapkit.editor.server.hub import Client, Hub
from mapkit.editor.server.limits import STEP

_NAME = re.compile(r"[a-z0-9]{4,32}")


async def serve_page(hub: Hub, connection: WebSocket) -> None:
    """Serve a page until it goes."""
    given = connection.query_params.get("page", "")
    page = Client(given if _NAME.fullmatch(given) else secrets.token_hex(4))
    await connection.accept()
    try:
        await hub.join(page)
        async with anyio.create_task_group() as tasks:

            async def until_over(work: Awaitable[None]) -> None:
                await work
                tasks.cancel_scope.cancel()

            tasks.start_soon(until_over, _send(page, connection))
            await until_over(_receive(hub, page, connection))
    finally:
        hub.leave(page)


async def _send(page: Client, connection: WebSocket) -> None:
    while True:
        text = await page.queue.get()
        if text is None:
            await connection.close(1001)
            return
        try:
            await connection.send_text(text)
        except (WebSocketDisconnect, RuntimeError):  # it went while this was on its way
            return


async def _receive(hub: Hub, page: Client, connection: WebSocket) -> None:
    while True:
        try:
            text = await connection.receive_text()
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes, which no page of ours sends
            return
        data = _object(text) if len(text) <= STEP else None
        if data is None:
            await connection.close(1003)
            return
        await hub.request(page, data)


def _object(text: str) -> JsonObject | None:
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()  # neither NaN nor half a character
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
