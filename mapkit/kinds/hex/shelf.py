"""Documents of the shipped boards, for commands that use one."""

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.outputs.filenames import is_there
from mapkit.core.problems import problem_lines
from mapkit.document.document import Setting
from mapkit.document.draft import CommandError
from mapkit.document.plain_tables import read_plain
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.document.workspace import shipped_folder
from mapkit.formats.files import read_text
from mapkit.kinds.hex.tables import HexDocument


def shipped_board(name: str) -> HexDocument:
    """Return the document of a shipped board of hexagons.

    Raises:
        CommandError: There is none of that name.
        SourceError: It holds a mistake.
    """
    folder = shipped_folder() / "sources" / name
    files = {}
    if is_there(folder / CONFIG_FILE):
        file_names = [CONFIG_FILE, *(f"{table}.csv" for table in HexDocument.schema.tables)]
        files = {
            file_name: read_text(folder / file_name, name=file_name)
            for file_name in file_names
            if is_there(folder / file_name)
        }
    document, problems = read_plain(HexDocument, files) if files else (HexDocument(), ())
    kind = document.get("settings", "kind")
    if not isinstance(kind, Setting) or kind.value != "hex":
        board_names = sorted(path.parent.name for path in (shipped_folder() / "sources").glob(f"*-hex/{CONFIG_FILE}"))
        raise CommandError(
            f"no board of hexagons {name!r} is shipped{did_you_mean(name, board_names)}; give its tables"
        )
    if problems:
        raise SourceError(problem_lines(problems))
    return document
