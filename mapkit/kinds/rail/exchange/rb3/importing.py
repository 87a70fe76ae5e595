"""Import of an RB3 file as a source package."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mapkit.core.errors import SourceError, WorkspaceError
from mapkit.core.outputs.filenames import invalid_id_reason, is_there
from mapkit.document.importing import FileWriter, WrittenFiles, write_without_step
from mapkit.formats.files import peek_bytes
from mapkit.geography.country_names import country_code
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.map_placement import (
    NOWHERE,
    RB3Placement,
    flat_placement,
    place_by_frame,
    place_by_names,
)
from mapkit.kinds.rail.exchange.rb3.model import RB3File
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.source_files import rb3_to_source_files
from mapkit.kinds.rail.exchange.rb3.text import looks_like_rb3
from mapkit.kinds.rail.model.import_report import BoardImportReport, CityFound

SUFFIXES = (".rb3", ".rbp")
_PEEK_BYTES = 4096


def is_rb3(path: Path) -> bool:
    """Return whether a file is RB3, judged by its name or its first bytes."""
    return path.suffix.lower() in SUFFIXES or looks_like_rb3(peek_bytes(path, _PEEK_BYTES))


def place_map(rb3: RB3File, *, file: str, countries: Sequence[str] = ()) -> RB3Placement:
    """Place a map by its own frame, by city names in some countries, or flat in country `none`.

    Raises:
        SourceError: Its cities are not found.
    """
    country_codes = tuple(country.strip() for country in countries)
    if country_codes == (NOWHERE,):
        return flat_placement(rb3)
    frame = RB3Frame.of_file(rb3)
    if frame is not None and not country_codes:
        return place_by_frame(rb3, frame, file=file)
    return place_by_names(rb3, file=file, countries=tuple(map(country_code, country_codes)))


def import_rb3(
    path: Path,
    *,
    into: Path | None,
    countries: Sequence[str] = (),
    replace: bool = False,
    write: FileWriter = write_without_step,
) -> BoardImportReport:
    """Read an RB3 file and, given a folder, write a source package into it, all files or none.

    Args:
        path: The file.
        into: Folder of the package, created if missing; with None, nothing is written.
        countries: Countries of its cities (ISO 3166 alpha-2), or `none`; by default inferred from their names.
        replace: Write over the files of an earlier import.
        write: Writes the files of the source package.

    Raises:
        SourceError: The file is wrong, its cities are not found, or a package is there already.
        WorkspaceError: The file is missing, or the folder's name is not an id.
        OutputError: The folder cannot be written; it is unchanged.
    """
    rb3 = read_rb3(path)
    placement = place_map(rb3, file=path.name, countries=countries)
    files, lost_parts = rb3_to_source_files(rb3, placement)
    outcome = WrittenFiles(is_step=False)
    if into is not None:
        refuse_folder(into, files, replace=replace)
        outcome = write(into, files, label=f"Import {path.name}")
    fit = placement.spline
    return BoardImportReport(
        file=path.name,
        title=rb3.head("name"),
        regions=len(rb3.regions),
        cities=len(rb3.cities),
        railroads=len(rb3.railroads),
        dots=sum(len(dots.dots) for dots in rb3.dots),
        steps=sum(len(line) - 1 for route in rb3.routes for line in route.lines),
        countries=placement.countries if placement.found else (),
        found=tuple(
            CityFound(name=c.name, place=str(c.place), lon=c.place.lon, lat=c.place.lat, miles=c.miles)
            for c in placement.found
        ),
        missing=placement.missing,
        rms_miles=placement.affine.rms_miles if placement.affine else None,
        left_out_rms_miles=fit.left_out_rms_miles if fit else None,
        warnings=(*rb3.notes, *(w.message for w in (fit.warnings if fit else ()))),
        lost=lost_parts,
        is_step=outcome.is_step,
        undo_obstacle=outcome.obstacle,
        written=tuple((into / name).as_posix() for name in sorted(files)) if into is not None else (),
    )


def refuse_folder(into: Path, files: Mapping[str, str], *, replace: bool) -> None:
    """Raise an error for a folder without a valid id as name, or with files that an import would overwrite.

    Raises:
        SourceError: A package is there already, or a file in it is not of this import.
        WorkspaceError: The folder's name is not an id.
    """
    if id_problem := invalid_id_reason(into.name, "a board"):
        raise WorkspaceError(f"{into}: {id_problem}")
    if not is_there(into):
        return
    existing_names = sorted(
        file_path.relative_to(into).as_posix() for file_path in into.rglob("*") if file_path.is_file()
    )
    if existing_names and not replace:
        raise SourceError(f"{into} already exists; give --replace to overwrite it, or another name")
    foreign_names = [existing_name for existing_name in existing_names if existing_name not in files]
    if foreign_names:
        raise SourceError(
            f"{into / foreign_names[0]} is not part of this map, and a program that reads the folder would take "
            "it as part of it; remove it first"
        )
