"""Times the main job against the imports that the user named, as ratios in one run.

    python tests/bench/bench_build.py

Each command runs several times, taking turns, and the best time counts.
"""

import subprocess
import sys
import tempfile
import time

ROUNDS = 5
IMPORTS = "import geopandas, networkx, pydantic, typer, svgwrite"


def seconds(arguments: list[str]) -> float:
    """Return the wall-clock time of one run of this Python."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - start


def best(commands: dict[str, list[str]]) -> dict[str, float]:
    """Return the best time of each command, run in turns."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, arguments in commands.items():
            times[name].append(seconds(arguments))
    return {name: min(values) for name, values in times.items()}


def main() -> None:
    """Print the two ratios."""
    with tempfile.TemporaryDirectory() as out:
        found = best(
            {
                "imports": ["-c", IMPORTS],
                "build": ["-m", "mapkit", "build", "usa", "--out", out],
                "typer": ["-c", "import typer"],
                "help": ["-m", "mapkit", "--help"],
            }
        )
    build, help_ = found["build"] / found["imports"], found["help"] / found["typer"]
    print(f"mapkit build usa: {build:.2f} x the imports ({found['build']:.2f} s, {found['imports']:.2f} s); limit 3")
    print(f"mapkit --help: {help_:.2f} x typer's import ({found['help']:.2f} s, {found['typer']:.2f} s); limit 3")


if __name__ == "__main__":
    main()
