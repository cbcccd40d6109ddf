// What people see of `stoa dev`, as texts.

import type { Palette } from "@stoa/compiler";
import type { Step, Summary } from "@stoa/database";
import { plural } from "../terminal.js";

export type Colours = Palette & { readonly good: (text: string) => string };

/** What there is to serve, and from where. */
export interface Served {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  readonly database: string;
  /** What was or was not populated, in words. */
  readonly data: string;
}

export interface StartScreen extends Served {
  readonly name: string;
  readonly url: string;
  readonly ms: number;
  readonly hasKeys: boolean;
  readonly hasDocs: boolean;
  /** Whether the sources are live; if not, why is told elsewhere. */
  readonly isLive: boolean;
}

const MOST_ROUTES = 12;
const KEYS = [
  ["r", "rebuild"],
  ["p", "populate"],
  ["o", "open the docs"],
  ["q", "quit"],
  ["h", "help"],
] as const;

export function startScreen(start: StartScreen, colours: Colours): string {
  const { faint, strong, good, warning } = colours;
  const state = start.isLive
    ? good(`ready in ${start.ms} ms`)
    : warning("waiting for the sources to be mended");
  return [
    "",
    `  ${strong(`stoa dev`)} ${start.name} ${faint("·")} ${state}`,
    "",
    row("url", strong(start.url), colours),
    ...(start.hasDocs ? [row("docs", `${start.url}/docs`, colours)] : []),
    ...servedLines(start, colours),
    ...(start.hasKeys ? ["", `  ${keyLine(colours)}`] : []),
    "",
  ].join("\n");
}

/** The part of the start screen that has to wait until something is served. */
export function servedScreen(served: Served, colours: Colours): string {
  return ["", ...servedLines(served, colours), ""].join("\n");
}

function servedLines(served: Served, colours: Colours): string[] {
  const { routes, database, data } = served;
  return [
    row("database", data === "" ? database : `${database} ${colours.faint("·")} ${data}`, colours),
    ...(routes.length === 0 ? [] : ["", ...routeLines(served, colours)]),
  ];
}

function row(label: string, text: string, { faint }: Colours): string {
  return `  ${faint(label.padEnd(9))} ${text}`;
}

function routeLines({ routes }: Served, { faint }: Colours): string[] {
  const shown = routes
    .slice(0, MOST_ROUTES)
    .map(({ method, path }) => `  ${faint(method.padEnd(9))} ${path}`);
  const rest = routes.length - shown.length;
  return rest > 0 ? [...shown, faint(`            and ${rest} more: stoa explain`)] : shown;
}

function keyLine({ strong, faint }: Colours): string {
  return KEYS.map(([key, word]) => `${strong(key)} ${faint(word)}`).join(faint(" · "));
}

export function helpScreen(populator: string | undefined, { strong }: Colours): string {
  const populate =
    populator === undefined
      ? "there is no populator to run: declare one, populator Dev { … }"
      : `empties all tables and fills them by ${populator}, after asking`;
  const lines = [
    ["r", "builds everything anew, modules of hooks too, and reads the settings again"],
    ["p", populate],
    ["o", "opens the docs page in the browser"],
    ["q", "quits, as Ctrl-C does; the embedded database stops"],
  ];
  return ["", ...lines.map(([key = "", text = ""]) => `  ${strong(key)}  ${text}`), ""].join("\n");
}

export interface LiveLine {
  readonly time: string;
  readonly what: string;
  readonly steps: readonly Step[];
  readonly ms: number;
}

export function liveLines({ time, what, steps, ms }: LiveLine, colours: Colours): string[] {
  const { good, faint, strong } = colours;
  return [
    ...steps.map((step) => stepLine(step, colours)),
    `${good("✓")} ${faint(time)} ${what} ${faint("·")} live in ${strong(`${ms} ms`)}`,
  ];
}

function stepLine(step: Step, { good, error, faint }: Colours): string {
  const mark = step.class === "destructive" ? error("-") : good("+");
  return `${mark} ${step.words} ${faint(`(${step.class})`)}`;
}

export function brokenLine(
  time: string,
  what: string,
  isServing: boolean,
  { error, faint }: Colours,
): string {
  const then = isServing ? "the last good version serves" : "nothing can be served yet";
  return `${error("✗")} ${faint(time)} ${what} ${faint("·")} not live: ${then}`;
}

export function questionLines(
  steps: readonly Step[],
  isServing: boolean,
  { warning, faint, strong }: Colours,
): string[] {
  return [
    warning("This loses data:"),
    ...steps.map(({ words }) => `  ${words}`),
    ...(isServing ? [faint("The last good version serves meanwhile.")] : []),
    strong("Go on? [y/N]"),
  ];
}

export function summaryText({ populator, rows }: Summary): string {
  return `populated by ${populator} (${plural(rows, "row")})`;
}

/** The files that have changed, few of them by name. */
export function describeChange(names: readonly string[]): string {
  if (names.length === 0) return "";
  const [first = "", second = ""] = names;
  if (names.length === 1) return `${first} changed`;
  return names.length === 2
    ? `${first} and ${second} changed`
    : `${first} and ${names.length - 1} more changed`;
}
