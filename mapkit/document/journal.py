"""Journal of an author's steps, each on disk before it is acknowledged.

`sources/<board>.journal` holds a JSON object a line, `{"crc":"xxxxxxxx","entry":{...}}`, the CRC-32 being that of the
entry's bytes. Entries have a `kind`:

- `base`: the files that the steps begin with, zlib and base64
- `do`: a step: `n, parent, label, client, command, patch`, and `disk` where it took changes from the files
- `goto`: where undo, redo or a jump led: `to, client, label`; both have the `request` of a page that asked for them
- `checkpoint`: a name for a step: `n, name`
- `save`: the files were written: `n`, and the `hashes` of all files
- `seen`: the files changed and the document did not: their `hashes`, and the `patch` from the document to them

Writers take a file lock, read what others wrote, append, and flush to the disk. Readers neither lock nor write. A
damaged line becomes a `gap` entry, and the lines behind it are read on. The next writer copies the damaged journal to
`<board>.journal.damaged-1` (then `-2`), and overwrites damaged bytes with spaces, so that other positions stay. It cuts
away a last line that was cut off (power cut, kill). Compaction begins with a new base; the old journal is kept as
`<board>.journal.old-1`.
"""

import base64
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from filelock import FileLock, Timeout

from mapkit.core.characters import find_character, find_in_data
from mapkit.core.errors import MapkitError, OutputError
from mapkit.core.output import write_files
from mapkit.core.outputs import disk

VERSION: Final = 1
MAX_BASE: Final = 512 * 2**20
MAX_LINE: Final = 256 * 2**20
"""The longest line, bytes."""
MAX_JOURNAL: Final = 4 * 2**30
"""The largest journal, bytes."""
LOCK_SECONDS: Final = 20.0
_CHUNK: Final = 2**20
_LINE_HEAD: Final = b'{"crc":"'
_LINE_MIDDLE: Final = b'","entry":'
_CRC_DIGITS: Final = 8

Entry = dict[str, Any]
GAP: Final = "gap"
"""The kind of an entry in place of a damaged line."""
FORBIDDEN: Final = "forbidden"
"""The kind of an entry in place of one with a character that no text may hold."""


class JournalError(MapkitError):
    """The journal cannot be used."""


def _refuse_constant(text: str) -> None:
    raise ValueError(text)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)


def journal_path(folder: Path) -> Path:
    """Return the path of the journal of a source package."""
    resolved_folder = folder.resolve()
    return resolved_folder.parent / f"{resolved_folder.name}.journal"


def numbered_path(path: Path, word: str) -> Path:
    """Return the path for the next copy of a journal, such as `usa.journal.damaged-1`."""
    numbered_paths = (path.with_name(f"{path.name}.{word}-{number}") for number in count(1))
    return next(numbered for numbered in numbered_paths if not numbered.exists())


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
        entry_text = entry_bytes.decode()
        # msgspec takes half the time, and knows no half of a surrogate pair
        entry = _DECODER.decode(entry_text) if "\\" in entry_text else msgspec.json.decode(entry_bytes)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
        return None
    if entry["kind"] != "base" and ("\\" in entry_text or find_character(entry_text)) and find_in_data(entry):
        return {"kind": FORBIDDEN}
    return entry


class Damage(NamedTuple):
    """A damaged part of a journal: its first byte, and the bytes to replace it with, as many as it has."""

    start: int
    repaired: bytes


def salvage_line(line: bytes) -> tuple[list[Entry], bytes]:
    """Return the entries in a damaged line, with gaps, and the line repaired to the same length.

    A line break may be what is damaged, so the line may hold several entries.
    """
    starts = [0]
    while (start := line.find(_LINE_HEAD, starts[-1] + 1)) > 0:
        starts.append(start)
    entries: list[Entry] = []
    repaired = b""
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        piece = line[start : end - 1] + b"\n"
        entry = decode(piece)
        entries.append({"kind": GAP} if entry is None else entry)
        repaired += b" " * (len(piece) - 1) + b"\n" if entry is None else piece
    return entries, repaired


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
        self._identity = (0, b"")
        self._damages: list[Damage] = []
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

    @property
    def damages(self) -> tuple[Damage, ...]:
        """Damaged parts that were read and not repaired yet."""
        return tuple(self._damages)

    def is_torn(self) -> bool:
        """Return whether the last line was cut off, or is being written now."""
        if not self.exists:
            return False
        self.news(repair=False)
        return self.stale()

    def news(self, *, repair: bool = True) -> list[Entry]:
        """Return the entries since the last call, with a gap for each damaged part.

        Args:
            repair: Repair what is damaged; the lock must be held.

        Raises:
            JournalError: The journal was removed or shortened by another program, is too large, or is not readable.
            OutputError: It is damaged and may not be written to.
        """
        new_entries: list[Entry] = []
        is_torn = False
        try:
            status = self.path.stat() if self.exists else None
            size = 0 if status is None else status.st_size
            if self.path.is_symlink() or (self.exists and not self.path.is_file()):
                raise JournalError(
                    f"{self.path}: this is a link, a folder, a pipe or a device, not a journal; move it away"
                )
            if self._offset and (size < self._offset or self._read_identity() != self._identity):
                raise JournalError(
                    f"{self.path}: the journal was removed or shortened while the board was open; put it back, or "
                    "open the board again"
                )
            if size > MAX_JOURNAL:
                raise JournalError(f"{self.path}: more than the limit of {MAX_JOURNAL} bytes; move it away")
            if size > self._offset:
                self._identity = self._read_identity()
                with self.path.open("rb") as stream:
                    stream.seek(self._offset)
                    while (line := stream.readline(MAX_LINE)) and not is_torn:
                        is_torn = not self._read_line(line, new_entries, size)
        except OSError as error:
            raise JournalError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        if self._damages and not repair and new_entries:
            self.notices.append(
                f"{self.path.name} is damaged at byte {self._damages[0].start}; the other steps are kept. The next "
                f"change repairs it, or mapkit doctor --board {self.path.stem} --repair"
            )
        if repair and (self._damages or is_torn):
            self._repair(torn=is_torn)
        return new_entries

    def _read_identity(self) -> tuple[int, bytes]:
        """Return the inode, whose number a later file may get again, and the checksum of the first entry."""
        with self.path.open("rb") as stream:
            return os.fstat(stream.fileno()).st_ino, stream.read(len(_LINE_HEAD) + _CRC_DIGITS)

    def _read_line(self, line: bytes, entries: list[Entry], size: int) -> bool:
        """Add the entries of a line; return False for a last line that was cut off, or is not yet written."""
        entry = decode(line)
        if entry is not None:
            entries.append(entry)
        elif not line.strip(b" \n"):
            entries.append({"kind": GAP})
        else:
            salvaged, repaired = salvage_line(line)
            is_last = not line.endswith(b"\n") and self._offset + len(line) >= size
            if is_last and salvaged[-1]["kind"] == GAP and line.rfind(_LINE_HEAD) <= 0:
                return False
            self._damages.append(Damage(self._offset, repaired))
            entries += salvaged
        self._offset += len(line)
        return True

    def _repair(self, *, torn: bool) -> None:
        """Overwrite damaged parts, after the journal was copied, and cut away a torn last line."""
        try:
            if self._damages:
                copy_path = self._copy_damaged()
                self.notices.append(
                    f"{self.path.name} was damaged at byte {self._damages[0].start}; the other steps are kept, and the "
                    f"journal as it was is in {copy_path.name}"
                )
            with disk.open_file(self.path, "rb+") as stream:
                for damage in self._damages:
                    stream.seek(damage.start)
                    disk.write(stream, damage.repaired)
                if torn:
                    stream.truncate(self._offset)
                disk.sync(stream)
            self._identity = self._read_identity()  # the first entry may have been damaged
        except OSError as error:
            raise _writing_error(self.path, error) from error
        self._damages.clear()

    def _copy_damaged(self) -> Path:
        """Copy the journal to the next numbered `.damaged` file, and return its path."""
        copy_path = numbered_path(self.path, "damaged")
        try:
            with self.path.open("rb") as damaged, disk.open_file(copy_path, "xb") as stream:
                while chunk := damaged.read(_CHUNK):
                    disk.write(stream, chunk)
                disk.sync(stream)
            disk.sync_folder(copy_path.parent)
        except OSError:
            copy_path.unlink(missing_ok=True)
            raise
        return copy_path

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
            with disk.open_file(self.path, "ab") as stream:
                try:
                    disk.write(stream, all_bytes)
                    disk.sync(stream)
                except OSError:
                    stream.truncate(self._offset)
                    raise
            self._identity = self._read_identity()
            if is_new:
                disk.sync_folder(self.path.parent)
        except OSError as error:
            if is_new:
                self.path.unlink(missing_ok=True)
            raise _writing_error(self.path, error) from error
        self._offset += len(all_bytes)

    def restart(self, base: Entry, *entries: Entry) -> Path:
        """Begin again with a base and entries, and return the path of a copy of the old journal; the lock must be held.

        The base names the copy: so no two journals of a board begin alike.

        Raises:
            OutputError: The disk is full or may not be written to; the journal is as it was.
        """
        copy_path = numbered_path(self.path, "old")
        new_bytes = b"".join(map(encode, ({**base, "old": copy_path.name}, *entries)))
        write_files(self.path.parent, {self.path.name: new_bytes, copy_path.name: self.path.read_bytes()})
        self._offset, self._identity = len(new_bytes), self._read_identity()
        return copy_path


def _writing_error(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{path}: cannot be written: {error.strerror or error}; nothing was changed. Free some space, or choose a "
        "folder that you may write to"
    )
