// What was made, and what to do next.

import { relative } from "node:path";
import type { Created } from "./create.js";
import type { InitProblem } from "./problem.js";

export interface Paint {
  good(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

/** For people. */
export function describeCreated(created: Created, paint: Paint): string {
  const { name, files, kept } = created;
  const lines = [
    `${paint.good("✓")} ${paint.strong(name)}: ${files.length} files in ${shownFolder(created)}`,
    ...kept.map((path) => paint.faint(`  kept ${path}${advice(path)}`)),
    "",
    ...nextSteps(created).map((step) => `  ${paint.strong(step)}`),
    "",
    `${kept.includes("README.md") ? "npx stoa --help" : "README.md"} says what there is and what to do next.`,
  ];
  return lines.join("\n");
}

/** For programs. */
export function createdJson(created: Created): string {
  return JSON.stringify({ ...created, next: nextSteps(created) });
}

export function problemJson({ message, hint, inTheWay }: InitProblem): string {
  return JSON.stringify({ error: { message, hint, ...(inTheWay.length > 0 ? { inTheWay } : {}) } });
}

function advice(path: string): string {
  return path === ".gitignore" ? ": add node_modules/ and .stoa/ to it" : "";
}

function shownFolder({ folder }: Created): string {
  const path = relative(process.cwd(), folder);
  return path === "" ? "this folder" : path;
}

function nextSteps(created: Created): string[] {
  const path = relative(process.cwd(), created.folder);
  const manager = packageManager();
  const enter = path === "" ? [] : [`cd ${/\s/.test(path) ? `"${path}"` : path}`];
  return [...enter, `${manager} install`, `${manager} run dev`];
}

/** The one that this was called with says so. */
function packageManager(): string {
  const [name = ""] = (process.env.npm_config_user_agent ?? "").split("/");
  return ["pnpm", "yarn", "bun"].includes(name) ? name : "npm";
}
