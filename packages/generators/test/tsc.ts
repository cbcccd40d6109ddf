// Runs the TypeScript compiler on files that exist only for a test.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

export interface Checked {
  /** What the compiler says; empty when all is well. */
  readonly output: string;
  readonly ms: number;
}

/** As strict as it gets, without the types of Node: the code is for browsers as well. */
export const STRICT = {
  target: "ES2022",
  module: "ESNext",
  moduleResolution: "bundler",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitOverride: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  noEmit: true,
} as const;

export function withFiles<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), "stoa-types-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function checkTypes(files: Readonly<Record<string, string>>, options: object = {}): Checked {
  const config = { compilerOptions: { ...STRICT, ...options }, include: ["**/*.ts"] };
  return withFiles({ ...files, "tsconfig.json": JSON.stringify(config) }, (folder) => {
    const startedAt = performance.now();
    const { stdout, stderr } = spawnSync(process.execPath, [TSC, "-p", folder], {
      cwd: folder,
      encoding: "utf8",
    });
    return { output: `${stdout}${stderr}`.trim(), ms: performance.now() - startedAt };
  });
}
