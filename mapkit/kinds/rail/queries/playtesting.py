"""Who can play on a board: the computer players that come with mapkit, and the author's own."""

import tomllib
from pathlib import Path
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.errors import MapkitError
from mapkit.formats.files import read_text
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.playing.policies import SHIPPED, Policy, parse_policy, shipped_policy
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.queries.versions import workspace_of
from mapkit.playing.compiling import slow_reason

_MOST: Final = 100
_KEYS: Final = set(Policy.model_fields) - {"about"}


class PlayersAsked(Frozen):
    """Nothing more to say."""


class KnownPolicy(Frozen):
    """A computer player; one with an error cannot play. `own` are files of the workspace."""

    name: str
    about: str = ""
    own: bool = False
    error: str | None = None


class PlayersFound(QueryResult):
    """The computer players, and why matches are slow here, with the cure; empty if they are compiled."""

    policies: tuple[KnownPolicy, ...]
    slow: str


@question("players", PlayersAsked, PlayersFound)
def players(_ask: PlayersAsked, asked: Asked) -> PlayersFound:
    """Return who can play."""
    own = known_policies(workspace_of(asked.folder).root) if asked.folder else known_policies(None)
    return PlayersFound(policies=own, slow=slow_reason())


def known_policies(root: Path | None) -> tuple[KnownPolicy, ...]:
    """Return the shipped policies, and those in TOML files of a folder."""
    shipped = (KnownPolicy(name=name, about=shipped_policy(name).about) for name in SHIPPED)
    files = sorted(root.glob("*.toml"))[:_MOST] if root is not None else []
    return (*shipped, *(found for path in files if (found := _own(path)) is not None))


def _own(path: Path) -> KnownPolicy | None:
    """Return the policy in a file; None for files of other things."""
    try:
        text = read_text(path, name=path.name)
        if _KEYS.isdisjoint(tomllib.loads(text)):
            return None
    except (MapkitError, tomllib.TOMLDecodeError):
        return None
    try:
        policy = parse_policy(path.stem, text)
    except MapkitError as error:
        return KnownPolicy(name=path.name, own=True, error=str(error))
    return KnownPolicy(name=path.name, about=policy.about, own=True)
