// Two definitions → every change of what clients can call and see, each classed compatible or breaking. Endpoints are
// compared as the outline shows them, from which the OpenAPI document and the clients are written too; rules, filters
// and values by what they mean.

import type { Definition } from "@stoa/definition";
import type { Operation } from "../outline/operations.js";
import { type Outline, outline } from "../outline/outline.js";
import { compareAccounts } from "./accounts.js";
import { errorCodeChanged } from "./answer-messages.js";
import { compareAnswers, compareShapes } from "./answers.js";
import { compareBehaviour } from "./behaviour.js";
import type { ApiChange, Finding } from "./change.js";
import { compareCode, type ReadModule } from "./code.js";
import { aliasesOf, type Comparison, placeOf } from "./comparison.js";
import { compareDocuments, compareWords } from "./documents.js";
import * as say from "./endpoint-messages.js";
import { compareInputs } from "./inputs.js";
import { compareLists } from "./lists.js";
import { LongTexts, type View } from "./meaning.js";
import { type OperationPair, pairOperations } from "./pairs.js";
import { Renames } from "./renames.js";
import { compareRoutes } from "./route.js";
import { compareRules } from "./rules.js";

export interface ApiVersion {
  readonly definition: Definition;
  /** For hooks: whether a module has changed. */
  readonly readModule?: ReadModule;
}

export function compareApis(before: ApiVersion, after: ApiVersion): ApiChange[] {
  const context = contextOf(before.definition, after.definition);
  const { pairs, added, removed } = pairOperations(
    context.before.operations,
    context.after.operations,
    context.renames,
  );
  const elsewhere = [
    ...at("auth", null, compareAccounts(before.definition, after.definition, context.renames)),
    ...at("auth", null, compareUsers(context)),
    ...compareErrorCodes(before.definition, after.definition),
    ...compareHooks(context, before.readModule, after.readModule),
  ];
  const changes = [
    ...inOrder(context.after, pairs, added).flatMap((pair) => changesOf(context, pair)),
    ...removed.flatMap((each) => at(placeOf(each), each.id, [say.endpointRemoved(placeOf(each))])),
    ...elsewhere,
  ];
  const words = changes.length > 0 ? [] : compareDocuments(before.definition, after.definition);
  return [...changes, ...at("document", null, words)];
}

interface Context {
  readonly before: Outline;
  readonly after: Outline;
  readonly renames: Renames;
  readonly texts: LongTexts;
}

function contextOf(before: Definition, after: Definition): Context {
  const renames = new Renames(before, after);
  return { before: outline(before), after: outline(after), renames, texts: new LongTexts() };
}

function at(where: string, operation: string | null, findings: readonly Finding[]): ApiChange[] {
  return findings.map((finding) => ({ ...finding, where, operation }));
}

type PairOrNew = OperationPair | { readonly before: null; readonly after: Operation };

/** As the new program has them. */
function inOrder(
  { operations }: Outline,
  pairs: readonly OperationPair[],
  added: readonly Operation[],
): PairOrNew[] {
  return operations.flatMap((operation): PairOrNew[] => {
    const pair = pairs.find(({ after }) => after === operation);
    if (pair) return [pair];
    return added.includes(operation) ? [{ before: null, after: operation }] : [];
  });
}

function changesOf(context: Context, { before, after }: PairOrNew): ApiChange[] {
  const where = placeOf(after);
  if (before === null) return at(where, after.id, [say.endpointAdded()]);
  const comparison = comparisonOf(context, before, after);
  return at(where, after.id, [
    ...compareRoutes(comparison),
    ...compareRules(comparison),
    ...compareInputs(comparison),
    ...compareLists(comparison),
    ...compareAnswers(comparison),
    ...compareBehaviour(comparison),
    ...compareWords(comparison),
  ]);
}

function comparisonOf(context: Context, before: Operation, after: Operation): Comparison {
  return {
    renames: context.renames,
    where: placeOf(after),
    before: {
      ...{ outline: context.before, operation: before },
      view: { ...viewOf(context, "before"), aliases: aliasesOf(before) },
    },
    after: {
      ...{ outline: context.after, operation: after },
      view: { ...viewOf(context, "after"), aliases: aliasesOf(after) },
    },
  };
}

function viewOf({ renames, texts, ...outlines }: Context, side: "before" | "after"): View {
  const { definition } = outlines[side];
  return { definition, renames: side === "after" ? renames : null, aliases: new Map(), texts };
}

/** The record of the user, which login and `me` answer with. */
function compareUsers(context: Context): Finding[] {
  const [old, now] = [context.before.definition.auth, context.after.definition.auth];
  if (!old?.password || !now?.password) return [];
  const shown = {
    renames: context.renames,
    before: { outline: context.before, view: viewOf(context, "before") },
    after: { outline: context.after, view: viewOf(context, "after") },
  };
  return compareShapes(shown, {
    before: context.before.shapes.ofRecord(old.model),
    after: context.after.shapes.ofRecord(now.model),
    name: "user",
    selects: [null, null],
  });
}

function compareErrorCodes(before: Definition, after: Definition): ApiChange[] {
  return after.validators.flatMap(({ name, error }) => {
    const old = before.validators.find((each) => each.name === name);
    if (old === undefined) return [];
    const where = `validator ${name}`;
    if (old.error.code !== error.code)
      return at(where, null, [errorCodeChanged(name, old.error.code, error.code)]);
    return old.error.message === error.message
      ? []
      : at(where, null, [say.described("says it in other words")]);
  });
}

function compareHooks(
  context: Context,
  before: ReadModule = unread,
  after: ReadModule = unread,
): ApiChange[] {
  const findings = compareCode(
    { view: viewOf(context, "before"), readModule: before },
    { view: viewOf(context, "after"), readModule: after },
  );
  return findings.flatMap(({ where, finding }) => at(where, null, [finding]));
}

function unread(): undefined {
  return undefined;
}
