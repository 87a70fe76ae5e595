/** Marks on the drawing of a board, and what lies at a point of it. */
import { addShape, drawTrack, nearestPlace } from "../../../../kinds/rail/render/page_map/places.js";
import type { Board } from "./board.js";
import { milepostOf } from "./lookups.js";

/** A city or milepost at its drawn place, millimetres. */
export interface Place {
  readonly kind: "city" | "milepost";
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Mark segments (ids) on a drawing, below its mileposts.
 *
 * @returns a function that removes the mark
 */
export function highlight(svg: SVGSVGElement, segments: readonly string[], colour = "#ffd400"): () => void {
  const group = addShape(svg, "g", { class: "mk-highlight", fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" });
  svg.querySelector("#layer-mileposts")?.before(group);
  drawTrack(svg, group, segments);
  [...group.children].forEach((path, k) => {
    path.setAttribute("stroke", k ? colour : "#000");
    path.setAttribute("stroke-width", k ? "1.6" : "2.4");
  });
  return () => group.remove();
}

/** Put a pawn on a city or milepost (id); the pawn of this name moves there if the drawing has it. */
export function placePawn(svg: SVGSVGElement, board: Board, pawn: string, place: string, colour = "#c00"): SVGElement {
  const milepost = milepostOf(board, place);
  const { drawn_x, drawn_y } = board.mileposts.find((one) => one.id === milepost)!;
  const old = [...svg.querySelectorAll<SVGElement>(".mk-pawn")].find((one) => one.getAttribute("data-pawn") === pawn);
  const shape = old ?? (addShape(svg, "circle", { class: "mk-pawn", "data-pawn": pawn, r: 2.5, stroke: "#fff", "stroke-width": 0.6 }));
  Object.entries({ cx: drawn_x, cy: drawn_y, fill: colour }).forEach(([key, value]) => shape.setAttribute(key, String(value)));
  return shape;
}

/** Return the point of the board, millimetres, below a point of the window, pixels. */
export function pagePoint(svg: SVGSVGElement, clientX: number, clientY: number): [number, number] {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()!.inverse());
  return [x, y];
}

/** Return the city or milepost nearest to a point of the board, all in millimetres; null if none is within reach. */
export function hitTest(board: Board, x: number, y: number, reach = 2.4): Place | null {
  const owned = new Set(board.cities.map((city) => city.milepost));
  const places = [
    ...board.cities.map((city): Place => ({ kind: "city", id: city.id, x: city.drawn_x, y: city.drawn_y })),
    ...board.mileposts.filter((one) => !owned.has(one.id)).map((one): Place => ({ kind: "milepost", id: one.id, x: one.drawn_x, y: one.drawn_y })),
  ];
  return nearestPlace(places, x, y, reach, 1);
}
