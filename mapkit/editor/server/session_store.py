"""Stored sessions: the port on which a board is open, and the secret of its server.

They are kept in a folder of the user, in a file that only he can read, so that a second `mapkit edit` of the board
finds the server that runs. The secret is never sent: both sides prove that they know it, by answers to random
challenges. A server has a new secret at each start.
"""

import hashlib
import hmac
import http.client
import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.kept import STATE, replace_own
from mapkit.editor.server.messages import Prove, Proven
from mapkit.editor.server.tickets import PROOF, AccessKeys, entry_address

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
    """Store a session as the newest; if it cannot be stored, a second `mapkit edit` starts another server."""
    doors = (door, *(other for other in read_sessions(folder) if other.port != door.port))[:MOST]
    file = _file_of(folder)
    if file is None:
        return
    text = _StoredSessions(folder=str(folder.resolve()), doors=doors).model_dump_json()
    with suppress(OSError):
        replace_own(file, text.encode())


def address_of_running(folder: Path, port: int) -> str | None:
    """Return a new address of an editor of this board that runs already; None if there is none.

    Args:
        folder: The source package.
        port: The port that is wanted; 0 for any.
    """
    for door in read_sessions(folder):
        if port in (0, door.port) and (ticket := _request_ticket(door)) is not None:
            return entry_address(door.port, ticket)
    return None


def _request_ticket(session: StoredSession) -> str | None:
    """Return a ticket from the server of a session, after both proved that they know its secret.

    None if no server of it listens there, or another program does.
    """
    keys = AccessKeys(session.port, session.secret)
    nonce = new_secret()
    connection = http.client.HTTPConnection("127.0.0.1", session.port, timeout=_PATIENCE)
    try:
        challenge = _ask_proof(connection, Prove(nonce=nonce))
        if not hmac.compare_digest(challenge.proof, keys.prove("server", nonce, challenge.challenge)):
            return None
        proof = keys.prove("client", nonce, challenge.challenge)
        return _ask_proof(connection, Prove(nonce=nonce, challenge=challenge.challenge, proof=proof)).ticket or None
    except (OSError, http.client.HTTPException, ValidationError):
        return None
    finally:
        connection.close()


def _ask_proof(connection: http.client.HTTPConnection, request: Prove) -> Proven:
    origin = {"Origin": f"http://127.0.0.1:{connection.port}"}
    connection.request("POST", PROOF, request.model_dump_json(), origin)
    return Proven.model_validate_json(connection.getresponse().read(_MOST_BYTES))


def _file_of(folder: Path) -> Path | None:
    place = STATE.path()
    if place is None:
        return None
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return place / "editor" / f"{name}.json"


def _is_own(status: os.stat_result) -> bool:
    """Return whether only the user can read and write a file; on Windows his folders are his alone."""
    return sys.platform == "win32" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)
