"""Manifest of a bundle, `bundle.json`: hashes of its files, and of the sources that it was built from.

The hashes stand beside `board.json` and not in it: readers of board files refuse unknown keys, and so the board file is
covered too.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.jsontext import json_text
from mapkit.core.output import write_files
from mapkit.document.package import Files, Package, file_hash
from mapkit.formats.files import check_file, read_bytes

MANIFEST: Final = "bundle.json"


class BundleManifest(Frozen):
    """Hashes of a bundle's files and sources, SHA-256.

    Args:
        board: The board's id.
        variants: Its variants, in order.
        files: The other files of the bundle, by name.
        sources: The files of the source package by path, after decoding, so that line ends do not matter.
    """

    format: Literal["mapkit/bundle"] = "mapkit/bundle"
    version: Literal[1] = 1
    board: str
    variants: tuple[str, ...]
    files: dict[str, str]
    sources: dict[str, str]


class BundleVerification(Frozen):
    """Result of `verify`.

    Args:
        folder: The bundle.
        board: Its board.
        variants: Its variants.
        missing: Files that the bundle lacks.
        changed: Files that are not as the build wrote them.
        source_folder: The source package that was compared; empty if there is none.
        changed_sources: Source files that have changed since, came or went.
    """

    folder: str
    board: str
    variants: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    source_folder: str = ""
    changed_sources: tuple[str, ...] = Field(default=())

    @property
    def exit_code(self) -> int:
        """Return 1 if the files do not belong together."""
        return int(bool(self.missing or self.changed))


def write_bundle(
    folder: Path,
    files: Mapping[str, str],
    *,
    board: str,
    variants: Sequence[str],
    source: Path,
    package: Package[Any],
) -> tuple[Path, ...]:
    """Write a bundle with its manifest, all files or none, and return their paths.

    Args:
        folder: Where it goes.
        files: Its files, without the manifest.
        board: The board's id.
        variants: Its variants, in order.
        source: The source package, or the board file, that it was built from.
        package: How source packages of its kind lie in files.

    Raises:
        OutputError: It cannot be written; nothing was changed.
    """
    sources = {source.name: read_bytes(source, name=source.name)} if source.is_file() else package.read_files(source)
    manifest = BundleManifest(
        board=board, variants=tuple(variants), files=_hash_files(files), sources=_hash_files(sources)
    )
    all_files = {**files, MANIFEST: json_text(manifest)}
    write_files(folder, all_files)
    return tuple(folder / name for name in sorted(all_files))


def read_manifest(folder: Path) -> BundleManifest:
    """Return the manifest of a bundle.

    Raises:
        WorkspaceError: It is missing, or cannot be read.
        SourceError: It is damaged.
    """
    path = folder / MANIFEST
    try:
        check_file(path, name=MANIFEST)
        return BundleManifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise WorkspaceError(
            f"{path}: cannot be read: {error.strerror or error}; give the folder of a bundle, or build it again"
        ) from error
    except ValidationError as error:
        raise SourceError(f"{path}: this file does not describe a bundle; build the bundle again") from error


def verify_files(folder: Path, manifest: BundleManifest) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of missing and of changed files of a bundle; a link, folder or pipe counts as changed."""
    missing_names: list[str] = []
    changed_names: list[str] = []
    for name, digest in sorted(manifest.files.items()):
        path = folder / Path(name).name
        if not path.exists():
            missing_names.append(name)
        elif path.is_symlink() or not path.is_file() or file_hash(path.read_bytes()) != digest:
            changed_names.append(name)
    return tuple(missing_names), tuple(changed_names)


def find_changed_sources(manifest: BundleManifest, sources: Files) -> tuple[str, ...]:
    """Return the paths of source files that differ from those of the bundle."""
    hashes = _hash_files(sources)
    return tuple(
        name for name in sorted({*hashes, *manifest.sources}) if hashes.get(name) != manifest.sources.get(name)
    )


def _hash_files(files: Files) -> dict[str, str]:
    return {name: file_hash(files[name]) for name in sorted(files)}
