"""Lines and mileposts drawn in an SVG: Inkscape, Illustrator, or written by hand.

Coordinates of the result are **the drawing's own user units**: those of the outermost `svg` element's viewBox, x to
the right, y downward, with every transform inside applied. They are what the file's own paths are written in, whatever
its width and height are (`width="17.5in"`, `width="210mm"`). Without a viewBox one user unit is one CSS pixel, 1/96
inch, and the origin is the upper left corner.

**Lines** are paths (a subpath is a line, a closed one ends where it began), polylines, polygons and lines. Curves are
flattened. **Mileposts** are the centres of circles, ellipses and rectangles (also the circles of old Inkscape files,
which are paths with `sodipodi:type="arc"`); one wider or higher than a quarter of the page is taken for a frame. A
`use` draws what it refers to. Everything not drawn (`defs`, `display:none`, ...) and text is left out; stroke, colour
and clipping do not matter. What an author may miss is noted.

**The name of a milepost** is its `title`, else its label, else its id unless a program made that up (`circle12`); of
one drawn by `use`, that of the `use`.

**The key of a line**, in this order (see `KEYS` for others):

1. `data-railroad` of itself or of the nearest element around it;
2. its own label (`inkscape:label`; Illustrator's `data-name`);
3. the nearest group or `use` around it, inside the layer, that has a label or an id that somebody chose;
4. its layer's name; a layer is a group with `inkscape:groupmode="layer"`;
5. its own id that somebody chose;
6. a name that a program made up: of the layer (or outermost group), else its own id; else empty.

**Who stops at a milepost**: the railroads of its `data-railroad` (`SP; ATSF`), of itself or of the nearest element
around it; else the railroad whose group or layer it lies in; in any other layer, all whose lines pass it.

**The level of a line** is its `data-level` or that of the nearest element around it: lines of one railroad on different
levels cross without joining.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, get_args

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.lines.features import bad_level, parse_level, split_keys
from mapkit.formats.svg.names import Styles, decode_id, made_up, own_id, own_label, plain, point_name
from mapkit.formats.svg.path import Budget, Points, TooMuchError
from mapkit.formats.svg.shapes import SvgMark, extent, in_range, lengths, mark_of, subpaths
from mapkit.formats.svg.tree import INKSCAPE, MAX_DEPTH, XLINK, SvgFile, SvgNode, read_document
from mapkit.formats.svg.units import Affine, BadSvgError, Size, corner, length, transform, viewport
from mapkit.formats.tables import Problems
from mapkit.formats.traced import KeyFrom, TracedLayer

KEYS: Final[tuple[KeyFrom, ...]] = get_args(KeyFrom)
MAX_VERTICES = 5_000_000
MAX_USED = 100_000
FRAME_SHARE = 0.25
_SHOWN = 5
_GROUPS = {"svg", "g", "a", "switch"}
_TEXTS = {"text", "flowRoot"}
_SILENT = {
    "", "defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient", "meshgradient",
    "filter", "style", "script", "metadata", "title", "desc", "solidColor", "font", "font-face", "view", "hatch",
    "cursor", "color-profile", "set", "animate", "animateTransform", "animateMotion"
}  # fmt: skip


@dataclass(frozen=True)
class _Scope:
    """What holds inside an element."""

    matrix: Affine
    size: Size | None
    visible: bool = True
    railroad: str = ""
    level: int = 0
    group: str = ""
    layer: str = ""
    made_up: str = ""
    drawn_by: tuple[SvgNode, ...] = ()
    depth: int = 0


@dataclass
class _Notes:
    """What was left out, by kind; the first few elements of each are named."""

    found: dict[str, list[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, label: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        labels = self.found.setdefault(kind, [])
        if len(labels) < _SHOWN:
            labels.append(label)

    def sentences(self, file: str) -> tuple[str, ...]:
        """Return one sentence a kind."""
        out = []
        for kind, labels in self.found.items():
            more = self.counts[kind] - len(labels)
            names = ", ".join(labels) + (f" and {more} more" if more else "")
            out.append(f"{file}: {kind}: {names}")
        return tuple(out)


class _Reader:
    """Walks the drawing in document order and collects what is drawn."""

    def __init__(self, document: SvgFile, *, file: str, tolerance: float, key_from: KeyFrom) -> None:
        self.document, self.file, self.tolerance, self.key_from = document, file, tolerance, key_from
        self.styles = Styles(document.style_sheets)
        self.notes, self.problems = _Notes(), Problems()
        self.budget = Budget(MAX_VERTICES, MAX_VERTICES)
        self.page: DrawnPage | None = None
        self.lines: list[Points] = []
        self.line_keys: list[str] = []
        self.line_features: list[str] = []
        self.line_levels: list[int] = []
        self.points: list[tuple[float, float]] = []
        self.point_names: list[str] = []
        self.point_features: list[str] = []
        self.point_owners: list[tuple[str, ...]] = []
        self.point_layers: list[str] = []
        for name in document.repeated_ids:
            self.notes.add("ids that several elements have; `use` takes the first", name[:60])
        for selector in self.styles.not_understood:
            self.notes.add("rules of the style sheet that hide or move things and are not read", selector)

    def where(self, node: SvgNode) -> str:
        """Return file, line and element for a message."""
        shown = f"{node.tag} {node.label!r}" if node.attributes.get("id") else node.label
        return f"{self.file}:{node.line}: {shown}"

    def feature(self, node: SvgNode, scope: _Scope) -> str:
        """Return the source feature: `board.svg#path12`; through `use`, `board.svg#use3/dot`."""
        return f"{self.file}#{'/'.join(part.label for part in (*scope.drawn_by, node))}"

    def read(self) -> None:
        """Read the whole drawing.

        Raises:
            SourceError: Elements cannot be read, or there are too many.
        """
        try:
            start = self._page()
        except BadSvgError as error:
            raise SourceError(f"{self.where(self.document.root)}: {error}") from error
        stack: list[tuple[SvgNode, _Scope]] = [(self.document.root, start)]
        used = 0
        while stack:
            node, scope = stack.pop()
            used += bool(scope.drawn_by)
            if used > MAX_USED:
                self.problems.add(f"{self.where(node)}: `use` draws more than {MAX_USED} elements; draw them once")
                break
            try:
                stack.extend(reversed(list(self._visit(node, scope))))
            except BadSvgError as error:
                self.problems.add(f"{self.where(node)}: {error}")
            except TooMuchError as error:
                self.problems.add(f"{self.where(node)}: {error}")
                break
        self.problems.raise_if_any()

    def _page(self) -> _Scope:
        """Return the scope around the outermost element; remember the page, and what a pixel of it is in user units."""
        root = self.document.root
        if transform(self.styles.of(root).get("transform", "")) != Affine():
            raise BadSvgError("a transform of the outermost svg is not read; put it on a group inside")
        sides = []
        for side in ("width", "height"):
            text = root.attributes.get(side, "").strip()
            known = text and text != "auto" and not text.endswith("%")
            sides.append(length(text, None, side) if known else None)
        to_pixels, inside, _ = viewport(root.attributes, sides[0], sides[1])
        x, y = corner(root.attributes)
        self.page = DrawnPage(x=x, y=y, width=inside.width, height=inside.height) if inside else None
        self.tolerance /= to_pixels.a
        return _Scope(Affine(), inside)

    def _visit(self, node: SvgNode, outer: _Scope) -> Iterator[tuple[SvgNode, _Scope]]:
        """Read an element; yield what is to be read next, in order."""
        if node.tag in _SILENT and not (node.tag == "symbol" and outer.drawn_by):
            return
        if node.tag in _TEXTS:
            self.notes.add("text is not read", node.label)
            return
        scope = self._enter(node, outer)
        if scope is None:
            return
        match node.tag:
            case "svg" | "g" | "a" | "symbol" | "switch":
                yield from ((child, scope) for child in _drawn_children(node))
            case "use":
                yield from self._use(node, scope, outer)
            case "path" | "polyline" | "polygon" | "line" | "circle" | "ellipse" | "rect":
                mark = mark_of(node, scope.size)
                if mark:
                    self._add_point(node, scope, mark)
                else:
                    self._add_lines(node, scope, outer)
            case "image":
                self.notes.add("pictures are not read", node.label)
            case _:
                self.notes.add("elements of kinds that are not read", node.label)

    def _enter(self, node: SvgNode, outer: _Scope) -> _Scope | None:
        """Return the scope inside an element; None if it is not drawn."""
        style = self.styles.of(node)
        if style.get("display") == "none":
            label = own_label(node)
            self.notes.add("hidden (display:none), left out", f"{node.label} ({label})" if label else node.label)
            return None
        origin = style.get("transform-origin", "").split()
        matrix = outer.matrix.then(transform(style.get("transform", "")))
        if any(part.strip("0.px%") not in {"", "left", "top"} for part in origin) and "transform" in style:
            raise BadSvgError("transform-origin is not read; write the shift into the transform")
        size = outer.size
        if node.tag == "svg" and node is not self.document.root:
            matrix, size = self._inner(node, node, outer, matrix)
        elif node.tag == "symbol":
            matrix, size = self._inner(node, outer.drawn_by[-1], outer, matrix)
        if matrix.determinant == 0:
            self.notes.add("flattened to nothing by a transform, left out", node.label)
            return None
        shown = style.get("visibility")
        visible = shown == "visible" if shown in {"visible", "hidden", "collapse"} else outer.visible
        for name in ("clip-path", "mask"):
            if style.get(name, "none") != "none":
                self.notes.add("clipped or masked, read whole", node.label)
        if outer.depth >= MAX_DEPTH:
            raise BadSvgError(f"is nested {MAX_DEPTH} deep through `use`; ungroup the drawing")
        scope = replace(
            outer, matrix=matrix, size=size, visible=visible, level=_level(node, outer), depth=outer.depth + 1
        )
        return self._named(node, scope) if node.tag in _GROUPS or node.tag in {"use", "symbol"} else scope

    def _inner(self, node: SvgNode, sized_by: SvgNode, outer: _Scope, matrix: Affine) -> tuple[Affine, Size | None]:
        """Return matrix and size inside a nested `svg` or a `symbol`, whose `use` may give the size."""
        sides: list[float | None] = []
        for index, side in enumerate(("width", "height")):
            text = sized_by.attributes.get(side) or node.attributes.get(side) or "100%"
            whole = outer.size[index] if outer.size else None
            text = "100%" if text == "auto" else text
            sides.append(None if text == "100%" and whole is None else length(text, whole, side))
        if node.tag == "svg":
            x, y = lengths(node, outer.size, "x", "y")
            matrix = matrix.then(Affine(e=x, f=y))
        inner, size, _ = viewport(node.attributes, sides[0], sides[1])
        return matrix.then(inner), size or outer.size

    def _named(self, node: SvgNode, scope: _Scope) -> _Scope:
        """Return the scope with the names that an element around lines gives them."""
        railroad = plain(node.attributes.get("data-railroad", "")) or scope.railroad
        if node is self.document.root:
            return replace(scope, railroad=railroad)
        name = own_label(node) or own_id(node, illustrator=self.document.illustrator)
        raw = decode_id(node.attributes.get("id", ""), illustrator=self.document.illustrator)
        if node.attributes.get(f"{INKSCAPE}groupmode") == "layer":
            chosen = "" if made_up(name) else name
            return replace(scope, railroad=railroad, group="", layer=chosen or scope.layer, made_up=name or raw)
        # A symbol's own name says what it looks like, not whose it is.
        group = scope.group if node.tag == "symbol" or made_up(name) else name or scope.group
        return replace(scope, railroad=railroad, group=group, made_up=scope.made_up or name or raw)

    def _use(self, node: SvgNode, scope: _Scope, outer: _Scope) -> Iterator[tuple[SvgNode, _Scope]]:
        """Yield what a `use` draws."""
        reference = (node.attributes.get("href") or node.attributes.get(f"{XLINK}href") or "").strip()
        if reference and not reference.startswith("#"):
            raise BadSvgError(f"refers to {reference[:60]!r} outside the file, which is refused; embed it")
        target = self.document.ids.get(reference[1:])
        if target is None:
            self.notes.add("`use` of something that is not in the file, left out", node.label)
            return
        if any(node is part for part in scope.drawn_by):
            raise BadSvgError(f"draws itself through {reference[:60]!r}; remove the circle of references")
        x, y = lengths(node, outer.size, "x", "y")
        yield target, replace(scope, matrix=scope.matrix.then(Affine(e=x, f=y)), drawn_by=(*scope.drawn_by, node))

    def _add_point(self, node: SvgNode, scope: _Scope, mark: SvgMark) -> None:
        """Keep the centre of a mark as a milepost."""
        if mark.half_x < 0 or mark.half_y < 0:
            raise BadSvgError("has a negative size")
        if mark.half_x == 0 or mark.half_y == 0:
            self.notes.add("without size, left out", node.label)
            return
        if not scope.visible:
            self.notes.add("hidden (visibility:hidden), left out", node.label)
            return
        wide, high = extent(mark, scope.matrix)
        if self.page and (wide > FRAME_SHARE * self.page.width or high > FRAME_SHARE * self.page.height):
            self.notes.add("larger than a quarter of the page, taken for a frame and left out", node.label)
            return
        self.budget.take(1)
        self.points.append(in_range(*scope.matrix.apply(mark.x, mark.y)))
        named_by = scope.drawn_by[0] if scope.drawn_by else node
        self.point_names.append(point_name(named_by, illustrator=self.document.illustrator))
        self.point_features.append(self.feature(node, scope))
        self.point_owners.append(split_keys(plain(node.attributes.get("data-railroad", "")) or scope.railroad))
        in_layer = scope.layer or scope.made_up
        self.point_layers.append(in_layer if self.key_from == "layer" else scope.group or in_layer)

    def _add_lines(self, node: SvgNode, scope: _Scope, outer: _Scope) -> None:
        """Keep the subpaths of a shape as lines."""
        found = subpaths(node, scope.matrix, scope.size, tolerance=self.tolerance, budget=self.budget)
        kept = [line for line in found if (line != line[0]).any()]
        if len(kept) < max(len(found), 1):
            self.notes.add("without length, left out", node.label)
        if not scope.visible and kept:
            self.notes.add("hidden (visibility:hidden), left out", node.label)
            return
        key, feature = self._key(node, outer), self.feature(node, scope)
        for number, line in enumerate(found, start=1):
            if (line != line[0]).any():
                self.lines.append(line)
                self.line_keys.append(key)
                self.line_features.append(f"{feature}/{number}" if len(found) > 1 else feature)
                self.line_levels.append(scope.level)

    def _key(self, node: SvgNode, scope: _Scope) -> str:
        """Return the key of a line; the module's text gives the order."""
        illustrator = self.document.illustrator
        label, chosen = own_label(node), own_id(node, illustrator=illustrator)
        raw = decode_id(node.attributes.get("id", ""), illustrator=illustrator)
        match self.key_from:
            case "own":
                return plain(node.attributes.get("data-railroad", "")) or label or chosen
            case "group":
                return scope.group
            case "layer":
                return scope.layer or scope.made_up
            case "id":
                return raw
            case "class":
                return plain(node.attributes.get("class", ""))
        railroad = plain(node.attributes.get("data-railroad", "")) or scope.railroad
        return railroad or label or scope.group or scope.layer or chosen or scope.made_up or raw


def _level(node: SvgNode, outer: _Scope) -> int:
    """Return the level of an element: its own, else that around it.

    Raises:
        BadSvgError: It is not a level.
    """
    text = node.attributes.get("data-level", "").strip()
    level = parse_level(text) if text else outer.level
    if level is None:
        raise BadSvgError(f"data-{bad_level(text)}")
    return level


def _drawn_children(node: SvgNode) -> list[SvgNode]:
    """Return the children of a group; of a `switch`, the first that every program can draw."""
    if node.tag != "switch":
        return node.children
    extension = "requiredExtensions"
    options = (c for c in node.children if c.tag not in _SILENT and c.tag != "foreignObject")
    return [child for child in options if not child.attributes.get(extension, "").strip()][:1]


def read_svg(
    path: Path, *, name: str | None = None, tolerance_px: float = 0.1, key_from: KeyFrom = "auto"
) -> TracedLayer:
    """Read the lines and mileposts of an SVG, in its own user units (see the module's text).

    Args:
        path: The file, which may be compressed (SVGZ).
        name: What to call it in messages; its name if None.
        tolerance_px: Largest distance between a curve and its polyline, in CSS pixels of the page (1/96 inch).
        key_from: What a line's key is: `"auto"`, the order given above; `"own"`, its own `data-railroad`, label or
            chosen id; `"group"`; `"layer"`; `"id"`, as written; `"class"`. Empty where there is none.

    Returns:
        Lines and points in document order, and the page; `crs` is None.

    Raises:
        SourceError: The file is not an SVG, is refused or too large, or elements of it cannot be read; each is named.
        WorkspaceError: It is missing or may not be read.
        ValueError: `tolerance_px` is not above 0, or `key_from` is unknown.
    """
    if not (tolerance_px > 0 and math.isfinite(tolerance_px)):
        raise ValueError(f"tolerance_px is {tolerance_px}, not above 0")
    if key_from not in KEYS:
        raise ValueError(f"key_from is {key_from!r}, not one of {', '.join(KEYS)}")
    name = name or path.name
    document = read_document(path, name=name)
    reader = _Reader(document, file=name, tolerance=tolerance_px, key_from=key_from)
    reader.read()
    return TracedLayer(
        file=name,
        crs=None,
        lines=_lines(reader.lines),
        line_keys=tuple(reader.line_keys),
        line_features=tuple(reader.line_features),
        points=np.asarray(shapely.points(np.array(reader.points).reshape(-1, 2)), dtype=np.object_),
        point_names=tuple(reader.point_names),
        point_features=tuple(reader.point_features),
        line_levels=tuple(reader.line_levels),
        point_owners=tuple(reader.point_owners),
        point_layers=tuple(reader.point_layers),
        notes=reader.notes.sentences(name),
        page=reader.page,
    )


def _lines(parts: list[Points]) -> NDArray[np.object_]:
    """Return vertices as LineStrings."""
    if not parts:
        return np.empty(0, dtype=np.object_)
    owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.asarray(shapely.linestrings(np.concatenate(parts), indices=owners), dtype=np.object_)
