"""Commands of every kind of board: batches, rows of any table, settings, accepted findings."""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Annotated, Any, Final, Literal

from pydantic import Field, JsonValue, create_model

from mapkit.core.base import Frozen, JsonObject
from mapkit.core.errors import did_you_mean
from mapkit.document.changes import Patch, row_json
from mapkit.document.command import Command, CommandError, Commands, Draft, Former
from mapkit.document.document import Accepted, Document, Row, Setting, last_rank
from mapkit.document.toml_file import OPAQUE

MAX_COMMANDS: Final = 50_000
MAX_ROWS: Final = 100_000
_KIND_IS_FIXED: Final = "a board keeps its kind; make a new board of the other kind: mapkit new NAME --kind KIND"
_Draft = Draft[Document]


class BatchError(CommandError):
    """A command of a batch does not fit.

    Attributes:
        number: Which, from 1.
        what: Its kind and what is wrong.
    """

    def __init__(self, number: int, count: int, what: str) -> None:
        self.number = number
        self.what = what
        super().__init__(f"command {number} of {count}, {what}")


class Batch(Command):
    """Do commands one after the other as one step, all or none."""

    kind: Literal["batch"] = "batch"
    label: str = Field(min_length=1, max_length=200)
    commands: tuple[JsonObject, ...] = Field(min_length=1, max_length=MAX_COMMANDS)

    @property
    def as_given(self) -> bool:
        """Whether one of its commands sets rows unchecked."""
        return any(one.get("kind") == "set-rows" for one in self.commands)

    def edit(self, draft: _Draft) -> str:
        """Carry out all commands in order."""
        commands = [self.commands_known.read(data) for data in self.commands]
        if any(isinstance(command, Batch) for command in commands):
            raise CommandError("a batch cannot contain another batch; list its commands")
        numbered_commands = enumerate(commands, start=1)
        for _, run in groupby(numbered_commands, key=lambda item: item[1].form_for(draft)):
            first_command = next(run)
            with self.commands_known.draft_for(draft, first_command[1]) as own_draft:
                for number, command in (first_command, *run):
                    try:
                        command.edit(own_draft)
                    except CommandError as error:
                        raise BatchError(number, len(commands), f"{command.kind}: {error}") from error
        return self.label


class RowChange(Frozen):
    """New state of a row; null, or nothing, removes it."""

    table: str = Field(max_length=40)
    key: str = Field(min_length=1, max_length=1000)
    row: JsonObject | None = None

    def put(self, draft: _Draft, *, rank: float = 0.0) -> None:
        """Set or remove the row, with this rank unless it states one.

        Raises:
            CommandError: There is no such table.
        """
        tables = draft.base.schema.tables
        if self.table not in tables:
            raise CommandError(f"no table {self.table!r}{did_you_mean(self.table, tables)}")
        if self.row is None:
            draft.drop(self.table, self.key)
        else:
            draft.put(self.table, self.key, tables[self.table].model_validate({"rank": rank, **self.row}))


class SetRows(Command):
    """Set and remove rows of any tables as one step; the checks report inconsistencies.

    A row that does not say its `rank` stays where it is, a new one comes last. Rows that could not be read from the
    files again are refused.
    """

    kind: Literal["set-rows"] = "set-rows"
    label: str = Field(min_length=1, max_length=200)
    rows: tuple[RowChange, ...] = Field(min_length=1, max_length=MAX_ROWS)

    @property
    def as_given(self) -> bool:
        """Whether it sets rows unchecked: always."""
        return True

    def edit(self, draft: _Draft) -> str:
        """Set or remove the rows."""
        last_ranks: dict[str, float] = {}
        unranked = draft.base.schema.unranked
        for change in self.rows:
            table_rows = draft.table(change.table)
            old_row = table_rows.get(change.key)
            if change.table == "files" and change.row is None and old_row is None:
                raise CommandError(f"no file {change.key!r} to remove{did_you_mean(change.key, table_rows)}")
            if change.table == "settings":
                _refuse_other_kind(change, old_row)
            if old_row is None and change.table not in unranked:
                previous_rank = last_ranks.get(change.table)
                last_ranks[change.table] = last_rank(table_rows) if previous_rank is None else previous_rank + 1
            change.put(draft, rank=old_row.rank if old_row is not None else last_ranks.get(change.table, 0.0))
        if {change.table for change in self.rows} & {"settings", *self.commands_known.own_keys}:
            # A setting cannot be a value and a table of others at once.
            settings = draft.rows("settings", Setting)
            for key in settings:
                parts = key.split(".")
                for n in range(1, len(parts)):
                    _refuse_inside(".".join(parts[:n]), settings, parts[n])
            self.commands_known.check_settings(draft)
        return self.label


def _refuse_other_kind(change: RowChange, old: Row | None) -> None:
    if change.key == "kind" and isinstance(old, Setting) and (change.row or {}).get("value") != old.value:
        raise CommandError(_KIND_IS_FIXED)


def _refuse_inside(above: str, settings: Mapping[str, Setting], name: str) -> None:
    row = settings.get(above)
    if row is not None and row.value != {}:
        raise CommandError(f"{above} is {row.value!r} and holds no {name}; set {above} itself")


class AcceptFinding(Command):
    """Accept a finding, with the reason."""

    kind: Literal["accept-finding"] = "accept-finding"
    finding: str = Field(min_length=1, max_length=1000, description="Its id: code and sorted ids, `N04:somewhere`")
    reason: str = Field(min_length=1, max_length=5000)

    def edit(self, draft: _Draft) -> str:
        """Accept the finding."""
        draft.put("accepted", self.finding, Accepted(reason=self.reason))
        return f"Accept {self.finding}"


class UnacceptFinding(Command):
    """Remove an acceptance."""

    kind: Literal["unaccept-finding"] = "unaccept-finding"
    finding: str

    def edit(self, draft: _Draft) -> str:
        """Remove the acceptance."""
        draft.need("accepted", self.finding, "accepted finding")
        draft.drop("accepted", self.finding)
        return f"No longer accept {self.finding}"


_SettingKey = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$")]


class SetSettings(Command):
    """Set keys of `board.toml`, such as `page.width` or `rules.options`; null removes one."""

    kind: Literal["set-settings"] = "set-settings"
    values: dict[_SettingKey, JsonValue] = Field(min_length=1)
    label: str = Field(default="", max_length=200)

    def edit(self, draft: _Draft) -> str:
        """Set or remove the keys."""
        for key, value in self.values.items():
            first_part = key.split(".", maxsplit=1)[0]
            if first_part in self.commands_known.own_keys:
                raise CommandError(f"{first_part} have commands of their own")
            if first_part == "kind":
                raise CommandError(_KIND_IS_FIXED)
            put_setting(draft, key, value)
        self.commands_known.check_settings(draft)
        label_verb = "Set" if any(value is not None for value in self.values.values()) else "Clear"
        return self.label or f"{label_verb} {', '.join(self.values)}"[:200]


def put_setting(draft: Draft[Any], key: str, value: JsonValue) -> None:
    """Set a key, or remove it and all below it; an object replaces the whole table.

    Raises:
        CommandError: A key above it holds a value, or it is one of what others add.
    """
    if key.startswith(f"{OPAQUE[0]}."):
        raise CommandError(f"{OPAQUE[0]} is one setting, as its names may have dots; set it as a whole")
    for nested_key in [name for name in draft.table("settings") if name.startswith(f"{key}.")]:
        draft.drop("settings", nested_key)
    if value is None:
        draft.drop("settings", key)
    elif isinstance(value, dict) and value and key != OPAQUE[0]:
        draft.drop("settings", key)
        for name, nested_value in value.items():
            put_setting(draft, f"{key}.{name}", nested_value)
    else:
        parts = key.split(".")
        for parent_key in (".".join(parts[:n]) for n in range(1, len(parts))):
            _refuse_inside(parent_key, draft.rows("settings", Setting), parts[-1])
            draft.drop("settings", parent_key)
        draft.put("settings", key, Setting(value=value))


_COMMON_COMMANDS: Final[tuple[tuple[str, type[Command]], ...]] = (
    ("document", Batch),
    ("document", SetRows),
    ("findings", AcceptFinding),
    ("findings", UnacceptFinding),
    ("settings", SetSettings),
)


def commands_of_kind(load: Callable[[], object] | None = None) -> Commands:
    """Return a registry for the commands of a kind of board, including those of every kind.

    Args:
        load: As for `Commands`.
    """
    commands = Commands(load)
    for topic, model in _COMMON_COMMANDS:
        commands.command(topic)(_subclass_for_kind(model))
    commands.renamed_from(FORMER_COMMON)
    return commands


def _convert_setting(data: dict[str, Any]) -> None:
    data["values"] = {data.pop("key", ""): data.pop("value", None)}


FORMER_COMMON: Final = {
    "restore-rows": Former("set-rows"),
    "set-setting": Former("set-settings", convert=_convert_setting),
}
"""Former name of a command of every kind -> the command of today."""


def _subclass_for_kind(model: type[Command]) -> type[Command]:
    """Return a subclass of a command for one kind, since it refers to the other commands of its kind."""
    return create_model(model.__name__, __base__=model, __doc__=model.__doc__, __module__=model.__module__)


def rows_command(patch: Patch, label: str) -> JsonObject:
    """Return a patch as a command that does the same on another document, row by row."""
    rows: list[JsonValue] = [{"table": one.table, "key": one.key, "row": row_json(one.after)} for one in patch]
    return {"kind": "set-rows", "label": label, "rows": rows}
