"""The workflows run the two commands of the README on every system, and compare the board that is built."""

import re
from typing import Any

import pytest
import yaml
from conftest import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
INSTALL = (REPOSITORY / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
SET_UP, TEST = (body.strip() for body in re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[:2])
SAME_BYTES = "git diff --exit-code build"
WORKFLOWS = {path.name: path for path in sorted((REPOSITORY / ".github" / "workflows").iterdir())}


def on_windows(command: str) -> list[str]:
    """Return the lines that the install page tells users of Windows to run."""
    assert "write `py` for `python3` and `.venv\\Scripts\\` for `.venv/bin/`" in INSTALL
    return [part.replace("python3 ", "py ").replace(".venv/bin/", ".venv\\Scripts\\") for part in command.split(" && ")]


def read_workflow(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf-8"))
    return found


def commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_every_system_runs_the_two_commands_of_the_readme() -> None:
    workflow = read_workflow("readme.yml")
    unix, windows = workflow["jobs"]["unix"], workflow["jobs"]["windows"]
    assert commands(unix) == [SET_UP, SAME_BYTES, TEST]
    assert commands(windows) == [*on_windows(SET_UP), SAME_BYTES, *on_windows(TEST)]
    systems = [*unix["strategy"]["matrix"]["os"], windows["runs-on"]]
    assert [re.sub(r"-[\d.]+$", "", name) for name in systems] == ["ubuntu", "macos", "windows"]


def test_every_night_tries_all_that_tests_sample() -> None:
    workflow = read_workflow("nightly.yml")
    install = TEST.removesuffix("tests/run.py")
    assert commands(workflow["jobs"]["long"]) == [f"{install}-m pytest -q --long ${{{{ matrix.tests }}}}"]
    assert all((REPOSITORY / name).exists() for name in workflow["jobs"]["long"]["strategy"]["matrix"]["tests"])


def test_every_week_exports_are_opened_in_their_programs() -> None:
    build = "docker build -t mapkit-clients -f tests/clients/Dockerfile . && docker run --rm mapkit-clients"
    assert commands(read_workflow("clients.yml")["jobs"]["open"]) == [build]
    recipe = (REPOSITORY / "tests" / "clients" / "Dockerfile").read_text(encoding="utf-8")
    assert build in recipe
    assert all((REPOSITORY / name).exists() for name in re.findall(r"tests/[\w./]+", recipe))


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_may_read_alone_and_use_only_what_is_pinned(name: str) -> None:
    workflow = read_workflow(name)
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["env"] == {"CI": ""}
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        (used,) = [step["uses"] for step in job["steps"] if "uses" in step]
        assert re.fullmatch(r"actions/checkout@[0-9a-f]{40}", used)
        assert job["steps"][0]["with"] == {"persist-credentials": False}
        assert {key for step in job["steps"] for key in step} == {"uses", "with", "run"}


def test_the_install_page_has_the_commands_of_windows_to_copy() -> None:
    (block,) = re.findall(r"^```bat\n(.*?)^```$", INSTALL, re.MULTILINE | re.DOTALL)
    assert block.splitlines() == on_windows(SET_UP)
