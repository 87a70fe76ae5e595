"""The same bytes from any folder, locale, time zone, optimization, number of processors and version of Python."""

import getpass
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest
from conftest import REPOSITORY
from edited import small_board
from sampling import is_long

QUICK_FORMATS = ("engine", "gpkg", "lookup", "tts", "xlsx")
"""Formats of the normal run; with --long all are written."""
WRITE = """
import os, sys
if sys.argv[2] == "one" and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
import mapkit
root = sys.argv[1]
mapkit.build("mymap", workspace=root, out=root + "/build", allow_errors=True)
mapkit.export("mymap", workspace=root, to=sys.argv[3], out=root + "/exports")
mapkit.write_sheets("mymap", workspace=root, out=root + "/sheets.pdf")
"""
PLAIN = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "1"}
ELSEWHERE = {"LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "2", "USER": "someone"}
OTHER_PYTHONS = tuple(
    f"python3.{minor}"
    for minor in range(11, 15)
    if minor != sys.version_info.minor and shutil.which(f"python3.{minor}")
)


def write_all(
    folder: Path,
    *options: str,
    python: str = sys.executable,
    quick: bool = False,
    cpus: str = "all",
    changed: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """Write a board in every form, or in quick ones, in a process of its own, and return the folder."""
    small_board(folder)
    formats = ",".join(QUICK_FORMATS) if quick or not is_long() else "all"
    subprocess.run(
        [python, *options, "-c", WRITE, str(folder), cpus, formats],
        check=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)} | PLAIN | dict(changed),
    )
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Return the hashes of all files that were written."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "sources" not in path.parts]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("plain"))


def test_everything_around_may_change(plain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Straße 5" / "eine Karte"
    folder.mkdir(parents=True)
    write_all(folder, "-OO", cpus="one", changed=ELSEWHERE)
    assert len(digests(plain)) > 12
    assert digests(folder) == digests(plain)


@pytest.mark.skipif(not is_long(), reason="--long tries -O too")
def test_optimized_code_writes_the_same(plain: Path, tmp_path: Path) -> None:
    assert digests(write_all(tmp_path, "-O")) == digests(plain)


@cache
def _contents(path: Path) -> bytes:
    """Return the bytes of a file; of a ZIP archive, those of its members."""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"\n".join(name.encode() + archive.read(name) for name in archive.namelist())


def test_no_file_names_a_path_or_a_user(plain: Path) -> None:
    words = [str(plain), str(Path.home()), f"/{getpass.getuser()}/"]
    for path in sorted(plain.rglob("*")):
        if path.is_file() and "sources" not in path.parts:
            assert not [word for word in words if len(word) > 1 and word.encode() in _contents(path)], path


@pytest.mark.skipif(not is_long(), reason="--long installs mapkit for each Python of this machine")
@pytest.mark.parametrize("python", OTHER_PYTHONS)
def test_other_pythons_write_the_same(plain: Path, tmp_path: Path, python: str) -> None:
    if subprocess.run([python, "--version"], check=False, capture_output=True).returncode:
        pytest.skip(f"{python} does not run")
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    own_python = str(tmp_path / "venv" / "bin" / "python")
    lock_file = REPOSITORY / "requirements.txt"
    install = [own_python, "-m", "pip", "install", "-q", "--require-hashes", "-r", str(lock_file)]
    if subprocess.run(install, check=False).returncode:
        pytest.skip(f"the locked libraries do not install for {python}")
    other_digests = digests(write_all(tmp_path / "board", python=own_python, quick=True))
    del other_digests["exports/manifest.json"]  # lists formats
    assert len(other_digests) > 12
    assert other_digests.items() <= digests(plain).items()
