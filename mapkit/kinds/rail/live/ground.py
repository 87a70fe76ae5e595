"""What a check reads of a board is noted while it runs; if all of that is the same afterwards, so is what it finds.

So nobody has to say which check depends on what. Parts of a board are the same if they are the same objects, look-ups
if they are equal; of look-ups by id (`mileposts`, `links_at` ...) those ids count that were asked for. What track joins
is kept railroad by railroad, so that an edit costs what the railroads have whose track it changed.
"""

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar, cast

from mapkit.core.findings import Finding
from mapkit.kinds.rail.checks.check import Check, Checked, Links
from mapkit.kinds.rail.live.joined import Joined
from mapkit.kinds.rail.model.board import Board, Milepost, Piece, Segment

T = TypeVar("T")

_MADE_OF: Final[Mapping[str, str]] = {"short": "railroads", "city_names": "cities", "cities_at": "cities"}
"""Look-ups of `Checked` that are made whole: the part of the board that each is made of."""


class Track(Protocol):
    """The track of a railroad."""

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Return its segments."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return its pieces."""


class Lookups:
    """A board with the look-ups that its checks share, made when one asks for them.

    Args:
        board: The board.
        mileposts: Its mileposts by id.
        tracks: Its track by railroad; what did not change is the same object.
        before: The ground of an earlier board; look-ups that are equal are taken from it.
    """

    def __init__(
        self,
        board: Board,
        mileposts: Mapping[str, Milepost],
        tracks: Mapping[str, Track],
        before: "Lookups | None" = None,
    ) -> None:
        self.board = board
        self.mileposts = mileposts
        segments = {railroad: track.segments for railroad, track in tracks.items()}
        pieces = {railroad: track.pieces for railroad, track in tracks.items()}
        self.links: Joined = Joined(segments, before.links if before is not None else None)
        self.ties: Joined = Joined(pieces, before.ties if before is not None else None)
        self._made: dict[str, Any] = {}
        # The ground before that one is let go.
        self._before = (before.board, before.mileposts, before._made) if before is not None else None  # noqa: SLF001

    def look_up(self, name: str) -> Any:  # noqa: ANN401 - look-ups of `Checked`
        """Return a look-up; the same object where it is equal."""
        if name not in _MADE_OF:
            return getattr(self, name)
        if name not in self._made:
            source = _MADE_OF[name]
            was, _, known = self._before or (None, None, {})
            old = known.get(name)
            if old is None or getattr(was, source) is not getattr(self.board, source):
                new = getattr(Checked(self.board), name)
                old = old if old == new else new
            self._made[name] = old
        return self._made[name]

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Names of the mileposts by id; the same object where no name changed."""
        was, old = (self._before[1], self._before[2].get("names")) if self._before is not None else ({}, None)
        if old is None:
            new = {ident: milepost.name for ident, milepost in self.mileposts.items()}
        elif was is self.mileposts:
            new = old
        else:
            now = self.mileposts
            other = {ident: m.name for ident, m in now.items() if was.get(ident) is not m}
            gone = was.keys() - now.keys()
            same = not gone and all(old.get(ident) == name for ident, name in other.items())
            new = old if same else {ident: name for ident, name in {**old, **other}.items() if ident not in gone}
        self._made["names"] = new
        return new

    @property
    def links_at(self) -> Mapping[str, Links]:
        """What segments join, by milepost."""
        return self.links.at

    @property
    def ties_at(self) -> Mapping[str, Links]:
        """What pieces join, by milepost or junction."""
        return self.ties.at

    @property
    def links_by_railroad(self) -> Mapping[str, Links]:
        """What segments join, by railroad."""
        return self.links.of

    @property
    def ties_by_railroad(self) -> Mapping[str, Links]:
        """What pieces join, by railroad."""
        return self.ties.of


@dataclass(frozen=True)
class CheckRun:
    """What a check read and found, or how it crashed.

    Args:
        read: Parts of the board.
        whole: Whole look-ups.
        asked: What it asked of look-ups by id, None for what is missing.
        sought: What it sought in the links (or ties) of each railroad.
        found: What it found.
        crashed: What it raised.
    """

    read: Mapping[str, object]
    whole: Mapping[str, object]
    asked: Mapping[str, Mapping[str, object]]
    sought: Mapping[tuple[str, Callable[[Links], object]], object]
    found: tuple[Finding, ...]
    crashed: Exception | None = None

    def holds(self, ground: Lookups) -> bool:
        """Return whether it would find the same on another ground."""
        return (
            all(getattr(ground.board, name) is value for name, value in self.read.items())
            and all(ground.look_up(name) is value for name, value in self.whole.items())
            and all(
                now is value or now == value
                for name, values in self.asked.items()
                for now, value in zip(map(ground.look_up(name).get, values), values.values(), strict=True)
            )
            and all(getattr(ground, name).seek(find) is value for (name, find), value in self.sought.items())
        )


def run_on(check: Check, ground: Lookups) -> CheckRun:
    """Run a check, and note what it reads."""
    watched = _Watched(ground)
    checked = _LiveChecked(watched)
    crashed: Exception | None = None
    found: tuple[Finding, ...] = ()
    try:
        found = tuple(check.judge(checked))
    except Exception as error:  # noqa: BLE001 - run_checks reports it
        crashed = error
    return CheckRun(watched.read, watched.whole, watched.asked, watched.sought, found, crashed)


class _Watched:
    """A board that notes what is read of it."""

    def __init__(self, ground: Lookups) -> None:
        self.ground = ground
        self.read: dict[str, object] = {}
        self.whole: dict[str, object] = {}
        self.asked: dict[str, dict[str, object]] = {}
        self.sought: dict[tuple[str, Callable[[Links], object]], object] = {}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - parts of a board
        found = self.read[name] = self.__dict__[name] = getattr(self.ground.board, name)
        return found

    def look_up(self, name: str) -> Any:  # noqa: ANN401 - look-ups of `Checked`
        """Return a look-up, and note that all of it is read."""
        found = self.whole[name] = self.ground.look_up(name)
        return found

    def by_id(self, name: str) -> "_Asked":
        """Return a look-up by id that notes what is asked."""
        return _Asked(self, name)

    def seek(self, name: str, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return what a function finds railroad by railroad, and note that."""
        found: Mapping[str, T] = getattr(self.ground, name).seek(find)
        self.sought[name, find] = found
        return found


class _Asked(Mapping[str, Any]):
    """A look-up by id; notes which ids were asked for, and whether all were."""

    def __init__(self, watched: _Watched, name: str) -> None:
        self._watched = watched
        self._name = name
        self._rows: Mapping[str, Any] = watched.ground.look_up(name)
        self._seen = watched.asked.setdefault(name, {})

    def __getitem__(self, ident: str) -> Any:  # noqa: ANN401 - of any look-up
        self._seen[ident] = self._rows.get(ident)
        return self._rows[ident]

    def __contains__(self, ident: object) -> bool:
        return isinstance(ident, str) and self.get(ident) is not None

    def get(self, ident: str, default: Any = None) -> Any:  # noqa: ANN401
        found = self._seen[ident] = self._rows.get(ident)
        return default if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def keys(self) -> KeysView[str]:
        return self._all().keys()

    def values(self) -> ValuesView[Any]:
        return self._all().values()

    def items(self) -> ItemsView[str, Any]:
        return self._all().items()

    def _all(self) -> Mapping[str, Any]:
        self._rows = self._watched.look_up(self._name)
        return self._rows


def _noted(name: str) -> Any:  # noqa: ANN401 - look-ups of a board
    """Return an attribute that is a look-up which others made, noting that it is read."""
    return cached_property(lambda checked: checked.board.look_up(name))


def _by_id(name: str) -> Any:  # noqa: ANN401 - look-ups of a board
    """Return an attribute that is a look-up by id, noting what is asked of it."""
    return cached_property(lambda checked: checked.board.by_id(name))


class _LiveChecked(Checked):
    """Look-ups that all checks share."""

    def __init__(self, watched: _Watched) -> None:
        super().__init__(cast("Board", watched))

    def of_railroads(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return what a function finds in the links of each railroad."""
        return cast("_Watched", self.board).seek("links", find)

    def of_ties(self, find: Callable[[Links], T]) -> Mapping[str, T]:
        """Return what a function finds in the ties of each railroad."""
        return cast("_Watched", self.board).seek("ties", find)

    mileposts = _by_id("mileposts")
    names = _by_id("names")
    links_at = _by_id("links_at")
    ties_at = _by_id("ties_at")
    cities_at = _by_id("cities_at")
    links_by_railroad = _noted("links_by_railroad")
    ties_by_railroad = _noted("ties_by_railroad")
    short = _noted("short")
    city_names = _noted("city_names")
