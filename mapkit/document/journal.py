"""Journal of an author's steps, each on disk before it is acknowledged.

`sources/<board>.journal` holds a JSON object a line, `{"crc":"xxxxxxxx","entry":{...}}`, the CRC-32 being that of the
entry's bytes. Entries have a `kind`:

- `base`: the files that the steps begin with, zlib and base64
- `do`: a step: `n, parent, label, client, command, patch`, and `disk` where it took changes from the files
- `goto`: where undo, redo or a jump led: `to, client, label`; both have the `request` of a page that asked for them
- `checkpoint`: a name for a step: `n, name`
- `save`: the files were written: `n`, and the `hashes` of all files
- `seen`: the files changed and the document did not: their `hashes`, and the `patch` from the document to them

Writers take a file lock, read what others wrote, append, and flush to the disk. A last line that was cut off (power
cut, kill) is cut away by the next writer; lines behind a damaged one are put aside, not deleted.
"""

import base64
import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from mapkit.core.errors import MapkitError, OutputError

VERSION: Final = 1
MAX_BASE: Final = 512 * 2**20
MAX_LINE: Final = 256 * 2**20
"""The longest line, bytes."""
MAX_JOURNAL: Final = 4 * 2**30
"""The largest journal, bytes."""
LOCK_SECONDS: Final = 20.0
_LINE_HEAD: Final = b'{"crc":"'
_LINE_MIDDLE: Final = b'","entry":'
_CRC_DIGITS: Final = 8

Entry = dict[str, Any]


class JournalError(MapkitError):
    """The journal cannot be used."""


def journal_path(folder: Path) -> Path:
    """Return the path of the journal of a source package."""
    resolved_folder = folder.resolve()
    return resolved_folder.parent / f"{resolved_folder.name}.journal"


def encode(entry: Entry) -> bytes:
    """Return an entry as a line."""
    entry_bytes = json.dumps(entry, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return _LINE_HEAD + f"{zlib.crc32(entry_bytes):08x}".encode() + _LINE_MIDDLE + entry_bytes + b"}\n"


def decode(line: bytes) -> Entry | None:
    """Return the entry of a line, or None if the line is damaged."""
    data_start = len(_LINE_HEAD) + _CRC_DIGITS + len(_LINE_MIDDLE)
    if not (
        line.startswith(_LINE_HEAD)
        and line[data_start - len(_LINE_MIDDLE) : data_start] == _LINE_MIDDLE
        and line.endswith(b"}\n")
    ):
        return None
    entry_bytes = line[data_start:-2]
    if f"{zlib.crc32(entry_bytes):08x}".encode() != line[len(_LINE_HEAD) : len(_LINE_HEAD) + _CRC_DIGITS]:
        return None
    try:
        entry = json.loads(entry_bytes, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("kind"), str) else None


def _refuse_constant(text: str) -> None:
    raise ValueError(text)


def pack_files(files: dict[str, str | bytes]) -> str:
    """Return files as compressed text for a `base` entry."""
    encoded_files = {
        name: {"text": data} if isinstance(data, str) else {"base64": base64.b64encode(data).decode("ascii")}
        for name, data in files.items()
    }
    return base64.b64encode(zlib.compress(json.dumps(encoded_files, ensure_ascii=False).encode(), 6)).decode("ascii")


def unpack_files(packed: str, *, board: str) -> dict[str, str | bytes]:
    """Return the files of a `base` entry.

    Args:
        packed: What `pack_files` returned.
        board: What to call the board in messages.

    Raises:
        JournalError: They are too large, or none.
    """
    try:
        decompressor = zlib.decompressobj()
        data = decompressor.decompress(base64.b64decode(packed), MAX_BASE)
        if decompressor.unconsumed_tail:
            raise JournalError(f"{board}: the journal's files are more than {MAX_BASE} bytes; move the journal away")
        return {
            name: str(packed_file["text"]) if "text" in packed_file else base64.b64decode(packed_file["base64"])
            for name, packed_file in json.loads(data).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise JournalError(f"{board}: the journal's first entry cannot be read; move the journal away") from error


class Journal:
    """The journal of one source package.

    Args:
        path: The file; it need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self.waiting = False
        self._offset = 0
        self._lock = FileLock(f"{path}.lock", timeout=LOCK_SECONDS, thread_local=False)

    @property
    def exists(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    @property
    def empty(self) -> bool:
        """Whether nothing was read from it or written to it."""
        return self._offset == 0

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock out other writers.

        Raises:
            OutputError: Somebody else has it for long, or the folder may not be written to.
        """
        self.waiting = True
        try:
            self._lock.acquire()
        except Timeout as error:
            raise OutputError(
                f"{self.path}: another program has been writing to it for {LOCK_SECONDS:g} seconds; try again"
            ) from error
        except OSError as error:
            raise _writing_error(self.path, error) from error
        finally:
            self.waiting = False
        try:
            yield
        finally:
            self._lock.release()

    def stale(self) -> bool:
        """Return whether another program has written, without taking the lock."""
        try:
            return self.path.stat().st_size != self._offset
        except OSError:
            return self._offset != 0

    def news(self, *, repair: bool = True) -> list[Entry]:
        """Return the entries since the last call; the lock must be held.

        Args:
            repair: Cut off what is damaged; else it is passed over.

        Raises:
            JournalError: The journal was removed or shortened by another program, is too large, or is not readable.
            OutputError: It is damaged and may not be written to.
        """
        new_entries: list[Entry] = []
        read_offset = self._offset
        try:
            size = self.path.stat().st_size if self.exists else 0
            if size < self._offset:
                raise JournalError(
                    f"{self.path}: the journal was removed or shortened while the board was open; put it back, or "
                    "open the board again"
                )
            if size == self._offset:
                return []
            if size > MAX_JOURNAL:
                raise JournalError(f"{self.path}: more than the limit of {MAX_JOURNAL} bytes; move it away")
            is_torn: bool | None = None
            with self.path.open("rb") as stream:
                stream.seek(read_offset)
                while line := stream.readline(MAX_LINE):
                    entry = decode(line)
                    if entry is None:
                        is_torn = not line.endswith(b"\n") and len(line) < MAX_LINE
                        break
                    new_entries.append(entry)
                    read_offset += len(line)
        except OSError as error:
            raise JournalError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        if is_torn is not None and repair:
            self._truncate_damaged(read_offset, torn=is_torn)
        self._offset = read_offset
        return new_entries

    def _truncate_damaged(self, size: int, *, torn: bool) -> None:
        """Truncate the file; damaged content beyond a torn last line is kept beside it."""
        try:
            if not torn:
                damaged_path = self.path.with_name(f"{self.path.name}.damaged")
                with self.path.open("rb") as damaged, damaged_path.open("ab") as stream:
                    damaged.seek(size)
                    shutil.copyfileobj(damaged, stream)
                    stream.flush()
                    os.fsync(stream.fileno())
                self.notices.append(
                    f"{self.path.name} was damaged from byte {size} on; what followed is in {damaged_path.name}, "
                    "steps up to there are kept"
                )
            with self.path.open("rb+") as stream:
                stream.truncate(size)
                os.fsync(stream.fileno())
        except OSError as error:
            raise _writing_error(self.path, error) from error

    def append(self, *entries: Entry) -> None:
        """Append entries and sync them to disk; the lock must be held, and `news` must have been called.

        Raises:
            OutputError: The disk is full or may not be written to; the journal is as it was.
            JournalError: They are too large, or hold invalid text; the journal is as it was.
        """
        try:
            entry_lines = [encode(entry) for entry in entries]
        except ValueError as error:
            raise JournalError(f"this step has text that no file can hold ({error}); nothing was changed") from error
        if max(map(len, entry_lines)) > MAX_LINE:
            raise JournalError(f"this step is more than the limit of {MAX_LINE} bytes; nothing was changed")
        all_bytes = b"".join(entry_lines)
        is_new = not self.exists
        try:
            with self.path.open("ab", buffering=0) as stream:
                written_bytes = 0
                try:
                    while written_bytes < len(all_bytes):
                        written_bytes += stream.write(all_bytes[written_bytes:])
                    os.fsync(stream.fileno())
                except OSError:
                    stream.truncate(self._offset)
                    raise
            if is_new:
                _sync_folder(self.path.parent)
        except OSError as error:
            if is_new:
                self.path.unlink(missing_ok=True)
            raise _writing_error(self.path, error) from error
        self._offset += len(all_bytes)


def _writing_error(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{path}: cannot be written: {error.strerror or error}; nothing was changed. Free some space, or choose a "
        "folder that you may write to"
    )


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    folder_descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(folder_descriptor)
    finally:
        os.close(folder_descriptor)
