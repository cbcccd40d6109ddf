// The conformance suite of reads: every file in conformance/ is a program with rows and requests, and says what
// each answer is and how many statements it costs. All requests go in both ways, within the process and through
// a socket, and every GET once more as HEAD. `UPDATE=1` writes what is found into the files.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Answer,
  abbreviate,
  type Case,
  type CaseFile,
  type Header,
  readCaseFile,
  squeeze,
  withAnswers,
  writeAnswer,
} from "./conformance/notation.js";
import { openSite, type Question, type RawAnswer, type Site } from "./conformance/site.js";

const folder = new URL("conformance/", import.meta.url);

type Send = (question: Question) => Promise<RawAnswer>;

interface Found {
  readonly raw: RawAnswer;
  readonly answer: Answer;
  /** The request, the statements and the log, for whoever has to find out why. */
  readonly story: string;
}

async function ask(site: Site, send: Send, one: Case): Promise<Found> {
  site.statements.length = 0;
  site.logged.length = 0;
  const raw = await send(one);
  const statements = [...site.statements];
  const story = [`${one.method} ${one.target}`, ...statements, ...site.logged].join("\n");
  return { raw, story, answer: answerOf(raw, one.expected.headers, statements.length) };
}

function answerOf(raw: RawAnswer, expected: readonly Header[], statements: number): Answer {
  const headers = expected.map(
    ([name]): Header => [name, raw.headers.get(name.toLowerCase()) ?? "(missing)"],
  );
  const isProblem = raw.headers.get("content-type") === "application/problem+json";
  const body = abbreviate(squeeze(raw.body));
  return { status: raw.status, headers, body: isProblem ? withoutRequestId(body) : body, statements };
}

/** It is another one each time. */
function withoutRequestId(body: string): string {
  return body.replace(/,"requestId":"[\w.-]+"/, "");
}

function expectSound({ raw, story }: Found): void {
  if (raw.body !== "") expect(() => JSON.parse(raw.body), `${story}\n${raw.body}`).not.toThrow();
  expect(raw.headers.get("x-request-id"), story).toBeTruthy();
  if (raw.headers.get("content-type") !== "application/problem+json" || raw.body === "") return;
  expect(JSON.parse(raw.body).requestId, story).toBe(raw.headers.get("x-request-id"));
}

async function check(site: Site, send: Send, one: Case): Promise<void> {
  const found = await ask(site, send, one);
  expect(write(found.answer, one), found.story).toBe(write(one.expected, one));
  expectSound(found);
  if (one.sameAs !== null) await expectSame(send, one, one.sameAs);
}

function write(answer: Answer, { sameAs }: Case): string {
  return writeAnswer(answer, sameAs).join("\n");
}

async function expectSame(send: Send, one: Case, target: string): Promise<void> {
  const headers = named("the-same", one);
  const [left, right] = [await send({ ...one, headers }), await send({ ...one, headers, target })];
  expect(withoutDate(left)).toEqual(withoutDate(right));
}

/** The headers of a case under a request id, so that two answers can be compared byte for byte. */
function named(requestId: string, { headers }: Case): Header[] {
  return [...headers.filter(([name]) => name !== "X-Request-Id"), ["X-Request-Id", requestId]];
}

function withoutDate({ headers, ...rest }: RawAnswer) {
  return { ...rest, headers: [...headers].filter(([name]) => name !== "date") };
}

/** HEAD answers as GET does, without the body. */
async function checkHead(site: Site, one: Case): Promise<void> {
  const headers = named("head", one);
  const get = await ask(site, site.send, { ...one, headers });
  const head = await ask(site, site.send, { ...one, headers, method: "HEAD" });
  expect({ ...withoutDate(head.raw), statements: head.answer.statements }, head.story).toEqual({
    ...withoutDate({ ...get.raw, body: "" }),
    statements: get.answer.statements,
  });
}

async function update(place: URL, file: CaseFile): Promise<CaseFile> {
  const site = await openSite(file);
  const found = new Map<Case, Answer>();
  for (const one of file.cases) found.set(one, (await ask(site, site.send, one)).answer);
  await site.close();
  const text = withAnswers(file, found);
  writeFileSync(place, text);
  return readCaseFile(text);
}

/** Those of writes have a suite of their own, conformance-write.test.ts. */
const names = readdirSync(folder).filter((each) => each.endsWith(".cases") && !each.startsWith("write-"));

for (const name of names) {
  const place = new URL(name, folder);
  const read = readCaseFile(readFileSync(place, "utf8"));
  const file = process.env.UPDATE ? await update(place, read) : read;
  describe(name, () => {
    let site: Site;
    beforeAll(async () => {
      site = await openSite(file);
    });
    afterAll(() => site.close());
    test.each(file.cases)("$title", (one) => check(site, site.send, one));
    // Who asks through a socket has to say so in a header, which is another suite.
    const open = file.cases.filter(({ userId }) => userId === null);
    test.each(open)("$title (socket)", (one) => check(site, site.sendToPort, one));
    const gets = file.cases.filter(({ method }) => method === "GET");
    test.each(gets)("$title (HEAD)", (one) => checkHead(site, one));
  });
}

test("there are no two cases of one name in a file", () => {
  for (const name of names) {
    const { cases } = readCaseFile(readFileSync(new URL(name, folder), "utf8"));
    const titles = cases.map(({ title }) => title);
    expect(new Set(titles).size, name).toBe(titles.length);
  }
});
