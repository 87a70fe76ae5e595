"""Pages that were let in by the server, for tests that speak to it without a browser."""

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.testclient import TestClient, WebSocketTestSession

from mapkit.editor.server.tickets import AccessKeys

SECRET = "the-secret-of-this-run-which-no-other-page-knows"  # noqa: S105 - of tests alone


def door(port: int) -> AccessKeys:
    """Return a door with the secret of tests."""
    return AccessKeys(port, SECRET)


def let_in(client: TestClient, door: AccessKeys) -> TestClient:
    """Return a client that knows the secret, as a page does after it was let in."""
    client.headers["authorization"] = f"Bearer {door.secret}"
    return client


@contextmanager
def line(client: TestClient, door: AccessKeys, page: str = "page") -> Iterator[WebSocketTestSession]:
    """Open the line of a page, which says the secret first."""
    origin = {"origin": f"http://127.0.0.1:{door.port}"}
    with client.websocket_connect(f"ws://127.0.0.1:{door.port}/ws?page={page}", headers=origin) as socket:
        socket.send_json({"type": "enter", "secret": door.secret})
        yield socket
