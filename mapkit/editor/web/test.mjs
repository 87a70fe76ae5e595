// Runs the unit tests of the page: each is bundled as the page is, and run by Node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

// the canvas is the one part that needs a browser
const canvas = {
  name: "canvas",
  setup: (build) => build.onResolve({ filter: /^(\.\.?\/)+board$/ }, ({ importer }) => importer.includes(join(here, "src")) ? { path: join(here, "test", "canvas.ts") } : undefined),
};

const here = dirname(fileURLToPath(import.meta.url));
const out = await mkdtemp(join(here, "node_modules", ".tests-"));
try {
  const names = (await readdir(join(here, "test"))).filter((name) => name.endsWith(".test.ts")).sort();
  await esbuild.build({
    absWorkingDir: here,
    entryPoints: names.map((name) => join("test", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".css": "empty" },
    plugins: [canvas],
    logLevel: "warning",
  });
  const files = names.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  process.exitCode = spawnSync(process.execPath, ["--import", join(here, "test", "browser.mjs"), "--test", ...files], { cwd: here, stdio: "inherit" }).status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
