// The log for people: what is left of errors.

import { DatabaseError } from "@stoa/database";
import { describe, expect, it } from "vitest";
import { createPeopleLog } from "../src/dev/people-log.js";

/** What is written for an error, without the time. */
function shown(error: Error): string {
  const lines: string[] = [];
  createPeopleLog("info", (line) => lines.push(line)).error("the request failed", {
    error,
    requestId: "r.1",
  });
  return lines.join("\n").replace(/^\S+ /, "");
}

/** With a stack as Node writes it. */
function failed(error: Error, ...frames: readonly string[]): Error {
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return error;
}

const OURS = `runStep (${new URL("../src/dev/people-log.ts", import.meta.url).href}:75:25992)`;
const NODES = "process.processTicksAndRejections (node:internal/process/task_queues:95:5)";
const here = (file: string) => `${process.cwd()}/${file}`;

describe("an error in the log for people", () => {
  it("has the frames of the project's code alone, those of its cause first", () => {
    const frames = [`deep (${here("a b/greet.ts")}:4:9)`, `async file://${here("x%20y.mjs")}?at=1:7:39`];
    const cause = failed(new TypeError("boom"), ...frames, "async Promise.all (index 0)", OURS, NODES);
    expect(shown(failed(new Error("The hook failed: boom", { cause }), OURS, NODES))).toBe(
      [
        "error the request failed requestId=r.1",
        "  The hook failed: boom",
        "  because of TypeError: boom",
        "      at deep (a b/greet.ts:4:9)",
        "      at x y.mjs:7:39",
      ].join("\n"),
    );
  });

  it("does not say the same twice, and needs one line if there is no place to show", () => {
    const cause = failed(new Error("boom"), OURS);
    expect(shown(failed(new Error("The hook failed: boom", { cause }), OURS))).toBe(
      "error the request failed: The hook failed: boom requestId=r.1",
    );
  });

  it("is one line for a database that is away", () => {
    const cause = failed(new Error("connect ECONNREFUSED"), "TCPConnectWrap.afterConnect (node:net:1:2)");
    const away = new DatabaseError("unavailable", "The database does not answer", { cause });
    expect(shown(failed(away, OURS, NODES))).toBe(
      "error the request failed: The database does not answer requestId=r.1",
    );
  });

  it("has its whole stack if it is nobody's code but ours", () => {
    expect(shown(failed(new RangeError("odd"), OURS, NODES))).toBe(
      [
        "error the request failed requestId=r.1",
        "  RangeError: odd",
        `      at ${OURS}`,
        `      at ${NODES}`,
      ].join("\n"),
    );
  });
});
