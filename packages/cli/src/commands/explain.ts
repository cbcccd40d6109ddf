// `stoa explain`: what an endpoint is and does, down to the plan of its statement.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Definition } from "@stoa/definition";
import {
  type ExplainWarning,
  type Explanation,
  explainEndpoint,
  findPlace,
  type Place,
  placesOf,
  type SourcePlace,
} from "@stoa/runtime";
import { type Configuration, readConfiguration } from "../config/configuration.js";
import { openDatabase, withDatabase } from "../database.js";
import { EXIT, Failure } from "../failure.js";
import { compileProject } from "../project.js";
import { paletteFor, plural, print, printError } from "../terminal.js";
import { type AccessFlags, asksDecision, printAccess, printDecision } from "./explain-access.js";

export interface ExplainFlags extends AccessFlags {
  readonly json?: boolean;
  /** False with --no-plan. */
  readonly plan?: boolean;
}

/** The words are a folder, if the first is one, and an endpoint; each may be left out. */
export async function explain(words: readonly string[], flags: ExplainFlags): Promise<number> {
  const [first = "", ...rest] = words;
  const isFolder = first.endsWith(".stoa") || isDirectory(first);
  const wanted = (isFolder ? rest : words).join(" ");
  const { root, definition } = await compileProject(isFolder ? first : ".", flags);
  if (!definition) return EXIT.user;
  const places = placesOf(definition);
  const configuration = await readConfiguration(root, { command: "explain", flags });
  if (flags.access || asksDecision(flags))
    return explainAccess({ configuration, definition, wanted }, places, flags);
  if (wanted === "") return listEndpoints(places, flags);
  const explanation = await explainWithDatabase(
    { configuration, definition, place: choose(places, wanted) },
    flags,
  );
  if (flags.json) print(JSON.stringify(explanation, null, 2));
  else printExplanation(explanation);
  return EXIT.ok;
}

interface Asked {
  readonly configuration: Configuration;
  readonly definition: Definition;
  readonly wanted: string;
}

/** All endpoints or one, and what decides if somebody or something is named. */
async function explainAccess(
  { configuration, definition, wanted }: Asked,
  places: readonly Place[],
  flags: ExplainFlags,
): Promise<number> {
  const asks = asksDecision(flags);
  if (asks && wanted === "")
    throw new Failure("Which endpoint?", {
      hint: "name one: `stoa explain post.update --access --user 7 --record my-post`",
    });
  if (!asks) {
    printAccess(definition, wanted === "" ? places : [choose(places, wanted)], flags);
    return EXIT.ok;
  }
  const place = choose(places, wanted);
  await withDatabase(configuration, (database) => printDecision(definition, place, { database, flags }));
  return EXIT.ok;
}

function isDirectory(path: string): boolean {
  if (path === "") return false;
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function choose(places: readonly Place[], wanted: string): Place {
  const found = findPlace(places, wanted);
  switch (found.kind) {
    case "found":
      return found.place;
    case "several": {
      const routes = found.places.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
      throw new Failure(`Several endpoints have the path ${wanted}.`, {
        hint: `say which: ${routes.join(", ")}`,
      });
    }
    case "unknown":
      throw new Failure(`There is no endpoint ${wanted}.`, {
        hint: found.nearest
          ? `did you mean ${found.nearest}?`
          : "run `stoa explain` to see all of them, or name the project's folder first",
      });
  }
}

interface Chosen {
  readonly configuration: Configuration;
  readonly definition: Definition;
  readonly place: Place;
}

/** A database that cannot be had is no reason to keep the rest back. */
async function explainWithDatabase(
  { configuration, definition, place }: Chosen,
  flags: ExplainFlags,
): Promise<Explanation> {
  if (flags.plan === false) return explainEndpoint(definition, place, null);
  const opened = await openDatabase(configuration).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.exitCode !== EXIT.environment) throw error;
    printError(`${paletteFor(process.stderr).note("note")}: ${error.message}`);
    return undefined;
  });
  try {
    return await explainEndpoint(definition, place, opened?.database ?? null);
  } finally {
    await opened?.close();
  }
}

function listEndpoints(places: readonly Place[], { json }: ExplainFlags): number {
  const endpoints = places.map(({ endpoint: { name, kind, method, path } }) => ({
    ...{ name, kind, method, path },
  }));
  if (json) {
    print(JSON.stringify({ endpoints }));
    return EXIT.ok;
  }
  const palette = paletteFor(process.stdout);
  const width = Math.max(0, ...endpoints.map(({ path }) => path.length));
  for (const { name, method, path } of endpoints) {
    print(`${palette.note(method.padEnd(6))} ${path.padEnd(width)}  ${palette.strong(name)}`);
  }
  print(`${plural(endpoints.length, "endpoint")}: \`stoa explain <name>\` shows one`);
  return EXIT.ok;
}

function printExplanation(explanation: Explanation): void {
  const palette = paletteFor(process.stdout);
  const { method, path, name, at, doc, plan, warnings } = explanation;
  print(`${palette.note(method)} ${palette.strong(path)}  ${name}  ${palette.faint(showPlace(at))}`);
  if (doc) print(doc);
  section("Parameters", parameterLines(explanation));
  section("Rules", ruleLines(explanation));
  section("Filter", explanation.filter === null ? [] : [explanation.filter]);
  section("Order", explanation.order === null ? [] : [`${explanation.order}, then the id`]);
  section("SQL", statementLines(explanation));
  section("Plan", plan.kind === "plan" ? plan.lines : [palette.faint(`none: ${plan.reason}`)]);
  if (warnings.length > 0) print("");
  for (const warning of warnings) printWarning(warning);
}

function section(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  print(`\n${paletteFor(process.stdout).strong(title)}`);
  for (const line of lines) print(line === "" ? "" : `  ${line}`);
}

function showPlace({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

function parameterLines({ parameters }: Explanation): string[] {
  const palette = paletteFor(process.stdout);
  const nameWidth = Math.max(0, ...parameters.map(({ name }) => name.length));
  const typeWidth = Math.max(0, ...parameters.map(({ type }) => type.length));
  return parameters.map(({ name, in: where, type, about }) => {
    const start = `${name.padEnd(nameWidth)}  ${where.padEnd(5)}  ${type.padEnd(typeWidth)}`;
    return about === null ? start.trimEnd() : `${start}  ${palette.faint(about)}`;
  });
}

function ruleLines({ rules }: Explanation): string[] {
  const palette = paletteFor(process.stdout);
  if (rules.length === 0) return [palette.faint("none: everyone may call it")];
  const width = Math.max(...rules.map(({ of }) => of.length));
  return rules.map(
    ({ of, condition, at }) => `${of.padEnd(width)}  ${condition}  ${palette.faint(showPlace(at))}`,
  );
}

function statementLines({ statement }: Explanation): string[] {
  if (statement === null) return [];
  const palette = paletteFor(process.stdout);
  const parameters = statement.parameters.map((about, index) => palette.faint(`$${index + 1}  ${about}`));
  return [...statement.formatted.split("\n"), ...(parameters.length > 0 ? ["", ...parameters] : [])];
}

function printWarning({ code, message, hint, at, certainty }: ExplainWarning): void {
  const palette = paletteFor(process.stdout);
  const doubt =
    certainty === "sure" ? "" : " Whether it matters cannot be known yet: it does from about 1,000 rows on.";
  print(`${palette.warning(`warning[${code}]`)}: ${message}${doubt}`);
  print(`  ${palette.faint(showPlace(at))}`);
  print(`  ${palette.note("= hint:")} ${hint}`);
}
