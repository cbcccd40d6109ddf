// Files that are looked at while they are written.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { untilWritten } from "../src/dev/half-written.js";
import { inFolder } from "./run.js";

it("waits for a file that is empty to be filled, and for nothing else", () =>
  inFolder({ "empty.stoa": "", "full.stoa": "model A {}" }, async (cwd) => {
    let isOver = false;
    await untilWritten([join(cwd, "full.stoa"), join(cwd, "gone.stoa"), cwd]);
    const waiting = untilWritten([join(cwd, "full.stoa"), join(cwd, "empty.stoa")]).then(() => {
      isOver = true;
    });
    expect(isOver).toBe(false);
    await writeFile(join(cwd, "empty.stoa"), "model B {}");
    await waiting;
  }));

it("does not wait for ever for one that is meant to be empty", () =>
  inFolder({ "empty.stoa": "" }, async (cwd) => {
    await untilWritten([join(cwd, "empty.stoa")]);
  }));
