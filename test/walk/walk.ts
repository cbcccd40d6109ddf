// A page, walked through from top to bottom as its reader would: files are made, requests are sent, and the answers
// are those shown. Every block is a test. UPDATE=1 writes answers anew where they differ.
//
//   ```stoa app.stoa          makes the file, or replaces it; `new` after the name begins a new project
//   ```stoa app.stoa after="<line>"      adds lines to the file, below the only line that begins so, indented like it
//   ```stoa app.stoa instead="<line>"    or in its place
//   ```ts hooks/mail.ts       a module of hooks, whose types are checked as well
//   ```js test/a.test.mjs     a test: run by guides.slow.test.ts
//   ```http                   requests and answers, see exchange.ts
//   ```sh                     curl commands, and `stoa db populate`; other commands are the reader's alone
//   ```json [status]          the answer of the last curl command
//   ```console                commands with what they print: run by docs-commands.slow.test.ts

import { writeFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { format } from "@stoa/compiler";
import { afterAll, expect, test } from "vitest";
import { type Exchange, type Expected, parseCurl, parseHttp, type SentRequest } from "./exchange.js";
import { fillHoles, fillIn, shownPart, type Values, withHoles, writeJson } from "./expectation.js";
import { type Block, blocksOf, type Page, ROOT } from "./markdown.js";
import { Project } from "./project.js";

export const FILE = /^(?:stoa|ts|js|json) ([\w./-]+\.\w+)(?: (new)| (after|instead)="([^"]+)")?$/;
const POPULATE = /^npx stoa db populate -p (\w+)$/;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Runs the commands of a block; what the block should say, with what they have printed. */
export type RunConsole = (text: string, project: Project) => Promise<string>;

export interface WalkOptions {
  /** For whoever can run commands; they are passed by otherwise. */
  readonly runConsole?: RunConsole;
  /** The heading at which to stop. */
  readonly end?: string;
}

/** Makes the tests of a page. */
export function walk(page: Page, { runConsole, end }: WalkOptions = {}): void {
  const walker = new Walker(page);
  const last = end === undefined ? page.text.length : page.text.indexOf(`\n${end}\n`);
  const blocks = blocksOf(page).filter(({ start }) => start < last);
  for (const [index, block] of blocks.entries()) {
    const step = walker.step(block, blocks[index + 1]);
    if (step !== undefined) test(`${block.place} ${step.name}`, step.run);
    else if (block.info === "console" && runConsole !== undefined) {
      test(`${block.place} ${block.text.split("\n")[0]}`, () => walker.console(block, runConsole));
    }
  }
  afterAll(() => walker.end());
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<void>;
}

class Walker {
  readonly project = new Project();
  readonly #page: Page;
  readonly #values: Values = new Map();
  readonly #edits: Edit[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  step(block: Block, next: Block | undefined): Step | undefined {
    const [, file, isNew, how, line] = FILE.exec(block.info) ?? [];
    if (file !== undefined && line !== undefined) {
      const isInstead = how === "instead";
      const run = () => this.project.change(file, { line, isInstead, text: block.text });
      return { name: `changes ${file}`, run };
    }
    if (file !== undefined) {
      const run = () => this.project.put(file, this.#inStyle(block, file), isNew !== undefined);
      return { name: `makes ${file}`, run };
    }
    if (block.info === "http") return this.#httpStep(block);
    return block.info === "sh" ? this.#shellStep(block, next) : undefined;
  }

  async console(block: Block, run: RunConsole): Promise<void> {
    const text = await run(block.text, this.project);
    if (!process.env.UPDATE) expect(block.text).toBe(text);
    else this.#edits.push({ start: block.start, end: block.start + block.text.length, text });
  }

  async end(): Promise<void> {
    await this.project.close();
    if (this.#edits.length === 0) return;
    let { text } = this.#page;
    for (const edit of this.#edits.toSorted((a, b) => b.start - a.start)) {
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    }
    writeFileSync(new URL(this.#page.path, ROOT), text);
  }

  /** The text of a file; formatted, if pages are being written anew. */
  #inStyle({ text, start }: Block, name: string): string {
    if (!process.env.UPDATE || !name.endsWith(".stoa")) return text;
    const result = format({ name, text });
    if (result.kind !== "formatted" || result.text === text) return text;
    this.#edits.push({ start, end: start + text.length, text: result.text });
    return result.text;
  }

  #httpStep(block: Block): Step {
    const exchanges = parseHttp(block.text);
    const names = exchanges.map(({ request }) => `${request.method} ${request.target}`);
    const run = async () => {
      for (const exchange of exchanges) await this.#exchange(exchange, block);
    };
    return { name: names.join(", "), run };
  }

  #shellStep(block: Block, next: Block | undefined): Step | undefined {
    const lines = block.text.replace(/ \\\n\s*/g, " ").split("\n");
    const commands = lines.map((line) => line.replace(/\s+# .*$/, "").trim()).filter((line) => line !== "");
    const steps = commands.flatMap((line, index) => {
      const request = parseCurl(line);
      if (request !== undefined) {
        const isShown = index === commands.length - 1 && /^json( \d+)?$/.test(next?.info ?? "");
        const expected = isShown && next !== undefined ? expectedOf(next) : undefined;
        return [() => this.#exchange({ request, expected }, next ?? block)];
      }
      const populator = POPULATE.exec(line)?.[1];
      return populator === undefined ? [] : [() => this.project.populate(populator)];
    });
    if (steps.length === 0) return undefined;
    const run = async () => {
      for (const step of steps) await step();
    };
    return { name: commands.join("; ").slice(0, 80), run };
  }

  async #exchange({ request, expected }: Exchange, shown: Block): Promise<void> {
    const response = await this.project.fetch(this.#requestOf(request));
    const text = await response.text();
    if (request.tokenName !== undefined) this.#values.set(request.tokenName, JSON.parse(text).token);
    if (response.status === 500 && expected?.status !== 500) throw new Error(this.project.takeErrors());
    if (expected === undefined) return expect(response.status).toBeLessThan(300);
    try {
      this.#compare(expected, response, text);
    } catch (error) {
      if (!process.env.UPDATE) throw error;
      this.#rewrite(expected, response, { text, shown });
    }
  }

  #requestOf({ method, target, headers, body }: SentRequest): Request {
    const filled = Object.entries(headers).map(
      ([name, value]) => [name, fillIn(value, this.#values)] as const,
    );
    const init = { method, headers: Object.fromEntries(filled), body: body ?? null };
    return new Request(`http://127.0.0.1:3000${fillIn(target, this.#values)}`, init);
  }

  #compare(expected: Expected, response: Response, text: string): void {
    if (expected.status === undefined)
      expect({ status: response.status, text, ok: response.ok }).toMatchObject({ ok: true });
    else expect({ status: response.status, text }).toEqual({ status: expected.status, text });
    for (const [name, value] of Object.entries(expected.headers)) {
      const actual = response.headers.get(name);
      expect({ [name]: actual }).toEqual({ [name]: fillHoles(value, actual, this.#values) });
    }
    if (expected.body === "…") return;
    if (expected.body === undefined) return expect(text).toBe("");
    const body: unknown = JSON.parse(expected.body);
    const actual = shownPart(JSON.parse(text), body, response.status);
    const filled = fillHoles(body, actual, this.#values);
    expect(JSON.stringify(actual, null, 2)).toBe(JSON.stringify(filled, null, 2));
  }

  #rewrite(expected: Expected, response: Response, { text, shown }: { text: string; shown: Block }): void {
    const before = tryParse(expected.body);
    const body =
      text === "" ? "" : writeJson(withHoles(shownPart(JSON.parse(text), before, response.status), before));
    if (shown.info !== "http") {
      const end = shown.start + shown.text.length;
      this.#edits.push({ start: shown.start, end, text: `${body}\n` });
      return;
    }
    const headers = Object.keys(expected.headers).map((name) => {
      const spelt = name.replace(/\b\w/g, (letter) => letter.toUpperCase()).replace("Www", "WWW");
      return `${spelt}: ${response.headers.get(name)}`;
    });
    const answer = [`${response.status} ${STATUS_CODES[response.status]}`, ...headers, body].filter(
      (line) => line !== "",
    );
    const old = [String(expected.status), expected.body].filter((part) => part !== undefined);
    const taken = this.#edits.map(({ start }) => start - shown.start);
    const found = findAnswer(shown.text, old, taken);
    this.#edits.push({
      start: shown.start + found.start,
      end: shown.start + found.end,
      text: answer.join("\n"),
    });
  }
}

function expectedOf({ info, text }: Block): Expected {
  const status = /\d+/.exec(info)?.[0];
  return { status: status === undefined ? undefined : Number(status), headers: {}, body: text };
}

function tryParse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The paragraph of an answer: the first one with its status and body that is not written anew already. */
function findAnswer(
  text: string,
  parts: readonly string[],
  taken: readonly number[],
): { start: number; end: number } {
  for (const { index, 0: paragraph } of text.matchAll(/(?:.+\n?)+/g)) {
    if (taken.includes(index)) continue;
    if (/^\d{3}/.test(paragraph) && parts.every((part) => paragraph.includes(part))) {
      return { start: index, end: index + paragraph.trimEnd().length };
    }
  }
  throw new Error(`There is no such answer: ${parts.join(" ")}`);
}
