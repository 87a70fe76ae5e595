// Builds the package into dist or a given new folder, with the version of mapkit: one script, and declarations.
// `npm pack` then packs the folder.
import { spawnSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [, , folder] = process.argv;
const dist = folder ? resolve(folder) : join(here, "dist");

/** A schema without what only people read. */
function bare(schema) {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  const named = (parts) => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, bare(part)]));
  const kept = Object.entries(schema).filter(([key]) => !/^(title|description|default|\$schema|\$id|x-.*)$/.test(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, /^(properties|patternProperties|\$defs)$/.test(key) ? named(part) : bare(part)]));
}
const schemas = {
  name: "schemas",
  setup: (build) =>
    build.onLoad({ filter: /\.schema\.json$/ }, async ({ path }) => ({ contents: JSON.stringify(bare(JSON.parse(await readFile(path, "utf8")))), loader: "json" })),
};

if (!folder) await rm(dist, { recursive: true, force: true });
await esbuild.build({
  absWorkingDir: here,
  entryPoints: ["src/index.ts"],
  outfile: join(dist, "index.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  plugins: [schemas],
  logLevel: "warning",
});
const about = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
const root = join(here, "..", "..", "..", "..");
const [, version] = /__version__ = "(.*)"/.exec(await readFile(join(root, "mapkit", "version.py"), "utf8"));
await writeFile(join(dist, "package.json"), `${JSON.stringify({ ...about, version }, null, 2)}\n`);
await copyFile(join(here, "README.md"), join(dist, "README.md"));
await copyFile(join(root, "LICENSE"), join(dist, "LICENSE"));
const out = await mkdtemp(join(here, "..", "node_modules", ".board-"));
try {
  const compiler = join(here, "..", "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", here, "--noEmit", "false", "--emitDeclarationOnly", "--outDir", out];
  const done = spawnSync(process.execPath, [compiler, ...options], { stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
  const types = join(out, "mapkit", "editor", "web", "board", "src");
  for (const file of (await readdir(types)).sort()) await copyFile(join(types, file), join(dist, file));
} finally {
  await rm(out, { recursive: true, force: true });
}
