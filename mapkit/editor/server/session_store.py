"""Stored sessions: the port on which a board was open last, and the secret of its pages.

It is kept in a folder of the user, in a file that only he can read, so that pages that are still open get back in when
the editor of the same board is started again on the same port. A secret that was said to something else on that port
is dropped, for it may have been collected.
"""

import hashlib
import http.client
import json
import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.kept import STATE, replace_own
from mapkit.editor.server.messages import Ticket
from mapkit.editor.server.tickets import ENTRY, entry_address

MOST: Final = 4
"""Doors of a board that are kept: several editors of it may run at once."""
_MOST_BYTES: Final = 10_000
_PATIENCE: Final = 3.0


class StoredSession(Frozen):
    """A port, and the secret of the pages that were opened there."""

    port: int = Field(ge=1, le=65535)
    secret: str = Field(min_length=32, max_length=200, pattern=r"^[\w-]+$")


class _StoredSessions(Frozen):
    folder: str
    doors: tuple[StoredSession, ...]


def new_secret() -> str:
    """Return an unguessable secret."""
    return secrets.token_urlsafe(24)


def read_sessions(folder: Path) -> tuple[StoredSession, ...]:
    """Return the doors of a board, the newest first; none if the file is not the user's own, or is broken."""
    file = _file_of(folder)
    if file is None:
        return ()
    with suppress(OSError, ValidationError):
        with file.open("rb") as stream:
            if not _is_own(os.fstat(stream.fileno())):
                return ()
            kept = _StoredSessions.model_validate_json(stream.read(_MOST_BYTES))
        if kept.folder == str(folder.resolve()):
            return kept.doors
    return ()


def store_session(folder: Path, door: StoredSession) -> None:
    """Keep a door as the newest; where nothing can be kept, pages do not get back in after a restart."""
    _write(folder, (door, *(other for other in read_sessions(folder) if other.port != door.port))[:MOST])


def forget_session(folder: Path, port: int) -> None:
    """Forget the secret of a port."""
    _write(folder, tuple(door for door in read_sessions(folder) if door.port != port))


def address_of_running(folder: Path, port: int) -> str | None:
    """Return a new address of an editor of this board that runs already; None if there is none.

    Args:
        folder: The source package.
        port: The port that is wanted; 0 for any.
    """
    for door in read_sessions(folder):
        if port in (0, door.port):
            answer = _request_ticket(door)
            if answer is not None and (ticket := _parse_ticket(answer)):
                return entry_address(door.port, ticket)
            if answer is not None:  # somebody else listens there, and has heard the secret
                forget_session(folder, door.port)
    return None


def _request_ticket(door: StoredSession) -> bytes | None:
    """Return the port's reply to a request for a ticket; None if no program listens there."""
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=_PATIENCE)
    headers = {"Authorization": f"Bearer {door.secret}", "Origin": f"http://127.0.0.1:{door.port}"}
    try:
        connection.request("POST", "/api/tickets", json.dumps({"path": ENTRY}), headers)
        return connection.getresponse().read(_MOST_BYTES)
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException):
        return b""
    finally:
        connection.close()


def _parse_ticket(answer: bytes) -> str:
    try:
        return Ticket.model_validate_json(answer).ticket
    except ValidationError:
        return ""


def _file_of(folder: Path) -> Path | None:
    place = STATE.path()
    if place is None:
        return None
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return place / "editor" / f"{name}.json"


def _is_own(status: os.stat_result) -> bool:
    """Return whether only the user can read and write a file; on Windows his folders are his alone."""
    return sys.platform == "win32" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)


def _write(folder: Path, doors: tuple[StoredSession, ...]) -> None:
    file = _file_of(folder)
    if file is None:
        return
    text = _StoredSessions(folder=str(folder.resolve()), doors=doors).model_dump_json()
    with suppress(OSError):
        replace_own(file, text.encode())
