"""Build what is released, wheel and source archive, in one command: `python tools/release.py`.

Both hold the page of the editor, so nobody who installs them needs Node. With `--try`, the wheel is installed into a
new environment, with the locked requirements, and built, checked, printed and edited with from an empty folder; the
source archive is installed where there is no Node. The same tree gives the same bytes.
"""

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen
from zipfile import ZipFile

ROOT: Final = Path(__file__).resolve().parent.parent
REQUIREMENTS: Final = ROOT / "requirements.txt"
STEM: Final = "mapkit_boards"
"""How names of wheels and archives begin: the distribution, mapkit-boards, as wheels spell it."""
BUILDER: Final = "hatchling"
LONGEST: Final = 600
PAGE: Final = "/static/editor.js"


def build(out: Path) -> tuple[Path, Path]:
    """Return the wheel and the source archive, built in a folder."""
    out.mkdir(parents=True, exist_ok=True)
    for old in _built(out):
        old.unlink()
    run([sys.executable, "-m", BUILDER, "build", "-d", str(out)], ROOT)
    wheel, archive = _built(out)
    return wheel, archive


def _built(out: Path) -> list[Path]:
    return [path for end in ("-*.whl", "-*.tar.gz") for path in out.glob(STEM + end)]


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Run a command and return what it wrote to stdout.

    Raises:
        SystemExit: It failed.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | variables
    done = subprocess.run(  # noqa: S603 - our own commands
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=LONGEST,
        check=False,
        encoding="utf-8",
    )
    if done.returncode:
        raise SystemExit(f"release: failed with {done.returncode}: {' '.join(command)}")
    return done.stdout


def new_environment(folder: Path) -> Path:
    """Return the folder of the programs of a new environment."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def try_wheel(wheel: Path, work: Path) -> None:
    """Install the wheel as users do, and use it in an empty folder."""
    programs = new_environment(work / "environment")
    pip = [str(programs / "python"), "-m", "pip", "install", "-q", "--no-compile"]
    run([*pip, "--require-hashes", "-r", str(REQUIREMENTS)], work)
    run([*pip, "--no-deps", str(wheel)], work)
    folder = work / "empty"
    folder.mkdir()
    mapkit = str(programs / "mapkit")
    for words in (
        ["--version"],
        ["build", "usa"],
        ["check", "usa"],
        ["new", "mymap"],
        ["build", "mymap"],
        ["print", "mymap", "--out", "mymap.pdf"],
    ):
        print("release: mapkit", *words, flush=True)
        run([mapkit, *words], folder, MAPKIT_CACHE=str(work / "cache"))
    for made in ("build/usa/board.svg", "build/mymap/board.json", "mymap.pdf"):
        if not (folder / made).stat().st_size:
            raise SystemExit(f"release: {made} is empty")
    try_editor(mapkit, folder)


def try_editor(mapkit: str, folder: Path) -> None:
    """Open a board in the editor, ask for its page, and stop it with Ctrl-C."""
    print("release: mapkit edit mymap", flush=True)
    command = [mapkit, "edit", "mymap", "--no-open"]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    ) as editor:
        try:
            lines = iter(editor.stdout or ())
            address = next((word for line in lines for word in line.split() if word.startswith("http://")), "")
            with urlopen(address, timeout=30) as answer:  # noqa: S310 - our own server
                page = answer.read().decode("utf-8")
        finally:
            editor.send_signal(signal.SIGINT)
            editor.communicate(timeout=LONGEST)
    if editor.returncode not in (0, 130):
        raise SystemExit(f"release: mapkit edit ended with {editor.returncode}")
    if PAGE not in page:
        raise SystemExit("release: the editor does not serve its page")


def try_archive(wheel: Path, archive: Path, work: Path) -> None:
    """Build the wheel from the source archive where there is no Node; it must hold the same files."""
    programs = new_environment(work / "builder")
    run([str(programs / "python"), "-m", "pip", "install", "-q", BUILDER], work)
    command = [str(programs / "python"), "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    run([*command, str(archive), "-w", str(work / "again")], work, PATH=str(programs))
    (again,) = (work / "again").glob("*.whl")
    if contents(again) != contents(wheel):
        raise SystemExit(f"release: the wheel from {archive.name} has other files than {wheel.name}")


def contents(wheel: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a wheel, by name."""
    with ZipFile(wheel) as file:
        return {name: hashlib.sha256(file.read(name)).hexdigest() for name in file.namelist()}


def main() -> None:
    """Build, and try on request."""
    parser = argparse.ArgumentParser(description="Build the wheel and the source archive.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write to (dist)")
    parser.add_argument(
        "--try", action="store_true", dest="tried", help="install both in new environments, and use them"
    )
    given = parser.parse_args()
    wheel, archive = build(given.out)
    if given.tried:
        with TemporaryDirectory() as work, ThreadPoolExecutor() as pool:
            trials = [
                pool.submit(try_wheel, wheel, Path(work)),
                pool.submit(try_archive, wheel, archive, Path(work)),
            ]
            for trial in trials:
                trial.result()
    for file in (wheel, archive):
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB, sha256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
