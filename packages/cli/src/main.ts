// The command line: arguments in, commands run, exit codes out. Each command is loaded when it is called.

import { Argument, type Command, CommanderError, Option } from "commander";
import { CommandLine, Mistake } from "./command-line.js";
import { maskSecrets } from "./config/secrets.js";
import { addSettingOptions, describeSettings } from "./config/setting-options.js";
import { EXIT, Failure, Interrupted } from "./failure.js";
import { groupCommands, overview } from "./overview.js";
import { leaveWithReader, paletteFor, print, printError, printRaw } from "./terminal.js";
import { version } from "./version.js";

type Run<Argument, Options> = (argument: Argument, options: Options, command: Command) => Promise<number>;

/** Runs a command's function, loaded now, and keeps its exit code. */
function lazily<Argument, Options extends object>(load: () => Promise<Run<Argument, Options>>) {
  return async (argument: Argument, options: Options, command: Command): Promise<void> => {
    try {
      const run = await load();
      process.exitCode = await run(argument, options, command);
    } catch (error) {
      process.exitCode = reportFailure(error, "json" in options && options.json === true);
    }
  };
}

function reportFailure(error: unknown, json: boolean): number {
  if (!(error instanceof Failure)) throw error;
  const { message, hint, exitCode } = error;
  if (error instanceof Interrupted) printError(`\n${message}`);
  else if (json) print(errorJson({ message, hint, exitCode }));
  else {
    const palette = paletteFor(process.stderr);
    printError(`${palette.error("error")}${palette.strong(`: ${message}`)}`);
    printError(`  ${palette.note("= hint:")} ${hint}`);
  }
  return exitCode;
}

/** On standard output, as all that is for programs. */
function errorJson(error: { message: string; hint: string; exitCode: number }): string {
  return JSON.stringify({ diagnostics: [], error });
}

/** `called`: where it is one that is over in no time, the others are left out; making them would take longer. */
export function createProgram(called?: string): Command {
  const program = new CommandLine("stoa")
    .description("Describe models and an api in .stoa files; get a REST application on PostgreSQL.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .commandsGroup("More:")
    .helpCommand("help [command]", "show the help of a command")
    .exitOverride()
    .configureOutput({ writeOut: printRaw })
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa init shop            make a new project\n  $ stoa check                check the sources in this folder\n  $ stoa build examples/blog  write the application definition of a project\n  $ stoa fmt --check          is everything formatted?\n  $ stoa dev                  work on it: serve, and follow every change\n  $ stoa start                serve what was built\n\nExit codes: 0 all is well, 1 something to mend in the sources or arguments, 2 a bug or the environment",
    );
  const quick = called === undefined ? undefined : QUICK.get(called);
  for (const add of quick ? [quick] : COMMANDS) add(program);
  addSettingOptions(program);
  groupCommands(program);
  return program;
}

/** In the order of the help. */
const COMMANDS = [
  addInit,
  addCheck,
  addBuild,
  addFmt,
  addDev,
  addStart,
  addConfig,
  addDb,
  addExplain,
  addDiff,
  addGenerate,
  addCompletions,
];

const QUICK: ReadonlyMap<string, (program: Command) => void> = new Map([
  ["check", addCheck],
  ["fmt", addFmt],
]);

const DIR = "[dir]";
const DIR_HELP = "the project's folder, or one .stoa file";

function addInit(program: Command): void {
  program
    .command("init")
    .summary("make a new project that runs")
    .description(
      "Writes a small application with data, custom code and a test. Changes nothing that is there: a folder with anything but a repository, a README or a licence is refused.",
    )
    .argument(DIR, "the folder of the project; it may be a new one", ".")
    .option("--name <name>", "of the package (default: that of the folder)")
    .option("--accounts", "with users who log in")
    .option("--no-accounts", "without")
    .option("-y, --yes", "ask nothing, take what is proposed")
    .option("--json", "print one JSON object for programs, and ask nothing")
    .addHelpText("after", "\nExamples:\n  $ stoa init shop\n  $ stoa init shop --accounts --yes")
    .action(lazily(async () => (await import("./commands/init.js")).init));
}

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

function addDev(program: Command): void {
  program
    .command("dev")
    .summary("build, serve and watch: every saved change is live at once")
    .description(
      "Builds the sources, makes the database match, fills it by a populator if it is empty, serves, and does so again whenever a file changes. Sources with errors leave the last good version up.",
    )
    .argument(DIR, DIR_HELP, ".")
    .option("--accept-data-loss", "do not ask when a change of the models loses data")
    .option("--poll", "look at the files every now and then, where no changes are announced")
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa dev\n  $ stoa dev shop --port 8080 --open\n\nKeys: r rebuild, p populate anew, o open the docs, q quit, h help. The docs page is at /docs.",
    )
    .action(lazily(async () => (await import("./commands/dev.js")).dev));
}

function addStart(program: Command): void {
  program
    .command("start")
    .summary("serve a built application")
    .description(
      "Serves what `stoa build` has written, until Ctrl-C or SIGTERM; then it finishes what is in flight. The log is on standard output, one JSON object per line.",
    )
    .argument(DIR, DIR_HELP, ".")
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa build && stoa start\n  $ stoa start shop --port 8080\n  $ HOST=0.0.0.0 DATABASE_URL=postgres://… stoa start   in a container: for everyone who can reach it\n\nGET /health/live and GET /health/ready are for whoever runs the process. While the database is away, the server\nstays up and answers 503.",
    )
    .action(lazily(async () => (await import("./commands/start.js")).start));
}

function addExplain(program: Command): void {
  program
    .command("explain")
    .summary("show the route, rules, SQL and plan of an endpoint")
    .description(
      "Without an endpoint: lists them all. With one, by its name or its method and path: its route, parameters and rules, the SQL statement it runs, the plan that PostgreSQL has for it, and what would make it faster.",
    )
    .usage("[dir] [endpoint] [options]")
    .argument(
      "[words...]",
      "the project's folder, if not this one; then author.books.list, or GET /api/author",
    )
    .option("--plan", "ask the database for its plan (as usual)")
    .option("--no-plan", "do not ask the database")
    .option("--access", "show who can do what: the rules of all endpoints, or of one")
    .option("--user <id>", "with --access: would this user be let in, and which clause decides")
    .option("--record <identifier>", "with --access: to this record; once for each in the path", collect)
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa explain                            all endpoints\n  $ stoa explain author.books.list\n  $ stoa explain shop GET /api/author/ann/books\n  $ stoa explain book.list --json | jq -r .statement.sql\n  $ stoa explain --access                   who can do what\n  $ stoa explain post.update --access --user 7 --record my-post",
    )
    .action(lazily(async () => (await import("./commands/explain.js")).explain));
}

function addGenerate(program: Command): void {
  const generate = program
    .command("generate")
    .summary("write the OpenAPI document or a typed client")
    .description("What clients of the application need, made of its sources.")
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa generate openapi > openapi.json\n  $ stoa generate client --output web/src/api",
    );
  generate
    .command("openapi")
    .summary("the OpenAPI 3.1 document")
    .description(
      "Every address, what it takes and what it answers. Title, version and licence are those of package.json.",
    )
    .argument(DIR, DIR_HELP, ".")
    .option("--output <file>", "where to write it (default: standard output)")
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa generate openapi > openapi.json\n  $ stoa generate openapi shop --output shop.json",
    )
    .action(lazily(async () => (await import("./commands/generate.js")).generateOpenApi));
  generate
    .command("client")
    .summary("a typed client")
    .description("One function for each endpoint, on fetch and nothing else.")
    .argument(DIR, DIR_HELP, ".")
    .addOption(
      new Option("--target <language>", "TypeScript, or JavaScript with types beside it")
        .choices(["ts", "js"])
        .default("ts"),
    )
    .option("--output <folder>", "where to write it (default: standard output, for ts)")
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa generate client --output web/src/api\n  $ stoa generate client shop --target js --output scripts/api",
    )
    .action(lazily(async () => (await import("./commands/generate.js")).generateClient));
}

function addDiff(program: Command): void {
  const run = lazily(async () => (await import("./commands/diff.js")).diff);
  program
    .command("diff")
    .summary("show what has changed in the API and the database, and whom it breaks")
    .description(
      "Compares two versions of an application and lists every change, each classed compatible or breaking, with the reason and who is affected. A version is a project's folder or one .stoa file, a build folder or a definition.json, or a revision of git: main, HEAD~3, v1.2, main:path/to/project.",
    )
    .argument("<old>", "the version before")
    .argument("[new]", "the version after (default: the sources in this folder)", ".")
    .addOption(
      new Option("--fail-on <class>", "exit with 1 if there are such changes").choices(["breaking", "any"]),
    )
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa diff main                       this folder, against the same folder in main\n  $ stoa diff v1.2 v1.3\n  $ stoa diff main:shop shop             the folder has another name now\n  $ stoa diff origin/main --fail-on breaking   for continuous integration",
    )
    .action((old: string, newer: string, options: { json?: boolean }, command: Command) =>
      run([old, newer], options, command),
    );
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const ALLOW_PRODUCTION = ["--allow-production", "also on a database that looks like production"] as const;
const JSON_OUTPUT = ["--json", "print one JSON object for programs"] as const;

function addDb(program: Command): void {
  const db = program
    .command("db")
    .summary("make, fill and empty the development database; migrate the one in production")
    .description("The embedded PostgreSQL of the project, unless DATABASE_URL names another.")
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa db push\n  $ stoa db populate -p Dev\n  $ stoa db migrate --name pages && stoa db deploy",
    );
  db.command("push")
    .summary("make the database match the models")
    .description("Compares the database with the models and changes it. Asks before anything is lost.")
    .argument(DIR, DIR_HELP, ".")
    .option("--accept-data-loss", "do not ask, also where rows or values are lost")
    .option("--dry-run", "say what would be done, change nothing")
    .option("--sql", "show the statements")
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
    .option("--if-empty", "do nothing if there is any data")
    .option("--seed <number>", "for other values of fake(…)")
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
    .option(...ALLOW_PRODUCTION)
    .option(...JSON_OUTPUT)
    .addHelpText("after", "\nExamples:\n  $ stoa db reset\n  $ stoa db reset --yes")
    .action(lazily(async () => (await import("./commands/db/reset.js")).reset));
  addMigrations(db);
}

function addConfig(program: Command): void {
  program
    .command("config")
    .summary("show the settings in force, and where each comes from")
    .description(
      "Settings come from stoa.config.ts (or .js, .json) in the project's folder, from the environment, and from flags; the later wins. `stoa dev` also reads .env and .env.local, which never win over the environment. Passwords are not shown.",
    )
    .argument(DIR, "the project's folder", ".")
    .addOption(
      new Option("--for <command>", "what they are for this command; a config may depend on it").default(
        "start",
      ),
    )
    .option(...JSON_OUTPUT)
    .addHelpText("after", () => `\n${describeSettings()}`)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa config\n  $ stoa config --for dev\n  $ stoa config --json | jq .settings.port",
    )
    .action(lazily(async () => (await import("./commands/config.js")).config));
}

function addCompletions(program: Command): void {
  program
    .command("completions")
    .summary("print a script that completes commands and options in your shell")
    .description(
      "Prints a script for the shell: all commands and options, and their values where they are known.",
    )
    .addArgument(new Argument("<shell>", "the shell that you use").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa completions bash >> ~/.bashrc\n  $ stoa completions zsh > ~/.zfunc/_stoa      in a folder of your fpath\n  $ stoa completions fish > ~/.config/fish/completions/stoa.fish",
    )
    .action(lazily(async () => (await import("./commands/completions.js")).completions));
}

const NO_DIR_NEEDED = "the project's folder; only its migrations are read";

function addMigrations(db: Command): void {
  db.command("migrate")
    .summary("write a migration: what has changed since the last one")
    .description(
      "Compares the models with the snapshot of the last migration and writes migrations/<number>_<name>/up.sql, after all migrations have been replayed in an empty database. Changes no database.",
    )
    .argument(DIR, DIR_HELP, ".")
    .requiredOption("--name <text>", "what it is about, for its folder's name")
    .option("--allow-destructive", "also where rows or values are lost")
    .option("--allow-rewrite", "also where a table is written anew while nobody can use it")
    .option("--no-renames", "what looks like a rename is none")
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      '\nExamples:\n  $ stoa db migrate --name init\n  $ stoa db migrate --name "add pages"',
    )
    .action(lazily(async () => (await import("./commands/db/migrate.js")).migrate));
  db.command("deploy")
    .summary("apply the pending migrations")
    .description(
      "Applies the migrations that the database does not have yet. Others can work on meanwhile. May be stopped at any point; run again, it goes on where it stopped.",
    )
    .argument(DIR, NO_DIR_NEEDED, ".")
    .option("--dry-run", "say what would be done, with locks and rows; change nothing")
    .option(...JSON_OUTPUT)
    .addHelpText(
      "after",
      "\nExamples:\n  $ stoa db deploy --dry-run\n  $ DATABASE_URL=postgres://… stoa db deploy",
    )
    .action(lazily(async () => (await import("./commands/db/deploy.js")).deploy));
  db.command("status")
    .summary("say which migrations are applied, and whether the database is as they left it")
    .description("Changes nothing. Exits with 1 if something is pending, wrong or different.")
    .argument(DIR, DIR_HELP, ".")
    .option(...JSON_OUTPUT)
    .addHelpText("after", "\nExamples:\n  $ stoa db status\n  $ stoa db status --json | jq .pending")
    .action(lazily(async () => (await import("./commands/db/status.js")).status));
  db.command("baseline")
    .summary("mark a database that is there as being at the current models")
    .description(
      "For a database that was not made by migrations: if its tables are what the models say, all migrations count as applied from now on; if not, the differences are shown. Writes the first migration where there is none.",
    )
    .argument(DIR, DIR_HELP, ".")
    .option("--name <text>", "of the first migration, where there is none", "baseline")
    .option(...JSON_OUTPUT)
    .addHelpText("after", "\nExamples:\n  $ DATABASE_URL=postgres://… stoa db baseline")
    .action(lazily(async () => (await import("./commands/db/baseline.js")).baseline));
}

function reportBug(error: unknown, json: boolean): void {
  const palette = paletteFor(process.stderr);
  const reason = maskSecrets(error instanceof Error ? error.message : String(error));
  const message = `stoa ran into a mistake of its own: ${reason}`;
  const hint = "please report it, with the sources and the output of STOA_DEBUG=1 stoa …";
  if (json) print(errorJson({ message, hint, exitCode: EXIT.environment }));
  else {
    printError(`${palette.error("bug")}${palette.strong(`: ${message}`)}`);
    printError(`  ${palette.note("= hint:")} ${hint}`);
  }
  if (process.env.STOA_DEBUG && error instanceof Error) printError(maskSecrets(error.stack ?? ""));
  process.exitCode = EXIT.environment;
}

/** Runs the command that the arguments name. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.length === 0) return print(overview(createProgram()));
  const isJson = args.includes("--json");
  if (!QUICK.has(args[0] ?? "")) process.stdout.on("error", leaveWithReader);
  try {
    await createProgram(args[0]).parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.user;
    else if (error instanceof Mistake) {
      const { describeMistake } = await import("./mistakes.js");
      process.exitCode = reportFailure(describeMistake(await findMistake(args)), isJson);
    } else reportBug(error, isJson);
  }
}

/** Once more among all commands: what was meant may belong to another one. */
async function findMistake(args: readonly string[]): Promise<Mistake> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof Mistake) return error;
    throw error;
  }
  throw new Error("What was a mistake among some commands is none among all.");
}
