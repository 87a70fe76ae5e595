"""Planned files of an export in one or several formats, with hashes and losses."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from mapkit.core.errors import ExportError
from mapkit.core.jsontext import json_text

MANIFEST = "manifest.json"
"""File of an export in several formats: the format, hash and size of each file, and the losses of each format."""


@dataclass(frozen=True)
class ExportedBoard:
    """A board in a format.

    Attributes:
        files: Path below the export's folder (`/` between its parts) -> text in UTF-8, or bytes.
        losses: Parts of this board missing from the files, one phrase each; empty if nothing is missing.
    """

    files: Mapping[str, str | bytes]
    losses: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportPlan:
    """All files of an export, the losses of each format, and why formats were left out."""

    files: Mapping[str, str | bytes]
    losses: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, str]


def plan_files(
    board: str,
    variants: Sequence[str],
    formats: Sequence[tuple[str, Callable[[], ExportedBoard]]],
    *,
    leave_out: bool = False,
) -> ExportPlan:
    """Return the files of an export.

    The files of a single format go to the folder itself. Each of several formats gets a subfolder of its name, and the
    folder a manifest.

    Args:
        board: The board's id.
        variants: The variants applied to the board.
        formats: The name of each format, and the function that exports the board in it.
        leave_out: Leave out formats that cannot hold the board, unless none can.

    Raises:
        ExportError: A format cannot hold the board, or names a file outside its folder.
    """
    has_several = len(formats) > 1
    all_files: dict[str, str | bytes] = {}
    file_entries: dict[str, dict[str, object]] = {}
    losses_by_format: dict[str, tuple[str, ...]] = {}
    left_out: dict[str, str] = {}
    for format_name, write in formats:
        try:
            exported = write()
        except ExportError as error:
            if not leave_out or len(left_out) + 1 == len(formats):
                raise
            left_out[format_name] = str(error)
            continue
        losses_by_format[format_name] = exported.losses
        for name, content in sorted(exported.files.items()):
            file_path = PurePosixPath(format_name, name) if has_several else PurePosixPath(name)
            if file_path.is_absolute() or ".." in file_path.parts or "\\" in name:
                raise ExportError(f"format {format_name!r} names the file {name!r}, which is outside its folder")
            all_files[str(file_path)] = content
            content_bytes = content.encode() if isinstance(content, str) else content
            content_hash = hashlib.sha256(content_bytes).hexdigest()
            file_entries[str(file_path)] = {
                "path": str(file_path),
                "format": format_name,
                "bytes": len(content_bytes),
                "sha256": content_hash,
            }
    if has_several:
        all_files[MANIFEST] = json_text(
            {
                "format": "mapkit/export",
                "board": board,
                "variants": variants,
                "files": [file_entries[file_path] for file_path in sorted(file_entries)],
                "losses": losses_by_format,
            }
        )
    return ExportPlan(all_files, losses_by_format, left_out)
