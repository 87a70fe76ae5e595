"""VASSAL's own engine, which opens our modules in a process of its own.

It needs Java, Xvfb, libraries and the engine's jar: `tests/exchange/vassal/get_engine.sh` gets them.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from optional import lacking
from patience import HANG_S

DRIVER = Path(__file__).parent / "exchange" / "vassal" / "engine_driver.py"
GET = "tests/exchange/vassal/get_engine.sh"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
JAR = Path(os.environ.get("MAPKIT_VASSAL_JAR") or CACHE / "mapkit" / "Vengine.jar")
LIBRARIES = tuple(
    Path("/usr/share/java") / f"{name}.jar"
    for name in (
        "batik-all", "xml-apis-ext", "commons-codec", "commons-io", "commons-lang3", "logback-classic", "logback-core",
        "maven3-artifact", "miglayout", "slf4j-api", "TimingFramework", "xmlgraphics-commons",
    )
)  # fmt: skip


def engine_classpath() -> str:
    """Return the class path of the engine; without it the test is skipped, but in CI it fails."""
    missing = [name for name in ("java", "xvfb-run") if shutil.which(name) is None]
    missing += [str(jar) for jar in (JAR, *LIBRARIES) if not jar.is_file()]
    if missing:
        lacking(f"VASSAL's engine lacks {', '.join(missing)}; on Debian, {GET} installs all that it needs")
    return ":".join(map(str, (JAR, *LIBRARIES)))


def driven(classpath: str, *arguments: Path) -> subprocess.CompletedProcess[str]:
    """Run the driver."""
    command = ["xvfb-run", "-a", sys.executable, str(DRIVER), classpath, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG_S, encoding="utf-8")


def answers(classpath: str, data: bytes, folder: Path, **questions: Any) -> dict[str, Any]:
    """Return the engine's answers about a module.

    Args:
        classpath: From `engine_classpath`.
        data: The module.
        folder: For the files of the question.
        questions: As `engine_driver.py` has them.
    """
    module, file = folder / "board.vmod", folder / "questions.json"
    module.write_bytes(data)
    none: dict[str, Any] = {"drops": [], "moves": [], "joined": [], "tokens": [], "trip": None, "shots": None}
    file.write_text(json.dumps(none | questions), encoding="utf-8")
    (folder / "settings").mkdir()
    done = driven(classpath, folder / "settings", module, file)
    found = [line for line in done.stdout.splitlines() if line.startswith("ANSWERS ")]
    assert done.returncode == 0, done.stderr
    assert found, done.stderr
    assert "ERROR" not in done.stderr, done.stderr
    said: dict[str, Any] = json.loads(found[0].removeprefix("ANSWERS "))
    return said
