"""Railroad boards as a kind of board, as the frame uses it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from mapkit.core.addons import is_present
from mapkit.core.base import Frozen
from mapkit.core.checks import AnyCheck
from mapkit.core.findings import CheckReport, count_findings
from mapkit.core.kept import recalled
from mapkit.core.problems import Problem
from mapkit.core.progress import Progress, quiet
from mapkit.document.bundle_manifest import write_bundle
from mapkit.document.workspace import Workspace
from mapkit.evaluate import Evaluator
from mapkit.kinds.kind import Built, Counting, Gaps, Judged, Kind, RegionAsked
from mapkit.kinds.protocol import EncodedResult, View
from mapkit.kinds.queries import BoardSnapshot, OpenBoard
from mapkit.kinds.rail import parts
from mapkit.kinds.rail.package import RailPackage
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.variants.basis import basis_of

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from mapkit.console.jobs import Jobs
    from mapkit.kinds.rail.api.boards import PlannedBuild
    from mapkit.kinds.rail.compiler.compile import Compiled
    from mapkit.kinds.rail.model.difference import BoardDiff
    from mapkit.variants.applying import PlacedVariant
    from mapkit.variants.rebase import Rebased
    from mapkit.variants.variant import Variant


class Rail(RailPackage, Kind[RailDocument, "Compiled"]):
    """Boards of mileposts and railroads, with destination and payoff charts."""

    usual_board = "usa"
    first_operation = ('op = "set-rule"', 'path = "setup.starting_cash"', "value = 25000")
    name = "rail"
    empty_of_region = True
    about = "railroads, mileposts, destinations and payoffs"
    page = "static"

    @cached_property
    def variant_model(self) -> "type[Variant]":
        """Model of a variant's file."""
        return parts.Variant

    def compile(self, document: RailDocument, *, board_id: str, evaluator: Evaluator | None = None) -> "Compiled":
        """Return the board of a document."""
        return parts.compile_document(document, board_id=board_id, evaluator=evaluator)

    def refit(self, compiled: "Compiled") -> "Compiled":
        """Return the board with projection and page refitted."""
        return parts.refit(compiled)

    def draw(self, compiled: "Compiled") -> str:
        """Return the drawing of a board as SVG."""
        return parts.render_board(compiled.board)

    def all_checks(self) -> Sequence[AnyCheck]:
        """Return the checks of boards, their amounts and their drawings."""
        return (*parts.CHECKS_WITH_AMOUNTS, *parts.DRAWING)

    def findings(self, compiled: "Compiled") -> Any:  # noqa: ANN401
        """Return the findings for a page; checks that read nothing else than before are not run again."""
        return parts.live_findings(compiled)

    def all_findings(self, compiled: "Compiled", progress: Counting) -> Any:  # noqa: ANN401
        """Return the findings of every check, also of the drawing."""
        return parts.full_findings(compiled, progress=progress)

    def view(self, compiled: "Compiled") -> View:
        """Return the view of a page."""
        return parts.whole_view(compiled)

    def view_delta(self, old: "Compiled", new: "Compiled") -> View:
        """Return the changed parts of the view."""
        return parts.view_delta(old, new)

    def answer(self, name: str, body: bytes, asked: Any) -> EncodedResult:  # noqa: ANN401 - `self.asked`
        """Return the answer to a question of a page."""
        return parts.answer(name, body, asked)

    def asked(self, asked: BoardSnapshot["Compiled"]) -> Any:  # noqa: ANN401 - questions are heavy
        """Return the board as questions get it."""
        return parts.Asked(asked.revision, asked.live, asked.folder, asked.document_at)

    def routes(self, board: OpenBoard, jobs: "Jobs") -> "Iterable[BaseRoute]":
        """Return the routes of lines, scanned charts and boards, jobs, play-tests, drafts and variants."""
        return (
            *parts.line_file_routes(board),
            *parts.import_routes(board, jobs),
            *parts.chart_scan_routes(board, jobs),
            *parts.picture_scan_routes(board, jobs),
            *parts.export_routes(board, jobs),
            *(parts.playtest_routes(board, jobs) if is_present("mapkit.kinds.rail.playing") else ()),
            *(parts.draft_routes(board, jobs) if is_present("mapkit.kinds.rail.drafting") else ()),
            *parts.variant_routes(board),
        )

    def uploads(self) -> Mapping[str, int]:
        """Return the routes of files of lines and of scanned charts, and how many bytes they may have."""
        return {
            parts.LINE_UPLOADS: parts.MAX_BYTES,
            parts.IMPORTS: parts.MAX_BYTES,
            parts.CHART_UPLOADS: parts.MAX_UPLOAD,
        }

    def new_files(self, *, example: bool) -> dict[str, bytes]:
        """Return the files of a new board."""
        return parts.example_files() if example else parts.empty_files()

    def region_files(self, title: str, asked: RegionAsked) -> tuple[dict[str, bytes], tuple[str, ...]]:
        """Return the files of an empty board of a region."""
        del title
        return parts.empty_region_files(asked), ()

    def import_board(self, space: Workspace, name: str, file: Path, *, crs: str = "") -> None:
        """Make a new board from a file of lines or of a whole board."""
        parts.import_as_board(file, name, crs=crs, workspace=space.root)

    def load(
        self, space: Workspace, name: str, variants: Sequence[str] = (), progress: Progress = quiet
    ) -> "tuple[Compiled, tuple[Problem, ...]]":
        """Return the board of a source package or of a file, with variants applied to the compiled board."""
        loaded = parts.load_as_it_is(name, variants=variants, workspace=space.root, progress=progress)
        return parts.compiled_board(loaded.board), loaded.problems

    def count_elements(self, compiled: "Compiled") -> dict[str, int]:
        """Return how many elements of each sort a board has."""
        return {name: len(getattr(compiled.board, name)) for name in (*_COUNTED, "regions")}

    def compare(self, a: "Compiled", b: "Compiled", *, names: tuple[str, str]) -> "BoardDiff":
        """Return the difference of two boards by meaning."""
        del names
        return parts.diff_boards(a.board, b.board)

    def draw_difference(self, a: "Compiled", b: "Compiled", difference: "BoardDiff") -> str:
        """Return the differences drawn over the board."""
        return parts.render_diff(a.board, b.board, difference)

    def variant_between(
        self, a: "Compiled", b: "Compiled", *, name: str, title: str
    ) -> "tuple[Variant, tuple[str, ...]]":
        """Return the variant from one board to another, and the differences that no operation expresses."""
        made = parts.variant_of(a.board, b.board, name=name, title=title)
        return made.variant, made.left

    def rebase(self, placed: "PlacedVariant", old: "Compiled", new: "Compiled") -> "Rebased":
        """Return a variant moved to another board; its charts are read from files beside it."""
        return parts.rebase(parts.fill_in_charts(placed, old.board).variant, old.board, new.board)

    def judge(
        self, space: Workspace, name: str, *, variants: Sequence[str], drawing: bool, progress: Progress
    ) -> Judged:
        """Check a board or a board file as `mapkit check` does."""

        def judged() -> _Judged:
            loaded = parts.load_as_it_is(name, variants=variants, workspace=space.root, progress=progress)
            progress("checking")
            report = parts.check(loaded.board, drawing=drawing, problems=loaded.problems)
            if variants and not loaded.problems:
                base = self.judge(space, name, variants=(), drawing=drawing, progress=quiet)
                known = {finding.id for finding in base.report.findings}
                report = parts.place_at_causes(report, known, parts.rail_shelf(space).order(variants))
            return _Judged(board=loaded.board.id, title=loaded.board.title, report=report)

        basis, options = basis_of(space, name, variants), "with drawing" if drawing else ""
        found = recalled("findings", basis, _Judged, judged, options=options, progress=progress)
        return Judged(found.board, found.title, found.report)

    def find_gaps(self, space: Workspace, name: str, variants: Sequence[str]) -> Gaps:
        """Return the places where a link may be missing."""
        return parts.find_gaps(name, variants=variants, workspace=space.root)

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
        """Build a board as `mapkit build` does."""

        def made() -> _Made:
            plan = parts.plan_build(
                name, variants=variants, workspace=space.root, allow_errors=allow_errors, progress=progress
            )
            return _Made.of(plan)

        basis, options = basis_of(space, name, variants), "with errors" if allow_errors else ""
        found = recalled("bundle", basis, _Made, made, options=options, progress=progress)
        folder = out if out is not None else space.bundle_folder(found.board, variants)
        progress("writing")
        paths = write_bundle(
            folder, found.files, board=found.board, variants=variants, source=space.board_source(name), package=self
        )
        said = (found.sentence, f"The picture is {folder / found.picture}")
        return Built(folder, paths, _summary(found, folder, paths), said)


class _Judged(Frozen):
    """Cached result of `mapkit check`."""

    board: str
    title: str
    report: CheckReport


class _Made(Frozen):
    """Cached result of `mapkit build`."""

    board: str
    variants: tuple[str, ...]
    counts: dict[str, int]
    findings: dict[str, int]
    sentence: str
    picture: str
    files: dict[str, str]

    @classmethod
    def of(cls, plan: "PlannedBuild") -> Self:
        """Return the cached form of a bundle."""
        b = plan.board
        counts = {name: len(getattr(b, name)) for name in _COUNTED}
        said = ", ".join(f"{count} {name}" for name, count in counts.items())
        return cls(
            board=b.id,
            variants=b.variants,
            counts=counts,
            findings=dict(sorted(Counter(f.severity.value for f in plan.checks.findings).items())),
            sentence=f"{b.title}: {said}; {count_findings(plan.checks)}",
            picture=plan.picture,
            files=dict(plan.files),
        )


_COUNTED: Final = ("mileposts", "segments", "junctions", "railroads", "cities")


def _summary(made: _Made, folder: Path, files: Sequence[Path]) -> dict[str, object]:
    """Return the output of `mapkit build --json`."""
    return {
        "board": made.board,
        "variants": list(made.variants),
        "folder": str(folder),
        "picture": str(folder / made.picture),
        "files": [str(path) for path in files],
        **made.counts,
        "findings": made.findings,
    }


RAIL: Final = Rail()
