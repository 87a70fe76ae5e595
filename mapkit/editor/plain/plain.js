// The page of a kind without one of its own: its drawing, its findings, and its tables, whose cells can be typed into.
// It speaks the same language as the other page: `hello`, `changed`, `findings`, and requests that are answered.
const at = (id) => document.getElementById(id);
const board = { tables: {}, fields: {}, revision: 0, unsaved: false, history: null };
const name = Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(16).padStart(2, "0")).join("");
const SECRET = "mapkit-secret";
const LOCKED_OUT = 4403;
let socket = null;
let count = 0;

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const show = (text) => (at("message").textContent = text);

const ask = (request) => {
  if (socket?.readyState !== WebSocket.OPEN) return show("The line to mapkit is cut; it is opened again.");
  count += 1;
  socket.send(JSON.stringify({ ...request, id: `${name}-${count}` }));
};

const setRow = (table, key, row, label) =>
  ask({ type: "do", seen: board.revision, command: { kind: "set-rows", label, rows: [{ table, key, row }] } });

function showView(view) {
  if (view.fields) board.fields = view.fields;
  if (view.svg === undefined) return;
  URL.revokeObjectURL(at("picture").src);
  at("picture").src = URL.createObjectURL(new Blob([view.svg], { type: "image/svg+xml" }));
}

function showState() {
  at("state").textContent = `revision ${board.revision}${board.unsaved ? ", not saved" : ""}`;
  const here = board.history.steps.findIndex((step) => step.n === board.history.position);
  at("undo").disabled = here <= 0;
  at("redo").disabled = here >= board.history.steps.length - 1;
  at("save").disabled = !board.unsaved;
}

function showFindings(found) {
  const items = found.map((one) => make("li", {}, `${one.severity} ${one.id}: ${one.message}${one.accepted ? " (accepted)" : ""}`));
  at("findings").replaceChildren(...(items.length ? items : [make("li", {}, "nothing found")]));
}

const text = (value) => (value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));

// the model of the row reads numbers and truth from text; what is empty is left to its default
const rowOf = (cells) => Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== ""));

function rowElement(table, key, row) {
  const cells = board.fields[table].map((field) => {
    const input = make("input", { value: text(row[field]) });
    input.setAttribute("aria-label", `${field} of ${key}`);
    input.addEventListener("change", () => {
      const all = Object.fromEntries(board.fields[table].map((one) => [one, one === field ? input.value : text(row[one])]));
      setRow(table, key, { ...rowOf(all), rank: row.rank }, `Change ${field} of ${key}`);
    });
    return make("td", {}, input);
  });
  const remove = make("button", { onclick: () => setRow(table, key, null, `Remove ${key}`) }, "Remove");
  remove.setAttribute("aria-label", `Remove ${key}`);
  return make("tr", {}, make("th", { scope: "row" }, key), ...cells, make("td", {}, remove));
}

function freshElement(table) {
  const inputs = ["id", ...board.fields[table]].map((field) => {
    const input = make("input", { name: field });
    input.setAttribute("aria-label", `${field} of a new row of ${table}`);
    return input;
  });
  const add = () => {
    const [id, ...cells] = inputs;
    if (id.value) setRow(table, id.value, rowOf(Object.fromEntries(cells.map((input) => [input.name, input.value]))), `Add ${id.value}`);
  };
  return make("tr", {}, ...inputs.map((input) => make("td", {}, input)), make("td", {}, make("button", { onclick: add }, "Add")));
}

function showTables() {
  const shown = Object.keys(board.fields).map((table) => {
    const rows = Object.entries(board.tables[table] ?? {}).sort(([a, one], [b, other]) => one.rank - other.rank || (a < b ? -1 : 1));
    const head = ["id", ...board.fields[table]].map((field) => make("th", { scope: "col" }, field));
    const body = make("tbody", {}, ...rows.map(([key, row]) => rowElement(table, key, row)), freshElement(table));
    return [make("h2", {}, table), make("table", {}, make("thead", {}, make("tr", {}, ...head)), body)];
  });
  at("tables").replaceChildren(...shown.flat());
}

const hear = {
  hello(message) {
    Object.assign(board, { tables: message.tables, revision: message.revision, unsaved: message.unsaved, history: message.history });
    document.title = `${message.title} - mapkit editor`;
    document.querySelector("h1").textContent = message.title;
    show((message.notices ?? []).join(" "));
    showView(message.view);
    showFindings(message.findings);
    showTables();
    showState();
  },
  changed(message) {
    for (const { table, key, after } of message.changes) {
      if (after === null) delete board.tables[table][key];
      else board.tables[table][key] = after;
    }
    Object.assign(board, { revision: message.revision, unsaved: message.unsaved, history: message.history });
    show("");
    showView(message.view);
    showTables();
    showState();
  },
  saved(message) {
    Object.assign(board, { unsaved: message.unsaved, history: message.history });
    showState();
  },
  findings: (message) => showFindings(message.findings),
  refused(message) {
    show(message.message);
    showTables();
  },
  notice: (message) => show(message.message),
  disk: (message) => show(`Changed on disk and here: ${message.files.join(", ")}; undo here, or save again.`),
};

/** Exchange the ticket in the address for the secret of this port, and take it out of there. */
async function enter() {
  const ticket = new URLSearchParams(location.search).get("ticket");
  if (ticket === null) return;
  const answer = await fetch("/api/enter", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ticket }) });
  if (answer.ok) sessionStorage.setItem(SECRET, (await answer.json()).secret);
  history.replaceState(null, "", location.pathname);
}

function open() {
  const secret = sessionStorage.getItem(SECRET);
  if (secret === null) return show("The editor does not know this page: run mapkit edit again, and use the page that it opens.");
  socket = new WebSocket(`ws://${location.host}/ws?page=${name}`);
  socket.onopen = () => socket.send(JSON.stringify({ type: "enter", secret }));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    hear[message.type]?.(message);
  };
  socket.onclose = (event) => {
    if (event.code === LOCKED_OUT) show("The editor does not know this page any more: run mapkit edit again, and use the page that it opens.");
    setTimeout(open, 1000);
  };
}

for (const type of ["undo", "redo", "save"]) at(type).addEventListener("click", () => ask({ type }));
enter().then(open, () => show("There is no connection to mapkit edit. Load the page again when it runs."));
