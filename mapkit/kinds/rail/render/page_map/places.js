/**
 * Return the place nearest to a point, or null if none is within reach. A city is meant sooner than a dot beside it.
 * @template {{ kind: string, x: number, y: number }} Place
 * @param {readonly Place[]} places
 * @param {number} x
 * @param {number} y
 * @param {number} reach in the unit of the places
 * @param {number} sooner by how much less far a city counts
 * @returns {Place | null}
 */
export function nearestPlace(places, x, y, reach, sooner) {
  let best = null, least = reach;
  for (const place of places) {
    const far = Math.hypot(place.x - x, place.y - y) - (place.kind === "city" ? sooner : 0);
    if (far < least) { [best, least] = [place, far]; }
  }
  return best;
}
/**
 * Add a shape to a drawing.
 * @param {Element} parent
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
export function addShape(parent, name, attributes) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => shape.setAttribute(key, String(value)));
  return parent.appendChild(shape);
}
/**
 * Replace what a group holds by the track of segments: a wide edge below a line.
 * @param {Element} svg the board's drawing
 * @param {Element} group
 * @param {readonly string[]} segments ids
 */
export function drawTrack(svg, group, segments) {
  group.replaceChildren();
  const d = segments.map((id) => svg.querySelector(`[id="s-${id}"]`)?.getAttribute("d") ?? "").join(" ").trim();
  if (d) { ["edge", "line"].forEach((kind) => addShape(group, "path", { class: kind, d })); }
}
