"""Application of variants to a draft: all operations in order, or none; detection of contradictions."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from mapkit.core.errors import VariantError
from mapkit.core.plurals import MOST_LISTED
from mapkit.document.changes import same_rows
from mapkit.document.command import Command, CommandError, explain_validation_errors
from mapkit.document.document import Document, RowOrigin, Schema
from mapkit.document.draft import ORDER, Draft, Key
from mapkit.variants.contradictions import (
    Clash,
    Touched,
    collect_touched,
    count_rows,
    find_clashes,
    is_done_already,
    key_text,
    row_of_key,
)
from mapkit.variants.variant import Variant

MAX_PROBLEMS = 50
"""More are not listed."""
MAX_CLASHES = 10_000
"""So many contradictions of two variants are looked at."""
MAX_LISTED_CLASHES = 3
"""More contradictions of two variants are counted by table."""


@dataclass(frozen=True)
class PlacedVariant:
    """A variant with the location of each operation in its file.

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

    def as_json(self) -> Variant:
        """Return the result as `--json` prints it."""
        return self.variant

    @property
    def name(self) -> str:
        """Name of the variant."""
        return self.variant.name

    def where(self, number: int) -> str:
        """Return `file:row` of an operation, or its number."""
        if 0 <= number < len(self.rows):
            return f"{self.file}:{self.rows[number]}"
        return self.file or f"variant {self.name}"

    def origin(self, number: int) -> RowOrigin:
        """Return the origin of the rows that an operation puts."""
        row = self.rows[number] if 0 <= number < len(self.rows) else 0
        return RowOrigin(how="variant", file=self.file or f"variants/{self.name}.toml", row=row)


@dataclass(frozen=True)
class Target:
    """Target document of variants.

    Args:
        draft: Makes a draft of the document before.
        without: Tables that no operation may change here: what would be laid from them is laid already.
    """

    draft: Callable[[], Draft[Any]]
    without: Collection[str] = ()


@dataclass
class _VariantResult:
    """Result of one variant: the reads and writes of each operation; the first is the head of its file."""

    touched: list[Touched] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def refuse_other_boards(board: str, variants: Sequence[PlacedVariant]) -> None:
    """Raise an error for variants of another board.

    Raises:
        VariantError: A variant is for another board.
    """
    for placed in variants:
        intended_board = placed.variant.board
        if intended_board is not None and intended_board != board:
            raise VariantError(
                f"{placed.where(-1)}: {placed.name!r} is for the board {intended_board!r}, not {board!r}"
            )


def carry_out_all(ground: Target, variants: Sequence[PlacedVariant]) -> Draft[Any]:
    """Return a draft with variants carried out in this order, each after its bases.

    Raises:
        VariantError: Operations do not fit, or variants contradict each other; all are listed.
    """
    touched_by_variant = _touched_alone(ground, variants)
    draft = ground.draft()
    problems: list[str] = []
    value_by_key: dict[Key, object] = {}
    for placed in variants:
        result = _run_variant(
            ground, draft, placed, value_by_key if touched_by_variant else None, touched_by_variant.get(placed.name)
        )
        problems.extend(result.problems)
    raise_problems(problems)
    return draft


def carry_out(draft: Draft[Any], command: Command, ground: Target | None = None) -> None:
    """Carry out one operation as a step of a draft; a failed one is undone.

    Raises:
        CommandError: It does not fit.
    """
    try:
        with explain_validation_errors():
            command.carry_out(draft)
        if ground is not None:
            _refuse_locked_tables(draft, ground.without)
    except CommandError:
        draft.take_back()
        raise


def _refuse_locked_tables(draft: Draft[Any], without: Collection[str]) -> None:
    for table in sorted(draft.tables_written() & {*without}):
        raise CommandError(f"it changes {table.replace('_', ' ')}, which a compiled board does not have")


def raise_problems(problems: Sequence[str]) -> None:
    """Raise an error if there are problems.

    Raises:
        VariantError: There are some; so many are listed as people read.
    """
    if problems:
        more_count = len(problems) - MAX_PROBLEMS
        raise VariantError([*problems[:MAX_PROBLEMS], *([f"and {more_count} more"] if more_count > 0 else [])])


def _touched_alone(ground: Target, variants: Sequence[PlacedVariant]) -> dict[str, list[Touched]]:
    """Return the reads and writes of each variant alone, on its bases; empty if each builds on all before it.

    Two contradict each other if one writes what the other reads or writes, and their order makes a difference.

    Raises:
        VariantError: One alone does not fit, or two that do not name each other contradict each other.
    """
    dependencies_by_name = {placed.name: _dependencies(placed, variants) for placed in variants}
    independent_pairs = [
        (one, other)
        for index, other in enumerate(variants)
        for one in variants[:index]
        if one.name not in dependencies_by_name[other.name] and other.name not in dependencies_by_name[one.name]
    ]
    if not independent_pairs:
        return {}
    touched_by_variant: dict[str, list[Touched]] = {}
    problems: list[str] = []
    for placed in variants:
        draft = ground.draft()
        for base in variants:
            if base.name in dependencies_by_name[placed.name]:
                _run_variant(ground, draft, base)
        result = _run_variant(ground, draft, placed, note=True)
        if result.problems and (needed := _find_needed_variant(ground, placed, variants, dependencies_by_name)):
            result.problems[-1] += f"; it fits after {needed}: write after = [{needed!r}] in {placed.name}"
        problems.extend(result.problems)
        touched_by_variant[placed.name] = result.touched
    raise_problems(problems)
    schema = ground.draft().base.schema
    for one, other in independent_pairs:
        contradictions = list(
            islice(find_clashes(touched_by_variant[one.name], touched_by_variant[other.name]), MAX_CLASHES)
        )
        if contradictions:
            bases = [
                placed
                for placed in variants
                if placed.name in dependencies_by_name[one.name] | dependencies_by_name[other.name]
            ]
            both_orders = ((one, other), (other, one))
            outcomes = [_carry_out_in_order(ground, (*bases, *order)) for order in both_orders]
            if _are_same_tables(outcomes[0], outcomes[1]) and all(ORDER not in clash.key for clash in contradictions):
                continue
            valid_order = next(
                (order for order, outcome in zip(both_orders, outcomes, strict=True) if outcome is not None), None
            )
            problems.append(_describe_clash(one, other, contradictions, schema, valid_order))
    raise_problems(problems)
    return touched_by_variant


def _dependencies(placed: PlacedVariant, variants: Sequence[PlacedVariant]) -> set[str]:
    """Return the names of the variants that one builds on or names, transitively."""
    variant_by_name = {p.name: p.variant for p in variants}
    dependencies: set[str] = set()
    pending_names = [*placed.variant.variants, *placed.variant.after]
    while pending_names:
        name = pending_names.pop()
        if name in variant_by_name and name not in dependencies:
            dependencies.add(name)
            pending_names.extend((*variant_by_name[name].variants, *variant_by_name[name].after))
    return dependencies - {placed.name}


def _find_needed_variant(
    ground: Target,
    placed: PlacedVariant,
    variants: Sequence[PlacedVariant],
    dependencies_by_name: Mapping[str, set[str]],
) -> str | None:
    """Return the first variant after which one fits that does not fit alone, by trying it."""
    for other in variants:
        if other.name == placed.name or other.name in dependencies_by_name[placed.name]:
            continue
        names = dependencies_by_name[placed.name] | dependencies_by_name[other.name] | {other.name}
        bases = [base for base in variants if base.name in names - {placed.name}]
        if _carry_out_in_order(ground, (*bases, placed)) is not None:
            return other.name
    return None


def _carry_out_in_order(ground: Target, variants: Sequence[PlacedVariant]) -> Document | None:
    """Carry out variants one after the other; return the document, or None if an operation does not fit."""
    draft = ground.draft()
    return None if any(_run_variant(ground, draft, placed).problems for placed in variants) else draft.document


def _are_same_tables(one: Document | None, other: Document | None) -> bool:
    """Return whether two documents have the same rows, in whatever order."""
    if one is None or other is None:
        return False
    return all(
        one.table(name).keys() == other.table(name).keys()
        and all(same_rows(row, other.table(name)[key]) for key, row in one.table(name).items())
        for name in one.schema.tables
    )


def _describe_clash(
    one: PlacedVariant,
    other: PlacedVariant,
    found: Sequence[Clash],
    schema: Schema,
    settled: tuple[PlacedVariant, PlacedVariant] | None,
) -> str:
    """Return a message about the contradictions of two variants.

    An order is suggested if one works, and overrules few rows.

    Args:
        one: The first.
        other: The one after it.
        found: What they contradict each other on.
        schema: Names tables.
        settled: In which order they can be carried out, if in any.
    """
    clash_keys = list(dict.fromkeys(clash.key for clash in found))
    are_few = len(clash_keys) <= MAX_LISTED_CLASHES and all(len(key) > 1 for key in clash_keys)
    overruled_rows = {row_of_key(clash.key, schema) for clash in found if not clash.is_of_table}
    key_texts = [key_text(key, schema) for key in clash_keys] if are_few else _summarize_keys(clash_keys, schema)
    order_hint = (
        f", or write after = [{settled[0].name!r}] in {settled[1].name}"
        if settled and len(overruled_rows) <= MOST_LISTED
        else ""
    )
    return (
        f"{other.where(found[0].other - 1)}: {other.name} and {one.name} ({one.where(found[0].one - 1)}) "
        f"contradict each other on {' and '.join(filter(None, (', '.join(key_texts[:-1]), key_texts[-1])))}; "
        f"use one of them{order_hint}"
    )


def _summarize_keys(keys: Sequence[Key], schema: Schema) -> list[str]:
    """Return keys table by table: a single one in full, or the number of rows."""
    summaries = []
    for table in dict.fromkeys(key[0] for key in keys):
        table_keys = [key for key in keys if key[0] == table]
        row_keys = {row_of_key(key, schema) for key in table_keys}
        if len(table_keys) == 1 or any(len(key) == 1 for key in table_keys):
            summaries.append(key_text(min(table_keys, key=len), schema))
        else:
            summaries.append(count_rows(table, len(row_keys)))
    return summaries


def _run_variant(
    ground: Target,
    draft: Draft[Any],
    placed: PlacedVariant,
    seen: dict[Key, object] | None = None,
    alone: Sequence[Touched] | None = None,
    *,
    note: bool = False,
) -> _VariantResult:
    """Carry out a variant on a draft, without operations that others have done already in the same words."""
    result = _VariantResult()
    written_values: dict[Key, object] = {}
    numbered_steps = [(-1, placed.variant.head()), *((n, (one,)) for n, one in enumerate(placed.variant.operations))]
    for number, commands in numbered_steps:
        own_touched = alone[number + 1] if alone is not None else None
        if own_touched is not None and seen is not None and is_done_already(own_touched, seen):
            result.touched.append(own_touched)
            continue
        draft.begin(placed.origin(number))
        for command in commands:
            try:
                carry_out(draft, command, ground)
            except CommandError as error:
                operation_text = "the head" if number < 0 else f"operation {number + 1} ({command.kind})"
                result.problems.append(f"{placed.where(number)}: {operation_text}: {error}")
        if note or seen is not None:
            result.touched.append(collect_touched(draft))
            written_values.update(result.touched[-1].wrote)
    if seen is not None:
        seen.update(written_values)
    return result
