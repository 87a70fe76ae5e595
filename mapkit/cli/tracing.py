"""What `mapkit import` and `mapkit trace` do."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from mapkit import api
from mapkit.cli.printing import result, stages, table, talk
from mapkit.errors import SourceError, did_you_mean
from mapkit.jsontext import json_text
from mapkit.model.import_report import ImportedFile, ImportReport, KeyFrom
from mapkit.model.stage import STAGES, StageCounts, TraceReport

_KEYS_SHOWN = 200


def trace(
    board: str, *, until: str, start: Path | None, out: Path | None, workspace: Path | None, as_json: bool
) -> None:
    """Run `mapkit trace`.

    Raises:
        SourceError: There is no such stage, or something in the source package is wrong.
    """
    stage = next((known for known in STAGES if known == until), None)
    if stage is None:
        raise SourceError(f"no stage {until!r}{did_you_mean(until, STAGES)}; stages are {', '.join(STAGES)}")
    with stages(f"trace {board}") as progress:
        report = api.trace(board, until=stage, start=start, out=out, workspace=workspace, progress=progress)
    result(json_text(report) if as_json else report_text(report))
    if out is not None:
        talk(f"The {stage} stage is {out}")


def report_text(report: TraceReport) -> str:
    """Lay out what each stage left and what it changed."""
    head = ("stage", "lines", "vertices", "miles", "mileposts", "changes")
    rows = [
        (s.stage, f"{s.lines:,}", f"{s.vertices:,}", _miles(s.miles), f"{s.mileposts:,}", _changes(s))
        for s in report.stages
    ]
    return table(head, rows, right=(1, 2, 3, 4))


def _miles(miles: float | None) -> str:
    return "-" if miles is None else f"{miles:,.1f}"


def _changes(counts: StageCounts) -> str:
    said = (f"{number:,} {what}{_size(counts.sizes.get(what))}" for what, number in counts.changes.items())
    return ", ".join(said) or "none"


def _size(miles: float | None) -> str:
    return "" if not miles else f" ({miles:,.2f} miles)"


def import_lines(
    files: Sequence[Path],
    *,
    into: str | None,
    column: str | None,
    name_column: str | None,
    crs: str | None,
    layers: Sequence[str],
    encoding: str | None,
    key_from: str,
    rings: bool,
    mapped: Sequence[str],
    new_railroads: bool,
    countries: Sequence[str],
    overwrite: bool,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit import`.

    Raises:
        SourceError: An option is wrong, a file cannot be used, or a key is no railroad.
    """
    from mapkit.exchange.board_import import board_reader  # noqa: PLC0415 - as heavy as importing is
    from mapkit.exchange.rb3_import import is_rb3  # noqa: PLC0415

    given = {
        "--column": column, "--name-column": name_column, "--crs": crs, "--layer": layers, "--encoding": encoding,
        "--key-from": key_from != "auto", "--rings": rings, "--map": mapped, "--new-railroads": new_railroads,
    }  # fmt: skip
    others = [option for option, value in given.items() if value]
    paths = [(workspace or Path()) / file for file in files]
    # A board that mapkit wrote holds lines too, for those who ask for lines.
    if any(map(is_rb3, paths)) or (not others and any(map(board_reader, paths))):
        from mapkit.cli.board_importing import import_board  # noqa: PLC0415

        import_board(
            files,
            into=into,
            countries=countries,
            overwrite=overwrite,
            others=others,
            workspace=workspace,
            as_json=as_json,
        )
        return
    if countries:
        raise SourceError("--country is for maps in RB3; leave it out")
    from mapkit.sources.import_into import parse_map  # noqa: PLC0415 - as heavy as importing is

    kinds: tuple[KeyFrom, ...] = get_args(KeyFrom)
    kind = next((known for known in kinds if known == key_from), None)
    if kind is None:
        raise SourceError(f"--key-from {key_from!r}{did_you_mean(key_from, kinds)}; write one of {', '.join(kinds)}")
    report = api.import_lines(
        *files,
        into=into,
        column=column,
        name_column=name_column,
        crs=crs,
        layers=layers,
        encoding=encoding,
        key_from=kind,
        rings=rings,
        railroads=parse_map(mapped) or None,
        new_railroads=new_railroads,
        overwrite=overwrite,
        workspace=workspace,
    )
    result(json_text(report) if as_json else import_text(report))
    for name in report.new_railroads:
        talk(f"new in railroads.csv: {name}; set its price, reporting mark and colour")
    for path in report.written:
        talk(f"written: {path}")
    if not report.written:
        talk("nothing written; give --into BOARD to take the lines into its source package")


def import_text(report: ImportReport) -> str:
    """Lay out what files hold, key by key."""
    return "\n\n".join(_file_text(file) for file in report.files)


def _file_text(file: ImportedFile) -> str:
    length = "pixels, placed by control points" if file.miles is None else f"{file.miles:,.1f} miles"
    dots = f"{file.points:,} mileposts, {file.named_points:,} of them named"
    rows = [(k.key or "(empty)", f"{k.lines:,}", k.railroad or "-") for k in file.keys[:_KEYS_SHOWN]]
    more = len(file.keys) - len(rows)
    parts = [
        f"{file.file}: {file.lines:,} lines, {file.vertices:,} vertices, {length}; {dots}",
        f"attributes: {', '.join(file.columns)}" if file.columns else "",
        table(("key", "lines", "railroad"), rows, right=(1,)) if rows else "",
        f"and {more:,} more keys" if more else "",
        *file.notes,
        *file.problems,
    ]
    return "\n".join(part for part in parts if part)
