// Development, turn by turn. A turn builds the sources, makes the database match, and lets the new application take
// over; where that cannot be, it says why, and the last good version stays. It never fails: whatever goes wrong is
// its result.

import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { canonicalCatalog, type Database, desiredCatalog, placementOf, type Step } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Application, Log } from "@stoa/runtime";
import { writeBuilt } from "../built.js";
import { writeFiles } from "../generated.js";
import { BUNDLE_FILE, loadHookBundle } from "../hook-bundle.js";
import { applicationOf } from "../serving.js";
import { type Build, buildProject } from "./build.js";
import type { Reason, Wish } from "./cycle.js";
import type { Front } from "./front.js";
import { untilWritten } from "./half-written.js";
import { LiveDatabase } from "./live-database.js";
import { choosePopulator, populateAnew, populateIfEmpty } from "./populate.js";
import type { Reporter } from "./reporter.js";
import { type Answer, canPush, pushSchema } from "./schema.js";
import { describeChange, summaryText } from "./screen.js";
import type { DevSettings } from "./settings.js";
import { type Trouble, waitingForAnswer, workFailed } from "./trouble.js";

export interface DevelopmentOptions {
  /** The project's folder or its one file, as the command was given it. */
  readonly path: string;
  readonly root: string;
  readonly settings: DevSettings;
  readonly acceptDataLoss: boolean;
  readonly front: Front;
  readonly reporter: Reporter;
  /** Absent where nobody can answer. */
  readonly ask: ((signal: AbortSignal) => Promise<Answer>) | undefined;
  /** The settings anew; what the port depends on is seen to there. */
  readonly readSettings: () => Promise<DevSettings>;
  /** Files elsewhere that the program is made of. */
  readonly onInputs: (paths: readonly string[]) => void;
  readonly wish: (reason: Reason) => void;
}

const SETTINGS_FILE = /^(stoa\.config\.[cm]?[jt]s|stoa\.config\.json|\.env(\..*)?)$/;
/** How often it is asked whether the database is there, or ready for what it was not ready for. */
const LOOK_MS = 1000;

export class Development {
  readonly #options: DevelopmentOptions;
  #settings: DevSettings;
  #database: LiveDatabase;
  #live: { readonly application: Application; readonly build: Build } | undefined;
  /** Whether it was made for other settings or another database. */
  #isOutdated = false;
  /** What kept the newest sources from being live, if something has. */
  #trouble: Trouble | null = null;
  #isAway = false;
  /** They have changed and cannot be used; they are read again until they can. */
  #areSettingsBroken = false;
  /** Whether an empty database was, or must not be, populated. */
  #isPopulated = false;
  #data = "";
  /** The schema that the database is known to have. */
  #pushed = "";
  /** What waits for the database to become ready. */
  #held: Build | undefined;
  #outputs: ReadonlySet<string> = new Set();
  #looking: NodeJS.Timeout | undefined;
  #turns = 0;
  /** How long somebody took to answer, in this turn. */
  #waitedMs = 0;

  constructor(options: DevelopmentOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#database = new LiveDatabase(options.settings);
  }

  /** For the start screen. */
  get state() {
    const { routes = [] } = this.#live?.application ?? {};
    const { name, isBorrowed } = this.#database;
    return { routes, database: name, isBorrowed, data: this.#data, isLive: this.#trouble === null };
  }

  get #buildFolder(): string {
    return this.#settings.configuration.settings.buildFolder;
  }

  /** The populator that would run; undefined if there is none. */
  get populator(): string | undefined {
    const definition = this.#live?.build.definition;
    try {
      return definition && choosePopulator(definition, this.#settings.populator);
    } catch {
      return undefined;
    }
  }

  /** Whether we have written this file ourselves. */
  isOutput(path: string): boolean {
    return this.#outputs.has(path);
  }

  async turn(wish: Wish, signal: AbortSignal): Promise<void> {
    clearTimeout(this.#looking);
    this.#turns++;
    try {
      await this.#takeTurn(wish, signal);
    } catch (error) {
      this.#halt(workFailed(error), wish);
    }
    this.#lookLater();
  }

  async #takeTurn(wish: Wish, signal: AbortSignal): Promise<void> {
    await untilWritten(wish.files);
    const isSettled = await this.#refreshSettings(wish);
    if (wish.reasons.has("restart")) await rm(join(this.#buildFolder, BUNDLE_FILE), { force: true });
    const [result, database] = await Promise.all([this.#build(), this.#database.ensure()]);
    const wasAway = this.#isAway;
    this.#isAway = database.kind === "away";
    const isSame = database.kind === "same" && !wasAway;
    if (isSettled || !isSame || wish.reasons.has("restart")) this.#forgetDatabase();
    if (result.kind === "broken") return this.#halt(result.trouble, wish);
    if (database.kind === "away") return this.#halt(database.trouble, wish);
    const { build } = result;
    if (this.#isOutdated || build.fingerprint !== this.#live?.build.fingerprint) {
      await this.#goLive({ build, database: database.database, wish, signal });
    } else if (this.#trouble !== null) this.#mend(wish);
    if (wish.reasons.has("populate")) await this.#populateAnew(build, database.database);
  }

  /** It may be another one, or have been changed by others; what was made for it has to be made anew. */
  #forgetDatabase(): void {
    this.#isOutdated = true;
    this.#isPopulated = false;
    this.#pushed = "";
  }

  async #build() {
    try {
      return await buildProject(this.#options.path, this.#buildFolder);
    } catch (error) {
      return { kind: "broken", trouble: workFailed(error) } as const;
    }
  }

  /** True if something depends on the settings and has to be made anew. */
  async #refreshSettings({ reasons, files }: Wish): Promise<boolean> {
    const { inputs } = this.#settings.configuration;
    const isOne = (path: string): boolean => SETTINGS_FILE.test(basename(path)) || inputs.includes(path);
    const isWanted = this.#areSettingsBroken || reasons.has("restart") || [...files].some(isOne);
    if (!isWanted) return false;
    this.#areSettingsBroken = true;
    this.#settings = await this.#options.readSettings();
    this.#areSettingsBroken = false;
    if (this.#database.isOther(this.#settings)) {
      await this.#database.close();
      this.#database = new LiveDatabase(this.#settings);
    }
    return true;
  }

  async #goLive({ build, database, wish, signal }: Candidate): Promise<void> {
    const { front, reporter, onInputs } = this.#options;
    onInputs([...build.inputs, ...this.#settings.configuration.inputs]);
    // Hooks are loaded from their file; nobody waits for the others.
    if (build.hookFiles.length > 0) await writeBuilt(build.folder, build.definition, build.hookFiles);
    const application = await createFor(build, { database, log: reporter.log, settings: this.#settings });
    this.#waitedMs = 0;
    const pushed = await this.#push(build, database, signal);
    if (pushed === "withdrawn") return;
    if ("trouble" in pushed) {
      this.#held = build;
      return this.#halt(pushed.trouble, wish);
    }
    this.#held = undefined;
    await this.#populateIfEmpty(build, database);
    front.use(application.listener);
    const ms = Math.round(performance.now() - wish.since - this.#waitedMs);
    this.#live = { application, build };
    this.#isOutdated = false;
    this.#trouble = null;
    if (build.warnings) reporter.warn(build.warnings);
    if (!wish.reasons.has("start")) {
      reporter.live({ what: this.#describe(wish), files: this.#namesOf(wish), steps: pushed.steps, ms });
    }
    await this.#write(build);
  }

  async #write({ folder, definition, hookFiles, generated }: Build): Promise<void> {
    this.#outputs = new Set(generated.map(({ path }) => path));
    try {
      await writeBuilt(folder, definition, hookFiles);
      await writeFiles(generated);
    } catch (error) {
      // What is live stays so.
      this.#options.reporter.warn(workFailed(error));
    }
  }

  async #push(
    build: Build,
    database: Database,
    signal: AbortSignal,
  ): Promise<"withdrawn" | { readonly trouble: Trouble } | { readonly steps: readonly Step[] }> {
    const { acceptDataLoss, ask, front, reporter } = this.#options;
    const schema = describeSchema(build.definition);
    if (schema === this.#pushed) return { steps: [] };
    const askHere = async (steps: readonly Step[]): Promise<Answer> => {
      reporter.question(steps, this.#live !== undefined);
      this.#trouble = waitingForAnswer(steps);
      front.show(this.#trouble);
      const askedAt = performance.now();
      const answer = (await ask?.(signal)) ?? "no";
      this.#waitedMs = performance.now() - askedAt;
      if (answer === "withdrawn") reporter.note("the sources have changed: the question is withdrawn");
      return answer;
    };
    const result = await pushSchema(database, build.definition, {
      acceptDataLoss,
      note: reporter.note,
      ...(ask ? { ask: askHere } : {}),
    });
    if (result.kind === "ready") this.#pushed = schema;
    return result.kind === "withdrawn" ? "withdrawn" : result;
  }

  // -------------------------------------------------------------- data

  /** Done once: a database that somebody empties later stays empty. */
  async #populateIfEmpty(build: Build, database: Database): Promise<void> {
    if (this.#isPopulated) return;
    try {
      const populator = choosePopulator(build.definition, this.#settings.populator);
      if (populator === undefined) return;
      const summary = await populateIfEmpty(this.#populateInput(build, database, populator));
      this.#isPopulated = true;
      this.#data = summary === null ? "has data already" : summaryText(summary);
      if (summary !== null && this.#live !== undefined) this.#options.reporter.note(summaryText(summary));
    } catch (error) {
      this.#data = "not populated";
      this.#options.reporter.warn(workFailed(error));
    }
  }

  async #populateAnew(build: Build, database: Database): Promise<void> {
    const { reporter } = this.#options;
    try {
      const populator = choosePopulator(build.definition, this.#settings.populator);
      if (populator === undefined) return reporter.note("there is no populator to run");
      reporter.note(summaryText(await populateAnew(this.#populateInput(build, database, populator))));
      this.#isPopulated = true;
    } catch (error) {
      reporter.warn(workFailed(error));
    }
  }

  #populateInput({ definition }: Build, database: Database, populator: string) {
    return { configuration: this.#settings.configuration, definition, database, populator };
  }

  // -------------------------------------------------------------- telling

  #halt(trouble: Trouble, wish: Wish): void {
    const { front, reporter } = this.#options;
    const isKnown = this.#trouble?.title === trouble.title;
    this.#trouble = trouble;
    front.show(trouble);
    // What is only found again by looking has been told.
    if (
      isKnown &&
      !["start", "files", "restart", "populate"].some((each) => wish.reasons.has(each as Reason))
    )
      return;
    reporter.trouble({ what: this.#describe(wish), trouble, isServing: this.#live !== undefined });
  }

  #mend(wish: Wish): void {
    this.#trouble = null;
    this.#held = undefined;
    this.#options.front.show(null);
    this.#options.reporter.mended(this.#describe(wish));
  }

  #namesOf({ files }: Wish): string[] {
    return [...files].map((path) => relative(this.#options.root, path)).sort();
  }

  #describe(wish: Wish): string {
    const changed = describeChange(this.#namesOf(wish));
    if (changed !== "") return changed;
    if (wish.reasons.has("restart")) return "rebuilt";
    if (wish.reasons.has("database")) return this.#isAway ? "the database is away" : "the database is back";
    return wish.reasons.has("schema") ? "the database is ready" : "started";
  }

  // -------------------------------------------------------------- looking

  /** Nobody tells when a database goes, comes back, or is changed by another command: it has to be asked. */
  #lookLater(): void {
    clearTimeout(this.#looking);
    this.#looking = setTimeout(() => void this.#look(), LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    const turn = this.#turns;
    const reason = await this.#findReason().catch(() => undefined);
    // Whatever was found has been overtaken.
    if (turn !== this.#turns) return;
    if (reason === undefined) this.#lookLater();
    else this.#options.wish(reason);
  }

  async #findReason(): Promise<Reason | undefined> {
    const isAnswering = await this.#database.isAnswering();
    // An embedded server that could not be started is tried again.
    if (isAnswering === this.#isAway || (this.#isAway && this.#database.isEmbedded)) return "database";
    if (this.#held === undefined || this.#isAway) return undefined;
    const state = await this.#database.ensure();
    if (state.kind !== "same") return "database";
    return (await canPush(state.database, this.#held.definition)) ? "schema" : undefined;
  }

  /** Nothing is looked at any more, and the database is let go of. */
  async close(): Promise<void> {
    clearTimeout(this.#looking);
    await this.#database.close();
  }
}

interface Candidate {
  readonly build: Build;
  readonly database: Database;
  readonly wish: Wish;
  readonly signal: AbortSignal;
}

/** As `stoa start` would have it, and with the docs unless somebody does not want them. */
async function createFor(
  { folder, definition }: Build,
  { database, log, settings: { configuration, hasDocs } }: Surroundings,
): Promise<Application> {
  const hint = "hooks are loaded when the application starts: mend the module and save it";
  const bundle = await loadHookBundle(folder, definition, { hint });
  const settings = { ...configuration.settings, docs: hasDocs };
  return applicationOf({ definition, database, bundle, log, configuration: { ...configuration, settings } });
}

interface Surroundings {
  readonly database: Database;
  readonly log: Log;
  readonly settings: DevSettings;
}

/** All that a push looks at: most changes are about something else, and then nobody has to ask the database. */
function describeSchema(definition: Definition): string {
  return JSON.stringify([canonicalCatalog(desiredCatalog(definition)), placementOf(definition)]);
}
