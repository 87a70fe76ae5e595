"""Files of a study: a page, and a table."""

from pathlib import Path

from mapkit.core.errors import OutputError
from mapkit.core.output import write_files
from mapkit.formats.parquet import parquet as parquet_file
from mapkit.kinds.rail.api.playtesting import PlayTested
from mapkit.kinds.rail.playing.listing import figure_columns
from mapkit.kinds.rail.render.study_page import render_study_page


def write_study(
    tested: PlayTested, *, html: str | Path | None = None, parquet: str | Path | None = None
) -> tuple[Path, ...]:
    """Write what a play-test says to files, and return their paths.

    Args:
        tested: What `playtest` returned.
        html: A page with tables, plots, and the board drawn by use and by income; it needs no network.
        parquet: All figures as a table, a row a figure: `part`, `id`, `figure`, `value`, `low`, `high`, `trials`.

    Raises:
        OutputError: A file cannot be written; what was there is unchanged.
    """
    refuse_names(html, parquet)
    out = []
    if html is not None:
        page = render_study_page(tested.board, tested.study)
        write_files(Path(html).parent, {Path(html).name: page})
        out.append(Path(html))
    if parquet is not None:
        write_files(Path(parquet).parent, {Path(parquet).name: parquet_file(figure_columns(tested.study))})
        out.append(Path(parquet))
    return tuple(out)


def refuse_names(html: str | Path | None, parquet: str | Path | None) -> None:
    """Refuse names of other formats.

    Raises:
        OutputError: The name of a file ends otherwise than its format's do.
    """
    if html is not None and Path(html).suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{html}: the page is HTML; give a name that ends in .html")
    if parquet is not None and Path(parquet).suffix.lower() != ".parquet":
        raise OutputError(f"{parquet}: the table is Parquet; give a name that ends in .parquet")
