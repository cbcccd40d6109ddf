// The conformance suite of writes: every file conformance/write-*.cases is a program with rows and requests, and says
// what each answer is, what it costs, and all that is different in the database afterwards. Every case goes in both
// ways, within the process and through a socket. `UPDATE=1` writes what is found into the files.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Names } from "./conformance/constant.js";
import { type Ledger, openLedger } from "./conformance/ledger.js";
import { layOut, squeeze } from "./conformance/notation.js";
import { openSite, type Question, type RawAnswer, type Site } from "./conformance/site.js";
import {
  type Expectation,
  readWriteFile,
  type Step,
  type WriteCase,
  type WriteFile,
  withFound,
} from "./conformance/write-notation.js";

const folder = new URL("conformance/", import.meta.url);
const names = readdirSync(folder).filter((each) => /^write-.*\.cases$/.test(each));

interface Stage {
  readonly site: Site;
  readonly ledger: Ledger;
}

type Send = (question: Question) => Promise<RawAnswer>;

/** One time through a case: what is found in place of each expectation, and the story for whoever has to find out. */
interface Found {
  readonly lines: Map<Expectation, readonly string[]>;
  readonly story: string[];
}

async function open(file: WriteFile): Promise<Stage> {
  const site = await openSite(file);
  return { site, ledger: await openLedger(site.database, site.definition, file.setup) };
}

async function play({ site, ledger }: Stage, send: Send, file: WriteFile, one: WriteCase): Promise<Found> {
  await ledger.reset();
  const hidden = new Names(file.text);
  const found: Found = { lines: new Map(), story: [] };
  for (const step of one.steps) {
    site.statements.length = 0;
    site.logged.length = 0;
    const tripsBefore = site.roundTrips();
    const lines = await ask(send, step, hidden);
    const costs = `statements ${site.statements.length}, round trips ${site.roundTrips() - tripsBefore}`;
    found.lines.set(step.expected, step.times === 1 ? [...lines, costs] : lines);
    found.story.push(`${step.method} ${step.target}`, ...site.statements, ...site.logged);
  }
  const isRace = one.steps.some(({ times }) => times > 1);
  const changes = (await ledger.changes()).map((line) => (isRace ? hidden.hideIds(line) : hidden.hide(line)));
  // By their new names: which of two new uuids is the greater is chance.
  changes.sort((left, right) => (left.slice(2) < right.slice(2) ? -1 : 1));
  found.lines.set(one.changes, changes);
  return found;
}

async function ask(send: Send, step: Step, hidden: Names): Promise<string[]> {
  const { method, headers, userId, body, times } = step;
  const question: Question = {
    ...{ method, userId },
    target: hidden.reveal(step.target),
    headers: headers.map(([name, value]) => [name, hidden.reveal(value)]),
    ...(body === null ? {} : { body: hidden.reveal(body) }),
  };
  const answers = await Promise.all(Array.from({ length: times }, () => send(question)));
  for (const answer of answers) expectSound(answer);
  const [answer] = answers;
  return answer !== undefined && times === 1 ? writeRaw(answer, hidden) : [countStatuses(answers)];
}

function countStatuses(answers: readonly RawAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const sorted = [...counts].sort(([left], [right]) => left - right);
  return `< ${sorted.map(([status, count]) => `${status} ${count} times`).join(", ")}`;
}

function expectSound({ headers, body, status }: RawAnswer): void {
  expect(headers.get("x-request-id")).toBeTruthy();
  if (body !== "" && headers.get("content-type")?.includes("json"))
    expect(() => JSON.parse(body), body).not.toThrow();
  if (status >= 400)
    expect(body).not.toMatch(/select |insert |update |__(?:key|fkey|pkey|check)|constraint|\.ts\b/);
}

/** On every answer, or told in another way. */
const USUAL =
  /^(?:date|connection|keep-alive|content-length|content-type|cache-control|x-request-id|x-content-type-options)$/;
const JSON_TYPE = "application/json; charset=utf-8";
const PROBLEM_TYPE = "application/problem+json";

function writeRaw({ status, headers, body }: RawAnswer, hidden: Names): string[] {
  const type = headers.get("content-type");
  const shown = [...headers].filter(
    ([name, value]) => !USUAL.test(name) || (name === "cache-control" && value !== "private, no-cache"),
  );
  if (type !== undefined && type !== JSON_TYPE && type !== PROBLEM_TYPE) shown.push(["content-type", type]);
  const heads = shown.map(([name, value]) => `< ${titleCase(name)}: ${hidden.hide(value)}`).sort();
  const isJson = type === JSON_TYPE;
  const lines =
    type === PROBLEM_TYPE
      ? writeProblem(status, body)
      : layOut(isJson ? squeeze(body) : body).map((line) => `| ${line}`);
  return [`< ${status}`, ...heads, ...lines.map((line) => hidden.hide(line))];
}

function titleCase(name: string): string {
  if (name === "etag") return "ETag";
  return name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()).replace("Www-", "WWW-");
}

interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly { path: string; code: string; message: string; params?: object }[];
}

function writeProblem(status: number, body: string): string[] {
  const {
    type,
    title,
    status: said,
    code,
    detail,
    requestId: _,
    errors = [],
    ...rest
  }: Problem = JSON.parse(body);
  expect([title !== "", said, Object.keys(rest)]).toEqual([true, status, []]);
  const own = type === `https://stoa.dev/errors/${code}` ? "" : ` (${type}, ${title})`;
  const lines = errors.map(
    ({ path, code: what, message, params }) =>
      `! ${path === "" ? "(all)" : path} ${what}: ${message}${params === undefined ? "" : ` ${JSON.stringify(params)}`}`,
  );
  return [`! ${code}: ${detail}${own}`, ...lines];
}

/** Lines of JSON may be broken wherever JSON may. */
function joined(lines: readonly string[]): string {
  const body = lines.filter((line) => line.startsWith("| ")).map((line) => line.slice(2));
  const others = lines.filter((line) => !line.startsWith("| "));
  const texts = others.map((line) => (/^[+~-] /.test(line) ? squeeze(line) : line));
  return [...texts, squeeze(body.join("\n"))].join("\n");
}

async function check(stage: Stage, send: Send, file: WriteFile, one: WriteCase): Promise<void> {
  const { lines, story } = await play(stage, send, file, one);
  const found = [...lines.values()].map(joined).join("\n");
  const expected = [...lines.keys()].map((each) => joined(each.lines)).join("\n");
  expect(found, story.join("\n")).toBe(expected);
}

async function update(place: URL, file: WriteFile): Promise<WriteFile> {
  const stage = await open(file);
  const found = new Map<Expectation, readonly string[]>();
  for (const one of file.cases) {
    const { lines } = await play(stage, stage.site.send, file, one);
    for (const [expectation, now] of lines) found.set(expectation, now);
  }
  await stage.site.close();
  const text = withFound(file, found);
  writeFileSync(place, text);
  return readWriteFile(text);
}

for (const name of names) {
  const place = new URL(name, folder);
  const read = readWriteFile(readFileSync(place, "utf8"));
  const file = process.env.UPDATE ? await update(place, read) : read;
  describe(name, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await open(file);
    });
    afterAll(() => stage.site.close());
    test.each(file.cases)("$title", (one) => check(stage, stage.site.send, file, one));
    // Who asks through a socket has to say so in a header, which is another suite.
    const anonymous = file.cases.filter(({ steps }) => steps.every(({ userId }) => userId === null));
    test.each(anonymous)("$title (socket)", (one) => check(stage, stage.site.sendToPort, file, one));
  });
}

test("there are no two cases of one name in a file", () => {
  for (const name of names) {
    const titles = readWriteFile(readFileSync(new URL(name, folder), "utf8")).cases.map(({ title }) => title);
    expect(new Set(titles).size, name).toBe(titles.length);
  }
});
