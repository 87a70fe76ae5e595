// The panel of a cell: its figures and its route, for the cell under the pointer or the one that was chosen.
(function () {
  var data = JSON.parse(document.getElementById("data").textContent);
  var panel = document.getElementById("panel"), n = data.names.length, side = data.side, chosen = null;
  var words = makeWords(data.words), say = words.say, number2 = function (value) { return words.number(value, 2); };
  document.documentElement.classList.add("js");
  function number(i, j) { return i * (2 * n - i - 1) / 2 + j - i - 1; }
  function put(id, text) { document.getElementById(id).textContent = text; }
  function steps(i, j) {
    var list = data.ways[i], by = {}, out = [], here = data.at[j], k;
    for (k = 0; k < list.length; k += 2) { by[list[k]] = list[k + 1]; }
    while (here !== data.at[i] && by[here] !== undefined) {
      out.push(by[here]);
      here = data.ends[2 * by[here]] === here ? data.ends[2 * by[here] + 1] : data.ends[2 * by[here]];
    }
    return here === data.at[i] ? out : [];
  }
  function draw(i, j) {
    var box = document.getElementById("route"), ns = "http://www.w3.org/2000/svg";
    if (!box || !data.ways) { return 0; }
    while (box.firstChild) { box.removeChild(box.firstChild); }
    var list = steps(i, j), ends = [data.at[i], data.at[j]], names = [data.names[i], data.names[j]];
    list.forEach(function (step) {
      var use = document.createElementNS(ns, "use");
      use.setAttribute("href", "#e" + step);
      box.appendChild(use);
    });
    ends.forEach(function (at, k) {
      var spot = document.createElementNS(ns, "path"), text = document.createElementNS(ns, "text");
      var x = data.places[2 * at], y = data.places[2 * at + 1], right = x > data.middle;
      spot.setAttribute("class", "ends");
      spot.setAttribute("d", "M" + x + " " + y + "h0");
      text.setAttribute("class", "end-name");
      text.setAttribute("x", x + (right ? -22 : 22));
      text.setAttribute("y", y - 16);
      text.setAttribute("text-anchor", right ? "end" : "start");
      text.textContent = names[k];
      box.appendChild(spot);
      box.appendChild(text);
    });
    return list.length;
  }
  function thousand(amount) { return say("cell.thousand", { amount: words.plain(amount) }); }
  function way(rail, mileposts, air) {
    return say(rail < 0 ? "cell.no_way" : "cell.way", {
      miles: words.count("map.miles", rail), mileposts: words.count("board.mileposts", mileposts),
      air: words.count("map.miles", air),
    });
  }
  function announce() {
    put("said", document.getElementById("p-name").textContent + ": " + document.getElementById("p-value").textContent + ", "
      + say("cell.expected") + " " + document.getElementById("p-expected").textContent);
  }
  function show(i, j) {
    if (i > j) { var t = i; i = j; j = t; }
    var k = number(i, j), value = data.value[k];
    if (i === j || data.expected[k] === null) { return; }
    panel.classList.remove("empty");
    put("p-name", data.names[i] + " \u2013 " + data.names[j]);
    var score = data.score[k], suspected = score >= data.flag, count = draw(i, j);
    put("p-value", value === null ? say("cell.none_or_two") : thousand(value));
    put("p-expected", say(value === null ? "cell.close_to" : "cell.off", {
      expected: words.number(data.expected[k], 1), sd: number2(data.sd[k]),
      off: words.number((value - data.expected[k]) / data.sd[k], 1),
    }));
    put("p-score", score === null ? say("cell.not_judged") : score > 0.99 ? "> " + number2(0.99) : number2(score));
    put("p-slip", suspected ? data.slips[data.slip[k]] : say("cell.not_suspected"));
    put("p-suggested", suspected ? thousand(data.suggested[k]) : "\u2013");
    put("p-route", data.rail ? way(data.rail[k], count, data.air[k]) : "\u2013");
    document.querySelectorAll(".heat").forEach(function (svg) {
      var order = svg.getAttribute("data-order").split(" ").map(Number), at = svg.querySelector(".at");
      var r = order.indexOf(chosen ? chosen[0] : i), c = order.indexOf(chosen ? chosen[1] : j);
      at.setAttribute("x", c * side);
      at.setAttribute("y", r * side);
      at.style.visibility = chosen ? "visible" : "hidden";
    });
  }
  document.querySelectorAll(".heat").forEach(function (svg) {
    var order = svg.getAttribute("data-order").split(" ").map(Number), margin = Number(svg.getAttribute("data-margin"));
    function cell(event) {
      var point = svg.createSVGPoint();
      point.x = event.clientX;
      point.y = event.clientY;
      point = point.matrixTransform(svg.getScreenCTM().inverse());
      var r = Math.floor((point.y - margin) / side), c = Math.floor((point.x - margin) / side);
      return r >= 0 && c >= 0 && r < n && c < n && r !== c ? [order[r], order[c]] : null;
    }
    svg.addEventListener("mousemove", function (event) {
      var at = cell(event);
      if (at && !chosen) { show(at[0], at[1]); }
    });
    svg.addEventListener("click", function (event) {
      var at = cell(event);
      event.preventDefault();
      if (at && chosen && chosen[0] === at[0] && chosen[1] === at[1]) { at = null; }
      chosen = at;
      if (at) { show(at[0], at[1]); } else { document.querySelectorAll(".at").forEach(function (r) { r.style.visibility = "hidden"; }); }
    });
    svg.addEventListener("keydown", function (event) {
      var step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) { return; }
      event.preventDefault();
      var r = chosen ? order.indexOf(chosen[0]) : 0, c = chosen ? order.indexOf(chosen[1]) : 0;
      do {
        r += step[0];
        c += step[1];
      } while (r === c);
      if (r >= 0 && c >= 0 && r < n && c < n) {
        chosen = [order[r], order[c]];
        show(chosen[0], chosen[1]);
        announce();
      }
    });
  });
  function follow() {
    var found = /^#c-(\d+)-(\d+)$/.exec(location.hash);
    if (found && Number(found[1]) < n && Number(found[2]) < n) {
      chosen = [Number(found[1]), Number(found[2])];
      show(chosen[0], chosen[1]);
      panel.scrollIntoView({ block: "nearest" });
    }
  }
  document.querySelectorAll("a[href^='#c-']").forEach(function (link) {
    link.addEventListener("click", function (event) {
      if (link.ownerSVGElement) { return; }
      event.preventDefault();
      history.replaceState(null, "", link.getAttribute("href"));
      follow();
    });
  });
  window.addEventListener("hashchange", follow);
  follow();
  if (!chosen) {
    // The surest suspect first: an empty panel would not say what it is for.
    var first = /#c-(\d+)-(\d+)$/.exec((document.querySelector("table a[href^='#c-']") || {}).href || "");
    if (first) { show(Number(first[1]), Number(first[2])); }
  }
}());
