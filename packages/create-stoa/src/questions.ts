// The two questions that there are, on the terminal. Where nobody can answer, nothing is asked.

import { createInterface } from "node:readline/promises";
import { InitProblem } from "./problem.js";

export interface Questions {
  folder(proposal: string): Promise<string>;
  accounts(): Promise<boolean>;
}

export function questionsOnTerminal(): Questions | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return {
    folder: async (proposal) => (await ask(`Where shall the project be? (${proposal}) `)) || proposal,
    accounts: () => confirm("With accounts, for users who log in? [y/N] "),
  };
}

const MOST_TIMES = 3;

/** No, unless somebody says yes. Who says neither is asked again, and not for ever. */
async function confirm(question: string): Promise<boolean> {
  for (let time = 1; time <= MOST_TIMES; time++) {
    const answer = await ask(time === 1 ? question : `Please answer y or n. ${question}`);
    if (/^y(es)?$/i.test(answer)) return true;
    if (/^(no?)?$/i.test(answer)) return false;
  }
  return false;
}

/**
 * Ctrl-C and the end of the input close the terminal: without listening for that, the process would end in the middle of
 * a question, in silence.
 */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const givenUp = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  const answer = await Promise.race([terminal.question(question), givenUp]);
  terminal.close();
  if (answer !== undefined) return answer.trim();
  // The answer would have ended the line.
  process.stderr.write("\n");
  throw new InitProblem("Nothing was made.", { hint: "run it again whenever you like" });
}
