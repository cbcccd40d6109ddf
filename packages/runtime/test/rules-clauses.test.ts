// Tests that the rules themselves give: for each clause of each rule of the sample programs a request where this clause
// decides and holds, and one where it decides and does not. Users and records are chosen by what the clauses say of them
// in the database; what the server then does is another matter, and must agree.

import { readFileSync } from "node:fs";
import { compile } from "@stoa/compiler";
import { applyPush, type Database, planPush } from "@stoa/database";
import { bundleKey, type Definition, listHooks } from "@stoa/definition";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import {
  type AccessAnswer,
  type AccessQuestion,
  type Application,
  createApplication,
  createHooks,
  createLog,
  explainAccess,
  type Place,
  placesOf,
} from "../src/index.js";
import { type Ledger, openLedger } from "./conformance/ledger.js";
import { fillings } from "./conformance/site.js";
import { SAMPLES, type Sample } from "./rules/samples.js";

interface Stage {
  readonly application: Application;
  readonly definition: Definition;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly close: () => Promise<void>;
}

function compileSample({ name }: Sample): Definition {
  const text = readFileSync(new URL(`../../compiler/test/samples/${name}.stoa`, import.meta.url), "utf8");
  const { definition } = compile([{ name: `${name}.stoa`, text }]);
  if (definition === undefined) throw new Error(`The sample ${name} does not compile.`);
  return definition;
}

async function openStage({ setup }: Sample, definition: Definition): Promise<Stage> {
  const { database, drop } = await testDatabase();
  await applyPush(database, await planPush(database, definition), {});
  await database.execute(fillings(setup).join(";\n"));
  const log = createLog({ level: "silent", destination: { write: () => true } });
  const application = createApplication({ definition, database, log, hooks: emptyHooks(definition) });
  return {
    application,
    definition,
    database,
    ledger: await openLedger(database, definition, setup),
    close: drop,
  };
}

/** Code that gives nothing: what it would do comes after the rules. */
function emptyHooks(definition: Definition) {
  const keys = listHooks(definition).flatMap(({ hook }) =>
    hook.code.kind === "source" ? [bundleKey(definition, hook.code)] : [],
  );
  return createHooks(definition, { hooks: Object.fromEntries(keys.map((key) => [key, () => null])) });
}

/** A clause, or one alternative of it. */
interface Target {
  readonly place: Place;
  readonly clause: number;
  readonly part: number | null;
  readonly text: string;
}

interface Tried {
  readonly question: AccessQuestion;
  readonly answer: AccessAnswer;
}

/** Everybody, and every combination of records. */
function questionsOf({ users, identifiers }: Sample, { entrypoints, endpoint }: Place): AccessQuestion[] {
  const paths = entrypoints.flatMap(({ identify, model }) =>
    identify === null ? [] : [`${model}.${identify.path.join(".")}`],
  );
  let records: string[][] = [[]];
  for (const path of paths.slice(0, endpoint.parameters.length)) {
    records = records.flatMap((before) => (identifiers[path] ?? []).map((each) => [...before, each]));
  }
  return records.flatMap((each) => [null, ...users].map((userId) => ({ userId, records: each })));
}

const DECIDING = new Set(["user", "reach", "endpoint"]);

/** Literals decide nothing. */
function targetsOf(place: Place, answer: AccessAnswer): Target[] {
  return answer.clauses.flatMap(({ clause: text, role, parts }, clause): Target[] => {
    if (!DECIDING.has(role) || text === "true") return [];
    if (parts.length === 0) return [{ place, clause, part: null, text }];
    return parts.map((each, part) => ({ place, clause, part, text: `${each.clause}, of ${text}` }));
  });
}

/** All is well, and of the alternatives of the clause this one alone holds. */
function decidesYes({ answer }: Tried, { clause, part }: Target): boolean {
  const parts = answer.clauses[clause]?.parts ?? [];
  return answer.status < 400 && parts.every(({ holds }, index) => (holds === "yes") === (index === part));
}

async function send({ application }: Stage, { bodies }: Sample, place: Place, question: AccessQuestion) {
  const { method, path, name, request } = place.endpoint;
  const left = [...question.records];
  const target = path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(left.shift() ?? ""));
  const body = request?.in === "body" ? JSON.stringify(bodies[name] ?? {}) : null;
  const headers = body === null ? [] : [["Content-Type", "application/json"] as [string, string]];
  const asked = new Request(`http://stoa.test${target}`, { method, headers, body });
  const answer = await application.fetch(asked, { userId: question.userId });
  await answer.arrayBuffer();
  return answer.status;
}

const REFUSED = [401, 403, 404];

describe.each(SAMPLES)("$name", (sample) => {
  const definition = compileSample(sample);
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(sample, definition);
  });
  afterAll(() => stage.close());

  const guarded = placesOf(definition).filter(({ entrypoints, endpoint }) =>
    [...entrypoints, endpoint].some(({ authorize }) => authorize.length > 0),
  );

  test.each(guarded.map((place) => [place.endpoint.name, place] as const))("%s", async (_, place) => {
    await stage.ledger.reset();
    const { database } = stage;
    const tried: Tried[] = [];
    for (const question of questionsOf(sample, place)) {
      tried.push({ question, answer: await explainAccess(definition, place, { database, question }) });
    }
    const [first] = tried;
    if (first === undefined) throw new Error("There is nothing to ask.");
    const lacks: string[] = [];
    for (const target of targetsOf(place, first.answer)) lacks.push(...(await checkTarget(target, tried)));
    expect(lacks).toEqual([]);
  });

  /** What is wrong, or cannot be tried with these rows. */
  async function checkTarget(target: Target, tried: readonly Tried[]): Promise<string[]> {
    const yes = tried.find((each) => decidesYes(each, target));
    const no = tried.find(({ answer }) => answer.decides === target.clause);
    return [
      ...(yes === undefined
        ? [`${target.text}: never decides that it may be done`]
        : await checkYes(target, yes)),
      ...(no === undefined
        ? [`${target.text}: never decides that it may not be`]
        : await checkNo(target, no)),
    ];
  }

  /** The body may be wrong, or the record be needed: that is said to those alone who may. */
  async function checkYes({ place, text }: Target, { question }: Tried): Promise<string[]> {
    const status = await send(stage, sample, place, question);
    await stage.ledger.reset();
    return REFUSED.includes(status) || status >= 500
      ? [`${text} holds: ${status} ${JSON.stringify(question)}`]
      : [];
  }

  async function checkNo({ place, text }: Target, { question, answer }: Tried): Promise<string[]> {
    const status = await send(stage, sample, place, question);
    const changes = await stage.ledger.changes();
    if (changes.length > 0) await stage.ledger.reset();
    return status === answer.status && REFUSED.includes(status) && changes.length === 0
      ? []
      : [`${text} does not hold: ${status}, not ${answer.status} ${JSON.stringify(question)}`, ...changes];
  }
});
