// `npm create stoa`: arguments in, a project out.

import { fileURLToPath } from "node:url";
import { parseArgs, styleText } from "node:util";
import manifest from "../package.json" with { type: "json" };
import {
  type CreateOptions,
  createdJson,
  createProject,
  describeCreated,
  InitProblem,
  problemJson,
  questionsOnTerminal,
} from "./index.js";

const EXIT = { ok: 0, user: 1, environment: 2 } as const;

const HELP = `Makes a new Stoa project.

Usage: npm create stoa [dir] [-- options]

  --name <name>    of the package (default: that of the folder)
  --accounts       with users who log in
  --no-accounts    without
  -y, --yes        ask nothing, take what is proposed
  --json           print one JSON object for programs, and ask nothing
  -v, --version    print the version
  -h, --help       show this help

Examples:
  $ npm create stoa
  $ npm create stoa shop -- --accounts
  $ npm create stoa shop -- --yes --json
`;

const OPTIONS = {
  name: { type: "string" },
  accounts: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  json: { type: "boolean" },
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

type Arguments = ReturnType<typeof readArguments>;

export async function main(args: readonly string[]): Promise<void> {
  try {
    const read = readArguments(args);
    if (read.values.help) process.stdout.write(HELP);
    else if (read.values.version) process.stdout.write(`${manifest.version}\n`);
    else await create(read);
  } catch (error) {
    if (!(error instanceof InitProblem)) throw error;
    process.exitCode = error.isEnvironment ? EXIT.environment : EXIT.user;
    if (args.includes("--json")) process.stdout.write(`${problemJson(error)}\n`);
    else process.stderr.write(describeProblem(error));
  }
}

function readArguments(args: readonly string[]) {
  try {
    const read = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
      allowNegative: true,
    });
    if (read.positionals.length > 1) throw new TypeError("There is one folder at most");
    return read;
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(". ");
    throw new InitProblem(`${reason}.`, { hint: "run with --help to see what there is", cause: error });
  }
}

async function create({ values, positionals }: Arguments): Promise<void> {
  const { name, accounts, yes, json } = values;
  const [dir] = positionals;
  const questions = yes || json ? undefined : questionsOnTerminal();
  const options: CreateOptions = {
    template: fileURLToPath(new URL("../template", import.meta.url)),
    ...(dir === undefined ? {} : { dir }),
    ...(name === undefined ? {} : { name }),
    ...(accounts === undefined ? {} : { accounts }),
    ...(questions === undefined ? {} : { questions }),
  };
  const created = await createProject(options);
  process.stdout.write(`${json ? createdJson(created) : describeCreated(created, paint(process.stdout))}\n`);
}

function describeProblem({ message, hint }: InitProblem): string {
  const { bad, strong, note } = paint(process.stderr);
  return `${bad("error")}${strong(`: ${message}`)}\n  ${note("= hint:")} ${hint}\n`;
}

/** Colours where they are seen, and wanted. */
function paint(stream: NodeJS.WriteStream) {
  const { NO_COLOR, TERM } = process.env;
  const isOn = stream.isTTY === true && !NO_COLOR && TERM !== "dumb";
  type Style = Parameters<typeof styleText>[0];
  const style = (format: Style) => (text: string) => (isOn ? styleText(format, text) : text);
  return {
    good: style("green"),
    strong: style("bold"),
    faint: style("dim"),
    bad: style(["bold", "red"]),
    note: style("cyan"),
  };
}
