"""Everything that must hold before a change lands: style, types, tests. Run it with the project's Python.

    python tests/run.py            all of it: style, types, and every test
    python tests/run.py --quick    style and the quick tests, in two minutes on two cores: while you work
    python tests/run.py --long     all of it, and more: every case where the normal run takes a sample, 100 kills of the
                                   editor, and 15 minutes of fuzzing if atheris is installed

The normal run takes a sample, the same in every run, of random boards and files and of all pairs of variants and
formats. The quick run leaves out whole folders, and files marked `slow`, and does not check types. Everything else on
the command line is passed on to pytest: `tests/run.py --quick -k payoffs`. Types are checked while tests run. Each step
says how long it took by the clock and by the processor, and pytest which tests took longest. Exit code 1 if a step
fails.
"""

import argparse
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
STYLE = (("ruff", "check", "."), ("ruff", "format", "--check", "."))
TYPES = (("mypy",),)
WORKERS = (os.cpu_count() or 1) + 1
"""One more than there are cores: those that drive a browser wait for it half of their time."""
PYTEST = ("pytest", "-q", "-n", str(WORKERS), "--dist", "worksteal", "--durations", "20")
KILLS = "100"
FUZZING_S = "900"


def steps(*, quick: bool, long: bool, pytest: list[str]) -> list[tuple[str, list[str]]]:
    """Return the steps of a run: a name, and what Python gets."""
    modules = (*STYLE, *(() if quick else TYPES))
    found = [(module, ["-m", module, *arguments]) for module, *arguments in modules]
    chosen = ["--quick"] if quick else ["--long"] if long else []
    found.append(("pytest", ["-m", *PYTEST, *chosen, *pytest]))
    if long:
        kills = str(ROOT / "tests" / "bench" / "bench_kills.py")
        found += [("kills", [kills, KILLS]), ("kills of the server", [kills, KILLS, "server"])]
    if long and find_spec("atheris"):
        found.append(("fuzzing", [str(ROOT / "tests" / "fuzz" / "run.py"), "--seconds", FUZZING_S]))
    return found


def main() -> int:
    """Run every step; return 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="two minutes on two cores: style and the quick tests")
    how.add_argument("--long", action="store_true", help="every case, 100 kills, fuzzing")
    options, pytest = parser.parse_known_args()
    failed: list[str] = []
    with TemporaryFile() as types_output:
        types_step = None
        for name, arguments in steps(quick=options.quick, long=options.long, pytest=pytest):
            print(f"== {name}: python {' '.join(arguments)}", flush=True)
            start = time.monotonic()
            if (name,) in TYPES:
                types_step = name, _start_step(arguments, types_output), start
            elif not _finish_step(name, _start_step(arguments), start):
                failed.append(name)
        if types_step is not None:
            if not _finish_step(*types_step):
                failed.append(types_step[0])
            types_output.seek(0)
            print(types_output.read().decode(errors="replace"), flush=True)
    if options.long and not find_spec("atheris"):
        print("no fuzzing: pip install atheris", flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def _start_step(arguments: list[str], output: IO[bytes] | None = None) -> "subprocess.Popen[bytes]":
    # many tests start mapkit again; without bytecode each would compile all of it first
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=output, stderr=output)


def _finish_step(name: str, process: "subprocess.Popen[bytes]", start: float) -> bool:
    """Wait for a step, print how long it took, and return whether it succeeded.

    The processor's time of a child counts when it is waited for.
    """
    before = os.times()
    code = process.wait()
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"== {name}: {time.monotonic() - start:.0f} s, {used:.0f} s of the processor", flush=True)
    return code == 0


if __name__ == "__main__":
    sys.exit(main())
