// The map: what part of the page is seen, what is near a point, and marks on it. Lengths in millimetres of the page.
function makeMap(data, box, onPick, onHover, onDraw) {
  const LEAST = 30, NEAR = 11, NEAR_TOUCH = 22;
  const LEGIBLE = 8, TEXT = 12; // pixels
  const svg = box.querySelector("svg"), [pageWidth, pageHeight] = data.page, area = data.area;
  let centre = [0, 0], scale = 1, queued = false, printing = false; // scale: pixels a millimetre
  const targets = data.cities.map((c, k) => ({ kind: "city", index: k, x: c.x, y: c.y }));
  const owned = new Set(data.cities.map((c) => c.milepost));
  data.mileposts.forEach((m, k) => {
    if (!owned.has(k)) { targets.push({ kind: "milepost", index: k, x: m.x, y: m.y }); }
  });
  // Texts that browsers show by themselves would stand beside ours.
  svg.setAttribute("aria-label", svg.querySelector("title").textContent);
  svg.removeAttribute("aria-labelledby");
  svg.querySelectorAll("title").forEach((title) => title.remove());

  const below = svg.querySelector("#layer-mileposts");
  const odds = addShape(svg, "g", { class: "ui-odds" }), route = addShape(svg, "g", { class: "ui-route" });
  below.before(odds, route);
  const rings = addShape(svg, "g", { class: "ui-rings" }), names = addShape(svg, "g", { class: "ui-names", "aria-hidden": "true" });
  const pen = document.createElement("canvas").getContext("2d");
  const named = data.cities.map((c) => ({ ...c, wide: 0 })).sort((a, b) => b.chance - a.chance || (a.id < b.id ? -1 : 1));
  function measure() {
    pen.font = `bold ${TEXT}px ${getComputedStyle(box).fontFamily}`;
    named.forEach((c) => { c.wide = pen.measureText(c.name).width; });
  }

  function size() { return [box.clientWidth || 1, box.clientHeight || 1]; }
  function fitScale() { return Math.min(size()[0] / pageWidth, size()[1] / pageHeight); }
  // Seen from afar the board's own names cannot be read: the likeliest cities are named in the size of the screen.
  function name(left, top, w, h) {
    const far = scale * data.text < LEGIBLE;
    box.classList.toggle("far", far);
    names.replaceChildren();
    if (!far) { return; }
    const px = 1 / scale, half = data.text / 2, taken = [];
    const free = (b) => b[0] > left && b[2] < left + w && b[1] > top && b[3] < top + h
      && taken.every((t) => b[0] >= t[2] || t[0] >= b[2] || b[1] >= t[3] || t[1] >= b[3]);
    data.cities.forEach((c) => taken.push([c.x - half, c.y - half, c.x + half, c.y + half]));
    names.setAttribute("font-size", (TEXT * px).toFixed(3));
    named.forEach((c) => {
      const long = c.wide * px, gap = half + 3 * px, up = 4.5 * px, tall = 6 * px;
      const spots = [[c.x + gap, c.y + up], [c.x - gap - long, c.y + up], [c.x - long / 2, c.y - gap], [c.x - long / 2, c.y + gap + 9 * px]];
      const spot = spots.find(([x, y]) => free([x, y - tall - 4 * px, x + long, y + 3 * px]));
      if (spot) {
        taken.push([spot[0] - 2 * px, spot[1] - tall - 4 * px, spot[0] + long + 2 * px, spot[1] + 3 * px]);
        addShape(names, "text", { x: spot[0].toFixed(2), y: spot[1].toFixed(2) }).textContent = c.name;
      }
    });
  }
  function homeScale() {
    return Math.min(size()[0] / (area[2] - area[0] + 6), size()[1] / (area[3] - area[1] + 6));
  }
  function draw() {
    queued = false;
    if (printing) { return; }
    const [wide, tall] = size(), w = wide / scale, h = tall / scale;
    [[0, w, pageWidth], [1, h, pageHeight]].forEach(([axis, seen, whole]) => {
      centre[axis] = seen >= whole ? whole / 2 : Math.min(Math.max(centre[axis], seen / 2), whole - seen / 2);
    });
    svg.setAttribute("viewBox", [centre[0] - w / 2, centre[1] - h / 2, w, h].map((v) => v.toFixed(3)).join(" "));
    name(centre[0] - w / 2, centre[1] - h / 2, w, h);
    rings.querySelectorAll("circle").forEach((ring) => ring.setAttribute("r", Math.max(3.4, 11 / scale).toFixed(2)));
    svg.style.setProperty("--wide", `${Math.max(4.5, 1.5 * scale).toFixed(1)}px`);
    box.classList.toggle("zoomed", scale > homeScale() * 1.02);
    if (onDraw) { onDraw(scale); }
  }
  function redraw() {
    if (!queued) {
      queued = true;
      requestAnimationFrame(draw);
    }
  }
  function setScale(value) {
    const least = fitScale(), most = Math.max(Math.min(...size()) / LEAST, least);
    scale = Math.min(Math.max(value, least), most);
  }
  function place(x, y) { // of a point of the screen
    const corner = box.getBoundingClientRect(), [wide, tall] = size();
    return [centre[0] + (x - corner.left - box.clientLeft - wide / 2) / scale,
      centre[1] + (y - corner.top - box.clientTop - tall / 2) / scale];
  }
  function zoom(factor, x, y) {
    const corner = box.getBoundingClientRect(), [wide, tall] = size();
    const px = x === undefined ? corner.left + wide / 2 : x, py = y === undefined ? corner.top + tall / 2 : y;
    const kept = place(px, py), old = scale;
    setScale(scale * factor);
    centre = [0, 1].map((axis) => kept[axis] + (centre[axis] - kept[axis]) * old / scale);
    redraw();
  }
  function pan(dx, dy) {
    centre = [centre[0] - dx / scale, centre[1] - dy / scale];
    redraw();
  }
  function fit() {
    centre = [(area[0] + area[2]) / 2, (area[1] + area[3]) / 2];
    setScale(homeScale());
    redraw();
  }
  function showBox(left, top, right, bottom, least) {
    const [wide, tall] = size(), w = Math.max((right - left) * 1.2, least), h = Math.max((bottom - top) * 1.2, least);
    centre = [(left + right) / 2, (top + bottom) / 2];
    setScale(Math.min(wide / w, tall / h));
    redraw();
  }
  function showPoints(points, least) {
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    showBox(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), least);
  }
  function sees(x, y) {
    const [wide, tall] = size(), edge = 24;
    return Math.abs(x - centre[0]) * scale < wide / 2 - edge && Math.abs(y - centre[1]) * scale < tall / 2 - edge;
  }
  function near(x, y, touch) {
    const [mx, my] = place(x, y), reach = Math.max((touch ? NEAR_TOUCH : NEAR) / scale, 2.4);
    const sooner = Math.max((touch ? 9 : 2) / scale, 1);
    const best = nearestPlace(targets, mx, my, reach, sooner);
    if (best) { return best; }
    const steps = touch ? [0, 7, 14] : [0, 4];
    for (const r of steps) {
      for (let k = 0; k < (r ? 8 : 1); k += 1) {
        const hit = document.elementFromPoint(x + r * Math.cos(k * Math.PI / 4), y + r * Math.sin(k * Math.PI / 4));
        const of = hit && box.contains(hit) && hit.closest(".segment, .legend-railroad");
        const id = of && (of.getAttribute("data-railroad") || "");
        const found = id ? data.railroads.findIndex((railroad) => railroad.id === id) : -1;
        if (found >= 0) {
          const segment = of.id.startsWith("s-") ? data.segments.findIndex((s) => `s-${s.id}` === of.id) : -1;
          return { kind: "railroad", index: found, segment };
        }
      }
    }
    return null;
  }

  const fingers = new Map();
  let moved = false, begun = null, spread = 0;
  function middle() {
    const all = [...fingers.values()];
    return [all.reduce((s, p) => s + p[0], 0) / all.length, all.reduce((s, p) => s + p[1], 0) / all.length];
  }
  function span() {
    const [a, b] = [...fingers.values()];
    return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  }
  box.addEventListener("pointerdown", (event) => {
    if (event.button > 0) { return; }
    box.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) { [moved, begun] = [false, [event.clientX, event.clientY]]; }
    spread = span();
  });
  box.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) {
      if (event.pointerType !== "touch") { onHover(near(event.clientX, event.clientY, false), event.clientX, event.clientY); }
      return;
    }
    const old = middle();
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const slack = event.pointerType === "touch" ? 8 : 4;
    if (fingers.size === 1 && !moved && Math.hypot(event.clientX - begun[0], event.clientY - begun[1]) < slack) { return; }
    moved = true;
    onHover(null, 0, 0);
    const now = middle();
    pan(now[0] - old[0], now[1] - old[1]);
    if (fingers.size > 1 && spread) {
      const wide = span();
      zoom(wide / spread, now[0], now[1]);
      spread = wide;
    }
  });
  function lift(event, chosen) {
    const known = fingers.delete(event.pointerId);
    spread = span();
    if (known && chosen && !moved && !fingers.size) {
      onPick(near(event.clientX, event.clientY, event.pointerType === "touch"));
    }
  }
  box.addEventListener("pointerup", (event) => lift(event, true));
  box.addEventListener("pointercancel", (event) => lift(event, false));
  box.addEventListener("pointerleave", () => onHover(null, 0, 0));
  box.addEventListener("wheel", (event) => {
    const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016));
    if (factor < 1 && scale <= fitScale() * 1.001) { return; } // the whole board is seen: the page scrolls on
    event.preventDefault();
    zoom(factor, event.clientX, event.clientY);
  }, { passive: false });

  function resized() {
    if (box.classList.contains("zoomed")) {
      setScale(scale);
      redraw();
    } else { fit(); }
  }
  new ResizeObserver(resized).observe(box);
  window.addEventListener("beforeprint", () => {
    printing = true; // a step of a zoom that is still to come must not undo it
    svg.setAttribute("viewBox", `0 0 ${pageWidth} ${pageHeight}`);
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    draw();
  });
  measure();
  fit();
  draw();
  document.fonts.ready.then(() => {
    measure();
    redraw();
  });

  return {
    zoom, pan, fit, showPoints, sees,
    targets,
    centre: () => centre,
    screen(x, y) {
      const corner = box.getBoundingClientRect(), [wide, tall] = size();
      return [corner.left + wide / 2 + (x - centre[0]) * scale, corner.top + tall / 2 + (y - centre[1]) * scale];
    },
    showRailroads(indices) {
      const points = [];
      data.segments.forEach((s) => {
        if (indices.includes(s.railroad)) {
          [s.a, s.b].forEach((m) => points.push([data.mileposts[m].x, data.mileposts[m].y]));
        }
      });
      if (points.length) { showPoints(points, 120); }
    },
    light(indices) {
      const on = new Set(indices);
      svg.classList.toggle("lit", on.size > 0);
      data.railroads.forEach((r, k) => {
        const group = document.getElementById(`rr-${r.id}`);
        if (group) { group.classList.toggle("on", on.has(k)); }
      });
    },
    ring(points) {
      rings.replaceChildren();
      points.forEach(([x, y]) => {
        addShape(rings, "circle", { cx: x, cy: y, r: 4, class: "edge" });
        addShape(rings, "circle", { cx: x, cy: y, r: 4 });
      });
      redraw();
    },
    route(segments) { drawTrack(svg, route, segments.map((k) => data.segments[k].id)); },
    odds(on, radius) {
      odds.replaceChildren();
      if (on) {
        data.mileposts.forEach((m, k) => {
          const chance = data.cities.reduce((sum, c) => sum + (c.milepost === k ? c.chance : 0), 0);
          if (chance > 0) { addShape(odds, "circle", { cx: m.x, cy: m.y, r: (radius * Math.sqrt(chance)).toFixed(2) }); }
        });
      }
    },
  };
}
