// What a browser shows while the newest sources are not live. It reloads itself when there is something new to see.

import { createHash } from "node:crypto";
import type { Palette } from "@stoa/compiler";
import type { Trouble } from "./trouble.js";

/** Where the page hears of changes; no path of an application begins like this. */
export const EVENTS_PATH = "/__stoa/dev/events";

export interface PageOptions {
  readonly trouble: Trouble;
  /** The number of the state that the page shows. */
  readonly serial: number;
  /** Whether an earlier version answers meanwhile. */
  readonly isServing: boolean;
}

const STYLE = `
:root { color-scheme: light dark; --bad: #b3261e; --warn: #8a5a00; --note: #00658f; --faint: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --warn: #ffca6b; --note: #7fd0ff; --faint: #9aa3b2; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 3rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.3rem; } h1::before { content: "✗ "; color: var(--bad); }
pre { font: 14px/1.45 ui-monospace, Consolas, monospace; overflow-x: auto; padding: 1rem; border: 1px solid #8884; border-radius: 6px; }
.error { color: var(--bad); font-weight: bold; } .warning { color: var(--warn); font-weight: bold; }
.note { color: var(--note); } .faint, p { color: var(--faint); } .strong { font-weight: bold; }
`;

/** The first message tells the state that there is; it may be newer than the page already. */
const SCRIPT = `
const shown = document.documentElement.dataset.serial;
new EventSource(${JSON.stringify(EVENTS_PATH)}).onmessage = ({ data }) => { if (data !== shown) location.reload(); };
`;

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

export function renderPage({ trouble, serial, isServing }: PageOptions): string {
  const note = isServing
    ? "The last good version still answers everything but browsers. This page goes away by itself when all is well."
    : "There is no version that could answer yet. This page goes away by itself when all is well.";
  return `<!doctype html>
<html lang="en" data-serial="${serial}">
<head><meta charset="utf-8"><title>${escapeHtml(capital(trouble.title))}</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body><h1>${escapeHtml(capital(trouble.title))}</h1>
<pre>${markUp(trouble.render(MARKS))}</pre>
<p>${note}</p><script>${SCRIPT}</script></body>
</html>
`;
}

const CLASSES = ["error", "warning", "note", "faint", "strong"] as const;

/**
 * Characters that mean nothing anywhere stand for the tags until the text is escaped. One that comes from a source
 * opens or closes a span too, and does no other harm.
 */
const FIRST_OPENING = 0xe000;
const CLOSING = "\ue0ff";

const MARKS = Object.fromEntries(
  CLASSES.map((name, index) => [
    name,
    (text: string) => `${String.fromCharCode(FIRST_OPENING + index)}${text}${CLOSING}`,
  ]),
) as unknown as Palette;

function markUp(text: string): string {
  return escapeHtml(text).replaceAll(/[\ue000-\ue004\ue0ff]/g, (mark) =>
    mark === CLOSING ? "</span>" : `<span class="${CLASSES[mark.charCodeAt(0) - FIRST_OPENING]}">`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
