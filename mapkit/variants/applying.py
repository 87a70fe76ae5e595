"""Carrying out variants on a draft: in order, all operations or none; whether they contradict each other."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from mapkit.core.errors import VariantError
from mapkit.document.command import Command, CommandError, refusals_in_words
from mapkit.document.document import RowOrigin, Schema
from mapkit.document.draft import Draft, Key
from mapkit.variants.independence import Clash, Touched, agrees, clashes, key_text, touched
from mapkit.variants.variant import Variant

MAX_PROBLEMS = 50
"""More are not listed."""
MAX_CLASHES = 10_000
"""So many contradictions of two variants are looked at."""
MAX_SETTLED = 3
"""Two variants that contradict each other on so many things can be settled by their order."""


@dataclass(frozen=True)
class PlacedVariant:
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

    def as_json(self) -> Variant:
        """Return what `--json` prints."""
        return self.variant

    @property
    def name(self) -> str:
        """The variant's name."""
        return self.variant.name

    def where(self, number: int) -> str:
        """Return `file:row` of an operation, or its number."""
        if 0 <= number < len(self.rows):
            return f"{self.file}:{self.rows[number]}"
        return self.file or f"variant {self.name}"

    def origin(self, number: int) -> RowOrigin:
        """Return what the rows that the operation puts come from."""
        row = self.rows[number] if 0 <= number < len(self.rows) else 0
        return RowOrigin(how="variant", file=self.file or f"variants/{self.name}.toml", row=row)


@dataclass(frozen=True)
class Target:
    """What variants are carried out on.

    Args:
        draft: Makes a draft of the document before.
        without: Tables that no operation may change here: what would be laid from them is laid already.
    """

    draft: Callable[[], Draft[Any]]
    without: Collection[str] = ()


@dataclass
class _Done:
    """What one variant did: of each operation what it touched; the first is the head of its file."""

    touched: list[Touched] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def refuse_strangers(board: str, variants: Sequence[PlacedVariant]) -> None:
    """Refuse variants that are for another board.

    Raises:
        VariantError: One is.
    """
    for placed in variants:
        made_for = placed.variant.board
        if made_for is not None and made_for != board:
            raise VariantError(f"{placed.where(-1)}: {placed.name!r} is for the board {made_for!r}, not {board!r}")


def carry_out_all(ground: Target, variants: Sequence[PlacedVariant]) -> Draft[Any]:
    """Return a draft on which variants were carried out in this order, each after its bases.

    Raises:
        VariantError: Operations do not fit, or variants contradict each other; all are listed.
    """
    alone = _alone(ground, variants)
    draft = ground.draft()
    problems: list[str] = []
    seen: dict[Key, object] = {}
    for placed in variants:
        done = _run(ground, draft, placed, seen if alone else None, alone.get(placed.name))
        problems.extend(done.problems)
    refuse(problems)
    return draft


def carry_out(draft: Draft[Any], command: Command, ground: Target | None = None) -> None:
    """Carry out one operation as a step of a draft; one that does not fit leaves nothing behind.

    Raises:
        CommandError: It does not fit.
    """
    try:
        with refusals_in_words():
            command.carry_out(draft)
        if ground is not None:
            _refuse_tables(draft, ground.without)
    except CommandError:
        draft.take_back()
        raise


def _refuse_tables(draft: Draft[Any], without: Collection[str]) -> None:
    for table in sorted(draft.tables_written() & {*without}):
        raise CommandError(f"it changes {table.replace('_', ' ')}, which a compiled board does not have")


def refuse(problems: Sequence[str]) -> None:
    """Refuse what has problems.

    Raises:
        VariantError: There are some; so many are listed as people read.
    """
    if problems:
        more = len(problems) - MAX_PROBLEMS
        raise VariantError([*problems[:MAX_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])


def _alone(ground: Target, variants: Sequence[PlacedVariant]) -> dict[str, list[Touched]]:
    """Return what each variant alone touches, on its bases; empty if each builds on all before it.

    Raises:
        VariantError: One alone does not fit, or two that do not name each other contradict each other.
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
        draft = ground.draft()
        for base in variants:
            if base.name in behind[placed.name]:
                _run(ground, draft, base)
        done = _run(ground, draft, placed, note=True)
        problems.extend(done.problems)
        found[placed.name] = done.touched
    refuse(problems)
    schema = ground.draft().base.schema
    for one, other in apart:
        contradictions = list(islice(clashes(found[one.name], found[other.name]), MAX_CLASHES))
        if contradictions:
            bases = [placed for placed in variants if placed.name in behind[one.name] | behind[other.name]]
            orders = ((one, other), (other, one))
            settled = next((order for order in orders if _settled(ground, (*bases, *order))), None)
            problems.append(_clash_text(one, other, contradictions, schema, settled))
    refuse(problems)
    return found


def _behind(placed: PlacedVariant, variants: Sequence[PlacedVariant]) -> set[str]:
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


def _settled(ground: Target, variants: Sequence[PlacedVariant]) -> bool:
    """Return whether variants can be carried out one after the other."""
    draft = ground.draft()
    return not any(_run(ground, draft, placed).problems for placed in variants)


def _clash_text(
    one: PlacedVariant,
    other: PlacedVariant,
    found: Sequence[Clash],
    schema: Schema,
    settled: tuple[PlacedVariant, PlacedVariant] | None,
) -> str:
    """Return what two variants contradict each other on; where that is much, one after the other makes no sense.

    Args:
        one: The first.
        other: The one after it.
        found: What they contradict each other on.
        schema: Names tables.
        settled: In which order they can be carried out, if in any.
    """
    keys = list(dict.fromkeys(clash.key for clash in found))
    few = len(keys) <= MAX_SETTLED and all(len(key) > 1 for key in keys)
    what = [key_text(key, schema) for key in keys] if few else _summary(keys, schema)
    after = f", or write after = [{settled[0].name!r}] in {settled[1].name}" if few and settled else ""
    return (
        f"{other.where(found[0].other - 1)}: {other.name} and {one.name} ({one.where(found[0].one - 1)}) "
        f"contradict each other on {' and '.join(part for part in (', '.join(what[:-1]), what[-1]) if part)}; "
        f"use one of them{after}"
    )


def _summary(keys: Sequence[Key], schema: Schema) -> list[str]:
    """Return keys table by table: the one that is meant, or how many rows."""
    out = []
    for table in dict.fromkeys(key[0] for key in keys):
        own = [key for key in keys if key[0] == table]
        rows = {key[1] for key in own if len(key) > 1}
        if len(own) == 1 or any(len(key) == 1 for key in own):
            out.append(key_text(min(own, key=len), schema))
        else:
            name = table.replace("_", " ")
            out.append(f"{len(rows)} {name}" if name.endswith("s") else f"{len(rows)} rows of {name}")
    return out


def _run(
    ground: Target,
    draft: Draft[Any],
    placed: PlacedVariant,
    seen: dict[Key, object] | None = None,
    alone: Sequence[Touched] | None = None,
    *,
    note: bool = False,
) -> _Done:
    """Carry out a variant on a draft; what others did already in the same words is passed over."""
    done = _Done()
    made: dict[Key, object] = {}
    steps = [(-1, placed.variant.head()), *((n, (one,)) for n, one in enumerate(placed.variant.operations))]
    for number, commands in steps:
        own = alone[number + 1] if alone is not None else None
        if own is not None and seen is not None and agrees(own, seen):
            done.touched.append(own)
            continue
        draft.begin(placed.origin(number))
        for command in commands:
            try:
                carry_out(draft, command, ground)
            except CommandError as error:
                what = "the head" if number < 0 else f"operation {number + 1} ({command.kind})"
                done.problems.append(f"{placed.where(number)}: {what}: {error}")
        if note or seen is not None:
            done.touched.append(touched(draft))
            made.update(done.touched[-1].wrote)
    if seen is not None:
        seen.update(made)
    return done
