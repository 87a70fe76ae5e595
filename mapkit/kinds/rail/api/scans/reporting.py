"""Report on a scan of a board, with findings."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

import numpy as np

from mapkit.formats.pixels import Pixels
from mapkit.kinds.rail.checks.scanned_links import (
    LinkInPicture,
    make_link_findings,
    make_railroad_findings,
    sort_by_confidence,
)
from mapkit.kinds.rail.model.board_scan import BoardScan, LinkFound, RailroadFound, ScannedMilepost
from mapkit.kinds.rail.scanning.dots import warn_of_symbols
from mapkit.kinds.rail.scanning.drawing import box_around, crop_around
from mapkit.kinds.rail.scanning.links import SURE, describe_doubts
from mapkit.kinds.rail.scanning.scan import ScannedBoard, ScannedLink
from mapkit.kinds.rail.scanning.symbols import Symbol
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference

_MOST: Final = 0.5
"""Part of the links in doubt from which on a warning says so."""


@dataclass(frozen=True, kw_only=True)
class ScanReport:
    """Input of a report on a scan.

    Attributes:
        picture: The file of the scan, as the user names it.
        board: What it shows.
        names: The name of each of its symbols.
        placed: Where it lies, if control points say so.
        least: Links less sure than this are not drawn.
        colours: The colour of each railroad.
        accepted: Finding id -> why the author keeps what it reports.
        crops: The folder for pictures of doubtful links, as the user names it; None for no pictures.
    """

    picture: PurePath
    board: ScannedBoard
    names: Sequence[str]
    placed: Georeference | None
    least: float
    colours: Mapping[str, str]
    accepted: Mapping[str, str]
    crops: PurePath | None

    def listed(self, pixels: Pixels, files: dict[str, bytes]) -> BoardScan:
        """Return the report; the crops of doubtful links go into `files`."""
        board = self.board
        stops: dict[int, set[str]] = defaultdict(set)
        for link in board.links:
            stops[link.a].add(link.railroad)
            stops[link.b].add(link.railroad)
        seen: list[LinkInPicture] = []
        for number, link in enumerate(board.links):
            crop = ""
            if self.crops is not None and link.confidence < SURE:
                crop = f"{link.railroad}-{number + 1}.png"
                files[crop] = crop_around(pixels, link.line)
            seen.append(LinkInPicture(self._link(link, crop), box_around(pixels, link.line), self._middle(link)))
        findings = make_link_findings(seen, self.accepted, picture=self.picture.as_posix(), crops=self.crops)
        found = [
            one.link if finding is None else one.link.model_copy(update={"finding": finding.id})
            for one, finding in zip(seen, findings, strict=True)
        ]
        counts = Counter(link.railroad for link in found)
        doubtful = Counter(link.railroad for link in found if link.confidence < SURE)
        return BoardScan(
            picture=self.picture.name,
            width=board.width,
            height=board.height,
            dot_width=round(2 * board.sizes.dot, 1),
            square_width=round(2 * board.sizes.square, 1),
            placed=self.placed is not None,
            mileposts=tuple(
                scanned_milepost(symbol, name, stops[i])
                for i, (symbol, name) in enumerate(zip(board.symbols, self.names, strict=True))
            ),
            stray=tuple(scanned_milepost(symbol, "", ()) for symbol in board.stray),
            railroads=tuple(
                RailroadFound(railroad=ident, colour=colour, links=counts[ident], doubtful=doubtful[ident])
                for ident, colour in sorted(self.colours.items())
            ),
            links=tuple(sorted(found, key=lambda link: (link.railroad, link.confidence, link.a, link.b))),
            findings=sort_by_confidence(
                [
                    *make_railroad_findings(self.colours, found, self.accepted, picture=self.picture.as_posix()),
                    *findings,
                ]
            ),
            warnings=tuple(filter(None, [warn_of_symbols(board.symbols), _doubt_of_links(board.links)])),
        )

    def _link(self, link: ScannedLink, crop: str) -> LinkFound:
        return LinkFound(
            railroad=link.railroad,
            a=self.names[link.a],
            b=self.names[link.b],
            confidence=round(link.confidence, 2),
            why=", ".join(describe_doubts(link.evidence)) if link.confidence < SURE else "",
            crop=crop,
            drawn=link.confidence >= self.least,
        )

    def _middle(self, link: ScannedLink) -> tuple[float, float] | None:
        """Return the middle vertex of a link in degrees, if that is known."""
        if self.placed is None:
            return None
        lon, lat = self.placed.lonlat_or_nan(link.line[len(link.line) // 2][None])[0]
        return (round(float(lon), 5), round(float(lat), 5)) if np.isfinite((lon, lat)).all() else None


def _doubt_of_links(links: Sequence[ScannedLink]) -> str:
    """Return a warning if most links are in doubt; else nothing."""
    doubtful = sum(link.confidence < SURE for link in links)
    if doubtful <= _MOST * len(links):
        return ""
    return (
        f"of {len(links)} links, {doubtful} are in doubt: is this a board, and are the colours those of its lines "
        "(--colours)?"
    )


def scanned_milepost(symbol: Symbol, name: str, railroads: Sequence[str] | set[str]) -> ScannedMilepost:
    """Return a symbol as it is reported."""
    return ScannedMilepost(
        name=name,
        kind=symbol.kind,
        x=round(symbol.x, 1),
        y=round(symbol.y, 1),
        confidence=round(symbol.sure, 2),
        railroads=tuple(sorted(railroads)),
    )
