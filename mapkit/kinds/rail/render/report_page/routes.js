/**
 * Segments by the positions of their railroad, ends and pieces, with hundredths of miles.
 * @typedef {{ railroad: number, a: number, b: number, miles: number, pieces: readonly number[] }} Link
 * @typedef {{ segment: number, last: Step | null }} Step
 * @typedef {[number, number, number, number, number, number, number[], Step | null]} State
 */
/**
 * Return a function for the route of fewest mileposts, then fewest changes of railroad, then fewest miles:
 * `mapkit.kinds.rail.network.routes`, step by step.
 * @param {{ mileposts: readonly unknown[], segments: readonly Link[] }} data
 */
export function makeRouter(data) {
  /** @type {number[][]} */
  const at = data.mileposts.map(() => []);
  data.segments.forEach((segment, k) => {
    at[segment.a].push(k);
    at[segment.b].push(k);
  });
  /** @type {Map<number, number>} */
  const times = new Map();
  data.segments.forEach((s) => s.pieces.forEach((piece) => times.set(piece, (times.get(piece) || 0) + 1)));
  const shared = new Set([...times].filter((entry) => entry[1] > 1).map((entry) => entry[0]));

  /** @param {State} one @param {State} other */
  function before(one, other) {
    for (let k = 0; k < 4; k += 1) {
      const less = Number(one[k]) - Number(other[k]);
      if (less) { return less < 0; }
    }
    return false;
  }
  /** @param {State[]} heap @param {State} item */
  function push(heap, item) {
    let k = heap.push(item) - 1;
    while (k > 0) {
      const up = (k - 1) >> 1;
      if (!before(heap[k], heap[up])) { break; }
      [heap[k], heap[up]] = [heap[up], heap[k]];
      k = up;
    }
  }
  /** @param {State[]} heap @returns {State} */
  function pop(heap) {
    const top = heap[0], last = /** @type {State} */ (heap.pop());
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
  /** @param {number} start @param {number} end @param {Set<number>} watched */
  function search(start, end, watched) {
    /** @type {State[]} */
    const heap = [];
    const done = new Set();
    let tick = 0;
    // moves, changes, hundredths of miles, tick, milepost, railroad, watched pieces used, the way back
    push(heap, [0, 0, 0, tick, start, -1, [], null]);
    while (heap.length) {
      const [moves, changes, miles, , here, riding, taken, way] = pop(heap);
      if (here === end) {
        /** @type {number[]} */
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
  /** @param {number} start @param {number} end */
  return function route(start, end) {
    let found = search(start, end, new Set());
    if (found) {
      const used = found.flatMap((k) => [...data.segments[k].pieces]);
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
