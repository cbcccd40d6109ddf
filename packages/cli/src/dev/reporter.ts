// Tells what happens: on a terminal in words for people, elsewhere in the log for programs, with what is wrong in the
// sources on standard error.

import type { Step } from "@stoa/database";
import { createLog, type Log, type LogLevel } from "@stoa/runtime";
import { paletteFor, print, printError } from "../terminal.js";
import { clock, createPeopleLog } from "./people-log.js";
import {
  brokenLine,
  helpScreen,
  liveLines,
  questionLines,
  type Served,
  type StartScreen,
  servedScreen,
  startScreen,
} from "./screen.js";
import type { Trouble } from "./trouble.js";

export interface LiveEvent {
  /** Why, in words: `api.stoa changed`. */
  readonly what: string;
  readonly files: readonly string[];
  readonly steps: readonly Step[];
  readonly ms: number;
}

export interface TroubleEvent {
  readonly what: string;
  readonly trouble: Trouble;
  /** Whether an earlier version answers meanwhile. */
  readonly isServing: boolean;
}

export interface Reporter {
  /** For the application. */
  readonly log: Log;
  started(start: StartScreen): void;
  /** The first version that is served, if there was none at the start. */
  first(served: Served): void;
  live(event: LiveEvent): void;
  trouble(event: TroubleEvent): void;
  /** Warnings of the compiler, a populator that failed: worth reading, and nothing stops for it. */
  warn(trouble: Trouble): void;
  /** The version that is live is the newest again. */
  mended(what: string): void;
  note(message: string): void;
  question(steps: readonly Step[], isServing: boolean): void;
  /** Before a key is waited for. */
  confirm(message: string): void;
  help(populator: string | undefined): void;
  gap(): void;
  stopped(): void;
}

export function createReporter(level: LogLevel): Reporter {
  return process.stdout.isTTY === true ? peopleReporter(level) : programReporter(level);
}

function peopleReporter(level: LogLevel): Reporter {
  const colours = paletteFor(process.stdout);
  const good = (text: string): void => print(`${colours.good("✓")} ${colours.faint(clock())} ${text}`);
  return {
    log: createPeopleLog(level, print),
    started: (start) => print(startScreen(start, colours)),
    first: (served) => print(servedScreen(served, colours)),
    live: ({ what, steps, ms }) => {
      for (const line of liveLines({ time: clock(), what, steps, ms }, colours)) print(line);
    },
    trouble: ({ what, trouble, isServing }) => {
      printError(trouble.render(paletteFor(process.stderr)));
      print(brokenLine(clock(), what, isServing, colours));
    },
    warn: (trouble) => printError(trouble.render(paletteFor(process.stderr))),
    mended: (what) => good(`${what} ${colours.faint("·")} mended, and nothing new to serve`),
    note: (message) => print(`${colours.note("·")} ${colours.faint(clock())} ${message}`),
    question: (steps, isServing) => {
      for (const line of questionLines(steps, isServing, colours)) print(line);
    },
    confirm: (message) => print(`${message} ${colours.strong("Go on? [y/N]")}`),
    help: (populator) => print(helpScreen(populator, colours)),
    gap: () => print(""),
    stopped: () => {},
  };
}

function programReporter(level: LogLevel): Reporter {
  const log = createLog({ level, destination: process.stdout });
  const palette = paletteFor(process.stderr);
  const tell = (write: () => void): void => {
    write();
    log.flush();
  };
  return {
    log,
    started: ({ url, routes, database, data, ms, isLive }) =>
      tell(() => log.info("listening", { url, endpoints: routes.length, database, data, ms, isLive })),
    first: () => {},
    live: ({ files, steps, ms }) =>
      tell(() => log.info("live", { files, steps: steps.map(({ words }) => words), ms })),
    trouble: ({ trouble, isServing }) => {
      printError(trouble.render(palette));
      tell(() => log.warn("not live", { reason: trouble.title, isServing }));
    },
    warn: (trouble) => printError(trouble.render(palette)),
    mended: () => tell(() => log.info("mended")),
    note: (message) => tell(() => log.info(message)),
    question: (steps, isServing) => {
      for (const line of questionLines(steps, isServing, palette)) printError(line);
    },
    confirm: (message) => printError(`${message} Go on? [y/N]`),
    help: (populator) => printError(helpScreen(populator, palette)),
    gap: () => {},
    stopped: () => tell(() => log.info("stopped")),
  };
}
