// `stoa dev` while it runs: the port, the watch over the files, the keys, and the turns that they lead to.

import { basename } from "node:path";
import { outliveHooks } from "../hook-bundle.js";
import { projectRoot } from "../project-root.js";
import { requireSources } from "../sources.js";
import { openInBrowser } from "./browser.js";
import { type Cycle, createCycle } from "./cycle.js";
import { Development } from "./development.js";
import { createFront, type Front } from "./front.js";
import { type Keys, listenToKeys } from "./keys.js";
import { Port } from "./port.js";
import { createReporter, type Reporter } from "./reporter.js";
import { type DevFlags, type DevSettings, readSettings } from "./settings.js";
import { workFailed } from "./trouble.js";
import { type ProjectWatch, watchProject } from "./watch.js";

interface Opened {
  readonly path: string;
  readonly root: string;
  readonly flags: DevFlags;
  readonly settings: DevSettings;
  readonly reporter: Reporter;
  readonly front: Front;
  readonly port: Port;
  readonly startedAt: number;
}

export class Session {
  readonly #opened: Opened;
  readonly #development: Development;
  readonly #cycle: Cycle;
  readonly #watch: ProjectWatch;
  readonly #keys: Keys | undefined;
  #isStarted = false;
  /** Whether somebody has seen what is served. */
  #isShown = false;
  #quit = (): void => {};
  /** Resolves when somebody wants it to end. */
  readonly quitting = new Promise<void>((resolve) => {
    this.#quit = resolve;
  });

  /** Throws a failure where it makes no sense to begin: no sources, no port, settings that cannot be used. */
  static async open(path: string, flags: DevFlags): Promise<Session> {
    const startedAt = performance.now();
    const root = projectRoot(path);
    // Sources may be broken, and are mended then; without any this is the wrong folder, which needs no database.
    requireSources(path);
    const settings = await readSettings(root, flags);
    const reporter = createReporter(settings.logLevel);
    const front = createFront();
    const port = await Port.open({ listener: front.listener, log: reporter.log }, settings);
    return new Session({ path, root, flags, settings, reporter, front, port, startedAt });
  }

  private constructor(opened: Opened) {
    this.#opened = opened;
    const { flags, reporter, root } = opened;
    this.#keys = listenToKeys((key) => void this.#press(key));
    const keys = this.#keys;
    this.#development = new Development({
      ...opened,
      acceptDataLoss: flags.acceptDataLoss ?? false,
      ask: keys && ((signal) => keys.ask(signal)),
      readSettings: () => this.#readSettings(),
      onInputs: (paths) => this.#watch.include(paths),
      wish: (reason) => this.#cycle.wish(reason),
    });
    this.#cycle = createCycle({
      turn: async (wish, signal) => {
        await this.#development.turn(wish, signal);
        if (!this.#isStarted) this.#tellStart();
        else if (!this.#isShown) this.#tellFirst();
      },
      onBug: (error) => reporter.warn(workFailed(error)),
    });
    this.#watch = watchProject({
      root,
      onChange: (file) => this.#onChange(file),
      onProblem: reporter.note,
      isPolling: flags.poll ?? false,
    });
    outliveCode(reporter);
    this.#cycle.wish("start");
  }

  #onChange(file: string): void {
    if (!this.#development.isOutput(file)) this.#cycle.wish("files", file);
  }

  async #readSettings(): Promise<DevSettings> {
    const { root, flags, port, reporter } = this.#opened;
    const settings = await readSettings(root, flags);
    if (await port.move(settings)) reporter.note(`listening on ${port.url} now`);
    return settings;
  }

  #tellStart(): void {
    const { port, reporter, root, startedAt, settings } = this.#opened;
    this.#isStarted = true;
    const { isBorrowed, ...state } = this.#development.state;
    this.#isShown = state.isLive;
    const ms = Math.round(performance.now() - startedAt);
    reporter.started({
      ...state,
      name: basename(root),
      url: port.url,
      ms,
      hasKeys: this.#keys !== undefined,
      hasDocs: settings.hasDocs,
    });
    if (port.takenPort !== null) {
      reporter.note(`port ${port.takenPort} is in use by another program: --port or PORT choose another`);
    }
    if (isBorrowed) reporter.note("the embedded database was started by another command, and stops with it");
    if (settings.opensBrowser) void this.#openDocs();
  }

  /** What the start could not show, because there was nothing to serve yet. */
  #tellFirst(): void {
    const { state } = this.#development;
    if (!state.isLive) return;
    this.#isShown = true;
    this.#opened.reporter.first(state);
  }

  // -------------------------------------------------------------- keys

  async #press(key: string): Promise<void> {
    const { reporter } = this.#opened;
    switch (key.toLowerCase()) {
      case "r":
        this.#watch.refresh();
        return this.#cycle.wish("restart");
      case "p":
        return this.#populate();
      case "o":
        return this.#openDocs();
      case "q":
        return this.#quit();
      case "h":
      case "?":
        return reporter.help(this.#development.populator);
      case "\r":
      case "\n":
        // A gap in the log, as people make them to find their place again.
        return reporter.gap();
    }
  }

  async #populate(): Promise<void> {
    const { reporter } = this.#opened;
    const { populator } = this.#development;
    if (populator === undefined) {
      return reporter.note("there is no populator to run: declare one, populator Dev { … }");
    }
    reporter.confirm(`This empties all tables and fills them by ${populator}.`);
    if ((await this.#keys?.ask()) === "yes") this.#cycle.wish("populate");
    else reporter.note("nothing was changed");
  }

  async #openDocs(): Promise<void> {
    const { port, reporter } = this.#opened;
    const url = `${port.url}/docs`;
    if (!(await openInBrowser(url))) reporter.note(`no browser could be started; the page is at ${url}`);
  }

  // -------------------------------------------------------------- the end

  /** Finishes what is in flight, then lets go of everything. */
  async close(): Promise<void> {
    const { front, port, reporter } = this.#opened;
    this.#keys?.close();
    this.#watch.close();
    front.close();
    await Promise.all([this.#cycle.stop(), port.close()]);
    await this.#development.close();
    reporter.stopped();
  }
}

/** Code of a project that fails on its own must not end what is there to show it. */
function outliveCode({ log }: Reporter): void {
  outliveHooks(log);
  process.on("uncaughtException", (error) => {
    log.error("code failed where nobody waited for it", { error });
  });
}
