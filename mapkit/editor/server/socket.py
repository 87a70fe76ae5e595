"""One page on its WebSocket: its requests one after the other, and everything it is told."""

import asyncio
import json
import re
import secrets
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mapkit.editor.server.hub import Hub, Page

MAX_MESSAGE = 4 * 2**20
"""The largest message of a page, bytes; a whole payoff chart pasted is far smaller."""
_NAME = re.compile(r"[a-z0-9]{4,32}")


async def serve_page(hub: Hub, connection: WebSocket) -> None:
    """Serve a page until it goes."""
    given = connection.query_params.get("page", "")
    page = Page(given if _NAME.fullmatch(given) else secrets.token_hex(4))
    await connection.accept()
    await hub.join(page)
    sending = asyncio.create_task(_send(page, connection))
    receiving = asyncio.create_task(_receive(hub, page, connection))
    try:
        _, left = await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(sending, receiving, return_exceptions=True)
    finally:
        hub.leave(page)


async def _send(page: Page, connection: WebSocket) -> None:
    while True:
        text = await page.queue.get()
        if text is None:
            await connection.close(1001)
            return
        await connection.send_text(text)


async def _receive(hub: Hub, page: Page, connection: WebSocket) -> None:
    while True:
        try:
            text = await connection.receive_text()
        except (WebSocketDisconnect, KeyError):  # KeyError: bytes, which no page of ours sends
            return
        data = _object(text) if len(text) <= MAX_MESSAGE else None
        if data is None:
            await connection.close(1003)
            return
        await hub.request(page, data)


def _object(text: str) -> dict[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
