"""Formats are found, listed and run; an export writes all files or none."""

import hashlib
import json
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from board_helpers import plan_export
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.addons import plugins
from mapkit.core.errors import ExportError, UnknownNameError
from mapkit.core.outputs.filenames import unwritable_reason
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.exchange import registry
from mapkit.kinds.rail.exchange.format import GROUP, ExportOptions

TINY = REPOSITORY / "build" / "portugal" / "board.json"


class Foreign:
    name = "foreign"
    title = "Somebody's"
    suffixes = (".foreign",)
    carries = "a title"
    loses = "the rest"
    path = "title.foreign"

    def export(self, board: mapkit.Board, options: ExportOptions) -> ExportedBoard:
        if board.title == "Too long":
            raise ExportError("the title has more than 7 letters; shorten it")
        assert options.checks is None
        return ExportedBoard({self.path: board.title}, ("the rest",))


FOREIGN = Foreign()
NO_FORMAT = object()


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let an installed package add formats."""

    def forget() -> None:
        plugins.list_plugins.cache_clear()
        registry.FORMATS.__dict__.pop("_places", None)

    def add(**values: str) -> None:
        points = [EntryPoint(name, value, GROUP) for name, value in values.items()]
        monkeypatch.setattr(plugins, "entry_points", lambda group: points if group == "mapkit.exchange" else [])
        forget()

    yield add
    monkeypatch.undo()
    forget()


def test_the_entry_points_of_the_package_are_the_built_in_formats() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["mapkit.exchange"] == registry.BUILT_IN
    for name in registry.BUILT_IN:
        form = registry.get_format(name)
        assert form.name == name
        assert form.title
        assert form.carries
        assert form.loses
        assert all(suffix.startswith(".") for suffix in form.suffixes)


def test_a_package_adds_a_format(added: Any, tiny: mapkit.Board, tmp_path: Path) -> None:
    added(foreign=f"{__name__}:FOREIGN", kml="no.such:THING")
    assert registry.format_names() == (*registry.BUILT_IN, "foreign")
    done = mapkit.export(tiny, to="foreign", out=tmp_path / "out")
    assert done.files == (tmp_path / "out" / "title.foreign",)
    assert done.losses == {"foreign": ("the rest",)}
    assert done.files[0].read_text(encoding="utf-8") == "Tiny"
    assert registry.get_format("kml").title == "KML"


@pytest.mark.parametrize("value", ["no.such.module:X", f"{__name__}:NO_FORMAT", f"{__name__}:MISSING"])
def test_a_broken_package_is_named(added: Any, run: Run, value: str) -> None:
    added(broken=value)
    with pytest.raises(ExportError, match=r"format 'broken': .* (cannot be loaded|is not a format)"):
        registry.get_format("broken")
    listed = run("formats")
    assert listed.code == 0
    assert "warning: format 'broken'" in listed.err
    assert registry.find_reader("x.gpkg") is registry.get_format("gpkg")


def test_the_longest_suffix_wins() -> None:
    found = {name: registry.find_reader(name) for name in ("a.json", "A.NODE-LINK.JSON", "b.geojson", "c.csv", "usa")}
    assert {name: form.name if form else None for name, form in found.items()} == {
        "a.json": "engine", "A.NODE-LINK.JSON": "node-link", "b.geojson": "geojson", "c.csv": None, "usa": None,
    }  # fmt: skip


def test_one_format_goes_into_the_folder_itself(run: Run, tmp_path: Path) -> None:
    done = run("export", TINY, "--to", "graphml", "--out", tmp_path)
    assert (done.code, done.out) == (0, f"{tmp_path / 'portugal.graphml'}\n")
    assert "Nothing is lost in: graphml" in done.err


def test_several_formats_have_folders_and_a_manifest(run: Run, tmp_path: Path) -> None:
    done = run("export", TINY, "--to", "graph,geojson", "--out", tmp_path, "--json")
    assert done.code == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert [row["path"] for row in manifest["files"]] == [
        "geojson/portugal.geojson", "graph/graph.json", "graph/graph.schema.json",
    ]  # fmt: skip
    for row in manifest["files"]:
        data = (tmp_path / row["path"]).read_bytes()
        assert (row["bytes"], row["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert manifest["losses"] == json.loads(done.out)["losses"]
    assert manifest["losses"]["geojson"] == []
    assert "destination and payoff charts" in manifest["losses"]["graph"]


def test_variants_are_applied_before_the_export(run: Run, tmp_path: Path) -> None:
    names = ("b-and-o-extension", "eastern-us")
    chosen = [part for name in names for part in ("--variant", name)]
    done = run("export", "usa", *chosen, "--to", "engine", "--out", tmp_path, "--json", "--workspace", REPOSITORY)
    assert done.code == 0
    assert json.loads(done.out)["variants"] == list(names)
    board = mapkit.load("usa", variants=names, workspace=REPOSITORY)
    assert mapkit.load(tmp_path / "board.json") == board
    again = mapkit.export(mapkit.load("usa"), to="engine", out=tmp_path / "again", variants=names, workspace=REPOSITORY)
    assert again.board == board
    assert run("export", "usa", "--variant", "nothing", "--to", "engine", "--out", tmp_path / "no").code == 1
    assert not (tmp_path / "no").exists()


@pytest.mark.usefixtures("small_pictures")
def test_all_is_every_format(tiny: mapkit.Board) -> None:
    plan = plan_export(tiny, registry.FORMATS.named("all"), ExportOptions())
    assert set(plan.losses) == set(registry.BUILT_IN)
    assert {path.partition("/")[0] for path in plan.files} == {*registry.BUILT_IN, "manifest.json"}
    assert unwritable_reason(Path("anywhere"), plan.files) is None


def test_nothing_is_written_if_one_format_cannot(added: Any, tiny: mapkit.Board, tmp_path: Path) -> None:
    added(foreign=f"{__name__}:FOREIGN")
    long = tiny.model_copy(update={"title": "Too long"})
    with pytest.raises(ExportError, match="more than 7 letters"):
        mapkit.export(long, to=["geojson", "foreign"], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a\\x"])
def test_no_format_writes_outside_its_folder(tiny: mapkit.Board, path: str) -> None:
    form = Foreign()
    form.path = path
    with pytest.raises(ExportError, match="outside its folder"):
        plan_export(tiny, [form], ExportOptions())


@pytest.mark.parametrize(("names", "said"), [("gpgk", "did you mean 'gpkg'"), (" , ", "no format is given")])
def test_unknown_formats_are_reported(run: Run, tmp_path: Path, names: str, said: str) -> None:
    done = run("export", TINY, "--to", names, "--out", tmp_path / "out")
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "out").exists()
    with pytest.raises(UnknownNameError):
        registry.FORMATS.named(names)


def test_formats_are_listed(run: Run) -> None:
    listed = json.loads(run("formats", "--json").out)
    assert [row["name"] for row in listed] == list(registry.BUILT_IN)
    written_only = {"lookup", "gexf", "tts", "bga", "vassal", "web", "svg", "png", "pdf"}
    assert {row["name"] for row in listed if not row["reads"]} == written_only
    table = run("formats", "--all").out
    assert all(row["title"] in table and row["loses"] in table for row in listed)


def test_a_board_in_a_format_is_a_board_everywhere(run: Run, tmp_path: Path) -> None:
    assert run("export", TINY, "--to", "xlsx", "--out", tmp_path).code == 0
    again = run("export", tmp_path / "portugal.xlsx", "--to", "graph", "--out", tmp_path)
    direct = run("export", TINY, "--to", "graph", "--out", tmp_path / "direct")
    assert (again.code, direct.code) == (0, 0)
    assert (tmp_path / "graph.json").read_bytes() == (tmp_path / "direct" / "graph.json").read_bytes()
