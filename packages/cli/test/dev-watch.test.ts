// The watch over the files of a project, on a real folder.

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { isRelevantFile, type ProjectWatch, watchProject } from "../src/dev/watch.js";
import { inFolder } from "./run.js";
import { until } from "./serve.js";

interface Watched {
  readonly root: string;
  readonly watch: ProjectWatch;
  /** Names of files that have changed since the last call. */
  changed(): string[];
  saw(name: string): Promise<void>;
}

function whileWatching(isPolling: boolean, use: (watched: Watched) => Promise<void>): Promise<void> {
  const files = {
    "app/app.stoa": "",
    "app/node_modules/x/x.js": "",
    "app/.stoa/y.json": "",
    "lib/shared.ts": "",
  };
  return inFolder(files, async (folder) => {
    const root = join(folder, "app");
    const seen = new Set<string>();
    const watch = watchProject({
      root,
      isPolling,
      onChange: (path) => seen.add(relative(root, path)),
      onProblem: (message) => expect.fail(message),
    });
    const changed = () => {
      const names = [...seen].sort();
      seen.clear();
      return names;
    };
    try {
      await use({ root, watch, changed, saw: (name) => until(() => seen.has(name)) });
    } finally {
      watch.close();
    }
  });
}

describe.each([
  ["watching", false],
  ["polling", true],
])("%s", (_, isPolling) => {
  it("sees files written, replaced, made, moved and removed", () =>
    whileWatching(isPolling, async ({ root, saw, changed }) => {
      await writeFile(join(root, "app.stoa"), "model A {}");
      await saw("app.stoa");
      await writeFile(join(root, "other.stoa"), "");
      await saw("other.stoa");
      changed();
      await writeFile(join(root, "app.stoa~"), "model B {}");
      await rename(join(root, "app.stoa~"), join(root, "app.stoa"));
      await saw("app.stoa");
      expect(changed()).toEqual(["app.stoa"]);
      await rename(join(root, "other.stoa"), join(root, "moved.stoa"));
      await saw("moved.stoa");
      await saw("other.stoa");
      changed();
      await rm(join(root, "moved.stoa"));
      await saw("moved.stoa");
    }));

  it("sees what is in folders that are new, also after they were moved and removed", () =>
    whileWatching(isPolling, async ({ root, saw, changed }) => {
      await mkdir(join(root, "a/b"), { recursive: true });
      await writeFile(join(root, "a/b/c.stoa"), "");
      await saw("a/b/c.stoa");
      await rename(join(root, "a"), join(root, "z"));
      await saw("z/b/c.stoa");
      changed();
      await writeFile(join(root, "z/b/c.stoa"), "model C {}");
      await saw("z/b/c.stoa");
      changed();
      await rm(join(root, "z"), { recursive: true });
      await until(() => changed().length > 0);
      await mkdir(join(root, "z"));
      await writeFile(join(root, "z/d.ts"), "");
      await saw("z/d.ts");
    }));

  it("sees files elsewhere that belong to the project, and only those", () =>
    whileWatching(isPolling, async ({ root, watch, saw, changed }) => {
      watch.include([join(root, "../lib/shared.ts")]);
      await writeFile(join(root, "../lib/unrelated.ts"), "");
      await writeFile(join(root, "../lib/shared.ts"), "export {};");
      await saw("../lib/shared.ts");
      expect(changed()).toEqual(["../lib/shared.ts"]);
      watch.include([]);
      await writeFile(join(root, "../lib/shared.ts"), "export const a = 1;");
      await writeFile(join(root, "app.stoa"), "model A {}");
      await saw("app.stoa");
      expect(changed()).toEqual(["app.stoa"]);
    }));

  it("does not look into packages, hidden folders, and files of other kinds", () =>
    whileWatching(isPolling, async ({ root, saw, changed }) => {
      for (const name of ["node_modules/x/x.js", ".stoa/y.json", "notes.md", ".app.stoa.swp", "4913"]) {
        await writeFile(join(root, name), "changed");
      }
      await writeFile(join(root, ".env"), "A=1");
      await saw(".env");
      expect(changed()).toEqual([".env"]);
    }));
});

it("knows sources, modules, what they may import, and settings", () => {
  const names = [
    "a.stoa",
    "a.ts",
    "a.mjs",
    "a.jsx",
    "a.json",
    "a.txt",
    ".env",
    ".env.local",
    "stoa.config.ts",
  ];
  expect(names.filter(isRelevantFile)).toEqual(names);
  expect([".stoa", "a.md", "a.log", "a.stoa~", ".envrc", "a.ts.tmp"].filter(isRelevantFile)).toEqual([]);
});
