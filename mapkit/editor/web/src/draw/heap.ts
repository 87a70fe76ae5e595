// A heap of numbered things, the least number first.

export type Entry<T> = [number, T];

export function put<T>(heap: Entry<T>[], item: Entry<T>): void {
  heap.push(item);
  let i = heap.length - 1;
  while (i > 0) {
    const up = (i - 1) >> 1;
    if (heap[up]![0] <= heap[i]![0]) break;
    [heap[up], heap[i]] = [heap[i]!, heap[up]!];
    i = up;
  }
}

export function take<T>(heap: Entry<T>[]): Entry<T> {
  const top = heap[0]!;
  const last = heap.pop()!;
  if (heap.length > 0) {
    heap[0] = last;
    let i = 0;
    for (;;) {
      const [a, b] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (a < heap.length && heap[a]![0] < heap[least]![0]) least = a;
      if (b < heap.length && heap[b]![0] < heap[least]![0]) least = b;
      if (least === i) break;
      [heap[least], heap[i]] = [heap[i]!, heap[least]!];
      i = least;
    }
  }
  return top;
}
