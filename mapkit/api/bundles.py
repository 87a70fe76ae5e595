"""Bundles that were built before."""

from pathlib import Path
from typing import Annotated

from mapkit.core.errors import MapkitError
from mapkit.document.bundle_manifest import BundleVerification, find_changed_sources, read_manifest, verify_files
from mapkit.document.workspace import open_workspace
from mapkit.kinds.registry import kind_of
from mapkit.operations.options import Argument, Workspace


def verify(
    folder: Annotated[Path, Argument(metavar="FOLDER")],
    *,
    workspace: Workspace = None,
) -> BundleVerification:
    """Verify that the files of a bundle belong together, and say whether its sources have changed since.

    Exits 1 if a file is missing or is not as the build wrote it.

    Args:
        folder: The folder of the bundle, such as build/usa.

    Raises:
        MapkitError: No bundle is there.
    """
    space = open_workspace(workspace)
    path = space.path(folder)
    manifest = read_manifest(path)
    missing, changed = verify_files(path, manifest)
    source_folder = ""
    changed_sources: tuple[str, ...] = ()
    try:
        package_folder = space.board_folder(manifest.board)
        changed_sources = find_changed_sources(manifest, kind_of(package_folder).read_files(package_folder))
        source_folder = str(package_folder)
    except MapkitError:  # the sources are elsewhere, or cannot be read
        pass
    return BundleVerification(
        folder=str(folder),
        board=manifest.board,
        variants=manifest.variants,
        missing=missing,
        changed=changed,
        source_folder=source_folder,
        changed_sources=changed_sources,
    )
