"""A kind of board: everything that the frame asks of it, with the plainest answer as default.

A kind is a package with a subclass of `Kind`, named in `mapkit.kinds.registry`. At the least it says its name, its
documents and its commands, compiles a document, and draws the board.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, create_model

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from mapkit.console.jobs import Jobs

from mapkit.core.acceptances import add_acceptance_findings
from mapkit.core.base import Point
from mapkit.core.checks import AnyCheck, run_checks
from mapkit.core.errors import BoardError, ChoiceError
from mapkit.core.findings import CheckReport, Finding, finding_lines
from mapkit.core.jsontext import json_text
from mapkit.core.plurals import count_noun
from mapkit.core.problems import Problem, prepend_problems, with_missing_tables
from mapkit.core.progress import Progress, quiet
from mapkit.document.bundle_manifest import write_bundle
from mapkit.document.changes import apply
from mapkit.document.command import Draft
from mapkit.document.document import D, Document
from mapkit.document.package import Files, Package
from mapkit.document.workspace import Workspace
from mapkit.drawing.svg_file import fit_window
from mapkit.evaluate import Evaluator
from mapkit.kinds.protocol import EncodedResult, ShownFindings, View, encode_finding
from mapkit.kinds.queries import BoardSnapshot, OpenBoard, Questions, answer_query
from mapkit.operations.options import Flag
from mapkit.variants.applying import PlacedVariant, Target, carry_out_all, refuse_other_boards
from mapkit.variants.documents import APART, compare_documents, rebase_on, variant_between
from mapkit.variants.rebase import Rebased
from mapkit.variants.shelf import VariantShelf
from mapkit.variants.variant import Variant

Counting = Callable[[int, int, str], None]
"""Called before each check: how many are done, of how many, and which is next."""


class Compiled(Protocol):
    """Result of compiling a document."""

    @property
    def document(self) -> Any:  # noqa: ANN401 - of its kind
        """Return the document."""
        ...

    @property
    def board(self) -> BaseModel:
        """Return the board."""
        ...

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return the parts of the document that are not in the board, with reasons."""
        ...


C = TypeVar("C", bound=Compiled)


@dataclass(frozen=True)
class RegionAsked:
    """Region of the earth for a new board.

    Attributes:
        region: Make an empty board of this country, or of several with commas; or a board of hexagons.
        bounds: Only this part of the region, in degrees.
        cell_km: From side to side of a hexagon, kilometres.
        columns: Columns of hexagons, in place of --hex-km.
        cities: How many cities.
        mountains: Per cent of the land at most; 25 if not given.
        rivers: Rivers as hexagons of water (cells), on edges, or not at all.
    """

    region: Annotated[str, Flag("", "COUNTRY")] = ""
    bounds: Annotated[
        tuple[float, float, float, float] | None,
        Flag("", "W,S,E,N", parse="mapkit.kinds.starting:parse_bounds"),
    ] = None
    cell_km: Annotated[float | None, Flag("--hex-km", "KM", "", 1.0, 2000.0)] = None
    columns: Annotated[int | None, Flag("", "N", "", 3, 500)] = None
    cities: Annotated[int | None, Flag("", "N", "", 2, 300)] = None
    mountains: Annotated[float | None, Flag("", "PERCENT", "", 0.0, 100.0)] = None
    rivers: Annotated[Literal["cells", "edges", "none"], Flag("", "cells|edges|none")] = "cells"


class AnyFindings(Protocol):
    """Findings as a page gets them."""

    def as_json(self) -> ShownFindings:
        """Return them as a page gets them."""
        ...


@dataclass(frozen=True)
class Built:
    """Result of `mapkit build`.

    Args:
        folder: Where the files are.
        files: Their paths.
        summary: The same as plain data, for scripts.
        sentences: The same as sentences, for people.
    """

    folder: Path
    files: tuple[Path, ...]
    summary: Mapping[str, object]
    sentences: tuple[str, ...]

    def as_json(self) -> Mapping[str, object]:
        """Return the result as `--json` prints it."""
        return self.summary


@dataclass(frozen=True)
class Judged:
    """Result of `mapkit check`, with its board."""

    board: str
    title: str
    report: CheckReport


@dataclass(frozen=True)
class Shown:
    """Findings of a kind without a finer answer, with where to look on the page."""

    report: CheckReport
    at: Callable[[Finding], Point | None] = field(repr=False)

    def as_json(self) -> ShownFindings:
        """Return them as a page gets them."""
        placed = [(found, self.at(found)) for found in self.report.findings]
        findings = [encode_finding(found, () if place is None else (place,)) for found, place in placed]
        return {"findings": findings, "checks": dict(self.report.checks)}


class Gaps(Protocol):
    """Places where a link may be missing, for people and for `mapkit do`."""

    def commands(self, *, every: bool = False) -> str:
        """Return the commands that add the likely links, or all."""
        ...

    def text(self, *, every: bool = False) -> str:
        """Return the likeliest places, or all, for people."""
        ...


class AnyDifference(Protocol):
    """Difference of two boards, as a model for `--json`."""

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        ...

    def title(self) -> str:
        """Return the difference in one line."""
        ...

    def text(self) -> str:
        """Return it as text for a terminal."""
        ...


class Kind(Package[D], ABC, Generic[D, C]):
    """Kind of board. It has no state; the document holds all that changes."""

    name: ClassVar[str]
    """As `kind` in `board.toml` has it."""
    about: ClassVar[str]
    """What it is, in a few words."""
    empty_of_region: ClassVar[bool] = False
    """Whether an empty board may be of a region, which the author is asked for."""
    checks: ClassVar[Sequence[AnyCheck]] = ()
    questions: ClassVar[Questions[Any]] = MappingProxyType({})
    """Questions of its page, with their answers."""
    shelf: ClassVar[str] = ""
    """The folder below `variants/` that has its variants."""
    first_operation: ClassVar[Sequence[str]] = ('op = "set-settings"', 'values = { title = "A new title" }')
    """Lines of the operation that a new variant begins with; it works on any board."""
    operations_page: ClassVar[str] = "docs/reference/operations.md"
    """Where operations of variants are described."""
    usual_board: ClassVar[str] = ""
    """The board that variants without one of their own are applied to if none is named."""
    page: ClassVar[str] = "plain"
    """Which page the editor shows: a folder of `mapkit/editor`."""

    # --- a board

    @abstractmethod
    def compile(self, document: D, *, board_id: str, evaluator: Evaluator | None = None) -> C:
        """Return the board of a document, with its problems; mistakes of the author raise nothing.

        Args:
            document: The document.
            board_id: The board's id.
            evaluator: That of a session, in which one document follows another.
        """

    @abstractmethod
    def draw(self, compiled: C) -> str:
        """Return the drawing of a board as SVG."""

    def refit(self, compiled: C) -> C:
        """Return the board laid out again, as a build would; the frame of an open board stays through edits."""
        return compiled

    # --- findings

    def all_checks(self) -> Sequence[AnyCheck]:
        """Return the checks that there are."""
        return self.checks

    def check(self, compiled: C, unread: Sequence[Problem] = ()) -> CheckReport:
        """Return all findings on a board, problems first.

        Args:
            compiled: The board.
            unread: What of its files could not be read.
        """
        accepted = {key: str(getattr(row, "reason", "")) for key, row in compiled.document.table("accepted").items()}
        checks = self.all_checks()
        judged = self.judged(compiled)
        found = run_checks(checks, lambda check: check.run(judged), accepted)
        problems = with_missing_tables((*unread, *compiled.problems), compiled.document.tables)
        return prepend_problems(
            found if problems else add_acceptance_findings(found, accepted, checks=checks), problems
        )

    def judged(self, compiled: C) -> Any:  # noqa: ANN401 - as the checks of the kind take it
        """Return the board as its checks get it."""
        return compiled.board

    def findings(self, compiled: C) -> AnyFindings:
        """Return the findings for a page after an edit."""
        return Shown(self.check(compiled), lambda found: self.place_of(compiled, found))

    def all_findings(self, compiled: C, progress: Counting) -> AnyFindings:
        """Return the findings of every check, also of those that take long."""
        del progress
        return self.findings(compiled)

    def place_of(self, compiled: C, found: Finding) -> Point | None:
        """Return where on the page to look for a finding, or None."""
        del compiled, found
        return None

    # --- the editor

    def view(self, compiled: C) -> View:
        """Return the view of a page: here the drawing, and the tables to type into with their fields."""
        return {"svg": self.draw(compiled), "fields": self.typed_fields()}

    def typed_fields(self) -> dict[str, list[str]]:
        """Return the fields of each table that an author types into."""
        tables = self.document.schema.tables.items()
        return {name: [one for one in row.model_fields if one != "rank"] for name, row in tables if name != "files"}

    def view_delta(self, old: C, new: C) -> View:
        """Return the parts of the view that differ between two boards."""
        return {} if old is new else {"svg": self.draw(new)}

    def asked(self, asked: BoardSnapshot[C]) -> Any:  # noqa: ANN401 - as the kind likes it
        """Return the board as the questions and routes of this kind get it."""
        return asked

    def answer(self, name: str, body: bytes, asked: Any) -> EncodedResult:  # noqa: ANN401 - of `asked`
        """Return the answer to a question of a page.

        Raises:
            QueryError: There is no such question, or its fields are wrong.
        """
        return answer_query(self.questions, name, body, asked)

    def routes(self, board: OpenBoard, jobs: "Jobs") -> "Iterable[BaseRoute]":
        """Return routes of the server that only this kind has.

        Args:
            board: The open board.
            jobs: Its long work, done by commands in processes of their own.
        """
        del board, jobs
        return ()

    def uploads(self) -> Mapping[str, int]:
        """Return the paths of those routes that take files, and how many bytes these may have."""
        return {}

    # --- commands of the command line

    def new_files(self, *, example: bool) -> dict[str, bytes]:
        """Return the files of a new board: a small example, or nothing but `board.toml`."""
        del example
        return {"board.toml": f'title = "New board"\nkind = "{self.name}"\n'.encode()}

    def region_files(self, title: str, asked: RegionAsked) -> tuple[dict[str, bytes], tuple[str, ...]]:
        """Return the files of a new board of a region, and notes for its author.

        Raises:
            ChoiceError: Boards of this kind are not made so, or the sizes do not fit.
            UnknownNameError: There is no such region.
        """
        del title, asked
        raise ChoiceError(f"boards of kind {self.name!r} are not made from a region; leave --region out")

    def import_board(self, space: Workspace, name: str, file: Path, *, crs: str = "") -> None:
        """Make a new board of a workspace from a file of lines or of a whole board, as the start page does.

        Raises:
            ChoiceError: Boards of this kind are not made so.
            SourceError: The file cannot be used.
        """
        del space, name, file, crs
        raise ChoiceError(f"boards of kind {self.name!r} are not made from a file")

    def load(
        self, space: Workspace, name: str, variants: Sequence[str] = (), progress: Progress = quiet
    ) -> tuple[C, tuple[Problem, ...]]:
        """Return the board of a source package, with variants applied, and the problems of its files.

        Raises:
            MapkitError: The package cannot be read, or there is no such variant.
        """
        folder = space.board_folder(name)
        progress("reading the sources")
        found = self.read(self.read_files(folder))
        board_id = folder.resolve().name
        document = self.vary(space, found.document, board_id, variants)
        progress("compiling")
        return self.compile(document, board_id=board_id), found.problems

    @cached_property
    def variant_model(self) -> type[Variant]:
        """Model of a variant's file; its operations are the commands of the kind."""
        model: type[Variant] = create_model(Variant.__name__, __base__=Variant, __doc__=Variant.__doc__)
        model.commands, model.shelf = self.commands, self.shelf
        return model

    def vary(self, space: Workspace, document: D, board_id: str, variants: Sequence[str]) -> D:
        """Return a document with variants applied; rows that they change come from their files.

        Args:
            space: The workspace, where `variants/` is looked for.
            document: The document.
            board_id: The board's id.
            variants: Names of variants, or paths of their files.

        Raises:
            VariantError: A variant is wrong, does not fit, or contradicts another; likewise UnknownNameError.
        """
        if not variants:
            return document
        placed = VariantShelf(space, self.variant_model).order(variants)
        refuse_other_boards(board_id, placed)
        return apply(document, carry_out_all(Target(lambda: Draft(document)), placed).patch())

    # --- differences

    def count_elements(self, compiled: C) -> dict[str, int]:
        """Return how many elements of each sort a board has: here the rows of its tables."""
        tables = {name: len(compiled.document.table(name)) for name in compiled.document.schema.tables}
        return {name: count for name, count in tables.items() if count and name not in APART}

    def compare(self, a: C, b: C, *, names: tuple[str, str]) -> AnyDifference:
        """Return the difference of two boards under these names."""
        return compare_documents(a.document, b.document, a=names[0], b=names[1])

    def draw_difference(self, a: C, b: C, difference: Any) -> str:  # noqa: ANN401 - of `compare`
        """Return a drawing of two boards' difference as SVG.

        Raises:
            ChoiceError: Boards of this kind have none.
        """
        del a, b, difference
        raise ChoiceError(f"differences of boards of kind {self.name!r} are not drawn; leave --svg out")

    def variant_between(self, a: C, b: C, *, name: str, title: str) -> tuple[Variant, tuple[str, ...]]:
        """Return the variant from one board to another, and the differences that no operation expresses."""
        return variant_between(
            self.variant_model, a.document, b.document, name=name, title=title[:200], board=_id(a.board)
        )

    def rebase(self, placed: PlacedVariant, old: C, new: C) -> Rebased:
        """Return a variant moved from one base to another, and the fate of its operations.

        Raises:
            VariantError: It does not fit the old base.
        """
        return rebase_on(placed.variant, old.document, new.document, board=_id(new.board))

    def judge(
        self, space: Workspace, name: str, *, variants: Sequence[str], drawing: bool, progress: Progress
    ) -> Judged:
        """Check a board as `mapkit check` does."""
        del drawing
        compiled, unread = self.load(space, name, variants, progress)
        progress("checking")
        title = _title(compiled.document, name)
        return Judged(space.board_folder(name).resolve().name, title, self.check(compiled, unread))

    def find_gaps(self, space: Workspace, name: str, variants: Sequence[str]) -> Gaps:
        """Return the places where a link may be missing.

        Raises:
            ChoiceError: Links of such boards are never missing.
        """
        del space, variants
        raise ChoiceError(f"{name}: --gaps is for boards of railroads, and this is of kind {self.name!r}; leave it out")

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
        """Write the bundle of a board as `mapkit build` does, all files or none.

        Raises:
            BoardError: The checks found errors; nothing was written.
        """
        compiled, unread = self.load(space, name, variants, progress)
        progress("checking")
        report = self.check(compiled, unread)
        if not report.ok and not allow_errors:
            lines = [f"{name} was not built, the checks found errors:", *finding_lines(report.errors)]
            raise BoardError("\n".join(lines))
        progress("drawing")
        board_id = space.board_folder(name).resolve().name
        folder = out or space.bundle_folder(board_id, variants)
        files = self.bundle(compiled, report)
        progress("writing")
        paths = write_bundle(
            folder, files, board=board_id, variants=variants, source=space.board_source(name), package=self
        )
        summary = {"board": board_id, "variants": list(variants), "folder": str(folder), "files": [*map(str, paths)]}
        return Built(
            folder,
            paths,
            summary,
            (f"{_title(compiled.document, name)}: {count_noun(len(report.findings), 'finding')}",),
        )

    def bundle(self, compiled: C, report: CheckReport) -> dict[str, str]:
        """Return the files that a build writes."""
        return {
            "board.json": json_text(compiled.board),
            "board.svg": fit_window(self.draw(compiled)),
            "findings.json": json_text(report),
        }


def _id(board: BaseModel) -> str:
    return str(getattr(board, "id", ""))


def _title(document: Document, name: str) -> str:
    row = document.get("settings", "title")
    return str(getattr(row, "value", name))


__all__ = [
    "AnyDifference",
    "AnyFindings",
    "Built",
    "Compiled",
    "Counting",
    "Files",
    "Judged",
    "Kind",
    "RegionAsked",
    "Shown",
    "View",
]
