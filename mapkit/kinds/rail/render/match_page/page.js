// A match step by step. Its state after a step is what all steps up to it have changed.
(function () {
  const byId = (id) => document.getElementById(id), NS = "http://www.w3.org/2000/svg", RADIUS = 3.4, LEAST = 9; // mm, pixels
  document.documentElement.classList.add("js");
  const data = JSON.parse(byId("ui-data").textContent), words = makeWords(data.words), say = words.say;
  const box = byId("ui-map"), slider = byId("ui-at"), playing = byId("ui-play"), last = data.steps.length;
  let scale = 1, at = 0, state = begin(), timer = 0, cities = null, discs = null;

  function begin() {
    const players = data.players.map(() => ({ at: -1, home: -1, goal: -1, cash: data.cash, engine: data.engine, declared: false, out: false, trip: [] }));
    return { players, owner: new Map(), turn: 0, on: 0 };
  }
  function take(step) {
    if (step.turn) { [state.turn, state.on] = [step.turn, step.player]; }
    step.changes.forEach(([player, what, value]) => {
      const one = state.players[player - 1];
      if (what === "owns") { state.owner.set(value, player); } else if (what === "begins") { one.trip = []; } else if (what === "rides") {
        one.trip.push(value);
      } else { one[what] = value; }
    });
  }
  function go(step, quiet) {
    const wanted = Math.min(Math.max(step, 0), last);
    if (wanted < at) { [at, state] = [0, begin()]; }
    for (; at < wanted; at += 1) { take(data.steps[at]); }
    show(quiet);
  }

  const map = makeMap(data, box, () => undefined, () => undefined, (drawn) => {
    scale = drawn;
    trains();
  });
  const svg = box.querySelector("svg");
  function group(name) {
    const made = document.createElementNS(NS, "g");
    made.setAttribute("class", name);
    return svg.appendChild(made);
  }
  [cities, discs] = [group("ui-cities"), group("ui-trains")];
  function add(parent, name, attributes, text) {
    const made = document.createElementNS(NS, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text) { made.textContent = text; }
    return parent.appendChild(made);
  }
  function trains() {
    if (!discs) { return; }
    const r = Math.max(RADIUS, LEAST / scale), together = new Map();
    cities.replaceChildren();
    discs.replaceChildren();
    state.players.forEach((one, k) => {
      if (one.out) { return; }
      [["home", one.home], ["goal", one.goal]].forEach(([kind, city]) => {
        if (city >= 0) {
          const { x, y } = data.cities[city];
          add(cities, "circle", { cx: x, cy: y, r: (r * (1.3 + 0.16 * k)).toFixed(2), class: `${kind} player-${k + 1}` });
        }
      });
      if (one.at >= 0) { together.set(one.at, [...(together.get(one.at) || []), k]); }
    });
    together.forEach((here, place) => {
      here.forEach((k, nth) => {
        const away = here.length > 1 ? r * 1.15 : 0, angle = 2 * Math.PI * nth / here.length - Math.PI / 2;
        const x = data.mileposts[place].x + away * Math.cos(angle), y = data.mileposts[place].y + away * Math.sin(angle);
        const disc = add(discs, "g", { class: `player-${k + 1}${state.on === k + 1 ? " on" : ""}`, "data-player": k + 1 });
        add(disc, "circle", { cx: x.toFixed(2), cy: y.toFixed(2), r: r.toFixed(2) });
        add(disc, "text", { x: x.toFixed(2), y: (y + r * 0.48).toFixed(2), "font-size": (r * 1.35).toFixed(2) }, String(k + 1));
      });
    });
  }
  function table() {
    const owned = data.players.map(() => []);
    [...state.owner].sort((a, b) => a[0] - b[0]).forEach(([railroad, player]) => {
      if (player > 0 && player <= owned.length) { owned[player - 1].push(data.railroads[railroad].short); }
    });
    state.players.forEach((one, k) => {
      const body = byId(`ui-player-${k + 1}`), cell = (name) => body.querySelector(`[data-of="${name}"]`);
      cell("cash").textContent = words.money(data.symbol, one.cash);
      cell("home").textContent = one.home < 0 ? "" : data.cities[one.home].name;
      const goal = one.goal < 0 ? "" : data.cities[one.goal].name;
      cell("goal").textContent = one.out ? say("match.bankrupt") : one.declared ? [goal, say("match.declared")].filter(Boolean).join(", ") : goal;
      cell("owns").textContent = [data.engines[one.engine], ...owned[k]].join(", ");
      body.querySelector("th").classList.toggle("out", one.out);
      if (state.on === k + 1) { body.setAttribute("aria-current", "true"); } else { body.removeAttribute("aria-current"); }
    });
  }
  function show(quiet) {
    const text = at ? data.steps[at - 1].text : "";
    byId("ui-turn").textContent = state.on ? say("match.turn", { n: words.number(state.turn), who: data.players[state.on - 1] }) : say("match.before");
    byId("ui-step").textContent = text;
    byId("ui-line").textContent = at ? say("match.of", { line: words.number(at + 1), count: words.number(last + 1) }) : "";
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", text);
    table();
    const one = state.on ? state.players[state.on - 1] : null;
    map.route(one ? one.trip : []);
    svg.querySelector(".ui-route").setAttribute("class", `ui-route player-${state.on}`);
    trains();
    if (one && one.at >= 0 && box.classList.contains("zoomed")) {
      const { x, y } = data.mileposts[one.at];
      if (!map.sees(x, y)) { map.showPoints([[x, y]], 160); }
    }
    if (!quiet) { byId("ui-said").textContent = text; }
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    playing.textContent = playing.getAttribute("data-play");
  }
  function start() {
    if (at === last) { go(0, true); }
    playing.textContent = playing.getAttribute("data-pause");
    clearInterval(timer);
    timer = setInterval(() => {
      go(at + 1, true);
      if (at === last) { stop(); }
    }, 1000 / Number(byId("ui-speed").value));
  }
  const toggle = () => (timer ? stop() : start());
  function stepped(step) {
    stop();
    go(step, false);
  }
  // The step after which the turn before or after this one has begun.
  function turnOn() {
    const next = data.steps.findIndex((step, k) => k >= at && step.turn);
    return next < 0 ? last : next + 1;
  }
  function turnBack() {
    for (let k = at - 2; k >= 0; k -= 1) { if (data.steps[k].turn) { return k + 1; } }
    return 0;
  }
  const moves = {
    "ui-first": () => stepped(0), "ui-last": () => stepped(last), "ui-on": () => stepped(at + 1), "ui-back": () => stepped(at - 1),
    "ui-turn-on": () => stepped(turnOn()), "ui-turn-back": () => stepped(turnBack()), "ui-play": toggle,
    "ui-in": () => map.zoom(1.5), "ui-out": () => map.zoom(1 / 1.5), "ui-fit": () => map.fit(),
  };
  Object.entries(moves).forEach(([id, move]) => byId(id).addEventListener("click", move));
  slider.max = String(last);
  slider.addEventListener("input", () => stepped(Number(slider.value)));
  byId("ui-speed").addEventListener("change", () => { if (timer) { start(); } });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input, a")) { return; }
    const button = event.target.closest("button");
    const keys = {
      ArrowRight: event.shiftKey ? "ui-turn-on" : "ui-on", ArrowLeft: event.shiftKey ? "ui-turn-back" : "ui-back",
      Home: "ui-first", End: "ui-last", "+": "ui-in", "=": "ui-in", "-": "ui-out", 0: "ui-fit", " ": button ? null : "ui-play",
    };
    if (keys[event.key]) {
      event.preventDefault();
      moves[keys[event.key]]();
    }
  });
  go(0, true);
}());
