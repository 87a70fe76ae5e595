"""Names of files and folders that every system can hold: this module alone decides which those are.

A board that is made on Linux is opened on Windows and macOS too, so what one of them cannot hold is refused on all.
Windows keeps the names of its old devices, whatever follows their first dot, and cuts dots and spaces off the end
(https://learn.microsoft.com/windows/win32/fileio/naming-a-file). Windows and macOS take names that differ only in
capitals for one file; macOS also those that differ only in how an accent is written (Unicode NFC or NFD).
"""

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Final

from mapkit.core.errors import WorkspaceError
from mapkit.core.names import slug

LONGEST: Final = 255
"""Bytes of a name, in UTF-8: the limit of Linux; those of Windows and macOS are as high."""
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³"}
)
_FORBIDDEN: Final = '<>:"/\\|?*'
_LAST_CONTROL: Final = 0x1F


def trouble(name: str) -> str | None:
    """Return why some system cannot hold a file or folder of this name, as a clause; None if all can."""
    return next(_troubles(name), None)


def _troubles(name: str) -> Iterator[str]:
    if name in ("", ".", ".."):
        yield "it is not a name"
    if is_device(name):
        yield f"Windows keeps the name {name.partition('.')[0].rstrip()} for a device"
    yield from (f"Windows allows no {letter} in a name" for letter in name if letter in _FORBIDDEN)
    if any(ord(letter) <= _LAST_CONTROL for letter in name):
        yield "Windows allows no control characters in a name"
    if name.endswith((".", " ")):
        yield f"Windows drops the {'dot' if name[-1] == '.' else 'space'} at its end"
    try:
        size = len(os.fsencode(name).decode().encode())
    except UnicodeError:
        yield "it holds bytes that are no text"
    else:
        if size > LONGEST:
            yield f"it has {size} bytes, and most systems hold {LONGEST}"


def is_device(name: str) -> bool:
    """Return whether Windows keeps a name for a device, as it does `con`, `aux.csv` and `Com1 .tar.gz`."""
    return name.partition(".")[0].rstrip(" ").casefold() in _DEVICES


def file_id(ident: str) -> str:
    """Return an id as the name of a file: with `_` at its end, as no id has it, if Windows keeps it for a device."""
    return f"{ident}_" if is_device(ident) else ident


def station_file(railroad: str) -> str:
    """Return the file of a railroad's station list by its id; `lines/mapping.csv` once said whose drawings are."""
    return f"lines/{'mapping-lines' if railroad == 'mapping' else file_id(railroad)}.csv"


def composed(name: str) -> str:
    """Return a name with its accents as most systems write them; some programs of macOS write them apart (NFD)."""
    return unicodedata.normalize("NFC", name)


def one_name(name: str) -> str:
    """Return the same text for names that Windows or macOS takes for one."""
    return composed(composed(name).casefold())


def why_no_id(name: str, what: str) -> str | None:
    """Return what is wrong with the name that an author gives to a board or a variant; None if it will do.

    Args:
        name: The name; files and folders will be called so.
        what: What it is the name of: `"a board"`.
    """
    wanted = slug(name)
    if not name or wanted != name:
        hint = f"; try {wanted!r}" if wanted and not is_device(wanted) else ""
        return f"{name!r} is not a name for {what}: use small letters, digits and hyphens{hint}"
    if is_device(name):
        return f"{name!r} is not a name for {what}: {trouble(name)}; choose another name"
    return None


def taken(path: Path) -> Path | None:
    """Return what stands where a file would come: itself, or one that Windows or macOS takes for the same."""
    try:
        return _taken(path, _by_one_name(other.name for other in path.parent.iterdir()))
    except OSError:  # a folder that is not there, or may not be listed
        return path if path.exists() else None


def spelled(path: Path) -> bool:
    """Return whether there is a file or folder whose name has these very capitals."""
    found = taken(path)
    return found is not None and _same(found.name, path.name)


def is_there(path: Path, *, within: Path | None = None) -> bool:
    """Return whether there is a file or folder of exactly this name.

    Args:
        path: The file or folder.
        within: The folder that errors need not name.

    Raises:
        WorkspaceError: Only one with other capitals, which some systems would find and others not.
    """
    found = taken(path)
    if found is None:
        return False
    if not _same(found.name, path.name):
        where = found.relative_to(within) if within is not None else found
        raise WorkspaceError(f"{where}: mapkit looks for {path.name}, and not all systems find it so; rename it")
    return True


def unholdable(folder: Path, names: Iterable[str] = (), *, leaving: Iterable[str] = ()) -> str | None:
    """Return why files cannot be written so that every system holds them, in a sentence; None if they can.

    What is there already may keep its name.

    Args:
        folder: Where they go; it need not exist.
        names: The files, as paths below it with `/` between their parts.
        leaving: Files that go when these come, likewise.
    """
    seen: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        if "" in parts or ".." in parts:
            return f"{name!r} lies outside its folder"
        for part in accumulate(parts, "{}/{}".format):
            other = seen.setdefault(one_name(part), part)
            if other != part:
                return f"{other!r} and {part!r} would be one on Windows and macOS; rename one"
    gone = {folder / PurePosixPath(name) for name in leaving}
    listed = cache(lambda at: _by_one_name(name for name in _listed(at) if at / name not in gone))
    paths = (folder, *(folder / PurePosixPath(name) for name in sorted(seen.values())))
    return next(filter(None, (_unholdable_part(path, listed) for path in paths)), None)


def _unholdable_part(path: Path, listed: Callable[[Path], Mapping[str, Sequence[str]]]) -> str | None:
    """Return what is wrong with those parts of a path that are not there yet."""
    for part in (path, *path.parents):
        if part.name in ("", "..") or (not is_device(part.name) and part.is_dir()):
            return None
        found = _taken(part, listed(part.parent))
        if found is not None:
            if _same(found.name, part.name):
                return None
            return f"{part}: {found.name} is there, and Windows and macOS take both for one; write it so, or rename it"
        if why := trouble(part.name):
            return f"{str(part)!r} cannot be the name of a file on every system: {why}; choose another name"
    return None


def _by_one_name(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the names of a folder by what Windows or macOS takes for one."""
    out: dict[str, list[str]] = {}
    for name in names:
        out.setdefault(one_name(name), []).append(name)
    return out


def _taken(path: Path, listed: Mapping[str, Sequence[str]]) -> Path | None:
    """Return which of the names listed in its folder a path would be, the same spelling first."""
    found = listed.get(one_name(path.name), ())
    best = next((name for name in found if _same(name, path.name)), min(found, default=None))
    return None if best is None else path.parent / best


def _same(name: str, other: str) -> bool:
    """Return whether two names are spelled alike, whichever way a system writes accents."""
    return composed(name) == composed(other)


def _listed(folder: Path) -> list[str]:
    with suppress(OSError):
        return [other.name for other in folder.iterdir()]
    return []
