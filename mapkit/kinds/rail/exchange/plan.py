"""An export as files: one format or several, with hashes and what is lost."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from mapkit.core.errors import ExportError
from mapkit.core.jsontext import json_text
from mapkit.kinds.rail.exchange.format import ExportOptions, Format
from mapkit.kinds.rail.model.board import Board

MANIFEST = "manifest.json"
"""Beside the files, if there is more than one format: which format made which file, its hash and size, the losses."""


@dataclass(frozen=True)
class ExportPlan:
    """Every file of an export, and for each format what it loses of this board."""

    files: Mapping[str, str | bytes]
    losses: Mapping[str, tuple[str, ...]]


def plan_export(board: Board, formats: Sequence[Format], options: ExportOptions) -> ExportPlan:
    """Return the files of an export.

    One format's files stand in the folder itself; of several, each has a folder of its name, and a manifest
    stands beside them.

    Raises:
        ExportError: A format cannot hold the board, or names a file outside its folder.
    """
    several = len(formats) > 1
    files: dict[str, str | bytes] = {}
    listed: dict[str, dict[str, object]] = {}
    losses: dict[str, tuple[str, ...]] = {}
    for form in formats:
        inside = options.folder / form.name if several and options.folder is not None else options.folder
        exported = form.export(board, replace(options, folder=inside))
        losses[form.name] = exported.losses
        for name, content in sorted(exported.files.items()):
            path = PurePosixPath(form.name, name) if several else PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or "\\" in name:
                raise ExportError(f"format {form.name!r} names the file {name!r}, which is outside its folder")
            files[str(path)] = content
            data = content.encode() if isinstance(content, str) else content
            digest = hashlib.sha256(data).hexdigest()
            listed[str(path)] = {"path": str(path), "format": form.name, "bytes": len(data), "sha256": digest}
    if several:
        files[MANIFEST] = json_text(
            {
                "format": "mapkit/export",
                "board": board.id,
                "variants": board.variants,
                "files": [listed[path] for path in sorted(listed)],
                "losses": losses,
            }
        )
    return ExportPlan(files, losses)
