"""Finding variants by name, with their bases, in the order in which they are applied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mapkit.core.errors import MapkitError, OutputError, UnknownNameError, VariantError, did_you_mean
from mapkit.core.outputs.filenames import taken, why_no_id
from mapkit.document.workspace import Workspace, shipped
from mapkit.variants.applying import PlacedVariant
from mapkit.variants.reading import read_variant
from mapkit.variants.variant import Variant

FOLDER = "variants"
MOST = 200
"""More bases are a mistake."""


@dataclass
class VariantShelf:
    """The variants that can be used in a workspace: its own, then the shipped ones.

    Args:
        workspace: Where `variants/` is looked for.
        model: The variants of a kind of board.
    """

    workspace: Workspace
    model: type[Variant]
    _read: dict[Path, PlacedVariant] = field(default_factory=dict)

    def paths(self) -> dict[str, Path]:
        """Return the files of all variants by name, sorted; one of the workspace hides a shipped one."""
        out: dict[str, Path] = {}
        own, ours = self.workspace.root / FOLDER, shipped() / FOLDER
        for folder in dict.fromkeys((own, own / self.model.shelf, ours / self.model.shelf)):
            for path in sorted(folder.glob("*.toml")):
                out.setdefault(path.stem, path)
        return dict(sorted(out.items()))

    def path(self, name: str) -> Path:
        """Return the file of a variant, given by name or by the path of a `.toml` file.

        Raises:
            UnknownNameError: There is none; the nearest is offered.
        """
        if name.endswith(".toml"):
            given = Path(name)
            found: Path | None = given if given.is_absolute() else self.workspace.root / given
        else:
            found = self.paths().get(name)
        if found is None or not found.is_file():
            known = self.paths()
            hint = did_you_mean(name, known) or (f"; variants are {', '.join(known)}" if known else "")
            where = self.workspace.root / FOLDER
            raise UnknownNameError(f"variant {name!r} is neither in {where} nor shipped with mapkit{hint}")
        return found

    def read(self, name: str) -> PlacedVariant:
        """Return a variant, given as for `path`.

        Raises:
            VariantError: Its file is wrong; likewise SourceError and WorkspaceError.
            UnknownNameError: There is none.
        """
        path = self.path(name)
        if path not in self._read:
            self._read[path] = read_variant(path, model=self.model)
        return self._read[path]

    def all(self) -> Iterator[tuple[str, PlacedVariant | MapkitError]]:
        """Yield every variant by name, or what is wrong with its file."""
        for name in self.paths():
            try:
                yield name, self.read(name)
            except MapkitError as error:
                yield name, error

    def order(self, names: Sequence[str]) -> tuple[PlacedVariant, ...]:
        """Return variants with their bases, each once, in the order in which they are applied.

        Bases come before what is based on them, and what a variant names in `after` before it; else the order given
        stands.

        Args:
            names: As for `path`.

        Raises:
            VariantError: One is given twice, two have one name, or bases lead back to themselves.
            UnknownNameError: A variant or a base does not exist.
        """
        asked = [self.read(name) for name in names]
        paths: dict[str, Path] = {}
        for given, placed in zip(names, asked, strict=True):
            path = self.path(given).resolve()
            other = paths.setdefault(placed.name, path)
            if other != path:
                raise VariantError(f"two variants are called {placed.name!r}: {other} and {path}; rename one")
        if len(paths) < len(asked):
            twice = next(p.name for p in asked if [q.name for q in asked].count(p.name) > 1)
            raise VariantError(f"variant {twice!r} is given twice; give it once")
        found = self._with_bases(asked)
        return _sorted(found)

    def _with_bases(self, asked: Sequence[PlacedVariant]) -> dict[str, PlacedVariant]:
        own = {placed.name: placed for placed in asked}
        out: dict[str, PlacedVariant] = {}
        waiting = list(reversed(asked))
        while waiting:
            placed = waiting.pop()
            if placed.name in out:
                continue
            out[placed.name] = placed
            if len(out) > MOST:
                raise VariantError(f"{placed.file}: it is based on more than {MOST} variants; base it on fewer")
            for name in reversed(placed.variant.variants):
                if name in out:
                    continue
                try:
                    waiting.append(own.get(name) or self.read(name))
                except UnknownNameError as error:
                    raise UnknownNameError(f"{placed.file}: its base: {error}") from error
        return out


def new_variant_path(workspace: Workspace, name: str, *, replace: bool = False) -> Path:
    """Return where a new variant of a workspace is written.

    Args:
        workspace: The workspace.
        name: The variant's name.
        replace: Whether there may be one of that name.

    Raises:
        VariantError: The name cannot become an id.
        OutputError: There is such a variant already.
    """
    if why := why_no_id(name, "a variant"):
        raise VariantError(why)
    path = workspace.root / FOLDER / f"{name}.toml"
    if (there := taken(path)) and not replace:
        raise OutputError(f"{there} already exists; choose another name")
    return path


def named_boards(shelf: VariantShelf, *given: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the boards, or files of boards, that a line names, with their variants.

    Args:
        shelf: The variants of the kind of boards.
        given: Each a board, a board with variants (`usa+first-printing`), a variant on its own board, or a file; a
            variant of rules alone is applied to the board of another.

    Raises:
        UnknownNameError: There is no such board or variant, or all are variants of rules alone.
    """
    found = [_named_board(shelf, one) for one in given]
    known = next((board for board, _ in found if board is not None), None)
    if known is None:
        said = " and ".join(map(repr, given))
        raise UnknownNameError(f"{said} change rules alone, of any board; name one with them: BOARD+{given[0]}")
    return [(board or known, variants) for board, variants in found]


def _named_board(shelf: VariantShelf, given: str) -> tuple[str | None, tuple[str, ...]]:
    space = shelf.workspace
    if (space.root / given).is_file() and not given.endswith(".toml"):
        return given, ()
    name, *variants = given.split("+")
    if name.endswith(".toml") or (name in shelf.paths() and name not in space.boards()):
        variants = [name, *variants]
        placed = shelf.order(variants)
        return next((one.variant.board for one in placed if one.variant.board is not None), None), tuple(variants)
    if not space.is_board_file(name):
        try:
            space.board_folder(name)
        except UnknownNameError as error:
            hint = did_you_mean(name, shelf.paths())
            raise UnknownNameError(f"{error}{f'; or a variant{hint}' if hint and not variants else ''}") from error
    return name, tuple(variants)


def _sorted(found: dict[str, PlacedVariant]) -> tuple[PlacedVariant, ...]:
    """Sort so that every variant comes after its bases and those it names; depth first, in the order given."""
    out: dict[str, PlacedVariant] = {}
    for start in found:
        open_: list[str] = []
        _visit(start, found, out, open_)
    return tuple(out.values())


def _visit(name: str, found: dict[str, PlacedVariant], out: dict[str, PlacedVariant], open_: list[str]) -> None:
    if name in out or name not in found:
        return
    if name in open_:
        ring = [*open_[open_.index(name) :], name]
        raise VariantError(f"{found[name].file}: variants are based on each other in a circle: {' - '.join(ring)}")
    open_.append(name)
    for base in (*found[name].variant.variants, *found[name].variant.after):
        _visit(base, found, out, open_)
    open_.pop()
    out[name] = found[name]
