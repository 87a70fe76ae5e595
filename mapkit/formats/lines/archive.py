"""Archives (zipped Shapefiles, KMZ), with limits on the unpacked size."""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from mapkit.core.errors import SourceError

MAX_MEMBERS = 10_000
MAX_UNPACKED = 2 * 2**30
MAX_RATIO = 200
RATIO_FROM = 2**20  # smaller members may be packed as tightly as they like

_BLOCK_BYTES = 2**20


@contextmanager
def open_archive(path: Path, *, file: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive after checking the limits of its index.

    Raises:
        SourceError: It is damaged or encrypted, or unpacks to too much, also while it is being read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MAX_MEMBERS:
                raise SourceError(
                    f"{file}: {len(members)} files in the archive, the limit is {MAX_MEMBERS}; pack fewer"
                )
            unpacked_bytes = sum(member.file_size for member in members)
            if unpacked_bytes > MAX_UNPACKED:
                raise SourceError(
                    f"{file}: unpacks to {unpacked_bytes} bytes, the limit is {MAX_UNPACKED}; pack fewer or "
                    "smaller files"
                )
            for member in members:
                if member.flag_bits & 1:
                    raise SourceError(f"{file}: {member.filename[:80]!r} is encrypted; pack it without a password")
                if member.file_size > RATIO_FROM and member.file_size > MAX_RATIO * max(member.compress_size, 1):
                    raise SourceError(
                        f"{file}: {member.filename[:80]!r} unpacks to more than {MAX_RATIO} times its size; give "
                        "the unpacked file"
                    )
            yield archive
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        RuntimeError,
        ValueError,
        OSError,
        struct.error,
    ) as error:
        raise SourceError(f"{file}: the archive is damaged; save it again") from error


def member_names(archive: zipfile.ZipFile) -> list[str]:
    """Return the sorted names of the files in an archive, without those that operating systems add."""
    return sorted(
        name
        for name in archive.namelist()
        if not name.endswith(("/", "\\"))
        and "__MACOSX" not in (path := member_path(name)).parts
        and path.name[:1] != "."
    )


def member_path(name: str) -> PurePosixPath:
    """Return the path of a file in an archive; some Windows programs put backslashes between its parts."""
    return PurePosixPath(name.replace("\\", "/"))


def read_member(archive: zipfile.ZipFile, name: str, *, file: str) -> bytes:
    """Return the bytes of a file in an archive.

    Raises:
        SourceError: It is longer than the index says.
    """
    declared_size = archive.getinfo(name).file_size
    content = bytearray()
    with archive.open(name) as stream:
        while block := stream.read(_BLOCK_BYTES):
            content += block
            if len(content) > declared_size:
                raise SourceError(f"{file}: {name[:80]!r} is longer than the archive says; pack it again")
    return bytes(content)
