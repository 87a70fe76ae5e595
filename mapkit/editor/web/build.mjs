// Bundles the pages into ../static (or the folder given with --out), those of other kinds into folders of theirs: one
// script, for railroad boards also the painter that works beside it, one style sheet, the page itself, and the licences
// of what is in the bundle. `--watch` builds again whenever a file changes.
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const named = process.argv.indexOf("--out");
const out = resolve(named > 0 ? process.argv[named + 1] : join(here, "..", "static"));
const watch = process.argv.includes("--watch");

const pages = [
  { entries: { editor: "src/main.tsx", painter: "src/board/drawn/painter.ts" }, folder: out },
  { entries: { editor: "src/hex/main.tsx" }, folder: join(out, "hex") },
  { entries: { editor: "src/cards/main.tsx" }, folder: join(out, "cards") },
];
const options = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  loader: { ".woff2": "file" },
  assetNames: "[name]",
  define: { "process.env.NODE_ENV": '"production"' },
};

/** The licence texts of every package with code in the bundle, by name. */
async function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  const texts = [];
  for (const name of [...names].sort()) {
    const folder = join(here, "node_modules", name);
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).sort().find((f) => /^(licen[cs]e|copying)/i.test(f));
    const text = file ? await readFile(join(folder, file), "utf8") : "";
    texts.push(`${about.name} ${about.version}, ${about.license}\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

async function rest(metafile, folder) {
  for (const file of (await readdir(join(here, "public"))).sort()) {
    await copyFile(join(here, "public", file), join(folder, file));
  }
  await writeFile(join(folder, "licences.txt"), await licences(metafile));
}

await rm(out, { recursive: true, force: true });
for (const { entries, folder } of pages) {
  await mkdir(folder, { recursive: true });
  const own = { ...options, entryPoints: entries, outdir: folder };
  if (watch) {
    const plugin = { name: "rest", setup: (build) => build.onEnd((done) => done.metafile && rest(done.metafile, folder)) };
    const context = await esbuild.context({ ...own, plugins: [plugin] });
    await context.watch();
  } else {
    const done = await esbuild.build(own);
    await rest(done.metafile, folder);
    const bytes = Object.values(done.metafile.outputs).reduce((sum, o) => sum + o.bytes, 0);
    console.log(`${folder}: ${(bytes / 1024).toFixed(0)} KiB`);
  }
}
