// `stoa db reset`: an empty database that matches the models.

import { emptyTables } from "@stoa/database";
import { readConfiguration } from "../../config/configuration.js";
import { refuseProduction, withDatabase } from "../../database.js";
import { EXIT, Failure } from "../../failure.js";
import { compileProject } from "../../project.js";
import { projectRoot } from "../../project-root.js";
import { canAsk, confirm } from "../../prompt.js";
import { paletteFor, plural, print, printError } from "../../terminal.js";
import { pushDefinition } from "./push.js";

export interface ResetFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly allowProduction?: boolean;
}

export async function reset(path: string, flags: ResetFlags): Promise<number> {
  const configuration = await readConfiguration(projectRoot(path), { command: "db reset", flags });
  refuseProduction(configuration, flags);
  const { definition } = await compileProject(path, flags);
  if (!definition) return EXIT.user;
  if (!(await isSure(flags))) {
    printError("nothing was changed");
    return EXIT.user;
  }
  return withDatabase(configuration, async (database) => {
    const json = flags.json === undefined ? {} : { json: flags.json };
    const pushed = await pushDefinition(database, definition, { acceptDataLoss: true, quiet: true, ...json });
    if (pushed !== EXIT.ok) return pushed;
    await emptyTables(database, definition);
    const tables = plural(definition.models.length, "table");
    if (flags.json) print(JSON.stringify({ outcome: "reset", tables: definition.models.length }));
    else print(`${paletteFor(process.stdout).good("✓")} ${tables} emptied, the database matches the models`);
    return EXIT.ok;
  });
}

/** All data goes: someone must have said so. */
async function isSure({ yes, json }: ResetFlags): Promise<boolean> {
  if (yes) return true;
  if (canAsk() && !json) return confirm("This deletes all data of this project's tables. Go on?");
  throw new Failure("This deletes all data, and there is nobody to ask.", {
    hint: "if that is meant, add --yes",
  });
}
