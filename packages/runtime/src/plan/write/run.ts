// A run of a program as one statement: each of its parts is a query in WITH, and later ones read what earlier ones
// give back. What refuses one of them refuses all, so that there is never something to undo.

import { quoteName } from "@stoa/database";
import type { Entrypoint } from "@stoa/definition";
import { From, LoneRecord, rowRecord, TableRecord } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { addChain, addClauses } from "../chain.js";
import { conditionsOf, refusal, unionOf, userBranch } from "../refusal.js";
import { clausesOfPath } from "../rules.js";
import { type Draft, draftStatement } from "../statement.js";
import { addPrecondition, changedBranch } from "../tag.js";
import { boundEntrypoints, forbiddenBranch, overtakenBranch } from "./allowed.js";
import { primaryOf, respondOf, saidBranches, shownBranches } from "./answer.js";
import type { Program } from "./builder.js";
import { type LockedRow, writeDelete, writeUpdate } from "./change.js";
import { addLookups, rowsName, type Write, writeCreate } from "./create.js";
import { judgementOf } from "./foreseen.js";
import type { Known } from "./known.js";
import { lockedOfPath, lockFor } from "./locks.js";
import { optionalFields } from "./optional.js";
import type { Lookup, Refusal } from "./program.js";
import type { Run, SimpleAction } from "./runs.js";
import { GO_ON, GOES_ON, keep } from "./settings.js";

const PATH = quoteName("$path");

/** `isLast`: no statement comes after it that could want to know what it has found. */
export function addRun(program: Program, run: Run, isLast: boolean): void {
  program.actions = run.actions;
  new RunStatement(program, run).finish(isLast);
}

/** A record that a query of the statement gives. */
interface Given {
  readonly alias: string;
  readonly known: Extract<Known, { kind: "record" }>;
  /** A query for its columns. */
  readonly source: string;
}

class RunStatement {
  readonly #program: Program;
  readonly #run: Run;
  readonly #draft: Draft;
  readonly #heads: string[] = [];
  readonly #branches: string[] = [];
  readonly #lookups: Lookup[] = [];
  /** What refuses the run; none of its writes is done then. */
  readonly #refusals: Refusal[] = [];
  readonly #given: Given[] = [];
  /** The records of the path that are locked, and how their rows are found. */
  readonly #locked = new Map<string, LockedRow>();
  #scope: Scope;
  /** Holds where there is something to write on. */
  readonly #gate: string;

  constructor(program: Program, run: Run) {
    this.#program = program;
    this.#run = run;
    this.#draft = draftStatement(program.definition);
    this.#scope = program.scopeOf(this.#draft);
    this.#gate = run.loads ? `exists (select 1 from ${PATH})` : GOES_ON;
    if (run.loads) this.#load();
    this.#collectLookups();
    for (const index of run.actions) this.#write(index);
  }

  finish(isLast: boolean): void {
    const { loads, answers } = this.#run;
    const program = this.#program;
    for (const { mark, condition } of this.#refusals) {
      const isRefused = `${this.#gate} and (${condition})`;
      this.#branches.push(loads ? `select ${mark} where ${isRefused}` : program.stopWith(mark, condition));
    }
    this.#branches.push(this.#done(isLast));
    if (answers) this.#branches.push(...this.#answer());
    program.add(this.#draft.finish(unionOf(this.#branches), this.#heads), this.#lookups);
    if (this.#run.actions.length > 0) program.hasWritten = true;
  }

  /** The records of the path, if the rules allow it; the last is locked where the path names it to change it. */
  #load(): void {
    const { place } = this.#program;
    const { scope } = this.#draft;
    const { endpoint } = place;
    const from = new From(scope.context);
    const bound = boundEntrypoints(place);
    const rules = conditionsOf(place, scope);
    const isOne = endpoint.cardinality === "one";
    const chain = addChain(bound, scope, from);
    for (const rule of rules) from.where(rule);
    addClauses(clausesOfPath(place), chain.scope, from);
    if (isOne && chain.last !== null) addPrecondition(place, chain.last, chain.scope, from);
    const rows = bound.map((entrypoint, index) => {
      const record = chain.scope.aliases.get(entrypoint.alias);
      if (!(record instanceof TableRecord)) throw new Error("A record of the path is no row.");
      this.#give(givenByPath(entrypoint, index));
      return `${record.tableName()} as ${quoteName(`r${index}`)}`;
    });
    const columns = rows.length === 0 ? "1 as one" : rows.join(", ");
    const locks = this.#lockPath(bound, chain.scope);
    this.#heads.push(`${PATH} as materialized (select ${columns}${from.render()}${locks})`);
    const refused = refusal(rules, scope);
    this.#branches.push(
      ...refused,
      ...(refused.length === 0 ? [] : userBranch(scope)),
      ...forbiddenBranch(place, scope),
      ...changedBranch(place, scope),
      ...overtakenBranch(place, scope, PATH),
    );
  }

  /** The outermost first, as everywhere. */
  #lockPath(bound: readonly Entrypoint[], { aliases, context }: Scope): string {
    const { place } = this.#program;
    const locked = lockedOfPath(place);
    const clauses = bound.flatMap(({ alias, model: name }, index) => {
      const record = aliases.get(alias);
      const given = this.#given[index];
      if (!locked.includes(alias) || !(record instanceof TableRecord) || given === undefined) return [];
      const model = context.model(name);
      this.#locked.set(alias, (from) => rowRecord(from, model, from.add(`(${given.source})`)));
      return [` ${lockFor(place.endpoint.actions, name)} of ${record.tableName()}`];
    });
    return clauses.join("");
  }

  /** From now on the alias is known in this statement. */
  #give(given: Given): void {
    const { alias, known, source } = given;
    const { context } = this.#scope;
    const model = context.model(known.model);
    const record = new LoneRecord(context, { model, isNullable: known.isNullable }, (from) =>
      rowRecord(from, model, from.add(`(${source})`)),
    );
    this.#scope = { ...this.#scope, aliases: new Map(this.#scope.aliases).set(alias, record) };
    this.#given.push(given);
  }

  /** What the request names and nothing has is told for all actions at once. */
  #collectLookups(): void {
    for (const action of this.#run.actions.map((index) => this.#action(index))) {
      if (action.kind === "delete") continue;
      const model = this.#scope.context.model(action.model);
      const ground = { scope: this.#scope, from: new From(this.#scope.context) };
      const { refusals } = addLookups(action.assignments, model, ground, this.#refusals.length);
      this.#refusals.push(...refusals);
    }
  }

  #write(index: number): void {
    const action = this.#action(index);
    const from = this.#begin();
    const write = this.#writeOf(action, index, { scope: this.#scope, from });
    this.#heads.push(...write.heads);
    this.#lookups.push(...write.lookups);
    this.#refusals.push(...write.refusals.filter(({ isOfGround }) => isOfGround));
    if (action.kind === "delete") return;
    const isNullable = action.kind === "update" && action.target.type.nullable;
    this.#give({
      alias: action.alias,
      known: { kind: "record", model: action.model, isNullable },
      source: `select * from ${write.rows}`,
    });
  }

  /** A query that finds nothing if anything refuses the run. */
  #begin(): From {
    const from = new From(this.#scope.context);
    from.where(this.#gate);
    for (const { condition } of this.#refusals) from.where(`not (${condition})`);
    return from;
  }

  #writeOf(action: SimpleAction, index: number, ground: { scope: Scope; from: From }): Write {
    const { definition, place, planning } = this.#program;
    const suffix = String(index);
    const call = () => {
      throw new Error("Code cannot run within a statement.");
    };
    const locked = this.#lockedTarget(action);
    if (action.kind === "delete") return writeDelete(action, ground, { clears: null, suffix, locked });
    const before = place.endpoint.actions.slice(0, index);
    const judgement = judgementOf(definition, place, action, before);
    const image = judgement.kind === "image" && planning.asksBefore ? judgement.rules : null;
    const options = { call, suffix, image };
    if (action.kind === "create") return writeCreate(action, ground, { ...options, index });
    const isOptional = optionalFields(place.endpoint.request);
    return writeUpdate(action, ground, { ...options, isOptional, locked });
  }

  #lockedTarget(action: SimpleAction): LockedRow | null {
    if (action.kind === "create" || action.target.kind !== "variable") return null;
    const { variable, name } = action.target;
    return variable === "alias" ? (this.#locked.get(name) ?? null) : null;
  }

  #action(index: number): SimpleAction {
    const action = this.#program.place.endpoint.actions[index];
    if (action?.kind === "create" || action?.kind === "update" || action?.kind === "delete") return action;
    throw new Error(`The action ${index} is no part of a run.`);
  }

  /** Says that it was done, and keeps what later statements want to know. */
  #done(isLast: boolean): string {
    const from = this.#begin();
    if (isLast) return `select 'k'${from.render()}`;
    const kept = this.#given.map(({ alias, known, source }) => {
      const setting = this.#program.aliases.add(alias, known);
      return keep(setting, `(select row_to_json(g)::text from (${source}) g)`);
    });
    const settings = [...(this.#run.loads ? [GO_ON] : []), ...kept];
    const noted = settings.length === 0 ? "''" : `left(concat(${settings.join(", ")}), 0)`;
    return `select 'k' || ${noted}${from.render()}`;
  }

  #answer(): string[] {
    const { place } = this.#program;
    const scope = this.#scope;
    const respond = respondOf(place.endpoint);
    if (respond !== undefined) return saidBranches(respond, { scope, from: this.#begin() });
    const primary = primaryOf(place.endpoint);
    const rows = rowsName(String(place.endpoint.actions.indexOf(primary)));
    return shownBranches(place, scope, () => {
      const from = new From(scope.context);
      return { record: rowRecord(from, scope.context.model(primary.model), from.add(rows)), from };
    });
  }
}

function givenByPath({ alias, model }: Entrypoint, index: number): Given {
  const source = `select (${quoteName(`r${index}`)}).* from ${PATH}`;
  return { alias, known: { kind: "record", model, isNullable: false }, source };
}
