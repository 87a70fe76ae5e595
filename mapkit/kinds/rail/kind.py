"""Railroad boards as a kind: where the frame meets what is theirs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mapkit.core.checks import AnyCheck
from mapkit.core.findings import counted
from mapkit.core.progress import Progress
from mapkit.document.workspace import Workspace
from mapkit.kinds.asked import Asked, OpenBoard
from mapkit.kinds.kind import Built, Counting, Judged, Kind
from mapkit.kinds.rail import parts
from mapkit.kinds.rail.compiler.compile import Compiled, compile_document, refit
from mapkit.kinds.rail.package import RailPackage
from mapkit.kinds.rail.sources.start import empty_files, example_files
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.wire import Answered, View

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from mapkit.console.jobs import Jobs
    from mapkit.kinds.rail.api.boards import Built as RailBuilt
    from mapkit.variants.variant import Variant


class Rail(RailPackage, Kind[RailDocument, Compiled]):
    """Boards of mileposts and railroads, with destination and payoff charts."""

    name = "rail"
    about = "railroads, mileposts, destinations and payoffs"
    page = "static"

    @cached_property
    def variant_model(self) -> "type[Variant]":
        """What the file of a variant may say."""
        return parts.Variant

    def compile(self, document: RailDocument, *, board_id: str, before: Compiled | None = None) -> Compiled:
        """Return the board of a document."""
        return compile_document(document, board_id=board_id, before=before)

    def refit(self, compiled: Compiled) -> Compiled:
        """Return the board with projection and page refitted."""
        return refit(compiled)

    def draw(self, compiled: Compiled) -> str:
        """Return the drawing of a board as SVG."""
        return parts.render_board(compiled.board)

    def all_checks(self) -> Sequence[AnyCheck]:
        """Return the checks of boards, those of drawings left out."""
        return parts.CHECKS

    def findings(self, compiled: Compiled, before: Any = None) -> Any:  # noqa: ANN401
        """Return the findings for a page; checks whose ground is the same are not run again."""
        return parts.live_findings(compiled, before)

    def all_findings(self, compiled: Compiled, progress: Counting) -> Any:  # noqa: ANN401
        """Return the findings of every check, also of the drawing."""
        return parts.full_findings(compiled, progress=progress)

    def view(self, compiled: Compiled) -> View:
        """Return what a page draws."""
        return parts.whole_view(compiled)

    def view_delta(self, before: Compiled, after: Compiled) -> View:
        """Return what a page must redraw."""
        return parts.view_delta(before, after)

    def answer(self, name: str, body: bytes, asked: Any) -> Answered:  # noqa: ANN401 - `self.asked`
        """Return the answer to a question of a page."""
        return parts.answer(name, body, asked)

    def asked(self, asked: Asked[Compiled]) -> Any:  # noqa: ANN401 - questions are heavy
        """Return the board as questions get it."""
        return parts.Asked(asked.revision, asked.live, asked.folder, asked.document_at)

    def routes(self, board: OpenBoard, jobs: "Jobs") -> "Iterable[BaseRoute]":
        """Return the routes of files of lines, of jobs and of variants."""
        return (*parts.line_file_routes(board), *parts.export_routes(board, jobs), *parts.variant_routes(board))

    def uploads(self) -> Mapping[str, int]:
        """Return the route of files of lines, and how many bytes they may have."""
        return {parts.LINE_UPLOADS: parts.MAX_BYTES}

    def new_files(self, *, example: bool) -> dict[str, bytes]:
        """Return the files of a new board."""
        return example_files() if example else empty_files()

    def judge(
        self, space: Workspace, name: str, *, variants: Sequence[str], drawing: bool, progress: Progress
    ) -> Judged:
        """Do what `mapkit check` does, on files of boards too."""
        loaded = parts.load_as_it_is(name, variants=variants, workspace=space.root, progress=progress)
        board = loaded.board
        progress("checking")
        return Judged(board.id, board.title, parts.check(board, drawing=drawing, problems=loaded.problems))

    def build(
        self,
        space: Workspace,
        name: str,
        *,
        variants: Sequence[str],
        out: Path | None,
        allow_errors: bool,
        progress: Progress,
    ) -> Built:
        """Do what `mapkit build` does."""
        built = parts.build(
            name, variants=variants, workspace=space.root, out=out, allow_errors=allow_errors, progress=progress
        )
        b = built.board
        counts = (
            f"{len(b.mileposts)} mileposts, {len(b.segments)} segments, {len(b.junctions)} junctions, "
            f"{len(b.railroads)} railroads, {len(b.cities)} cities; {counted(built.checks)}"
        )
        return Built(
            built.folder, built.files, built_summary(built), (f"{b.title}: {counts}", f"The picture is {built.picture}")
        )


def built_summary(built: "RailBuilt") -> dict[str, object]:
    """Return what `mapkit build --json` prints."""
    b = built.board
    return {
        "board": b.id,
        "variants": list(b.variants),
        "folder": str(built.folder),
        "picture": str(built.picture),
        "files": [str(path) for path in built.files],
        "mileposts": len(b.mileposts),
        "segments": len(b.segments),
        "junctions": len(b.junctions),
        "railroads": len(b.railroads),
        "cities": len(b.cities),
        "findings": dict(sorted(Counter(f.severity.value for f in built.checks.findings).items())),
    }


RAIL: Final = Rail()
