"""Drafts the regions of tests/drafting/corpus.toml, and says what the boards are like: findings, figures, seconds.

python tests/bench/bench_drafts.py [--only NAME ...] [--play MATCHES] [--keep FOLDER]

Seconds are those of the processors. With `--play` each board is play-tested too, at the prices of the draft.
"""

import argparse
import sys
import tempfile
import time
import tomllib
from contextlib import ExitStack
from pathlib import Path

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.drafting.stations import wanted_trip_steps
from mapkit.kinds.rail.model.study import Study

CORPUS = Path(__file__).resolve().parents[1] / "drafting" / "corpus.toml"
RANGES = {
    "edges_a_node": (1.5, 2.0),
    "detour": (1.10, 1.30),
    "railroads_a_city": (2.0, 4.0),
    "trip": (0.95, 1.36),
    "trips": (19.0, 29.1),
}
"""What a draft is to be like; a trip in trips that are wanted for so many cities."""
LIKELIEST = 0.098
"""The chance of the likeliest city of a board of 36 cities or more; smaller boards have at most 2.6 even shares."""


def main() -> int:
    """Print the table; 1 if a draft is not as it is to be."""
    parser = argparse.ArgumentParser(description="Draft the corpus.")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--play", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    corpus = tomllib.loads(CORPUS.read_text(encoding="utf-8"))
    bad = drafted = 0
    slowest = widest = 0.0
    with ExitStack() as stack:
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        space = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, asked in corpus.items():
            if options.only and name not in options.only:
                continue
            asked.pop("sampled", None)
            drafted += 1
            seconds, wrong = _judged(name, asked, space)
            slowest = max(slowest, seconds)
            if options.play and wrong != ["failed"]:
                most = played(name, space, options.play)
                widest = max(widest, most)
            bad += bool(wrong)
    print(f"{drafted} drafts, {bad} not as they are to be; slowest {slowest:.1f} s; most wins {widest:.2f} averages")
    return int(bool(bad))


def _judged(name: str, asked: dict[str, object], space: Path) -> tuple[float, list[str]]:
    """Return the seconds of a draft, and what is not as it is to be."""
    start = time.process_time()
    try:
        made = mapkit.draft(name, mapkit.DraftAsked.model_validate(asked), workspace=space)
    except MapkitError as error:
        print(f"{name}: FAILED {error}", flush=True)
        return 0.0, ["failed"]
    seconds = time.process_time() - start
    figures = made.figures
    measured = figures.model_dump() | {"trip": figures.trip / wanted_trip_steps(figures.cities)}
    wrong = [f"{key} {measured[key]:g}" for key, (low, high) in RANGES.items() if not low <= measured[key] <= high]
    if figures.likeliest > max(LIKELIEST, 2.6 / figures.cities):
        wrong.append(f"likeliest {figures.likeliest}")
    report = mapkit.check(mapkit.load(name, workspace=space))
    wrong += [f"{one.code} {one.message}" for one in report.findings if one.severity == "error"]
    wrong += [f"{one.code} {one.message}" for one in report.findings if one.severity == "warning" and not one.accepted]
    shown = " ".join(f"{key}={value:g}" for key, value in figures.model_dump().items())
    print(f"{name}: {seconds:.1f} s; {shown}; {sum(one.accepted is not None for one in report.findings)} accepted")
    for one in wrong:
        print(f"  {one}")
    sys.stdout.flush()
    return seconds, wrong


def played(name: str, space: Path, matches: int) -> float:
    """Return how often the owner of a railroad wins at the most, in averages."""
    study = mapkit.playtest(name, mapkit.PlayTest(matches=matches, workers=1), workspace=space).study
    ratios = owners(study)
    worst = max(ratios, key=lambda one: one[1])
    shown = " ".join(f"{mark}={ratio:.2f}" for mark, ratio in sorted(ratios, key=lambda one: -one[1]))
    print(f"  owners of {name}: {shown}; rounds {study.rounds.mean:.0f}, trips {study.players[0].trips.mean:.1f}")
    sys.stdout.flush()
    return worst[1]


def owners(study: Study) -> list[tuple[str, float]]:
    """Return for each railroad how often its owner at the end wins, in averages of all of them."""
    owned = sum(one.end.of for one in study.railroads)
    average = sum(one.end.share * one.end.of for one in study.railroads) / owned
    return [(one.short, one.end.share / average) for one in study.railroads if one.end.of]


if __name__ == "__main__":
    sys.exit(main())
