// What the page does: points, picks, routes, search, links. Texts go in as text, never as HTML.
(async function () {
  await globalThis.boardDrawn;
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("ui-data").textContent);
  const box = byId("ui-map"), tip = byId("ui-tip"), detail = byId("ui-detail"), routeCard = byId("ui-route");
  const from = byId("ui-from"), to = byId("ui-to"), find = byId("ui-find"), foundList = byId("ui-found");
  const findRoute = makeRouter(data);
  const state = { pinned: [], at: null, came: null };
  document.documentElement.classList.add("js");

  const cityIndex = new Map(data.cities.map((c, k) => [c.id, k]));
  const railroadIndex = new Map(data.railroads.map((r, k) => [r.id, k]));
  const milepostIndex = new Map(data.mileposts.map((m, k) => [m.id, k]));
  const calling = data.mileposts.map(() => new Set());
  data.segments.forEach((s) => [s.a, s.b].forEach((m) => calling[m].add(s.railroad)));
  const words = makeWords(data.words), { say, count } = words;
  const money = (amount) => words.money(data.symbol, amount), percent = (share) => words.percent(share, 2);
  const price = (r) => (r.public ? say("board.public") : money(r.price));
  const shares = (r) => say("map.shares", { service: percent(r.service), monopoly: percent(r.monopoly) });
  const miles = (n) => count("map.miles", Math.round(n));
  const byMark = words.sorter();
  const announce = (text) => { byId("ui-said").textContent = text; };

  function make(name, attributes, ...inside) {
    const element = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...inside);
    return element;
  }
  function button(text, act, attributes) {
    const out = make("button", { type: "button", ...attributes }, text);
    out.addEventListener("click", act);
    return out;
  }
  function figures(rows) {
    return make("dl", {}, ...rows.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
  }
  function chip(k) {
    const out = button(data.railroads[k].short, () => pin([k], true), { class: "chip", title: data.railroads[k].name });
    const dot = make("span", { class: "dot" });
    dot.style.background = data.railroads[k].colour;
    out.prepend(dot);
    return out;
  }
  function chips(list) {
    const sorted = [...list].sort((a, b) => byMark.compare(data.railroads[a].short, data.railroads[b].short));
    return make("p", { class: "chips" }, ...sorted.map(chip));
  }
  function served(target) { return calling[milepostOf(target)]; }
  function milepostOf(target) { return target.kind === "city" ? data.cities[target.index].milepost : target.index; }
  function nameOf(target) {
    return target.kind === "city" ? data.cities[target.index].name : data.mileposts[target.index].name;
  }
  function summary(target) {
    if (target.kind === "railroad") {
      const r = data.railroads[target.index];
      return [`${r.short} \u00b7 ${r.name}`, `${price(r)}, ${count("board.cities", r.cities)}`, shares(r)];
    }
    const marks = [...served(target)].map((k) => data.railroads[k].short).sort(byMark.compare).join(", ") || say("map.no_railroad");
    const lines = [nameOf(target)];
    if (target.kind === "city") {
      const c = data.cities[target.index];
      lines.push(say("map.of_region", { region: data.regions[c.region], chance: percent(c.chance) }));
    }
    return [...lines, marks];
  }

  const map = makeMap(data, box, pick, hover);

  function light() { map.light(state.pinned); }
  function hover(target, x, y) {
    tip.hidden = !target;
    box.classList.toggle("pointing", Boolean(target));
    if (!state.pinned.length) { map.light(target && target.kind === "railroad" ? [target.index] : []); }
    if (!target) { return; }
    const lines = summary(target);
    if (target.segment >= 0) {
      const s = data.segments[target.segment];
      lines.push(`${data.mileposts[s.a].name} \u2013 ${data.mileposts[s.b].name}, ${miles(s.miles / 100)}`);
    }
    tip.replaceChildren(...lines.map((line, k) => make(k ? "span" : "b", {}, line)));
    const stage = tip.parentElement.getBoundingClientRect(), left = x - stage.left, top = y - stage.top;
    tip.style.left = `${Math.min(left + 14, stage.width - tip.offsetWidth - 6)}px`;
    tip.style.top = `${top + 18 + tip.offsetHeight > stage.height ? top - tip.offsetHeight - 10 : top + 18}px`;
  }
  function card(title, ...inside) {
    const back = state.came ? [button(say("map.back"), goBack, { class: "back" })] : [];
    detail.replaceChildren(make("h3", {}, title), ...inside, ...back);
    detail.hidden = false;
  }
  function goBack() {
    const came = state.came;
    state.came = null;
    came.focus();
    came.scrollIntoView({ block: "center" });
    detail.querySelectorAll(".back").forEach((b) => b.remove());
  }
  function pin(indices, look) {
    state.pinned = indices;
    light();
    if (look) { map.showRailroads(indices); }
    if (!indices.length) {
      detail.hidden = true;
      return;
    }
    const clear = button(say("map.all"), () => {
      pin([], false);
      map.fit();
      box.focus({ preventScroll: true });
    });
    if (indices.length > 1) {
      card(indices.map((k) => data.railroads[k].short).join(" + "), chips(indices), clear);
      announce(say("map.lit_up", { names: indices.map((k) => data.railroads[k].name).join(", ") }));
      return;
    }
    const r = data.railroads[indices[0]];
    card(`${r.short} \u00b7 ${r.name}`, figures([
      [say("map.price"), r.public ? say("map.for_sale") : money(r.price)],
      [say("map.service"), percent(r.service)], [say("map.monopoly"), percent(r.monopoly)],
      [say("map.cities"), words.number(r.cities)], [say("map.mileposts"), words.number(r.mileposts)],
      [say("map.track"), miles(r.miles)],
    ]), make("p", { class: "quiet" }, say(r.connects.length ? "map.connects" : "map.connects_none")),
    chips(r.connects), clear);
    announce(say("map.lit", { name: r.name, figures: `${price(r)}, ${shares(r)}` }));
  }
  function show(target, look) {
    state.at = target;
    map.ring([[target.x, target.y]]);
    if (look) { map.showPoints([[target.x, target.y]], 160); } else if (!map.sees(target.x, target.y)) {
      map.showPoints([[target.x, target.y]], 160);
    }
    announce(summary(target).join(", "));
  }
  function describe(target) {
    state.pinned = [];
    light();
    const calls = served(target), rows = [];
    const ends = [];
    if (target.kind === "city") {
      const c = data.cities[target.index];
      rows.push([say("map.region"), data.regions[c.region]], [say("map.chance"), percent(c.chance)]);
      ends.push(make("p", { class: "ends" },
        button(say("map.from_here"), () => { from.value = c.id; ended(true); }),
        button(say("map.to_here"), () => { to.value = c.id; ended(true); })));
    }
    const twins = data.cities.filter((c) => c.milepost === milepostOf(target)).map((c) => c.name);
    if (twins.length > 1) { rows.push([say("map.twins"), twins.join(", ")]); }
    card(nameOf(target), figures([...rows, [say("map.railroads"), String(calls.size)]]), chips(calls), ...ends);
  }
  function pick(target) {
    if (!target) { return; }
    state.came = null;
    if (target.kind === "railroad") {
      pin(state.pinned.length === 1 && state.pinned[0] === target.index ? [] : [target.index], false);
      return;
    }
    if (target.kind === "city") {
      const id = data.cities[target.index].id;
      if (!from.value || to.value) {
        from.value = id;
        to.value = "";
      } else if (from.value !== id) { to.value = id; }
      ended(false);
    }
    describe(target);
    show(target, false);
  }

  // Other parts of a page follow the railroads that are ridden.
  function tell(railroads) { document.dispatchEvent(new CustomEvent("ui-ridden", { detail: railroads })); }
  function ended(look) {
    map.route([]);
    tell([]);
    routeCard.hidden = true;
    const a = cityIndex.get(from.value), b = cityIndex.get(to.value);
    if (a === undefined || b === undefined) { return; }
    const one = data.cities[a], other = data.cities[b];
    const amount = data.payoffs.length ? data.payoffs[a][b] : null;
    const pays = amount === null ? say("map.no_payoff") : money(amount * data.payoff);
    const found = findRoute(one.milepost, other.milepost);
    const title = make("h3", {}, `${one.name} \u2013 ${other.name}`);
    if (!found) {
      routeCard.replaceChildren(title, make("p", {}, say("map.no_way", { pays })));
      routeCard.hidden = false;
      announce(say("map.said_no_way", { from: one.name, to: other.name }));
      return;
    }
    const rides = [];
    found.segments.forEach((k, step) => {
      const r = data.segments[k].railroad;
      if (!rides.length || rides[rides.length - 1].r !== r) { rides.push({ r, start: found.places[step], steps: 0 }); }
      rides[rides.length - 1].end = found.places[step + 1];
      rides[rides.length - 1].steps += 1;
    });
    const lines = rides.map((ride) => make("li", {}, chip(ride.r),
      ` ${data.mileposts[ride.start].name} \u2013 ${data.mileposts[ride.end].name}, ${ride.steps}`));
    const length = `${count("board.mileposts", found.segments.length)}, ${miles(found.miles)}`;
    routeCard.replaceChildren(title, make("p", { class: "pays" }, pays), make("p", { class: "length" }, length),
      make("ol", { class: "rides" }, ...lines));
    routeCard.hidden = false;
    map.route(found.segments);
    tell(found.railroads);
    const points = found.places.map((m) => [data.mileposts[m].x, data.mileposts[m].y]);
    if (look) {
      map.ring([[one.x, one.y], [other.x, other.y]]);
      map.showPoints(points, 160);
    }
    const marks = found.railroads.map((k) => data.railroads[k].short).join(", ");
    announce(say("map.said_way", { from: one.name, to: other.name, figures: `${pays}, ${length}`, railroads: marks }));
  }
  if (from) {
    [from, to].forEach((select) => select.addEventListener("change", () => ended(true)));
    byId("ui-swap").addEventListener("click", () => {
      [from.value, to.value] = [to.value, from.value];
      ended(true);
    });
    byId("ui-clear").addEventListener("click", clearAll);
  }
  function clearAll() {
    if (from) { [from.value, to.value] = ["", ""]; }
    [state.pinned, state.at, state.came] = [[], null, null];
    light();
    map.ring([]);
    map.route([]);
    tell([]);
    [detail.hidden, routeCard.hidden, tip.hidden] = [true, true, true];
    map.fit();
    announce(say("map.cleared"));
  }

  // Keys on the map.
  function nextTo(dx, dy) {
    const here = state.at || { x: map.centre()[0], y: map.centre()[1] };
    let best = null, least = Infinity;
    map.targets.forEach((target) => {
      const along = (target.x - here.x) * dx + (target.y - here.y) * dy;
      const aside = Math.abs((target.x - here.x) * dy) + Math.abs((target.y - here.y) * dx);
      const cost = along + 2 * aside;
      if (along > 0.01 && aside <= 1.5 * along && cost < least) { [best, least] = [target, cost]; }
    });
    return best;
  }
  box.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const acts = {
      "+": () => map.zoom(1.4), "=": () => map.zoom(1.4), "-": () => map.zoom(1 / 1.4), 0: () => map.fit(),
      Escape: clearAll, Enter: () => { if (state.at) { pick(state.at); } }, " ": () => { if (state.at) { pick(state.at); } },
    };
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (step && event.shiftKey) { map.pan(-60 * step[0], -60 * step[1]); } else if (step) {
      const next = nextTo(step[0], step[1]);
      if (next) { show(next, false); }
    } else if (acts[event.key]) { acts[event.key](); } else { return; }
    event.preventDefault();
  });
  byId("ui-in").addEventListener("click", () => map.zoom(1.6));
  byId("ui-out").addEventListener("click", () => map.zoom(1 / 1.6));
  byId("ui-fit").addEventListener("click", () => map.fit());
  byId("ui-odds-on").addEventListener("click", (event) => {
    const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", String(on));
    map.odds(on, Number(byId("ui-odds-on").getAttribute("data-radius")));
  });

  // Search.
  const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const entries = [
    ...data.cities.map((c, k) => ({ text: c.name, kind: say("map.city"), target: map.targets[k] })),
    ...data.railroads.map((r, k) => ({ text: `${r.short} \u00b7 ${r.name}`, kind: say("map.railroad"), railroad: k })),
    ...map.targets.filter((t) => t.kind === "milepost")
      .map((t) => ({ text: data.mileposts[t.index].name, kind: say("map.milepost"), target: t })),
  ].map((entry) => ({ ...entry, folded: plain(entry.text) }));
  let shown = [], active = -1;
  function open(entry) {
    closeList();
    find.value = "";
    state.came = null;
    if (entry.railroad !== undefined) { pin([entry.railroad], true); } else {
      describe(entry.target);
      show(entry.target, true);
    }
  }
  function closeList() {
    [shown, active] = [[], -1];
    foundList.hidden = true;
    foundList.replaceChildren();
    find.setAttribute("aria-expanded", "false");
    find.removeAttribute("aria-activedescendant");
  }
  function mark(k) {
    active = k;
    [...foundList.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === k)));
    find.setAttribute("aria-activedescendant", `ui-found-${k}`);
    if (foundList.children[k].scrollIntoView) { foundList.children[k].scrollIntoView({ block: "nearest" }); }
  }
  find.addEventListener("input", () => {
    const asked = plain(find.value.trim());
    closeList();
    if (!asked) { return; }
    const rank = (entry) => (entry.folded.startsWith(asked) ? 0 : entry.folded.includes(` ${asked}`) ? 1 : 2);
    shown = entries.filter((entry) => entry.folded.includes(asked)).sort((a, b) => rank(a) - rank(b)).slice(0, 10);
    foundList.replaceChildren(...shown.map((entry, k) => {
      const item = make("li", { id: `ui-found-${k}`, role: "option", "aria-selected": "false" }, entry.text,
        make("span", { class: "quiet" }, entry.kind));
      item.addEventListener("pointerdown", (event) => event.preventDefault());
      item.addEventListener("click", () => open(entry));
      return item;
    }));
    foundList.hidden = !shown.length;
    find.setAttribute("aria-expanded", String(shown.length > 0));
    if (shown.length) { mark(0); } else { announce(say("map.nothing")); }
  });
  find.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) {
      event.preventDefault();
      mark((active + step + shown.length) % shown.length);
    } else if (event.key === "Enter" && shown.length) {
      event.preventDefault();
      open(shown[active]);
    } else if (event.key === "Escape") { closeList(); }
  });
  find.addEventListener("blur", closeList);

  // Links and buttons of the tables and findings.
  function reveal(source) {
    state.came = source;
    box.scrollIntoView({ block: "nearest" });
    box.focus({ preventScroll: true });
  }
  function follow(hash) {
    const parts = /^#(rr|c|m)-(.+)$/.exec(hash);
    if (!parts) { return false; }
    if (parts[1] === "rr" && railroadIndex.has(parts[2])) {
      pin([railroadIndex.get(parts[2])], true);
      return true;
    }
    const k = parts[1] === "c" ? cityIndex.get(parts[2]) : milepostIndex.get(parts[2]);
    const kind = parts[1] === "c" ? "city" : "milepost";
    const target = map.targets.find((t) => t.kind === kind && t.index === k);
    if (!target) { return false; }
    describe(target);
    show(target, true);
    return true;
  }
  document.addEventListener("click", (event) => {
    const source = event.target.closest("a[href^='#'], button[data-railroads]");
    if (!source) { return; }
    if (source.hasAttribute("data-finding")) {
      const found = data.findings[Number(source.getAttribute("data-finding"))];
      const text = source.parentElement.querySelector("p:nth-of-type(2)").textContent;
      event.preventDefault();
      reveal(source);
      state.pinned = found.railroads;
      light();
      map.ring(found.points);
      if (found.points.length) { map.showPoints(found.points, 160); } else { map.showRailroads(found.railroads); }
      card(say("map.finding"), make("p", { lang: "en" }, text));
      announce(text);
    } else if (source.hasAttribute("data-railroads")) {
      reveal(source);
      pin(source.getAttribute("data-railroads").split(" ").map((id) => railroadIndex.get(id)), true);
    } else if (/^#(rr|c|m)-/.test(source.getAttribute("href"))) {
      event.preventDefault();
      reveal(source);
      follow(source.getAttribute("href"));
    }
  });
  document.querySelectorAll("main table[id]").forEach((table) => makeSortable(table, words));
  const heat = byId("ui-heat");
  if (heat) {
    const said = byId("ui-heat-said"), link = byId("ui-heat-show");
    const text = (a, b) => {
      const amount = data.payoffs[a][b];
      return `${data.cities[a].name} \u2013 ${data.cities[b].name}: ${amount === null ? say("map.no_amount") : money(amount * data.payoff)}`;
    };
    makeHeat(heat, (a, b) => {
      said.textContent = text(a, b);
      if (document.activeElement === heat) { announce(text(a, b)); }
    }, (a, b) => {
      [from.value, to.value] = [data.cities[a].id, data.cities[b].id];
      ended(true);
      said.textContent = text(a, b);
      link.hidden = false;
    });
    link.addEventListener("click", () => box.focus({ preventScroll: true }));
  }
  follow(location.hash);
  window.addEventListener("hashchange", () => follow(location.hash));
}());
