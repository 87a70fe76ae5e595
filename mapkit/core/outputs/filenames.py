"""Portable names of files and folders: the only module with the rules of all systems.

A board made on Linux is also opened on Windows and macOS, so a name that one of them cannot hold is refused on all.
Windows reserves the names of its old devices, with any suffix, and cuts dots and spaces off the end
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
_DEVICE_NAMES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³"}
)
_FORBIDDEN_LETTERS: Final = '<>:"/\\|?*'
_LAST_CONTROL: Final = 0x1F


def trouble(name: str) -> str | None:
    """Return why some system cannot hold a file or folder of this name, as a clause; None if all can."""
    return next(_find_troubles(name), None)


def _find_troubles(name: str) -> Iterator[str]:
    if name in ("", ".", ".."):
        yield "it is not a name"
    if is_device(name):
        yield f"Windows keeps the name {name.partition('.')[0].rstrip()} for a device"
    yield from (f"Windows allows no {letter} in a name" for letter in name if letter in _FORBIDDEN_LETTERS)
    if any(ord(letter) <= _LAST_CONTROL for letter in name):
        yield "Windows allows no control characters in a name"
    if name.endswith((".", " ")):
        yield f"Windows drops the {'dot' if name[-1] == '.' else 'space'} at its end"
    try:
        byte_count = len(os.fsencode(name).decode().encode())
    except UnicodeError:
        yield "it holds bytes that are no text"
    else:
        if byte_count > LONGEST:
            yield f"it has {byte_count} bytes, and most systems hold {LONGEST}"


def is_device(name: str) -> bool:
    """Return whether Windows reserves a name for a device, such as `con`, `aux.csv` and `Com1 .tar.gz`."""
    return name.partition(".")[0].rstrip(" ").casefold() in _DEVICE_NAMES


def file_id(ident: str) -> str:
    """Return an id as the name of a file, with `_` added if Windows reserves it for a device."""
    return f"{ident}_" if is_device(ident) else ident


def station_file(railroad: str) -> str:
    """Return the file of a railroad's station list; `lines/mapping.csv` is avoided, since it had another meaning."""
    return f"lines/{'mapping-lines' if railroad == 'mapping' else file_id(railroad)}.csv"


def composed(name: str) -> str:
    """Return a name with composed accents (NFC); some programs of macOS decompose them (NFD)."""
    return unicodedata.normalize("NFC", name)


def one_name(name: str) -> str:
    """Return a key that is equal for names that Windows or macOS treats as one."""
    return composed(composed(name).casefold())


def why_no_id(name: str, what: str) -> str | None:
    """Return the problem of an author's name for a board or a variant; None if it is valid.

    Args:
        name: The name; files and folders will be called so.
        what: What it is the name of: `"a board"`.
    """
    wanted_id = slug(name)
    if not name or wanted_id != name:
        hint = f"; try {wanted_id!r}" if wanted_id and not is_device(wanted_id) else ""
        return f"{name!r} is not a name for {what}: use small letters, digits and hyphens{hint}"
    if is_device(name):
        return f"{name!r} is not a name for {what}: {trouble(name)}; choose another name"
    return None


def taken(path: Path) -> Path | None:
    """Return the existing file at a path: itself, or one that Windows or macOS treats as the same."""
    try:
        return _existing_path(path, _group_by_key(other.name for other in path.parent.iterdir()))
    except OSError:  # a folder that is not there, or may not be listed
        return path if path.exists() else None


def spelled(path: Path) -> bool:
    """Return whether there is a file or folder of this name with exactly this spelling."""
    existing_path = taken(path)
    return existing_path is not None and _is_same_spelling(existing_path.name, path.name)


def is_there(path: Path, *, within: Path | None = None) -> bool:
    """Return whether there is a file or folder of exactly this name.

    Args:
        path: The file or folder.
        within: The folder that errors need not name.

    Raises:
        WorkspaceError: Only one with other capitals, which some systems would find and others not.
    """
    existing_path = taken(path)
    if existing_path is None:
        return False
    if not _is_same_spelling(existing_path.name, path.name):
        shown_path = existing_path.relative_to(within) if within is not None else existing_path
        raise WorkspaceError(f"{shown_path}: mapkit looks for {path.name}, and not all systems find it so; rename it")
    return True


def unholdable(folder: Path, names: Iterable[str] = (), *, leaving: Iterable[str] = ()) -> str | None:
    """Return why files cannot be written on every system, as a sentence; None if they can.

    Existing files may keep their names.

    Args:
        folder: Where they go; it need not exist.
        names: The files, as paths below it with `/` between their parts.
        leaving: Files that go when these come, likewise.
    """
    part_by_key: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        if "" in parts or ".." in parts:
            return f"{name!r} lies outside its folder"
        for part in accumulate(parts, "{}/{}".format):
            earlier_part = part_by_key.setdefault(one_name(part), part)
            if earlier_part != part:
                return f"{earlier_part!r} and {part!r} would be one on Windows and macOS; rename one"
    leaving_paths = {folder / PurePosixPath(name) for name in leaving}
    list_names = cache(lambda at: _group_by_key(name for name in _list_folder(at) if at / name not in leaving_paths))
    checked_paths = (folder, *(folder / PurePosixPath(name) for name in sorted(part_by_key.values())))
    return next(filter(None, (_part_problem(path, list_names) for path in checked_paths)), None)


def _part_problem(path: Path, listed: Callable[[Path], Mapping[str, Sequence[str]]]) -> str | None:
    """Return the problem of the parts of a path that do not exist yet."""
    for part in (path, *path.parents):
        if part.name in ("", "..") or (not is_device(part.name) and part.is_dir()):
            return None
        existing_path = _existing_path(part, listed(part.parent))
        if existing_path is not None:
            if _is_same_spelling(existing_path.name, part.name):
                return None
            clash = f"{existing_path.name} is there, and Windows and macOS take both for one"
            return f"{part}: {clash}; write it so, or rename it"
        if reason := trouble(part.name):
            return f"{str(part)!r} cannot be the name of a file on every system: {reason}; choose another name"
    return None


def _group_by_key(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the names of a folder by their case key."""
    names_by_key: dict[str, list[str]] = {}
    for name in names:
        names_by_key.setdefault(one_name(name), []).append(name)
    return names_by_key


def _existing_path(path: Path, listed: Mapping[str, Sequence[str]]) -> Path | None:
    """Return the existing file of a folder's listing that a path would be, the same spelling first."""
    listed_names = listed.get(one_name(path.name), ())
    best_name = next(
        (name for name in listed_names if _is_same_spelling(name, path.name)), min(listed_names, default=None)
    )
    return None if best_name is None else path.parent / best_name


def _is_same_spelling(name: str, other: str) -> bool:
    """Return whether two names have the same spelling, with composed or decomposed accents."""
    return composed(name) == composed(other)


def _list_folder(folder: Path) -> list[str]:
    with suppress(OSError):
        return [other.name for other in folder.iterdir()]
    return []
