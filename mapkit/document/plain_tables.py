"""Plain tables: `board.toml` for settings, and a CSV file a table, with spelling preserved on saving.

A column holds a field of the rows. Other details of a kind's table are in its `TableForm`.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from mapkit.core.base import SLUG
from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError
from mapkit.core.invalid import invalid_value_message
from mapkit.core.names import fold
from mapkit.core.problems import Problem, parse_problem
from mapkit.document.document import Accepted, D, Document, Row, RowOrigin, document_of_rows, sort_rows
from mapkit.document.toml_file import CONFIG_FILE, accepted_data, settings_data, settings_of, toml_text
from mapkit.formats.tables import Problems, RawRows, column_separator, raw_rows, read_table
from mapkit.formats.tables import Row as TextRow
from mapkit.formats.toml_reading import parse_toml, refuse_unbounded_numbers

R = TypeVar("R", bound=Row)
_Files = Mapping[str, str | bytes]
_PATH_CHARACTERS = re.compile(r"[/\\]|^\.")
"""Characters forbidden in ids, since file names are made of them."""
_CONFIG_TABLES = ("settings", "accepted")
"""Tables that stand in `board.toml`."""
_ID_CURE: Final = "write small letters and digits, joined by hyphens"


@dataclass(frozen=True)
class TableForm:
    """Format of a table in a CSV file.

    Args:
        file: The file.
        key: The columns that name a row; a single one that is no field holds its key.
        key_of: Gives the key of a row where several columns name it.
        columns: Field -> its column, where that has another name.
        optional: Columns that a file may lack although each row has a value for them.
        unique: Columns in which no two rows may have one name, however it is spelled.
        slugs: Whether keys are ids of small letters and digits.
        repeats: Whether rows may have the same key; those after the first are numbered.
        written: Columns that are written even if no row fills them; None for all.
        texts: Field -> its text in a file, where that is not the shortest.
        typed: Gives the cells that people type in place of ids, by column, of a document and a row.
        context: Gives the names in a document by which cells of a row may be typed; the row is spelled again when they
            change.
    """

    file: str
    key: tuple[str, ...] = ("id",)
    key_of: Callable[[Any], str] | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    unique: tuple[str, ...] = ()
    slugs: bool = False
    repeats: bool = False
    written: frozenset[str] | None = None
    texts: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    typed: Callable[[Any, Any], Mapping[str, str]] | None = None
    context: Callable[[Any, Any], tuple[str, ...]] | None = None

    def header(self, model: type[Row]) -> dict[str, str]:
        """Return the columns in order, each with its field; a key without a field has an empty one."""
        field_by_column = {self.columns.get(name, name): name for name in model.model_fields if name != "rank"}
        return {column: field_by_column.get(column, "") for column in (*self.key, *field_by_column)}

    def required(self, model: type[Row]) -> list[str]:
        """Return the required columns of a file."""
        fields = model.model_fields
        return [
            column
            for column, name in self.header(model).items()
            if column not in self.optional and (not name or fields[name].is_required())
        ]


def table_form(table: str) -> TableForm:
    """Return the default form of a table: the file `TABLE.csv`, its rows by `id`."""
    return TableForm(f"{table}.csv")


def filled_cells(row: TextRow) -> dict[str, object]:
    """Return the non-empty cells of a row, as values of fields."""
    return {column: cell for column, cell in row.cells.items() if cell}


class TableReader:
    """Reader of tables that skips and notes invalid rows.

    Attributes:
        problems: What is wrong.
        origins: Where each row stands; of a table without rows, where its header does.
        unread: Tables whose files cannot be read at all.
        lost: Rows that are wrong, with their tables.
    """

    def __init__(self, files: _Files) -> None:
        self._files = files
        self._parsed: dict[str, RawRows] = {}
        self.problems: list[Problem] = []
        self.origins: dict[tuple[str, str], RowOrigin] = {}
        self.unread: set[str] = set()
        self.lost: list[tuple[str, TextRow]] = []

    def parsed(self, table: str, file: str) -> RawRows:
        """Return the rows of a file, its header first; none if it is missing or cannot be read."""
        if file not in self._parsed:
            self._parsed[file] = ()
            text = self._files.get(file)
            if isinstance(text, str):
                try:
                    self._parsed[file] = tuple(raw_rows(text, file=file))
                except SourceError as error:
                    self.refuse(table, error)
        return self._parsed[file]

    def note(self, table: str, error: SourceError) -> None:
        """Add the problems of parts of a table."""
        self.problems += [parse_problem(text, table=table) for text in error.problems]

    def refuse(self, table: str, error: SourceError) -> None:
        """Add a table as unreadable, with the reason."""
        self.unread.add(table)
        self.note(table, error)

    def name_rows(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Return problems with the cells of their rows as names."""
        problems = tuple(problems)
        files = {problem.file for problem in problems}
        rows = {(file, number): cells for file in files for number, cells in self._parsed.get(file or "", ())}
        return tuple(replace(each, names=tuple(rows.get((each.file, each.row or 0), ()))) for each in problems)

    def raise_if_any(self, *, empty: bool = False) -> None:
        """Raise all problems as one error.

        Args:
            empty: Whether tables may have no rows.

        Raises:
            SourceError: There is at least one.
        """
        bare_headers = [] if empty else [origin for (_, key), origin in self.origins.items() if not key]
        all_problems = [
            f"{at.file}:{at.row}: no rows below the header; add some or remove the file" for at in bare_headers
        ]
        all_problems += map(str, sorted(self.problems, key=lambda problem: problem.row or 0))
        if all_problems:
            raise SourceError(all_problems)

    def text_rows(self, table: str, file: str, required: Sequence[str], optional: Sequence[str] = ()) -> list[TextRow]:
        """Return the rows of a file as texts; none if it is missing or cannot be read."""
        raw_table = self.parsed(table, file)
        if not raw_table:
            return []
        if len(raw_table) == 1:
            self.origins[table, ""] = RowOrigin(file, 1)
        row_problems = Problems(kept=True)
        try:
            return read_table(raw_table, file=file, required=required, optional=optional, problems=row_problems)
        except SourceError as error:
            self.refuse(table, error)
            return []
        finally:
            self.problems += [parse_problem(text, table=table) for text in row_problems.found]

    def rows(
        self,
        table: str,
        model: type[R],
        form: TableForm | None = None,
        read: Callable[[TextRow], Mapping[str, object]] = filled_cells,
    ) -> dict[str, R]:
        """Return the rows of a table by key, in order.

        Args:
            table: The table.
            model: Its rows.
            form: The form of its file; `TABLE.csv` by default.
            read: Gives the values of a row's fields; raises SourceError for a row that is wrong, without a problem for
                one that is only left out.
        """
        form = form or table_form(table)
        required_columns = form.required(model)
        optional_columns = [column for column in form.header(model) if column not in required_columns]
        has_own_key = not form.header(model)[form.key[0]]
        row_by_key: dict[str, R] = {}
        row_of_value: dict[tuple[str, str], int] = {}
        for row in self.text_rows(table, form.file, required_columns, optional_columns):
            row_problems = [*_key_problems(row, form, row_of_value)]
            key, validated = row.cells[form.key[0]], None
            try:
                values = {name: value for name, value in read(row).items() if not has_own_key or name != form.key[0]}
                validated = _validate_row(model, row, values)
            except SourceError as error:
                row_problems += error.problems
            if validated is not None and form.key_of is not None:
                key = form.key_of(validated)
                if not form.repeats:
                    row_problems += _duplicate_problem(row, form.key[-1], key, row_of_value)
                    row_of_value.setdefault((form.key[-1], key), row.number)
            self.problems += [parse_problem(text, table=table) for text in row_problems]
            if validated is None or row_problems:
                self.lost.append((table, row))
                continue
            if key in row_by_key:
                key = next(
                    name for number in range(2, len(row_by_key) + 3) if (name := f"{key}#{number}") not in row_by_key
                )
            row_by_key[key] = validated
            self.origins[table, key] = RowOrigin(form.file, row.number)
        return row_by_key


def _key_problems(row: TextRow, form: TableForm, taken: dict[tuple[str, str], int]) -> Iterator[str]:
    """Yield the problems of a row's names, and record the names."""
    column = form.key[0]
    key = row.cells[column]
    if form.key_of is None:
        if not key:
            yield row.at(f"{column} is empty; give one")
        elif form.slugs and not re.fullmatch(SLUG, key):
            yield row.at(f"{column} is {key[:80]!r}: {_ID_CURE}, such as new-york-ny")
        elif column == "id" and _PATH_CHARACTERS.search(key):
            yield row.at(f"{column} is {key[:80]!r}: an id is not a path; {_ID_CURE}")
    key_values = {} if form.key_of is not None else {column: key}
    for name, value in (key_values | {unique: fold(row.cells[unique]) for unique in form.unique}).items():
        if value:
            yield from _duplicate_problem(row, name, value, taken)
            taken.setdefault((name, value), row.number)


def _duplicate_problem(row: TextRow, column: str, value: str, taken: Mapping[tuple[str, str], int]) -> Iterator[str]:
    if (column, value) in taken:
        clash_text = f"{column} {row.cells[column]!r} is already in row {taken[column, value]}"
        yield row.at(f"{clash_text}; rename one, or remove it")


def _validate_row(model: type[R], row: TextRow, values: Mapping[str, object]) -> R:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise SourceError(
            [
                row.at(
                    f"{item['loc'][0]} is empty; fill it in"
                    if item["type"] == "missing"
                    else invalid_value_message(item)
                )
                for item in error.errors()
            ]
        ) from error


def read_plain(of: type[D], files: _Files) -> tuple[D, tuple[Problem, ...]]:
    """Return the document of files, and the problems of unreadable parts.

    Raises:
        SourceError: `board.toml` is not a TOML.
    """
    config_text = files.get(CONFIG_FILE, "")
    config_text = config_text if isinstance(config_text, str) else ""
    config_data = parse_toml(config_text, file=CONFIG_FILE)
    refuse_unbounded_numbers(config_data, config_text, file=CONFIG_FILE)
    tables: dict[str, list[tuple[str, Row]]] = {"settings": [*settings_of(config_data)]}
    accepted = config_data.get("accepted", {})
    if isinstance(accepted, dict):
        tables["accepted"] = [(key, Accepted(reason=str(reason))) for key, reason in accepted.items()]
    reader = TableReader(files)
    for name, model in of.schema.tables.items():
        if name not in _CONFIG_TABLES:
            tables[name] = [*reader.rows(name, model).items()]
    return document_of_rows(of, tables, reader.origins), reader.name_rows(reader.problems)


# Saving


@dataclass(frozen=True)
class SavedRow:
    """A row of a file: its cells, and other context of their meaning, such as names that cells may be typed by."""

    cells: tuple[str, ...]
    context: tuple[str, ...] = ()


@dataclass(frozen=True)
class SavedTable:
    """A table in the form of files.

    Args:
        header: Its columns.
        rows: Its rows.
        written: Columns that a new file has even if no row fills them; None for all.
    """

    header: tuple[str, ...]
    rows: Sequence[SavedRow]
    written: frozenset[str] | None = None

    def text(self) -> str:
        """Return the text of a new file."""
        used_columns = [
            n
            for n, name in enumerate(self.header)
            if self.written is None or name in self.written or any(row.cells[n] for row in self.rows)
        ]
        return csv_text([cells[n] for n in used_columns] for cells in (self.header, *(row.cells for row in self.rows)))

    def text_like(self, text: str, old: "SavedTable") -> str | None:
        """Return the text of a file with unchanged rows in their old spelling.

        Args:
            text: The file as it is.
            old: What it holds.

        Returns:
            None if its rows are not a line each, its columns do not do, or all is spelled as in a new file, which then
            gains and loses columns as a new one has them.
        """
        if text == old.text():
            return None
        old_lines = spelled_lines(text)
        if old_lines is None or len(old_lines) != len(old.rows) + 1 or old.header != self.header:
            return None
        old_columns = [cell.strip() for cell in next(csv.reader([old_lines[0]]))]
        while old_columns and not old_columns[-1]:  # as spreadsheets leave them
            old_columns.pop()
        if not set(old_columns) <= set(self.header) or len(set(old_columns)) < len(old_columns):
            return None
        column_order = [self.header.index(column) for column in old_columns]
        lines_by_row: dict[SavedRow, list[str]] = {}
        for row, line in zip(old.rows, old_lines[1:], strict=True):
            lines_by_row.setdefault(row, []).append(line)
        new_lines = [old_lines[0]]
        for row in self.rows:
            same_lines = lines_by_row.get(row)
            if not same_lines and any(cell for n, cell in enumerate(row.cells) if n not in column_order):
                return None
            new_lines.append(same_lines.pop(0) if same_lines else csv_text([[row.cells[n] for n in column_order]]))
        return "".join(new_lines)


def saved_table(document: Document, table: str, form: TableForm | None = None) -> SavedTable:
    """Return a table in the form of its file.

    Args:
        document: The document.
        table: The table.
        form: The form of its file; `TABLE.csv` by default.
    """
    form = form or table_form(table)
    header = form.header(document.schema.tables[table])
    rows: list[SavedRow] = []
    for key, row in sort_rows(document.table(table)):
        typed_cells = {} if form.typed is None else form.typed(document, row)
        cell_texts = tuple(
            typed_cells[column]
            if column in typed_cells
            else _field_text(form, name, getattr(row, name))
            if name
            else key
            for column, name in header.items()
        )
        rows.append(SavedRow(cell_texts, () if form.context is None else form.context(document, row)))
    return SavedTable(tuple(header), rows, form.written)


def _field_text(form: TableForm, name: str, value: object) -> str:
    if value is None:
        return ""
    return form.texts[name](value) if name in form.texts else cell_text(value)


def cell_text(value: object) -> str:
    """Return the text of a value in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):  # a field of the type `Listed`
        return " ".join(map(str, value))
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def changed_tables(
    now: Mapping[str, SavedTable], was: Mapping[str, SavedTable], present: _Files, *, keep: bool = True
) -> tuple[dict[str, str | bytes], list[str]]:
    """Return the files of tables to write, and those to remove.

    Args:
        now: What files should hold.
        was: What they hold.
        present: The files as they are.
        keep: Whether rows that stay keep their spelling.
    """
    file_texts: dict[str, str | bytes] = {}
    for name, table in now.items():
        old_table, present_text = was.get(name), present.get(name)
        if keep and old_table is not None and isinstance(present_text, str):
            if old_table.rows == table.rows:
                continue
            keeps_form = column_separator(present_text) == ","
            file_texts[name] = (keeps_form and table.text_like(present_text, old_table)) or table.text()
        else:
            file_texts[name] = table.text()
    return file_texts, [name for name, table in was.items() if table.rows and name not in now]


def spelled_lines(text: str) -> list[str] | None:
    """Return the lines of a table as typed, without blank ones; None if a row has more than one line."""
    lines = text.splitlines(keepends=True)
    if '"' in text and any(line.count('"') % 2 for line in lines):
        return None
    filled_lines = [line for line in lines if any(cell.strip() for cell in line.split(","))]
    if len(filled_lines) != sum(1 for _ in raw_rows(text, file="table")):
        return None
    return [line if line.endswith("\n") else f"{line}\n" for line in filled_lines]


_NO_FILES: Final[_Files] = {}


def plain_files(
    document: Document, saved: Document | None = None, present: _Files = _NO_FILES, *, keep: bool = True
) -> tuple[dict[str, str | bytes], tuple[str, ...]]:
    """Return the files to write so that they hold a document, and those to remove.

    Args:
        document: What they should hold.
        saved: What they hold.
        present: The files as they are.
        keep: Whether rows that stay keep their spelling.
    """
    saved = saved or type(document)()
    write: dict[str, str | bytes] = {}
    if CONFIG_FILE not in present or any(document.table(name) != saved.table(name) for name in _CONFIG_TABLES):
        config_text = present.get(CONFIG_FILE, "")
        config_data = settings_data(document) | accepted_data(document)
        write[CONFIG_FILE] = toml_text(config_data, config_text if isinstance(config_text, str) else "")
    table_texts, removed_files = changed_tables(_plain_tables(document), _plain_tables(saved), present, keep=keep)
    return changed_files(write | table_texts, removed_files, present)


def _plain_tables(document: Document) -> dict[str, SavedTable]:
    table_names = (name for name in document.schema.tables if name not in _CONFIG_TABLES and document.table(name))
    return {f"{name}.csv": saved_table(document, name) for name in table_names}


def changed_files(
    write: Mapping[str, str | bytes], gone: Iterable[str], present: _Files
) -> tuple[dict[str, str | bytes], tuple[str, ...]]:
    """Return the writes that differ from the present files, and the removals of present files."""
    return (
        {name: data for name, data in write.items() if data != present.get(name)},
        tuple(sorted(name for name in gone if name in present)),
    )
