"""Advice on what to install is a command that works here, and `mapkit doctor` knows what is missing."""

import json
import re
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.cli.app import OF_ANY_KIND, OF_EACH_KIND
from mapkit.console.derived import Entry
from mapkit.core.processes import installing
from mapkit.core.processes.installing import DISTRIBUTION, install_command, pip_command
from mapkit.kinds.registry import command_tables
from mapkit.playing import compiling

pytestmark = pytest.mark.slow


def checkout(folder: Path) -> Path:
    """Return the `.venv` of a checkout that `./setup` has set up."""
    for name in ("setup", "requirements-scan.txt"):
        (folder / name).touch()
    (folder / ".venv").mkdir()
    return folder / ".venv"


@pytest.mark.skipif(sys.platform == "win32", reason="./setup is a script for Unix")
def test_in_a_checkout_the_command_is_its_setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my maps"
    folder.mkdir()
    monkeypatch.setattr(sys, "prefix", str(checkout(folder)))
    monkeypatch.chdir(folder)
    assert (install_command(), install_command("scan")) == ("./setup", "./setup --scan")
    monkeypatch.chdir(tmp_path)
    assert shlex.split(install_command("scan")) == [str(folder / "setup"), "--scan"]
    assert "pip install" in install_command("cluster")


def test_elsewhere_the_command_is_pip_of_the_python_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "my python"))
    assert install_command("scan").endswith(" -m pip install 'mapkit-boards[scan]'")
    assert shlex.split(install_command())[:4] == [str(tmp_path / "my python"), "-m", "pip", "install"]
    monkeypatch.setattr(installing, "find_spec", lambda _: None)
    assert shlex.split(pip_command("x")) == ["uv", "pip", "install", "--python", str(tmp_path / "my python"), "x"]


def test_the_command_finds_the_extras_of_what_is_installed() -> None:
    """Of an installed distribution, pip installs the extras that its own metadata list."""
    found = metadata.distribution(DISTRIBUTION).metadata
    assert found["Version"] == mapkit.__version__
    extras = set(found.get_all("Provides-Extra") or ())
    assert {"scan", "cluster"} <= extras
    assert "play" not in extras
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--no-deps", f"{DISTRIBUTION}[scan]"],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    if "No module named pip" not in done.stderr:
        assert done.returncode == 0, done.stderr


def test_no_text_gives_other_advice() -> None:
    """One function makes the advice: no module, page or document names the package of a stranger."""
    files = [
        *(REPOSITORY / "mapkit").rglob("*.py"),
        *(REPOSITORY / "mapkit" / "editor" / "web" / "src").rglob("*.ts*"),
        *(REPOSITORY / "docs").rglob("*.md"),
        *REPOSITORY.glob("*.md"),
        *(REPOSITORY / "tests").rglob("*.py"),
    ]
    wrong = [
        f"{path.relative_to(REPOSITORY)}: {hit}"
        for path in files
        for hit in re.findall(r"mapkit\[(?:play|scan|cluster|dev)[^\]]*\]|pip install '?\"?mapkit\b(?!-)", _text(path))
    ]
    assert wrong == []


def _text(path: Path) -> str:
    return "" if path == Path(__file__) else path.read_text(encoding="utf-8")


def test_the_requirements_are_locked_for_each_way_to_set_up() -> None:
    locked = {name: _locked(name) for name in ("requirements.txt", "requirements-scan.txt", "requirements-dev.txt")}
    assert locked["requirements.txt"] < locked["requirements-scan.txt"] < locked["requirements-dev.txt"]
    assert {"numba", "llvmlite"} <= {line.partition("==")[0] for line in locked["requirements.txt"]}
    more = {line.partition("==")[0] for line in locked["requirements-scan.txt"] - locked["requirements.txt"]}
    assert {"rapidocr", "onnxruntime", "opencv-python-headless"} <= more
    script = (REPOSITORY / "setup").read_text(encoding="utf-8")
    assert all(name in script for name in locked)


def test_all_pythons_install_one_version_of_each_library() -> None:
    names = re.findall(r"(?m)^[a-z0-9-]+(?===)", (REPOSITORY / "requirements.txt").read_text(encoding="utf-8"))
    by_python = [line for line in _locked("requirements-scan.txt") if "python" in line.partition(";")[2]]
    assert len(names) > 50
    assert by_python == []


def _locked(name: str) -> set[str]:
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert text.count("--hash=sha256:") > text.count("==")
    return set(re.findall(r"(?m)^[a-z0-9-]+==[^\\\n]*", text))


def test_doctor_lists_what_is_there(run: Run) -> None:
    found = json.loads(run("doctor", "--json").out)
    parts = {part["name"]: part for part in found["parts"]}
    assert found["version"] == mapkit.__version__
    assert parts["required packages"]["state"] == "installed"
    assert "numba" not in {package["name"] for package in parts["required packages"]["packages"]}
    assert [package["name"] for package in parts["compiled matches"]["packages"]] == ["numba"]
    ran = run("doctor")
    assert ran.code == 0
    assert ran.out.splitlines()[0].split() == ["part", "state", "packages", "commands"]


def test_doctor_says_what_is_missing_and_how_to_install_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    there = metadata.version

    def version(name: str) -> str:
        if name in ("rapidocr", "distributed"):
            raise metadata.PackageNotFoundError(name)
        return there(name)

    monkeypatch.setattr(metadata, "version", version)
    ran = run("doctor")
    assert ran.code == 0
    assert re.search(r"(?m)^scan reader +missing +rapidocr >=3\.8 +payoffs read, ", ran.out)
    assert f"scan reader: install what is missing with: {install_command('scan')}\n" in ran.err
    assert f"Dask cluster: install what is missing with: {install_command('cluster')}\n" in ran.err
    monkeypatch.setattr(metadata, "version", lambda name: "0.1" if name == "numpy" else there(name))
    ran = run("doctor")
    assert ran.code == 1
    assert re.search(r"(?m)^required packages +missing +numpy 0\.1 +all$", ran.out)


def test_doctor_names_commands_that_there_are() -> None:
    tables = [OF_ANY_KIND, *(table for _, table in command_tables(OF_EACH_KIND))]
    there = {
        name if isinstance(part, Entry) else f"{name} {inner}"
        for table in tables
        for name, part in table.items()
        for inner in ([""] if isinstance(part, Entry) else part.commands)
    }
    assert {command for part in mapkit.doctor().parts for command in part.commands} <= there


@pytest.mark.parametrize(
    ("available", "installed", "wheels", "said"),
    [
        (True, True, True, ""),
        (False, True, True, "slowly, because NUMBA_DISABLE_JIT is set; unset it for full speed"),
        (False, False, True, "slowly, because Numba is missing; for full speed: "),
        (False, False, False, "slowly, because Numba has no packages for this system"),
    ],
)
def test_slow_play_says_why(
    *, available: bool, installed: bool, wheels: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "AVAILABLE", available)
    monkeypatch.setattr(compiling, "INSTALLED", installed)
    monkeypatch.setattr(compiling, "has_numba_wheels", lambda: wheels)
    found = compiling.slow_reason()
    assert found.startswith(said)
    assert found[len(said) :] == (install_command() if said.endswith(": ") else "")


COMPILES = """
import sys
from pathlib import Path
from mapkit.playing.compiling import compiler, report_compilation
_, called = compiler(Path(__file__).parent)

@called
def half(x: int) -> int:
    return x // 2

@called
def double(x: int) -> int:
    return 4 * half(x)

class Bar(list):
    def __call__(self, stage): self.append(stage)
    def show_share(self, share): self.append(share)

bar = Bar()
with report_compilation(bar):
    double(1)
print(list(bar))
"""


def test_the_first_run_alone_says_that_it_compiles(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    script = tmp_path / "compiles.py"
    script.write_text(COMPILES, encoding="utf-8")
    environment = {"MAPKIT_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0", "PATH": ""}
    said = [
        subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, check=True, encoding="utf-8", env=environment
        ).stdout
        for _ in range(2)
    ]
    assert said == [f"['preparing', '{compiling.COMPILING}', 0.5, 1.0]\n", "['preparing']\n"]
