// What `npm run lint` holds: typescript-eslint's strictest set, which reads types. A rule that is off says why.
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  { ignores: ["src/generated.ts", "board/src/board.ts", "board/dist"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["*.mjs", "board/*.mjs"],
    extends: [js.configs.recommended],
    languageOptions: { globals: { console: "readonly", process: "readonly" } },
  },
  {
    files: ["src/**/*.{ts,tsx}", "test/**/*.ts", "board/src/**/*.ts"],
    extends: [js.configs.recommended, ts.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `() => select([])` and `return void toast("…")` are how the page writes a handler and an early return. What
      // the rules guard against, a promise that is dropped, is found by no-floating-promises and no-misused-promises.
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-meaningless-void-operator": "off",
      // With noUncheckedIndexedAccess every `list[i]` may be undefined to the compiler, also where a loop bounds `i`.
      // `!` says so in one character, and fails no later than a made-up value would.
      "@typescript-eslint/no-non-null-assertion": "off",
      // Tables are plain objects by id, as Python sends them, and rows go.
      "@typescript-eslint/no-dynamic-delete": "off",
      // Numbers in text are what most of the page shows. Null, undefined and objects in text are findings.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // Node's test runner waits for its tests by itself.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test"] }] },
      ],
    },
  },
);
