// `stoa db baseline`: takes a database that is there under migrations, if its tables are what the models say.

import { type BaselineOutcome, baselineDatabase, type Migration, planMigration } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { readConfiguration } from "../../config/configuration.js";
import { withDatabase } from "../../database.js";
import { printDifferences } from "../../differences.js";
import { EXIT, Failure } from "../../failure.js";
import { failureOf, readMigrations, writeMigration } from "../../migrations-folder.js";
import { compileProject } from "../../project.js";
import { replay } from "../../replay.js";
import { paletteFor, plural, print, printError } from "../../terminal.js";

export interface BaselineFlags {
  readonly name: string;
  readonly json?: boolean;
}

export async function baseline(path: string, flags: BaselineFlags): Promise<number> {
  const { root, definition } = await compileProject(path, flags);
  if (!definition) return EXIT.user;
  const configuration = await readConfiguration(root, { command: "db baseline", flags });
  const migrations = readMigrations(root);
  const first = planFirst(definition, migrations, flags);
  if (first && !(await replay([first], flags))) return EXIT.user;
  return withDatabase(configuration, async (database) => {
    const outcome = await baselineDatabase(database, first ? [first] : migrations, {
      onWait: () => printError("another deployment or push is under way: waiting for it"),
    });
    const file = first && outcome.kind === "marked" ? writeMigration(root, first) : null;
    return report(outcome, file, flags);
  });
}

/** Other databases are made by it; undefined where there are migrations already, up to the models of now. */
function planFirst(
  definition: Definition,
  migrations: readonly Migration[],
  { name }: BaselineFlags,
): Migration | undefined {
  const plan = planMigration(definition, migrations, { name });
  if (plan.kind === "broken") throw failureOf(plan.problem);
  if (plan.kind === "unchanged" && migrations.length > 0) return undefined;
  if (plan.kind === "planned" && migrations.length === 0) return plan.migration;
  if (plan.kind === "unnamed") {
    throw new Failure(`"${name}" is no name for a folder.`, { hint: "letters a–z and digits make one" });
  }
  if (migrations.length === 0) throw new Failure("There are no models.", { hint: "write one first" });
  throw new Failure("The models have changed since the last migration.", {
    hint: "write them down first: stoa db migrate --name …",
  });
}

function report(outcome: BaselineOutcome, file: string | null, { json = false }: BaselineFlags): number {
  const mark = paletteFor(process.stdout).good("✓");
  switch (outcome.kind) {
    case "marked":
      if (json) print(JSON.stringify({ outcome: "marked", migrations: outcome.migrations, file }));
      else {
        if (file) print(`+ ${file}`);
        print(
          `${mark} the database is as the models say: ${plural(outcome.migrations.length, "migration")} marked as applied`,
        );
      }
      return EXIT.ok;
    case "unchanged":
      if (json) print(JSON.stringify({ outcome: "unchanged" }));
      else print(`${mark} all migrations are applied already, nothing to do`);
      return EXIT.ok;
    case "different":
      printDifferences("The database is not what the models say.", outcome.differences, {
        json,
        hint: "bring the one or the other into line, and run the command again; nothing was changed",
      });
      return EXIT.user;
    case "refused":
      throw failureOf(outcome.problem);
  }
}
