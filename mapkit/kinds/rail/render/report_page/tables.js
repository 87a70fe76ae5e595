// Tables that can be sorted by a click on a head; the heat map of payoffs as a grid to move in.
function makeSortable(table, words) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const names = words.sorter({ numeric: true, sensitivity: "base" });
  heads.forEach((head, column) => {
    const button = head.querySelector("button.sort");
    if (!button) { return; }
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("n"), now = head.getAttribute("aria-sort");
      const down = now ? now === "ascending" : numbers;
      const rows = [...body.rows].map((row) => {
        const cell = row.cells[column], value = cell.getAttribute("data-v") || cell.textContent;
        return [row, numbers ? Number(value) : value];
      });
      rows.sort((a, b) => (numbers ? a[1] - b[1] : names.compare(a[1], b[1])) * (down ? -1 : 1));
      body.append(...rows.map((pair) => pair[0]));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}

function makeHeat(svg, onMove, onChoose) {
  const order = svg.getAttribute("data-order").split(" ").map(Number), n = order.length;
  const margin = Number(svg.getAttribute("data-margin")), side = Number(svg.getAttribute("data-side"));
  const mark = svg.querySelector(".heat-at");
  let at = null;
  function go(cell) {
    at = cell;
    mark.setAttribute("x", cell[1] * side);
    mark.setAttribute("y", cell[0] * side);
    mark.classList.add("seen");
    onMove(order[cell[0]], order[cell[1]]);
  }
  function under(event) {
    const m = svg.getScreenCTM(), c = Math.floor(((event.clientX - m.e) / m.a - margin) / side);
    const r = Math.floor(((event.clientY - m.f) / m.d - margin) / side);
    return r >= 0 && c >= 0 && r < n && c < n && r !== c ? [r, c] : null;
  }
  svg.addEventListener("pointermove", (event) => {
    const cell = under(event);
    if (cell && (!at || cell[0] !== at[0] || cell[1] !== at[1])) { go(cell); }
  });
  svg.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell) {
      go(cell);
      onChoose(order[cell[0]], order[cell[1]]);
    }
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step && n > 1) {
      event.preventDefault();
      let [r, c] = at || [0, 0];
      do { [r, c] = [r + step[0], c + step[1]]; } while (r === c);
      if (r >= 0 && c >= 0 && r < n && c < n) { go([r, c]); }
    } else if (event.key === "Enter" && at) {
      event.preventDefault();
      onChoose(order[at[0]], order[at[1]]);
    }
  });
}
