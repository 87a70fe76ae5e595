"""Portable names of files and folders, by the rules of Linux, Windows and macOS; no other module knows these rules.

A board made on Linux is also opened on Windows and macOS, so a name that is invalid on one of them is refused on all.
Windows reserves the names of its old devices, with any suffix, and cuts dots and spaces off the end
(https://learn.microsoft.com/windows/win32/fileio/naming-a-file). To Windows and macOS, names that differ only in case
are the same file; to macOS, also names that differ only in the encoding of accents (Unicode NFC or NFD).
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
"""Most bytes of a name in UTF-8: the limit of Linux; Windows and macOS allow at least as many."""
_DEVICE_NAMES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³"}
)
_FORBIDDEN_LETTERS: Final = '<>:"/\\|?*'
_LAST_CONTROL: Final = 0x1F


def invalid_reason(name: str) -> str | None:
    """Return why a name of a file or folder is invalid on some system, as a clause; None if it is valid on all."""
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
    """Return the name of a file for an id, with `_` added if Windows reserves the id for a device."""
    return f"{ident}_" if is_device(ident) else ident


def station_file(railroad: str) -> str:
    """Return the file of a railroad's station list; `lines/mapping.csv` is avoided because of its former meaning."""
    return f"lines/{'mapping-lines' if railroad == 'mapping' else file_id(railroad)}.csv"


def compose_accents(name: str) -> str:
    """Return a name with composed accents (NFC); some macOS programs decompose them (NFD)."""
    return unicodedata.normalize("NFC", name)


def case_key(name: str) -> str:
    """Return a key that is equal for names that Windows or macOS treats as one."""
    return compose_accents(compose_accents(name).casefold())


def invalid_id_reason(name: str, what: str) -> str | None:
    """Return the problem of an author's name for a board or a variant; None if it is valid.

    Args:
        name: The name, also used for files and folders.
        what: The named thing, for the message: `"a board"`.
    """
    wanted_id = slug(name)
    if not name or wanted_id != name:
        hint = f"; try {wanted_id!r}" if wanted_id and not is_device(wanted_id) else ""
        return f"{name!r} is not a name for {what}: use small letters, digits and hyphens{hint}"
    if is_device(name):
        return f"{name!r} is not a name for {what}: {invalid_reason(name)}; choose another name"
    return None


def find_existing(path: Path) -> Path | None:
    """Return the existing file at a path: itself, or one that Windows or macOS treats as the same."""
    try:
        return _existing_path(path, _group_by_key(other.name for other in path.parent.iterdir()))
    except OSError:  # a missing or unreadable folder
        return path if path.exists() else None


def exists_as_spelled(path: Path) -> bool:
    """Return whether a file or folder exists with exactly this spelling."""
    existing_path = find_existing(path)
    return existing_path is not None and _is_same_spelling(existing_path.name, path.name)


def is_there(path: Path, *, within: Path | None = None) -> bool:
    """Return whether a file or folder exists, and refuse one that differs in case.

    Args:
        path: The file or folder.
        within: Folder that it may not lead out of by links; errors omit it from paths.

    Raises:
        WorkspaceError: The name differs in case, so some systems find the file and others do not; or it leads out.
    """
    existing_path = find_existing(path)
    if existing_path is None:
        return False
    if not _is_same_spelling(existing_path.name, path.name):
        shown_path = existing_path.relative_to(within) if within is not None else existing_path
        raise WorkspaceError(f"{shown_path}: mapkit looks for {path.name}, and not all systems find it so; rename it")
    if within is not None and not Path(os.path.realpath(existing_path)).is_relative_to(within.resolve()):
        link = existing_path.relative_to(within)
        raise WorkspaceError(f"{link}: a link that leads out of {within.name}; put the file itself there")
    return True


def unwritable_reason(folder: Path, names: Iterable[str] = (), *, leaving: Iterable[str] = ()) -> str | None:
    """Return why files cannot be written on every system, as a sentence; None if they can.

    Existing files may keep their names.

    Args:
        folder: Where they go; it need not exist.
        names: The files, as paths below it with `/` between their parts.
        leaving: Files that will be deleted at the same time, likewise.
    """
    part_by_key: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        if "" in parts or ".." in parts:
            return f"{name!r} lies outside its folder"
        for part in accumulate(parts, "{}/{}".format):
            earlier_part = part_by_key.setdefault(case_key(part), part)
            if earlier_part != part:
                return f"{earlier_part!r} and {part!r} would be one on Windows and macOS; rename one"
    leaving_paths = {folder / PurePosixPath(name) for name in leaving}
    list_names = cache(lambda at: _group_by_key(name for name in _list_folder(at) if at / name not in leaving_paths))
    checked_paths = (folder, *(folder / PurePosixPath(name) for name in sorted(part_by_key.values())))
    return next(filter(None, (_part_problem(path, list_names) for path in checked_paths)), None)


def _part_problem(path: Path, listed: Callable[[Path], Mapping[str, Sequence[str]]]) -> str | None:
    """Return a problem of the parts of a path that do not exist yet, or None."""
    for part in (path, *path.parents):
        if part.name in ("", "..") or (not is_device(part.name) and part.is_dir()):
            return None
        existing_path = _existing_path(part, listed(part.parent))
        if existing_path is not None:
            if _is_same_spelling(existing_path.name, part.name):
                return None
            clash = f"{existing_path.name} is there, and Windows and macOS take both for one"
            return f"{part}: {clash}; write it so, or rename it"
        if reason := invalid_reason(part.name):
            return f"{str(part)!r} cannot be the name of a file on every system: {reason}; choose another name"
    return None


def _group_by_key(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Group the names in a folder by their case key."""
    names_by_key: dict[str, list[str]] = {}
    for name in names:
        names_by_key.setdefault(case_key(name), []).append(name)
    return names_by_key


def _existing_path(path: Path, listed: Mapping[str, Sequence[str]]) -> Path | None:
    """Return the listed file with the same case key as a path, preferably in the same spelling; None without one."""
    listed_names = listed.get(case_key(path.name), ())
    best_name = next(
        (name for name in listed_names if _is_same_spelling(name, path.name)), min(listed_names, default=None)
    )
    return None if best_name is None else path.parent / best_name


def _is_same_spelling(name: str, other: str) -> bool:
    """Return whether two names have the same spelling, with composed or decomposed accents."""
    return compose_accents(name) == compose_accents(other)


def _list_folder(folder: Path) -> list[str]:
    with suppress(OSError):
        return [other.name for other in folder.iterdir()]
    return []
