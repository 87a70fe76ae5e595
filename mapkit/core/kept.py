"""On-disk cache of results, keyed by a hash of every input, of the code and of the installed packages.

Kept is what follows from its `Basis` alone: from files, such as a board from its folder, or from values, such as the
places of names from the shapes around them. Its key is a hash of all that it may depend on: what is made, with which
options, every file and value of the basis, every file of mapkit (by size and times), and the versions of Python and
of all installed packages. So a changed board, or another version of mapkit, is never answered from what is
kept. Files are looked at again after making, and what was made while one changed is not kept.

Entries are JSON in the user's cache folder, each with a checksum. The folder is bounded, programs share it, and it may
be deleted at any time. The variable `MAPKIT_CACHE` names another folder; `MAPKIT_CACHE=off` keeps nothing.
"""

import hashlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from mapkit.core.outputs import disk
from mapkit.core.progress import Progress, quiet
from mapkit.version import __version__

MAX_BYTES: Final = 200_000_000
"""Of all entries; the oldest go first."""
MAX_ENTRIES: Final = 500
UNCHANGED: Final = "nothing has changed since the last time; taking the kept {}"
_SUFFIX: Final = ".json"
_NEW: Final = ".new-"
_MOST_SECONDS: Final = 3600.0
"""How long writing an entry may take."""
_PACKAGE: Final = Path(__file__).resolve().parent.parent
_NO_CODE: Final = frozenset({"__pycache__", "web", "static"})
_PROJ: Final = ("PROJ_DATA", "PROJ_LIB", "PROJ_NETWORK")
"""Variables of the environment by which positions on the page may differ."""

M = TypeVar("M", bound=BaseModel)
OFF: Final = "off"


@dataclass(frozen=True)
class UserFolder:
    """A folder of the user, outside every workspace.

    Args:
        variable: The variable of the environment that names another one; `off` keeps nothing.
        windows: Its path under the local data of programs, likewise for the others.
        mac: Under the library.
        xdg: The variable of other systems that names the folder it is in.
        otherwise: Under the home, where that is not set.
    """

    variable: str
    windows: str
    mac: str
    xdg: str
    otherwise: str

    def path(self) -> Path | None:
        """Return the folder, which may not exist yet; None if caching is off."""
        said = os.environ.get(self.variable, "")
        if said:
            return None if said == OFF else Path(said)
        with suppress(RuntimeError):  # nobody's home
            if sys.platform == "win32":
                local = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
                return local / "mapkit" / self.windows
            if sys.platform == "darwin":
                return Path.home() / "Library" / self.mac / "mapkit"
            return Path(os.environ.get(self.xdg) or Path.home() / self.otherwise) / "mapkit"
        return None


CACHE: Final = UserFolder("MAPKIT_CACHE", "cache", "Caches", "XDG_CACHE_HOME", ".cache")
"""What was made and can be made again."""
STATE: Final = UserFolder("MAPKIT_STATE", "state", "Application Support", "XDG_STATE_HOME", ".local/state")
"""What lasts from one run to the next."""


@dataclass(frozen=True)
class Basis:
    """All that something is made of.

    Args:
        paths: Files, and folders with all that is in them.
        values: Everything else, as texts.
    """

    paths: tuple[Path, ...] = ()
    values: tuple[str, ...] = ()

    def digest(self) -> str | None:
        """Return a hash of it as it is now; None if a file cannot be read, or if nothing is to be kept."""
        if cache_folder() is None:
            return None
        try:
            return _hashed((*self.values, *_where_and_what(self.paths)))
        except OSError:
            return None


def recalled(
    what: str,
    basis: Basis | None,
    model: type[M],
    make: Callable[[], M],
    *,
    options: str = "",
    seen: str | None = None,
    worth: Callable[[M], bool] = lambda _: True,
    progress: Progress = quiet,
) -> M:
    """Return the cached result for a basis, or make and store it.

    Args:
        what: What is made, in a word.
        basis: What it is made of, except options; None where nobody can say that, so that nothing is kept.
        model: Its model; it must be the same after a round trip through JSON.
        make: Makes it.
        options: Whatever else it depends on.
        seen: The digest of the basis before `make`'s ground was read, where that was read already.
        worth: Whether it is to be kept.
        progress: Told where it was kept.
    """
    place = cache_folder()
    now = basis.digest() if basis is not None else None
    if place is None or basis is None or now is None or (seen is not None and seen != now):
        return make()
    entry = _entry(place, what, options, now)
    found = _read(entry, model)
    if found is not None:
        progress(UNCHANGED.format(what))
        return found
    made = make()
    if worth(made) and (not basis.paths or basis.digest() == now):
        data = made.model_dump_json().encode()
        with suppress(OSError):  # what cannot be written is not cached
            replace_own(entry, hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
            _make_room(entry.parent)
    return made


def is_kept(what: str, basis: Basis, *, options: str = "") -> bool:
    """Return whether the cache has an entry for a basis, without reading it."""
    place, now = cache_folder(), basis.digest()
    return place is not None and now is not None and _entry(place, what, options, now).is_file()


def cache_folder() -> Path | None:
    """Return the folder of entries, which may not exist yet; None if caching is off."""
    return CACHE.path()


@cache
def _surroundings() -> str:
    """Return a hash of mapkit itself, of Python and of the installed packages."""
    installed = sorted(
        entry.name
        for where in dict.fromkeys(sys.path)
        if where and Path(where).is_dir()
        for entry in os.scandir(where)
        if entry.name.endswith((".dist-info", ".egg-info"))
    )
    machine = (__version__, sys.version, platform.platform(), *(os.environ.get(name, "") for name in _PROJ))
    return _hashed((*machine, *installed, str(_PACKAGE), *_sizes_and_times(_PACKAGE)))


def _sizes_and_times(folder: Path) -> Iterable[str]:
    """Yield size and times of every file of a folder; to read all of mapkit takes longer than much that is kept."""
    for file in _files(folder):
        state = file.stat()
        yield f"{file} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}"


def _where_and_what(paths: Iterable[Path]) -> Iterable[str]:
    """Yield the paths and the contents of files and folders."""
    for path in paths:
        yield str(path.resolve())
        files = _files(path) if path.is_dir() else [path]
        for file in files:
            yield file.relative_to(path).as_posix()
            if file.is_file():  # pipes and devices may never end; readers refuse them
                yield hashlib.sha256(file.read_bytes()).hexdigest()


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for at, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if name not in _NO_CODE or folder != _PACKAGE)
        found += [Path(at, name) for name in sorted(names)]
    return found


def _hashed(parts: Iterable[str]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        whole.update(len(data).to_bytes(8, "little") + data)
    return whole.hexdigest()


def _read(file: Path, model: type[M]) -> M | None:
    """Return an entry; None if there is none, or not as it was written."""
    with suppress(OSError, ValidationError):
        digest, _, data = file.read_bytes().partition(b"\n")
        if digest == hashlib.sha256(data).hexdigest().encode():
            found = model.model_validate_json(data)
            os.utime(file)  # the least used go first
            return found
    return None


def damaged_entries() -> list[Path]:
    """Return the entries of the cache that are not as they were written; they count for nothing."""
    damaged: list[Path] = []
    place = cache_folder()
    for path in sorted(place.glob(f"*{_SUFFIX}")) if place is not None else ():
        with suppress(OSError):
            digest, _, data = path.read_bytes().partition(b"\n")
            if (len(path.stem) == hashlib.sha256().digest_size * 2) and digest != hashlib.sha256(
                data
            ).hexdigest().encode():
                damaged.append(path)
    return damaged


def _entry(place: Path, what: str, options: str, digest: str) -> Path:
    """Return the file of an entry."""
    return place / f"{_hashed((_surroundings(), what, options, digest))}{_SUFFIX}"


def replace_own(file: Path, data: bytes) -> None:
    """Write a file that only the user can read, whole or not at all; its folder is made where there is none.

    Raises:
        OSError: It cannot be written; what was there is unchanged.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=_NEW, dir=file.parent)  # which only the user can read
    os.close(handle)
    try:
        disk.write_synced(Path(name), data)
        disk.rename(Path(name), file)
    finally:
        Path(name).unlink(missing_ok=True)


def _make_room(place: Path) -> None:
    """Delete the entries that were not used for longest, until all are within bounds."""
    now = time.time()
    for entry in os.scandir(place):
        if entry.name.startswith(_NEW) and now - entry.stat().st_mtime > _MOST_SECONDS:  # of a killed command
            Path(entry.path).unlink()
    entries = [(entry.stat(), entry.path) for entry in os.scandir(place) if entry.name.endswith(_SUFFIX)]
    entries.sort(key=lambda entry: (-entry[0].st_mtime_ns, entry[1]))
    size = 0
    for number, (state, path) in enumerate(entries):
        size += state.st_size
        if number >= MAX_ENTRIES or size > MAX_BYTES:
            with suppress(OSError):  # another program was faster
                Path(path).unlink()
