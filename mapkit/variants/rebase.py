"""Rebase of a variant onto a changed base: renamed ids are followed, and operations that no longer fit dropped."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, SerializeAsAny

from mapkit.core.base import Frozen
from mapkit.core.errors import VariantError
from mapkit.core.plurals import MOST_LISTED, join_some
from mapkit.document.command import Command, CommandError, Makes, Names
from mapkit.document.document import Schema
from mapkit.document.draft import EXISTS, GONE, Draft, Key, RowWritten
from mapkit.variants.applying import Target, carry_out
from mapkit.variants.contradictions import count_rows, key_text, row_of_key
from mapkit.variants.variant import Variant

# Ids in the fields of commands, found by type annotations and renamed.

Rename = Callable[[str, object], object]
"""Takes what a value names, and the value (an id, or several), to its other name."""


@cache
def _field_hints(model: type[BaseModel]) -> Mapping[str, Any]:
    hints = get_type_hints(model, include_extras=True)
    return {name: hint for name, hint in hints.items() if name in model.model_fields}


def rename_ids(command: Command, rename: Rename) -> Command:
    """Return a command with renamed ids; the same command if none changes."""
    new_fields = _rename_fields(command, rename)
    old_fields = {name: getattr(command, name) for name in command.model_fields_set}
    return type(command).model_validate({**old_fields, **new_fields}) if new_fields else command


def _rename_fields(model: BaseModel, rename: Rename) -> dict[str, object]:
    """Return the fields with changed ids."""
    values = {name: getattr(model, name) for name in model.model_fields_set}
    hints = _field_hints(type(model))
    new_values = {
        name: _rename_value(hints[name], value, rename, values) for name, value in values.items() if name in hints
    }
    return {name: value for name, value in new_values.items() if value != values[name]}


def list_named_ids(command: Command) -> Iterator[str]:
    """Yield all ids that a command refers to."""
    named_ids: list[str] = []

    def record_ids(_what: str, value: object) -> object:
        named_ids.extend([value] if isinstance(value, str) else map(str, value) if isinstance(value, tuple) else [])
        return value

    rename_ids(command, record_ids)
    yield from named_ids


def created_ids(command: Command) -> Iterator[str]:
    """Yield the ids that a command creates."""
    for name, hint in _field_hints(type(command)).items():
        value = getattr(command, name)
        if value is not None and any(isinstance(note, Makes) for note in _annotations(hint)):
            yield str(value)


def _annotations(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a type
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _rename_value(hint: Any, value: object, rename: Rename, beside: Mapping[str, object]) -> object:  # noqa: ANN401
    """Return a value with its ids renamed, as far as its type marks them as ids."""
    if get_origin(hint) is Annotated:
        names_note = next((note for note in _annotations(hint) if isinstance(note, Names)), None)
        if names_note is not None:
            return rename(
                names_note.what if not names_note.by else f"{names_note.what} of {beside.get(names_note.by)}", value
            )
        hint = get_args(hint)[0]
    if isinstance(value, BaseModel):
        return value.model_copy(update=_rename_fields(value, rename))
    kind, type_arguments = get_origin(hint), get_args(hint)
    if (
        kind in (Union, UnionType)
        and len(union_member := [nested_value for nested_value in type_arguments if nested_value is not NoneType]) == 1
    ):
        return _rename_value(union_member[0], value, rename, beside)
    if kind is tuple and isinstance(value, tuple):
        item_types = type_arguments[:1] * len(value) if type_arguments[1:] == (Ellipsis,) else type_arguments
        return tuple(_rename_value(*item, rename, beside) for item in zip(item_types, value, strict=True))
    if kind is dict and isinstance(value, Mapping):
        return {
            _rename_value(type_arguments[0], key, rename, beside): nested_value for key, nested_value in value.items()
        }
    return value


Fate = Literal["fits", "adapted", "overrides", "done already", "no longer fits"]


class RebasedOperation(Frozen):
    """Fate of an operation; `number` counts from 1 in the old variant."""

    number: int = Field(ge=1)
    op: str
    fate: Fate
    text: str = Field(default="", description="What was adapted, or why it does not fit")


class Rebased(Frozen):
    """The variant for the new base, and the fate of every operation."""

    variant: SerializeAsAny[Variant]
    operations: tuple[RebasedOperation, ...]

    def of(self, fate: Fate) -> tuple[RebasedOperation, ...]:
        """Return the operations of one fate."""
        return tuple(o for o in self.operations if o.fate == fate)

    def rows(self) -> list[tuple[int, str, str, str]]:
        """Return the fate of each operation as a row to print: number, operation, fate, adaptation or reason."""
        return [(one.number, one.op, one.fate, one.text) for one in self.operations]

    @property
    def ok(self) -> bool:
        """Whether every operation still fits, unchanged or adapted, or is done already."""
        return not self.of("no longer fits")

    @property
    def exit_code(self) -> int:
        """Return 1 if an operation no longer fits."""
        return int(not self.ok)


@dataclass(frozen=True)
class BaseChange:
    """Change from the old base of a variant to the new one.

    Args:
        board: The id of the new base; a variant for one board is for this one then.
        operations: The operations that lead from the old base to the new one.
        rename: Takes what a field names, and an id of the old base, to the id in the new base.
        rename_row: The same for a row: its table, key and itself.
        explain_loss: Says of an operation that does not fit what happened to what it names; empty if nothing is known.
    """

    board: str
    operations: Sequence[Command]
    rename: Rename = lambda _what, value: value
    rename_row: Callable[[RowWritten], RowWritten] = lambda written: written
    explain_loss: Callable[[Command], str] = lambda _operation: ""


def rebase_variant(variant: Variant, old: Target, new: Target, change: BaseChange) -> Rebased:
    """Move a variant from one base to another.

    Each operation is carried out on the new base, after the previous ones that fit. It is *done already* if the new
    base has all that it states, and *no longer fits* if it cannot be carried out, or expects a value (`was`) that the
    new base has changed; both are left out of the variant. One that *overrides* stays: it sets a value that the new
    base has also set, but differently.

    Args:
        variant: It fits `old`; its bases are applied to both already.
        old: What it was made for.
        new: What it is moved to.
        change: The change from the one to the other.

    Raises:
        VariantError: The variant does not fit `old`.
    """
    before, after = old.draft(), new.draft()
    base_changes, base_operations = (
        _base_writes(old, change.operations),
        {_json_without_reason(operation) for operation in change.operations},
    )
    kept_operations: list[Command] = []
    fates: list[RebasedOperation] = []
    lost_ids: dict[str, int] = {}
    for number, operation in enumerate(variant.operations, start=1):
        renamed_operation = rename_ids(operation, change.rename)
        if wrong := _try_operation(before, operation, old):
            raise VariantError(
                f"variant {variant.name}: operation {number} ({operation.kind}) does not fit the base that it was made "
                f"for: {wrong}"
            )
        written_values = before.written()
        stated_rows = [change.rename_row(row) for row in before.rows_stated()]
        is_there = (stated_rows and all(row.is_in(after) for row in stated_rows)) or _is_done_already(
            written_values, base_changes
        )
        builds_on = next((lost_ids[ident] for ident in list_named_ids(operation) if ident in lost_ids), None)
        problem = (
            f"it builds on operation {builds_on}, which is left out"
            if builds_on
            else _try_operation(after, renamed_operation, new)
        )
        # An element that can still be removed is not gone, even if the base renamed it.
        still_there = not problem and all(value == GONE for value in written_values.values())
        overridden = _describe_overrides(written_values, base_changes, before)
        fate: Fate
        if _json_without_reason(operation) in base_operations or (is_there and not still_there):
            fate, text = "done already", "the new base already has it"
        elif overridden and _is_made_twice(written_values, base_changes):
            fate, text = "no longer fits", overridden
        elif problem:
            fate, text = "no longer fits", problem + ("" if builds_on else change.explain_loss(operation))
        else:
            kept_operations.append(renamed_operation)
            adapted = "" if renamed_operation == operation else _describe_adaptation(operation, renamed_operation)
            fate = "overrides" if overridden else "adapted" if adapted else "fits"
            text = overridden or adapted
        if fate in ("done already", "no longer fits"):
            if not problem:
                after.take_back()
            lost_ids |= dict.fromkeys(created_ids(operation) if fate == "no longer fits" else (), number)
        fates.append(RebasedOperation(number=number, op=operation.kind, fate=fate, text=text))
    board = None if variant.board is None else change.board
    return Rebased(
        variant=variant.model_copy(update={"operations": tuple(kept_operations), "board": board}),
        operations=tuple(fates),
    )


def _try_operation(draft: Draft[Any], operation: Command, ground: Target) -> str:
    """Carry out an operation as a step of a draft; return the reason if it does not fit."""
    draft.begin()
    try:
        carry_out(draft, operation, ground)
    except CommandError as error:
        return str(error)
    return ""


def _json_without_reason(operation: Command) -> str:
    """Return an operation as JSON without its reason."""
    return operation.model_dump_json(exclude={"reason"})


def _base_writes(old: Target, operations: Sequence[Command]) -> dict[Key, tuple[object, str]]:
    """Return the writes of the base's own change: key -> value and reason."""
    draft = old.draft()
    writes: dict[Key, tuple[object, str]] = {}
    for operation in operations:
        draft.begin()
        carry_out(draft, operation)
        writes |= {key: (value, operation.reason) for key, value in draft.written().items()}
    return writes


def _is_done_already(wrote: Mapping[Key, object], changed: Mapping[Key, tuple[object, str]]) -> bool:
    """Return whether the base's own change wrote all that an operation writes, in the same words."""
    return bool(wrote) and all(key in changed and changed[key][0] == value for key, value in wrote.items())


def _describe_overrides(
    wrote: Mapping[Key, object], changed: Mapping[Key, tuple[object, str]], draft: Draft[Any]
) -> str:
    """Return a text about values that the base changed differently; empty if there are none."""
    common_keys = [key for key, value in wrote.items() if key in changed and changed[key][0] != value]
    schema = draft.base.schema
    rows_by_reason: dict[str, dict[Key, Key]] = {}
    for key in common_keys:
        rows_by_reason.setdefault(changed[key][1], {}).setdefault(row_of_key(key, schema), key)
    return join_some(
        (
            f"{_describe_rows(list(keys.values()), schema)} in the base too: {reason}"
            for reason, keys in rows_by_reason.items()
        ),
        "; ",
    )


def _describe_rows(keys: Sequence[Key], schema: Schema) -> str:
    """Return a phrase such as `railroad pa, price was changed`, or `861 payoffs were changed`."""
    if len(keys) <= MOST_LISTED:
        return f"{join_some(key_text(key, schema) for key in keys)} {'was' if len(keys) == 1 else 'were'} changed"
    counts = Counter(key[0] for key in keys)
    return f"{' and '.join(count_rows(table, number) for table, number in counts.items())} were changed"


def _is_made_twice(wrote: Mapping[Key, object], changed: Mapping[Key, tuple[object, str]]) -> bool:
    """Return whether an operation creates an element that the base also created, but differently."""
    return any(
        key[-1] == EXISTS
        and key in changed
        and any(k[:-1] == key[:-1] and k in changed and changed[k][0] != v for k, v in wrote.items())
        for key in wrote
    )


def _describe_adaptation(one: Command, other: Command) -> str:
    """Return a text about the fields of an operation with changed values."""
    before, after = one.model_dump(mode="json"), other.model_dump(mode="json")
    return "; ".join(_describe_values(key, before[key], after[key]) for key in after if before[key] != after[key])


def _describe_values(key: str, old_value: object, new_value: object) -> str:
    """Return a text about a changed value; of a list only the changed items, at most ten."""
    if isinstance(old_value, list) and isinstance(new_value, list) and len(old_value) == len(new_value):
        changed = [f"{one} -> {other}" for one, other in zip(old_value, new_value, strict=True) if one != other]
        return f"{key}: {join_some(changed, '; ')}"
    return f"{key}: {old_value} -> {new_value}"
