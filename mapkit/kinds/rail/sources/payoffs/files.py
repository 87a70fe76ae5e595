"""Reading a payoff chart from whatever file it comes in (RB-C13), and writing the canonical one."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError, with_hints
from mapkit.core.garbage import gc_paused
from mapkit.core.plurals import counted
from mapkit.formats.cells.table import MAX_TEXT, Cell, Table, shown
from mapkit.formats.marks import is_mark
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.left_out import NameLeftOut
from mapkit.kinds.rail.model.payoffs.chart import (
    CellDoubted,
    CellNotRead,
    NameMatched,
    PayoffChart,
    PayoffReading,
    PayoffsRead,
    TwoReadings,
)
from mapkit.kinds.rail.sources.amounts import THOUSAND, read_amounts
from mapkit.kinds.rail.sources.city_names import CityNames, KnownCity, stranger
from mapkit.kinds.rail.sources.payoffs.content import Contents, ReadOptions, names_of, read_content
from mapkit.kinds.rail.sources.payoffs.doubts import doubts, settled, unseen
from mapkit.kinds.rail.sources.payoffs.grid import AmountBlock, blocks_of
from mapkit.kinds.rail.sources.payoffs.own_names import OwnNames

_FEW = 3
PAIRS: Final = "pairs"
"""The layout of a list with two cities and an amount in each row."""


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
        file: What to call it in messages; its path by default.
        board: What to call the board in messages.
        cities: The board's cities; without them the names in the file are the cities, with ids made from them.
        payoff_unit: Currency units that one unit of the board's chart is worth (`units.payoff`).
        options: What the user says about the file.

    Raises:
        SourceError: The file is not a payoff chart, a city is unknown or ambiguous, rows do not line up, or the unit
            cannot be inferred. Every city that was not found is listed.
        WorkspaceError: The file is missing or may not be read.
    """
    options, file = options or ReadOptions(), file or str(path)
    names = CityNames(board, cities, options.accept, twins=True) if cities is not None else OwnNames(options.accept)

    def read(contents: Contents) -> PayoffsRead:
        return _read(contents, path, file, names, cities, payoff_unit, options)

    with gc_paused():  # a chart makes half a million values and no cycle, and is bounded in size
        return read_content(path, file, options, names, read)


def _read(
    contents: Contents,
    path: Path,
    file: str,
    names: CityNames | OwnNames,
    cities: Sequence[KnownCity] | None,
    payoff_unit: int,
    options: ReadOptions,
) -> PayoffsRead:
    kind, content, notes, hints = contents
    strangers: list[NameLeftOut] | None = [] if options.leave_out else None
    with with_hints([*hints, *_other_pages(kind, content, file, options)]):
        blocks, more = _blocks(content, names, file)
    with with_hints(hints):
        matched, ids, unused = _resolve(blocks, names, file, strangers)
    notes += more
    order = tuple(dict.fromkeys(match.city for match in matched if match.city))
    at = {city: k for k, city in enumerate(order)}
    entries: list[tuple[int, int, Cell]] = []
    for block in blocks:
        rows, cols = ([[at[city] for city in ids[cell.text]] for cell in side] for side in (block.rows, block.cols))
        entries += [(row, col, cell) for r, c, cell in block.cells for row in rows[r] for col in cols[c]]
        entries += _between_twins(block, rows)
    entries += unseen(entries)
    if options.settled:
        entries = settled(entries, order, options.settled, matched, file)
    with with_hints(hints):
        amounts = read_amounts(
            [cell for _, _, cell in entries],
            file=file,
            unit=options.unit,
            decimal=options.decimal,
            payoff_unit=payoff_unit,
            ocr=options.accept_ocr,
        )

    def doubted(indices: Iterable[int]) -> tuple[CellDoubted, ...]:
        cells = [(*entries[k], amounts.values[k] or 0.0) for k in indices]
        return tuple(
            CellDoubted(a=order[i], b=order[j], where=cell.where, text=cell.text[:MAX_TEXT], value=value)
            for i, j, cell, value in cells
        )

    readings: dict[tuple[int, int], _Given] = {}
    not_read, problems = [], Problems()
    for (i, j, cell), value, why in zip(entries, amounts.values, amounts.why_not, strict=True):
        if why:
            not_read.append(CellNotRead(a=order[i], b=order[j], where=cell.where, text=cell.text[:MAX_TEXT], why=why))
        elif value is None:
            continue
        reading = (value, cell)
        before = readings.setdefault((i, j), reading)
        if before is not reading and before[0] != value:
            problems.add(
                f"{cell.where}: {order[i]} - {order[j]} is {cell.text} here but {before[1].text} at "
                f"{before[1].where}; keep one"
            )
    problems.raise_if_any()
    if kind in ("pdf", "picture") and len(entries) < len(order) - 1:
        raise SourceError(
            f"{file}: no chart found: {counted(len(entries), 'amount')} among {counted(len(order), 'name')}; if the "
            "chart is on some of its pages, name those with --pages"
        )
    readings_of = {key: cell for key, (_, cell) in readings.items()}
    chart = PayoffChart(name=Path(path).stem, file=file, cities=order, readings=_as_readings(readings))
    return PayoffsRead(
        chart=chart,
        more=tuple(map(str, options.more)),
        kind=kind,
        layout=_layout(chart, blocks),
        diagonal=any(row == col for row, col in readings),
        unit=amounts.unit,
        unit_why=amounts.unit_why,
        decimal=amounts.decimal,
        names=tuple(matched),
        left_out=tuple(strangers or ()),
        unused=tuple(unused),
        lacking=tuple(city.id for city in cities or () if city.id not in at),
        missing=tuple((order[i], order[j]) for i, j in chart.missing),
        blanks=tuple((order[i], order[j]) for i, j in chart.blanks),
        not_read=tuple(not_read),
        doubted=doubted(amounts.odd),
        corrected=doubted(amounts.corrected),
        in_doubt=doubts(chart, readings_of, amounts.unit),
        asymmetric=asymmetries(chart),
        notes=tuple(notes),
    )


def _other_pages(kind: str, content: Sequence[Table | AmountBlock], file: str, options: ReadOptions) -> list[str]:
    """Say what to try if pages of a PDF make no chart together, where the user has not said which they are."""
    rows = [row for table in content if isinstance(table, Table) for row in table.rows]
    pages = sorted({cell.spot.page for row in rows for cell in row if cell.spot})
    if kind != "pdf" or options.pages or len(pages) < 2:  # noqa: PLR2004
        return []
    where = f"{pages[0]} to {pages[-1]}"
    return [f"{file}: amounts are on pages {where}; if the chart is on some of them, name those with --pages"]


def _blocks(
    content: Sequence[Table | AmountBlock], names: CityNames | OwnNames, file: str
) -> tuple[list[AmountBlock], list[str]]:
    """Return the amounts of all tables, and notes on what was left out."""
    blocks: list[AmountBlock] = []
    notes: list[str] = []
    for part in content:
        if isinstance(part, AmountBlock):
            blocks.append(part)
            continue
        found, more = blocks_of(part, file=file, names=names_of(names))
        blocks += found
        notes += [*part.notes, *more]
    return blocks, notes


_Given = tuple[float | None, Cell]


def _between_twins(block: AmountBlock, rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, Cell]]:
    """Yield the trip between twins that have a row in common: it pays 0, unless the row's own cell says otherwise."""
    own = {(r, block.cols[c].text) for r, c, cell in block.cells if not is_mark(cell.text)} if block.axes else set()
    for r, (label, cities) in enumerate(zip(block.rows, rows, strict=True)):
        if len(cities) > 1 and block.axes and (r, label.text) not in own:
            yield cities[0], cities[1], Cell("0", label.where)


@lru_cache(maxsize=1)
def _many_readings() -> TypeAdapter[tuple[PayoffReading, ...]]:
    return TypeAdapter(tuple[PayoffReading, ...])


def _as_readings(given: Mapping[tuple[int, int], _Given]) -> tuple[PayoffReading, ...]:
    """Return readings sorted by row and column; checking all of them in one call takes a fifth of the time."""
    return _many_readings().validate_python(
        [
            {
                "row": i,
                "col": j,
                "value": value,
                "text": cell.text[:MAX_TEXT],
                "where": cell.where,
                **_standing(cell),
            }
            for (i, j), (value, cell) in sorted(given.items(), key=_place)
        ]
    )


def _standing(cell: Cell) -> Mapping[str, object]:
    return {} if cell.spot is None else {"spot": cell.spot._asdict()}


def _place(item: tuple[tuple[int, int], _Given]) -> tuple[int, int]:
    return item[0]


def asymmetries(chart: PayoffChart) -> tuple[TwoReadings, ...]:
    """Return the pairs of cities whose two cells differ, with both readings."""
    if not chart.asymmetries:
        return ()
    at = {(reading.row, reading.col): reading for reading in chart.readings}
    return tuple(
        TwoReadings(
            a=chart.cities[i],
            b=chart.cities[j],
            value=at[i, j].value or 0.0,
            mirrored=at[j, i].value or 0.0,
            where=at[i, j].where,
            where_mirrored=at[j, i].where,
        )
        for i, j in chart.asymmetries
    )


def payoffs_csv(chart: PayoffChart, cities: Sequence[tuple[str, str]]) -> str:
    """Return `charts/payoffs.csv`: a square of thousands, both readings kept where they differ.

    A cell that only its mirror image gives is filled from there; one that neither gives is left empty.

    Args:
        chart: The chart.
        cities: `(id, name)` in the order to write; those that the chart has not are left out.
    """
    at = {city: k for k, city in enumerate(chart.cities)}
    first: dict[str, str] = {}
    for ident, name in cities:
        first.setdefault(ident, name)
    kept = [(ident, name) for ident, name in first.items() if ident in at]
    given = chart.given
    rows = [["city", *(name for _, name in kept)]]
    for one, name in kept:
        row = []
        for other, _ in kept:
            values = (float(given[at[one], at[other]]), float(given[at[other], at[one]]))
            value = next((v for v in values if v == v), 0.0 if one == other else None)  # noqa: PLR0124 - NaN
            row.append("" if value is None else f"{value:.9g}")
        rows.append([name, *row])
    return csv_text(rows)


def _resolve(
    blocks: Sequence[AmountBlock], names: CityNames | OwnNames, file: str, strangers: list[NameLeftOut] | None = None
) -> tuple[list[NameMatched], dict[str, tuple[str, ...]], list[str]]:
    """Return each spelling with its city, the cities of each spelling, and the accepted names that the file has not.

    All problems are reported at once. Names that fit no city are among them, unless a list of those is given: then they
    are left out and added to it.
    """
    first: dict[str, Cell] = {}
    for block in blocks:
        for cell in (*block.cols, *block.rows) if block.axes else _paired(block):
            first.setdefault(cell.text, cell)
    problems = Problems()
    matched: list[NameMatched] = []
    ids: dict[str, tuple[str, ...]] = {}
    paired = {cell.text for block in blocks if not block.axes for cell in _paired(block)}
    _refuse_other_board(first, names, file)
    for typed, cell in first.items():
        match = names.find(typed)
        if isinstance(match, str) and typed not in paired:
            match = names.cut(typed) or match
        if strangers is not None and isinstance(match, str):
            strangers.append(stranger(cell, names if isinstance(names, CityNames) else None))
            ids[typed] = ()
            continue
        if is_mark(typed) or isinstance(match, str):
            problems.add(f"{cell.where}: {match if isinstance(match, str) else f'{typed!r} is not a city'}")
            continue
        ids[typed] = tuple(city for city in (match.city, match.twin) if city)
        cities = ids[typed] or ("",)
        matched += [NameMatched(typed=typed, city=city, how=match.how, where=cell.where) for city in cities]
    problems.raise_if_any()
    for block in blocks:
        if block.axes:
            _refuse_doubles(block.rows, ids, "row", problems)
            _refuse_doubles(block.cols, ids, "column", problems)
    problems.raise_if_any()
    if len({city for cities in ids.values() for city in cities}) < 2:  # noqa: PLR2004 - one city has no payoffs
        raise SourceError(f"{file}: fewer than two cities in it; is it a payoff chart?")
    return matched, ids, names.unused(first)


def _refuse_other_board(typed: Collection[str], names: CityNames | OwnNames, file: str) -> None:
    if len(typed) <= _FEW or not isinstance(names, CityNames) or any(names.fit(n) or names.cut(n) for n in typed):
        return
    some = ", ".join(shown(name) for name in list(typed)[:_FEW])
    raise SourceError(
        f"{file}: none of its {len(typed)} names ({some}, ...) is a city of {names.board}; is it a payoff chart of "
        "this board?"
    )


def _paired(block: AmountBlock) -> list[Cell]:
    return [cell for pair in zip(block.rows, block.cols, strict=True) for cell in pair]


def _refuse_doubles(cells: Sequence[Cell], ids: Mapping[str, tuple[str, ...]], what: str, problems: Problems) -> None:
    seen: dict[str, Cell] = {}
    for cell in cells:
        for city in ids[cell.text]:
            if city in seen:
                problems.add(
                    f"{cell.where}: {what} {cell.text!r} is {city}, as {seen[city].text!r} at {seen[city].where} is; "
                    "rename one"
                )
            seen.setdefault(city, cell)


def _layout(chart: PayoffChart, blocks: Sequence[AmountBlock]) -> str:
    """Name the shape by where the amounts are, and how they stood if that is not plain."""
    stood = sorted({block.layout for block in blocks} - {"in place", "objects"})
    if any(block.layout == PAIRS for block in blocks):
        return PAIRS
    lower = sum(1 if reading.row > reading.col else -1 for reading in chart.readings if reading.row != reading.col)
    shape = "square" if chart.square else "lower triangle" if lower > 0 else "upper triangle"
    return f"{shape} ({', '.join(stood)})" if stood else shape
