// The command line: arguments in, commands run, exit codes out. Each command is loaded when it is called.

import { Command, CommanderError } from "commander";
import { EXIT, Failure } from "./failure.js";
import { paletteFor, print, printError } from "./terminal.js";
import { version } from "./version.js";

type Run<Options> = (path: string, options: Options) => Promise<number>;

/** Runs a command's function, loaded now, and keeps its exit code. */
function lazily<Options extends { readonly json?: boolean }>(load: () => Promise<Run<Options>>) {
  return async (path: string, options: Options): Promise<void> => {
    try {
      const run = await load();
      process.exitCode = await run(path, options);
    } catch (error) {
      process.exitCode = reportFailure(error, options.json === true);
    }
  };
}

function reportFailure(error: unknown, json: boolean): number {
  if (!(error instanceof Failure)) throw error;
  const { message, hint, exitCode } = error;
  if (json) print(JSON.stringify({ diagnostics: [], error: { message, ...(hint ? { hint } : {}) } }));
  else {
    const palette = paletteFor(process.stderr);
    printError(`${palette.error("error")}${palette.strong(`: ${message}`)}`);
    if (hint) printError(`  ${palette.note("= hint:")} ${hint}`);
  }
  return exitCode;
}

function createProgram(): Command {
  const program = new Command("stoa")
    .description("Describe models and an api in .stoa files; get a REST application on PostgreSQL.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .showSuggestionAfterError()
    .showHelpAfterError("(run with --help to see what there is)")
    .exitOverride()
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa check               check the sources in this folder\n  $ stoa build examples/blog  write the application definition of a project\n  $ stoa fmt --check          is everything formatted?\n\nExit codes: 0 all is well, 1 something to mend in the sources or arguments, 2 a bug or the environment",
    );
  addCheck(program);
  addBuild(program);
  addFmt(program);
  addDb(program);
  return program;
}

const DIR = "[dir]";
const DIR_HELP = "the project's folder, or one .stoa file";

function addCheck(program: Command): void {
  program
    .command("check")
    .summary("compile and say what is wrong, write nothing")
    .description(
      "Compiles the sources and prints all errors and warnings. Writes nothing, unless --fix is given.",
    )
    .argument(DIR, DIR_HELP, ".")
    .option("--json", "print one JSON object for programs")
    .option("--fix", "apply the fixes that are safe to apply")
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa check\n  $ stoa check --fix shop\n  $ stoa check --json | jq '.diagnostics[].code'",
    )
    .action(lazily(async () => (await import("./commands/check.js")).check));
}

function addBuild(program: Command): void {
  program
    .command("build")
    .summary("check, then write the application definition")
    .description("Compiles the sources and writes definition.json, the file that everything else reads.")
    .argument(DIR, DIR_HELP, ".")
    .option("--out <folder>", "where to write it (default: .stoa/build in the project)")
    .option("--json", "print one JSON object for programs")
    .addHelpText("after", "\nExamples:\n  $ stoa build\n  $ stoa build shop --out dist")
    .action(lazily(async () => (await import("./commands/build.js")).build));
}

function addFmt(program: Command): void {
  program
    .command("fmt")
    .summary("format the sources in the one style")
    .description("Formats every source in place. Comments are kept, and the meaning never changes.")
    .argument(DIR, DIR_HELP, ".")
    .option("--check", "change nothing; exit with 1 if something is not formatted")
    .option("--json", "print one JSON object for programs")
    .addHelpText("after", "\nExamples:\n  $ stoa fmt\n  $ stoa fmt --check     for continuous integration")
    .action(lazily(async () => (await import("./commands/fmt.js")).fmt));
}

const DATABASE_URL = [
  "--database-url <url>",
  "the database (default: DATABASE_URL, else the embedded one)",
] as const;
const ALLOW_PRODUCTION = ["--allow-production", "also on a database that looks like production"] as const;
const JSON_OUTPUT = ["--json", "print one JSON object for programs"] as const;

function addDb(program: Command): void {
  const db = program
    .command("db")
    .summary("make, fill and empty the development database")
    .description(
      "The development database: the embedded PostgreSQL of the project, unless DATABASE_URL names another.",
    )
    .addHelpText("after", "\nExamples:\n  $ stoa db push\n  $ stoa db populate -p Dev");
  db.command("push")
    .summary("make the database match the models")
    .description("Compares the database with the models and changes it. Asks before anything is lost.")
    .argument(DIR, DIR_HELP, ".")
    .option("--accept-data-loss", "do not ask, also where rows or values are lost")
    .option("--dry-run", "say what would be done, change nothing")
    .option("--sql", "show the statements")
    .option(...DATABASE_URL)
    .option(...JSON_OUTPUT)
    .addHelpText("after", "\nExamples:\n  $ stoa db push\n  $ stoa db push --dry-run --sql")
    .action(lazily(async () => (await import("./commands/db/push.js")).push));
  db.command("populate")
    .summary("fill the database with the data of a populator")
    .description(
      "Empties the tables and fills them by a populator, in one go. The same seed gives the same data.",
    )
    .argument(DIR, DIR_HELP, ".")
    .requiredOption("-p, --populator <name>", "the populator to run")
    .option("--keep", "keep the data that is there and add to it")
    .option("--seed <number>", "for other values of fake(…)")
    .option(...DATABASE_URL)
    .option(...ALLOW_PRODUCTION)
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa db populate -p Dev\n  $ stoa db populate -p Load --keep --seed 7",
    )
    .action(lazily(async () => (await import("./commands/db/populate.js")).populate));
  db.command("reset")
    .summary("empty the database")
    .description("Deletes all data of the project's tables and makes them match the models.")
    .argument(DIR, DIR_HELP, ".")
    .option("--yes", "do not ask")
    .option(...DATABASE_URL)
    .option(...ALLOW_PRODUCTION)
    .option(...JSON_OUTPUT)
    .addHelpText("after", "\nExamples:\n  $ stoa db reset\n  $ stoa db reset --yes")
    .action(lazily(async () => (await import("./commands/db/reset.js")).reset));
}

function reportBug(error: unknown): void {
  const palette = paletteFor(process.stderr);
  const message = error instanceof Error ? error.message : String(error);
  printError(`${palette.error("bug")}${palette.strong(`: stoa ran into a mistake of its own: ${message}`)}`);
  printError(
    `  ${palette.note("= hint:")} please report it, with the sources and the output of STOA_DEBUG=1 stoa …`,
  );
  if (process.env.STOA_DEBUG && error instanceof Error) printError(error.stack ?? "");
  process.exitCode = EXIT.environment;
}

/** Runs the command that the arguments name. */
export async function main(args: readonly string[]): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
  });
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.user;
    else reportBug(error);
  }
}
