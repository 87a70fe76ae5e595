"""Lines and mileposts of SVG drawings: Inkscape, Illustrator, or written by hand.

Coordinates of the result are **the drawing's own user units**: those of the outermost `svg` element's viewBox, x to
the right, y downward, with every transform inside applied. They are what the file's own paths are written in, whatever
its width and height are (`width="17.5in"`, `width="210mm"`). Without a viewBox one user unit is one CSS pixel, 1/96
inch, and the origin is the upper left corner.

**Lines** are paths (a subpath is a line, a closed one ends where it began), polylines, polygons and lines. Curves are
flattened. **Mileposts** are the centres of circles, ellipses and rectangles (also the circles of old Inkscape files,
which are paths with `sodipodi:type="arc"`); one wider or higher than a quarter of the page is taken for a frame. A
`use` draws what it refers to. A small filled circle or square that was turned into a path is a milepost too. What a
renderer does not paint (`defs`, `display:none`, no stroke, width or opacity), text, and shapes with a fill alone are
left out; in a drawing without any stroke all lines count. The drawing is rendered once: a line that is clipped away or
covered is left out too, and paint that was passed over is reported. What an author may miss is noted.

**The name of a milepost** is its `title`, else its label, else its id unless a program made that up (`circle12`); of
one drawn by `use`, that of the `use`; else the text beside it, within one and a half times its height.

**The key of a line**, in this order (see `KEYS` for others):

1. `data-railroad` of itself or of the nearest element around it;
2. its own label (`inkscape:label`; Illustrator's `data-name`; Affinity's `serif:id`);
3. the nearest group or `use` around it, inside the layer, that has a label or an id that somebody chose (the id of a
   clone counts outside layers only);
4. its layer's name; a layer is a group with `inkscape:groupmode="layer"`;
5. its own id that somebody chose;
6. a name that a program made up: of the layer (or outermost group), else its own id; else empty.

The names of all elements around it are alternates, for the import to find the nearest that names a railroad.

**Who stops at a milepost**: the railroads of its `data-railroad` (`SP; ATSF`), of itself or of the nearest element
around it; else the railroad whose group or layer it lies in; in any other layer, all whose lines pass it.

**The level of a line** is its `data-level` or that of the nearest element around it: lines of one railroad on different
levels cross without joining.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, get_args

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.lines.features import level_error_message, parse_level, split_keys
from mapkit.formats.lines.svg_labels import Label, match_labels, read_label
from mapkit.formats.lines.svg_painted import compare_with_paint
from mapkit.formats.svg.names import Styles, collapse_spaces, decode_id, is_made_up, own_id, own_label, point_name
from mapkit.formats.svg.paint import Paint
from mapkit.formats.svg.path import Budget, Points, TooMuchError
from mapkit.formats.svg.shapes import SvgMark, check_point, dot_centre, extent, read_lengths, read_mark, read_subpaths
from mapkit.formats.svg.tree import INKSCAPE, MAX_DEPTH, XLINK, SvgFile, SvgNode, read_document
from mapkit.formats.svg.units import Affine, BadSvgError, Size, corner, parse_length, parse_transform, viewport
from mapkit.formats.tables import Problems
from mapkit.formats.traced import KeyFrom, MapShape, TracedLayer

KEYS: Final[tuple[KeyFrom, ...]] = get_args(KeyFrom)
MAP_LAYERS: Final = ("land", "lakes", "rivers", "mountains", "regions", "labels")
"""Layers of the base map of an invented land."""
_MARK_VERTICES: Final = 48
MAX_VERTICES = 5_000_000
MAX_USED = 100_000
FRAME_SHARE = 0.25
_MAX_NAMED = 5
_PAINT = Paint()
_UNSTYLED = _PAINT.inside({"stroke": "black"})
_UNPAINTED = "not painted (no stroke, width or opacity), left out"
_FILLED = "filled without a stroke, left out (--centre-lines takes the lines along the middle of outlines)"
_GROUP_ELEMENTS = {"svg", "g", "a", "switch"}
_TEXT_ELEMENTS = {"text", "flowRoot"}
_SILENT_ELEMENTS = {
    "", "defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient", "meshgradient",
    "filter", "style", "script", "metadata", "title", "desc", "solidColor", "font", "font-face", "view", "hatch",
    "cursor", "color-profile", "set", "animate", "animateTransform", "animateMotion"
}  # fmt: skip


@dataclass(frozen=True)
class _Scope:
    """State inherited by the content of an element."""

    matrix: Affine
    size: Size | None
    visible: bool = True
    paint: Paint = _PAINT
    railroad: str = ""
    level: int = 0
    group: str = ""
    layer: str = ""
    made_up: str = ""
    names: tuple[str, ...] = ()
    drawn_by: tuple[SvgNode, ...] = ()
    depth: int = 0


@dataclass
class _Notes:
    """Notes on skipped content, by kind; the first few elements of each kind are named."""

    found: dict[str, list[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    shapes: dict[str, list[Points]] = field(default_factory=dict)

    def add(self, kind: str, label: str, shapes: Iterable[Points] = ()) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.shapes.setdefault(kind, []).extend(shapes)
        labels = self.found.setdefault(kind, [])
        if len(labels) < _MAX_NAMED:
            labels.append(label)

    def sentences(self, file: str) -> dict[str, tuple[Points, ...]]:
        """Return one sentence a kind, with the shapes of its elements."""
        sentences = {}
        for kind, labels in self.found.items():
            more_count = self.counts[kind] - len(labels)
            listed_names = ", ".join(labels) + (f" and {more_count} more" if more_count else "")
            sentences[f"{file}: {kind}: {listed_names}"] = tuple(self.shapes[kind])
        return sentences


class _Reader:
    """Traversal of a drawing in document order that collects lines and mileposts."""

    def __init__(
        self, document: SvgFile, *, file: str, tolerance: float, key_from: KeyFrom, with_fills: bool, with_map: bool
    ) -> None:
        self.document, self.file, self.tolerance, self.key_from = document, file, tolerance, key_from
        self.with_fills, self.with_map = with_fills, with_map
        self.map_shapes: list[MapShape] = []
        self.styles = Styles(document.style_sheets)
        self.notes, self.problems = _Notes(), Problems()
        self.budget = Budget(MAX_VERTICES, MAX_VERTICES)
        self.page: DrawnPage | None = None
        self.lines: list[Points] = []
        self.line_keys: list[str] = []
        self.line_features: list[str] = []
        self.line_levels: list[int] = []
        self.line_alternates: list[tuple[str, ...]] = []
        self.points: list[tuple[float, float]] = []
        self.point_names: list[str] = []
        self.point_features: list[str] = []
        self.point_owners: list[tuple[str, ...]] = []
        self.point_layers: list[str] = []
        self.line_nodes: list[SvgNode] = []
        self.unpainted_shapes: dict[SvgNode, list[Points]] = {}
        self.clipped_nodes: list[SvgNode] = []
        self.labels: list[Label] = []
        self.guesses: tuple[str, ...] = ()
        for name in document.repeated_ids:
            self.notes.add("ids that several elements have; `use` takes the first", name[:60])
        for selector in self.styles.not_understood:
            self.notes.add("rules of the style sheet that hide or move things and are not read", selector)

    def where(self, node: SvgNode) -> str:
        """Return file, line and element for a message."""
        element_text = f"{node.tag} {node.label!r}" if node.attributes.get("id") else node.label
        return f"{self.file}:{node.line}: {element_text}"

    def feature(self, node: SvgNode, scope: _Scope) -> str:
        """Return the source feature: `board.svg#path12`; through `use`, `board.svg#use3/dot`."""
        return f"{self.file}#{'/'.join(part.label for part in (*scope.drawn_by, node))}"

    def read(self) -> None:
        """Read the whole drawing.

        Raises:
            SourceError: Elements cannot be read, or there are too many.
        """
        try:
            root_scope = self._read_page()
        except BadSvgError as error:
            raise SourceError(f"{self.where(self.document.root)}: {error}") from error
        open_nodes: list[tuple[SvgNode, _Scope]] = [(self.document.root, root_scope)]
        used_count = 0
        while open_nodes:
            node, scope = open_nodes.pop()
            used_count += bool(scope.drawn_by)
            if used_count > MAX_USED:
                self.problems.add(f"{self.where(node)}: `use` draws more than {MAX_USED} elements; draw them once")
                break
            try:
                open_nodes.extend(reversed(list(self._visit_element(node, scope))))
            except BadSvgError as error:
                self.problems.add(f"{self.where(node)}: {error}")
            except TooMuchError as error:
                self.problems.add(f"{self.where(node)}: {error}")
                break
        self.problems.raise_if_any()
        self._name_points()
        self._compare_with_paint()

    def _compare_with_paint(self) -> None:
        """Leave out the lines that a renderer does not show, and note what it shows besides."""
        comparison = None
        if self.page is not None and not self.with_fills and _names_stroke(self.document.root):
            comparison = compare_with_paint(
                self.document.data, self.page, self.lines, self.line_nodes, tuple(self.unpainted_shapes)
            )
        if comparison is None:
            for node in self.clipped_nodes:
                self.notes.add("clipped or masked, read whole", node.label)
            return
        for index in comparison.partly_seen:
            share = round(100 * comparison.shares[index])
            name = self.line_features[index].partition("#")[2]
            self.notes.add(
                "shown in part only (clipped or covered), read whole", f"{name} ({share} %)", [self.lines[index]]
            )
        for node in comparison.passed_over:
            self.notes.add("painted, but not read; give it a plain stroke", node.label, self.unpainted_shapes[node])
        for index in reversed(comparison.unseen):
            self.notes.add(
                "not shown (clipped, covered or of the colour below), left out",
                self.line_features[index].partition("#")[2],
                [self.lines[index]],
            )
            for column in (
                self.lines,
                self.line_keys,
                self.line_features,
                self.line_levels,
                self.line_alternates,
                self.line_nodes,
            ):
                del column[index]

    def _map_layer(self, scope: _Scope) -> str:
        """Return the layer of the base map that a scope lies in; empty for none."""
        if not self.with_map:
            return ""
        return next((layer for name in scope.names if (layer := name.casefold().strip()) in MAP_LAYERS), "")

    def _add_map_shape(self, node: SvgNode, scope: _Scope, layer: str) -> None:
        """Add a shape to the base map, whatever its paint; circles and rectangles are areas."""
        parts = read_subpaths(node, scope.matrix, scope.size, tolerance=self.tolerance, budget=self.budget)
        mark = read_mark(node, scope.size)
        if mark:
            turns = np.linspace(0.0, 2 * math.pi, _MARK_VERTICES + 1)
            if node.tag == "rect":
                turns = np.arange(5) * math.pi / 2 + math.pi / 4
            stretch = math.sqrt(2) if node.tag == "rect" else 1.0
            parts = [
                np.array(
                    [
                        scope.matrix.apply(
                            mark.x + stretch * mark.half_x * math.cos(turn),
                            mark.y + stretch * mark.half_y * math.sin(turn),
                        )
                        for turn in turns
                    ]
                )
            ]
        shown_parts = tuple(tuple(map(tuple, part.tolist())) for part in parts if (part != part[0]).any())
        if not shown_parts or not scope.visible:
            self.notes.add("without length or hidden, left out", node.label)
            return
        around = node.parent
        names = (
            point_name(each, illustrator=self.document.illustrator)
            for each in (node, around)
            if each is not None and each.attributes.get(f"{INKSCAPE}groupmode") != "layer"
        )
        name = next(filter(None, names), "")
        self.map_shapes.append(MapShape(layer, name, self.feature(node, scope), shown_parts))

    def _add_label(self, node: SvgNode, scope: _Scope, map_layer: str) -> None:
        label = read_label(node, scope.matrix, scope.size, self.styles.of)
        if label is None:
            self.notes.add("text is not read", node.label)
        elif map_layer == "labels":
            middle = (label.left + label.right) / 2, (label.top + label.bottom) / 2
            self.map_shapes.append(MapShape(map_layer, label.text, self.feature(node, scope), ((middle,),)))
        else:
            self.labels.append(label)

    def _name_points(self) -> None:
        """Name the points without a name by the text beside them."""
        label_by_point = match_labels(self.points, self.labels)
        guessed_points = [point for point in sorted(label_by_point) if not self.point_names[point]]
        for point in guessed_points:
            self.point_names[point] = label_by_point[point].text
        used_features = {label.feature for label in label_by_point.values()}
        for label in self.labels:
            if label.feature not in used_features:
                self.notes.add("text is not read", label.feature)
        if guessed_points:
            names = [f"{self.point_names[point]} ({self.point_features[point]})" for point in guessed_points]
            self.guesses = (
                f"{self.file}: named by the text beside it, a title names a milepost otherwise: {', '.join(names)}",
            )

    def _read_page(self) -> _Scope:
        """Return the scope around the outermost element; store the page, and scale the tolerance to user units."""
        root = self.document.root
        if parse_transform(self.styles.of(root).get("transform", "")) != Affine():
            raise BadSvgError("a transform of the outermost svg is not read; put it on a group inside")
        page_sides = []
        for side in ("width", "height"):
            side_text = root.attributes.get(side, "").strip()
            is_known = side_text and side_text != "auto" and not side_text.endswith("%")
            page_sides.append(parse_length(side_text, None, side) if is_known else None)
        to_pixels, inner_size, _ = viewport(root.attributes, page_sides[0], page_sides[1])
        x, y = corner(root.attributes)
        self.page = DrawnPage(x=x, y=y, width=inner_size.width, height=inner_size.height) if inner_size else None
        self.tolerance /= to_pixels.a
        return _Scope(Affine(), inner_size, paint=_PAINT if _names_stroke(root) else _UNSTYLED)

    def _visit_element(self, node: SvgNode, outer: _Scope) -> Iterator[tuple[SvgNode, _Scope]]:  # noqa: C901 - a case a tag
        """Read an element; yield the elements to read next, in order."""
        if node.tag in _SILENT_ELEMENTS and not (node.tag == "symbol" and outer.drawn_by):
            return
        if node.tag in _TEXT_ELEMENTS:
            scope = self._enter_element(node, outer)
            if scope is not None and scope.visible:
                self._add_label(node, scope, self._map_layer(outer))
            return
        scope = self._enter_element(node, outer)
        if scope is None:
            return
        match node.tag:
            case "svg" | "g" | "a" | "symbol" | "switch":
                yield from ((child, scope) for child in _drawn_children(node))
            case "use":
                yield from self._resolve_use(node, scope, outer)
            case "path" | "polyline" | "polygon" | "line" | "circle" | "ellipse" | "rect":
                mark = read_mark(node, scope.size)
                if map_layer := self._map_layer(scope):
                    self._add_map_shape(node, scope, map_layer)
                elif mark:
                    self._add_point(node, scope, mark)
                else:
                    self._add_lines(node, scope, outer)
            case "image":
                self.notes.add("pictures are not read", node.label)
            case _:
                self.notes.add("elements of kinds that are not read", node.label)

    def _enter_element(self, node: SvgNode, outer: _Scope) -> _Scope | None:
        """Return the scope inside an element; None if it is not drawn."""
        style = self.styles.of(node)
        if style.get("display") == "none":
            label = own_label(node)
            self.notes.add("hidden (display:none), left out", f"{node.label} ({label})" if label else node.label)
            return None
        transform_origin = style.get("transform-origin", "").split()
        matrix = outer.matrix.then(parse_transform(style.get("transform", "")))
        if any(part.strip("0.px%") not in {"", "left", "top"} for part in transform_origin) and "transform" in style:
            raise BadSvgError("transform-origin is not read; write the shift into the transform")
        size = outer.size
        if node.tag == "svg" and node is not self.document.root:
            matrix, size = self._enter_viewport(node, node, outer, matrix)
        elif node.tag == "symbol":
            matrix, size = self._enter_viewport(node, outer.drawn_by[-1], outer, matrix)
        if matrix.determinant == 0:
            self.notes.add("flattened to nothing by a transform, left out", node.label)
            return None
        visibility = style.get("visibility")
        visible = visibility == "visible" if visibility in {"visible", "hidden", "collapse"} else outer.visible
        if any(style.get(name, "none") != "none" for name in ("clip-path", "mask")):
            self.clipped_nodes.append(node)
        if outer.depth >= MAX_DEPTH:
            raise BadSvgError(f"is nested {MAX_DEPTH} deep through `use`; ungroup the drawing")
        scope = replace(
            outer,
            matrix=matrix,
            size=size,
            visible=visible,
            paint=outer.paint.inside(style),
            level=_read_level(node, outer),
            depth=outer.depth + 1,
        )
        return self._add_names(node, scope) if node.tag in _GROUP_ELEMENTS or node.tag in {"use", "symbol"} else scope

    def _enter_viewport(
        self, node: SvgNode, sized_by: SvgNode, outer: _Scope, matrix: Affine
    ) -> tuple[Affine, Size | None]:
        """Return matrix and size inside a nested `svg` or a `symbol`, optionally sized by its `use`."""
        sides: list[float | None] = []
        for index, side in enumerate(("width", "height")):
            text = sized_by.attributes.get(side) or node.attributes.get(side) or "100%"
            outer_side = outer.size[index] if outer.size else None
            text = "100%" if text == "auto" else text
            sides.append(None if text == "100%" and outer_side is None else parse_length(text, outer_side, side))
        if node.tag == "svg":
            x, y = read_lengths(node, outer.size, "x", "y")
            matrix = matrix.then(Affine(e=x, f=y))
        viewport_matrix, size, _ = viewport(node.attributes, sides[0], sides[1])
        return matrix.then(viewport_matrix), size or outer.size

    def _add_names(self, node: SvgNode, scope: _Scope) -> _Scope:
        """Return the scope with the railroad, group and layer names of an enclosing element."""
        railroad = collapse_spaces(node.attributes.get("data-railroad", "")) or scope.railroad
        if node is self.document.root:
            return replace(scope, railroad=railroad)
        title = node.child("title")
        chosen_id = own_id(node, illustrator=self.document.illustrator)
        name = own_label(node) or ("" if node.tag == "use" and (scope.layer or scope.group) else chosen_id)
        own_names = (own_label(node), collapse_spaces(title.text) if title else "", chosen_id)
        scope = replace(scope, names=(*filter(None, own_names), *scope.names))
        raw_id = decode_id(node.attributes.get("id", ""), illustrator=self.document.illustrator)
        if node.attributes.get(f"{INKSCAPE}groupmode") == "layer":
            chosen_name = "" if is_made_up(name) else name
            return replace(scope, railroad=railroad, group="", layer=chosen_name or scope.layer, made_up=name or raw_id)
        # A symbol's own name describes its shape, not its railroad.
        group = scope.group if node.tag == "symbol" or is_made_up(name) else name or scope.group
        return replace(scope, railroad=railroad, group=group, made_up=scope.made_up or name or raw_id)

    def _resolve_use(self, node: SvgNode, scope: _Scope, outer: _Scope) -> Iterator[tuple[SvgNode, _Scope]]:
        """Yield the element that a `use` draws."""
        reference = (node.attributes.get("href") or node.attributes.get(f"{XLINK}href") or "").strip()
        if reference and not reference.startswith("#"):
            raise BadSvgError(f"refers to {reference[:60]!r} outside the file, which is refused; embed it")
        target_node = self.document.ids.get(reference[1:])
        if target_node is None:
            self.notes.add("`use` of something that is not in the file, left out", node.label)
            return
        if any(node is part for part in scope.drawn_by):
            raise BadSvgError(f"draws itself through {reference[:60]!r}; remove the circle of references")
        x, y = read_lengths(node, outer.size, "x", "y")
        yield target_node, replace(scope, matrix=scope.matrix.then(Affine(e=x, f=y)), drawn_by=(*scope.drawn_by, node))

    def _add_point(self, node: SvgNode, scope: _Scope, mark: SvgMark) -> None:
        """Add the centre of a mark as a milepost."""
        if mark.half_x < 0 or mark.half_y < 0:
            raise BadSvgError("has a negative size")
        if mark.half_x == 0 or mark.half_y == 0:
            self.notes.add("without size, left out", node.label)
            return
        if not scope.visible:
            self.notes.add("hidden (visibility:hidden), left out", node.label)
            return
        if not (scope.paint.has_fill or scope.paint.has_stroke):
            self.notes.add(_UNPAINTED, node.label)
            return
        mark_width, mark_height = extent(mark, scope.matrix)
        if self.page and (mark_width > FRAME_SHARE * self.page.width or mark_height > FRAME_SHARE * self.page.height):
            self.notes.add("larger than a quarter of the page, taken for a frame and left out", node.label)
            return
        self._append_point(node, scope, *scope.matrix.apply(mark.x, mark.y))

    def _append_point(self, node: SvgNode, scope: _Scope, x: float, y: float) -> None:
        self.budget.take(1)
        self.points.append(check_point(x, y))
        naming_node = scope.drawn_by[0] if scope.drawn_by else node
        self.point_names.append(point_name(naming_node, illustrator=self.document.illustrator))
        self.point_features.append(self.feature(node, scope))
        self.point_owners.append(
            split_keys(collapse_spaces(node.attributes.get("data-railroad", "")) or scope.railroad)
        )
        layer_name = scope.layer or scope.made_up
        self.point_layers.append(layer_name if self.key_from == "layer" else scope.group or layer_name)

    def _add_lines(self, node: SvgNode, scope: _Scope, outer: _Scope) -> None:
        """Add the subpaths of a shape as lines."""
        shape_lines = read_subpaths(node, scope.matrix, scope.size, tolerance=self.tolerance, budget=self.budget)
        visible_lines = [line for line in shape_lines if (line != line[0]).any()]
        if len(visible_lines) < max(len(shape_lines), 1):
            self.notes.add("without length, left out", node.label)
        if not scope.visible and visible_lines:
            self.notes.add("hidden (visibility:hidden), left out", node.label, visible_lines)
            return
        if scope.paint.has_fill and self.page and (dot := dot_centre(visible_lines, self.page)):
            self._append_point(node, scope, *dot)
            return
        if not scope.paint.has_stroke and not (self.with_fills and scope.paint.has_fill):
            self.notes.add(_FILLED if scope.paint.has_fill else _UNPAINTED, node.label, visible_lines)
            if not scope.paint.has_fill:
                drawing_node = scope.drawn_by[0] if scope.drawn_by else node
                self.unpainted_shapes.setdefault(drawing_node, []).extend(visible_lines)
            return
        key, feature = self._line_key(node, outer), self.feature(node, scope)
        for number, line in enumerate(shape_lines, start=1):
            if (line != line[0]).any():
                self.lines.append(line)
                self.line_nodes.append(scope.drawn_by[0] if scope.drawn_by else node)
                self.line_keys.append(key)
                self.line_features.append(f"{feature}/{number}" if len(shape_lines) > 1 else feature)
                self.line_levels.append(scope.level)
                self.line_alternates.append(outer.names if self.key_from == "auto" else ())

    def _line_key(self, node: SvgNode, scope: _Scope) -> str:
        """Return the key of a line, in the order of precedence of the module's text."""
        illustrator = self.document.illustrator
        label, chosen_id = own_label(node), own_id(node, illustrator=illustrator)
        raw_id = decode_id(node.attributes.get("id", ""), illustrator=illustrator)
        match self.key_from:
            case "own":
                return collapse_spaces(node.attributes.get("data-railroad", "")) or label or chosen_id
            case "group":
                return scope.group
            case "layer":
                return scope.layer or scope.made_up
            case "id":
                return raw_id
            case "class":
                return collapse_spaces(node.attributes.get("class", ""))
        railroad = collapse_spaces(node.attributes.get("data-railroad", "")) or scope.railroad
        return railroad or label or scope.group or scope.layer or chosen_id or scope.made_up or raw_id


def _names_stroke(node: SvgNode) -> bool:
    """Return whether an element, one inside, or a style sheet says anything of strokes."""
    own_text = node.attributes.get("style", "") + node.text
    return "stroke" in node.attributes or "stroke" in own_text or any(map(_names_stroke, node.children))


def _read_level(node: SvgNode, outer: _Scope) -> int:
    """Return the level of an element: its own, else the one around it.

    Raises:
        BadSvgError: It is not a level.
    """
    level_text = node.attributes.get("data-level", "").strip()
    level = parse_level(level_text) if level_text else outer.level
    if level is None:
        raise BadSvgError(f"data-{level_error_message(level_text)}")
    return level


def _drawn_children(node: SvgNode) -> list[SvgNode]:
    """Return the children of a group; of a `switch`, the first one without required extensions."""
    if node.tag != "switch":
        return node.children
    extension = "requiredExtensions"
    drawable_children = (c for c in node.children if c.tag not in _SILENT_ELEMENTS and c.tag != "foreignObject")
    return [child for child in drawable_children if not child.attributes.get(extension, "").strip()][:1]


def read_svg(
    path: Path,
    *,
    name: str | None = None,
    tolerance_px: float = 0.1,
    key_from: KeyFrom = "auto",
    with_fills: bool = False,
    with_map: bool = False,
) -> TracedLayer:
    """Read the lines and mileposts of an SVG, in its own user units (see the module's text).

    Args:
        path: The file, which may be compressed (SVGZ).
        name: Its name in messages; the file's name if None.
        tolerance_px: Largest distance between a curve and its polyline, in CSS pixels of the page (1/96 inch).
        key_from: What a line's key is: `"auto"`, the order given above; `"own"`, its own `data-railroad`, label or
            chosen id; `"group"`; `"layer"`; `"id"`, as written; `"class"`. Empty where there is none.
        with_fills: Whether shapes with a fill and no stroke are lines, as outlines of lines are.
        with_map: Whether the layers `MAP_LAYERS` are a base map, without lines and mileposts.

    Returns:
        Lines and points in document order, and the page; `crs` is None.

    Raises:
        SourceError: The file is not an SVG, is refused or too large, or elements of it cannot be read; each is named.
        WorkspaceError: It is missing or not readable.
        ValueError: `tolerance_px` is not above 0, or `key_from` is unknown.
    """
    if not (tolerance_px > 0 and math.isfinite(tolerance_px)):
        raise ValueError(f"tolerance_px is {tolerance_px}, not above 0")
    if key_from not in KEYS:
        raise ValueError(f"key_from is {key_from!r}, not one of {', '.join(KEYS)}")
    name = name or path.name
    document = read_document(path, name=name)
    reader = _Reader(
        document, file=name, tolerance=tolerance_px, key_from=key_from, with_fills=with_fills, with_map=with_map
    )
    reader.read()
    note_shapes = reader.notes.sentences(name)
    return TracedLayer(
        file=name,
        crs=None,
        lines=_to_linestrings(reader.lines),
        line_keys=tuple(reader.line_keys),
        line_features=tuple(reader.line_features),
        points=np.asarray(shapely.points(np.array(reader.points).reshape(-1, 2)), dtype=np.object_),
        point_names=tuple(reader.point_names),
        point_features=tuple(reader.point_features),
        line_levels=tuple(reader.line_levels),
        line_alternates=tuple(reader.line_alternates),
        point_owners=tuple(reader.point_owners),
        point_layers=tuple(reader.point_layers),
        notes=tuple(note_shapes),
        note_shapes={note: _to_linestrings(list(shapes)) for note, shapes in note_shapes.items() if shapes},
        guesses=reader.guesses,
        page=reader.page,
        map_shapes=tuple(reader.map_shapes),
    )


def _to_linestrings(parts: list[Points]) -> NDArray[np.object_]:
    """Return vertices as LineStrings."""
    if not parts:
        return np.empty(0, dtype=np.object_)
    line_indices = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.asarray(shapely.linestrings(np.concatenate(parts), indices=line_indices), dtype=np.object_)
