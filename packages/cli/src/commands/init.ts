// `stoa init`: a new project that runs. The same as `npm create stoa`, for those who have the command already.

import { fileURLToPath } from "node:url";
import {
  createdJson,
  createProject,
  describeCreated,
  InitProblem,
  problemJson,
  questionsOnTerminal,
} from "create-stoa";
import { EXIT, Failure } from "../failure.js";
import { paletteFor, print } from "../terminal.js";

export interface InitFlags {
  readonly name?: string;
  readonly accounts?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function init(dir: string, { name, accounts, yes, json = false }: InitFlags): Promise<number> {
  const questions = yes || json ? undefined : questionsOnTerminal();
  try {
    const created = await createProject({
      template: fileURLToPath(new URL("./template", import.meta.url)),
      dir,
      ...(name === undefined ? {} : { name }),
      ...(accounts === undefined ? {} : { accounts }),
      ...(questions === undefined ? {} : { questions }),
    });
    print(json ? createdJson(created) : describeCreated(created, paletteFor(process.stdout)));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof InitProblem)) throw error;
    const exitCode = error.isEnvironment ? EXIT.environment : EXIT.user;
    if (!json) throw new Failure(error.message, { hint: error.hint, exitCode });
    print(problemJson(error));
    return exitCode;
  }
}
