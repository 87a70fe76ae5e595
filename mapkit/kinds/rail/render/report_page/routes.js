// The route of fewest mileposts, then fewest changes of railroad, then fewest miles: mapkit.network.routes, step by step.
function makeRouter(data) {
  const at = data.mileposts.map(() => []);
  data.segments.forEach((segment, k) => {
    at[segment.a].push(k);
    at[segment.b].push(k);
  });
  const times = new Map();
  data.segments.forEach((s) => s.pieces.forEach((piece) => times.set(piece, (times.get(piece) || 0) + 1)));
  const shared = new Set([...times].filter((entry) => entry[1] > 1).map((entry) => entry[0]));

  function before(one, other) {
    for (let k = 0; k < 4; k += 1) {
      if (one[k] !== other[k]) { return one[k] < other[k]; }
    }
    return false;
  }
  function push(heap, item) {
    let k = heap.push(item) - 1;
    while (k > 0) {
      const up = (k - 1) >> 1;
      if (!before(heap[k], heap[up])) { break; }
      [heap[k], heap[up]] = [heap[up], heap[k]];
      k = up;
    }
  }
  function pop(heap) {
    const top = heap[0], last = heap.pop();
    if (heap.length) {
      heap[0] = last;
      let k = 0;
      for (;;) {
        let least = k;
        for (const down of [2 * k + 1, 2 * k + 2]) {
          if (down < heap.length && before(heap[down], heap[least])) { least = down; }
        }
        if (least === k) { break; }
        [heap[k], heap[least]] = [heap[least], heap[k]];
        k = least;
      }
    }
    return top;
  }
  function search(start, end, watched) {
    const heap = [], done = new Set();
    let tick = 0;
    // moves, changes, hundredths of miles, tick, milepost, railroad, watched pieces used, the way back
    push(heap, [0, 0, 0, tick, start, -1, [], null]);
    while (heap.length) {
      const [moves, changes, miles, , here, riding, taken, way] = pop(heap);
      if (here === end) {
        const out = [];
        for (let step = way; step; step = step.last) { out.unshift(step.segment); }
        return out;
      }
      const key = `${here} ${riding} ${taken.join()}`;
      if (done.has(key)) { continue; }
      done.add(key);
      for (const k of at[here]) {
        const segment = data.segments[k], onward = segment.a === here ? segment.b : segment.a;
        const pieces = segment.pieces.filter((piece) => watched.has(piece));
        if (pieces.some((piece) => taken.includes(piece))) { continue; }
        const used = pieces.length ? taken.concat(pieces).sort((a, b) => a - b) : taken;
        if (done.has(`${onward} ${segment.railroad} ${used.join()}`)) { continue; }
        const change = riding >= 0 && riding !== segment.railroad ? 1 : 0;
        tick += 1;
        push(heap, [moves + 1, changes + change, miles + segment.miles, tick, onward, segment.railroad, used,
          { segment: k, last: way }]);
      }
    }
    return null;
  }
  return function route(start, end) {
    let found = search(start, end, new Set());
    if (found) {
      const used = found.flatMap((k) => data.segments[k].pieces);
      if (new Set(used).size < used.length) { found = search(start, end, shared); }
    }
    if (!found) { return null; }
    let here = start;
    const places = [start];
    for (const k of found) {
      here = data.segments[k].a === here ? data.segments[k].b : data.segments[k].a;
      places.push(here);
    }
    return {
      segments: found,
      places,
      miles: found.reduce((sum, k) => sum + data.segments[k].miles, 0) / 100,
      railroads: [...new Set(found.map((k) => data.segments[k].railroad))],
    };
  };
}
