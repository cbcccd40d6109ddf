// The two questions that there are, on the terminal. Where nobody can answer, nothing is asked.

import { createInterface, type Interface } from "node:readline/promises";
import { InitProblem } from "./problem.js";

export interface Questions {
  folder(proposal: string): Promise<string>;
  accounts(): Promise<boolean>;
}

export function questionsOnTerminal(): Questions | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return {
    folder: async (proposal) => (await ask(`Where shall the project be? (${proposal}) `)) || proposal,
    accounts: async () => /^y(es)?$/i.test(await ask("With accounts, for users who log in? [y/N] ")),
  };
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await Promise.race([terminal.question(question), givenUp(terminal)])).trim();
  } finally {
    terminal.close();
  }
}

/** Ctrl-C and the end of the input: without this, the process would end in the middle of a question, in silence. */
function givenUp(terminal: Interface): Promise<never> {
  return new Promise((_, reject) => {
    terminal.once("close", () => {
      reject(new InitProblem("Nothing was made.", { hint: "run it again whenever you like" }));
    });
  });
}
