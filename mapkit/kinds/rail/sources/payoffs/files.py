"""Reader of payoff charts (RB-C13) in many file formats, and writer of the canonical format."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import ChoiceError, SourceError, prepend_hints
from mapkit.core.garbage import gc_paused
from mapkit.core.names import fold
from mapkit.core.plurals import count_noun
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table, quote_text
from mapkit.formats.marks import NOT_FINITE, is_mark
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.model.payoffs.chart import (
    CellDoubted,
    CellNotRead,
    NameMatched,
    PayoffChart,
    PayoffReading,
    PayoffsRead,
    find_asymmetric_amounts,
)
from mapkit.kinds.rail.sources.amounts import THOUSAND, read_amounts
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, describe_unknown_name
from mapkit.kinds.rail.sources.payoffs.amounts_left_out import account_for_amounts
from mapkit.kinds.rail.sources.payoffs.doubtful_cells import apply_decisions, list_doubts, list_unseen
from mapkit.kinds.rail.sources.payoffs.file_content import Contents, ReadOptions, name_functions, read_content
from mapkit.kinds.rail.sources.payoffs.names_without_board import OwnNames
from mapkit.kinds.rail.sources.payoffs.table_layouts import AmountBlock, GivenNames, find_blocks

_MAX_SHOWN = 3
PAIRS: Final = "pairs"
"""Layout of a list with two cities and an amount in each row."""


def read_payoff_file(
    path: Path,
    *,
    file: str | None = None,
    board: str = "the board",
    cities: Sequence[KnownCity] | None = None,
    payoff_unit: int = THOUSAND,
    options: ReadOptions | None = None,
) -> PayoffsRead:
    """Read a payoff chart: CSV, TSV, XLSX, JSON, PDF, Markdown or copied text; square or triangle; any unit.

    Args:
        path: The file.
        file: Name of the file in messages; its path by default.
        board: Name of the board in messages.
        cities: The board's cities; without them, the names in the file become the cities.
        payoff_unit: Currency units per unit of the board's chart (`units.payoff`).
        options: Settings of the user.

    Raises:
        SourceError: The file is not a payoff chart, a city is unknown or ambiguous, rows do not line up, or the unit
            cannot be inferred. The error lists every unknown city.
        WorkspaceError: The file is missing or may not be read.
    """
    options, file = (options or ReadOptions()).with_cells(), file or str(path)
    city_names = (
        CityNames(board, cities, options.accept, twins=True) if cities is not None else OwnNames(options.accept)
    )

    def read(contents: Contents) -> PayoffsRead:
        return _read_chart(contents, path, file, city_names, cities, payoff_unit, options)

    with gc_paused():  # a chart has up to half a million values and no reference cycles
        return read_content(path, file, options, city_names, read)


def _read_chart(
    contents: Contents,
    path: Path,
    file: str,
    names: CityNames | OwnNames,
    cities: Sequence[KnownCity] | None,
    payoff_unit: int,
    options: ReadOptions,
) -> PayoffsRead:
    kind, content, notes, hints, pages = contents
    unknown_names: list[NameLeftOut] | None = [] if options.leave_out else None
    with prepend_hints([*hints, *_suggest_pages(kind, content, file, options)]):
        blocks, block_notes = _read_blocks(content, names, file, options)
    with prepend_hints(hints):
        matched_names, cities_by_name, unused_names = _resolve_names(blocks, names, file, unknown_names)
    notes += block_notes
    city_order = tuple(dict.fromkeys(match.city for match in matched_names if match.city))
    index_by_city = {city: k for k, city in enumerate(city_order)}
    chart_entries: list[tuple[int, int, Cell]] = []
    for block in blocks:
        row_indices, column_indices = (
            [[index_by_city[city] for city in cities_by_name[cell.text]] for cell in axis_cells]
            for axis_cells in (block.rows, block.cols)
        )
        chart_entries += [
            (row, col, cell) for r, c, cell in block.cells for row in row_indices[r] for col in column_indices[c]
        ]
        chart_entries += _twin_trips(block, row_indices)
    stray_entries, stray_notes = account_for_amounts(pages, chart_entries, file)
    notes += stray_notes
    chart_entries += [*stray_entries, *list_unseen([*chart_entries, *stray_entries])]
    if options.settled:
        chart_entries = apply_decisions(chart_entries, city_order, options.settled, matched_names, file)
    with prepend_hints(hints):
        amounts = read_amounts(
            [cell for _, _, cell in chart_entries],
            file=file,
            unit=options.unit,
            decimal=options.decimal,
            payoff_unit=payoff_unit,
            ocr=options.accept_ocr,
        )

    def doubted(indices: Iterable[int]) -> tuple[CellDoubted, ...]:
        doubted_cells = [(*chart_entries[k], amounts.values[k] or 0.0) for k in indices]
        return tuple(
            CellDoubted(a=city_order[i], b=city_order[j], where=cell.where, text=cell.text[:MAX_TEXT], value=value)
            for i, j, cell, value in doubted_cells
        )

    amount_by_cell: dict[tuple[int, int], _AmountAndCell] = {}
    unread_cells, problems = [], Problems()
    for (i, j, cell), amount, problem in zip(chart_entries, amounts.values, amounts.why_not, strict=True):
        if problem and i == j and NOT_FINITE.fullmatch(cell.text):
            continue  # pandas and R write NaN on a diagonal
        if problem:
            unread_cells.append(
                CellNotRead(a=city_order[i], b=city_order[j], where=cell.where, text=cell.text[:MAX_TEXT], why=problem)
            )
        elif amount is None:
            continue
        reading = (amount, cell)
        earlier_reading = amount_by_cell.setdefault((i, j), reading)
        if earlier_reading is not reading and earlier_reading[0] != amount and not problem:
            problems.add(
                f"{cell.where}: {city_order[i]} - {city_order[j]} is {cell.text} here but {earlier_reading[1].text} at "
                f"{earlier_reading[1].where}; keep one"
            )
    problems.raise_if_any()
    if kind in ("pdf", "picture") and len(chart_entries) < len(city_order) - 1:
        raise SourceError(
            f"{file}: no chart found: {count_noun(len(chart_entries), 'amount')} among "
            f"{count_noun(len(city_order), 'name')}; if the "
            "chart is on some of its pages, name those with --pages"
        )
    cell_by_index = {key: cell for key, (_, cell) in amount_by_cell.items()}
    chart = PayoffChart(name=Path(path).stem, file=file, cities=city_order, readings=_validate_readings(amount_by_cell))
    return PayoffsRead(
        chart=chart,
        more=tuple(map(str, options.more)),
        kind=kind,
        layout=_describe_layout(chart, blocks),
        diagonal=any(row == col for row, col in amount_by_cell),
        unit=amounts.unit,
        unit_why=amounts.unit_why,
        decimal=amounts.decimal,
        names=tuple(matched_names),
        left_out=tuple(unknown_names or ()),
        unused=tuple(unused_names),
        lacking=tuple(city.id for city in cities or () if city.id not in index_by_city),
        missing=tuple((city_order[i], city_order[j]) for i, j in chart.missing),
        blanks=tuple((city_order[i], city_order[j]) for i, j in chart.blanks),
        not_read=tuple(unread_cells),
        doubted=doubted(amounts.odd),
        corrected=doubted(amounts.corrected),
        in_doubt=list_doubts(chart, cell_by_index, amounts.unit),
        asymmetric=find_asymmetric_amounts(chart),
        notes=tuple(notes),
    )


def _suggest_pages(kind: str, content: Sequence[Table | AmountBlock], file: str, options: ReadOptions) -> list[str]:
    """Return a hint to choose pages of a PDF, if the user has chosen none."""
    table_rows = [row for table in content if isinstance(table, Table) for row in table.rows]
    page_numbers = sorted({cell.spot.page for row in table_rows for cell in row if cell.spot})
    if kind != "pdf" or options.pages or len(page_numbers) < 2:  # noqa: PLR2004
        return []
    page_range = f"{page_numbers[0]} to {page_numbers[-1]}"
    return [f"{file}: amounts are on pages {page_range}; if the chart is on some of them, name those with --pages"]


def _read_blocks(
    content: Sequence[Table | AmountBlock], names: CityNames | OwnNames, file: str, options: ReadOptions
) -> tuple[list[AmountBlock], list[str]]:
    """Return the amounts of all tables, and notes on omissions."""
    all_blocks: list[AmountBlock] = []
    notes: list[str] = []
    given = GivenNames(tuple(options.rows), tuple(options.columns))
    if given != GivenNames() and (len(content) > 1 or not isinstance(content[0], Table)):
        raise ChoiceError(
            f"{file}: --rows and --columns are for a file with one table; choose it with --pages or --box"
        )
    for part in content:
        if isinstance(part, AmountBlock):
            all_blocks.append(part)
            continue
        table_blocks, table_notes = find_blocks(part, file=file, names=name_functions(names), given=given)
        all_blocks += map(_complete_cut_names, table_blocks)
        notes += [*part.notes, *table_notes]
    return all_blocks, notes


def _complete_cut_names(block: AmountBlock) -> AmountBlock:
    """Return a block with names above columns that are cut, `Port`, completed by the rows in the same order."""
    row_names, column_names = ([fold(cell.text) for cell in cells] for cells in (block.rows, block.cols))
    if not block.axes or row_names == column_names:
        return block
    for skipped in range(2):  # a triangle may have no column of the first city
        pairs = list(zip(row_names[skipped:], column_names, strict=False))
        if len(pairs) >= max(len(column_names), len(row_names) - 1, 2) and all(
            name and whole.startswith(name) for whole, name in pairs
        ):
            whole_cells = zip(block.rows[skipped:], block.cols, strict=False)
            return replace(block, cols=tuple(cell._replace(text=whole.text) for whole, cell in whole_cells))
    return block


_AmountAndCell = tuple[float | None, Cell]


def _twin_trips(block: AmountBlock, rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, Cell]]:
    """Yield the trip between twins with a common row: it pays 0, unless the row's own cell has an amount."""
    filled_labels = (
        {(r, block.cols[c].text) for r, c, cell in block.cells if not is_mark(cell.text)} if block.axes else set()
    )
    for r, (label, cities) in enumerate(zip(block.rows, rows, strict=True)):
        if len(cities) > 1 and block.axes and (r, label.text) not in filled_labels:
            yield cities[0], cities[1], Cell("0", label.where)


@lru_cache(maxsize=1)
def _readings_adapter() -> TypeAdapter[tuple[PayoffReading, ...]]:
    return TypeAdapter(tuple[PayoffReading, ...])


def _validate_readings(amount_by_cell: Mapping[tuple[int, int], _AmountAndCell]) -> tuple[PayoffReading, ...]:
    """Return readings sorted by row and column; validating them in one call takes a fifth of the time."""
    return _readings_adapter().validate_python(
        [
            {
                "row": i,
                "col": j,
                "value": value,
                "text": cell.text[:MAX_TEXT],
                "where": cell.where,
                **_spot_fields(cell),
            }
            for (i, j), (value, cell) in sorted(amount_by_cell.items(), key=_cell_of_item)
        ]
    )


def _spot_fields(cell: Cell) -> Mapping[str, object]:
    return {} if cell.spot is None else {"spot": cell.spot._asdict()}


def _cell_of_item(item: tuple[tuple[int, int], _AmountAndCell]) -> tuple[int, int]:
    return item[0]


def payoffs_csv(chart: PayoffChart, cities: Sequence[tuple[str, str]]) -> str:
    """Return `charts/payoffs.csv`: a square of thousands, with both readings where they differ.

    A missing cell is filled from its mirror image, or else left empty.

    Args:
        chart: The chart.
        cities: `(id, name)` in output order; cities that are not in the chart are left out.
    """
    index_by_city = {city: k for k, city in enumerate(chart.cities)}
    name_by_city: dict[str, str] = {}
    for ident, name in cities:
        name_by_city.setdefault(ident, name)
    chart_cities = [(ident, name) for ident, name in name_by_city.items() if ident in index_by_city]
    given_amounts = chart.given
    csv_rows = [["city", *(name for _, name in chart_cities)]]
    for row_city, name in chart_cities:
        row_texts = []
        for column_city, _ in chart_cities:
            both_amounts = (
                float(given_amounts[index_by_city[row_city], index_by_city[column_city]]),
                float(given_amounts[index_by_city[column_city], index_by_city[row_city]]),
            )
            cell_amount = next(
                (amount for amount in both_amounts if amount == amount),  # noqa: PLR0124 - NaN
                0.0 if row_city == column_city else None,
            )
            row_texts.append("" if cell_amount is None else f"{cell_amount:.9g}")
        csv_rows.append([name, *row_texts])
    return csv_text(csv_rows)


def _resolve_names(
    blocks: Sequence[AmountBlock], names: CityNames | OwnNames, file: str, strangers: list[NameLeftOut] | None = None
) -> tuple[list[NameMatched], dict[str, tuple[str, ...]], list[str]]:
    """Return each spelling with its city, the cities of each spelling, and the unused accepted names.

    All problems are reported at once, including names without a city, unless a list for those is given: then they are
    left out and added to it.
    """
    first_cells: dict[str, Cell] = {}
    for block in blocks:
        for cell in (*block.cols, *block.rows) if block.axes else _pair_cells(block):
            first_cells.setdefault(cell.text, cell)
    problems = Problems()
    matched_names: list[NameMatched] = []
    cities_by_name: dict[str, tuple[str, ...]] = {}
    paired_names = {cell.text for block in blocks if not block.axes for cell in _pair_cells(block)}
    _refuse_other_board(first_cells, names, file)
    for typed_name, cell in first_cells.items():
        match = names.find(typed_name)
        if isinstance(match, str) and typed_name not in paired_names:
            match = names.cut(typed_name) or match
        if strangers is not None and isinstance(match, str):
            strangers.append(describe_unknown_name(cell, names if isinstance(names, CityNames) else None))
            cities_by_name[typed_name] = ()
            continue
        if is_mark(typed_name) or isinstance(match, str):
            problems.add(f"{cell.where}: {match if isinstance(match, str) else f'{typed_name!r} is not a city'}")
            continue
        cities_by_name[typed_name] = tuple(city for city in (match.city, match.twin) if city)
        cities = cities_by_name[typed_name] or ("",)
        matched_names += [NameMatched(typed=typed_name, city=city, how=match.how, where=cell.where) for city in cities]
    problems.raise_if_any()
    for block in blocks:
        if block.axes:
            _refuse_doubles(block.rows, cities_by_name, "row", problems)
            _refuse_doubles(block.cols, cities_by_name, "column", problems)
    problems.raise_if_any()
    _refuse_few_cities(cities_by_name, names, strangers or (), file)
    return matched_names, cities_by_name, names.unused(first_cells)


def _refuse_few_cities(
    cities_by_name: Mapping[str, tuple[str, ...]],
    names: CityNames | OwnNames,
    strangers: Sequence[NameLeftOut],
    file: str,
) -> None:
    if len({city for cities in cities_by_name.values() for city in cities}) > 1:
        return
    problems = Problems([f"{name.where}: {names.find(name.typed)}" for name in strangers])
    problems.raise_if_any()
    raise SourceError(f"{file}: fewer than two cities in it; is it a payoff chart?")


def _refuse_other_board(typed: Collection[str], names: CityNames | OwnNames, file: str) -> None:
    if (
        len(typed) <= _MAX_SHOWN
        or not isinstance(names, CityNames)
        or any(names.fit(typed_name) or names.cut(typed_name) for typed_name in typed)
    ):
        return
    sample_names = ", ".join(quote_text(name) for name in list(typed)[:_MAX_SHOWN])
    raise SourceError(
        f"{file}: none of its {len(typed)} names ({sample_names}, ...) is a city of {names.board}; "
        "is it a payoff chart of "
        "this board?"
    )


def _pair_cells(block: AmountBlock) -> list[Cell]:
    return [cell for pair in zip(block.rows, block.cols, strict=True) for cell in pair]


def _refuse_doubles(cells: Sequence[Cell], ids: Mapping[str, tuple[str, ...]], what: str, problems: Problems) -> None:
    cell_by_city: dict[str, Cell] = {}
    for cell in cells:
        for city in ids[cell.text]:
            if city in cell_by_city:
                problems.add(
                    f"{cell.where}: {what} {cell.text!r} is {city}, as {cell_by_city[city].text!r} at "
                    f"{cell_by_city[city].where} is; "
                    "rename one"
                )
            cell_by_city.setdefault(city, cell)


def _describe_layout(chart: PayoffChart, blocks: Sequence[AmountBlock]) -> str:
    """Return a description of the shape, with the original layout where it is not obvious."""
    original_layouts = sorted({block.layout for block in blocks} - {"in place", "objects"})
    if any(block.layout == PAIRS for block in blocks):
        return PAIRS
    lower_surplus = sum(
        1 if reading.row > reading.col else -1 for reading in chart.readings if reading.row != reading.col
    )
    shape_name = "square" if chart.square else "lower triangle" if lower_surplus > 0 else "upper triangle"
    return f"{shape_name} ({', '.join(original_layouts)})" if original_layouts else shape_name
