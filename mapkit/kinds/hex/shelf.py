"""Documents of the shipped boards, for commands that take one in."""

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.outputs.filenames import is_there
from mapkit.core.problems import problem_lines
from mapkit.document.document import Setting
from mapkit.document.draft import CommandError
from mapkit.document.plain import read_plain
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.document.workspace import shipped
from mapkit.formats.files import read_text
from mapkit.kinds.hex.tables import HexDocument


def shipped_board(name: str) -> HexDocument:
    """Return the document of a shipped board of hexagons.

    Raises:
        CommandError: There is none of that name.
        SourceError: It holds a mistake.
    """
    folder = shipped() / "sources" / name
    files = {}
    if is_there(folder / CONFIG_FILE):
        tables = [CONFIG_FILE, *(f"{table}.csv" for table in HexDocument.schema.tables)]
        files = {one: read_text(folder / one, name=one) for one in tables if is_there(folder / one)}
    document, problems = read_plain(HexDocument, files) if files else (HexDocument(), ())
    kind = document.get("settings", "kind")
    if not isinstance(kind, Setting) or kind.value != "hex":
        known = sorted(path.parent.name for path in (shipped() / "sources").glob(f"*-hex/{CONFIG_FILE}"))
        raise CommandError(f"no board of hexagons {name!r} is shipped{did_you_mean(name, known)}; give its tables")
    if problems:
        raise SourceError(problem_lines(problems))
    return document
