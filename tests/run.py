"""Everything that must hold before a change lands: style, types, tests. Run it with the project's Python.

Arguments are passed on to pytest.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("pytest", "-q", "-n", "auto"),
)


def main() -> int:
    """Run every step; return 1 if one fails."""
    failed: list[str] = []
    # hundreds of tests start mapkit anew; without bytecode each would compile all of it first
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for module, *arguments in STEPS:
        extra = sys.argv[1:] if module == "pytest" else []
        print(f"== {module} {' '.join((*arguments, *extra))}", flush=True)
        command = [sys.executable, "-m", module, *arguments, *extra]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        if done.returncode:
            failed.append(module)
    if failed:
        print(f"failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
