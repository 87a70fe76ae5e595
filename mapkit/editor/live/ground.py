"""What a check reads of a board is noted while it runs; if all of that is the same afterwards, so is what it finds.

So nobody has to say which check depends on what. Parts of a board are the same if they are the same objects. Look-ups
that leave out what most edits change (`names`, `links`, ...) stay the same objects as long as they are equal, and of
the mileposts by id those count that were asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from mapkit.checks.check import Check, Checked, Link, links_of, names_of, ties_of
from mapkit.model.board import Board, Milepost
from mapkit.model.findings import Finding

_LOOK_UPS: Final[Mapping[str, tuple[str, Callable[[Board], object]]]] = {
    "names": ("mileposts", names_of),
    "links": ("segments", links_of),
    "ties": ("pieces", ties_of),
    "short": ("railroads", lambda board: Checked(board).short),
    "city_names": ("cities", lambda board: Checked(board).city_names),
    "cities_at": ("cities", lambda board: Checked(board).cities_at),
}
"""Look-ups: the part of the board that each is made of, and how."""


class Ground:
    """A board with the look-ups that its checks share, made when one asks for them.

    Args:
        board: The board.
        mileposts: Its mileposts by id.
        before: The ground of an earlier board; look-ups that are equal are taken from it.
    """

    def __init__(self, board: Board, mileposts: Mapping[str, Milepost], before: "Ground | None" = None) -> None:
        self.board = board
        self.mileposts = mileposts
        self._made: dict[str, Any] = {}
        self._before = (before.board, before._made) if before is not None else (board, {})  # noqa: SLF001 - its own kind

    def part(self, name: str) -> Any:  # noqa: ANN401 - parts of a board
        """Return a part of the board, or a look-up."""
        if name not in _LOOK_UPS:
            return getattr(self.board, name)
        if name not in self._made:
            source, make = _LOOK_UPS[name]
            was, known = self._before
            old = known.get(name)
            unchanged = old is not None and getattr(was, source) is getattr(self.board, source)
            new = old if unchanged else make(self.board)
            self._made[name] = old if new == old else new
        return self._made[name]

    @cached_property
    def links_at(self) -> Mapping[str, list[Link]]:
        """Links by milepost."""
        checked = Checked(self.board)
        checked.__dict__["links"] = self.part("links")
        return checked.links_at


@dataclass(frozen=True)
class Run:
    """What a check read and found, or how it crashed.

    `mileposts` are those that it asked for by id, None for one that is missing.
    """

    read: Mapping[str, object]
    mileposts: Mapping[str, Milepost | None]
    found: tuple[Finding, ...]
    crashed: Exception | None = None

    def holds(self, ground: Ground) -> bool:
        """Return whether it would find the same on another ground."""
        return all(ground.part(name) is value for name, value in self.read.items()) and all(
            ground.mileposts.get(ident) is milepost for ident, milepost in self.mileposts.items()
        )


def run_on(check: Check, ground: Ground) -> Run:
    """Run a check, and note what it reads."""
    watched = _Watched(ground)
    asked = _Asked(ground.mileposts)
    crashed: Exception | None = None
    found: tuple[Finding, ...] = ()
    try:
        found = tuple(check.judge(_LiveChecked(watched, asked)))
    except Exception as error:  # noqa: BLE001 - run_checks reports it
        crashed = error
    return Run(watched.read, asked.seen, found, crashed)


class _Watched:
    """A board that notes what is read of it."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.read: dict[str, object] = {}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - parts of a board
        self.read[name] = self.ground.part(name)
        return self.read[name]


class _Asked(Mapping[str, Milepost]):
    """Mileposts by id; notes which were asked for."""

    def __init__(self, mileposts: Mapping[str, Milepost]) -> None:
        self._mileposts = mileposts
        self.seen: dict[str, Milepost | None] = {}

    def __getitem__(self, ident: str) -> Milepost:
        self.seen[ident] = self._mileposts.get(ident)
        return self._mileposts[ident]

    def __iter__(self) -> Iterator[str]:
        self.seen |= self._mileposts
        return iter(self._mileposts)

    def __len__(self) -> int:
        return len(self._mileposts)


class _LiveChecked(Checked):
    """Look-ups that all checks share."""

    _watched: _Watched
    _asked: _Asked

    def __init__(self, watched: _Watched, asked: _Asked) -> None:
        super().__init__(cast("Board", watched))
        object.__setattr__(self, "_watched", watched)
        object.__setattr__(self, "_asked", asked)

    @property
    def mileposts(self) -> Mapping[str, Milepost]:
        """Mileposts by id."""
        return self._asked

    @cached_property
    def links_at(self) -> Mapping[str, list[Link]]:
        """Links by milepost."""
        return self._watched.ground.links_at if self.links else {}

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - look-ups of a board
        """Return a look-up that others made, noting it; anything else as usual."""
        return getattr(self._watched, name) if name in _LOOK_UPS else super().__getattribute__(name)
