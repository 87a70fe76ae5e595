"""The way in: tickets that are good once and for a short time, and the secret that a page gets for one.

A browser shares cookies between all ports of a host, so a cookie would go to every other server on this machine that
the browser visits. A page therefore keeps its secret where only pages of this port can read it (`sessionStorage`), and
sends it itself. What a page cannot send a header for, such as a download, has a ticket of its own in its address.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final

ENTRY: Final = "/api/enter"
"""Where a page exchanges the ticket in its address for the secret."""
PROOF: Final = "/api/prove"
"""Where a program proves that it knows the secret, and the server that it does."""
CHALLENGE_SECONDS: Final = 10.0
"""How long a challenge of the server is good."""
ENTRY_SECONDS: Final = 600.0
"""How long the ticket of an address is good."""
DOWNLOAD_SECONDS: Final = 60.0
"""How long the ticket of a download is good."""
MOST: Final = 1000
"""The most tickets that are out; then the oldest ends."""


class Tickets:
    """Tickets that are out.

    Args:
        clock: Tells the time, seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._out: dict[str, tuple[str, float]] = {}

    def new(self, path: str, seconds: float) -> str:
        """Return a ticket that is good once, for a path, for so many seconds."""
        now = self._clock()
        self._out = {ticket: out for ticket, out in self._out.items() if out[1] > now}
        while len(self._out) >= MOST:
            del self._out[next(iter(self._out))]
        made = secrets.token_urlsafe(24)
        self._out[made] = (path, now + seconds)
        return made

    def take(self, ticket: str, path: str) -> bool:
        """Take a ticket back and return whether it was good; one for another path stays out."""
        out = self._out.get(ticket)
        if out is None or out[0] != path:
            return False
        del self._out[ticket]
        return self._clock() < out[1]


class AccessKeys:
    """Where the server listens, and who has a key.

    Args:
        port: The port on 127.0.0.1.
        secret: What pages that were let in know.
        clock: Tells the time, seconds.
    """

    def __init__(self, port: int, secret: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.port = port
        self.secret = secret
        self._clock = clock
        self._tickets = Tickets(clock)

    @property
    def hosts(self) -> frozenset[str]:
        """Return the accepted values of the Host header."""
        return frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})

    def new_address(self) -> str:
        """Return an address that lets one page in."""
        return entry_address(self.port, self.new_ticket(ENTRY))

    def new_ticket(self, path: str) -> str:
        """Return a ticket for a path."""
        return self._tickets.new(path, ENTRY_SECONDS if path == ENTRY else DOWNLOAD_SECONDS)

    def takes(self, ticket: str, path: str) -> bool:
        """Take a ticket back and return whether it was good."""
        return self._tickets.take(ticket, path)

    def prove(self, *words: str) -> str:
        """Return the proof that this side knows the secret: an HMAC of the port and of what both sides said."""
        return hmac.new(self.secret.encode(), "\n".join((str(self.port), *words)).encode(), "sha256").hexdigest()

    def new_challenge(self, nonce: str) -> str:
        """Return a challenge for who sent a nonce; the server keeps nothing, so that nobody can fill its memory."""
        body = f"{self._clock():.3f}.{secrets.token_urlsafe(16)}"
        return f"{body}.{self.prove('challenge', nonce, body)}"

    def is_proof(self, nonce: str, challenge: str, proof: str) -> bool:
        """Return whether a proof answers a challenge of this server in time."""
        body, _, signature = challenge.rpartition(".")
        if not (
            hmac.compare_digest(signature.encode(), self.prove("challenge", nonce, body).encode())
            and hmac.compare_digest(proof.encode(), self.prove("client", nonce, challenge).encode())
        ):
            return False
        return self._clock() - float(body.rpartition(".")[0]) < CHALLENGE_SECONDS

    def knows(self, secret: str) -> bool:
        """Return whether this is the secret."""
        return hmac.compare_digest(secret.encode(), self.secret.encode())


def entry_address(port: int, ticket: str) -> str:
    """Return the address that a ticket is good for."""
    return f"http://127.0.0.1:{port}/?ticket={ticket}"
