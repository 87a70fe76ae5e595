"""What a drawing of a board holds, in pixels: mileposts, lines of links, and what makes each link hard to read."""

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image

Spots = NDArray[np.float64]

MM_PER_INCH = 25.4
NUMBER = re.compile(r"[-\d.]+")
GAPPED = ("dash", "dash-dot", "dot")
"""Patterns whose ink has gaps."""
SEGMENT_WIDTHS = 2.0
"""The stroke that makes a segment clickable is so many times as wide as its line."""
BESIDE = 2.5
"""Lines nearer than so many line widths are side by side."""
LEAST_SHARE = 0.25
"""Share of a link beside another line, or under names, that makes it hard."""
STEP = 2.0
"""Greatest distance between the places on a line that are looked at, pixels."""
NAME_PIXELS = 5
"""Names are at least so far from the place at which an author clicks on a line."""
CASES = ("plain", "parallel", "crossing", "gaps", "names")


@dataclass(frozen=True)
class TrueLink:
    """A link as it is drawn: its line in pixels, the width of its line, and what makes it hard."""

    railroad: str
    a: str
    b: str
    line: Spots
    width: float
    pattern: str
    cases: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """Railroad and ends; parallel links of one railroad have the same."""
        return self.railroad, *sorted((self.a, self.b))  # type: ignore[return-value]


@dataclass(frozen=True)
class Truth:
    """What a drawing holds: mileposts by id with their kind, links, and a place where each railroad lies alone."""

    spots: dict[str, tuple[str, float, float]]
    links: list[TrueLink]
    alone: dict[str, tuple[float, float]]
    names: dict[str, str] = field(default_factory=dict)


def truth_of(svg: str, dpi: float, names: NDArray[np.bool_]) -> Truth:
    """Read the ids and data of a drawing.

    Args:
        svg: The drawing.
        dpi: Pixels an inch of the picture.
        names: Which pixels of the picture differ without names.
    """
    scale = dpi / MM_PER_INCH
    spots: dict[str, tuple[str, float, float]] = {}
    labels: dict[str, str] = {}
    links: list[TrueLink] = []
    for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):  # noqa: S314 - what mapkit drew
        if group.get("class") == "railroad":
            links += _links_of(group, scale)
    for element in ET.fromstring(svg).iter():  # noqa: S314
        kind, ident = element.get("class", ""), element.get("id", "")
        if kind == "milepost dot":
            x, y = (float(element.get(name, "nan")) for name in ("cx", "cy"))
            spots[ident[2:]] = ("dot", x * scale, y * scale)
        elif kind == "milepost square":
            x, y, w, h = (float(element.get(name, "nan")) for name in ("x", "y", "width", "height"))
            spots[ident[2:]] = ("square", (x + w / 2) * scale, (y + h / 2) * scale)
        if kind.startswith("milepost "):
            labels[ident[2:]] = element.get("data-name", "")
    dots = np.array([(x, y) for _, x, y in spots.values()])
    courses: dict[str, list[Spots]] = defaultdict(list)
    for link in links:
        courses[link.railroad].append(shapely.get_coordinates(shapely.segmentize(shapely.LineString(link.line), STEP)))
    whole = {railroad: np.concatenate(lines) for railroad, lines in courses.items()}
    alone = {railroad: _alone(railroad, whole, dots, names) for railroad in whole}
    return Truth(spots, _judged(links, names, 2.0 * scale), alone, labels)


def _links_of(railroad: ET.Element, scale: float) -> list[TrueLink]:
    out = []
    for group in railroad.iter("{http://www.w3.org/2000/svg}g"):
        if group.get("class") != "segments":
            continue
        width = float(group.get("stroke-width", "nan")) / SEGMENT_WIDTHS * scale
        for segment in group:
            line = np.array([float(n) for n in NUMBER.findall(segment.get("d", ""))]).reshape(-1, 2) * scale
            out.append(
                TrueLink(
                    segment.get("data-railroad", ""),
                    segment.get("data-a", ""),
                    segment.get("data-b", ""),
                    line,
                    width,
                    railroad.get("data-pattern", ""),
                )
            )
    return out


def _judged(links: list[TrueLink], names: NDArray[np.bool_], dot: float) -> list[TrueLink]:
    """Return links with what makes them hard; `dot` is how much of each end a dot hides, pixels."""
    lines = [shapely.LineString(link.line) for link in links]
    tree = shapely.STRtree(lines)
    height, width = names.shape
    out = []
    for link, line in zip(links, lines, strict=True):
        steps = np.arange(dot, line.length - dot, 1.0)
        middle = shapely.line_interpolate_point(line, steps) if len(steps) else np.array([], object)
        beside = np.zeros(len(middle), bool)
        crossed = False
        for j in tree.query(line.buffer(BESIDE * link.width)).tolist():
            if links[j].railroad != link.railroad:
                off = shapely.distance(middle, lines[j])
                beside |= off < BESIDE * link.width
                crossed |= _crosses(line, lines[j], dot)
        x, y = np.clip(shapely.get_coordinates(middle).T.astype(int), 0, np.array([[width - 1], [height - 1]]))
        hidden = names[y, x]
        cases = [
            case
            for case, so in (
                ("parallel", len(middle) and beside.mean() > LEAST_SHARE),
                ("crossing", crossed),
                ("gaps", link.pattern in GAPPED),
                ("names", len(middle) and hidden.mean() > LEAST_SHARE),
            )
            if so
        ]
        out.append(
            TrueLink(link.railroad, link.a, link.b, link.line, link.width, link.pattern, tuple(cases) or ("plain",))
        )
    return out


def _crosses(one: shapely.LineString, other: shapely.LineString, dot: float) -> bool:
    """Whether two lines cross away from the ends of the first."""
    points = shapely.get_coordinates(shapely.intersection(one, other))
    ends = shapely.get_coordinates(one)[[0, -1]]
    return any(float(np.hypot(*(ends - point).T).min()) > 2 * dot for point in points)


def _alone(railroad: str, courses: dict[str, Spots], dots: Spots, names: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the place on a railroad's lines that is farthest from other lines, from dots and from names."""
    others = np.concatenate([dots, *(line for name, line in courses.items() if name != railroad)])
    mine = courses[railroad]
    height, width = names.shape
    x, y = np.clip(mine.T.astype(int), NAME_PIXELS, np.array([[width], [height]]) - NAME_PIXELS - 1)
    reach = range(-NAME_PIXELS, NAME_PIXELS + 1)
    is_named = np.any([names[y + dy, x + dx] for dy in reach for dx in reach], axis=0)
    off = np.array([float(np.hypot(*(others - spot).T).min()) for spot in mine])
    spot = mine[int(np.argmax(np.where(is_named, -1.0, off)))]
    return float(spot[0]), float(spot[1])


def without_names(svg: str) -> str:
    """Return a drawing without its texts."""
    return re.sub(r"<text\b.*?</text>", "", svg, flags=re.DOTALL)


def names_in(whole: Image.Image, bare: Image.Image) -> NDArray[np.bool_]:
    """Return where a picture differs from the one without names."""
    difference = np.asarray(whole, np.int16) - np.asarray(bare, np.int16)
    return np.asarray(np.abs(difference).max(axis=2) > 40, np.bool_)


def part_of(truth: Truth, box: tuple[int, int, int, int]) -> Truth:
    """Return what lies in a part of the picture: links that lie in it whole, and their mileposts; in pixels of it."""
    left, top, right, bottom = box
    corner = np.array([left, top])
    spots = {
        name: (kind, x - left, y - top)
        for name, (kind, x, y) in truth.spots.items()
        if left < x < right and top < y < bottom
    }
    links = []
    for link in truth.links:
        (x0, y0), (x1, y1) = link.line.min(axis=0), link.line.max(axis=0)
        if link.a in spots and link.b in spots and x0 > left and y0 > top and x1 < right and y1 < bottom:
            links.append(
                TrueLink(link.railroad, link.a, link.b, link.line - corner, link.width, link.pattern, link.cases)
            )
    return Truth(spots, links, {}, {name: truth.names[name] for name in spots})
