// Pages of the documentation, as far as tests look into them: fenced blocks, links and anchors.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = new URL("../../", import.meta.url);

export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export interface Block {
  /** Page and line, as the name of its test. */
  readonly place: string;
  readonly info: string;
  readonly text: string;
  /** Where the text begins in its page. */
  readonly start: number;
}

export const FENCE = /^```(\S.*)\n([\s\S]*?)^```$/gm;

export function readPage(path: string): Page {
  return { path, text: readFileSync(new URL(path, ROOT), "utf8") };
}

/** All markdown files below a folder. */
export function findPages(folder: string): string[] {
  const entries = readdirSync(new URL(folder, ROOT), { withFileTypes: true, recursive: true });
  const root = fileURLToPath(ROOT);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\//, ""))
    .sort();
}

export function blocksOf({ path, text }: Page): Block[] {
  return [...text.matchAll(FENCE)].map(({ index, 1: info = "", 2: body = "" }) => ({
    place: `${path}:${text.slice(0, index).split("\n").length}`,
    info,
    text: body,
    start: index + 3 + info.length + 1,
  }));
}

/** The text without its code, blocks and words alike. */
export function proseOf({ text }: Page): string {
  return text.replace(FENCE, "").replace(/`[^`\n]*`/g, "");
}

export function linksOf(page: Page): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** As GitHub makes them: lower case, without punctuation, blanks as dashes, repeated ones numbered. */
export function anchorsOf({ text }: Page): Set<string> {
  const seen = new Map<string, number>();
  const anchors = [...text.replace(FENCE, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/ /g, "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}
