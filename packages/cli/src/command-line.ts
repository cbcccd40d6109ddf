// Commands whose mistakes are told in our own words. Those are loaded when there is one: `mistakes.ts`.

import { Command, type ErrorOptions } from "commander";

/** What commander has found wrong with the arguments of a command. */
export class Mistake extends Error {
  readonly command: Command;
  readonly code: string;

  constructor(command: Command, message: string, code: string) {
    super(message);
    this.command = command;
    this.code = code;
  }
}

export class CommandLine extends Command {
  override createCommand(name?: string): CommandLine {
    return new CommandLine(name);
  }

  override error(message: string, { code = "" }: ErrorOptions = {}): never {
    throw new Mistake(this, message, code);
  }
}

/** All commands that do something, and not those that only hold others. */
export function commandsBelow(command: Command): readonly Command[] {
  return command.commands.flatMap((each) => (each.commands.length === 0 ? [each] : commandsBelow(each)));
}
