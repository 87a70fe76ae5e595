"""Doubtful links of a scan, and railroads without any, as findings of `mapkit scan trace` (T01, T02)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from mapkit.core.findings import Attachment, CheckReport, Finding, Place, Severity
from mapkit.core.names import slug
from mapkit.kinds.rail.checks.table import load_scan_check_rows
from mapkit.kinds.rail.model.board_scan import LinkFound

DOUBTFUL: Final = "T01"
WITHOUT_LINKS: Final = "T02"
LINK_TITLES: Final[Mapping[str, str]] = {code: row.title for code, row in load_scan_check_rows().items()}


@dataclass(frozen=True)
class LinkInPicture:
    """Link of a scan, with its part of the picture and the middle of its line in degrees, if known."""

    link: LinkFound
    box: tuple[int, int, int, int]
    at: tuple[float, float] | None


def list_link_ids(links: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return the ids that findings on links have, whether or not they are doubtful.

    Args:
        links: Railroad, and the names of both ends.
    """
    return [":".join((DOUBTFUL, *sorted(elements))) for elements in _list_elements(links)]


def _list_elements(links: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield what identifies each link: railroad and ends, and a number from the second link on."""
    end_counts: Counter[tuple[str, str, str]] = Counter()
    for railroad, a, b in links:
        link_ends = railroad, slug(a), slug(b)
        end_counts[link_ends] += 1
        yield (*link_ends, *((str(end_counts[link_ends]),) if end_counts[link_ends] > 1 else ()))


def make_link_findings(
    seen: Sequence[LinkInPicture], accepted: Mapping[str, str], *, picture: str, crops: PurePath | None
) -> list[Finding | None]:
    """Return a finding for each link that is doubtful, None for those that are sure.

    Args:
        seen: Links of a scan.
        accepted: Finding id -> reason why it is accepted.
        picture: The file of the scan, as the user names it.
        crops: The folder of the crops of links, as the user names it; None if there are none.
    """
    elements_by_link = _list_elements((one.link.railroad, one.link.a, one.link.b) for one in seen)
    findings: list[Finding | None] = []
    for seen_link, elements in zip(seen, elements_by_link, strict=True):
        link = seen_link.link
        if not link.why:
            findings.append(None)
            continue
        finding = Finding(
            code=DOUBTFUL,
            name=load_scan_check_rows()[DOUBTFUL].name,
            severity=Severity.WARNING,
            elements=elements,
            place=Place(
                file=picture,
                lon=seen_link.at[0] if seen_link.at else None,
                lat=seen_link.at[1] if seen_link.at else None,
            ),
            message=_format_message(link, crops),
            data={"confidence": link.confidence, "drawn": link.drawn, "why": link.why},
            attachments=_list_attachments(seen_link, picture, crops),
        )
        findings.append(finding.model_copy(update={"accepted": finding.accepted_reason(accepted)}))
    return findings


def make_railroad_findings(
    colours: Mapping[str, str], links: Iterable[LinkFound], accepted: Mapping[str, str], *, picture: str
) -> list[Finding]:
    """Return a finding for each railroad of which no link is drawn.

    Args:
        colours: The colour that was looked for, `#rrggbb`, by railroad.
        links: All links of the scan.
        accepted: Finding id -> reason why it is accepted.
        picture: The file of the scan, as the user names it.
    """
    found_links = [*links]
    drawn, doubtful = ({link.railroad for link in found_links if link.drawn is drawn} for drawn in (True, False))
    findings: list[Finding] = []
    for railroad, colour in sorted(colours.items()):
        if railroad in drawn:
            continue
        what = "only links in doubt are" if railroad in doubtful else "no link is"
        finding = Finding(
            code=WITHOUT_LINKS,
            name=load_scan_check_rows()[WITHOUT_LINKS].name,
            severity=Severity.WARNING,
            elements=(railroad,),
            place=Place(file=picture),
            message=f"{railroad}: {what} found in its colour {colour}; give a pixel on its line: --colours FILE.csv "
            "with the columns railroad,x,y",
            data={"colour": colour, "doubtful": railroad in doubtful},
        )
        findings.append(finding.model_copy(update={"accepted": finding.accepted_reason(accepted)}))
    return findings


def sort_by_confidence(findings: Iterable[Finding | None]) -> tuple[Finding, ...]:
    """Sort findings: railroads without links, links by confidence, lowest first; accepted ones last."""
    actual_findings = (finding for finding in findings if finding is not None)
    return tuple(sorted(actual_findings, key=lambda f: (f.accepted is not None, _finding_confidence(f), f.elements)))


def make_link_report(findings: tuple[Finding, ...]) -> CheckReport:
    """Return findings on links as the report of their check."""
    codes = {finding.code for finding in findings}
    return CheckReport(findings=findings, checks={code: "found" if code in codes else "passed" for code in LINK_TITLES})


def _finding_confidence(finding: Finding) -> float:
    link_confidence = finding.data.get("confidence")
    return link_confidence if isinstance(link_confidence, float) else -1.0


def _format_message(link: LinkFound, crops: PurePath | None) -> str:
    where_text = (
        f"look at {(crops / link.crop).as_posix()}" if crops is not None and link.crop else "look at the picture"
    )
    cure_text = "delete it if it is not there" if link.drawn else "it is not drawn; draw it if it is there"
    return (
        f"{link.railroad}, {link.a} - {link.b}: {link.confidence:.0%} sure, {link.why}; {where_text}, and {cure_text}"
    )


def _list_attachments(seen_link: LinkInPicture, picture: str, crops: PurePath | None) -> tuple[Attachment, ...]:
    scan_attachment = Attachment(file=picture, about="where the link is in the scan", box=seen_link.box)
    if crops is None or not seen_link.link.crop:
        return (scan_attachment,)
    crop_path = (crops / seen_link.link.crop).as_posix()
    return Attachment(file=crop_path, about="the link, with the line that was followed in magenta"), scan_attachment
