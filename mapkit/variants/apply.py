"""Applying variants to a board: pure, in order, all operations or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mapkit.errors import VariantError
from mapkit.model.board import Board, SourceFile
from mapkit.model.network import Origin
from mapkit.model.variant import Operation, Variant
from mapkit.variants.operations import carry_out
from mapkit.variants.ops_rules import choose
from mapkit.variants.rules_work import SettingsError
from mapkit.variants.touched import Clash, Touched, clashes, key_text
from mapkit.variants.work import OperationError, Work

MAX_PROBLEMS = 50
"""More are not listed."""


@dataclass(frozen=True)
class Placed:
    """A variant with the place of each operation in its file.

    Args:
        variant: What it says.
        file: Its name for messages; empty if it has no file.
        rows: The line of each operation, 1 being the first of the file.
        folder: Where the file lies, for charts beside it.
        sha256: Hash of the file's text, for provenance.
    """

    variant: Variant
    file: str = ""
    rows: tuple[int, ...] = ()
    folder: Path | None = None
    sha256: str = ""

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.variant.name

    def where(self, number: int) -> str:
        """Return `file:row` of an operation, or its number."""
        if 0 <= number < len(self.rows):
            return f"{self.file}:{self.rows[number]}"
        return self.file or f"variant {self.name}"

    def origin(self, number: int) -> Origin:
        """Return what provenance says of what the operation made."""
        row = self.rows[number] if 0 <= number < len(self.rows) else None
        return Origin(how="variant", file=self.file or f"variants/{self.name}.toml", row=row)


@dataclass
class _Done:
    """What one variant did: of each operation what it touched; number -1 is the preset of its head."""

    touched: list[Touched] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def apply_variant(board: Board, variant: Variant) -> Board:
    """Return the board with one variant applied; its bases must be applied already.

    Raises:
        VariantError: Operations do not fit; all are listed.
    """
    return apply_variants(board, [Placed(variant)])


def apply_variants(board: Board, variants: Sequence[Placed]) -> Board:
    """Return the board with variants applied in this order, each after its bases.

    Args:
        board: The base; it stays as it is.
        variants: As `mapkit.variants.order` gives them.

    Raises:
        VariantError: A variant is for another board, operations do not fit, or variants contradict each other. Every
            operation is tried on a copy, so nothing is applied then.
    """
    for placed in variants:
        made_for = placed.variant.board
        if made_for is not None and made_for != board.id:
            raise VariantError(f"{placed.where(-1)}: {placed.name!r} is for the board {made_for!r}, not {board.id!r}")
    alone = _alone(board, variants)
    work = Work(board)
    problems: list[str] = []
    seen: dict[tuple[str, ...], object] = {}
    for placed in variants:
        done = _run(work, placed, seen if alone else None, alone.get(placed.name))
        problems.extend(done.problems)
    _refuse(problems)
    out = _with_files(_finish(work, variants), variants)
    _refuse_doubles(out)
    return out


def _alone(board: Board, variants: Sequence[Placed]) -> dict[str, list[Touched]]:
    """Return what each variant touches by itself, on its bases; empty if each builds on all before it.

    Raises:
        VariantError: One does not fit by itself, or two that do not name each other contradict each other.
    """
    behind = {placed.name: _behind(placed, variants) for placed in variants}
    apart = [
        (one, other)
        for index, other in enumerate(variants)
        for one in variants[:index]
        if one.name not in behind[other.name] and other.name not in behind[one.name]
    ]
    if not apart:
        return {}
    found: dict[str, list[Touched]] = {}
    problems: list[str] = []
    for placed in variants:
        work = Work(board)
        for base in variants:
            if base.name in behind[placed.name]:
                _run(work, base)
        done = _run(work, placed)
        problems.extend(done.problems)
        found[placed.name] = done.touched
    _refuse(problems)
    for one, other in apart:
        first = next(clashes(found[one.name], found[other.name]), None)
        if first is not None:
            problems.append(_clash_text(one, other, first))
    _refuse(problems)
    return found


def _behind(placed: Placed, variants: Sequence[Placed]) -> set[str]:
    """Return the names of the variants that one builds on or names, however far back."""
    by_name = {p.name: p.variant for p in variants}
    out: set[str] = set()
    queue = [*placed.variant.variants, *placed.variant.after]
    while queue:
        name = queue.pop()
        if name in by_name and name not in out:
            out.add(name)
            queue.extend((*by_name[name].variants, *by_name[name].after))
    return out - {placed.name}


def _clash_text(one: Placed, other: Placed, clash: Clash) -> str:
    return (
        f"{other.where(clash.other - 1)}: {other.name} and {one.name} ({one.where(clash.one - 1)}) contradict each "
        f"other on {key_text(clash.key)}; use one of them, or say after = [{one.name!r}] in {other.name}"
    )


def _run(
    work: Work,
    placed: Placed,
    seen: dict[tuple[str, ...], object] | None = None,
    alone: Sequence[Touched] | None = None,
) -> _Done:
    """Carry out a variant on a board in work; what others did already in the same words is passed over."""
    done = _Done()
    steps: list[tuple[int, Operation | None]] = [(-1, None), *enumerate(placed.variant.operations)]
    made: dict[tuple[str, ...], object] = {}
    for number, operation in steps:
        own = alone[number + 1] if alone is not None else None
        if own is not None and seen is not None and own.wrote and _said(own, seen):
            done.touched.append(own)
            continue
        work.touched = Touched()
        work.origin = placed.origin(number)
        try:
            if operation is not None:
                carry_out(work, operation)
            elif placed.variant.rules is not None:
                choose(work, placed.variant.rules)
        except OperationError as error:
            what = f"operation {number + 1} ({operation.op})" if operation is not None else "rules"
            done.problems.append(f"{placed.where(number)}: {what}: {error}")
        done.touched.append(work.touched)
        made.update(work.touched.wrote)
    if seen is not None:
        seen.update(made)
    return done


def _said(touched: Touched, seen: Mapping[tuple[str, ...], object]) -> bool:
    return all(value is not None and seen.get(key) == value for key, value in touched.wrote.items())


def _finish(work: Work, variants: Sequence[Placed]) -> Board:
    try:
        return work.finish(placed.name for placed in variants)
    except SettingsError as error:
        raise VariantError([_rule_problem(work, text, path, variants) for text, path in error.blamed]) from error


def _with_files(board: Board, variants: Sequence[Placed]) -> Board:
    """Return the board with the variants' files among its sources."""
    files = {p.file: SourceFile(path=p.file, sha256=p.sha256) for p in variants if p.sha256}
    sources = (*board.provenance.sources, *(files[name] for name in sorted(files)))
    return board.model_copy(update={"provenance": board.provenance.model_copy(update={"sources": sources})})


def _rule_problem(work: Work, text: str, path: str, variants: Sequence[Placed]) -> str:
    origin = work.rules.origins.get(path)
    return f"{origin.where if origin else ', '.join(p.where(-1) for p in variants)}: {text}"


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        more = len(problems) - MAX_PROBLEMS
        raise VariantError([*problems[:MAX_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])


def _refuse_doubles(board: Board) -> None:
    """Refuse names that clients take for one thing; ids are kept apart by the operations themselves."""
    marks: dict[str, str] = {}
    for railroad in board.railroads:
        other = marks.setdefault(railroad.short, railroad.id)
        if other != railroad.id:
            raise VariantError(f"railroads {other!r} and {railroad.id!r} both have the mark {railroad.short!r}")
