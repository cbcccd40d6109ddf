// What is planned as one statement does the same as what is planned as many: random programs under random rules, each
// asked of two applications over equal rows, one of which puts nothing together. The answers are the same, and so are
// the rows afterwards.

import { compile } from "@stoa/compiler";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ledger, openLedger } from "./conformance/ledger.js";
import { openSite, type RawAnswer, type Site } from "./conformance/site.js";
import { Random } from "./expressions/random.js";
import { MODELS, makeProgram, makeRequest, type Program, type Request, SETUP } from "./planning/programs.js";

const SEED = Number(process.env.SEED ?? 20261115);
const PROGRAMS = Number(process.env.PROGRAMS ?? 80);
const REQUESTS = 8;

interface Stage {
  readonly site: Site;
  readonly ledger: Ledger;
}

const random = new Random(SEED);
const made = Array.from({ length: PROGRAMS }, (_, index) => makeProgram(random, index));
const programs = made.filter(({ source }) => compile([{ name: "p.stoa", text: MODELS + source }]).definition);
const source = MODELS + programs.map((program) => program.source).join("");

let stages: readonly [together: Stage, apart: Stage];

beforeAll(async () => {
  const together = await open({ asksBefore: true, merges: true });
  stages = [together, await open({ asksBefore: false, merges: false })];
});
afterAll(() => Promise.all(stages.map(({ site }) => site.close())));

async function open(planning: { asksBefore: boolean; merges: boolean }): Promise<Stage> {
  const site = await openSite({ source, setup: SETUP }, { planning });
  return { site, ledger: await openLedger(site.database, site.definition, SETUP) };
}

interface Outcome {
  readonly answer: RawAnswer;
  readonly changes: readonly string[];
  readonly statements: readonly string[];
}

async function ask({ site, ledger }: Stage, { method, target, userId, body }: Request): Promise<Outcome> {
  await ledger.reset();
  site.statements.length = 0;
  const headers = [
    ["Content-Type", "application/json"],
    ["X-Request-Id", "same"],
  ] as const;
  const answer = await site.send({ method, target, userId, headers, body });
  return { answer, changes: await ledger.changes(), statements: [...site.statements] };
}

/**
 * Three differences are known. Whoever may not write something hears that, not that the database would not have taken
 * it. What the request names and nothing has is told for all actions at once. And of two constraints that a request
 * violates, the other one may be told: references are looked at when a statement ends.
 */
function isSame({ answer: one }: Outcome, { answer: many }: Outcome): boolean {
  if (isViolation(one) && isViolation(many)) return true;
  const isRefusedEarlier = [401, 403].includes(one.status) && [400, 409].includes(many.status);
  if (isRefusedEarlier) return true;
  if (one.status !== many.status) return false;
  if (one.status !== 400) return one.body === many.body;
  const [all, some] = [one, many].map(({ body }) =>
    JSON.parse(body).errors.map((each: object) => JSON.stringify(each)),
  );
  return some.every((each: string) => all.includes(each));
}

function isViolation({ status, body }: RawAnswer): boolean {
  return status === 409 || (status === 400 && body.includes("names a record that does not exist"));
}

function describeFault(program: Program, request: Request, outcomes: readonly Outcome[]): string {
  const told = outcomes.map(({ answer, changes, statements }) =>
    [`${answer.status} ${answer.body}`, ...changes, ...statements].join("\n  "),
  );
  return [program.source, JSON.stringify(request), ...told].join("\n");
}

test("most programs that are made up are programs", () => {
  expect(programs.length).toBeGreaterThan(PROGRAMS * 0.9);
});

test("one statement and many: the same answers and the same rows", async () => {
  const faults: string[] = [];
  const seen = { requests: 0, written: 0, refused: 0, fewer: 0, lone: 0 };
  for (const program of programs) {
    for (let index = 0; index < REQUESTS; index++) {
      const request = makeRequest(random, program);
      const [one, many] = [await ask(stages[0], request), await ask(stages[1], request)];
      const isFair = isSame(one, many) && JSON.stringify(one.changes) === JSON.stringify(many.changes);
      if (!isFair) faults.push(describeFault(program, request, [one, many]));
      seen.requests++;
      if (one.answer.status < 300) seen.written++;
      if ([401, 403].includes(one.answer.status)) seen.refused++;
      if (one.statements.length < many.statements.length) seen.fewer++;
      if (one.statements.length === 1) seen.lone++;
    }
  }
  expect(faults.slice(0, 3).join("\n\n")).toBe("");
  // The programs would show little if nearly all were refused, or planned alike.
  for (const count of [seen.written, seen.fewer]) expect(count).toBeGreaterThan(seen.requests * 0.2);
  for (const count of [seen.refused, seen.lone]) expect(count).toBeGreaterThan(seen.requests * 0.05);
});
