"""Reproducible ZIP files: sorted members without times, stored uncompressed."""

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo


def zip_bytes(parts: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of texts (in UTF-8) and bytes, uncompressed because implementations of zlib differ."""
    archive_bytes = BytesIO()
    with ZipFile(archive_bytes, "w", ZIP_STORED) as archive:
        for name, content in sorted(parts.items()):
            member = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # Unix, wherever this runs
            member.external_attr = 0o644 << 16
            archive.writestr(member, content.encode() if isinstance(content, str) else content)
    return archive_bytes.getvalue()
