"""Fuzz the readers with atheris: coverage-guided mutations of the corpus, each target for a share of the time.

```
pip install atheris                                  # by hand; it is not among the locked packages
python tests/fuzz/run.py --seconds 900               # all targets
python tests/fuzz/run.py --seconds 60 svg kml        # some
python tests/fuzz/run.py --seconds 900 --keep 6      # add up to six new small files a target to the corpus
```

Exit code 1 if a target raised anything but MapkitError; the input is printed, and left in the folder of `--work`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import warnings
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[0] = str(TESTS)  # not this folder, whose modules are those of the package `fuzz`
sys.path.insert(0, str(TESTS.parent))

SMALL = 600  # bytes of a file that is worth keeping
LONGEST = 4096
SLOW = 30  # seconds after which one input counts as hanging
MEMORY = 3000  # MB


def words_file(folder: Path, words: tuple[str, ...]) -> Path:
    """Write a dictionary of libFuzzer."""
    path = folder / "words.txt"
    lines = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words)
    path.write_text("".join(f'"{line}"\n' for line in lines), encoding="ascii")
    return path


def fuzz_one(name: str, seconds: int, work: Path) -> None:
    """Fuzz a target in this process, which ends with it."""
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["mapkit"]):
        targets = import_module("fuzz.targets")
        drawings: Any = import_module("mapkit.formats.lines.svg")
        import_module("mapkit.formats.lines.vector")
        registry: Any = import_module("mapkit.kinds.rail.exchange.registry")
        registry.FORMATS.named("all")  # they are imported when first asked for
    # What takes long by design, up to its limit, shows nothing new here.
    drawings.MAX_VERTICES, drawings.MAX_USED = 20_000, 500
    target = targets.TARGETS[name]
    target.accepts(b"")  # what is loaded at the first use takes no input's time
    warnings.simplefilter("error")
    found = work / "found"
    found.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-timeout={SLOW}",
        f"-rss_limit_mb={MEMORY}",
        f"-artifact_prefix={work}/",
        f"-dict={words_file(work, target.words)}",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(found), str(targets.CORPUS / name)], target.accepts)
    atheris.Fuzz()


def keep(name: str, work: Path, corpus: Path, count: int) -> int:
    """Add the smallest new inputs of a target to the corpus; return how many."""
    found = sorted((p for p in (work / "found").glob("*") if p.stat().st_size <= SMALL), key=lambda p: p.stat().st_size)
    step = max(len(found) // count, 1) if count else 1
    chosen = found[::-1][::step][:count]
    for path in chosen:
        data = path.read_bytes()
        (corpus / name / f"found-{sha256(data).hexdigest()[:10]}").write_bytes(data)
    return len(chosen)


def run(name: str, seconds: int, work: Path) -> bool:
    """Fuzz a target in a process of its own; return whether nothing was found."""
    command = [sys.executable, __file__, "--only", name, "--seconds", str(seconds), "--work", str(work)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},  # it cannot compile what atheris has instrumented
        encoding="utf-8",
    )
    said = done.stderr.splitlines() + done.stdout.splitlines()
    runs = next((line.split()[-1] for line in said if "number_of_executed_units" in line), "?")
    print(f"{name}: {runs} inputs in {seconds} s, {'nothing found' if done.returncode == 0 else 'FAILED'}", flush=True)
    if done.returncode == 0:
        return True
    text = "\n".join(said)
    start = text.find("Uncaught Python exception")
    print(text[start : start + 4000] if start >= 0 else text[-4000:], flush=True)
    for path in sorted(work.glob("*-*")):
        print(f"{path}: {path.read_bytes()[:LONGEST]!r}", flush=True)
    return False


def main() -> int:
    """Fuzz the targets one after the other; return 1 if one raised what it should not."""
    parser = argparse.ArgumentParser(description="Fuzz the readers of mapkit.")
    parser.add_argument("targets", nargs="*", help="all by default")
    parser.add_argument("--seconds", type=int, default=900, help="for all of them together")
    parser.add_argument("--work", type=Path, help="folder for what is found; a new one by default")
    parser.add_argument("--keep", type=int, default=0, help="how many new inputs of each target join the corpus")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if find_spec("atheris") is None:
        print("atheris is missing: pip install atheris", file=sys.stderr)
        return 2
    if options.only:
        fuzz_one(options.only, options.seconds, options.work)
        return 0
    targets = import_module("fuzz.targets")
    unknown = sorted(set(options.targets) - set(targets.TARGETS))
    if unknown:
        parser.error(f"no target {unknown[0]!r}; targets are {', '.join(targets.TARGETS)}")
    names = options.targets or list(targets.TARGETS)
    work = options.work or Path(tempfile.mkdtemp(prefix="mapkit-fuzz-"))
    share = max(options.seconds // len(names), 1)
    failed = [name for name in names if not run(name, share, work / name)]
    for name in names:
        if options.keep:
            print(f"{name}: {keep(name, work / name, targets.CORPUS, options.keep)} kept")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
