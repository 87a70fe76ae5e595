"""Owners of written files: no command replaces a file of another board or variant without `--force`.

The owner of a file is stated by the record in its folder, or else by its name, if that begins with the id of a board.
A file with neither has no known owner and may be replaced. `write_files` asks the guard of the running command.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mapkit.core.errors import OutputError
from mapkit.core.outputs.filenames import case_key

RECORD: Final = ".mapkit-owners.json"
"""Record of owners in a folder, by file name, for the files without the owner in their names."""
_ENDS_OF_OWNER: Final = ("", ".", "-")
_ENDS_OF_BOARD: Final = ("", ".", "-", "+")

Contents = Mapping[str, str | bytes]


@dataclass(frozen=True)
class OutputGuard:
    """Protection of the files that one command may write.

    Attributes:
        owner: The board and its variants, `usa+quick`.
        boards: Ids of all known boards, to recognise owners in file names.
        targets: Files and folders named on the command line; other files are named by mapkit and not protected.
        force: Whether files of other owners are replaced.
    """

    owner: str
    boards: frozenset[str]
    targets: tuple[Path, ...]
    force: bool = False

    def refuse_other_owner(self, path: Path) -> None:
        """Raise an error if a file belongs to another board or variant."""
        file_owner = None if self.force or not path.is_file() else self._owner_of(path)
        if file_owner not in (None, self.owner):
            raise OutputError(
                f"{path}: the file belongs to {file_owner}, not to {self.owner}; nothing was written. "
                "Choose another file, or replace this one with --force"
            )

    def claim(self, folder: Path, files: Contents) -> tuple[dict[str, str | bytes], list[str]]:
        """Add owner records to the files of a command, and list the records that are no longer needed.

        Raises:
            OutputError: A file belongs to another board or variant.
        """
        claimed: dict[str, str | bytes] = dict(files)
        obsolete: list[str] = []
        names_by_parent: dict[Path, list[str]] = {}
        for name in files:
            path = folder / name
            if self._is_target(path):
                self.refuse_other_owner(path)
                names_by_parent.setdefault(Path(name).parent, []).append(path.name)
        for parent, names in names_by_parent.items():
            old_record = _read_record(folder / parent)
            new_record = {name: owner for name, owner in old_record.items() if (folder / parent / name).is_file()}
            for name in names:
                new_record.pop(name, None)
                if self._owner_by_name(name) != self.owner:
                    new_record[name] = self.owner
            record_path = (parent / RECORD).as_posix()
            if new_record:
                claimed[record_path] = json.dumps(new_record, ensure_ascii=False, indent=0, sort_keys=True) + "\n"
            elif old_record:
                obsolete.append(record_path)
        return claimed, obsolete

    def _is_target(self, path: Path) -> bool:
        absolute = path.absolute()
        return any(target == absolute or target in absolute.parents for target in self.targets)

    def _owner_of(self, path: Path) -> str | None:
        record = {case_key(name): owner for name, owner in _read_record(path.parent).items()}
        return record.get(case_key(path.name)) or self._owner_by_name(path.name)

    def _owner_by_name(self, name: str) -> str | None:
        """Return the owner at the start of a file name; the longest id wins, `portugal-hex` in `portugal-hex.svg`."""
        own_board = self.owner.partition("+")[0]
        matches = [board for board in (*self.boards, own_board) if _begins_with_id(name, board, _ENDS_OF_BOARD)]
        board = max(matches, key=len, default=None)
        if board == own_board and _begins_with_id(name, self.owner, _ENDS_OF_OWNER):
            return self.owner
        if board is None or not name[len(board) :].startswith("+"):
            return board
        return name.partition(".")[0]


def _begins_with_id(name: str, ident: str, after: Iterable[str]) -> bool:
    return name.startswith(ident) and name[len(ident) : len(ident) + 1] in after


def _read_record(folder: Path) -> dict[str, str]:
    """Return the recorded owners of a folder; none if the record is missing or damaged."""
    with suppress(OSError, ValueError):
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        if isinstance(record, dict):
            return {str(name): str(owner) for name, owner in record.items()}
    return {}


_current_guard: ContextVar[OutputGuard | None] = ContextVar("output_guard", default=None)


@contextmanager
def guard_outputs(guard: OutputGuard | None) -> Iterator[None]:
    """Protect files by a guard while a command runs.

    Raises:
        OutputError: A file that the command line names belongs to another board or variant.
    """
    if guard is not None:
        for target in guard.targets:
            guard.refuse_other_owner(target)
    token = _current_guard.set(guard)
    try:
        yield
    finally:
        _current_guard.reset(token)


def claim_outputs(folder: Path, files: Contents) -> tuple[Contents, list[str]]:
    """Return the files to write and to remove, as decided by the guard of the running command."""
    guard = _current_guard.get()
    return (files, []) if guard is None else guard.claim(folder, files)
