// Destinations by dice, fees of a route by owners, and what a server needs to install the page.
(async function () {
  await globalThis.boardDrawn;
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("ui-data").textContent), words = makeWords(data.words), { say } = words;
  const money = (amount) => words.money(data.symbol, amount);
  const owners = new Map(), selects = [...document.querySelectorAll("select.owner")];
  const memory = `mapkit ${data.title}`;
  let ridden = [];

  function make(name, attributes, ...inside) {
    const element = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...inside);
    return element;
  }

  // Fees: those of the bank and of own railroads are one sum, each other player's is apart.
  function showFees() {
    const card = byId("ui-fees");
    card.hidden = !ridden.length;
    const fee = { bank: money(data.fees.bank), own: money(data.fees.own), opponent: money(data.fees.opponent) };
    const rows = ["bank", "own", "opponent"].flatMap((owner) => {
      const marks = ridden.filter((railroad) => (owners.get(railroad) || "bank") === owner).map((railroad) => data.railroads[railroad].short);
      const text = owner === "opponent" && data.fees.raised !== data.fees.opponent ? "web.raised" : "web.a_turn";
      return marks.length ? [make("dt", {}, `${say(`web.${owner}`)}: ${marks.join(", ")}`),
        make("dd", {}, say(text, { fee: fee[owner], raised: money(data.fees.raised) }))] : [];
    });
    card.replaceChildren(make("h3", {}, say("web.fees")), make("dl", {}, ...rows), make("p", { class: "quiet" }, say("web.due")));
  }
  document.addEventListener("ui-ridden", (event) => {
    ridden = event.detail;
    showFees();
  });
  function readOwners() {
    selects.forEach((select) => owners.set(Number(select.getAttribute("data-railroad")), select.value));
  }
  try { // a browser may keep nothing for pages that were opened as files
    const kept = JSON.parse(localStorage.getItem(memory) || "{}");
    selects.forEach((select) => {
      const owner = kept[data.railroads[Number(select.getAttribute("data-railroad"))].id];
      if ([...select.options].some((option) => option.value === owner)) { select.value = owner; }
    });
  } catch { /* owners begin with the bank */ }
  readOwners();
  selects.forEach((select) => select.addEventListener("change", () => {
    readOwners();
    showFees();
    try {
      localStorage.setItem(memory, JSON.stringify(Object.fromEntries([...owners].map(([k, owner]) => [data.railroads[k].id, owner]))));
    } catch { /* not kept */ }
  }));

  // Dice: a coloured one for odd or even, two white ones for the row.
  const die = () => 1 + Math.floor(Math.random() * 6);
  function roll(chart) {
    const [coloured, one, other] = [die(), die(), die()];
    return { coloured, one, other, cell: readChart(chart, coloured, one, other) };
  }
  function line(rolled, name) {
    const parity = say(rolled.coloured % 2 ? "destinations.odd" : "destinations.even");
    return make("p", {}, make("span", { class: "die coloured" }, parity),
      ...[rolled.one, rolled.other].map((eyes) => make("span", { class: "die" }, String(eyes))),
      ` ${name === undefined ? say("web.empty") : name}`);
  }
  const region = byId("ui-region");
  if (region) {
    byId("ui-dice").addEventListener("click", () => {
      const shown = [], from = data.cities.find((city) => city.id === byId("ui-from").value);
      let at = region.value === "" ? null : Number(region.value);
      if (at === null) {
        const rolled = roll(data.region_chart);
        at = rolled.cell;
        shown.push(line(rolled, data.regions[at]));
        if (from && data.own_region && at === from.region) {
          byId("ui-rolled").replaceChildren(...shown, make("p", {}, say("web.own_region", { city: from.name, region: data.regions[at] })));
          region.focus();
          return;
        }
      }
      if (at !== null) {
        const rolled = roll(data.city_charts[at]), city = data.cities[rolled.cell];
        shown.push(line(rolled, city && city.name));
        if (city) {
          const go = make("button", { type: "button" }, say("map.to_here"));
          go.addEventListener("click", () => {
            byId("ui-to").value = city.id;
            byId("ui-to").dispatchEvent(new Event("change"));
            byId("ui-map").scrollIntoView({ block: "nearest" });
          });
          shown.push(make("p", {}, make("a", { href: `#c-${city.id}` }, say("web.show")), " "), go);
        }
      }
      region.value = "";
      byId("ui-rolled").replaceChildren(...shown);
    });
  }

  if (location.protocol.startsWith("http")) {
    document.head.append(make("link", { rel: "manifest", href: "manifest.webmanifest" }));
    if (navigator.serviceWorker) { navigator.serviceWorker.register("worker.js").catch(() => {}); }
  }
}());
