"""Lookup of variants by name, with their bases, in order of application."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mapkit.core.errors import MapkitError, OutputError, UnknownNameError, VariantError, did_you_mean
from mapkit.core.outputs.filenames import find_existing, invalid_id_reason
from mapkit.core.plurals import join_some
from mapkit.document.workspace import Workspace, shipped_folder
from mapkit.variants.applying import PlacedVariant
from mapkit.variants.reading import read_variant
from mapkit.variants.variant import Variant

FOLDER = "variants"
MOST = 200
"""Maximum number of variants to apply, bases included; more indicate a mistake."""


@dataclass
class VariantShelf:
    """Variants usable in a workspace: its own, then the shipped ones.

    Args:
        workspace: The workspace with the folder `variants/`.
        model: The class of the variants of one kind of board.
    """

    workspace: Workspace
    model: type[Variant]
    _read: dict[Path, PlacedVariant] = field(default_factory=dict)

    def paths(self) -> dict[str, Path]:
        """Return the files of all variants by name, sorted; the workspace's hide shipped ones of the same name."""
        path_by_name: dict[str, Path] = {}
        own_folder, common_folder = self.workspace.root / FOLDER, shipped_folder() / FOLDER
        for folder in dict.fromkeys((own_folder, own_folder / self.model.shelf, common_folder / self.model.shelf)):
            for path in folder.glob("*.toml"):
                path_by_name.setdefault(path.stem, path)
        return dict(sorted(path_by_name.items()))

    def path(self, name: str) -> Path:
        """Return the file of a variant, given by name or by the path of a `.toml` file.

        Raises:
            UnknownNameError: No such variant exists; the message suggests the nearest name.
        """
        if name.endswith(".toml"):
            variant_path: Path | None = self.workspace.path(name)
        else:
            variant_path = self.paths().get(name)
        if variant_path is None or not variant_path.is_file():
            known_paths = self.paths()
            hint = did_you_mean(name, known_paths) or (
                f"; variants are {join_some(known_paths)}" if known_paths else ""
            )
            variants_folder = self.workspace.root / FOLDER
            raise UnknownNameError(f"variant {name!r} is neither in {variants_folder} nor shipped with mapkit{hint}")
        return variant_path

    def read(self, name: str) -> PlacedVariant:
        """Return a variant, given by name or path.

        Raises:
            VariantError: The content of the file is invalid.
            SourceError: The file is empty or not text.
            WorkspaceError: The file is missing or unreadable.
            UnknownNameError: No such variant exists.
        """
        return self._read_path(self.path(name))

    def _read_path(self, path: Path) -> PlacedVariant:
        if path not in self._read:
            self._read[path] = read_variant(path, model=self.model)
        return self._read[path]

    def all(self) -> Iterator[tuple[Path, PlacedVariant | MapkitError]]:
        """Yield the file of every variant, and the variant or the error of the file, by name."""
        for path in self.paths().values():
            try:
                yield path, self._read_path(path)
            except MapkitError as error:
                yield path, error

    def order(self, names: Sequence[str]) -> tuple[PlacedVariant, ...]:
        """Return variants with their bases, each once, in order of application.

        Bases come before dependent variants, and variants named in `after` before the one that names them; otherwise
        the given order is kept.

        Args:
            names: As for `path`.

        Raises:
            VariantError: A variant is given twice, two variants have the same name, or bases form a cycle.
            UnknownNameError: A variant or a base does not exist.
        """
        requested = [self.read(name) for name in names]
        path_by_name: dict[str, Path] = {}
        for given, placed in zip(names, requested, strict=True):
            path = self.path(given).resolve()
            other_path = path_by_name.setdefault(placed.name, path)
            if other_path != path:
                raise VariantError(f"two variants are called {placed.name!r}: {other_path} and {path}; rename one")
        if len(path_by_name) < len(requested):
            repeated_name = next(p.name for p in requested if [q.name for q in requested].count(p.name) > 1)
            raise VariantError(f"variant {repeated_name!r} is given twice; give it once")
        variants_by_name = self._collect_bases(requested)
        # depth-first topological sort: each variant after its bases and those in its `after`
        sorted_variants: dict[str, PlacedVariant] = {}
        for start in variants_by_name:
            open_names: list[str] = []
            _visit_variant(start, variants_by_name, sorted_variants, open_names)
        return tuple(sorted_variants.values())

    def _collect_bases(self, asked: Sequence[PlacedVariant]) -> dict[str, PlacedVariant]:
        requested_by_name = {placed.name: placed for placed in asked}
        variants_by_name: dict[str, PlacedVariant] = {}
        pending = list(reversed(asked))
        while pending:
            placed = pending.pop()
            if placed.name in variants_by_name:
                continue
            variants_by_name[placed.name] = placed
            if len(variants_by_name) > MOST:
                raise VariantError(f"{placed.file}: it is based on more than {MOST} variants; base it on fewer")
            for name in reversed(placed.variant.variants):
                if name in variants_by_name:
                    continue
                try:
                    pending.append(requested_by_name.get(name) or self.read(name))
                except UnknownNameError as error:
                    raise UnknownNameError(f"{placed.file}: its base: {error}") from error
        return variants_by_name


def new_variant_path(workspace: Workspace, name: str, *, replace: bool = False) -> Path:
    """Return the path of a new variant of a workspace.

    Args:
        workspace: The workspace.
        name: The variant's name.
        replace: Whether a variant of that name may exist already.

    Raises:
        VariantError: The name is not a valid id.
        OutputError: A variant of that name exists already.
    """
    if reason := invalid_id_reason(name, "a variant"):
        raise VariantError(reason)
    path = workspace.root / FOLDER / f"{name}.toml"
    if (existing_path := find_existing(path)) and not replace:
        raise OutputError(f"{existing_path} already exists; choose another name")
    return path


def named_boards(shelf: VariantShelf, *given: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the boards, or files of boards, named on a command line, with their variants.

    Args:
        shelf: The variants of the kind of boards.
        given: Names of boards, of boards with variants (`usa+first-printing`), of variants, or of files. A variant
            stands for its own board with the variant; one for rules alone is applied to the first board of the others.

    Raises:
        UnknownNameError: A board or variant does not exist, or all names are of variants for rules alone.
    """
    board_variants = [_parse_board_name(shelf, one) for one in given]
    known_board = next((board for board, _ in board_variants if board is not None), None)
    if known_board is None:
        given_text = " and ".join(map(repr, given))
        raise UnknownNameError(f"{given_text} change rules alone, of any board; name one with them: BOARD+{given[0]}")
    return [(board or known_board, variants) for board, variants in board_variants]


def _parse_board_name(shelf: VariantShelf, given: str) -> tuple[str | None, tuple[str, ...]]:
    workspace = shelf.workspace
    if workspace.path(given).is_file() and not given.endswith(".toml"):
        return given, ()
    name, *variants = given.split("+")
    if name.endswith(".toml") or (name in shelf.paths() and name not in workspace.boards()):
        variants = [name, *variants]
        placed = shelf.order(variants)
        return next((one.variant.board for one in placed if one.variant.board is not None), None), tuple(variants)
    if not workspace.is_board_file(name):
        try:
            workspace.board_folder(name)
        except UnknownNameError as error:
            hint = did_you_mean(name, shelf.paths())
            raise UnknownNameError(f"{error}{f'; or a variant{hint}' if hint and not variants else ''}") from error
    return name, tuple(variants)


def _visit_variant(name: str, found: dict[str, PlacedVariant], out: dict[str, PlacedVariant], open_: list[str]) -> None:
    if name in out or name not in found:
        return
    if name in open_:
        name_ring = [*open_[open_.index(name) :], name]
        raise VariantError(f"{found[name].file}: variants are based on each other in a circle: {' - '.join(name_ring)}")
    open_.append(name)
    for base in (*found[name].variant.variants, *found[name].variant.after):
        _visit_variant(base, found, out, open_)
    open_.pop()
    out[name] = found[name]
