import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const SOURCE = join(process.cwd(), "src");
const IMPORT = /^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"(\.[^"]+)"/gm;

function modules(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(SOURCE, name));
}

function fileOf(from: string, name: string): string | null {
  const base = join(dirname(from), name);
  const found = [base, `${base}.ts`, `${base}.tsx`, join(base, "index.ts"), join(base, "index.tsx")].find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return found !== undefined && /\.tsx?$/.test(found) ? found : null;
}

function imports(file: string): string[] {
  const named = [...readFileSync(file, "utf8").matchAll(IMPORT)].map((match) => match[1] ?? "");
  return named.flatMap((name) => fileOf(file, name) ?? []);
}

/** The first way from a module back to itself, also by imports of types alone; empty if there is none. */
export function cycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (node: string): string[] => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return [];
    way.push(node);
    for (const next of graph.get(node) ?? []) {
      const found = visit(next);
      if (found.length > 0) return found;
    }
    way.pop();
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const found = visit(node);
    if (found.length > 0) return found;
  }
  return [];
}

test("a cycle is found", () => {
  assert.deepEqual(cycle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  assert.deepEqual(cycle(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), []);
});

test("no module of the page imports itself, by way of others", () => {
  const graph = new Map(modules().map((file) => [file, imports(file)]));
  assert.ok([...graph.values()].flat().length > 300);
  assert.deepEqual(cycle(graph).map((file) => relative(SOURCE, file)), []);
});
