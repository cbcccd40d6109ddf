// The README is the first thing a newcomer runs: its program compiles, its requests get the answers shown, and its
// error is the error shown. UPDATE=1 writes the answers anew.

import { readFileSync } from "node:fs";
import { checkSources, format, renderDiagnostics, type Source } from "@stoa/compiler";
import { describe, expect, it } from "vitest";
import { readPage } from "./walk/markdown.js";
import { walk } from "./walk/walk.js";

const root = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? "";
}

function bookstore(): Source[] {
  return ["api.stoa", "bookstore.stoa", "populators.stoa"].map((name) => ({
    name,
    text: readFileSync(new URL(`examples/bookstore/${name}`, root), "utf8"),
  }));
}

it("shows a program that compiles and is formatted", () => {
  const text = block("stoa app.stoa");
  expect(checkSources([{ name: "app.stoa", text }]).diagnostics).toEqual([]);
  expect(format({ name: "app.stoa", text })).toEqual({ kind: "formatted", text });
});

it("has an example that compiles and is formatted", () => {
  const sources = bookstore();
  expect(checkSources(sources).diagnostics).toEqual([]);
  for (const source of sources) expect(format(source)).toEqual({ kind: "formatted", text: source.text });
});

it("shows the error that the broken example gives", () => {
  const broken = bookstore().map(({ name, text }) => ({
    name,
    text: text.replace(/filter \{ publishedOn.*\}/, "filter { publisedOn is not null }"),
  }));
  const { diagnostics } = checkSources(broken);
  const sources = new Map(broken.map(({ name, text }) => [name, text]));
  expect(block("text")).toContain(renderDiagnostics(diagnostics, { sources }));
});

describe("requests to the program", () => walk(readPage("README.md"), { end: "## Status" }));
