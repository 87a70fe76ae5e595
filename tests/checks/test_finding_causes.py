"""One mistake is one cause; what merely follows is counted with it."""

import json
from pathlib import Path

import pytest
from conftest import Run

from mapkit.core.causes import CauseRule, group_by_cause
from mapkit.core.findings import CheckReport, Finding, Place, Severity, count_findings, finding_lines
from mapkit.kinds.rail.checks import CAUSE_RULES


def finding(code: str, *elements: str, message: str = "", severity: Severity = Severity.ERROR) -> Finding:
    return Finding(code=code, severity=severity, elements=elements, message=message)


def test_problems_with_one_unknown_name_are_one() -> None:
    unknown = [
        finding("S01", f"lines/{line}", message="place 'Denvr' is not in the gazetteer; correct it") for line in "abc"
    ]
    other = finding("S01", "lines/d", message="place 'Omha' is not in the gazetteer; correct it")
    found = group_by_cause([*unknown, other, finding("N03", "denver")], CAUSE_RULES)
    assert {f.id for f in found if f.follows is None} == {unknown[0].id, other.id}
    assert {f.follows for f in found if f.follows} == {unknown[0].id}


def test_a_misspelled_name_is_a_cause_and_hundreds_are_not() -> None:
    def unknown(name: str) -> Finding:
        return finding("S01", f"lines/{name}", message=f"place '{name}' is not in the gazetteer; correct it")

    lost = finding("N03", "denver")
    [cause] = {f.follows for f in group_by_cause([unknown("Denvr"), lost], CAUSE_RULES) if f.follows}
    assert cause == unknown("Denvr").id
    many = [unknown(f"Denv{number}x") for number in range(200)]
    assert not any(f.follows for f in group_by_cause([*many, lost], CAUSE_RULES))


def test_a_finding_follows_from_one_within_three_miles() -> None:
    def at(code: str, element: str, lon: float) -> Finding:
        return Finding(
            code=code, severity=Severity.WARNING, elements=(element,), message="", place=Place(lon=lon, lat=60.0)
        )

    cause = at("N03", "a", 10.0)
    found = group_by_cause([cause, at("N05", "b", 10.08), at("N05", "c", 10.1)], CAUSE_RULES)
    assert {f.elements[0]: f.follows for f in found} == {"a": None, "b": cause.id, "c": None}


def test_a_cause_is_as_serious_as_its_followers() -> None:
    end = finding("N04", "smith-ks", severity=Severity.WARNING)
    part = finding("N01", "smith-ks", "lebanon-ks")
    apart = finding("N04", "far-away", severity=Severity.WARNING)
    found = group_by_cause([part, end, apart], [CauseRule("N04", "N01")])
    assert {f.id: (f.severity, f.follows) for f in found} == {
        part.id: (Severity.ERROR, end.id),
        end.id: (Severity.ERROR, None),
        apart.id: (Severity.WARNING, None),
    }
    assert count_findings(CheckReport(findings=found, checks={})).endswith(
        "1 error, 1 warning, 1 that follows from them"
    )
    assert finding_lines(found)[0].endswith("(and 1 that follows from it: mapkit check --all lists them)")
    assert len(finding_lines(found, every=True)) == 3


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("lines/valley.csv", "Springfield", "Springfeld"),
        ("cities.csv", "albany,Albany,inland", "albany,Albany,inlnd"),
        ("charts/payoffs.csv", "Albany,0,7.5", "Albany,0,abc"),
    ],
)
def test_one_mistake_is_one_cause_everywhere(example: Path, run: Run, file: str, old: str, new: str) -> None:
    path = example / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    workspace = example.parent.parent
    report = json.loads(run("check", "example", "-w", workspace, "--json").out)
    open_findings = [f for f in report["findings"] if f["accepted"] is None and f["severity"] != "note"]
    open_findings = [f for f in open_findings if f["code"] != "N05" or "follows" in f]  # the example has one of its own
    causes = [f for f in open_findings if "follows" not in f]
    assert [f["code"] for f in causes] == ["S01"]
    sarif = json.loads(run("check", "example", "-w", workspace, "--format", "sarif").out)["runs"][0]["results"]
    assert sum("follows" in r.get("properties", {}) for r in sarif) == len(open_findings) - 1
    listed = run("check", "example", "-w", workspace, "--quiet")
    assert sum(" S01 error: " in line for line in listed.out.splitlines()) == 1
    assert "checking" not in listed.err
