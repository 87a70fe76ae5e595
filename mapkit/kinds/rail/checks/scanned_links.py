"""Links of a scan that are in doubt, as findings of `mapkit scan trace` (T01)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from mapkit.core.findings import Attachment, CheckReport, Finding, Place, Severity
from mapkit.core.names import slug
from mapkit.kinds.rail.checks.table import scanned_rows
from mapkit.kinds.rail.model.board_scan import LinkFound

DOUBTFUL: Final = "T01"
LINK_TITLES: Final[Mapping[str, str]] = {code: row.title for code, row in scanned_rows().items()}


@dataclass(frozen=True)
class LinkSeen:
    """A link of a scan, the part of the picture that shows it, and the middle of its line in degrees, if known."""

    link: LinkFound
    box: tuple[int, int, int, int]
    at: tuple[float, float] | None


def link_findings(
    seen: Iterable[LinkSeen], accepted: Mapping[str, str], *, picture: str, crops: PurePath | None
) -> list[Finding | None]:
    """Return a finding for each link that is doubtful, None for those that are sure.

    Args:
        seen: Links of a scan.
        accepted: Finding id -> why it is right as it is.
        picture: The file of the scan, as the user names it.
        crops: The folder that the crops of links are written to, likewise; None if there are none.
    """
    count: Counter[tuple[str, str, str]] = Counter()
    findings: list[Finding | None] = []
    for one in seen:
        link = one.link
        if not link.why:
            findings.append(None)
            continue
        ends = link.railroad, slug(link.a), slug(link.b)
        count[ends] += 1
        number = (str(count[ends]),) if count[ends] > 1 else ()
        finding = Finding(
            code=DOUBTFUL,
            name=scanned_rows()[DOUBTFUL].name,
            severity=Severity.WARNING,
            elements=(*ends, *number),
            place=Place(file=picture, lon=one.at[0] if one.at else None, lat=one.at[1] if one.at else None),
            message=_message(link, crops),
            data={"confidence": link.confidence, "drawn": link.drawn, "why": link.why},
            attachments=_pictures(one, picture, crops),
        )
        findings.append(finding.model_copy(update={"accepted": finding.accepted_reason(accepted)}))
    return findings


def least_sure_first(findings: Iterable[Finding | None]) -> tuple[Finding, ...]:
    """Return findings on links in order, those that the author has accepted last."""
    there = (finding for finding in findings if finding is not None)
    return tuple(sorted(there, key=lambda f: (f.accepted is not None, _sure(f), f.elements)))


def link_report(findings: tuple[Finding, ...]) -> CheckReport:
    """Return findings on links with how their check ended."""
    return CheckReport(findings=findings, checks={DOUBTFUL: "found" if findings else "passed"})


def _sure(finding: Finding) -> float:
    sure = finding.data["confidence"]
    return sure if isinstance(sure, float) else 0.0


def _message(link: LinkFound, crops: PurePath | None) -> str:
    shown = f"look at {(crops / link.crop).as_posix()}" if crops is not None and link.crop else "look at the picture"
    cure = "delete it if it is not there" if link.drawn else "it is not drawn; draw it if it is there"
    return f"{link.railroad}, {link.a} - {link.b}: {link.confidence:.0%} sure, {link.why}; {shown}, and {cure}"


def _pictures(one: LinkSeen, picture: str, crops: PurePath | None) -> tuple[Attachment, ...]:
    scan = Attachment(file=picture, about="where the link is in the scan", box=one.box)
    if crops is None or not one.link.crop:
        return (scan,)
    crop = (crops / one.link.crop).as_posix()
    return Attachment(file=crop, about="the link, with the line that was followed in magenta"), scan
